"""A step, and the trace that is a tuple of them: computing is recording."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from exactattn.arithmetic.protocol import Arithmetic
from exactattn.errors import NoSuchQuantity, nearest
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.trace.problem import QUANTITIES, Problem
from exactattn.trace.quantity import Quantity


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """`function(arithmetic, *reads, **settings)` gave `computed`; the work goes on with `made`.

    In the carry track the two are the same object. In the stepwise track `made` holds the printed numbers of `computed`.
    """

    function: Callable[..., Quantity]
    reads: tuple[Quantity, ...]
    settings: Mapping[str, Any]
    computed: Quantity
    made: Quantity

    @property
    def name(self) -> str:
        """The name of what it makes."""
        return self.computed.name

    @property
    def head(self) -> int | None:
        """The head it works in, None outside them."""
        return self.computed.head

    def again(self, arithmetic: Arithmetic, reads: Sequence[Quantity]) -> Quantity:
        """The same step on other operands, in any arithmetic."""
        return self.function(arithmetic, *reads, **self.settings)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a step is not pickled by itself: pickle its trace, or keep Trace.to_json")

    def __repr__(self) -> str:
        return f"<Step {self.function.__name__} -> {self.made!r}>"


class _Quantities(ABC):
    """Quantities as attributes, by name."""

    __slots__ = ()

    @abstractmethod
    def find(self, name: str) -> Step | None:
        """The step that made a quantity, if there is one."""

    def __getattr__(self, name: str) -> Quantity:
        if name.startswith("_"):
            raise AttributeError(name)
        step = self.find(name)
        if step is not None:
            return step.made
        if name in QUANTITIES:
            raise NoSuchQuantity("there is no {name} here", name=name)
        raise NoSuchQuantity("{name!r} is no quantity{hint}", name=name, hint=nearest(name, QUANTITIES))


@dataclass(frozen=True, slots=True, eq=False)
class Head(_Quantities):
    """One head of a trace: `trace.heads[0].weights`."""

    index: int
    trace: Trace

    def find(self, name: str) -> Step | None:
        """The step in this head that made a quantity; what all heads share is found too."""
        return self.trace.step_or_none(name, self.index) or self.trace.step_or_none(name, None)

    def __repr__(self) -> str:
        return f"<Head {self.index} of {len(self.trace.heads)}>"


@dataclass(frozen=True, slots=True, eq=False)
class Trace(_Quantities):
    """The record of one piece of work: its problem, its steps in order, and every quantity by name.

    With one head `trace.weights` is that head's. With several, what each head has of its own is on `trace.heads[k]`, and
    `trace.output` is what stands after concatenation (and W_O).
    """

    problem: Problem
    steps: tuple[Step, ...]
    arithmetic: Arithmetic

    @property
    def heads(self) -> tuple[Head, ...]:
        """The heads, from 0."""
        return tuple(Head(k, self) for k in range(self.problem.settings.heads))

    def step_or_none(self, name: str, head: int | None) -> Step | None:
        """The step that made a quantity in a head (None: outside the heads)."""
        for step in self.steps:
            if step.computed.name == name and step.computed.head == head:
                return step
        return None

    def step(self, name: str, head: int | None = None) -> Step:
        """The step that made a quantity; an error says what is missing."""
        found = self.step_or_none(name, head) if head is not None else self.find(name)
        if found is None:
            raise NoSuchQuantity("there is no {name} here", name=name)
        return found

    def find(self, name: str) -> Step | None:
        """The step that made a quantity of this name, outside the heads or in the only one."""
        outside = self.step_or_none(name, None)
        if outside is not None:
            return outside
        if len(self.heads) == 1:
            return self.step_or_none(name, 0)
        if self.step_or_none(name, 0) is not None:
            raise NoSuchQuantity(
                "each of the {count} heads has its own {name}: see trace.heads[k].{name}",
                count=len(self.heads),
                name=name,
            )
        return None

    def of(self, quantity: Quantity) -> Step:
        """The step that made this very quantity."""
        for step in self.steps:
            if step.made is quantity or step.computed is quantity:
                return step
        raise NoSuchQuantity("{name} is not of this trace", name=quantity.name)

    def __eq__(self, other: object) -> bool:
        """Traces are equal when their problems are, and what is done step by step (a wrong method makes another trace)."""
        return isinstance(other, Trace) and self.problem == other.problem and self._done() == other._done()

    def _done(self) -> list[tuple[Any, ...]]:
        """Each step's function, the names of what it reads, and its settings."""
        return [(step.function, [(read.name, read.head) for read in step.reads], step.settings) for step in self.steps]

    def __hash__(self) -> int:
        return hash((self.problem.tokens, self.problem.settings.scale))

    def __repr__(self) -> str:
        n, m = len(self.problem.tokens), len(self.problem.key_tokens)
        return f"<Trace {n} queries × {m} keys, {len(self.heads)} head(s), {len(self.steps)} steps>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its problem, and solved again when it is read."""
        from exactattn.trace.record import recipe

        return recipe(self)

    def to_json(self, places: Mapping[str, int] | None = None) -> str:
        """The record as JSON: every quantity exact and in certified decimals. See `trace.record`."""
        from exactattn.trace.record import write

        return write(self, places)

    @classmethod
    def from_json(cls, text: str | bytes, limits: Limits = LIMITS) -> Trace:
        """Solve the recorded problem again; a file whose values differ is refused. See `trace.record`."""
        from exactattn.trace.record import read

        return read(text, limits)
