"""An exam as files: out/students for those who sit it, out/teacher with the keys, the solutions and what they follow from.

First it is drawn which attempts make up the papers: where a question has too few variants, nothing is written. Then papers are
made one after the other and written at once; of none is anything kept.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import BinaryIO, TypeAlias

from exactattn.errors import FileError, OptionError, nearest
from exactattn.exams import pieces, printing, roster
from exactattn.exams.drawn import DRAWN, compare, digest
from exactattn.exams.exam import Exam
from exactattn.exams.exam_report import Report, Seen, seen
from exactattn.exams.folder import PAPERS, ROSTER, Kept, kept, opened
from exactattn.exams.model import Asked, Paper
from exactattn.exams.papers import Papers, fitting
from exactattn.exams.parallel import Pool, mapped, pool
from exactattn.i18n import messages
from exactattn.writers.files import opened_atomically, write_atomically
from exactattn.writers.html import SHEETS, Sheet

__all__ = ["FORMATS", "Kept", "Written", "checked", "kept", "write"]

FORMATS = ("pdf", "tex", "html", "md", "csv", "json")
"""What can be asked for; "csv" and "json" are the whole model, for the teacher."""

MOST_JOBS = 256

Reading: TypeAlias = Callable[[Sequence[Paper], Callable[[Paper], None]], None]
"""Reads papers one by one, and tells of each that it has it."""

Progress = Callable[[str, int, int], None]
"""Told what is being done ("draw", "write", "typeset"), how much of it is done, and out of how much."""


def checked(formats: Sequence[str]) -> tuple[str, ...]:
    """The formats, each once; an error for an unknown one, or for pdf without xelatex."""
    for name in formats:
        if name not in FORMATS:
            known = ", ".join(FORMATS)
            raise OptionError(
                "format {name!r} is not one of {known}{hint}; those of learning systems are written by exactattn.export",
                name=name, known=known, hint=nearest(name, FORMATS),
            )  # fmt: skip
    if "pdf" in formats:
        from exactattn.writers.pdf import xelatex

        xelatex()
    return tuple(dict.fromkeys(formats))


def write(
    exam: Exam,
    out: Path,
    formats: Sequence[str],
    lang: str,
    sheet: Sheet = "a4",
    jobs: int = 1,
    progress: Progress | None = None,
    reading: Reading | None = None,
) -> Written:
    """All files of an exam, each whole or not at all.

    `reading` is given the papers where they are drawn one by one, and reads each once: what it makes of them needs no second
    working. Nothing may be left of it where it fails.
    """
    if sheet not in SHEETS:
        raise OptionError("paper {sheet!r} is not one of {known}", sheet=sheet, known=", ".join(SHEETS))
    if not 1 <= jobs <= MOST_JOBS:
        raise OptionError("jobs is {jobs}: 1 to {most} were due", jobs=jobs, most=MOST_JOBS)
    plan = pieces.Plan(exam.spec, exam.seed, lang, checked(formats), sheet)
    run = _Run(exam, out, plan, jobs, progress or _quiet)
    messages(lang)
    with opened(out) as work:
        before = kept(out)
        _same(exam, before, run.papers.students, out)
        run.before = () if before is None else before.drawn
        with pool(min(jobs, len(run.papers))) as workers:
            _draw(run, workers, reading)
            _begin(run)
            if run.plan.formats or reading is None:  # the report is of all papers, whatever they are written as
                _pieces(run, workers, work)
        if "pdf" in run.plan.formats:
            _typeset(run, work)
        run.put(run.teacher / DRAWN, "".join(f"{one}\n" for one in run.drawn))
        for suffix in [name for name in pieces.PAGES if name in run.plan.formats] or ["md"]:
            page = run.report.document(run.papers, run.plan.heading, lang)
            run.put(run.teacher / f"report.{suffix}", printing.page(page, suffix, sheet))
    return Written(run.done, run.report)


@dataclass(frozen=True, slots=True)
class Written:
    """The files of an exam, and what it is like as a whole."""

    files: list[Path]
    report: Report


def _quiet(stage: str, done: int, total: int) -> None:
    """Nobody is looking."""


@dataclass(slots=True)
class _Run:
    """One run: what is to be written where, and what has been."""

    exam: Exam
    out: Path
    plan: pieces.Plan
    jobs: int
    progress: Progress
    done: list[Path] = field(default_factory=list)
    report: Report = field(init=False)
    before: tuple[str, ...] = ()
    drawn: list[str] = field(default_factory=list)
    """The digests of the papers: those of an earlier run, and of this one as far as it came."""

    def __post_init__(self) -> None:
        self.report = Report(self.plan.spec.questions)

    @property
    def papers(self) -> Papers:
        """The papers, which know what they are drawn from."""
        found = self.exam.papers
        if not isinstance(found, Papers):
            raise TypeError(f"the papers of an exam are Papers: {type(found).__name__} came")
        return found

    @property
    def teacher(self) -> Path:
        """Where keys are."""
        return self.out / "teacher"

    def note(self, found: Sequence[Seen], digest: str) -> None:
        """Take in the next paper. Errors: FileError where it is not the one that an earlier run handed out."""
        self.drawn.append(digest)
        compare(self.out, len(self.drawn), self.before, digest)
        self.report.add(found)

    def put(self, path: Path, text: str) -> None:
        """Write a file at once."""
        write_atomically(path, text.encode())
        self.done.append(path)


def _same(exam: Exam, before: Kept | None, students: tuple[str, ...], out: Path) -> None:
    if before is None:
        return
    what = "spec" if before.source != exam.spec.source else "seed" if before.seed != exam.seed else ""
    named, held = any(students), len(before.students)
    if not what and before.named and named and before.students != students[:held]:
        what = "roster"
    if what:
        raise FileError("{out} holds an exam of another {what}: name another folder", out=str(out), what=what)
    if before.named and not named:
        raise FileError("{out} holds the papers of a roster, and none was given: name another folder", out=str(out))
    if named and not before.named:
        raise FileError("{out} holds numbered papers, and a roster was given: name another folder", out=str(out))
    if len(students) < held:  # the keys of those that have been handed out would be lost
        raise FileError(
            "{out} holds {held} papers, and variants is {asked}: name another folder, or ask for {held} or more",
            out=str(out), held=held, asked=len(students),
        )  # fmt: skip


def _draw(run: _Run, workers: Pool, reading: Reading | None) -> None:
    """Draw what all papers are made of: with several processes each question in one of them."""
    papers, total = run.papers, len(run.papers)
    if reading is not None:
        reading(papers, lambda paper: run.note(seen(paper), digest(paper)))
        return
    if workers is None:
        for k in range(total):
            run.progress("draw", k, total)
            papers.recipe(k)
        return
    wanted = [
        (asked, run.plan.seed, total * asked.count)
        for asked, found in zip(run.plan.spec.questions, papers.attempts, strict=True)
        if len(found) < total * asked.count
    ]
    found = mapped(workers, run.jobs, _attempts, wanted)
    for k, (id, attempts) in enumerate(found):
        run.progress("draw", k, len(wanted))
        papers.remember(id, attempts)


def _attempts(wanted: tuple[Asked, str, int]) -> tuple[str, list[int]]:
    asked, seed, count = wanted
    return asked.id, [question.attempt for question in islice(fitting(asked, seed), count)]


def _begin(run: _Run) -> None:
    # the seed last: a folder with a seed has all that the papers follow from
    students = run.papers.students
    run.put(run.teacher / "spec.toml", run.plan.spec.source)
    if any(students):
        run.put(run.teacher / ROSTER, roster.written(students))
        # a run that was killed before it wrote its seed may have left a number
        (run.teacher / PAPERS).unlink(missing_ok=True)
    else:
        run.put(run.teacher / PAPERS, f"{len(students)}\n")
    run.put(run.teacher / "seed.txt", f"{run.plan.seed}\n")


def _orders(papers: Papers) -> Iterable[pieces.Order]:
    return (pieces.Order(k + 1, student, papers.recipe(k)) for k, student in enumerate(papers.students))


class _Making:
    """`pieces.made` with its plan: a function that can be sent to another process."""

    def __init__(self, plan: pieces.Plan) -> None:
        self.plan = plan

    def __call__(self, order: pieces.Order) -> pieces.Pieces:
        return pieces.made(self.plan, order)


def _pieces(run: _Run, workers: Pool, work: Path) -> None:
    """Papers one by one into files of their own, and into those that hold all of them."""
    total = len(run.papers)
    with ExitStack() as stack:
        files: dict[str, BinaryIO] = {}
        after: dict[str, str] = {}
        for k, made in enumerate(mapped(workers, run.jobs, _Making(run.plan), _orders(run.papers))):
            run.progress("write", k, total)
            run.note(made.seen, made.digest)
            for name, text in made.students.items():
                run.put(run.out / "students" / name, text)
            for name, text in made.teacher.items():
                if k == 0:
                    before, after[name] = pieces.around(run.plan, name)
                    path = _place(run, work, name)
                    files[name] = stack.enter_context(opened_atomically(path))
                    if path.parent == run.teacher:
                        run.done.append(path)
                else:
                    before = pieces.BETWEEN.get(name.rpartition(".")[2], "")
                files[name].write(before.encode())
                files[name].write(text.encode())
        for name, file in files.items():
            file.write(after[name].encode())


def _place(run: _Run, work: Path, name: str) -> Path:
    """Where a file of the teacher's is written: TeX that nobody asked for is only worked with."""
    stem, _, suffix = name.rpartition(".")
    if suffix != "tex" or ("tex" in run.plan.formats and stem != "papers"):
        return run.teacher / name
    (work / stem).mkdir()
    return work / stem / SOURCE


