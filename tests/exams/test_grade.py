"""Grading a class: what a table of answers may look like, what is refused, the marks and the report."""

from __future__ import annotations

import csv
import gc
import io
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from exactattn.cli import main
from exactattn.errors import InputError
from exactattn.exams.class_report import report
from exactattn.exams.exam import exam
from exactattn.exams.grade import COLUMNS, Grades, grade, marks_csv, name
from exactattn.exams.handed import read
from exactattn.exams.model import Paper, Part, Wrong
from exactattn.exams.spec import Spec
from exactattn.exams.spec import read as spec_of
from exactattn.i18n import languages, messages
from exactattn.misconceptions import find
from exactattn.writers.formats import FORMATS, typeset

SPEC = """
title = "Two questions"
lang = "en"
[[question]]
id = "four"
kind = "full-attention"
points = 9
answer = "matrix"
[[question]]
id = "one"
kind = "one-query"
points = 1
ask = ["output"]
"""


@cache
def spec() -> Spec:
    return spec_of(SPEC)


@cache
def papers() -> tuple[Paper, ...]:
    return exam(spec(), 7, roster=["Ada", "小明", "=1+1"]).papers


def whole(part: Part, texts: Sequence[str] | None = None) -> str:
    """A part's answer written whole: the key where nothing else is said."""
    given = iter(texts or [entry.text for entry in part.entries])
    rows: dict[int, list[str]] = {}
    for entry in part.entries:
        rows.setdefault(entry.place.row if entry.place else 0, []).append(next(given))
    return "; ".join(" ".join(row) for row in rows.values())


def table(*students: Paper, delimiter: str = ",") -> str:
    """The keys of these papers as a table of answers."""
    file = io.StringIO()
    writer = csv.writer(file, delimiter=delimiter, lineterminator="\n")
    writer.writerow(["id", "question", "part", "answer"])
    for paper in students or papers():
        for question in paper.questions:
            for k, part in enumerate(question.parts):
                writer.writerow([name(paper), question.id, "abc"[k], whole(part)])
    return file.getvalue()


def lines(*rows: str, header: str = "id,question,part,row,column,answer") -> Grades:
    return grade(papers(), "\n".join([header, *rows]))


def awarded(grades: Grades, k: int = 0) -> Fraction:
    return grades.papers[k].awarded


# -- what a table may look like --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("start", ["", "\ufeff", "\n\n"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_the_keys_earn_all(delimiter: str, start: str, end: str) -> None:
    grades = grade(papers(), start + table(delimiter=delimiter).replace("\n", end))
    assert grades.problems == ()
    assert [(one.awarded, one.points) for one in grades.papers] == [(10, 10)] * 3


def test_entries_one_by_one_and_rows() -> None:
    ada = papers()[0]
    weights, output = ada.questions[0].parts
    rows = [f"Ada,four,weights,{e.place.row + 1},{e.place.column + 1},{e.text}" for e in weights.entries if e.place]
    for i in range(3):
        texts = " ".join(e.text for e in output.entries if e.place and e.place.row == i)
        rows.append(f"Ada,four,2,q{i + 1},,{texts}")
    grades = lines(*rows)
    assert grades.problems == ()
    assert awarded(grades) == 9


def test_questions_and_papers_by_number() -> None:
    made = exam(spec(), 7, 2).papers
    part = made[1].questions[1].parts[0]
    for who in ("2", "002"):
        grades = grade(made, f"id,question,answer\n{who},2,{whole(part)}\n")
        assert grades.papers[1].awarded == 1


class Counted(Sequence[Paper]):
    """Papers that count how often each is looked at, and remember how many of them are alive then."""

    def __init__(self, count: int) -> None:
        self.drawn = exam(spec(), 7, count).papers
        self.looks: Counter[int] = Counter()
        self.alive: list[int] = []

    def __len__(self) -> int:
        return len(self.drawn)

    def __getitem__(self, k: Any) -> Any:
        self.looks[k] += 1
        if not 0 <= k < len(self):
            raise IndexError(k)
        gc.collect()
        self.alive.append(sum(isinstance(thing, Paper | Wrong) for thing in gc.get_objects()))
        return self.drawn[k]


