"""Names and values: every one of a case file is known and of its kind, or the error names the place and what was due."""

# ruff: noqa: E501 (an error text stands whole on its line)

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy

from exactattn.cases import Case, load_case
from exactattn.errors import CaseError, ExactAttnError, NumberError, OptionError, ShapeError

SCORES = {"inputs": {"scores": [[1, 2], [3, 4]]}}


def message(tree, kind: type[ExactAttnError] = CaseError) -> str:
    with pytest.raises(kind) as caught:
        load_case(tree)
    return str(caught.value)


def with_entry(entry, **more) -> Case:
    return load_case({"inputs": {"scores": [[entry]]}, **more})


# -- names -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        ({"tokns": ["a"]}, "the case has no 'tokns' (did you mean 'tokens'?)"),
        ({"Q": [[1]]}, "the case has no 'Q': it belongs in [inputs]"),
        ({"mask": "causal"}, "the case has no 'mask': it belongs in [attention]"),
        ({"rows": ["a"]}, "the case has no 'rows': it belongs in [show]"),
        ({"attention": {"scael": "1"}}, "[attention] has no 'scael' (did you mean 'scale'?)"),
        ({"attention": {"scale": "1", "show": 1}}, "[attention] has no 'show' (it knows scale, mask, alignment, heads, shift, fully_masked)"),
        ({"inputs": {"Wq": [[1]]}}, "[inputs] has no 'Wq' (did you mean 'W_Q'?)"),
        ({"inputs": {"q": [[1]]}}, "[inputs] has no 'q' (did you mean 'Q'?)"),
        ({"inputs": {"tokens": ["a"]}}, "[inputs] has no 'tokens': it belongs at the top of the case, above its first [table]"),
        ({"show": {"language": "zh"}}, "[show] has no 'language' (did you mean 'lang'?)"),
        ({"show": {"langs": "zh"}}, "[show] has no 'langs' (did you mean 'lang'?)"),
        ({"compare": [{"scale": "1"}, {"haeds": 2}]}, "[[compare]] 2 has no 'haeds' (did you mean 'heads'?)"),
        ({"compare": [{"exact": True}]}, "[[compare]] 1 has no 'exact' (it knows label, scale, mask, alignment, heads, shift, fully_masked)"),
        ({"\x1b[31m": 1}, "the case has no '\\x1b[31m' (it knows id, title, tokens, key_tokens, symbols, decimal, binary, inputs, attention, show, compare)"),
    ],
)  # fmt: skip
def test_an_unknown_name_is_an_error_with_its_place_and_a_suggestion(tree, text):
    assert message({**SCORES, **tree}) == text


def test_the_names_an_audit_reads_are_kept_and_not_looked_into():
    tree = SCORES | {
        "about": "why",
        "source": "a book, CC BY 4.0",
        "expected": {"verdicts": {}},
        "also_printed": {"x": [1.5, True, None]},
        "errata": [{"where": "here"}],
        "printed": {"weights": [["0.5", "-inf"]]},
        "marked": {},
        "claims": [],
        "ask": {"quantity": "weights", "places": 3, "tolerance": 0.01},
        "attention": {"scale": "1", "exact": True, "inputs_rounded": 3},
    }
    case = load_case(tree)
    assert case.source == "a book, CC BY 4.0"
    assert case.extra["printed"] == {"weights": [["0.5", "-inf"]]}
    assert case.extra["ask"] == {"quantity": "weights", "places": "3", "tolerance": "0.01"}
    assert case.extra["also_printed"] == {"x": ["1.5", True, None]}
    assert (case.extra["attention.exact"], case.extra["attention.inputs_rounded"]) == (True, "3")
    assert case.attention.given() == {"scale": "1"}


