"""Certified rounding. One question, asked at 64, 128, 256, … bits: which integer is nearest to |x|/step, and is it alone?

Let B be a ball that holds |x|/step + 1/2. If every number in B has the same floor n, then n is |x|/step rounded half up,
whatever x is: that is the whole proof, and `unique_fmpz` decides it. If not, x may lie on a tie or only near one. Then the
normal form is asked once whether x is that very tie. If it is, the stated rule rounds it; if it is not, more bits must
separate x from it (see `expsum` on why that ends), up to a cap, which is an error.

What a step is, and how n is shown, comes from a grid: decimal places, significant digits, or a binary format.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from flint import arb, fmpq, fmpz

from exactattn.errors import OutsideNormalForm, Undecided
from exactattn.numbers import expsum
from exactattn.numbers.ball import bits_of, precisions
from exactattn.numbers.grids import Grid
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.matrix import Linear, Matrix
from exactattn.numbers.units import ONE

Ties: TypeAlias = Literal["half-up", "half-even"]
T = TypeVar("T")

_HALF = fmpq(1, 2)


class Nearest(NamedTuple):
    """n steps away from zero, at magnitude e of the grid."""

    negative: bool
    n: fmpz
    e: int


def round_matrix(x: Matrix, grid: Grid[T], ties: Ties = "half-up", limits: Limits = LIMITS) -> list[list[T]]:
    """Every entry of an n × m matrix, rounded and shown by the grid.

    Raises Undecided where an entry is still open at the cap of `limits.bits`.

    >>> from exactattn.numbers.grids import Places
    >>> round_matrix(Linear.read([["1/16", "-1/16", "sqrt(2)"]]), Places(3))
    [['0.063', '-0.063', '1.414']]
    >>> round_matrix(Linear.read([["1/16", "-1/16", "sqrt(2)"]]), Places(3), "half-even")
    [['0.062', '-0.062', '1.414']]
    """
    rows, columns = x.shape
    flat = _rounded(x, range(rows * columns), grid, ties, limits)
    return [flat[i * columns : (i + 1) * columns] for i in range(rows)]


def round_entries(
    x: Matrix, cells: Sequence[tuple[int, int]], grid: Grid[T], ties: Ties = "half-up", limits: Limits = LIMITS
) -> list[T]:
    """These entries (i, j) of a matrix alone, as `round_matrix` has them.

    >>> from exactattn.numbers.grids import Places
    >>> round_entries(Linear.read([["1/16", "-1/16", "sqrt(2)"]]), [(0, 2), (0, 0)], Places(3))
    ['1.414', '0.063']
    """
    columns = x.shape[1]
    return _rounded(x, [i * columns + j for i, j in cells], grid, ties, limits)


def _rounded(x: Matrix, wanted: Sequence[int], grid: Grid[T], ties: Ties, limits: Limits) -> list[T]:
    """The wanted entries, counted row by row."""
    found = _rationals(x, wanted, grid, ties) if isinstance(x, Linear) else None
    return _enclosed(x, wanted, grid, ties, limits) if found is None else found


def _rationals(x: Linear, wanted: Sequence[int], grid: Grid[T], ties: Ties) -> list[T] | None:
    """Rational entries, in integers: |x|/step = p·a/(q·b) over the matrix's one denominator."""
    matrix = x.rationals()
    if matrix is None:
        return None
    numerators, denominator = matrix.numer_denom()
    fixed = grid.fixed()
    out = []
    entries = numerators.entries()
    for k in wanted:
        numerator = entries[k]
        size = abs(numerator)
        if fixed is None and size != 0:
            e = grid.magnitude(_floor_log2(size, denominator))
            n = nearest_to(size, denominator, grid.steps(e), ties)
            while (settled := grid.settle(e, n)) != e:
                e, n = settled, nearest_to(size, denominator, grid.steps(settled), ties)
        else:
            e = fixed or 0
            n = nearest_to(size, denominator, grid.steps(e), ties) if size != 0 else size
        out.append(grid.show(numerator < 0, n, e))
    return out


def _floor_log2(numerator: fmpz, denominator: fmpz) -> int:
    k = numerator.bit_length() - denominator.bit_length()
    # 2^(k−1) < numerator/denominator < 2^(k+1): one comparison settles which side of 2^k
    aligned = numerator >= denominator << k if k >= 0 else numerator << -k >= denominator
    return k if aligned else k - 1


def nearest_to(numerator: fmpz, denominator: fmpz, steps: fmpq, ties: Ties) -> fmpz:
    """The integer nearest to (numerator/denominator)·steps ≥ 0, a tie by the rule."""
    top, bottom = 2 * numerator * steps.p, 2 * denominator * steps.q
    n, rest = divmod(top + (bottom >> 1), bottom)
    if ties == "half-even" and rest == 0 and n % 2 == 1:
        n -= 1
    return n


