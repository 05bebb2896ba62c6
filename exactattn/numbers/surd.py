"""Numbers Σ q·u over the units: the values that inputs and scores take.

A `Surd` is a dict unit -> nonzero rational, so equal numbers are equal dicts (see `units`). Functions leave their
arguments as they are.
"""

from __future__ import annotations

from typing import TypeAlias

from flint import arb, fmpq, fmpz

from exactattn.errors import NumberError
from exactattn.numbers import units
from exactattn.numbers.units import ONE, Unit

Surd: TypeAlias = dict[Unit, fmpq]

_ZERO = fmpq(0)


def rational(q: fmpq) -> Surd:
    """A rational number."""
    return {ONE: q} if q != 0 else {}


def as_rational(a: Surd) -> fmpq | None:
    """The number as a rational, None when it is none."""
    return a.get(ONE, fmpq(0)) if not a.keys() - {ONE} else None


def add(a: Surd, b: Surd) -> Surd:
    """a + b."""
    out = dict(a)
    for unit, c in b.items():
        total = out[unit] + c if unit in out else c
        if total == 0:
            del out[unit]
        else:
            out[unit] = total
    return out


def negate(a: Surd) -> Surd:
    """−a."""
    return {unit: -c for unit, c in a.items()}


def multiply(a: Surd, b: Surd) -> Surd:
    """a × b."""
    out: Surd = {}
    for u, c in a.items():
        for v, d in b.items():
            factor, unit = units.multiply(u, v)
            out[unit] = out.get(unit, _ZERO) + c * d * factor
    return {unit: c for unit, c in out.items() if c != 0}


def divide(a: Surd, b: Surd) -> Surd:
    """a / b, for b a rational times a radical: anything else does not stay in the basis."""
    if not b:
        raise NumberError("division by zero")
    if len(b) > 1:
        raise NumberError("division by a sum of roots or logarithms: multiply it out first")
    ((unit, c),) = b.items()
    if unit.logs:
        raise NumberError("division by a logarithm has no exact form here")
    factor, flipped = units.inverse(unit)
    return multiply(a, {flipped: factor / c})


def square_root(a: Surd) -> Surd:
    """√a, for a rational a ≥ 0."""
    q = as_rational(a)
    if q is None or q < 0:
        raise NumberError("sqrt takes a rational number that is not negative")
    if q == 0:
        return {}
    factor, unit = units.square_root(int(q.p), int(q.q))
    return {unit: factor}


def logarithm(a: Surd) -> Surd:
    """ln a, for a positive rational times a radical: Σ exponent · ln prime."""
    if len(a) != 1:
        raise NumberError("ln takes a positive rational number, or one times a root")
    ((unit, c),) = a.items()
    if c <= 0 or unit.logs:
        raise NumberError("ln takes a positive rational number, or one times a root")
    out: Surd = {}
    for base, sign in ((c.p, 1), (c.q, -1)):
        for prime, e in fmpz(base).factor():
            out = add(out, {Unit((), (int(prime),)): fmpq(sign * e)})
    for p, n, d in unit.radical:
        out = add(out, {Unit((), (p,)): fmpq(n, d)})
    return out


def ball(a: Surd) -> arb:
    """An enclosure at the precision in force (under `bits_of`)."""
    out = arb(0)
    for unit, c in a.items():
        out += arb(c) if unit == ONE else arb(c) * units.ball(unit)
    return out


def text(a: Surd) -> str:
    """The number in the grammar of `parse`.

    >>> from exactattn.numbers.parse import surd
    >>> text(surd("sqrt(8)/3 - ln(4)"))
    '2/3*sqrt(2) - 2*ln(2)'
    """
    out = ""
    for unit, c in a.items():
        size, names = abs(c), [*map(_root_text, unit.radical), *(f"ln({p})" for p in unit.logs)]
        body = "*".join(names if size == 1 and names else [str(size), *names])
        sign = ("-" if c < 0 else "") if not out else (" - " if c < 0 else " + ")
        out += sign + body
    return out or "0"


def _root_text(part: tuple[int, int, int]) -> str:
    p, n, d = part
    return f"sqrt({p})" if (n, d) == (1, 2) else f"{p}^({n}/{d})"
