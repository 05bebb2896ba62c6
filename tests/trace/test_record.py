"""The record: JSON that says what was given, read, made and printed, and is refused when it says something else."""

from __future__ import annotations

import copy
import json
import pickle
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import exactattn as xa
from exactattn import errors
from exactattn.numbers.limits import Limits
from exactattn.trace.record import schema

X = [["1", "-0.50"], ["1/3", "2"]]

TRACES = {
    "plain": lambda: xa.attend(X, X, X, tokens=["今天", "？"], scale="1/2"),
    "two heads": lambda: xa.attend(X, X, X, heads=2, W_O=X, b_O=["0", "1"], mask="causal"),
    "projected": lambda: xa.attend(X=X, X_kv=[["1", "1"]], W_Q=X, W_K=X, W_V=X, b_K=["1", "ln(2)"]),
    "from scores": lambda: xa.attend(scores=[["0", "ln(15)"]], scale="1"),
    "matrix mask": lambda: xa.attend(X, X, X, mask=[[1, 0], [0, 0]], fully_masked="uniform"),
    "closed": lambda: xa.attend(X, X, X, mask=[[1, 0], [0, 0]], fully_masked="zero", shift="none"),
    "stepwise": lambda: xa.attend(X, X, X, track="stepwise", places={"weights": 1}, ties="half-even"),
    "letters": lambda: xa.attend([["a"]], [["1"], ["a+1"]], [["2"], ["b"]], symbols=["a", "b"]),
    "sympy": lambda: xa.attend(X, X, X, arithmetic="sympy"),
    "rounded": lambda: xa.attend(X, X, X, arithmetic="mpmath:11"),
    "places": lambda: xa.attend(X, X, X, places={"weights": 12, "maxima": 7}),
    "tokens": lambda: xa.attend(X, X, X, tokens=["", "\u0000\u202e</script>"], key_tokens=["a", "a"]),
}


@pytest.fixture(scope="module", params=TRACES)
def trace(request):
    return TRACES[request.param]()


@pytest.fixture(scope="module")
def validator():
    Draft202012Validator.check_schema(schema())
    return Draft202012Validator(schema())


def test_a_record_is_as_its_schema_says(trace, validator):
    validator.validate(json.loads(trace.to_json()))


def test_a_record_read_again_is_an_equal_trace(trace):
    text = trace.to_json()
    again = xa.Trace.from_json(text)
    assert again == trace
    assert again.to_json() == text
    assert xa.Trace.from_json(text.encode()) == trace


def test_a_record_holds_every_quantity_and_step(trace):
    data = json.loads(trace.to_json())
    assert len(data["steps"]) == len(trace.steps)
    quantities = data["quantities"]
    made = []
    for step, recorded in zip(trace.steps, data["steps"], strict=True):
        assert recorded["does"] == step.function.__name__
        assert set(recorded["reads"]) <= set(made)
        for number, quantity in ((recorded["computed"], step.computed), (recorded["made"], step.made)):
            there = quantities[number]
            assert (there["name"], there["head"]) == (quantity.name, quantity.head)
            assert (tuple(there["rows"]), tuple(there["columns"])) == (quantity.rows, quantity.columns)
            assert [len(row) for row in there["exact"]] == [len(quantity.columns)] * len(quantity.rows)
        made.append(recorded["made"])
    assert len(quantities) == len({id(q) for step in trace.steps for q in (step.computed, step.made)})


def test_its_decimals_are_those_at_the_places_asked_for():
    trace = TRACES["plain"]()
    for places in (None, {"weights": 9, "output": 0}):
        data = json.loads(trace.to_json(places))
        for there in data["quantities"]:
            if there["places"] is not None:
                assert there["decimal"] == getattr(trace, there["name"]).decimal(there["places"])
        found = {there["name"]: there["places"] for there in data["quantities"]}
        assert (found["weights"], found["output"], found["scores"]) == ((3, 3, 2) if places is None else (9, 0, 2))
        assert data["places"] == (places or {})
        assert xa.Trace.from_json(trace.to_json(places)) == trace


