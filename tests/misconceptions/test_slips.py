"""Slips in one number: each leads from the true value to what is printed, and none explains what is right."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactattn.errors import NumberError
from exactattn.misconceptions import SLIPS, slips
from exactattn.numbers.value import Value

TRUE = Value.of("0.2631")
WEIGHT = 1 / (1 + Value.of("-1/5").exp())  # 0.549834

values = st.fractions(-20, 20, max_denominator=1000).map(Value.of)


@pytest.mark.parametrize(
    ("printed", "true", "due"),
    [
        ("0.263", TRUE, ()),
        ("0.26310", TRUE, ()),
        ("-0.263", TRUE, ("sign-dropped",)),
        ("0.263", -TRUE, ("sign-dropped",)),
        ("0.236", TRUE, ("digits-swapped",)),
        ("0.623", TRUE, ("digits-swapped",)),
        ("2.063", TRUE, ("digits-swapped",)),  # over the point
        ("0.362", TRUE, ()),  # two that are no neighbours
        ("-0.236", TRUE, ()),
        ("0.026", TRUE, ("decimal-point-moved",)),
        ("2.631", TRUE, ("decimal-point-moved",)),
        ("26.3", TRUE, ("decimal-point-moved",)),
        ("263", TRUE, ()),
        ("0.000", Value.of("0.013"), ()),
        ("0.549", WEIGHT, ("truncated",)),
        ("0.550", WEIGHT, ()),
        ("-0.549", -WEIGHT, ("truncated",)),
        ("0.0", Value.of("0.06"), ("truncated",)),
        ("-0.0", Value.of("-0.06"), ("truncated",)),
        ("0.3", Value.of("0.2455"), ("rounded-twice",)),
        ("0.25", Value.of("0.24461"), ("rounded-twice",)),
        ("0.25", Value.of("0.244461"), ()),
        ("1", Value.of("4/9"), ()),
        ("1/4", Value.of("1/4"), ()),
        ("-1/4", Value.of("1/4"), ("sign-dropped",)),
        ("sqrt(2)", -Value.of("sqrt(2)"), ("sign-dropped",)),
        ("1/4", Value.of("1/3"), ()),
        ("０．２３６", TRUE, ("digits-swapped",)),
        ("−0.263", TRUE, ("sign-dropped",)),
    ],
)
def test_a_slip_is_named(printed: str, true: Value, due: tuple[str, ...]) -> None:
    assert slips(printed, true) == due


def test_a_number_of_a_neighbouring_row_or_column() -> None:
    rows, columns = [Value.of("0.7"), WEIGHT], [Value.of("1/3"), Value.of("2.5")]
    assert slips("0.550", TRUE, rows=rows, columns=columns) == ("neighbouring-row",)
    assert slips("0.333", TRUE, rows=rows, columns=columns) == ("neighbouring-column",)
    assert slips("1/3", TRUE, rows=rows, columns=columns) == ("neighbouring-column",)
    assert slips("0.700", TRUE, rows=rows, columns=[Value.of("0.7")]) == ("neighbouring-row", "neighbouring-column")
    assert slips("0.4", TRUE, rows=rows, columns=columns) == ()


@pytest.mark.parametrize(("printed", "true"), [("0.3", "0.25"), ("0.2", "0.25"), ("-0.3", "-0.25"), ("-0.2", "-0.25")])
def test_on_a_tie_either_rounding_is_right(printed: str, true: str) -> None:
    assert slips(printed, Value.of(true)) == ()


def test_what_is_no_number_is_an_error() -> None:
    with pytest.raises(NumberError):
        slips("0,26 or so", TRUE)


@given(values, st.integers(0, 5))
def test_what_is_rounded_is_no_slip_and_its_other_sign_is_one(true: Value, places: int) -> None:
    printed = true.decimal(places)
    assert slips(printed, true) == ()
    other = printed[1:] if printed.startswith("-") else f"-{printed}"
    assert Value.of(printed) == 0 or "sign-dropped" in slips(other, true)


@given(st.fractions(-20, 20, max_denominator=1000), st.integers(0, 5))
def test_what_is_cut_off_is_right_or_truncated(true: Fraction, places: int) -> None:
    printed = Value.of(Fraction(int(true * 10**places), 10**places)).decimal(places)
    found = slips(printed, Value.of(true))
    right = abs(Fraction(printed) - true) <= Fraction(1, 2 * 10**places)
    assert found == () if right else "truncated" in found


@given(values, st.integers(1, 4), st.sampled_from([1, 2]))
def test_a_number_that_is_rounded_twice_is_right_or_named(true: Value, places: int, more: int) -> None:
    printed = Value.of(true.decimal(places + more)).decimal(places)
    assert slips(printed, true) == () or "rounded-twice" in slips(printed, true)


def test_the_slips() -> None:
    assert [slip.name for slip in SLIPS] == [
        "sign-dropped", "digits-swapped", "decimal-point-moved", "neighbouring-row", "neighbouring-column", "truncated",
        "rounded-twice",
    ]  # fmt: skip
