"""The likely cause of the first wrong number: which known wrong method gives it and all that is printed after it.

Each method of the catalogue is run on the example's inputs, alone, then with another. A method is a cause when the wrong
number prints its value, and every number printed later is either what the method gives or follows from the printed numbers
before it. Methods that cannot be told apart are all named.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from exactattn.audits.compare import Compared
from exactattn.audits.examine import Examined, Judged, true_values
from exactattn.audits.printed import NAMES
from exactattn.audits.verdicts import Truth, verdict
from exactattn.misconceptions import Misconception, pairs, singles, slips
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.trace import Trace

_MOST_NUMBERS = 1_000
"""Printed numbers up to which methods are tried in pairs."""


@dataclass(frozen=True, slots=True)
class Cause:
    """The first wrong number, the methods (each one row of the catalogue, or two) that give it, and slips that do."""

    first: Judged
    methods: tuple[tuple[Misconception, ...], ...]
    slips: tuple[str, ...] = ()


def cause(examined: Examined, limits: Limits = LIMITS) -> Cause | None:
    """The cause of the first wrong number; None where nothing is wrong."""
    wrong = [one for one in examined.judged if one.verdict == "wrong"]
    if not wrong:
        return None
    first = min(wrong, key=_order)
    if examined.trace is None or first.number.infinite:
        return Cause(first, ())
    later = sorted(
        (one for one in examined.judged if _order(one) >= _order(first) and not one.number.infinite), key=_order
    )
    found = _best(later, (((row,), wrong) for row, wrong in singles(examined.trace)), limits)
    if not found and len(later) <= _MOST_NUMBERS:
        doubles = (((a, b), wrong) for a, b, wrong in pairs(examined.trace))
        found = _best(later, doubles, limits)
    return Cause(first, found, () if found else _slips(examined, first))


def _order(one: Judged) -> tuple[int, bool, int, int, int]:
    return NAMES.index(one.name), one.head is None, one.head or 0, one.row, one.column


def _best(
    later: list[Judged], tried: Iterable[tuple[tuple[Misconception, ...], Trace]], limits: Limits
) -> tuple[tuple[Misconception, ...], ...]:
    """Of the methods that give all later numbers, those that give most of them outright."""
    scored: list[tuple[int, tuple[Misconception, ...]]] = []
    for rows, wrong in tried:
        count = _given(wrong, later, limits)
        if count is not None:
            scored.append((count, rows))
    most = max((count for count, _ in scored), default=0)
    return tuple(rows for count, rows in scored if count == most)


def _given(wrong: Trace, later: list[Judged], limits: Limits) -> int | None:
    """How many later numbers print this trace's values; None where one is neither that nor follows from those before it."""
    first = later[0]
    values: dict[tuple[str, int | None], Compared | None] = {}
    count = 0

    def beside(one: Judged) -> bool:
        return (one.name, one.head, one.row) == (first.name, first.head, first.row)

    for k, one in enumerate(later):
        key = (one.name, one.head)
        if key not in values:
            values[key] = true_values(wrong, one.name, one.head, limits)
        matrix = values[key]
        inside = matrix is not None and one.row < matrix.matrix.shape[0] and one.column < matrix.matrix.shape[1]
        given = (
            verdict(one.number, Truth(matrix, one.row, one.column), None, False, False)
            if matrix and inside
            else "wrong"
        )
        if given == "ok":
            count += 1
        elif k == 0 or (given != "last-digit" and (one.verdict == "wrong" or beside(one))):
            return None  # the first error must be this method's, and so must its row and all that no rounding explains
    return count


def _slips(examined: Examined, first: Judged) -> tuple[str, ...]:
    if first.truth is None:
        return ()
    matrix, (i, j) = first.truth.matrix, (first.row, first.column)
    n, m = matrix.matrix.shape
    rows = [matrix.value(k, j) for k in (i - 1, i + 1) if 0 <= k < n]
    columns = [matrix.value(i, k) for k in (j - 1, j + 1) if 0 <= k < m]
    return slips(first.number.text, matrix.value(i, j), rows=rows, columns=columns)
