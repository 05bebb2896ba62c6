"""What a source says beside its numbers: entries marked as the largest of their row, and what rows add up to."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import exactattn as xa
from exactattn.errors import CaseError

INPUTS = {"scores": [["0", "ln(2)", "ln(2)"], ["ln(4)", "0", "0"]], "V": [["4", "0"], ["0", "5"], ["0", "5"]]}
# weights 1/5, 2/5, 2/5 / 4/6, 1/6, 1/6; outputs 0.8, 4 / 8/3, 5/3


def audited(**tables: Any) -> xa.Audit:
    return xa.audit({"inputs": INPUTS, "attention": {"scale": "1"}, "printed": {}} | tables)


def marks(found: xa.Audit) -> list[tuple[str, int, int, tuple[int, ...]]]:
    return [(one.name, one.row, one.column, one.largest) for one in found.marks]


def test_a_mark_on_a_largest_entry_is_right_though_there_are_two_of_them():
    assert marks(audited(marked={"weights": [[0, 1], [0, 2], [1, 0]], "output": [[0, 1], [1, 0]]})) == []


def test_a_mark_elsewhere_is_wrong_and_the_largest_are_said():
    found = audited(marked={"weights": [[0, 0], [1, 2]], "output": [[1, 1]]})
    assert marks(found) == [("weights", 0, 0, (1, 2)), ("weights", 1, 2, (0,)), ("output", 1, 1, (0,))]
    assert not found.passes()


def test_marks_are_judged_by_true_values_and_not_by_printed_ones():
    # both print as 0.5, and the marked one is the smaller by a hair
    case = {
        "inputs": {"scores": [["0", "0.001"]], "V": [["1"], ["1"]]},
        "attention": {"scale": "1"},
        "printed": {"weights": [["0.5", "0.5"]]},
        "marked": {"weights": [[0, 0]]},
    }
    assert marks(xa.audit(case)) == [("weights", 0, 0, (1,))]
    # without inputs the printed numbers are all there is: equal, so either may be marked
    del case["inputs"]
    assert marks(xa.audit(case)) == []
    case["printed"]["weights"] = [["0.4", "0.6"]]
    assert marks(xa.audit(case)) == [("weights", 0, 0, (1,))]


def test_masked_entries_are_no_candidates():
    case = {
        "inputs": {"scores": [["1", "9"], ["1", "0"]]},
        "attention": {"scale": "1", "mask": "causal"},
        "printed": {},
        "marked": {"scores": [[0, 0]], "scaled": [[0, 0], [1, 0]]},
    }
    assert marks(xa.audit(case)) == []
    case["marked"] = {"scaled": [[0, 1]]}
    assert marks(xa.audit(case)) == [("scaled", 0, 1, (0,))]


@pytest.mark.parametrize(
    ("marked", "error"),
    [
        ([], r"\[marked\] is no table: output = \[\[0, 0\], \[2, 1\]\] \(row, column, from 0\) was due"),
        ({"weight": []}, r"\[marked\] has 'weight', which is no step \(did you mean 'weights'\?\)"),
        ({"weights": 3}, r"\[marked\] weights is no list of places: \[\[0, 0\], \[2, 1\]\] was due"),
        ({"weights": [3]}, r"\[marked\] weights has '3': a row and a column, from 0, were due"),
        ({"weights": [[0, 0, 0]]}, r"\[marked\] weights has \['0', '0', '0'\]: a row and a column, from 0, were due"),
        ({"weights": [[0, "-1"]]}, r"\[marked\] weights has \['0', '-1'\]: a row and a column, from 0, were due"),
        ({"weights": [[2, 0]]}, r"\[marked\] weights has \(2, 0\), which is no place of it \(counted from 0\)"),
        ({"weights": [[0, 3]]}, r"\[marked\] weights has \(0, 3\), which is no place of it \(counted from 0\)"),
        ({"exps": [[0, 10**40]]}, r"\[marked\] exps has \(0, 1000.*\), which is no place of it \(counted from 0\)"),
    ],
)
def test_marks_that_are_none(marked, error):
    with pytest.raises(CaseError, match=f"^{error}$"):
        audited(marked=marked)


def test_a_mark_on_what_is_neither_known_nor_printed_is_no_place():
    with pytest.raises(CaseError, match=r"^\[marked\] K has \(0, 0\), which is no place of it \(counted from 0\)$"):
        audited(marked={"K": [[0, 0]]})


WEIGHTS = {"weights": [["0.20", "0.40", "0.40"], ["0.67", "0.17", "0.17"]]}


def claims(found: xa.Audit) -> list[tuple[str, int, Any, Any]]:
    return [(one.name, one.row, Fraction(one.claimed.decimal(9)), Fraction(one.sum.decimal(9))) for one in found.claims]


def test_a_claim_about_every_row_is_held_against_the_printed_digits():
    found = audited(printed=WEIGHTS, claims={"row_sums": {"weights": "1"}})
    assert claims(found) == [("weights", 1, 1, Fraction("1.01"))]
    assert set(found.totals) == {"ok"}
    assert not found.passes()


def test_each_row_may_have_its_own_claim_or_none():
    said = {"row_sums": {"weights": ["1.00", "1.01"]}}
    assert claims(audited(printed=WEIGHTS, claims=said)) == []
    assert claims(audited(printed=WEIGHTS, claims={"row_sums": {"weights": [None, 1]}})) == [
        ("weights", 1, 1, Fraction("1.01"))
    ]
    assert claims(audited(printed=WEIGHTS, claims={"row_sums": {"weights": ["5/5", None]}})) == []


def test_a_row_that_is_not_whole_adds_up_to_nothing():
    printed = {"weights": [["0.20", None, "0.40"], []]}
    assert claims(audited(printed=printed, claims={"row_sums": {"weights": "1"}})) == []


def test_a_claim_is_exact_however_many_digits_it_has():
    printed = {"exps": [["0.1", "0.2", "0.3"], [], []][:2]}
    assert claims(audited(printed=printed, claims={"row_sums": {"exps": "0.6"}})) == []
    long = "0.6" + "0" * 50 + "1"
    assert len(claims(audited(printed=printed, claims={"row_sums": {"exps": long}}))) == 1


@pytest.mark.parametrize(
    ("said", "error"),
    [
        ([], r"\[claims\] knows row_sums = \{ weights = \"1\" \}: what the text says the printed rows add up to"),
        (
            {"sums": {}},
            r"\[claims\] knows row_sums = \{ weights = \"1\" \}: what the text says the printed rows add up to",
        ),
        ({"row_sums": 1}, r"\[claims\] row_sums is no table: row_sums = \{ weights = \"1\" \} was due"),
        ({"row_sums": {"output": "1"}}, r"\[claims\] row_sums speaks of 'output', which is not printed"),
        ({"row_sums": {"weights": ["1"]}}, r"\[claims\] row_sums of weights has 1 numbers for 2 rows"),
        ({"row_sums": {"weights": "one"}}, r"\[claims\] row_sums of weights: 'one' is no number: .*"),
        ({"row_sums": {"weights": {"a": "1"}}}, r"\[claims\] row_sums of weights: .*"),
        ({"row_sums": {"weights": True}}, r"\[claims\] row_sums of weights: True is a boolean, not a number"),
    ],
)
def test_claims_that_are_none(said, error):
    with pytest.raises(xa.ExactAttnError, match=f"^{error}$"):
        audited(printed=WEIGHTS, claims=said)
