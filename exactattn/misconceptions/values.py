"""Wrong ways from weights and values to the output."""

from __future__ import annotations

from collections.abc import Callable

from exactattn.arithmetic.protocol import Arithmetic
from exactattn.attention.pipeline import mix
from exactattn.misconceptions.finding import Where, negatives, square, steps_of, turned
from exactattn.misconceptions.misconception import Misconception
from exactattn.misconceptions.replay import Exchanges, by, standing_for
from exactattn.misconceptions.scores import exchangeable, of_keys
from exactattn.trace import Quantity, Step, Trace


@standing_for(mix)
def mix_with_transposed(ar: Arithmetic, a: Quantity, v: Quantity) -> Quantity:
    """Aᵀ·V: it has the right shape where there are as many queries as keys."""
    return Quantity("output", ar.matmul(ar.transpose(a.matrix), v.matrix), a.rows, v.columns, ar, a.head)


@standing_for(mix)
def mix_the_wrong_way_round(ar: Arithmetic, a: Quantity, v: Quantity) -> Quantity:
    """V·A: it has the right shape where queries, keys and the width of V are as many."""
    return Quantity("output", ar.matmul(v.matrix, a.matrix), a.rows, v.columns, ar, a.head)


@standing_for(mix)
def mix_of_other_rows(ar: Arithmetic, a: Quantity, v: Quantity, *, order: tuple[int, ...]) -> Quantity:
    """A times the rows of V in another order: key j has row order[j]."""
    m = len(order)
    rows = ar.read([["1" if k == row else "0" for k in range(m)] for row in order])
    return Quantity("output", ar.matmul(a.matrix, ar.matmul(rows, v.matrix)), a.rows, v.columns, ar, a.head)


@standing_for(mix)
def mix_of_sizes(ar: Arithmetic, a: Quantity, v: Quantity, *, negative: Where) -> Quantity:
    """A·|V|; `negative` says which entries of V are turned."""
    return Quantity("output", ar.matmul(a.matrix, turned(ar, v.matrix, negative)), a.rows, v.columns, ar, a.head)


# -- where they make sense ---------------------------------------------------------------------------------------------


def _mixing(fits: Callable[[Step], bool], exchanges: Exchanges) -> Callable[[Trace], Exchanges | None]:
    """Where there are values, and the operands of every head fit."""

    def found(trace: Trace) -> Exchanges | None:
        steps = steps_of(trace, "mix")
        return exchanges if steps and all(map(fits, steps)) else None

    return found


def _as_many_queries_as_keys(step: Step) -> bool:
    return square(step.reads[0])


def _all_square(step: Step) -> bool:
    return all(map(square, step.reads))


def _reordered(order: Callable[[int], tuple[int, ...]], least: int) -> Callable[[Trace], Exchanges | None]:
    """Rows of V in another order, where there are at least so many."""

    def found(trace: Trace) -> Exchanges | None:
        steps = steps_of(trace, "mix")
        m = steps[0].reads[1].shape[0] if steps else 0
        return {"mix": lambda due: due.otherwise(mix_of_other_rows, order=order(m))} if m >= least else None

    return found


def _of_sizes(trace: Trace) -> Exchanges | None:
    where = {step.head: negatives(step.reads[1]) for step in steps_of(trace, "mix")}
    if not any(flag for rows in where.values() for row in rows for flag in row):
        return None
    return {"mix": lambda due: due.otherwise(mix_of_sizes, negative=where[due.step.head])}


VALUES = (
    Misconception("weights-transposed", "output", _mixing(_as_many_queries_as_keys, {"mix": by(mix_with_transposed)})),
    Misconception("weights-on-keys", "output", lambda trace: {"mix": of_keys} if exchangeable(trace) else None),
    Misconception("values-times-weights", "output", _mixing(_all_square, {"mix": by(mix_the_wrong_way_round)})),
    Misconception("values-rows-reversed", "output", _reordered(lambda m: tuple(reversed(range(m))), 2)),
    # of two rows either neighbour is the other one, which is the reverse
    Misconception("values-off-by-one-row", "output", _reordered(lambda m: (*range(1, m), 0), 3)),
    Misconception("values-row-before", "output", _reordered(lambda m: (m - 1, *range(m - 1)), 3)),
    Misconception("signs-dropped-in-values", "output", _of_sizes),
)
