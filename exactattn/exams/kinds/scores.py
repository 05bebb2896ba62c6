"""K01: the scores, before and after scaling."""

from __future__ import annotations

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.kind import Given, Kind
from exactattn.exams.kinds.numbers import integers
from exactattn.exams.model import Asked
from exactattn.trace import Trace


def draw(source: Draw, asked: Asked) -> Given:
    """Q is n × d_k, K m × d_k, all whole: with d_k = 4 the scaled scores are halves."""
    n, m, d_k = (KIND.sized(asked, name) for name in ("n", "m", "d_k"))
    most = 1 + (asked.difficulty + 1) // 2
    return {"Q": integers(source, n, d_k, -2, most), "K": integers(source, m, d_k, -2, most)}


def degenerate(trace: Trace, asked: Asked) -> str | None:
    """K symmetric (QK is QKᵀ), or Q = K (the scores are symmetric)."""
    q, k = trace.problem.inputs["Q"], trace.problem.inputs["K"]
    if k == tuple(zip(*k, strict=True)):
        return "symmetric-keys"
    return "queries-equal-keys" if q == k else None


KIND = Kind(
    id="K01",
    name="scores",
    draw=draw,
    asks=("scores", "scaled"),
    default=("scores", "scaled"),
    choosing=("scaled",),
    answers=("row", "matrix", "number"),
    degenerate=degenerate,
    misconceptions=(
        "key-not-transposed",
        "scores-transposed",
        "elementwise-product",
        "no-scale",
        "divided-by-d-k",
        "multiplied-by-root",
        "root-of-the-number-of-keys",
    ),
    size={"n": 2, "m": 3, "d_k": 4},
)
