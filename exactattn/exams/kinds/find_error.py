"""K24: one line of a worked solution is wrong: which, and what comes out right?"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought, listed, mixed
from exactattn.exams.kinds.kind import Kind
from exactattn.exams.model import Asked

SLIPS = {
    "no-scale": 1,
    "divided-by-d-k": 1,
    "maximum-minus-score": 2,
    "not-normalised": 3,
    "uniform": 3,
    "values-rows-reversed": 4,
    "values-off-by-one-row": 4,
}
"""The slips that are planted, and the line that each of them spoils; later lines follow from it."""


def draw(source: Draw, asked: Asked) -> Direct:
    """Scores 2 ln m with square m, d_k = 4: every line is a fraction, whichever slip is planted."""
    m = [k**2 for k in source.shuffled((1, 2, 3, 4, 5))[:3]]
    values = [6 * x for x in source.shuffled(range(-4, 5))[:3]]
    slip = source.choice(tuple(SLIPS))
    *_, right = _lines(m, values, "")
    scaled, exps, weights, output = _lines(m, values, slip)
    facts = {
        "scores": _logs(m, "2 ln"), "values": listed(values), "scaled": scaled, "exps": listed(exps),
        "weights": listed(weights), "output": listed([output]),
    }  # fmt: skip
    return Direct(
        facts,
        (
            Sought("line", {"N": SLIPS[slip]}),
            Sought("output", {"o": right}, {slip: (output,)}, slack=sum(map(abs, values))),
        ),
    )


def _lines(m: Sequence[int], values: Sequence[int], slip: str) -> tuple[str, list[Fraction], list[Fraction], Fraction]:
    """The scaled scores as text, the exponentials less the maximum, the weights and the output, with a slip or none ("")."""
    scaled, powers = _logs(m, "ln"), list(m)
    if slip == "no-scale":
        scaled, powers = _logs(m, "2 ln"), [x**2 for x in m]
    elif slip == "divided-by-d-k":
        scaled, powers = _logs(m, "½ ln"), [isqrt(x) for x in m]
    top = max(powers)
    exps = [Fraction(top, x) if slip == "maximum-minus-score" else Fraction(x, top) for x in powers]
    weights = [x / sum(exps) for x in exps]
    if slip == "not-normalised":
        weights = exps
    elif slip == "uniform":
        weights = [Fraction(1, 3)] * 3
    rows = list(values)
    if slip == "values-rows-reversed":
        rows = rows[::-1]
    elif slip == "values-off-by-one-row":
        rows = [*rows[1:], rows[0]]
    return scaled, exps, weights, mixed(weights, rows)


def _logs(m: Sequence[int], lead: str) -> str:
    return ", ".join(f"{lead} {x}" if x > 1 else "0" for x in m)


KIND = Kind(
    id="K24",
    name="find-error",
    draw=draw,
    asks=("line", "output"),
    default=("line", "output"),
    answers=("number",),
    misconceptions=tuple(SLIPS),
)
