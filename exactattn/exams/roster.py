"""Who sits the exam: one id or name a line of a CSV file. The order decides which variants a student gets.

Comma, semicolon or tab between the cells, as in a table of answers; with a header, the column of ids is found by its name.
"""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from os import PathLike, fspath
from pathlib import Path

from exactattn.cases.limits import CASE_LIMITS
from exactattn.cases.reading import decode, read_file
from exactattn.errors import InputError

IDS = (
    "id", "studentid", "学号", "学生学号", "idnumber", "studentnumber", "studentno", "userid", "username", "login",
    "student", "学生", "name", "姓名", "学生姓名", "studentname", "fullname",
)  # fmt: skip
"""What a column of ids is called, without case, spaces and signs: the first of these that is there."""
BESIDE = ("email", "emailaddress", "mail", "邮箱", "电子邮箱", "class", "班级", "section", "group", "序号")
"""What columns beside it are called."""
STARTERS = ("=", "+", "-", "@", "\t", "\r")
"""What a spreadsheet takes for the beginning of a formula."""

MOST_PAPERS = 10_000


def read(path: str | PathLike[str]) -> tuple[str, ...]:
    """The students of a file, in its order, as `parse` finds them."""
    return parse(decode(read_file(Path(path), fspath(path), CASE_LIMITS), fspath(path)), fspath(path))


def parse(text: str, name: str = "the roster") -> tuple[str, ...]:
    """The students of a table: the column that its header calls id, student, 学号, ... or the first; empty lines are passed over.

    Errors: InputError for what is no CSV, a line without an id, a student who stands twice, a roster of nobody.

    >>> parse("name\\nAda\\n\\n'=1+1\\n")
    ('Ada', '=1+1')
    >>> parse("email;学号\\nada@school;0815\\n"), parse("0815\\tAda\\n")
    (('0815',), ('0815',))
    """
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text))
    try:
        found = [(rows.line_num, [unsafe(cell) for cell in row]) for row in rows if any(map(str.strip, row))]
    except csv.Error as error:
        raise InputError(
            "{name}, line {line}: not CSV ({why})", name=name, line=rows.line_num, why=str(error)
        ) from None
    at = _header([row for _, row in found])
    out: list[str] = []
    for line, row in found if at is None else found[1:]:
        student = row[at or 0] if len(row) > (at or 0) else ""
        if not student.strip():
            raise InputError("{name}, line {line}: it has no id, but something else", name=name, line=line)
        out.append(student)
    return checked(out, name)


def _delimiter(text: str) -> str:
    """What stands between the cells of the first line that is not empty, outside its quotes."""
    first = next((line for line in re.split("[\r\n]", text) if line.strip()), "")
    bare = re.sub('"[^"]*"', "", first)
    return next((c for c in "\t;," if c in bare), ",")


def _header(rows: Sequence[Sequence[str]]) -> int | None:
    """Which column has the ids, where the first row is a header; None where it is a student.

    It is one when a cell is called as columns of ids are, or all as those beside them. A word that comes again below it, in a
    second column or later, is none: a role is "student" in every line.
    """
    if not rows:
        return None
    first = ["".join(c for c in cell.casefold() if c.isalnum()) for cell in rows[0]]
    if set(first) - {""} and all(word in BESIDE for word in first if word):
        return 0
    ids = [k for k, word in enumerate(first) if word in IDS]
    ids = [k for k in ids if k == 0 or all(len(row) <= k or row[k] != rows[0][k] for row in rows[1:])]
    return min(ids, key=lambda k: IDS.index(first[k]), default=None)


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
