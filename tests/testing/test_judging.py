"""The judge itself: verdicts at the very bound, correct rounding, conventions, failures made small."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from exactattn.errors import Undecided
from exactattn.numbers.ball import bits_of, endpoints
from exactattn.testing import by_numpy, score_rows
from exactattn.testing.bounds import Accuracy
from exactattn.testing.checks import Check
from exactattn.testing.conventions import detect
from exactattn.testing.formats import FORMATS, decode
from exactattn.testing.inputs import AttentionInput, ScoresInput
from exactattn.testing.judged import judged_scores
from exactattn.testing.result import RowResult
from exactattn.testing.shrink import shrink
from exactattn.testing.signature import signature_of
from exactattn.testing.telling import correctly_rounded
from exactattn.testing.trial import Setting, size_of
from exactattn.testing.truth import Row

from . import examining, mutants

BITS = 192
F32 = FORMATS["float32"]


# -- verdicts ----------------------------------------------------------------------------------------------------------------


def check(got, due, bound, side="both"):
    due = None if due is None else arb(due)
    return Check("accuracy", ScoresInput("", np.zeros(1)), (0, 0), got, due, arb(bound), side)


def test_a_verdict_is_exact_at_the_very_bound():
    with bits_of(53):
        assert check(1.5, 1, 0.5).holds()
        assert not check(np.nextafter(1.5, 2), 1, 0.5).holds()
        assert check(1.5, 1, 0.5, "above").holds()
        assert check(-9.0, 1, 0.5, "above").holds()
        assert not check(-9.0, 1, 0.5, "below").holds()
        assert not check(1.6, 1, 0.5, "above").holds()


@pytest.mark.parametrize("got", [float("nan"), float("inf"), float("-inf")])
def test_no_number_is_within_no_bound(got):
    with bits_of(53):
        assert not check(got, 0, 1e300).holds()
        assert check(got, None, 0).holds() == (got == float("-inf"))
        assert check(got, 0, 0, "above").holds() == (got == float("-inf"))
        assert check(got, 0, 0, "below").holds() == (got == float("inf"))
        assert not check(0.0, None, 1e300).holds()


def test_what_the_balls_leave_open_is_no_verdict():
    with bits_of(53), pytest.raises(Undecided):
        check(1.0, arb(1, "1e-3"), 1e-4).holds()


@settings(max_examples=25, deadline=None)
@given(score_rows("float32", keys=(2, 6), masked=False), st.data())
def test_entries_just_within_the_bound_hold_and_just_beyond_fail(row, data):
    assume(row.max() - row.min() < 60)  # a weight far below the bound takes more bits to tell from it
    given_ = ScoresInput("", row)
    (judged,) = judged_scores(given_, by_numpy.softmax(row), "softmax", Accuracy(F32), 1024)
    item = judged.items[data.draw(st.integers(0, row.size - 1))]
    with bits_of(1024):
        low, high = (endpoints(item.true - item.bound)[1], endpoints(item.true + item.bound)[0])
    # the doubles next to the bound, on either side of it
    inner, outer = _double(high, up=False), _double(high, up=True)
    lower = _double(low, up=False)
    with bits_of(1024):
        verdicts = [Check("accuracy", given_, (0, 0), x, item.true, item.bound).holds() for x in (inner, outer, lower)]
    assert verdicts == [F(inner) >= low, False, False]


def _double(x, up):
    """The double just beyond a rational, strictly."""
    near = float(x)
    away = float("inf") if up else float("-inf")
    return near if (F(near) > x if up else F(near) < x) else float(np.nextafter(near, away))


# -- correct rounding --------------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["float16", "float32", "float64"]), st.data())
def test_correct_rounding_is_that_of_the_truth(name, data):
    form = FORMATS[name]
    values = decode(data.draw(score_rows(name, keys=(1, 5), masked=False)))
    row = Row.of(values)
    rounded = row.round_weights(form)
    for value, ball in zip(row.values, row.weights(BITS), strict=True):
        right = rounded[value]
        with bits_of(BITS):
            assert correctly_rounded(right, ball, form) is not False
            beside = float(np.nextafter(form.dtype().type(right), form.dtype().type(2)))
            assert correctly_rounded(beside, ball, form) is not True


def test_at_a_power_of_two_the_step_below_is_half_of_that_above():
    with bits_of(BITS):
        u = arb(fmpq(1, 1 << 24))
        assert correctly_rounded(1.0, 1 + u * fmpq(9, 10), F32) is True
        assert correctly_rounded(1.0, 1 + u * fmpq(11, 10), F32) is False
        assert correctly_rounded(1.0, 1 - u * fmpq(4, 10), F32) is True
        assert correctly_rounded(1.0, 1 - u * fmpq(6, 10), F32) is False
        assert correctly_rounded(1.0, 1 + u, F32) is None  # a tie
        assert correctly_rounded(0.0, arb(2) ** -151, F32) is True
        assert correctly_rounded(0.0, arb(2) ** -149, F32) is False


# -- conventions -------------------------------------------------------------------------------------------------------------


def conventions(called, kind, dtypes=("float32",), **asked):
    takes = signature_of(called, called.__name__, kind)
    setting, found = detect(examining.caller_of(called, takes), Setting(takes), dtypes, asked)
    return setting, {one.name: one.found for one in found}


def nan_where_all_is_masked(q, k, v, mask=None, is_causal=False):
    keep = mutants.opened(q, k, mask, is_causal)
    s = np.where(keep, q @ np.swapaxes(k, -1, -2) / q.dtype.type(np.sqrt(q.shape[-1])), -np.inf)
    return (by_numpy.softmax(s) @ v).astype(v.dtype)


def refuses_what_is_all_masked(q, k, v, mask=None):
    if mask is not None and not mask.any(axis=-1).all():
        raise ValueError("a row without keys")
    return by_numpy.attention(q, k, v, mask)


@pytest.mark.parametrize(
    ("called", "due"),
    [
        (by_numpy.attention, "zero"),
        (nan_where_all_is_masked, "nan"),
        (refuses_what_is_all_masked, "error"),
        (next(m.called for m in mutants.MUTANTS if m.name == "finite-mask"), "uniform"),
    ],
    ids=["zero", "nan", "error", "uniform"],
)
def test_what_a_fully_masked_row_is_is_found_out(called, due):
    assert conventions(called, "attention")[1]["fully-masked"] == due


def test_causal_alignment_is_found_out_and_judged_by():
    (other,) = [m.called for m in mutants.MUTANTS if m.name == "aligned-at-the-other-end"]
    (neither,) = [m.called for m in mutants.MUTANTS if m.name == "causal-one-key-too-few"]
    for called, name in ((by_numpy.attention, "bottom-right"), (other, "top-left"), (neither, "neither")):
        setting, found = conventions(called, "attention")
        assert found["causal"] == name
        assert setting.alignment == ("top-left" if name == "top-left" else "bottom-right")
    assert examining.failing(examining.examined(other, "attention", dtypes=("float32",), examples=10)) == set()


@pytest.mark.parametrize("name", ["1/√d_k", "1/√d_v", "1", "1/d_k"])
def test_the_default_scale_is_found_out(name):
    def attention(q, k, v):
        d, width = q.shape[-1], v.shape[-1]
        scale = {"1/√d_k": d**-0.5, "1/√d_v": width**-0.5, "1": 1.0, "1/d_k": 1 / d}[name]
        return by_numpy.attention(q, k, v, scale=scale)

    assert conventions(attention, "attention")[1]["scale"] == name


def of_one_width(q, k, v, mask=None):
    if q.shape[-1] != v.shape[-1]:
        raise ValueError("one width was due")
    return by_numpy.attention(q, k, v, mask)


def test_values_as_wide_as_keys_are_all_that_some_take():
    setting, found = conventions(of_one_width, "attention")
    assert (found["value-width"], found["scale"], setting.widths) == ("refused", "1/√d_k", "equal")
    rows = examining.examined(of_one_width, "attention", dtypes=("float32",), examples=10)
    assert examining.failing(rows) == set()
    assert conventions(by_numpy.attention, "attention")[1]["value-width"] == "taken"


def flushing_attention(q, k, v):
    out = by_numpy.attention(q, k, np.where(np.abs(v) < np.finfo(v.dtype).tiny, v.dtype.type(0), v))
    return np.where(np.abs(out) < np.finfo(v.dtype).tiny, v.dtype.type(0), out)


def test_attention_that_flushes_is_found_out_and_no_failure():
    setting, found = conventions(flushing_attention, "attention")
    assert (found["subnormal"], setting.flushing) == ("flushed", {"float32": True})
    rows = examining.examined(flushing_attention, "attention", dtypes=("float32",), examples=20)
    assert examining.failing(rows) == set()


def flushing(x, axis=-1):
    """A right softmax but for numbers below the least normal, which are 0 to it."""
    tiny = np.finfo(x.dtype).tiny
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    e = np.where(e < tiny, x.dtype.type(0), e)
    p = e / e.sum(axis=axis, keepdims=True)
    return np.where(p < tiny, x.dtype.type(0), p)


def test_flushing_is_found_out_and_no_failure():
    dtypes = ("float32", "float64", "float16")
    setting, found = conventions(flushing, "softmax", dtypes)
    assert found["subnormal"] == "flushed"
    assert setting.flushing == dict.fromkeys(dtypes, True)
    rows = examining.examined(flushing, "softmax", dtypes=("float32", "float64"), examples=20)
    assert examining.failing(rows) == set()
    assert conventions(by_numpy.softmax, "softmax", dtypes)[0].flushing == dict.fromkeys(dtypes, False)


def test_half_formats_may_be_summed_in_themselves_where_that_is_said():
    (half,) = [m.called for m in mutants.MUTANTS if m.name == "sum-in-half-precision"]
    rows = {
        accumulate: examining.examined(
            half, "softmax", dtypes=("float16",), examples=10, accumulate=accumulate, only=("accuracy",)
        )
        for accumulate in ("float32", "same")
    }
    assert examining.failing(rows["float32"]) == {"accuracy"}
    assert examining.failing(rows["same"]) == set()


# -- made small --------------------------------------------------------------------------------------------------------------


def test_a_failure_is_made_as_small_as_it_gets():
    x = np.array([[3.7, -1.2, 9.9], [0.3, 8.1, 2.2]], np.float32)
    given_ = ScoresInput("", x, 0, "F")
    small = shrink(given_, lambda one: bool((one.x > 5).any()))
    assert (small.x.tolist(), small.layout) == ([6.0], "C") or small.x.size == 1
    assert small.x.max() > 5


def test_attention_is_made_small_with_its_mask():
    q, k, v = np.ones((2, 3, 4)), np.full((2, 5, 4), 0.3), np.ones((2, 5, 2))
    mask = np.ones((2, 3, 5), bool)
    given_ = AttentionInput("", q, k, v, mask, True, 0.5)
    small = shrink(given_, lambda one: one.k.shape[-2] >= 2 and one.mask is not None)
    assert (small.q.shape, small.k.shape, small.v.shape, small.mask.shape) == ((1, 1), (2, 1), (2, 1), (1, 2))
    assert (small.is_causal, small.scale) == (False, None)
    assert size_of(small) < size_of(given_)


def test_what_does_not_get_smaller_stays_as_it_is():
    given_ = ScoresInput("", np.zeros(1, np.float32))
    assert shrink(given_, lambda one: False) is given_


# -- rows of the report --------------------------------------------------------------------------------------------------------


def found(**more):
    rows = examining.examined(by_numpy.softmax, "softmax", dtypes=("float32",), examples=10, **more)
    return {row.name: row for row in rows}


def test_accuracy_has_its_figures_and_every_row_its_worst():
    rows = found()
    accuracy = rows["accuracy"]
    assert isinstance(accuracy, RowResult)
    assert 0 < accuracy.accuracies.right < accuracy.accuracies.entries == accuracy.checks
    assert float(accuracy.accuracies.middle) < float(accuracy.accuracies.most)
    assert float(accuracy.worst.ulp) < float(accuracy.worst.bound_ulp)
    assert all(row.worst is not None for row in rows.values() if row.checks and row.name in ("accuracy", "sums-to-one"))


def test_the_largest_of_errors_that_are_not_all_finite_is_none():
    (mutant,) = [m for m in mutants.MUTANTS if m.name == "no-maximum-subtracted"]
    rows = examining.examined(mutant.called, "softmax", dtypes=("float32",), examples=0, only=("accuracy",))
    (row,) = [row for row in rows if row.name == "accuracy"]
    assert row.accuracies.most is None
    assert float(row.accuracies.middle) < 1


def test_bits_that_differ_are_reported_and_fail_only_when_strict():
    assert found()["key-permutation"].verdict == "differs"
    assert found(strict=True)["key-permutation"].verdict == "fails"
    assert found(strict=True)["accuracy"].verdict == "holds"
