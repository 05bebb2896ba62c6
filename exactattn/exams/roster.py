"""Who sits the exam: one id or name a line of a CSV file. The order decides which variants a student gets."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Sequence
from os import PathLike, fspath
from pathlib import Path

from exactattn.cases.limits import CASE_LIMITS
from exactattn.cases.reading import decode, read_file
from exactattn.errors import InputError

HEADERS = ("id", "student", "student id", "name", "学号", "姓名", "学生")
STARTERS = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""


def read(path: str | PathLike[str]) -> tuple[str, ...]:
    """The students of a file, in its order: the first cell of every line, a header and empty lines passed over."""
    return parse(decode(read_file(Path(path), fspath(path), CASE_LIMITS), fspath(path)), fspath(path))


def parse(text: str, name: str = "the roster") -> tuple[str, ...]:
    """The students of a CSV text.

    >>> parse("name\\nAda\\n\\n'=1+1\\n")
    ('Ada', '=1+1')
    """
    rows = csv.reader(io.StringIO(text, newline=""))
    try:
        cells = [unsafe(row[0]) if row else "" for row in rows]
    except csv.Error as error:
        raise InputError(
            "{name}, line {line}: not CSV ({why})", name=name, line=rows.line_num, why=str(error)
        ) from None
    if cells and cells[0].strip().casefold() in HEADERS:
        cells = cells[1:]
    return checked(cells, name)


def checked(students: Iterable[str], name: str = "the roster") -> tuple[str, ...]:
    """The students with single spaces; an error where one stands twice or there is none."""
    out: dict[str, None] = {}
    for student in students:
        tidy = " ".join("".join(c if c.isprintable() else " " for c in student).split())
        if tidy in out:
            raise InputError("{name} has {student!r} twice: ids must differ", name=name, student=tidy)
        if tidy:
            out[tidy] = None
    if not out:
        raise InputError("{name} names nobody: one id or name a line was due", name=name)
    return tuple(out)


def written(students: Sequence[str]) -> str:
    """The roster as CSV; `parse` reads it back."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["student"])
    writer.writerows([safe(student)] for student in students)
    return file.getvalue()


def joined(kept: Sequence[str], students: Sequence[str]) -> tuple[str, ...]:
    """Those who have a paper already, then the new ones.

    >>> joined(["Ada", "Bo"], ["Cy", "Ada"])
    ('Ada', 'Bo', 'Cy')
    """
    return (*kept, *(student for student in students if student not in kept))


def safe(cell: str) -> str:
    """A cell that no spreadsheet runs: a formula's first sign gets an apostrophe before it."""
    return f"'{cell}" if cell.startswith((*STARTERS, "'")) else cell


def unsafe(cell: str) -> str:
    """The cell that `safe` made so."""
    return cell[1:] if cell[:1] == "'" and cell[1:].startswith((*STARTERS, "'")) else cell


def file_stem(number: int, student: str) -> str:
    """The name of a student's files: the paper's number, and what of the id no system takes for a path.

    >>> file_stem(3, "../Ada, B."), file_stem(12, "")
    ('003-Ada-B', '012')
    """
    kept = "".join(c if c.isalnum() else "-" for c in unicodedata.normalize("NFC", student))
    slug = "-".join(part for part in kept.split("-") if part)[:40]
    return f"{number:03}-{slug}" if slug else f"{number:03}"
