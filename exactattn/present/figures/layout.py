"""What all figures share: how wide a text is, how a token is shortened, and how shapes become a picture.

Lengths are millimetres. Geometry is reckoned in floats with the four operations alone, which every machine rounds alike,
and rounded to 0.01 once, in `picture`: the same figure has the same bytes everywhere.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from typing import Any, Literal, TypeAlias, assert_never

from exactattn.document import (
    Arrow,
    Bar,
    Blank,
    Box,
    Cell,
    Fence,
    Frac,
    Frame,
    Grid,
    Inline,
    Inlines,
    Label,
    Line,
    Mark,
    Math,
    Maths,
    Num,
    Op,
    Picture,
    Root,
    Row,
    Script,
    Shape,
    Strong,
    Sym,
    Text,
    Token,
    Word,
)

PAGE = 166.0
"""The full width of a picture."""

GAP = "…"
"""A token or text that stands for rows or columns left out."""

Style: TypeAlias = Literal["normal", "strong", "small", "tiny", "muted"]

EM: dict[Style, float] = {"normal": 3.5, "strong": 3.7, "small": 3.1, "tiny": 2.6, "muted": 3.1}
"""The size of each label style: about 10, 9 and 7.5 points. Writers may stay below, not above."""


# -- the width of a text ---------------------------------------------------------------------------------------------


ADVANCES: tuple[tuple[float, str], ...] = (
    (0.35, " ',.:;|!-[]fijl"),
    (0.4, "()trI"),
    (0.5, '"*/?\\{}sz'),
    (0.63, "`LSZbdhnopqu"),
    (0.75, "_ABCEFHNPRTUVXY"),
    (0.8, "&+<=>−DGKOQw"),
    (0.93, "#%Mm"),
    (1.0, "@W×≈→∞…"),
)
"""Widths in ems, each the larger of Latin Modern's and Noto Sans's; other ASCII, digits among it, has 0.56."""

ADVANCE = {char: wide for wide, chars in ADVANCES for char in chars}


def advance(char: str) -> float:
    """The width of a character in ems, on the safe side.

    >>> advance("安"), advance("8"), advance("\\u0301")
    (1.0, 0.56, 0.0)
    """
    if char in ADVANCE or (char.isascii() and char.isprintable()):
        return ADVANCE.get(char, 0.56)
    category = unicodedata.category(char)
    if category in ("Mn", "Me") or char in "\u200d\ufe0e\ufe0f":
        return 0.0
    if category in ("Cc", "Cf", "Cn", "Co", "Cs"):
        return 2.8  # shown as a code-point box
    if unicodedata.east_asian_width(char) in "WF" or category == "So":
        return 1.0 if char < "\U00010000" else 1.3
    return {"Lu": 0.8, "Ll": 0.65}.get(category, 0.8)


def ems(text: str) -> float:
    """The width of a token or text in ems; an empty one is shown as a box that says so."""
    return sum(map(advance, text)) if text else 2.0


@lru_cache(4096)
def digits(text: str) -> float:
    """The width of a number in ems: "1.2e-7" is typeset as 1.2 × 10⁻⁷.

    >>> digits("0.457"), digits("-0.40") > digits("0.40")
    (2.52, True)
    """
    body, mark, power = text.partition("e")
    whole = sum(0.7 if c in "-+−" else 1.0 if c in "∞…" else 0.28 if c == "." else 0.56 for c in body)
    return round(whole + (2.4 + 0.42 * len(power) if mark and power else 0.56 * len(mark)), 2)


def width(items: Inlines | str, style: Style = "normal") -> float:
    """The width of inline nodes, or of a plain text, in millimetres."""
    bold = 1.08 if style == "strong" else 1.0
    return bold * EM[style] * (ems(items) if isinstance(items, str) else sum(map(_inline, items)))


def _inline(item: Inline) -> float:
    match item:
        case Text(text):
            return sum(map(advance, text))
        case Token(text):
            return ems(text)
        case Strong(items):
            return 1.1 * sum(map(_inline, items))
        case Math(body):
            return maths(body)
        case _:
            assert_never(item)


def maths(node: Maths) -> float:
    """The width of maths in ems, about as both writers set it."""
    match node:
        case Num(text):
            return digits(text)
        case Word(text):
            return ems(text)
        case Sym(name, style):
            return sum(map(advance, name)) * (1.15 if style == "bold" else 1.05)
        case Op(name):
            return {"thin": 0.17, "none": 0.0, ",": 0.5, "/": 0.6, "sum": 1.1, "max": 1.9}.get(name, 1.3)
        case Row(items):
            return sum(map(maths, items))
        case Frac(top, bottom):
            return maths(top) + maths(bottom) + 0.6  # side by side in SVG
        case Root(body):
            return maths(body) + 0.9
        case Script(base, sub, sup):
            below, above = (0.7 * maths(part) if part is not None else 0.0 for part in (sub, sup))
            return maths(base) + max(below, above)
        case Fence(_, body, _):
            return maths(body) + 0.9
        case Grid(rows, _, _):
            return max((sum(map(maths, row)) + len(row) for row in rows), default=0.0) + 1.0
        case Mark(_, body):
            return 1.1 * maths(body)
        case Blank(digits_wide):
            return 0.5 * digits_wide
        case _:
            assert_never(node)


# -- tokens ----------------------------------------------------------------------------------------------------------


def shorten(token: str, room: float, style: Style = "normal") -> str:
    """The token, or its beginning with "…" where it is wider than `room` millimetres.

    A letter keeps its combining marks, and an emoji its joiners.

    >>> shorten("今天", 20), shorten("internationalisation", 20)
    ('今天', 'internati…')
    """
    if width(token, style) <= room:
        return token
    left = room / EM[style] - advance(GAP)
    kept, used = 0, 0.0
    for at, char in enumerate(token):
        if not _clings(token, at):
            kept = at  # a cut here parts no letter from its marks
        used += advance(char)
        if used > left:
            # a first letter with marks wider than the room is cut where the room ends
            return token[: kept or max(at, 1)] + GAP
    return token


def _clings(token: str, at: int) -> bool:
    char = token[at]
    return at > 0 and (
        unicodedata.category(char).startswith("M")
        or char in "\u200d\ufe0e\ufe0f"
        or token[at - 1] == "\u200d"
        or "\U0001f3fb" <= char <= "\U0001f3ff"
    )


def widest(tokens: Iterable[str], style: Style = "normal") -> float:
    """The width of the widest token, 0 for none."""
    return max((width(token, style) for token in tokens), default=0.0)


# -- pictures --------------------------------------------------------------------------------------------------------


def bounds(shape: Shape) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a shape; a label takes the room of its text."""
    match shape:
        case Cell() | Frame() | Box() | Bar():
            return shape.x, shape.y, shape.x + shape.width, shape.y + shape.height
        case Line(x1, y1, x2, y2):
            return min(x1, x2), min(y1, y2), max(x1, x2), max(y1, y2)
        case Arrow(points):
            xs, ys = [p[0] for p in points], [p[1] for p in points]
            return min(xs), min(ys), max(xs), max(ys)
        case Label(x, y, items, anchor, style):
            wide, high = width(items, style), 1.3 * EM[style]
            left = {"start": x, "middle": x - wide / 2, "end": x - wide}[anchor]
            return left, y - high / 2, left + wide, y + high / 2
        case _:
            assert_never(shape)


def picture(shapes: Sequence[Shape], describe: str, margin: float = 0.8) -> Picture:
    """The shapes moved so that they begin at the margin, in an area that just holds them, every length rounded to 0.01."""
    sides = [bounds(shape) for shape in shapes]
    left, top = min(s[0] for s in sides) - margin, min(s[1] for s in sides) - margin
    right, bottom = max(s[2] for s in sides) + margin, max(s[3] for s in sides) + margin
    placed = tuple(_move(shape, left, top) for shape in shapes)
    return Picture(_round(right - left), _round(bottom - top), placed, describe)


def _move(shape: Shape, left: float, top: float) -> Shape:
    if isinstance(shape, Arrow):
        return Arrow(tuple((_round(x - left), _round(y - top)) for x, y in shape.points))
    shift = {"x": left, "x1": left, "x2": left, "y": top, "y1": top, "y2": top, "width": 0.0, "height": 0.0}
    lengths: dict[str, Any] = {}
    for field in fields(shape):
        if field.name in shift:
            lengths[field.name] = _round(getattr(shape, field.name) - shift[field.name])
    return replace(shape, **lengths)


def _round(length: float) -> float:
    return round(length, 2) + 0.0  # + 0.0 turns a negative zero into zero
