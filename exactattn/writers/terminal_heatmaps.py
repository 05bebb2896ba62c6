"""Heatmaps in a terminal: coloured cells with the tokens beside and above them, on a canvas of characters.

What stands at one height in the picture comes on one line; a cell is as many columns wide as the longest text needs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from exactattn.document import Cell, Label, Picture
from exactattn.writers.clean import width
from exactattn.writers.palette import colour, dark
from exactattn.writers.spans import columns, text_of
from exactattn.writers.text_maths import MARKS, number, spans

if TYPE_CHECKING:
    from rich.text import Text

SAME_LINE = 1.6  # millimetres between the middles of what still stands on one line
SHARES = {"start": 0.0, "middle": 0.5, "end": 1.0}


@dataclass(frozen=True, slots=True)
class _Placed:
    """Text at a height in millimetres and a column."""

    height: float
    column: int
    text: Text


def heatmap(picture: Picture, room: int) -> Text | None:
    """The heatmap in characters; None for a picture that is none, has bare cells, or needs more than `room` columns."""
    from rich.text import Text

    cells = [shape for shape in picture.shapes if isinstance(shape, Cell) and shape.text]
    if not cells:
        return None
    left, right = min(cell.x for cell in cells), max(cell.x + cell.width for cell in cells)
    # what stands to the right belongs to the colour bar
    labels = [shape for shape in picture.shapes if isinstance(shape, Label) and shape.x <= right]
    scale = (max(width(_shown(cell)) for cell in cells) + 1) / min(cell.width for cell in cells)
    margin = max((columns(spans(label.items)) for label in labels if label.x < left), default=0) + 1
    if margin + (right - left) * scale > room:
        return None

    def at(x: float) -> int:
        return margin + round((x - left) * scale)

    placed = [
        _Placed(cell.y + cell.height / 2, at(cell.x), _cell(cell, at(cell.x + cell.width) - at(cell.x)))
        for cell in cells
    ]
    for label in labels:
        shown = Text(text_of(spans(label.items)), "bold" if label.style == "strong" else "")
        foot = margin - 1 if label.x < left else at(label.x)
        placed.append(_Placed(label.y, max(0, foot - round(SHARES[label.anchor] * shown.cell_len)), shown))
    return Text("\n", no_wrap=True, overflow="ignore").join(map(_line, _lines(placed)))


def _shown(cell: Cell) -> str:
    before, after = MARKS["max"] if cell.strong else ("", "")
    return before + number(cell.text) + after


def _cell(cell: Cell, wide: int) -> Text:
    from rich.text import Text

    red, green, blue = rgb = colour(cell.tint, cell.palette, "dark")
    ink = "#f4f7fa" if dark(rgb) else "#0b0f14"
    strong = "bold underline " if cell.strong else ""
    return Text(_shown(cell).center(wide), f"{strong}{ink} on rgb({red},{green},{blue})")


def _lines(placed: list[_Placed]) -> list[list[_Placed]]:
    lines: list[list[_Placed]] = []
    for one in sorted(placed, key=lambda one: one.height):
        if not lines or one.height - lines[-1][0].height > SAME_LINE:
            lines.append([])
        lines[-1].append(one)
    return lines


def _line(items: list[_Placed]) -> Text:
    from rich.text import Text

    out = Text()
    for one in sorted(items, key=lambda one: one.column):
        out.append(" " * (one.column - out.cell_len))
        out.append_text(one.text)
    return out
