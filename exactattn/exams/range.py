"""What a careful student can get: the steps run again in ball arithmetic, with a rounding to `working` places after each.

Scores are exact. Scaled scores, exponentials and weights each gain ±½·10^−k (`widened`); sums gain nothing; an output is enclosed
as Σ w_j·v_j. The range is the union over working with the maximum subtracted and without.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias

from flint import arb_mat

from exactattn.arithmetic.balls import BallArithmetic
from exactattn.attention import pipeline
from exactattn.errors import InputError
from exactattn.exams.widened import BITS, exponentials, largest, shares, widened, zeros
from exactattn.misconceptions.replay import Place
from exactattn.misconceptions.softmax import divide_columns, exponentiate_in_base, shift_columns, total_of_scores
from exactattn.misconceptions.weighing import divide_not, equal_weights, one_for_the_largest
from exactattn.numbers.ball import bits_of
from exactattn.trace import Quantity, Step, Trace
from exactattn.trace.problem import QUANTITIES

GAINING = ("scaled", "exps", "weights")
"""Quantities that a student writes down rounded."""

EXPONENTIALS = (pipeline.exponentiate, exponentiate_in_base)
"""What takes e (or another base) to the shifted scores."""

NO_OTHERS = frozenset({*EXPONENTIALS, *pipeline.PIPELINE})
"""What may read the scores that are shifted, or never does."""

ROW_BY_ROW = (
    pipeline.total,
    pipeline.divide,
    pipeline.mix,
    pipeline.concatenate,
    pipeline.project,
    divide_not,
)
"""What makes a row of sums, weights or outputs from the same row of what it reads, after the exponentials."""

OF_ITSELF = (equal_weights, one_for_the_largest)
"""What comes out the same whatever the numbers are that it reads."""

ROUNDED = QUANTITIES[QUANTITIES.index("scaled") :]
"""Scaled scores, and what follows from them."""

Ranges: TypeAlias = Mapping[Place, arb_mat]
"""Enclosures by name and head."""

NOTHING: Ranges = MappingProxyType({})

Rows: TypeAlias = tuple[int, ...] | None
"""The rows that are asked, None for all."""

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
        self._pairs: dict[tuple[Step, Rows], Pair] = {}
        self._exact: dict[Step, bool] = {}
        self._makers: dict[Quantity, Step] = {}
        self._known: set[Step] = set()
        self._passed: set[Step] = (
            set()
        )  # shifts by what cancels again: the row's maximum, or the column's where it is divided by

    def ranges(self, trace: Trace, wanted: Collection[Place] | None = None, rows: Rows = None) -> tuple[Ranges, ...]:
        """The ranges of the wanted quantities (of every one), with the maximum subtracted and without (one entry each).

        Without the shift, it is passed over. Where only some rows are asked, nothing is said of the others.
        """
        new = [step for step in trace.steps if step not in self._known]
        self._known.update(new)
        columns = divide_columns in [step.function for step in new]
        for step in new:
            self._makers[step.computed] = self._makers[step.made] = step
            if step.function is pipeline.shift or (columns and step.function is shift_columns):
                self._passed.add(step)
        asked = [step for step in trace.steps if wanted is None or (step.computed.name, step.computed.head) in wanted]
        with bits_of(BITS):
            pairs = [((step.name, step.head), self._pair(step, rows)) for step in asked]
        out = []
        for way in (0, 1) if _cancels(trace) else (0,):
            matrices = {place: q.matrix for place, pair in pairs if (q := pair[way]) is not None}
            if len(matrices) == len(pairs):
                out.append(matrices)
        return tuple(out)

    def _pair(self, step: Step, rows: Rows) -> Pair:
        pairs = self._pairs
        found = pairs.get((step, None))
        if found is None and rows is not None:
            found = pairs.get((step, rows))
        if found is None:
            found = pairs[step, rows] = self._worked(step, rows)
        return found

    def _worked(self, step: Step, rows: Rows) -> Pair:
        computed, function, reads = step.computed, step.function, step.reads
        typed = self._instead.get((computed.name, computed.head)) if self._instead else None
        if typed is not None or self._is_exact(step):
            only = _like(computed, typed if typed is not None else computed.exact.balls(BITS))
            return only, only
        if function is pipeline.exponentiate and (logits := self._logits(reads[0])) is not None:
            s, less = logits
            (operand, _) = self._pair(self._makers[s], None)
            if operand is None:
                return None, None
            with_maximum, without = exponentials(operand, less, rows, self._working)
            return _like(computed, with_maximum), _like(computed, without)
        if function is pipeline.divide and self._of_its_own(reads):
            reads = reads[:1]
        if function in OF_ITSELF:
            constant = self._attempt(step, step.reads, rows, shifted=True)
            return constant, constant
        needed = rows if function in ROW_BY_ROW else None
        pairs = [self._pair(self._makers[read], needed) for read in reads]
        shifted = self._attempt(step, [pair[0] for pair in pairs], rows, shifted=True)
        if step in self._passed:
            return shifted, None if pairs[0][1] is None else _like(computed, pairs[0][1].matrix)
        if all(pair[0] is pair[1] for pair in pairs):
            return shifted, shifted
        return shifted, self._attempt(step, [pair[1] for pair in pairs], rows, shifted=False)

    def _is_exact(self, step: Step) -> bool:
        """Has nothing been rounded up to here? Then the trace's own numbers are enclosed."""
        found = self._exact.get(step)
        if found is None:
            found = self._exact[step] = (
                step.computed.name not in ROUNDED
                and step.made is step.computed
                and (step.computed.name, step.head) not in self._instead
                and all(self._is_exact(self._makers[read]) for read in step.reads)
            )
        return found

    def _of_its_own(self, reads: Sequence[Quantity]) -> bool:
        """Is what is divided by the row's own sum, as it comes out?"""
        e, z = reads
        total = self._makers[z]
        return (
            total.function in (pipeline.total, total_of_scores)
            and total.reads[0] is e
            and ("sums", z.head) not in self._instead
        )

    def _logits(self, less: Quantity) -> tuple[Quantity, Quantity] | None:
        """What e is taken to before the row's own maximum is subtracted, and after; None where that is not what was done."""
        shift = self._makers[less]
        if self._instead or shift.function is not pipeline.shift:
            return None
        s, top = shift.reads
        maximum = self._makers[top]
        own = maximum.function is pipeline.maximum and maximum.reads[0] is s
        return (s, less) if own and not pipeline.closed_rows(s.keep) else None

    def _attempt(self, step: Step, reads: Sequence[Quantity | None], rows: Rows, *, shifted: bool) -> Quantity | None:
        """The step on these operands; None where one is missing, or where it cannot be done."""
        operands = [read for read in reads if read is not None]
        if len(operands) < len(reads):
            return None
        if step.function is pipeline.divide and len(reads) == 1:
            return _like(step.computed, shares(operands[0], rows, self._working))
        try:
            found = step.again(_AR, operands)
        except (InputError, ValueError, ZeroDivisionError):
            return None  # a wrong method whose divisor may be 0 in this form
        if found.name not in GAINING:
            return found
        wide = widened(found, self._working)
        if shifted and step.function in EXPONENTIALS:
            m = found.shape[1]
            for k in largest(operands[0]) if self._instead else zeros(step.reads[0]):
                wide[k // m, k % m] = 1
        return _like(found, wide)


def _like(q: Quantity, matrix: arb_mat) -> Quantity:
    """The same quantity as it is enclosed."""
    return Quantity(q.name, matrix, q.rows, q.columns, _AR, q.head, q.keep)


def _cancels(trace: Trace) -> bool:
    """Does the maximum cancel again, whether it is subtracted or not? A wrong method that takes the shifted scores for something
    else than exponents, or others that were not shifted beside them, is no such mistake without the shift."""
    others = [step for step in trace.steps if step.function not in NO_OTHERS]
    if not others:
        return True
    beside: set[Quantity] = set()
    for step in trace.steps:
        if step.function is pipeline.shift:
            beside |= {step.reads[0], step.computed, step.made}
    return all(beside.isdisjoint(step.reads) for step in others)
