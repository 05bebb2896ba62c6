"""Ball arithmetic: every entry an interval that is proven to hold the exact number, whatever was known of the operands.

This is how a step is bounded when its operands are printed numbers, each known to half a unit of its last place: an audit
asks whether a claimed result is possible at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import NoReturn

from flint import arb, arb_mat, fmpq

from exactattn.arithmetic.protocol import Keep
from exactattn.errors import InputError, OptionError, ShapeError
from exactattn.numbers import surd as surds
from exactattn.numbers.ball import bits_of, endpoints
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.matrix import Linear
from exactattn.numbers.parse import surd


@dataclass(frozen=True, slots=True)
class BallArithmetic:
    """Enclosures at a fixed number of bits. Matrices are python-flint's `arb_mat`.

    >>> ar = BallArithmetic(64)
    >>> weight = ar.exp(ar.read_spread([["0.5"]], [[Fraction(1, 20)]]), None)  # 0.45 to 0.55
    >>> low, high = ar.interval(weight, 0, 0)
    >>> low < Fraction("1.56832"), Fraction("1.73325") < high < Fraction("1.73326")
    (True, True)
    """

    bits: int = 128
    limits: Limits = LIMITS
    name: str = field(init=False, default="")

    def __post_init__(self) -> None:
        if not 2 <= self.bits <= self.limits.bits:
            raise OptionError("balls of {bits} bits: 2 to {limit} were due", bits=self.bits, limit=self.limits.bits)
        object.__setattr__(self, "name", f"balls:{self.bits}")

    def read(self, rows: Sequence[Sequence[str]]) -> arb_mat:
        """A matrix from canonical texts: enclosures of exactly what is written."""
        return Linear.read(rows, self.limits).balls(self.bits)

    def read_spread(self, rows: Sequence[Sequence[str]], spreads: Sequence[Sequence[Fraction]]) -> arb_mat:
        """A matrix of numbers each known to ± its spread (0: known exactly), both n × m."""
        a = self.read(rows)
        if [len(row) for row in rows] != [len(row) for row in spreads]:
            raise ShapeError("spreads are due one for each of the numbers, row by row")
        with bits_of(self.bits):
            # arb(0, r) has a radius of at least r: it is rounded up
            flat = [arb(0, fmpq(r.numerator, r.denominator)) for row in spreads for r in row]
            return a + arb_mat(a.nrows(), a.ncols(), flat)

    def shape(self, a: arb_mat) -> tuple[int, int]:
        """(n, m)."""
        return a.nrows(), a.ncols()

    def transpose(self, a: arb_mat) -> arb_mat:
        """m × n from n × m."""
        return a.transpose()

    def matmul(self, a: arb_mat, b: arb_mat) -> arb_mat:
        """The product."""
        with bits_of(self.bits):
            return a * b

    def add(self, a: arb_mat, b: arb_mat) -> arb_mat:
        """The sum; a 1 × m second operand is added to every row."""
        n = a.nrows()
        with bits_of(self.bits):
            return a + (_ones(n, 1) * b if b.nrows() != n else b)

    def scale(self, a: arb_mat, by: str) -> arb_mat:
        """Every entry times a number."""
        with bits_of(self.bits):
            return a * _factor(by, self.bits, self.limits)

    def columns(self, a: arb_mat, low: int, high: int) -> arb_mat:
        """Columns low to high − 1."""
        return arb_mat([row[low:high] for row in a.tolist()])

    def hstack(self, parts: Sequence[arb_mat]) -> arb_mat:
        """Side by side."""
        return arb_mat([[x for row in rows for x in row] for rows in zip(*(p.tolist() for p in parts), strict=True)])

    def where(self, a: arb_mat, keep: Keep) -> arb_mat:
        """The entries that are open, 0 elsewhere."""
        return self._each(a, lambda x, i, j: x if keep is None or keep[i][j] else arb(0))

    def row_max(self, a: arb_mat, keep: Keep) -> arb_mat:
        """n × 1: an enclosure of the largest open entry of each row; 0 where none is open."""
        n, m = self.shape(a)
        entries, out = a.entries(), []
        with bits_of(self.bits):
            for i in range(n):
                row = entries[i * m : (i + 1) * m]
                if keep is not None:
                    row = [x for x, held in zip(row, keep[i], strict=True) if held] or [arb(0)]
                largest = row[0]
                for x in row[1:]:
                    largest = largest.max(x)
                out.append(largest)
            return arb_mat(n, 1, out)

    def subtract_column(self, a: arb_mat, column: arb_mat) -> arb_mat:
        """Each row less its entry of the column."""
        with bits_of(self.bits):
            return a - column * _ones(1, a.ncols())

    def exp(self, a: arb_mat, keep: Keep, ones: frozenset[int] = frozenset()) -> arb_mat:
        """e^entry where open, 0 elsewhere; rows in `ones` all 1."""
        if keep is None and not ones:
            with bits_of(self.bits):
                return arb_mat(a.nrows(), a.ncols(), [x.exp() for x in a.entries()])

        def entry(x: arb, i: int, j: int) -> arb:
            if i in ones:
                return arb(1)
            return x.exp() if keep is None or keep[i][j] else arb(0)

        return self._each(a, entry)

    def row_sum(self, a: arb_mat) -> arb_mat:
        """n × 1 row sums."""
        with bits_of(self.bits):
            return a * _ones(a.ncols(), 1)

    def divide_column(self, a: arb_mat, column: arb_mat, zeros: frozenset[int] = frozenset()) -> arb_mat:
        """Each row divided by its entry of the column; rows in `zeros` are 0. A divisor that may be 0 bounds nothing."""
        n, m = self.shape(a)
        entries, sums = a.entries(), column.entries()
        with bits_of(self.bits):
            return arb_mat(n, m, [arb(0) if k // m in zeros else x / sums[k // m] for k, x in enumerate(entries)])

    def _each(self, a: arb_mat, f: Callable[[arb, int, int], arb]) -> arb_mat:
        with bits_of(self.bits):
            return arb_mat([[f(x, i, j) for j, x in enumerate(row)] for i, row in enumerate(a.tolist())])

    def interval(self, a: arb_mat, i: int, j: int) -> tuple[Fraction, Fraction]:
        """The rational ends of entry (i, j). Raises Undecided where nothing bounds it (a divisor that may be 0)."""
        return endpoints(a[i, j])

    def exact(self, a: arb_mat) -> NoReturn:
        """Always an error: an enclosure holds many numbers."""
        raise InputError(
            "{name} gives enclosures, which have no exact digits: work in exact, or ask for intervals", name=self.name
        )


@lru_cache(64)
def _ones(n: int, m: int) -> arb_mat:
    """(Cached: not to be changed.)"""
    return arb_mat(n, m, [1] * (n * m))


def _factor(by: str, bits: int, limits: Limits) -> arb:
    """A number's enclosure. To be called under `bits_of`."""
    return _usual_factor(by, bits) if limits is LIMITS else surds.ball(surd(by, limits))


@lru_cache(256)
def _usual_factor(by: str, bits: int) -> arb:
    """Scales are few, and come again and again."""
    return surds.ball(surd(by))
