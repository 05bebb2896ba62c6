"""What the rows ask of a trace: its steps by function, its mask, whether two texts are one number, signs."""

from __future__ import annotations

from typing import TypeAlias

from exactattn.arithmetic.protocol import Arithmetic, Keep, M
from exactattn.errors import NumberError
from exactattn.misconceptions.replay import Due
from exactattn.numbers.matrix import Linear, Matrix
from exactattn.numbers.parse import surd
from exactattn.numbers.value import Value
from exactattn.trace import Quantity, Step, Trace


def steps_of(trace: Trace, function: str) -> list[Step]:
    """The steps that a function did: with several heads, those of all heads."""
    return [step for step in trace.steps if step.function.__name__ == function]


def projection(trace: Trace, weight: str) -> Step | None:
    """The step that multiplies by W_Q, W_K, W_V or W_O, if there is one."""
    return next((step for step in steps_of(trace, "project") if step.reads[1].name == weight), None)


def square(quantity: Quantity) -> bool:
    """As many rows as columns, and more than one?"""
    n, m = quantity.shape
    return n == m > 1


def shape_of(trace: Trace) -> tuple[int, int]:
    """n queries, m keys."""
    return len(trace.problem.tokens), len(trace.problem.key_tokens)


def subtracts_maxima(trace: Trace) -> bool:
    """Is the maximum of each row taken away before the exponential?"""
    return bool(steps_of(trace, "shift"))


def logits(due: Due) -> Quantity:
    """What the softmax of the step's head is taken of: the masked scores, or the scaled ones where nothing is masked."""
    return due.find("masked", "scaled")


def fully_masked(trace: Trace) -> str:
    """What becomes of a row with nothing open."""
    chosen: str = steps_of(trace, "exponentiate")[0].settings["fully_masked"]
    return chosen


def keep_of(trace: Trace) -> Keep:
    """What the mask leaves open, None where there is none or all is open."""
    masking = steps_of(trace, "mask")
    keep: Keep = masking[0].computed.keep if masking else None
    return None if keep is None or all(all(row) for row in keep) else keep


def chooses(trace: Trace) -> bool:
    """Does some query have two keys or more to weigh?"""
    keep, (_, m) = keep_of(trace), shape_of(trace)
    return m > 1 and (keep is None or any(sum(row) > 1 for row in keep))


def same_number(a: str, b: str) -> bool:
    """Do two canonical texts write the same number? With letters in them, only the same text does.

    >>> same_number("1/2", "1/sqrt(4)"), same_number("a", "1")
    (True, False)
    """
    try:
        return surd(a) == surd(b)
    except NumberError:
        return a == b


Where: TypeAlias = tuple[tuple[bool, ...], ...]
"""Some entries of a matrix, row by row."""


def turned(ar: Arithmetic, a: M, negative: Where) -> M:
    """The matrix with the signs of these entries turned."""
    others = tuple(tuple(not flag for flag in row) for row in negative)
    return ar.add(ar.where(a, others), ar.scale(ar.where(a, negative), "-1"))


def negatives(a: Quantity) -> Where:
    """Where a quantity is negative, decided. Raises InputError where its entries hold letters or are enclosures."""
    return tuple(tuple(sign < 0 for sign in row) for row in signs(a.arithmetic, a.matrix))


def tops(s: Quantity) -> tuple[tuple[int, ...], ...]:
    """Of each row the positions of its largest open entries, decided; of a row with nothing open none.

    >>> import exactattn as xa
    >>> trace = xa.attend(scores=[["1", "0.5", "1.0"], ["0", "ln(2)", "-1"]], scale="1")
    >>> tops(trace.scaled)
    ((0, 2), (1,))
    """
    ar, (n, m) = s.arithmetic, s.shape
    open_at = [[j for j in range(m) if s.keep is None or s.keep[i][j]] for i in range(n)]
    exact = ar.exact(s.matrix)
    if isinstance(exact, Linear) and len(exact.terms) == 1:
        (numbers,) = exact.terms.values()  # times one positive unit
        flat = numbers.entries()
        best = [max([flat[i * m + j] for j in at], default=None) for i, at in enumerate(open_at)]
        return tuple(tuple([j for j in at if flat[i * m + j] == best[i]]) for i, at in enumerate(open_at))
    below = signs(ar, ar.subtract_column(s.matrix, ar.row_max(s.matrix, s.keep)))
    return tuple(tuple([j for j in at if below[i][j] == 0]) for i, at in enumerate(open_at))


def signs(ar: Arithmetic, a: M) -> list[list[int]]:
    """The sign of every entry, decided: −1, 0 or 1."""
    exact = ar.exact(a)
    n, m = exact.shape
    if isinstance(exact, Linear) and len(exact.terms) == 1:
        (numbers,) = exact.terms.values()  # times one positive unit
        flat = [(x > 0) - (x < 0) for x in numbers.entries()]
        return [flat[i * m : (i + 1) * m] for i in range(n)]
    return [[_sign(exact, i, j, ar) for j in range(m)] for i in range(n)]


def _sign(a: Matrix, i: int, j: int, ar: Arithmetic) -> int:
    if isinstance(a, Linear):
        held = list(a.value(i, j).values())
        if len(held) < 2:  # nothing, or one positive unit times a rational number
            return (held[0] > 0) - (held[0] < 0) if held else 0
    return Value(a.entry(i, j), ar.limits).sign()
