"""What a careful student can get: the steps run again in ball arithmetic, with a rounding to `working` places after each.

Scores are exact. Scaled scores, exponentials and weights each gain ±½·10^−k; the exponential of the row's own maximum is
exactly 1; sums gain nothing. A weight is enclosed as 1/(1 + (Σ_{j≠i} e_j)/e_i), where each operand stands once, and an output as
Σ w_j·v_j. The range is the union over working with the maximum subtracted and without.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import TypeAlias

from flint import arb, arb_mat, fmpq

from exactattn.arithmetic.balls import BallArithmetic
from exactattn.attention import pipeline
from exactattn.errors import InputError
from exactattn.misconceptions.replay import Place
from exactattn.misconceptions.softmax import exponentiate_in_base, total_of_scores
from exactattn.numbers.ball import bits_of
from exactattn.numbers.matrix import Linear
from exactattn.trace import Quantity, Step, Trace

BITS = 96
GAINING = ("scaled", "exps", "weights")
"""Quantities that a student writes down rounded."""

EXPONENTIALS = (pipeline.exponentiate, exponentiate_in_base)
"""What takes e (or another base) to the shifted scores."""

Ranges: TypeAlias = Mapping[Place, arb_mat]
"""Enclosures by name and head."""

NOTHING: Ranges = MappingProxyType({})

Pair: TypeAlias = tuple[Quantity | None, Quantity | None]
"""A quantity as it comes out with the maximum subtracted and without; None where it does not (a divisor that may be 0)."""

_AR = BallArithmetic(BITS)


class Walks:
    """The walks through one trace and its wrong variants. A step that they share is worked once.

    Variants share with the trace every step that is not touched (`misconceptions.replay`), so what a wrong method costs is
    what it changes and what follows, as far as that is asked for. Both walks are one up to the shift. `instead` holds what a
    student wrote for some quantities: what follows goes on from it.
    """

    def __init__(self, working: int, instead: Ranges = NOTHING) -> None:
        self._instead = instead
        self._working = working
        self._pairs: dict[int, Pair] = {}
        self._exact: dict[int, bool] = {}
        self._makers: dict[int, Step] = {}
        self._alive: list[Trace] = []

    def ranges(self, trace: Trace, wanted: Collection[Place] | None = None) -> tuple[Ranges, ...]:
        """The ranges of the wanted quantities (of every one), with the maximum subtracted and without (one entry each).

        Without the shift, `shift` is passed over.
        """
        self._alive.append(trace)  # steps and quantities are known by their ids: they must not be forgotten
        makers = self._makers
        found: dict[Place, Pair] = {}
        for step in trace.steps:
            makers.setdefault(id(step.computed), step)
            makers.setdefault(id(step.made), step)
        for step in trace.steps:
            computed = step.computed
            place = computed.name, computed.head
            if wanted is None or place in wanted:
                found[place] = self._pair(step)
        out = []
        for way in (0, 1) if _cancels(trace) else (0,):
            quantities = {place: pair[way] for place, pair in found.items()}
            matrices = {place: q.matrix for place, q in quantities.items() if q is not None}
            if len(matrices) == len(quantities):
                out.append(matrices)
        return tuple(out)

    def _pair(self, step: Step) -> Pair:
        found = self._pairs.get(id(step))
        if found is None:
            found = self._pairs[id(step)] = self._worked(step)
        return found

    def _worked(self, step: Step) -> Pair:
        computed, function = step.computed, step.function
        typed = self._instead.get((computed.name, computed.head)) if self._instead else None
        if typed is not None or self._is_exact(step):
            matrix = typed if typed is not None else computed.exact.balls(BITS)
            only = Quantity(computed.name, matrix, computed.rows, computed.columns, _AR, computed.head, computed.keep)
            return only, only
        reads = step.reads
        if function is pipeline.divide and self._of_its_own(reads):
            reads = reads[:1]
        pairs = [self._pair(self._makers[id(read)]) for read in reads]
        if function is pipeline.shift:
            return self._attempt(step, [pair[0] for pair in pairs], True), _renamed(pairs[0][1], "shifted")
        with_maximum = self._attempt(step, [pair[0] for pair in pairs], True)
        if computed.name != "exps" and all(pair[0] is pair[1] for pair in pairs):
            return with_maximum, with_maximum
        return with_maximum, self._attempt(step, [pair[1] for pair in pairs], False)

    def _is_exact(self, step: Step) -> bool:
        """Has nothing been rounded up to here? Then the trace's own numbers are enclosed."""
        found = self._exact.get(id(step))
        if found is None:
            found = self._exact[id(step)] = (
                step.made is step.computed
                and step.computed.name not in GAINING
                and (step.computed.name, step.head) not in self._instead
                and all(self._is_exact(self._makers[id(read)]) for read in step.reads)
            )
        return found

    def _of_its_own(self, reads: Sequence[Quantity]) -> bool:
        """Is what is divided by the row's own sum, as it comes out?"""
        e, z = reads
        total = self._makers[id(z)]
        return (
            total.function in (pipeline.total, total_of_scores)
            and total.reads[0] is e
            and ("sums", z.head) not in self._instead
        )

    def _attempt(self, step: Step, reads: Sequence[Quantity | None], shifted: bool) -> Quantity | None:
        """The step on these operands; None where one is missing, or where it cannot be done."""
        operands = [read for read in reads if read is not None]
        if len(operands) < len(reads):
            return None
        try:
            return self._step(step, operands, shifted)
        except (InputError, ValueError, ZeroDivisionError):
            return None  # a wrong method whose divisor may be 0 in this form

    def _step(self, step: Step, reads: list[Quantity], shifted: bool) -> Quantity:
        if step.function is pipeline.divide and len(reads) == 1:
            (e,) = reads
            found = Quantity("weights", _shares(e), e.rows, e.columns, _AR, e.head, e.keep)
        else:
            found = step.again(_AR, reads)
        if found.name not in GAINING:
            return found
        wide = _widened(found, self._working)
        if shifted and step.function in EXPONENTIALS:
            for i, j in _largest(reads[0]) if self._instead else _zeros(step.reads[0]):
                wide[i, j] = 1
        return Quantity(found.name, wide, found.rows, found.columns, _AR, found.head, found.keep)


