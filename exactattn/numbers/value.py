"""One exact number, as the public sees it: certified text, decided comparisons, arithmetic.

>>> third = Value.of("1/3")
>>> third.decimal(3), third.significant(5), third + third + third == 1, third < "0.34"
('0.333', '0.33333', True, True)
"""

from __future__ import annotations

from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat

from exactattn.errors import ExactAttnError, LimitError, NumberError, OptionError, OutsideNormalForm, Undecided, nearest
from exactattn.numbers import grids, lazy
from exactattn.numbers.ball import endpoints, precisions
from exactattn.numbers.expsum import ExpSum, Quotients, exponent_surd
from exactattn.numbers.grids import Binary
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.matrix import Linear, Matrix
from exactattn.numbers.parse import canonical
from exactattn.numbers.rounding import Ties, round_matrix
from exactattn.numbers.surd import Surd
from exactattn.numbers.surd import text as surd_text
from exactattn.numbers.units import ONE

_WIDE = 1_000_000
"""Powers of two in numbers for mpmath reach so far."""


class Value:
    """An exact number. `==` and `<` are decided, or raise Undecided with the precision reached; they never guess."""

    __slots__ = ("_limits", "_matrix")

    def __init__(self, matrix: Matrix, limits: Limits = LIMITS) -> None:
        self._matrix, self._limits = matrix, limits

    @classmethod
    def of(cls, x: Any, limits: Limits = LIMITS) -> Value:
        """From anything that `parse.canonical` takes."""
        if isinstance(x, fmpq):  # what comes out of exact arithmetic: nothing to read
            return cls(Linear((1, 1), {ONE: fmpq_mat(1, 1, [x])}), limits)
        return x if isinstance(x, cls) else cls(Linear.read([[canonical(x, limits=limits)]], limits), limits)

    @classmethod
    def of_surd(cls, a: Surd) -> Value:
        """From a number over the units."""
        return cls(Linear.of([a], (1, 1)))

    @property
    def matrix(self) -> Matrix:
        """The value as a 1 × 1 exact matrix."""
        return self._matrix

    # -- text and conversions ----------------------------------------------------------------------------------------

    def decimal(self, places: int, ties: Ties = "half-up") -> str:
        """Rounded to decimal places, certified; ties away from zero, or to even."""
        return round_matrix(self._matrix, grids.places(places, self._limits), checked_ties(ties), self._limits)[0][0]

    def significant(self, digits: int, ties: Ties = "half-up") -> str:
        """Rounded to significant digits, certified."""
        return round_matrix(self._matrix, grids.significant(digits, self._limits), checked_ties(ties), self._limits)[0][
            0
        ]

    def interval(self, bits: int) -> tuple[Fraction, Fraction]:
        """Two rationals with the value between them, computed at this many bits (at more where those bound nothing)."""
        if not 2 <= bits <= self._limits.bits:
            raise OptionError("{bits} bits: 2 to {limit} were due", bits=bits, limit=self._limits.bits)
        ball = self._matrix.balls(bits)[0, 0]
        while not ball.is_finite() and 2 * bits <= self._limits.bits:
            bits *= 2
            ball = self._matrix.balls(bits)[0, 0]
        return endpoints(ball)

    def to_float(self, form: str = "binary64") -> float:
        """The nearest number of a binary format (ties to even), as a Python float; beyond the format, an infinity.

        >>> Value.of("1/3").to_float("binary32")
        0.3333333432674408
        """
        ((number,),) = round_matrix(self._matrix, grids.binary(form), "half-even", self._limits)
        return number.to_float()

    def to_mpmath(self, digits: int = 15) -> Any:
        """The nearest mpmath number at the precision of so many decimal digits."""
        from mpmath import libmp, mp

        bits = libmp.dps_to_prec(grids.significant(digits, self._limits).digits)
        wide = Binary(bits, -_WIDE, _WIDE)
        ((number,),) = round_matrix(self._matrix, wide, "half-even", self._limits)
        if number.infinite or (number.k == wide.emin - bits + 1 and self != 0):
            raise LimitError("a number beyond 2^±{limit} is not converted", limit=_WIDE)
        return mp.make_mpf(libmp.from_man_exp(number.n, number.k))

    def to_sympy(self) -> Any:
        """The value as a sympy expression, exact."""
        import sympy

        return sympy.Add(*(_sympy(n) / _sympy(d) for n, d in self.normal().parts))

    def normal(self) -> Quotients:
        """Its normal form."""
        return self._matrix.normal(0, 0, self._limits)

    def __str__(self) -> str:
        """The exact value in words of the grammar, with exp: "exp(-1/5)/(1 + exp(-1/5))"."""
        return " + ".join(_quotient_text(n, d) for n, d in self.normal().parts) or "0"

    def __repr__(self) -> str:
        try:
            return f"<Value {self.significant(15)}…>"
        except ExactAttnError as error:  # a repr is shown while looking for faults: it does not raise one
            return f"<Value: {error}>"

    # -- comparisons ---------------------------------------------------------------------------------------------------

    def sign(self) -> int:
        """−1, 0 or 1. Enclosures first; once one suspects 0, the normal form says whether it is; then enclosures to the cap."""
        why: str | None = None
        for bits in precisions(64, self._limits.bits):
            ball = self._matrix.balls(bits)[0, 0]
            if ball > 0:
                return 1
            if ball < 0:
                return -1
            if ball == 0:
                return 0
            if why is None:
                try:
                    if self.normal().is_zero(self._limits):
                        return 0
                    why = ""
                except (OutsideNormalForm, Undecided) as error:
                    why = f"; {error}"
        raise Undecided(
            "a comparison is still open at {bits} bits (raise the limit 'bits'){why}",
            bits=self._limits.bits,
            why=why or "",
        )

    def is_zero(self) -> bool:
        """Is it 0? By one enclosure, or by the normal form where that is proof enough (see `expsum`), or by its sign."""
        ball = self._matrix.balls(64)[0, 0]
        if ball > 0 or ball < 0:
            return False
        with suppress(OutsideNormalForm, Undecided):
            normal = self.normal()
            if normal.is_zero(self._limits):
                return True
            if normal.is_algebraic():
                return False
        return self.sign() == 0

    def __eq__(self, other: object) -> bool:
        try:
            difference = self - other
        except NumberError:
            if isinstance(other, str | int | float | Fraction | Decimal):
                raise  # "1,5" or a NaN: said, and not just unequal
            return NotImplemented
        return difference.is_zero()

    def __lt__(self, other: Any) -> bool:
        return self.__sub__(other).sign() < 0

    def __le__(self, other: Any) -> bool:
        return self.__sub__(other).sign() <= 0

    def __gt__(self, other: Any) -> bool:
        return self.__sub__(other).sign() > 0

    def __ge__(self, other: Any) -> bool:
        return self.__sub__(other).sign() >= 0

    __hash__ = None  # type: ignore[assignment]  # equality is decided by computing: equal values have no cheap common hash

    def __bool__(self) -> bool:
        return not self.is_zero()

    # -- arithmetic ------------------------------------------------------------------------------------------------------

    def _with(self, other: Any) -> Matrix:
        return Value.of(other, self._limits)._matrix

    def __add__(self, other: Any) -> Value:
        return Value(lazy.plus(self._matrix, self._with(other)), self._limits)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Value:
        return Value(lazy.plus(self._matrix, self._with(other), -1), self._limits)

    def __rsub__(self, other: Any) -> Value:
        return Value.of(other, self._limits) - self

    def __neg__(self) -> Value:
        return self * -1

    def __abs__(self) -> Value:
        return -self if self.sign() < 0 else self

    def __mul__(self, other: Any) -> Value:
        return Value(lazy.matmul(self._matrix, self._with(other)), self._limits)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Value:
        divisor = Value.of(other, self._limits)
        if divisor.is_zero():
            raise ZeroDivisionError("division by a value that is 0")
        return Value(lazy.Quotient(self._matrix, divisor._matrix), self._limits)

    def __rtruediv__(self, other: Any) -> Value:
        return Value.of(other, self._limits) / self

    def exp(self) -> Value:
        """e to this value."""
        return Value(lazy.Exponential(self._matrix), self._limits)


