"""What a careful student can get: the steps run again in ball arithmetic, with a rounding to `working` places after each.

Scores are exact. Scaled scores, exponentials and weights each gain ±½·10^−k (`widened`); sums gain nothing; an output is enclosed
as Σ w_j·v_j. Where the scale is no short decimal it may be written down rounded itself, as 1/√7 ≈ 0.37796: scaled scores gain
±½·10^−k of the score for that, which covers a division by a rounded √d_k too (|s|/d_k·½·10^−k). The range is the union over
working with the maximum subtracted and without.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias, assert_never

from flint import arb_mat

from exactattn.arithmetic.balls import BallArithmetic
from exactattn.errors import InputError
from exactattn.exams.courses import EXPONENTIALS, Course, Graph, Node
from exactattn.exams.widened import BITS, ends_within, exponentials, half, largest, shares, widened, zeros
from exactattn.misconceptions.finding import tops
from exactattn.misconceptions.replay import Place
from exactattn.numbers.ball import bits_of
from exactattn.trace import Quantity, Trace

GAINING = ("scaled", "exps", "weights")
"""Quantities that a student writes down rounded."""

Ranges: TypeAlias = Mapping[Place, arb_mat]
"""Enclosures by name and head."""

NOTHING: Ranges = MappingProxyType({})

Rows: TypeAlias = tuple[int, ...] | None
"""The rows that are asked, None for all."""

Pair: TypeAlias = tuple[arb_mat | None, arb_mat | None]
"""A matrix as it comes out with the maximum subtracted and without; None where it does not (a divisor that may be 0)."""

Numbers: TypeAlias = Callable[[Node], Quantity]
"""The exact numbers of a step."""

_AR = BallArithmetic(BITS)


def recorded(node: Node) -> Quantity:
    """The numbers that the step itself holds."""
    return node.step.made


class Walks:
    """The walks through one trace and its wrong variants. A step that they share is worked once.

    Variants share with the trace every step that is not touched (`misconceptions.replay`), so what a wrong method costs is
    what it changes and what follows, as far as that is asked for. Both walks are one up to the shift. `instead` holds what a
    student wrote for some quantities: what follows goes on from it.
    """

    def __init__(
        self, working: int, instead: Ranges = NOTHING, graph: Graph | None = None, numbers: Numbers = recorded
    ) -> None:
        self._instead = instead
        self._working = working
        self._graph = Graph(instead) if graph is None else graph
        self._numbers = numbers
        self._pairs: dict[tuple[Node, Rows], Pair] = {}

    def ranges(self, trace: Trace, wanted: Collection[Place] | None = None, rows: Rows = None) -> tuple[Ranges, ...]:
        """The ranges of the wanted quantities (of every one) of a trace, as `along` its course."""
        return self.along(self._graph.course(trace, wanted), rows)

    def along(self, course: Course, rows: Rows = None) -> tuple[Ranges, ...]:
        """The ranges of what is asked, with the maximum subtracted and without (one entry each).

        Without the shift, it is passed over. Where only some rows are asked, nothing is said of the others.
        """
        with bits_of(BITS):
            pairs = [(place, self._pair(node, rows)) for place, node in course.asked]
        out = []
        for way in range(course.ways):
            matrices = {place: matrix for place, pair in pairs if (matrix := pair[way]) is not None}
            if len(matrices) == len(pairs):
                out.append(matrices)
        return tuple(out)

    def _pair(self, node: Node, rows: Rows) -> Pair:
        pairs = self._pairs
        found = pairs.get((node, None))
        if found is None and rows is not None:
            found = pairs.get((node, rows))
        if found is None:
            found = pairs[node, rows] = self._worked(node, rows)
        return found

    def _worked(self, node: Node, rows: Rows) -> Pair:
        computed, reads = node.step.computed, node.reads
        match node.how:
            case "typed":
                typed = self._instead[computed.name, computed.head]
                return typed, typed
            case "exact":
                exact = self._numbers(node).exact.balls(BITS)
                return exact, exact
            case "constant":
                constant = self._attempt(node, [read.step.made.matrix for read in reads], shifted=True)
                return constant, constant
            case "softmax":
                assert node.logits is not None
                (operand, _) = self._pair(node.logits, None)
                if operand is None:
                    return None, None
                logits = self._numbers(node.logits)
                return exponentials(operand, logits.keep, tops(logits), rows, self._working)
            case "shares":
                given, keep = self._pair(reads[0], rows), reads[0].step.computed.keep
                ways = given[:1] if given[0] is given[1] else given
                found = [None if e is None else shares(e, keep, rows, self._working) for e in ways]
                return found[0], found[-1]
            case "shift" | "plain":
                pass
            case _ as other:
                assert_never(other)
        needed = rows if node.by_row else None
        pairs = [self._pair(read, needed) for read in reads]
        shifted = self._attempt(node, [pair[0] for pair in pairs], shifted=True)
        if node.how == "shift":
            return shifted, pairs[0][1]
        if all(pair[0] is pair[1] for pair in pairs):
            return shifted, shifted
        return shifted, self._attempt(node, [pair[1] for pair in pairs], shifted=False)

    def _attempt(self, node: Node, reads: Sequence[arb_mat | None], *, shifted: bool) -> arb_mat | None:
        """The step on these operands; None where one is missing, or where it cannot be done."""
        operands = [_like(read.step.made, m) for read, m in zip(node.reads, reads, strict=True) if m is not None]
        if len(operands) < len(reads):
            return None
        try:
            found = node.step.again(_AR, operands)
        except (InputError, ValueError, ZeroDivisionError):
            return None  # a wrong method whose divisor may be 0 in this form
        if found.name not in GAINING:
            plain: arb_mat = found.matrix
            return plain
        wide = widened(found, self._working)
        if found.name == "scaled" and not ends_within(node.step.settings["by"], self._working):
            with bits_of(BITS):
                wide += operands[0].matrix * half(self._working)
        if shifted and node.step.function in EXPONENTIALS:
            m = found.shape[1]
            for k in largest(operands[0]) if self._instead else zeros(self._numbers(node.reads[0])):
                wide[k // m, k % m] = 1
        return wide


def _like(q: Quantity, matrix: arb_mat) -> Quantity:
    """The same quantity as it is enclosed."""
    return Quantity(q.name, matrix, q.rows, q.columns, _AR, q.head, q.keep)
