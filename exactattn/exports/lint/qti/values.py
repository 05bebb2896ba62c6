"""Rules on numbers as they are written, and on `equal` with a tolerance, which players read in different ways."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Literal, TypeAlias

from exactattn.exports.lint.finding import QTI, Fault, Rule
from exactattn.exports.lint.lexical import SPACE, integer, named, number, shown, strange
from exactattn.exports.lint.qti.item import Item
from exactattn.exports.lint.tree import Node

NUMBERS = frozenset({"float", "integer"})
SPECIAL = frozenset({"INF", "-INF", "NaN"})
"""What a float may be beside numbers."""
SUSPICIOUS = Fraction(1, 10)
"""A relative tolerance below this many per cent was hardly meant."""

_ARITHMETIC = frozenset({
    "equal", "equalRounded", "gt", "gte", "lt", "lte", "sum", "product", "subtract", "divide", "power", "integerDivide",
    "integerModulus", "truncate", "round", "mathOperator", "max", "min",
})  # fmt: skip

Wrong: TypeAlias = Literal[
    "tolerance-form", "tolerance-missing", "tolerance-ignored", "relative-negative", "relative-zero", "relative-percent",
    "equal-tolerance",
]  # fmt: skip


def read(base: str, text: str) -> Fraction | None:
    """The number of a base type."""
    return integer(text) if base == "integer" else number(text)


def number_form(item: Item) -> Iterator[Fault]:
    """A value of a float or an integer that is none."""
    for node, base, text in _written(item):
        tidy = text.strip()
        wrong = base in NUMBERS and read(base, text) is None and not (base == "float" and tidy in SPECIAL)
        wrong = wrong and not _strange(base, text)
        if wrong or (base == "boolean" and tidy not in ("true", "false", "1", "0")):
            yield Fault(node.line, node.tag, {"text": tidy, "base": base})


def number_character(item: Item) -> Iterator[Fault]:
    """A number with a character that looks like a part of it and is none: a space, a minus of typography."""
    for node, base, text in _written(item):
        if base in NUMBERS and read(base, text) is None and (found := _strange(base, text)):
            yield Fault(node.line, node.tag, {"text": text.strip(SPACE), "character": named(found)})


def _strange(base: str, text: str) -> str:
    return strange(text, lambda tidy: read(base, tidy) is not None)


def _written(item: Item) -> Iterator[tuple[Node, str, str]]:
    """Each value with its base type."""
    for declared in item.variables.values():
        for node in declared.node.inside("value"):
            yield node, node.get("baseType") or declared.base, node.text
        for node in declared.node.inside("mapEntry"):
            yield node, "float", node.get("mappedValue")
    for node in item.root.inside("baseValue"):
        yield node, node.get("baseType"), node.text


# -- tolerances --------------------------------------------------------------------------------------------------------------


def _wrong(item: Item, node: Node) -> Wrong | None:
    """What is wrong with an `equal`: the first that holds."""
    mode, text = node.get("toleranceMode", "exact"), node.get("tolerance")
    variable_text = text.strip()
    if mode == "exact":
        return "tolerance-ignored" if variable_text else None
    if not variable_text:
        return "tolerance-missing"
    parts = variable_text.split()
    if any(part in item.variables for part in parts):
        return "equal-tolerance"
    sizes = [number(part) for part in parts]
    if len(parts) > 2 or any(size is None or size < 0 for size in sizes):
        return "tolerance-form"
    if mode == "relative":
        key = _key(item, node)
        if key is not None and key < 0:
            return "relative-negative"
        if key == 0:
            return "relative-zero"
        if any(size is not None and 0 < size < SUSPICIOUS for size in sizes):
            return "relative-percent"
    return "equal-tolerance"


def _key(item: Item, node: Node) -> Fraction | None:
    """The number that is compared with: the constant of the two, or the key of the response that `correct` names."""
    for one in node.children:
        if one.name == "baseValue":
            return number(one.text)
    for one in node.all("correct"):
        declared = item.responses.get(one.get("identifier"))
        values = [] if declared is None else declared.values("correctResponse")
        if len(values) == 1:
            return number(values[0])
    return None


def _equals(item: Item) -> Iterator[Node]:
    if item.processing is not None:
        yield from item.processing.inside("equal")


def _faults(wanted: Wrong) -> Callable[[Item], Iterator[Fault]]:
    """Every `equal` with which this is wrong."""

    def faults(item: Item) -> Iterator[Fault]:
        for node in _equals(item):
            if _wrong(item, node) == wanted:
                key = _key(item, node)
                said = "?" if key is None else shown(key)
                parts = {"text": node.get("tolerance"), "mode": node.get("toleranceMode", "exact"), "key": said}
                yield Fault(node.line, node.tag, dict(parts))

    return faults


def text_compared(item: Item) -> Iterator[Fault]:
    """A response that is text, worked with as a number."""
    if item.processing is None:
        return
    for node in item.processing.inside(*_ARITHMETIC):
        for one in node.all("variable", "correct"):
            declared = item.variables.get(one.get("identifier"))
            if declared is not None and declared.base not in (*NUMBERS, "", "duration"):
                yield Fault(
                    one.line, node.tag, {"name": declared.identifier, "base": declared.base, "operator": node.name}
                )


RULES: tuple[Rule[Item], ...] = (
    Rule("number-form", "error", QTI, number_form),
    Rule("number-character", "error", QTI, number_character),
    Rule("tolerance-form", "error", QTI, _faults("tolerance-form")),
    Rule("tolerance-missing", "error", QTI, _faults("tolerance-missing")),
    Rule("tolerance-ignored", "error", QTI, _faults("tolerance-ignored")),
    Rule("relative-negative", "error", QTI, _faults("relative-negative")),
    Rule("relative-zero", "error", QTI, _faults("relative-zero")),
    Rule("relative-percent", "warning", QTI, _faults("relative-percent")),
    Rule("equal-tolerance", "warning", QTI, _faults("equal-tolerance")),
    Rule("text-compared", "error", QTI, text_compared),
)
