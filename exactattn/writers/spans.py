"""Text in spans of a kind, measured in the columns of a terminal, padded and broken into lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Literal, TypeAlias

from exactattn.writers.clean import width

CLOSING = "，。；：、！？）」』】》”’,.;:!?)]…†*"  # a line does not begin with these
OPENING = "（「『【《“‘([‹"  # nor end with these


@dataclass(frozen=True, slots=True)
class Span:
    """Text of one kind: "" for plain, "strong", "token", or the name of a mark."""

    text: str
    kind: str = ""


Spans: TypeAlias = tuple[Span, ...]
Chars: TypeAlias = list[tuple[str, str]]


def text_of(parts: Iterable[Span]) -> str:
    """The characters of spans."""
    return "".join(span.text for span in parts)


def columns(parts: Iterable[Span]) -> int:
    """The width of spans on a terminal.

    >>> columns((Span("西安", "token"), Span(" = 1")))
    8
    """
    return sum(width(span.text) for span in parts)


def padded(line: Spans, room: int, side: Literal["l", "c", "r"]) -> Spans:
    """The line with spaces around it: at the left, in the centre or at the right of `room` columns."""
    gap = max(0, room - columns(line))
    before = {"l": 0, "c": gap // 2, "r": gap}[side]
    return tuple(span for span in (Span(" " * before), *line, Span(" " * (gap - before))) if span.text)


def wrapped(parts: Spans, room: int) -> list[Spans]:
    """Spans broken into lines of at most `room` columns: after spaces, and between East Asian characters.

    >>> [text_of(line) for line in wrapped((Span("先减去最大值，再取指数。 ok"),), 13)]
    ['先减去最大', '值，再取指', '数。 ok']
    """
    lines: list[Chars] = [[]]
    for chunk in _chunks([(c, span.kind) for span in parts for c in span.text]):
        if lines[-1] and _wide(lines[-1]) + _wide(_stripped(chunk)) > room:
            lines.append([])
        for char in chunk:
            # a chunk longer than a line breaks anywhere
            if lines[-1] and _wide(lines[-1]) + width(char[0]) > room and char[0] != " ":
                lines.append([])
            lines[-1].append(char)
    return [_spans(_stripped(line)) for line in lines]


def _chunks(chars: Chars) -> Iterator[Chars]:
    """What a line does not break within; punctuation clings to what it closes or opens."""
    chunk: Chars = []
    for c, kind in chars:
        if chunk and _breaks(chunk[-1][0], c):
            yield chunk
            chunk = []
        chunk.append((c, kind))
    if chunk:
        yield chunk


def _breaks(before: str, after: str) -> bool:
    if after == " ":
        return False
    if before == " ":
        return True
    east_asian = width(before) == 2 or width(after) == 2
    return east_asian and after not in CLOSING and before not in OPENING and width(after) > 0


def _wide(chars: Chars) -> int:
    return sum(width(c) for c, _ in chars)


def _stripped(chars: Chars) -> Chars:
    end = len(chars)
    while end and chars[end - 1][0] == " ":
        end -= 1
    return chars[:end]


def _spans(chars: Chars) -> Spans:
    return tuple(Span("".join(c for c, _ in group), kind) for kind, group in groupby(chars, key=itemgetter(1)))
