"""Rules on numerical questions of Canvas.

While a quiz is taken Canvas rounds what is typed to four decimals, and every range of a package is right in full.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import floor

from exactattn.exports.lint.canvas.item import NUMERICAL, TYPED, CanvasItem, accepted
from exactattn.exports.lint.finding import CANVAS, Fault, Rule
from exactattn.exports.lint.lexical import SPACE, integer, named, number, shown, strange
from exactattn.exports.lint.tree import Node

DECIMALS = 4
LEAST = Fraction(1, 10**DECIMALS)


def rounded(x: Fraction) -> Fraction:
    """A number as the field keeps it: to four decimals, halves away from zero.

    >>> rounded(Fraction("0.24475")), rounded(Fraction("-0.00004"))
    (Fraction(153, 625), Fraction(0, 1))
    """
    whole = floor(abs(x) * 10**DECIMALS + Fraction(1, 2))
    return Fraction(whole if x >= 0 else -whole, 10**DECIMALS)


def number_form(item: CanvasItem) -> Iterator[Fault]:
    """A number in a rule that is none."""
    for node in _written(item):
        if number(node.text) is None and not strange(node.text):
            yield Fault(node.line, node.tag, {"text": node.text.strip(), "base": "float"})


def number_character(item: CanvasItem) -> Iterator[Fault]:
    """A number with a character that looks like a part of it and is none: a space, a minus of typography."""
    for node in _written(item):
        if number(node.text) is None and (found := strange(node.text)):
            yield Fault(node.line, node.tag, {"text": node.text.strip(SPACE), "character": named(found)})


def _written(item: CanvasItem) -> Iterator[Node]:
    for one in item.conditions if item.type == NUMERICAL else ():
        yield from one.inside("varequal", "vargte", "varlte", "vargt", "varlt")


def key_outside(item: CanvasItem) -> Iterator[Fault]:
    """An exact number that is not in the range beside it."""
    if item.type == NUMERICAL:
        for one in accepted(item):
            if one.low is not None and one.high is not None and one.low <= one.high:
                for key in one.exact:
                    if not one.low <= key <= one.high:
                        parts = {"key": shown(key), "low": shown(one.low), "high": shown(one.high)}
                        yield Fault(one.node.line, "<varequal>", dict(parts))


def interval_empty(item: CanvasItem) -> Iterator[Fault]:
    """A range whose ends are the wrong way round."""
    if item.type == NUMERICAL:
        for one in accepted(item):
            if one.low is not None and one.high is not None and one.low > one.high:
                yield Fault(
                    one.node.line, "<vargte>", {"name": "response1", "low": shown(one.low), "high": shown(one.high)}
                )


def small(item: CanvasItem) -> Iterator[Fault]:
    """A key that is 0 once it is rounded, or nearly so."""
    if item.type == NUMERICAL:
        for one in accepted(item):
            for key in one.exact:
                if 0 < abs(key) < LEAST:
                    yield Fault(one.node.line, "<varequal>", {"key": shown(key)})


def decimals(item: CanvasItem) -> Iterator[Fault]:
    """A key that is no longer right once it is rounded."""
    if item.type == NUMERICAL:
        for one in accepted(item):
            for key in one.exact:
                empty = one.low is not None and one.high is not None and one.low > one.high
                if abs(key) >= LEAST and not one.takes(rounded(key)) and not empty:
                    yield Fault(one.node.line, "<varequal>", {"key": shown(key), "kept": shown(rounded(key))})


def partial(item: CanvasItem) -> Iterator[Fault]:
    """A range for part of the credit: after the import it earns all."""
    if item.type == NUMERICAL:
        for one in accepted(item):
            if one.score is not None and 0 < one.score < 100:
                yield Fault(one.node.line, "<setvar>", {"score": shown(one.score)})


def blanks(item: CanvasItem) -> Iterator[Fault]:
    """A decimal asked for in a blank for text."""
    if item.type not in TYPED:
        return
    labels = {label.get("ident"): label.text for one in item.responses for label in one.inside("response_label")}
    for one in item.conditions:
        for node in one.inside("varequal"):
            text = (labels.get(node.text.strip()) or node.text).strip()
            if number(text) is not None and integer(text) is None:
                yield Fault(node.line, node.tag, {"text": text})
                return


RULES: tuple[Rule[CanvasItem], ...] = (
    Rule("number-form", "error", CANVAS, number_form),
    Rule("number-character", "error", CANVAS, number_character),
    Rule("key-outside", "error", CANVAS, key_outside),
    Rule("interval-empty", "error", CANVAS, interval_empty),
    Rule("canvas-small", "error", CANVAS, small),
    Rule("canvas-decimals", "error", CANVAS, decimals),
    Rule("canvas-partial", "error", CANVAS, partial),
    Rule("canvas-blanks", "warning", CANVAS, blanks),
)
