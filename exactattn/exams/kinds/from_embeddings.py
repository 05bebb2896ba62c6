"""K05: from the embeddings X and the projections W_Q, W_K and W_V."""

from __future__ import annotations

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.kind import Given, Kind, labels
from exactattn.exams.kinds.numbers import embeddings, weights
from exactattn.exams.model import Asked
from exactattn.trace import Trace


def draw(source: Draw, asked: Asked) -> Given:
    """X is n × d_model; W_Q and W_K are d_model × d_k, W_V is d_model × d_v."""
    n, d_model, d_k, d_v = (KIND.sized(asked, name) for name in ("n", "d_model", "d_k", "d_v"))
    given = {"X": embeddings(source, asked, n, d_model), **weights(source, asked, d_model, d_k, d_v)}
    return {**given, "tokens": labels("t", n)}


def degenerate(trace: Trace, asked: Asked) -> str | None:
    """Equal rows of X, W_Q = W_K, or a projection that is its own transpose (the identity is one)."""
    inputs = trace.problem.inputs
    if len(set(inputs["X"])) < len(inputs["X"]):
        return "equal-tokens"
    if inputs["W_Q"] == inputs["W_K"]:
        return "equal-projections"
    if any(inputs[name] == tuple(zip(*inputs[name], strict=True)) for name in ("W_Q", "W_K", "W_V")):
        return "symmetric-projection"
    return None


KIND = Kind(
    id="K05",
    name="from-embeddings",
    draw=draw,
    asks=("Q", "K", "V", "scores", "scaled", "weights", "output"),
    default=("weights", "output"),
    answers=("row", "matrix", "number"),
    degenerate=degenerate,
    misconceptions=(
        "weights-matrix-transposed",
        "queries-and-keys-swapped",
        "one-projection-for-all",
        "values-not-projected",
        "no-scale",
        "divided-by-d-k",
        "root-of-d-model",
        "softmax-over-columns",
        "not-normalised",
    ),
    size={"n": 3, "d_model": 3, "d_k": 2, "d_v": 3},
)
