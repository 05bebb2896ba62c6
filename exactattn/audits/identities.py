"""What must hold of printed numbers whatever the inputs are, each with the interval that refutes it.

Every printed number stands for all numbers that print like it: itself ± half its last place. An identity is refuted when no
numbers in these intervals satisfy it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, TypeAlias

from exactattn.audits.operands import Operands, Setting, Sources
from exactattn.audits.printed import Number, Printed, Row
from exactattn.audits.ranges import Range, total
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.value import Value

Identity: TypeAlias = Literal[
    "rows-add-to-one", "weights-in-unit-interval", "equal-scores", "order-kept", "ratio", "hull"
]


@dataclass(frozen=True, slots=True)
class Refuted:
    """An identity that printed numbers of a row contradict.

    `columns` are the entries it speaks of, `claimed` the interval that the printed numbers leave for the value it speaks
    of, `due` the interval (or number) that it should meet.
    """

    identity: Identity
    name: str
    head: int | None
    row: int
    columns: tuple[int, ...]
    claimed: Range
    due: Range


def refuted(printed: Printed, setting: Setting, limits: Limits = LIMITS) -> list[Refuted]:
    """Every refuted identity, head by head and row by row."""
    heads: list[int | None] = list(range(len(printed.heads))) if printed.heads else [None]
    out: list[Refuted] = []
    for head in heads:
        sources = Sources(printed, setting, limits)
        weights = printed.find("weights", head)
        if weights is not None:
            for i, row in enumerate(weights):
                out += _of_weights(row, head, i, setting)
                out += _of_ratios(sources, row, head, i, setting)
        output = printed.find("output", head)
        values = sources.operands("V", head)
        projected = "W_O" in setting.inputs or (head is None and setting.heads > 1)
        if output is not None and values is not None and not projected:
            for i, row in enumerate(output):
                out += _of_outputs(values, row, head, i, setting)
    return out


def around(number: Number) -> Range:
    """All numbers that print like this one; a bare integer among integers is itself."""
    half = Value.of(number.ulp / 2) if number.places else Value.of(0)
    return Range.around(number.value, half)


def _finite(row: Row) -> Iterator[tuple[int, Number]]:
    for j, number in enumerate(row):
        if number is not None and not number.infinite:
            yield j, number


def _of_weights(row: Row, head: int | None, i: int, setting: Setting) -> Iterator[Refuted]:
    unit = Range(Value.of(0), Value.of(1))
    for j, number in _finite(row):
        found = around(number)
        if found.high < 0 or found.low > 1:
            yield Refuted("weights-in-unit-interval", "weights", head, i, (j,), found, unit)
    whole = all(n is not None or not _open(setting, i, j) for j, n in enumerate(row))
    entries = list(_finite(row))
    if row and whole and entries and any(_open(setting, i, j) for j in range(len(row))):
        found = total(around(number) for _, number in entries)
        if found.low > 1 or found.high < 1:
            one = Value.of(1)
            yield Refuted("rows-add-to-one", "weights", head, i, tuple(j for j, _ in entries), found, Range(one, one))


def _open(setting: Setting, i: int, j: int) -> bool:
    return setting.keep is None or (i < len(setting.keep) and j < len(setting.keep[i]) and setting.keep[i][j])


def _of_ratios(sources: Sources, row: Row, head: int | None, i: int, setting: Setting) -> Iterator[Refuted]:
    """Each weight against the largest: their ratio is e to the difference of their scaled scores."""
    found = _scores(sources, head, i, setting)
    if found is None:
        return
    scores = {j: one for j, one in found.items() if _open(setting, i, j)}
    weights = {j: around(n) for j, n in _finite(row) if j in scores}
    if len(weights) < 2:
        return
    order = sorted(weights, key=lambda j: (SortKey(-scores[j].low - scores[j].high), j))
    pairs = {(j, order[0]) for j in order[1:]}
    pairs |= {(b, a) for a, b in pairwise(order) if _same(scores[a], scores[b])}
    for j, k in sorted(pairs):
        if weights[k].low <= 0 or weights[j].high <= 0:
            continue
        less = Range(scores[j].low - scores[k].high, scores[j].high - scores[k].low)
        due = less.exp()
        low = weights[j].low if weights[j].low > 0 else Value.of(0)
        ratio = Range(low / weights[k].high, weights[j].high / weights[k].low)
        if ratio.high < due.low or ratio.low > due.high:
            kind: Identity = "ratio"
            if _same(scores[j], scores[k]):
                kind = "equal-scores"
            elif less.high < 0 and ratio.low > 1:
                kind = "order-kept"
            yield Refuted(kind, "weights", head, i, (j, k), ratio, due)


def _same(a: Range, b: Range) -> bool:
    """Are the same scores printed?"""
    return a.low + a.high == b.low + b.high


class SortKey:
    """An exact number as a key for sorting."""

    def __init__(self, value: Value) -> None:
        self.value = value

    def __lt__(self, other: SortKey) -> bool:
        return self.value < other.value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SortKey) and self.value == other.value

    __hash__ = None  # type: ignore[assignment]


def _scores(sources: Sources, head: int | None, i: int, setting: Setting) -> dict[int, Range] | None:
    """The scaled scores of a row as the source prints (or is given) them."""
    for name in ("scaled", "scores"):
        source = sources.operands(name, head)
        if source is None or i >= len(source.rows) or not source.rows[i]:
            continue
        ranges = {j: _of_operand(source, number) for j, number in _finite(source.rows[i])}
        if name == "scaled":
            return ranges
        if setting.scale is not None:
            by = Value.of(setting.scale)
            return {j: one.scaled(by) for j, one in ranges.items()}
    return None


def _of_operand(source: Operands, number: Number) -> Range:
    return around(number) if source.printed else Range(number.value, number.value)


def _of_outputs(values: Operands, row: Row, head: int | None, i: int, setting: Setting) -> Iterator[Refuted]:
    """An output is a mean of the values it may attend to: between the least and the greatest of its column."""
    for j, number in _finite(row):
        column = [
            _of_operand(values, entry)
            for k, line in enumerate(values.rows)
            if _open(setting, i, k) and j < len(line) and (entry := line[j]) is not None and not entry.infinite
        ]
        if len(column) < sum(_open(setting, i, k) for k in range(len(values.rows))) or not column:
            continue
        low, high = column[0].low, column[0].high
        for one in column[1:]:
            low = one.low if one.low < low else low
            high = one.high if one.high > high else high
        found = around(number)
        if found.high < low or found.low > high:
            yield Refuted("hull", "output", head, i, (j,), found, Range(low, high))
