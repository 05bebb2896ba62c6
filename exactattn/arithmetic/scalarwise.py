"""The whole matrix protocol from a few operations on numbers.

An arithmetic that knows how to read, add, subtract, multiply, divide and exponentiate single numbers, and which of several
is the largest, gets all the rest here. Its matrices are tuples of rows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import reduce
from typing import Generic, TypeAlias, TypeVar

from exactattn.arithmetic.protocol import Keep
from exactattn.errors import InputError

S = TypeVar("S")
Rows: TypeAlias = tuple[tuple[S, ...], ...]


class Scalarwise(ABC, Generic[S]):
    """n × m matrices as n tuples of m numbers."""

    __slots__ = ()

    # -- what an arithmetic gives ------------------------------------------------------------------------------------

    @abstractmethod
    def number(self, text: str) -> S:
        """The number that a canonical text writes."""

    @abstractmethod
    def plus(self, a: S, b: S) -> S:
        """a + b."""

    @abstractmethod
    def minus(self, a: S, b: S) -> S:
        """a − b."""

    @abstractmethod
    def times(self, a: S, b: S) -> S:
        """a × b."""

    @abstractmethod
    def over(self, a: S, b: S) -> S:
        """a / b, b not 0."""

    @abstractmethod
    def e(self, a: S) -> S:
        """e to the a."""

    @abstractmethod
    def largest(self, entries: Sequence[S], row: int) -> S:
        """The largest of one or more entries of a row (counted from 0)."""

    @abstractmethod
    def is_zero(self, a: S) -> bool:
        """Is it 0? (What a row is not divided by.)"""

    def total(self, terms: Sequence[S]) -> S:
        """Their sum, from left to right."""
        return reduce(self.plus, terms)

    # -- the protocol ------------------------------------------------------------------------------------------------

    def read(self, rows: Sequence[Sequence[str]]) -> Rows[S]:
        """A matrix from canonical texts."""
        return tuple(tuple(map(self.number, row)) for row in rows)

    def shape(self, a: Rows[S]) -> tuple[int, int]:
        """(n, m)."""
        return len(a), len(a[0])

    def transpose(self, a: Rows[S]) -> Rows[S]:
        """m × n from n × m."""
        return tuple(zip(*a, strict=True))

    def matmul(self, a: Rows[S], b: Rows[S]) -> Rows[S]:
        """n × m from n × k and k × m: products first, then their sum from left to right."""
        columns = self.transpose(b)
        return tuple(
            tuple(self.total([self.times(x, y) for x, y in zip(row, column, strict=True)]) for column in columns)
            for row in a
        )

    def add(self, a: Rows[S], b: Rows[S]) -> Rows[S]:
        """Entry by entry; a 1 × m second operand is added to every row."""
        spread = b * len(a) if len(b) == 1 else b
        return tuple(tuple(self.plus(x, y) for x, y in zip(r, s, strict=True)) for r, s in zip(a, spread, strict=True))

    def scale(self, a: Rows[S], by: str) -> Rows[S]:
        """Every entry times a number."""
        factor = self.number(by)
        return tuple(tuple(self.times(x, factor) for x in row) for row in a)

    def columns(self, a: Rows[S], low: int, high: int) -> Rows[S]:
        """Columns low to high − 1."""
        return tuple(row[low:high] for row in a)

    def hstack(self, parts: Sequence[Rows[S]]) -> Rows[S]:
        """Side by side."""
        return tuple(tuple(x for row in rows for x in row) for rows in zip(*parts, strict=True))

    def where(self, a: Rows[S], keep: Keep) -> Rows[S]:
        """The entries that are open, 0 elsewhere."""
        zero = self.number("0")
        return tuple(
            tuple(x if keep is None or keep[i][j] else zero for j, x in enumerate(row)) for i, row in enumerate(a)
        )

    def row_max(self, a: Rows[S], keep: Keep) -> Rows[S]:
        """n × 1: the largest open entry of each row; 0 where none is open."""
        out = []
        for i, row in enumerate(a):
            entries = [x for j, x in enumerate(row) if keep is None or keep[i][j]]
            out.append((self.largest(entries, i) if entries else self.number("0"),))
        return tuple(out)

    def subtract_column(self, a: Rows[S], column: Rows[S]) -> Rows[S]:
        """Each row less its entry of the column."""
        return tuple(tuple(self.minus(x, s) for x in row) for row, (s,) in zip(a, column, strict=True))

    def exp(self, a: Rows[S], keep: Keep, ones: frozenset[int] = frozenset()) -> Rows[S]:
        """e^entry where open, 0 elsewhere; rows in `ones` all 1."""
        zero, one = self.number("0"), self.number("1")
        return tuple(
            (one,) * len(row)
            if i in ones
            else tuple(self.e(x) if keep is None or keep[i][j] else zero for j, x in enumerate(row))
            for i, row in enumerate(a)
        )

    def row_sum(self, a: Rows[S]) -> Rows[S]:
        """n × 1 row sums, from left to right."""
        return tuple((self.total(row),) for row in a)

    def divide_column(self, a: Rows[S], column: Rows[S], zeros: frozenset[int] = frozenset()) -> Rows[S]:
        """Each row divided by its entry of the column; rows in `zeros` are 0."""
        out: list[tuple[S, ...]] = []
        for i, (row, (s,)) in enumerate(zip(a, column, strict=True)):
            if i in zeros:
                out.append((self.number("0"),) * len(row))
            elif self.is_zero(s):
                raise InputError("row {row}: its sum is 0, which divides nothing", row=i + 1)
            else:
                out.append(tuple(self.over(x, s) for x in row))
        return tuple(out)
