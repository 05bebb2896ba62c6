"""b-bit arithmetic: each operation is the exact one rounded once, and the bound beside it holds."""

from __future__ import annotations

from fractions import Fraction
from math import exp, floor
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mpmath import iv, libmp

from exactattn.arithmetic.rounded import Rounded, RoundedArithmetic
from exactattn.errors import OptionError, Undecided
from exactattn.numbers.limits import Limits
from exactattn.numbers.parse import rational
from exactattn.numbers.value import Value

BITS = st.sampled_from([2, 3, 8, 11, 24, 53, 100])


def nearest(q: Fraction, bits: int) -> Fraction:
    """q to so many significant bits, ties to even, in integers."""
    if q == 0:
        return q
    e = abs(q.numerator).bit_length() - q.denominator.bit_length()
    e += 0 if abs(q) >= Fraction(2) ** e else -1  # 2^e ≤ |q| < 2^(e+1)
    step = Fraction(2) ** (e - bits + 1)
    n = floor(q / step + Fraction(1, 2))
    if q / step + Fraction(1, 2) == n and n % 2:
        n -= 1
    return n * step


def fraction(x: Any) -> Fraction:
    return Fraction(*libmp.to_rational(x))


def made(q: Fraction, bits: int, error: Fraction = Fraction(0)) -> Rounded:
    return Rounded(
        libmp.from_rational(q.numerator, q.denominator, bits, "n"),
        libmp.from_rational(error.numerator, error.denominator, 30, "u"),
    )


numbers = st.one_of(
    st.fractions(-50, 50, max_denominator=1000),
    st.builds(lambda n, k: n * Fraction(2) ** k, st.integers(-(2**60), 2**60), st.integers(-200, 200)),
    st.integers(-5, 5).map(Fraction),
)


@settings(max_examples=200)
@given(numbers, numbers, BITS)
@example(Fraction(2048), Fraction(1), 11)
@example(Fraction(1), Fraction(2) ** -500, 11)
@example(Fraction(1), -(Fraction(2) ** -500), 2)
def test_each_operation_is_the_exact_one_rounded_once(p: Fraction, q: Fraction, bits: int) -> None:
    ar = RoundedArithmetic(bits)
    a, b = made(p, bits), made(q, bits)
    x, y = fraction(a.x), fraction(b.x)
    for result, exact in (
        (ar.plus(a, b), x + y),
        (ar.minus(a, b), x - y),
        (ar.times(a, b), x * y),
        *([(ar.over(a, b), x / y)] if y else []),
    ):
        assert fraction(result.x) == nearest(exact, bits)
        # of exact operands only this rounding is left, and of an exact result nothing
        assert abs(fraction(result.x) - exact) <= fraction(result.error)
        if fraction(result.x) == exact and abs(x) < 2**100 > abs(y) and (not x or not y or 2**-60 < abs(x / y) < 2**60):
            assert result.error == libmp.fzero


@settings(max_examples=200)
@given(numbers, numbers, st.fractions(-1, 1), st.fractions(-1, 1), st.integers(0, 60), BITS)
def test_the_bound_holds_whatever_the_exact_operands_are(
    p: Fraction, q: Fraction, s: Fraction, t: Fraction, k: int, bits: int
) -> None:
    ar = RoundedArithmetic(bits)
    spread = Fraction(1, 2**k)
    a, b = made(p, bits, spread), made(q, bits, spread)
    exact_a, exact_b = fraction(a.x) + s * spread, fraction(b.x) + t * spread  # any numbers within the bounds
    results = [
        (ar.plus(a, b), exact_a + exact_b),
        (ar.minus(a, b), exact_a - exact_b),
        (ar.times(a, b), exact_a * exact_b),
    ]
    if b.x != libmp.fzero:
        quotient = ar.over(a, b)
        if quotient.error == libmp.finf:
            assert abs(fraction(b.x)) <= spread * (1 + Fraction(1, 2**20))
        else:
            results.append((quotient, exact_a / exact_b))
    for result, exact in results:
        assert abs(fraction(result.x) - exact) <= fraction(result.error)
    largest = ar.largest([a, b], 0)
    assert abs(fraction(largest.x) - max(exact_a, exact_b)) <= fraction(largest.error)


