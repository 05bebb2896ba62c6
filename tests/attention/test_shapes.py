"""What can be worked: projections, cross-attention, heads, masks, later starts, letters."""

from __future__ import annotations

from fractions import Fraction

import pytest

import exactattn as xa

Q = [["1", "2"], ["0", "-1"]]
K = [["0.5", "1"], ["2", "0"], ["-1", "1"]]
V = [["1", "0", "2"], ["0", "1", "-1"], ["3", "3", "0"]]
HALF = Fraction(1, 2)


def names(trace):
    return [(step.name, step.head) for step in trace.steps]


def all_entries(quantity):
    return [[quantity[i, j] for j in range(quantity.shape[1])] for i in range(quantity.shape[0])]


def test_the_steps_in_the_order_of_the_article():
    trace = xa.attend(Q, K, V)
    assert [step.function.__name__ for step in trace.steps] == [
        "given", "given", "given", "score", "scale", "maximum", "shift", "exponentiate", "total", "divide", "mix",
    ]  # fmt: skip
    assert [step.name for step in trace.steps[3:]] == [
        "scores", "scaled", "maxima", "shifted", "exps", "sums", "weights", "output",
    ]  # fmt: skip


def test_values_may_be_wider_than_keys_and_as_many_queries_as_one_likes():
    trace = xa.attend(Q, K, V)
    shapes = {step.name: step.made.shape for step in trace.steps}
    assert shapes == {
        "Q": (2, 2), "K": (3, 2), "V": (3, 3), "scores": (2, 3), "scaled": (2, 3), "maxima": (2, 1),
        "shifted": (2, 3), "exps": (2, 3), "sums": (2, 1), "weights": (2, 3), "output": (2, 3),
    }  # fmt: skip
    assert all_entries(trace.scores) == [[Fraction(5, 2), 2, 1], [-1, 0, -1]]
    assert trace.problem.settings.scale == "1/sqrt(2)"


def test_without_values_the_work_stops_at_the_weights():
    trace = xa.attend(Q, K)
    assert trace.steps[-1].name == "weights"
    assert not hasattr(trace, "output")
    assert [step.name for step in xa.attend(Q, K, heads=2).steps][-1] == "weights"


def test_from_scores():
    trace = xa.attend(scores=[["0", "ln(3)"]], V=[["4"], ["8"]], scale="1")
    assert [step.name for step in trace.steps][:3] == ["V", "scores", "scaled"]
    assert trace.output[0, 0] == 7
    assert [step.name for step in xa.attend(scores=[[0, "-2.7"]], scale="1").steps][-1] == "weights"


def test_from_scores_with_an_output_projection():
    trace = xa.attend(scores=[["0", "ln(3)"]], V=[["4"], ["8"]], scale="1", W_O=[["2", "-1"]], b_O=["0", "1/2"])
    assert all_entries(trace.output) == [[14, Fraction(-13, 2)]]
    assert trace.heads[0].output[0, 0] == 7


def test_projections_with_biases():
    trace = xa.attend(
        X=[["1", "2"], ["3", "4"]],
        W_Q=[["1"], ["1"]], b_Q=["0.5"],
        W_K=[["1"], ["-1"]], b_K=[["-1"]],
        W_V=[["0", "1"], ["1", "0"]], b_V=["10", "20"],
    )  # fmt: skip
    assert all_entries(trace.Q) == [[Fraction(7, 2)], [Fraction(15, 2)]]
    assert all_entries(trace.K) == [[-2], [-2]]
    assert all_entries(trace.V) == [[12, 21], [14, 23]]
    assert all_entries(trace.output) == [[13, 22], [13, 22]]  # equal keys: the mean
    step = trace.step("Q")
    assert [read.name for read in step.reads] == ["X", "W_Q", "b_Q"]


