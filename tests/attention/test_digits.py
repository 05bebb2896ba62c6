"""Every printed digit agrees with an independent enclosure, for numbers that were made to be hard; ties go by the stated rule."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactattn as xa

PLACES = (3, 15, 200)
RULES = ("half-up", "half-even")


def column(texts):
    return [[text] for text in texts.split()]


def row_of_scores(*scores, values=None):
    return {"scores": [list(scores)]} | ({"V": values} if values else {})


def truncated(t, digits):
    """ln(t/(1 − t)) cut after so many decimals, and the decimal after that: the logit of t lies between the two."""
    with mpmath.workdps(digits + 30):
        logit = mpmath.log(mpmath.mpf(t.numerator) / (t.denominator - t.numerator))
        steps = int(mpmath.floor(logit * mpmath.mpf(10) ** digits))
    return tuple(decimal(n, digits) for n in (steps, steps + 1))


def decimal(n, digits):
    text = str(abs(n)).rjust(digits + 1, "0")
    return f"{'-' if n < 0 else ''}{text[:-digits]}.{text[-digits:]}"


HARD = {
    "scores of ±3000": row_of_scores("3000", "-3000", "0", "2999.5", values=column("1 2 3 -4")),
    "only -3000": row_of_scores("-3000", "-3000.001", "-3001", values=column("0.1 0.2 0.3")),
    "scores of 10^-30": row_of_scores("1e-30", "-1e-30", "0", values=column("1 -1 1e-30")),
    "far apart": row_of_scores("0", "1e-30", "-40", "250", values=column("1 1e30 -1e30 7")),
    "cancelling values": row_of_scores("0", "1e-25", values=column("1e20 -1e20")),
    "roots and logarithms": row_of_scores("sqrt(2)", "ln(7)", "-sqrt(3)/2", "ln(2)*sqrt(5)", values=column("1 sqrt(2) ln(3) 0")),
    "close to ln(15)": row_of_scores("0", "2.708050201102210065"),
    "nearly one half": row_of_scores("0", "1e-200", values=column("0.0005 0.0015")),
    "one key": row_of_scores("12.5", values=column("-0.00050000000000001")),
}  # fmt: skip


@pytest.mark.parametrize("places", PLACES)
@pytest.mark.parametrize("inputs", HARD.values(), ids=HARD)
def test_digits_of_hard_rows_agree_with_an_enclosure(worked, inputs, places):
    trace, other = xa.attend(**inputs, scale="1"), worked(inputs, scale="1")
    for name in ("weights", "output") if "V" in inputs else ("weights",):
        for ties in RULES:
            texts = other.decimal(name, places, ties)
            assert None not in texts[0]
            assert getattr(trace, name).decimal(places, ties) == texts


def test_a_score_just_short_of_ln_15_is_above_one_sixteenth():
    weights = xa.attend(scores=[["0", "2.708050201102210065"]], scale="1").weights
    assert weights[0, 0] > "1/16"
    assert [weights[0, 0].decimal(3, ties) for ties in RULES] == ["0.063", "0.063"]
    above = xa.attend(scores=[["0", "2.708050201102210066"]], scale="1").weights
    assert above[0, 0] < Fraction(1, 16)
    assert above[0, 0].decimal(3) == "0.062"


@pytest.mark.parametrize(("places", "digits"), [(p, d) for p in PLACES for d in (20, 230, 500, 900) if d > p + 4])
def test_near_ties_fall_on_the_side_where_the_score_is(nearest, places, digits):
    t = Fraction(3 * 10**places // 7) / 10**places + Fraction(1, 2 * 10**places)
    below, above = truncated(t, digits)
    weights = xa.attend(scores=[["0", below], ["0", above]], scale="1").weights
    half = Fraction(1, 2 * 10**places)
    for ties in RULES:
        assert weights[0, 1].decimal(places, ties) == nearest(t - half, places)
        assert weights[1, 1].decimal(places, ties) == nearest(t + half, places)
    assert weights[0, 1] < t < weights[1, 1]


@pytest.mark.parametrize("places", PLACES)
def test_near_ties_agree_with_an_enclosure_too(worked, places):
    t = Fraction(2 * 10**places // 3) / 10**places + Fraction(1, 2 * 10**places)
    inputs = {"scores": [["0", text] for text in truncated(t, 900)]}
    texts = worked(inputs, scale="1").decimal("weights", places)
    assert xa.attend(**inputs, scale="1").weights.decimal(places) == texts
    assert texts[0] != texts[1]


def test_near_ties_of_an_output():
    # o = w·1 for the second key: the logit of a tie of the output is that of the weight
    below, above = truncated(Fraction(4685, 10000), 300)
    trace = xa.attend(scores=[["0", below], ["0", above]], V=[["0"], ["1"]], scale="1")
    assert trace.output.decimal(3) == [["0.468"], ["0.469"]]


# -- exact ties -------------------------------------------------------------------------------------------------------


def test_ln_15_gives_one_sixteenth_and_the_rule_rounds_it():
    weight = xa.attend(scores=[["0", "ln(15)"]], scale="1").weights[0, 0]
    assert weight == Fraction(1, 16)
    assert [weight.decimal(3, ties) for ties in RULES] == ["0.063", "0.062"]
    assert [weight.significant(2, ties) for ties in RULES] == ["0.063", "0.062"]
    assert [weight.decimal(4, ties) for ties in RULES] == ["0.0625", "0.0625"]


def test_sixteen_equal_keys_are_one_sixteenth_each():
    weights = xa.attend([["0.3", "-1.1"]], [["sqrt(7)", "ln(3)"]] * 16).weights
    assert weights.decimal(3) == [["0.063"] * 16]
    assert weights.decimal(3, "half-even") == [["0.062"] * 16]


def test_ties_at_fifteen_places():
    weights = xa.attend(scores=[["0", "ln(65535)"]], scale="1").weights
    assert weights.decimal(15) == [["0.000015258789063", "0.999984741210938"]]
    assert weights.decimal(15, "half-even") == [["0.000015258789062", "0.999984741210938"]]


@pytest.mark.parametrize("places", PLACES)
@pytest.mark.parametrize("sign", ["", "-"])
def test_a_constant_value_comes_out_whatever_the_weights(nearest, places, sign):
    value = f"{sign}0.{'1' * (places - 1)}25"
    trace = xa.attend([["0.3"]], [["1"], ["sqrt(2)"], ["-0.7"]], [[value]] * 3)
    for ties in RULES:
        assert trace.output.decimal(places, ties) == [[nearest(Fraction(value), places, ties)]]
    assert trace.output[0, 0] == value


@pytest.mark.parametrize("places", PLACES)
def test_equal_keys_give_the_mean_of_the_values(nearest, places):
    trace = xa.attend([["0.3"]], [["1.7"]] * 2, [["0"], [f"3e-{places}"]])
    for ties in RULES:
        assert trace.output.decimal(places, ties) == [[nearest(Fraction(3, 2 * 10**places), places, ties)]]


def test_scores_0_ln_2_ln_3_weigh_1_2_3():
    trace = xa.attend(scores=[["0", "ln(2)", "ln(3)"]], V=[["0"], ["1"], ["2"]], scale="1")
    assert trace.output[0, 0] == Fraction(4, 3)
    assert str(trace.output[0, 0]) == "4/3"
    assert trace.output.decimal(200) == [["1." + "3" * 200]]


@pytest.mark.parametrize(("places", "mean"), [(3, "0.0625"), (15, "-0.0000000000000125"), (200, f"0.{'0' * 199}15")])
def test_groups_of_keys_with_equal_means_are_rational_though_no_weight_is(nearest, places, mean):
    # keys at s, s + ln 2, s + ln 3 weigh 1 : 2 : 3; values mean − 3d, mean, mean + d have that mean in every group
    scores = [f"{s}+ln({c})" for s in ("0", "1", "-1/3", "sqrt(2)") for c in (1, 2, 3)]
    values = [[f"{mean}-3*{d}"] for d in ("2",)] + [[mean], [f"{mean}+2"]]
    trace = xa.attend(scores=[scores], V=values * 4, scale="1")
    assert trace.output[0, 0] == mean
    for ties in RULES:
        assert trace.output.decimal(places, ties) == [[nearest(Fraction(mean), places, ties)]]


TWO_HEADS = {
    # head 1: scores 0 1 2 3, the even keys weigh (1 + e²)/((1 + e)(1 + e²)); head 2: 0 0 1 1, the first two weigh 1/(1 + e)
    "Q": [["1", "1"]],
    "K": [["0", "0"], ["1", "0"], ["2", "1"], ["3", "1"]],
    "V": [["1", "1"], ["0", "1"], ["1", "0"], ["0", "0"]],
}


@pytest.mark.parametrize(("places", "bias"), [(3, "0.0625"), (15, "0.0000000000000125"), (200, f"-0.{'0' * 199}15")])
def test_heads_with_different_denominators_can_cancel_to_a_tie(nearest, places, bias):
    trace = xa.attend(**TWO_HEADS, W_O=[["1"], ["-1"]], b_O=[bias], heads=2)
    assert trace.heads[0].output[0, 0] == trace.heads[1].output[0, 0]
    assert trace.output[0, 0] == bias
    for ties in RULES:
        assert trace.output.decimal(places, ties) == [[nearest(Fraction(bias), places, ties)]]


@pytest.mark.parametrize("places", PLACES)
def test_heads_with_different_denominators_agree_with_an_enclosure(worked, places):
    inputs = {
        "Q": [["0.3", "-1.2", "0.8", "0.1"], ["1.1", "0", "-0.4", "2"]],
        "K": [["1", "0.25", "-0.75", "0.5"], ["0.2", "-3", "1.5", "0"], ["-1", "1", "sqrt(2)", "0.9"]],
        "V": [["1", "2", "-1", "0.5"], ["0", "-2", "0.125", "3"], ["4", "0.1", "ln(2)", "-0.3"]],
        "W_O": [["1", "-0.5"], ["0.25", "2"], ["-1.5", "0.1"], ["0.7", "-0.9"]],
        "b_O": [["0.01", "-0.02"]],
    }
    trace, other = xa.attend(**inputs, heads=2), worked(inputs, heads=2)
    for ties in RULES:
        assert trace.output.decimal(places, ties) == other.decimal("output", places, ties, head=None)
        for h in range(2):
            assert trace.heads[h].weights.decimal(places, ties) == other.decimal("weights", places, ties, head=h)


# -- anything ---------------------------------------------------------------------------------------------------------

numbers = st.one_of(
    st.decimals(-9, 9, places=3).map(str),
    st.fractions(-3, 3, max_denominator=9).map(str),
    st.sampled_from(["0", "1e-30", "-1e-12", "sqrt(2)", "-sqrt(3)/2", "ln(2)", "-2*ln(3)", "30", "-41.5"]),
)


@st.composite
def problems(draw):
    n, m, d, w = (draw(st.integers(1, 3)) for _ in range(4))

    def matrix(rows, columns):
        return draw(st.lists(st.lists(numbers, min_size=columns, max_size=columns), min_size=rows, max_size=rows))

    return {"Q": matrix(n, d), "K": matrix(m, d), "V": matrix(m, w)}


@settings(max_examples=150)
@given(inputs=problems(), places=st.sampled_from([0, 1, 3, 15, 40]), ties=st.sampled_from(RULES))
def test_digits_of_anything_agree_with_an_enclosure(worked, inputs, places, ties):
    trace, other = xa.attend(**inputs), worked(inputs)
    for name in ("scaled", "weights", "output"):
        found = getattr(trace, name).decimal(places, ties)
        for i, texts in enumerate(other.decimal(name, places, ties, cap=3000)):
            for j, text in enumerate(texts):
                if text is None:  # a tie, or a zero whose sign is open: the number must be that very one
                    value = getattr(trace, name)[i, j]
                    assert 2 * 10**places * (value - found[i][j]) in (-1, 0, 1)
                else:
                    assert found[i][j] == text


@settings(max_examples=100)
@given(inputs=problems(), digits=st.integers(1, 30))
def test_significant_digits_are_within_half_a_unit_of_the_last(inputs, digits):
    value = xa.attend(**inputs).output[0, 0]
    text = value.significant(digits)
    mantissa, _, exponent = text.partition("e")
    if text == "0":
        assert value == 0
        return
    figures = mantissa.lstrip("-").replace(".", "").lstrip("0")
    assert len(figures) == digits
    unit = Fraction(1, 10 ** len(mantissa.partition(".")[2])) * Fraction(10) ** int(exponent or 0)
    if "." not in mantissa and not exponent:
        unit = Fraction(1)
    assert abs(2 * (value - Fraction(text))) <= unit
