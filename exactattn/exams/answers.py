"""What students type, as exact numbers: a decimal, a fraction, a power of ten after e, a share in per cent.

Everything else is refused with one reason, whose words are in i18n under `marking.refused`. No float is made on the way.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from exactattn.errors import NumberError
from exactattn.numbers.parse import clean

Decimal: TypeAlias = Literal[".", ","]

MOST_CHARACTERS = 60
"""A longer answer is refused."""
MOST_EXPONENT = 60
"""So is a higher power of ten."""

# all runs of digits are bounded by MOST_CHARACTERS before these are tried
_DECIMAL = re.compile(r"([+-]?)([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?\Z").match
_FRACTION = re.compile(r"([+-]?)([0-9]+)/([0-9]+)\Z").match
_LOOSE = re.compile(r"\s*/\s*|\s+(?=%)|(?<=^[+-])\s+")


@dataclass(frozen=True, slots=True)
class Typed:
    """An answer that is a number: what it is, and half its last typed place (0 for a fraction, which is exact)."""

    text: str
    value: Fraction
    half: Fraction


@dataclass(frozen=True, slots=True)
class Unread:
    """An answer that is no number, and why: a key of `marking.refused`."""

    text: str
    why: str


def number(text: str, decimal: Decimal = ".", ask: str = "") -> Typed | Unread:
    """The number that was typed. Shares in per cent are read where weights are asked for.

    >>> [number(text).value for text in ("0.25", ".25", " 1/4 ", "2.5e-1", "０．２５", "\\u22120.25", "+.25")]
    [Fraction(1, 4), Fraction(1, 4), Fraction(1, 4), Fraction(1, 4), Fraction(1, 4), Fraction(-1, 4), Fraction(1, 4)]
    >>> number("0,25", decimal=",").value, number("25 %", ask="weights").value
    (Fraction(1, 4), Fraction(1, 4))
    >>> number("0,25").why, number("ln 2").why, number("1/0").why, number("25 %").why
    ('comma', 'no-number', 'zero', 'percent')
    """
    shown = text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS] + "…"
    if len(text) > MOST_CHARACTERS:
        return Unread(shown, "long")
    try:
        out = _LOOSE.sub(lambda gap: gap[0].strip(), clean(text, decimal))
    except NumberError:
        return Unread(shown, "point" if decimal == "," else "comma")
    if not out:
        return Unread(shown, "empty")
    by = 1
    if out.endswith("%"):
        if ask != "weights":
            return Unread(shown, "percent")
        out, by = out[:-1], 100
    if re.search(r"[0-9.]\s+[0-9.]", out):
        return Unread(shown, "several")
    found = _FRACTION(out)
    if found:
        if int(found[3]) == 0:
            return Unread(shown, "zero")
        value = Fraction(int(found[2]), int(found[3]) * by)
        return Typed(text, -value if found[1] == "-" else value, Fraction(0))
    found = _DECIMAL(out)
    if not found or not (found[2] or found[3]):
        return Unread(shown, "no-number")
    exponent = int(found[4] or 0)
    if abs(exponent) > MOST_EXPONENT:
        return Unread(shown, "long")
    part = found[3] or ""
    place = Fraction(10) ** (exponent - len(part)) / by
    value = int(found[2] + part) * place
    return Typed(text, -value if found[1] == "-" else value, place / 2)


def entries(text: str) -> list[list[str]]:
    """The entries of a matrix or row typed whole: rows by ";", entries by spaces. Nothing is read as a number yet.

    Brackets around it all or around a row are passed over, and so are commas between entries: those before a space, and all
    where there are decimal points.

    >>> entries("0.1 1 / 4; 20 % .3"), entries("[0.1, -3]"), entries("(0.1,0.2)"), entries("0,1, 0,2")
    ([['0.1', '1/4'], ['20%', '.3']], [['0.1', '-3']], [['0.1', '0.2']], [['0,1', '0,2']])
    """
    out = re.sub(r"\s*([/／⁄∕÷])\s*", r"\1", re.sub(r"\s+([%％])", r"\1", text.strip()))
    out = re.sub(r"[，、]", ", ", re.sub(r"[\[\](){}（）［］]", " ", out)).strip()
    out = re.sub(r",(?=\s)" if "." not in out else ",", " ", out)
    return [row.split() for row in re.split("[;；]", re.sub(r"[;；]\s*$", "", out))]
