"""What was handed in, as a table: id,question[,part][,row,column],answer. UTF-8; comma, semicolon or tab between the cells.

A line is read by itself, so that a quote that is never closed spoils one answer and not all that follow.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from exactattn.errors import InputError
from exactattn.exams.roster import unsafe

NAMES = ("id", "question", "part", "row", "column", "answer")
DUE = ("id", "question", "answer")
_ALSO = {"学号": "id", "姓名": "id", "student": "id", "题": "question", "题号": "question", "小题": "part", "行": "row",
         "列": "column", "答案": "answer"}  # fmt: skip
MOST_LINE = 20_000
MOST_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Handed:
    """One line: whose, of which question, where in it, what. Empty texts where nothing is said."""

    line: int
    id: str
    question: str
    part: str
    row: str
    column: str
    answer: str


@dataclass(frozen=True, slots=True)
class Problem:
    """A line that is not marked, and why: a key of `marking.problem` with its parts."""

    line: int
    why: str
    parts: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # what was typed may be a page long
        short = {
            name: text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…" for name, text in self.parts.items()
        }
        object.__setattr__(self, "parts", short)


def read(text: str) -> tuple[list[Handed], list[Problem]]:
    """The lines of a table, and those that cannot be read. Raises InputError where its header is none.

    >>> read("id;question;answer\\nAda;q1;0,5 0,5\\n")[0][0].answer
    '0,5 0,5'
    """
    lines = re.split("\r\n|\r|\n", text.removeprefix("\ufeff"))
    start = next((k for k, line in enumerate(lines) if line.strip()), None)
    if start is None:
        raise InputError("the answers are empty: a header id,question,answer and a line for each answer were due")
    delimiter = next((c for c in "\t;," if c in lines[start]), ",")
    header = [_name(cell) for cell in _cells(lines[start], delimiter) or []]
    if any(name not in header for name in DUE) or len(set(header)) < len(header):
        raise InputError(
            "the answers begin with {header!r}: a header of {names} was due, each once",
            header=lines[start][:80], names=", ".join(NAMES),
        )  # fmt: skip
    unknown = [name for name in header if name not in NAMES]
    if unknown:
        raise InputError(
            "the answers have a column {name!r}: {names} are known", name=unknown[0][:40], names=", ".join(NAMES)
        )
    found: list[Handed] = []
    problems: list[Problem] = []
    for number, line in enumerate(lines[start + 1 :], start + 2):
        if not line.strip(f" {delimiter}"):
            continue
        one = _line(number, line, delimiter, header)
        if isinstance(one, Problem):
            problems.append(one)
        else:
            found.append(one)
    return found, problems


def _name(cell: str) -> str:
    tidy = cell.strip().casefold()
    return _ALSO.get(tidy, tidy)


def _line(number: int, line: str, delimiter: str, header: list[str]) -> Handed | Problem:
    cells = _cells(line, delimiter) if len(line) <= MOST_LINE else None
    if cells is None:
        return Problem(number, "unread")
    while len(cells) > len(header) and not cells[-1].strip():
        cells.pop()
    if len(cells) != len(header):
        return Problem(number, "cells", {"came": str(len(cells)), "due": str(len(header))})
    given = dict.fromkeys(NAMES, "") | {
        name: unsafe(" ".join(cell.split())) for name, cell in zip(header, cells, strict=True)
    }
    for name in ("id", "question"):
        if not given[name]:
            return Problem(number, "nameless", {"name": name})
    return Handed(number, **given)


def _cells(line: str, delimiter: str) -> list[str] | None:
    try:
        return next(_rows(line, delimiter), [])
    except csv.Error:
        return None


def _rows(line: str, delimiter: str) -> Iterator[list[str]]:
    return csv.reader([line], delimiter=delimiter, strict=True)
