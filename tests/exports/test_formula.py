"""Formulas in answers: given what is true, they give what is true, in every track of the softmax."""

from __future__ import annotations

from fractions import Fraction

import pytest

from exactattn.attention import attend
from exactattn.errors import InputError
from exactattn.exports.formula import (
    Answer,
    Constant,
    Exponential,
    FormulaArithmetic,
    Largest,
    Product,
    Quotient,
    Sum,
    answers,
    at,
    constants,
    worked,
)
from exactattn.numbers.value import Value

Q, K, V = [["1", "-1/2"], ["2", "1"]], [["0", "1"], ["1", "3/2"], ["-1", "2"]], [["1", "2"], ["-3", "0"], ["5", "1/3"]]
TRACES = {
    "plain": attend(Q=Q, K=K, V=V),
    "causal": attend(Q=Q, K=K[:2], V=V[:2], mask="causal"),
    "heads": attend(
        Q=[["1", "0", "2", "1"], ["0", "1", "1", "1"]], K=[["1", "1", "0", "2"], ["2", "0", "1", "0"]],
        V=[["1", "2"], ["3", "4"]], heads=2, W_O=[["1", "2"], ["0", "-1"]],
    ),
    "projected": attend(
        X=[["1", "2"], ["0", "1"]], W_Q=[["1", "0"], ["1", "1"]], W_K=[["2", "0"], ["0", "1"]], W_V=[["1", "1"], ["0", "2"]]
    ),
}  # fmt: skip


@pytest.mark.parametrize("maximum", ["kept", "left-out"])
@pytest.mark.parametrize("name", ["Q", "K", "V", "scaled", "weights"])
@pytest.mark.parametrize("trace", TRACES)
def test_true_answers_give_the_true_output(trace, name, maximum):
    found = TRACES[trace]
    instead, values = {}, {}
    for k, step in enumerate(step for step in found.steps if step.computed.name == name):
        q = step.computed
        n, m = q.shape
        cells = {(i, j): (k, i * m + j) for i in range(n) for j in range(m) if q.keep is None or q.keep[i][j]}
        rows = constants(q)
        instead[name, q.head] = tuple(
            tuple(Answer(cells[i, j]) if (i, j) in cells else rows[i][j] for j in range(m)) for i in range(n)
        )
        values |= {cell: q.value(i, j) for (i, j), cell in cells.items()}
    out = found.output
    formulas = worked(found, instead, maximum)["output", out.head]
    for i, row in enumerate(formulas):
        for j, formula in enumerate(row):
            assert answers(formula)
            low, high = at(formula, values).interval(128)
            true_low, true_high = out.value(i, j).interval(128)
            assert low <= true_high
            assert true_low <= high
            assert high - low < Fraction(1, 10**30)


def test_what_no_answer_changes_is_one_constant():
    trace = TRACES["plain"]
    rows = list(constants(trace.weights))
    rows[1] = (Answer((0, 0)), Answer((0, 1)), Answer((0, 2)))
    found = worked(trace, {("weights", trace.weights.head): tuple(rows)})["output", trace.output.head]
    assert all(isinstance(one, Constant) for one in found[0])
    assert found[1][0] == Sum((Answer((0, 0)), *found[1][0].terms[1:]))
    assert found[0][0].value == trace.output.value(0, 0)


def test_nothing_is_multiplied_by_0_or_1():
    ar = FormulaArithmetic()
    x = Answer((0, 0))
    zero, one, two = (ar.number(text) for text in "012")
    assert ar.times(x, zero) == ar.times(zero, x) == ar.over(zero, x)
    assert ar.is_zero(ar.times(x, zero))
    assert ar.times(one, x) is x
    assert ar.plus(x, zero) is x
    assert isinstance(ar.times(two, x), Product)
    assert isinstance(ar.over(x, two), Quotient)
    assert isinstance(ar.e(x), Exponential)
    assert ar.e(zero).value == 1
    assert ar.largest([zero, two, one], 0).value == 2
    assert ar.largest([zero, x], 0) == Largest((zero, x))
    assert ar.largest([x], 0) is x


def test_of_answers_the_largest_counts():
    formula = Largest((Answer((0, 0)), Constant(Value.of("1/3"))))
    assert at(formula, {(0, 0): Value.of("1/4")}) == "1/3"
    assert at(formula, {(0, 0): Value.of("1/2")}) == "1/2"


def test_a_formula_has_no_digits():
    with pytest.raises(InputError, match="no digits"):
        FormulaArithmetic().exact(((Answer((0, 0)),),))
