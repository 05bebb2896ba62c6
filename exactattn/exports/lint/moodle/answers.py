"""Rules on the answers of a question of Moodle: their shares, their numbers, the order in which they are tried."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from html import escape

from exactattn.exports.lint import alike
from exactattn.exports.lint.finding import MOODLE, Fault, Rule
from exactattn.exports.lint.intervals import Conflict, Reached, conflicts
from exactattn.exports.lint.lexical import number, shown
from exactattn.exports.lint.moodle.file import WITH_SHARES, Question, text_of
from exactattn.exports.lint.moodle.numbers import typed, units
from exactattn.exports.lint.tree import Node

SHARES = tuple(
    Fraction(text)
    for text in (
        "1", "9/10", "5/6", "4/5", "3/4", "7/10", "2/3", "3/5", "1/2", "2/5", "1/3", "3/10", "1/4", "1/5", "1/6", "1/7", "1/8",
        "1/9", "1/10", "1/20", "0",
    )
)  # fmt: skip
"""The shares that Moodle knows; it keeps them to seven places, and takes what is nearer than a 100 000th."""
NEAR = Fraction(1, 100_000)
_KEPT = tuple((one, Fraction(round(one * 10**7), 10**7)) for one in SHARES)
NUMBERINGS = frozenset({"abc", "ABCD", "ABC", "123", "iii", "IIII", "none"})
_WRAPPED = re.compile(r"<(p|div|span)\b[^<>]*>.*</\1>", re.DOTALL | re.IGNORECASE)


def share(answer: Node) -> Fraction | None:
    """The share of the points that an answer earns, as written; None where it is no number."""
    return share_of(answer.get("fraction", "0"))


def share_of(text: str) -> Fraction | None:
    """A percentage as a share."""
    x = number(text)
    return None if x is None else x / 100


def known(x: Fraction) -> Fraction | None:
    """The share that Moodle takes it for."""
    size = abs(x)
    found = next((one for one, kept in _KEPT if abs(size - kept) < NEAR), None)
    return None if found is None else (-found if x < 0 else found)


def fraction(one: Question) -> Iterator[Fault]:
    """A share that is not in Moodle's list."""
    if one.type not in WITH_SHARES:
        return
    for answer in one.answers:
        x = share(answer)
        if x is None or known(x) is None:
            meant = share_of(answer.get("fraction").replace(",", ".").rstrip("% ")) if x is None else x
            size = abs(meant or Fraction(0))
            close = min(SHARES, key=lambda one: abs(one - size))
            near = ("-" if meant is not None and meant < 0 else "") + shown(Fraction(round(close * 10**7), 10**5))
            yield Fault(answer.line, "<answer>", {"fraction": answer.get("fraction"), "near": near})


def full_credit(one: Question) -> Iterator[Fault]:
    """No answer earns all, where one has to."""
    if (
        one.type not in WITH_SHARES
        or not one.answers
        or (one.type in ("multichoice", "calculatedmulti") and one.several)
    ):
        return
    shares = [share(answer) for answer in one.answers]
    if None not in shares and max(x for x in shares if x is not None) != 1:
        yield Fault(one.node.line, "<answer>", {"most": shown(max(x for x in shares if x is not None) * 100)})


def credit_sum(one: Question) -> Iterator[Fault]:
    """Right options of a choice of several that do not make 100 % together, to two places of the whole."""
    if one.type in ("multichoice", "calculatedmulti") and one.several and one.answers:
        shares = [share(answer) for answer in one.answers]
        total = sum((x for x in shares if x is not None and x > 0), Fraction(0))
        if None not in shares and round(total, 2) != 1:
            yield Fault(one.node.line, "<answer>", {"sum": shown(total * 100)})


def no_answer(one: Question) -> Iterator[Fault]:
    """Fewer answers than the type needs."""
    least = 2 if one.type in ("multichoice", "calculatedmulti", "ordering") else 1 if one.type in WITH_SHARES else 0
    if len(one.answers) < least:
        yield Fault(one.node.line, "<answer>", {"count": len(one.answers), "least": least})