def test_keys_and_values_from_elsewhere():
    trace = xa.attend(
        X=[["1"]], X_kv=[["1"], ["2"], ["3"]], W_Q=[["2"]], W_K=[["0"]], W_V=[["3"]],
        tokens=["le"], key_tokens=["the", "cat", "sat"],
    )  # fmt: skip
    assert trace.weights["le", "cat"] == Fraction(1, 3)
    assert trace.output["le", "1"] == 6
    assert trace.K.rows == ("the", "cat", "sat")


def test_keys_from_one_x_may_be_called_differently():
    given = {"X": [["1"], ["2"]], "W_Q": [["1"]], "W_K": [["1"]], "W_V": [["1"]]}
    trace = xa.attend(**given, tokens=["a", "b"], key_tokens=["A", "B"])
    assert (trace.weights.rows, trace.weights.columns) == (("a", "b"), ("A", "B"))
    assert (trace.V.rows, trace.X.rows, trace.output.rows) == (("A", "B"), ("a", "b"), ("a", "b"))
    assert xa.attend(**given).weights.columns == ("k1", "k2")


@pytest.mark.parametrize(
    ("tokens", "key_tokens", "rows", "columns"),
    [
        (None, None, ("q1", "q2"), ("k1", "k2", "k3")),
        (["a", "b"], None, ("a", "b"), ("k1", "k2", "k3")),
        (None, ["x", "y", "z"], ("q1", "q2"), ("x", "y", "z")),
    ],
)
def test_labels_by_default(tokens, key_tokens, rows, columns):
    weights = xa.attend(Q, K, tokens=tokens, key_tokens=key_tokens).weights
    assert (weights.rows, weights.columns) == (rows, columns)


def test_labels_of_as_many_keys_as_queries_are_shared():
    assert xa.attend(Q, Q, tokens=["a", "b"]).weights.columns == ("a", "b")
    assert xa.attend(Q, Q, key_tokens=["a", "b"]).weights.rows == ("a", "b")


# -- heads ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("heads", [1, 2, 3, 4, 6, 12])
def test_any_number_of_heads_that_divides(heads):
    rows = [[str((3 * i + j * j) % 7 - 3) for j in range(12)] for i in range(3)]
    trace = xa.attend(rows, rows, rows, heads=heads)
    assert len(trace.heads) == heads
    assert trace.output.shape == (3, 12)
    assert trace.problem.settings.scale == f"1/sqrt({12 // heads})"
    for k, head in enumerate(trace.heads):
        assert head.scores.head == k
        assert head.weights.shape == (3, 3)
        width = 12 // heads
        assert head.output.columns == tuple(str(j + 1) for j in range(k * width, (k + 1) * width))
        assert all(head.output[0, j] == trace.output[0, k * width + j] for j in range(width))
    assert (trace.step_or_none("concat", None), len({step.head for step in trace.steps})) == (None, heads + 1)


def test_heads_and_an_output_projection():
    trace = xa.attend(Q, Q, V=[["1", "3"], ["1", "5"]], heads=2, W_O=[["1", "0"], ["1", "-1"]], b_O=["0.5", "0"])
    assert trace.concat.shape == (2, 2)
    assert names(trace)[-2:] == [("concat", None), ("output", None)]
    for i in range(2):
        assert trace.output[i, 0] == trace.concat[i, 0] + trace.concat[i, 1] + HALF
        assert trace.output[i, 1] == -trace.concat[i, 1]
        assert trace.concat[i, 1] == trace.heads[1].output[i, 0]
        assert trace.heads[1].concat[i, 0] == 1


def test_of_several_heads_each_has_its_own():
    trace = xa.attend(Q, Q, Q, heads=2)
    with pytest.raises(xa.ExactAttnError) as error:
        trace.weights  # noqa: B018
    assert str(error.value) == "each of the 2 heads has its own weights: see trace.heads[k].weights"
    assert trace.heads[0].weights is not trace.heads[1].weights
    assert trace.heads[0].Q.columns == ("1",)
    assert trace.Q.columns == ("1", "2")


