"""The stepwise track: each quantity is worked from the printed ones before it and rounded once."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import exactattn as xa
from exactattn.arithmetic.exact import ExactArithmetic
from exactattn.trace import places_of

UNROUNDED = ("given", "split", "mask", "maximum", "shift")

numbers = st.one_of(
    st.decimals(-2, 2, places=2).map(str),
    st.fractions(-2, 2, max_denominator=7).map(str),
    st.sampled_from(["sqrt(2)", "-sqrt(3)/2", "ln(2)", "-2"]),
)
counts = st.fixed_dictionaries(
    {}, optional={name: st.integers(1, 5) for name in ("scores", "scaled", "exps", "weights", "output", "concat")}
)


@st.composite
def problems(draw):
    def matrix(rows, columns):
        return draw(st.lists(st.lists(numbers, min_size=columns, max_size=columns), min_size=rows, max_size=rows))

    heads = draw(st.integers(1, 2))
    n, m, d, w = draw(st.integers(1, 3)), draw(st.integers(1, 3)), 2 * heads, heads
    inputs = {"Q": matrix(n, d), "K": matrix(m, d), "V": matrix(m, w), "heads": heads}
    if draw(st.booleans()):
        inputs |= {"W_O": matrix(w, 2), "b_O": matrix(1, 2)}
    if draw(st.booleans()):
        inputs |= {"X": inputs["Q"], "W_Q": matrix(d, d)}
        del inputs["Q"]
    return inputs | {"mask": draw(st.sampled_from(["none", "causal"])), "alignment": "top-left"}


@settings(max_examples=60)
@given(problems(), counts, st.sampled_from(["half-up", "half-even"]))
def test_what_is_made_is_what_is_printed_and_follows_from_what_was_printed_before(inputs, places, ties):
    trace = xa.attend(**inputs, track="stepwise", places=places, ties=ties)
    made, exact = [], ExactArithmetic()
    for step in trace.steps:
        assert all(any(read is quantity for quantity in made) for read in step.reads)
        n, m = step.made.shape
        if step.function.__name__ in UNROUNDED:
            assert step.made is step.computed
        else:
            printed = step.computed.decimal(trace.problem.places(step.name, step.head, places), ties)
            again = step.again(exact, step.reads)
            for i in range(n):
                for j in range(m):
                    assert step.made[i, j] == Fraction(printed[i][j])
                    assert again[i, j] == step.computed[i, j]
        made.append(step.made)


@settings(max_examples=40)
@given(problems(), counts)
def test_shifted_scores_have_no_more_places_than_scaled_ones(inputs, places):
    trace = xa.attend(**inputs, track="stepwise", places=places)
    for head in trace.heads:
        shifted = head.shifted
        for i, row in enumerate(shifted.decimal(places_of("scaled", places))):
            assert all(shifted[i, j] == Fraction(text) for j, text in enumerate(row))


def test_the_row_of_the_article_step_by_step():
    """Worked with Python's fractions and mpmath from nothing but the printed digits."""
    case = xa.load_case("xian")
    trace = xa.attend(**case.inputs, tokens=case.tokens, scale="1/2", track="stepwise")

    def nearest(x, places):
        steps = Fraction(x) * 10**places
        n = (2 * abs(steps) + 1) // 2
        return Fraction(-n if steps < 0 else n, 10**places)

    i = case.tokens.index("西安")
    q, keys = (
        [Fraction(x) for x in case.inputs["Q"][i]],
        [[Fraction(x) for x in row] for row in case.inputs["K"]],
    )
    scores = [nearest(sum(a * b for a, b in zip(q, k, strict=True)), 2) for k in keys]
    scaled = [nearest(s / 2, 2) for s in scores]
    with mpmath.workdps(50):
        exps = [
            nearest(Fraction(str(mpmath.exp(mpmath.mpf(x.numerator) / x.denominator))), 4)
            for x in (s - max(scaled) for s in scaled)
        ]
    total = nearest(sum(exps), 4)
    weights = [nearest(e / total, 3) for e in exps]
    output = [
        nearest(sum(w * Fraction(v[c]) for w, v in zip(weights, case.inputs["V"], strict=True)), 3) for c in range(4)
    ]
    for name, due in (("scores", scores), ("scaled", scaled), ("exps", exps), ("weights", weights), ("output", output)):
        assert [getattr(trace, name)[i, j] for j in range(len(due))] == due
    assert trace.sums[i, 0] == total
    assert trace.output.decimal(3)[i][0] == "0.262"  # 0.264 is what hidden digits give


def test_an_input_is_not_rounded():
    trace = xa.attend([["1/3"]], [["0.123456"]], [["2/3"]], track="stepwise")
    assert (trace.Q[0, 0], trace.K[0, 0], trace.V[0, 0]) == (Fraction(1, 3), "0.123456", Fraction(2, 3))
    assert trace.scores[0, 0] == "0.04"


def test_projected_ones_are():
    trace = xa.attend(X=[["1/3"]], W_Q=[["1"]], W_K=[["1"]], W_V=[["-2"]], track="stepwise", places={"K": 1})
    assert (trace.Q[0, 0], trace.K[0, 0], trace.V[0, 0]) == ("0.333", "0.3", "-0.667")


@pytest.mark.parametrize(("ties", "text"), [("half-up", "0.13"), ("half-even", "0.12")])
def test_ties_go_by_the_rule(ties, text):
    assert xa.attend([["0.5"]], [["0.25"]], track="stepwise", ties=ties).scores[0, 0] == text


def test_a_printed_sum_of_0_is_an_error():
    with pytest.raises(xa.ExactAttnError) as error:
        xa.attend(
            [["1"]], [["-9"], ["-9"]], scale="1", shift="none", track="stepwise", tokens=["a"],
            places={"exps": 2, "sums": 2},
        )  # fmt: skip
    assert str(error.value) == (
        "row 'a': the printed sum is 0.00, which divides nothing: give exps and sums more places"
    )


def test_a_printed_sum_of_0_is_one_where_closed_rows_are_0_as_well():
    given_ = {"scores": [["-9"], ["-9"]], "scale": "1", "shift": "none", "track": "stepwise"}
    with pytest.raises(xa.ExactAttnError, match=r"row 'q2': the printed sum is 0\.00, which divides nothing"):
        xa.attend(**given_, mask=[[0], [1]], fully_masked="zero", places={"exps": 2, "sums": 2})
    closed = xa.attend(**given_, mask=[[0], [1]], fully_masked="zero")
    assert closed.weights.decimal(1) == [["0.0"], ["1.0"]]


@settings(max_examples=30)
@given(problems())
def test_with_places_enough_both_tracks_print_the_same(inputs):
    inputs = {
        name: x for name, x in inputs.items() if name not in ("W_O", "b_O")
    }  # a head's output has the last one's places
    names = ("Q", "K", "V", "scores", "scaled", "exps", "sums", "weights", "concat", "output")
    places = dict.fromkeys(names, 30) | {"output": 3}
    carried = xa.attend(**inputs)
    worked = xa.attend(**inputs, track="stepwise", places=places)
    # a carried tie is not a tie any more after a rounding: it is on one side or the other
    half = [[x * 2000 for x in (carried.output[i, j] for j in range(carried.output.shape[1]))]
            for i in range(carried.output.shape[0])]  # fmt: skip
    assume(not any(x == int(x.decimal(0)) for row in half for x in row))
    assert worked.output.decimal(3) == carried.output.decimal(3)
