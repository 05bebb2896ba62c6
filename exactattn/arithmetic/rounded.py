"""Arithmetic with b significant bits: each operation rounded to nearest, ties to even, as hardware does.

It shows what rounding every operation does to a worked example. `mpmath:11` has the significand of half precision, 24 and 53
those of single and double; the range of exponents is unbounded, so nothing overflows. The numbers are mpmath's own tuples
(sign, mantissa, exponent, bit count): precision and rounding are arguments there, and no global context is touched.

Beside every number stands a bound on how far it may be from the exact one, by running error analysis: what the operands'
errors become in the operation, and what its own rounding adds. The bounds are kept at 30 bits and always rounded up.
(mpmath is imported with this module, and this module when it is asked for.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from flint import arb, fmpq, fmpq_mat, fmpz
from mpmath import libmp

from exactattn.arithmetic.scalarwise import Rows, Scalarwise
from exactattn.errors import OptionError, Undecided
from exactattn.numbers import lazy
from exactattn.numbers.ball import bits_of
from exactattn.numbers.grids import Binary
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.matrix import Linear, Matrix
from exactattn.numbers.parse import rational
from exactattn.numbers.rounding import round_matrix
from exactattn.numbers.units import ONE, Unit

Raw: TypeAlias = tuple[int, int, int, int]
"""An mpmath number: sign, mantissa (odd, or 0), exponent, bits of the mantissa."""


class Rounded(NamedTuple):
    """A number of b bits, and a bound on its distance from the exact number that it stands for."""

    x: Raw
    error: Raw


_LEAST, _MOST = 2, 10_000
_UNBOUNDED = Binary(_MOST, -(10**9), 10**9)  # beyond what a text within the limits can write


@dataclass(frozen=True, slots=True)
class RoundedArithmetic(Scalarwise[Rounded]):
    """Matrices of numbers with `bits` significant bits.

    >>> ar = RoundedArithmetic(11)
    >>> a = ar.add(ar.read([["2048", "0.1"]]), ar.read([["1", "0.2"]]))
    >>> [str(x) for x in ar.dyadic(a)[0]], [str(x) for x in ar.error(a)[0]]
    (['2048', '307/1024'], ['1', '7/32768'])
    """

    bits: int
    limits: Limits = LIMITS
    name: str = field(init=False, default="")

    def __post_init__(self) -> None:
        if not _LEAST <= self.bits <= _MOST:
            raise OptionError(
                "mpmath at {bits} bits: {least} to {most} were due", bits=self.bits, least=_LEAST, most=_MOST
            )
        object.__setattr__(self, "name", f"mpmath:{self.bits}")

    # -- the operations ----------------------------------------------------------------------------------------------

    def number(self, text: str) -> Rounded:
        """One rounding of the exact number that the text writes."""
        exact = Linear.read([[text]], self.limits)
        grid = Binary(self.bits, _UNBOUNDED.emin, _UNBOUNDED.emax)
        ((nearest,),) = round_matrix(exact, grid, "half-even", self.limits)
        x = libmp.from_man_exp(nearest.n, nearest.k)
        same = rational(text, self.limits) == _rational(x)
        return Rounded(x, libmp.fzero if same else self._half_unit(x))

    def plus(self, a: Rounded, b: Rounded) -> Rounded:
        """a + b, rounded once. The errors add up."""
        return self._sum(a, b.x, b.error)

    def minus(self, a: Rounded, b: Rounded) -> Rounded:
        """a − b, rounded once. The errors add up."""
        return self._sum(a, libmp.mpf_neg(b.x), b.error)

    def _sum(self, a: Rounded, y: Raw, error: Raw) -> Rounded:
        x = libmp.mpf_add(a.x, y, self.bits, "n")
        return Rounded(x, _up(a.error, error, libmp.fzero if self._adds_exactly(a.x, y, x) else self._half_unit(x)))

    def _adds_exactly(self, a: Raw, b: Raw, x: Raw) -> bool:
        if a == libmp.fzero or b == libmp.fzero:
            return True
        # far apart, the exact sum would be as long as the gap between the two
        return bool(abs(a[2] - b[2]) <= 4 * self.bits and libmp.mpf_add(a, b) == x)

    def times(self, a: Rounded, b: Rounded) -> Rounded:
        """a × b, rounded once. |ab − AB| ≤ |a|·|b − B| + |b|·|a − A| + |a − A|·|b − B|."""
        x = libmp.mpf_mul(a.x, b.x, self.bits, "n")
        own = libmp.fzero if libmp.mpf_mul(a.x, b.x) == x else self._half_unit(x)
        return Rounded(x, _up(_product(a.x, b.error), _product(b.x, a.error), _product(a.error, b.error), own))

    def over(self, a: Rounded, b: Rounded) -> Rounded:
        """a / b, rounded once. |a/b − A/B| ≤ (|a|·|b − B| + |b|·|a − A|) / (|b|·|B|), and |B| ≥ |b| − |b − B|."""
        x = libmp.mpf_div(a.x, b.x, self.bits, "n")
        own = libmp.fzero if libmp.mpf_mul(x, b.x) == a.x else self._half_unit(x)
        if a.error == libmp.fzero == b.error:
            return Rounded(x, own)
        least = libmp.mpf_sub(libmp.mpf_abs(b.x), b.error, _KEPT, "f")
        if not libmp.mpf_gt(least, libmp.fzero):
            return Rounded(x, libmp.finf)  # the exact divisor may be 0
        spread = _up(_product(a.x, b.error), _product(b.x, a.error))
        below = libmp.mpf_mul(libmp.mpf_abs(b.x), least, _KEPT, "d")
        return Rounded(x, _up(libmp.mpf_div(spread, below, _KEPT, "u"), own))

    def e(self, a: Rounded) -> Rounded:
        """e to the a, rounded once, certified: both ends of an enclosure round to it.

        e^a is transcendental for rational a ≠ 0, so it lies on no tie and the loop ends. |e^a − e^A| ≤ e^a·(e^|a − A| − 1).
        """
        if a.x == libmp.fzero and a.error == libmp.fzero:
            return Rounded(libmp.fone, libmp.fzero)
        x = self._nearest_exponential(a.x)
        own = libmp.fzero if a.x == libmp.fzero else self._half_unit(x)
        return Rounded(x, _up(_product(_up(x, own), _grown(a.error)), own))

    def _nearest_exponential(self, a: Raw) -> Raw:
        low: Raw = libmp.fone
        if a == libmp.fzero:
            return low
        bits = self.bits + 40
        while bits <= self.limits.bits:
            with bits_of(bits):
                ball = arb((-fmpz(a[1]) if a[0] else fmpz(a[1]), fmpz(a[2]))).exp()
                ends = [end.man_exp() for end in (ball.lower(), ball.upper())] if ball.is_finite() else []
            low, high = (libmp.from_man_exp(int(m), int(k), self.bits, "n") for m, k in ends or ((0, 0), (1, 0)))
            if low == high:
                return low
            bits *= 2
        raise Undecided("an exponential is still open at {bits} bits (raise the limit 'bits')", bits=bits // 2)

    def largest(self, entries: Sequence[Rounded], row: int) -> Rounded:
        """The largest entry. The largest exact number is no further from it than the largest error."""
        x, error = entries[0]
        for entry in entries[1:]:
            x = entry.x if libmp.mpf_gt(entry.x, x) else x
            error = entry.error if libmp.mpf_gt(entry.error, error) else error
        return Rounded(x, error)

    def is_zero(self, a: Rounded) -> bool:
        """Is the rounded number 0?"""
        return bool(a.x == libmp.fzero)

    def _half_unit(self, x: Raw) -> Raw:
        """Half a unit in the last place of x: what one rounding to nearest moves a number at most. 0 comes of no rounding."""
        _, mantissa, exponent, count = x
        half: Raw = libmp.from_man_exp(1, exponent + count - self.bits - 1) if mantissa else libmp.fzero
        return half

    # -- what it says ------------------------------------------------------------------------------------------------

    def exact(self, a: Rows[Rounded]) -> Matrix:
        """The rounded numbers as exact ones, for their digits."""
        if all(abs(entry.x[2]) <= _WRITTEN for row in a for entry in row):
            return Linear(self.shape(a), {ONE: fmpq_mat([[_rational(entry.x) for entry in row] for row in a])})
        return lazy.Gathered([[_cell(entry.x) for entry in row] for row in a])

    def dyadic(self, a: Rows[Rounded]) -> tuple[tuple[Fraction, ...], ...]:
        """The rounded numbers as fractions."""
        return tuple(tuple(_fraction(entry.x) for entry in row) for row in a)

    def error(self, a: Rows[Rounded]) -> tuple[tuple[Fraction | None, ...], ...]:
        """For each entry a bound on |rounded − exact|; None where there is none (a divisor that may be 0)."""
        return tuple(tuple(_bound(entry.error) for entry in row) for row in a)


_KEPT = 30
"""Bits of an error bound."""
_WRITTEN = 100_000
"""Powers of two up to here are written out as fractions."""


def _up(*terms: Raw) -> Raw:
    """At least the sum of numbers that are not negative."""
    total: Raw = libmp.fzero
    for term in terms:
        total = libmp.mpf_add(total, term, _KEPT, "u")
    return total


def _product(a: Raw, bound: Raw) -> Raw:
    """At least |a| · bound, where 0 times no bound at all is 0."""
    none = libmp.fzero in (a, bound)
    product: Raw = libmp.fzero if none else libmp.mpf_mul(libmp.mpf_abs(a), bound, _KEPT, "u")
    return product


def _grown(error: Raw) -> Raw:
    """At least e^error − 1: error + error² up to 1 (since e^x − 1 − x = x²/2 + x³/6 + … ≤ x²·(e − 2)), beyond it 4^⌈error⌉."""
    if libmp.mpf_le(error, libmp.fone):
        return _up(error, _product(error, error))
    without = error == libmp.finf or error[2] > _WRITTEN
    grown: Raw = libmp.finf if without else libmp.from_man_exp(1, 2 * libmp.to_int(error, "c"))
    return grown


def _rational(x: Raw) -> fmpq:
    sign, mantissa, exponent, _ = x
    n = fmpz(int(-mantissa if sign else mantissa))
    return fmpq(n << exponent) if exponent >= 0 else fmpq(n, fmpz(1) << -exponent)


def _fraction(x: Raw) -> Fraction:
    q = _rational(x)
    return Fraction(int(q.p), int(q.q))


def _cell(x: Raw) -> Matrix:
    if abs(x[2]) <= _WRITTEN:
        return Linear((1, 1), {ONE: fmpq_mat(1, 1, [_rational(x)])})
    # mantissa · e^(exponent · ln 2): balls know exponents without end, fractions fill the memory
    mantissa = fmpq_mat(1, 1, [-int(x[1]) if x[0] else int(x[1])])
    power = lazy.Exponential(Linear((1, 1), {Unit((), (2,)): fmpq_mat(1, 1, [int(x[2])])}))
    return lazy.matmul(Linear((1, 1), {ONE: mantissa}), power)


def _bound(error: Raw) -> Fraction | None:
    _, mantissa, exponent, count = error
    if error == libmp.finf or exponent + count > _WRITTEN:
        return None
    if mantissa and exponent + count < -_WRITTEN:
        return Fraction(1, 1 << _WRITTEN)
    return _fraction(error)
