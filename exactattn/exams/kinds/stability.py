"""K20: the softmax of scores that no floating-point number holds e to: weights, their logarithms, two chunks merged."""

from __future__ import annotations

from fractions import Fraction

from exactattn.errors import OptionError
from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Number, Sought
from exactattn.exams.kinds.kind import Kind, draws
from exactattn.exams.kinds.numbers import scores
from exactattn.exams.kinds.weighing import (
    Ordered,
    added,
    exponentials,
    over_sum,
    printed,
    softmax,
    spread,
    typeset,
    weight_slack,
)
from exactattn.exams.model import Asked, Choice, Option
from exactattn.numbers.elementary import elementary
from exactattn.numbers.value import Value

CHUNK = 2
"""How many scores the first chunk has; the rest are the second."""

OVERFLOW = {
    "not-a-number": (),
    "one-hot": ("overflow-taken-as-result",),
    "right-weights": ("overflow-thought-to-cancel",),
    "equal": ("overflow-taken-as-result",),
}
"""What a program without the subtraction may be thought to give, by what leads there."""


def draw(source: Draw, asked: Asked) -> Direct:
    """One row of m scores around a large number, to be taken as they are; around a large negative one where it is hard."""
    if asked.numbers == "by-hand" and "log-weights" in asked.ask:
        raise OptionError("question {id!r}: by hand the logarithms of weights are not asked", id=asked.id)
    m = KIND.sized(asked, "m", CHUNK + 1)
    tries = draws(asked)
    while True:
        next(tries)
        texts, low = _drawn(source, asked, m)
        row = [Value.of(text) for text in texts]
        if spread(row, "1/20"):
            break
    shown = [typeset(text) for text in texts]
    top, exps = max(row, key=Ordered), exponentials(row)
    shifted = [s - top for s in row]
    total = added(exps)
    names = source.shuffled([*OVERFLOW])
    options = tuple(
        Option((), OVERFLOW[name], f"{name}-{'low' if low else 'high'}" if name != "right-weights" else name)
        for name in names
    )
    rows: dict[str, list[Value]] = {
        "maximum-minus-score": softmax([-s for s in row]),
        "shifted-not-exponentiated": over_sum(shifted),
        "sum-normalised": over_sum(row),
        "not-normalised": exps,
        "base-two": softmax([s * Value.of("ln(2)") for s in row]),
    }
    logarithm = elementary("ln", total)
    return Direct(
        {
            "scores": ", ".join(shown),
            "first": ", ".join(shown[:CHUNK]),
            "second": ", ".join(shown[CHUNK:]),
            "exps": printed(exps, asked),
            "total": printed([total], asked),
        },
        (
            Sought("weights", _named("a", over_sum(exps)), rows, slack=weight_slack(m)),
            Sought(
                "log-weights",
                _named("g", [s - logarithm for s in shifted]),
                {
                    "maximum-subtracted-in-the-denominator-only": [s - logarithm for s in row],
                    "logarithm-of-another-base": [(s - logarithm) / Value.of("ln(10)") for s in shifted],
                },
                slack=weight_slack(m),
            ),
            Sought("merged", {"l": total}, _merged(row), slack=weight_slack(m)),
            Sought("overflow", form=Choice(options, names.index("not-a-number"))),
        ),
    )  # fmt: skip


def _drawn(source: Draw, asked: Asked, m: int) -> tuple[list[str], bool]:
    """The scores as texts, and whether they are far below 0."""
    low = asked.difficulty >= 4 and source.integer(0, 1) == 1
    around = (1000 if asked.difficulty == 1 else 100) * source.integer(*((1, 9) if asked.difficulty == 1 else (8, 30)))
    return scores(source, asked, m, around=-around if low else around), low


def _merged(row: list[Value]) -> dict[str, tuple[Number, ...]]:
    """The sums of two chunks, each less its own largest score, put together wrongly: as they are, and rescaled the wrong way."""
    chunks = row[:CHUNK], row[CHUNK:]
    tops = [max(chunk, key=Ordered) for chunk in chunks]
    sums = [added(exponentials(chunk)) for chunk in chunks]
    smaller = 0 if tops[0] < tops[1] else 1
    up = (tops[1 - smaller] - tops[smaller]).exp()
    return {
        "merged-without-rescaling": (sums[0] + sums[1],),
        "rescaled-the-wrong-way": (sums[1 - smaller] + sums[smaller] * up,),
    }


def _named(letter: str, numbers: list[Value]) -> dict[str, int | Fraction | Value]:
    return {f"{letter}{k}": x for k, x in enumerate(numbers, 1)}


KIND = Kind(
    id="K20",
    name="stability",
    draw=draw,
    asks=("weights", "log-weights", "merged", "overflow"),
    default=("weights",),
    answers=("row",),
    forms={"overflow": "choice"},
    misconceptions=(
        "maximum-minus-score",
        "shifted-not-exponentiated",
        "sum-normalised",
        "not-normalised",
        "base-two",
        "maximum-subtracted-in-the-denominator-only",
        "logarithm-of-another-base",
        "merged-without-rescaling",
        "rescaled-the-wrong-way",
        "overflow-taken-as-result",
        "overflow-thought-to-cancel",
    ),
    size={"m": 4},
)