def test_a_paper_is_drawn_once_and_not_kept_however_many_lines_there_are() -> None:
    papers = Counted(5)
    text = table(*papers.drawn)
    told: list[tuple[str, int, int]] = []
    grades = grade(papers, text, progress=lambda *what: told.append(what))
    assert len(text.splitlines()) == 16
    assert [awarded(grades, k) for k in range(5)] == [10] * 5
    assert papers.looks == dict.fromkeys(range(6), 1)  # and once past the end
    assert told == [("grade", k, 5) for k in range(5)]
    assert max(papers.alive[1:]) <= papers.alive[1] + 20


def test_the_decimal_comma() -> None:
    text = table().replace(".", ",")
    rows = [line.split(",", 3) for line in text.splitlines()]
    quoted = "\n".join(",".join([*row[:3], f'"{row[3]}"']) for row in rows)
    assert awarded(grade(papers(), quoted, ",")) == 10


def test_chinese_headers() -> None:
    text = table().replace("id,question,part,answer", "学号,题号,小题,答案")
    assert awarded(grade(papers(), text), 1) == 10


# -- what is refused -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("Nobody,four,a,,,1", "nobody"),
        ("Ada,five,a,,,1", "no-question"),
        ("Ada,four,,,,1", "which-part"),
        ("Ada,four,z,,,1", "no-part"),
        ("Ada,four,a,,1,1", "no-row"),
        ("Ada,four,a,9,1,1", "no-entry"),
        ("Ada,four,a,1,9,1", "no-entry"),
        ("Ada,four,a,,,1 2; 3 4", "shape"),
        ("Ada,four,a,1,,1 2", "shape"),
        ("Ada,four,a,1,,1 2 3 4", "shape"),
        ("Ada,four,a,,,1 2 3 9; 4 5 6 9; 7 8 9 9", "shape"),
        ("Ada,four,a,1,,a = 1 b = 2 c = 3", "names"),
        (",four,a,,,1", "nameless"),
        ("Ada,,a,,,1", "nameless"),
        ("Ada,four,a,1,1", "cells"),
        ("Ada,four,a,1,1,0,5", "cells"),
        ('Ada,four,a,1,1,"0.5', "unread"),
        ("Ada,four,a,1,1," + "9" * 30_000, "unread"),
    ],
)
def test_a_malformed_row_is_reported_and_the_rest_go_on(row: str, why: str) -> None:
    part = papers()[0].questions[1].parts[0]
    grades = lines(row, f"Ada,one,,,,{whole(part)}")
    assert [(one.line, one.why) for one in grades.problems] == [(2, why)]
    assert awarded(grades) == 1


