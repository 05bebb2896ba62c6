"""The exact checks: true of every input, in every arithmetic; and none of them is true of a wrong method."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactattn.errors import ExactAttnError, OptionError
from exactattn.identities import CATALOGUE, find
from exactattn.identities.checking.check import Fact
from exactattn.identities.checking.given import Given, entries_of
from exactattn.identities.proofs import check, checks
from exactattn.misconceptions import find as misconception
from exactattn.numbers.value import Value
from exactattn.trace import Trace

CHECKED = [row for row in CATALOGUE if row.check is not None]
SYMBOLIC_ONLY = {"gradient-of-logsumexp", "variance-of-scores"}

rationals = st.one_of(st.integers(-3, 3).map(str), st.fractions(-3, 3, max_denominator=5).map(str))
numbers = st.one_of(rationals, st.sampled_from(["sqrt(2)", "-sqrt(3)/2", "ln(2)", "-ln(3)", "0.125", "-1.5"]))
factors = st.sampled_from(["1/2", "2", "3/7", "5"])


@st.composite
def givens(draw: st.DrawFn, entries: st.SearchStrategy[str] = numbers) -> Given:
    n, m, d, w = (draw(st.integers(1, most)) for most in (2, 4, 2, 2))

    def row(width: int, of: st.SearchStrategy[str] = rationals) -> tuple[str, ...]:
        return tuple(draw(st.lists(of, min_size=width, max_size=width)))

    scores = draw(st.one_of(st.just(row(m, entries)), entries.map(lambda s: (s,) * m)))
    return Given(
        scores=scores,
        others=draw(st.one_of(st.just(scores), st.just(row(m, entries)))),
        queries=tuple(row(d) for _ in range(n)),
        keys=tuple(row(d) for _ in range(m)),
        values=tuple(row(w, entries) for _ in range(m)),
        constant=draw(entries),
        factor=draw(factors),
        temperatures=draw(st.sampled_from([("1/2", "1"), ("1", "3"), ("2/3", "3/4")])),
    )


def test_every_row_but_two_has_a_check_and_so_has_every_a_and_d_row():
    assert {row.name for row in CATALOGUE} - {row.name for row in CHECKED} == SYMBOLIC_ONLY
    assert all("P" in find(name).kinds for name in SYMBOLIC_ONLY)


@pytest.mark.parametrize("row", CHECKED, ids=lambda row: row.name)
@settings(max_examples=20)
@given(instance=givens())
def test_a_row_holds_of_every_input_exactly(row, instance):
    assert list(map(str, check(row, instance).failing)) == []


@pytest.mark.parametrize("row", CHECKED, ids=lambda row: row.name)
@settings(max_examples=4)
@given(instance=givens(rationals))
def test_a_row_holds_in_sympy_and_its_work_is_the_same(row, instance):
    assert check(row, instance).failing == ()
    other = replace(instance, arithmetic="sympy", traces=[])
    assert check(row, other).failing == ()
    for here, there in zip(instance.traces, other.traces, strict=True):
        for step in here.steps:
            mine, its = (trace.step(step.name, step.head).made for trace in (here, there))
            assert all(a == b for a, b in zip(entries_of(mine), entries_of(its), strict=True)), step.name


@pytest.mark.parametrize("row", CHECKED, ids=lambda row: row.name)
@settings(max_examples=4)
@given(instance=givens(), bits=st.sampled_from([11, 53]))
def test_the_work_of_a_row_in_rounded_arithmetic_is_within_its_stated_error(row, instance, bits):
    list(row.check(instance))
    rounded = replace(instance, arithmetic=f"mpmath:{bits}", traces=[])
    for here in list(instance.traces):
        problem = here.problem
        s = problem.settings
        there = rounded.attend(
            **problem.inputs,
            scale=s.scale, mask=s.mask, alignment=s.alignment, heads=s.heads, shift=s.shift, fully_masked=s.fully_masked,
        )  # fmt: skip
        for step in there.steps:
            exact = entries_of(here.step(step.name, step.head).made)
            ar: Any = there.arithmetic
            errors = [x for line in ar.error(step.made.matrix) for x in line]
            for a, b, error in zip(exact, entries_of(step.made), errors, strict=True):
                assert error is None or abs(a - b) <= Value.of(error), step.name


def test_every_row_not_proved_in_all_its_lines_is_checked_on_the_example():
    found = {one.identity.name: one for one in checks()}
    assert found.keys() == {row.name for row in CATALOGUE if set(row.kinds) & {"A", "D", "C"}}
    assert all(one.holds for one in found.values())


def test_a_row_without_a_check_is_an_error():
    with pytest.raises(OptionError, match="has no check"):
        check(find("variance-of-scores"))


# -- checks that can fail ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Wrong(Given):
    """The same inputs worked by a wrong method wherever it makes sense."""

    method: str = ""

    def attend(self, **inputs: Any) -> Trace:
        if self.method in FAULTS:
            return Given.attend(self, **FAULTS[self.method](inputs))
        trace = Given.attend(self, **inputs)
        return misconception(self.method).work(trace) or trace


def first_key_apart(inputs: dict[str, Any]) -> dict[str, Any]:
    """One more in the first place, whatever key stands there."""
    name = "K" if "K" in inputs else "scores"
    (first, *row), *rows = inputs[name]
    return inputs | {name: [[f"({first})+1", *row], *rows]}


def no_scale_by_default(inputs: dict[str, Any]) -> dict[str, Any]:
    return {"scale": "1"} | inputs


FAULTS = {"first-key-apart": first_key_apart, "no-scale-by-default": no_scale_by_default}


ORDINARY = Given(
    scores=("1", "1/2", "-1"),
    others=("0", "2", "1/3"),
    queries=(("1", "2"), ("-1", "1/2")),
    keys=(("1", "0"), ("0", "1"), ("2", "-1")),
    values=(("1", "3"), ("2", "-1"), ("4", "1/2")),
    constant="2",
    factor="3",
    temperatures=("1/2", "2"),
)

METHODS = (
    "base-two", "not-normalised", "softmax-forgotten", "sigmoid-each", "uniform", "hard-argmax", "sum-normalised",
    "softmax-over-columns", "mask-after-softmax", "mask-forgotten", "values-rows-reversed", "no-scale",
    "maximum-minus-score", "maximum-subtracted-in-the-numerator-only", "heads-interleaved", "first-head-for-all",
    "key-not-transposed", "scores-transposed", "divided-by-d-k", "wrong-triangle", "column-maximum-subtracted",
    "softmax-over-the-whole-matrix", "elementwise-product", "weights-transposed", "mask-inverted",
    "output-projection-transposed", "signs-dropped-in-scores", *FAULTS,
)  # fmt: skip

OF_NO_PIPELINE = {"soft-cap"}  # a function of scores, worked in the check itself


def refutes(row: Any, method: str) -> bool:
    fields = {name: getattr(ORDINARY, name) for name in ORDINARY.__slots__ if name not in ("traces",)}
    try:
        return bool(check(row, Wrong(**fields, method=method)).failing)
    except (ExactAttnError, ZeroDivisionError):
        return False


@pytest.mark.parametrize("row", [r for r in CHECKED if r.name not in OF_NO_PIPELINE], ids=lambda row: row.name)
def test_a_check_fails_for_some_wrong_method(row):
    assert any(refutes(row, method) for method in METHODS)


def test_an_attained_bound_is_an_equality_and_no_strict_one():
    half = Value.of("ln(2)").exp() / 4
    assert Fact(half, "<=", Value.of("1/2")).holds()
    assert Fact(half, "=", Value.of("1/2")).holds()
    assert not Fact(half, "<", Value.of("1/2")).holds()
    assert not Fact(Value.of("sqrt(2)"), "<=", Value.of("1.4")).holds()


def test_false_facts_are_said_with_both_numbers():
    assert str(Fact(Value.of("1/3"), "<", Value.of("1/4"))) == "0.333333333333 < 0.250000000000"
