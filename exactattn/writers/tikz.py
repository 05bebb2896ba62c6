r"""A picture as a TikZ picture: one shape, one line, in millimetres and downwards as the geometry is.

Colours, pens and sizes are styles of templates/latex/definitions.tex.
"""

from __future__ import annotations

from typing import assert_never

from exactattn.document import Arrow, Bar, Box, BoxLine, Cell, Frame, Inlines, Label, Line, Math, Num, Picture, Shape
from exactattn.present.figures.layout import digits, width
from exactattn.writers.palette import colour, dark
from exactattn.writers.tex_maths import inline

CELL_POINTS = (9, 8, 7, 6)
MM_PER_POINT = 127 / 360
INSET = 0.45  # of a frame: a neighbour would cover half of a stroke on the edge


def tikz(picture: Picture) -> str:
    """The picture as a tikzpicture environment of its own width and height."""
    area = rf"\useasboundingbox (0,0) rectangle {_at(picture.width, picture.height)};"
    return "\n".join([r"\begin{tikzpicture}[attnpicture]", area, *map(_shape, picture.shapes), r"\end{tikzpicture}"])


def _shape(shape: Shape) -> str:
    match shape:
        case Cell():
            return _cell(shape)
        case Frame(x, y, wide, high):
            return rf"\draw[attnframe] {_rectangle(x + INSET, y + INSET, wide - 2 * INSET, high - 2 * INSET)};"
        case Box(x, y, wide, high, lines, role):
            rows = r"\\[1.5pt]".join(_box_line(line, wide - 2) for line in lines)
            area = rf"\path[attnbox {role}] {_rectangle(x, y, wide, high)};"
            return f"{area}\n" + rf"\node[attnlines] at {_at(x + wide / 2, y + high / 2)} {{{rows}}};"
        case Arrow(points):
            return rf"\draw[attnarrow] {' -- '.join(_at(*point) for point in points)};"
        case Bar(x, y, wide, high, role):
            return rf"\path[attnbar {role}] {_rectangle(x, y, wide, high)};"
        case Line(x1, y1, x2, y2, role):
            return rf"\draw[attn{role}] {_at(x1, y1)} -- {_at(x2, y2)};"
        case Label(x, y, items, anchor, style):
            side = {"start": "west", "middle": "center", "end": "east"}[anchor]
            return rf"\node[attn{style},anchor={side}] at {_at(x, y)} {{{_kept(items, width(items, style))}}};"
        case _:
            assert_never(shape)


def _cell(cell: Cell) -> str:
    rgb = colour(cell.tint, cell.palette)
    area = f"{_at(cell.x, cell.y)}{_at(cell.width, cell.height)}{{{','.join(map(str, rgb))}}}"
    if not (cell.text or cell.title):
        return rf"\attnslice{area}"  # of a colour bar: no seam to the next one
    if not cell.text:
        return rf"\attncell{area}"
    room = cell.width - 1
    wide = digits(cell.text) * (1.08 if cell.strong else 1) * MM_PER_POINT
    points = next((points for points in CELL_POINTS if wide * points <= room), CELL_POINTS[-1])
    tex = inline((Math(Num(cell.text)),))
    if wide * points > room:
        tex = rf"\attnfit{{{_mm(room)}mm}}{{{tex}}}"
    style = f"{'attnbold' if cell.strong else 'attntext'}={points},text={'white' if dark(rgb) else 'black'}"
    centre = _at(cell.x + cell.width / 2, cell.y + cell.height / 2)
    return rf"\attncell{area}\node[{style}] at {centre} {{{tex}}};"


def _box_line(line: BoxLine, room: float) -> str:
    match line.style:
        case "heading":
            return rf"\attnboxheading{{{_fitted(line.items, room, width(line.items, 'strong'))}}}"
        case "body":
            return _fitted(line.items, room, width(line.items))
        case "muted":
            return rf"\attnboxmuted{{{_fitted(line.items, room, width(line.items, 'muted'))}}}"
        case _:
            assert_never(line.style)


def _fitted(items: Inlines, room: float, wide: float) -> str:
    """Text in a room of so many millimetres, narrowed where it might not fit."""
    tex = inline(items)
    return tex if wide <= room and r"\attnr" not in tex else rf"\attnfit{{{_mm(room)}mm}}{{{tex}}}"


def _kept(items: Inlines, wide: float) -> str:
    """Text in the room that the geometry reckoned for it; only boxes for letters that no font has are wider."""
    return _fitted(items, wide, wide)


def _rectangle(x: float, y: float, wide: float, high: float) -> str:
    return f"{_at(x, y)} rectangle {_at(x + wide, y + high)}"


def _at(x: float, y: float) -> str:
    return f"({_mm(x)},{_mm(y)})"


def _mm(value: float) -> str:
    """Millimetres to a hundredth.

    >>> _mm(16.0), _mm(10 / 3), _mm(-0.001)
    ('16', '3.33', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
