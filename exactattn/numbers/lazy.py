"""Exact matrices after the first exponential: an operation and its operands, worked out only as far as a question needs.

One class an operation. Each says how it encloses itself from its operands' enclosures, which of its operands' rows and
columns a row or column of it needs, and what an entry's normal form is.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import arb_mat, fmpq, fmpq_mat

from exactattn.errors import OutsideNormalForm
from exactattn.numbers import expsum
from exactattn.numbers.expsum import UNITY, Quotients
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.matrix import Linear, Matrix

Keep = Sequence[Sequence[bool]]


def matmul(a: Matrix, b: Matrix) -> Matrix:
    """The product, at once where both are linear."""
    return a.matmul(b) if isinstance(a, Linear) and isinstance(b, Linear) else Product(a, b)


def plus(a: Matrix, b: Matrix, sign: int = 1) -> Matrix:
    """a + sign · b (rows and columns of b are spread over a), at once where both are linear."""
    return a.plus(b, sign) if isinstance(a, Linear) and isinstance(b, Linear) else Sum(a, b, sign)


def stack(parts: Sequence[Matrix]) -> Matrix:
    """Side by side, at once where all are linear."""
    linear = [part for part in parts if isinstance(part, Linear)]
    if len(linear) != len(parts):
        return Stack(parts)
    shape = (parts[0].shape[0], sum(part.shape[1] for part in parts))
    terms = {}
    for unit in {unit: None for part in linear for unit in part.terms}:
        tables = [part.terms.get(unit, fmpq_mat(*part.shape)).tolist() for part in linear]
        terms[unit] = fmpq_mat(*shape, [x for i in range(shape[0]) for table in tables for x in table[i]])
    return Linear(shape, terms)


def kept(a: Matrix, keep: Keep) -> Matrix:
    """a where `keep` holds and 0 elsewhere, at once where a is linear."""
    if not isinstance(a, Linear):
        return Kept(a, keep)
    flat = [held for row in keep for held in row]
    return Linear(
        a.shape,
        {
            unit: fmpq_mat(*a.shape, [x if held else fmpq(0) for x, held in zip(m.entries(), flat, strict=True)])
            for unit, m in a.terms.items()
        },
    )


def cell(a: Matrix, i: int, j: int) -> Matrix:
    """Entry (i, j) as a 1 × 1 matrix, at once where a is linear."""
    return a.entry(i, j) if isinstance(a, Linear) else Cell(a, i, j)


class Cell(Matrix):
    """An entry, cut out of its matrix when something is asked of it."""

    __slots__ = ("_cut", "column", "line", "source")

    def __init__(self, source: Matrix, line: int, column: int) -> None:
        super().__init__((1, 1))
        self.source, self.line, self.column = source, line, column
        self._cut: Matrix | None = None

    def _enclose(self, bits: int) -> arb_mat:
        if self._cut is None:
            self._cut = self.source.entry(self.line, self.column)
        return self._cut.balls(bits)

    def row(self, i: int) -> Cell:
        return self

    def columns(self, low: int, high: int) -> Cell:
        return self

    def normal(self, i: int, j: int, limits: Limits = LIMITS) -> Quotients:
        return self.source.normal(self.line, self.column, limits)


class Exponential(Matrix):
    """e^entry where `keep` holds (everywhere when None), else 0; rows in `ones` are all 1."""

    __slots__ = ("argument", "keep", "ones")

    def __init__(self, argument: Matrix, keep: Keep | None = None, ones: frozenset[int] = frozenset()) -> None:
        super().__init__(argument.shape)
        self.argument, self.keep, self.ones = argument, keep, ones

    def _open(self, i: int, j: int) -> bool:
        return self.keep is None or self.keep[i][j]

    def _enclose(self, bits: int) -> arb_mat:
        n, m = self.shape
        entries = self.argument.balls(bits).entries()
        if self.keep is None and not self.ones:
            return arb_mat(n, m, [x.exp() for x in entries])
        flat = [
            1 if i in self.ones else (x.exp() if self._open(i, j) else 0)
            for (i, j), x in zip(((i, j) for i in range(n) for j in range(m)), entries, strict=True)
        ]
        return arb_mat(n, m, flat)

    def row(self, i: int) -> Exponential:
        return Exponential(
            self.argument.row(i),
            None if self.keep is None else [self.keep[i]],
            frozenset({0} if i in self.ones else ()),
        )

    def columns(self, low: int, high: int) -> Exponential:
        keep = None if self.keep is None else [row[low:high] for row in self.keep]
        return Exponential(self.argument.columns(low, high), keep, self.ones)

    def normal(self, i: int, j: int, limits: Limits = LIMITS) -> Quotients:
        if i in self.ones:
            return Quotients.of(UNITY)
        if not self._open(i, j):
            return Quotients(())
        if isinstance(self.argument, Linear):
            return Quotients.of(expsum.exponential(self.argument.value(i, j)))
        if self.argument.normal(i, j, limits).is_zero(limits):
            return Quotients.of(UNITY)
        raise OutsideNormalForm("an exponential of an exponential has no normal form here")


class RowSum(Matrix):
    """The n × 1 column of row sums."""

    __slots__ = ("argument",)

    def __init__(self, argument: Matrix) -> None:
        super().__init__((argument.shape[0], 1))
        self.argument = argument

    def _enclose(self, bits: int) -> arb_mat:
        m = self.argument.shape[1]
        return self.argument.balls(bits) * arb_mat(m, 1, [1] * m)

    def row(self, i: int) -> RowSum:
        return RowSum(self.argument.row(i))

    def columns(self, low: int, high: int) -> RowSum:
        return self

    def normal(self, i: int, j: int, limits: Limits = LIMITS) -> Quotients:
        out = Quotients(())
        for k in range(self.argument.shape[1]):
            out = out + self.argument.normal(i, k, limits)
        return out


class Quotient(Matrix):
    """Each row divided by its entry of an n × 1 column; rows in `zeros` are 0 whatever they are divided by."""

    __slots__ = ("column", "dividend", "zeros")

    def __init__(self, dividend: Matrix, column: Matrix, zeros: frozenset[int] = frozenset()) -> None:
        super().__init__(dividend.shape)
        self.dividend, self.column, self.zeros = dividend, column, zeros

    def _enclose(self, bits: int) -> arb_mat:
        n, m = self.shape
        inverses = [0 if i in self.zeros else 1 / s for i, s in enumerate(self.column.balls(bits).entries())]
        return arb_mat(n, m, [x * inverses[k // m] for k, x in enumerate(self.dividend.balls(bits).entries())])

    def row(self, i: int) -> Quotient:
        return Quotient(self.dividend.row(i), self.column.row(i), frozenset({0} if i in self.zeros else ()))

    def columns(self, low: int, high: int) -> Quotient:
        return Quotient(self.dividend.columns(low, high), self.column, self.zeros)

    def normal(self, i: int, j: int, limits: Limits = LIMITS) -> Quotients:
        if i in self.zeros:
            return Quotients(())
        return self.dividend.normal(i, j, limits).over(self.column.normal(i, 0, limits), limits)


class Product(Matrix):
    """The matrix product of an n × k and a k × m."""

    __slots__ = ("left", "right")

    def __init__(self, left: Matrix, right: Matrix) -> None:
        super().__init__((left.shape[0], right.shape[1]))
        self.left, self.right = left, right

    def _enclose(self, bits: int) -> arb_mat:
        return self.left.balls(bits) * self.right.balls(bits)

    def row(self, i: int) -> Product:
        return Product(self.left.row(i), self.right)

    def columns(self, low: int, high: int) -> Product:
        return Product(self.left, self.right.columns(low, high))

    def normal(self, i: int, j: int, limits: Limits = LIMITS) -> Quotients:
        # a row of weights shares its denominator: sum the numerators, divide once
        left = self.left
        shared = isinstance(left, Quotient) and i not in left.zeros
        rows = left.dividend if shared and isinstance(left, Quotient) else left
        out = Quotients(())
        for k in range(left.shape[1]):
            out = out + rows.normal(i, k, limits).times(self.right.normal(k, j, limits), limits)
        return out.over(left.column.normal(i, 0, limits), limits) if shared and isinstance(left, Quotient) else out


class Sum(Matrix):
    """a + sign · b; a row or column b is spread over a."""

    __slots__ = ("left", "right", "sign")

    def __init__(self, left: Matrix, right: Matrix, sign: int = 1) -> None:
        super().__init__(left.shape)
        self.left, self.right, self.sign = left, right, sign

    def _enclose(self, bits: int) -> arb_mat:
        n, m = self.shape
        right = self.right.balls(bits)
        if self.right.shape[0] != n:
            right = arb_mat(n, 1, [1] * n) * right
        if self.right.shape[1] != m:
            right = right * arb_mat(1, m, [1] * m)
        return self.left.balls(bits) + right if self.sign == 1 else self.left.balls(bits) - right

    def _index(self, i: int, j: int) -> tuple[int, int]:
        return (i if self.right.shape[0] > 1 else 0), (j if self.right.shape[1] > 1 else 0)

    def row(self, i: int) -> Sum:
        return Sum(self.left.row(i), self.right.row(self._index(i, 0)[0]), self.sign)

    def columns(self, low: int, high: int) -> Sum:
        right = self.right.columns(low, high) if self.right.shape[1] > 1 else self.right
        return Sum(self.left.columns(low, high), right, self.sign)

    def normal(self, i: int, j: int, limits: Limits = LIMITS) -> Quotients:
        right = self.right.normal(*self._index(i, j), limits)
        return self.left.normal(i, j, limits) + (right if self.sign == 1 else -right)


class Stack(Matrix):
    """Matrices with the same rows, side by side."""

    __slots__ = ("parts",)

    def __init__(self, parts: Sequence[Matrix]) -> None:
        super().__init__((parts[0].shape[0], sum(part.shape[1] for part in parts)))
        self.parts = tuple(parts)

    def _enclose(self, bits: int) -> arb_mat:
        tables = [part.balls(bits).tolist() for part in self.parts]
        n, m = self.shape
        return arb_mat(n, m, [x for i in range(n) for table in tables for x in table[i]])

    def row(self, i: int) -> Stack:
        return Stack([part.row(i) for part in self.parts])

    def columns(self, low: int, high: int) -> Matrix:
        out, at = [], 0
        for part in self.parts:
            a, b = max(low - at, 0), min(high - at, part.shape[1])
            if a < b:
                out.append(part.columns(a, b))
            at += part.shape[1]
        return out[0] if len(out) == 1 else Stack(out)

    def normal(self, i: int, j: int, limits: Limits = LIMITS) -> Quotients:
        for part in self.parts:
            if j < part.shape[1]:
                return part.normal(i, j, limits)
            j -= part.shape[1]
        raise IndexError(j)


class Gathered(Matrix):
    """A matrix put together from 1 × 1 matrices (values that came from elsewhere, such as sympy)."""

    __slots__ = ("cells",)

    def __init__(self, cells: Sequence[Sequence[Matrix]]) -> None:
        super().__init__((len(cells), len(cells[0])))
        self.cells = cells

    def _enclose(self, bits: int) -> arb_mat:
        return arb_mat(*self.shape, [cell.balls(bits)[0, 0] for row in self.cells for cell in row])

    def row(self, i: int) -> Gathered:
        return Gathered([self.cells[i]])

    def columns(self, low: int, high: int) -> Gathered:
        return Gathered([row[low:high] for row in self.cells])

    def normal(self, i: int, j: int, limits: Limits = LIMITS) -> Quotients:
        return self.cells[i][j].normal(0, 0, limits)


class Transposed(Matrix):
    """The m × n transpose of an n × m matrix."""

    __slots__ = ("argument",)

    def __init__(self, argument: Matrix) -> None:
        super().__init__((argument.shape[1], argument.shape[0]))
        self.argument = argument

    def _enclose(self, bits: int) -> arb_mat:
        return self.argument.balls(bits).transpose()

    def row(self, i: int) -> Transposed:
        return Transposed(self.argument.columns(i, i + 1))

    def columns(self, low: int, high: int) -> Matrix:
        columns = [Transposed(self.argument.row(j)) for j in range(low, high)]
        return columns[0] if len(columns) == 1 else Stack(columns)

    def normal(self, i: int, j: int, limits: Limits = LIMITS) -> Quotients:
        return self.argument.normal(j, i, limits)


class Kept(Matrix):
    """The entries where `keep` holds, 0 elsewhere."""

    __slots__ = ("argument", "keep")

    def __init__(self, argument: Matrix, keep: Keep) -> None:
        super().__init__(argument.shape)
        self.argument, self.keep = argument, keep

    def _enclose(self, bits: int) -> arb_mat:
        flat = [held for row in self.keep for held in row]
        entries = self.argument.balls(bits).entries()
        return arb_mat(*self.shape, [x if held else 0 for x, held in zip(entries, flat, strict=True)])

    def row(self, i: int) -> Kept:
        return Kept(self.argument.row(i), [self.keep[i]])

    def columns(self, low: int, high: int) -> Kept:
        return Kept(self.argument.columns(low, high), [row[low:high] for row in self.keep])

    def normal(self, i: int, j: int, limits: Limits = LIMITS) -> Quotients:
        return self.argument.normal(i, j, limits) if self.keep[i][j] else Quotients(())
