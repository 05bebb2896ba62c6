"""Decided comparisons of the entries of an exact matrix with numbers: the whole matrix enclosed once, then entry by entry."""

from __future__ import annotations

from dataclasses import dataclass, field

from flint import arb, fmpq

from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.matrix import Matrix
from exactattn.numbers.value import Value

_BITS = 96


@dataclass(slots=True)
class Compared:
    """A matrix whose entries are compared with rationals."""

    matrix: Matrix
    limits: Limits = LIMITS
    _values: dict[tuple[int, int], Value] = field(default_factory=dict)

    def value(self, i: int, j: int) -> Value:
        """An entry as an exact number."""
        if (i, j) not in self._values:
            self._values[i, j] = Value(self.matrix.entry(i, j), self.limits)
        return self._values[i, j]

    def sign(self, i: int, j: int, q: fmpq | Value) -> int:
        """The sign of entry (i, j) less q: by the enclosure of the whole matrix where that shows it, else decided alone."""
        if isinstance(q, fmpq):
            ball: arb = self.matrix.balls(_BITS)[i, j]
            if ball > q:
                return 1
            if ball < q:
                return -1
        return (self.value(i, j) - q).sign()

    def within(self, i: int, j: int, centre: fmpq | Value, reach: fmpq) -> bool:
        """Is the entry within `reach` of the centre, ends included?"""
        if reach == 0:
            return self.sign(i, j, centre) == 0
        return self.sign(i, j, centre - reach) >= 0 and self.sign(i, j, centre + reach) <= 0
