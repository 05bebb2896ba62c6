"""K12: which key-value head a query head shares."""

from __future__ import annotations

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought
from exactattn.exams.kinds.kind import Kind
from exactattn.exams.model import Asked


def draw(source: Draw, asked: Asked) -> Direct:
    """h query heads and g key-value heads in neighbouring groups; heads count from 0."""
    h = source.choice(range(4, 65, 2))
    g = source.choice([g for g in range(2, h) if h % g == 0])
    t = source.integer(0, h - 1)
    wrongs = {"groups-interleaved": (t % g,), "own-key-value-head": (t,)}
    return Direct({"heads": str(h), "groups": str(g), "head": str(t)}, (Sought("head", {"N": t * g // h}, wrongs),))


KIND = Kind(
    id="K12",
    name="grouped-heads",
    draw=draw,
    asks=("head",),
    default=("head",),
    answers=("number",),
    misconceptions=(
        "groups-interleaved",
        "own-key-value-head",
    ),
)
