"""The grammar of fields in a cloze question, as Moodle's importer takes it.

    {weight:TYPE:=right#feedback~%50%half~wrong}

An answer ends at the first ~, # or } that is neither escaped nor part of an entity, feedback at the first ~ or } that is not
escaped. The importer's pattern is tried here by its alternatives in its order, but from the right, so that no text takes
longer than the square of its length. Source: question/type/multianswer/questiontype.php of Moodle 4.5.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from html import unescape
from typing import Literal, TypeAlias

from exactattn.exports.lint.lexical import number

Family: TypeAlias = Literal["numerical", "shortanswer", "multichoice", "multiresponse"]

TYPES: dict[str, Family] = {
    **dict.fromkeys(("NUMERICAL", "NM"), "numerical"),
    **dict.fromkeys(("SHORTANSWER", "SA", "MW", "SHORTANSWER_C", "SAC", "MWC"), "shortanswer"),
    **dict.fromkeys(
        ("MULTICHOICE", "MC", "MULTICHOICE_V", "MCV", "MULTICHOICE_H", "MCH", "MULTICHOICE_S", "MCS", "MULTICHOICE_VS", "MCVS",
         "MULTICHOICE_HS", "MCHS"),
        "multichoice",
    ),
    **dict.fromkeys(
        ("MULTIRESPONSE", "MR", "MULTIRESPONSE_H", "MRH", "MULTIRESPONSE_S", "MRS", "MULTIRESPONSE_HS", "MRHS"), "multiresponse"
    ),
}  # fmt: skip
"""The types that the importer knows, by what they become."""

DROP_DOWNS = frozenset({"MULTICHOICE", "MC", "MULTICHOICE_S", "MCS"})
"""Types whose options are a list to drop down, which shows text alone."""

MOST_ENDS = 3_000
"""More marks that may end an answer than any field has: past so many a field is not one."""

_START = re.compile(rf"\{{(\d*):({'|'.join(sorted(TYPES, key=len, reverse=True))}):", re.ASCII)
_LOOKS_LIKE = re.compile(r"\{\s*[\d.,]*\s*:\s*([A-Za-z][A-Za-z_]+)\s*:", re.ASCII)
_SHARE = re.compile(r"=|%(-?\d+(?:[.,]\d*)?)%", re.ASCII)
_NUMBER = r"-?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][-+]?\d+)?"
_NUMERICAL = re.compile(rf"({_NUMBER})(?::({_NUMBER}))?", re.ASCII)


@dataclass(frozen=True, slots=True)
class Alternative:
    """One answer of a field: its share of the points, its text as decoded, what is said; the text as written."""

    share: Fraction
    text: str
    said: str
    raw: str

    @property
    def numbers(self) -> tuple[Fraction, Fraction] | None:
        """The number and the tolerance; None where the importer takes it for a text."""
        found = _NUMERICAL.fullmatch(self.raw)
        if found is None:
            return None
        middle, reach = (number((text or "0").replace(",", ".")) for text in found.groups())
        return None if middle is None or reach is None else (middle, abs(reach))


@dataclass(frozen=True, slots=True)
class Field:
    """A field that the importer finds: where it stands in the text, its type, its weight, its answers."""

    start: int
    end: int
    type: str
    weight: str
    alternatives: tuple[Alternative, ...]

    @property
    def family(self) -> Family:
        """What the importer makes of it."""
        return TYPES[self.type]


def fields(text: str) -> list[Field]:
    """The fields of a text, in order.

    >>> [one.text for one in fields("{1:NM:=0.5:0.01~%50%0.25:0~*}")[0].alternatives]
    ['0.5:0.01', '0.25:0', '*']
    >>> [one.text for one in fields("{1:MC:=\\\\frac{a}{b}~c}")[0].alternatives]
    ['\\\\frac{a']
    """
    out = []
    at = 0
    while (start := _START.search(text, at)) is not None:
        found = _alternatives(text, start.end())
        if found is None:
            at = start.start() + 1
            continue
        made, end = found
        out.append(Field(start.start(), end, start[2], start[1], made))
        at = end
    return out


def not_taken(text: str, found: list[Field]) -> Iterator[tuple[int, str]]:
    """What looks like a field and is none to the importer: where, and its type as written."""
    for one in _LOOKS_LIKE.finditer(text):
        if any(field.start <= one.start() < field.end for field in found):
            continue
        if one[1].upper() in TYPES or one[1].isupper():
            yield one.start(), one[1]


def _alternatives(text: str, begin: int) -> tuple[tuple[Alternative, ...], int] | None:
    """The answers from here to the end of the field, and that end; None where the pattern does not hold."""
    stop = _last_end(text, begin)
    ends = [k for k in range(begin, stop + 1) if text[k] in "~#}"]
    if not ends or len(ends) > MOST_ENDS:
        return None
    # for each beginning of an answer, from the right: its alternative, and where the next begins (-1: the field is closed)
    best: dict[int, tuple[Alternative, int, int]] = {}
    for start in [*(k + 1 for k in reversed(ends) if text[k] == "~"), begin]:
        made = _alternative(text, start, ends, best)
        if made is not None:
            best[start] = made
    if begin not in best:
        return None
    out, at = [], begin
    while True:
        one, following, closed = best[at]
        out.append(one)
        if closed >= 0:
            return tuple(out), closed
        at = following


def _last_end(text: str, begin: int) -> int:
    """Where the field closes at the latest: the last } before the next field would have to begin, or of the text."""
    nearest = _first_closing(text, begin)
    following = _START.search(text, begin)
    if following is not None and 0 <= nearest < following.start():
        return text.rfind("}", begin, following.start())
    return text.rfind("}", begin)


def _first_closing(text: str, begin: int) -> int:
    at = text.find("}", begin + 1)
    while at > 0 and text[at - 1] in "\\&":
        at = text.find("}", at + 1)
    return at


def _alternative(
    text: str, start: int, ends: list[int], best: dict[int, tuple[Alternative, int, int]]
) -> tuple[Alternative, int, int] | None:
    share = _SHARE.match(text, start)
    for begin, said in ([(share.end(), share)] if share else []) + [(start, None)]:
        for k in ends:
            if k <= begin or text[k - 1] in "\\&" or text.endswith("&amp;", begin, k):
                continue
            for close, feedback in _feedback(text, k, ends):
                if text[close] == "}" or close + 1 in best:
                    made = Alternative(_share_of(said), _decoded(text[begin:k]), _decoded(feedback), text[begin:k])
                    return (made, -1, close + 1) if text[close] == "}" else (made, close + 1, -1)
    return None


def _feedback(text: str, k: int, ends: list[int]) -> Iterator[tuple[int, str]]:
    """Where an answer that ends at k goes on, with its feedback."""
    if text[k] != "#":
        yield k, ""
        return
    for end in ends:
        if end > k and text[end] in "~}" and text[end - 1] != "\\":
            yield end, text[k + 1 : end]


def _share_of(found: re.Match[str] | None) -> Fraction:
    if found is None:
        return Fraction(0)
    if found[1] is None:
        return Fraction(1)
    return (number(found[1].replace(",", ".")) or Fraction(0)) / 100


def _decoded(text: str) -> str:
    return unescape(text).replace("\\}", "}").replace("\\#", "#")
