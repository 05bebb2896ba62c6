"""Wrong ways from queries and keys to scores."""

from __future__ import annotations

from collections.abc import Callable

from exactattn.arithmetic.protocol import Arithmetic
from exactattn.attention.pipeline import score
from exactattn.misconceptions.finding import Where, negatives, square, steps_of, turned
from exactattn.misconceptions.misconception import Misconception
from exactattn.misconceptions.replay import Doing, Doings, Due, Exchanges, by, standing_for
from exactattn.trace import Quantity, Step, Trace


@standing_for(score)
def score_untransposed(ar: Arithmetic, q: Quantity, k: Quantity, *, head: int) -> Quantity:
    """Q·K, the keys not transposed: it goes through where there are as many keys as each is wide."""
    return Quantity("scores", ar.matmul(q.matrix, k.matrix), q.rows, k.rows, ar, head)


@standing_for(score)
def score_backwards(ar: Arithmetic, q: Quantity, k: Quantity, *, head: int) -> Quantity:
    """K·Qᵀ: it has the right shape where there are as many queries as keys."""
    return Quantity("scores", ar.matmul(k.matrix, ar.transpose(q.matrix)), q.rows, k.rows, ar, head)


@standing_for(score)
def score_entry_by_entry(ar: Arithmetic, q: Quantity, k: Quantity, *, head: int) -> Quantity:
    """Each entry of Q times the entry of K in the same place, n × n."""
    n = q.shape[0]
    diagonal = tuple(tuple(i == j for j in range(n)) for i in range(n))
    ones = ar.read((("1",),) * n)
    columns = []
    for t in range(n):
        # every entry of column t times every other: those in the same place stand on the diagonal
        products = ar.matmul(ar.columns(q.matrix, t, t + 1), ar.transpose(ar.columns(k.matrix, t, t + 1)))
        columns.append(ar.matmul(ar.where(products, diagonal), ones))
    return Quantity("scores", ar.hstack(columns), q.rows, k.rows, ar, head)


@standing_for(score)
def score_without_signs(ar: Arithmetic, q: Quantity, k: Quantity, *, head: int, negative: Where) -> Quantity:
    """Q·Kᵀ without the minus signs of the results; `negative` says where these are, n × m."""
    right = score(ar, q, k, head=head)
    return Quantity("scores", turned(ar, right.matrix, negative), q.rows, k.rows, ar, head)


@standing_for(score)
def score_of_sizes(ar: Arithmetic, q: Quantity, k: Quantity, *, head: int, negative: tuple[Where, Where]) -> Quantity:
    """|Q|·|K|ᵀ; `negative` says which entries of Q and of K are turned."""
    q_sizes, k_sizes = turned(ar, q.matrix, negative[0]), turned(ar, k.matrix, negative[1])
    return Quantity("scores", ar.matmul(q_sizes, ar.transpose(k_sizes)), q.rows, k.rows, ar, head)


# -- where they make sense ---------------------------------------------------------------------------------------------


def _scoring(fits: Callable[[Step], bool], exchanges: Exchanges) -> Callable[[Trace], Exchanges | None]:
    """Where the trace makes scores and the operands of every head fit."""

    def found(trace: Trace) -> Exchanges | None:
        steps = steps_of(trace, "score")
        return exchanges if steps and all(map(fits, steps)) else None

    return found


def _square_keys(step: Step) -> bool:
    return square(step.reads[1])


def _as_many_queries_as_keys(step: Step) -> bool:
    return square(step.computed)


def _all_square(step: Step) -> bool:
    return square(step.computed) and square(step.reads[0])


def _without_signs(trace: Trace) -> Exchanges | None:
    where = {step.head: negatives(step.computed) for step in steps_of(trace, "score")}
    if not any(flag for rows in where.values() for row in rows for flag in row):
        return None
    return {"score": lambda due: due.otherwise(score_without_signs, negative=where[due.step.head])}


def _of_sizes(trace: Trace) -> Exchanges | None:
    where = {step.head: tuple(map(negatives, step.reads)) for step in steps_of(trace, "score")}
    if not any(flag for pair in where.values() for rows in pair for row in rows for flag in row):
        return None
    return {"score": lambda due: due.otherwise(score_of_sizes, negative=where[due.step.head])}


# -- keys and values -----------------------------------------------------------------------------------------------------


def of_values(due: Due) -> Doings:
    """Q·Vᵀ."""
    return (Doing(due.step.function, (due.reads[0], due.find("V")), due.step.settings),)


def of_keys(due: Due) -> Doings:
    """A·K."""
    return (Doing(due.step.function, (due.reads[0], due.find("K")), due.step.settings),)


def exchangeable(trace: Trace) -> bool:
    """Are there keys and values, as wide as each other in every head?"""
    scoring, mixing = steps_of(trace, "score"), steps_of(trace, "mix")
    return bool(scoring and mixing) and all(
        s.reads[1].shape == m.reads[1].shape for s, m in zip(scoring, mixing, strict=True)
    )


SCORES = (
    Misconception("key-not-transposed", "scores", _scoring(_square_keys, {"score": by(score_untransposed)})),
    Misconception("scores-transposed", "scores", _scoring(_as_many_queries_as_keys, {"score": by(score_backwards)})),
    Misconception("elementwise-product", "scores", _scoring(_all_square, {"score": by(score_entry_by_entry)})),
    Misconception("signs-dropped-in-scores", "scores", _without_signs),
    Misconception("signs-dropped-in-products", "scores", _of_sizes),
    Misconception("values-as-keys", "scores", lambda trace: {"score": of_values} if exchangeable(trace) else None),
    Misconception(
        "keys-and-values-swapped",
        "scores",
        lambda trace: {"score": of_values, "mix": of_keys} if exchangeable(trace) else None,
    ),
)
