"""Intervals of fields: a partition of what the wrong methods give."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from exactattn.exams.model import FINER, Entry, Part, Wrong
from exactattn.exports.fields import apart, digits, field_of
from exactattn.numbers.value import Value

ENDS = st.integers(-30, 30)
SPANS = st.lists(
    st.tuples(ENDS, ENDS, st.sampled_from("abcdef"), st.sampled_from([0, 1, 2])).map(
        lambda one: (min(one[:2]), max(one[:2]), (one[2],), Fraction(one[3], 4))
    ),
    max_size=6,
)


@given(SPANS)
def test_each_number_is_in_one_interval_with_all_the_names_and_the_least_share_there(spans):
    found = apart(spans)
    assert all(before[1] < after[0] for before, after in pairwise(found))
    for x in range(-31, 32):
        here = [one for one in spans if one[0] <= x <= one[1]]
        hit = [one for one in found if one[0] <= x <= one[1]]
        assert len(hit) == bool(here)
        if here:
            assert set(hit[0][2]) == {name for one in here for name in one[2]}
            assert len(set(hit[0][2])) == len(hit[0][2])
            assert hit[0][3] == min(one[3] for one in here)


@given(st.integers(-(10**12), 10**12), st.integers(0, 12))
def test_digits_are_the_number(units, places):
    text = digits(units, places)
    assert Fraction(text) == Fraction(units, 10**places)
    assert not ("." in text and text.endswith("0"))


@given(
    key=st.integers(-2000, 2000),
    tolerance=st.fractions(0, Fraction(1, 500)),
    wrongs=st.lists(
        st.tuples(st.integers(-300_000, 300_000), st.integers(-300_000, 300_000), st.sampled_from("abc")).map(
            lambda one: (min(one[:2]), max(one[:2]), one[2])
        ),
        max_size=4,
    ),
    x=st.integers(-400_000, 400_000).map(lambda k: Fraction(k, 10**5)),
)
def test_a_field_judges_as_the_exam_does_entry_by_entry(key, tolerance, wrongs, x):
    """But for a tolerance that is no decimal of two more places: there a field accepts a little less."""
    text = digits(key, 3)
    entry = Entry("x", Value.of(text), text, tolerance)
    rows = tuple(Wrong((name,), ((least, most),), 3 + FINER, ("0",)) for least, most, name in wrongs)
    part = Part("q.1", "weights", (entry,), 3, 5, rows)
    credit = {"a": Fraction(1, 2), "b": Fraction(1, 4), "c": Fraction(0)}
    field = field_of(part, 0, [credit[row.names[0]] for row in rows])
    unit = Fraction(1, 10 ** (3 + FINER))
    assert tolerance - unit < field.tolerance <= tolerance
    share, names = field.judged(x)
    if abs(x - entry.key) <= field.tolerance:
        assert (share, names) == (1, ())
        return
    given = {row.names[0] for row in rows if row.explains([x])}
    assert given == {name for least, most, name in wrongs if least * unit <= x <= most * unit}
    assert set(names) == given
    assert share == min((credit[name] for name in given), default=0)
