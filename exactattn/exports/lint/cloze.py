"""The grammar of fields in a cloze question, as Moodle's importer takes it.

    {weight:TYPE:=right#feedback~%50%half~wrong}

An answer ends at the first ~, # or } that is neither escaped nor part of an entity, feedback at the first ~ or } that is not
escaped. The importer's pattern is tried here by its alternatives in its order, but from the right, so that no text takes
longer than the square of its length. Source: question/type/multianswer/questiontype.php of Moodle 4.5.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from html import unescape
from typing import Literal, TypeAlias

from exactattn.errors import LimitError
from exactattn.exports.lint.lexical import MOST_DIGITS, number

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
_LOOKS_LIKE = re.compile(r"\{[ \t]{0,3}[\d.,]{0,9}[ \t]{0,3}:[ \t]{0,3}([A-Za-z][A-Za-z_]{1,30})[ \t]{0,3}:", re.ASCII)
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
        found = _NUMERICAL.fullmatch(self.raw) if len(self.raw) <= 2 * MOST_DIGITS else None
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
    return _Fields(text).found()


def not_taken(text: str, found: list[Field]) -> Iterator[tuple[int, str]]:
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
        self.closings = [k for k in self.ends if text[k] == "}" and text[k - 1] not in "\\&"]
        self.last = text.rfind("}")
        self.steps = MOST_STEPS

    def found(self) -> list[Field]:
        out = []
        at = 0
        while (start := _START.search(self.text, at)) is not None:
            made = self.alternatives(start.end())
            if made is None:
                at = start.start() + 1
                continue
            alternatives, at = made
            out.append(Field(start.start(), at, start[2], start[1], alternatives))
        return out

    def step(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise LimitError(
                "a text of a cloze question has too many braces and tildes to be told apart: split the question"
            )

    def alternatives(self, begin: int) -> tuple[tuple[Alternative, ...], int] | None:
        """The answers from here to the end of the field, and that end; None where the pattern does not hold."""
        stop = self.last_end(begin)
        low, high = bisect_left(self.ends, begin), bisect_right(self.ends, stop)
        # for each beginning of an answer, from the right: its alternative, and where the next begins or the field has closed
        best: dict[int, tuple[Alternative, int, int]] = {}
        starts = [self.ends[k] + 1 for k in range(high - 1, low - 1, -1) if self.text[self.ends[k]] == "~"]
        for start in (*starts, begin):
            self.step()
            made = self.alternative(start, stop, best)
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

    def last_end(self, begin: int) -> int:
        """Where the field closes at the latest: a field that closes before the next begins does not reach into that."""
        following = _START.search(self.text, begin)
        i = bisect_right(self.closings, begin)
        if following is not None and i < len(self.closings) and self.closings[i] < following.start():
            return self.text.rfind("}", begin, following.start())
        return self.last

    def alternative(
        self, start: int, stop: int, best: dict[int, tuple[Alternative, int, int]]
    ) -> tuple[Alternative, int, int] | None:
        """The answer that begins here, as (itself, where the next begins, where the field is closed); -1 for none."""
        text, share = self.text, _SHARE.match(self.text, start)
        for begin, said in ([(share.end(), share)] if share else []) + [(start, None)]:
            for k in self.between(begin, stop):
                if text[k - 1] in "\\&" or text.endswith("&amp;", begin, k):
                    continue
                for close, feedback in self.feedback(k, stop):
                    if text[close] == "}" or close + 1 in best:
                        made = Alternative(_share_of(said), _decoded(text[begin:k]), _decoded(feedback), text[begin:k])
                        return (made, -1, close + 1) if text[close] == "}" else (made, close + 1, -1)
        return None

    def between(self, after: int, stop: int) -> Iterator[int]:
        """The marks past a place, in order."""
        for i in range(bisect_right(self.ends, after), len(self.ends)):
            if self.ends[i] > stop:
                return
            self.step()
            yield self.ends[i]

    def feedback(self, k: int, stop: int) -> Iterator[tuple[int, str]]:
        """Where an answer that ends at k goes on, with its feedback."""
        if self.text[k] != "#":
            yield k, ""
            return
        for end in self.between(k, stop):
            if self.text[end] in "~}" and self.text[end - 1] != "\\":
                yield end, self.text[k + 1 : end]


def _share_of(found: re.Match[str] | None) -> Fraction:
    if found is None:
        return Fraction(0)
    if found[1] is None:
        return Fraction(1)
    return (number(found[1].replace(",", ".")) or Fraction(0)) / 100


def _decoded(text: str) -> str:
    return unescape(text).replace("\\}", "}").replace("\\#", "#")
