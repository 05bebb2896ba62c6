"""An exam as files: out/students for those who sit it, out/teacher with the keys, the solutions and what they follow from."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from exactattn.document import Document
from exactattn.errors import FileError, OptionError, nearest
from exactattn.exams import paper as papers
from exactattn.exams import printing, record, roster
from exactattn.exams.model import Paper
from exactattn.exams.spec import Spec
from exactattn.i18n import messages
from exactattn.writers import formats as writers
from exactattn.writers.files import make_folder, write_atomically

if TYPE_CHECKING:
    from exactattn.exams.exam import Exam

FORMATS = ("pdf", "tex", "html", "md", "csv", "json")
"""What can be asked for; "csv" and "json" are the whole model, for the teacher."""

_TEXTS = {"html": "html", "md": "markdown"}


@dataclass(frozen=True, slots=True)
class Kept:
    """What an earlier run left in a folder: the spec's text, the seed, the students."""

    source: str
    seed: str
    students: tuple[str, ...]


def kept(out: Path) -> Kept | None:
    """The exam in a folder; None where there is none yet. Errors: FileError where it is not whole."""
    teacher = out / "teacher"
    if not (teacher / "seed.txt").exists():
        return None
    try:
        source = (teacher / "spec.toml").read_text(encoding="utf-8")
        seed = (teacher / "seed.txt").read_text(encoding="utf-8").removesuffix("\n")
        names = teacher / "roster.csv"
        students = roster.read(names) if names.exists() else ()
    except (OSError, UnicodeDecodeError):
        raise FileError("{out} holds an exam whose spec, seed or roster cannot be read", out=str(out)) from None
    return Kept(source, seed, students)


def checked(formats: Sequence[str]) -> tuple[str, ...]:
    """The formats, each once; an error for an unknown one, or for pdf without xelatex."""
    for name in formats:
        if name not in FORMATS:
            known = ", ".join(FORMATS)
            raise OptionError(
                "format {name!r} is not one of {known}{hint}", name=name, known=known, hint=nearest(name, FORMATS)
            )  # fmt: skip
    if "pdf" in formats:
        from exactattn.writers.pdf import xelatex

        xelatex()
    return tuple(dict.fromkeys(formats))


def write(exam: Exam, out: Path, formats: Sequence[str], lang: str) -> list[Path]:
    """All files of an exam, each whole or not at all; those written."""
    wanted = checked(formats)
    messages(lang)
    students = tuple(paper.student for paper in exam.papers if paper.student)
    _same(exam, kept(out), students, out)
    for folder in (out, out / "teacher", out / "students"):
        make_folder(folder)
    done: list[Path] = []

    def put(path: Path, data: bytes | str) -> None:
        write_atomically(path, data.encode() if isinstance(data, str) else data)
        done.append(path)

    teacher = out / "teacher"
    # the seed last: a folder with a seed has all that the papers follow from
    put(teacher / "spec.toml", exam.spec.source)
    if students:
        put(teacher / "roster.csv", roster.written(students))
    put(teacher / "seed.txt", f"{exam.seed}\n")
    if "json" in wanted:
        put(teacher / "exam.json", json.dumps(record.as_data(exam), ensure_ascii=False, indent=1) + "\n")
    if "csv" in wanted:
        put(teacher / "exam.csv", record.as_csv(exam))
    _documents(exam, out, wanted, lang, put)
    return done


def _same(exam: Exam, before: Kept | None, students: tuple[str, ...], out: Path) -> None:
    if before is None:
        return
    what = ""
    if before.source != exam.spec.source:
        what = "spec"
    elif before.seed != exam.seed:
        what = "seed"
    elif before.students != students[: len(before.students)]:
        what = "roster"
    if what:
        raise FileError("{out} holds an exam of another {what}: name another folder", out=str(out), what=what)


Put = Callable[[Path, "bytes | str"], None]


def _documents(exam: Exam, out: Path, wanted: Sequence[str], lang: str, put: Put) -> None:
    """Papers one by one (in a PDF also all together), keys and solutions all in one."""
    spec = exam.spec
    heading = papers.title(spec, messages(lang))
    each: list[tuple[str, Callable[[Paper, Spec, str], Document], printing.Keep]] = [
        ("key", papers.key, "questions"),
        ("solutions", papers.solutions, "lines"),
    ]
    for format, writer in _TEXTS.items():
        if format not in wanted:
            continue
        for paper in exam.papers:
            stem = roster.file_stem(paper.number, paper.student)
            put(out / "students" / f"{stem}.{format}", writers.typeset(papers.sheets(paper, spec, lang), writer))
        for name, made, _ in each:
            whole = printing.joined([made(paper, spec, lang) for paper in exam.papers], heading, lang)
            put(out / "teacher" / f"{name}.{format}", writers.typeset(whole, writer))
    if "tex" in wanted:
        for paper in exam.papers:
            stem = roster.file_stem(paper.number, paper.student)
            one = printing.latex([papers.sheets(paper, spec, lang)], lang, heading, "questions")
            put(out / "students" / f"{stem}.tex", one)
    for name, made, keep in each if {"tex", "pdf"} & set(wanted) else []:
        tex = printing.latex((made(paper, spec, lang) for paper in exam.papers), lang, heading, keep)
        if "tex" in wanted:
            put(out / "teacher" / f"{name}.tex", tex)
        if "pdf" in wanted:
            from exactattn.writers.pdf import pdf

            put(out / "teacher" / f"{name}.pdf", pdf(tex, seconds=_seconds(exam)))
    if "pdf" in wanted:
        _papers(exam, out, lang, heading, put)


def _seconds(exam: Exam) -> int:
    """How long a run of TeX may take: many papers take longer, none takes for ever."""
    return 120 + 5 * len(exam.papers)


def _papers(exam: Exam, out: Path, lang: str, heading: str, put: Put) -> None:
    """All papers in one run of TeX: one file to print, and one for each student."""
    from exactattn.writers.pdf import apart

    tex = printing.latex((papers.sheets(p, exam.spec, lang) for p in exam.papers), lang, heading, "questions")
    whole, files = apart(tex, seconds=_seconds(exam))
    put(out / "teacher" / "papers.pdf", whole)
    for paper, data in zip(exam.papers, files, strict=True):
        put(out / "students" / f"{roster.file_stem(paper.number, paper.student)}.pdf", data)
