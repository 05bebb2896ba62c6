"""Tables in characters: columns in line, between rules.

A table that is too wide is printed in parts, each with the leading columns that name its rows; cells over several
columns then follow as lines of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from operator import itemgetter
from typing import Literal

from exactattn.document import Table, TableCell, Wide
from exactattn.writers.spans import Span, Spans, columns, padded, wrapped
from exactattn.writers.text_maths import spans

GAP = 2  # columns between those of a table
TOKEN_COLUMNS = 24  # a longer token in a table is shortened
SIDES: dict[str, Literal["l", "c", "r"]] = {"l": "l", "c": "c", "r": "r"}


@dataclass(frozen=True, slots=True)
class _Cell:
    """Where a cell starts, how many columns it takes, its text, and on which side that stands."""

    at: int
    spanned: int
    items: Spans
    side: Literal["l", "c", "r"]


@dataclass(frozen=True, slots=True)
class _Grid:
    """Rows in groups (head, body, foot) between which a rule runs."""

    groups: tuple[tuple[tuple[_Cell, ...], ...], ...]
    count: int


def table_lines(table: Table, room: int) -> Iterator[Spans]:
    """The lines of a table in at most `room` columns where that can be, without its caption."""
    head = (table.head,) if table.head else ()
    groups = (head, table.rows, table.foot)
    grid = _Grid(tuple(tuple(_cells(row, table.align) for row in rows) for rows in groups if rows), len(table.align))
    names = len(table.align) - len(table.align.lstrip("l")) or 1
    if _width(_rooms(grid)) <= room or names >= grid.count:
        yield from _drawn(grid)
        return
    narrow, wide_rows = _without_wide(grid)
    for start, end in _ranges(_rooms(narrow), names, room):
        yield from _drawn(_part(narrow, names, start, end))
    for row in wide_rows:
        yield from wrapped(tuple(span for cell in row for span in (*cell.items, Span("  "))), room)


def _cells(row: tuple[TableCell, ...], align: str) -> tuple[_Cell, ...]:
    out, at = [], 0
    for cell in row:
        spanned, items, side = (cell.columns, cell.items, "r") if isinstance(cell, Wide) else (1, cell, align[at])
        out.append(_Cell(at, spanned, spans(items, TOKEN_COLUMNS), SIDES[side]))
        at += spanned
    return tuple(out)


def _without_wide(grid: _Grid) -> tuple[_Grid, list[tuple[_Cell, ...]]]:
    """The grid without the rows that have a cell over several columns, and those rows."""
    taken = [row for rows in grid.groups for row in rows if any(cell.spanned > 1 for cell in row)]
    left = tuple(tuple(row for row in rows if row not in taken) for rows in grid.groups)
    return _Grid(tuple(rows for rows in left if rows), grid.count), taken


def _ranges(rooms: list[int], names: int, room: int) -> list[tuple[int, int]]:
    """The columns after the names in as few parts as fit, of about one size."""
    others = len(rooms) - names
    for parts in range(1, others + 1):
        cuts = [names + others * k // parts for k in range(parts + 1)]
        ranges = list(pairwise(cuts))
        if all(_width((*rooms[:names], *rooms[start:end])) <= room for start, end in ranges):
            return ranges
    return [(at, at + 1) for at in range(names, len(rooms))]


def _part(grid: _Grid, names: int, start: int, end: int) -> _Grid:
    """The leading columns and those from start to end."""
    shift = start - names

    def moved(row: Sequence[_Cell]) -> tuple[_Cell, ...]:
        kept = tuple(cell for cell in row if cell.at < names)
        return kept + tuple(replace(cell, at=cell.at - shift) for cell in row if start <= cell.at < end)

    return _Grid(tuple(tuple(map(moved, rows)) for rows in grid.groups), names + end - start)


def _rooms(grid: _Grid) -> list[int]:
    """The width of each column; where a wide cell needs more than its columns have, they share it."""
    rooms = [0] * grid.count
    placed = [(cell.spanned, cell.at, columns(cell.items)) for rows in grid.groups for row in rows for cell in row]
    for spanned, at, needed in sorted(placed, key=itemgetter(0)):
        lacks = needed - _width(rooms[at : at + spanned])
        for k in range(max(0, lacks)):
            rooms[at + spanned - 1 - k % spanned] += 1
    return rooms


def _width(rooms: Sequence[int]) -> int:
    return sum(rooms) + GAP * (len(rooms) - 1)


def _drawn(grid: _Grid) -> Iterator[Spans]:
    rooms = _rooms(grid)
    rule = (Span("─" * _width(rooms), "rule"),)
    yield rule
    for rows in grid.groups:
        for row in rows:
            line: list[Span] = []
            for cell in row:
                gap = (Span(" " * GAP),) if cell.at else ()
                line += (*gap, *padded(cell.items, _width(rooms[cell.at : cell.at + cell.spanned]), cell.side))
            yield tuple(line)
        yield rule
