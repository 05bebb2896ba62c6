"""The exact arithmetic by itself: maxima of scores that are next to each other, and steps that come again after the weights."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp

from exactattn.arithmetic.exact import ExactArithmetic
from exactattn.errors import InputError, Undecided
from exactattn.numbers.lazy import Exponential
from exactattn.numbers.limits import LIMITS
from exactattn.numbers.matrix import Linear
from exactattn.numbers.value import Value

AR = ExactArithmetic()
NEAR = "1.4142135623730950488016887242096980785696718753769480"  # to √2
scores = st.sampled_from(["0", "1", "1/3", "sqrt(2)", NEAR, "ln(4)", "2*ln(2)", "ln(2)*ln(3)", "-sqrt(3)", "1.386"])


def softmax(ar: Any, s: Any) -> Any:
    e = ar.exp(ar.subtract_column(s, ar.row_max(s, None)), None)
    return ar.divide_column(e, ar.row_sum(e))


@given(st.lists(scores, min_size=1, max_size=5), st.data())
def test_the_maximum_of_a_row_is_one_of_it_and_none_is_larger(row: list[str], data: st.DataObject) -> None:
    keep = (tuple(data.draw(st.lists(st.booleans(), min_size=len(row), max_size=len(row)))),)
    for mask in (None, keep):
        largest = Value(AR.row_max(AR.read([row]), mask))
        candidates = [Value.of(x) for x, ok in zip(row, mask[0] if mask else [True] * len(row), strict=True) if ok]
        assert largest == (max(candidates) if candidates else 0)


def test_scores_that_agree_in_a_thousand_digits_are_told_apart() -> None:
    with mp.workdps(1100):
        below = str(mp.floor(mp.sqrt(2) * mp.mpf(10) ** 990) / mp.mpf(10) ** 990)[:990]
    a = AR.read([[below, "sqrt(2)"], ["sqrt(2)", below]])
    assert [Value(AR.row_max(a, None).entry(i, 0)) == "sqrt(2)" for i in range(2)] == [True, True]


def test_scores_that_stay_open_are_an_error_that_names_the_row_and_the_precision() -> None:
    ar = ExactArithmetic(replace(LIMITS, bits=1000))
    with mp.workdps(700):
        near = str(mp.sqrt(2))[:600]
    with pytest.raises(Undecided) as caught:
        ar.row_max(ar.read([["0", "0"], [near, "sqrt(2)"]]), None)
    assert str(caught.value) == "row 2: the largest score is still open at 1000 bits (raise the limit 'bits')"


def test_a_second_softmax_over_the_weights_of_the_first() -> None:
    first = softmax(AR, AR.read([["0", "1", "-0.5"], ["2", "2", "0"]]))
    scaled = AR.scale(first, "1/sqrt(2)")
    second = softmax(AR, scaled)
    with mp.workdps(60):
        for i, row in enumerate([["0", "1", "-0.5"], ["2", "2", "0"]]):
            e = [mp.exp(mp.mpf(x)) for x in row]
            again = [mp.exp(x / sum(e) / mp.sqrt(2)) for x in e]
            for j, x in enumerate(again):
                assert abs(mp.mpf(Value(second.entry(i, j)).decimal(40)) - x / sum(again)) < mp.mpf(10) ** -40
                assert Value(scaled.entry(i, j)) == Value(first.entry(i, j)) / Value.of("sqrt(2)")
                assert Value(AR.transpose(first).entry(j, i)) == Value(first.entry(i, j))
    # equal scores give one weight, and the maximum is decided by the normal form
    assert Value(AR.row_max(first, None).entry(1, 0)) == Value(first.entry(1, 0)) == Value(first.entry(1, 1))
    assert Value(AR.row_max(first, ((False,) * 3,) * 2).entry(0, 0)) == 0


def test_a_sum_that_is_zero_divides_nothing() -> None:
    with pytest.raises(InputError, match=r"^row 1: its sum is 0, which divides nothing$"):
        AR.divide_column(AR.read([["1"]]), AR.read([["sqrt(2)-sqrt(2)"]]))


def test_a_shift_of_all_scores_leaves_the_weights_equal() -> None:
    for shift in ("1", "-sqrt(2)", "ln(7)/3", "ln(2)*ln(3)"):
        plain = Exponential(AR.read([["0", "1/2", "ln(2)"]]))
        moved = Exponential(AR.add(AR.read([["0", "1/2", "ln(2)"]]), AR.read([[shift] * 3])))
        one, other = AR.divide_column(plain, AR.row_sum(plain)), AR.divide_column(moved, AR.row_sum(moved))
        assert [Value(one.entry(0, j)) == Value(other.entry(0, j)) for j in range(3)] == [True] * 3


def test_linear_is_what_comes_before_the_exponentials() -> None:
    assert isinstance(AR.row_max(AR.read([["1", "sqrt(2)"]]), None), Linear)
    assert isinstance(AR.scale(AR.matmul(AR.read([["ln(2)"]]), AR.read([["ln(3)"]])), "1/sqrt(2)"), Linear)
