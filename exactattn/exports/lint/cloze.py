"""The grammar of fields in a cloze question, as Moodle's importer takes it.

    {weight:TYPE:=right#feedback~%50%half~wrong}

An answer ends at the first ~, # or } that is neither escaped nor part of an entity, feedback at the first ~ or } that is not
escaped. The importer's pattern is tried here by its ways in its order, but none of them twice, so that no text takes longer
than the cube of its marks; `MOST_STEPS` bounds that. Source: question/type/multianswer/questiontype.php of Moodle 4.5.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from html import unescape
from typing import Literal, TypeAlias

from exactattn.errors import LimitError
from exactattn.exports.lint.lexical import MOST_DIGITS, number, strange

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

MOST_STEPS = 2_000_000
"""So many marks are tried as the end of an answer before a text is given up; Moodle's own pattern gives up sooner."""

_START = re.compile(rf"\{{(\d*):({'|'.join(sorted(TYPES, key=len, reverse=True))}):", re.ASCII)
_LOOKS_LIKE = re.compile(
    r"\{[ \t]{0,3}[\d.,]{0,9}[ \t]{0,3}:[ \t]{0,3}([A-Za-z][A-Za-z_]{1,30})[ \t]{0,3}[:}]", re.ASCII
)
_SHARE = re.compile(r"=|%-?\d+(?:[.,]\d*)?%", re.ASCII)
_ONE = re.compile(
    rf"~?({_SHARE.pattern})?(.+?(?<![\\&])(?<!&amp;)(?=[~#}}]|$))(?:#(.*?(?<!\\)(?=[~}}]|$)))?", re.ASCII | re.DOTALL
)
_NUMBER = r"-?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][-+]?\d+)?"
_NUMERICAL = re.compile(rf"({_NUMBER})(?::({_NUMBER}))?", re.ASCII)


def _numerical(text: str) -> re.Match[str] | None:
    return _NUMERICAL.fullmatch(text) if len(text) <= 2 * MOST_DIGITS else None


@dataclass(frozen=True, slots=True)
class Alternative:
    """One answer of a field: its share of the points, its text as decoded, what is said; the text as written."""

    share: Fraction
    text: str
    said: str
    raw: str

    @property
    def numbers(self) -> tuple[Fraction, Fraction] | None:
        """The number and the tolerance, as written; None where the importer takes it for a text."""
        found = _numerical(self.raw)
        if found is None:
            return None
        middle, reach = (number((text or "0").replace(",", ".")) for text in found.groups())
        return None if middle is None or reach is None else (middle, reach)

    @property
    def empty(self) -> bool:
        """Was it left empty? Then the mark behind it is taken in, or before it at the very end."""
        return self.raw[0] in "}~#" or _SHARE.fullmatch(self.raw) is not None

    @property
    def strange(self) -> str:
        """The first character that keeps it from being a number, "" for none. Here a space about it does as well."""
        return "" if self.numbers is not None else strange(self.text, lambda tidy: _numerical(tidy) is not None, "")


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


@lru_cache(maxsize=4)  # every rule asks for those of one question
def fields(text: str) -> tuple[Field, ...]:
    """The fields of a text, in order.

    >>> [one.text for one in fields("{1:NM:=0.5:0.01~%50%0.25:0~*}")[0].alternatives]
    ['0.5:0.01', '0.25:0', '*']
    >>> [one.text for one in fields("{1:MC:=\\\\frac{a}{b}~c}")[0].alternatives]
    ['\\\\frac{a']
    """
    return tuple(_Fields(text).found())


def not_taken(text: str, found: Sequence[Field]) -> Iterator[tuple[int, str]]:
    """What looks like a field and is none to the importer: where, and its type as written."""
    for one in _LOOKS_LIKE.finditer(text):
        if any(field.start <= one.start() < field.end for field in found):
            continue
        if one[1].upper() in TYPES or one[1].isupper():
            yield one.start(), one[1]


class _Fields:
    """The fields of one text, and how many steps are left for finding them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.ends = [k for k, c in enumerate(text) if c in "~#}"]
        self.last = text.rfind("}")
        self.steps = MOST_STEPS

    def found(self) -> list[Field]:
        out = []
        at = 0
        while (start := _START.search(self.text, at)) is not None:
            end = self.closed(start.end())
            if end is None:
                at = start.start() + 1
                continue
            at = end
            out.append(Field(start.start(), at, start[2], start[1], _answers(self.text[start.end() : at - 1])))
        return out

    def step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise LimitError(
                "a text of a cloze question has too many braces and tildes to be told apart: split the question"
            )

    def closed(self, begin: int) -> int | None:
        """Where a field ends whose answers begin here: the first way of the pattern that comes to an end; None for none."""
        failed: set[int] = set()
        ways = [(begin, self.ways(begin))]
        while ways:
            start, way = ways[-1]
            for close in way:
                if self.text[close] == "}":
                    return close + 1
                if close + 1 not in failed:
                    ways.append((close + 1, self.ways(close + 1)))
                    break
            else:
                failed.add(start)
                ways.pop()
        return None

    def ways(self, start: int) -> Iterator[int]:
        """Where an answer with its feedback may end that begins here, at ~ or }, in the pattern's order."""
        text, share = self.text, _SHARE.match(self.text, start)
        for begin in ([share.end()] if share else []) + [start]:
            for k in self.between(begin):
                if text[k - 1] not in "\\&" and not text.endswith("&amp;", begin, k):
                    yield from self.feedback(k)

    def between(self, after: int) -> Iterator[int]:
        """The marks past a place that a } comes after, in order."""
        for i in range(bisect_right(self.ends, after), len(self.ends)):
            if self.ends[i] > self.last:
                return
            self.step()
            yield self.ends[i]

    def feedback(self, k: int) -> Iterator[int]:
        """Where an answer that ends at k goes on, past its feedback."""
        if self.text[k] != "#":
            yield k
            return
        for end in self.between(k):
            if self.text[end] in "~}" and self.text[end - 1] != "\\":
                yield end


def _answers(text: str) -> tuple[Alternative, ...]:
    """The answers of a field: the importer goes through the whole once more, one by one."""
    out = []
    while (found := _ONE.search(text)) is not None:
        out.append(Alternative(_share_of(found[1]), _decoded(found[2]), _decoded(found[3] or ""), found[2]))
        text = text[found.end() :]
    return tuple(out)


def _share_of(found: str | None) -> Fraction:
    if found is None:
        return Fraction(0)
    return Fraction(1) if found == "=" else (number(found.strip("%").replace(",", ".")) or Fraction(0)) / 100


def _decoded(text: str) -> str:
    return unescape(text).replace("\\}", "}").replace("\\#", "#")
