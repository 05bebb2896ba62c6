"""Blocks of a document as the XHTML that QTI's bodies hold: paragraphs, tables, divisions, MathML. Pictures are left out.

Content packages know no style sheet of ours: what the page says by colour or a box is said by words and by strong type here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from exactattn.document import (
    Block,
    Display,
    Figure,
    Grid,
    Inline,
    Inlines,
    Mark,
    Math,
    Maths,
    Note,
    Num,
    Op,
    PageBreak,
    Para,
    Room,
    Row,
    Section,
    Side,
    Strong,
    Table,
    TableCell,
    Text,
    Token,
    Wide,
    Word,
)
from exactattn.exports.markup import Element, Node, element
from exactattn.exports.plain_mathml import math
from exactattn.writers.breaking import columns, has_grid, opened, segments
from exactattn.writers.clean import flat, pieces, shortened, token_pieces

TOKEN_COLUMNS = 60
"""A longer token is shortened."""
BREAK_BEYOND = 24
"""Columns of a formula that stays in one piece: players break lines between pieces, never within."""

_GAP = "\u2002"
"""Between cells that no style sheet keeps apart."""


def blocks(items: Iterable[Block]) -> tuple[Element, ...]:
    """The blocks, one after the other."""
    return tuple(part for item in items for part in _block(item))


def _block(block: Block) -> Iterator[Element]:
    match block:
        case Para(items):
            yield element("p", *inlines(items))
        case Display(Grid(rows, "lines")):
            for row in rows:
                yield element("p", *_broken(Row(row)))
        case Display(body) if any(isinstance(item, Grid) for item in opened(body)):
            yield _matrices(body)
        case Display(body):
            yield element("p", *_broken(body))
        case Table():
            yield _table(block)
        case Note(_, title, inner):
            heading = (element("p", element("strong", *inlines(title))),) if title else ()
            yield element("div", *heading, *blocks(inner))
        case Section(label, title, aside, inner):
            parts = [inlines(part) for part in (label, title, aside) if part]
            words = [node for k, part in enumerate(parts) for node in ((" ", *part) if k else part)]
            yield element("div", element("p", element("strong", *words)), *blocks(inner))
        case Side(inner):
            yield from blocks(inner)
        case Figure() | Room() | PageBreak():
            return
        case _:
            assert_never(block)


def _broken(body: Maths) -> Iterator[Element]:
    """A formula in the pieces between which a line may break."""
    if has_grid(body) or columns(body) <= BREAK_BEYOND:
        yield math(body)
        return
    items = opened(body)
    yield from (math(*items[part]) for part in segments(items, "before"))


def _matrices(body: Maths) -> Element:
    """Matrices in a line, each a table of its own: they are read even where a player shows no MathML."""
    cells: list[Element] = []
    text: list[Maths] = []
    for item in (*opened(body), Op("quad")):
        if item != Op("quad") and not isinstance(item, Grid):
            text.append(item)
            continue
        if text:
            cells.append(element("td", *((2 * _GAP,) if cells else ()), math(*text)))
        text = []
        if isinstance(item, Grid):
            cells.append(element("td", _matrix(item)))
    return element("table", element("tbody", element("tr", *cells)))


def _matrix(grid: Grid) -> Element:
    labelled = grid.kind == "labelled"
    head = [element("tr", element("td"), *(element("th", *cell(name)) for name in grid.head))] if grid.head else []
    rows = (
        element(
            "tr",
            *(
                element("th", *cell(body))
                if labelled and not j
                else element("td", *((_GAP,) if j else ()), *cell(body))
                for j, body in enumerate(row)
            ),
        )
        for row in grid.rows
    )
    return element("table", element("tbody", *head, *rows))


def cell(body: Maths) -> tuple[Node, ...]:
    """What stands in a cell of a table: numbers and tokens as text, the largest of a row in strong type, all else as maths."""
    match body:
        case Word(text):
            return inlines((Token(text),))
        case Num(text) if "e" not in text:
            return (text.replace("-", "−"),)
        case Mark("max", inner):
            return (element("strong", *cell(inner)),)
        case _:
            return (math(body),)


def inlines(items: Inlines) -> tuple[Node, ...]:
    """The inline nodes; text that meets is joined."""
    out: list[Node] = []
    for node in (node for item in items for node in _inline(item)):
        if isinstance(node, str) and out and isinstance(out[-1], str):
            out[-1] += node
        else:
            out.append(node)
    return tuple(out)


def _inline(item: Inline) -> tuple[Node, ...]:
    match item:
        case Text(text):
            return (flat(pieces(text)),)
        case Token(text):
            return (flat(shortened(token_pieces(text), TOKEN_COLUMNS)),)
        case Strong(items):
            return (element("strong", *inlines(items)),)
        case Math(body):
            return (math(body),)
        case _:
            assert_never(item)


def _table(table: Table) -> Element:
    caption = (element("caption", *inlines(table.caption)),) if table.caption else ()
    head = (element("thead", _row(table.head, "th")),) if table.head else ()
    body = element("tbody", *(_row(row, "td") for row in (*table.rows, *table.foot)))
    return element("table", *caption, *head, body)


def _row(cells: Sequence[TableCell], name: str) -> Element:
    return element(
        "tr",
        *(
            element(name, *inlines(cell.items), colspan=str(cell.columns))
            if isinstance(cell, Wide)
            else element(name, *inlines(cell))
            for cell in cells
        ),
    )