@pytest.mark.parametrize(("more", "right"), [("", True), (" 9", False), (" 9 9", False)])
@pytest.mark.parametrize(("kind", "ask"), [("full-attention", "scores"), ("masked", "weights")])
def test_a_row_is_typed_as_wide_as_the_matrix_or_as_asked(kind: str, ask: str, more: str, right: bool) -> None:
    """Row 2 of 3 columns, two of which are asked: the third is printed on the paper, or masked."""
    (paper,) = exam(
        spec_of(f'[[question]]\nid = "q"\nkind = "{kind}"\nask = ["{ask}"]\nanswer = "row"\nrow = 2\n'), 7
    ).papers
    (part,) = paper.questions[0].parts
    keys = {entry.place.column: entry.text for entry in part.entries if entry.place}
    assert len(keys) == 2
    row = " ".join(keys.get(j, "7") for j in range(3)) + more
    grades = grade([paper], f"id,question,answer\n1,q,{row}\n")
    assert awarded(grades) == (1 if right else 0)
    parts = {"text": row, "came": str(3 + len(more) // 2), "due": "2", "width": "3"}
    assert [(one.why, one.parts) for one in grades.problems] == ([] if right else [("shape-or-whole", parts)])
    assert awarded(grade([paper], f"id,question,answer\n1,q,{' '.join(keys.values())}\n")) == 1


def test_a_wrong_shape_says_what_came_and_what_was_due() -> None:
    (problem,) = lines("Ada,four,a,,,1 2; 3 4 5").problems
    said = messages("en").text(f"marking.problem.{problem.why}", **problem.parts)
    assert said == "“1 2; 3 4 5” is rows of 2; 3 numbers; rows of 3; 3; 3 were due"
    (paper,) = exam(
        spec_of('[[question]]\nid = "q"\nkind = "masked"\nask = ["weights"]\nanswer = "row"\nrow = 2\n'), 7
    ).papers
    (problem,) = grade([paper], "id,question,answer\n1,q,1 2 3 4\n").problems
    said = messages("en").text(f"marking.problem.{problem.why}", **problem.parts)
    assert said == "“1 2 3 4” is rows of 4 numbers; rows of 2 were due, or of 3 with what is printed between"


def test_a_long_text_is_cut_where_it_is_reported() -> None:
    assert lines("x" * 1000 + ",four,a,,,1").problems[0].parts == {"id": "x" * 40 + "…"}


def test_a_duplicate_refuses_both_rows() -> None:
    part = papers()[0].questions[1].parts[0]
    grades = lines(f"Ada,one,,,,{whole(part)}", "Ada,four,a,1,1,0", f"Ada,one,a,1,1,{part.entries[0].text}")
    assert [(one.line, one.why) for one in grades.problems] == [(2, "twice"), (4, "twice")]
    assert awarded(grades) == 0


@pytest.mark.parametrize(
    "text", ["", "\n", "a,b\n1,2", "id,question\nAda,one", "id,id,question,answer", "id,question,answer,x"]
)
def test_a_header_that_is_none(text: str) -> None:
    with pytest.raises(InputError, match="the answers"):
        read(text)


@given(st.text(max_size=200))
def test_no_table_fails(text: str) -> None:
    grades = grade(papers(), "id,question,part,row,column,answer\n" + text)
    assert awarded(grades) == 0


# -- marks and report ------------------------------------------------------------------------------------------------------


def slipped() -> Grades:
    """Ada's first part is that of unscaled scores, the others hand in their keys."""
    ada = papers()[0]
    weights = ada.questions[0].parts[0]
    wrong = next(one for one in weights.wrongs if "no-scale" in one.names)
    return grade(papers(), table().replace(whole(weights), whole(weights, wrong.texts), 1))


def test_marks_are_a_line_for_each_part_and_a_total() -> None:
    text = marks_csv(slipped(), "en")
    rows = list(csv.reader(io.StringIO(text)))
    assert tuple(rows[0]) == COLUMNS
    assert [row[:6] for row in rows[1:5]] == [
        ["Ada", "four", "a", "5.40", "0.00", "misconception"],
        ["Ada", "four", "b", "3.60", "3.60", "right"],
        ["Ada", "one", "", "1.00", "1.00", "right"],
        ["Ada", "total", "", "10.00", "4.60", ""],
    ]  # fmt: skip
    assert rows[1][6].split(" + ")[0] == "no-scale"
    assert len(rows) == 1 + 3 * 4


def test_no_cell_is_a_formula() -> None:
    assert "\n'=1+1,four" in marks_csv(slipped(), "en")


@pytest.mark.parametrize("lang", languages())
def test_the_class_report_in_every_format(lang: str) -> None:
    document = report(slipped(), "Midterm", lang)
    assert all(typeset(document, format) for format in FORMATS)


def test_the_class_report_names_the_misconception_and_what_to_say() -> None:
    text = typeset(report(slipped(), "Midterm", "en"), "text")
    assert "no scaling" in text
    assert find("no-scale").feedback("en")[:40] in " ".join(text.split())
    assert "3 papers, 82 % of the points on average" in text


# -- the command -----------------------------------------------------------------------------------------------------------


def test_the_command_rebuilds_the_papers(tmp_path: Path) -> None:
    exam(spec(), 7, roster=["Ada", "小明", "=1+1"]).write(tmp_path / "exam", ["md"])
    (tmp_path / "answers.csv").write_text(table(), encoding="utf-8-sig")
    args = ["grade", str(tmp_path / "exam"), str(tmp_path / "answers.csv"), "-o", str(tmp_path / "marks.csv")]
    page = tmp_path / "class.html"
    shown = CliRunner().invoke(main, [*args, "--report", str(page)], standalone_mode=False)
    assert (shown.return_value, shown.output) == (0, "")
    assert (tmp_path / "marks.csv").read_text(encoding="utf-8-sig").count(",total,,10.00,10.00,") == 3
    assert "no scaling" not in page.read_text(encoding="utf-8")
    (tmp_path / "answers.csv").write_text(table() + "Eve,four,a,1\n", encoding="utf-8")
    again = CliRunner().invoke(main, args, standalone_mode=False)
    assert again.return_value == 1
    assert "line 11 is not marked: no paper belongs to Eve" in again.output


def test_the_command_without_a_roster(tmp_path: Path) -> None:
    made = exam(spec(), 7, 2)
    made.write(tmp_path, ["md"])
    (tmp_path / "answers.csv").write_text(table(*made.papers), encoding="utf-8")
    marks = tmp_path / "marks.csv"
    args = ["grade", str(tmp_path), str(tmp_path / "answers.csv"), "-o", str(marks)]
    assert CliRunner().invoke(main, args, standalone_mode=False).return_value == 0
    assert marks.read_text(encoding="utf-8-sig").count(",total,,10.00,10.00,") == 2


@pytest.mark.parametrize("formats", ["csv,json", "moodle", "md"])
def test_how_many_papers_there_are_is_not_told_by_the_students_files(tmp_path: Path, formats: str) -> None:
    (tmp_path / "spec.toml").write_text(SPEC, encoding="utf-8")
    made = ["exam", str(tmp_path / "spec.toml"), "-o", str(tmp_path / "out"), "--seed", "7", "--variants", "3"]
    assert CliRunner().invoke(main, [*made, "--format", formats]).exit_code == 0
    students = tmp_path / "out" / "students"
    students.mkdir(exist_ok=True)
    for file in students.iterdir():
        file.unlink()
    (students / "099-plan.md").write_text("mine")
    (tmp_path / "answers.csv").write_text(table(*exam(spec(), 7, 3).papers), encoding="utf-8")
    marks = tmp_path / "marks.csv"
    args = ["grade", str(tmp_path / "out"), str(tmp_path / "answers.csv"), "-o", str(marks)]
    assert CliRunner().invoke(main, args, standalone_mode=False).return_value == 0
    assert marks.read_text(encoding="utf-8-sig").count(",total,,10.00,") == 3


@pytest.mark.parametrize(
    ("left", "message"),
    [
        (None, "but nothing says how many papers it has: write their number into {out}/teacher/papers.txt"),
        ("0", "{out}/teacher/papers.txt says '0': the number of papers was due"),
        ("three\n", "{out}/teacher/papers.txt says 'three': the number of papers was due"),
    ],
)
def test_a_folder_that_does_not_say_how_many_papers_it_has(tmp_path: Path, left: str | None, message: str) -> None:
    out = tmp_path / "out"
    exam(spec(), 7, 2).write(out, ["md"])
    papers = out / "teacher" / "papers.txt"
    assert papers.read_text() == "2\n"
    papers.unlink()
    if left is not None:
        papers.write_text(left)
    (tmp_path / "answers.csv").write_text("id,question,answer\n", encoding="utf-8")
    args = ["grade", str(out), str(tmp_path / "answers.csv"), "-o", str(tmp_path / "marks.csv")]
    shown = CliRunner().invoke(main, args, standalone_mode=False)
    assert shown.return_value == 2
    assert message.format(out=out) in shown.output


def test_with_a_roster_a_number_is_nobody(tmp_path: Path) -> None:
    """A number that is mistyped would be somebody else's paper."""
    assert lines("1,four,a,1,1,0").problems[0].why == "nobody"
    help = " ".join(CliRunner().invoke(main, ["grade", "--help"]).output.split())
    assert "The id is the student's; without a roster it is the paper's number." in help


def test_a_folder_without_an_exam(tmp_path: Path) -> None:
    (tmp_path / "answers.csv").write_text("id,question,answer\n", encoding="utf-8")
    args = ["grade", str(tmp_path), str(tmp_path / "answers.csv"), "-o", str(tmp_path / "marks.csv")]
    shown = CliRunner().invoke(main, args, standalone_mode=False)
    assert shown.return_value == 2
    assert "holds no exam" in shown.output
