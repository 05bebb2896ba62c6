"""Document tree -> plain text, to read in a terminal or an editor: no colours, no control characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter
from typing import Literal, assert_never

from exactattn.document import (
    Block,
    Display,
    Document,
    Figure,
    Note,
    PageBreak,
    Para,
    Section,
    Side,
    Strong,
    Table,
    TableCell,
    Text,
    Wide,
)
from exactattn.i18n import messages
from exactattn.writers.numbering import numbered
from exactattn.writers.spans import Span, Spans, columns, padded, text_of, wrapped
from exactattn.writers.text_areas import area
from exactattn.writers.text_maths import spans

GAP = 2  # columns between those of a table
MARGIN = "    "
TOKEN_COLUMNS = 24  # a longer token in a table is shortened
SIDES: dict[str, Literal["l", "c", "r"]] = {"l": "l", "c": "c", "r": "r"}
MARKED = {"max", "doubt", "answer"}


def text(document: Document, *, width: int = 100) -> str:
    """The document in lines of `width` columns; displays and tables that are wider run over.

    A figure is its caption and the sentence that describes it.
    """
    shown = numbered(document)
    body = list(_blocks(shown.blocks, width))
    head = [*wrapped(spans(shown.title), width), (Span("═" * min(width, columns(spans(shown.title)))),)]
    if shown.meta:
        head += wrapped(spans(shown.meta), width)
    lines = [*head, (), *body]
    if any(span.kind in MARKED for line in body for span in line):
        lines += [(), *wrapped((Span(messages(document.lang).text("text.legend")),), width)]
    return "\n".join(text_of(line).rstrip() for line in _without_gaps(lines)) + "\n"


def _without_gaps(lines: list[Spans]) -> Iterator[Spans]:
    """No two empty lines together."""
    before: Spans = ()
    for line in lines:
        if line or before:
            yield line
        before = line


def _blocks(blocks: tuple[Block, ...], room: int) -> Iterator[Spans]:
    for block in blocks:
        yield from _block(block, room)
        yield ()


def _block(block: Block, room: int) -> Iterator[Spans]:
    match block:
        case Para(items):
            yield from wrapped(spans(items), room)
        case Display(body):
            yield from _indented(area(body).lines, MARGIN)
        case Table():
            yield from _table(block, room)
        case Figure(_, picture, caption, note):
            yield from wrapped(spans(caption), room)
            yield from _indented(wrapped(spans((Text(picture.describe),)), room - len(MARGIN)), MARGIN)
            yield from _indented(wrapped(spans(note), room - len(MARGIN)) if note else [], MARGIN)
        case Side(blocks):
            yield from _blocks(blocks, room)
        case Note():
            inner = list(_without_gaps(list(_blocks(titled(block), room - 2))))
            yield from _indented(inner[:-1], "│ ")
        case Section():
            yield from _heading(block, room)
            yield ()
            yield from _blocks(block.blocks, room)
        case PageBreak():
            yield (Span("═" * room),)
        case _:
            assert_never(block)


def titled(note: Note) -> tuple[Block, ...]:
    """The blocks of a note with its title run in."""
    if not note.title:
        return note.blocks
    match note.blocks:
        case (Para(items), *rest):
            return (Para((Strong(note.title), Text("  "), *items)), *rest)
        case blocks:
            return (Para((Strong(note.title),)), *blocks)


def _heading(section: Section, room: int) -> Iterator[Spans]:
    label = (*spans(section.label), Span("  ")) if section.label else ()
    left = (*label, *spans(section.title))
    right = spans(section.aside)
    gap = room - columns(left) - columns(right)
    if right and gap >= GAP:
        yield (*left, Span(" " * gap), *right)
    else:
        yield from wrapped((*left, Span("  "), *right) if right else left, room)
    yield (Span(("─" if section.label else "·") * room),)


def _indented(lines: Sequence[Spans], indent: str) -> list[Spans]:
    return [(Span(indent), *line) for line in lines]


# -- tables ----------------------------------------------------------------------------------------------------------


def _table(table: Table, room: int) -> Iterator[Spans]:
    yield from wrapped(spans(table.caption), room) if table.caption else ()
    rooms = _rooms(table)
    rule = (Span("─" * (sum(rooms) + GAP * (len(rooms) - 1))),)
    yield rule
    for rows in ((table.head,) if table.head else (), table.rows, table.foot):
        for row in rows:
            yield _table_row(row, rooms, table.align)
        if rows:
            yield rule


def _rooms(table: Table) -> list[int]:
    """The width of each column; where a wide cell needs more than its columns have, they share it."""
    rooms = [0] * len(table.align)
    placed = [cell for row in (table.head, *table.rows, *table.foot) for cell in _placed(row)]
    for at, spanned, items in sorted(placed, key=itemgetter(1)):
        lacks = columns(items) - sum(rooms[at : at + spanned]) - GAP * (spanned - 1)
        for k in range(max(0, lacks)):
            rooms[at + spanned - 1 - k % spanned] += 1
    return rooms


def _placed(row: tuple[TableCell, ...]) -> Iterator[tuple[int, int, Spans]]:
    """Column, number of columns and text of each cell."""
    at = 0
    for cell in row:
        spanned, items = (cell.columns, cell.items) if isinstance(cell, Wide) else (1, cell)
        yield at, spanned, spans(items, TOKEN_COLUMNS)
        at += spanned


def _table_row(row: tuple[TableCell, ...], rooms: list[int], align: str) -> Spans:
    out: list[Span] = []
    for (at, spanned, items), cell in zip(_placed(row), row, strict=True):
        room = sum(rooms[at : at + spanned]) + GAP * (spanned - 1)
        side = SIDES["r" if isinstance(cell, Wide) else align[at]]
        out += (Span(" " * GAP if at else ""), *padded(items, room, side))
    return tuple(out)
