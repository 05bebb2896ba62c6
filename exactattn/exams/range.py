"""What a careful student can get: the steps run again in ball arithmetic, with a rounding to `working` places after each.

Scores are exact. Scaled scores, exponentials and weights each gain ±½·10^−k; the exponential of the row's own maximum is
exactly 1; sums gain nothing. A weight is enclosed as 1/(1 + (Σ_{j≠i} e_j)/e_i), where each operand stands once, and an output as
Σ w_j·v_j. The range is the union over working with the maximum subtracted and without.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import TypeAlias

from flint import arb, arb_mat, fmpq

from exactattn.arithmetic.balls import BallArithmetic
from exactattn.attention import pipeline
from exactattn.errors import InputError
from exactattn.numbers.ball import bits_of
from exactattn.trace import Quantity, Step, Trace

BITS = 96
GAINING = ("scaled", "exps", "weights")
"""Quantities that a student writes down rounded."""

Ranges: TypeAlias = Mapping[tuple[str, int | None], arb_mat]
"""Enclosures by name and head."""

NOTHING: Ranges = MappingProxyType({})

_AR = BallArithmetic(BITS)


class Walks:
    """The walks through one trace and its wrong variants. A step that they share is worked once.

    Variants share with the trace every step that is not touched (`misconceptions.replay`), so what a wrong method costs is
    what it changes and what follows. `instead` holds what a student wrote for some quantities: what follows goes on from it.
    """

    def __init__(self, working: int, instead: Ranges = NOTHING) -> None:
        self._instead = instead
        self._half = fmpq(1, 2 * 10**working)
        self._done: dict[tuple[int, bool], Quantity] = {}
        self._alive: list[Trace] = []

    def ranges(self, trace: Trace) -> tuple[Ranges, ...]:
        """The ranges of every quantity, with the maximum subtracted and without (one entry each)."""
        self._alive.append(trace)  # the steps are known by their ids: they must not be forgotten
        return tuple(found for shifted in (True, False) if (found := self._walk(trace, shifted)) is not None)

    def _walk(self, trace: Trace, shifted: bool) -> Ranges | None:
        """One walk through the steps. Without the shift, `shift` is passed over."""
        now: dict[int, Quantity] = {}
        out: dict[tuple[str, int | None], arb_mat] = {}
        for step in trace.steps:
            made = step.computed
            found = self._done.get((id(step), shifted))
            if found is None:
                try:
                    found = self._step(step, [now[id(read)] for read in step.reads], shifted)
                except (InputError, ValueError, ZeroDivisionError):
                    return None  # a wrong method whose divisor may be 0 in this form
                self._done[id(step), shifted] = found
            now[id(made)] = now[id(step.made)] = found
            out[made.name, made.head] = found.matrix
        return out

    def _step(self, step: Step, reads: list[Quantity], shifted: bool) -> Quantity:
        name, head = step.computed.name, step.head
        if (name, head) in self._instead:
            return replace(step.computed, matrix=self._instead[name, head], arithmetic=_AR)
        if step.function is pipeline.shift and not shifted:
            return replace(reads[0], name="shifted")
        if step.function is pipeline.divide and ("sums", head) not in self._instead:
            found = replace(reads[0], name="weights", matrix=_shares(reads[0]), arithmetic=_AR)
        else:
            found = step.again(_AR, reads)
        if name not in GAINING:
            return found
        return replace(found, matrix=_widened(found, self._half, name == "exps" and shifted, reads))


def _shares(e: Quantity) -> arb_mat:
    """Each exponential's share of its row: 1/(1 + rest/e), 0 where it is closed."""
    rows = e.matrix.tolist()
    with bits_of(BITS):
        out = []
        for i, row in enumerate(rows):
            line = []
            for j, x in enumerate(row):
                if e.keep is not None and not e.keep[i][j]:
                    line.append(arb(0))
                    continue
                rest = arb(0)
                for k, y in enumerate(row):
                    if k != j and (e.keep is None or e.keep[i][k]):
                        rest += y
                # one that may be 0 divides nothing: rounded away, or the score that a wrong method takes in its place
                line.append(1 / (1 + rest / x) if x > 0 else x / (x + rest))
            out.append(line)
        return arb_mat(out)


def _widened(q: Quantity, half: fmpq, with_maximum: bool, reads: list[Quantity]) -> arb_mat:
    """Every open entry ± half; e^0 of the row's own maximum is written as 1, exactly."""
    rows = q.matrix.tolist()
    tops = _tops(reads[0]) if with_maximum and reads else [frozenset()] * len(rows)
    with bits_of(BITS):
        spread = arb(0, half)
        return arb_mat([
            [
                arb(0) if q.keep is not None and not q.keep[i][j] and q.name in ("exps", "weights")
                else arb(1) if j in tops[i] else x + spread
                for j, x in enumerate(row)
            ]
            for i, row in enumerate(rows)
        ])  # fmt: skip


def _tops(shifted: Quantity) -> list[frozenset[int]]:
    """Where each row of shifted scores is 0 beyond doubt: nothing else in the row can be above it."""
    out = []
    for i, row in enumerate(shifted.matrix.tolist()):
        opened = [j for j in range(len(row)) if shifted.keep is None or shifted.keep[i][j]]
        best = [j for j in opened if all(row[j].mid() >= row[k].mid() for k in opened)]
        out.append(frozenset(best[:1]))
    return out
