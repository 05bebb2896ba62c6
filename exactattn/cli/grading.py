"""`exactattn grade`: a class's answers against the papers of an exam."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from exactattn.cases.limits import CASE_LIMITS
from exactattn.cases.reading import decode, read_file
from exactattn.cli.console import put_error
from exactattn.cli.progress import progress
from exactattn.cli.showing import display
from exactattn.cli.solving import check_output
from exactattn.errors import FileError, OptionError
from exactattn.exams import exam as exams
from exactattn.exams.class_report import report
from exactattn.exams.drawn import compare, digest
from exactattn.exams.grade import grade, marks_csv
from exactattn.exams.model import Paper
from exactattn.exams.papers import Watched
from exactattn.exams.spec import Spec
from exactattn.exams.spec import read as spec_of
from exactattn.exams.write import Kept, kept
from exactattn.i18n import messages
from exactattn.writers import formats
from exactattn.writers.files import check_writable, write_atomically


@click.command("grade")
@click.argument("exam")
@click.argument("answers")
@click.option("-o", "--output", "output", default="marks.csv", show_default=True, metavar="FILE",
              help="Where the marks go: a line for each part, a total for each paper.")  # fmt: skip
@click.option("--report", "reports", multiple=True, metavar="FILE",
              help="Write the class report to FILE: .html .tex .pdf .md .txt. May be repeated.")  # fmt: skip
@click.option("--lang", metavar="zh|en", help="The language of marks and report; by default the exam's.")
def grade_command(exam: str, answers: str, output: str, reports: tuple[str, ...], lang: str | None) -> int:
    """Mark the ANSWERS of a class against the papers in the folder EXAM, which exactattn exam wrote.

    ANSWERS is a table with the columns id, question, answer, and where they are needed part, row, column. The id is the
    student's; without a roster it is the paper's number. A whole row or matrix is written with spaces between entries and
    ; between rows.

    \b
    exactattn grade midterm answers.csv -o marks.csv --report class.html

    Exit codes: 0 everything was marked, 1 some lines were not, 2 bad input.
    """
    for name in reports:
        check_output(name)
        if Path(name).suffix.lower() in (".svg", ".json") or name.endswith(("/", "\\")) or Path(name).is_dir():
            raise OptionError("--report {name}: a report is one file: .html .tex .pdf .md or .txt", name=name)
    if not output.lower().endswith(".csv"):
        raise OptionError("-o {name}: the marks are a .csv file", name=output)
    check_writable(Path(output))
    if lang is not None:
        messages(lang)
    folder = Path(exam)
    found = kept(folder)
    if found is None:
        raise FileError("{folder} holds no exam: exactattn exam SPEC -o {folder} writes one", folder=exam)
    spec = spec_of(found.source)
    text = decode(read_file(Path(answers), answers, CASE_LIMITS), answers)
    papers = _papers(spec, found, folder)
    with progress({"grade": "marking papers"}) as shown:
        grades = grade(papers, text, "," if spec.decimal == "," else ".", shown)
    language = lang or spec.lang
    write_atomically(Path(output), marks_csv(grades, language).encode("utf-8-sig"))
    page = report(grades, spec.title or folder.resolve().name, language)
    for name in reports:
        formats.save(lambda: page, Path(name), str)
    if not reports:
        display(page)
    words = messages(language)
    for one in grades.problems:
        why = words.text(f"marking.problem.{one.why}", **one.parts)
        put_error(words.text("marking.unmarked", file=answers, line=one.line, why=why))
    return 1 if grades.problems else 0


def _papers(spec: Spec, found: Kept, folder: Path) -> Sequence[Paper]:
    """The papers again: of the roster's students, or as many as were written. They are those that were handed out."""
    if found.named:
        papers = exams.exam(spec, found.seed, roster=found.students).papers
    else:
        papers = exams.exam(spec, found.seed, len(found.students)).papers
    return Watched(papers, lambda paper: compare(folder, paper.number, found.drawn, digest(paper)))
