"""The exact range of a value recomputed from printed operands, when each may be off by half its last place.

Operands are independent of one another, so each function here is monotone in every operand while the others stay: its least
and greatest values are at corners of the box. The corners are exact numbers; nothing is rounded outwards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from exactattn.numbers.value import Value

ZERO = Value.of(0)


@dataclass(frozen=True, slots=True)
class Range:
    """All numbers from low to high, both included."""

    low: Value
    high: Value

    @classmethod
    def around(cls, centre: Value, half: Value) -> Range:
        """centre ± half."""
        return cls(centre - half, centre + half)

    def __add__(self, other: Range) -> Range:
        return Range(self.low + other.low, self.high + other.high)

    def times(self, other: Range) -> Range:
        """Bilinear: at one of four corners."""
        return _hull(a * b for a in (self.low, self.high) for b in (other.low, other.high))

    def scaled(self, by: Value) -> Range:
        """Every number times one exact number."""
        return _hull((self.low * by, self.high * by))

    def holds_zero(self) -> bool:
        """Is 0 among them?"""
        return self.low <= 0 <= self.high

    def over(self, other: Range) -> Range:
        """The quotient by a range that does not hold 0: at one of four corners."""
        return _hull(a / b for a in (self.low, self.high) for b in (other.low, other.high))

    def exp(self) -> Range:
        """Rising."""
        return Range(self.low.exp(), self.high.exp())


def _hull(values: Iterable[Value]) -> Range:
    found = list(values)
    low = high = found[0]
    for value in found[1:]:
        low = value if value < low else low
        high = value if value > high else high
    return Range(low, high)


def total(ranges: Iterable[Range]) -> Range:
    """The sum."""
    out = Range(ZERO, ZERO)
    for one in ranges:
        out = out + one
    return out


def less_maximum(row: Sequence[Range], j: int) -> Range:
    """x_j − max(x): that is min(0, x_j − max of the others), rising in x_j and falling in the others."""
    others = [one for k, one in enumerate(row) if k != j]
    if not others:
        return Range(ZERO, ZERO)
    lows, highs = _greatest(one.low for one in others), _greatest(one.high for one in others)
    return Range(_at_most_zero(row[j].low - highs), _at_most_zero(row[j].high - lows))


def _greatest(values: Iterable[Value]) -> Value:
    found = list(values)
    best = found[0]
    for value in found[1:]:
        best = value if value > best else best
    return best


def _at_most_zero(value: Value) -> Value:
    return value if value < 0 else ZERO


def share(row: Sequence[Range], j: int) -> Range | None:
    """e_j / Σ e. With R the sum of the others, e/(e + R) is monotone in e for each R and in R for each e: four corners.

    None where e_j + R may be 0.
    """
    rest = total(one for k, one in enumerate(row) if k != j)
    if (row[j] + rest).holds_zero():
        return None
    return _hull(e / (e + r) for e in (row[j].low, row[j].high) for r in (rest.low, rest.high))


def softmax(row: Sequence[Range], j: int) -> Range:
    """e^x_j / Σ e^x: rising in x_j, falling in all others."""

    def at(own: Value, others: Sequence[Value]) -> Value:
        bottom = Value.of(1)
        for x in others:
            bottom = bottom + (x - own).exp()
        return 1 / bottom

    others = [one for k, one in enumerate(row) if k != j]
    return Range(at(row[j].low, [one.high for one in others]), at(row[j].high, [one.low for one in others]))
