"""The normal form that decides equality: sums of quotients of exponential sums.

    ExpSum     Σ c·e^s       a dict exponent -> coefficient; exponents are surds without a plain ln p, coefficients surds
    Quotients  Σ num/den     exponential sums over exponential sums, one numerator for each different denominator

e^(r·ln p) is p^r, so every rational multiple of a ln p in an exponent becomes part of the coefficient (up to |r| = 10 000:
beyond, p^r would only fill the memory, and r·ln p stays in the exponent like an irrational multiple).

What it proves. If two exponential sums are equal as dicts, their values are equal: this direction needs no theorem, and
is the only one on which a digit ever rests. Conversely, when exponents and coefficients are algebraic (no
logarithm left), the e^s with distinct s are linearly independent over the algebraic numbers (Lindemann–Weierstrass), so
different dicts are different values and refining an enclosure must separate them: that is why the loops that use this file
end. With exponents like √2·ln 3, or values v that hold logarithms, the same code runs, and a loop may reach its cap, which
is an error and never a guess.

Nothing here is used on the fast path: an entry is brought to normal form only when an enclosure suspects an equality.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import lcm
from random import Random
from typing import TypeAlias

from flint import fmpq

from exactattn.errors import Undecided
from exactattn.numbers import surd as surds
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.surd import Surd
from exactattn.numbers.units import ONE, Unit, power

Exponent: TypeAlias = tuple[tuple[Unit, int, int], ...]
ExpSum: TypeAlias = dict[Exponent, Surd]

UNITY: ExpSum = {(): {ONE: fmpq(1)}}

_FOLDED = 10_000


def _exponent(a: Surd) -> Exponent:
    return tuple(sorted((unit, int(c.p), int(c.q)) for unit, c in a.items()))


def exponent_surd(e: Exponent) -> Surd:
    """The exponent as a number."""
    return {unit: fmpq(p, q) for unit, p, q in e}


def constant(a: Surd) -> ExpSum:
    """A surd as an exponential sum."""
    return {(): a} if a else {}


def exponential(a: Surd) -> ExpSum:
    """e^a, its ln p folded into the coefficient: e^(q + r ln p) = p^r e^q."""
    coefficient, rest = surds.rational(fmpq(1)), {}
    for unit, c in a.items():
        if len(unit.logs) == 1 and not unit.radical and abs(c) <= _FOLDED:
            factor, root = power(unit.logs[0], int(c.p), int(c.q))
            coefficient = surds.multiply(coefficient, {root: factor})
        else:
            rest[unit] = c
    return {_exponent(rest): coefficient}


def add(a: ExpSum, b: ExpSum) -> ExpSum:
    """a + b."""
    out = dict(a)
    for exponent, c in b.items():
        total = surds.add(out[exponent], c) if exponent in out else c
        if total:
            out[exponent] = total
        else:
            out.pop(exponent, None)
    return out


def negate(a: ExpSum) -> ExpSum:
    """−a."""
    return {exponent: surds.negate(c) for exponent, c in a.items()}


def multiply(a: ExpSum, b: ExpSum, limits: Limits = LIMITS) -> ExpSum:
    """a × b, unless that takes more terms than the limit: then the question stays undecided."""
    count = _size(a) * _size(b)
    if count > limits.terms:
        raise Undecided(
            "an equality needs {count} terms to be decided: the limit is {limit} (raise it with the limit 'terms')",
            count=count,
            limit=limits.terms,
        )
    out: ExpSum = {}
    for e, c in a.items():
        for f, d in b.items():
            product = surds.multiply(c, d)
            exponent = f if not e else e if not f else _exponent(surds.add(exponent_surd(e), exponent_surd(f)))
            total = surds.add(out[exponent], product) if exponent in out else product
            if total:
                out[exponent] = total
            else:
                out.pop(exponent, None)
    return out


def _size(a: ExpSum) -> int:
    return sum(map(len, a.values()))


@dataclass(frozen=True, slots=True)
class Quotients:
    """Σ num/den. Heads have different denominators, and h of n terms each have n^h over a common one: so they stay apart."""

    parts: tuple[tuple[ExpSum, ExpSum], ...]

    @staticmethod
    def of(numerator: ExpSum, denominator: ExpSum = UNITY) -> Quotients:
        """One quotient. The denominator is a sum of positive terms or a proven nonzero value: the caller's duty.

        A denominator of one term c·e^s, c a rational times a root, divides the numerator at once.
        """
        if len(denominator) == 1 and denominator != UNITY and (inverse := _inverse(denominator)) is not None:
            return Quotients.of(multiply(numerator, inverse))
        return Quotients(((numerator, denominator),) if numerator else ())

    def __add__(self, other: Quotients) -> Quotients:
        parts = list(self.parts)
        for numerator, denominator in other.parts:
            for k, (n, d) in enumerate(parts):
                if d == denominator:
                    parts[k] = (add(n, numerator), d)
                    break
            else:
                parts.append((numerator, denominator))
        return Quotients(tuple(part for part in parts if part[0]))

    def __neg__(self) -> Quotients:
        return Quotients(tuple((negate(n), d) for n, d in self.parts))

    def times(self, other: Quotients, limits: Limits = LIMITS) -> Quotients:
        """The product, part by part."""
        out = Quotients(())
        for n, d in self.parts:
            for m, e in other.parts:
                denominator = e if d == UNITY else d if e == UNITY else multiply(d, e, limits)
                out = out + Quotients.of(multiply(n, m, limits), denominator)
        return out

    def over(self, other: Quotients, limits: Limits = LIMITS) -> Quotients:
        """The quotient, by one quotient or a sum of them brought together."""
        n, d = _together(other.parts, limits)
        out = Quotients(())
        for m, e in self.parts:
            part = Quotients.of(m, n) if e == d else Quotients.of(multiply(m, d, limits), multiply(e, n, limits))
            out = out + part
        return out

    def is_zero(self, limits: Limits = LIMITS) -> bool:
        """Is the sum zero as a formal expression? True proves that the value is 0; False that it is not, if `is_algebraic`."""
        parts = [(n, d) for n, d in _regrouped(self.parts, limits) if n]
        if len(parts) < 2:
            return not parts
        if _differs(parts):
            return False
        return not _together(tuple(parts), limits)[0]

    def is_algebraic(self) -> bool:
        """Are all exponents and coefficients algebraic? Then the theorem holds, and different forms are different values."""
        sums = [side for part in self.parts for side in part]
        exponents = (unit for side in sums for exponent in side for unit, _, _ in exponent)
        coefficients = (unit for side in sums for c in side.values() for unit in c)
        return not any(unit.logs for unit in (*exponents, *coefficients))


def _together(parts: tuple[tuple[ExpSum, ExpSum], ...], limits: Limits) -> tuple[ExpSum, ExpSum]:
    numerator: ExpSum = {}
    denominator = UNITY
    for n, d in parts:
        numerator = add(multiply(numerator, d, limits), multiply(n, denominator, limits))
        denominator = multiply(denominator, d, limits)
    return numerator, denominator


def _inverse(term: ExpSum) -> ExpSum | None:
    """1/(c·e^s), for c a rational times a root; None for another c."""
    ((exponent, c),) = term.items()
    if len(c) > 1 or next(iter(c)).logs:
        return None
    return {_exponent(surds.negate(exponent_surd(exponent))): surds.divide(surds.rational(fmpq(1)), c)}


def _regrouped(parts: tuple[tuple[ExpSum, ExpSum], ...], limits: Limits) -> list[tuple[ExpSum, ExpSum]]:
    """Parts whose denominators differ by a factor c·e^s are one: divide each by its denominator's least term first."""
    out = Quotients(())
    for n, d in parts:
        least = min(d)
        if (inverse := _inverse({least: d[least]})) is not None:
            n, d = multiply(n, inverse, limits), multiply(d, inverse, limits)
        out = out + Quotients.of(n, d)
    return list(out.parts)


