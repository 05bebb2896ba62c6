"""Where the asked numbers of a part stand: a row or a matrix with what is printed in between, or one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from exactattn.document import Maths, Num, Op, Row, Word
from exactattn.exams.model import Entry, Part, Question
from exactattn.trace import Quantity

Cell: TypeAlias = Entry | Maths
"""A number to be given, or what is printed in its place."""


@dataclass(frozen=True, slots=True)
class Layout:
    """The cells by rows, with the names of rows and columns. Entries without a place are one row, named by their columns.

    `rows` are positions from 0 in the quantity, `row_names` their tokens (none for entries without a place).
    """

    cells: tuple[tuple[Cell, ...], ...]
    rows: tuple[int, ...]
    row_names: tuple[str, ...]
    columns: tuple[str, ...]
    quantity: Quantity | None

    @property
    def single(self) -> bool:
        """Is it one number alone?"""
        return sum(isinstance(cell, Entry) for row in self.cells for cell in row) == 1


def layout(question: Question, part: Part) -> Layout:
    """The layout of a part: of what is asked, whole rows, masked and printed entries in their places."""
    trace = question.trace
    step = None if trace is None else trace.step_or_none(part.ask, part.head)
    if step is None or any(entry.place is None for entry in part.entries):
        return Layout((part.entries,), (0,), (), tuple(entry.label for entry in part.entries), None)
    q = step.computed
    asked = {(entry.place.row, entry.place.column): entry for entry in part.entries if entry.place is not None}
    if len(asked) == 1:
        ((i, j),) = asked
        return Layout((part.entries,), (i,), (q.rows[i],), (q.columns[j],), q)
    cells = tuple(tuple(_cell(q, i, j, asked.get((i, j)), part) for j in range(q.shape[1])) for i in part.rows)
    return Layout(cells, part.rows, tuple(q.rows[i] for i in part.rows), tuple(q.columns), q)


def _cell(q: Quantity, i: int, j: int, entry: Entry | None, part: Part) -> Cell:
    if entry is not None:
        return entry
    if q.keep is not None and not q.keep[i][j]:
        return closed(part.ask)
    return Num(q.decimal(part.places)[i][j])


def closed(ask: str) -> Maths:
    """What stands where a mask closes an entry: 0 among weights, −∞ among scores."""
    return Num("0") if ask in ("weights", "exps") else Row((Op("-"), Word("∞")))
