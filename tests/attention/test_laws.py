"""Laws of attention over exact inputs: each is decided, none compared to within something."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

import exactattn as xa
from exactattn.arithmetic.exact import ExactArithmetic

numbers = st.one_of(
    st.integers(-4, 4).map(str),
    st.decimals(-3, 3, places=2).map(str),
    st.fractions(-3, 3, max_denominator=7).map(str),
    st.sampled_from(["sqrt(2)", "-sqrt(3)/2", "ln(2)", "-ln(3)", "1/2*ln(5)", "1e-30", "-12.5"]),
)
rationals = st.fractions(-4, 4, max_denominator=12).map(str)


@st.composite
def matrices(draw, rows, columns, entries=numbers):
    return draw(st.lists(st.lists(entries, min_size=columns, max_size=columns), min_size=rows, max_size=rows))


@st.composite
def problems(draw, heads=1, entries=numbers):
    """Q, K, V of up to 3 queries and 4 keys; `heads` blocks, each up to 2 wide."""
    n, m = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    d, w = heads * draw(st.integers(1, 2)), heads * draw(st.integers(1, 2))
    return {
        "Q": draw(matrices(n, d, entries)),
        "K": draw(matrices(m, d, entries)),
        "V": draw(matrices(m, w, entries)),
    }


@st.composite
def scored(draw, entries=numbers):
    """Scores and V, the scale 1."""
    n, m = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    return {"scores": draw(matrices(n, m, entries)), "V": draw(matrices(m, 1)), "scale": "1"}


def entries_of(quantity):
    n, m = quantity.shape
    return [[quantity[i, j] for j in range(m)] for i in range(n)]


def same(a, b):
    """Every entry of two quantities the same number."""
    return a.shape == b.shape and all(
        x == y for r, s in zip(entries_of(a), entries_of(b), strict=True) for x, y in zip(r, s, strict=True)
    )


def sign_of(a, b):
    return (a > b) - (a < b)


@given(problems())
def test_a_row_of_weights_adds_up_to_1(inputs):
    for row in entries_of(xa.attend(**inputs).weights):
        assert sum(row) == 1
        assert all(0 < weight <= 1 for weight in row)


@given(problems())
def test_taking_the_maximum_away_leaves_the_weights_and_outputs_as_they_are(inputs):
    shifted, plain = xa.attend(**inputs, shift="max"), xa.attend(**inputs, shift="none")
    assert same(shifted.weights, plain.weights)
    assert same(shifted.output, plain.output)
    assert max(max(row) for row in entries_of(shifted.exps)) == 1


@given(scored(), st.lists(numbers, min_size=3, max_size=3))
def test_any_number_added_to_a_row_of_scores_leaves_its_weights(inputs, shifts):
    moved = [[f"{text}+({c})" for text in row] for row, c in zip(inputs["scores"], shifts, strict=False)]
    for how in ("max", "none"):
        other = xa.attend(**inputs | {"scores": moved}, shift=how)
        assert same(other.weights, xa.attend(**inputs).weights)
        assert same(other.output, xa.attend(**inputs).output)


@given(problems())
def test_weights_are_ordered_as_their_scores_are_and_equal_where_they_are_equal(inputs):
    trace = xa.attend(**inputs)
    for scores, weights in zip(entries_of(trace.scores), entries_of(trace.weights), strict=True):
        for j in range(len(scores)):
            for k in range(j):
                assert sign_of(weights[j], weights[k]) == sign_of(scores[j], scores[k])
                assert (weights[j] == weights[k]) == (scores[j] == scores[k])


@given(scored())
def test_weights_of_two_rows_are_equal_when_their_scores_differ_by_one_number_and_only_then(inputs):
    trace = xa.attend(**inputs)
    scores, weights = entries_of(trace.scores), entries_of(trace.weights)
    for i in range(len(scores)):
        for k in range(i):
            gaps = [a - b for a, b in zip(scores[i], scores[k], strict=True)]
            apart = [gap - gaps[0] for gap in gaps]
            assert all(w == v for w, v in zip(weights[i], weights[k], strict=True)) == all(a == 0 for a in apart)


@given(st.lists(numbers, min_size=2, max_size=4), st.lists(numbers, min_size=2, max_size=4), st.data())
def test_one_weight_of_two_rows_is_equal_when_the_rest_of_its_row_weighs_the_same_against_it(first, second, data):
    # w = 1/(1 + r), r the others' exponentials over its own: the rows may have the others in any order
    others = data.draw(st.permutations(first[1:]))
    again = [first[0], *others]
    if data.draw(st.booleans()):
        again = (again + second)[: len(first)]
    weights = xa.attend(scores=[first, again], scale="1").weights
    rest = [
        sum(((xa.Value.of(s) - xa.Value.of(row[0])).exp() for s in row[1:]), xa.Value.of(0)) for row in (first, again)
    ]
    assert (weights[0, 0] == weights[1, 0]) == (rest[0] == rest[1])
    assert sign_of(weights[0, 0], weights[1, 0]) == -sign_of(*rest)


@given(problems())
def test_outputs_are_within_the_range_of_the_values(inputs):
    trace = xa.attend(**inputs)
    values, outputs = entries_of(trace.V), entries_of(trace.output)
    for column in range(len(values[0])):
        came = [row[column] for row in values]
        low, high = min(came), max(came)
        for row in outputs:
            assert low <= row[column] <= high
            assert (low < row[column] < high) == (low != high)


@given(problems(), st.data())
def test_the_order_of_keys_is_nothing_to_the_outputs(inputs, data):
    order = data.draw(st.permutations(range(len(inputs["K"]))))
    moved = inputs | {name: [inputs[name][j] for j in order] for name in "KV"}
    one, other = xa.attend(**inputs), xa.attend(**moved)
    assert same(one.output, other.output)
    n = len(inputs["Q"])
    assert all(one.weights[i, j] == other.weights[i, k] for i in range(n) for k, j in enumerate(order))


@given(problems(), st.data())
def test_each_query_is_worked_by_itself(inputs, data):
    i = data.draw(st.integers(0, len(inputs["Q"]) - 1))
    alone, all_of_them = xa.attend(**inputs | {"Q": [inputs["Q"][i]]}), xa.attend(**inputs)
    assert all(a == b for a, b in zip(entries_of(alone.output)[0], entries_of(all_of_them.output)[i], strict=True))


@settings(max_examples=30)
@given(st.integers(2, 3).flatmap(lambda h: st.tuples(st.just(h), problems(heads=h))))
def test_heads_split_and_put_together_are_the_heads_alone(drawn):
    heads, inputs = drawn
    trace = xa.attend(**inputs, heads=heads)
    done = []
    for h in range(heads):
        block = {
            name: [row[h * len(row) // heads : (h + 1) * len(row) // heads] for row in rows]
            for name, rows in inputs.items()
        }
        alone = xa.attend(**block)
        assert same(trace.heads[h].scaled, alone.scaled)
        assert same(trace.heads[h].weights, alone.weights)
        assert same(trace.heads[h].output, alone.output)
        done.append(entries_of(alone.output))
    together = [[x for rows in parts for x in rows] for parts in zip(*done, strict=True)]
    assert all(
        x == y for r, s in zip(entries_of(trace.output), together, strict=True) for x, y in zip(r, s, strict=True)
    )


@given(problems(), st.data())
def test_a_closed_key_is_as_good_as_no_key(inputs, data):
    m = len(inputs["K"])
    bits = data.draw(st.lists(st.booleans(), min_size=m, max_size=m).filter(any))
    masked = xa.attend(**inputs, mask=[bits] * len(inputs["Q"]))
    fewer = xa.attend(**inputs | {name: [row for row, b in zip(inputs[name], bits, strict=True) if b] for name in "KV"})
    assert same(masked.output, fewer.output)
    assert all(weight == 0 for row in entries_of(masked.weights) for weight, b in zip(row, bits, strict=True) if not b)


@given(problems(), numbers.filter(lambda text: text != "0"))
def test_a_scale_multiplies(inputs, scale):
    trace = xa.attend(**inputs, scale=scale)
    plain = xa.attend(**inputs, scale="1")
    factor = xa.Value.of(scale)
    for row, scaled in zip(entries_of(plain.scores), entries_of(trace.scaled), strict=True):
        assert all(x * factor == y for x, y in zip(row, scaled, strict=True))


@given(matrices(2, 2, rationals), matrices(3, 2, rationals), matrices(3, 1), matrices(2, 2, rationals))
def test_projecting_is_as_good_as_giving_what_is_projected(q, k, v, w):
    inputs = {"Q": q, "K": k, "V": v}
    trace = xa.attend(X=inputs["Q"], X_kv=inputs["K"], W_Q=w, W_K=w, V=inputs["V"])
    exact = [
        [
            [str(sum(Fraction(x) * Fraction(r[j]) for x, r in zip(row, w, strict=True))) for j in range(2)]
            for row in rows
        ]
        for rows in (inputs["Q"], inputs["K"])
    ]
    assert same(trace.output, xa.attend(exact[0], exact[1], inputs["V"]).output)


# -- the arithmetics --------------------------------------------------------------------------------------------------

NAMES = ("scores", "scaled", "maxima", "shifted", "exps", "sums", "weights", "output")


@settings(max_examples=30)
@given(problems())
def test_sympy_gives_the_very_same_numbers(inputs):
    exact, other = xa.attend(**inputs), xa.attend(**inputs, arithmetic="sympy")
    assert [step.function for step in exact.steps] == [step.function for step in other.steps]
    for name in NAMES:
        assert same(getattr(exact, name), getattr(other, name)), name


def test_sympy_and_exact_agree_on_powers_that_sympy_rewrites():
    # e^(ln 2 · 10^-30) is 2^(10^-30) to sympy: a root with an index beyond 2^64
    for q, k in (("ln(2)", "1e-30"), ("sqrt(2)", "ln(3)"), ("1/3", "ln(12)"), ("-ln(10)", "99999999/100000000")):
        inputs = {"Q": [[q]], "K": [["0"], [k]], "V": [["1"], ["3"]]}
        exact, other = xa.attend(**inputs), xa.attend(**inputs, arithmetic="sympy")
        assert all(same(getattr(exact, name), getattr(other, name)) for name in NAMES)
        assert exact.output.decimal(60) == other.output.decimal(60)


@settings(max_examples=40)
@given(problems(), st.sampled_from([2, 8, 11, 24, 53]))
def test_rounded_numbers_are_within_their_stated_error_of_the_exact_ones(inputs, bits):
    exact, other = xa.attend(**inputs), xa.attend(**inputs, arithmetic=f"mpmath:{bits}")
    for name in NAMES:
        quantity, true = getattr(other, name), getattr(exact, name)
        for i, row in enumerate(other.arithmetic.error(quantity.matrix)):
            for j, error in enumerate(row):
                if error is not None:
                    assert abs(quantity[i, j] - true[i, j]) <= error, name


@settings(max_examples=40)
@given(problems(), st.sampled_from([30, 64, 200]))
def test_balls_hold_the_exact_numbers(inputs, bits):
    exact, other = xa.attend(**inputs), xa.attend(**inputs, arithmetic=f"balls:{bits}")
    for name in NAMES:
        quantity, true = getattr(other, name), getattr(exact, name)
        for i, row in enumerate(entries_of(true)):
            for j, value in enumerate(row):
                low, high = other.arithmetic.interval(quantity.matrix, i, j)
                assert low <= value <= high, name


@given(problems())
def test_an_interval_holds_its_value_and_narrows(inputs):
    value = xa.attend(**inputs).output[0, 0]
    (low, high), (a, b) = value.interval(64), value.interval(300)
    assert low <= value <= high
    assert a <= value <= b
    assert b - a <= high - low
    assert isinstance(low, Fraction)


# -- steps again ------------------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(problems(heads=2), st.sampled_from([1, 2]), st.sampled_from(["none", "causal"]))
def test_every_step_again_on_what_it_read_makes_what_it_made(inputs, heads, mask):
    trace = xa.attend(**inputs, heads=heads, mask=mask, alignment="bottom-right", fully_masked="uniform")
    made = []
    for step in trace.steps:
        assert all(any(read is quantity for quantity in made) for read in step.reads)
        assert step.made is step.computed
        again = step.again(ExactArithmetic(), step.reads)
        assert (again.name, again.rows, again.columns, again.head, again.keep) == (
            step.made.name, step.made.rows, step.made.columns, step.made.head, step.made.keep,
        )  # fmt: skip
        assert same(again, step.made)
        made.append(step.made)
