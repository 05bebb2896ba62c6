"""What a reader sees of any Unicode text: itself, and a labelled box for each character that has no shape of its own.

Controls, escapes, bidirectional marks, odd spaces, private and surrogate code points would act on the page or on the
terminal, or hide; each becomes a `Hidden` piece that a writer shows as a box with its code point. Everything else stays
as it is (a writer still escapes it for its format).

The choice rests on general categories that do not change between versions of Unicode, so that every Python prints the
same bytes: a code point that one version has not assigned yet is left to the fonts.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

JOINERS = "\u200c\u200d"  # zero-width non-joiner and joiner: they shape emoji and Indic and Arabic words
DOTTED = "\u25cc"  # carries a combining mark that has no letter before it
OPEN_BOX = "\u2423"  # ␣, a space that would not be seen
SKIN = range(0x1F3FB, 0x1F400)
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Zs", "Zl", "Zp"}


@dataclass(frozen=True, slots=True)
class Hidden:
    """A character shown by its code point ("U+001B"); "" is the box of a text that is empty."""

    code: str


Piece: TypeAlias = str | Hidden


@lru_cache(2048)
def pieces(text: str) -> tuple[Piece, ...]:
    """Prose in pieces: runs of visible text, and boxes. Spaces (the ideographic one too) are prose, as are line ends.

    >>> pieces("a\\x1b[0m b")
    ('a', Hidden(code='U+001B'), '[0m b')
    """
    if text.isascii() and text.isprintable() and text:
        return (text,)  # the usual case, at once
    spaced = "".join(" " if c in "\t\n\r" else c for c in text)
    return tuple(_joined(_marked(spaced, " \u3000\u00a0")))


@lru_cache(2048)
def token_pieces(text: str) -> tuple[Piece, ...]:
    """A token in pieces. Only single spaces inside it are left; others are seen (␣), and an empty token is a box.

    >>> token_pieces(" the"), token_pieces("New York"), token_pieces("a\\tb"), token_pieces("")
    (('␣the',), ('New York',), ('a', Hidden(code='U+0009'), 'b'), (Hidden(code=''),))
    """
    if not text:
        return (Hidden(""),)
    inner = range(1, len(text) - 1)
    seen = "".join(
        OPEN_BOX if c == " " and not (i in inner and text[i - 1] != " " and text[i + 1] != " ") else c
        for i, c in enumerate(text)
    )
    return tuple(_joined(_marked(seen, " ")))


def _marked(text: str, kept: str) -> Iterator[Piece]:
    before = ""
    for i, c in enumerate(text):
        category = unicodedata.category(c)
        if c in JOINERS:
            yield c if _joins(before) and i + 1 < len(text) else _box(c)
        elif (category in HIDDEN and c not in kept) or _is_noncharacter(c):
            yield _box(c)
        elif category[0] == "M" and not _carries(before):
            yield DOTTED + c
        else:
            yield c
        before = c


def _joins(before: str) -> bool:
    return before != "" and (unicodedata.category(before) in ("Lo", "So", "Mn", "Mc") or ord(before) in SKIN)


def _carries(before: str) -> bool:
    return before != "" and (before in JOINERS or unicodedata.category(before)[0] in "LMNPS")


def _is_noncharacter(c: str) -> bool:
    return ord(c) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(c) <= 0xFDEF


def _box(c: str) -> Hidden:
    return Hidden(f"U+{ord(c):04X}")


def _joined(parts: Iterator[Piece]) -> Iterator[Piece]:
    run = ""
    for part in parts:
        if isinstance(part, str):
            run += part
            continue
        if run:
            yield run
        yield part
        run = ""
    if run:
        yield run


def flat(parts: tuple[Piece, ...]) -> str:
    """The pieces in one line of plain text, boxes as ‹U+001B›.

    >>> flat(token_pieces("\\x1b[31m"))
    '‹U+001B›[31m'
    """
    return "".join(part if isinstance(part, str) else f"‹{part.code}›" for part in parts)


def width(text: str) -> int:
    """The columns of a text in a terminal: 2 for a wide East Asian character or an emoji, 0 for a combining mark.

    >>> width("西安"), width("e\\u0301"), width("abc")
    (4, 1, 3)
    """
    return sum(_columns(c) for c in text)


def _columns(c: str) -> int:
    if c < "\u0300":
        return 1
    if unicodedata.category(c) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


def shortened(parts: tuple[Piece, ...], columns: int) -> tuple[Piece, ...]:
    """At most so many columns of the pieces: the beginning, "…", and the end. What fits is left as it is.

    >>> shortened(("x" * 30,), 9), shortened(("怎么样",), 6)
    (('xxxxxx…xx',), ('怎么样',))
    """
    if width(flat(parts)) <= columns:
        return parts
    tail_columns = (columns - 1) // 3
    head = _first(parts, columns - 1 - tail_columns)
    tail = _first(tuple(reversed(parts)), tail_columns, backwards=-1)
    return tuple(_joined(iter((*head, "…", *reversed(tail)))))


def _first(parts: tuple[Piece, ...], columns: int, backwards: int = 1) -> list[Piece]:
    """The pieces from one end that fit, the last of them cut between characters that carry no mark."""
    out: list[Piece] = []
    for part in parts:
        if isinstance(part, Hidden):
            columns -= width(flat((part,)))
            if columns < 0:
                break
            out.append(part)
            continue
        run = ""
        for cluster in _clusters(part)[::backwards]:
            columns -= width(cluster)
            if columns < 0:
                break
            run = run + cluster if backwards == 1 else cluster + run
        if run:
            out.append(run)
        if columns < 0:
            break
    return out


def _clusters(text: str) -> list[str]:
    out: list[str] = []
    for c in text:
        joined = out and (unicodedata.category(c)[0] == "M" or c in JOINERS or ord(c) in SKIN or out[-1][-1] in JOINERS)
        if joined:
            out[-1] += c
        else:
            out.append(c)
    return out
