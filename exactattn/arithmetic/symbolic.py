"""Arithmetic over sympy expressions: entries may hold letters, and the solution comes out in them.

Nothing is simplified on the way: a weight reads exp(a)/(exp(a) + exp(b)), as one would write it. (sympy is imported with
this module, and this module when it is asked for.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256

import sympy
from sympy import Expr

from exactattn.arithmetic.scalarwise import Rows, Scalarwise
from exactattn.errors import InputError
from exactattn.numbers.lazy import Gathered
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.matrix import Matrix
from exactattn.numbers.symbolic import from_sympy, from_text
from exactattn.numbers.value import Value


@dataclass(frozen=True, slots=True)
class SympyArithmetic(Scalarwise[Expr]):
    """Matrices of sympy expressions over the declared letters, which are real.

    The largest score of a row is decided where scores differ by constants, with certainty. Where letters leave it open, a
    letter m_i that is no user's stands for the largest of row i; it drops out when the row is divided by its sum.

    >>> ar = SympyArithmetic(("a", "b"))
    >>> s = ar.read([["a", "b"]])
    >>> e = ar.exp(ar.subtract_column(s, ar.row_max(s, None)), None)
    >>> ar.divide_column(e, ar.row_sum(e))[0][0]
    exp(a)/(exp(a) + exp(b))
    """

    symbols: tuple[str, ...] = ()
    limits: Limits = LIMITS
    name: str = field(init=False, default="sympy")

    def number(self, text: str) -> Expr:
        """A number or an expression in the declared letters."""
        return from_text(text, self.symbols, self.limits)

    def plus(self, a: Expr, b: Expr) -> Expr:
        """a + b."""
        return a + b

    def total(self, terms: Sequence[Expr]) -> Expr:
        """Their sum."""
        return sympy.Add(*terms)

    def minus(self, a: Expr, b: Expr) -> Expr:
        """a − b."""
        return a - b

    def times(self, a: Expr, b: Expr) -> Expr:
        """a × b."""
        return a * b

    def e(self, a: Expr) -> Expr:
        """e to the a."""
        # sympy folds e^(r·ln 2) to 2^r: wanted for 2^-1, but not for an r that fills the memory or is irrational
        return sympy.exp(a, evaluate=not any(map(_stays, sympy.Add.make_args(a))))

    def is_zero(self, a: Expr) -> bool:
        """Is it the number 0?"""
        return bool(a == 0)

    def largest(self, entries: Sequence[Expr], row: int) -> Expr:
        """The largest entry, or a letter for it."""
        best, seen = entries[0], dict[Expr, Value]()
        for x in entries[1:]:
            difference = _expanded(x - best)
            if difference.free_symbols:
                return self._maximum(entries, row)
            if from_sympy(difference, self.limits, seen) > 0:
                best = x
        return best

    def _maximum(self, entries: Sequence[Expr], row: int) -> Expr:
        # A Dummy is equal to no user's symbol, whatever its name. Its index comes from the entries: so the same row has the
        # same letter when a step runs again, and the rows of two heads do not share one.
        letter = next(
            c for c in ("m", "M", "mu", "max") if not any(s.startswith(c + "_") for s in self.symbols) or c == "max"
        )
        index = int.from_bytes(sha256(str(tuple(entries)).encode()).digest(), "big")
        return sympy.Dummy(f"{letter}_{row + 1}", dummy_index=index, real=True)

    def over(self, a: Expr, b: Expr) -> Expr:
        """a / b, without the letters of row maxima where both hold the same power of e^m."""
        for m in b.atoms(sympy.Dummy):
            above, below = _power_of_e(a, m), _power_of_e(b, m)
            if above is not None and above == below:
                a, b = a.xreplace({m: sympy.S.Zero}), b.xreplace({m: sympy.S.Zero})
        return a / b

    def exact(self, a: Rows[Expr]) -> Matrix:
        """The matrix as exact numbers; an error names the first entry that holds letters."""
        seen: dict[Expr, Value] = {}
        for i, row in enumerate(a):
            for j, x in enumerate(row):
                if x.free_symbols:
                    raise InputError(
                        "row {row}, column {column} is {text}: it holds letters, so it has no digits",
                        row=i + 1,
                        column=j + 1,
                        text=str(x),
                    )
        return Gathered([[from_sympy(x, self.limits, seen).matrix for x in row] for row in a])


def _stays(term: Expr) -> bool:
    """Does a term of an exponent stay there? One without a logarithm does of itself, r·ln p with a modest r becomes p^r."""
    factor, rest = term.as_coeff_Mul()
    return bool(rest.has(sympy.log) and (abs(factor) > _FAR or not isinstance(rest, sympy.log)))


_FAR = 10_000


@lru_cache(4096)
def _power_of_e(x: Expr, m: Expr) -> Expr | None:
    """k where x is e^(k·m) times something without m; None where it is no such thing."""
    if m not in x.free_symbols:
        return sympy.S.Zero
    match x:
        case sympy.exp():
            k = x.args[0].coeff(m)
            return None if m in (x.args[0] - k * m).free_symbols else k
        case sympy.Mul():
            powers = [_power_of_e(factor, m) for factor in x.args]
            return None if None in powers else sympy.Add(*powers)
        case sympy.Add():
            first, *others = [_power_of_e(term, m) for term in x.args]
            return first if all(k == first for k in others) else None
    return None


_TERMS = 1_000


def _expanded(x: Expr) -> Expr:
    """Multiplied out, so that equal letters meet: unless that takes more terms than are worth it."""
    return sympy.expand_mul(x) if _terms(x) <= _TERMS else x


def _terms(x: Expr) -> int:
    match x:
        case sympy.Add():
            return sum(map(_terms, x.args))
        case sympy.Mul():
            out = 1
            for factor in x.args:
                out *= _terms(factor)
            return out
    return 1
