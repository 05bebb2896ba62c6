"""Traces and their steps: what is found by name, what is said of what is not there, steps run again."""

from __future__ import annotations

from fractions import Fraction

import pytest

import exactattn as xa
from exactattn import errors
from exactattn.arithmetic import arithmetic
from exactattn.arithmetic.exact import ExactArithmetic

X = [["1", "2"], ["0", "-1"]]


def one():
    return xa.attend(X, X, X)


def two():
    return xa.attend(X, X, X, heads=2, W_O=[["1"], ["1"]])


@pytest.mark.parametrize(
    ("trace", "name", "text"),
    [
        (one, "concat", "there is no concat here"),
        (one, "masked", "there is no masked here"),
        (one, "wieghts", "'wieghts' is no quantity (did you mean 'weights'?)"),
        (one, "zzz", "'zzz' is no quantity"),
        (two, "weights", "each of the 2 heads has its own weights: see trace.heads[k].weights"),
        (two, "scores", "each of the 2 heads has its own scores: see trace.heads[k].scores"),
        (two, "masked", "there is no masked here"),
        (two, "wieghts", "'wieghts' is no quantity (did you mean 'weights'?)"),
    ],
)
def test_a_quantity_that_is_not_there(trace, name, text):
    with pytest.raises(errors.NoSuchQuantity) as error:
        getattr(trace(), name)
    assert str(error.value) == text
    assert isinstance(error.value, AttributeError)
    assert not hasattr(trace(), name)


def test_a_head_has_its_own_and_what_all_share():
    trace = two()
    head = trace.heads[1]
    assert head.Q.columns == ("2",)
    assert trace.Q.columns == ("1", "2")
    assert head.weights.head == 1
    assert head.output is trace.step("output", 1).made
    assert head.W_O is trace.W_O
    assert head.concat is trace.concat
    assert trace.output is trace.step("output").made
    assert trace.output.shape == (2, 1)
    with pytest.raises(errors.NoSuchQuantity, match="'wieghts' is no quantity"):
        head.wieghts  # noqa: B018


def test_the_step_that_made_a_quantity():
    trace = two()
    assert trace.of(trace.output) is trace.steps[-1]
    assert trace.of(trace.heads[0].weights).function.__name__ == "divide"
    with pytest.raises(errors.NoSuchQuantity, match=r"^weights is not of this trace$"):
        trace.of(one().weights)
    with pytest.raises(errors.NoSuchQuantity, match=r"^there is no masked here$"):
        trace.step("masked", 0)
    with pytest.raises(errors.NoSuchQuantity, match=r"^there is no concat here$"):
        one().step("concat")


def test_a_step_holds_its_operands():
    trace = two()
    by_name = {(step.name, step.head): step for step in trace.steps}
    reads = {key: [(read.name, read.head) for read in step.reads] for key, step in by_name.items()}
    assert reads["Q", None] == []
    assert reads["scores", 1] == [("Q", 1), ("K", 1)]
    assert reads["shifted", 0] == [("scaled", 0), ("maxima", 0)]
    assert reads["weights", 0] == [("exps", 0), ("sums", 0)]
    assert reads["output", 0] == [("weights", 0), ("V", 0)]
    assert reads["concat", None] == [("output", 0), ("output", 1)]
    assert reads["output", None] == [("concat", None), ("W_O", None)]
    assert by_name["scaled", 0].settings == {"by": "1/sqrt(1)", "head": 0}


def test_a_step_again_on_other_operands():
    trace = one()
    exact = ExactArithmetic()
    step = trace.step("weights")
    exps = xa.attend(scores=[["0.5", "0.3"], ["0", "0"]], scale="1").scores
    sums = xa.attend(scores=[["0.8"], ["2"]], scale="1").scores
    again = step.again(exact, [exps, sums])
    assert [again[0, 0], again[0, 1], again[1, 0]] == [Fraction(5, 8), Fraction(3, 8), 0]


@pytest.mark.parametrize("name", ["sympy", "mpmath:200", "balls:200"])
def test_a_step_again_in_another_arithmetic(name):
    exact, other = one(), xa.attend(X, X, X, arithmetic=name)
    ar = arithmetic(name)
    for step, there in zip(exact.steps, other.steps, strict=True):
        again = there.again(ar, there.reads)
        assert again.name == step.name
        if name == "balls:200":
            low, high = ar.interval(again.matrix, 0, 0)
            assert low <= step.made[0, 0] <= high
        else:
            assert again.decimal(20) == step.made.decimal(20)


def test_traces_of_the_same_problem_are_equal():
    assert one() == one()
    assert hash(one()) == hash(one())
    assert one() != two()
    assert one() != xa.attend(X, X, X, scale="1/2")
    assert one() != "a trace"


def test_every_step_of_every_pipeline_is_known():
    from exactattn.attention.pipeline import PIPELINE
    from exactattn.trace.problem import QUANTITIES

    trace = xa.attend(
        X=X,
        W_Q=X,
        W_K=X,
        W_V=X,
        W_O=X,
        heads=2,
        mask="causal",
        b_Q=["1", "1"],
        b_K=["1", "1"],
        b_V=["1", "1"],
        b_O=["0", "0"],
    )
    assert {step.function for step in trace.steps} == set(PIPELINE)
    assert {step.name for step in trace.steps} | {"X_kv"} == set(QUANTITIES)
