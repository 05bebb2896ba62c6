"""K21: a window of keys, perhaps with sinks: a mask of 0 and 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.kind import Given, Kind, chosen_rows, labels
from exactattn.exams.kinds.numbers import keys, queries, values
from exactattn.exams.model import Asked
from exactattn.misconceptions import Misconception
from exactattn.misconceptions.replay import Exchanges
from exactattn.trace import Trace

Keep = tuple[tuple[bool, ...], ...]


def draw(source: Draw, asked: Asked) -> Given:
    """n tokens, each a query and a key."""
    n, d_k, d_v = (KIND.sized(asked, name) for name in ("n", "d_k", "d_v"))
    given = {"Q": queries(source, asked, n, d_k), "K": keys(source, asked, n, d_k), "V": values(source, asked, n, d_v)}
    return {**given, "tokens": labels("t", n), "mask": [[int(held) for held in row] for row in window(asked, n)]}


def window(asked: Asked, n: int) -> Keep:
    """Keys at most a radius away from the query, on both sides or (causal) on the left alone, and the sinks."""
    r = KIND.counted(asked, "radius")
    return _open(asked, n, r, 0 if KIND.chosen(asked, "causal") else r)


def _open(asked: Asked, n: int, left: int, right: int) -> Keep:
    sinks, causal = KIND.counted(asked, "sinks"), KIND.chosen(asked, "causal")
    return tuple(
        tuple(-left <= j - i <= right or (j < sinks and (j <= i or not causal)) for j in range(n)) for i in range(n)
    )


def rows(trace: Trace, asked: Asked) -> Sequence[int]:
    """Rows with two open keys or more and one that is closed; the middle one first."""
    keep = window(asked, len(trace.problem.tokens))
    seeing = [i for i, row in enumerate(keep) if 1 < sum(row) < len(row)]
    middle = len(keep) // 2
    return chosen_rows(trace, asked, seeing, best=middle if middle in seeing else None)


def own(asked: Asked) -> tuple[Misconception, ...]:
    """The radius taken for the width of the window: r keys in all."""
    r = KIND.counted(asked, "radius")
    left, right = (r - 1, 0) if KIND.chosen(asked, "causal") else (r // 2, (r - 1) // 2)

    def narrow(trace: Trace) -> Exchanges:
        keep = _open(asked, len(trace.problem.tokens), left, right)
        return {"mask": lambda due: due.otherwise(keep=keep)}

    return (Misconception("radius-read-as-width", "masked", narrow),) if r else ()


def facts(trace: Trace, asked: Asked) -> Mapping[str, str]:
    """The radius and the number of sinks."""
    return {"radius": str(KIND.counted(asked, "radius")), "sinks": str(KIND.counted(asked, "sinks"))}


KIND = Kind(
    id="K21",
    name="window",
    draw=draw,
    asks=("weights", "output"),
    default=("weights", "output"),
    answers=("row", "matrix", "number"),
    rows=rows,
    misconceptions=("mask-forgotten", "mask-after-softmax", "masked-score-zero", "mask-inverted", "no-scale"),
    own=own,
    size={"n": 5, "d_k": 2, "d_v": 1},
    parameters={"radius": 1, "causal": False, "sinks": 0},
    facts=facts,
)
