"""How much of each thing is worked with before an error says so. Every limit is an argument, none a global."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Limits:
    """Limits on input and precision. Hashed as an object: it is a key of the caches of parsing.

    Raise one with `limits=replace(LIMITS, digits=5000)` or `--limit digits=5000`."""

    digits: int = 1_000
    """Digits of one written number."""
    exponent: int = 4_000
    """Size of the decimal exponent of a written number."""
    radicand: int = 10**12
    """Numerator and denominator under sqrt and ln: they are factored."""
    nesting: int = 100
    """Brackets within brackets."""
    operations: int = 200
    """Operations in one written number."""
    units: int = 100
    """Different roots and logarithms in one written number."""
    places: int = 10_000
    """Digits asked for."""
    bits: int = 100_000
    """Precision at which a comparison or rounding gives up."""
    terms: int = 100_000
    """Terms of a normal form multiplied out to prove an equality."""


LIMITS = Limits()
