"""Heads split, scaled, weighed or joined the wrong way."""

from __future__ import annotations

from dataclasses import replace

from exactattn.arithmetic.protocol import Arithmetic
from exactattn.attention.pipeline import concatenate, divide, split
from exactattn.misconceptions.finding import steps_of
from exactattn.misconceptions.misconception import Misconception
from exactattn.misconceptions.replay import Doing, Doings, Due, Exchanges, by, standing_for
from exactattn.misconceptions.scaling import is_root, width_of_all_heads
from exactattn.trace import Quantity, Trace


@standing_for(split)
def split_interleaved(ar: Arithmetic, x: Quantity, *, low: int, high: int, head: int) -> Quantity:
    """Every h-th column in place of a block: columns t, t + h, t + 2h, ... for head t of h."""
    width = x.shape[1]
    taken = range(head, width, width // (high - low))
    chosen = ar.read([["1" if c == column else "0" for c in taken] for column in range(width)])
    return Quantity(x.name, ar.matmul(x.matrix, chosen), x.rows, tuple(x.columns[c] for c in taken), ar, head)


@standing_for(divide)
def weights_of_another_head(ar: Arithmetic, a: Quantity, z: Quantity, *, head: int) -> Quantity:
    """The weights of another head as they are."""
    return replace(a, arithmetic=ar, head=head)


@standing_for(concatenate)
def add_heads(ar: Arithmetic, *outputs: Quantity, name: str, by: str) -> Quantity:
    """The heads' outputs added, and multiplied by a number: n × d_v of one head."""
    total = outputs[0].matrix
    for output in outputs[1:]:
        total = ar.add(total, output.matrix)
    return Quantity(name, ar.scale(total, by), outputs[0].rows, outputs[0].columns, ar)


# -- where they make sense ---------------------------------------------------------------------------------------------


def _interleaved(trace: Trace) -> Exchanges | None:
    # columns of heads that are one wide stand where they stand
    widths = [step.computed.shape[1] for step in steps_of(trace, "split")]
    return {"split": by(split_interleaved)} if max(widths, default=1) > 1 else None


def _one_big(trace: Trace) -> Exchanges | None:
    whole = width_of_all_heads(trace)
    if whole is None:
        return None

    def unsplit(due: Due) -> Doings:
        return due.plain if due.step.name == "V" else due.otherwise(low=0, high=whole)

    if not is_root(trace):
        return {"split": unsplit}
    return {"split": unsplit, "scale": lambda due: due.otherwise(by=f"1/sqrt({whole})")}


def _first_for_all(trace: Trace) -> Exchanges | None:
    if not steps_of(trace, "split"):
        return None

    def first(due: Due) -> Doings:
        if due.step.head == 0:
            return due.plain
        taken = due.find("weights", head=0)
        return (Doing(weights_of_another_head, (taken, due.reads[1]), {"head": due.step.head}),)

    return {"divide": first}


def _added(trace: Trace, by: str) -> Exchanges | None:
    # what W_O multiplies is as wide as all heads
    joined = [step for step in steps_of(trace, "concatenate") if step.name == "output"]
    return {"concatenate": lambda due: due.otherwise(add_heads, by=by)} if joined else None


HEADS = (
    Misconception("heads-interleaved", "scores", _interleaved),
    Misconception("one-big-head", "scores", _one_big),
    Misconception("first-head-for-all", "weights", _first_for_all),
    Misconception("heads-added", "output", lambda trace: _added(trace, "1")),
    Misconception("heads-averaged", "output", lambda trace: _added(trace, f"1/{trace.problem.settings.heads}")),
)
