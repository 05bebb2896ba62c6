"""K19: the derivative of a softmax, a gradient carried back through it, and that of the cross-entropy."""

from __future__ import annotations

from fractions import Fraction

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought, listed
from exactattn.exams.kinds.kind import Kind
from exactattn.exams.model import Asked, Choice, Option


def draw(source: Draw, asked: Asked) -> Direct:
    """Weights p with a small common denominator, a row i of their Jacobian, a gradient g that is not the same throughout, and the
    position t of the true class."""
    n = 3 if asked.difficulty < 4 else 4
    parts = source.shuffled(range(1, n + asked.difficulty + 1))[:n]
    p = [Fraction(x, sum(parts)) for x in parts]
    i, t = source.integer(0, n - 1), source.integer(0, n - 1)
    g = [6 * x for x in source.shuffled((-2, -1, 0, 1, 2, 3))[:n]]
    others = [j for j in range(n) if j != i]
    slope = p[i] * (1 - p[i])
    row = [slope if j == i else -p[i] * p[j] for j in range(n)]
    turned = [slope if j == i else p[i] * p[j] for j in range(n)]
    along = slope * g[i]
    across = sum((p[i] * p[j] * g[j] for j in others), Fraction(0))
    unequal = [p[i] if j == i else row[j] for j in range(n)]  # the diagonal without −p²: it adds up to p², not to 0
    shown = source.shuffled(
        [
            (row, ()),
            (turned, ("jacobian-sign",)),
            (unequal, ("jacobian-rows-not-zero",)),
            ([slope] * n, ("slope-everywhere",)),
        ]
    )
    entropy = [x - int(j == t) for j, x in enumerate(p)]
    return Direct(
        {"weights": listed(p), "n": str(n), "row": str(i + 1), "gradient": listed(g), "target": str(t + 1)},
        (
            Sought(
                "row",
                {f"J{i + 1}{j + 1}": row[j] for j in range(n)},
                {
                    "off-diagonal-missing": [slope if j == i else 0 for j in range(n)],
                    "jacobian-sign": turned,
                    "slope-everywhere": [slope] * n,
                },
                slack=2,
            ),
            Sought(
                "gradient",
                {f"g{i + 1}": along - across},
                {"off-diagonal-missing": (along,), "jacobian-sign": (along + across,)},
                slack=2 * sum(map(abs, g)),
            ),
            Sought(
                "possible-row",
                form=Choice(
                    tuple(Option((f"({listed(numbers)})",), names) for numbers, names in shown),
                    next(k for k, (_, names) in enumerate(shown) if not names),
                ),
            ),
            Sought(
                "cross-entropy",
                {f"d{j + 1}": x for j, x in enumerate(entropy)},
                {
                    "cross-entropy-sign": [-x for x in entropy],
                    "target-not-subtracted": p,
                    "gradient-by-the-weights": [-1 / x if j == t else 0 for j, x in enumerate(p)],
                },
                slack=1,
            ),
        ),
    )


KIND = Kind(
    id="K19",
    name="jacobian",
    draw=draw,
    asks=("row", "gradient", "possible-row", "cross-entropy"),
    default=("row", "gradient"),
    answers=("row",),
    forms={"possible-row": "choice"},
    misconceptions=(
        "off-diagonal-missing",
        "jacobian-sign",
        "slope-everywhere",
        "jacobian-rows-not-zero",
        "cross-entropy-sign",
        "target-not-subtracted",
        "gradient-by-the-weights",
    ),
)
