"""K20: the softmax of scores too large to exponentiate: the maximum is subtracted first."""

from __future__ import annotations

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.kind import Given, Kind
from exactattn.exams.kinds.numbers import scores
from exactattn.exams.model import Asked


def draw(source: Draw, asked: Asked) -> Given:
    """One row of m scores around a large number, to be taken as they are."""
    base = 100 * source.integer(8, 30)
    row = scores(source, asked, KIND.sized(asked, "m"), around=base)
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
