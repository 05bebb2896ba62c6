"""Numbers as Moodle's numerical questions read them, and the rules on how answers and tolerances are written.

The reader takes spaces away, drops commas beside a point or other commas, and takes a single comma by the language of the site:
it is dropped where it stands between thousands there, else it is the point. Then a number is read from the beginning, and what
follows it is the unit. Source: apply_units in question/type/numerical/questiontype.php of Moodle 4.5.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from exactattn.exports.lint.finding import MOODLE, Fault, Rule
from exactattn.exports.lint.lexical import MOST_DIGITS, named, number, shown, strange
from exactattn.exports.lint.moodle.file import NUMERIC, TRIMMED, Question, text_of
from exactattn.exports.lint.tree import Node

_TIMES_TEN = re.compile(r"(?:e|E|[x*×]10(?:\^|\*\*))([+-]?\d+)", re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?", re.ASCII)


def typed(text: str, units: frozenset[str] = frozenset()) -> Fraction | None:
    """A number, with one of the units behind it or before it. A single comma is taken for the point, as most sites do.

    None where there is none, and where something else stands beside it, which Moodle drops without a word.

    >>> typed("0,5"), typed("1 234,567.5"), typed("2*10^-3"), typed("1/3"), typed("−0.5")
    (Fraction(1, 2), Fraction(2469135, 2), Fraction(1, 500), None, None)
    >>> typed("20 cm", frozenset({"cm"})), typed("20 m", frozenset({"cm"}))
    (Fraction(20, 1), None)
    """
    if len(text) > MOST_DIGITS:
        return None
    tidy = _TIMES_TEN.sub(r"e\1", text.strip(TRIMMED).replace(" ", ""))
    tidy = tidy.replace(",", "" if "." in tidy or tidy.count(",") > 1 else ".")
    for unit in sorted(units, key=len, reverse=True):
        tidy = tidy.removesuffix(unit) if tidy.endswith(unit) else tidy.removeprefix(unit)
    return number(tidy) if _NUMBER.fullmatch(tidy) else None


def units(one: Question) -> frozenset[str]:
    """The names of its units, without their spaces."""
    found = one.node.first("units")
    names = () if found is None else (text_of(unit, "unit_name").replace(" ", "") for unit in found.all("unit"))
    return frozenset(filter(None, names))


def _numbers(one: Question) -> Iterator[tuple[Node, str, str]]:
    """Each number that stands in an element of its own, with that element's name."""
    for answer in one.answers if one.type in NUMERIC else ():
        if one.type == "numerical":  # else the answer is a formula
            yield answer, "<answer>", text_of(answer, "text")
        node = answer.first("tolerance")
        if node is not None and node.text.strip():
            yield node, "<tolerance>", text_of(answer, "tolerance")


def answer_number(one: Question) -> Iterator[Fault]:
    """An answer of a numerical question that is no number."""
    return _no_number(one, "<answer>")


def tolerance(one: Question) -> Iterator[Fault]:
    """A tolerance that is no number."""
    return _no_number(one, "<tolerance>")


def _no_number(one: Question, wanted: str) -> Iterator[Fault]:
    known = units(one)
    for node, element, text in _numbers(one):
        if element == wanted and text != "*" and typed(text, known) is None and not _strange(text, known):
            yield Fault(node.line, element, {"text": text})


def _strange(text: str, known: frozenset[str]) -> str:
    return strange(text, lambda tidy: typed(tidy, known) is not None)


def number_character(one: Question) -> Iterator[Fault]:
    """A number with a character that looks like a part of it and is none: a no-break space, a minus of typography."""
    known = units(one)
    for node, element, text in _numbers(one):
        if typed(text, known) is None and (found := _strange(text, known)):
            yield Fault(node.line, element, {"text": text, "character": named(found)})


def number_comma(one: Question) -> Iterator[Fault]:
    """A number with a comma: what it is depends on the language of the site."""
    known = units(one)
    for node, element, text in _numbers(one):
        x = typed(text, known) if "," in text else None
        if x is not None:
            yield Fault(node.line, element, {"text": text, "point": shown(x)})


def tolerance_negative(one: Question) -> Iterator[Fault]:
    """A tolerance below 0."""
    known = units(one)
    for node, element, text in _numbers(one):
        if element == "<tolerance>" and (typed(text, known) or 0) < 0:
            yield Fault(node.line, element, {"text": text})


RULES: tuple[Rule[Question], ...] = (
    Rule("answer-number", "error", MOODLE, answer_number),
    Rule("number-character", "error", MOODLE, number_character),
    Rule("number-comma", "warning", MOODLE, number_comma),
    Rule("tolerance-form", "error", MOODLE, tolerance),
    Rule("tolerance-negative", "warning", MOODLE, tolerance_negative),
)