def test_its_exact_texts_are_the_values():
    trace = TRACES["from scores"]()
    data = {there["name"]: there["exact"] for there in json.loads(trace.to_json())["quantities"]}
    assert data == {
        "scores": [["0", "ln(15)"]],
        "scaled": [["0", "ln(3) + ln(5)"]],
        "maxima": [["ln(3) + ln(5)"]],
        "shifted": [["-ln(3) - ln(5)", "0"]],
        "exps": [["1/15", "1"]],
        "sums": [["16/15"]],
        "weights": [["1/16", "15/16"]],
    }
    letters = {there["name"]: there for there in json.loads(TRACES["letters"]().to_json())["quantities"]}
    assert letters["scores"]["exact"] == [["a", "a*(a + 1)"]]
    assert letters["weights"]["decimal"] is None


def test_exact_texts_that_would_be_too_long_are_left_out():
    rows = [[f"{k}e-3"] for k in range(60)]
    trace = xa.attend(rows, rows, rows)
    text = trace.to_json()
    data = {there["name"]: there for there in json.loads(text)["quantities"]}
    assert data["weights"]["exact"] is None
    assert data["weights"]["decimal"] == trace.weights.decimal(3)
    assert data["exps"]["exact"][0][0] == str(trace.exps[0, 0])
    assert xa.Trace.from_json(text) == trace


def test_it_is_read_where_nothing_else_was_imported():
    code = "import sys, exactattn; print(exactattn.Trace.from_json(sys.stdin.read()).weights.decimal(3))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=TRACES["plain"]().to_json(),
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert (done.stderr, done.stdout.strip()) == ("", str(TRACES["plain"]().weights.decimal(3)))


# -- what is refused ----------------------------------------------------------------------------------------------------


@pytest.fixture
def data():
    return json.loads(TRACES["plain"]().to_json())


def refused(data):
    with pytest.raises(errors.InputError) as error:
        xa.Trace.from_json(data if isinstance(data, str | bytes) else json.dumps(data))
    text = str(error.value)
    assert "\n" not in text
    assert len(text) < 500
    return text


def changed(data, path, value):
    """The data with something else at a path; the value None takes it away."""
    out = copy.deepcopy(data)
    at = out
    for step in path[:-1]:
        at = at[step]
    if value is None:
        del at[path[-1]]
    else:
        at[path[-1]] = value
    return out


def number_of(data, name):
    return next(k for k, there in enumerate(data["quantities"]) if there["name"] == name)


def test_a_file_whose_values_differ_is_refused_and_says_which(data):
    why = "this trace is not what its problem gives: "
    k = number_of(data, "weights")
    assert data["quantities"][k]["decimal"][0][1] == "0.277"
    for path, value, text in (
        (["quantities", k, "decimal", 0, 1], "0.452", f"quantities[{k}].decimal[0][1] is '0.452', '0.277' was due"),
        (["quantities", k, "exact", 0, 0], "1/2", f"quantities[{k}].exact[0][0] is '1/2', "
         f"'{data['quantities'][k]['exact'][0][0]}' was due"),
        (["quantities", k, "places"], 4, f"quantities[{k}].places is 4, 3 was due"),
        (["quantities", k, "rows"], ["今天"], f"quantities[{k}].rows has 1 entries, 2 were due"),
        (["quantities", k, "keep"], [[1, 1], [1, 1]], f"quantities[{k}].keep is a list, None was due"),
        (["quantities", k, "head"], None, f"quantities[{k}].head is missing"),
        (["steps", 3, "does"], "score2", "steps[3].does is 'score2', 'score' was due"),
        (["steps", 3, "reads"], [0, 0], "steps[3].reads[1] is 0, 1 was due"),
        (["steps", 3, "made"], True, "steps[3].made is True, 3 was due"),
        (["steps"], [], f"steps has 0 entries, {len(data['steps'])} were due"),
        (["more"], 1, "'more' is there, and nothing was due"),
        (["problem", "inputs", "Q", 0, 0], "2", "quantities[0].exact[0][0] is '1', '2' was due"),
        (["problem", "settings", "scale"], "1/3", f"quantities[{number_of(data, 'scaled')}].exact[0][0] is '5/8', "
         "'5/12' was due"),
        (["problem", "settings", "heads"], 2, f"quantities has {len(data['quantities'])} entries, 26 were due"),
        (["problem", "inputs", "Q", 0, 0], 1, "problem.inputs.Q[0][0] is 1, '1' was due"),
        (["problem", "inputs", "Q", 0, 0], "01", "problem.inputs.Q[0][0] is '01', '1' was due"),
    ):  # fmt: skip
        assert refused(changed(data, path, value)) == why + text


