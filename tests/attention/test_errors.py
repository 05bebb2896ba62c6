"""What cannot be worked is said in one line: what came, what was due, what to do."""

from __future__ import annotations

from dataclasses import replace

import numpy
import pytest

import exactattn as xa
from exactattn import errors
from exactattn.numbers.limits import LIMITS

I2 = [["1", "0"], ["0", "1"]]
ONE = [["1"]]
R3 = [["1", "2", "3"]]


def given(**changed):
    """I2 for Q, K and V, but for what is said."""
    return {"Q": I2, "K": I2, "V": I2} | changed


MATRICES = [
    (given(Q=[["1", "2"], ["3"]]), errors.ShapeError, "Q: row 2 has 1 entry, row 1 has 2: every row needs the same"),
    (given(V=[["1"], ["3", "4"]]), errors.ShapeError, "V: row 2 has 2 entries, row 1 has 1: every row needs the same"),
    (given(K=[]), errors.ShapeError, "K is no matrix: a list of rows was due, each a list of numbers"),
    (given(K=[[]]), errors.ShapeError, "K is empty: at least one row and one column are due"),
    (given(K=[[], []]), errors.ShapeError, "K is empty: at least one row and one column are due"),
    (given(K=["1", "2"]), errors.ShapeError, "K is no matrix: a list of rows was due, each a list of numbers"),
    (given(K=[1, 2]), errors.ShapeError, "K is no matrix: a list of rows was due, each a list of numbers"),
    (given(K="1 2"), errors.ShapeError, "K is no matrix: a list of rows was due, each a list of numbers"),
    (given(K=3), errors.ShapeError, "K is no matrix: a list of rows was due, each a list of numbers"),
    (given(K={"a": 1}), errors.ShapeError, "K is no matrix: a list of rows was due, each a list of numbers"),
    (given(K=numpy.zeros((2, 2, 2))), errors.ShapeError, "K has 3 dimensions: a matrix has 2"),
    (given(K=numpy.float64(2)), errors.ShapeError, "K has 0 dimensions: a matrix has 2"),
    (given(K=numpy.zeros(2)), errors.ShapeError, "K is no matrix: a list of rows was due, each a list of numbers"),
    (given(K=numpy.zeros((0, 2))), errors.ShapeError, "K is no matrix: a list of rows was due, each a list of numbers"),
    (given(K=numpy.zeros((2, 0))), errors.ShapeError, "K is empty: at least one row and one column are due"),
]

SHAPES = [
    ({}, errors.InputError, "Q and K are missing: give Q and K, or X with W_Q and W_K, or scores"),
    ({"Q": I2}, errors.InputError, "K is missing: give Q and K, or X with W_Q and W_K, or scores"),
    ({"K": I2, "V": I2}, errors.InputError, "Q is missing: give Q and K, or X with W_Q and W_K, or scores"),
    (
        {"Q": [["1"] * 5] * 2, "K": [["1"] * 4] * 3},
        errors.ShapeError,
        "keys are 3 × 4 and queries 2 × 5: both need the same width d_k",
    ),
    (given(V=ONE), errors.ShapeError, "values are 1 × 1 and keys 2 × 2: each key needs one value"),
    (given(heads=3), errors.ShapeError, "3 heads do not divide the width d_k = 2"),
    (given(V=[["1", "2", "3"]] * 2, heads=2), errors.ShapeError, "2 heads do not divide the width d_v = 3"),
    (given(X=I2), errors.InputError, "X is given and nothing is projected from it: W_K or W_Q or W_V is due"),
    (
        {"X": I2, "X_kv": I2, "Q": I2, "W_K": I2},
        errors.InputError,
        "X is given and nothing is projected from it: W_Q is due",
    ),
    (
        {"X": I2, "X_kv": I2, "K": I2, "W_Q": I2},
        errors.InputError,
        "X_kv is given and nothing is projected from it: W_K or W_V is due",
    ),
    ({"X": I2, "W_Q": I2, "W_K": I2, "Q": I2}, errors.InputError, "Q and W_Q are both given: give one or the other"),
    (given(b_Q=["1", "2"]), errors.InputError, "b_Q is given without W_Q"),
    ({"X": I2, "W_Q": I2, "b_K": ["1"], "W_V": I2}, errors.InputError, "b_K is given without W_K"),
    ({"W_Q": I2, "K": I2}, errors.InputError, "W_Q is given without X"),
    ({"Q": I2, "W_K": I2}, errors.InputError, "W_K is given without X"),
    (
        {"X": I2, "W_Q": R3, "W_K": I2},
        errors.ShapeError,
        "X is 2 × 2 and W_Q 1 × 3: the width of X must be the rows of W_Q",
    ),
    (
        {"X": I2, "X_kv": R3, "W_Q": I2, "W_K": I2},
        errors.ShapeError,
        "X_kv is 1 × 3 and W_K 2 × 2: the width of X_kv must be the rows of W_K",
    ),
    ({"X": I2, "W_Q": I2, "b_Q": ["1"], "W_K": I2}, errors.ShapeError, "b_Q has 1 entries and W_Q 2 columns"),
    (
        {"X": I2, "W_Q": I2, "b_Q": [["1", "2"], ["3", "4"]], "W_K": I2},
        errors.ShapeError,
        "b_Q has 2 rows: a bias is one row of numbers",
    ),
    (
        given(W_O=R3),
        errors.ShapeError,
        "the concatenated output is 2 × 2 and W_O 1 × 3: the width of the concatenated output must be the rows of W_O",
    ),
    (given(W_O=I2, b_O=["1"]), errors.ShapeError, "b_O has 1 entries and W_O 2 columns"),
    (given(b_O=["1", "2"]), errors.InputError, "b_O is given without W_O"),
    ({"Q": I2, "K": I2, "W_O": I2}, errors.InputError, "W_O is given without V"),
    (
        {"scores": I2},
        errors.InputError,
        'scores are given without Q and K, so the scale must be given too: scale = "1" for none',
    ),
    (
        {"scores": I2, "Q": I2, "X": I2, "scale": 1},
        errors.InputError,
        "scores are given, and Q, X too: give one or the other",
    ),
    (
        {"scores": I2, "scale": 1, "heads": 2},
        errors.OptionError,
        "scores are those of one head: 2 heads need Q and K",
    ),
    (
        {"scores": I2, "scale": 1, "V": ONE},
        errors.ShapeError,
        "values are 1 × 1 and scores 2 × 2: each key needs one value",
    ),
]

