"""The exact range of a value recomputed from printed operands, when each may be off by half its last place.

Operands are independent of one another, so each function here is monotone in every operand while the others stay: its least
and greatest values are at corners of the box. The corners are exact numbers; nothing is rounded outwards. A corner is a plain
rational wherever it is one: most are, and those compare a hundred times faster.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpq, fmpq_mat

from exactattn.numbers import lazy
from exactattn.numbers.matrix import Linear
from exactattn.numbers.surd import Surd, rational
from exactattn.numbers.units import ONE
from exactattn.numbers.value import Value

Exact: TypeAlias = fmpq | Value
"""A rational, or any exact number. They add, multiply and compare with each other."""

ZERO: Exact = fmpq(0)
_ONE = Value.of(fmpq(1))


@dataclass(frozen=True, slots=True)
class Range:
    """All numbers from low to high, both included."""

    low: Exact
    high: Exact

    @classmethod
    def around(cls, centre: Exact, half: fmpq) -> Range:
        """centre ± half."""
        return cls(centre - half, centre + half) if half != 0 else cls(centre, centre)

    def __add__(self, other: Range) -> Range:
        return Range(self.low + other.low, self.high + other.high)

    def is_point(self) -> bool:
        """Is it one number, without spread?"""
        return self.low is self.high or self.low == self.high

    def times(self, other: Range) -> Range:
        """Bilinear: at one of four corners, of two where one of them is a point."""
        point, range_ = (other, self) if other.is_point() else (self, other)
        if not point.is_point():
            return _hull(a * b for a in (self.low, self.high) for b in (other.low, other.high))
        by = point.low
        low, high = range_.low * by, range_.high * by
        return Range(low, high) if by >= 0 else Range(high, low)

    def scaled(self, by: Exact) -> Range:
        """Every number times one exact number."""
        return self.times(Range(by, by))

    def holds_zero(self) -> bool:
        """Is 0 among them?"""
        return self.low <= 0 <= self.high

    def over(self, other: Range) -> Range:
        """The quotient by a range that does not hold 0: at one of four corners."""
        return _hull(a / b for a in self._ends() for b in other._ends())

    def exp(self) -> Range:
        """Rising."""
        low = Value.of(self.low).exp()
        return Range(low, low if self.is_point() else Value.of(self.high).exp())

    def _ends(self) -> tuple[Exact, ...]:
        return (self.low,) if self.is_point() else (self.low, self.high)


def _hull(values: Iterable[Exact]) -> Range:
    found = list(values)
    low = high = found[0]
    for value in found[1:]:
        if value < low:
            low = value
        elif value > high:
            high = value
    return Range(low, high)


def total(ranges: Iterable[Range]) -> Range:
    """The sum."""
    low, high = ZERO, ZERO
    for one in ranges:
        low, high = low + one.low, high + one.high
    return Range(low, high)


def least(values: Iterable[Exact]) -> Exact:
    """The smallest of some numbers."""
    return _hull(values).low


def greatest(values: Iterable[Exact]) -> Exact:
    """The largest of some numbers."""
    return _hull(values).high


def less_maximum(row: Sequence[Range], j: int) -> Range:
    """x_j − max(x): that is min(0, x_j − max of the others), rising in x_j and falling in the others."""
    others = [one for k, one in enumerate(row) if k != j]
    if not others:
        return Range(ZERO, ZERO)
    lows, highs = greatest(one.low for one in others), greatest(one.high for one in others)
    return Range(_at_most_zero(row[j].low - highs), _at_most_zero(row[j].high - lows))


def less(x: Range, row: Sequence[Range]) -> Range:
    """x − max(row) for an x that is none of the row; x itself where the row is empty."""
    if not row:
        return x
    return Range(x.low - greatest(one.high for one in row), x.high - greatest(one.low for one in row))


def _at_most_zero(value: Exact) -> Exact:
    return value if value < 0 else ZERO


def share(row: Sequence[Range], j: int) -> Range | None:
    """e_j / Σ e. With R the sum of the others, e/(e + R) is monotone in e for each R and in R for each e: four corners.

    None where e_j + R may be 0.
    """
    rest = total(one for k, one in enumerate(row) if k != j)
    if (row[j] + rest).holds_zero():
        return None
    return _hull(e / (e + r) for e in row[j]._ends() for r in rest._ends())


def softmax(row: Sequence[Range], j: int, by: Exact) -> Range:
    """e^(x_j·by) / Σ e^(x·by) for by ≥ 0: rising in x_j, falling in all others."""

    def at(own: Exact, others: Sequence[Exact]) -> Value:
        # the sum is not asked whether it is 0, so nothing is worked out before this end is compared
        sum_of_all = 1 + Value(lazy.RowSum(lazy.Exponential(scaled_row([x - own for x in others], by))))
        return Value(lazy.Quotient(_ONE.matrix, sum_of_all.matrix))

    others = [one for k, one in enumerate(row) if k != j]
    if not others:
        return Range(fmpq(1), fmpq(1))
    low = at(row[j].low, [one.high for one in others])
    return Range(low, low if all(map(Range.is_point, row)) else at(row[j].high, [one.low for one in others]))


def scaled_row(values: Sequence[Exact], by: Exact) -> Linear:
    """Numbers without an exponential in them, each times a number, as a 1 × m matrix."""
    return linear(values, (1, len(values))).scale(_surd(by))


def linear(values: Sequence[Exact], shape: tuple[int, int]) -> Linear:
    """Numbers without an exponential in them as a matrix."""
    rationals = [x for x in values if isinstance(x, fmpq)]
    if len(rationals) == len(values):
        return Linear(shape, {ONE: fmpq_mat(*shape, rationals)})
    return Linear.of([_surd(x) for x in values], shape)


def _surd(x: Exact) -> Surd:
    if isinstance(x, fmpq):
        return rational(x)
    assert isinstance(x.matrix, Linear)
    return x.matrix.value(0, 0)
