"""The course of some work: which steps lead to what is asked, and how each is walked in ball arithmetic (`range`).

All of it is read off the steps, none of it off the numbers: work that was done alike has the same course.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from exactattn.attention import pipeline
from exactattn.misconceptions.replay import Place
from exactattn.misconceptions.softmax import divide_columns, exponentiate_in_base, shift_columns, total_of_scores
from exactattn.misconceptions.weighing import divide_not, equal_weights, one_for_the_largest
from exactattn.trace import Quantity, Step, Trace
from exactattn.trace.problem import QUANTITIES

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

How: TypeAlias = Literal["typed", "exact", "constant", "softmax", "shares", "shift", "plain"]
"""How a step is walked. Its numbers are those that a student wrote; are exact, nothing having been rounded up to there; are the
same whatever it reads; are exponentials of a row less its own maximum; are shares of the row's own sum; are passed over where no
maximum is subtracted; or are worked from what it reads."""


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A step, the nodes of what it reads, and how it is walked. `logits` are what exponentials are taken of, not shifted."""

    step: Step
    reads: tuple[Node, ...]
    how: How
    by_row: bool
    logits: Node | None = None


@dataclass(frozen=True, slots=True)
class Course:
    """What is asked with its nodes, and in how many ways it is worked: with the maximum subtracted, and maybe without."""

    asked: tuple[tuple[Place, Node], ...]
    ways: Literal[1, 2]


class Graph:
    """The nodes of a trace and of its wrong variants. A step that they share has one.

    `typed` are the places of what a student wrote: what follows goes on from it. `over` another graph, its nodes are gone on
    from, and it stays as it is.
    """

    def __init__(self, typed: Collection[Place] = (), over: Iterable[tuple[Quantity, Node]] = ()) -> None:
        self._typed = frozenset(typed)
        self._makers: dict[Quantity, Node] = dict(over)

    def node(self, quantity: Quantity) -> Node:
        """The node of the step that made a quantity."""
        return self._makers[quantity]

    def course(self, trace: Trace, wanted: Collection[Place] | None = None) -> Course:
        """The course of a trace to the wanted places (to every one)."""
        new = [step for step in trace.steps if step.computed not in self._makers]
        # the column's maximum cancels again where it is divided by the column's sum, as the row's does by the row's
        columns = divide_columns in [step.function for step in new]
        for step in new:
            self._makers[step.computed] = self._makers[step.made] = self._node(step, columns)
        asked = [
            ((step.computed.name, step.computed.head), self._makers[step.computed])
            for step in trace.steps
            if wanted is None or (step.computed.name, step.computed.head) in wanted
        ]
        return Course(tuple(asked), 2 if _cancels(trace) else 1)

    def _node(self, step: Step, columns: bool) -> Node:
        function, computed = step.function, step.computed
        reads = tuple([self._makers[read] for read in step.reads])
        logits = self._logits(reads) if function is pipeline.exponentiate else None
        how: How = "plain"
        if (computed.name, computed.head) in self._typed:
            how = "typed"
        elif computed.name not in ROUNDED and step.made is computed and all(read.how == "exact" for read in reads):
            how = "exact"
        elif function in OF_ITSELF:
            how = "constant"
        elif logits is not None:
            how = "softmax"
        elif function is pipeline.divide and self._of_its_own(*reads):
            how = "shares"
        elif function is pipeline.shift or (columns and function is shift_columns):
            how = "shift"
        return Node(step, reads, how, function in ROW_BY_ROW, logits)

    def _of_its_own(self, e: Node, z: Node) -> bool:
        """Is what is divided by the row's own sum, as it comes out?"""
        total = z.step.function in (pipeline.total, total_of_scores)
        return total and z.how != "typed" and z.reads[0] is e

    def _logits(self, reads: tuple[Node, ...]) -> Node | None:
        """What e is taken to before the row's own maximum is subtracted; None where that is not what was done."""
        less = reads[0]
        if self._typed or less.step.function is not pipeline.shift:
            return None
        s, maximum = less.reads
        own = maximum.step.function is pipeline.maximum and maximum.reads[0] is s
        return s if own and not pipeline.closed_rows(s.step.computed.keep) else None


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