# -- masks ------------------------------------------------------------------------------------------------------------


def open_entries(trace):
    return [[int(weight != 0) for weight in row] for row in all_entries(trace.weights)]


def test_a_causal_mask():
    trace = xa.attend([["1"]] * 3, [["1"], ["2"], ["3"]], [["1"], ["2"], ["3"]], mask="causal")
    assert open_entries(trace) == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert trace.output[0, 0] == 1
    assert [step.name for step in trace.steps][4:7] == ["scaled", "masked", "maxima"]
    assert trace.masked.keep == ((True, False, False), (True, True, False), (True, True, True))
    assert trace.maxima[1, 0] == 2  # of what is open


@pytest.mark.parametrize(
    ("n", "m", "alignment", "bits"),
    [
        (2, 3, "top-left", [[1, 0, 0], [1, 1, 0]]),
        (2, 3, "bottom-right", [[1, 1, 0], [1, 1, 1]]),
        (3, 2, "top-left", [[1, 0], [1, 1], [1, 1]]),
        (3, 2, "bottom-right", [[0, 0], [1, 0], [1, 1]]),
        (2, 2, None, [[1, 0], [1, 1]]),
    ],
)
def test_alignments_of_a_causal_mask(n, m, alignment, bits):
    trace = xa.attend([["1"]] * n, [["1"]] * m, mask="causal", alignment=alignment, fully_masked="zero")
    assert open_entries(trace) == bits


@pytest.mark.parametrize("one", [1, True, "1", 1.0], ids=repr)
def test_a_mask_as_a_matrix(one):
    trace = xa.attend([["1"]] * 2, [["1"]] * 2, [["3"], ["5"]], mask=[[one, 0], [one, one]])
    assert all_entries(trace.output) == [[3], [4]]


@pytest.mark.parametrize("shift", ["max", "none"])
def test_a_row_with_no_key_is_nothing_or_everything_as_one_says(shift):
    given = {"scores": [["5", "-7"], ["1", "1"]], "V": [["2"], ["4"]], "scale": "1", "mask": [[0, 0], [1, 1]]}
    zero = xa.attend(**given, fully_masked="zero", shift=shift)
    assert all_entries(zero.weights) == [[0, 0], [HALF, HALF]]
    assert all_entries(zero.output) == [[0], [3]]
    assert all_entries(zero.sums)[0] == [0]
    uniform = xa.attend(**given, fully_masked="uniform", shift=shift)
    assert all_entries(uniform.weights) == [[HALF, HALF], [HALF, HALF]]
    assert all_entries(uniform.output) == [[3], [3]]
    assert uniform.weights.decimal(3) == [["0.500", "0.500"]] * 2
    assert zero.weights.decimal(3) == [["0.000", "0.000"], ["0.500", "0.500"]]
    with pytest.raises(xa.ExactAttnError) as error:
        xa.attend(**given, shift=shift, tokens=["a", "b"])
    assert (
        str(error.value)
        == "query 1 ('a') may attend to no key: choose fully_masked = zero or uniform, or open the mask"
    )


@pytest.mark.parametrize("arithmetic", ["exact", "sympy", "mpmath:53"])
@pytest.mark.parametrize("fully_masked", ["zero", "uniform"])
def test_closed_rows_in_every_arithmetic(arithmetic, fully_masked):
    trace = xa.attend(
        [["1"]] * 3, [["2"]] * 2, [["2"], ["4"]], mask="causal", alignment="bottom-right",
        fully_masked=fully_masked, arithmetic=arithmetic,
    )  # fmt: skip
    assert trace.output.decimal(2) == [["0.00" if fully_masked == "zero" else "3.00"], ["2.00"], ["3.00"]]


