"""Tables of answers as forms and spreadsheets write them: answers over lines, quotes left open, and what is said of both."""

from __future__ import annotations

import csv
import io
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactattn.exams.class_report import report
from exactattn.exams.exam import exam
from exactattn.exams.grade import Grades, grade, marks_csv
from exactattn.exams.handed import MOST_LINES, read
from exactattn.exams.model import Paper
from exactattn.exams.spec import read as spec_of
from exactattn.i18n import languages, messages
from exactattn.writers.formats import typeset

HEADER = "id,question,part,answer"
SPEC = """
[[question]]
id = "m"
kind = "full-attention"
answer = "matrix"
[[question]]
id = "sh"
kind = "shapes"
ask = ["scores"]
[[question]]
id = "proof"
kind = "proof"
"""


@cache
def papers() -> tuple[Paper, ...]:
    return exam(spec_of(SPEC), 7, roster=["Ada", "Bob"]).papers


def graded(*rows: str, header: str = HEADER) -> Grades:
    return grade(papers(), "\n".join([header, *rows]))


def marks(grades: Grades, lang: str = "en") -> dict[tuple[str, str, str], tuple[str, str]]:
    """The verdict and what is said, by paper, question and part."""
    rows = csv.DictReader(io.StringIO(marks_csv(grades, lang)))
    return {(row["id"], row["question"], row["part"]): (row["verdict"], row["detail"]) for row in rows}


def weights(who: int = 0) -> list[str]:
    """The rows of the first part's key."""
    rows: dict[int, list[str]] = {}
    for entry in papers()[who].questions[0].parts[0].entries:
        assert entry.place
        rows.setdefault(entry.place.row, []).append(entry.text)
    return [" ".join(row) for row in rows.values()]


# -- answers over lines ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    "form",
    [
        "{0}\n{1}\n{2}", "{0}\n\n{1} \n{2}\n", "{0};\n{1};\n{2};", "A =\n{0}\n{1}\n{2}", "[[{0}],\n[{1}],\n[{2}]]",
        "[\n{0}\n{1}\n{2}\n]", "A = [{0}\n     {1}\n     {2}]",
    ],
)  # fmt: skip
def test_the_lines_of_a_quoted_answer_are_rows(form: str, end: str) -> None:
    row = f'Ada,m,a,"{form.format(*weights())}"'
    grades = grade(papers(), "\n".join([HEADER, row, "Eve,m,a,1"]).replace("\n", end))
    assert marks(grades)["Ada", "m", "a"][0] == "right"
    assert [(one.line, one.why) for one in grades.problems] == [(3 + form.count("\n"), "nobody")]


def test_commas_between_the_numbers_of_such_rows() -> None:
    rows = [row.replace(" ", ", ") for row in weights()]
    assert marks(graded('Ada,m,a,"' + ",\n".join(rows) + '"'))["Ada", "m", "a"][0] == "right"
    # as many cells as the header has, but no id and no question of the table
    rows = [row.replace(" ", ",") for row in weights()]
    text = "id,question,answer\nAda,m,1\n" + 'Bob,m,"' + "\n".join(rows) + '"\n'
    assert [one.answer for one in read(text)[0]] == ["1", "; ".join(rows)]


def test_one_row_may_be_typed_as_a_column() -> None:
    key = [entry.text for entry in papers()[0].questions[1].parts[0].entries]
    assert marks(graded(f'Ada,sh,,"{key[0]}\n{key[1]}"'))["Ada", "sh", ""][0] == "right"
    assert marks(graded(f"Ada,sh,,{key[0]}; {key[1]}"))["Ada", "sh", ""][0] == "right"
    assert marks(graded(f'Ada,sh,,"{key[1]}\n{key[0]}"'))["Ada", "sh", ""][0] == "misconception"


def test_a_text_over_lines_is_for_a_person() -> None:
    grades = graded('Ada,proof,,"Let c be real.\nThen ""e^c"" cancels.\n\nQED"')
    assert grades.problems == ()
    assert marks(grades)["Ada", "proof", ""][0] == "by-hand"


