"""The mask forgotten, late, misread, or where none is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from exactattn.arithmetic.protocol import Arithmetic, Keep
from exactattn.attention.masks import causal
from exactattn.attention.pipeline import closed_rows, divide, exponentiate, mask
from exactattn.misconceptions.finding import fully_masked, keep_of, shape_of
from exactattn.misconceptions.misconception import Misconception
from exactattn.misconceptions.replay import Doing, Doings, Due, Exchanges, standing_for
from exactattn.trace import Quantity, Trace


@standing_for(mask)
def mask_with_zeros(ar: Arithmetic, s: Quantity, *, keep: Keep) -> Quantity:
    """Closed scores are 0 and take part."""
    return replace(s, name="masked", matrix=ar.where(s.matrix, keep), arithmetic=ar, keep=None)


@standing_for(divide)
def divide_then_mask(ar: Arithmetic, e: Quantity, z: Quantity, *, keep: Keep) -> Quantity:
    """The weights of all keys; then those that are closed are 0, and the others stay as they are."""
    right = divide(ar, e, z)
    return replace(right, matrix=ar.where(right.matrix, keep), keep=keep)


# -- where they make sense ---------------------------------------------------------------------------------------------


def _another(misread: Callable[[Trace], Keep]) -> Callable[[Trace], Exchanges | None]:
    """Another mask in place of the trace's, where there is one."""

    def found(trace: Trace) -> Exchanges | None:
        keep = misread(trace)
        return None if keep is None else {"mask": lambda due: due.otherwise(keep=keep)}

    return found


def _forgotten(trace: Trace) -> Exchanges | None:
    return None if keep_of(trace) is None else {"mask": lambda due: due.otherwise(keep=None)}


def _late(trace: Trace) -> Exchanges | None:
    keep = keep_of(trace)
    if keep is None:
        return None
    return {
        "mask": lambda due: due.otherwise(keep=None),
        "divide": lambda due: due.otherwise(divide_then_mask, keep=keep),
    }


def _zeros(trace: Trace) -> Exchanges | None:
    return None if keep_of(trace) is None else {"mask": lambda due: due.otherwise(mask_with_zeros)}


def _transposed(trace: Trace) -> Keep:
    keep, (n, m) = keep_of(trace), shape_of(trace)
    if keep is None or n != m:
        return None
    turned = tuple(zip(*keep, strict=True))
    return None if turned == keep or closed_rows(turned) else turned


def _without_diagonal(trace: Trace) -> Keep:
    keep, (n, m) = keep_of(trace), shape_of(trace)
    offset = _offset(keep, n, m)
    # the first query is left with no key at all: its weights are 0
    return None if offset is None else causal(n, m, offset - 1)


def _offset(keep: Keep, n: int, m: int) -> int | None:
    """How many keys past its own place a query sees under a causal mask; None under another."""
    if keep is None:
        return None
    offset = sum(keep[0]) - 1
    return offset if keep == causal(n, m, offset) else None


def _inverted(trace: Trace) -> Keep:
    keep = keep_of(trace)
    if keep is None:
        return None
    turned = tuple(tuple(not held for held in row) for row in keep)
    return None if closed_rows(turned) else turned


def _causal_unasked(trace: Trace) -> Exchanges | None:
    n, m = shape_of(trace)
    if keep_of(trace) is not None or n == 1 or m == 1:
        return None
    keep = causal(n, m, 0)

    def masked(due: Due) -> Doings:
        return (*due.plain, Doing(mask, None, {"keep": keep}))

    if any(step.function.__name__ == "mask" for step in trace.steps):  # one that closes nothing
        return {"mask": lambda due: due.otherwise(keep=keep)}
    return {"scale": masked}


def _closed_rows_open(trace: Trace) -> Exchanges | None:
    if fully_masked(trace) == "uniform" or not closed_rows(keep_of(trace)):
        return None
    return {"exponentiate": lambda due: due.otherwise(exponentiate, fully_masked="uniform")}


MASKING = (
    Misconception("mask-forgotten", "masked", _forgotten),
    Misconception("mask-after-softmax", "masked", _late),
    Misconception("masked-score-zero", "masked", _zeros),
    Misconception("wrong-triangle", "masked", _another(_transposed)),
    Misconception("diagonal-masked-too", "masked", _another(_without_diagonal)),
    Misconception("mask-inverted", "masked", _another(_inverted)),
    Misconception("causal-mask-unasked", "masked", _causal_unasked),
    Misconception("closed-row-given-weights", "exps", _closed_rows_open),
)
