"""Exact arithmetic: rational combinations of units up to the scores, exact expressions after the first exponential."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq, fmpq_mat, fmpz

from exactattn.arithmetic.protocol import Keep
from exactattn.errors import InputError, Undecided
from exactattn.numbers import lazy
from exactattn.numbers.ball import bits_of, precisions
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.matrix import Linear, Matrix
from exactattn.numbers.parse import surd
from exactattn.numbers.units import ONE
from exactattn.numbers.value import Value


@dataclass(frozen=True, slots=True)
class ExactArithmetic:
    """The default. Nothing is rounded, ever.

    >>> ar = ExactArithmetic()
    >>> ar.matmul(ar.read([["0.1", "0.2"]]), ar.read([["1"], ["2"]])).value(0, 0)
    {Unit(radical=(), logs=()): 1/2}
    """

    limits: Limits = LIMITS
    name: str = "exact"

    def read(self, rows: Sequence[Sequence[str]]) -> Matrix:
        """A matrix from canonical texts."""
        return Linear.read(rows, self.limits)

    def shape(self, a: Matrix) -> tuple[int, int]:
        """(n, m)."""
        return a.shape

    def transpose(self, a: Matrix) -> Matrix:
        """m × n from n × m."""
        return a.transpose() if isinstance(a, Linear) else lazy.Transposed(a)

    def matmul(self, a: Matrix, b: Matrix) -> Matrix:
        """The product."""
        return lazy.matmul(a, b)

    def add(self, a: Matrix, b: Matrix) -> Matrix:
        """The sum; a 1 × m second operand is added to every row."""
        return lazy.plus(a, b)

    def scale(self, a: Matrix, by: str) -> Matrix:
        """Every entry times a number."""
        factor = surd(by, self.limits)
        if isinstance(a, Linear):
            return a.scale(factor)
        m = a.shape[1]
        return lazy.matmul(a, Linear.of([factor if i == j else {} for i in range(m) for j in range(m)], (m, m)))

    def columns(self, a: Matrix, low: int, high: int) -> Matrix:
        """Columns low to high − 1."""
        return a.columns(low, high)

    def hstack(self, parts: Sequence[Matrix]) -> Matrix:
        """Side by side."""
        return parts[0] if len(parts) == 1 else lazy.stack(parts)

    def where(self, a: Matrix, keep: Keep) -> Matrix:
        """The entries that are open, 0 elsewhere."""
        return a if keep is None else lazy.kept(a, keep)

    def row_max(self, a: Matrix, keep: Keep) -> Matrix:
        """n × 1: the largest open entry of each row; 0 where none is open."""
        n, m = a.shape
        if isinstance(a, Linear) and len(a.terms) <= 1:
            # q·u with one positive unit u for the whole matrix: compare the numerators over the common denominator
            ((unit, q),) = a.terms.items() or ((ONE, fmpq_mat(n, m)),)
            numerators, denominator = q.numer_denom()
            flat = numerators.entries()
            if keep is None:
                best = [max(flat[k : k + m]) for k in range(0, n * m, m)]
            else:
                best = [max((flat[i * m + j] for j in range(m) if keep[i][j]), default=fmpz(0)) for i in range(n)]
            return Linear((n, 1), {unit: fmpq_mat(n, 1, [fmpq(x, denominator) for x in best])})
        rows = [[j for j in range(m) if keep is None or keep[i][j]] for i in range(n)]
        if not isinstance(a, Linear):
            return lazy.Gathered([[_largest_value(a, i, row, self.limits)] for i, row in enumerate(rows)])
        largest = [a.value(i, _largest(a, i, row, self.limits)) if row else {} for i, row in enumerate(rows)]
        return Linear.of(largest, (n, 1))

    def subtract_column(self, a: Matrix, column: Matrix) -> Matrix:
        """Each row less its entry of the column."""
        return lazy.plus(a, column, -1)

    def exp(self, a: Matrix, keep: Keep, ones: frozenset[int] = frozenset()) -> Matrix:
        """e^entry where open, 0 elsewhere; rows in `ones` all 1."""
        return lazy.Exponential(a, keep, ones)

    def row_sum(self, a: Matrix) -> Matrix:
        """n × 1 row sums."""
        return lazy.RowSum(a)

    def divide_column(self, a: Matrix, column: Matrix, zeros: frozenset[int] = frozenset()) -> Matrix:
        """Each row divided by its entry of the column; rows in `zeros` are 0."""
        # a sum of exponentials is never 0; numbers that someone printed may be
        if isinstance(column, Linear):
            for i in range(column.shape[0]):
                if i not in zeros and not column.value(i, 0):
                    raise InputError("row {row}: its sum is 0, which divides nothing", row=i + 1)
        return lazy.Quotient(a, column, zeros)

    def exact(self, a: Matrix) -> Matrix:
        """Itself."""
        return a


def _largest_value(a: Matrix, i: int, candidates: list[int], limits: Limits) -> Matrix:
    """The largest of these entries of row i, by decided comparisons: the rare case of a maximum over what comes after an e^."""
    values = [Value(a.entry(i, j), limits) for j in candidates]
    return max(values).matrix if values else Linear((1, 1), {})


def _largest(a: Linear, i: int, candidates: list[int], limits: Limits) -> int:
    """A position of the largest of these entries of row i.

    Equal entries are equal dicts, so one of each value stays; different ones are different numbers, so enclosures at
    doubling precision leave one. The cap is there for what no theorem covers.
    """
    distinct = {
        tuple(sorted((u, int(c.p), int(c.q)) for u, c in a.value(i, j).items())): j for j in reversed(candidates)
    }
    left, row = list(distinct.values()), a.row(i)
    for bits in precisions(64, limits.bits):
        if len(left) == 1:
            break
        balls = row.balls(bits).entries()
        with bits_of(bits):  # `lower` rounds down to the precision in force
            top = max((balls[j].lower() for j in left), key=lambda low: low.fmpq())
        left = [j for j in left if not balls[j] < top]
    if len(left) > 1:
        raise Undecided(
            "row {row}: the largest score is still open at {bits} bits (raise the limit 'bits')",
            row=i + 1,
            bits=limits.bits,
        )
    return left[0]
