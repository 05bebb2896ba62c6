"""What students type, as exact numbers: a decimal, a fraction, a power of ten after e, a share in per cent.

Groups of three digits are read where they can be nothing else: "1 234", "1,234,567" and "1,234.5" under a decimal point (and
"1.234,5" under a comma), but not "1,234", which many write for 1.234. So is one number after a name, as in "N = 0.5".
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
_NAMED = re.compile(r"([^=≈]*)[=≈]([^=≈]*)\Z").match
_SPACED = re.compile(r"([+-]?)([1-9][0-9]{0,2}(?: [0-9]{3})+)(\.[0-9]*)?\Z").match
_GROUPED = {
    ".": re.compile(r"([^0-9.,]*)([1-9][0-9]{0,2}(?:,[0-9]{3})+)(\.[0-9]+)?([^0-9.,]*)\Z").match,
    ",": re.compile(r"([^0-9.,]*)([1-9][0-9]{0,2}(?:\.[0-9]{3})+)(,[0-9]+)?([^0-9.,]*)\Z").match,
}
_ASCII: dict[int, int | None] = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0xFEFF: None, 0x2061: None}
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
    >>> [int(number(text).value) for text in ("1 234", "1,234,567", "1,234.0", "N = 1234")]
    [1234, 1234567, 1234, 1234]
    >>> number("1,234").why, number("0,25").why, number("ln 2").why, number("1/0").why, number("25 %").why
    ('comma', 'comma', 'no-number', 'zero', 'percent')
    """
    shown = text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS] + "…"
    if len(text) > MOST_CHARACTERS:
        return Unread(shown, "long")
    try:
        out = _LOOSE.sub(lambda gap: gap[0].strip(), clean(_bare(text.translate(_ASCII), decimal), decimal))
    except NumberError:
        return Unread(shown, "point" if decimal == "," else "comma")
    if not out:
        return Unread(shown, "empty")
    by = 1
    if out.endswith("%"):
        if ask != "weights":
            return Unread(shown, "percent")
        out, by = out[:-1], 100
    spaced = _SPACED(out)
    if spaced:
        out = spaced[1] + spaced[2].replace(" ", "") + (spaced[3] or "")
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


def _bare(text: str, decimal: Decimal) -> str:
    """Without the name before a number, and without marks of thousands where they are no decimal marks."""
    text = _unnamed(text)
    grouped = _GROUPED[decimal](text)
    mark = "," if decimal == "." else "."
    if grouped and (grouped[3] or grouped[2].count(mark) > 1):
        return grouped[1] + grouped[2].replace(mark, "") + (grouped[3] or "") + grouped[4]
    return text


def _unnamed(text: str) -> str:
    """What stands after the only equals sign, where nothing or a name is before it: "2x = 1" says something else."""
    named = _NAMED(text)
    return named[2] if named and (not named[1].strip() or named[1].strip()[0].isalpha()) else text


def entries(text: str) -> list[list[str]]:
    """The entries of a matrix or row typed whole: rows by ";", entries by spaces. Nothing is read as a number yet.

    Brackets around it all or around a row are passed over, one name before it all, and commas between entries: those before
    a space, and all where there are decimal points. Where several equals signs stand, each is an entry too many: their names
    may be in another order than the entries.

    >>> entries("0.1 1 / 4; 20 % .3"), entries("o = [0.1, -3]"), entries("(0.1,0.2)"), entries("0,1, 0,2")
    ([['0.1', '1/4'], ['20%', '.3']], [['0.1', '-3']], [['0.1', '0.2']], [['0,1', '0,2']])
    """
    out = re.sub(r"\s*([/／⁄∕÷])\s*", r"\1", re.sub(r"\s+([%％])", r"\1", _unnamed(text.replace("＝", "=")).strip()))
    out = re.sub("[=≈]", " = ", out)
    out = re.sub(r"[，、]", ", ", re.sub(r"[\[\](){}（）［］]", " ", out)).strip()
    out = re.sub(r",(?=\s)" if "." not in out else ",", " ", out)
    return [row.split() for row in re.split("[;；]", re.sub(r"[;；]\s*$", "", out))]
