"""K07: several heads: split, attend in each, concatenate, and W_O."""

from __future__ import annotations

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.kind import Given, Kind, labels
from exactattn.exams.kinds.numbers import beside, integers, keys, queries, values
from exactattn.exams.model import Asked
from exactattn.trace import Trace


def draw(source: Draw, asked: Asked) -> Given:
    """Q and K are n × h·d_k, V is n × h·d_v: a block of columns for each head. W_O is h·d_v × h·d_v."""
    n, heads, d_k, d_v = (KIND.sized(asked, name) for name in ("n", "heads", "d_k", "d_v"))
    q, k, v = (
        beside([made(source, asked, n, width) for _ in range(heads)])
        for made, width in ((queries, d_k), (keys, d_k), (values, d_v))
    )
    given = {"Q": q, "K": k, "V": v, "heads": heads, "tokens": labels("t", n)}
    if KIND.switched(asked, "output_projection"):
        given["W_O"] = integers(source, heads * d_v, heads * d_v, -2, 2)
    return given


def degenerate(trace: Trace, asked: Asked) -> str | None:
    """W_O that is its own transpose or that drops what a head gives, or heads whose weights print the same."""
    w = trace.problem.inputs.get("W_O")
    if w is not None and w == tuple(zip(*w, strict=True)):
        return "symmetric-projection"
    if w is not None and any(set(row) == {"0"} for row in w):
        return "unused-column"
    printed = [head.weights.decimal(3) for head in trace.heads]
    return "equal-heads" if any(one == other for k, one in enumerate(printed) for other in printed[:k]) else None


KIND = Kind(
    id="K07",
    name="multi-head",
    draw=draw,
    asks=("scores", "scaled", "weights", "concat", "output"),
    default=("output",),
    answers=("row", "matrix", "number"),
    degenerate=degenerate,
    misconceptions=(
        "heads-interleaved",
        "one-big-head",
        "no-scale",
        "divided-by-d-k",
        "scale-of-the-whole-width",
        "softmax-over-columns",
        "output-projection-forgotten",
        "output-projection-transposed",
        "heads-added",
        "heads-averaged",
    ),
    size={"n": 2, "heads": 2, "d_k": 2, "d_v": 1},
    parameters={"output_projection": True},
)