def _enclosed(x: Matrix, wanted: Sequence[int], grid: Grid[T], ties: Ties, limits: Limits) -> list[T]:
    columns = x.shape[1]
    bits = grid.bits()
    balls = x.balls(bits).entries()
    out: list[T] = []
    still_open: list[int] = []
    with bits_of(bits + 32):
        ask = _asker(grid, ties)
        for at, k in enumerate(wanted):
            found = ask(balls[k])
            if found is None:
                still_open.append(at)
                found = _ZERO
            out.append(grid.show(*found))
    held, row = -1, x
    for at in still_open:
        i, j = divmod(wanted[at], columns)
        if i != held:
            held, row = i, x.row(i)  # one row's enclosures serve all its open entries
        out[at] = grid.show(*_refine(row, j, (i, j), grid, ties, bits, limits))
    return out


_ZERO = Nearest(False, fmpz(0), 0)


def _asker(grid: Grid[T], ties: Ties) -> Callable[[arb], Nearest | None]:
    """The question for one ball, with the grid's steps held as balls. To be called under `bits_of`."""
    half, even, fixed = arb(_HALF), ties == "half-even", grid.fixed()
    steps: dict[int, arb] = {}

    def at(e: int) -> arb:
        if e not in steps:
            steps[e] = arb(grid.steps(e))
        return steps[e]

    def integer(size: arb, e: int) -> fmpz | None:
        raised = size * at(e) + half
        n = raised.floor().unique_fmpz()
        # half up, the floor is the answer. Half even, it is unless `raised` is n itself: sure only beyond n, or on it
        if even and n is not None and not raised > n:
            return n - n % 2 if raised == n else None
        return n

    def ask(ball: arb) -> Nearest | None:
        negative = ball < 0
        size = -ball if negative else ball
        if fixed is not None:
            # a ball around 0 whose sign is open can only be decided to n = 0, where no sign is shown
            n = integer(size if negative or ball > 0 else abs(ball), fixed)
            return None if n is None else Nearest(negative, n, fixed)
        low = size.lower()
        if not low > 0:
            return _ZERO if ball == 0 else None
        mantissa, exponent = low.man_exp()
        # e is at most the magnitude of every number in the ball, and `settle` only ever moves up: so it stops at the right one
        e = grid.magnitude(int(exponent) + mantissa.bit_length() - 1)
        if grid.beyond(e):
            return Nearest(negative, fmpz(1), e)
        while True:
            n = integer(size, e)
            if n is None:
                return None
            settled = grid.settle(e, n)
            if settled == e:
                return Nearest(negative, n, e)
            e = settled

    return ask


def _refine(
    row: Matrix, j: int, where: tuple[int, int], grid: Grid[T], ties: Ties, bits: int, limits: Limits
) -> Nearest:
    """Ziv's loop on one row. Each number that an enclosure singles out as a possible tie is put to the normal form, once."""
    asked: list[fmpq] = []
    why = ""
    for more in precisions(2 * bits, limits.bits):
        ball = row.balls(more)[0, j]
        with bits_of(more + 32):
            found = _asker(grid, ties)(ball)
            if found is not None:
                return found
            candidate, e = _candidate(ball, grid)
        if candidate is None or candidate in asked:
            continue
        asked.append(candidate)
        try:
            if _is(row, j, candidate, limits):
                size = abs(candidate)
                n = nearest_to(size.p, size.q, grid.steps(e), ties)
                while (settled := grid.settle(e, n)) != e:
                    e, n = settled, nearest_to(size.p, size.q, grid.steps(settled), ties)
                return Nearest(candidate < 0, n, e)
        except (OutsideNormalForm, Undecided) as error:
            why = f"; {error}"
    raise Undecided(
        "row {row}, column {column}: the last digit is still open at {bits} bits (raise the limit 'bits'){why}",
        row=where[0] + 1,
        column=where[1] + 1,
        bits=max(bits, limits.bits),
        why=why,
    )


def _is(row: Matrix, j: int, q: fmpq, limits: Limits) -> bool:
    minus_q = expsum.Quotients.of(expsum.constant({ONE: -q}) if q != 0 else {})
    return (row.normal(0, j, limits) + minus_q).is_zero(limits)


def _candidate(ball: arb, grid: Grid[T]) -> tuple[fmpq | None, int]:
    """The number that may be the tie, and its magnitude: the one in the ball that is on the grid or half way between.

    None while the ball is too wide to hold one alone. Where a step depends on the magnitude, a ball around 0 asks for 0.
    To be called under `bits_of`.
    """
    size, fixed = abs(ball), grid.fixed()
    if fixed is None:
        low = size.lower()
        if not low > 0:
            return (fmpq(0) if ball.contains(0) else None), 0
        mantissa, exponent = low.man_exp()
        e = grid.magnitude(int(exponent) + mantissa.bit_length() - 1)
    else:
        e = fixed
    steps = grid.steps(e)
    twice = (2 * size * arb(steps)).unique_fmpz()
    if twice is None:
        return None, e
    point = twice / (2 * steps)
    return (-point if ball < 0 else point), e
