"""The likely cause of the first wrong number: which known wrong method gives it and all that is printed after it.

Each method of the catalogue is run on the example's inputs, alone, then with another. A method is a cause when it gives the
wrong number and its row, and every number printed later is either what the method gives or follows from the printed numbers
before it. Of several, those that give the most printed numbers are named: they cannot be told apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from exactattn.audits.compare import Compared
from exactattn.audits.examine import Examined, Judged, true_matrix
from exactattn.audits.printed import NAMES
from exactattn.misconceptions import Misconception, pairs, singles, slips
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.trace import Trace

_MOST_NUMBERS = 1_000
"""Printed numbers up to which methods are tried in pairs."""

Methods: TypeAlias = tuple[Misconception, ...]
"""One row of the catalogue, or two that were done together."""


@dataclass(frozen=True, slots=True)
class Cause:
    """The first wrong number, the methods (each one row of the catalogue, or two) that give it, and slips that do.

    `others` are wrong numbers of later steps that these methods do not give: there is a second error.
    """

    first: Judged
    methods: tuple[Methods, ...]
    slips: tuple[str, ...] = ()
    others: tuple[Judged, ...] = ()


def cause(examined: Examined, limits: Limits = LIMITS) -> Cause | None:
    """The cause of the first wrong number; None where nothing is wrong."""
    order = sorted(examined.judged, key=_order)
    at = next((k for k, one in enumerate(order) if one.verdict == "wrong"), None)
    if at is None:
        return None
    first = order[at]
    if examined.trace is None:
        return Cause(first, ())
    # the quickest to contradict comes first: the wrong number, its row, what is wrong later, all the rest
    beside = [one for one in order if (one.name, one.head, one.row) == (first.name, first.head, first.row)]
    due = [first, *beside, *(one for one in order[at:] if one.verdict == "wrong")]
    found = _best(due, order, at, (((row,), wrong) for row, wrong in singles(examined.trace)), limits)
    if not found and len(order) - at <= _MOST_NUMBERS:
        doubles = (((a, b), wrong) for a, b, wrong in pairs(examined.trace))
        found = _best(due, order, at, doubles, limits)
    if found:
        return Cause(first, found)
    # two errors: what gives all that is wrong in the first wrong quantity, whatever else is wrong later
    here = [one for one in due if (one.name, one.head) == (first.name, first.head)]
    found = _best(here, order, at, (((row,), wrong) for row, wrong in singles(examined.trace)), limits)
    if not found:
        return Cause(first, (), _slips(examined, first))
    wrong = found[0][0].work(examined.trace)
    assert wrong is not None
    replayed = _Replayed(wrong, limits)
    return Cause(first, found, (), tuple(one for one in due if replayed.gives(one) == "other"))


def _order(one: Judged) -> tuple[int, bool, int, int, int]:
    return NAMES.index(one.name), one.head is None, one.head or 0, one.row, one.column


def _best(
    due: Sequence[Judged],
    order: Sequence[Judged],
    at: int,
    tried: Iterable[tuple[Methods, Trace]],
    limits: Limits,
) -> tuple[Methods, ...]:
    """Of the methods that give all that is `due`, those that give most of the numbers from `at` on, then of those before."""
    scored: list[tuple[tuple[int, int], Methods]] = []
    for rows, wrong in tried:
        replayed = _Replayed(wrong, limits)
        if replayed.gives(due[0]) == "same" and all(replayed.gives(one) != "other" for one in due):
            later, before = ([replayed.gives(one) for one in part] for part in (order[at:], order[:at]))
            scored.append(((later.count("same"), before.count("same")), rows))
    most = max((count for count, _ in scored), default=(0, 0))
    return tuple(rows for count, rows in scored if count == most)


@dataclass(frozen=True, slots=True)
class _Replayed:
    """A wrong trace, compared row by row with what is printed."""

    trace: Trace
    limits: Limits
    rows: dict[tuple[str, int | None, int], Compared | None] = field(default_factory=dict)

    def gives(self, one: Judged) -> Literal["same", "near", "other"]:
        """Does the method print this number, or one less than a unit of the last place away?"""
        if one.number.infinite:
            return "same" if self._is_masked(one) else "other"
        key = one.name, one.head, one.row
        if key not in self.rows:
            matrix = true_matrix(self.trace, one.name, one.head)
            there = matrix is not None and one.row < matrix.shape[0]
            self.rows[key] = Compared(matrix.row(one.row), self.limits) if matrix is not None and there else None
        row = self.rows[key]
        if row is None or one.column >= row.matrix.shape[1]:
            return "other"
        p, ulp = one.number.exact, one.number.ulp
        if row.within(0, one.column, p, ulp / 2):
            return "same"
        return "near" if row.sign(0, one.column, p - ulp) > 0 > row.sign(0, one.column, p + ulp) else "other"

    def _is_masked(self, one: Judged) -> bool:
        """Does the method close this place?"""
        masking = self.trace.step_or_none("masked", one.head or 0)
        keep = None if masking is None else masking.computed.keep
        return keep is not None and not keep[one.row][one.column]


def _slips(examined: Examined, first: Judged) -> tuple[str, ...]:
    if first.truth is None or first.number.infinite:
        return ()
    matrix, (i, j) = first.truth.matrix, (first.row, first.column)
    n, m = matrix.matrix.shape
    rows = [matrix.value(k, j) for k in (i - 1, i + 1) if 0 <= k < n]
    columns = [matrix.value(i, k) for k in (j - 1, j + 1) if 0 <= k < m]
    return slips(first.number.text, matrix.value(i, j), rows=rows, columns=columns)