_PRIME = (1 << 61) - 1


def _differs(parts: list[tuple[ExpSum, ExpSum]]) -> bool:
    """True proves that the sum is not the zero expression; False says nothing.

    Write every exponent as Σ (p/q)·unit and put a variable x_unit = e^(unit/Q), Q the common denominator. The sum is then a
    rational function of the x with rational coefficients; it maps to the field of 2^61 − 1 elements by any choice of
    nonzero x, as long as no denominator becomes 0 (those of the coefficients included). A zero function maps to 0, so a
    nonzero image is a proof.
    """
    common: dict[Unit, int] = {}
    for pair in parts:
        for side in pair:
            for exponent, c in side.items():
                number = surds.as_rational(c)
                if number is None or number.q % _PRIME == 0:
                    return False
                for unit, _, q in exponent:
                    common[unit] = lcm(common.get(unit, 1), q)
    draw = Random(7)
    image = {unit: draw.randrange(2, _PRIME) for unit in sorted(common)}

    def value(side: ExpSum) -> int:
        total = 0
        for exponent, c in side.items():
            term = int(c[ONE].p) * pow(int(c[ONE].q), -1, _PRIME)
            for unit, p, q in exponent:
                term = term * pow(image[unit], p * (common[unit] // q), _PRIME) % _PRIME
            total += term
        return total % _PRIME

    total = 0
    for n, d in parts:
        bottom = value(d)
        if bottom == 0:
            return False
        total += value(n) * pow(bottom, -1, _PRIME)
    return total % _PRIME != 0