# -- quotes left open ------------------------------------------------------------------------------------------------------


def answers(text: str) -> list[tuple[int, str, str]]:
    return [(one.line, one.id, one.answer) for one in read(text)[0]]


@pytest.mark.parametrize(
    "rest",
    [
        ["Bob,m,a,0.5", "Eve,m,a,0.7"],
        ['Bob,m,a,"0.5, 0.5"', 'Eve,m,a,"0.7"'],
        ['Bob,m,a,0.5"', 'Eve,m,a,""'],  # would close the quote
        ['Bob,m,a,",5"', "Eve,m,a,1"],
        ['"Bob",m,a,0.5', '"Eve",m,a,1'],
        ['Bob,m,a,"0.5\n0.5"', "Eve,m,a,1"],
    ],
)
def test_a_quote_that_is_never_closed_spoils_one_answer(rest: list[str]) -> None:
    text = "\n".join([HEADER, 'Ada,m,a,"0.1 0.9', *rest])
    whole = text.replace('"0.1 0.9', "0.1 0.9")
    assert answers(text) == answers(whole)[1:]
    assert len(answers(text)) == 2
    (problem,) = read(text)[1]
    assert (problem.line, problem.why) == (2, "unread")


CELL = st.text("01 .,;\"'x\n", max_size=8)


@given(st.lists(st.tuples(st.sampled_from(["Ada", "Bob", "1"]), CELL), max_size=6), st.integers(0, 6), CELL)
def test_whatever_the_other_answers_are_they_are_read(lines: list[tuple[str, str]], at: int, open_: str) -> None:
    """Written by csv itself, with one line whose quote is left open: without a quote in it nothing else could close it."""

    def table(*rows: tuple[str, str]) -> str:
        file = io.StringIO()
        csv.writer(file, lineterminator="\n").writerows((id, "q", text) for id, text in rows)
        return file.getvalue()

    before, after = lines[:at], lines[at:]
    spoilt = 'Ada,q,"' + open_.replace('"', "").replace("\n", " ") + "\n"
    head = "id,question,answer\n"
    found, problems = read(head + table(*before) + spoilt + table(*after))
    due, _ = read(head + table(*lines))
    assert [(one.id, one.answer) for one in found] == [(one.id, one.answer) for one in due]
    assert [one.why for one in problems] == ["unread"]


def test_no_answer_has_more_lines_than_a_matrix_or_a_text() -> None:
    def rows(count: int) -> str:
        return 'id,question,answer\nAda,m,"' + "\n".join(["1"] * count) + '"\n'

    assert len(read(rows(MOST_LINES))[0]) == 1
    found, problems = read(rows(MOST_LINES + 1))
    assert found == []
    assert (problems[0].line, problems[0].why) == (2, "unread")


# -- what is said of lines that are not read -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ('Ada,m,a,"0.1 0.9', "line 2: it cannot be read: a quote is not closed, or it is too long"),
        ("Ada,m,a,0,5", "line 2: 5 cells, 4 were due: is an answer with a comma or semicolon in quotes?"),
        ("Ada,m,a,1 2; 3 4", "line 2: “1 2; 3 4” is rows of 2; 2 numbers; rows of 3; 3; 3 were due"),
        ("Ada,m,a,1\nAda,m,a,2", "line 2: “1” is rows of 1 numbers; rows of 3; 3; 3 were due"),
    ],
)
def test_an_answer_that_is_not_read_is_not_missing(row: str, said: str) -> None:
    found = marks(graded(row))
    verdict, detail = found["Ada", "m", "a"]
    assert (verdict, detail.startswith(said)) == ("not-read", True)
    assert found["Ada", "m", "b"] == found["Bob", "m", "a"] == ("missing", "")


