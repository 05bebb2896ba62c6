"""K08: why scores are divided by √d_k."""

from __future__ import annotations

from fractions import Fraction

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought
from exactattn.exams.kinds.kind import Kind
from exactattn.exams.model import Asked, Choice, Option

WHY = {
    "saturated": (),
    "sum-to-one": ("scaled-to-add-up-to-one",),
    "overflow": ("scaled-against-overflow",),
    "bound": ("bound-taken-for-typical-size",),
}
"""What is said of the division by √d_k, by what is mistaken in it; the first is right."""


def draw(source: Draw, asked: Asked) -> Direct:
    """d_k independent entries around 0, of standard deviation a in the query and b in the key (1 where it is easy);
    √d_k is whole."""
    most = 2 * asked.difficulty
    root = source.integer(2, 8 + 8 * asked.difficulty)
    a, b = (1, 1) if asked.difficulty == 1 else (source.integer(1, most), source.integer(1, most))
    d, both = root**2, a * b
    names = source.shuffled([*WHY])
    options = tuple(Option((), WHY[name], name) for name in names)
    return Direct(
        {"d_k": str(d), "a": str(a), "b": str(b)},
        (
            Sought("variance", {"N": d * both**2}, {"variance-taken-as-d-k-squared": (d**2 * both**2,)}),
            Sought("deviation", {"N": root * both}, {"bound-taken-for-typical-size": (d * both,)}),
            Sought("scaled", {"N": both**2}, {"divided-by-d-k-for-variance": (Fraction(both**2, d),)}),
            Sought("why", form=Choice(options, names.index("saturated"))),
        ),
        default=("why",) if asked.answer == "choice" else ("variance", "deviation", "scaled"),
    )


KIND = Kind(
    id="K08",
    name="variance",
    draw=draw,
    asks=("variance", "deviation", "scaled", "why"),
    default=("variance", "deviation", "scaled"),
    answers=("number",),
    forms={"why": "choice"},
    misconceptions=(
        "variance-taken-as-d-k-squared",
        "bound-taken-for-typical-size",
        "divided-by-d-k-for-variance",
        "scaled-to-add-up-to-one",
        "scaled-against-overflow",
    ),
)
