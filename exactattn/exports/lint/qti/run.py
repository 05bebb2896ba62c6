"""Response processing carried out with exact numbers, as far as that is possible.

Values are fractions, texts, truths, tuples of them, and None for NULL. What cannot be said exactly (an exponential, a random
number, an operator of somebody's own) is OPEN; an `and` with a false part is false all the same. A rule that would need an
open truth ends the run: nothing is said then. Source: QTI 2.1 Assessment Test, Section and Item Information Model, 6 and 7.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from fractions import Fraction
from math import floor
from operator import add, mul
from typing import Final, TypeAlias

from exactattn.exports.lint.lexical import number
from exactattn.exports.lint.qti.item import Declared, Item
from exactattn.exports.lint.tree import Node


class Open(Enum):
    """A value that is not known here."""

    OPEN = "open"


OPEN: Final = Open.OPEN

MOST_BITS = 100_000
"""A number of more bits than this is not known here."""

Single: TypeAlias = "Fraction | str | bool"
Value: TypeAlias = "Single | tuple[Single, ...] | Open | None"


class Ordered(tuple[Single, ...]):
    """Several values whose order counts."""

    __slots__ = ()


class Unclear(Exception):
    """A rule depends on what is not known here."""


class _Exit(Exception):
    """The processing ends."""


def of_text(base: str, text: str) -> Single | Open:
    """A value of a base type as it is written."""
    match base:
        case "float" | "integer":
            x = number(text)
            return OPEN if x is None else x
        case "boolean":
            return text.strip() in ("true", "1")
        case "pair":
            return " ".join(sorted(text.split()))
        case _:
            return text.strip()


def of_declared(declared: Declared, texts: Sequence[str]) -> Value:
    """The value of a variable: one or several texts."""
    found = [of_text(declared.base, text) for text in texts]
    if any(one is OPEN for one in found):
        return OPEN
    values = tuple(one for one in found if not isinstance(one, Open))
    if declared.cardinality == "single":
        return values[0] if values else None
    return (Ordered(values) if declared.cardinality == "ordered" else values) or None


def outcomes(item: Item, given: Mapping[str, Value]) -> dict[str, Value]:
    """The outcomes after processing, with these responses. Errors: Unclear."""
    if item.processing is None or item.templates:
        raise Unclear
    run = _Run(item, given)
    try:
        if item.processing.get("template") and not item.processing.children:
            run.template(item.processing.get("template"))
        else:
            run.rules(item.processing.children)
    except _Exit:
        pass
    return run.found


class _Run:
    def __init__(self, item: Item, given: Mapping[str, Value]) -> None:
        self.item = item
        self.given = given
        self.found: dict[str, Value] = {}
        for name, declared in item.outcomes.items():
            value = of_declared(declared, declared.values("defaultValue"))
            numeric = declared.cardinality == "single" and declared.base in ("float", "integer")
            self.found[name] = Fraction(0) if value is None and numeric else value

    # -- rules ---------------------------------------------------------------------------------------------------------------

    def template(self, address: str) -> None:
        response = self.item.responses.get("RESPONSE")
        if response is None or "SCORE" not in self.item.outcomes:
            raise Unclear
        match address.rstrip("/").rpartition("/")[2].removesuffix(".xml"):
            case "match_correct":
                right = of_declared(response, response.values("correctResponse"))
                same = _same(self.given.get("RESPONSE"), right)
                self.found["SCORE"] = OPEN if same is OPEN else Fraction(int(same is True))
            case "map_response":
                self.found["SCORE"] = self.mapped("RESPONSE")
            case _:
                raise Unclear

    def rules(self, nodes: Sequence[Node]) -> None:
        for node in nodes:
            match node.name:
                case "setOutcomeValue":
                    self.found[node.get("identifier")] = self.value(node.children[0]) if node.children else None
                case "lookupOutcomeValue":
                    self.found[node.get("identifier")] = OPEN
                case "responseCondition":
                    self.condition(node)
                case "exitResponse":
                    raise _Exit
                case "responseProcessingFragment":
                    self.rules(node.children)
                case _:
                    raise Unclear

    def condition(self, node: Node) -> None:
        for branch in node.children:
            if branch.name == "responseElse":
                self.rules(branch.children)
                return
            if not branch.children:
                continue
            truth = self.value(branch.children[0])
            if truth is OPEN:
                raise Unclear
            if truth is True:
                self.rules(branch.children[1:])
                return

    # -- expressions ---------------------------------------------------------------------------------------------------------

    def value(self, node: Node) -> Value:
        """The value of an expression."""
        name = node.get("identifier")
        match node.name:
            case "baseValue":
                return of_text(node.get("baseType"), node.text)
            case "variable":
                return self.found[name] if name in self.found else self.given.get(name, OPEN)
            case "correct":
                declared = self.item.responses.get(name)
                return OPEN if declared is None else of_declared(declared, declared.values("correctResponse"))
            case "null":
                return None
            case "mapResponse":
                return self.mapped(name)
            case "and" | "or":
                return _joined([self.value(one) for one in node.children], node.name == "or")
        values = [self.value(one) for one in node.children]
        return _operated(node, values)

    def mapped(self, name: str) -> Value:
        """The sum of what a mapping gives for a response."""
        declared, given = self.item.responses.get(name), self.given.get(name)
        mapping = None if declared is None else declared.node.first("mapping")
        if declared is None or mapping is None or given is OPEN:
            return OPEN
        otherwise = number(mapping.get("defaultValue", "0"))
        table: dict[Single, Fraction] = {}
        for entry in mapping.all("mapEntry"):
            key, x = of_text(declared.base, entry.get("mapKey")), number(entry.get("mappedValue"))
            if isinstance(key, Open) or x is None:
                return OPEN
            table[key] = x
        if otherwise is None:
            return OPEN
        chosen = () if given is None else given if isinstance(given, tuple) else (given,)
        total = sum(
            (table.get(one, otherwise) for one in dict.fromkeys(chosen) if not isinstance(one, Open)), Fraction(0)
        )
        low, high = number(mapping.get("lowerBound")), number(mapping.get("upperBound"))
        total = total if low is None else max(low, total)
        return total if high is None else min(high, total)


def _joined(values: Sequence[Value], wanted: bool) -> Value:
    """Of an `or` (wanted: true) and an `and` (wanted: false): one such part decides, then open parts, then NULL."""
    if any(value is wanted for value in values):
        return wanted
    if any(value is OPEN for value in values):
        return OPEN
    return None if any(value is None for value in values) else not wanted


def _same(x: Value, y: Value) -> Value:
    """Do they match? The order counts where both have one."""
    if x is OPEN or y is OPEN:
        return OPEN
    if x is None or y is None:
        return None
    if isinstance(x, tuple) and isinstance(y, tuple) and not (isinstance(x, Ordered) and isinstance(y, Ordered)):
        return Counter(x) == Counter(y)
    return x == y


def _operated(node: Node, values: Sequence[Value]) -> Value:
    if node.name == "isNull" and len(values) == 1:
        value = values[0]
        return OPEN if value is OPEN else value is None or value in ("", ())
    if node.name in ("multiple", "ordered"):
        if any(value is OPEN for value in values):
            return OPEN
        return (Ordered(_flat(values)) if node.name == "ordered" else _flat(values)) or None
    if any(value is OPEN for value in values):
        return OPEN
    if any(value is None for value in values):
        return None
    match node.name, values:
        case "not", [bool(x)]:
            return not x
        case "match", [x, y]:
            return _same(x, y)
        case "member", [x, tuple(y)]:
            return x in y
        case "containerSize", [x]:
            return Fraction(len(x) if isinstance(x, tuple) else 1)
        case "index", [tuple(x)] if node.get("n").isdecimal() and len(node.get("n")) < 10:
            n = int(node.get("n"))
            return x[n - 1] if 1 <= n <= len(x) else None
        case "stringMatch", [str(x), str(y)]:
            x, y = (x, y) if node.get("caseSensitive", "true") == "true" else (x.casefold(), y.casefold())
            return y in x if node.get("substring") == "true" else x == y
    numbers = [one for one in _flat(values) if isinstance(one, Fraction)]
    if len(numbers) != len(_flat(values)) or not numbers:
        return OPEN
    return _computed(node, numbers)


def _computed(node: Node, x: Sequence[Fraction]) -> Value:
    """Operators on numbers."""
    match node.name, x:
        case "gt", [a, b]:
            return a > b
        case "gte", [a, b]:
            return a >= b
        case "lt", [a, b]:
            return a < b
        case "lte", [a, b]:
            return a <= b
        case "equal", [a, b]:
            return _equal(node, a, b)
        case "sum" | "product", _:
            return _folded(x, add if node.name == "sum" else mul)
        case "subtract", [a, b]:
            return a - b
        case "divide", [a, b]:
            return a / b if b else None
        case "integerDivide", [a, b]:
            return Fraction(floor(a / b)) if b else None
        case "truncate", [a]:
            return Fraction(int(a))
        case "round", [a]:
            return Fraction(floor(a + Fraction(1, 2)))
        case "max", _:
            return max(x)
        case "min", _:
            return min(x)
        case "mathOperator", [a] if node.get("name") == "abs":
            return abs(a)
        case _:
            return OPEN


def _folded(x: Sequence[Fraction], step: Callable[[Fraction, Fraction], Fraction]) -> Value:
    """Of all numbers, one by one; OPEN where the result grows beyond what any item needs."""
    out, *others = x
    for one in others:
        out = step(out, one)
        if out.numerator.bit_length() + out.denominator.bit_length() > MOST_BITS:
            return OPEN
    return out


def _equal(node: Node, a: Fraction, b: Fraction) -> Value:
    """Equal within a tolerance. The constant of the two is the one that is compared with; relative ones are in per cent of it."""
    mode = node.get("toleranceMode", "exact")
    if mode == "exact":
        return a == b
    sizes = [number(part) for part in node.get("tolerance").split()]
    below, above = (sizes[0], sizes[-1]) if sizes else (None, None)
    if below is None or above is None:
        return OPEN
    key, x = (a, b) if node.children[0].name in ("baseValue", "correct") else (b, a)
    if mode == "relative":
        below, above = key * below / 100, key * above / 100
    low, high = key - below, key + above
    from_low = low <= x if node.get("includeLowerBound", "true") == "true" else low < x
    to_high = x <= high if node.get("includeUpperBound", "true") == "true" else x < high
    return from_low and to_high


def _flat(values: Sequence[Value]) -> tuple[Single, ...]:
    out: list[Single] = []
    for value in values:
        if isinstance(value, tuple):
            out.extend(value)
        elif value is not None and not isinstance(value, Open):
            out.append(value)
    return tuple(out)