# -- kinds of value ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        ({}, "the case has no [inputs]: give Q, K and V, or X with W_Q, W_K and W_V, or scores"),
        ({"inputs": {}}, "[inputs] is empty: give Q, K and V, or X with W_Q, W_K and W_V, or scores"),
        ({"inputs": [1]}, "[inputs] is a list: a table was due"),
        ({"title": 3}, "title is the number 3: a text in quotes was due"),
        ({"id": ["a"]}, "id is a list: a text in quotes was due"),
        ({"tokens": "我爱"}, "tokens is the text '我爱': a list of texts was due"),
        ({"tokens": ["a", 1]}, "tokens, position 2 is the number 1: a text in quotes was due"),
        ({"symbols": "a"}, "symbols is the text 'a': a list of texts was due"),
        ({"symbols": ["a", "a"]}, "symbols holds 'a' twice"),
        ({"symbols": ["sqrt"]}, "symbols, position 1: 'sqrt' is no name for a symbol: letters, then letters or digits, were due"),
        ({"symbols": ["a+b"]}, "symbols, position 1: 'a+b' is no name for a symbol: letters, then letters or digits, were due"),
        ({"decimal": ";"}, "decimal is the text ';': . or , was due"),
        ({"binary": 1}, "binary is the number 1: true or false was due"),
        ({"attention": "causal"}, "[attention] is the text 'causal': a table was due"),
        ({"attention": {"mask": "casual"}}, "mask is the text 'casual': none, causal, or rows of 0 and 1 (1 = may attend) was due (did you mean 'causal'?)"),
        ({"attention": {"mask": True}}, "mask is a boolean: a list of rows (or the path of a .csv or .npy file) was due"),
        ({"attention": {"mask": [[1, 2]]}}, "mask, row 1, column 2 is the number 2: 1 (may attend) or 0 was due"),
        ({"attention": {"mask": [[True]]}}, "mask, row 1, column 1 is true: write 1 for may attend, 0 for not (libraries differ on what true means)"),
        ({"attention": {"heads": 0}}, "heads is the number 0: a whole number from 1 was due"),
        ({"attention": {"heads": "2"}}, "heads is the text '2': a whole number from 1 was due"),
        ({"attention": {"heads": 1.5}}, "heads is the number 1.5: a whole number from 1 was due"),
        ({"attention": {"heads": True}}, "heads is a boolean: a whole number from 1 was due"),
        ({"attention": {"alignment": "left"}}, "alignment is the text 'left': top-left or bottom-right was due (did you mean 'top-left'?)"),
        ({"attention": {"shift": "maximum"}}, "shift is the text 'maximum': max or none was due (did you mean 'max'?)"),
        ({"attention": {"fully_masked": "nan"}}, "fully_masked is the text 'nan': error, zero or uniform was due"),
        ({"show": {"layout": "short"}}, "[show] layout is the text 'short': full, brief, ledger or worksheet was due"),
        ({"show": {"rows": "a"}}, "[show] rows is the text 'a': a list of texts was due"),
        ({"show": {"places": {"scores": -1}}}, "[show] places, scores is the number -1: a whole number from 0 was due"),
        ({"show": {"places": 1.5}}, "[show] places is the number 1.5: a whole number from 0 was due"),
        ({"show": {"places": {}}}, "[show] places is a table: at least one quantity with its places was due"),
        ({"compare": {"scale": "1"}}, "compare is a table: a list of tables, each [[compare]], was due"),
        ({"compare": [{"label": "x"}]}, "[[compare]] 1 changes nothing: name a scale, mask or number of heads"),
        ({"compare": [{"heads": 0}]}, "[[compare]] 1, heads is the number 0: a whole number from 1 was due"),
    ],
)  # fmt: skip
def test_a_value_of_another_kind_is_an_error_that_says_what_was_due(tree, text):
    assert message({} if not tree else {**SCORES, **tree}) == text


def test_an_unknown_language_is_an_error():
    text = message(SCORES | {"show": {"lang": "fr"}}, OptionError)
    assert text == "[show] lang: language 'fr' is not one of en, zh"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("auto", "auto"),
        (" 3 ", "3"),
        (3, "3"),
        ("scores=2,exps=4", "scores=2,exps=4"),
        ({"scores": 2, "exps": 4}, "scores=2,exps=4"),
    ],
)
def test_places_may_be_text_a_number_or_a_table(given, kept):
    assert load_case(SCORES | {"show": {"places": given}}).show.places == kept


# -- shapes ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inputs", "text"),
    [
        ({"Q": []}, "Q is empty: rows of numbers were due"),
        ({"Q": [[]]}, "Q, row 1 is empty: numbers were due"),
        ({"Q": [[1, 2], [3]]}, "Q: row 2 has 1 entry, row 1 has 2: every row needs the same"),
        ({"b_Q": [[1], [2]]}, "b_Q has 2 rows: a bias is one row"),
        ({"Q": np.zeros((2, 2, 2))}, "Q is an array of shape 2 × 2 × 2: rows and columns were due"),
        ({"Q": np.zeros(3)}, "Q is an array of shape 3: rows and columns were due"),
        ({"Q": np.zeros((0, 3))}, "Q is empty: rows of numbers were due"),
    ],
)
def test_a_matrix_has_rows_of_one_width(inputs, text):
    assert message({"inputs": inputs}, ShapeError) == text


