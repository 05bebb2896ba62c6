"""The cases that come along, and those of others kept as test data: each is read without an error."""

from __future__ import annotations

import json
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from exactattn.cases import bundled, bundled_text, load_case
from exactattn.errors import FileError

DATA = Path(__file__).parent.parent / "data"


@pytest.mark.parametrize("name", bundled())
def test_a_bundled_case_is_complete(name):
    case = load_case(name)
    assert case.id == name
    assert case.title
    assert case.tokens
    assert case.show.lang in ("en", "zh")
    assert set(case.show.rows) <= set(case.tokens)
    assert bundled_text(name).startswith("# ")


def test_every_kind_of_case_comes_along():
    cases = {name: load_case(name) for name in bundled()}
    assert {"W_Q", "b_Q"} <= set(cases["project"].inputs)
    assert "W_O" in cases["two-heads"].inputs
    assert cases["two-heads"].attention.heads == 2
    assert cases["causal"].attention.mask == "causal"
    assert cases["letters"].symbols == ("a", "b")
    assert len(cases["cross"].key_tokens) == 4
    assert len(cases["cross"].inputs["V"][0]) != len(cases["cross"].inputs["K"][0])
    assert any("ln(2)" in row for row in [",".join(r) for r in cases["by-hand"].inputs["Q"]])


def test_the_bundled_xian_has_the_numbers_of_the_file_it_came_from():
    ours, theirs = load_case("xian"), load_case(DATA / "xian.json")
    for field in ("inputs", "tokens", "title", "id", "attention"):
        assert getattr(ours, field) == getattr(theirs, field)
    assert "CC BY-SA 4.0" in ours.source
    assert [c.attention.given() for c in ours.compare] == [{"scale": "1"}, {"scale": "1/sqrt(2)", "heads": 2}]
    assert ours.show.places == "scores=2,scaled=2,exps=4,sums=4,weights=3,output=3"


def test_every_weight_of_by_hand_is_a_fraction():
    case = load_case("by-hand")
    exponent = {"0": (0, 0), "2*ln(2)": (2, 0), "2*ln(3)": (0, 2)}
    weights = []
    for q in case.inputs["Q"]:
        terms = []
        for k in case.inputs["K"]:
            two = sum(exponent[a][0] * int(b) for a, b in zip(q, k, strict=True))
            three = sum(exponent[a][1] * int(b) for a, b in zip(q, k, strict=True))
            terms.append(Fraction(2) ** (two // 2) * Fraction(3) ** (three // 2))  # scaled by 1/2
        weights.append([t / sum(terms) for t in terms])
    assert weights == [
        [Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)],
        [Fraction(1, 6), Fraction(1, 2), Fraction(1, 3)],
        [Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)],
    ]


def test_an_unknown_bundled_case_gets_a_suggestion():
    with pytest.raises(FileError) as caught:
        bundled_text("casual")
    assert str(caught.value) == "no bundled case 'casual' (did you mean 'causal'?)"


@pytest.mark.parametrize("path", [DATA / "xian.json", *sorted(DATA.glob("*/*.json"))], ids=lambda path: path.stem)
def test_the_cases_of_others_are_read_as_they_are(path):
    case, tree = load_case(path), json.loads(path.read_text(encoding="utf-8"))
    assert case.inputs == {k: tuple(map(tuple, v)) for k, v in tree["inputs"].items()}
    assert case.attention.given() == {k: v for k, v in tree["attention"].items() if k in ("scale", "mask", "shift")}
    assert case.extra["printed"] == tree["printed"]
    assert list(case.tokens) == tree["tokens"]


def test_bundled_texts_are_toml():
    for name in bundled():
        assert tomllib.loads(bundled_text(name))["id"] == name
