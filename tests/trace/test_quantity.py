"""Quantities: entries by label and position, digits, conversions."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy
import pytest
import sympy

import exactattn as xa
from exactattn import errors

TOKENS = ["the", "cat", "the", "mat"]


def weights(tokens=TOKENS):
    rows = [["1"], ["2"], ["1/2"], ["-1"]]
    return xa.attend(rows, rows, tokens=tokens, scale="1").weights


@pytest.fixture(scope="module")
def xian():
    case = xa.load_case("xian")
    return xa.attend(**case.inputs, tokens=case.tokens, scale="1/2")


def test_an_entry_by_label_by_position_and_by_count(xian):
    entries = [
        xian.weights["西安", "怎么样"],
        xian.weights[1, 4],
        xian.weights[-5, -2],
        xian.weights["#2", "#5"],
        xian.weights[1, "怎么样"],
        xian.weights[numpy.int64(1), numpy.uint8(4)],
        xian.weights.value(1, 4),
    ]
    assert all(entry == entries[0] for entry in entries)
    assert entries[0].decimal(30) == "0.259372177745129036828264750273"


def test_an_output_by_row_and_column_number(xian):
    assert xian.output["西安", "1"].decimal(3) == "0.264"
    assert xian.sums["西安", "sum"].decimal(4) == "3.8555"
    assert xian.maxima["西安", "max"] == Fraction("0.3762525")


def test_every_entry_in_rows(xian):
    assert xian.weights.decimal(3)[1] == ["0.146", "0.090", "0.087", "0.223", "0.259", "0.195"]
    assert xian.weights.significant(2)[1] == ["0.15", "0.090", "0.087", "0.22", "0.26", "0.20"]
    assert [len(row) for row in xian.sums.decimal(4)] == [1] * 6
    assert xian.sums.decimal(4)[1] == ["3.8555"]


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (("the", 0), "row 'the' is there 2 times, at #1, #3: say which, as in '#1'"),
        ((0, "the"), "column 'the' is there 2 times, at #1, #3: say which, as in '#1'"),
        (("teh", 0), "no row is called 'teh' (did you mean 'the'?)"),
        ((0, "dog"), "no column is called 'dog'"),
        ((4, 0), "row 4: there are 4, counted from 0"),
        ((0, -5), "column -5: there are 4, counted from 0"),
        (("#0", 0), "row #0: there are 4"),
        (("#5", 0), "row #5: there are 4"),
        (("#", 0), "no row is called '#'"),
        (("#12345678", 0), "no row is called '#12345678'"),
        ((0.0, 0), "row 0.0: a label or a whole number was due"),
        ((True, 0), "row True: a label or a whole number was due"),
        ((slice(None), 0), "row slice(None, None, None): a label or a whole number was due"),
        ((None, 0), "row None: a label or a whole number was due"),
        (0, "weights[0]: a row and a column were due, as in weights[0, 1]"),
        ("an", "weights['an']: a row and a column were due, as in weights[0, 1]"),
        ((0, 1, 2), "weights[(0, 1, 2)]: a row and a column were due, as in weights[0, 1]"),
    ],
    ids=repr,
)
def test_what_is_not_there(at, text):
    with pytest.raises(errors.LabelError) as error:
        weights()[at]
    assert str(error.value) == text


def test_a_label_that_looks_like_a_count_is_a_label():
    both = weights(tokens=["a", "#1", "b", "c"])
    assert both["#1", 0] == both[1, 0]
    assert both["#3", 0] == both[2, 0]


def test_labels_of_any_text():
    names = ["", " ", "Ġthe", "\\input{x}"]
    entry = weights(tokens=names)
    assert entry["", " "] == entry[0, 1]
    assert entry["\\input{x}", "Ġthe"] == entry[3, 2]


def test_digits_asked_for_are_checked():
    entry = weights()[0, 1]
    for ask, text in (
        (lambda: entry.decimal(-1), "-1 places: a whole number from 0 up was due"),
        (lambda: entry.decimal(2.5), "2.5 places: a whole number from 0 up was due"),
        (lambda: entry.decimal(10_001), "10001 places: the limit is 10000 (raise it with the limit 'places')"),
        (lambda: entry.significant(0), "0 digits: a whole number from 1 up was due"),
        (lambda: entry.decimal(3, "half-odd"),
         "ties 'half-odd' is not one of half-up, half-even (did you mean 'half-up'?)"),
        (lambda: weights().decimal(3, "up"), "ties 'up' is not one of half-up, half-even"),
        (lambda: entry.interval(1), "1 bits: 2 to 100000 were due"),
        (lambda: entry.to_float("float16"),
         "format 'float16' is not one of binary16, bfloat16, binary32, binary64 (did you mean 'bfloat16'?)"),
    ):  # fmt: skip
        with pytest.raises(xa.ExactAttnError) as error:
            ask()
        assert str(error.value) == text


def test_entries_are_numbers_to_work_with(xian):
    row = [xian.weights[1, j] for j in range(6)]
    assert sum(row) == 1
    assert row[4] > row[3] > "0.223"
    assert row[4] - row[4] == 0
    assert 2 * row[0] == row[0] + row[0]
    assert row[0] * 0 == 0
    assert -row[0] < 0 < row[0]
    assert abs(-row[0]) == row[0]
    mixed = sum(w * v for w, v in zip(row, (xian.V[j, 0] for j in range(6)), strict=True))
    assert mixed == xian.output[1, 0]
    assert row[0] / xian.exps[1, 0] * xian.sums[1, 0] == 1
    assert max(row) == xian.weights["西安", "怎么样"]


def test_conversions(xian):
    entry = xian.weights[1, 4]
    low, high = entry.interval(200)
    assert isinstance(low, Fraction)
    assert low < entry < high
    assert high - low < Fraction(1, 2**190)
    assert entry.to_float() == float(low + (high - low) / 2)
    assert entry.to_float("binary32") == float(numpy.float32(entry.to_float()))
    assert isinstance(entry.to_float("bfloat16"), float)
    with mpmath.workdps(30):
        assert entry.to_mpmath(30) == mpmath.mpf(entry.decimal(60))
    assert str(sympy.N(entry.to_sympy(), 40)) == entry.decimal(40)
    assert xian.weights.to_float("binary16")[1][4] == entry.to_float("binary16")
    symbolic = xian.weights.to_sympy()
    assert symbolic.shape == (6, 6)
    assert symbolic[1, 4] == entry.to_sympy()


def test_a_quantity_of_rational_numbers_is_shown_as_such():
    trace = xa.attend(scores=[["0", "ln(2)", "ln(3)"]], V=[["0"], ["1"], ["2"]], scale="1")
    assert [str(trace.weights[0, j]) for j in range(3)] == ["1/6", "1/3", "1/2"]
    assert trace.weights.to_sympy() == sympy.Matrix(
        [[sympy.Rational(1, 6), sympy.Rational(1, 3), sympy.Rational(1, 2)]]
    )


def test_what_they_look_like_in_a_shell(xian):
    assert repr(xian.weights) == "<Quantity weights 6 × 6, head 0>"
    assert repr(xian.Q) == "<Quantity Q 6 × 4>"
    assert repr(xian.weights[1, 4]) == "<Value 0.259372177745129…>"
    assert repr(xian) == "<Trace 6 queries × 6 keys, 1 head(s), 11 steps>"
    assert repr(xian.heads[0]) == "<Head 0 of 1>"
    assert repr(xian.step("weights")) == "<Step divide -> <Quantity weights 6 × 6, head 0>>"