def test_what_is_no_record_is_refused_in_one_line(data):
    settings_ = ["problem", "settings"]
    again = "this trace cannot be solved again: "
    names = "scale, mask, alignment, heads, shift, fully_masked, symbols, arithmetic, track, places, ties"
    for broken, text in (
        ("", "this is no JSON: Expecting value: line 1 column 1 (char 0)"),
        ("{", "this is no JSON: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"),
        ("[]", 'this is no trace: "format": "exactattn-trace" was due'),
        ("null", 'this is no trace: "format": "exactattn-trace" was due'),
        ('"exactattn-trace"', 'this is no trace: "format": "exactattn-trace" was due'),
        (changed(data, ["format"], "other"), 'this is no trace: "format": "exactattn-trace" was due'),
        (changed(data, ["format"], {}), 'this is no trace: "format": "exactattn-trace" was due'),
        (changed(data, ["version"], 2), "this trace has version 2: 1 is read here"),
        (changed(data, ["version"], "1"), "this trace has version '1': 1 is read here"),
        (changed(data, ["version"], None), "this trace has version None: 1 is read here"),
        (changed(data, ["pipeline"], "mlp"), "pipeline 'mlp' is not one of attention"),
        (changed(data, ["pipeline"], []), "pipeline a list is not one of attention"),
        (changed(data, ["pipeline"], {"a": 1}), "pipeline an object is not one of attention"),
        (changed(data, ["pipeline"], None), "pipeline None is not one of attention"),
        (changed(data, ["problem"], None), again + "the problem is no object: inputs, tokens, key_tokens, settings were due"),
        (changed(data, ["problem"], []), again + "the problem is no object: inputs, tokens, key_tokens, settings were due"),
        (changed(data, ["problem", "tokens"], None), again + "the problem: tokens is missing"),
        (changed(data, ["problem", "token"], []), again + "the problem: 'token' is not one of "
         "inputs, tokens, key_tokens, settings (did you mean 'tokens'?)"),
        (changed(data, ["problem", "inputs"], []), again + "the inputs are no object: matrices by name were due"),
        (changed(data, ["problem", "inputs", "W"], X), again + "input 'W' is not one of "
         "Q, K, V, X, X_kv, W_Q, W_K, W_V, b_Q, b_K, b_V, W_O, b_O, scores"),
        (changed(data, ["problem", "inputs", "Q"], None), again + "Q is missing: "
         "give Q and K, or X with W_Q and W_K, or scores"),
        (changed(data, ["problem", "inputs", "Q"], "1"), again + "Q is no matrix: a list of rows was due, "
         "each a list of numbers"),
        (changed(data, ["problem", "inputs", "Q", 0], ["1"]), again + "Q: row 2 has 2 entries, row 1 has 1: "
         "every row needs the same"),
        (changed(data, ["problem", "inputs", "Q", 0, 0], "x"), again + "Q, row 1, column 1: 'x' is no number: "
         "the name 'x' means nothing here (sqrt and ln do)"),
        (changed(data, ["problem", "inputs", "Q", 0, 0], ["1"]), again + "Q, row 1, column 1: \"['1']\" of type list is "
         "no number: text, int, Fraction, Decimal, float or a sympy number was due"),
        (changed(data, ["problem", "inputs", "Q", 0, 0], True), again + "Q, row 1, column 1: True is a boolean, "
         "not a number"),
        (changed(data, ["problem", "inputs", "Q", 0, 0], "1e9999999999"), again + "Q, row 1, column 1: a decimal exponent of "
         "9999999999: the limit is 4000 (raise it with the limit 'exponent')"),
        (changed(data, ["problem", "tokens"], "今天"), again + "tokens is one text: a list of texts was due, one per query"),
        (changed(data, ["problem", "tokens"], 3), again + "tokens 3: a list of texts was due, one per query"),
        (changed(data, ["problem", "tokens", 0], 3), again + "tokens holds 3, which is no text"),
        (changed(data, ["problem", "key_tokens"], ["a"]), again + "key_tokens has 1, one per key is due: 2"),
        (changed(data, settings_, []), again + f"the settings is no object: {names} were due"),
        (changed(data, [*settings_, "sclae"], "1"), again + f"the settings: 'sclae' is not one of {names} "
         "(did you mean 'scale'?)"),
        (changed(data, [*settings_, "ties"], None), again + "the settings: ties is missing"),
        (changed(data, [*settings_, "heads"], "1"), again + "heads '1': a whole number from 1 up was due"),
        (changed(data, [*settings_, "heads"], 10**16), again + "10000000000000000 heads do not divide the width d_k = 2"),
        (changed(data, [*settings_, "scale"], []), again + "scale: '[]' of type list is no number: "
         "text, int, Fraction, Decimal, float or a sympy number was due"),
        (changed(data, [*settings_, "mask"], {}), again + "the mask is no matrix: none, causal, "
         "or rows of 0 and 1 (1 = may attend) were due"),
        (changed(data, [*settings_, "mask"], [[1, 1]]), again + "the mask is 1 × 2: 2 queries and 2 keys need 2 × 2"),
        (changed(data, [*settings_, "symbols"], "a"), again + "symbols 'a': a list of names was due"),
        (changed(data, [*settings_, "symbols"], [["a"]]), again + "['a'] is no name for a symbol: "
         "letters, then letters or digits, were due"),
        (changed(data, [*settings_, "arithmetic"], 5), again + "arithmetic 5: a name was due, such as exact"),
        (changed(data, [*settings_, "arithmetic"], "mpmath:99999999"), again + "arithmetic 'mpmath:99999999' is not one of "
         "exact, sympy, mpmath:BITS, balls:BITS"),
        (changed(data, [*settings_, "arithmetic"], "balls:64"), again + "balls:64 gives enclosures, which have no exact "
         "digits: work in exact, or ask for intervals"),
        (changed(data, [*settings_, "track"], {}), again + "track {} is not one of carry, stepwise"),
        (changed(data, [*settings_, "places"], {"x": 1}), again + "places of 'x': that is not one of Q, K, V, scores, scaled, "
         "exps, sums, weights, output, masked, maxima, shifted, concat"),
        (changed(data, ["places"], None), again + "places are no object: counts by name were due"),
        (changed(data, ["places"], {"weights": -1}), again + "-1 places: a whole number from 0 up was due"),
        (changed(data, ["places"], {"weights": "3"}), again + "'3' places: a whole number from 0 up was due"),
        (changed(data, ["places"], {"weights": 10**9}), again + "1000000000 places: the limit is 10000 "
         "(raise it with the limit 'places')"),
        (changed(data, ["places"], {"Weights": 3}), again + "places of 'Weights': that is no quantity"),
    ):  # fmt: skip
        assert refused(broken) == text


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[" * 100_000, "this JSON is nested too deep for a trace"),
        ("[" * 50 + "]" * 50, "this JSON is nested too deep for a trace"),
        ('{"a":' * 500 + "1" + "}" * 500, "this JSON is nested too deep for a trace"),
        ('{"version": 1.5}', "this is no trace: the number '1.5' stands in it, and not as text"),
        ('{"version": 1e400}', "this is no trace: the number '1e400' stands in it, and not as text"),
        ('{"version": NaN}', "this is no trace: the number 'NaN' stands in it, and not as text"),
        ('{"version": -Infinity}', "this is no trace: the number '-Infinity' stands in it, and not as text"),
        (
            '{"version": ' + "9" * 5000 + "}",
            "this is no trace: the number '" + "9" * 60 + "…' stands in it, and not as text",
        ),
        ('{"format": 1, "format": 2}', "'format' stands twice in one object of this JSON"),
        (b"\xff\xfe{", "this is no JSON: 'utf-16-le' codec can't decode byte 0x7b in position 2: truncated data"),
    ],
    ids=["deep", "50 deep", "deep objects", "1.5", "1e400", "NaN", "inf", "5000 digits", "twice", "utf-16"],
)
def test_hostile_json_is_refused_in_one_line(text, why):
    assert refused(text) == why


