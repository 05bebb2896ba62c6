"""K10: how many parameters the projections of an attention block have."""

from __future__ import annotations

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought
from exactattn.exams.kinds.kind import Kind
from exactattn.exams.model import Asked


def draw(source: Draw, asked: Asked) -> Direct:
    """h query heads and g key-value heads, w wide each, in a model of width d = h·w."""
    h = source.choice(range(4, 21 * asked.difficulty + 2, 4))
    w = source.choice(range(32, 75 * asked.difficulty + 32, 16))
    grouped = KIND.switched(asked, "grouped")
    g = source.choice([g for g in range(2, h) if h % g == 0]) if grouped else h
    d = h * w
    weights, biases = 2 * d * h * w + 2 * d * g * w, h * w + 2 * g * w + d
    wrongs = {
        "counted-times-heads": weights * h,
        "counted-over-heads": weights // h,
        "output-projection-not-counted": weights - h * w * d,
    }
    if grouped:
        wrongs["grouped-heads-not-counted"] = 4 * d * h * w
    return Direct(
        {"d_model": str(d), "heads": str(h), "groups": str(g), "width": str(w)},
        (
            Sought(
                "weights",
                {"N": weights},
                {name: (x,) for name, x in (wrongs | {"biases-mixed-up": weights + biases}).items()},
            ),
            Sought(
                "all",
                {"N": weights + biases},
                {name: (x,) for name, x in (wrongs | {"biases-mixed-up": weights}).items()},
            ),
        ),
    )


KIND = Kind(
    id="K10",
    name="parameter-count",
    draw=draw,
    asks=("weights", "all"),
    default=("weights",),
    answers=("number",),
    parameters={"grouped": True},
    misconceptions=(
        "counted-times-heads",
        "counted-over-heads",
        "output-projection-not-counted",
        "grouped-heads-not-counted",
        "biases-mixed-up",
    ),
)
