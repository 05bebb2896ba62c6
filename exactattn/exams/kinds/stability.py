"""K20: the softmax of scores too large to exponentiate: the maximum is subtracted first."""

from __future__ import annotations

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.kind import Given, Kind
from exactattn.exams.kinds.numbers import SPANS, scores
from exactattn.exams.model import Asked


def draw(source: Draw, asked: Asked) -> Given:
    """One row of m scores around a large number, to be taken as they are."""
    base, m = 100 * source.integer(8, 30), KIND.sized(asked, "m")
    if asked.numbers == "calculator":
        most, places = SPANS[asked.difficulty]
        row = [source.decimal(base - most, base + most + 1, places) for _ in range(m)]
    else:
        row = [f"{base} + {x}" for x in scores(source, asked, m)]
    return {"scores": [row], "scale": "1"}


KIND = Kind(
    id="K20",
    name="stability",
    draw=draw,
    asks=("weights",),
    default=("weights",),
    answers=("row", "number"),
    misconceptions=("maximum-minus-score", "shifted-not-exponentiated", "sum-normalised", "not-normalised", "base-two"),
    size={"m": 3},
)
