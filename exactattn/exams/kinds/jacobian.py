"""K19: the derivative of a softmax, and a gradient carried back through it."""

from __future__ import annotations

from fractions import Fraction

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought, listed
from exactattn.exams.kinds.kind import Kind
from exactattn.exams.model import Asked


def draw(source: Draw, asked: Asked) -> Direct:
    """Weights p with a small common denominator, a row i of their Jacobian, and a gradient g that is not the same throughout."""
    parts = source.shuffled((1, 2, 3, 4, 5, 6))[:3]
    p = [Fraction(x, sum(parts)) for x in parts]
    i = source.integer(0, 2)
    g = [6 * x for x in source.shuffled((-2, -1, 0, 1, 2, 3))[:3]]
    others = [j for j in range(3) if j != i]
    slope = p[i] * (1 - p[i])
    row = [slope if j == i else -p[i] * p[j] for j in range(3)]
    turned = [slope if j == i else p[i] * p[j] for j in range(3)]
    along = slope * g[i]
    across = sum((p[i] * p[j] * g[j] for j in others), Fraction(0))
    return Direct(
        {"weights": listed(p), "row": str(i + 1), "gradient": listed(g)},
        (
            Sought(
                "row",
                {f"J{i + 1}{j + 1}": row[j] for j in range(3)},
                {
                    "off-diagonal-missing": [slope if j == i else 0 for j in range(3)],
                    "jacobian-sign": turned,
                    "slope-everywhere": [slope] * 3,
                },
                slack=2,
            ),
            Sought(
                "gradient",
                {f"g{i + 1}": along - across},
                {"off-diagonal-missing": (along,), "jacobian-sign": (along + across,)},
                slack=2 * sum(map(abs, g)),
            ),
        ),
    )


KIND = Kind(
    id="K19",
    name="jacobian",
    draw=draw,
    asks=("row", "gradient"),
    default=("row", "gradient"),
    answers=("row", "number"),
    misconceptions=(
        "off-diagonal-missing",
        "jacobian-sign",
        "slope-everywhere",
    ),
)
