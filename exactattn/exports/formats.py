"""The formats of learning systems by name, and an exam written in them. A format is one row here and one writer.

All of these files hold keys: they go to the teacher's folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import BinaryIO, Literal, TypeAlias, assert_never

from exactattn.errors import InputError, OptionError, nearest
from exactattn.exams import write as papers
from exactattn.exams.exam import Exam
from exactattn.exams.exam_report import Report
from exactattn.exams.folder import opened
from exactattn.exams.model import Paper
from exactattn.exams.papers import Watched
from exactattn.exams.roster import file_stem
from exactattn.exams.tolerance import EXACT
from exactattn.exports.item import Item, Numbers, items
from exactattn.exports.portable import MATHS, MathsAs
from exactattn.exports.sheet import WORKED, Sheet, Worked
from exactattn.i18n import messages
from exactattn.writers.files import make_folder, opened_atomically, write_atomically
from exactattn.writers.html import Sheet as SheetSize

Writer: TypeAlias = Callable[[Exam, BinaryIO, Sheet], None]
"""Writes an exam into a file. It reads the papers once, in order, and keeps none of them."""


@dataclass(frozen=True, slots=True)
class Format:
    """One file for all papers: what it is called, who writes it, and which numbers the system reads."""

    file: str
    write: Writer
    reads: Literal["decimals", "fractions"] = "decimals"


@dataclass(frozen=True, slots=True)
class Pages:
    """A file for each paper, in a folder of its own, and who makes it."""

    folder: str
    suffix: str
    make: Callable[[Exam, Paper, Sheet], bytes]


def of_items(write: Callable[[Iterable[Item], BinaryIO, Sheet], None]) -> Writer:
    """A writer that takes the items one by one, in the language of the sheet."""
    return lambda exam, file, sheet: write(items(exam, sheet.words.lang), file, sheet)


def _moodle(exam: Exam, file: BinaryIO, sheet: Sheet) -> None:
    from exactattn.exports import moodle

    found = items(exam, sheet.words.lang)
    moodle.write(_comma_told(found, sheet) if exam.spec.decimal == "," else found, file, sheet)


def _comma_told(found: Iterable[Item], sheet: Sheet) -> Iterator[Item]:
    for one in found:
        if any(isinstance(part.form, Numbers) for part in one.parts):
            sheet.say("moodle.comma", one.question.asked.id)
        yield one


def _canvas(exam: Exam, file: BinaryIO, sheet: Sheet) -> None:
    from exactattn.exports import canvas

    canvas.write(exam, file, sheet)


def _qti(exam: Exam, file: BinaryIO, sheet: Sheet) -> None:
    from exactattn.exports import qti

    qti.write(exam, file, sheet)


def _qti3(exam: Exam, file: BinaryIO, sheet: Sheet) -> None:
    from exactattn.exports import qti

    qti.write3(exam, file, sheet)


def _anki(found: Iterable[Item], file: BinaryIO, sheet: Sheet) -> None:
    from exactattn.exports import anki

    anki.write(found, file, sheet)


def _selfcheck(exam: Exam, paper: Paper, sheet: Sheet) -> bytes:
    from exactattn.exports import selfcheck

    return selfcheck.page(exam, paper, sheet)


FORMATS: dict[str, Format | Pages] = {
    "moodle": Format("moodle.xml", _moodle),
    "canvas": Format("canvas.zip", _canvas),
    "qti": Format("qti.zip", _qti),
    "qti3": Format("qti3.zip", _qti3),
    "anki": Format("deck.apkg", of_items(_anki), reads="fractions"),
    "selfcheck": Pages("selfcheck", "html", _selfcheck),
}
"""What this room writes. What exams write by themselves (pdf, csv, ...) is in `exactattn.exams.write.FORMATS`."""


@dataclass(frozen=True, slots=True)
class Exported:
    """The files that were written, what their formats do not carry (a sentence each), and the report of the exam."""

    files: tuple[Path, ...]
    lost: tuple[str, ...]
    report: Report
    """What the exam is like as a whole."""


Progress: TypeAlias = Callable[[str, int, int], None]
"""Told what is being done, how much of it is done, and out of how much."""


def checked(formats: Sequence[str]) -> tuple[str, ...]:
    """The formats of exams and of this room, each once. Errors: OptionError for an unknown one, MissingProgram for pdf."""
    known = (*papers.FORMATS, *FORMATS)
    for name in formats:
        if name not in known:
            raise OptionError(
                "format {name!r} is not one of {known}{hint}",
                name=name, known=", ".join(known), hint=nearest(name, known),
            )  # fmt: skip
    papers.checked([name for name in formats if name in papers.FORMATS])
    return tuple(dict.fromkeys(formats))


def export(
    exam: Exam,
    out: str | PathLike[str],
    formats: Sequence[str],
    *,
    lang: str | None = None,
    paper: SheetSize | None = None,
    maths: MathsAs | None = None,
    worked: Worked = "full",
    jobs: int = 1,
    progress: Progress | None = None,
) -> Exported:
    """Write an exam in any formats, of papers (`Exam.write`) and of learning systems, the latter into out/teacher.

    `paper` is what papers are printed on, by default the spec's; `maths` how formulas are written where a format leaves a
    choice, by default as its system shows them best; `worked` whether the worked solution goes with each question.
    Errors: those of `Exam.write`; InputError for a key that fails its own criterion in a format.
    """
    wanted = checked(formats)
    for name, value, known in (("maths", maths, MATHS), ("worked", worked, WORKED)):
        if value is not None and value not in known:
            why = "{name} is {value!r}: {known} was due"
            raise OptionError(why, name=name, value=value, known=" or ".join(known))
    folder = Path(out)
    sheet = Sheet(exam.spec.title, messages(lang or exam.spec.lang), maths, worked)
    of_papers = [name for name in wanted if name in papers.FORMATS]
    size = paper or exam.spec.paper
    others = [name for name in wanted if name in FORMATS]
    done: dict[str, tuple[Path, ...]] = {}

    def put(name: str, found: Sequence[Paper], saw: Callable[[Paper], None] = _unnoticed) -> None:
        def look(paper: Paper) -> None:
            (progress or _quiet)("export", paper.number - 1, len(found))
            _checked(paper, name)
            saw(paper)

        read = replace(exam, papers=Watched(found, look))
        done[name] = tuple(_written(FORMATS[name], read, folder / "teacher", sheet))

    if any(asked.tolerance == EXACT for asked in exam.spec.questions):
        for name in others:
            _checked(exam.papers[0], name)  # before anything is written
    # the first is written while papers are drawn, where nothing else works them: one file, of which nothing is left on failure
    first = others[0] if others and isinstance(FORMATS[others[0]], Format) and not of_papers and jobs == 1 else None
    reading = None if first is None else partial(put, first)
    written = papers.write(exam, folder, of_papers, lang or exam.spec.lang, size, jobs, progress, reading)
    with opened(folder):
        for name in others:
            if name != first:
                put(name, exam.papers)
    files = (*written.files, *(path for name in others for path in done[name]))
    return Exported(files, sheet.lost, written.report)


def _written(format: Format | Pages, exam: Exam, teacher: Path, sheet: Sheet) -> Iterator[Path]:
    match format:
        case Format(file=name, write=write):
            with opened_atomically(teacher / name) as file:
                write(exam, file, sheet)
            yield teacher / name
        case Pages(folder=name, suffix=suffix, make=make):
            make_folder(teacher / name)
            for paper in exam.papers:
                path = teacher / name / f"{file_stem(paper.number, paper.student)}.{suffix}"
                write_atomically(path, make(exam, paper, sheet))
                yield path
        case _ as other:
            assert_never(other)


def _quiet(stage: str, done: int, total: int) -> None:
    """Nobody is looking."""


def _unnoticed(paper: Paper) -> None:
    """Nobody asks."""


def _checked(paper: Paper, name: str) -> None:
    """Errors: InputError for a key that is no decimal in a format that reads no fractions."""
    format = FORMATS[name]
    if isinstance(format, Pages) or format.reads == "fractions":
        return
    for question in paper.questions:
        for part in question.parts:
            fractions = [entry.text for entry in part.entries if "/" in entry.text and part.form is None]
            if fractions:
                raise InputError(
                    "question {id!r} has the key {key}: {name} reads no fractions; give it another tolerance than {exact!r}",
                    id=question.asked.id, key=fractions[0], name=name, exact=EXACT,
                )  # fmt: skip
