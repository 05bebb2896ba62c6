"""What numbers are rounded to: decimal places, significant digits, binary formats.

A grid with one step for all numbers (places) has a `fixed` magnitude. The others have a step for each magnitude e: a number
is at magnitude e when it has exactly the wanted count of digits there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import ldexp
from typing import NamedTuple, Protocol, TypeVar

from flint import fmpq, fmpz

from exactattn.errors import LimitError, OptionError, nearest
from exactattn.numbers.limits import LIMITS, Limits

T_co = TypeVar("T_co", covariant=True)

_FARTHEST = 1_000_000  # a power of ten of so many digits is still quick to form

# log10(2) between these two over 10^20: rational bounds, so that a guessed magnitude is never too large
_LOG2_LOW, _LOG2_HIGH, _LOG2_OVER = 30102999566398119521, 30102999566398119522, 10**20


class Grid(Protocol[T_co]):
    """What rounding needs to know."""

    def bits(self) -> int:
        """A precision at which nearly all numbers are decided."""

    def fixed(self) -> int | None:
        """The one magnitude, or None when it depends on the number."""

    def magnitude(self, floor_log2: int) -> int:
        """A magnitude that is not above that of any number ≥ 2^floor_log2."""

    def beyond(self, e: int) -> bool:
        """Is every number of magnitude e more than the format holds? Then how many steps it is does not matter."""

    def steps(self, e: int) -> fmpq:
        """How many steps 1 is long at magnitude e."""

    def settle(self, e: int, n: fmpz) -> int:
        """The magnitude that n steps at magnitude e belong to: e itself, or a larger one."""

    def show(self, negative: bool, n: fmpz, e: int) -> T_co:
        """±n steps at magnitude e."""


@lru_cache(4096)
def _ten(k: int) -> fmpq:
    return fmpq(10) ** k


@dataclass(frozen=True, slots=True)
class Places:
    """Decimal places: "-0.40". No negative zero.

    >>> Places(2).show(True, fmpz(40), 0), Places(2).show(True, fmpz(0), 0), Places(0).show(False, fmpz(7), 0)
    ('-0.40', '0.00', '7')
    """

    places: int

    def bits(self) -> int:
        """Enough for numbers up to about 2^30."""
        return max(64, self.places * 10 // 3 + 48)

    def fixed(self) -> int | None:
        """One step for all."""
        return 0

    def magnitude(self, floor_log2: int) -> int:
        """Always 0."""
        return 0

    def beyond(self, e: int) -> bool:
        """Never."""
        return False

    def steps(self, e: int) -> fmpq:
        """10^places."""
        return _ten(self.places)

    def settle(self, e: int, n: fmpz) -> int:
        """Always 0."""
        return 0

    def show(self, negative: bool, n: fmpz, e: int) -> str:
        """Sign, whole part, point, places."""
        digits = str(n)
        if self.places:
            digits = digits.rjust(self.places + 1, "0")
            digits = f"{digits[: -self.places]}.{digits[-self.places :]}"
        return f"-{digits}" if negative and n != 0 else digits


@dataclass(frozen=True, slots=True)
class Significant:
    """Significant digits, trailing zeros kept; from 10^digits up and below 10^-5 in scientific form. 0 is "0".

    >>> Significant(3).show(False, fmpz(120), -2), Significant(3).show(True, fmpz(120), -7)
    ('0.0120', '-1.20e-7')
    """

    digits: int

    def bits(self) -> int:
        """Enough for all but near ties."""
        return max(64, self.digits * 10 // 3 + 40)

    def fixed(self) -> int | None:
        """A step for each power of ten."""
        return None

    def magnitude(self, floor_log2: int) -> int:
        """⌊log10 2^k⌋, by a bound on log10 2 from the safe side."""
        return floor_log2 * (_LOG2_LOW if floor_log2 >= 0 else _LOG2_HIGH) // _LOG2_OVER

    def beyond(self, e: int) -> bool:
        """Never."""
        return False

    def steps(self, e: int) -> fmpq:
        """10^(digits − 1 − e)."""
        if abs(e) > _FARTHEST:
            raise LimitError("a number beyond 10^±{limit}: significant digits reach no further", limit=_FARTHEST)
        return _ten(self.digits - 1 - e)

    def settle(self, e: int, n: fmpz) -> int:
        """Up by as many digits as n has too many."""
        return e if n < _ten(self.digits).p else e + len(str(n)) - self.digits

    def show(self, negative: bool, n: fmpz, e: int) -> str:
        """Plain where it reads well, scientific elsewhere."""
        if n == 0:
            return "0"
        text, sign = str(n), "-" if negative else ""
        if e < -5 or e >= self.digits:
            return f"{sign}{text[0]}{'.' + text[1:] if len(text) > 1 else ''}e{e}"
        if e < 0:
            return f"{sign}0.{'0' * (-e - 1)}{text}"
        return f"{sign}{text[: e + 1]}{'.' + text[e + 1 :] if e + 1 < self.digits else ''}"


class Dyadic(NamedTuple):
    """n · 2^k, or an infinity of n's sign when it is beyond the format."""

    n: int
    k: int
    infinite: bool = False

    def to_float(self) -> float:
        """As a Python float, which holds every number of the formats below."""
        if self.infinite:
            return float("inf") if self.n > 0 else float("-inf")
        return ldexp(self.n, self.k)


