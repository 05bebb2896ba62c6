"""What figures measure: exact values from printed texts, tints, and round numbers on an axis. No floats here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Literal, TypeAlias

from exactattn.errors import ShapeError

Amount: TypeAlias = Fraction | int | None
"""An exact value, or None where there is none to draw (masked, left out, in letters)."""

Palette: TypeAlias = Literal["weight", "score"]

_DECIMAL = re.compile(r"[+-]?\d+(\.\d+)?(e[+-]?\d{1,6})?|[+-]?\d+/\d+", re.ASCII)


def amount(text: str) -> Fraction | None:
    """The exact value of a printed number, None for any other text ("…", "−∞").

    >>> amount("-0.40"), amount("1.5e-1"), amount("…")
    (Fraction(-2, 5), Fraction(3, 20), None)
    """
    return Fraction(text) if _DECIMAL.fullmatch(text) else None


def said(text: str) -> str:
    """A number within a sentence: with a minus sign.

    >>> said("-0.37"), said("−∞")
    ('−0.37', '−∞')
    """
    return f"−{text[1:]}" if text.startswith("-") else text


def amounts(texts: Sequence[str], given: Sequence[Amount] | None) -> tuple[Amount, ...]:
    """The values given, or those of the texts.

    Raises ShapeError where there are not as many values as texts.
    """
    if given is None:
        return tuple(map(amount, texts))
    if len(given) != len(texts):
        raise ShapeError(
            "{values} values came for {texts} texts: give one for each", values=len(given), texts=len(texts)
        )
    return tuple(given)


def largest(values: Iterable[Amount]) -> Fraction:
    """The largest magnitude among the values, 0 where there are none."""
    return max((abs(Fraction(v)) for v in values if v is not None), default=Fraction(0))


def tint(value: Amount, top: Fraction, palette: Palette) -> int:
    """A value as a percentage of `top`: from 0 for weights, signed for scores; 0 for no value.

    >>> tint(Fraction(1, 4), Fraction(1, 2), "weight"), tint(Fraction(-1, 2), Fraction(1, 2), "score")
    (50, -100)
    """
    if value is None or top == 0:
        return 0
    # floor(x + 1/2) never decreases in x, so tints keep the order of values
    percent = (200 * Fraction(value) / top + 1) // 2
    return max(-100 if palette == "score" else 0, min(100, int(percent)))


def ticks(low: Fraction, high: Fraction, most: int = 5) -> tuple[Fraction, ...]:
    """Round numbers, multiples of 1, 2 or 5 times a power of ten, that enclose low ≤ high and 0, in at most `most` steps.

    >>> [str(t) for t in ticks(Fraction(0), Fraction("0.734"))]
    ['0', '1/5', '2/5', '3/5', '4/5']
    """
    low, high = min(low, Fraction(0)), max(high, Fraction(0))
    if low == high:
        high = Fraction(1)
    power = _magnitude(high - low) + 1
    best = _between(low, high, Fraction(10) ** power)
    for exponent in (power - 1, power - 2):
        for digit in (5, 2, 1):
            finer = _between(low, high, digit * Fraction(10) ** exponent)
            if len(finer) > most + 1:
                return best
            best = finer
    return best


def _between(low: Fraction, high: Fraction, step: Fraction) -> tuple[Fraction, ...]:
    return tuple(step * k for k in range(low // step, -(-high // step) + 1))


def tick_texts(values: Sequence[Fraction]) -> tuple[str, ...]:
    """The exact texts of evenly spaced round numbers, all with the same places, or in scientific form.

    >>> tick_texts(ticks(Fraction(0), Fraction("0.734")))
    ('0.0', '0.2', '0.4', '0.6', '0.8')
    >>> tick_texts(ticks(Fraction(0), Fraction(4, 10**8)))
    ('0', '1e-8', '2e-8', '3e-8', '4e-8')
    """
    exponent = _magnitude(values[1] - values[0])
    if -5 < exponent < 6:
        return tuple(_fixed(value, max(0, -exponent)) for value in values)
    return tuple(_scientific(value) for value in values)


def _magnitude(value: Fraction) -> int:
    """The largest e with 10^e ≤ value, for a positive value.

    A numerator of a digits over a denominator of b lies between 10^(a−1−b) and 10^(a−b+1): only two e are possible.
    """
    exponent = len(str(value.numerator)) - len(str(value.denominator))
    return exponent if Fraction(10) ** exponent <= value else exponent - 1


def _fixed(value: Fraction, places: int) -> str:
    scaled = value * 10**places
    assert scaled.denominator == 1, "a tick has no more places than its step"
    figures = str(abs(scaled.numerator)).rjust(places + 1, "0")
    whole, part = figures[: len(figures) - places], figures[len(figures) - places :]
    return ("-" if value < 0 else "") + whole + ("." + part if places else "")


def _scientific(value: Fraction) -> str:
    if value == 0:
        return "0"
    exponent = _magnitude(abs(value))
    mantissa, places = value / Fraction(10) ** exponent, 0
    while (mantissa * 10**places).denominator != 1:
        places += 1
    return f"{_fixed(mantissa, places)}e{exponent}"
