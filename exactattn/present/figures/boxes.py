"""Boxes in a row with arrows between them: how wide a box must be, how a row fills the page, and words in maths."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from exactattn.document import Arrow, Box, BoxLine, Inlines, Math, Maths, Num, Op, Row, Script, Sym
from exactattn.present.figures.layout import PAGE, Style, width

Part: TypeAlias = tuple[BoxLine, ...]
"""The lines of a box."""

ROOM = PAGE - 2.0
STYLES: dict[str, Style] = {"heading": "strong", "body": "normal", "muted": "small"}
EQUAL = 25.0  # steps are made as wide as each other, up to this


def needs(part: Part, beside: float = 1.8) -> float:
    """The width of a box that holds the lines, with `beside` millimetres left and right of the longest."""
    return max(width(line.items, STYLES[line.style]) for line in part) + 2 * beside


def tall(part: Part) -> float:
    """The height of a box that holds the lines."""
    return 4.6 * len(part) + 2.4


def least(entry: Sequence[float], steps: Sequence[float], out: float) -> float:
    """The gap that is left between all boxes of a row at their least widths."""
    return (ROOM - sum(entry) - sum(steps) - out) / (len(entry) + len(steps))


def spread(entry: Sequence[float], steps: Sequence[float], out: float) -> tuple[list[float], list[float]]:
    """The left edges and widths of entry boxes, steps and the last box: steps alike where they fit, gaps up to 9 mm."""
    spare = (least(entry, steps, out) - 6.0) * (len(entry) + len(steps))
    level = max(steps)
    if sum(level - step for step in steps) <= spare:
        spare -= sum(level - step for step in steps)
        steps = [level + min(spare / (2 * len(steps)), max(0.0, EQUAL - level))] * len(steps)
    gap = max(3.0, min(9.0, least(entry, steps, out)))
    widths = [*entry, *steps, out]
    return [sum(widths[:k]) + gap * k for k in range(len(widths))], widths


def across(left: Box, right: Box) -> Arrow:
    """A level arrow between neighbours, at the middle of the lower one."""
    narrow = min(left, right, key=lambda box: box.height)
    y = narrow.y + narrow.height / 2
    return Arrow(((left.x + left.width, y), (right.x, y)))


def middle(box: Box) -> float:
    """The middle of a box, from left to right."""
    return box.x + box.width / 2


# -- what boxes say --------------------------------------------------------------------------------------------------


def bold(name: str) -> Maths:
    """A matrix by its name: "Q", or "X_kv" with its index below."""
    base, _, below = name.partition("_")
    return Script(Sym(base, "bold"), Sym(below, "upright")) if below else Sym(base, "bold")


def weight(name: str) -> Maths:
    """The matrix that makes `name`: W_Q for "Q"."""
    return Script(Sym("W", "bold"), Sym(name))


def shape(rows: int, columns: int) -> Inlines:
    """A shape: 6 × 4."""
    return (Math(Row((Num(str(rows)), Op("times"), Num(str(columns))))),)
