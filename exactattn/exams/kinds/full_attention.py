"""K04: the four steps from given Q, K and V."""

from __future__ import annotations

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.kind import Given, Kind
from exactattn.exams.kinds.numbers import keys, queries, values
from exactattn.exams.model import Asked


def draw(source: Draw, asked: Asked) -> Given:
    """Q is n × d_k, K m × d_k, V m × d_v."""
    n, m, d_k, d_v = (KIND.sized(asked, name) for name in ("n", "m", "d_k", "d_v"))
    return {"Q": queries(source, asked, n, d_k), "K": keys(source, asked, m, d_k), "V": values(source, asked, m, d_v)}


MISCONCEPTIONS = (
    "no-scale",
    "divided-by-d-k",
    "softmax-over-columns",
    "key-not-transposed",
    "scores-transposed",
    "weights-transposed",
    "not-normalised",
    "uniform",
    "hard-argmax",
)

KIND = Kind(
    id="K04",
    name="full-attention",
    draw=draw,
    asks=("scores", "scaled", "weights", "output"),
    default=("weights", "output"),
    answers=("matrix", "row", "number"),
    misconceptions=MISCONCEPTIONS,
    size={"n": 3, "m": 3, "d_k": 2, "d_v": 2},
)
