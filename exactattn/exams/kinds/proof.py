"""K17: short proofs, marked along a rubric; and which of three statements near the claim is right."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought, listed
from exactattn.exams.kinds.kind import Kind
from exactattn.exams.model import Asked, Choice, Criterion, Option, Rubric

Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """How hard it is (1 to 5), the shares of the points by criterion, the misconception in each wrong statement beside it, and
    the numbers that it is stated with.

    The words of a claim number its criteria and statements from 1; the first statement is right.
    """

    difficulty: int
    shares: tuple[int, ...]
    wrong: tuple[str, str]
    facts: tuple[str, ...] = ("n",)


CLAIMS = {
    "shift-invariance": Claim(1, (2, 2, 1), ("shift-along-the-wrong-axis", "factor-thought-harmless"), ("n", "c")),
    "constant-values": Claim(1, (2, 2, 1), ("uniform", "not-normalised")),
    "sigmoid-of-two": Claim(1, (2, 2, 1), ("sigmoid-each", "no-scale"), ("d_k",)),
    "key-shift": Claim(2, (2, 2, 1), ("shift-along-the-wrong-axis", "constant-thought-to-matter"), ("n", "u")),
    "convex-hull": Claim(2, (1, 1, 2, 1), ("hull-without-sum-one", "hull-without-signs")),
    "permutation": Claim(3, (1, 2, 2), ("invariant-for-equivariant", "permutation-turned-round")),
    "score-variance": Claim(3, (1, 2, 2), ("variance-taken-as-d-k-squared", "divided-by-d-k-for-variance"), ("d_k",)),
    "causal-prefix": Claim(4, (2, 1, 2), ("masked-score-zero", "mask-after-softmax"), ("n", "i")),
    "sum-over-heads": Claim(
        4, (1, 2, 2), ("heads-added", "output-projection-transposed"), ("heads", "width", "joined")
    ),
}
"""What may be proved."""

ANY = "any"
"""One of the claims that are no harder than the difficulty."""


def draw(source: Draw, asked: Asked) -> Direct:
    """A claim, the one that is chosen or one that is no harder than asked for, with sizes and numbers of its own."""
    fit = [one for one, claim in CLAIMS.items() if claim.difficulty <= asked.difficulty]
    name = KIND.picked(asked, "claim")
    if name == ANY:
        name = source.choice(fit)
    claim = CLAIMS[name]
    total = sum(claim.shares)
    rubric = Rubric(tuple(Criterion(str(k), Fraction(share, total)) for k, share in enumerate(claim.shares, 1)))
    statements: list[tuple[str, Names]] = [("1", ()), *((str(k), (one,)) for k, one in enumerate(claim.wrong, 2))]
    shown = source.shuffled(statements)
    options = tuple(Option((), names, key) for key, names in shown)
    return Direct(
        _instance(source, name),
        (Sought("proof", form=rubric), Sought("statement", form=Choice(options, shown.index(statements[0])))),
        name,
        ("statement",) if asked.answer == "choice" else ("proof",),
    )


def _instance(source: Draw, name: str) -> dict[str, str]:
    """The sizes and numbers that a claim is stated with. The proof is the same for all of them."""
    n = source.integer(3, 64)
    u = [source.integer(-4, 4) or 5 for _ in range(3)]
    heads, width = source.integer(2, 16), 8 * source.integer(1, 16)
    every = {
        "n": str(n),
        "i": str(source.integer(2, n - 1)),
        "c": listed([source.choice((-1, 1)) * source.integer(1, 12)]),
        "u": f"({listed(u)})",
        "d_k": str(source.integer(2, 128)),
        "heads": str(heads),
        "width": str(width),
        "joined": str(heads * width),
    }
    return {one: every[one] for one in CLAIMS[name].facts}


KIND = Kind(
    id="K17",
    name="proof",
    draw=draw,
    asks=("proof", "statement"),
    default=("proof",),
    answers=("text", "choice"),
    forms={"proof": "text", "statement": "choice"},
    parameters={"claim": ANY},
    choices={"claim": (ANY, *CLAIMS)},
    misconceptions=tuple(dict.fromkeys(name for claim in CLAIMS.values() for name in claim.wrong)),
)
