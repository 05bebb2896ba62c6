"""Rules on the answers of a question of Moodle: their shares, their numbers, the order in which they are tried."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from exactattn.exports.lint import alike
from exactattn.exports.lint.finding import MOODLE, Fault, Rule
from exactattn.exports.lint.intervals import Conflict, Reached, conflicts
from exactattn.exports.lint.lexical import MOST_DIGITS, number, shown
from exactattn.exports.lint.moodle.file import NUMERIC, WITH_SHARES, Question, text_of
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

_TIMES_TEN = re.compile(r"\s*(?:[x*×]|\\times)\s*10\s*(?:\^|\*\*)\s*", re.IGNORECASE)


def typed(text: str) -> Fraction | None:
    """A number as Moodle's numerical questions read it: a comma for the point, ·10^ for an exponent.

    >>> typed("0,5"), typed("1/3"), typed("2*10^-3")
    (Fraction(1, 2), None, Fraction(1, 500))
    """
    if len(text) > MOST_DIGITS:
        return None
    tidy = _TIMES_TEN.sub("e", text.strip().replace("−", "-"))
    return number(tidy.replace(",", ".") if "." not in tidy else tidy)


def share(answer: Node) -> Fraction | None:
    """The share of the points that an answer earns, as written; None where it is no number."""
    x = number(answer.get("fraction", "0"))
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
            size = Fraction(0) if x is None else abs(x)
            close = min(SHARES, key=lambda one: abs(one - size))
            near = ("-" if x is not None and x < 0 else "") + shown(Fraction(round(close * 10**7), 10**5))
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
    least = (
        2
        if one.type in ("multichoice", "truefalse", "calculatedmulti", "ordering")
        else 1
        if one.type in WITH_SHARES
        else 0
    )
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


def answer_number(one: Question) -> Iterator[Fault]:
    """An answer of a numerical question that is no number."""
    if one.type == "numerical":
        for answer in one.answers:
            text = text_of(answer, "text")
            number_of = text.partition(" ")[0] if one.node.first("units") is not None else text
            if text != "*" and typed(number_of) is None:
                yield Fault(answer.line, "<answer>", {"text": text})


def tolerance(one: Question) -> Iterator[Fault]:
    """A tolerance that is no number."""
    if one.type in NUMERIC:
        for answer in one.answers:
            node = answer.first("tolerance")
            if node is not None and node.text.strip() and typed(node.text) is None:
                yield Fault(node.line, "<tolerance>", {"text": node.text.strip()})


def tolerance_negative(one: Question) -> Iterator[Fault]:
    """A tolerance below 0."""
    if one.type in NUMERIC:
        for answer in one.answers:
            node = answer.first("tolerance")
            if node is not None and (typed(node.text) or 0) < 0:
                yield Fault(node.line, "<tolerance>", {"text": node.text.strip()})


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
        middle, reach = typed(text), typed(text_of(answer, "tolerance") or "0")
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
    Rule("answer-number", "error", MOODLE, answer_number),
    Rule("tolerance-form", "error", MOODLE, tolerance),
    Rule("tolerance-negative", "warning", MOODLE, tolerance_negative),
    Rule("key-refused", "error", MOODLE, key_refused),
    Rule("answer-shadowed", "error", MOODLE, answer_shadowed),
    Rule("intervals-overlap", "warning", MOODLE, intervals_overlap),
    Rule("options-alike", "error", MOODLE, options_alike),
)
