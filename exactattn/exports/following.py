"""Follow-through for systems that compute: what an entry must be when it is worked from the student's own earlier answers.

As in marking, a later entry goes on from the nearest asked quantities, other operands true. Marking knows to how many places
each answer was typed and takes the interval of exactly that; here the reach is that of answers typed to the places asked
for. An entry that would be known to more than `MOST_UNITS` of its last place has none: it is marked on its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from exactattn.exams.answers import Typed
from exactattn.exams.follow import MOST_UNITS, WHOLE, caps_of, is_whole, nearest, reached
from exactattn.exams.model import Part, Question
from exactattn.exports.formula import Answer, Cell, Formula, Found, answers, at, constants, worked
from exactattn.numbers.value import Value
from exactattn.trace import Trace

FINER = 4
"""Places of a reach beyond those of what is asked."""
BITS = 96


@dataclass(frozen=True, slots=True)
class Earlier:
    """A whole row of an earlier part: its entries, and the guard that keeps a trivial or impossible row from being gone on from.

    `least` and `most` bound each number, `adds_to_one` is how far the row's sum may be from 1 (None: it need not be). A row
    that is all one number, or 0 but for one, is not gone on from where the true one is not so.
    """

    cells: tuple[Cell, ...]
    least: Fraction | None
    most: Fraction | None
    open_least: bool
    adds_to_one: Fraction | None
    not_constant: bool
    not_one_hot: bool


@dataclass(frozen=True, slots=True)
class Followed:
    """What an entry follows from: |x − formula| ≤ within, where any of the earlier rows is wrong and every wrong one is sound."""

    formula: Formula
    within: Fraction
    earlier: tuple[Earlier, ...]


def followed(question: Question, index: int) -> tuple[Followed | None, ...]:
    """For each entry of part `index`, what it follows from; None where it is not followed."""
    part, trace = question.parts[index], question.trace
    numeric = [k for k in range(len(question.parts)) if question.parts[k].form is None]
    found = nearest(question, index, numeric) if part.form is None else []
    if trace is None or not found or not question.asked.follow_through:
        return (None,) * len(part.entries)
    typed = {(question.parts[k].ask, question.parts[k].head): _typed(trace, question, k) for k in found}
    formulas = worked(trace, typed, "left-out")  # the guard lets no large answer through
    reaches = [reached(question, index, _keys(question, found), cap) for cap in caps_of(part)]
    rows = {k: _rows(trace, question.parts[k], k) for k in found}
    keys = {
        (k, n): Value.of(entry.text) for k in found for n, entry in enumerate(question.parts[k].entries)
    }  # fmt: skip
    return tuple(
        _followed(question, index, n, formulas, [reach[n] for reach in reaches], rows, keys)
        for n in range(len(part.entries))
    )


def _followed(
    question: Question,
    index: int,
    n: int,
    formulas: Found,
    reaches: Sequence[tuple[Fraction, Fraction] | None],
    rows: Mapping[int, Mapping[int, Earlier]],
    keys: Mapping[Cell, Value],
) -> Followed | None:
    part = question.parts[index]
    place = part.entries[n].place
    if place is None:
        return None
    earlier: list[Earlier] = []
    for k, of_part in rows.items():
        whole = question.parts[k].ask in WHOLE
        concerned = [row for i, row in of_part.items() if whole or i == place.row]
        if not concerned or (whole and len(concerned) < len(question.parts[k].rows)):
            return None
        earlier += concerned
    formula = formulas[part.ask, part.head][place.row][place.column]
    if not answers(formula) or not set(answers(formula)) <= {cell for row in earlier for cell in row.cells}:
        return None
    low, high = at(formula, keys).interval(BITS)
    unit = Fraction(1, 10 ** (part.places + FINER))
    within = [
        ceil(max(reach[1] - low, high - reach[0]) / unit) * unit
        for reach in reaches
        if reach is not None and (reach[1] - reach[0]) / 2 <= Fraction(MOST_UNITS, 10**part.places)
    ]
    return Followed(formula, max(within), tuple(earlier)) if within else None


def _keys(question: Question, chosen: Sequence[int]) -> list[list[Typed | None]]:
    """The keys as if they were typed, in the parts chosen; nothing in others."""
    return [
        [
            Typed(entry.text, entry.key, Fraction(1, 2 * 10**part.places)) if k in chosen else None
            for entry in part.entries
        ]
        for k, part in enumerate(question.parts)
    ]


def _typed(trace: Trace, question: Question, k: int) -> tuple[tuple[Formula, ...], ...]:
    """The quantity of part k with the asked entries as they are typed."""
    part = question.parts[k]
    rows = [list(row) for row in constants(trace.step(part.ask, part.head).computed)]
    for n, entry in enumerate(part.entries):
        if entry.place is not None:
            rows[entry.place.row][entry.place.column] = Answer((k, n))
    return tuple(map(tuple, rows))


# -- the guard ---------------------------------------------------------------------------------------------------------------


def _rows(trace: Trace, part: Part, k: int) -> dict[int, Earlier]:
    """The rows of a part that are asked whole, by their position."""
    out = {}
    for i in part.rows:
        cells = [(n, entry) for n, entry in enumerate(part.entries) if entry.place is not None and entry.place.row == i]
        if cells and is_whole(trace, part, i):
            out[i] = _earlier(part, tuple((k, n) for n, _ in cells), [entry.key for _, entry in cells])
    return out


def _earlier(part: Part, cells: tuple[Cell, ...], keys: Sequence[Fraction]) -> Earlier:
    several = len(keys) > 1
    not_constant = several and len(set(keys)) > 1
    not_one_hot = several and sum(1 for key in keys if key) != 1
    if part.ask == "weights":
        # a hair more, as players add up in doubles: 0.267 + 0.735 is above 1.002
        slack = Fraction(len(cells), 10**part.places) + Fraction(1, 10 ** (part.places + FINER))
        return Earlier(cells, Fraction(0), Fraction(1), False, slack, not_constant, not_one_hot)
    if part.ask in ("exps", "sums"):
        return Earlier(cells, Fraction(0), None, True, None, not_constant, not_one_hot)
    most = 10 * max(abs(entry.key) for entry in part.entries) + 1
    return Earlier(cells, -most, most, False, None, not_constant, not_one_hot)
