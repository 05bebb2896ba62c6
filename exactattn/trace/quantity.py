"""A quantity: a named, labelled matrix of the work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from exactattn.arithmetic.protocol import Arithmetic, Keep, M
from exactattn.errors import LabelError, nearest
from exactattn.numbers import grids
from exactattn.numbers.lazy import cell
from exactattn.numbers.matrix import Matrix
from exactattn.numbers.rounding import Ties, round_entries, round_matrix
from exactattn.numbers.value import Value, checked_ties


@dataclass(frozen=True, slots=True, eq=False)
class Quantity:
    """An n × m matrix with a name ("weights"), a label for each row and column, and the head it belongs to.

    `keep` says which entries a mask leaves open (None: all): what it closes is −∞ before the exponential and 0 after it.
    Entries are read by label or by position from 0: `weights["西安", "怎么样"]`, `weights[0, 1]`, or "#2" from 1.
    """

    name: str
    matrix: M
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    arithmetic: Arithmetic
    head: int | None = None
    keep: Keep = None

    @property
    def shape(self) -> tuple[int, int]:
        """(n, m)."""
        return len(self.rows), len(self.columns)

    @property
    def exact(self) -> Matrix:
        """The matrix as exact numbers; an error where it holds letters."""
        return self.arithmetic.exact(self.matrix)

    def __getitem__(self, at: tuple[int | str, int | str]) -> Value:
        if not isinstance(at, tuple) or len(at) != 2:
            raise LabelError("{name}[{at!r}]: a row and a column were due, as in {name}[0, 1]", name=self.name, at=at)
        row, column = at
        return self.value(position(self.rows, row, "row"), position(self.columns, column, "column"))

    def value(self, i: int, j: int) -> Value:
        """Entry (i, j), from 0."""
        return Value(cell(self.exact, i, j), self.arithmetic.limits)

    def decimal(self, places: int, ties: Ties = "half-up") -> list[list[str]]:
        """Every entry to decimal places, certified."""
        limits = self.arithmetic.limits
        return round_matrix(self.exact, grids.places(places, limits), checked_ties(ties), limits)

    def decimals(self, cells: Sequence[tuple[int, int]], places: int, ties: Ties = "half-up") -> list[str]:
        """These entries (i, j) alone to decimal places, certified."""
        limits = self.arithmetic.limits
        return round_entries(self.exact, cells, grids.places(places, limits), checked_ties(ties), limits)

    def significant(self, digits: int, ties: Ties = "half-up") -> list[list[str]]:
        """Every entry to significant digits, certified."""
        limits = self.arithmetic.limits
        return round_matrix(self.exact, grids.significant(digits, limits), checked_ties(ties), limits)

    def to_float(self, form: str = "binary64") -> list[list[float]]:
        """Every entry as the nearest number of a binary format."""
        limits = self.arithmetic.limits
        rounded = round_matrix(self.exact, grids.binary(form), "half-even", limits)
        return [[number.to_float() for number in row] for row in rounded]

    def to_sympy(self) -> Any:
        """The matrix as a sympy Matrix, letters included."""
        import sympy

        n, m = self.shape
        if self.arithmetic.name == "sympy":
            return sympy.Matrix(self.matrix)
        return sympy.Matrix(n, m, lambda i, j: self.value(int(i), int(j)).to_sympy())

    def __reduce__(self) -> NoReturn:
        raise TypeError("a quantity is not pickled by itself: pickle its trace, or keep Trace.to_json")

    def __repr__(self) -> str:
        head = "" if self.head is None else f", head {self.head}"
        return f"<Quantity {self.name} {self.shape[0]} × {self.shape[1]}{head}>"


def position(labels: tuple[str, ...], key: int | str, what: str) -> int:
    """The position from 0 that a key means: a number from 0, a label, or "#2" counted from 1.

    >>> position(("the", "cat", "the"), "cat", "row"), position(("the", "cat", "the"), "#3", "row")
    (1, 2)
    >>> position(("the", "cat", "the"), "the", "row")
    Traceback (most recent call last):
        ...
    exactattn.errors.LabelError: row 'the' is there 2 times, at #1, #3: say which, as in '#1'
    """
    if isinstance(key, str):
        at = [k for k, label in enumerate(labels) if label == key]
        if len(at) == 1:
            return at[0]
        if at:
            places = ", ".join(f"#{k + 1}" for k in at)
            raise LabelError(
                "{what} {key!r} is there {count} times, at {places}: say which, as in '#{first}'",
                what=what, key=key, count=len(at), places=places, first=at[0] + 1,
            )  # fmt: skip
        if not (key.startswith("#") and key[1:].isdecimal() and len(key) < 8):
            raise LabelError("no {what} is called {key!r}{hint}", what=what, key=key, hint=nearest(key, labels))
        k = int(key[1:]) - 1
        if not 0 <= k < len(labels):
            raise LabelError("{what} {key}: there are {count}", what=what, key=key, count=len(labels))
        return k
    if not hasattr(key, "__index__") or isinstance(key, bool):
        raise LabelError("{what} {key!r}: a label or a whole number was due", what=what, key=key)
    k = key.__index__()
    if not -len(labels) <= k < len(labels):
        raise LabelError("{what} {key}: there are {count}, counted from 0", what=what, key=k, count=len(labels))
    return k % len(labels)
