"""What one paper comes to as text: the files of its student, and its share of each file of the teacher's.

A paper's pieces depend on nothing but the paper and the plan, so that they can be made in any order and by any process.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from exactattn.document import Document
from exactattn.exams import paper as papers
from exactattn.exams import printing, record, roster
from exactattn.exams.drawn import digest
from exactattn.exams.exam import Exam
from exactattn.exams.exam_report import Seen, seen
from exactattn.exams.model import Paper
from exactattn.exams.papers import worked
from exactattn.exams.spec import Spec
from exactattn.i18n import messages
from exactattn.writers.html import Sheet

PAGES = ("html", "md")
"""Formats whose files stand alone."""

BETWEEN = {"json": ",\n  ", "html": "\n", "md": "\n\n"}
"""What stands between the papers of one file, by its suffix."""


@dataclass(frozen=True, slots=True)
class Plan:
    """An exam to be written: what all papers share. It can be sent to another process."""

    spec: Spec
    seed: str
    lang: str
    formats: tuple[str, ...]
    sheet: Sheet = "a4"

    @property
    def heading(self) -> str:
        """The title that all files bear."""
        return papers.title(self.spec, messages(self.lang))


@dataclass(frozen=True, slots=True)
class Order:
    """One paper to be made: its number, its student, and the attempts that its questions are."""

    number: int
    student: str
    recipe: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Pieces:
    """Texts by the names of files: whole ones in students/, shares of those in teacher/; what the report keeps; the digest."""

    students: Mapping[str, str]
    teacher: Mapping[str, str]
    seen: tuple[Seen, ...]
    digest: str


def made(plan: Plan, order: Order) -> Pieces:
    """The pieces of a paper."""
    paper = worked(plan.spec, plan.seed, order.number, order.student, order.recipe)
    stem = roster.file_stem(order.number, order.student)
    students: dict[str, str] = {}
    teacher = {f"exam.{name}": _MODELS[name](plan, paper) for name in plan.formats if name in _MODELS}
    pages = [name for name in plan.formats if name in PAGES]
    tex = {"tex", "pdf"} & set(plan.formats)
    if not pages and not tex:
        return Pieces(students, teacher, seen(paper), digest(paper))
    sheets = papers.sheets(paper, plan.spec, plan.lang)
    students |= {f"{stem}.{name}": printing.page(sheets, name, plan.sheet) for name in pages}
    if "tex" in tex:
        students[f"{stem}.tex"] = printing.latex([sheets], plan.lang, plan.heading, "questions", plan.sheet)
    if "pdf" in tex:
        teacher["papers.tex"] = printing.one(sheets, order.number, KEEPS["papers"])
    for name, make in _MAKERS.items():
        document = make(paper, plan.spec, plan.lang)
        teacher |= {f"{name}.{suffix}": printing.section(document, suffix) for suffix in pages}
        if tex:
            teacher[f"{name}.tex"] = printing.one(document, order.number, KEEPS[name])
    return Pieces(students, teacher, seen(paper), digest(paper))


KEEPS: dict[str, printing.Keep] = {"key": "questions", "solutions": "lines", "papers": "questions"}
"""What keeps together in the documents of the teacher."""


_MAKERS: dict[str, Callable[[Paper, Spec, str], Document]] = {"key": papers.key, "solutions": papers.solutions}


def _json(plan: Plan, paper: Paper) -> str:
    (data,) = record.as_data(Exam(plan.spec, plan.seed, (paper,)))["papers"]
    text = json.dumps(data, ensure_ascii=False, indent=1)
    return text.replace("\n", "\n  ")  # two levels down; no text in it has a line end of its own


def _csv(plan: Plan, paper: Paper) -> str:
    return record.as_csv(Exam(plan.spec, plan.seed, (paper,))).partition("\n")[2]


_MODELS: dict[str, Callable[[Plan, Paper], str]] = {"json": _json, "csv": _csv}


def around(plan: Plan, name: str) -> tuple[str, str]:
    """What comes before and after all papers in a file of the teacher's."""
    stem, _, suffix = name.rpartition(".")
    match suffix:
        case "json":
            none = record.as_data(Exam(plan.spec, plan.seed, ()))
            before, _, after = json.dumps(none, ensure_ascii=False, indent=1).rpartition('"papers": []')
            return f'{before}"papers": [\n  ', f"\n ]{after}\n"
        case "csv":
            return record.as_csv(Exam(plan.spec, plan.seed, ())), ""
        case "tex":
            return printing.head(plan.lang, plan.heading, KEEPS[stem], plan.sheet), printing.TAIL
        case _:
            return printing.frame(plan.heading, plan.lang, suffix, plan.sheet)
