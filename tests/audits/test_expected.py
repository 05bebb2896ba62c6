"""Worked examples of others: each printed number gets the verdict that an independent implementation of the rules gave it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import exactattn as xa
from exactattn.audits import as_data

DATA = Path(__file__).parent.parent / "data"
FILES = [DATA / "xian.json", *sorted((DATA / "published").glob("*.json")), *sorted((DATA / "edges").glob("*.json"))]


def tree(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def flat(value: Any) -> Iterator[Any]:
    if isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from flat(item)
    else:
        yield value


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_number_has_the_verdict_that_is_expected(path):
    assert xa.audit(path).verdicts == tree(path)["expected"]["verdicts"]


def test_that_is_every_number_of_thirty_five_examples():
    verdicts = [one for path in FILES for one in flat(tree(path)["expected"]["verdicts"])]
    assert len(FILES) == 35
    assert len([one for one in verdicts if one is not None]) == 771
    assert set(verdicts) - {None} == {
        "ok", "hidden-digits", "early-rounding", "last-digit", "inherited", "wrong", "unchecked",
    }  # fmt: skip


@pytest.mark.parametrize("path", [f for f in FILES if "true" in tree(f)["expected"]], ids=lambda path: path.stem)
def test_the_true_values_shown_are_those_listed(path):
    listed = tree(path)["expected"]["true"]
    for one in as_data(xa.audit(path))["numbers"]:
        rows = listed.get(one["name"])
        if rows is None:
            continue
        true = rows[one["row"]] if one["name"] == "sums" else rows[one["row"]][one["column"]]
        true = true[0] if isinstance(true, list) else true
        places = len(one["true"].partition(".")[2])
        assert places >= 2
        # the list has 15 digits
        assert abs(Fraction(one["true"]) - Fraction(true)) <= Fraction(1, 2 * 10**places) + Fraction(1, 10**11), one


def test_the_articles_example_is_right_but_for_two_marks_and_a_claim():
    found = xa.audit("xian")
    assert found.verdicts == tree(DATA / "xian.json")["expected"]["verdicts"]
    assert (found.verdicts["output"][1][0], found.cause) == ("hidden-digits", None)
    assert [(one.name, one.row, one.column, one.largest) for one in found.marks] == [
        ("output", 0, 0, (2,)),
        ("output", 2, 1, (0,)),
    ]
    ((claim),) = found.claims
    assert (claim.name, claim.row) == ("weights", 5)
    assert claim.claimed == 1
    assert claim.sum == Fraction(999, 1000)
    assert not found.passes()
