"""The walk through the steps. Computing is recording: each call of a step's function is a step of the trace."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias

from exactattn.arithmetic import arithmetic
from exactattn.arithmetic.protocol import Arithmetic, Keep
from exactattn.attention.check import problem_from
from exactattn.attention.masks import keep_of
from exactattn.attention.pipeline import (
    closed_rows,
    concatenate,
    divide,
    exponentiate,
    given,
    mask,
    maximum,
    mix,
    project,
    scale,
    score,
    shift,
    split,
    total,
)  # fmt: skip
from exactattn.errors import InputError
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.trace.problem import INPUTS, Problem, Settings
from exactattn.trace.quantity import Quantity
from exactattn.trace.record import PIPELINES
from exactattn.trace.steps import Step, Trace

Walker: TypeAlias = Callable[..., Quantity]


def run(problem: Problem, limits: Limits = LIMITS) -> Trace:
    """Work a checked problem: project, split into heads, the four steps in each, concatenate, project out."""
    settings = problem.settings
    ar = arithmetic(settings.arithmetic, settings.symbols, limits)
    steps: list[Step] = []
    keep = keep_of(problem)
    closed = closed_rows(keep) if settings.fully_masked == "zero" else frozenset()

    def walk(function: Callable[..., Quantity], *reads: Quantity, **chosen: Any) -> Quantity:
        computed = function(ar, *reads, **chosen)
        made = computed
        if settings.track == "stepwise" and function not in _NOT_ROUNDED:
            made = printed(ar, computed, problem, closed)
        steps.append(Step(function, reads, chosen, computed, made))
        return made

    inputs = {name: walk(given, name=name, **_given(problem, name)) for name in INPUTS if name in problem.inputs}
    if "scores" in inputs:
        v = inputs.get("V")
        final = attend_scores(walk, inputs["scores"], v, settings, keep, 0)
    else:
        q, k, v = (_projected(walk, inputs, name, problem) for name in "QKV")
        assert q is not None
        assert k is not None
        outputs = []
        for h in range(settings.heads):
            qh, kh = _block(walk, q, settings.heads, h), _block(walk, k, settings.heads, h)
            vh = None if v is None else _block(walk, v, settings.heads, h)
            outputs.append(attend_scores(walk, walk(score, qh, kh, head=h), vh, settings, keep, h))
        final = outputs[0]
        if settings.heads > 1 and v is not None:
            final = walk(concatenate, *outputs, name="concat" if "W_O" in inputs else "output")
    if "W_O" in inputs and v is not None:
        walk(project, final, *_given_together(inputs, "W_O", "b_O"), name="output", rows=problem.tokens)
    return Trace(problem, tuple(steps), ar)


_NOT_ROUNDED = (given, split, mask, maximum, shift)
"""In the stepwise track these make no new digits: an input is exact, and so is a difference of printed numbers."""


def attend_scores(
    walk: Walker, scores: Quantity, v: Quantity | None, settings: Settings, keep: Keep, head: int
) -> Quantity:
    """From scores to the output of one head (to the weights, where there is no V)."""
    s = walk(scale, scores, by=settings.scale, head=head)
    if keep is not None:
        s = walk(mask, s, keep=keep)
    if settings.shift == "max":
        s = walk(shift, s, walk(maximum, s))
    e = walk(exponentiate, s, fully_masked=settings.fully_masked)
    a = walk(divide, e, walk(total, e))
    return walk(mix, a, v) if v is not None else a


def printed(ar: Arithmetic, q: Quantity, problem: Problem, closed: frozenset[int] = frozenset()) -> Quantity:
    """The quantity as a reader copies it from the page: its printed digits, exactly. Nothing is divided in `closed` rows."""
    settings = problem.settings
    places = problem.places(q.name, q.head, settings.places)
    texts = q.decimal(places, settings.ties)
    if q.name == "sums":
        for i, (label, (text,)) in enumerate(zip(q.rows, texts, strict=True)):
            if not text.strip("0.") and i not in closed:
                raise InputError(
                    "row {label!r}: the printed sum is {text}, which divides nothing: give exps and sums more places",
                    label=label, text=text,
                )  # fmt: skip
    return replace(q, matrix=ar.read(tuple(map(tuple, texts))))


def _given(problem: Problem, name: str) -> dict[str, Any]:
    texts = problem.inputs[name]
    n, m = len(texts), len(texts[0])
    numbers = tuple(str(j + 1) for j in range(max(n, m)))
    rows = problem.tokens if name in _OF_QUERIES else problem.key_tokens if name in _OF_KEYS else numbers[:n]
    columns = problem.key_tokens if name == "scores" else numbers[:m]
    if name == "X" and "X_kv" not in problem.inputs and "W_Q" not in problem.inputs:
        rows = problem.key_tokens
    return {"texts": texts, "rows": rows, "columns": columns}


_OF_QUERIES = ("Q", "X", "scores")
_OF_KEYS = ("K", "V", "X_kv")


def _projected(walk: Walker, inputs: dict[str, Quantity], name: str, problem: Problem) -> Quantity | None:
    """Q, K or V: as given, or X·W + b (keys and values from X_kv where there is one)."""
    if name in inputs:
        return inputs[name]
    if f"W_{name}" not in inputs:
        return None
    x = inputs["X"] if name == "Q" else inputs.get("X_kv", inputs.get("X"))
    assert x is not None
    # the rows of one X are queries and keys, and may be called differently as one and the other
    rows = problem.tokens if name == "Q" else problem.key_tokens
    return walk(project, x, *_given_together(inputs, f"W_{name}", f"b_{name}"), name=name, rows=rows)


def _given_together(inputs: dict[str, Quantity], *names: str) -> list[Quantity]:
    return [inputs[name] for name in names if name in inputs]


def _block(walk: Walker, x: Quantity, heads: int, head: int) -> Quantity:
    if heads == 1:
        return x
    width = len(x.columns) // heads
    return walk(split, x, low=head * width, high=(head + 1) * width, head=head)


def again(recorded: Any, limits: Limits = LIMITS) -> Trace:
    """Work a problem as a record has it, checked as if a caller had given it."""
    return run(problem_from(recorded, limits), limits)


PIPELINES["attention"] = again
