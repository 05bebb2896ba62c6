"""Cases worked to the end: the article's numbers, others' true values, comparisons, places, what is saved and shown."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactattn as xa
from exactattn import errors

DATA = Path(__file__).parent / "data"
PUBLISHED = [DATA / "xian.json", *sorted((DATA / "published").glob("*.json"))]


def places(text):
    return max(0, -int(Decimal(text).as_tuple().exponent))


# -- the article ------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def article():
    return json.loads((DATA / "xian.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module", params=["carry", "auto", "sympy"])
def xian(request):
    how = {"auto": {"places": "auto"}, "sympy": {"arithmetic": "sympy"}}.get(request.param, {})
    return xa.solve("xian", **how)


def test_every_number_that_the_article_prints_comes_out_as_printed(article, xian):
    printed = article["printed"]
    count = {}
    for name, rows in printed.items():
        for i, row in enumerate(rows):
            for j, text in enumerate([row] if isinstance(row, str) else row or []):
                assert getattr(xian, name)[i, j].decimal(places(text)) == text
                count[name] = count.get(name, 0) + 1
    assert count == {"scores": 6, "scaled": 6, "exps": 6, "sums": 1, "weights": 36, "output": 24}
    assert xian.weights.decimal(3) == printed["weights"]
    assert xian.output.decimal(3) == printed["output"]
    assert xian.sums["西安", 0].decimal(4) == "3.8555"


def test_so_do_its_numbers_without_the_scale_and_with_two_heads(article, xian):
    also = article["also_printed"]
    unscaled, split = (comparison.trace for comparison in xian.comparisons)
    pair = also["unscaled"]["query"], also["unscaled"]["key"]
    assert unscaled.problem.settings.scale == "1"
    assert unscaled.weights[pair].decimal(3) == also["unscaled"]["weight"] == "0.734"
    assert xian.weights[pair].decimal(3) == also["unscaled"]["scaled_weight"] == "0.457"
    assert split.problem.settings.scale == "1/sqrt(2)"
    found = [
        (head.weights[query, key].decimal(3), text)
        for k, head in enumerate(split.heads)
        for query, (key, text) in also["heads"][f"head{k + 1}"].items()
    ]
    assert found == [("0.215", "0.215"), ("0.398", "0.398"), ("0.310", "0.310"), ("0.283", "0.283")]
    for k, head in enumerate(split.heads):
        for query, (key, _) in also["heads"][f"head{k + 1}"].items():
            row = [head.weights[query, j] for j in range(6)]
            assert max(row) == head.weights[query, key]


@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.stem)
def test_the_true_values_of_worked_examples_come_out_to_all_their_digits(path):
    solution = xa.solve(path)
    for name, rows in json.loads(path.read_text(encoding="utf-8"))["expected"]["true"].items():
        quantity = getattr(solution, name)
        assert quantity.shape == (len(rows), len(rows[0]))
        for row, due in zip(quantity.significant(15), rows, strict=True):
            for text, true in zip(row, due, strict=True):
                digits = len(Decimal(true).as_tuple().digits)
                assert Decimal(text) == Decimal(true), (name, digits)


# -- settings ---------------------------------------------------------------------------------------------------------


def settings_of(**given):
    return xa.solve("xian", **given).trace.problem.settings


def test_what_is_given_goes_before_what_the_case_says():
    assert settings_of().scale == "1/2"
    assert settings_of(scale="1").scale == "1"
    assert settings_of(heads=1).scale == "1/2"
    assert settings_of(heads=2).scale == "1/sqrt(2)"
    assert settings_of(heads=2, scale="3").scale == "3"
    assert settings_of(mask="causal").mask == "causal"
    assert settings_of(ties="half-even", track="stepwise").track == "stepwise"
    causal = xa.load_case("causal")
    assert causal.attention.mask == "causal"
    assert xa.solve(causal, mask="none").trace.problem.settings.mask == "none"


def test_a_case_may_be_given_in_python():
    mapping = {"tokens": ["a", "b"], "inputs": {"scores": [["0", "ln(3)"], [0, 0]]}, "attention": {"scale": "1"}}
    solution = xa.solve(mapping)
    assert solution.weights["a", "b"] == Fraction(3, 4)
    assert solution.comparisons == ()
    assert solution.trace == xa.attend(scores=[["0", "ln(3)"], ["0", "0"]], tokens=["a", "b"], scale="1")


@pytest.mark.parametrize("name", sorted(xa.bundled()))
def test_every_bundled_case_is_worked_in_each_arithmetic_and_track(name):
    solution = xa.solve(name)
    letters = bool(solution.case.symbols)
    assert xa.Trace.from_json(xa.render(solution, "json")) == solution.trace
    for arithmetic in () if letters else ("sympy", "mpmath:53"):
        other = xa.solve(name, arithmetic=arithmetic)
        last = [trace.steps[-1].made for trace in (solution.trace, other.trace)]
        assert last[0].decimal(6) == last[1].decimal(6)
    if not letters:
        track = xa.solve(name, track="stepwise").trace
        assert [step.function for step in track.steps] == [step.function for step in solution.trace.steps]
        assert xa.solve(name, places="auto", track="stepwise").trace.steps[-1].made.decimal(1)


def test_quantities_read_through_to_the_trace():
    solution = xa.solve("xian")
    assert solution.weights is solution.trace.weights
    assert [head.index for head in solution.heads] == [0]
    with pytest.raises(errors.NoSuchQuantity, match=r"^'wieghts' is no quantity \(did you mean 'weights'\?\)$"):
        solution.wieghts  # noqa: B018
    with pytest.raises(AttributeError):
        solution._nothing  # noqa: B018
    assert repr(solution).startswith("<Solution xian: <Trace 6 queries")


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"heads": 3}, "3 heads do not divide the width d_k = 4"),
        ({"heads": 0}, "heads 0: a whole number from 1 up was due"),
        ({"mask": "casual"}, "mask 'casual' is not one of none, causal, or a matrix of 0 and 1 (did you mean 'causal'?)"),
        ({"scale": "1/"}, "scale: '1/' is no number: it ends too early"),
        ({"track": "x"}, "track 'x' is not one of carry, stepwise"),
        ({"ties": "x"}, "ties 'x' is not one of half-up, half-even"),
        ({"arithmetic": "x"}, "arithmetic 'x' is not one of exact, sympy, mpmath:BITS, balls:BITS"),
        ({"places": "x=1"}, "places of 'x': that is not one of Q, K, V, scores, scaled, maxima, shifted, exps, sums, "
                            "weights, concat, output"),
        ({"places": "weights"}, "places 'weights': name=count, a number for all, or auto was due"),
        ({"places": "auto,weights=3"}, "places auto finds all but those of the output: weights cannot be given too"),
        ({"places": -1}, "places '-1': name=count, a number for all, or auto was due"),
        ({"places": 10001}, "'10001' places: a whole number from 0 to 10000 was due"),
        ({"places": {"weights": 2.5}}, "2.5 places: a whole number from 0 to 10000 was due"),
    ],
    ids=repr,
)  # fmt: skip
def test_settings_that_mean_nothing(given, text):
    with pytest.raises(xa.ExactAttnError) as error:
        xa.solve("xian", **given)
    assert str(error.value) == text


# -- places auto ------------------------------------------------------------------------------------------------------


def nearest(x, count):
    """Half up, away from zero."""
    steps = abs(Fraction(x)) * 10**count
    n = (2 * steps + 1) // 2
    return Fraction(n if x >= 0 else -n, 10**count)


def exponential(x):
    with mpmath.workdps(60):
        return Fraction(str(mpmath.exp(mpmath.mpf(x.numerator) / x.denominator)))


class Pencil:
    """Does a quantity printed to some places follow from the one before it as printed? With fractions and mpmath only."""

    def __init__(self, trace):
        self.trace = trace
        self.scale = Fraction(trace.problem.settings.scale)
        self.v = [[Fraction(text) for text in row] for row in trace.problem.inputs["V"]]

    def printed(self, name, count):
        return [[Fraction(text) for text in row] for row in getattr(self.trace, name).decimal(count)]

    def follows(self, name, found):
        count = found.get(name)
        due = self.printed(name, count)
        match name:
            case "scaled":
                worked = [[x * self.scale for x in row] for row in self.printed("scores", found["scores"])]
            case "exps":
                worked = [[exponential(x) for x in row] for row in self.printed("shifted", found["shifted"])]
            case "shifted":
                worked = [[x - max(row) for x in row] for row in self.printed("scaled", found["scaled"])]
            case "sums":
                worked = [[sum(row)] for row in self.printed("exps", found["exps"])]
            case "weights":
                exps, sums = self.printed("exps", found["exps"]), self.printed("sums", found["sums"])
                if any(z == 0 for (z,) in sums):
                    return False
                worked = [[e / z for e in row] for row, (z,) in zip(exps, sums, strict=True)]
            case "output":
                worked = [
                    [sum(a * v for a, v in zip(row, column, strict=True)) for column in zip(*self.v, strict=True)]
                    for row in self.printed("weights", found["weights"])
                ]
        return [[nearest(x, count) for x in row] for row in worked] == due


def check(solution):
    """The places found suffice, and none of them could be less."""
    found, pencil = dict(solution.places), Pencil(solution.trace)
    assert solution.found == ()
    for name in ("scaled", "shifted", "exps", "sums", "weights", "output"):
        assert pencil.follows(name, found), name
    for name, reader in (("scores", "scaled"), ("scaled", "shifted"), ("shifted", "exps"), ("weights", "output")):
        for fewer in range(found[name]):
            assert not pencil.follows(reader, found | {name: fewer}), (name, fewer)
    for sums in range(found["sums"] + 1):
        for exps in range(31 if sums < found["sums"] else found["exps"]):
            tried = found | {"sums": sums, "exps": exps}
            assert not (pencil.follows("sums", tried) and pencil.follows("weights", tried))


def test_auto_finds_the_places_of_the_article():
    solution = xa.solve("xian", places="auto")
    found = {"scores": 6, "scaled": 7, "shifted": 7, "exps": 8, "sums": 6, "weights": 5, "output": 3}
    assert solution.places == found
    assert solution.trace.problem.settings.places == solution.places
    check(solution)


@pytest.mark.parametrize("output", [0, 1, 2, 4])
def test_auto_with_other_places_of_the_output(output):
    solution = xa.solve("xian", places=f"auto,output={output}")
    assert solution.places["output"] == output
    check(solution)


entries = st.decimals(-2, 2, places=1).map(str)


@settings(max_examples=12)
@given(
    st.integers(1, 2).flatmap(
        lambda n: st.tuples(
            st.lists(st.lists(entries, min_size=2, max_size=2), min_size=n, max_size=n),
            st.lists(st.lists(entries, min_size=2, max_size=2), min_size=2, max_size=2),
            st.lists(st.lists(entries, min_size=1, max_size=1), min_size=2, max_size=2),
        )
    ),
    st.sampled_from(["1/2", "1", "1/3"]),
)
def test_auto_finds_the_least_places_that_suffice(matrices, scale):
    inputs = dict(zip("QKV", matrices, strict=True))
    solution = xa.solve({"inputs": inputs, "attention": {"scale": scale}}, places="auto,output=2")
    if not solution.found:
        check(solution)


def test_places_as_one_number_and_by_name():
    assert set(xa.solve("xian", places=5).places.values()) == {5}
    assert xa.solve("xian", places="scores=2, exps=4").places == {"scores": 2, "exps": 4}
    data = json.loads(xa.render(xa.solve("xian", places=1), "json"))
    assert {there["places"] for there in data["quantities"]} == {None, 1}


# -- files ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small():
    return xa.solve({"inputs": {"Q": [["1"]], "K": [["1"], ["2"]], "V": [["1"], ["0"]]}, "title": "small"})


@pytest.mark.parametrize(
    ("suffix", "format"),
    [
        (".tex", "latex"), (".html", "html"), (".HTM", "html"), (".md", "markdown"), (".txt", "text"), (".json", "json"),
    ],
)  # fmt: skip
def test_the_suffix_chooses_the_format(small, tmp_path, suffix, format):
    path = tmp_path / f"out{suffix}"
    small.save(path)
    assert path.read_text(encoding="utf-8") == xa.render(small, format)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_folder_gets_the_figures(small, tmp_path):
    small.save(f"{tmp_path}/")
    names = sorted(file.name for file in tmp_path.iterdir())
    assert len(names) == len(small.figures()) > 0
    assert all(name.endswith(".svg") for name in names)
    name = small.figures()[0].name
    small.save(tmp_path / f"{name}.svg")
    assert (tmp_path / f"{name}.svg").read_text(encoding="utf-8").lstrip().startswith("<svg")


def test_what_cannot_be_saved_is_said_and_leaves_nothing(small, tmp_path):
    old = tmp_path / "out.html"
    old.write_text("old", encoding="utf-8")
    for path, text in (
        ("out.docx", "the suffix '.docx' is no format"),
        ("out.htlm", "the suffix '.htlm' is no format (did you mean '.htm'?)"),
        ("out", "the suffix '' is no format"),
    ):
        with pytest.raises(errors.OptionError) as error:
            small.save(tmp_path / path)
        assert str(error.value).startswith(f"{tmp_path / path}: {text}; the formats are .tex, ")
    with pytest.raises(errors.OptionError, match=r"name one figure \(.*\) or a folder for all of them"):
        small.save(tmp_path / "nothing.svg")
    for style, text in (
        ({"lang": "fr"}, "fr"),
        ({"layout": "ful"}, "full"),
        ({"show": "decimals"}, "decimal"),
        ({"rows": ["nobody"]}, "nobody"),
    ):
        with pytest.raises(xa.ExactAttnError, match=text):
            small.save(old, **style)
    assert old.read_text(encoding="utf-8") == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["out.html"]


def test_formats_by_name(small):
    with pytest.raises(errors.OptionError) as error:
        xa.render(small, "latx")
    assert str(error.value) == ("format 'latx' is not one of latex, html, markdown, text, json (did you mean 'latex'?)")


def test_a_bare_trace_is_rendered_too():
    trace = xa.attend([["1"]], [["1"], ["2"]], [["1"], ["0"]])
    for format in ("latex", "html", "markdown", "text"):
        assert "0.269" in xa.render(trace, format).replace("\u2009", "")
    assert json.loads(xa.render(trace, "json"))["format"] == "exactattn-trace"


def test_a_notebook_cell_shows_the_page(small):
    assert small._repr_html_() == xa.render(small, "html", body="fragment")


def test_the_same_input_gives_the_same_bytes(small):
    again = xa.solve(small.case)
    for format in ("latex", "html", "markdown", "text", "json"):
        assert xa.render(again, format) == xa.render(small, format)
