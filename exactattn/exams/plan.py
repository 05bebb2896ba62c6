"""What variants of a question have in common: the right work and the wrong, step by step, without its numbers.

Variants that are made alike (`make_of`) differ in their numbers alone. So what a wrong method does otherwise is found out once,
on the outline of the work, where there are no numbers to look at (`arithmetic.outline`); for each variant the exact numbers of
its steps are worked only as far as somebody needs them. A method that looks at numbers (which score is the largest) is worked
on the variant itself.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

from exactattn.arithmetic.outline import Blank, OutlineArithmetic, Unseen
from exactattn.exams.courses import Course, Graph, Node
from exactattn.exams.keys import Method, in_scope
from exactattn.exams.model import Asked
from exactattn.exams.range import Rows, Walks
from exactattn.misconceptions import Misconception
from exactattn.misconceptions.replay import Place
from exactattn.trace import Quantity, Step, Trace
from exactattn.trace.problem import Texts

MOST = 64
"""So many plans are kept: a kind that draws its masks makes many."""


@dataclass(frozen=True, slots=True)
class Detour:
    """The way of a wrong method to what is asked: the places that it touches, and the course to them."""

    places: frozenset[Place]
    course: Course


class Plan:
    """The outline of some work, and what each wrong method makes of it, found out when it is asked for."""

    def __init__(self, trace: Trace, wanted: Sequence[Place]) -> None:
        self._wanted = wanted
        self._graph = Graph()
        self.outline = _outlined(trace)
        self.course = self._graph.course(self.outline, wanted)
        self.nodes = [self._graph.node(step.made) for step in self.outline.steps]
        self._detours: dict[str, Detour | Unseen | None] = {}

    def wrong(self, method: Misconception) -> Detour | Unseen | None:
        """What a method does: None where it makes no sense or leaves alone what is asked, Unseen where it looks at numbers."""
        if method.name not in self._detours:
            try:
                worked = method.work(self.outline)
            except Unseen as unseen:
                self._detours[method.name] = unseen
            else:
                self._detours[method.name] = self.among(method, worked, self.outline, self._graph)
        return self._detours[method.name]

    def among(self, method: Misconception, worked: Trace | None, right: Trace, graph: Graph) -> Detour | None:
        """Of work done wrongly, what it does to what is asked. A step that it leaves as it is it shares with the right work."""
        if worked is None:
            return None
        touched = frozenset(
            (ask, head)
            for ask, head in self._wanted
            if in_scope(method, ask) and right.step_or_none(ask, head) not in worked.steps
        )
        return Detour(touched, graph.course(worked, touched)) if touched else None


class Plans:
    """The plans of a question, by what its variants are made like."""

    def __init__(self) -> None:
        self._plans: dict[Hashable, Plan] = {}

    def plan(self, trace: Trace, wanted: Sequence[Place]) -> Plan:
        """The plan of work that is made like this."""
        make = make_of(trace), tuple(wanted)
        found = self._plans.get(make)
        if found is None:
            if len(self._plans) == MOST:
                self._plans.clear()
            found = self._plans[make] = Plan(trace, wanted)
        return found


def plans_of(asked: Asked) -> Plans:
    """The plans of a question of a spec."""
    return _plans(repr(asked))


@lru_cache(64)
def _plans(described: str) -> Plans:
    """By all that is said of a question: what it asks holds dicts, and is made anew in every process."""
    return Plans()


class Work:
    """One variant on its plan: what a careful student can get, and what each wrong method gives."""

    def __init__(self, plan: Plan, trace: Trace, working: int, rows: Rows) -> None:
        self._plan, self._trace, self._rows = plan, trace, rows
        self._numbers = {node: step.made for node, step in zip(plan.nodes, trace.steps, strict=True)}
        self._walks = Walks(working, numbers=self._exact)
        self.ranges = self._walks.along(plan.course, rows)
        """What a careful student can get."""

    def _exact(self, node: Node) -> Quantity:
        """The exact numbers of a step: those of the trace, or worked from what it reads."""
        found = self._numbers.get(node)
        if found is None:
            if node.step.made.arithmetic.name != "outline":
                return node.step.made
            found = self._numbers[node] = node.step.again(self._trace.arithmetic, [*map(self._exact, node.reads)])
        return found

    def wrong(self, method: Misconception) -> tuple[frozenset[Place], Method] | None:
        """The places that a wrong method touches, and what it gives there; None where it touches nothing that is asked."""
        found = self._plan.wrong(method)
        work: Callable[[], Trace | None] = partial(method.work, self._trace)
        if isinstance(found, Unseen):
            worked = work()
            over = zip([step.made for step in self._trace.steps], self._plan.nodes, strict=True)
            found = self._plan.among(method, worked, self._trace, Graph(over=over))
            work = partial(_same, worked)
        if found is None:
            return None
        return found.places, Method(method, work, self._walks.along(found.course, self._rows))


def _same(trace: Trace | None) -> Trace | None:
    return trace


def make_of(trace: Trace) -> Hashable:
    """What the steps of some work follow from but for its numbers: the shapes of the inputs, the labels, the settings."""
    problem, settings = trace.problem, trace.problem.settings
    shapes = tuple((name, len(rows), len(rows[0])) for name, rows in problem.inputs.items())
    how = settings.scale, settings.mask, settings.alignment, settings.heads, settings.shift, settings.fully_masked
    return shapes, problem.tokens, problem.key_tokens, how, settings.symbols


def _outlined(trace: Trace) -> Trace:
    """The same work without its numbers. What was rounded on the way is not."""
    ar = OutlineArithmetic()
    now: dict[Quantity, Quantity] = {}
    steps: list[Step] = []
    for step in trace.steps:
        settings = dict(step.settings)
        if "texts" in settings:
            settings["texts"] = _blank(settings["texts"])
        reads = tuple(now[read] for read in step.reads)
        made = step.function(ar, *reads, **settings)
        now[step.computed] = now[step.made] = made
        steps.append(Step(step.function, reads, settings, made, made))
    inputs = {name: _blank(rows) for name, rows in trace.problem.inputs.items()}
    return Trace(replace(trace.problem, inputs=inputs), tuple(steps), ar)


def _blank(texts: Texts) -> Any:
    return tuple((Blank(),) * len(row) for row in texts)
