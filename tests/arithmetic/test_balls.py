"""Ball arithmetic: whatever the numbers within the spreads are, the result of a step lies in its interval."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactattn.arithmetic.balls import BallArithmetic
from exactattn.arithmetic.exact import ExactArithmetic
from exactattn.errors import InputError, OptionError, ShapeError, Undecided
from exactattn.numbers.value import Value

EXACT = ExactArithmetic()


def softmax(ar: Any, s: Any, v: Any) -> Any:
    e = ar.exp(ar.subtract_column(s, ar.row_max(s, None)), None)
    return ar.matmul(ar.divide_column(e, ar.row_sum(e)), v)


printed = st.decimals(-3, 3, places=2).map(str)
row = st.lists(st.tuples(printed, st.fractions(-1, 1, max_denominator=8)), min_size=1, max_size=4)


@settings(max_examples=60)
@given(row, st.integers(0, 3), st.sampled_from([8, 53, 128]))
def test_every_row_within_the_half_units_has_its_result_in_the_interval(
    numbers: list[tuple[str, Fraction]], places: int, bits: int
) -> None:
    unit = Fraction(1, 2 * 10**places)
    texts = [[text for text, _ in numbers]]
    inside = [[str(Fraction(text) + at * unit) for text, at in numbers]]
    v = [[str(k - 1)] for k in range(len(numbers))]
    ar = BallArithmetic(bits)
    spread = ar.read_spread(texts, [[unit] * len(numbers)])
    for a, b in (
        (ar.exp(spread, None), EXACT.exp(EXACT.read(inside), None)),
        (ar.row_sum(spread), EXACT.row_sum(EXACT.read(inside))),
        (ar.row_max(spread, None), EXACT.row_max(EXACT.read(inside), None)),
        (ar.scale(spread, "1/sqrt(2)"), EXACT.scale(EXACT.read(inside), "1/sqrt(2)")),
        (softmax(ar, spread, ar.read(v)), softmax(EXACT, EXACT.read(inside), EXACT.read(v))),
    ):
        for j in range(ar.shape(a)[1]):
            if a[0, j].is_finite():
                low, high = ar.interval(a, 0, j)
                assert low <= Value(b.entry(0, j)) <= high


def test_the_interval_of_a_spread_number_is_no_wider_than_it_must_be() -> None:
    ar = BallArithmetic(64)
    low, high = ar.interval(ar.read_spread([["0.25"]], [[Fraction(1, 200)]]), 0, 0)
    assert low <= Fraction("0.245") < Fraction("0.255") <= high
    assert high - low < Fraction(1, 100) * (1 + Fraction(1, 2**28))


def test_a_number_known_exactly_has_no_width() -> None:
    ar = BallArithmetic(64)
    assert ar.interval(ar.read_spread([["0.25", "3"]], [[Fraction(0), Fraction(1)]]), 0, 0) == (Fraction(1, 4),) * 2
    low, high = ar.interval(ar.read([["1/3"]]), 0, 0)
    assert low < Fraction(1, 3) < high
    assert high - low < Fraction(1, 2**60)


def test_the_largest_of_overlapping_numbers_is_enclosed_from_both_sides() -> None:
    ar = BallArithmetic(64)
    a = ar.read_spread([["0.50", "0.51", "-9"]], [[Fraction(1, 50), Fraction(1, 200), Fraction(0)]])
    low, high = ar.interval(ar.row_max(a, None), 0, 0)
    # 0.48 to 0.52 and 0.505 to 0.515: the larger one is 0.505 to 0.52
    assert abs(low - Fraction("0.505")) < Fraction(1, 10**8)
    assert abs(high - Fraction("0.52")) < Fraction(1, 10**8)
    low, high = ar.interval(ar.row_max(a, ((False, False, True),)), 0, 0)
    assert low == high == -9
    assert ar.interval(ar.row_max(a, ((False, False, False),)), 0, 0) == (0, 0)


def test_a_divisor_that_may_be_zero_bounds_nothing() -> None:
    ar = BallArithmetic(64)
    a = ar.divide_column(ar.read([["1"]]), ar.read_spread([["0.01"]], [[Fraction(1, 50)]]))
    with pytest.raises(Undecided, match=r"^nothing bounds this value at the precision asked for: ask at more bits$"):
        ar.interval(a, 0, 0)


def test_spreads_are_due_one_for_each_number() -> None:
    with pytest.raises(ShapeError, match=r"^spreads are due one for each of the numbers, row by row$"):
        BallArithmetic(64).read_spread([["1", "2"]], [[Fraction(0)]])


def test_an_enclosure_has_no_exact_digits() -> None:
    ar = BallArithmetic(64)
    with pytest.raises(InputError) as caught:
        ar.exact(ar.read([["1"]]))
    assert str(caught.value) == (
        "balls:64 gives enclosures, which have no exact digits: work in exact, or ask for intervals"
    )


@pytest.mark.parametrize("bits", [1, 0, -3, 100_001])
def test_bits_out_of_range_are_refused(bits: int) -> None:
    with pytest.raises(OptionError) as caught:
        BallArithmetic(bits)
    assert str(caught.value) == f"balls of {bits} bits: 2 to 100000 were due"
