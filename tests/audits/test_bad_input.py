"""Bad input: one clear line that says where it stands, and never anything but an error of the package."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactattn as xa
from exactattn.audits import as_data, report
from exactattn.errors import CaseError, LimitError, NumberError, OptionError, ShapeError, Undecided
from exactattn.numbers.limits import LIMITS

INPUTS = {"Q": [["1", "0"], ["0", "1"]], "K": [["1", "0"], ["0", "1"]], "V": [["1"], ["2"]]}
STEPS = "Q, K, V, scores, scaled, shifted, exps, sums, weights, output"


def audited(printed: Any, **attention: Any) -> xa.Audit:
    return xa.audit({"inputs": INPUTS, "attention": attention, "printed": printed})


def weights(entry: Any) -> dict[str, Any]:
    return {"weights": [["0.5", "0.5"], ["0.5", entry]]}


@pytest.mark.parametrize(
    ("printed", "kind", "error"),
    [
        (3, CaseError, "printed is no table: one matrix for each printed quantity was due"),
        ([], CaseError, "printed is no table: one matrix for each printed quantity was due"),
        ({"weigths": []}, CaseError, f"printed has 'weigths', which is no step (did you mean 'weights'?); the steps are {STEPS}"),
        ({"softmax": []}, CaseError, f"printed has 'softmax', which is no step; the steps are {STEPS}"),
        ({"X": []}, CaseError, f"printed has 'X', which is no step; the steps are {STEPS}"),
        ({"heads": [{}, {}]}, CaseError, "printed.heads has 2: one table for each of the 1 heads was due"),
        ({"heads": {}}, CaseError, "printed.heads has no list: one table for each of the 1 heads was due"),
        ({"heads": [[]]}, CaseError, "printed.heads[1] is no table: one matrix for each printed quantity was due"),
        ({"heads": [{"sum": []}]}, CaseError,
         f"printed.heads[1] has 'sum', which is no step (did you mean 'sums'?); the steps are {STEPS}"),
        ({"weights": "0.5"}, CaseError, "printed.weights is no matrix: a list of rows was due"),
        ({"weights": {"a": []}}, CaseError, "printed.weights is no matrix: a list of rows was due"),
        ({"weights": ["0.5", "0.5"]}, CaseError, "printed.weights, row 1 is no list: rows of numbers were due"),
        ({"sums": [["1"], ["2"]]}, CaseError, "printed.sums, row 1 is no number: one for each row was due"),
        ({"weights": [["1", "0"]]}, ShapeError, "printed weights is 1 × 2: 2 × 2 was due"),
        ({"weights": [["1", "0"], ["0"]]}, ShapeError, "printed weights is 2 × 1 or 2: 2 × 2 was due"),
        ({"weights": [[], ["0", "1", "2"]]}, ShapeError, "printed weights is 2 × 3: 2 × 2 was due"),
        ({"sums": ["1"]}, ShapeError, "printed sums is 1 × 1: 2 × 1 was due"),
        ({"output": [["1", "2"], ["1", "2"]]}, ShapeError, "printed output is 2 × 2: 2 × 1 was due"),
        ({"Q": [["1"], ["2"]]}, ShapeError, "printed Q is 2 × 1: 2 × 2 was due"),
        ({"V": [["1"]]}, ShapeError, "printed V is 1 × 1: 2 × 1 was due"),
        ({"heads": [{"V": [["1"]]}]}, ShapeError, "printed V is 1 × 1: 2 × 1 was due"),
        (weights("half"), NumberError,
         "printed.weights, row 2, column 2: 'half' is no number: the name 'half' means nothing here (sqrt and ln do)"),
        (weights(True), NumberError, "printed.weights, row 2, column 2: True is a boolean, not a number"),
        (weights("1/0"), NumberError, "printed.weights, row 2, column 2: '1/0' is no number: division by zero"),
        (weights("nan"), NumberError, "printed.weights, row 2, column 2: 'nan' is no number"),
        (weights("inf"), NumberError,
         "printed.weights, row 2, column 2: 'inf' is no number: to keep a query from a key, use the mask"),
        (weights("0,5"), NumberError,
         "printed.weights, row 2, column 2: '0,5' is no number: a comma is a decimal mark only under decimal = \",\""),
        (weights("1e9999"), LimitError,
         "printed.weights, row 2, column 2: a decimal exponent of 9999: the limit is 4000 (raise it with the limit 'exponent')"),
        ({"sums": ["1", "x"]}, NumberError,
         "printed.sums, row 2: 'x' is no number: the name 'x' means nothing here (sqrt and ln do)"),
    ],
)  # fmt: skip
def test_what_is_printed_must_be_matrices_of_numbers(printed, kind, error):
    with pytest.raises(kind) as raised:
        audited(printed)
    assert str(raised.value) == error


@pytest.mark.parametrize(
    ("attention", "error"),
    [
        ({"exact": "weights"}, f"[attention] exact = 'weights': a list of the steps {STEPS} was due"),
        ({"exact": ["wieghts"]}, f"[attention] exact = ['wieghts']: a list of the steps {STEPS} was due"),
        ({"inputs_rounded": "yes"}, "[attention] inputs_rounded = 'yes': true or false was due"),
        ({"inputs_rounded": 1}, "[attention] inputs_rounded = '1': true or false was due"),
        ({"scael": "1"}, "[attention] has no 'scael' (did you mean 'scale'?)"),
    ],
)
def test_what_is_said_of_operands_must_be_known(attention, error):
    with pytest.raises(CaseError) as raised:
        audited({}, **attention)
    assert str(raised.value) == error


def test_an_audit_needs_something_printed_and_numbers():
    with pytest.raises(CaseError, match=r"^case 'case' prints nothing: an audit needs \[printed\]$"):
        xa.audit({"inputs": INPUTS})
    with pytest.raises(CaseError, match=r"^case 'case' holds letters: an audit judges numbers$"):
        xa.audit({"inputs": {"scores": [["a", "0"]]}, "symbols": ["a"], "attention": {"scale": "1"}, "printed": {}})
    with pytest.raises(OptionError, match=r"^fail-on 'al' is not one of wrong, any$"):
        audited({}).passes("al")


@pytest.mark.parametrize(
    "printed", [{}, {"weights": []}, {"weights": [[], []]}, {"weights": [["", None], []]}, {"sums": [None, ""]}]
)
def test_nothing_printed_is_nothing_wrong(printed):
    found = xa.audit({"printed": printed, "attention": {"scale": "1"}})
    assert found.totals == {}
    assert found.passes("any")
    assert found.cause is None
    assert as_data(found)["numbers"] == []
    assert report(found).blocks


@pytest.mark.parametrize(
    "case",
    [
        # without inputs, shapes are held against each other
        {"printed": {"weights": [["1", "0"], ["0"]]}},
        {"printed": {"V": [["1"], ["1", "2"]]}},
        {"printed": {"V": [["1"]] * 3, "weights": [["1", "0"]]}},
        {"printed": {"output": [["1"]] * 3, "weights": [["1", "0"]]}},
        {"printed": {"weights": [["1", "0"]] * 2}, "attention": {"mask": [[1, 0]]}},
        {"inputs": {"Q": [["1", "2"]]}, "printed": {"Q": [["1"]]}},
        {"inputs": {"Q": [["1", "2"]]}, "printed": {"Q": [["1", "2"]] * 2}},
        {"inputs": {"K": [["1", "2"]]}, "printed": {"scores": [["1", "2"]]}},
    ],
)
def test_shapes_that_do_not_fit_together_are_refused_without_inputs_too(case):
    with pytest.raises(ShapeError, match=r"^printed \w+ is .* was due$"):
        xa.audit(case)


def test_decimal_commas_are_read_where_a_case_has_them():
    case = {
        "decimal": ",",
        "inputs": {"scores": [["0,5", "0"]], "V": [["1,5"], ["2"]]},
        "attention": {"scale": "1"},
        "printed": {"weights": [["0,622", "0,378"]], "output": [["1,69"]]},
        "claims": {"row_sums": {"weights": "1,000"}},
    }
    found = xa.audit(case)
    assert set(found.totals) == {"ok"}
    assert found.passes()
    with pytest.raises(
        NumberError, match=r"^printed\.weights, row 1, column 1: 0\.622 is no number|'0\.622' is no number"
    ):
        xa.audit(case | {"printed": {"weights": [["0.622", "0,378"]]}})


def test_an_undecided_comparison_is_an_error_with_the_precision_reached():
    # t = 1/2 + e^-200/(2 + 2·e^-200) is above the tie of 0 and 1 by 10^-87
    case = {
        "inputs": {"scores": [["0", "200"]], "V": [["1"], ["0.5"]]},
        "attention": {"scale": "1"},
        "printed": {"output": [["0"]]},
    }
    assert xa.audit(case).verdicts == {"output": [["last-digit"]]}
    with pytest.raises(Undecided, match=r"still open at (64|128) bits \(raise the limit 'bits'\)"):
        xa.audit(case, replace(LIMITS, bits=128))


# -- anything at all -----------------------------------------------------------------------------------------------------------

WRITTEN = ["0.5", "1", "-0.00", "1/3", "sqrt(2)", "-inf", "", "1e-3", "2.5e2", "0.25", "x", "1/0", None]
OTHERS = st.one_of(st.booleans(), st.integers(-3, 3), st.text(max_size=3), st.lists(st.integers(), max_size=2))
ENTRIES = st.one_of(st.sampled_from(WRITTEN), OTHERS)
MATRICES = st.one_of(st.lists(st.one_of(st.lists(ENTRIES, max_size=3), ENTRIES), max_size=3), ENTRIES)
FITTING = st.integers(0, 3).flatmap(
    lambda m: st.lists(
        st.lists(st.sampled_from(["0.5", "1", "1/3", "-inf", None]), min_size=m, max_size=m), min_size=m, max_size=m
    )
)
NAMES = st.sampled_from([*STEPS.split(", "), "heads", "wieghts"])
TABLES = st.one_of(st.dictionaries(NAMES, st.one_of(MATRICES, FITTING), max_size=4), ENTRIES)


@settings(max_examples=150)
@given(
    TABLES,
    st.dictionaries(st.sampled_from(["Q", "K", "V", "X", "W_Q", "W_K", "b_Q", "W_O", "scores"]), FITTING, max_size=4),
    st.fixed_dictionaries({}, optional={
        "scale": st.sampled_from(["1", "0", "-1/2", "x"]), "mask": st.sampled_from(["none", "causal", [[1, 0], [1, 1]]]),
        "alignment": st.just("top-left"), "heads": st.integers(1, 2), "shift": st.sampled_from(["max", "none"]),
        "exact": st.sampled_from([["V"], "V", []]), "inputs_rounded": st.booleans(),
    }),
    st.fixed_dictionaries({}, optional={"marked": TABLES, "claims": TABLES}),
)  # fmt: skip
def test_whatever_stands_there_is_audited_or_refused(printed, inputs, attention, others):
    case = {"printed": printed, "inputs": inputs, "attention": attention} | others
    try:
        found = xa.audit(case)
    except xa.ExactAttnError as error:
        said = str(error)
    else:
        said = str(as_data(found)["passes"])
        assert report(found, "zh").blocks
    assert "\n" not in said
