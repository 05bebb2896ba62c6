"""Keys and tolerances, and whether a variant tells right from wrong. Every comparison is exact.

P is the printed key at p places, I what a careful student can get with k working places (`range`). The tolerance t is the
greatest distance from P to I ± ½·10^−p, rounded up at p + 2 places, so that |x − P| ≤ t accepts every honest answer. A
misconception is told from the key when at some asked entry P ± t and its own I ± ½·10^−p have no number in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial, reduce
from typing import TypeAlias

from flint import arb, fmpq, fmpq_mat

from exactattn.attention import run
from exactattn.exams.late import Late
from exactattn.exams.model import FINER, Asked, Entry, Part, Place, Span, Wrong, hull
from exactattn.exams.range import Ranges
from exactattn.exams.widened import BITS
from exactattn.misconceptions import Misconception
from exactattn.numbers.ball import between, bits_of
from exactattn.numbers.limits import LIMITS
from exactattn.numbers.matrix import Linear
from exactattn.trace import Quantity, Trace
from exactattn.trace.problem import QUANTITIES

MOST_UNITS = Fraction(3, 2)
"""A tolerance of more units of the last place than this is refused: too few working places."""

HALF = 10**FINER // 2
"""Half a last place, in units of 10^−(p+2)."""

Cell: TypeAlias = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Refused:
    """A variant that is not kept, and why: "degenerate", "tolerance", or the misconception it cannot see."""

    why: str


@dataclass(frozen=True, slots=True)
class Keyed:
    """Asked cells of a quantity with their printed keys: what a part is made of when the variant is kept.

    Tolerances are in units of 10^−(p+2). `outside` are the ends of what is accepted, each half a last place further out: a
    number below the one or above the other prints as nothing that is accepted.
    """

    asked: Asked
    quantity: Quantity
    cells: tuple[Cell, ...]
    texts: tuple[str, ...]
    tolerances: tuple[int, ...]
    outside: tuple[tuple[fmpq, fmpq], ...]

    @property
    def ask(self) -> str:
        """The name of the quantity."""
        return self.quantity.name

    @property
    def head(self) -> int | None:
        """Its head."""
        return self.quantity.head

    @property
    def place(self) -> tuple[str, int | None]:
        """Its name and its head."""
        return self.quantity.name, self.quantity.head

    def part(self, k: int) -> Part:
        """The part, the k-th that is asked; no wrong answers yet."""
        q, asked = self.quantity, self.asked
        unit = 10 ** (asked.places + FINER)
        entries = tuple(
            Entry(f"{q.rows[i]},{q.columns[j]}", q.value(i, j), text, Fraction(t, unit), Place(q.name, q.head, i, j))
            for (i, j), text, t in zip(self.cells, self.texts, self.tolerances, strict=True)
        )
        rows = tuple(sorted({i for i, _ in self.cells}))
        shape = (len(rows), len(entries) // max(len(rows), 1))
        return Part(f"{asked.id}.{k}", q.name, entries, asked.places, asked.working, (), shape, q.head, rows)


def keyed(asked: Asked, q: Quantity, cells: Sequence[Cell], ranges: Sequence[Ranges]) -> Keyed | Refused:
    """The cells with keys and tolerances, or "tolerance" where what honest work gives is too wide."""
    unit = 10 ** (asked.places + FINER)
    most = MOST_UNITS * 2 * HALF
    texts = q.decimals(cells, asked.places)
    known = _unrounded(q)
    tolerances, outside = [], []
    for (i, j), text in zip(cells, texts, strict=True):
        if known is None:
            with bits_of(BITS):
                ball = _hull(ranges, (q.name, q.head), i, j)
                if not ball.is_finite():
                    return Refused("tolerance")  # every exponential of a row may be rounded to 0
                low, high = between(ball, unit)
        else:
            exact = known[i, j] * unit
            low, high = int(exact.floor()), int(exact.ceil())
        # all in units of 10^−(p+2), in which the key is a whole number
        key = int(text.replace(".", "")) * 2 * HALF
        tolerance = max(key - low, high - key) + HALF
        if tolerance > most:
            return Refused("tolerance")
        tolerances.append(tolerance)
        outside.append((fmpq(key - tolerance - HALF, unit), fmpq(key + tolerance + HALF, unit)))
    return Keyed(asked, q, tuple(cells), tuple(texts), tuple(tolerances), tuple(outside))


def _unrounded(q: Quantity) -> fmpq_mat | None:
    """Fractions of which nothing is rounded on the way there: scores and what comes before them."""
    if QUANTITIES.index(q.name) >= QUANTITIES.index("scaled"):
        return None
    exact = q.exact
    return exact.rationals() if isinstance(exact, Linear) else None


def part_of(asked: Asked, k: int, q: Quantity, cells: Sequence[Cell], ranges: Sequence[Ranges]) -> Part | Refused:
    """The asked cells of a quantity with keys and tolerances; no wrong answers yet."""
    found = keyed(asked, q, cells, ranges)
    return found if isinstance(found, Refused) else found.part(k)


def sees(key: Keyed, ranges: Sequence[Ranges]) -> bool:
    """Is every asked entry told apart from what this wrong method gives?

    Balls are compared with the ends of what is accepted: all above, or all below. A ball that is not bounded is neither.
    """
    place = key.place
    if not ranges or any(place not in found for found in ranges):
        return True  # it never comes to what is asked: nothing bounds it, or it ends before
    n, m = ranges[0][place].nrows(), ranges[0][place].ncols()
    with bits_of(BITS):
        for (i, j), (below, above) in zip(key.cells, key.outside, strict=True):
            if i < n and j < m:
                ball = _hull(ranges, place, i, j)
                if not (ball < below or ball > above):
                    return False
    return True


def _hull(ranges: Sequence[Ranges], place: tuple[str, int | None], i: int, j: int) -> arb:
    """A ball around what each way gives for an entry. To be called under `bits_of`."""
    first = ranges[0][place]
    ball = first[i, j]
    for found in ranges[1:]:
        if (matrix := found[place]) is not first:
            ball = ball.union(matrix[i, j])
    return ball


@dataclass(frozen=True, slots=True)
class Method:
    """A wrong method, the work done with it, and what that gives (`range`). The work itself is done when it is looked at."""

    misconception: Misconception
    work: Callable[[], Trace | None]
    ranges: Sequence[Ranges]

    @property
    def trace(self) -> Trace:
        """The work done with it: it makes sense here, or it would have no ranges."""
        wrong = self.work()
        assert wrong is not None, self.misconception.name
        return wrong

    def decimals(self, part: Part, cells: Sequence[Cell]) -> tuple[str, ...]:
        """What it prints for a part."""
        return tuple(self.trace.step(part.ask, part.head).computed.decimals(cells, part.places))

    @property
    def unshifted(self) -> Method:
        """The same without the maximum subtracted.

        There are two ranges only where nothing but the softmax reads what is shifted (`courses`), so what the method does
        otherwise it does without the shift as well.
        """

        def work() -> Trace | None:
            problem = self.trace.problem
            settings = replace(problem.settings, shift="none")
            return self.misconception.work(run(replace(problem, settings=settings), LIMITS))

        return Method(self.misconception, work, self.ranges[1:])


def wrong_answers(part: Part, methods: Sequence[Method]) -> tuple[Wrong, ...]:
    """What each method in scope gives for the part; those whose intervals overlap in every entry are one, with both names.

    A method that gives something else without the maximum subtracted has both (exponentials that are not normalised).
    """
    place = part.ask, part.head
    cells = [(entry.place.row, entry.place.column) for entry in part.entries if entry.place is not None]
    units = [entry.units(part.places + FINER) for entry in part.entries]
    accepted = [(key - tolerance, key + tolerance) for key, tolerance in units]
    found: list[tuple[list[str], tuple[Span, ...], Late[str]]] = []
    for method in methods:
        if not in_scope(method.misconception, part.ask) or not method.ranges or place not in method.ranges[0]:
            continue
        matrix = method.ranges[0][place]
        n, m = matrix.nrows(), matrix.ncols()
        if any(i >= n or j >= m for i, j in cells):
            continue
        name = method.misconception.name
        for spans, texts in _ways(part, method, cells, accepted):
            for k, (names, others, first) in enumerate(found):
                if name not in names and _alike(spans, others):
                    found[k] = [*names, name], hull(spans, others), first
                    break
            else:
                found.append(([name], spans, texts))
    return tuple(Wrong(tuple(names), spans, part.places + FINER, texts) for names, spans, texts in found)


def _alike(a: Sequence[Span], b: Sequence[Span]) -> bool:
    """Do two answers overlap in every entry, by more than what their ends were rounded outwards?"""
    return all(x[1] - y[0] > 2 and y[1] - x[0] > 2 for x, y in zip(a, b, strict=True))


def _ways(
    part: Part, method: Method, cells: Sequence[Cell], accepted: Sequence[Span]
) -> Iterator[tuple[tuple[Span, ...], Late[str]]]:
    """What a method gives with the maximum subtracted and without: once, where the two cannot be told apart."""
    place = part.ask, part.head
    unit = 10 ** (part.places + FINER)
    with bits_of(BITS):
        balls = [[matrix[i, j] for i, j in cells] for matrix in [found[place] for found in method.ranges]]
        if len(balls) == 2 and all(map(arb.overlaps, *balls)):
            balls = [list(map(arb.union, *balls))]
        ways = [
            tuple([_span(between(ball, unit), right) for ball, right in zip(way, accepted, strict=True)])
            for way in balls
        ]
    texts = Late(partial(method.decimals, part, cells))
    if len(ways) == 2 and not _alike(*ways):
        yield ways[0], texts
        yield ways[1], Late(partial(method.unshifted.decimals, part, cells))
    else:
        yield reduce(hull, ways), texts


def _span(ends: Span, right: Span) -> Span:
    """What prints from one of these ends to the other: each end half a last place further out.

    A span that only touches what is right ends one unit before it: that was told apart before it was rounded.
    """
    least, most = ends[0] - HALF, ends[1] + HALF
    return least + (least == right[1]), most - (most == right[0])


def in_scope(method: Misconception, ask: str) -> bool:
    """Does the method change what is asked: at its step or upstream, and not only where it cancels again?"""
    order = QUANTITIES.index
    return order(method.step) <= order(ask) and (method.cancels is None or order(ask) < order(method.cancels))
