"""Numbers as files write them, read exactly; nothing that is not one is taken for one."""

from __future__ import annotations

import re
from fractions import Fraction

MOST_DIGITS = 1000
MOST_EXPONENT = 400
"""No double reaches 10^400."""

_NUMBER = re.compile(r"([+-]?)(?:(\d+)\.?(\d*)|\.(\d+))(?:[eE]([+-]?\d+))?", re.ASCII)
_INTEGER = re.compile(r"[+-]?\d+", re.ASCII)


def number(text: str) -> Fraction | None:
    """A decimal, with or without an exponent; None where the text is none, white space around it aside.

    >>> number("-2.5e-3"), number("1/200"), number("0,5"), number("1e999"), number(".5")
    (Fraction(-1, 400), None, None, None, Fraction(1, 2))
    """
    tidy = text.strip()
    found = _NUMBER.fullmatch(tidy) if len(tidy) <= MOST_DIGITS + 20 else None
    if found is None:
        return None
    sign, whole, places, only, exponent = found.groups(default="")
    digits, after = (whole + places, len(places)) if whole else (only, len(only))
    power = int(exponent or 0) - after if len(exponent) < 8 else MOST_EXPONENT + 1
    if len(digits) > MOST_DIGITS or abs(power) > MOST_EXPONENT + MOST_DIGITS or abs(power + after) > MOST_EXPONENT:
        return None
    x = Fraction(int(digits)) * Fraction(10) ** power
    return -x if sign == "-" else x


def integer(text: str) -> Fraction | None:
    """A whole number in digits.

    >>> integer(" -7 "), integer("7.0")
    (Fraction(-7, 1), None)
    """
    return Fraction(text.strip()) if _INTEGER.fullmatch(text.strip()) and len(text) <= MOST_DIGITS else None


def shown(x: Fraction) -> str:
    """A number for a sentence: its decimals where they end, else the fraction.

    >>> shown(Fraction(-1, 400)), shown(Fraction(1, 3)), shown(Fraction(3))
    ('-0.0025', '1/3', '3')
    """
    for places in range(31):
        if 10**places % x.denominator == 0:
            whole = f"{abs(x.numerator) * 10**places // x.denominator:0{places + 1}d}"
            text = f"{whole[:-places]}.{whole[-places:]}" if places else whole
            return f"-{text}" if x < 0 else text
    return str(x)
