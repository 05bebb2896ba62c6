"""K22: positions as a linear bias (ALiBi) on scores whose exponentials are whole."""

from __future__ import annotations

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought, listed, mixed, shares
from exactattn.exams.kinds.kind import Kind
from exactattn.exams.model import Asked

WIDTH = 4
"""d_k: a bias that is scaled too is halved."""


def draw(source: Draw, asked: Asked) -> Direct:
    """The last of three tokens: scaled scores ln m, and a slope of 2 ln 2, which divides by 4 at each step back."""
    m = source.shuffled(range(1, 13))[:3]
    values = [3 * x for x in source.shuffled(range(-4, 5))[:3]]
    steps = (2, 1, 0)
    right = shares([x * 4 ** (2 - step) for x, step in zip(m, steps, strict=True)])
    wrongs = {
        "bias-sign": shares([x * 4**step for x, step in zip(m, steps, strict=True)]),
        "bias-inside-the-scale": shares([x * 2 ** (2 - step) for x, step in zip(m, steps, strict=True)]),
    }
    return Direct(
        {"scores": ", ".join(f"ln {x}" if x > 1 else "0" for x in m), "values": listed(values), "d_k": str(WIDTH)},
        (
            Sought("weights", {f"a{j + 1}": right[j] for j in range(3)}, wrongs, slack=1),
            Sought(
                "output",
                {"o": mixed(right, values)},
                {name: (mixed(a, values),) for name, a in wrongs.items()},
                slack=sum(map(abs, values)),
            ),
        ),
    )


KIND = Kind(
    id="K22",
    name="linear-bias",
    draw=draw,
    asks=("weights", "output"),
    default=("weights", "output"),
    answers=("row", "number"),
    misconceptions=(
        "bias-sign",
        "bias-inside-the-scale",
    ),
)
