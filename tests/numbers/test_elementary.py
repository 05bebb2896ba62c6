"""Sines, cosines and logarithms of exact numbers: against mpmath, at the ends of what they are defined on, as matrices."""

from __future__ import annotations

from fractions import Fraction

import pytest
from mpmath import mp, mpf

from exactattn.errors import OutsideNormalForm
from exactattn.numbers.elementary import Elementary, Function, elementary
from exactattn.numbers.matrix import Linear
from exactattn.numbers.value import Value

mp.dps = 60

OF_MPMATH = {
    "sin": mp.sin,
    "cos": mp.cos,
    "sin-of-degrees": lambda x: mp.sin(mp.radians(x)),
    "cos-of-degrees": lambda x: mp.cos(mp.radians(x)),
    "ln": mp.log,
}


@pytest.mark.parametrize("function", OF_MPMATH)
@pytest.mark.parametrize("x", ["1", "7/100", "sqrt(10)", "123.4", "3*ln(2)"])
def test_digits_are_those_of_mpmath(function: Function, x: str) -> None:
    exact = Value.of(x)
    low, high = elementary(function, exact).interval(160)
    true = OF_MPMATH[function](exact.to_mpmath(60))
    assert mpf(low.numerator) / low.denominator - mpf("1e-40") <= true
    assert true <= mpf(high.numerator) / high.denominator + mpf("1e-40")
    assert high - low < Fraction(1, 10**40)
    assert abs(mpf(elementary(function, exact).decimal(30)) - true) <= mpf("0.5000001e-30")


@pytest.mark.parametrize(
    ("function", "x", "due"), [("sin", 0, 0), ("cos", 0, 1), ("ln", 1, 0), ("cos-of-degrees", 0, 1)]
)
def test_what_is_0_or_1_is_so_exactly(function: Function, x: int, due: int) -> None:
    assert elementary(function, Value.of(x)) == due
    assert str(elementary(function, Value.of(x))) == str(due)


def test_elsewhere_there_is_no_normal_form() -> None:
    with pytest.raises(OutsideNormalForm, match="sin has no normal form here"):
        str(elementary("sin", Value.of(1)))
    with pytest.raises(OutsideNormalForm, match="ln has no normal form here"):
        str(elementary("ln", Value.of(2)))


def test_rows_and_columns_are_those_of_the_argument() -> None:
    a = Elementary("cos", Linear.read([["0", "1"], ["2", "3"]]))
    assert Value(a.entry(1, 0)).decimal(6) == "-0.416147"
    assert Value(a.row(0).columns(1, 2)).decimal(6) == "0.540302"
