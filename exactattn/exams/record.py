"""The whole model of an exam as plain data: JSON (`exam.schema.json` is its schema) and a table of keys."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from importlib import resources
from typing import TYPE_CHECKING, Any, assert_never

from exactattn.document import plain
from exactattn.exams import places
from exactattn.exams.model import LETTERS, Choice, Design, Order, Part, Question, Rubric, key_of
from exactattn.exams.render import fraction_text
from exactattn.exams.roster import safe
from exactattn.i18n import Messages, messages

if TYPE_CHECKING:
    from exactattn.exams.exam import Exam

FORMAT, VERSION = "exactattn-exam", 1

COLUMNS = (
    "paper", "student", "question", "kind", "points", "part", "ask", "head", "entry", "row", "column", "places", "key",
    "tolerance", "margin",
)  # fmt: skip


def schema() -> dict[str, Any]:
    """The JSON Schema of the record."""
    text = resources.files("exactattn.exams").joinpath("exam.schema.json").read_text(encoding="utf-8")
    out: dict[str, Any] = json.loads(text)
    return out


def as_data(exam: Exam) -> dict[str, Any]:
    """The exam as plain data. Numbers are texts: decimals and fractions, none of them a float."""
    spec = exam.spec
    return {
        "format": FORMAT,
        "version": VERSION,
        "title": spec.title,
        "lang": spec.lang,
        "decimal": spec.decimal,
        "seed": exam.seed,
        "points": str(spec.points),
        "papers": [
            {
                "number": paper.number,
                "student": paper.student,
                "questions": [_question(question, messages(spec.lang)) for question in paper.questions],
            }
            for paper in exam.papers
        ],
    }


def _question(question: Question, words: Messages) -> dict[str, Any]:
    asked, trace = question.asked, question.trace
    out: dict[str, Any] = {
        "id": question.id,
        "kind": asked.kind,
        "points": str(asked.points),
        "follow_through": str(asked.follow_through),
        "credit": {name: str(share) for name, share in asked.credit.items()},
        "difficulty": asked.difficulty,
        "numbers": asked.numbers,
        "attempt": question.attempt,
        "facts": dict(question.facts),
        "parts": [_part(question, part, words) for part in question.parts],
        "told_apart": list(question.seen_through),
    }
    if trace is not None:
        settings = trace.problem.settings
        mask = settings.mask if isinstance(settings.mask, str) else [[int(x) for x in row] for row in settings.mask]
        out["given"] = {
            "inputs": {name: [list(row) for row in rows] for name, rows in trace.problem.inputs.items()},
            "tokens": list(trace.problem.tokens),
            "key_tokens": list(trace.problem.key_tokens),
            "scale": settings.scale,
            "mask": mask,
            "heads": settings.heads,
        }
    return out


def _part(question: Question, part: Part, words: Messages) -> dict[str, Any]:
    return {
        "id": part.id,
        "ask": part.ask,
        "head": part.head,
        "rows": [i + 1 for i in part.rows],
        "places": part.places,
        "working": part.working,
        "margin": _margin(part),
        "entries": [
            {
                "label": entry.label,
                "row": None if entry.place is None else entry.place.row + 1,
                "column": None if entry.place is None else entry.place.column + 1,
                "key": entry.text,
                "tolerance": fraction_text(entry.tolerance),
            }
            for entry in part.entries
        ],
        "wrong": [{"misconceptions": list(wrong.names), "answers": list(wrong.texts)} for wrong in part.wrongs],
        "form": _form(question, part, words),
    }


def _form(question: Question, part: Part, words: Messages) -> dict[str, Any] | None:
    """How a part is answered where it is not by numbers; sentences are in the language of the exam."""
    match part.form:
        case None:
            return None
        case Choice(options=options):
            shown = [plain(places.option_shown(question, part, option, words)) for option in options]
            return {
                "name": "choice",
                "right": key_of(part)[0],
                "options": [
                    {"letter": LETTERS[k], "text": text, "misconceptions": list(option.names)}
                    for k, (option, text) in enumerate(zip(options, shown, strict=True))
                ],
            }
        case Order(items=items):
            steps = [plain(places.item_shown(question, item, words)) for item in items]
            return {
                "name": "order",
                "right": key_of(part)[0],
                "steps": [{"letter": LETTERS[k], "text": text} for k, text in enumerate(steps)],
            }
        case Rubric(criteria=criteria):
            said = [plain(places.criterion_shown(question, one, words)) for one in criteria]
            return {
                "name": "text",
                "rubric": [{"share": str(one.share), "text": text} for one, text in zip(criteria, said, strict=True)],
            }
        case Design() as design:
            bounds = [
                {
                    "quantity": bound.place.name, "head": bound.place.head,
                    "row": bound.place.row + 1, "column": bound.place.column + 1,
                    "low": None if bound.low is None else str(bound.low),
                    "high": None if bound.high is None else str(bound.high),
                }
                for bound in design.bounds
            ]  # fmt: skip
            return {"name": "design", "input": design.varied, "row": design.row + 1, "bounds": bounds}
        case _ as other:
            assert_never(other)


def _margin(part: Part) -> str | None:
    """How far the nearest wrong method stays away, cut off at two places more than the key's."""
    if part.margin is None:
        return None
    unit = 10 ** (part.places + 2)
    return fraction_text(Fraction(part.margin.numerator * unit // part.margin.denominator, unit))


def as_csv(exam: Exam) -> str:
    """Every asked entry of every paper, one a line; no cell is a formula."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for paper in exam.papers:
        for question in paper.questions:
            asked = question.asked
            for part in question.parts:
                head = "" if part.head is None else part.head + 1
                for label, where, key, tolerance in _keys(part):
                    # keys are numbers or letters, so that a minus sign begins no formula
                    writer.writerow(
                        (
                            paper.number, safe(paper.student), question.id, asked.kind, asked.points, part.id, part.ask,
                            head, safe(label), *where, part.places, key, tolerance, _margin(part),
                        )
                    )  # fmt: skip
    return file.getvalue()


def _keys(part: Part) -> list[tuple[str, tuple[object, object], str, str]]:
    """The label, row and column, key and tolerance of each place to fill."""
    if part.form is not None and not isinstance(part.form, Design):
        return [("", ("", ""), key, "") for key in key_of(part)]
    return [
        (
            entry.label,
            ("", "") if entry.place is None else (entry.place.row + 1, entry.place.column + 1),
            entry.text,
            fraction_text(entry.tolerance),
        )
        for entry in part.entries
    ]
