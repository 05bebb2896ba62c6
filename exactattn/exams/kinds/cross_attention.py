"""K25: a decoder attends to the states of an encoder."""

from __future__ import annotations

from collections.abc import Sequence

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.kind import Given, Kind, chosen_rows, labels
from exactattn.exams.kinds.numbers import embeddings, weights
from exactattn.exams.model import Asked
from exactattn.trace import Trace


def draw(source: Draw, asked: Asked) -> Given:
    """X is n × d_model (decoder), X_kv m × d_model (encoder); queries come from X, keys and values from X_kv."""
    n, m, d_model, d_k, d_v = (KIND.sized(asked, name) for name in ("n", "m", "d_model", "d_k", "d_v"))
    given = {"X": embeddings(source, asked, n, d_model), "X_kv": embeddings(source, asked, m, d_model)}
    projections = weights(source, asked, d_model, d_k, d_v)
    return {**given, **projections, "tokens": labels("s", n), "key_tokens": labels("h", m)}


def rows(trace: Trace, asked: Asked) -> Sequence[int]:
    """Rows of which a causal mask would hide something."""
    return chosen_rows(trace, asked, range(min(len(trace.problem.tokens), len(trace.problem.key_tokens) - 1)))


def degenerate(trace: Trace, asked: Asked) -> str | None:
    """Equal states, or the same states on both sides."""
    x, y = trace.problem.inputs["X"], trace.problem.inputs["X_kv"]
    if len(set(x)) < len(x) or len(set(y)) < len(y):
        return "equal-tokens"
    return "equal-sources" if x == y else None


KIND = Kind(
    id="K25",
    name="cross-attention",
    draw=draw,
    asks=("Q", "K", "V", "scores", "scaled", "weights", "output"),
    default=("weights", "output"),
    answers=("row", "matrix", "number"),
    rows=rows,
    degenerate=degenerate,
    misconceptions=("sources-swapped", "causal-mask-unasked", "no-scale", "softmax-over-columns", "not-normalised"),
    size={"n": 3, "m": 3, "d_model": 2, "d_k": 2, "d_v": 2},
)
