"""Maths in characters, on as many lines as it takes: stacked fractions and limits, matrices in tall brackets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, assert_never

from exactattn.document import Fence, Frac, Grid, Mark, Maths, Op, Root, Row, Script
from exactattn.writers.breaking import RELATIONS, opened, segments
from exactattn.writers.clean import width
from exactattn.writers.spans import Span, Spans, columns, padded, text_of
from exactattn.writers.text_maths import MARKS, in_row, linear

GROWING = {  # top, middle, bottom
    "(": ("⎛", "⎜", "⎝"),
    ")": ("⎞", "⎟", "⎠"),
    "[": ("⎡", "⎢", "⎣"),
    "]": ("⎤", "⎥", "⎦"),
    "{": ("⎧", "⎨", "⎩"),
    "}": ("⎫", "⎬", "⎭"),
    "|": ("│", "│", "│"),
}


CONTINUED = "   "
LEAST = 24  # columns that the right side of a derivation has in any case


@dataclass(frozen=True, slots=True)
class Area:
    """Lines of spans; `base` is the line that stands level with the text beside it."""

    lines: tuple[Spans, ...]
    base: int = 0

    @property
    def columns(self) -> int:
        """The width of the widest line."""
        return max((columns(line) for line in self.lines), default=0)


def displayed(node: Maths, room: int) -> Area:
    """Maths on lines of its own; a line of more than `room` columns is broken before a relation or a sign, after a comma."""
    if isinstance(node, Grid) and node.kind == "lines":
        return _lines(node.rows, room)
    shown = area(node)
    if shown.columns <= room:
        return shown
    if not _is_tall(node):
        return Area(tuple(_broken(node, room)))
    match node:
        case Row(items) if Op("quad") in items:
            at = items.index(Op("quad"))
            return _stacked(displayed(Row(items[:at]), room), displayed(Row(items[at + 1 :]), room))
        case _:
            return shown


def area(node: Maths) -> Area:
    """Maths in as many lines as it takes: fractions and limits stacked, matrices in tall brackets.

    >>> from exactattn.document import Num
    >>> print(lines_of(area(Grid(((Num("1"), Num("-0.5")), (Num("10"), Num("2"))), "matrix"))))
    ⎡ 1  −0.5⎤
    ⎣10     2⎦
    """
    match node:
        case Row(items):
            return _beside(
                [
                    area(item) if _is_tall(item) else Area((part,))
                    for item, part in zip(items, in_row(items), strict=True)
                ]
            )
        case Frac(top, bottom):
            return _fraction(area(top), area(bottom))
        case Script(Op("sum" | "max") as base, sub, sup):
            return _limits(text_of(linear(base)).strip(), sub, sup)
        case Script(base, sub, sup) if _is_tall(base):
            return _beside([area(base), Area((linear(Script(Row(()), sub, sup)),))])
        case Fence(left, body, right) if _is_tall(body):
            inner = area(body)
            return _beside([_bracket(left, inner), inner, _bracket(right, inner)])
        case Mark(kind, body) if _is_tall(body):
            before, after = MARKS[kind]
            return _beside([Area(((Span(before, kind),),)), area(body), Area(((Span(after, kind),),))])
        case Grid(rows, kind, head):
            return _grid(rows, kind, head)
        case _:
            return Area((linear(node),))


def lines_of(shown: Area) -> str:
    """The lines of an area as text, without spaces at their ends."""
    return "\n".join(text_of(line).rstrip() for line in shown.lines)


def _is_tall(node: Maths) -> bool:
    match node:
        case Frac() | Grid():
            return True
        case Row(items):
            return any(map(_is_tall, items))
        case Fence(_, body, _) | Mark(_, body) | Root(body):
            return _is_tall(body)
        case Script(base, _, _):
            return base in (Op("sum"), Op("max")) or _is_tall(base)
        case _:
            return False


def _beside(parts: Sequence[Area]) -> Area:
    parts = [part for part in parts if part.columns]
    above = max((part.base for part in parts), default=0)
    below = max((len(part.lines) - part.base for part in parts), default=1)
    out: list[Spans] = [() for _ in range(above + below)]
    for part in parts:
        start, room = above - part.base, part.columns
        for i in range(above + below):
            line = part.lines[i - start] if start <= i < start + len(part.lines) else ()
            out[i] = (*out[i], *padded(line, room, "l"))
    return Area(tuple(out), above)


def _stacked(top: Area, bottom: Area) -> Area:
    return Area((*top.lines, (), *bottom.lines), top.base)


def _fraction(top: Area, bottom: Area) -> Area:
    room = max(top.columns, bottom.columns)
    lines = [padded(line, room, "c") for line in top.lines]
    lines.append((Span("─" * room),))
    lines += [padded(line, room, "c") for line in bottom.lines]
    spaced = tuple((Span(" "), *line, Span(" ")) for line in lines)
    return Area(spaced, len(top.lines))


def _limits(name: str, sub: Maths | None, sup: Maths | None) -> Area:
    above, below = (_squeezed(part) for part in (sup, sub))
    room = max(width(name), width(above), width(below))
    lines = [text for text in (above, name, below) if text]
    shown = tuple((*padded((Span(text),), room, "c"), Span(" ")) for text in lines)
    return Area(shown, 1 if above else 0)


def _squeezed(node: Maths | None) -> str:
    return text_of(linear(node)).replace(" ", "") if node is not None else ""


def _bracket(sign: str, inside: Area) -> Area:
    high = len(inside.lines)
    if not sign:
        return Area(((),))
    if high == 1 or sign not in GROWING:
        return Area(((Span(sign),),))
    top, middle, bottom = GROWING[sign]
    return Area(tuple((Span(c),) for c in top + middle * (high - 2) + bottom), inside.base)


def _grid(
    rows: tuple[tuple[Maths, ...], ...], kind: Literal["matrix", "labelled", "lines"], head: tuple[Maths, ...]
) -> Area:
    match kind:
        case "matrix":
            return _bracketed(rows)
        case "labelled":
            return _labelled(rows, head)
        case "lines":
            return _lines(rows, None)
        case _:
            assert_never(kind)


def _bracketed(rows: Sequence[tuple[Maths, ...]], head: tuple[Maths, ...] = ()) -> Area:
    """The entries in brackets, heads above their columns."""
    cells = [[linear(cell) for cell in row] for row in rows]
    heads = [linear(item) for item in head]
    starred = [any(text_of(row[j]).endswith("*") for row in cells) for j in range(len(cells[0]) if cells else 0)]
    cells = [
        [
            cell if not star or text_of(cell).endswith("*") else (*cell, Span(" "))
            for cell, star in zip(row, starred, strict=True)
        ]
        for row in cells
    ]
    rooms = [max(map(columns, column)) for column in zip(*cells, *([heads] if heads else []), strict=True)]

    def joined(row: Sequence[Spans], side: Literal["c", "r"]) -> Spans:
        out: list[Span] = []
        for j, (cell, room) in enumerate(zip(row, rooms, strict=True)):
            out += (Span("  " if j else ""), *padded(cell, room, side))
        return tuple(span for span in out if span.text)

    inner = Area(tuple(joined(row, "r") for row in cells), (len(cells) - 1) // 2)
    shown = _beside([_bracket("[", inner), inner, _bracket("]", inner)])
    if not heads:
        return shown
    return Area(((Span(" "), *joined(heads, "c"), Span(" ")), *shown.lines), shown.base + 1)


def _labelled(rows: Sequence[tuple[Maths, ...]], head: tuple[Maths, ...]) -> Area:
    labels = [linear(row[0]) for row in rows]
    room = max(map(columns, labels), default=0)
    matrix = _bracketed([row[1:] for row in rows], head)
    beside = tuple((*padded(label, room, "r"), Span(" ")) for label in labels)
    return _beside([Area(((), *beside) if head else beside, matrix.base), matrix])


def _lines(rows: Sequence[tuple[Maths, ...]], room: int | None) -> Area:
    """A derivation: left sides flush right, the rest after them."""
    lefts = [area(row[0]) for row in rows]
    indent = max((left.columns for left in lefts), default=0)
    gap = (Span(" "),) if indent else ()
    rest = 10_000 if room is None else max(LEAST, room - indent - len(gap))
    pairs = [(left, displayed(Row(row[1:]), rest)) for left, row in zip(lefts, rows, strict=True)]
    out: list[Spans] = []
    for left, right in pairs:
        flush = tuple((*padded(line, indent, "r"), *gap) for line in left.lines)
        out += _beside([Area(flush, left.base), right]).lines
    # the base line of the first line, so that what stands beside begins with the derivation
    first = max(pairs[0][0].base, pairs[0][1].base) if pairs else 0
    return Area(tuple(out), first)


def _broken(node: Maths, room: int) -> list[Spans]:
    """A formula of one line on several: continued lines are indented unless they begin with a relation."""
    items = opened(node)
    shown = tuple(in_row(items))
    lines: list[list[Span]] = [[]]
    for at in segments(items, "before"):
        part = [span for spans in shown[at] for span in spans]
        starts = items[at.start]
        if lines[-1] and columns(lines[-1]) + len(text_of(part).rstrip()) > room:
            indent = "" if isinstance(starts, Op) and starts.name in RELATIONS else CONTINUED
            lines.append([Span(indent + part[0].text.lstrip(" "), part[0].kind), *part[1:]])
        else:
            lines[-1] += part
    return [tuple(line) for line in lines]
