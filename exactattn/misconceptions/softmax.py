"""Wrong maxima, exponentials and sums: the softmax along the wrong axis, in the wrong base, shifted unevenly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from exactattn.arithmetic.protocol import Arithmetic, Keep, M
from exactattn.attention.pipeline import closed_rows, divide, exponentiate, maximum, shift, total
from exactattn.errors import InputError
from exactattn.misconceptions.finding import chooses, fully_masked, keep_of, logits, shape_of, signs, subtracts_maxima
from exactattn.misconceptions.misconception import Misconception
from exactattn.misconceptions.replay import Doing, Doings, Due, Exchanges, by, standing_for
from exactattn.trace import Quantity, Trace
from exactattn.trace.problem import FullyMasked

# -- maxima ------------------------------------------------------------------------------------------------------------


@standing_for(maximum)
def maximum_of_columns(ar: Arithmetic, s: Quantity) -> Quantity:
    """The largest open score of each column, m × 1."""
    largest = ar.row_max(ar.transpose(s.matrix), of_columns(s.keep))
    return Quantity("maxima", largest, s.columns, ("max",), ar, s.head)


@standing_for(maximum)
def mean_of_columns(ar: Arithmetic, s: Quantity) -> Quantity:
    """The mean of each column, m × 1."""
    n = s.shape[0]
    means = ar.matmul(ar.transpose(s.matrix), ar.read(((f"1/{n}",),) * n))
    return Quantity("maxima", means, s.columns, ("max",), ar, s.head)


@standing_for(maximum)
def maximum_of_all(ar: Arithmetic, s: Quantity) -> Quantity:
    """The largest open score of the whole matrix, in every row of an n × 1."""
    of_rows = maximum(ar, s)
    closed = closed_rows(s.keep)
    n = s.shape[0]
    largest = ar.row_max(ar.transpose(of_rows.matrix), (tuple(i not in closed for i in range(n)),))
    return replace(of_rows, matrix=spread(ar, largest, n))


@standing_for(shift)
def shift_columns(ar: Arithmetic, s: Quantity, m: Quantity) -> Quantity:
    """Each column less its entry of an m × 1."""
    matrix = ar.transpose(ar.subtract_column(ar.transpose(s.matrix), m.matrix))
    return Quantity("shifted", matrix, s.rows, s.columns, ar, s.head, s.keep)


@standing_for(shift)
def shift_not(ar: Arithmetic, s: Quantity, m: Quantity) -> Quantity:
    """The scores as they are."""
    return replace(s, name="shifted", arithmetic=ar)


@standing_for(shift)
def shift_backwards(ar: Arithmetic, s: Quantity, m: Quantity) -> Quantity:
    """The maximum less the score."""
    right = shift(ar, s, m)
    return replace(right, matrix=ar.scale(right.matrix, "-1"))


# -- exponentials ------------------------------------------------------------------------------------------------------


@standing_for(exponentiate)
def exponentiate_in_base(ar: Arithmetic, s: Quantity, *, fully_masked: FullyMasked, base: str) -> Quantity:
    """Another number than e to each open score: base is its logarithm."""
    return exponentiate(ar, replace(s, matrix=ar.scale(s.matrix, base)), fully_masked=fully_masked)


@standing_for(exponentiate)
def exponentiate_not(ar: Arithmetic, s: Quantity, *, fully_masked: FullyMasked) -> Quantity:
    """The open scores as they are, 0 where closed."""
    return replace(s, name="exps", matrix=ar.where(s.matrix, s.keep), arithmetic=ar)


# -- sums and weights --------------------------------------------------------------------------------------------------


@standing_for(total)
def total_of_scores(ar: Arithmetic, e: Quantity) -> Quantity:
    """The sum of each row of numbers that are no exponentials, and may add up to 0."""
    m = e.shape[1]
    sums = ar.matmul(e.matrix, ar.read((("1",),) * m))
    return Quantity("sums", sums, e.rows, ("sum",), ar, e.head)


@standing_for(total)
def total_of_unshifted(ar: Arithmetic, s: Quantity, *, fully_masked: FullyMasked) -> Quantity:
    """The sum of e to each score, nothing subtracted."""
    return total(ar, exponentiate(ar, s, fully_masked=fully_masked))


@standing_for(total)
def total_of_columns(ar: Arithmetic, e: Quantity) -> Quantity:
    """The sum of each column, m × 1."""
    sums = ar.row_sum(ar.transpose(e.matrix))
    return Quantity("sums", sums, e.columns, ("sum",), ar, e.head)


@standing_for(total)
def total_of_all(ar: Arithmetic, e: Quantity) -> Quantity:
    """The sum of the whole matrix, in every row of an n × 1."""
    of_rows = total(ar, e)
    return replace(of_rows, matrix=spread(ar, ar.row_sum(ar.transpose(of_rows.matrix)), e.shape[0]))


@standing_for(divide)
def divide_columns(ar: Arithmetic, e: Quantity, z: Quantity) -> Quantity:
    """Each exponential over the sum of its column."""
    closed = closed_rows(of_columns(e.keep))
    matrix = ar.transpose(ar.divide_column(ar.transpose(e.matrix), z.matrix, closed))
    return Quantity("weights", matrix, e.rows, e.columns, ar, e.head, e.keep)


@standing_for(divide)
def divide_unshifted(ar: Arithmetic, s: Quantity, z: Quantity, *, fully_masked: FullyMasked) -> Quantity:
    """e to each score, nothing subtracted, over the sum."""
    return divide(ar, exponentiate(ar, s, fully_masked=fully_masked), z)


@standing_for(divide)
def divide_where_not_zero(ar: Arithmetic, e: Quantity, z: Quantity, *, zeros: frozenset[int]) -> Quantity:
    """Each row over its sum; the rows of `zeros`, whose sum is 0, are left at 0."""
    matrix = ar.divide_column(e.matrix, z.matrix, zeros | closed_rows(e.keep))
    return Quantity("weights", matrix, e.rows, e.columns, ar, e.head, e.keep)


def of_columns(keep: Keep) -> Keep:
    """The transpose of a mask."""
    return None if keep is None else tuple(zip(*keep, strict=True))


def spread(ar: Arithmetic, number: M, n: int) -> M:
    """A 1 × 1 repeated downwards, n × 1."""
    return ar.matmul(ar.read((("1",),) * n), number)


# -- where they make sense ---------------------------------------------------------------------------------------------


def _down_columns(trace: Trace) -> Exchanges | None:
    n, m = shape_of(trace)
    if n == m == 1:
        return None
    exchanges: Exchanges = {"total": by(total_of_columns), "divide": by(divide_columns)}
    if subtracts_maxima(trace):
        return {"maximum": by(maximum_of_columns), "shift": by(shift_columns), **exchanges}
    return exchanges


def _sums_down_columns(trace: Trace) -> Exchanges | None:
    # without a maximum of each row this is the softmax of the columns
    if not subtracts_maxima(trace) or shape_of(trace) == (1, 1):
        return None
    return {"total": by(total_of_columns), "divide": by(divide_columns)}


def _over_all(trace: Trace) -> Exchanges | None:
    if shape_of(trace)[0] == 1:
        return None
    exchanges: Exchanges = {"total": by(total_of_all)}
    return {"maximum": by(maximum_of_all), **exchanges} if subtracts_maxima(trace) else exchanges


def _constants_of_columns(trace: Trace) -> Exchanges | None:
    if not subtracts_maxima(trace) or shape_of(trace)[0] == 1 or not chooses(trace):
        return None
    return {"maximum": by(maximum_of_columns), "shift": by(shift_columns)}


def _means_of_columns(trace: Trace) -> Exchanges | None:
    found = _constants_of_columns(trace)
    if found is None or keep_of(trace) is not None:  # under a mask a column has no mean
        return None
    return {**found, "maximum": by(mean_of_columns)}


def _shifting(exchanges: Exchanges) -> Callable[[Trace], Exchanges | None]:
    """Where maxima are subtracted and there is something to weigh."""
    return lambda trace: exchanges if subtracts_maxima(trace) and chooses(trace) else None


def _weighing(exchanges: Exchanges) -> Callable[[Trace], Exchanges | None]:
    """Where there is something to weigh."""
    return lambda trace: exchanges if chooses(trace) else None


def _in_base(logarithm: str) -> Exchanges:
    return {"exponentiate": lambda due: due.otherwise(exponentiate_in_base, base=logarithm)}


def _of_logits(due: Due) -> Doings:
    return (Doing(exponentiate_not, (logits(due),), due.step.settings),)


def _divided(due: Due) -> Doings:
    """Numbers that are no exponentials may add up to 0: such rows are left at 0, as long as there are others."""
    sums = due.reads[1]
    try:
        zeros = frozenset(i for i, row in enumerate(signs(sums.arithmetic, sums.matrix)) if row == [0])
    except InputError:  # letters, which are not 0, or enclosures, which say of themselves where they bound nothing
        return due.plain
    if len(zeros) == len(sums.rows):
        raise InputError("every row adds up to 0, which divides nothing")
    return due.otherwise(divide_where_not_zero, zeros=zeros) if zeros else due.plain


def _numerator_only(trace: Trace) -> Exchanges | None:
    chosen = {"fully_masked": fully_masked(trace)}
    return _shifting({"total": lambda due: (Doing(total_of_unshifted, (logits(due),), chosen),)})(trace)


def _denominator_only(trace: Trace) -> Exchanges | None:
    chosen = {"fully_masked": fully_masked(trace)}
    return _shifting({"divide": lambda due: (Doing(divide_unshifted, (logits(due), due.reads[1]), chosen),)})(trace)


SOFTMAX = (
    Misconception("softmax-over-columns", "maxima", _down_columns),
    Misconception("softmax-over-the-whole-matrix", "maxima", _over_all),
    Misconception("column-maximum-subtracted", "maxima", _constants_of_columns),
    Misconception("column-mean-subtracted", "maxima", _means_of_columns),
    Misconception("maximum-not-subtracted", "shifted", _shifting({"shift": by(shift_not)}), cancels="weights"),
    Misconception("maximum-minus-score", "shifted", _shifting({"shift": by(shift_backwards)})),
    Misconception("base-two", "exps", _weighing(_in_base("ln(2)"))),
    Misconception("base-ten", "exps", _weighing(_in_base("ln(10)"))),
    Misconception(
        "sum-normalised",
        "exps",
        _weighing({"exponentiate": _of_logits, "total": by(total_of_scores), "divide": _divided}),
    ),
    Misconception(
        "shifted-not-exponentiated",
        "exps",
        _shifting({"exponentiate": by(exponentiate_not), "total": by(total_of_scores), "divide": _divided}),
    ),
    Misconception("maximum-subtracted-in-the-numerator-only", "sums", _numerator_only),
    Misconception("maximum-subtracted-in-the-denominator-only", "weights", _denominator_only),
    Misconception("sums-down-the-columns", "sums", _sums_down_columns),
)
