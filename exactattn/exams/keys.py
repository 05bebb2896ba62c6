"""Keys and tolerances, and whether a variant tells right from wrong. Every comparison is exact.

P is the printed key at p places, I what a careful student can get with k working places (`range`). The tolerance t is the
greatest distance from P to I ± ½·10^−p, rounded up at p + 2 places, so that |x − P| ≤ t accepts every honest answer. A
misconception is told from the key when at some asked entry P ± t and its own I ± ½·10^−p have no number in common.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from flint import arb

from exactattn.exams.model import Asked, Entry, Part, Place, Wrong
from exactattn.exams.range import Ranges, student_ranges
from exactattn.misconceptions import Misconception, singles
from exactattn.numbers.ball import endpoints
from exactattn.trace import Quantity, Trace
from exactattn.trace.problem import QUANTITIES

MOST_UNITS = Fraction(3, 2)
"""A tolerance of more units of the last place than this is refused: too few working places."""


class Unbounded(Exception):
    """A range without ends: a divisor may be 0."""


@dataclass(frozen=True, slots=True)
class Refused:
    """A variant that is not kept, and why: "degenerate", "tolerance", or the misconception it cannot see."""

    why: str


def part_of(
    asked: Asked, k: int, q: Quantity, cells: Sequence[tuple[int, int]], ranges: Sequence[Ranges]
) -> Part | Refused:
    """The asked cells of a quantity with keys and tolerances; no wrong answers yet."""
    half = Fraction(1, 2 * 10**asked.places)
    entries = []
    texts = q.decimal(asked.places)
    for i, j in cells:
        key = Fraction(texts[i][j])
        low, high = _hull(found[q.name, q.head][i, j] for found in ranges)
        reach = max(key - (low - half), (high + half) - key)
        tolerance = Fraction(ceil(reach * 10 ** (asked.places + 2)), 10 ** (asked.places + 2))
        if tolerance > MOST_UNITS / 10**asked.places:
            return Refused("tolerance")
        label = f"{q.rows[i]},{q.columns[j]}"
        entries.append(Entry(label, q.value(i, j), texts[i][j], tolerance, Place(q.name, q.head, i, j)))
    rows = tuple(sorted({i for i, _ in cells}))
    shape = (len(rows), len(cells) // max(len(rows), 1))
    return Part(f"{asked.id}.{k}", q.name, tuple(entries), asked.places, asked.working, (), shape, q.head, rows)


def _hull(balls: Iterable[arb]) -> tuple[Fraction, Fraction]:
    """The ends of the union; Unbounded where a ball has none."""
    balls = list(balls)
    if not all(ball.is_finite() for ball in balls):
        raise Unbounded
    ends = [endpoints(ball) for ball in balls]
    return min(low for low, _ in ends), max(high for _, high in ends)


def wrong_methods(trace: Trace, scope: Sequence[Misconception] | None = None) -> list[tuple[Misconception, Trace]]:
    """The misconceptions that run on this trace, with what they give."""
    return list(singles(trace) if scope is None else singles(trace, scope))


def told_apart(
    part: Part, methods: Sequence[tuple[Misconception, Trace, Sequence[Ranges]]]
) -> tuple[Part, list[str]] | Refused:
    """The part with its wrong answers, and the names of those it sees; Refused where one in scope looks right.

    Methods whose intervals overlap each other
    in every entry are one wrong answer with several names.
    """
    half = Fraction(1, 2 * 10**part.places)
    wrongs: list[Wrong] = []
    seen: list[str] = []
    for method, wrong, ranges in methods:
        if not in_scope(method, part.ask):
            continue
        step = wrong.step_or_none(part.ask, part.head)
        if step is None or any((part.ask, part.head) not in found for found in ranges) or not ranges:
            continue
        places = [entry.place for entry in part.entries if entry.place is not None]
        q = step.computed
        if any(p.row >= q.shape[0] or p.column >= q.shape[1] for p in places):
            continue
        try:
            hulls = [_hull(found[part.ask, part.head][p.row, p.column] for found in ranges) for p in places]
        except Unbounded:
            return Refused(method.name)
        intervals = tuple((low - half, high + half) for low, high in hulls)
        if not all(_apart(entry, interval) for entry, interval in zip(part.entries, intervals, strict=True)):
            return Refused(method.name)
        seen.append(method.name)
        texts = q.decimal(part.places)
        _merge(wrongs, Wrong((method.name,), intervals, tuple(texts[p.row][p.column] for p in places)))
    return replace(part, wrongs=tuple(wrongs)), seen


def in_scope(method: Misconception, ask: str) -> bool:
    """Does the method change what is asked: at its step or upstream, and not only where it cancels again?"""
    order = QUANTITIES.index
    return order(method.step) <= order(ask) and (method.cancels is None or order(ask) < order(method.cancels))


def _apart(entry: Entry, interval: tuple[Fraction, Fraction]) -> bool:
    return interval[1] < entry.key - entry.tolerance or interval[0] > entry.key + entry.tolerance


def _merge(wrongs: list[Wrong], one: Wrong) -> None:
    for k, other in enumerate(wrongs):
        if all(a[0] <= b[1] and b[0] <= a[1] for a, b in zip(one.intervals, other.intervals, strict=True)):
            hull = tuple(
                (min(a[0], b[0]), max(a[1], b[1])) for a, b in zip(one.intervals, other.intervals, strict=True)
            )
            wrongs[k] = Wrong((*other.names, *one.names), hull, other.texts)
            return
    wrongs.append(one)


__all__ = ["Refused", "part_of", "student_ranges", "told_apart", "wrong_methods"]
