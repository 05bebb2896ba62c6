"""Rounding and drawing that know nothing of the package: what its numbers are held against."""

from __future__ import annotations

from fractions import Fraction

FACTS = {"float16": (11, -14, 15), "bfloat16": (8, -126, 127), "float32": (24, -126, 127), "float64": (53, -1022, 1023)}
"""Significant bits, least and largest exponent, as IEEE 754 and the makers of bfloat16 state them."""


def nearest(x: Fraction, name: str) -> float:
    """x rounded to a format by Python's own half-even rounding of a fraction."""
    p, emin, emax = FACTS[name]
    if x == 0:
        return 0.0
    e = max(emin, abs(x.numerator).bit_length() - x.denominator.bit_length() - 1)
    while abs(x) >= Fraction(2) ** (e + 1):
        e += 1
    step = Fraction(2) ** (e - p + 1)
    n = round(x / step) * step
    if abs(n) >= Fraction(2) ** (emax + 1):
        return float("inf") if n > 0 else float("-inf")
    return float(n) + 0.0