@dataclass(frozen=True, slots=True)
class Binary:
    """A binary floating-point format: p significant bits, exponents emin to emax, gradual underflow."""

    p: int
    emin: int
    emax: int

    def bits(self) -> int:
        """Enough for all but near ties."""
        return max(64, self.p + 40)

    def fixed(self) -> int | None:
        """A step for each power of two."""
        return None

    def magnitude(self, floor_log2: int) -> int:
        """⌊log2⌋, but no lower than the format goes: below it the step stays the same."""
        return max(floor_log2, self.emin)

    def beyond(self, e: int) -> bool:
        """Above emax: infinite."""
        return e > self.emax

    def steps(self, e: int) -> fmpq:
        """2^(p − 1 − e)."""
        return fmpq(2) ** (self.p - 1 - e)

    def settle(self, e: int, n: fmpz) -> int:
        """Up by as many bits as n has too many."""
        return e + max(int(n.bit_length()) - self.p, 0)

    def show(self, negative: bool, n: fmpz, e: int) -> Dyadic:
        """The number itself."""
        size = -int(n) if negative else int(n)
        return Dyadic(size, e - self.p + 1, e > self.emax)


FORMATS = {
    "binary16": Binary(11, -14, 15),
    "bfloat16": Binary(8, -126, 127),
    "binary32": Binary(24, -126, 127),
    "binary64": Binary(53, -1022, 1023),
}


def binary(form: str) -> Binary:
    """A binary format by name."""
    if form not in FORMATS:
        known = ", ".join(FORMATS)
        raise OptionError(
            "format {form!r} is not one of {known}{hint}", form=form, known=known, hint=nearest(form, FORMATS)
        )
    return FORMATS[form]


def places(count: int, limits: Limits = LIMITS) -> Places:
    """Places, checked: 0 to the limit."""
    return Places(_checked("places", count, 0, limits))


def significant(count: int, limits: Limits = LIMITS) -> Significant:
    """Significant digits, checked: 1 to the limit."""
    return Significant(_checked("digits", count, 1, limits))


def _checked(what: str, count: int, least: int, limits: Limits) -> int:
    if not isinstance(count, int) or isinstance(count, bool) or count < least:
        raise OptionError(
            "{count!r} {what}: a whole number from {least} up was due", what=what, count=count, least=least
        )
    if count > limits.places:
        raise LimitError(
            "{count} {what}: the limit is {limit} (raise it with the limit 'places')",
            what=what,
            count=count,
            limit=limits.places,
        )
    return count
