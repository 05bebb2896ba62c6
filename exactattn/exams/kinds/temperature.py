"""K18: the weights of the same scores at another temperature, which is a scale of 1/T."""

from __future__ import annotations

from collections.abc import Mapping

from exactattn.errors import OptionError
from exactattn.exams.draw import Draw
from exactattn.exams.kinds.kind import Given, Kind
from exactattn.exams.kinds.numbers import log, scores
from exactattn.exams.model import Asked
from exactattn.trace import Trace

TEMPERATURES = {"1/2": "2", "2": "1/2"}
"""Temperatures by their scale; one of these is drawn where none is chosen."""


def draw(source: Draw, asked: Asked) -> Given:
    """One row of m scores; by hand logarithms of squares, of which T = 2 takes the roots."""
    m = KIND.sized(asked, "m")
    chosen = str(KIND.chosen(asked, "T"))
    if chosen == "1":
        raise OptionError("question {id!r}: T is 1, which changes nothing: another temperature was due", id=asked.id)
    scale = f"1/({chosen})" if chosen else source.choice(tuple(TEMPERATURES))
    by_hand = [log(2, k) for k in source.shuffled(range(1, 4 * m + 1))[:m]]
    row = by_hand if asked.numbers == "by-hand" else scores(source, asked, m)
    return {"scores": [row], "scale": scale}


def facts(trace: Trace, asked: Asked) -> Mapping[str, str]:
    """The temperature."""
    return {"T": str(KIND.chosen(asked, "T")) or TEMPERATURES[trace.problem.settings.scale]}


KIND = Kind(
    id="K18",
    name="temperature",
    draw=draw,
    asks=("weights",),
    default=("weights",),
    answers=("row", "number"),
    misconceptions=("no-scale", "multiplied-by-root", "scale-after-softmax", "not-normalised", "uniform"),
    size={"m": 3},
    parameters={"T": ""},
    facts=facts,
)