@pytest.mark.parametrize(
    ("inputs", "text"),
    [
        ({"Q": [1, 2]}, "Q, row 1 is the number 1: a list of numbers (one row alone is [[1, 2]]) was due"),
        ({"Q": "1 2; 3 4"}, "Q is the text '1 2; 3 4': a list of rows (or the path of a .csv or .npy file) was due"),
        ({"Q": None}, "Q is null: a list of rows (or the path of a .csv or .npy file) was due"),
        ({"Q": 3}, "Q is the number 3: a list of rows (or the path of a .csv or .npy file) was due"),
    ],
)
def test_a_matrix_is_a_list_of_rows(inputs, text):
    assert message({"inputs": inputs}) == text


@pytest.mark.parametrize(
    ("tree", "text"),
    [
        ({"tokens": ["a"], "inputs": {"Q": [[1], [2]]}}, "tokens: 1 given, and Q (2 rows) needs 2"),
        ({"tokens": ["a"], "inputs": {"X": [[1], [2]]}}, "tokens: 1 given, and X (2 rows) needs 2"),
        ({"key_tokens": ["a"], "inputs": {"scores": [[1, 2]]}}, "key_tokens: 1 given, and scores (2 columns) needs 2"),
        ({"key_tokens": ["a"], "inputs": {"K": [[1], [2]]}}, "key_tokens: 1 given, and K (2 rows) needs 2"),
        ({"key_tokens": ["a"], "inputs": {"X": [[1]], "X_kv": [[1], [2]]}}, "key_tokens: 1 given, and X_kv (2 rows) needs 2"),
        ({"key_tokens": ["a"], "inputs": {"X": [[1], [2]]}}, "key_tokens: 1 given, and X (2 rows) needs 2"),
    ],
)  # fmt: skip
def test_tokens_are_one_for_each_row(tree, text):
    assert message(tree, ShapeError) == text


def test_tokens_may_repeat_be_empty_and_hold_anything():
    tokens = ["the", "the", "", "\x1b[31m", "</script>", "\\input{x}", "Ġthe", "🙂", "x" * 200]
    assert load_case({"tokens": tokens, "inputs": {"scores": [[1]] * 9}}).tokens == tuple(tokens)


def test_a_vector_may_be_flat_or_one_row():
    case = load_case({"inputs": {"b_Q": [1, "½"], "b_K": [[1, 2]], "b_V": np.array([1.5, 2])}})
    assert case.inputs == {"b_Q": (("1", "1/2"),), "b_K": (("1", "2"),), "b_V": (("1.5", "2.0"),)}


# -- numbers -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("entry", "text"),
    [
        ("−0.5", "-0.5"), ("１．５", "1.5"), ("\u00a0 2 \ufeff", "2"), ("½", "1/2"), ("1½", "3/2"), ("2⁄3", "2/3"), ("-1½", "-3/2"),
        ("sqrt(2)/2", "sqrt(2)/2"), ("2 * ln(3)", "2*ln(3)"), (0.1, "0.1"), (Fraction(2, 3), "2/3"), (Decimal("1.50"), "1.50"),
        (np.float32(0.1), "0.1"), (np.int8(3), "3"), (sympy.sqrt(2), "sqrt(2)"), (sympy.Rational(1, 3), "1/3"),
    ],
)  # fmt: skip
def test_numbers_as_people_and_programs_have_them(entry, text):
    assert with_entry(entry).inputs["scores"] == ((text,),)


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ("abc", "'abc' is no number: the name 'abc' means nothing here (sqrt and ln do)"),
        ("-inf", "'-inf' is no number: to keep a query from a key, use the mask"),
        ("−∞", "'-∞' is no number: to keep a query from a key, use the mask"),
        (np.float32("-inf"), "'-inf' is no number: to keep a query from a key, use the mask"),
        (float("nan"), "'nan' is no number"),
        ("1/0", "'1/0' is no number: division by zero"),
        ("sqrt(-1)", "'sqrt(-1)' is no number: sqrt takes a rational number that is not negative"),
        ("0,5", "'0,5' is no number: a comma is a decimal mark only under decimal = \",\""),
        ("", "'' is no number: it is empty"),
        (True, "True is a boolean, not a number"),
        (1j, "1j is complex: attention by hand takes real numbers"),
        (None, "'None' of type NoneType is no number: text, int, Fraction, Decimal, float or a sympy number was due"),
        ("__import__('os')", '"__import__(\'os\')" is no number: unexpected "\'"'),
    ],
    ids=lambda x: repr(x)[:20],
)
def test_what_is_no_number_is_named_in_its_place(entry, why):
    tree = {"inputs": {"Q": [[1, 2, 3], [4, 5, entry]]}}
    assert message(tree, NumberError) == f"Q, row 2, column 3: {why}"


