"""K09: the shapes of what several heads make, across two sequences."""

from __future__ import annotations

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought
from exactattn.exams.kinds.kind import Kind
from exactattn.exams.model import Asked


def draw(source: Draw, asked: Asked) -> Direct:
    """n queries, m keys, h heads with d_k and d_v; all numbers are different."""
    sizes = (3, 5, 6, 7, 9, 10, 12, 14, 16, 20, 24, 28, 33, 35)
    n, m, d_k, d_v = source.shuffled(sizes[: 4 + 2 * asked.difficulty])[:4]
    h = source.choice((2, 3, 4, 6, 8, 12)[: 1 + asked.difficulty])
    d = source.choice((64, 128, 256, 512))
    return Direct(
        {"n": str(n), "m": str(m), "heads": str(h), "d_k": str(d_k), "d_v": str(d_v), "d_model": str(d)},
        (
            Sought(
                "scores",
                {"r": n, "c": m},
                {
                    "scores-d-k-by-d-k": (d_k, d_k),
                    "scores-square-across-sentences": (n, n),
                    "scores-transposed": (m, n),
                },
            ),
            Sought("joined", {"r": n, "c": h * d_v}, {"heads-added": (n, d_v)}),
            Sought("projection", {"r": h * d_v, "c": d}, {"output-projection-of-key-width": (h * d_k, d)}),
        ),
    )


KIND = Kind(
    id="K09",
    name="shapes",
    draw=draw,
    asks=("scores", "joined", "projection"),
    default=("scores", "joined", "projection"),
    choosing=("scores",),
    answers=("number",),
    misconceptions=(
        "scores-d-k-by-d-k",
        "scores-square-across-sentences",
        "scores-transposed",
        "heads-added",
        "output-projection-of-key-width",
    ),
)