@settings(max_examples=100)
@given(st.fractions(-30, 30, max_denominator=1000) | st.builds(lambda k: Fraction(2) ** k, st.integers(-300, 5)), BITS)
@example(Fraction(-3000), 11)
@example(Fraction(2) ** -13, 11)  # e^x is next to the tie 1 + 2⁻¹²
def test_an_exponential_is_correctly_rounded(q: Fraction, bits: int) -> None:
    a = made(q, bits)
    result = RoundedArithmetic(bits).e(a)
    before = iv.prec
    try:
        iv.prec = 1200
        x = fraction(a.x)
        ends = iv.exp(iv.mpf(x.numerator) / iv.mpf(x.denominator))._mpi_
    finally:
        iv.prec = before
    low, high = (fraction(end) for end in ends)
    assert nearest(low, bits) == nearest(high, bits) == fraction(result.x)
    assert max(abs(fraction(result.x) - low), abs(fraction(result.x) - high)) <= fraction(result.error) or x == 0


@settings(max_examples=60)
@given(st.fractions(-20, 20, max_denominator=100), st.fractions(-1, 1, max_denominator=50), st.integers(-4, 30), BITS)
def test_the_bound_of_an_exponential_holds_whatever_the_exact_argument_is(
    q: Fraction, s: Fraction, k: int, bits: int
) -> None:
    ar = RoundedArithmetic(bits)
    spread = Fraction(2) ** -k
    a = made(q, bits, spread)
    result = ar.e(a)
    exact = Value.of(fraction(a.x) + s * spread).exp()
    assert abs(exact - fraction(result.x)) <= fraction(result.error)


@pytest.mark.parametrize("text", ["0.1", "1/3", "sqrt(2)", "-ln(2)", "1e-400", "123456789.123", "1-sqrt(2)", "0", "-3"])
@pytest.mark.parametrize("bits", [2, 11, 24, 53, 1000])
def test_a_text_is_read_with_one_rounding_of_the_exact_number(text: str, bits: int) -> None:
    number = RoundedArithmetic(bits).number(text)
    exact = Value.of(text)
    x = fraction(number.x)
    assert nearest(x, bits) == x
    assert abs(exact - x) <= fraction(number.error) <= abs(x) / 2**bits
    q = rational(text)
    if q is not None:
        assert x == nearest(Fraction(int(q.p), int(q.q)), bits)


# away from the ends of the machine's exponents; ours have none
doubles = st.floats(1e-100, 1e100).flatmap(lambda x: st.sampled_from([x, -x])) | st.just(0.0)


@given(doubles, doubles)
def test_at_53_bits_the_operations_are_those_of_the_machine(x: float, y: float) -> None:
    ar = RoundedArithmetic(53)
    a, b = made(Fraction(x), 53), made(Fraction(y), 53)
    results = [(ar.plus(a, b), x + y), (ar.minus(a, b), x - y), (ar.times(a, b), x * y)]
    if y:
        results.append((ar.over(a, b), x / y))
    assert all(fraction(result.x) == Fraction(due) for result, due in results)


@given(st.floats(-3, 3, width=32), st.floats(-3, 3, width=32))
def test_at_24_bits_the_operations_are_those_of_single_precision(x: float, y: float) -> None:
    ar = RoundedArithmetic(24)
    a, b = made(Fraction(x), 24), made(Fraction(y), 24)
    for result, due in (
        (ar.plus(a, b), np.float32(x) + np.float32(y)),
        (ar.minus(a, b), np.float32(x) - np.float32(y)),
    ):
        assert fraction(result.x) == Fraction(float(due))


