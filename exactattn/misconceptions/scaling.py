"""Wrong scales, and the scale in the wrong place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from exactattn.arithmetic.protocol import Arithmetic
from exactattn.attention.pipeline import divide
from exactattn.misconceptions.finding import same_number, shape_of, steps_of
from exactattn.misconceptions.misconception import Misconception
from exactattn.misconceptions.replay import Exchanges, standing_for
from exactattn.trace import Quantity, Trace


@standing_for(divide)
def divide_then_scale(ar: Arithmetic, e: Quantity, z: Quantity, *, by: str) -> Quantity:
    """The weights, scaled: each row adds up to the scale."""
    right = divide(ar, e, z)
    return replace(right, matrix=ar.scale(right.matrix, by))


def scaled_by(number: Callable[[Trace], str | None]) -> Callable[[Trace], Exchanges | None]:
    """Another scale, where there is one and it is not the scale in use."""

    def found(trace: Trace) -> Exchanges | None:
        by = number(trace)
        if by is None or same_number(by, scale_of(trace)):
            return None
        return {"scale": lambda due: due.otherwise(by=by)}

    return found


def scale_of(trace: Trace) -> str:
    """The number that the trace multiplies scores by."""
    by: str = steps_of(trace, "scale")[0].settings["by"]
    return by


def width_of_a_head(trace: Trace) -> int | None:
    """d_k, how wide the queries of one head are. None where scores are given."""
    scoring = steps_of(trace, "score")
    return scoring[0].reads[0].shape[1] if scoring else None


def width_of_all_heads(trace: Trace) -> int | None:
    """How wide the queries are before they are split. None where they are not."""
    splitting = steps_of(trace, "split")
    return splitting[0].reads[0].shape[1] if splitting else None


def is_root(trace: Trace) -> bool:
    """Is the scale 1/√d_k?"""
    width = width_of_a_head(trace)
    return width is not None and same_number(scale_of(trace), f"1/sqrt({width})")


def _width(trace: Trace) -> str | None:
    width = width_of_a_head(trace)
    return None if width is None else f"1/{width}"


def _root_of_embeddings(trace: Trace) -> str | None:
    if "X" not in trace.problem.inputs:
        return None
    d_model = len(trace.problem.inputs["X"][0])
    return None if d_model == width_of_all_heads(trace) else f"1/sqrt({d_model})"


def _root_of_all_heads(trace: Trace) -> str | None:
    width = width_of_all_heads(trace)
    return None if width is None else f"1/sqrt({width})"


def _root_unasked(trace: Trace) -> str | None:
    width = width_of_a_head(trace)
    return f"1/sqrt({width})" if width is not None and same_number(scale_of(trace), "1") else None


def _after_softmax(trace: Trace) -> Exchanges | None:
    by = scale_of(trace)
    if same_number(by, "1"):
        return None
    return {
        "scale": lambda due: due.otherwise(by="1"),
        "divide": lambda due: due.otherwise(divide_then_scale, by=by),
    }


SCALING = (
    Misconception("no-scale", "scaled", scaled_by(lambda trace: "1")),
    Misconception("divided-by-d-k", "scaled", scaled_by(_width)),
    Misconception("multiplied-by-root", "scaled", scaled_by(lambda trace: f"1/({scale_of(trace)})")),
    Misconception("root-of-d-model", "scaled", scaled_by(_root_of_embeddings)),
    Misconception("scale-of-the-whole-width", "scaled", scaled_by(_root_of_all_heads)),
    Misconception("root-of-the-number-of-keys", "scaled", scaled_by(lambda trace: f"1/sqrt({shape_of(trace)[1]})")),
    Misconception("scaled-though-unasked", "scaled", scaled_by(_root_unasked)),
    Misconception("scale-after-softmax", "scaled", _after_softmax),
)
