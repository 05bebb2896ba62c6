"""K03: the weights and the output of one query."""

from __future__ import annotations

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.kind import Given, Kind
from exactattn.exams.kinds.numbers import keys, queries, values
from exactattn.exams.model import Asked


def draw(source: Draw, asked: Asked) -> Given:
    """q is 1 × d_k, K m × d_k, V m × d_v."""
    m, d_k, d_v = (KIND.sized(asked, name) for name in ("m", "d_k", "d_v"))
    return {"Q": queries(source, asked, 1, d_k), "K": keys(source, asked, m, d_k), "V": values(source, asked, m, d_v)}


KIND = Kind(
    id="K03",
    name="one-query",
    draw=draw,
    asks=("scores", "scaled", "weights", "output"),
    default=("weights", "output"),
    answers=("row", "number"),
    misconceptions=(
        "no-scale",
        "divided-by-d-k",
        "sum-normalised",
        "not-normalised",
        "uniform",
        "hard-argmax",
        "weights-on-keys",
    ),
    size={"m": 3, "d_k": 2, "d_v": 2},
)
