"""What a careful student can get: enclosures that hold the exact value and are no wider than the roundings make them."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq

import exactattn as xa
from exactattn.exams.range import Walks
from exactattn.misconceptions import CATALOGUE, find, singles
from exactattn.numbers.ball import bits_of, endpoints

TRACES = {
    "plain": xa.attend(
        Q=[["1", "0.5"], ["-0.3", "2"], ["0.7", "0.1"]],
        K=[["0.2", "1"], ["1.5", "-0.4"], ["-1", "0.6"]],
        V=[["1", "2"], ["-3", "0.5"], ["0", "4"]],
    ),
    "masked": xa.attend(
        Q=[["1", "0.5"], ["-0.3", "2"], ["0.7", "0.1"]],
        K=[["0.2", "1"], ["1.5", "-0.4"], ["-1", "0.6"]],
        V=[["1"], ["-3"], ["0.5"]],
        mask="causal",
    ),
    "heads": xa.attend(
        X=[["1", "0.5"], ["-0.3", "2"]],
        W_Q=[["1", "2", "0", "1"], ["0", "1", "-1", "2"]],
        W_K=[["1", "1", "2", "0"], ["2", "0", "1", "-1"]],
        W_V=[["1", "2"], ["0.5", "-1"]],
        W_O=[["1", "0"], ["3", "2"]],
        heads=2,
    ),
    "scores": xa.attend(scores=[["0.3", "1.1", "-0.8"]], scale="1"),
}

UNLIKE = {"not-normalised", "sums-down-the-columns"}
"""Wrong methods whose result depends on whether the maximum is subtracted: they have two values, one for each way."""

PLACES = 24
CLOSE = Fraction(1, 10 ** (PLACES - 6))


def widest(trace, found):
    """How far each way is from the exact value of any entry, at most, quantity by quantity."""
    for name, head in found[0]:
        if name in ("maxima", "shifted", "exps", "sums"):
            continue  # what is subtracted cancels only in the weights
        q = trace.step(name, head).computed
        for i in range(q.shape[0]):
            for j in range(q.shape[1]):
                if q.keep is not None and not q.keep[i][j]:
                    continue
                low, high = q.value(i, j).interval(160)
                for way, ranges in enumerate(found):
                    with bits_of(96):
                        ends = endpoints(ranges[name, head][i, j])
                    yield way, name, max(abs(ends[0] - low), abs(ends[1] - high))


@pytest.mark.parametrize("which", TRACES)
def test_with_many_places_the_range_is_the_value(which):
    trace = TRACES[which]
    assert all(apart < CLOSE for _, _, apart in widest(trace, Walks(PLACES).ranges(trace)))


@pytest.mark.parametrize("which", TRACES)
def test_with_many_places_the_range_of_a_wrong_method_is_its_value(which):
    trace = TRACES[which]
    walks = Walks(PLACES)
    walks.ranges(trace)
    seen = set()
    for method, wrong in singles(trace):
        for way, name, apart in widest(wrong, walks.ranges(wrong)):
            if way == 0 or method.name not in UNLIKE:
                assert apart < CLOSE, (method.name, way, name)
        seen.add(method.name)
    assert len(seen) > 10
    assert seen <= {row.name for row in CATALOGUE}


def test_shifted_scores_that_are_not_exponentiated_have_no_way_without_the_shift():
    trace = TRACES["scores"]
    walks = Walks(5)
    wrong = find("shifted-not-exponentiated").work(trace)
    (shifted,) = walks.ranges(wrong)
    assert len(walks.ranges(wrong)) == 1
    assert shifted["weights", 0][0, 1].contains(0)  # the maximum less itself
    assert len(walks.ranges(trace)) == len(walks.ranges(find("not-normalised").work(trace))) == 2


def test_what_is_asked_alone_is_what_is_found_among_all():
    for trace in TRACES.values():
        place = ("weights", 0)
        (one, two), (first, second) = Walks(5).ranges(trace, [place]), Walks(5).ranges(trace)
        assert list(one) == list(two) == [place]
        for alone, among in ((one, first), (two, second)):
            for x, y in zip(alone[place].entries(), among[place].entries(), strict=True):
                assert (x.mid(), x.rad()) == (y.mid(), y.rad())


def test_columns_are_known_as_well_as_rows():
    trace = TRACES["plain"]
    wrong = find("softmax-over-columns").work(trace)
    for ranges in Walks(5).ranges(wrong):
        for x in ranges["weights", 0].entries():
            assert x.rad() < fmpq(3, 10**5)


def test_asked_rows_alone_are_what_they_are_among_all():
    trace = TRACES["masked"]
    wrongs = [find(name).work(trace) for name in ("no-scale", "not-normalised", "weights-transposed", "hard-argmax")]
    some, every = Walks(5), Walks(5)
    for one in (trace, *wrongs):
        for few, all_ in zip(some.ranges(one, None, (1,)), every.ranges(one), strict=True):
            for place in (("weights", 0), ("output", 0)):
                for j in range(few[place].ncols()):
                    x, y = few[place][1, j], all_[place][1, j]
                    assert (x.mid(), x.rad()) == (y.mid(), y.rad())