def test_a_text_was_due():
    with pytest.raises(errors.InputError, match="this is no JSON: the JSON object must be str, bytes or bytearray"):
        xa.Trace.from_json(None)


anything = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(-3, 10**20), st.floats(), st.text(max_size=5), st.sampled_from(["1", "a"])
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=150)
@given(st.data())
def test_whatever_stands_in_a_record_it_is_read_or_refused(data):
    record = json.loads(TRACES["plain"]().to_json(), parse_float=str)
    at, path = record, []
    while isinstance(at, dict | list) and at and (not path or data.draw(st.integers(0, 4))):
        key = data.draw(st.sampled_from(list(at) if isinstance(at, dict) else list(range(len(at)))))
        path.append((at, key))
        at = at[key]
    holder, key = path[-1]
    holder[key] = data.draw(anything)
    said = ""
    try:
        xa.Trace.from_json(json.dumps(record))
    except errors.InputError as error:
        said = str(error)
    assert "\n" not in said


def test_a_record_beyond_the_limits_is_read_with_those_it_was_made_with():
    from dataclasses import replace

    from exactattn.numbers.limits import LIMITS

    limits = replace(LIMITS, digits=3000)
    trace = xa.attend([["0." + "3" * 2000]], [["1"]], limits=limits)
    assert refused(trace.to_json()).startswith(
        "this trace cannot be solved again: Q, row 1, column 1: a number of 2001 digits"
    )
    assert xa.Trace.from_json(trace.to_json(), limits) == trace