def test_two_lines_for_one_answer_are_told_with_it() -> None:
    again = "the same entry is answered in two lines: neither counts"
    grades = graded("Ada,sh,,9 5", "Ada,sh,,9 6")
    assert marks(grades)["Ada", "sh", ""] == ("not-read", f"line 2: {again}; line 3: {again}")
    assert grades.papers[0].awarded == 0


def test_a_line_without_its_part_is_told_at_every_part_without_an_answer() -> None:
    said = "line 3: question m has several parts: say which"
    found = marks(graded(f"Ada,m,a,{'; '.join(weights())}", "Ada,m,,1 2"))
    assert found["Ada", "m", "a"] == ("right", "")
    assert found["Ada", "m", "b"] == ("not-read", said)


def test_what_is_read_keeps_its_verdict_and_the_rest_is_told() -> None:
    header = "id,question,part,row,column,answer"
    first = weights()[0].split()[0]
    verdict, detail = marks(graded(f"Ada,m,a,1,1,{first}", "Ada,m,a,1,9,0", header=header))["Ada", "m", "a"]
    assert (verdict, detail) == ("partly", "1 of 9 right; line 3: row “1”, column “9” is not asked for")


@pytest.mark.parametrize("lang", languages())
def test_both_languages_have_the_words(lang: str) -> None:
    grades = graded('Ada,m,a,"0.1 0.9')
    verdict, detail = marks(grades, lang)["Ada", "m", "a"]
    words = messages(lang)
    assert verdict == "not-read"
    assert words.text("marking.problem.unread") in detail
    assert words.text("marking.verdict.not-read") in typeset(report(grades, "Midterm", lang), "text")


# -- sizes, names and thousands --------------------------------------------------------------------------------------------


def shape(who: int = 0) -> tuple[str, str]:
    r, c = (entry.text for entry in papers()[who].questions[1].parts[0].entries)
    assert r != c
    return r, c


@pytest.mark.parametrize(
    "form",
    ["{} × {}", "{}x{}", "{} x {}", "{}*{}", "({}, {})", "({},{})", "[{},{}]", "（{}，{}）", "S = {} × {}", "r = {}, c = {}",
     "(r={},c={})", "r = {} c = {}", "r＝{}；c＝{}", "{} {}", "{}, {}"],
)  # fmt: skip
def test_a_shape_as_a_statement_writes_it(form: str) -> None:
    r, c = shape()
    assert marks(graded(f'Ada,sh,,"{form.format(r, c)}"'))["Ada", "sh", ""] == ("right", "")
    assert marks(graded(f'Ada,sh,,"{form.format(c, r)}"'))["Ada", "sh", ""][0] in ("wrong", "misconception")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("16 × 12 × 3", "shape"), ("16 × 12 = 192", "shape"), ("16,12", "shape"), ("(1,234)", "shape"), ("0x10", "shape"),
        ("r = 16 × 12", "shape"), ("16.5 × 2", "shape"), ("c = 12, r = 16", "names"), ("a = 1, b = 2", "names"),
        ("r = 1 234, c = 2", "names"), ("r = c = 16", "names"), ("1,234.5", "shape"),
    ],
)  # fmt: skip
def test_what_may_be_something_else_is_refused(text: str, why: str) -> None:
    assert [one.why for one in graded(f'Ada,sh,,"{text}"').problems] == [why]


def test_the_refusal_of_names_says_what_is_read() -> None:
    verdict, detail = marks(graded('Ada,sh,,"a = 1, b = 2"'))["Ada", "sh", ""]
    assert verdict == "not-read"
    assert detail == ("line 2: “a = 1, b = 2”: r = …, c = … is read, in this order, or the numbers alone")


def test_under_a_decimal_comma_a_couple_is_one_number() -> None:
    r, c = shape()
    for form, right in (("({},{})", False), ("({}, {})", True), ("{} × {}", True), ("{};{}", True)):
        grades = grade(papers(), f'{HEADER}\nAda,sh,,"{form.format(r, c)}"\n', ",")
        assert (marks(grades)["Ada", "sh", ""][0] == "right") is right
