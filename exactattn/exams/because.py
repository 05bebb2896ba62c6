"""Why a question does not see a wrong method, where the reason is in the shape of the numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

from exactattn.attention.masks import keep_of
from exactattn.misconceptions import Misconception
from exactattn.misconceptions.masking import MASKING
from exactattn.misconceptions.scaling import SCALING
from exactattn.trace import Quantity, Trace

Why: TypeAlias = Literal[
    "one-key", "identity", "keys-are-values", "last-row", "d-k-one", "symmetric-keys", "equal-values", "equal-scores",
    "saturated", "symmetric-scores",
]  # fmt: skip

Cells: TypeAlias = Sequence[tuple[int, int]]

_SCALING = frozenset(row.name for row in SCALING)
_MASKING = frozenset(row.name for row in MASKING)
_TURNED = (
    "softmax-over-columns", "scores-transposed", "weights-transposed", "sums-down-the-columns", "queries-and-keys-swapped"
)  # fmt: skip
_LIKE_ROWS = ("key-not-transposed", "elementwise-product", "column-maximum-subtracted", "column-mean-subtracted")
_WEIGHING = ("scores", "scaled", "masked", "maxima", "shifted", "exps", "sums", "weights")


def why(trace: Trace, method: Misconception, ask: str, cells: Cells, places: int) -> Why | None:
    """The reason, None where none is known: the numbers then happen to agree."""
    rows = sorted({i for i, _ in cells})
    head = trace.heads[0]
    weighed = method.step in _WEIGHING and ask in ("weights", "output", "concat")
    checks: list[tuple[Why, bool, Callable[[], bool]]] = [
        ("one-key", weighed, lambda: all(len(_open(trace, i)) == 1 for i in rows)),
        (
            "identity",
            method.name in (*_TURNED, *_LIKE_ROWS),
            lambda: _identity(head.find("Q")) and _identity(head.find("K")),
        ),
        (
            "keys-are-values",
            method.name in ("values-as-keys", "keys-and-values-swapped", "weights-on-keys"),
            lambda: _same(head.find("K"), head.find("V")),
        ),
        ("last-row", method.name in _MASKING, lambda: _masked(trace) and all(_open_wholly(trace, i) for i in rows)),
        ("d-k-one", method.name in _SCALING, lambda: _width(trace) == 1),
        ("symmetric-keys", method.name == "key-not-transposed", lambda: _symmetric(head.find("K"))),
        ("equal-values", weighed and ask != "weights", lambda: _equal_rows(head.find("V"))),
        ("equal-scores", weighed, lambda: all(_ties(trace, i) for i in rows)),
        ("saturated", weighed, lambda: all(_saturated(trace, i, places) for i in rows)),
        (
            "symmetric-scores",
            method.name in _TURNED,
            lambda: _symmetric(head.find("scores")),
        ),
    ]
    return next((name for name, concerned, holds in checks if concerned and holds()), None)


def _open(trace: Trace, i: int) -> list[int]:
    keep = keep_of(trace.problem)
    return [j for j in range(len(trace.problem.key_tokens)) if keep is None or keep[i][j]]


def _open_wholly(trace: Trace, i: int) -> bool:
    return len(_open(trace, i)) == len(trace.problem.key_tokens)


def _width(trace: Trace) -> int | None:
    step = trace.heads[0].find("K")
    return None if step is None else step.computed.shape[1]


def _masked(trace: Trace) -> bool:
    return keep_of(trace.problem) is not None


def _ties(trace: Trace, i: int) -> bool:
    """Are all open scores of the row one number, in every head?"""
    for head in trace.heads:
        texts = _row(head.scores, i)
        if len({texts[j] for j in _open(trace, i)}) > 1:
            return False
    return True


def _saturated(trace: Trace, i: int, places: int) -> bool:
    """Does the row print a weight of 1, in every head?"""
    one = "1." + "0" * places if places else "1"
    return all(one in head.weights.decimal(places)[i] for head in trace.heads)


def _row(q: Quantity, i: int) -> list[str]:
    return [str(q.value(i, j)) for j in range(q.shape[1])]


def _symmetric(step: object) -> bool:
    q = _made(step)
    if q is None or q.shape[0] != q.shape[1]:
        return False
    rows = [_row(q, i) for i in range(q.shape[0])]
    return rows == [list(column) for column in zip(*rows, strict=True)]


def _identity(step: object) -> bool:
    q = _made(step)
    return q is not None and all(q.value(i, j) == int(i == j) for i in range(q.shape[0]) for j in range(q.shape[1]))


def _same(first: object, second: object) -> bool:
    a, b = _made(first), _made(second)
    if a is None or b is None or a.shape != b.shape:
        return False
    return all(_row(a, i) == _row(b, i) for i in range(a.shape[0]))


def _equal_rows(step: object) -> bool:
    q = _made(step)
    return q is not None and len({tuple(_row(q, i)) for i in range(q.shape[0])}) == 1


def _made(step: object) -> Quantity | None:
    found = getattr(step, "computed", None)
    return found if isinstance(found, Quantity) else None