def checked_ties(ties: str) -> Ties:
    """The tie rule, checked."""
    match ties:
        case "half-up" | "half-even":
            return ties
    raise OptionError(
        "ties {ties!r} is not one of half-up, half-even{hint}", ties=ties, hint=nearest(ties, ("half-up", "half-even"))
    )


def _sympy(a: ExpSum) -> Any:
    import sympy

    from exactattn.numbers.symbolic import surd_to_sympy

    return sympy.Add(*(surd_to_sympy(c) * sympy.exp(surd_to_sympy(exponent_surd(e))) for e, c in a.items()))


def _quotient_text(n: ExpSum, d: ExpSum) -> str:
    top, bottom = _text(n), _text(d)
    if bottom == "1":
        return top
    return f"({top})/({bottom})" if len(n) > 1 or " " in top else f"{top}/({bottom})"


def _text(a: ExpSum) -> str:
    out = ""
    for exponent, c in a.items():
        factor = surd_text(c)
        if exponent:
            power = f"exp({surd_text(exponent_surd(exponent))})"
            negative = factor.startswith("-") and " " not in factor
            size = factor.removeprefix("-") if negative else factor
            term = power if size == "1" else f"({size})*{power}" if " " in size else f"{size}*{power}"
            out += (" - " if negative else " + ") + term if out else ("-" if negative else "") + term
        else:
            out += (
                (f" - {factor[1:]}" if factor.startswith("-") and " " not in factor else f" + {factor}")
                if out
                else factor
            )
    return out or "0"
