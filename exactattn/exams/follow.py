"""Follow-through: a later part judged by the student's own earlier values.

The steps after the nearest asked quantities are run again in ball arithmetic on what the student typed there, each number
± half its last typed place, all other operands true, widened as in `range`. What lies inside follows. An earlier answer that
is trivial or impossible is not gone on from (the guard).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from flint import arb, arb_mat, fmpq

from exactattn.exams.answers import Typed
from exactattn.exams.model import Part, Place, Question
from exactattn.exams.range import Ranges, Walks
from exactattn.exams.widened import BITS
from exactattn.numbers.ball import bits_of, endpoints
from exactattn.trace import Step, Trace

Judged: TypeAlias = Literal["follows", "strays", "by-hand", "guarded", "none"]
"""Of an entry: it follows from the earlier values or does not; they leave it too wide to say; they are not gone on from; there
is no wrong earlier value."""

MOST_UNITS = 3
"""What follows is known to so many units of its last place, or it is marked by hand."""

WHOLE = ("X", "X_kv", "K", "V")
"""Quantities of which every row reaches every later row."""

Values: TypeAlias = Sequence[Sequence[Typed | None]]
"""What was typed: for each part, for each entry; None where there is no number."""


@dataclass(frozen=True, slots=True)
class _Earlier:
    """A nearest asked part: which of its rows were typed in full, which are wrong somewhere, which the guard stops."""

    part: Part
    typed: Mapping[tuple[int, int], Typed]
    wrong: frozenset[int]
    stopped: frozenset[int]

    def meets(self, rows: frozenset[int], i: int) -> bool:
        """Has row i of a later quantity to do with these rows?"""
        return bool(rows) if self.part.ask in WHOLE else i in rows


def follow(question: Question, index: int, values: Values) -> list[Judged]:
    """Each entry of part `index`, judged by the student's own earlier values."""
    part, trace = question.parts[index], question.trace
    nothing: list[Judged] = ["none"] * len(part.entries)
    step = None if trace is None else trace.step_or_none(part.ask, part.head)
    if trace is None or step is None:
        return nothing
    typed = [k for k, given in enumerate(values) if any(one is not None for one in given)]
    earlier = [_earlier(trace, question.parts[k], values[k]) for k in nearest(question, index, typed)]
    if not any(one.wrong for one in earlier):
        return nothing
    # exactly as typed; as if zeros at the end were dropped (0.5 for 0.500); ± half the last typed place
    caps = (*caps_of(part), None)
    found = [_intervals(trace, part, earlier, cap) for cap in caps]
    out: list[Judged] = []
    for k, entry in enumerate(part.entries):
        place, x = entry.place, values[index][k]
        if place is None or x is None or not any(one.meets(one.wrong, place.row) for one in earlier):
            out.append("none")
        elif any(one.meets(one.stopped, place.row) for one in earlier):
            out.append("guarded")
        else:
            out.append(_judged(x.value, [intervals[k] for intervals in found], part.places))
    return out


Interval: TypeAlias = tuple[Fraction, Fraction] | None


def _judged(x: Fraction, intervals: Sequence[Interval], places: int) -> Judged:
    """Inside any interval that is tight enough, it follows; the widest must be so, or a person decides."""
    tight = [one for one in intervals if one is not None and _tight(one, places)]
    if any(low <= x <= high for low, high in tight):
        return "follows"
    return "strays" if len(tight) == len(intervals) else "by-hand"


def _tight(interval: tuple[Fraction, Fraction], places: int) -> bool:
    return (interval[1] - interval[0]) / 2 <= Fraction(MOST_UNITS, 10**places)


# -- the nearest asked quantities ------------------------------------------------------------------------------------------


def nearest(question: Question, index: int, typed: Collection[int]) -> list[int]:
    """The parts that part `index` goes on from, those nearest to it, in order; others than those `typed` are passed over."""
    part, trace = question.parts[index], question.trace
    step = None if trace is None else trace.step_or_none(part.ask, part.head)
    if trace is None or step is None:
        return []
    asked = {(question.parts[k].ask, question.parts[k].head): k for k in typed if k != index}
    return sorted(set(_back(trace, step, asked)))


def _back(trace: Trace, step: Step, asked: Mapping[tuple[str, int | None], int]) -> Iterator[int]:
    for read in step.reads:
        before = trace.of(read)
        found = asked.get((before.name, before.head))
        if found is None:
            yield from _back(trace, before, asked)
        else:
            yield found


# -- the guard -------------------------------------------------------------------------------------------------------------


