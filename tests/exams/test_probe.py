"""Probing real questions: what they are blind to, why, and what would be better asked."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest
from click.testing import CliRunner

from exactattn.cli import main
from exactattn.errors import CaseError, LabelError, NoSuchQuantity
from exactattn.exams.because import Why
from exactattn.exams.probe import Probe, probe
from exactattn.exams.probed import as_data, report
from exactattn.i18n import languages, messages
from exactattn.writers.formats import FORMATS, typeset

DATA = Path(__file__).parent / "data"
QUESTIONS = sorted(DATA.glob("*.toml"))


@cache
def probed(path: Path) -> Probe:
    return probe(path)


def ask(inputs: dict[str, Any], attention: dict[str, Any] | None = None, **asked: Any) -> Probe:
    return probe({"inputs": inputs, "attention": attention or {}, "ask": {"quantity": "output", "places": 3} | asked})


def sight(found: Probe, name: str) -> str | None:
    return next((one.sight for one in found.methods if one.method.name == name), None)


def because(found: Probe, name: str) -> str | None:
    return next(one.because for one in found.methods if one.method.name == name)


I2 = [[1, 0], [0, 1]]
SOUND = {
    "Q": [["0.9", "-1.4"], ["1.7", "0.6"], ["-0.8", "1.1"]],
    "K": [["1.2", "0.4"], ["-0.7", "1.3"], ["0.5", "-1.6"]],
    "V": [["2.1", "-0.3"], ["-1.2", "1.9"], ["0.4", "-2.6"]],
}


# -- real questions --------------------------------------------------------------------------------------------------------


def test_there_are_twenty_questions() -> None:
    assert len(QUESTIONS) >= 20


@pytest.mark.parametrize("path", QUESTIONS, ids=lambda path: path.stem)
def test_verdicts_are_those_of_the_table(path: Path) -> None:
    found = probed(path)
    expected = found.case.extra["expected"]
    assert {name: sight(found, name) for name in expected["sight"]} == expected["sight"]
    assert all(one.right for one in found.stated) is expected["key_right"]
    # where the catalogue differs from the table, it still does: the reason stands in the file
    for name, (theirs, reason) in expected.get("otherwise", {}).items():
        assert sight(found, name) != theirs, reason


def test_most_real_questions_are_blind_to_something() -> None:
    assert sum(not probed(path).passes for path in QUESTIONS) > len(QUESTIONS) // 2


# -- why -------------------------------------------------------------------------------------------------------------------


def test_identity_matrices_hide_transposition_and_the_axis() -> None:
    found = ask({"Q": I2, "K": I2, "V": [[1, 2], [3, 4]]})
    assert because(found, "key-not-transposed") == because(found, "softmax-over-columns") == "identity"


def test_a_symmetric_k_hides_its_transpose() -> None:
    found = ask({"Q": [[1, 2], [3, 4]], "K": [[1, 5], [5, 2]], "V": I2})
    assert (sight(found, "key-not-transposed"), because(found, "key-not-transposed")) == ("blind", "symmetric-keys")


def test_one_key_hides_everything_before_the_values() -> None:
    found = ask({"Q": [[1, 0]], "K": [[1, 0]], "V": [[5, 6]]})
    assert (sight(found, "no-scale"), because(found, "no-scale")) == ("blind", "one-key")


def test_a_saturated_row_hides_the_scale() -> None:
    found = ask({"Q": [[30, 0], [0, 20]], "K": I2, "V": [[1, 2], [3, 5]]})
    assert because(found, "no-scale") == "saturated"


def test_the_last_row_hides_a_causal_mask() -> None:
    found = ask(SOUND, {"mask": "causal"}, rows=[3])
    assert (sight(found, "mask-forgotten"), because(found, "mask-forgotten")) == ("blind", "last-row")


def test_equal_values_and_equal_scores() -> None:
    assert because(ask({"Q": [[1, 2]], "K": [[1, 0], [3, 1]], "V": [[2, 3], [2, 3]]}), "no-scale") == "equal-values"
    assert because(ask({"Q": [[1, 0]], "K": [[1, 5], [1, 7]], "V": I2}), "no-scale") == "equal-scores"


@pytest.mark.parametrize("lang", languages())
def test_every_reason_has_words(lang: str) -> None:
    known = messages(lang).keys()
    assert {f"probe.why.{name}" for name in get_args(Why)} <= known


# -- better, tolerance, key ------------------------------------------------------------------------------------------------


def test_a_sound_question_passes() -> None:
    found = ask(SOUND)
    assert [one.method.name for one in found.of("blind")] == []
    assert found.passes
    assert found.better is None


def test_the_row_to_ask_for() -> None:
    found = ask(SOUND, {"mask": "causal"}, rows=[3])
    assert found.better is not None
    assert (found.better.quantity, found.better.row, found.better.column) == ("output", 1, None)
    assert found.better.blind < len(found.of("blind"))


def test_the_change_is_one_step_of_one_entry_and_does_what_it_says() -> None:
    inputs = {"Q": [[1, 0]], "K": [[1, 0], [0, 1]], "V": [[4, 2], [0, 6]]}
    found = ask(inputs, {"scale": 1}).change
    assert found is not None
    assert (found.name, found.row, found.column, found.before, found.after, found.blind) == ("K", 0, 1, "0", "1", 0)
    changed = ask({**inputs, "K": [[1, 1], [0, 1]]}, {"scale": 1})
    assert changed.of("blind") == ()


def test_no_change_is_looked_for_where_another_row_sees_all() -> None:
    assert ask(SOUND, {"mask": "causal"}, rows=[3]).change is None
    assert ask(SOUND).change is None


def test_a_change_keeps_the_places_of_its_matrix() -> None:
    found = ask(
        {"Q": [["1.0", "0.0"]], "K": [["1.0", "0.0"], ["0.0", "1.0"]], "V": [[4, 2], [0, 6]]}, {"scale": 1}
    ).change
    assert found is not None
    assert (found.before, found.after) == ("0.0", "0.1")


def test_a_stated_tolerance_is_held_against_honest_rounding() -> None:
    assert ask(SOUND, tolerance="0.002").enough is True
    assert ask(SOUND, tolerance="0.0005").enough is False
    assert ask(SOUND).enough is None


def test_a_wide_tolerance_blinds() -> None:
    assert sight(ask(SOUND), "no-scale") == "seen"
    assert sight(ask(SOUND, tolerance="absolute:100"), "no-scale") == "blind"


def test_a_wrong_key_is_found_and_so_is_where_it_comes_from() -> None:
    found = ask(
        {"Q": [[1, 0, 1]], "K": [[1, 0, 1], [0, 1, 0]], "V": [[1, 2], [3, 4]]}, places=4, key=["1.4795", "2.4795"]
    )
    assert [(one.text, one.true, one.right) for one in found.stated] == [
        ("1.4795", "1.4793", False), ("2.4795", "2.4793", False)
    ]  # fmt: skip
    unscaled = ask({"Q": [[1, 0, 1]], "K": [[1, 0, 1], [0, 1, 0]], "V": [[1, 2], [3, 4]]}, key=["1.238", "2.238"])
    assert unscaled.copied == ("no-scale",)


def test_a_key_as_fractions_is_compared_exactly() -> None:
    inputs = {"scores": [["0", "ln(3)"]], "V": [["8"], ["0"]]}
    assert ask(inputs, {"scale": 1}, key=["2"]).stated[0].right
    assert ask(inputs, {"scale": 1}, key=["4/2"]).stated[0].right
    assert not ask(inputs, {"scale": 1}, key=["7/3"]).stated[0].right


# -- what is wrong with a question -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "kind", "text"),
    [
        ({"quantity": "outputs"}, CaseError, "[ask] quantity is 'outputs'"),
        ({"quantity": "Q"}, NoSuchQuantity, "it is given, and no answer"),
        ({"place": 3}, CaseError, "[ask] has no 'place' (did you mean 'places'?)"),
        ({"rows": [9]}, LabelError, "row 9 is not there: rows count from 1, here to 3"),
        ({"rows": [1], "entries": [[1, 1]]}, CaseError, "[ask] has rows and entries"),
        ({"rows": 1}, CaseError, "[ask] rows is"),
        ({"entries": [1, 2]}, CaseError, "[ask] entries is"),
        ({"places": "few"}, CaseError, "[ask] places is"),
        ({"tolerance": "about 1"}, CaseError, "[ask], tolerance is"),
        ({"key": [1, 2]}, CaseError, "[ask] key has 2 numbers: 6 are asked for"),
        ({"entries": [[1, 1]], "key": "ln(2)"}, CaseError, "[ask] key: 'ln(2)' is no decimal and no fraction"),
    ],
)
def test_a_question_that_says_something_else(asked: dict[str, Any], kind: type[Exception], text: str) -> None:
    with pytest.raises(kind) as caught:
        ask(SOUND, **asked)
    assert text in str(caught.value)


def test_a_case_without_ask_is_no_question() -> None:
    with pytest.raises(CaseError, match=r"the question has no \[ask\]"):
        probe({"inputs": SOUND})


# -- the page --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("path", QUESTIONS[:4], ids=lambda path: path.stem)
def test_it_is_written_in_every_format(path: Path, lang: str) -> None:
    document = report(probed(path), lang)
    assert all(typeset(document, format) for format in FORMATS)


def test_the_command_ends_with_1_when_blind(tmp_path: Path) -> None:
    question = tmp_path / "question.toml"
    question.write_text((DATA / "amanai1.toml").read_text(encoding="utf-8"), encoding="utf-8")
    shown = CliRunner().invoke(main, ["probe", str(question), "--lang", "en"], standalone_mode=False)
    assert shown.return_value == 1
    assert "K not transposed" in shown.output
    assert "4 numbers of the stated key are wrong." in shown.output
    data = CliRunner().invoke(main, ["probe", str(question), "--json"], standalone_mode=False)
    assert json.loads(data.output) == as_data(probe(question))


def test_the_command_ends_with_0_when_all_is_seen(tmp_path: Path) -> None:
    question = tmp_path / "question.json"
    question.write_text(json.dumps({"inputs": SOUND, "ask": {"quantity": "output", "places": 3}}), encoding="utf-8")
    out = tmp_path / "report.html"
    assert CliRunner().invoke(main, ["probe", str(question), "-o", str(out)], standalone_mode=False).return_value == 0
    assert out.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


# -- what is asked -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"entries": [[0, 0]]}, "[ask] entries: row 0 is not there: rows count from 1, here to 3"),
        ({"entries": [[1, 3]]}, "[ask] entries: column 3 is not there: columns count from 1, here to 2"),
        ({"rows": [-1]}, "[ask] rows: row -1 is not there: rows count from 1, here to 3"),
        ({"rows": [10**30]}, "[ask] rows: row 100000000000 is not there: rows count from 1, here to 3"),
        ({"rows": [[1]]}, "[ask] rows, a row is a list: a token or a number from 1 was due"),
        ({"tolerance": "1e99999999"}, "[ask], tolerance is 'absolute:1e99999999': "),
    ],
)
def test_what_is_asked_counts_from_1(asked: dict[str, Any], message: str) -> None:
    with pytest.raises((CaseError, LabelError)) as error:
        ask(SOUND, **asked)
    assert str(error.value).startswith(message)


def test_entries_count_from_1() -> None:
    assert ask(SOUND, entries=[[1, 1], [3, 2]]).ask.cells == ((0, 0), (2, 1))


def test_a_question_that_asks_nothing_is_told_the_line_to_add(tmp_path: Path) -> None:
    inputs = "[inputs]\nQ = [[1, 0]]\nK = [[1, 0], [0, 1]]\nV = [[4, 2], [0, 6]]\n"
    question = tmp_path / "question.toml"
    question.write_text(inputs)
    with pytest.raises(CaseError) as error:
        probe(question)
    said, _, line = str(error.value).partition(": put this line first: ")
    assert said == "the question has no [ask], which says what is asked"
    question.write_text(f"{line}\n{inputs}")
    assert probe(question).ask.cells == ((0, 0), (0, 1))