def test_a_logarithm_times_a_logarithm_is_left_to_the_arithmetic():
    assert with_entry("ln(2)*ln(3)").inputs["scores"] == (("ln(2)*ln(3)",),)


def test_a_decimal_comma_is_read_only_where_it_is_declared():
    assert with_entry("-0,50", decimal=",", attention={"scale": "0,5"}).attention.scale == "0.5"
    assert with_entry("-0,50", decimal=",").inputs["scores"] == (("-0.50",),)
    assert with_entry(0.5, decimal=",").inputs["scores"] == (("0.5",),)
    text = message({"inputs": {"scores": [["0.5"]]}, "decimal": ","}, NumberError)
    assert text == "scores, row 1, column 1: '0.5' is no number: under decimal = \",\" a point is no decimal mark"


def test_declared_symbols_and_no_others_stand_in_entries():
    assert with_entry("2*a + sqrt(b)", symbols=["a", "b"]).inputs["scores"] == (("2*a+sqrt(b)",),)
    assert with_entry(sympy.Symbol("a") + 1, symbols=["a"]).inputs["scores"] == (("a+1",),)
    text = message({"symbols": ["a"], "inputs": {"scores": [["c"]]}}, NumberError)
    why = "'c' is no number: the name 'c' means nothing here (sqrt and ln do; the declared symbols are a)"
    assert text == f"scores, row 1, column 1: {why}"
    text = message({"symbols": ["a"], "inputs": {"scores": [["1/0"]]}}, NumberError)
    assert text == "scores, row 1, column 1: '1/0' is no number: division by zero"


def test_the_scale_keeps_its_written_form_and_is_a_number():
    assert load_case(SCORES | {"attention": {"scale": "1/sqrt(4)"}}).attention.scale == "1/sqrt(4)"
    text = message(SCORES | {"attention": {"scale": "half"}}, NumberError)
    assert text == "scale: 'half' is no number: the name 'half' means nothing here (sqrt and ln do)"


def test_a_float_means_its_decimal_and_under_binary_its_bits():
    bits = str(Fraction(0.1))
    assert with_entry(0.1, binary=True).inputs["scores"] == ((bits,),)
    assert with_entry(np.float32(0.1), binary=True).inputs["scores"] == ((str(Fraction(float(np.float32(0.1)))),),)
    assert with_entry("0.1", binary=True).inputs["scores"] == (("0.1",),)
    text = message({"inputs": {"scores": [[float("nan")]]}, "binary": True}, NumberError)
    assert text == "scores, row 1, column 1: nan is no number"


def test_matrices_may_be_numpy_arrays_and_sympy_matrices():
    case = load_case(
        {
            "inputs": {
                "Q": np.array([[0.1, 2]], dtype="float32"),
                "K": sympy.Matrix([[sympy.Rational(1, 2), 3]]),
                "V": [np.array([1, 2])],
            },
            "attention": {"mask": np.array([[1]])},
        }
    )
    assert case.inputs == {"Q": (("0.1", "2.0"),), "K": (("1/2", "3"),), "V": (("1", "2"),)}
    assert case.attention.mask == ((1,),)


def test_a_boolean_array_is_no_mask():
    text = message(SCORES | {"attention": {"mask": np.array([[True]])}})
    assert text.startswith("mask, row 1, column 1 is true: write 1 for may attend")


def test_a_mask_may_be_written_as_text():
    assert load_case(SCORES | {"attention": {"mask": [["1", "0"], ["1", 1]]}}).attention.mask == ((1, 0), (1, 1))


def test_a_list_within_itself_is_an_error():
    knot: list = []
    knot.append(knot)
    with pytest.raises(ExactAttnError, match="nested more than 100 deep"):
        load_case(SCORES | {"about": knot})
