"""Worked examples of others: the values that are known to be true come out, to every digit listed."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path

import pytest

from exactattn.attention import attend
from exactattn.cases import load_case

DATA = Path(__file__).parent.parent / "data"
FILES = [DATA / "xian.json", *sorted((DATA / "published").glob("*.json"))]


def places(text: str) -> int:
    return max(0, -int(Decimal(text).as_tuple().exponent))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_true_values_are_reproduced_to_all_digits_listed(path):
    case = load_case(path)
    trace = attend(**case.inputs, **case.attention.given(), tokens=case.tokens, key_tokens=case.key_tokens)
    listed = json.loads(path.read_text(encoding="utf-8"))["expected"]["true"]
    assert listed
    for name, rows in listed.items():
        quantity = getattr(trace, name)
        for i, row in enumerate(rows):
            for j, text in enumerate(row):
                found = quantity[i, j].decimal(places(text))
                assert Decimal(found) == Decimal(text), f"{name}[{i}, {j}]"


def test_every_number_that_the_article_prints_comes_out_as_printed():
    case = load_case("xian")
    tree = json.loads((DATA / "xian.json").read_text(encoding="utf-8"))
    given = {"tokens": case.tokens, **case.inputs}
    trace = attend(**given, **case.attention.given())
    count = 0
    for name, rows in tree["printed"].items():
        for i, row in enumerate(rows):
            for j, text in enumerate([row] if isinstance(row, str) else row or []):
                assert getattr(trace, name)[i, j].decimal(places(text)) == text
                count += 1
    assert count == 6 + 6 + 6 + 1 + 36 + 24
    also = tree["also_printed"]
    unscaled, split = (attend(**given, **(case.attention.given() | other.attention.given())) for other in case.compare)
    pair = also["unscaled"]["query"], also["unscaled"]["key"]
    assert unscaled.weights[pair].decimal(3) == also["unscaled"]["weight"] == "0.734"
    assert trace.weights[pair].decimal(3) == also["unscaled"]["scaled_weight"]
    for k, head in enumerate(split.heads):
        for query, (key, text) in also["heads"][f"head{k + 1}"].items():
            assert head.weights[query, key].decimal(3) == text
