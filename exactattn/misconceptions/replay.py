"""A trace worked again with some of its steps exchanged for wrong ones.

A wrong step is a pure function like the right one, over the same arithmetic, so it too can be run again on other operands:
`step.again` of a wrong trace gives a misconception's interval as it gives the right one. What is not touched is shared
with the trace that was replayed: its steps, its quantities and their enclosures.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import is_
from typing import Any, TypeAlias, TypeVar

from exactattn.arithmetic.protocol import Arithmetic
from exactattn.errors import NoSuchQuantity
from exactattn.trace import Quantity, Step, Trace

F = TypeVar("F", bound=Callable[..., Quantity])


@dataclass(frozen=True, slots=True)
class Doing:
    """A step to be done: `function(arithmetic, *reads, **settings)`. Reads None: what the doing before it made."""

    function: Callable[..., Quantity]
    reads: tuple[Quantity, ...] | None
    settings: Mapping[str, Any]


Doings: TypeAlias = tuple[Doing, ...]
"""What is done in place of a step: one doing or several, the last of which makes what later steps read."""


@dataclass(frozen=True, slots=True)
class Due:
    """A step whose turn it is: as it was done (`step`), its operands as they are now, and all that is made by now."""

    step: Step
    reads: tuple[Quantity, ...]
    made: Sequence[Quantity]

    def find(self, *names: str, head: int | None = None) -> Quantity:
        """The first of these names that is made by now: in the step's own head (or another), else what all heads share."""
        for name in names:
            for where in (self.step.head if head is None else head, None):
                for quantity in reversed(self.made):
                    if quantity.name == name and quantity.head == where:
                        return quantity
        raise NoSuchQuantity("there is no {name} here", name=" or ".join(names))

    @property
    def plain(self) -> Doings:
        """The step as it was done, on its operands as they are now."""
        return (Doing(self.step.function, self.reads, self.step.settings),)

    def otherwise(self, function: Callable[..., Quantity] | None = None, **settings: Any) -> Doings:
        """The step with another function, with other settings beside its own."""
        return (Doing(function or self.step.function, self.reads, {**self.step.settings, **settings}),)


Exchange: TypeAlias = Callable[[Due], Doings]
"""What becomes of a step."""

Exchanges: TypeAlias = Mapping[str, Exchange]
"""Exchanges by the name of the function whose steps they replace."""


def standing_for(right: Callable[..., Quantity]) -> Callable[[F], F]:
    """A wrong function bears the name of the step that it stands for: steps are found, and shown, by that name.

    It takes as many operands, whether it needs them or not, so that a wrong trace can be shown like a right one.
    """

    def named(wrong: F) -> F:
        wrong.__name__ = right.__name__
        return wrong

    return named


def by(function: Callable[..., Quantity]) -> Exchange:
    """The same operands and settings, another function."""
    return lambda due: due.otherwise(function)


def replay(trace: Trace, exchanges: Exchanges) -> Trace:
    """The trace with these steps exchanged, in every head, on the carry track.

    Steps are walked again in the trace's own arithmetic, each reading what is made anew. The problem stays what was asked
    (only its track is the carry track), so the trace says one thing and does another: that is the mistake.

    >>> import exactattn as xa
    >>> trace = xa.attend(scores=[["0", "ln(3)"]], V=[["8"], ["0"]], scale="2")
    >>> str(replay(trace, {"scale": lambda due: due.otherwise(by="1")}).weights[0, 0])
    '1/4'
    """
    worked = beside(trace, exchanges, frozenset())
    assert worked is not None
    return worked.trace


Place: TypeAlias = tuple[str, int | None]
"""A quantity of a trace: its name and its head."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """A trace worked again, and the places of the steps that were not done as they had been done before."""

    trace: Trace
    otherwise: frozenset[Place]


def beside(trace: Trace, exchanges: Exchanges, fixed: frozenset[Place]) -> Replayed | None:
    """`replay` beside an earlier one that is to stay: None where the exchanges would touch a step that is `fixed`."""
    ar = trace.arithmetic
    now: dict[Quantity, Quantity] = {}  # what has become of a quantity, where it is made anew
    touched = (
        k for k, one in enumerate(trace.steps) if one.function.__name__ in exchanges or one.made is not one.computed
    )
    first = next(touched, len(trace.steps))
    steps = list(trace.steps[:first])
    made = [step.computed for step in steps]
    otherwise: set[Place] = set()
    for step in trace.steps[first:]:
        reads = step.reads
        moved = not now.keys().isdisjoint(reads)
        if moved:
            reads = tuple([now.get(read, read) for read in reads])
        exchange = exchanges.get(step.function.__name__)
        if exchange is None and not moved and step.made is step.computed:
            steps.append(step)
            made.append(step.made)
            continue
        if exchange is None:
            computed = step.function(ar, *reads, **step.settings)
            steps.append(Step(step.function, reads, step.settings, computed, computed))
            made.append(computed)
        else:
            due = Due(step, reads, made)
            (plain,) = due.plain
            doings = exchange(due)
            if (step.name, step.head) in fixed and plain not in doings:
                return None
            for doing in doings:
                operands = (made[-1],) if doing.reads is None else doing.reads
                done = _done(step, ar, doing.function, operands, doing.settings)
                if doing != plain:
                    otherwise.add((done.name, done.head))
                steps.append(done)
                made.append(done.computed)
        if made[-1] is not step.made:
            now[step.computed] = now[step.made] = made[-1]
    problem = trace.problem
    if problem.settings.track != "carry":
        problem = replace(problem, settings=replace(problem.settings, track="carry"))
    return Replayed(Trace(problem, tuple(steps), ar), frozenset(otherwise))


def _done(
    step: Step,
    ar: Arithmetic,
    function: Callable[..., Quantity],
    reads: tuple[Quantity, ...],
    settings: Mapping[str, Any],
) -> Step:
    """The step itself where the same is done on the same operands, else a step of its own."""
    if (
        step.made is step.computed
        and function is step.function
        and all(map(is_, reads, step.reads))
        and len(reads) == len(step.reads)
        and (settings is step.settings or settings == step.settings)
    ):
        return step
    computed = function(ar, *reads, **settings)
    return Step(function, reads, settings, computed, computed)


def changed(trace: Trace, wrong: Trace) -> tuple[Place, ...]:
    """The quantities that a replay of the trace made anew, in the order of the work.

    All others are the very same. What is made anew may still have the same values.
    """
    shared = {id(step) for step in trace.steps}
    return tuple((step.name, step.head) for step in wrong.steps if id(step) not in shared)
