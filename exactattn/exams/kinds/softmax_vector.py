"""K02: the softmax of a row of scores."""

from __future__ import annotations

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.kind import Given, Kind
from exactattn.exams.kinds.numbers import scores
from exactattn.exams.model import Asked
from exactattn.trace import Trace


def draw(source: Draw, asked: Asked) -> Given:
    """One row of m scores, to be taken as they are."""
    return {"scores": [scores(source, asked, KIND.sized(asked, "m"))], "scale": "1"}


def degenerate(trace: Trace, asked: Asked) -> str | None:
    """Two scores: the logistic function of their difference does as well."""
    return "two-scores" if len(trace.problem.key_tokens) < 3 else None


KIND = Kind(
    id="K02",
    name="softmax-vector",
    draw=draw,
    asks=("weights",),
    default=("weights",),
    answers=("row", "number"),
    degenerate=degenerate,
    misconceptions=("not-normalised", "sum-normalised", "sigmoid-each", "base-two", "shifted-not-exponentiated"),
    size={"m": 3},
)
