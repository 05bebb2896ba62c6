"""What students type, as exact numbers: a decimal, a fraction, a power of ten after e, a share in per cent.

Groups of three digits are read where they can be nothing else: "1 234", "1,234,567" and "1,234.5" under a decimal point (and
"1.234,5" under a comma), but not "1,234", which many write for 1.234. So is one number after a name, as in "N = 0.5".
Everything else is refused with one reason, whose words are in i18n under `marking.refused`. No float is made on the way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
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
# in rows: the digits of full width and their marks stand for themselves there, until a number is read
_DIGIT, _COMMA = "[0-9０-９]", "[,，]"
_LEADING = f"(?<![0-9.０-９．])[1-9１-９]{_DIGIT}{{0,2}}"
_THOUSAND = re.compile(rf"{_LEADING},{_DIGIT}{{3}}(?!{_DIGIT})").search
"""What may be a number with a mark of thousands."""
_AS_ONE = re.compile(
    rf"{_LEADING}(?:(?:{_COMMA}{_DIGIT}{{3}}){{2}}(?!{_DIGIT})|{_COMMA}{_DIGIT}{{3}}[.．]{_DIGIT})"
).search
"""What `number` reads as such a number: of two groups or more, or with a decimal point after them."""
_BRACKETS = re.compile(r"[(\[]\s*([^()\[\]]*?)\s*[)\]]\Z").match
_SIZE = re.compile(r"([1-9][0-9]*)\s*[×✕⨯xX*]\s*([1-9][0-9]*)\Z").match
_COUPLE = re.compile(r"([1-9][0-9]*),(?![0-9]{3}\Z)([1-9][0-9]*)\Z").match
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


def entries(text: str, decimal: Decimal = ".") -> list[list[str]]:
    """The entries of a matrix or row typed whole: rows by ";", entries by spaces. Nothing is read as a number yet.

    Brackets around it all or around a row are passed over, one name before it all, and commas between entries: those before
    a space, and all where there are decimal points. What may be a number with marks of thousands stays one entry, so that
    it is read as `number` reads it, or refused, and never becomes two. Where several equals signs stand, each is an entry
    too many: see `named`.

    >>> entries("0.1 1 / 4; 20 % .3"), entries("o = [0.1, -3]"), entries("(0.1,0.2)"), entries("0,1, 0,2")
    ([['0.1', '1/4'], ['20%', '.3']], [['0.1', '-3']], [['0.1', '0.2']], [['0,1', '0,2']])
    >>> entries("1,234.5 2"), entries("1,234.5,2"), entries("1.234,5 2", ",")
    ([['1,234.5', '2']], [['1,234.5,2']], [['1.234,5', '2']])
    """
    out = _closed_up(_unnamed(text.replace("＝", "=")).strip())
    out = re.sub(r"[\[\](){}（）［］]", " ", re.sub("[=≈]", " = ", out)).replace("、", " ").strip()
    loose = decimal == "." and "." in out
    rows = re.split("[;；]", re.sub(r"[;；]\s*$", "", out))
    return [[one for chunk in row.split() for one in _apart(chunk.rstrip(",，"), decimal, loose)] for row in rows]


def _apart(chunk: str, decimal: Decimal, loose: bool) -> list[str]:
    """What commas without a space part. A comma of full width parts as well, but where `number` takes all for one number."""
    if decimal == "," or _AS_ONE(chunk):
        return [chunk] if chunk else []
    parts = re.split("，+", chunk)
    return [one for part in parts for one in (part.split(",") if loose and not _THOUSAND(part) else [part]) if one]


def _closed_up(text: str) -> str:
    """Fractions and shares without the spaces in them."""
    return re.sub(r"\s*([/／⁄∕÷])\s*", r"\1", re.sub(r"\s+([%％])", r"\1", text))


def size(text: str, names: Sequence[str], decimal: Decimal = ".") -> list[str] | None:
    """The two numbers of a size, typed as a statement writes it: 16 × 12, with x or * for the sign, or (16,12).

    None where it is no size, or may be something else: (1,234) may be a number, and (16,12) is one under a decimal comma;
    "r = 16 × 12" says something of r alone, where r is one of the names of the two.

    >>> [size(text, ("r", "c")) for text in ("16 × 12", "S = (16x12)", "(16,12)", "16,12", "(1,234)", "r = 16 × 12")]
    [['16', '12'], ['16', '12'], ['16', '12'], None, None, None]
    """
    plain = text.translate(_ASCII).strip()
    said = _NAMED(plain)
    if said and _spelt(said[1]) in map(_spelt, names):
        return None
    plain = _unnamed(plain).strip()
    inner = _BRACKETS(plain)
    found = _SIZE(inner[1] if inner else plain) or (_COUPLE(inner[1]) if inner and decimal == "." else None)
    return [found[1], found[2]] if found else None


def named(text: str, names: Sequence[str]) -> list[str] | None:
    """The entries of a row that are typed with their names, each before its entry and in the order due; else None.

    >>> named("r = 16, c = 12", ("r", "c")), named("J_{21}≈0.5 J_22=1/4", ("J21", "J22")), named("c = 12, r = 16", ("r", "c"))
    (['16', '12'], ['0.5', '1/4'], None)
    """
    plain = _closed_up(text.translate(_ASCII).strip()).rstrip(",; ")
    inner = _BRACKETS(plain)
    first, *pieces = re.split("[=≈]", inner[1] if inner else plain)
    if len(pieces) != len(names) or not all(name[:1].isalpha() for name in names) or _spelt(first) != _spelt(names[0]):
        return None
    out: list[str] = []
    for piece, name in zip(pieces, [*names[1:], ""], strict=True):
        after = r"(?:\s*[,;、]\s*|\s+)" + r"[_{}]*".join(map(re.escape, _spelt(name))) + "}?" if name else ""
        found = re.fullmatch(rf"\s*(\S+?){after}\s*", piece)
        if not found:
            return None
        out.append(found[1])
    return out


def _spelt(name: str) -> str:
    """A name without what sets its index low: J_{21} is J21."""
    return re.sub(r"[_{}\s]", "", name)
