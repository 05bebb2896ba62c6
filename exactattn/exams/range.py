"""What a careful student can get: the steps run again in ball arithmetic, with a rounding to `working` places after each.

Scores are exact. Scaled scores, exponentials and weights each gain ±½·10^−k (`widened`); sums gain nothing; an output is enclosed
as Σ w_j·v_j. The range is the union over working with the maximum subtracted and without.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from types import MappingProxyType
from typing import TypeAlias, assert_never

from flint import arb_mat

from exactattn.arithmetic.balls import BallArithmetic
from exactattn.errors import InputError
from exactattn.exams.courses import EXPONENTIALS, Course, Graph, Node
from exactattn.exams.widened import BITS, exponentials, largest, shares, tops, widened, zeros
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

Pair: TypeAlias = tuple[Quantity | None, Quantity | None]
"""A quantity as it comes out with the maximum subtracted and without; None where it does not (a divisor that may be 0)."""

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
            matrices = {place: q.matrix for place, pair in pairs if (q := pair[way]) is not None}
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
                only = _like(computed, self._instead[computed.name, computed.head])
                return only, only
            case "exact":
                only = _like(computed, self._numbers(node).exact.balls(BITS))
                return only, only
            case "constant":
                constant = self._attempt(node, node.step.reads, rows, shifted=True)
                return constant, constant
            case "softmax":
                assert node.logits is not None
                (operand, _) = self._pair(node.logits, None)
                if operand is None:
                    return None, None
                ones = tops(self._numbers(node.logits))
                if ones is None:
                    ones = zeros(self._numbers(reads[0]))
                with_maximum, without = exponentials(operand, ones, rows, self._working)
                return _like(computed, with_maximum), _like(computed, without)
            case "shares":
                reads = reads[:1]
            case "shift" | "plain":
                pass
            case _ as other:
                assert_never(other)
        needed = rows if node.by_row else None
        pairs = [self._pair(read, needed) for read in reads]
        shifted = self._attempt(node, [pair[0] for pair in pairs], rows, shifted=True)
        if node.how == "shift":
            return shifted, None if pairs[0][1] is None else _like(computed, pairs[0][1].matrix)
        if all(pair[0] is pair[1] for pair in pairs):
            return shifted, shifted
        return shifted, self._attempt(node, [pair[1] for pair in pairs], rows, shifted=False)

    def _attempt(self, node: Node, reads: Sequence[Quantity | None], rows: Rows, *, shifted: bool) -> Quantity | None:
        """The step on these operands; None where one is missing, or where it cannot be done."""
        operands = [read for read in reads if read is not None]
        if len(operands) < len(reads):
            return None
        step = node.step
        if node.how == "shares":
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
            for k in largest(operands[0]) if self._instead else zeros(self._numbers(node.reads[0])):
                wide[k // m, k % m] = 1
        return _like(found, wide)


def _like(q: Quantity, matrix: arb_mat) -> Quantity:
    """The same quantity as it is enclosed."""
    return Quantity(q.name, matrix, q.rows, q.columns, _AR, q.head, q.keep)