def _earlier(trace: Trace, part: Part, typed: Sequence[Typed | None]) -> _Earlier:
    found = {
        (entry.place.row, entry.place.column): one
        for entry, one in zip(part.entries, typed, strict=True)
        if entry.place is not None and one is not None
    }
    wrong, stopped = set(), set()
    for i in part.rows:
        row = [
            (entry, one) for entry, one in zip(part.entries, typed, strict=True) if entry.place and entry.place.row == i
        ]
        if any(one is None or not entry.accepts(one.value) for entry, one in row):
            wrong.add(i)
            numbers = [one for _, one in row if one is not None]
            keys = [entry.key for entry, _ in row]
            if len(numbers) < len(row) or not is_whole(trace, part, i) or not sound(part, numbers, keys):
                stopped.add(i)
    return _Earlier(part, found, frozenset(wrong), frozenset(stopped))


def is_whole(trace: Trace, part: Part, i: int) -> bool:
    """Can a whole row be gone on from? One number alone can not; of several, those that are not asked are printed beside them
    (the diagonal of the scores), and are as they are printed."""
    q = trace.step(part.ask, part.head).computed
    return len(part.entries) > 1 or (q.shape[1] if q.keep is None else sum(q.keep[i])) == 1


def sound(part: Part, row: Sequence[Typed], keys: Sequence[Fraction]) -> bool:
    """Can one go on from this row? Weights are shares that add to 1, exponentials positive, scores and the like of the size
    of the true ones; and it is neither constant nor one-hot unless the truth is."""
    values = [one.value for one in row]
    for trivial in (_constant, _one_hot):
        if trivial(values) and not trivial(keys):
            return False
    if part.ask == "weights":
        # a last place each: n · 10^−d where all have d places
        slack = sum((2 * one.half for one in row), Fraction(0))
        return all(0 <= x <= 1 for x in values) and abs(sum(values, Fraction(-1))) <= slack
    if part.ask in ("exps", "sums"):
        return all(x > 0 for x in values)
    most = 10 * max((abs(entry.key) for entry in part.entries), default=Fraction(0)) + 1
    return all(abs(x) <= most for x in values)


def _constant(row: Sequence[Fraction]) -> bool:
    return len(row) > 1 and len(set(row)) == 1


def _one_hot(row: Sequence[Fraction]) -> bool:
    return len(row) > 1 and sum(1 for x in row if x) == 1


# -- the steps run again ---------------------------------------------------------------------------------------------------


def caps_of(part: Part) -> tuple[Fraction, Fraction]:
    """How far a typed number may be off: not at all, or half a unit of the part's last place."""
    return Fraction(0), Fraction(1, 2 * 10**part.places)


def reached(question: Question, index: int, values: Values, cap: Fraction) -> list[Interval]:
    """What each entry of part `index` prints when worked from these answers, each of them at most `cap` off."""
    trace = question.trace
    if trace is None:
        return [None] * len(question.parts[index].entries)
    typed = [k for k, given in enumerate(values) if any(one is not None for one in given)]
    earlier = [_earlier(trace, question.parts[k], values[k]) for k in nearest(question, index, typed)]
    return _intervals(trace, question.parts[index], earlier, cap)


def _intervals(trace: Trace, part: Part, earlier: Sequence[_Earlier], cap: Fraction | None) -> list[Interval]:
    """What each entry of the part prints when worked from the typed values; None where nothing bounds it."""
    instead: dict[tuple[str, int | None], arb_mat] = {
        (one.part.ask, one.part.head): _typed_matrix(trace, one, cap) for one in earlier
    }
    ranges = Walks(part.working, instead).ranges(trace)
    return [_hull(part, entry.place, ranges) for entry in part.entries]


def _typed_matrix(trace: Trace, one: _Earlier, cap: Fraction | None) -> arb_mat:
    q = trace.step(one.part.ask, one.part.head).computed
    rows = q.exact.balls(BITS).tolist()
    with bits_of(BITS):
        for (i, j), typed in one.typed.items():
            half = typed.half if cap is None else min(typed.half, cap)
            rows[i][j] = arb(_rational(typed.value)) + arb(0, _rational(half))
        return arb_mat(rows)


def _rational(x: Fraction) -> fmpq:
    return fmpq(x.numerator, x.denominator)


def _hull(part: Part, place: Place | None, ranges: Sequence[Ranges]) -> Interval:
    half = Fraction(1, 2 * 10**part.places)
    if place is None or not ranges:
        return None
    balls = [found[part.ask, part.head][place.row, place.column] for found in ranges]
    if not all(ball.is_finite() for ball in balls):
        return None
    ends = [endpoints(ball) for ball in balls]
    return min(low for low, _ in ends) - half, max(high for _, high in ends) + half
