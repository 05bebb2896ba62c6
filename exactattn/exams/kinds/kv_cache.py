"""K11: how large the cache of keys and values is."""

from __future__ import annotations

from fractions import Fraction

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought
from exactattn.exams.kinds.kind import Kind
from exactattn.exams.model import Asked


def draw(source: Draw, asked: Asked) -> Direct:
    """Layers, query heads, key-value heads and their width, which is not d_model divided by the heads; two bytes a number."""
    layers = source.choice((12, 24, 32, 40, 48, 64, 80, 96)[: 2 + 2 * asked.difficulty])
    h = source.choice((16, 32, 40, 64))
    g = source.choice([g for g in (2, 4, 8, 16) if h % g == 0 and g < h])
    width = source.choice((64, 128, 256, 192, 96)[: max(2, asked.difficulty)])
    # a model as wide as its heads together would hide which of the two was taken
    d = source.choice([h * other for other in (48, 80, 96, 160) if other != width])
    thousands = source.choice((2, 4, 8, 16, 32, 64))
    token = 2 * layers * g * width * 2
    total = token * thousands * 1024 // 2**20  # whole: widths are multiples of 32, layers of 4, K of 2
    wrongs = {
        "query-heads-cached": Fraction(h, g),
        "keys-or-values-not-counted": Fraction(1, 2),
        "layers-not-counted": Fraction(1, layers),
        "head-width-from-d-model": Fraction(d, h * width),
    }
    units = {"binary-and-decimal-units": Fraction(2**20, 10**6), "thousand-and-1024": Fraction(1000, 1024)}
    return Direct(
        {
            "layers": str(layers), "heads": str(h), "groups": str(g), "width": str(width), "d_model": str(d),
            "length": f"{thousands}K",
        },
        (
            Sought("token", {"N": token}, {name: (token * by,) for name, by in wrongs.items()}),
            Sought("total", {"N": total}, {name: (total * by,) for name, by in (wrongs | units).items()}),
        ),
    )  # fmt: skip


KIND = Kind(
    id="K11",
    name="kv-cache",
    draw=draw,
    asks=("token", "total"),
    default=("token", "total"),
    answers=("number",),
    misconceptions=(
        "query-heads-cached",
        "keys-or-values-not-counted",
        "layers-not-counted",
        "head-width-from-d-model",
        "binary-and-decimal-units",
        "thousand-and-1024",
    ),
)