def test_a_sum_is_added_from_left_to_right() -> None:
    ar = RoundedArithmetic(11)
    row = ar.read([["2048", "1", "1", "1"]])
    assert ar.dyadic(ar.row_sum(row)) == ((2048,),)
    row = ar.read([["1", "1", "1", "2048"]])
    assert ar.dyadic(ar.row_sum(row)) == ((2052,),)  # 2051 is a tie between 2050 and 2052: to the even mantissa
    assert ar.error(ar.row_sum(row)) == ((1,),)


def test_nothing_overflows_and_nothing_vanishes() -> None:
    ar = RoundedArithmetic(11)
    e = ar.exp(ar.read([["1e5", "-1e5", "1e9", "-1e9", "-1e30"]]), None)
    big, small, *_ = e[0]
    assert big.x[2] > 100_000
    assert small.x[2] < -100_000
    exact = ar.exact(e)
    assert [Value(exact.entry(0, j)) > 0 for j in range(5)] == [True] * 5
    assert Value(exact.entry(0, 0)) > Value.of("1e3999")
    weights = ar.divide_column(ar.columns(e, 0, 2), ar.row_sum(ar.columns(e, 0, 2)))
    assert Value(ar.exact(weights).entry(0, 1)).decimal(5) == "0.00000"
    assert Value(ar.exact(e).entry(0, 3)).decimal(3) == "0.000"
    bounds = ar.error(e)[0]
    assert bounds[1] is not None
    assert 0 < bounds[1] < Fraction(1, 2**90_000)
    assert bounds[2] is None  # beyond 2^100000 no bound is written out


def test_the_exact_reading_is_the_rounded_number_itself() -> None:
    ar = RoundedArithmetic(8)
    a = ar.read([["0.1", "1/3"], ["-sqrt(2)", "0"]])
    assert [[Value(ar.exact(a).entry(i, j)) == ar.dyadic(a)[i][j] for j in range(2)] for i in range(2)] == [
        [True] * 2
    ] * 2
    assert Value(ar.exact(a).entry(0, 0)).decimal(12) == "0.100097656250"


def test_a_divisor_that_may_be_zero_leaves_no_bound() -> None:
    ar = RoundedArithmetic(2)
    quotient = ar.over(ar.number("1"), Rounded(libmp.fone, libmp.fone))  # 1 over a number between 0 and 2
    assert ar.error(((quotient,),)) == ((None,),)
    assert ar.error(((ar.times(quotient, ar.number("0")),),)) == ((0,),)
    assert ar.error(((ar.plus(quotient, ar.number("1")),),)) == ((None,),)
    assert ar.error(((ar.e(quotient),),)) == ((None,),)


@pytest.mark.parametrize("bits", [1, 0, -5, 10_001])
def test_bits_out_of_range_are_refused(bits: int) -> None:
    with pytest.raises(OptionError) as caught:
        RoundedArithmetic(bits)
    assert str(caught.value) == f"mpmath at {bits} bits: 2 to 10000 were due"


def test_the_ends_of_the_range_work() -> None:
    two = RoundedArithmetic(2)
    assert two.name == "mpmath:2"
    assert two.dyadic(two.read([["0.1", "5", "7"]])) == ((Fraction(3, 32), 4, 8),)
    many = RoundedArithmetic(10_000)
    (third,) = many.dyadic(many.read([["1/3"]]))[0]
    assert abs(third - Fraction(1, 3)) < Fraction(1, 2**10_000)
    assert abs(float(many.dyadic(many.exp(many.read([["1"]]), None))[0][0]) - exp(1)) < 1e-15


def test_an_exponential_that_stays_open_says_so() -> None:
    ar = RoundedArithmetic(53, Limits(bits=100))
    with pytest.raises(Undecided, match=r"^an exponential is still open at 93 bits \(raise the limit 'bits'\)$"):
        ar.e(made(Fraction(2) ** -53, 53))
