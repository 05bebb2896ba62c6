"""What a careful student can get: the steps run again in ball arithmetic, with a rounding to `working` places after each.

Scores are exact. Scaled scores, exponentials and weights each gain ±½·10^−k; the exponential of the row's own maximum is
exactly 1; sums gain nothing. A weight is enclosed as 1/(1 + (Σ_{j≠i} e_j)/e_i), where each operand stands once, and an output as
Σ w_j·v_j. The range is the union over working with the maximum subtracted and without.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeAlias

from flint import arb, arb_mat, fmpq

from exactattn.arithmetic.balls import BallArithmetic
from exactattn.attention import pipeline
from exactattn.errors import InputError
from exactattn.numbers.ball import bits_of
from exactattn.trace import Quantity, Trace

BITS = 96
GAINING = ("scaled", "exps", "weights")
"""Quantities that a student writes down rounded."""

Ranges: TypeAlias = Mapping[tuple[str, int | None], arb_mat]
"""Enclosures by name and head."""

_AR = BallArithmetic(BITS)


def student_ranges(trace: Trace, working: int) -> tuple[Ranges, ...]:
    """The ranges of every quantity, with the maximum subtracted and without (one tuple entry each)."""
    return tuple(found for shifted in (True, False) if (found := _walk(trace, working, shifted)) is not None)


def _walk(trace: Trace, working: int, shifted: bool) -> Ranges | None:
    """One walk through the steps. Without the shift, `maximum` and `shift` are passed over."""
    half = fmpq(1, 2 * 10**working)
    now: dict[int, Quantity] = {}
    out: dict[tuple[str, int | None], arb_mat] = {}
    for step in trace.steps:
        name = step.function.__name__
        made = step.computed
        reads = [now[id(read)] for read in step.reads]
        if name == "shift" and step.function is pipeline.shift and not shifted:
            now[id(made)] = replace(reads[0], name="shifted")
            continue
        if step.function is pipeline.divide:
            matrix = _shares(reads[0])
            found = replace(reads[0], name="weights", matrix=matrix, arithmetic=_AR)
        else:
            try:
                found = step.again(_AR, reads)
            except (InputError, ValueError, ZeroDivisionError):
                return None  # a wrong method whose divisor may be 0 in this form
        if made.name in GAINING:
            found = replace(found, matrix=_widened(found, half, made.name == "exps" and shifted, reads))
        now[id(step.computed)] = now[id(step.made)] = found
        out[made.name, made.head] = found.matrix
    return out


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
                line.append(1 / (1 + rest / x))
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
