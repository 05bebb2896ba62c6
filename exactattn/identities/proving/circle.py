"""The ring of two letters with c² + s² = 1: rotations without an angle.

Every polynomial has one normal form with s to the power 0 or 1 (s² is replaced by 1 − c²), since c² + s² − 1 is monic in s.
Equal normal forms are equal on the circle, and different ones are different somewhere on it.
"""

from __future__ import annotations

from exactattn.identities.proving.ratio import Letters, Polynomial, Ratio

Turn = tuple[tuple[Ratio, Ratio], tuple[Ratio, Ratio]]
"""A 2 × 2 matrix."""


def reduced(x: Ratio) -> Ratio:
    """The normal form of a polynomial in c, s and other letters."""
    letters = x.letters
    c, s = letters.generator("c"), letters.generator("s")
    at = letters.names.index("s")
    out: Polynomial = letters.ring.zero
    for powers, coefficient in x.above.terms():
        k = powers[at]
        term = letters.ring.from_dict({tuple(0 if j == at else power for j, power in enumerate(powers)): coefficient})
        out += term * s ** (k % 2) * (1 - c**2) ** (k // 2)
    return Ratio(letters, out, x.below)


def rotation(letters: Letters, steps: int) -> Turn:
    """The rotation by so many times the angle whose cosine and sine are c and s."""
    c, s, one, zero = letters("c"), letters("s"), letters.number(1), letters.number(0)
    base: Turn = ((c, -s), (s, c)) if steps >= 0 else ((c, s), (-s, c))
    out: Turn = ((one, zero), (zero, one))
    for _ in range(abs(steps)):
        out = _product(out, base)
    return out


def _product(a: Turn, b: Turn) -> Turn:
    (p, q), (r, t) = (tuple(reduced(x * b[0][j] + y * b[1][j]) for j in (0, 1)) for x, y in a)
    return ((p, q), (r, t))


def turned(turn: Turn, pair: tuple[Ratio, Ratio]) -> tuple[Ratio, Ratio]:
    """A pair of entries after the rotation."""
    x, y = pair
    return reduced(turn[0][0] * x + turn[0][1] * y), reduced(turn[1][0] * x + turn[1][1] * y)
