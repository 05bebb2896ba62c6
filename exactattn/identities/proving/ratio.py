"""Fractions of polynomials, over sympy's sparse polynomial rings with rational coefficients.

The generators are letters (scores, values, constants) and exponentials of monomials in them, e^(s_1) or e^(q_1·k_11).
Exponentials of different monomials are taken as independent: what is proved of independent generators holds of the
exponentials, which are values of them. So an equality that is shown here is true; one that is refused may still be true.

A fraction is a polynomial over a product of powers of polynomials, kept apart. Sums take the least common power of each
factor, equality compares numerators, and no greatest common divisor is ever computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from exactattn.errors import InputError

Polynomial: TypeAlias = Any
"""An element of a sympy PolyRing."""

Monomial: TypeAlias = tuple[str, ...]
"""Letters that are multiplied."""


class Letters:
    """The ring of some letters and of the exponentials of some monomials in them.

    `exponents` are the monomials that have an exponential; `known` gives exponentials that are numbers or letters, such as
    e^(ln c) = c. `positive` and `not_negative` say what is assumed of letters; exponentials are positive.
    """

    def __init__(
        self,
        scalars: Sequence[str],
        exponents: Sequence[Monomial] = (),
        known: Mapping[str, str] | None = None,
        positive: Iterable[str] = (),
        not_negative: Iterable[str] = (),
    ) -> None:
        from sympy import QQ
        from sympy.polys.rings import PolyRing

        self.scalars = tuple(scalars)
        self.exponents = {tuple(sorted(monomial)): f"e^{'*'.join(monomial)}" for monomial in exponents}
        self.known = dict(known or {})
        self.positive = {*self.exponents.values(), *positive}
        self.not_negative = {*self.positive, *not_negative}
        self.names = (*self.scalars, *self.exponents.values())
        self.ring = PolyRing(self.names, QQ)
        self._at = {name: k for k, name in enumerate(self.names)}

    def __call__(self, name: str) -> Ratio:
        """A letter as a fraction."""
        return Ratio(self, self.generator(name), {})

    def generator(self, name: str) -> Polynomial:
        """A letter as an element of the ring."""
        return self.ring.gens[self._at[name]]

    def number(self, value: int | Fraction) -> Ratio:
        """A rational number."""
        from sympy import QQ

        exact = Fraction(value)
        return Ratio(self, self.ring.ground_new(QQ(exact.numerator, exact.denominator)), {})

    def exponential(self, x: Ratio) -> Ratio:
        """e to a polynomial whose monomials all have an exponential, with whole coefficients."""
        if x.below:
            raise InputError("e to a fraction has no letter here")
        out = self.number(1)
        for powers, coefficient in x.above.terms():
            factor = self._exponential(powers)
            k = int(coefficient)
            if k != coefficient:
                raise InputError("e to a part of a letter has no letter here")
            for _ in range(abs(k)):
                out = out * factor if k > 0 else out / factor
        return out

    def _exponential(self, powers: tuple[int, ...]) -> Ratio:
        monomial = tuple(sorted(name for name, k in zip(self.names, powers, strict=True) for _ in range(k)))
        if len(monomial) == 1 and monomial[0] in self.known:
            value = self.known[monomial[0]]
            return self(value) if value in self._at else self.number(Fraction(value))
        if monomial not in self.exponents:
            raise InputError("e to {monomial} has no letter here", monomial="*".join(monomial) or "1")
        return self(self.exponents[monomial])

    def exponent_of(self, name: str) -> Ratio | None:
        """The monomial an exponential is e to the power of; None for a letter."""
        for monomial, exponential in self.exponents.items():
            if exponential == name:
                out = self.number(1)
                for letter in monomial:
                    out = out * self(letter)
                return out
        return None


@dataclass(frozen=True, slots=True, eq=False)
class Ratio:
    """above / Π factor^power, the factors being keys of `below`."""

    letters: Letters
    above: Polynomial
    below: Mapping[Polynomial, int]

    def __add__(self, other: Ratio) -> Ratio:
        common = {f: max(self.below.get(f, 0), other.below.get(f, 0)) for f in {**self.below, **other.below}}
        return Ratio(self.letters, self._over(common) + other._over(common), common)

    def __sub__(self, other: Ratio) -> Ratio:
        return self + -other

    def __neg__(self) -> Ratio:
        return Ratio(self.letters, -self.above, self.below)

    def __mul__(self, other: Ratio) -> Ratio:
        below = {f: self.below.get(f, 0) + other.below.get(f, 0) for f in {**self.below, **other.below}}
        return _lowest(self.letters, self.above * other.above, below)

    def __truediv__(self, other: Ratio) -> Ratio:
        if not other.above:
            raise ZeroDivisionError("division by the polynomial 0")
        above = self.above
        for factor, power in other.below.items():
            above *= factor**power
        below = dict(self.below)
        for factor, power in factors_of(self.letters, other.above):
            below[factor] = below.get(factor, 0) + power
        return _lowest(self.letters, above, below)

    def _over(self, common: Mapping[Polynomial, int]) -> Polynomial:
        """The numerator over a common denominator."""
        out = self.above
        for factor, power in common.items():
            if missing := power - self.below.get(factor, 0):
                out *= factor**missing
        return out

    def same(self, other: Ratio) -> bool:
        """Are they equal as fractions of polynomials?"""
        return not (self - other).above

    def is_not_negative(self) -> bool:
        """Is it 0, or are all its coefficients positive and no letter of it negative, over positive factors?"""
        letters = self.letters
        if not all(Ratio(letters, factor, {}).is_positive() for factor in self.below):
            return False
        return all(c > 0 for c in self.above.coeffs()) and all(term <= letters.not_negative for term in self._terms())

    def is_positive(self) -> bool:
        """The same, with a term whose letters are all positive (a positive number alone is one)."""
        return self.is_not_negative() and any(term <= self.letters.positive for term in self._terms())

    def _terms(self) -> list[set[str]]:
        """The letters of each term."""
        names = self.letters.names
        return [{name for name, k in zip(names, powers, strict=True) if k} for powers in self.above.monoms()]


def factors_of(letters: Letters, polynomial: Polynomial) -> list[tuple[Polynomial, int]]:
    """A polynomial as its monomial factor, letter by letter, and the rest."""
    powers = [min(column) for column in zip(*polynomial.monoms(), strict=True)]
    out = [(letters.ring.gens[k], power) for k, power in enumerate(powers) if power]
    rest = polynomial
    for generator, power in out:
        rest = rest.exquo(generator**power)
    # a copy: sympy's division may have asked for a hash, which is kept, before the quotient was whole
    return out if rest == 1 else [*out, (rest.copy(), 1)]


def _lowest(letters: Letters, above: Polynomial, below: Mapping[Polynomial, int]) -> Ratio:
    """With common letters cancelled, and factors too that are the whole numerator."""
    left = dict(below)
    for factor in list(left):
        if len(factor) > 1 and above != factor:
            continue
        while left[factor] and above and (above == factor or _divides(factor, above)):
            above = above.exquo(factor)
            left[factor] -= 1
    return Ratio(letters, above, {f: power for f, power in left.items() if power})


def _divides(letter: Polynomial, polynomial: Polynomial) -> bool:
    """Does a single letter divide every term? A number always does."""
    (powers,) = letter.monoms()
    return all(all(k >= due for k, due in zip(term, powers, strict=True)) for term in polynomial.monoms())
