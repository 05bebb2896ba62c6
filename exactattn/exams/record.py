"""The whole model of an exam as plain data: JSON (`exam.schema.json` is its schema) and a table of keys."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from importlib import resources
from typing import TYPE_CHECKING, Any

from exactattn.exams.model import Part, Question
from exactattn.exams.render import fraction_text
from exactattn.exams.roster import safe

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
                "questions": [_question(question) for question in paper.questions],
            }
            for paper in exam.papers
        ],
    }


def _question(question: Question) -> dict[str, Any]:
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
        "parts": [_part(part) for part in question.parts],
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


def _part(part: Part) -> dict[str, Any]:
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
    }


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
                for entry in part.entries:
                    place = entry.place
                    where = ("", "") if place is None else (place.row + 1, place.column + 1)
                    head = "" if part.head is None else part.head + 1
                    # keys are numbers, so that a minus sign begins no formula
                    writer.writerow(
                        (
                            paper.number, safe(paper.student), question.id, asked.kind, asked.points, part.id, part.ask,
                            head, safe(entry.label), *where, part.places, entry.text, fraction_text(entry.tolerance),
                            _margin(part),
                        )
                    )  # fmt: skip
    return file.getvalue()
