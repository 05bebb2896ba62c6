"""K16: from wanted weights back to an entry of a key."""

from __future__ import annotations

from math import isqrt

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought
from exactattn.exams.kinds.kind import Kind
from exactattn.exams.model import Asked
from exactattn.numbers.value import Value


def draw(source: Draw, asked: Asked) -> Direct:
    """Two keys that differ in their first entry, u and the one sought; a query (a, 0, 0, ...); weights as 1 to r."""
    d_k, a, u, r = source.choice((4, 9, 16)), source.integer(1, 5), source.integer(-4, 4), source.integer(2, 12)
    root, log = isqrt(d_k), Value.of(f"ln({r})")
    wrongs = {
        "ratio-taken-as-difference": Value.of(root * (r - 1)) / a + u,
        "root-forgotten-backwards": log / a + u,
        "root-on-the-wrong-side": log / (a * root) + u,
        "logarithm-of-another-base": log * root / (a * Value.of("ln(10)")) + u,
    }
    return Direct(
        {"d_k": str(d_k), "a": str(a), "u": str(u), "ratio": str(r)},
        (Sought("entry", {"c": log * root / a + u}, {name: (x,) for name, x in wrongs.items()}, slack=4),),
    )


KIND = Kind(
    id="K16",
    name="inverse",
    draw=draw,
    asks=("entry",),
    default=("entry",),
    answers=("number",),
    misconceptions=(
        "ratio-taken-as-difference",
        "root-forgotten-backwards",
        "root-on-the-wrong-side",
        "logarithm-of-another-base",
    ),
)