def _cancels(trace: Trace) -> bool:
    """Does the maximum cancel again, whether it is subtracted or not? A wrong method that takes the shifted scores for something
    else than exponents, or others that were not shifted beside them, is no such mistake without the shift."""
    beside = set()
    for step in trace.steps:
        if step.function is pipeline.shift:
            beside |= {id(step.reads[0]), id(step.computed), id(step.made)}
        elif beside and step.function not in EXPONENTIALS and any(id(read) in beside for read in step.reads):
            return False
    return True


def _renamed(q: Quantity | None, name: str) -> Quantity | None:
    return None if q is None else Quantity(name, q.matrix, q.rows, q.columns, _AR, q.head, q.keep)


def _shares(e: Quantity) -> arb_mat:
    """Each exponential's share of its row: 1/(1 + rest/e), 0 where it is closed."""
    n, m = e.shape
    entries, zero = e.matrix.entries(), arb(0)
    out = [zero] * (n * m)
    with bits_of(BITS):
        for i in range(n):
            opened: Sequence[int] = range(i * m, i * m + m)
            if e.keep is not None:
                opened = [k for k, held in zip(opened, e.keep[i], strict=True) if held]
            for k in opened:
                x, rest = entries[k], zero
                for other in opened:
                    if other != k:
                        rest += entries[other]
                # one that may be 0 divides nothing: rounded away, or the score that a wrong method takes in its place
                out[k] = 1 / (1 + rest / x) if x > 0 else x / (x + rest)
        return arb_mat(n, m, out)


@lru_cache(256)
def _spread(n: int, m: int, working: int) -> arb_mat:
    """±½·10^−k, n × m. (Cached: not to be changed.)"""
    with bits_of(BITS):
        return arb_mat(n, m, [arb(0, fmpq(1, 2 * 10**working))] * (n * m))


def _widened(q: Quantity, working: int) -> arb_mat:
    """Every open entry ±½·10^−k. What is closed is 0 among exponentials and weights."""
    n, m = q.shape
    with bits_of(BITS):
        wide: arb_mat = q.matrix + _spread(n, m, working)
    if q.keep is not None and q.name != "scaled":
        for i, row in enumerate(q.keep):
            for j, held in enumerate(row):
                if not held:
                    wide[i, j] = 0
    return wide


def _zeros(shifted: Quantity) -> list[tuple[int, int]]:
    """Where what is exponentiated is 0, as the row's own maximum is when it is subtracted: e^0 is written as 1, exactly."""
    exact, m = shifted.exact, shifted.shape[1]
    if not isinstance(exact, Linear):
        return []
    tables = [matrix.entries() for matrix in exact.terms.values()]
    size = shifted.shape[0] * m
    zeros = [k for k in range(size) if all(table[k] == 0 for table in tables)]
    return [divmod(k, m) for k in zeros if shifted.keep is None or shifted.keep[k // m][k % m]]


def _largest(shifted: Quantity) -> list[tuple[int, int]]:
    """Where each row is largest: of the numbers that a student wrote, less their maximum, that one is 0."""
    out = []
    for i, row in enumerate(shifted.matrix.tolist()):
        opened = [j for j in range(len(row)) if shifted.keep is None or shifted.keep[i][j]]
        best = [j for j in opened if all(row[j].mid() >= row[k].mid() for k in opened)]
        out += [(i, j) for j in best[:1]]
    return out
