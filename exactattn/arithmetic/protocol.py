"""What the pipeline asks of an arithmetic: a dozen operations on whole matrices.

The pipeline is written once over these. Masks travel beside the matrices (`keep`), so −∞ is in no number system. Entries
are whatever the arithmetic computes with; `exact` turns a matrix into one whose digits can be certified.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

from exactattn.numbers.limits import Limits
from exactattn.numbers.matrix import Matrix

M: TypeAlias = Any
"""A matrix of the arithmetic at hand: opaque to all but the arithmetic itself."""

Keep: TypeAlias = tuple[tuple[bool, ...], ...] | None
"""Which entries a mask leaves open, row by row; None for all."""


class Arithmetic(Protocol):
    """Matrices n × m, columns n × 1, rows 1 × m."""

    @property
    def name(self) -> str:
        """ "exact", "sympy", "mpmath:53", ..."""

    @property
    def limits(self) -> Limits:
        """How far digits and comparisons go."""

    def read(self, rows: Sequence[Sequence[str]]) -> M:
        """A matrix from canonical texts."""

    def shape(self, a: M) -> tuple[int, int]:
        """(n, m)."""

    def transpose(self, a: M) -> M:
        """m × n from n × m."""

    def matmul(self, a: M, b: M) -> M:
        """n × m from n × k and k × m."""

    def add(self, a: M, b: M) -> M:
        """Entry by entry; a 1 × m second operand is added to every row."""

    def scale(self, a: M, by: str) -> M:
        """Every entry times a number, given as canonical text."""

    def columns(self, a: M, low: int, high: int) -> M:
        """Columns low to high − 1."""

    def hstack(self, parts: Sequence[M]) -> M:
        """Side by side."""

    def where(self, a: M, keep: Keep) -> M:
        """The entries that are open, 0 elsewhere."""

    def row_max(self, a: M, keep: Keep) -> M:
        """n × 1: the largest open entry of each row; 0 where none is open."""

    def subtract_column(self, a: M, column: M) -> M:
        """Each row less its entry of the column."""

    def exp(self, a: M, keep: Keep, ones: frozenset[int]) -> M:
        """e^entry where open, 0 elsewhere; rows in `ones` all 1."""

    def row_sum(self, a: M) -> M:
        """n × 1 row sums."""

    def divide_column(self, a: M, column: M, zeros: frozenset[int]) -> M:
        """Each row divided by its entry of the column; rows in `zeros` are 0."""

    def exact(self, a: M) -> Matrix:
        """The matrix as exact numbers, for digits and decided comparisons; an error where it holds letters."""
