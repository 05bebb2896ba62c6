"""Derivatives and logarithms, by their rules.

A derivation is linear and follows the product rule; e^x is multiplied by the derivative of x. The logarithm of a product
of powers is the sum of the logarithms, and ln e^x = x; the logarithm of what is left is an atom, and different atoms are
taken as independent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from exactattn.identities.proving.ratio import Letters, Polynomial, Ratio, factors_of


def derivative(x: Ratio, by: str) -> Ratio:
    """The derivative by a letter: of letters 1 or 0, of an exponential by the chain rule, of fractions by the quotient rule."""
    letters = x.letters
    below = Ratio(letters, letters.ring.one, x.below)
    out = _of_polynomial(letters, x.above, by) * below
    for factor, power in x.below.items():
        inner = _of_polynomial(letters, factor, by) / Ratio(letters, factor, {})
        out = out - letters.number(power) * inner * x
    return out


def _of_polynomial(letters: Letters, polynomial: Polynomial, by: str) -> Ratio:
    out = letters.number(0)
    for name in letters.names:
        slope = polynomial.diff(letters.generator(name))
        if not slope:
            continue
        image = _image(letters, name, by)
        if image.above:
            out = out + Ratio(letters, slope, {}) * image
    return out


def _image(letters: Letters, name: str, by: str) -> Ratio:
    """The derivative of a letter or of an exponential."""
    exponent = letters.exponent_of(name)
    if exponent is None:
        return letters.number(1 if name == by else 0)
    return letters(name) * _of_polynomial(letters, exponent.above, by)


@dataclass(frozen=True, slots=True, eq=False)
class Logs:
    """rest + Σ coefficient · ln(atom), an atom being a polynomial without a factor that is a letter."""

    rest: Ratio
    atoms: Mapping[Polynomial, Ratio]

    def __add__(self, other: Logs) -> Logs:
        atoms = dict(self.atoms)
        for atom, coefficient in other.atoms.items():
            atoms[atom] = atoms[atom] + coefficient if atom in atoms else coefficient
        return Logs(self.rest + other.rest, atoms)

    def __sub__(self, other: Logs) -> Logs:
        return self + other.times(other.rest.letters.number(-1))

    def times(self, factor: Ratio) -> Logs:
        """Every term times a fraction."""
        return Logs(self.rest * factor, {atom: c * factor for atom, c in self.atoms.items()})

    def same(self, other: Logs) -> bool:
        """Are they equal, with the atoms as independent?"""
        difference = self - other
        return not difference.rest.above and not any(c.above for c in difference.atoms.values())


def plain(x: Ratio) -> Logs:
    """A fraction, without a logarithm."""
    return Logs(x, {})


def ln(x: Ratio) -> Logs:
    """The logarithm of a positive fraction, taken apart as far as its factors are known (a numerator is not factored).

    Raises ValueError where the fraction is not seen to be positive.
    """
    letters = x.letters
    if not x.is_positive():
        raise ValueError("the logarithm of what is not seen to be positive")
    rest, atoms = letters.number(0), dict[Polynomial, Ratio]()
    parts = [*((f, k) for f, k in factors_of(letters, x.above)), *((f, -k) for f, k in x.below.items())]
    for factor, power in parts:
        exponent = letters.exponent_of(str(factor)) if str(factor) in letters.names else None
        if exponent is not None:
            rest = rest + letters.number(power) * exponent
        else:
            before = atoms.get(factor, letters.number(0))
            atoms[factor] = before + letters.number(power)
    return Logs(rest, atoms)


def derivative_of_logs(x: Logs, by: str) -> Logs:
    """The derivative: D(c·ln f) = D(c)·ln f + c·D(f)/f."""
    out = Logs(derivative(x.rest, by), {atom: derivative(c, by) for atom, c in x.atoms.items()})
    for atom, coefficient in x.atoms.items():
        inside = Ratio(coefficient.letters, atom, {})
        out = out + plain(coefficient * derivative(inside, by) / inside)
    return out
