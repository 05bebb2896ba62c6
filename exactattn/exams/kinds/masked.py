"""K06: a causal mask, a padding mask, or both."""

from __future__ import annotations

from collections.abc import Sequence

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.kind import Given, Kind, chosen_rows, labels
from exactattn.exams.kinds.numbers import keys, queries, values
from exactattn.exams.model import Asked
from exactattn.trace import Trace

MASKS = ("causal", "padding", "causal-and-padding")


def draw(source: Draw, asked: Asked) -> Given:
    """n tokens, each a query and a key; of padding there is the last token."""
    n, d_k, d_v = (KIND.sized(asked, name) for name in ("n", "d_k", "d_v"))
    given = {"Q": queries(source, asked, n, d_k), "K": keys(source, asked, n, d_k), "V": values(source, asked, n, d_v)}
    return {**given, "tokens": labels("t", n), "mask": _mask(KIND.picked(asked, "mask"), n)}


def _mask(mask: str, n: int) -> str | list[list[int]]:
    if mask == "causal":
        return mask
    return [[int(j < n - 1 and (mask == "padding" or j <= i)) for j in range(n)] for i in range(n)]


def rows(trace: Trace, asked: Asked) -> Sequence[int]:
    """A row in the middle: under a causal mask the first has one weight, and of the last nothing is masked.

    The row of a padded token is not asked: nobody uses it.
    """
    n = len(trace.problem.tokens)
    seeing = range(n - 1) if KIND.picked(asked, "mask") == "padding" else range(1, n - 1)
    return chosen_rows(trace, asked, seeing, best=n // 2 if n // 2 in seeing else None)


KIND = Kind(
    id="K06",
    name="masked",
    draw=draw,
    asks=("weights", "output"),
    default=("weights", "output"),
    answers=("row", "matrix", "number"),
    rows=rows,
    misconceptions=(
        "mask-forgotten",
        "mask-after-softmax",
        "masked-score-zero",
        "wrong-triangle",
        "diagonal-masked-too",
        "mask-inverted",
        "no-scale",
        "divided-by-d-k",
        "softmax-over-columns",
        "not-normalised",
    ),
    size={"n": 3, "d_k": 2, "d_v": 2},
    parameters={"mask": "causal"},
    choices={"mask": MASKS},
)
