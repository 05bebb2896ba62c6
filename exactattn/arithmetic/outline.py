"""Arithmetic without numbers: every matrix is its shape alone.

Work that can be done in it is done alike whatever its numbers are: which step follows which, which steps a wrong method
exchanges, what is masked. Work that looks at a number raises `Unseen`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, NoReturn

from exactattn.arithmetic.protocol import Keep
from exactattn.numbers.limits import LIMITS, Limits


class Unseen(Exception):
    """A number was asked for where there are none: what is done depends on the numbers."""


class Blank:
    """What stands where the text of a number would: who compares, reads or measures it is told that there is none.

    >>> Blank() == "1"
    Traceback (most recent call last):
        ...
    exactattn.arithmetic.outline.Unseen: the text of a number
    """

    __slots__ = ()

    def _unseen(self, *_: object) -> NoReturn:
        raise Unseen("the text of a number")

    __eq__ = __lt__ = __gt__ = __le__ = __ge__ = _unseen
    __hash__ = __str__ = __len__ = __bool__ = __iter__ = __contains__ = __getitem__ = __getattr__ = _unseen


class Outline(NamedTuple):
    """The shape of a matrix, and whether it is made of what is given without an exponential.

    A sum of exponentials is never 0, another may be: then `exact` arithmetic refuses to divide by it.
    """

    n: int
    m: int
    linear: bool = True


@dataclass(frozen=True, slots=True)
class OutlineArithmetic:
    """Matrices are outlines.

    >>> ar = OutlineArithmetic()
    >>> ar.matmul(ar.read([["1", "2"]]), ar.transpose(ar.read([["3", "4"]])))
    Outline(n=1, m=1, linear=True)
    """

    limits: Limits = LIMITS
    name: Literal["outline"] = "outline"

    def read(self, rows: Sequence[Sequence[str]]) -> Outline:
        """What is in the rows is not looked at."""
        return Outline(len(rows), len(rows[0]) if rows else 0)

    def shape(self, a: Outline) -> tuple[int, int]:
        """(n, m)."""
        return a.n, a.m

    def transpose(self, a: Outline) -> Outline:
        """m × n from n × m."""
        return Outline(a.m, a.n, a.linear)

    def matmul(self, a: Outline, b: Outline) -> Outline:
        """The product."""
        return Outline(a.n, b.m, a.linear and b.linear)

    def add(self, a: Outline, b: Outline) -> Outline:
        """The sum."""
        return Outline(a.n, a.m, a.linear and b.linear)

    def scale(self, a: Outline, by: str) -> Outline:
        """Every entry times a number."""
        return a

    def columns(self, a: Outline, low: int, high: int) -> Outline:
        """Columns low to high − 1."""
        return Outline(a.n, high - low, a.linear)

    def hstack(self, parts: Sequence[Outline]) -> Outline:
        """Side by side."""
        return Outline(parts[0].n, sum(part.m for part in parts), all(part.linear for part in parts))

    def where(self, a: Outline, keep: Keep) -> Outline:
        """The entries that are open, 0 elsewhere."""
        return a

    def row_max(self, a: Outline, keep: Keep) -> Outline:
        """n × 1."""
        return Outline(a.n, 1, a.linear)

    def subtract_column(self, a: Outline, column: Outline) -> Outline:
        """Each row less its entry of the column."""
        return Outline(a.n, a.m, a.linear and column.linear)

    def exp(self, a: Outline, keep: Keep, ones: frozenset[int] = frozenset()) -> Outline:
        """e^entry."""
        return Outline(a.n, a.m, linear=False)

    def row_sum(self, a: Outline) -> Outline:
        """n × 1."""
        return Outline(a.n, 1, linear=False)

    def divide_column(self, a: Outline, column: Outline, zeros: frozenset[int] = frozenset()) -> Outline:
        """Each row divided by its entry of the column. Raises Unseen where that may be 0."""
        if column.linear:
            raise Unseen("a divisor that may be 0")
        return Outline(a.n, a.m, linear=False)

    def exact(self, a: Outline) -> NoReturn:
        """There are no numbers. Raises Unseen."""
        raise Unseen("numbers")