# -- scale and shift --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scale", "value"),
    [("1/sqrt(3)", "sqrt(3)/3"), ("ln(2)", "ln(2)"), ("-1/2", "-0.5"), (HALF, "1/2"), (0.125, "0.125"), (2, "2"), ("0", "0")],
)  # fmt: skip
def test_a_scale_is_any_number(scale, value):
    trace = xa.attend([["3"]], [["2"], ["-1"]], scale=scale)
    assert all_entries(trace.scaled) == [[6 * xa.Value.of(value), -3 * xa.Value.of(value)]]


def test_a_scale_of_ln_2_makes_powers_of_2():
    trace = xa.attend([["1"]], [["0"], ["1"], ["2"]], [["1"], ["2"], ["3"]], scale="ln(2)")
    assert [str(weight) for weight in all_entries(trace.weights)[0]] == ["1/7", "2/7", "4/7"]
    assert str(trace.output[0, 0]) == "17/7"


def test_without_a_shift_there_are_no_maxima():
    trace = xa.attend(Q, K, V, shift="none")
    assert not hasattr(trace, "maxima")
    assert not hasattr(trace, "shifted")
    assert trace.exps[0, 1] == (xa.Value.of("2") * xa.Value.of("1/sqrt(2)")).exp()


# -- letters ----------------------------------------------------------------------------------------------------------


def test_letters_come_out_as_letters():
    sympy = pytest.importorskip("sympy")
    a, b = sympy.symbols("a b", real=True)
    trace = xa.attend([["a", "0"]], [["1", "0"], ["0", "1"]], [["b"], ["2"]], symbols=["a", "b"], scale="1")
    assert trace.problem.settings.arithmetic == "sympy"
    weights, output = trace.weights.to_sympy(), trace.output.to_sympy()
    assert sympy.simplify(weights[0, 0] - sympy.exp(a) / (1 + sympy.exp(a))) == 0
    assert sympy.simplify(output[0, 0] - (b * sympy.exp(a) + 2) / (1 + sympy.exp(a))) == 0
    assert sympy.simplify(sum(weights) - 1) == 0
    assert weights.free_symbols == {a}


def test_letters_with_numbers_put_in_are_the_numbers_worked():
    sympy = pytest.importorskip("sympy")
    q, k, v = [["a", "1"], ["-2", "b/2"]], [["1", "a"], ["0", "3"], ["b", "-1"]], [["a*b"], ["2"], ["a - 1"]]
    trace = xa.attend(q, k, v, symbols=["a", "b"])
    put = {"a": "3/2", "b": "-sqrt(2)"}
    letters = {sympy.Symbol(name, real=True): sympy.sympify(text) for name, text in put.items()}
    in_numbers = [
        [[text.replace("a", "(3/2)").replace("b", "(-sqrt(2))") for text in row] for row in rows] for rows in (q, k, v)
    ]
    plain = xa.attend(*in_numbers)
    for name in ("scores", "scaled", "weights", "output"):
        there = getattr(trace, name).to_sympy().subs(letters)
        due = getattr(plain, name)
        for i in range(due.shape[0]):
            for j in range(due.shape[1]):
                assert abs(sympy.N(there[i, j] - due[i, j].to_sympy(), 40)) < sympy.Float("1e-35")


def test_a_row_without_open_letters_still_has_its_largest_score():
    trace = xa.attend([["1"]], [["a"], ["a + 1"], ["a - ln(2)"]], symbols=["a"], scale="1")
    assert [str(x) for x in trace.maxima.to_sympy()] == ["a + 1"]
    assert [str(x) for x in trace.exps.to_sympy()] == ["exp(-1)", "1", "exp(-1)/2"]


def test_letters_have_no_digits():
    trace = xa.attend([["a"]], [["1"], ["2"]], symbols=["a"])
    for ask in (lambda: trace.weights.decimal(3), lambda: trace.scores[0, 0], lambda: trace.weights.significant(3)):
        with pytest.raises(xa.ExactAttnError, match="it holds letters, so it has no digits"):
            ask()
