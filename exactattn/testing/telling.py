"""A check in words and digits: the input as bits and decimals, the true value, what was returned, how far off, how far allowed.

True values, errors and bounds are balls; the digits told of them are those both ends of the ball have.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import frexp, isfinite
from typing import Any, Literal, TypeAlias

import numpy as np
from flint import arb, fmpq, fmpq_mat

from exactattn.numbers.ball import endpoints
from exactattn.numbers.grids import Significant
from exactattn.numbers.matrix import Linear
from exactattn.numbers.rounding import round_matrix
from exactattn.numbers.units import ONE
from exactattn.testing.checks import Check
from exactattn.testing.formats import Format, format_of
from exactattn.testing.inputs import Array, Input
from exactattn.testing.reproduce import python
from exactattn.testing.signature import Signature

MOST = 32
"""Entries of an array that are shown; the line of Python has all of them."""


@dataclass(frozen=True, slots=True)
class Entries:
    """An array to look at: its type, shape and first entries as bits and as shortest decimals."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    bits: tuple[str, ...]
    decimals: tuple[str, ...]

    @property
    def more(self) -> int:
        """How many entries are not shown."""
        return int(np.prod(self.shape)) - len(self.bits)


Relation: TypeAlias = Literal["entry", "sides", "most", "least", "order"]


@dataclass(frozen=True, slots=True)
class Told:
    """One check or one call that went wrong, as texts; what does not apply is None.

    `relation` says how got and true stand to each other: an "entry" of a result, two "sides" of an identity, what is at
    "most" or at "least" due, or the "order" of two weights, of which got is the difference. `ulp` is the error in units of
    the last place of the true value.
    """

    input: str
    arrays: tuple[Entries, ...]
    python: str
    other: str | None = None
    relation: Relation = "entry"
    row: int | None = None
    column: int | None = None
    true: str | None = None
    got: str | None = None
    error: str | None = None
    ulp: str | None = None
    bound: str | None = None
    bound_ulp: str | None = None
    said: str | None = None


def told(check: Check, form: Format, takes: Signature, target: str) -> Told:
    """A check as texts; under `bits_of`."""
    error = check.error()
    value = check.due if check.value is None else check.value
    unit = None if value is None else ulp_of(value, form)
    given = check.given
    relation: Relation = "sides"
    if check.name == "accuracy":
        relation = "entry"
    elif check.name in ("strictly-monotone", "same-argmax") and isinstance(check.got, arb):
        relation = "order"
    elif check.side != "both" and check.name not in ("strictly-monotone", "same-argmax"):
        relation = "most" if check.side == "above" else "least"
    return Told(
        given.name, _entries(given), python(given, takes, target),
        None if check.other is None else python(check.other, takes, target),
        relation, check.at[0], check.at[1],
        "-inf" if check.due is None else digits(check.due, 20), _got(check.got, form),
        None if error is None else digits(error, 3),
        None if error is None or unit is None else digits(error / unit, 3),
        digits(check.bound, 3), None if unit is None else digits(check.bound / unit, 3),
    )  # fmt: skip


def told_of_call(given: Input, said: str, takes: Signature, target: str) -> Told:
    """A call that gave no result to judge."""
    return Told(given.name, _entries(given), python(given, takes, target), said=said)


def digits(ball: arb, count: int) -> str:
    """As many significant digits of a ball as are certain, up to `count`; "0" for one around 0.

    >>> from exactattn.numbers.ball import bits_of
    >>> with bits_of(40):
    ...     digits(arb(1) / 3, 20), digits(arb(0), 3), digits(arb(1) / 3 - arb(1) / 3, 3)
    ('0.333333333333', '0', '0')
    """
    low, high = endpoints(ball)
    if low <= 0 <= high:
        return "0"
    ends = Linear((1, 2), {ONE: fmpq_mat(1, 2, [fmpq(x.numerator, x.denominator) for x in (low, high)])})
    for k in range(count, 0, -1):
        ((first, last),) = round_matrix(ends, Significant(k), "half-even")
        if first == last:
            return _shorter(first)
    ((first, last),) = round_matrix(ends, Significant(1), "half-even")
    return f"{first} … {last}"


def _shorter(text: str) -> str:
    """Without zeros at the end of a fraction."""
    number, e, power = text.partition("e")
    return (number.rstrip("0").rstrip(".") if "." in number else number) + e + power


def ulp_of(value: arb, form: Format) -> arb:
    """The unit in the last place that a true value has in a format; under `bits_of`."""
    low, high = endpoints(value)
    size = form.ulp(max(abs(low), abs(high)))
    return arb(size.numerator) / arb(size.denominator)


def _got(got: arb | float, form: Format) -> str:
    if isinstance(got, arb):
        return digits(got, 20)
    return decimal(np.asarray(got).astype(form.dtype())[()]) if isfinite(got) else str(got)


def decimal(entry: Any) -> str:
    """The shortest decimal that is read back as the same number."""
    return str(entry.item() if isinstance(entry, np.integer) else entry)


def _entries(given: Input) -> tuple[Entries, ...]:
    return tuple(_array(name, x) for name, x in given.arrays.items())


def _array(name: str, x: Array) -> Entries:
    first = x.ravel()[:MOST]
    return Entries(
        name, x.dtype.name, tuple(int(n) for n in x.shape),
        tuple(bits(entry) for entry in first), tuple(decimal(entry) for entry in first),
    )  # fmt: skip


def bits(entry: Any) -> str:
    """The stored bits of an entry, in hex.

    >>> bits(np.float32(1)), bits(np.int8(-1)), bits(np.True_)
    ('0x3f800000', '0xff', '0x01')
    """
    form = format_of(entry)
    if form is not None:
        return form.bits(entry)
    return (
        f"0x{int.from_bytes(np.asarray(entry).astype(entry.dtype.newbyteorder('>')).tobytes()):0{2 * entry.itemsize}x}"
    )


def correctly_rounded(got: float, true: arb | None, form: Format) -> bool | None:
    """Is it the number of the format nearest to the true value? None where a tie is suspected; under `bits_of`.

    >>> from exactattn.numbers.ball import bits_of
    >>> from exactattn.testing.formats import FORMATS
    >>> with bits_of(128):
    ...     [correctly_rounded(x, arb(1) / 3, FORMATS["float16"]) for x in (0.333251953125, 0.3330078125)]
    [True, False]
    """
    if true is None or not isfinite(got):
        return true is None and got == float("-inf")
    off = true - arb(got) if got >= 0 else arb(got) - true
    mantissa, exponent = frexp(abs(got))
    e = max(exponent - 1, form.grid.emin) if got else form.grid.emin
    above = _power(e - form.p)
    below = _power(e - form.p - 1) if mantissa == 0.5 and e > form.grid.emin else above
    if off < above and off > -below:
        return True
    if off > above or off < -below:
        return False
    return None


_POWERS: dict[int, arb] = {}


def _power(k: int) -> arb:
    """2^k, exactly."""
    if k not in _POWERS:
        _POWERS[k] = arb(2) ** k
    return _POWERS[k]
