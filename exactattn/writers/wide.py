"""Tables and matrices that no sheet holds, taken apart by columns, and tables also by rows.

A sheet holds about 60 ems of small type in a line. The parts are trees again, so a writer typesets them as any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from exactattn.document import (
    Fence,
    Frac,
    Grid,
    Inlines,
    Mark,
    Math,
    Maths,
    Op,
    Root,
    Row,
    Script,
    Strong,
    Table,
    TableCell,
    Token,
    Wide,
    Word,
)
from exactattn.present.figures import layout

LINE = 78.0  # ems of the smallest type in a line
GAP = 1.1  # ems between columns
ROWS = 26  # of a table on a sheet

WORD = 16  # columns of a token inside a formula
TOKEN = 24  # of a token in a table
LABEL = 12  # of the label of a matrix row
HEADS = ((6, 10), (8, 8), (12, 6))  # so many columns of a table or matrix: so wide a token at their head
LEAST = 5


def head_room(columns: int) -> int:
    """How many columns of text a token at the head of one of so many columns may take."""
    return next((room for most, room in HEADS if columns <= most), LEAST)


def ems(node: Maths) -> float:
    """How wide maths is in a formula on lines of its own, where tokens are cut and fractions stand upright."""
    match node:
        case Word(text):
            return min(layout.ems(text), WORD / 2 + 1)
        case Row(items):
            return sum(map(ems, items))
        case Frac(top, bottom):
            return max(ems(top), ems(bottom)) + 0.4
        case Root(body) | Fence(_, body, _):
            return ems(body) + 0.9
        case Script(base, sub, sup):
            return ems(base) + 0.7 * max((ems(part) for part in (sub, sup) if part is not None), default=0.0)
        case Mark(_, body):
            return 1.1 * ems(body)
        case Grid(rows, _, _):
            return sum(max(map(ems, column)) + GAP for column in zip(*rows, strict=True)) + 1.0
        case _:
            return layout.maths(node)


def cell_ems(items: Inlines, token: int = TOKEN) -> float:
    """How wide inline nodes are in a cell of a table, where a token takes at most `token` columns."""
    size = 0.0
    for item in items:
        match item:
            case Token(text):
                size += min(layout.ems(text), token / 2 + 0.5)
            case Math(body):
                size += ems(body)
            case Strong(inner):
                size += 1.1 * cell_ems(inner, token)
            case _:
                size += layout.width((item,)) / layout.EM["normal"]
    return size


def table_parts(table: Table) -> tuple[Table, ...]:
    """The table in parts that fit, of the same head, in reading order; the first has the caption, the last the foot.

    The columns set left at its beginning name the rows: every part has them.
    """
    parts = [part for rows in _by_rows(table) for part in _by_columns(rows)]
    return (parts[0], *(replace(part, caption=()) for part in parts[1:]))


def _by_rows(table: Table) -> list[Table]:
    starts = range(0, max(len(table.rows), 1), ROWS)
    parts = [replace(table, rows=table.rows[at : at + ROWS], foot=()) for at in starts]
    return [*parts[:-1], replace(parts[-1], foot=table.foot)]


def _by_columns(table: Table) -> list[Table]:
    sizes = column_widths(table)
    names = len(table.align) - len(table.align.lstrip("l"))
    groups = _groups(sizes, names, LINE)
    last = len(groups) - 1
    return [
        Table(
            _share(table.head, names, group, k == last),
            tuple(_share(row, names, group, k == last) for row in table.rows),
            table.align[:names] + table.align[group.start : group.stop],
            table.caption,
            tuple(_share(row, names, group, k == last) for row in table.foot),
        )
        for k, group in enumerate(groups)
    ]


def _share(row: tuple[TableCell, ...], names: int, group: range, last: bool) -> tuple[TableCell, ...]:
    """A row's cells of a group of columns. A cell over several columns stands whole in the last part."""
    out: list[TableCell] = []
    at = 0
    for cell in row:
        over = cell.columns if isinstance(cell, Wide) else 1
        mine = [column for column in range(at, at + over) if column < names or column in group]
        if mine and not isinstance(cell, Wide):
            out.append(cell)
        elif mine and isinstance(cell, Wide):
            out.append(Wide(len(mine), cell.items if last else ()))
        at += over
    return tuple(out)


def column_widths(table: Table) -> list[float]:
    """How wide the columns are, in ems; cells over several columns have no say."""
    sizes = [0.0] * len(table.align)
    room = head_room(len(sizes))
    for row in (table.head, *table.rows, *table.foot):
        at = 0
        for cell in row:
            if isinstance(cell, Wide):
                at += cell.columns
                continue
            if at < len(sizes):
                sizes[at] = max(sizes[at], cell_ems(cell, room if row is table.head else TOKEN))
            at += 1
    return sizes


def matrix_parts(node: Maths) -> tuple[Maths, ...]:
    """A display in parts that fit: where one matrix is too wide its columns go on, after dots, in further displays."""
    items = node.items if isinstance(node, Row) else (node,)
    places = [at for at, item in enumerate(items) if isinstance(item, Grid) and item.kind != "lines"]
    if len(places) != 1:
        return (node,)
    grid = items[places[0]]
    assert isinstance(grid, Grid)
    before, after = items[: places[0]], items[places[0] + 1 :]
    names = 1 if grid.kind == "labelled" else 0
    sizes = [max(map(ems, column)) for column in zip(*grid.rows, strict=True)]
    groups = _groups(sizes, names, LINE - sum(map(ems, before)) - 4)
    if len(groups) == 1:
        return (node,)
    parts: list[Maths] = []
    for k, group in enumerate(groups):
        left, right = k > 0, k < len(groups) - 1
        rows = tuple((*row[:names], *_dotted(row[group.start : group.stop], left, right)) for row in grid.rows)
        head = grid.head and _dotted(grid.head[group.start - names : group.stop - names], left, right, Op("none"))
        part = Grid(rows, grid.kind, tuple(head))
        parts.append(Row((*(() if left else before), part, *(() if right else after))))
    return tuple(parts)


def _dotted(cells: Sequence[Maths], left: bool, right: bool, dots: Maths = Op("dots")) -> tuple[Maths, ...]:  # noqa: B008
    return (*((dots,) if left else ()), *cells, *((dots,) if right else ()))


def _groups(sizes: list[float], names: int, line: float) -> list[range]:
    """The columns after the names, in as few groups as fit a line; a group has at least one."""
    room = line - sum(sizes[:names]) - GAP * names
    groups: list[range] = []
    start, used = names, 0.0
    for at in range(names, len(sizes)):
        if at > start and used + sizes[at] + GAP > room:
            groups.append(range(start, at))
            start, used = at, 0.0
        used += sizes[at] + GAP
    return [*groups, range(start, len(sizes))]
