"""The smallest change of a question's numbers that makes it see more: one entry, a step or two of its last place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from exactattn.cases.model import Matrix
from exactattn.numbers.value import Value

MOST_TRIALS = 240
STEPS = (1, -1, 2, -2)
"""By how many units of the last place an entry is changed, the smallest first."""

_PLAIN = re.compile(r"-?[0-9]{1,12}(?:\.[0-9]{1,12})?\Z").match


@dataclass(frozen=True, slots=True)
class Change:
    """An entry, what it was and what it is to be, and how many wrong methods are not seen then."""

    name: str
    row: int
    column: int
    before: str
    after: str
    blind: int


def smallest(inputs: Mapping[str, Matrix], blind: Callable[[Mapping[str, Matrix]], int], now: int) -> Change | None:
    """The change that leaves fewest methods unseen, of these the first; None where none leaves fewer than `now`.

    `blind` says how many are not seen with other inputs.
    """
    best: Change | None = None
    for trial, (name, i, j, after) in enumerate(_changes(inputs)):
        if trial == MOST_TRIALS:
            break
        left = blind({**inputs, name: _with(inputs[name], i, j, after)})
        if left < (now if best is None else best.blind):
            best = Change(name, i, j, inputs[name][i][j], after, left)
        if left == 0:
            break
    return best


def _changes(inputs: Mapping[str, Matrix]) -> Iterator[tuple[str, int, int, str]]:
    for step in STEPS:
        for name, rows in inputs.items():
            places = max((len(x.partition(".")[2]) for row in rows for x in row if _PLAIN(x)), default=0)
            for i, row in enumerate(rows):
                for j, x in enumerate(row):
                    if _PLAIN(x):
                        yield name, i, j, Value.of(Fraction(x) + Fraction(step, 10**places)).decimal(places)


def _with(rows: Matrix, i: int, j: int, x: str) -> Matrix:
    return tuple(tuple(x if (i, j) == (r, c) else old for c, old in enumerate(row)) for r, row in enumerate(rows))
