"""What must hold of printed numbers whatever the inputs are, each with the interval that refutes it.

Every printed weight and output stands for all numbers that print like it: itself ± half its last place. The scores and
values they are held against are operands: one without a decimal point is exactly what it says. An identity is refuted when
no numbers in these intervals satisfy it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from itertools import pairwise
from typing import Literal, TypeAlias

from flint import fmpq

from exactattn.audits.compare import Compared
from exactattn.audits.operands import Operands, Setting, Sources
from exactattn.audits.printed import Number, Printed, Row
from exactattn.audits.ranges import ZERO, Exact, Range, greatest, least, scaled_row, total
from exactattn.numbers import lazy
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.value import Value

Identity: TypeAlias = Literal[
    "rows-add-to-one", "weights-in-unit-interval", "equal-scores", "order-kept", "ratio", "hull"
]


@dataclass(frozen=True, slots=True)
class Refuted:
    """An identity that printed numbers of a row contradict.

    `columns` are the entries it speaks of, `claimed` the interval that the printed numbers leave for the value it speaks
    of, `due` the interval (or number) that it should meet.
    """

    identity: Identity
    name: str
    head: int | None
    row: int
    columns: tuple[int, ...]
    claimed: Range
    due: Range


_ONE: Exact = fmpq(1)


def refuted(printed: Printed, setting: Setting, limits: Limits = LIMITS) -> list[Refuted]:
    """Every refuted identity, head by head and row by row."""
    heads: list[int | None] = list(range(len(printed.heads))) if printed.heads else [None]
    sources = Sources(printed, setting, limits)
    out: list[Refuted] = []
    for head in heads:
        for i, row in enumerate(printed.find("weights", head) or ()):
            out += _of_weights(row, head, i, setting)
            out += _of_ratios(sources, row, head, i)
        if head is not None or (setting.heads == 1 and "W_O" not in setting.inputs):
            out += _of_outputs(sources, head)
    return out


def around(number: Number) -> Range:
    """All numbers that print like this one."""
    return Range.around(number.exact, number.ulp / 2)


def _finite(row: Row) -> Iterator[tuple[int, Number]]:
    for j, number in enumerate(row):
        if number is not None and not number.infinite:
            yield j, number


# -- rows of weights ---------------------------------------------------------------------------------------------------


def _of_weights(row: Row, head: int | None, i: int, setting: Setting) -> Iterator[Refuted]:
    entries = [(j, around(number)) for j, number in _finite(row)]
    for j, found in entries:
        if found.high < 0 or found.low > 1:
            yield Refuted("weights-in-unit-interval", "weights", head, i, (j,), found, Range(ZERO, _ONE))
    opened = [j for j in range(len(row)) if setting.is_open(i, j)]
    if opened and entries and all(row[j] is not None for j in opened):
        found = total(one for _, one in entries)
        if found.low > 1 or found.high < 1:
            yield Refuted("rows-add-to-one", "weights", head, i, tuple(j for j, _ in entries), found, Range(_ONE, _ONE))


def _of_ratios(sources: Sources, row: Row, head: int | None, i: int) -> Iterator[Refuted]:
    """Each weight against that of the largest score: their ratio is e to the difference of the scaled scores.

    Beside these, neighbours in the order of the scores: equal scores, and an order turned round.
    """
    found, factor = _scores(sources, head, i)
    weights = {j: around(n) for j, n in _finite(row) if j in found}

    def falling(a: int, b: int) -> int:
        return _compared(found[b], found[a]) or a - b

    order = sorted(weights, key=cmp_to_key(falling))
    pairs = sorted({(j, order[0]) for j in order[1:]} | {(b, a) for a, b in pairwise(order)})
    # of the two, the one that is divided by must not be 0
    pairs = [(j, k) if weights[k].low > 0 else (k, j) for j, k in pairs]
    apart = [Range(found[j].low - found[k].high, found[j].high - found[k].low) for j, k in pairs]
    least_due = _exponentials([one.low for one in apart], factor, sources.limits)
    most_due = _exponentials([one.high for one in apart], factor, sources.limits)
    for at, (j, k) in enumerate(pairs):
        ratio = _quotient(weights[j], weights[k])
        if ratio is None or (least_due.sign(0, at, ratio.high) <= 0 and most_due.sign(0, at, ratio.low) >= 0):
            continue
        turned = (apart[at].high < 0 and ratio.low > 1) or (apart[at].low > 0 and ratio.high < 1)
        same = _compared(found[j], found[k]) == 0
        if same or turned or (order[0] in (j, k) and not _follows(sources, head, i, (j, k), ratio)):
            kind: Identity = "equal-scores" if same else "order-kept" if turned else "ratio"
            due = Range(least_due.value(0, at), most_due.value(0, at))
            yield Refuted(kind, "weights", head, i, (j, k), ratio, due)


def _follows(sources: Sources, head: int | None, i: int, pair: tuple[int, int], ratio: Range) -> bool:
    """Is it the ratio of exponentials that are printed between scores and weights? Then it was rounded early, or these are
    wrong: the verdicts say which."""
    source = sources.operands("exps", head)
    row = source.rows[i] if source is not None and i < len(source.rows) else ()
    first, second = (row[k] if k < len(row) else None for k in pair)
    if source is None or first is None or second is None or first.infinite or second.infinite:
        return False
    found = _quotient(sources.range_of(source, first), sources.range_of(source, second))
    return found is None or not (ratio.high < found.low or ratio.low > found.high)


def _exponentials(differences: Sequence[Exact], factor: Exact, limits: Limits) -> Compared:
    """e to each of these times the factor."""
    row = scaled_row(differences, factor)
    return Compared(lazy.Exponential(row), limits)


def _quotient(a: Range, b: Range) -> Range | None:
    """All a/b that are not negative; None where b may be 0: then nothing bounds them."""
    if b.low <= 0 or a.high <= 0:
        return None
    return Range((a.low if a.low > 0 else ZERO) / b.high, a.high / b.low)


def _compared(a: Range, b: Range) -> int:
    """The sign of a − b, by what is printed of them: their middles, doubled."""
    first, second = a.low + a.high, b.low + b.high
    return (first > second) - (first < second)


def _scores(sources: Sources, head: int | None, i: int) -> tuple[dict[int, Range], Exact]:
    """The open scores of a row as the source prints (or is given) them, and the scale that is still to come, not negative."""
    setting = sources.setting
    chosen = sources.chosen(head, i, (("scaled", False), ("scores", True)))
    if chosen is None:
        return {}, _ONE
    source, scale = chosen
    found = {j: sources.range_of(source, n) for j, n in _finite(source.rows[i]) if setting.is_open(i, j)}
    factor: Exact = Value.of(setting.scale, sources.limits) if scale and setting.scale is not None else _ONE
    if factor >= 0:
        return found, factor
    return {j: Range(-one.high, -one.low) for j, one in found.items()}, -factor


# -- outputs -----------------------------------------------------------------------------------------------------------


def _of_outputs(sources: Sources, head: int | None) -> Iterator[Refuted]:
    """An output is a mean of the values its query may attend to: between the least and the greatest of their column."""
    values = sources.operands("V", head)
    bounds: dict[tuple[tuple[int, ...], int], Range | None] = {}
    for i, row in enumerate((values is not None and sources.printed.find("output", head)) or ()):
        assert values is not None
        rows = tuple(k for k in range(len(values.rows)) if sources.is_open(i, k))
        for j, number in _finite(row):
            if (rows, j) not in bounds:
                bounds[rows, j] = _column(sources, values, rows, j)
            due, found = bounds[rows, j], around(number)
            if due is not None and (found.high < due.low or found.low > due.high):
                yield Refuted("hull", "output", head, i, (j,), found, due)


def _column(sources: Sources, values: Operands, rows: tuple[int, ...], j: int) -> Range | None:
    """From the least to the greatest of a column of these rows; None where one of them is not there."""
    column = [values.rows[k][j] for k in rows if j < len(values.rows[k])]
    there = [number for number in column if number is not None and not number.infinite]
    if not there or len(there) < len(rows):
        return None
    ranges = [sources.range_of(values, number) for number in there]
    return Range(least(one.low for one in ranges), greatest(one.high for one in ranges))
