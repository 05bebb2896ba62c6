"""The basis over the rationals in which exact numbers are written.

A unit is a radical times a product of logarithms of primes, both of which may be empty. A radical is a product of p^(n/d),
the p distinct primes in rising order and 0 < n/d < 1 in lowest terms.

What a finite map unit -> rational says. Equal maps are equal numbers: nothing need be proven for that. Conversely, among
units with at most one logarithm, different maps are different numbers: distinct radicals are linearly independent over Q
(Besicovitch 1940), and 1 and the ln p are linearly independent over the algebraic numbers (Baker 1966: the ln p are
independent over Q, since a relation would be a relation between powers of primes). For products of logarithms (ln 2 in
a query, ln 3 in a key) that is believed (Schanuel) but not proven: there a comparison may reach its cap, which is an error.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from flint import arb, fmpq, fmpz


class Unit(NamedTuple):
    """A product of p^(n/d), one (p, n, d) each, times a product of ln p, p in rising order."""

    radical: tuple[tuple[int, int, int], ...] = ()
    logs: tuple[int, ...] = ()


ONE = Unit()


@lru_cache(4096)
def power(p: int, n: int, d: int) -> tuple[fmpq, Unit]:
    """p^(n/d) as rational × unit, for a prime p: the whole part of n/d goes into the rational.

    >>> power(2, 5, 2)
    (4, Unit(radical=((2, 1, 2),), logs=()))
    """
    whole, rest = divmod(n, d)
    if rest == 0:
        return fmpq(p) ** whole, ONE
    part = fmpq(rest, d)
    return fmpq(p) ** whole, Unit(((p, int(part.p), int(part.q)),))


@lru_cache(4096)
def multiply(u: Unit, v: Unit) -> tuple[fmpq, Unit]:
    """u × v as rational × unit."""
    exponents = {p: fmpq(n, d) for p, n, d in u.radical}
    for p, n, d in v.radical:
        exponents[p] = exponents.get(p, fmpq(0)) + fmpq(n, d)
    factor, radical = fmpq(1), list[tuple[int, int, int]]()
    for p in sorted(exponents):
        rational, unit = power(p, int(exponents[p].p), int(exponents[p].q))
        factor *= rational
        radical.extend(unit.radical)
    return factor, Unit(tuple(radical), tuple(sorted(u.logs + v.logs)))


@lru_cache(4096)
def square_root(numerator: int, denominator: int) -> tuple[fmpq, Unit]:
    """√(numerator/denominator) as rational × unit, for positive integers, by factoring.

    >>> square_root(8, 9)
    (2/3, Unit(radical=((2, 1, 2),), logs=()))
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
    out = arb(1)
    for p in u.logs:
        out *= arb(p).log()
    for p, n, d in u.radical:
        if d == 2:
            out *= arb(p).sqrt()  # n is 1
        else:
            # not the n-th power of a d-th root: that loses as many bits as n has, and flint's d ends at 2^64
            out *= (arb(p).log() * arb(fmpq(n, d))).exp()
    return out