SOURCE = "solution.tex"


def _typeset(run: _Run, work: Path) -> None:
    """Keys, solutions and all papers, one run of TeX for each; then the pages of every student by themselves."""
    from exactattn.writers.pdf import drawn, sheets

    papers = run.papers
    seconds = 120 + 5 * len(papers)  # many papers take longer, none takes for ever
    names = list(pieces.KEEPS)
    for name in names:
        if not (work / name).exists():
            (work / name).mkdir()
            shutil.copyfile(run.teacher / f"{name}.tex", work / name / SOURCE)
    stems = [roster.file_stem(k, student) for k, student in enumerate(papers.students, 1)]
    total = len(names) + len(stems)

    def kept_as(path: Path, found: Path) -> None:
        found.replace(path)
        run.done.append(path)
        run.progress("typeset", len(run.done) - before, total)

    before = len(run.done)
    run.progress("typeset", 0, total)
    with ThreadPoolExecutor(run.jobs) as threads:
        pages = dict(zip(names, threads.map(lambda name: sheets(work / name, seconds=seconds), names), strict=True))
        wholes = threads.map(lambda name: drawn(work / name, "1-", f"{name}.pdf"), names)
        for name, found in zip(names, wholes, strict=True):
            kept_as(run.teacher / f"{name}.pdf", found)
        singles = threads.map(lambda k: drawn(work / "papers", pages["papers"][k], f"{k}.pdf"), range(len(stems)))
        for stem, found in zip(stems, singles, strict=True):
            kept_as(run.out / "students" / f"{stem}.pdf", found)
