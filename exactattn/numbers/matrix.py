"""Exact matrices, and the kind that is computed at once.

Every matrix has three readings: an enclosure of the whole (`balls`), one of its rows as a matrix of its own (`row`, to be
enclosed at more bits), and one entry's normal form (`normal`, only when an equality is suspected).

`Linear` holds rational combinations of units: a map unit -> rational matrix. It is closed under what leads to the scores,
and each operation is one python-flint matrix operation per unit. What comes after the first exponential is in `lazy`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import lru_cache

from flint import arb_mat, fmpq, fmpq_mat

from exactattn.numbers import expsum, units
from exactattn.numbers.ball import bits_of
from exactattn.numbers.expsum import Quotients
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.parse import rational, surd
from exactattn.numbers.surd import Surd
from exactattn.numbers.units import ONE, Unit


class Matrix(ABC):
    """An exact n × m matrix."""

    __slots__ = ("_balls", "shape")
    shape: tuple[int, int]
    _balls: tuple[int, arb_mat] | None

    def __init__(self, shape: tuple[int, int]) -> None:
        self.shape = shape
        self._balls = None

    def balls(self, bits: int) -> arb_mat:
        """An enclosure of every entry, computed at this precision; the last one is kept."""
        held = self._balls
        if held is None or held[0] != bits:
            with bits_of(bits):
                self._balls = held = (bits, self._enclose(bits))
        return held[1]

    @abstractmethod
    def _enclose(self, bits: int) -> arb_mat:
        """The enclosure, with python-flint's precision already set."""

    @abstractmethod
    def row(self, i: int) -> Matrix:
        """Row i as a 1 × m matrix."""

    @abstractmethod
    def columns(self, low: int, high: int) -> Matrix:
        """Columns low to high − 1."""

    @abstractmethod
    def normal(self, i: int, j: int, limits: Limits = LIMITS) -> Quotients:
        """The normal form of an entry, or OutsideNormalForm."""

    def entry(self, i: int, j: int) -> Matrix:
        """Entry (i, j) as a 1 × 1 matrix."""
        return self.row(i).columns(j, j + 1)


class Linear(Matrix):
    """Σ unit · rational matrix."""

    __slots__ = ("terms",)

    def __init__(self, shape: tuple[int, int], terms: dict[Unit, fmpq_mat]) -> None:
        super().__init__(shape)
        self.terms = terms

    @classmethod
    def read(cls, rows: Sequence[Sequence[str]], limits: Limits = LIMITS) -> Linear:
        """From canonical texts.

        >>> Linear.read([["1/2", "sqrt(2)"]]).value(0, 1)
        {Unit(radical=((2, 1, 2),), logs=()): 1}
        """
        shape = (len(rows), len(rows[0]) if rows else 0)
        flat = [text for row in rows for text in row]
        rationals = [q for text in flat if (q := rational(text, limits)) is not None]
        if len(rationals) == len(flat):
            return cls(shape, {ONE: fmpq_mat(*shape, rationals)})
        return cls.of([surd(text, limits) for text in flat], shape)

    @classmethod
    def of(cls, values: Sequence[Surd], shape: tuple[int, int]) -> Linear:
        """From numbers, row by row."""
        terms: dict[Unit, list[fmpq]] = {}
        for k, value in enumerate(values):
            for unit, c in value.items():
                terms.setdefault(unit, [fmpq(0)] * len(values))[k] = c
        return cls(shape, {unit: fmpq_mat(*shape, flat) for unit, flat in terms.items()})

    def value(self, i: int, j: int) -> Surd:
        """Entry (i, j)."""
        return {unit: m[i, j] for unit, m in self.terms.items() if m[i, j] != 0}

    def rationals(self) -> fmpq_mat | None:
        """The matrix as a rational one, None when a root or logarithm is in it."""
        if self.terms.keys() - {ONE}:
            return None
        return self.terms.get(ONE, fmpq_mat(*self.shape))

    def _enclose(self, bits: int) -> arb_mat:
        out = arb_mat(*self.shape)
        for unit, m in self.terms.items():
            part = arb_mat(m) if unit == ONE else arb_mat(m) * units.ball(unit)
            out = part if len(self.terms) == 1 else out + part
        return out

    def normal(self, i: int, j: int, limits: Limits = LIMITS) -> Quotients:
        """A surd is its own normal form."""
        return Quotients.of(expsum.constant(self.value(i, j)))

    def row(self, i: int) -> Linear:
        """Row i as a 1 × m matrix."""
        m = self.shape[1]
        return self._map(lambda a: fmpq_mat(1, m, [a[i, j] for j in range(m)]), (1, m))

    def entry(self, i: int, j: int) -> Linear:
        """Entry (i, j) as a 1 × 1 matrix."""
        return self._map(lambda a: fmpq_mat(1, 1, [a[i, j]]), (1, 1))

    def columns(self, low: int, high: int) -> Linear:
        """Columns low to high − 1."""
        n = self.shape[0]
        wanted = [(i, j) for i in range(n) for j in range(low, high)]
        return self._map(lambda a: fmpq_mat(n, high - low, [a[i, j] for i, j in wanted]), (n, high - low))

    def transpose(self) -> Linear:
        """The m × n transpose."""
        return self._map(lambda a: a.transpose(), (self.shape[1], self.shape[0]))

    def matmul(self, other: Linear) -> Linear:
        """The product: one rational product for each pair of units."""
        out: dict[Unit, fmpq_mat] = {}
        for u, a in self.terms.items():
            for v, b in other.terms.items():
                _accumulate(out, u, v, a * b)
        return Linear((self.shape[0], other.shape[1]), out)

    def scale(self, by: Surd) -> Linear:
        """Every entry times a number."""
        out: dict[Unit, fmpq_mat] = {}
        for u, a in self.terms.items():
            for v, c in by.items():
                _accumulate(out, u, v, a * c)
        return Linear(self.shape, out)

    def plus(self, other: Linear, sign: int = 1) -> Linear:
        """self + sign · other, sign being 1 or −1; a 1 × m other is added to every row, an n × 1 other to every column."""
        other = other.spread(self.shape)
        out = dict(self.terms)
        for unit, b in other.terms.items():
            if unit in out:
                out[unit] = out[unit] + b if sign == 1 else out[unit] - b
            else:
                out[unit] = b if sign == 1 else -b
        return Linear(self.shape, out)

    def spread(self, shape: tuple[int, int]) -> Linear:
        """A row repeated downwards or a column repeated to the right, to the given shape."""
        (n, m), (rows, columns) = shape, self.shape
        out = self if rows == n else self._map(lambda a: _ones(n, 1) * a, (n, columns))
        return out if columns == m else out._map(lambda a: a * _ones(1, m), shape)

    def _map(self, f: Callable[[fmpq_mat], fmpq_mat], shape: tuple[int, int]) -> Linear:
        return Linear(shape, {unit: f(a) for unit, a in self.terms.items()})


@lru_cache(64)
def _ones(n: int, m: int) -> fmpq_mat:
    """(Cached: not to be changed.)"""
    return fmpq_mat(n, m, [1] * (n * m))


def _accumulate(out: dict[Unit, fmpq_mat], u: Unit, v: Unit, product: fmpq_mat) -> None:
    if u == ONE or v == ONE:
        unit = v if u == ONE else u
    else:
        factor, unit = units.multiply(u, v)
        if factor != 1:
            product = product * factor
    out[unit] = out[unit] + product if unit in out else product
