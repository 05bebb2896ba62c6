"""Keys and tolerances, and whether a variant tells right from wrong. Every comparison is exact.

P is the printed key at p places, I what a careful student can get with k working places (`range`). The tolerance t is the
greatest distance from P to I ± ½·10^−p, rounded up at p + 2 places, so that |x − P| ≤ t accepts every honest answer. A
misconception is told from the key when at some asked entry P ± t and its own I ± ½·10^−p have no number in common.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from flint import arb, fmpq

from exactattn.exams.model import Asked, Entry, Part, Place, Wrong
from exactattn.exams.range import Ranges
from exactattn.misconceptions import Misconception
from exactattn.numbers.ball import endpoints
from exactattn.trace import Quantity, Trace
from exactattn.trace.problem import QUANTITIES

MOST_UNITS = Fraction(3, 2)
"""A tolerance of more units of the last place than this is refused: too few working places."""


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
        balls = [found[q.name, q.head][i, j] for found in ranges]
        if not all(ball.is_finite() for ball in balls):
            return Refused("tolerance")  # every exponential of a row may be rounded to 0
        low, high = _hull(balls)
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
    ends = [endpoints(ball) for ball in balls]
    return min(low for low, _ in ends), max(high for _, high in ends)


def sees(part: Part, wrong: Trace, ranges: Sequence[Ranges]) -> bool:
    """Is every asked entry of the part told apart from what this wrong method gives?

    Balls are compared with the ends of what is accepted: all above, or all below. A ball that is not bounded is neither.
    """
    step = wrong.step_or_none(part.ask, part.head)
    if step is None or not ranges or any((part.ask, part.head) not in found for found in ranges):
        return True  # it never comes to what is asked: another shape, or nothing at all
    n, m = step.computed.shape
    half = Fraction(1, 2 * 10**part.places)
    for entry in part.entries:
        place = entry.place
        if place is None or place.row >= n or place.column >= m:
            continue
        low, high = entry.key - entry.tolerance - half, entry.key + entry.tolerance + half
        balls = [found[part.ask, part.head][place.row, place.column] for found in ranges]
        below, above = fmpq(low.numerator, low.denominator), fmpq(high.numerator, high.denominator)
        if not (all(ball < below for ball in balls) or all(ball > above for ball in balls)):
            return False
    return True


def wrong_answers(part: Part, methods: Sequence[tuple[Misconception, Trace, Sequence[Ranges]]]) -> tuple[Wrong, ...]:
    """What each method in scope gives for the part; those whose intervals overlap in every entry are one, with both names."""
    half = Fraction(1, 2 * 10**part.places)
    out: list[Wrong] = []
    for method, wrong, ranges in methods:
        step = wrong.step_or_none(part.ask, part.head)
        if step is None or not in_scope(method, part.ask) or not ranges:
            continue
        q = step.computed
        places = [entry.place for entry in part.entries if entry.place is not None]
        if any(p.row >= q.shape[0] or p.column >= q.shape[1] for p in places):
            continue
        hulls = [_hull(found[part.ask, part.head][p.row, p.column] for found in ranges) for p in places]
        texts = q.decimal(part.places)
        intervals = tuple((low - half, high + half) for low, high in hulls)
        _merge(out, Wrong((method.name,), intervals, tuple(texts[p.row][p.column] for p in places)))
    return tuple(out)


def in_scope(method: Misconception, ask: str) -> bool:
    """Does the method change what is asked: at its step or upstream, and not only where it cancels again?"""
    order = QUANTITIES.index
    return order(method.step) <= order(ask) and (method.cancels is None or order(ask) < order(method.cancels))


def _merge(wrongs: list[Wrong], one: Wrong) -> None:
    for k, other in enumerate(wrongs):
        if all(a[0] <= b[1] and b[0] <= a[1] for a, b in zip(one.intervals, other.intervals, strict=True)):
            hull = tuple(
                (min(a[0], b[0]), max(a[1], b[1])) for a, b in zip(one.intervals, other.intervals, strict=True)
            )
            wrongs[k] = Wrong((*other.names, *one.names), hull, other.texts)
            return
    wrongs.append(one)