SETTINGS = [
    (given(heads=0), errors.OptionError, "heads 0: a whole number from 1 up was due"),
    (given(heads=-1), errors.OptionError, "heads -1: a whole number from 1 up was due"),
    (given(heads=1.0), errors.OptionError, "heads 1.0: a whole number from 1 up was due"),
    (given(heads="2"), errors.OptionError, "heads '2': a whole number from 1 up was due"),
    (given(heads=True), errors.OptionError, "heads True: a whole number from 1 up was due"),
    (given(heads=None), errors.OptionError, "heads None: a whole number from 1 up was due"),
    (given(scale="1/sqt(2)"), errors.NumberError,
     "scale: '1/sqt(2)' is no number: the name 'sqt' means nothing here (sqrt and ln do)"),
    (given(scale=float("inf")), errors.NumberError,
     "scale: 'inf' is no number: to keep a query from a key, use the mask"),
    (given(scale=True), errors.NumberError, "scale: True is a boolean, not a number"),
    (given(shift="maximum"), errors.OptionError, "shift 'maximum' is not one of max, none (did you mean 'max'?)"),
    (given(shift=None), errors.OptionError, "shift None is not one of max, none (did you mean 'none'?)"),
    (given(fully_masked="zeros"), errors.OptionError,
     "fully_masked 'zeros' is not one of error, zero, uniform (did you mean 'zero'?)"),
    (given(track="step"), errors.OptionError, "track 'step' is not one of carry, stepwise (did you mean 'stepwise'?)"),
    (given(ties="even"), errors.OptionError, "ties 'even' is not one of half-up, half-even (did you mean 'half-even'?)"),
    (given(alignment="left"), errors.OptionError,
     "alignment 'left' is not one of top-left, bottom-right (did you mean 'top-left'?)"),
    (given(arithmetic="exakt"), errors.OptionError,
     "arithmetic 'exakt' is not one of exact, sympy, mpmath:BITS, balls:BITS (did you mean 'exact'?)"),
    (given(arithmetic="mpmath"), errors.OptionError,
     "arithmetic 'mpmath' is not one of exact, sympy, mpmath:BITS, balls:BITS (did you mean 'mpmath:BITS'?)"),
    (given(arithmetic="mpmath:1"), errors.OptionError, "mpmath at 1 bits: 2 to 10000 were due"),
    (given(arithmetic=None), errors.OptionError, "arithmetic None: a name was due, such as exact"),
    (given(arithmetic="mpmath:11", symbols=["a"]), errors.OptionError,
     "arithmetic mpmath:11 has no letters: with symbols, sympy is due"),
    (given(symbols="a"), errors.OptionError, "symbols 'a': a list of names was due"),
    (given(symbols=None), errors.OptionError, "symbols None: a list of names was due"),
    (given(symbols=["2a"]), errors.OptionError,
     "'2a' is no name for a symbol: letters, then letters or digits, were due"),
    (given(symbols=["ln"]), errors.OptionError,
     "'ln' is no name for a symbol: letters, then letters or digits, were due"),
    (given(symbols=["a", "b", "a"]), errors.OptionError, "symbols holds 'a' twice"),
    (given(places={"weigths": 3}), errors.OptionError,
     "places of 'weigths': that is not one of Q, K, V, scores, scaled, exps, sums, weights, output, masked, maxima, "
     "shifted, concat (did you mean 'weights'?)"),
    (given(places={"weights": -1}), errors.OptionError,
     "-1 places of weights: a whole number from 0 to 10000 was due"),
    (given(places={"weights": "3"}), errors.OptionError,
     "'3' places of weights: a whole number from 0 to 10000 was due"),
    (given(places={"weights": 10**6}), errors.OptionError,
     "1000000 places of weights: a whole number from 0 to 10000 was due"),
    (given(places=3), errors.OptionError, "places 3: counts by name were due, such as weights and 3"),
]  # fmt: skip

