"""Audits as JSON: what the schema says, the same numbers as the audit, the same bytes each time."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import exactattn as xa
from exactattn.audits import VERDICTS, as_data, schema, to_json

DATA = Path(__file__).parent.parent / "data"
FILES = [*sorted((DATA / "published").glob("*.json")), *sorted((DATA / "edges").glob("*.json"))]
VALIDATOR = Draft202012Validator(schema())


def test_the_schema_is_one_and_knows_every_verdict_and_identity():
    Draft202012Validator.check_schema(schema())
    assert schema()["$defs"]["verdict"]["enum"] == list(VERDICTS)


@pytest.mark.parametrize("path", [*FILES, "xian"], ids=lambda path: getattr(path, "stem", path))
def test_every_audit_is_as_the_schema_says_and_says_what_the_audit_does(path):
    found = xa.audit(path)
    data = json.loads(to_json(found))
    VALIDATOR.validate(data)
    assert data == json.loads(json.dumps(as_data(found)))
    assert data["verdicts"] == found.verdicts
    assert data["totals"] == found.totals == dict(Counter(one["verdict"] for one in data["numbers"]))
    assert data["passes"] == {"wrong": found.passes(), "any": found.passes("any")}
    assert len(data["identities"]) == len(found.refuted)


def test_numbers_hold_their_true_and_recomputed_values_and_the_interval_where_they_are_not_right():
    case = {
        "inputs": {"scores": [["0.52", "0.00"]]},
        "attention": {"scale": "1", "shift": "none"},
        "printed": {"scaled": [["0.5", "0.0"]], "exps": [["1.60", "1/1"]], "sums": ["2.6"], "output": [["-inf"]]},
    }
    data = as_data(xa.audit(case))
    VALIDATOR.validate(data)
    explained, exact, sums, output = data["numbers"][2:]
    low, high = map(Fraction, explained.pop("interval"))
    assert Fraction("1.56831218") < low < Fraction("1.56831219")
    assert Fraction("1.73325301") < high < Fraction("1.73325302")
    assert explained == {
        "name": "exps", "head": None, "row": 0, "column": 0, "printed": "1.60", "places": 2,
        "true": "1.6820", "recomputed": "1.6487", "verdict": "explainable",
    }  # fmt: skip
    assert (exact["printed"], exact["places"], exact["true"], exact["verdict"]) == ("1/1", None, "1.000000", "ok")
    # e^0.52 + 1 = 2.682, and 1.60 + 1 = 2.60
    assert (sums["true"], sums["recomputed"], sums["verdict"]) == ("2.682", "2.600", "early-rounding")
    assert (output["printed"], output["true"], output["recomputed"], output["interval"]) == ("-inf", None, None, None)
    assert data["id"] == "case"


def test_heads_marks_claims_and_causes_are_told():
    found = xa.audit("xian")
    data = as_data(found)
    assert data["marks"] == [
        {"name": "output", "row": 0, "column": 0, "largest": [2]},
        {"name": "output", "row": 2, "column": 1, "largest": [0]},
    ]
    assert data["claims"] == [{"name": "weights", "row": 5, "claimed": "1.000000000", "sum": "0.9990000000"}]
    assert data["cause"] is None
    assert data["digits"]["places"]["weights"] == 5
    data = as_data(xa.audit(DATA / "published" / "two-head-head1.json"))
    assert data["cause"]["methods"] == [["base-two"]]
    assert (data["cause"]["first"]["name"], data["cause"]["first"]["verdict"]) == ("weights", "wrong")


def test_the_same_example_gives_the_same_bytes():
    assert to_json(xa.audit("xian")) == to_json(xa.audit("xian"))
    assert repr(xa.audit("xian")) == "<Audit xian: 58 ok, 21 hidden-digits>"
