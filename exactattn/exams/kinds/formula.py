"""K14: which formula is right."""

from __future__ import annotations

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought
from exactattn.exams.kinds.kind import Kind
from exactattn.exams.model import Asked

RIGHT = "softmax(Q·Kᵀ/√d_k)·V"

WRONG = {
    "no-scale": "softmax(Q·Kᵀ)·V",
    "divided-by-d-k": "softmax(Q·Kᵀ/d_k)·V",
    "multiplied-by-root": "softmax(√d_k·Q·Kᵀ)·V",
    "scale-after-softmax": "softmax(Q·Kᵀ)·V/√d_k",
    "scores-transposed": "softmax(K·Qᵀ/√d_k)·V",
    "key-not-transposed": "softmax(Q·K/√d_k)·V",
    "keys-and-values-swapped": "softmax(Q·Vᵀ/√d_k)·K",
    "softmax-forgotten": "(Q·Kᵀ/√d_k)·V",
    "weights-transposed": "softmax(Q·Kᵀ/√d_k)ᵀ·V",
}
"""Wrong formulas by what is mistaken in them."""


def draw(source: Draw, asked: Asked) -> Direct:
    """The right formula among three wrong ones."""
    names = source.shuffled([None, *source.shuffled(tuple(WRONG))[:3]])
    facts = {f"f{k}": RIGHT if name is None else WRONG[name] for k, name in enumerate(names, 1)}
    wrongs = {name: (k,) for k, name in enumerate(names, 1) if name is not None}
    return Direct(facts, (Sought("formula", {"N": names.index(None) + 1}, wrongs),))


KIND = Kind(
    id="K14",
    name="formula",
    draw=draw,
    asks=("formula",),
    default=("formula",),
    answers=("number",),
    misconceptions=tuple(WRONG),
)
