"""Numbers as Moodle reads them: what is told of an answer goes by what Moodle would make of it."""

from __future__ import annotations

import json
import subprocess
from fractions import Fraction

import pytest

from exactattn.exports.lint.lexical import number, strange
from exactattn.exports.lint.moodle.numbers import typed

from .conftest import READERS, rules

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def numerical(*answers):
    each = "".join(
        f'<answer fraction="{share}"><text>{text}</text><tolerance>{reach}</tolerance></answer>'
        for share, text, reach in answers
    )
    return (
        f'{HEAD}<quiz><question type="numerical"><name><text>a</text></name><questiontext><text>?</text></questiontext>'
        f"<idnumber>q</idnumber>{each}</question></quiz>"
    )


WRITTEN = {
    # as most sites read it, and what is told
    "0.5": ("0.5", ""),
    "-.5": ("-0.5", ""),
    "+1.": ("1", ""),
    "1 000": ("1000", ""),  # Moodle takes plain spaces away
    "2x10^3": ("2000", ""),
    "2×10**-1": ("0.2", ""),
    "0,5": ("0.5", "number-comma"),
    "1,234,567": ("1234567", "number-comma"),
    "1,234.5": ("1234.5", "number-comma"),
    "1.234,5": ("1.2345", "number-comma"),
    "1\u00a0000": (None, "number-character"),
    "1\u202f000": (None, "number-character"),
    "1\u2009000": (None, "number-character"),
    "\u00a00.5": (None, "number-character"),
    "0.5\u200b": (None, "number-character"),
    "\u22120.5": (None, "number-character"),
    "\uff10.\uff15": (None, "number-character"),
    "1'000": (None, "number-character"),
    "1_000": (None, "number-character"),
    "1/3": (None, "answer-number"),
    "half": (None, "answer-number"),
    "0.5 m": (None, "answer-number"),
    "50%": (None, "answer-number"),
    "": (None, "answer-number"),
}


@pytest.mark.parametrize("text", WRITTEN)
def test_a_number_is_read_and_told_as_moodle_reads_it(text, linted):
    value, due = WRITTEN[text]
    assert typed(text) == (None if value is None else Fraction(value))
    assert rules(linted(numerical((100, text, "0.01")))) == ([due] if due else [])


@pytest.mark.parametrize("text", WRITTEN)
def test_moodles_reader_makes_the_same_of_it(text, program, tmp_path):
    program("php")
    value, _ = WRITTEN[text]
    file = tmp_path / "file.xml"
    file.write_text(numerical((100, value or "7", "0.0001")))
    responses = json.dumps([{"idnumber": "q", "field": 0, "response": text}])
    command = ["php", "-d", "precision=14", str(READERS / "moodle.php"), str(file)]
    done = subprocess.run(command, input=responses, capture_output=True, text=True, check=True)
    # a reader that goes by a site without thousands: where we read nothing, it takes nothing for right
    taken = json.loads(done.stdout)["marks"][0]["fraction"] == 1
    assert taken == (value is not None) or "×" in text or "x" in text


@pytest.mark.parametrize(
    ("reach", "due"),
    [
        ("0,01", ["number-comma"]), ("1/200", ["tolerance-form"]), ("\u22120.1", ["number-character"]),
        ("-0.1", ["tolerance-negative"]), ("", []), ("0", []), ("1e-3", []),
    ],
)  # fmt: skip
def test_a_tolerance_is_read_alike(reach, due, linted):
    assert rules(linted(numerical((100, "0.5", reach)))) == due


@pytest.mark.parametrize("order", [(100, 50), (50, 100)])
def test_the_number_at_a_shared_end_goes_to_the_answer_that_comes_first(order, program, tmp_path, linted):
    program("php")
    middles = {100: "2", 50: "3"}
    text = numerical(*((share, middles[share], "0.5") for share in order))
    assert rules(linted(text)) == []
    file = tmp_path / "file.xml"
    file.write_text(text)
    responses = json.dumps([{"idnumber": "q", "field": 0, "response": x} for x in ("2.4", "2.5", "2.6")])
    command = ["php", "-d", "precision=14", str(READERS / "moodle.php"), str(file)]
    done = subprocess.run(command, input=responses, capture_output=True, text=True, check=True)
    marks = [one["fraction"] for one in json.loads(done.stdout)["marks"]]
    assert marks == [1, order[0] / 100, 0.5]


@pytest.mark.parametrize("text", ["1/2", "a", "", "0.5", "1.2.3", "--1", "\u22121\u2212"])
def test_a_text_is_not_said_to_be_a_number_but_for_a_character(text):
    assert strange(text) == ""


def test_white_space_of_xml_is_none_of_typography():
    assert number(" \t\n0.5 ") == Fraction(1, 2)
    assert number("0.5\u00a0") is None
