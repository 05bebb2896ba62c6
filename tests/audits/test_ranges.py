"""Ranges against trying: every corner, and points within, worked by mpmath to 50 digits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

import pytest
from flint import fmpq
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from exactattn.audits.ranges import (
    Exact,
    Range,
    greatest,
    least,
    less,
    less_maximum,
    linear,
    scaled_row,
    share,
    softmax,
    total,
)
from exactattn.numbers.value import Value

Interval = tuple[Fraction, Fraction]

ENDS = st.fractions(-3, 3, max_denominator=20)
INTERVALS = st.one_of(
    st.tuples(ENDS, st.fractions(0, 1, max_denominator=20)).map(lambda pair: (pair[0] - pair[1], pair[0] + pair[1])),
    ENDS.map(lambda end: (end, end)),
)
ROWS = st.lists(INTERVALS, min_size=1, max_size=4)
WITHIN = st.fractions(0, 1, max_denominator=10)


def exact(x: Fraction) -> fmpq:
    return fmpq(x.numerator, x.denominator)


def ranged(row: Sequence[Interval]) -> list[Range]:
    return [Range(exact(low), exact(high)) for low, high in row]


def number(x: Exact) -> mpf:
    low, high = Value.of(x).interval(250)
    return (mpf(low.numerator) / low.denominator + mpf(high.numerator) / high.denominator) / 2


def held(found: Range, row: Sequence[Interval], inner: Sequence[Fraction], f: Callable[[Sequence[mpf]], mpf]) -> None:
    """The range is what f gives over the box: both ends at corners of it, nothing outside."""
    with mp.workdps(50):
        eps = mpf(10) ** -40
        corners = [f([mpf(x.numerator) / x.denominator for x in corner]) for corner in product(*row)]
        low, high = number(found.low), number(found.high)
        assert abs(min(corners) - low) < eps * (1 + abs(low))
        assert abs(max(corners) - high) < eps * (1 + abs(high))
        point = [a + (b - a) * t for (a, b), t in zip(row, inner, strict=False)]
        value = f([mpf(x.numerator) / x.denominator for x in point])
        assert low - eps * (1 + abs(low)) <= value <= high + eps * (1 + abs(high))


points = st.lists(WITHIN, min_size=8, max_size=8)


@settings(max_examples=40)
@given(ROWS, points)
def test_sums(row, inner):
    held(total(ranged(row)), row, inner, sum)
    found = ranged(row)
    assert found[0] + found[-1] == total([found[0], found[-1]])


@settings(max_examples=40)
@given(INTERVALS, INTERVALS, points)
def test_products(a, b, inner):
    x, y = ranged([a, b])
    held(x.times(y), [a, b], inner, lambda p: p[0] * p[1])
    held(x.scaled(y.low), [a], inner, lambda p: p[0] * mpf(b[0].numerator) / b[0].denominator)


@settings(max_examples=40)
@given(INTERVALS, INTERVALS, points)
def test_quotients(a, b, inner):
    x, y = ranged([a, b])
    assert y.holds_zero() == (b[0] <= 0 <= b[1])
    if not y.holds_zero():
        held(x.over(y), [a, b], inner, lambda p: p[0] / p[1])


@settings(max_examples=40)
@given(INTERVALS, points)
def test_exponentials(a, inner):
    held(ranged([a])[0].exp(), [a], inner, lambda p: mp.exp(p[0]))


@settings(max_examples=40)
@given(ROWS, points)
def test_a_number_less_the_maximum_of_its_row(row, inner):
    for j in range(len(row)):
        held(less_maximum(ranged(row), j), row, inner, lambda p, j=j: p[j] - max(p))


@settings(max_examples=40)
@given(INTERVALS, st.lists(INTERVALS, max_size=3), points)
def test_a_number_less_the_maximum_of_others(a, row, inner):
    held(less(ranged([a])[0], ranged(row)), [a, *row], inner, lambda p: p[0] - max(p[1:], default=0))


@settings(max_examples=40)
@given(ROWS, points)
def test_a_share_of_a_sum(row, inner):
    for j in range(len(row)):
        found = share(ranged(row), j)
        low, high = sum(a for a, _ in row), sum(b for _, b in row)
        assert (found is None) == (low <= 0 <= high)
        if found is not None:
            held(found, row, inner, lambda p, j=j: p[j] / sum(p))


@settings(max_examples=40)
@given(ROWS, st.sampled_from(["1", "1/2", "0", "sqrt(2)", "1/sqrt(3)", "ln(2)"]), points)
def test_a_softmax(row, scale, inner):
    by = Value.of(scale)
    with mp.workdps(50):
        factor = number(by)
    for j in range(len(row)):

        def weight(p: Sequence[mpf], j: int = j) -> mpf:
            return mp.exp(p[j] * factor) / sum(mp.exp(x * factor) for x in p)

        held(softmax(ranged(row), j, by), row, inner, weight)


@settings(max_examples=40)
@given(ROWS)
def test_what_has_no_spread_is_one_number(row):
    fixed = ranged([(a, a) for a, _ in row])
    for j in range(len(row)):
        for found in (total(fixed), fixed[j].exp(), less_maximum(fixed, j), softmax(fixed, j, fmpq(1))):
            assert found.is_point()


@settings(max_examples=40)
@given(ROWS)
def test_the_ends_of_several(row):
    found = ranged(row)
    assert least(one.low for one in found) == exact(min(a for a, _ in row))
    assert greatest(one.high for one in found) == exact(max(b for _, b in row))


def test_exact_numbers_that_are_no_rationals_take_part():
    root = Value.of("sqrt(2)")
    around = Range.around(root, fmpq(1, 2))
    assert around.low < 1 < around.high
    assert around.times(Range(fmpq(-1), fmpq(2))).low == -(root + fmpq(1, 2))
    assert less_maximum([around, Range(fmpq(3), fmpq(3))], 0).high == root - fmpq(5, 2)
    assert softmax([Range(root, root), Range(fmpq(0), fmpq(0))], 0, Value.of("sqrt(2)")).low == 1 / (
        1 + Value.of(-2).exp()
    )
    assert [str(Value.of_surd(linear([root, fmpq(1)], (1, 2)).value(0, j))) for j in range(2)] == ["sqrt(2)", "1"]
    assert str(Value(scaled_row([root], root).entry(0, 0))) == "2"


@pytest.mark.parametrize("centre", ["0", "1/3", "-2"])
def test_around(centre):
    middle = exact(Fraction(centre))
    assert Range.around(middle, fmpq(1, 20)) == Range(middle - fmpq(1, 20), middle + fmpq(1, 20))
    assert Range.around(middle, fmpq(0)) == Range(middle, middle)