def single_value(one: Question) -> Iterator[Fault]:
    """Whether one option or several may be chosen is said in a word that Moodle does not know."""
    node = one.node.first("single")
    if node is not None and node.text.strip() not in ("true", "false", "1", "0"):
        yield Fault(node.line, "<single>", {"text": node.text.strip()})


def numbering(one: Question) -> Iterator[Fault]:
    """A way of numbering that Moodle does not know."""
    node = one.node.first("answernumbering")
    if node is not None and node.text.strip() not in NUMBERINGS:
        yield Fault(node.line, "<answernumbering>", {"text": node.text.strip()})


def answer_markup(one: Question) -> Iterator[Fault]:
    """A text to type that stands between tags."""
    if one.type == "shortanswer":
        for answer in one.answers:
            text = text_of(answer, "text")
            if _WRAPPED.fullmatch(text):
                yield Fault(answer.line, "<answer>", {"text": text[:80]})


def reached(one: Question) -> list[Reached]:
    """The answers of a numerical question as they are tried."""
    out = []
    for answer in one.answers if one.type == "numerical" else ():
        text, credit = text_of(answer, "text"), share(answer)
        said = text_of(answer, "feedback", "text")
        if credit is None:
            continue
        if text == "*":
            out.append(Reached(None, None, credit, said, None, answer.line, text))
            continue
        middle, reach = typed(text, units(one)), typed(text_of(answer, "tolerance") or "0", units(one))
        if middle is not None and reach is not None:
            out.append(Reached(middle - abs(reach), middle + abs(reach), credit, said, middle, answer.line, text))
    return out


def in_the_way(answers: list[Reached], wanted: Conflict, element: str) -> Iterator[Fault]:
    """The conflicts of one sort."""
    for what, first, later in conflicts(answers):
        if what == wanted:
            yield Fault(
                later.line, element, {"first": first.text, "later": later.text, "credit": shown(first.credit * 100)}
            )


def key_refused(one: Question) -> Iterator[Fault]:
    """An answer's own number is taken by an earlier answer that earns less."""
    return in_the_way(reached(one), "key-refused", "<answer>")


def answer_shadowed(one: Question) -> Iterator[Fault]:
    """An answer that no response reaches."""
    return in_the_way(reached(one), "answer-shadowed", "<answer>")


def intervals_overlap(one: Question) -> Iterator[Fault]:
    """Numbers that two answers claim with different credit."""
    return in_the_way(reached(one), "intervals-overlap", "<answer>")


def option_blank(one: Question) -> Iterator[Fault]:
    """An option that shows nothing."""
    if one.type in ("multichoice", "calculatedmulti", "ordering"):
        for k, answer in enumerate(one.answers, 1):
            text = text_of(answer, "text")
            if alike.blank(escape(text) if answer.get("format") == "plain_text" else text):
                yield Fault(answer.line, "<answer>", {"number": k})


def options_alike(one: Question) -> Iterator[Fault]:
    """Two options that look the same."""
    if one.type in ("multichoice", "ordering"):
        options = [(answer, alike.of_html(text_of(answer, "text"))) for answer in one.answers]
        for first, later in alike.pairs(options):
            yield Fault(later.line, "<answer>", {"text": text_of(later, "text")[:80], "other": first.line})


RULES: tuple[Rule[Question], ...] = (
    Rule("fraction", "error", MOODLE, fraction),
    Rule("full-credit", "error", MOODLE, full_credit),
    Rule("credit-sum", "error", MOODLE, credit_sum),
    Rule("no-answer", "error", MOODLE, no_answer),
    Rule("single-value", "warning", MOODLE, single_value),
    Rule("numbering", "warning", MOODLE, numbering),
    Rule("answer-markup", "error", MOODLE, answer_markup),
    Rule("key-refused", "error", MOODLE, key_refused),
    Rule("answer-shadowed", "error", MOODLE, answer_shadowed),
    Rule("intervals-overlap", "warning", MOODLE, intervals_overlap),
    Rule("option-blank", "error", MOODLE, option_blank),
    Rule("options-alike", "error", MOODLE, options_alike),
)
