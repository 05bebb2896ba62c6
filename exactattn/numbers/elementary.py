"""Sines, cosines and logarithms of exact numbers: known by enclosures, with a normal form only where they are 0 or 1."""

from __future__ import annotations

from typing import Literal, TypeAlias, assert_never

from flint import arb, arb_mat

from exactattn.errors import OutsideNormalForm
from exactattn.numbers.expsum import UNITY, Quotients
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.matrix import Matrix
from exactattn.numbers.value import Value

Function: TypeAlias = Literal["sin", "cos", "sin-of-degrees", "cos-of-degrees", "ln"]


class Elementary(Matrix):
    """A function of each entry. Angles are in radians where nothing else is said; of ln the entries are above 0."""

    __slots__ = ("argument", "function")

    def __init__(self, function: Function, argument: Matrix) -> None:
        super().__init__(argument.shape)
        self.function: Function = function
        self.argument = argument

    def _enclose(self, bits: int) -> arb_mat:
        return arb_mat(*self.shape, [_of(self.function, x) for x in self.argument.balls(bits).entries()])

    def row(self, i: int) -> Elementary:
        """Row i, as a matrix of one row."""
        return Elementary(self.function, self.argument.row(i))

    def columns(self, low: int, high: int) -> Elementary:
        """Columns low to high − 1."""
        return Elementary(self.function, self.argument.columns(low, high))

    def normal(self, i: int, j: int, limits: Limits = LIMITS) -> Quotients:
        """0 or 1 where the argument says so, else OutsideNormalForm."""
        argument = self.argument.normal(i, j, limits)
        if self.function == "ln":
            if (argument + -Quotients.of(UNITY)).is_zero(limits):
                return Quotients(())
        elif argument.is_zero(limits):
            return Quotients(()) if self.function.startswith("sin") else Quotients.of(UNITY)
        raise OutsideNormalForm(f"{self.function} has no normal form here")


def _of(function: Function, x: arb) -> arb:
    match function:
        case "sin":
            return x.sin()
        case "cos":
            return x.cos()
        case "sin-of-degrees":
            return (x / 180).sin_pi()
        case "cos-of-degrees":
            return (x / 180).cos_pi()
        case "ln":
            return x.log()
        case _ as other:
            assert_never(other)


def elementary(function: Function, x: Value) -> Value:
    """A function of one exact number.

    >>> elementary("sin", Value.of(1)).decimal(6), elementary("cos-of-degrees", Value.of(60)).decimal(3)
    ('0.841471', '0.500')
    >>> elementary("ln", Value.of(2).exp()).decimal(3)
    '2.000'
    """
    return Value(Elementary(function, x.matrix))
