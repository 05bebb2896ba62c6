"""The steps of attention, in the order in which they are worked by hand.

Each is a pure function of an arithmetic and quantities; none knows which arithmetic, or which track, it runs in.
Shapes: n queries, m keys, d_k and d_v wide, h heads.
"""

from __future__ import annotations

from exactattn.arithmetic.protocol import Arithmetic, Keep
from exactattn.trace.problem import FullyMasked, Texts
from exactattn.trace.quantity import Quantity


def given(ar: Arithmetic, *, name: str, texts: Texts, rows: tuple[str, ...], columns: tuple[str, ...]) -> Quantity:
    """An input, exactly as written."""
    return Quantity(name, ar.read(texts), rows, columns, ar)


def project(
    ar: Arithmetic, x: Quantity, w: Quantity, b: Quantity | None = None, *, name: str, rows: tuple[str, ...]
) -> Quantity:
    """X·W + b: (n × d) · (d × d_k) + (1 × d_k)."""
    product = ar.matmul(x.matrix, w.matrix)
    return Quantity(name, product if b is None else ar.add(product, b.matrix), rows, w.columns, ar)


def split(ar: Arithmetic, x: Quantity, *, low: int, high: int, head: int) -> Quantity:
    """A head's block of columns: n × (high − low)."""
    return Quantity(x.name, ar.columns(x.matrix, low, high), x.rows, x.columns[low:high], ar, head)


def score(ar: Arithmetic, q: Quantity, k: Quantity, *, head: int) -> Quantity:
    """Q·Kᵀ: every query against every key, n × m."""
    return Quantity("scores", ar.matmul(q.matrix, ar.transpose(k.matrix)), q.rows, k.rows, ar, head)


def scale(ar: Arithmetic, s: Quantity, *, by: str, head: int) -> Quantity:
    """Every score times the scale, usually 1/√d_k."""
    return Quantity("scaled", ar.scale(s.matrix, by), s.rows, s.columns, ar, head, s.keep)


def mask(ar: Arithmetic, s: Quantity, *, keep: Keep) -> Quantity:
    """Close what the mask closes: beside the matrix, not in it."""
    return Quantity("masked", s.matrix, s.rows, s.columns, ar, s.head, keep)


def maximum(ar: Arithmetic, s: Quantity) -> Quantity:
    """The largest open score of each row, n × 1."""
    return Quantity("maxima", ar.row_max(s.matrix, s.keep), s.rows, ("max",), ar, s.head)


def shift(ar: Arithmetic, s: Quantity, m: Quantity) -> Quantity:
    """Each row less its maximum: nothing overflows, and the weights stay what they are."""
    return Quantity("shifted", ar.subtract_column(s.matrix, m.matrix), s.rows, s.columns, ar, s.head, s.keep)


def exponentiate(ar: Arithmetic, s: Quantity, *, fully_masked: FullyMasked) -> Quantity:
    """e to each open score, 0 where closed. A fully masked row under "uniform" counts every key once."""
    ones = closed_rows(s.keep) if fully_masked == "uniform" else frozenset()
    keep = s.keep
    if keep is not None and ones:
        keep = tuple((True,) * len(row) if i in ones else row for i, row in enumerate(keep))
    return Quantity("exps", ar.exp(s.matrix, s.keep, ones), s.rows, s.columns, ar, s.head, keep)


def total(ar: Arithmetic, e: Quantity) -> Quantity:
    """The sum of each row, n × 1."""
    return Quantity("sums", ar.row_sum(e.matrix), e.rows, ("sum",), ar, e.head)


def divide(ar: Arithmetic, e: Quantity, z: Quantity) -> Quantity:
    """The weights: each exponential over its row's sum. A row with nothing open stays 0."""
    weights = ar.divide_column(e.matrix, z.matrix, closed_rows(e.keep))
    return Quantity("weights", weights, e.rows, e.columns, ar, e.head, e.keep)


def mix(ar: Arithmetic, a: Quantity, v: Quantity) -> Quantity:
    """A·V: the values mixed by the weights, (n × m) · (m × d_v)."""
    return Quantity("output", ar.matmul(a.matrix, v.matrix), a.rows, v.columns, ar, a.head)


def concatenate(ar: Arithmetic, *outputs: Quantity, name: str) -> Quantity:
    """The heads' outputs side by side, n × (h·d_v)."""
    columns = tuple(label for output in outputs for label in output.columns)
    return Quantity(name, ar.hstack([output.matrix for output in outputs]), outputs[0].rows, columns, ar)


def closed_rows(keep: Keep) -> frozenset[int]:
    """The rows that a mask closes altogether."""
    return frozenset(i for i, row in enumerate(keep) if not any(row)) if keep is not None else frozenset()


PIPELINE = (given, project, split, score, scale, mask, maximum, shift, exponentiate, total, divide, mix, concatenate)
"""Every step there is: a presentation and a sentence for each are due (a test lists what is missing)."""
