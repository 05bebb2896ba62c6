"""Fields of a cloze question: found as the importer's own pattern finds them."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactattn.exports.lint.cloze import TYPES, fields, not_taken

# the pattern of question/type/multianswer/questiontype.php (Moodle 4.5), which backtracks: for short texts only
SHARE = r"(?:=|%-?[0-9]+(?:[.,][0-9]*)?%)"
ANSWER = r".+?(?<!\\|&)(?<!&amp;)(?=[~#}]|$)"
ALTERNATIVE = rf"(?:{SHARE})?(?:{ANSWER})(?:#(?:.*?(?<!\\)(?=[~}}]|$)))?"
NAMES = "|".join(sorted(TYPES, key=len, reverse=True))
FIELD = re.compile(rf"\{{([0-9]*):({NAMES}):({ALTERNATIVE}(?:~{ALTERNATIVE})*)\}}", re.DOTALL)
ONE = re.compile(rf"~?({SHARE})?({ANSWER})(?:#(.*?(?<!\\)(?=[~}}]|$)))?", re.DOTALL)

PIECES = [
    "{",
    "}",
    "~",
    "#",
    "=",
    "\\",
    "&",
    "&amp;",
    "&#125;",
    "%50%",
    ":",
    "1",
    ".5",
    "*",
    "a",
    "\n",
    "{1:NM:",
    "{:MC:=",
    "{2:SA:",
]


def answers(text):
    out = []
    while (found := ONE.search(text)) is not None:
        out.append(found[2])
        text = text.split(found[0], 1)[1]
    return out


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_fields_are_those_that_the_importers_pattern_finds(text):
    due = [(one.start(), one.end(), answers(one[3])) for one in FIELD.finditer(text)]
    assert [(one.start, one.end, [answer.raw for answer in one.alternatives]) for one in fields(text)] == due


@pytest.mark.parametrize(
    ("text", "shares", "texts", "said"),
    [
        (
            "{1:NUMERICAL:=0.5:0.01#yes~%50%0.25:0~*}",
            [1, Fraction(1, 2), 0],
            ["0.5:0.01", "0.25:0", "*"],
            ["yes", "", ""],
        ),
        (r"{:MCV:%100%\(\frac{a\}{b\}\)~x#\#1}", [1, 0], [r"\(\frac{a}{b}\)", "x"], ["", "#1"]),
        ("{2:SA:=&#126;&#x7d;~%-33,3%b}", [1, Fraction(-333, 1000)], ["~}", "b"], ["", ""]),
    ],
)
def test_what_a_field_says_is_decoded_as_the_importer_does(text, shares, texts, said):
    (field,) = fields(text)
    assert [one.share for one in field.alternatives] == shares
    assert [one.text for one in field.alternatives] == texts
    assert [one.said for one in field.alternatives] == said


@pytest.mark.parametrize(
    "text", ["{0.5:NM:=1}", "{1:NUMERIC:=1}", "{1:MULTICHOICE}", "{ 1:SHORTANSWER:=a }", "{1:MC:=a"]
)
def test_what_looks_like_a_field_is_told(text):
    found = fields(text)
    assert found == ()
    assert len(list(not_taken(text, found))) == 1


@pytest.mark.parametrize("text", [r"\(\frac{1}{2}:\)", "{x: y}", "{a:b:c}", r"$\{1:2\}$", "body{color:red}"])
def test_braces_of_other_things_are_left_alone(text):
    assert list(not_taken(text, fields(text))) == []
