"""The printed digits of a trace: rounded once, marked by exact values, followed with a pencil."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactattn as xa
from exactattn.document import Blank, Op
from exactattn.present.sheet import BlankSheet, Sheet, decimal_sum

XIAN = xa.solve("xian")
decimals = st.decimals(-3, 3, places=2).map(str)


def square(n):
    return st.lists(st.lists(decimals, min_size=n, max_size=n), min_size=n, max_size=n)


@pytest.fixture
def sheet():
    return Sheet(XIAN.trace, XIAN.places)


def test_inputs_are_printed_as_given_with_their_trailing_zeros(sheet):
    assert sheet.texts(XIAN.trace.Q)[5][1] == "0.280"


def test_which_exponentials_do_not_follow_from_the_printed_scores(sheet):
    found = sheet.doubts(XIAN.trace.exps, 1)
    assert [(d.column, d.printed, d.pencil) for d in found] == [
        (0, "0.5615", "0.5599"),
        (1, "0.3475", "0.3465"),
        (2, "0.3338", "0.3329"),
        (3, "0.8598", "0.8607"),
        (5, "0.7529", "0.7558"),
    ]


def test_the_output_that_the_printed_weights_do_not_give(sheet):
    found = sheet.doubts(XIAN.trace.output, 1)
    assert [(d.column, d.printed, d.pencil) for d in found] == [(0, "0.264", "0.263"), (2, "0.214", "0.216")]


def test_maxima_are_those_of_the_exact_values(sheet):
    assert [sorted(sheet.maxima(XIAN.trace.output, i)) for i in range(6)] == [[2], [3], [0], [2], [2], [2]]
    assert [sorted(sheet.maxima(XIAN.trace.weights, i)) for i in range(6)] == [[5], [4], [5], [5], [1], [0]]


def test_every_place_of_a_tie_is_marked_and_a_near_tie_is_none():
    tie = xa.attend(scores=[["1", "0.5", "1"], ["0.001", "0.0010000001", "0"]], scale="1")
    sheet = Sheet(tie, {})
    assert sheet.maxima(tie.weights, 0) == {0, 2}
    assert sheet.texts(tie.weights)[1][:2] == ["0.333", "0.333"]
    assert sheet.maxima(tie.weights, 1) == {1}


def test_masked_places_are_never_the_largest():
    trace = xa.attend(scores=[["1", "5"], ["1", "5"]], scale="1", mask="causal")
    sheet = Sheet(trace, {})
    assert [sheet.maxima(trace.weights, i) for i in (0, 1)] == [{0}, {1}]


def test_equals_only_where_the_printed_text_is_the_value():
    trace = xa.attend(scores=[["0", "ln(3)"]], scale="1")
    sheet = Sheet(trace, {"weights": 2, "exps": 3})
    assert sheet.texts(trace.weights) == [["0.25", "0.75"]]
    assert sheet.relation(trace.weights, (0, 0), (0, 1)) == Op("=")
    assert sheet.texts(trace.exps) == [["0.333", "1.000"]]
    assert sheet.relation(trace.exps, (0, 0)) == Op("approx")


@given(square(3))
@settings(max_examples=25)
def test_the_largest_printed_weight_is_at_a_marked_place(scores):
    trace = xa.attend(scores=scores, scale="1")
    sheet = Sheet(trace, {})
    for i in range(3):
        texts = [Fraction(text) for text in sheet.texts(trace.weights)[i]]
        assert {texts[j] for j in sheet.maxima(trace.weights, i)} == {max(texts)}


@given(square(2), st.sampled_from(["half-up", "half-even"]))
@settings(max_examples=25)
def test_in_the_stepwise_track_everything_follows_from_the_printed_digits(rows, ties):
    trace = xa.attend(rows, rows, rows, track="stepwise", ties=ties)
    sheet = Sheet(trace, trace.problem.settings.places, ties)
    for step in trace.steps:
        assert sheet.doubts(step.made) == []


def test_a_blank_sheet_gives_nothing_away():
    sheet = BlankSheet(XIAN.trace, XIAN.places)
    assert isinstance(sheet.number(XIAN.trace.weights, 1, 4), Blank)
    assert sheet.maxima(XIAN.trace.weights, 1) == frozenset()
    assert sheet.doubts(XIAN.trace.exps) == []
    assert sheet.relation(XIAN.trace.weights, (0, 0)) == Op("=")


def test_brief_texts_are_rounded_from_the_value_where_the_printed_ones_are_long():
    case = xa.attend([["0.123456789012"]], [["1"], ["0"]], [["2"], ["1/3"]], scale="1", places={"weights": 40})
    sheet = Sheet(case, case.problem.settings.places)
    assert sheet.brief_texts(case.Q, 10) == [["0.1234567890"]]
    assert sheet.brief_texts(case.Q, 12) is sheet.texts(case.Q)
    assert sheet.brief_texts(case.V, 0) == [["2"], ["1/3"]]
    assert sheet.brief_texts(case.weights, 10) == case.weights.decimal(10) != sheet.texts(case.weights)
    # of 0.4487 is printed 0.45, and that would round to 0.5
    case = xa.attend([["0.2059"]], [["1"], ["0"]], [["2"], ["3"]], scale="1", places={"weights": 2})
    short = Sheet(case, case.problem.settings.places)
    assert (short.texts(case.weights), short.brief_texts(case.weights, 1)) == ([["0.55", "0.45"]], [["0.6", "0.4"]])


def test_the_printed_weights_of_the_last_row_add_up_to_0_999(sheet):
    assert [decimal_sum(row) for row in sheet.texts(XIAN.trace.weights)] == ["1.000"] * 5 + ["0.999"]
