"""K21: a window of keys, perhaps with sinks: a mask of 0 and 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from exactattn.arithmetic.protocol import Arithmetic
from exactattn.attention.pipeline import exponentiate, total
from exactattn.exams.draw import Draw
from exactattn.exams.kinds.kind import Given, Kind, chosen_rows, labels
from exactattn.exams.kinds.numbers import keys, queries, values
from exactattn.exams.model import Asked
from exactattn.misconceptions import Misconception
from exactattn.misconceptions.replay import Doing, Doings, Due, Exchanges, standing_for
from exactattn.trace import Quantity, Trace
from exactattn.trace.problem import FullyMasked

Keep = tuple[tuple[bool, ...], ...]


def draw(source: Draw, asked: Asked) -> Given:
    """n tokens, each a query and a key."""
    n, d_k, d_v = (KIND.sized(asked, name) for name in ("n", "d_k", "d_v"))
    given = {"Q": queries(source, asked, n, d_k), "K": keys(source, asked, n, d_k), "V": values(source, asked, n, d_v)}
    return {**given, "tokens": labels("t", n), "mask": [[int(held) for held in row] for row in window(asked, n)]}


def window(asked: Asked, n: int) -> Keep:
    """Keys at most a radius away from the query, on both sides or (causal) on the left alone, and the sinks."""
    r = KIND.counted(asked, "radius")
    return _open(asked, n, r, 0 if KIND.switched(asked, "causal") else r)


def _open(asked: Asked, n: int, left: int, right: int) -> Keep:
    sinks, causal = KIND.counted(asked, "sinks"), KIND.switched(asked, "causal")
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
    """The radius taken for the width of the window: r keys in all. Zeros beyond the edge where every asked row has some there; a
    sink counted twice where every asked row has one in its window."""
    r = KIND.counted(asked, "radius")
    left, right = (r - 1, 0) if KIND.switched(asked, "causal") else (r // 2, (r - 1) // 2)

    def narrow(trace: Trace) -> Exchanges | None:
        n = len(trace.problem.tokens)
        keep, due = _open(asked, n, left, right), window(asked, n)
        if any(keep[i] == due[i] for i in rows(trace, asked)):
            return None  # at an edge both windows may be cut to the same keys
        return {"mask": lambda due: due.otherwise(keep=keep)}

    def padded(trace: Trace) -> Exchanges | None:
        n = len(trace.problem.tokens)
        missing = tuple(_missing(asked, i, n) for i in range(n))
        if not all(missing[i] for i in rows(trace, asked)):
            return None

        def exchange(due: Due) -> Doings:
            return (Doing(total_with_zeros, (due.reads[0], due.find("masked")), {"missing": missing}),)

        return {"total": exchange}

    def twice(trace: Trace) -> Exchanges | None:
        n = len(trace.problem.tokens)
        inside = _inside(asked, n)
        if not all(
            any(inside[i]) and sum(keep) > sum(inside[i])
            for i, keep in enumerate(window(asked, n))
            if i in rows(trace, asked)
        ):
            return None
        return {"exponentiate": lambda due: due.otherwise(exponentiate_twice, twice=inside)}

    methods = (
        Misconception("radius-read-as-width", "masked", narrow),
        Misconception("zeros-beyond-the-edge", "sums", padded),
        Misconception("sink-counted-twice", "exps", twice),
    )
    return methods if r else ()


def _missing(asked: Asked, i: int, n: int) -> int:
    """How many places of the window around token i lie beyond the first token or the last."""
    r = KIND.counted(asked, "radius")
    return max(0, r - i) + (0 if KIND.switched(asked, "causal") else max(0, i + r - (n - 1)))


def _inside(asked: Asked, n: int) -> Keep:
    """The sinks that lie in the window too."""
    r, sinks = KIND.counted(asked, "radius"), KIND.counted(asked, "sinks")
    return tuple(
        tuple(j < sinks and -r <= j - i <= (0 if KIND.switched(asked, "causal") else r) for j in range(n))
        for i in range(n)
    )


@standing_for(total)
def total_with_zeros(ar: Arithmetic, e: Quantity, s: Quantity, *, missing: tuple[int, ...]) -> Quantity:
    """The sum of each row with e⁰ for every place beyond the edge, less the row's maximum as the others are."""
    top = ar.scale(ar.row_max(s.matrix, s.keep), "-1")
    counts = ar.read([[str(x) if i == j else "0" for j in range(len(missing))] for i, x in enumerate(missing)])
    zeros = ar.matmul(counts, ar.exp(top, None, frozenset()))
    return Quantity("sums", ar.add(ar.row_sum(e.matrix), zeros), e.rows, ("sum",), ar, e.head)


@standing_for(exponentiate)
def exponentiate_twice(ar: Arithmetic, s: Quantity, *, fully_masked: FullyMasked, twice: Keep) -> Quantity:
    """The exponentials, those of sinks in the window twice."""
    right = exponentiate(ar, s, fully_masked=fully_masked)
    return replace(right, matrix=ar.add(right.matrix, ar.where(right.matrix, twice)))


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
    misconceptions=(
        "mask-forgotten",
        "mask-after-softmax",
        "masked-score-zero",
        "mask-inverted",
        "no-scale",
        "divided-by-d-k",
        "softmax-over-columns",
    ),
    own=own,
    beside=("zeros-beyond-the-edge", "sink-counted-twice"),
    size={"n": 5, "d_k": 2, "d_v": 1},
    parameters={"radius": 1, "causal": False, "sinks": 0},
    facts=facts,
)
