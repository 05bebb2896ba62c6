"""Weights that are no softmax: not divided, not exponentiated, all or nothing, all equal."""

from __future__ import annotations

from exactattn.arithmetic.protocol import Arithmetic
from exactattn.attention.pipeline import divide, exponentiate
from exactattn.misconceptions.finding import chooses, fully_masked, logits, steps_of, tops
from exactattn.misconceptions.misconception import Misconception
from exactattn.misconceptions.replay import Doing, Doings, Due, Exchanges, by, standing_for
from exactattn.trace import Quantity, Step, Trace
from exactattn.trace.problem import FullyMasked


@standing_for(divide)
def divide_not(ar: Arithmetic, e: Quantity, z: Quantity) -> Quantity:
    """The exponentials as they are."""
    return Quantity("weights", e.matrix, e.rows, e.columns, ar, e.head, e.keep)


@standing_for(divide)
def scores_as_weights(ar: Arithmetic, s: Quantity, z: Quantity) -> Quantity:
    """The open scores as they are, 0 where closed."""
    return Quantity("weights", ar.where(s.matrix, s.keep), s.rows, s.columns, ar, s.head, s.keep)


@standing_for(divide)
def sigmoid_of_each(ar: Arithmetic, s: Quantity, z: Quantity, *, fully_masked: FullyMasked) -> Quantity:
    """e^s/(1 + e^s) for each open score, 0 where closed."""
    e = exponentiate(ar, s, fully_masked=fully_masked)
    n, m = e.shape
    one = ar.read((("1",),) * n)
    columns = [ar.columns(e.matrix, j, j + 1) for j in range(m)]
    matrix = ar.hstack([ar.divide_column(column, ar.add(one, column), frozenset()) for column in columns])
    return Quantity("weights", matrix, e.rows, e.columns, ar, e.head, e.keep)


@standing_for(divide)
def equal_weights(ar: Arithmetic, e: Quantity, z: Quantity) -> Quantity:
    """One over the number of open keys."""
    m = e.shape[1]
    counts = [m if e.keep is None else sum(e.keep[i]) for i in range(e.shape[0])]
    texts = [[f"1/{n}" if e.keep is None or e.keep[i][j] else "0" for j in range(m)] for i, n in enumerate(counts)]
    return Quantity("weights", ar.read(texts), e.rows, e.columns, ar, e.head, e.keep)


@standing_for(divide)
def one_for_the_largest(ar: Arithmetic, e: Quantity, z: Quantity, *, at: tuple[int | None, ...]) -> Quantity:
    """1 for one key of each row, 0 for the others; `at` says which (None: the row has none)."""
    m = e.shape[1]
    texts = [["1" if j == best else "0" for j in range(m)] for best in at]
    return Quantity("weights", ar.read(texts), e.rows, e.columns, ar, e.head, e.keep)


# -- where they make sense ---------------------------------------------------------------------------------------------


def _not_divided(trace: Trace) -> Exchanges | None:
    return {"divide": by(divide_not)} if chooses(trace) else None


def _softmax_forgotten(trace: Trace) -> Exchanges:
    return {"divide": lambda due: (Doing(scores_as_weights, (logits(due), due.reads[1]), {}),)}


def _sigmoids(trace: Trace) -> Exchanges:
    chosen = {"fully_masked": fully_masked(trace)}
    return {"divide": lambda due: (Doing(sigmoid_of_each, (logits(due), due.reads[1]), chosen),)}


def _uniform(trace: Trace) -> Exchanges | None:
    return {"divide": by(equal_weights)} if chooses(trace) else None


def _hard(trace: Trace) -> Exchanges | None:
    if not chooses(trace):
        return None
    at = {step.head: largest(step) for step in steps_of(trace, "exponentiate")}

    def hard(due: Due) -> Doings:
        return due.otherwise(one_for_the_largest, at=at[due.step.head])

    return {"divide": hard}


def largest(step: Step) -> tuple[int | None, ...]:
    """Where each row of what is exponentiated has its largest open entry, the first of several, decided."""
    (s,) = step.reads
    return tuple(row[0] if row else None for row in tops(s))


WEIGHING = (
    Misconception("not-normalised", "weights", _not_divided),
    Misconception("softmax-forgotten", "weights", _softmax_forgotten),
    Misconception("sigmoid-each", "weights", _sigmoids),
    Misconception("uniform", "weights", _uniform),
    Misconception("hard-argmax", "weights", _hard),
)
