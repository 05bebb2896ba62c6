"""K16: from wanted weights back to an entry of a key."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought, listed
from exactattn.exams.kinds.kind import Kind
from exactattn.exams.model import Asked
from exactattn.numbers.value import Value


def draw(source: Draw, asked: Asked) -> Direct:
    """Two keys that differ in their first entry, u and the one sought; a query (a, 0, 0, ...); weights as 1 to r.

    By hand only the factor of ln r is asked.
    """
    d_k, r = source.choice((4, 9, 16, 25, 36)[: 1 + asked.difficulty]), source.integer(2, 4 * asked.difficulty)
    a, u = source.integer(1, 2 + asked.difficulty), source.integer(-1 - asked.difficulty, 1 + asked.difficulty)
    root, log = isqrt(d_k), Value.of(f"ln({r})")
    wrongs = {
        "ratio-taken-as-difference": Value.of(root * (r - 1)) / a + u,
        "root-forgotten-backwards": log / a + u,
        "root-on-the-wrong-side": log / (a * root) + u,
        "logarithm-of-another-base": log * root / (a * Value.of("ln(10)")) + u,
    }
    return Direct(
        {"d_k": str(d_k), "a": str(a), "u": listed([u]), "ratio": str(r)},
        (
            Sought("entry", {"c": log * root / a + u}, {name: (x,) for name, x in wrongs.items()}, slack=4),
            Sought(
                "factor",
                {"x": Fraction(root, a)},
                {
                    "root-forgotten-backwards": (Fraction(1, a),),
                    "root-on-the-wrong-side": (Fraction(1, a * root),),
                },
                slack=1,
            ),
        ),
        default=("factor",) if asked.numbers == "by-hand" else ("entry",),
    )


KIND = Kind(
    id="K16",
    name="inverse",
    draw=draw,
    asks=("entry", "factor"),
    answers=("number",),
    misconceptions=(
        "ratio-taken-as-difference",
        "root-forgotten-backwards",
        "root-on-the-wrong-side",
        "logarithm-of-another-base",
    ),
)
