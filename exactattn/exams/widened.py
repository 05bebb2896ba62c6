"""Balls around what a student writes down with k working places: each number ±½·10^−k.

The exponential of a row's own maximum, where it is subtracted, is exactly 1. A weight is enclosed as
1/(1 + (Σ_{j≠i} e_j)/e_i), where each operand stands once: a quotient of enclosures would count e_i twice.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache

from flint import arb, arb_mat, fmpq

from exactattn.arithmetic.protocol import Keep
from exactattn.numbers.ball import bits_of
from exactattn.numbers.matrix import Linear
from exactattn.numbers.parse import rational
from exactattn.trace import Quantity

BITS = 96
ZERO, ONE, NOTHING_SAID = arb(0), arb(1), arb("nan")


@lru_cache(256)
def spread(n: int, m: int, working: int) -> arb_mat:
    """±½·10^−k, n × m. (Cached: not to be changed.)"""
    return arb_mat(n, m, [half(working)] * (n * m))


@lru_cache(256)
def half(working: int) -> arb:
    """±½·10^−k."""
    with bits_of(BITS):
        return arb(0, fmpq(1, 2 * 10**working))


@lru_cache(256)
def ends_within(by: str, working: int) -> bool:
    """Is this scale a decimal of so many places, written down as it is?

    >>> ends_within("1/sqrt(16)", 2), ends_within("1/sqrt(3)", 5), ends_within("1/3", 5)
    (True, False, False)
    """
    exact = rational(by)
    return exact is not None and (exact * 10**working).q == 1


def widened(q: Quantity, working: int) -> arb_mat:
    """Every open entry ±½·10^−k. What is closed is 0 among exponentials and weights."""
    n, m = q.shape
    with bits_of(BITS):
        wide: arb_mat = q.matrix + spread(n, m, working)
    if q.keep is not None and q.name != "scaled":
        for i, row in enumerate(q.keep):
            for j, held in enumerate(row):
                if not held:
                    wide[i, j] = 0
    return wide


def shares(e: arb_mat, keep: Keep, rows: Collection[int] | None, working: int) -> arb_mat:
    """Each exponential's share of its row as it is written down, 0 where it is closed; of these rows (None: of all)."""
    n, m = e.nrows(), e.ncols()
    entries, out, wide = e.entries(), [NOTHING_SAID] * (n * m), half(working)
    with bits_of(BITS):
        for i in _among(rows, n):
            at = opened(keep, i, m)
            if len(at) < m:
                out[i * m : i * m + m] = [ZERO] * m
            for k in at:
                x, rest = entries[k], ZERO
                for other in at:
                    if other != k:
                        rest += entries[other]
                # one that may be 0 divides nothing: rounded away, or the score that a wrong method takes in its place
                out[k] = (1 / (1 + rest / x) if x > 0 else x / (x + rest)) + wide
        return arb_mat(n, m, out)


def exponentials(
    s: arb_mat, keep: Keep, ones: Sequence[Collection[int]], rows: Collection[int] | None, working: int
) -> tuple[arb_mat, arb_mat]:
    """e to these rows of scaled scores (None: to all), as they are written down; of the other rows nothing is said.

    Once with the row's maximum subtracted (`ones` are the entries of each row that are it) and once without: the steps
    `maximum`, `shift` and `exponentiate`, or the last alone, row by row.
    """
    n, m = s.nrows(), s.ncols()
    entries, wide = s.entries(), half(working)
    shifted, plain = [NOTHING_SAID] * (n * m), [NOTHING_SAID] * (n * m)
    with bits_of(BITS):
        for i in _among(rows, n):
            at = opened(keep, i, m)
            if len(at) < m:
                shifted[i * m : i * m + m] = plain[i * m : i * m + m] = [ZERO] * m
            top = entries[at[0]]
            for k in at[1:]:
                top = top.max(entries[k])
            for k in at:
                x = entries[k]
                shifted[k] = ONE if k - i * m in ones[i] else (x - top).exp() + wide
                plain[k] = x.exp() + wide
        return arb_mat(n, m, shifted), arb_mat(n, m, plain)


def _among(rows: Collection[int] | None, n: int) -> Collection[int]:
    return range(n) if rows is None else [i for i in rows if i < n]


def opened(keep: Keep, i: int, m: int) -> Sequence[int]:
    """The open entries of row i, counted row by row through an n × m matrix."""
    row = range(i * m, i * m + m)
    return row if keep is None else [k for k, held in zip(row, keep[i], strict=True) if held]


def zeros(shifted: Quantity) -> set[int]:
    """Where what is exponentiated is 0, as the row's own maximum is when it is subtracted: e^0 is written as 1, exactly.

    Open entries, counted row by row.
    """
    exact = shifted.exact
    if not isinstance(exact, Linear):
        return set()
    n, m = shifted.shape
    found = set(range(n * m))
    for matrix in exact.terms.values():
        found.difference_update([k for k, x in enumerate(matrix.entries()) if x != 0])
    return found if shifted.keep is None else {k for k in found if shifted.keep[k // m][k % m]}


def largest(shifted: Quantity) -> set[int]:
    """Where each row is largest: of the numbers that a student wrote, less their maximum, that one is 0."""
    entries, found = shifted.matrix.entries(), set()
    n, m = shifted.shape
    for i in range(n):
        at = opened(shifted.keep, i, m)
        best = [k for k in at if all(entries[k].mid() >= entries[other].mid() for other in at)]
        found.update(best[:1])
    return found
