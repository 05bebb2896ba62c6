"""K14: which formula is right, what Q, K and V are for, and the order of the steps."""

from __future__ import annotations

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought
from exactattn.exams.kinds.kind import Kind
from exactattn.exams.model import Asked, Choice, Option, Order

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

ROLES = {
    "roles": (),
    "roles-swapped": ("keys-and-values-swapped",),
    "roles-from-values": ("values-as-keys",),
    "roles-of-scores": ("score-called-weight",),
    "roles-mixing-keys": ("weights-on-keys",),
}
"""What is said of Q, K and V, by what is mistaken in it; the first is right."""

STEPS = {
    1: ("score", "scale", "softmax", "mix"),
    2: ("score", "scale", "softmax", "mix"),
    3: ("score", "scale", "mask", "softmax", "mix"),
    4: ("project", "score", "scale", "mask", "softmax", "mix"),
    5: ("project", "score", "scale", "mask", "shift", "exponentiate", "divide", "mix"),
}
"""The steps in order, by difficulty."""


def draw(source: Draw, asked: Asked) -> Direct:
    """The right formula among wrong ones, the right roles among others, and the steps in disorder."""
    wrong = 2 + (asked.difficulty + 1) // 2
    names: list[str | None] = [None, *source.shuffled(tuple(WRONG))[: wrong - 1]]
    names = source.shuffled(names)
    formulas = tuple(Option((RIGHT,)) if name is None else Option((WRONG[name],), (name,)) for name in names)
    first, *others = ROLES
    said = source.shuffled([first, *source.shuffled(others)[: wrong - 1]])
    roles = tuple(Option((), ROLES[name], name) for name in said)
    steps = STEPS[asked.difficulty]
    items = source.shuffled(steps)
    while items == list(steps):
        items = source.shuffled(steps)
    order = Order(tuple(items), tuple(items.index(step) for step in steps))
    return Direct(
        {},
        (
            Sought("formula", form=Choice(formulas, names.index(None))),
            Sought("roles", form=Choice(roles, said.index(first))),
            Sought("order", form=order),
        ),
        default=("order",) if asked.answer == "order" else ("formula",),
    )


KIND = Kind(
    id="K14",
    name="formula",
    draw=draw,
    asks=("formula", "roles", "order"),
    default=("formula",),
    answers=("choice", "order"),
    forms={"formula": "choice", "roles": "choice", "order": "order"},
    misconceptions=(*WRONG, "values-as-keys", "score-called-weight", "weights-on-keys"),
)
