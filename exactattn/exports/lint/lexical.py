"""Numbers as files write them, read exactly; nothing that is not one is taken for one."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from fractions import Fraction

MOST_DIGITS = 1000
MOST_EXPONENT = 400
"""No double reaches 10^400."""

_NUMBER = re.compile(r"([+-]?)(?:(\d+)\.?(\d*)|\.(\d+))(?:[eE]([+-]?\d+))?", re.ASCII)
_INTEGER = re.compile(r"[+-]?\d+", re.ASCII)

SPACE = " \t\r\n"
"""What XML takes for white space. A no-break space is none."""
_DASHES = frozenset("\u2010\u2011\u2012\u2013\u2014\u2212\ufe58\ufe63\uff0d")
_POINTS = frozenset("\u066b\uff0e")
_SPACES = frozenset("\u200b\u200c\u200d\u2060\ufeff'\u2019_")
"""What is set between thousands beside spaces, and what cannot be seen."""


def number(text: str) -> Fraction | None:
    """A decimal, with or without an exponent; None where the text is none, white space around it aside.

    >>> number("-2.5e-3"), number("1/200"), number("0,5"), number("1e999"), number(".5")
    (Fraction(-1, 400), None, None, None, Fraction(1, 2))
    """
    tidy = text.strip(SPACE)
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
    tidy = text.strip(SPACE)
    return Fraction(tidy) if _INTEGER.fullmatch(tidy) and len(text) <= MOST_DIGITS else None


def strange(
    text: str, reads: Callable[[str], bool] = lambda tidy: number(tidy) is not None, trimmed: str = SPACE
) -> str:
    """The first character but for which a text would be a number; "" where there is none, or where it still would be none.

    What is `trimmed` about the text does no harm.

    >>> named(strange("1\u202f000")), named(strange("−0.5")), named(strange("1 000")), strange("1/2"), strange("0.5")
    ('U+202F NARROW NO-BREAK SPACE', 'U+2212 MINUS SIGN', 'U+0020 SPACE', '', '')
    """
    meant = text.strip(trimmed) if trimmed else text
    tidy = "".join(map(_plain, meant[: 2 * MOST_DIGITS]))
    return next((c for c in meant if _plain(c) != c), "") if reads(tidy) else ""


def _plain(c: str) -> str:
    """A character as it was meant in a number."""
    if c in _DASHES:
        return "-"
    if c in _POINTS:
        return "."
    if c in _SPACES or c.isspace():
        return ""
    if not c.isascii() and c.isdecimal():
        return str(unicodedata.decimal(c))
    return c


def named(c: str) -> str:
    """A character by its number and its name."""
    return f"U+{ord(c):04X} {unicodedata.name(c, '')}".strip()


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