MASKS = [
    (given(mask="casual"), errors.OptionError,
     "mask 'casual' is not one of none, causal, or a matrix of 0 and 1 (did you mean 'causal'?)"),
    (given(mask=[[1, 2], [1, 1]]), errors.OptionError,
     "mask, row 1, column 2: '2' is neither 0 nor 1 (1 = may attend)"),
    (given(mask=[[0, "-inf"], [0, 0]]), errors.OptionError,
     "mask, row 1, column 2: '-inf' is neither 0 nor 1 (1 = may attend)"),
    (given(mask=1), errors.OptionError,
     "the mask is no matrix: none, causal, or rows of 0 and 1 (1 = may attend) were due"),
    (given(mask=[]), errors.OptionError,
     "the mask is no matrix: none, causal, or rows of 0 and 1 (1 = may attend) were due"),
    (given(mask=[1, 1]), errors.OptionError,
     "the mask is no matrix: none, causal, or rows of 0 and 1 (1 = may attend) were due"),
    (given(mask=[[1, 1]]), errors.ShapeError, "the mask is 1 × 2: 2 queries and 2 keys need 2 × 2"),
    (given(mask=[[1, 1], [1]]), errors.ShapeError, "the mask is 2 × 1/2: 2 queries and 2 keys need 2 × 2"),
    (given(mask=numpy.ones((2, 2, 1))), errors.ShapeError, "mask has 3 dimensions: a matrix has 2"),
    (given(mask=[[1, 1], [0, 0]]), errors.InputError,
     "query 2 ('q2') may attend to no key: choose fully_masked = zero or uniform, or open the mask"),
    ({"Q": I2, "K": [["1", "0"]], "mask": "causal"}, errors.OptionError,
     "a causal mask over 2 queries and 1 keys needs alignment: top-left (query i sees keys up to i) "
     "or bottom-right (the last query sees all)"),
    ({"Q": I2, "K": [["1", "0"]], "mask": "causal", "alignment": "bottom-right", "tokens": ["a", "b"]},
     errors.InputError,
     "query 1 ('a') may attend to no key: choose fully_masked = zero or uniform, or open the mask"),
]  # fmt: skip

LABELS = [
    (given(tokens=["a"]), errors.LabelError, "tokens has 1, one per query is due: 2"),
    (given(tokens=["a", "b", "c"]), errors.LabelError, "tokens has 3, one per query is due: 2"),
    (given(key_tokens=["a"]), errors.LabelError, "key_tokens has 1, one per key is due: 2"),
    (given(tokens="ab"), errors.LabelError, "tokens is one text: a list of texts was due, one per query"),
    (given(tokens=7), errors.LabelError, "tokens 7: a list of texts was due, one per query"),
    (given(tokens=["a", 2]), errors.LabelError, "tokens holds 2, which is no text"),
    (given(key_tokens=["a", None]), errors.LabelError, "key_tokens holds None, which is no text"),
    (given(tokens=["a", "\ud800"]), errors.LabelError,
     "tokens holds '\\ud800': half of a character, which no file can hold"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        pytest.param(*row, id=f"{name}{k}")
        for name, rows in (
            ("matrix", MATRICES), ("shape", SHAPES), ("setting", SETTINGS), ("mask", MASKS), ("label", LABELS)
        )
        for k, row in enumerate(rows)
    ],
)  # fmt: skip
def test_each_error_says_what_came_what_was_due_and_what_to_do(arguments, kind, text):
    with pytest.raises(xa.ExactAttnError) as error:
        xa.attend(**arguments)
    assert (type(error.value), str(error.value)) == (kind, text)


def test_errors_keep_their_values():
    with pytest.raises(errors.ShapeError) as error:
        xa.attend([["1", "2"]], [["1"]])
    assert (error.value.keys, error.value.queries) == ("1 × 1", "1 × 2")


def test_limits_are_arguments():
    text = "0." + "3" * 2000
    with pytest.raises(errors.LimitError, match="a number of 2001 digits: the limit is 1000"):
        xa.attend([[text]], ONE)
    trace = xa.attend([[text]], ONE, limits=replace(LIMITS, digits=3000))
    assert trace.scores.decimal(1999)[0][0] == text[:-1]
    with pytest.raises(errors.LimitError, match="the limit is 20"):
        xa.attend(ONE, ONE, limits=replace(LIMITS, places=20)).weights.decimal(21)


def test_a_comparison_beyond_the_cap_is_no_guess():
    trace = xa.attend([["1"]], [["0"], ["1e-300"]], scale="1", limits=replace(LIMITS, bits=256))
    with pytest.raises(errors.Undecided):
        trace.weights.decimal(0)
    assert xa.attend([["1"]], [["0"], ["1e-300"]], scale="1").weights.decimal(0) == [["0", "1"]]
