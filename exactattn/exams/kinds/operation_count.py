"""K13: operations and memory of the steps of attention."""

from __future__ import annotations

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought
from exactattn.exams.kinds.kind import Kind
from exactattn.exams.model import Asked


def draw(source: Draw, asked: Asked) -> Direct:
    """n tokens, h heads that are w wide each, d = h·w. A multiplication and its addition are two operations."""
    n, h, w = (
        32 * source.integer(2, 4 + 20 * asked.difficulty),
        source.choice((2, 4, 8, 12, 16, 24)[: 1 + asked.difficulty]),
        source.choice((16, 32, 64, 128, 80)[: 1 + asked.difficulty]),
    )
    d = h * w
    return Direct(
        {"n": str(n), "heads": str(h), "width": str(w), "d_model": str(d)},
        (
            Sought(
                "scores",
                {"N": 2 * n * n * d},
                {
                    "scores-cost-n-d-squared": (2 * n * d * d,),
                    "heads-times-dearer": (2 * n * n * d * h,),
                    "multiply-add-counted-once": (n * n * d,),
                },
            ),
            Sought(
                "projections",
                {"N": 8 * n * d * d},
                {"multiply-add-counted-once": (4 * n * d * d,), "heads-times-dearer": (8 * n * d * d * h,)},
            ),
            Sought("stored", {"N": h * n * n}, {"memory-n-squared-d": (n * n * d,)}),
        ),
    )


KIND = Kind(
    id="K13",
    name="operation-count",
    draw=draw,
    asks=("scores", "projections", "stored"),
    default=("scores", "projections"),
    answers=("number",),
    misconceptions=(
        "scores-cost-n-d-squared",
        "heads-times-dearer",
        "multiply-add-counted-once",
        "memory-n-squared-d",
    ),
)
