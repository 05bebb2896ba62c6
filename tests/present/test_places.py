"""Decimal places: as asked, or the fewest that a pencil can follow."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactattn as xa
from exactattn.errors import OptionError
from exactattn.present.places import asked, auto
from exactattn.present.sheet import Sheet

decimals = st.decimals(-2, 2, places=1).map(str)


def test_the_article_s_row_needs_6_7_8_6_5_3():
    found = auto(xa.solve("xian").trace)
    assert [found.places[name] for name in ("scores", "scaled", "exps", "sums", "weights", "output")] == [
        6,
        7,
        8,
        6,
        5,
        3,
    ]
    assert found.missing == ()


@given(st.data(), st.sampled_from([2, 3]))
@settings(max_examples=15)
def test_with_the_places_found_every_printed_number_follows(data, output):
    q, k, v = (
        data.draw(st.lists(st.lists(decimals, min_size=2, max_size=2), min_size=2, max_size=2)) for _ in range(3)
    )
    trace = xa.attend(q, k, v)
    found = auto(trace, output)
    sheet = Sheet(trace, found.places)
    if not found.missing:
        for name in ("scaled", "exps", "sums", "weights", "output"):
            assert sheet.doubts(trace.step(name, 0).made) == [], name


@given(st.data())
@settings(max_examples=10)
def test_one_place_of_the_weights_less_and_an_output_does_not_follow(data):
    q, k, v = (
        data.draw(st.lists(st.lists(decimals, min_size=2, max_size=2), min_size=2, max_size=2)) for _ in range(3)
    )
    trace = xa.attend(q, k, v)
    found = auto(trace)
    fewer = found.places["weights"] - 1
    if fewer >= 0 and "weights" not in found.missing:
        assert Sheet(trace, {**found.places, "weights": fewer}).doubts(trace.output)


def test_two_heads_and_a_projection_are_found_too():
    found = auto(xa.solve("two-heads").trace)
    assert found.missing == ()
    assert found.places["concat"] >= 3


@pytest.mark.parametrize(
    ("places", "message"),
    [
        ("scors=2", "places of 'scors': that is not one of Q, K, V, scores, scaled, maxima, shifted, exps, sums, weights, "
         "concat, output (did you mean 'scores'?)"),
        ("weights=x", "'x' places: a whole number from 0 to 10000 was due"),
        ("weights=10001", "'10001' places: a whole number from 0 to 10000 was due"),
        ("weights=-1", "'-1' places: a whole number from 0 to 10000 was due"),
        ("abc", "places 'abc': name=count, a number for all, or auto was due"),
        ("auto,weights=3", "places auto finds all but those of the output: weights cannot be given too"),
    ],
)  # fmt: skip
def test_what_is_asked_for_must_mean_something(places, message):
    with pytest.raises(OptionError) as caught:
        asked(places)
    assert str(caught.value) == message


def test_places_of_a_thousand_are_printed():
    text = xa.solve("xian", places={"weights": 1000}).weights.decimal(1000)[0][0]
    assert len(text) == 1002
