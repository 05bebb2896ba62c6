"""The basis over the rationals in which exact numbers are written.

A unit is a radical, or a radical times the logarithm of one prime. A radical is a product of p^(n/d), the p distinct primes
in rising order and 0 < n/d < 1 in lowest terms; the empty product is 1.

Why this is a basis. Distinct radicals are linearly independent over Q (Besicovitch 1940). The numbers 1 and ln p, p prime,
are linearly independent over the algebraic numbers (Baker 1966: the ln p are independent over Q, since a relation would be
a relation between powers of primes). So distinct units are linearly independent over Q, and a finite map unit -> rational
is a normal form: two numbers are equal exactly when their maps are.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from flint import arb, fmpq, fmpz

from exactattn.errors import OutsideNormalForm


class Unit(NamedTuple):
    """A product of p^(n/d), one (p, n, d) each, times ln(log) when log is not 0."""

    radical: tuple[tuple[int, int, int], ...] = ()
    log: int = 0


ONE = Unit()


@lru_cache(4096)
def power(p: int, n: int, d: int) -> tuple[fmpq, Unit]:
    """p^(n/d) as rational × unit, for a prime p: the whole part of n/d goes into the rational.

    >>> power(2, 5, 2)
    (4, Unit(radical=((2, 1, 2),), log=0))
    """
    whole, rest = divmod(n, d)
    if rest == 0:
        return fmpq(p) ** whole, ONE
    part = fmpq(rest, d)
    return fmpq(p) ** whole, Unit(((p, int(part.p), int(part.q)),))


@lru_cache(4096)
def multiply(u: Unit, v: Unit) -> tuple[fmpq, Unit]:
    """u × v as rational × unit; a logarithm times a logarithm has no place in the basis."""
    if u.log and v.log:
        raise OutsideNormalForm("ln({p}) times ln({q}) has no normal form here", p=u.log, q=v.log)
    exponents = {p: fmpq(n, d) for p, n, d in u.radical}
    for p, n, d in v.radical:
        exponents[p] = exponents.get(p, fmpq(0)) + fmpq(n, d)
    factor, radical = fmpq(1), list[tuple[int, int, int]]()
    for p in sorted(exponents):
        rational, unit = power(p, int(exponents[p].p), int(exponents[p].q))
        factor *= rational
        radical.extend(unit.radical)
    return factor, Unit(tuple(radical), u.log or v.log)


@lru_cache(4096)
def square_root(numerator: int, denominator: int) -> tuple[fmpq, Unit]:
    """√(numerator/denominator) as rational × unit, for positive integers, by factoring.

    >>> square_root(8, 9)
    (2/3, Unit(radical=((2, 1, 2),), log=0))
    """
    factor, unit = fmpq(1), ONE
    for base, sign in ((numerator, 1), (denominator, -1)):
        for p, e in fmpz(base).factor():
            rational, root = power(int(p), sign * e, 2)
            more, unit = multiply(unit, root)
            factor *= rational * more
    return factor, unit


def inverse(u: Unit) -> tuple[fmpq, Unit]:
    """1/u as rational × unit, for a unit without a logarithm: 1/p^(n/d) = p^((d−n)/d) / p."""
    factor = fmpq(1)
    for p, _, _ in u.radical:
        factor /= p
    return factor, Unit(tuple((p, d - n, d) for p, n, d in u.radical))


def ball(u: Unit) -> arb:
    """An enclosure of the unit at the precision in force (under `bits_of`)."""
    out = arb(u.log).log() if u.log else arb(1)
    for p, n, d in u.radical:
        root = arb(p).sqrt() if d == 2 else arb(p).root(d)
        out *= root if n == 1 else root**n
    return out