def test_numbers_in_a_record_are_exact():
    trace = xa.Trace.from_json(xa.attend([["0.1"]], [["0.2"]], [["1e-300"]]).to_json())
    assert trace.output[0, 0] == Fraction(1, 10**300)


@pytest.mark.parametrize("name", TRACES)
def test_a_pickled_trace_comes_back_with_the_same_numbers(name):
    trace = TRACES[name]()
    back = pickle.loads(pickle.dumps(trace))
    assert back == trace
    assert back.to_json() == trace.to_json()


def test_a_pickled_trace_is_read_where_nothing_is_imported_yet():
    code = "import pickle, sys; print(pickle.load(sys.stdin.buffer).output.decimal(30)[0][0])"
    trace = TRACES["plain"]()
    read = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(trace), capture_output=True, check=True)
    assert read.stdout.decode().strip() == trace.output.decimal(30)[0][0]


def test_raised_limits_are_kept_in_a_pickle():
    raised = Limits(places=20_000)
    trace = xa.attend(X, X, X, limits=raised)
    back = pickle.loads(pickle.dumps(trace))
    assert len(back.output[0, 0].decimal(15_000)) == len("0.") + 15_000


def test_what_cannot_be_pickled_says_what_can():
    trace = TRACES["plain"]()
    way = "is not pickled by itself: pickle its trace, or keep Trace.to_json"
    with pytest.raises(TypeError, match=rf"^a quantity {way}$"):
        pickle.dumps(trace.weights)
    with pytest.raises(TypeError, match=rf"^a step {way}$"):
        pickle.dumps(trace.steps[0])
    wrong = replace(trace, steps=trace.steps[:-1])
    text = "this trace cannot be pickled: it is not what its problem gives; Trace.to_json writes what it holds"
    with pytest.raises(TypeError, match=f"^{text}$"):
        pickle.dumps(wrong)
    assert pickle.loads(pickle.dumps(TRACES["two heads"]().heads[1])).index == 1


def test_a_pickled_solution_prints_the_same_page():
    solution = xa.solve("xian", heads=2, places={"weights": 5})
    back = pickle.loads(pickle.dumps(solution))
    assert back.trace == solution.trace
    assert xa.render(back, "text", lang="en") == xa.render(solution, "text", lang="en")
