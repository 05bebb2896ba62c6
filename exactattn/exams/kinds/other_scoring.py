"""K23: another way of weighing: linear attention, whose weights are fractions."""

from __future__ import annotations

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought, listed, mixed, shares
from exactattn.exams.kinds.kind import Kind
from exactattn.exams.model import Asked


def draw(source: Draw, asked: Asked) -> Direct:
    """A query, three keys of width 2 and their values, all whole; the feature map adds 1 to every entry."""
    q = [source.integer(0, 3) for _ in range(2)]
    keys = [[source.integer(0, 3) for _ in range(2)] for _ in range(3)]
    values = [source.integer(-9, 9) for _ in range(3)]
    right = shares([sum((x + 1) * (y + 1) for x, y in zip(q, k, strict=True)) for k in keys])
    plain = [sum(x * y for x, y in zip(q, k, strict=True)) for k in keys]
    wrongs = {"feature-map-after-the-product": shares([x + 1 for x in plain])}
    if sum(plain):
        wrongs["sum-normalised"] = shares(plain)
    facts = {"q": listed(q), "values": listed(values), **{f"k{j + 1}": listed(k) for j, k in enumerate(keys)}}
    return Direct(
        facts,
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
    id="K23",
    name="linear-attention",
    draw=draw,
    asks=("weights", "output"),
    default=("weights", "output"),
    answers=("row", "number"),
    misconceptions=(
        "feature-map-after-the-product",
        "sum-normalised",
    ),
)
