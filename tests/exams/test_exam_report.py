"""The report of an exam: what it says is what the papers are."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from exactattn.exams.exam import exam
from exactattn.exams.exam_report import Report, Seen, seen
from exactattn.exams.model import LETTERS, Choice
from exactattn.exams.papers import Papers
from exactattn.exams.spec import read
from exactattn.writers.markdown import markdown

SPEC = """
seed = "r"
[[question]]
id = "row"
kind = "one-query"
difficulty = 2
points = "5/2"
[[question]]
id = "pick"
kind = "softmax-vector"
answer = "choice"
count = 3
[[question]]
id = "counts"
kind = "shapes"
"""


@pytest.fixture(scope="module")
def made():
    return exam(read(SPEC), variants=8)


@pytest.fixture(scope="module")
def report(made):
    found = Report(made.spec.questions)
    for paper in made.papers:
        found.add(seen(paper))
    return found


def test_the_least_margin_is_the_least_of_all_parts(made, report):
    margins = {
        (part.margin * 10**part.places, paper.number)
        for paper in made.papers
        for part in paper.questions[0].parts
        if part.margin is not None
    }
    least, number = min(margins)
    margin, paper, id = report.least
    assert (paper, id) == (number, "row")
    assert 0 <= least - Fraction(margin) < Fraction(1, 100)


def test_the_page_says_which_letters_are_right_and_how_many_attempts_were_kept(made, report):
    assert isinstance(made.papers, Papers)
    page = markdown(report.document(made.papers, "T", "en"))
    right = Counter(
        LETTERS[part.form.right]
        for paper in made.papers
        for question in paper.questions
        for part in question.parts
        if isinstance(part.form, Choice)
    )
    assert right.total() == 24
    assert "| pick | " + " | ".join(str(right[letter]) for letter in "ABCD"[: len(right)]) + " |" in page
    kept = {asked.id: attempts for asked, attempts in zip(made.spec.questions, made.papers.attempts, strict=True)}
    assert f"| row | 2 | 5/2 | 8 of {kept['row'][-1] + 1} |" in page
    assert f"| pick | 3 | 1 | 24 of {kept['pick'][-1] + 1} |" in page
    assert "| counts | 3 | 1 | 8 of " in page


def test_matrices_that_come_again_are_counted():
    (asked,) = read('[[question]]\nid = "a"\nkind = "one-query"\n').questions
    found = Report([asked])
    for k in (1, 2, 1, 3, 2, 1):
        found.add([Seen("a", (k,), None, (), (("Q", 100 + k), ("K", len(repr(found)) + k * 1000)))])
    papers = exam(read('[[question]]\nid = "a"\nkind = "one-query"\n'), 1).papers
    assert isinstance(papers, Papers)
    papers[0]
    page = markdown(found.document(papers, "T", "en"))
    assert "| a | Q | 5 | 6 |" in page
    assert "| a | K | 5 | 6 |" in page
    assert found.least == ("0.01", 1, "a")


def test_a_matrix_of_its_own_in_each_variant_is_said():
    one = exam(read(SPEC), variants=1)
    found = Report(one.spec.questions)
    found.add(seen(one.papers[0]))
    assert "No given matrix stands in two variants" in markdown(found.document(one.papers, "T", "en"))


@pytest.mark.parametrize(("lang", "word"), [("en", "Least margin"), ("zh", "最小间隔")])
def test_the_report_is_written_for_the_teacher_in_the_language_of_the_papers(made, tmp_path, lang, word):
    made.write(tmp_path / "out", ["html"], lang=lang)
    assert word in (tmp_path / "out" / "teacher" / "report.html").read_text(encoding="utf-8")
    assert not list((tmp_path / "out" / "students").glob("*report*"))


def test_the_report_is_there_whatever_is_asked_for(made, tmp_path):
    made.write(tmp_path / "out", ["csv"])
    assert (tmp_path / "out" / "teacher" / "report.md").is_file()
