"""What was handed in, as a table: id,question[,part][,row,column],answer. UTF-8; comma, semicolon or tab between the cells.

A quoted answer may run over lines, as forms and spreadsheets write it; then a line of it is a row. A quote that is never
closed spoils one answer and not all that follow: lines are taken together only where a line cannot be read by itself, up to
the next quote, and where all of them are one answer and none of them is a line of the table.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass, field

from exactattn.errors import InputError
from exactattn.exams.roster import unsafe

NAMES = ("id", "question", "part", "row", "column", "answer")
DUE = ("id", "question", "answer")
_ALSO = {"学号": "id", "姓名": "id", "student": "id", "题": "question", "题号": "question", "小题": "part", "行": "row",
         "列": "column", "答案": "answer"}  # fmt: skip
MOST_LINE = 20_000
MOST_SHOWN = 40
MOST_LINES = 40
"""Of one answer: a matrix has 16 rows at most, what is written about a proof may have more lines."""
_OPEN = ("=", "≈", "＝", "[", "(", "{", "［", "（", ";", "；")
"""What a line of an answer ends with that is no row yet."""


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
    """A line that is not marked, and why: a key of `marking.problem` with its parts.

    `of` is the line as far as it can be made out, None where not even whose it is and of which question.
    """

    line: int
    why: str
    parts: dict[str, str] = field(default_factory=dict)
    of: Handed | None = None

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
    >>> read('id,question,answer\\nAda,q1,"1 2\\n3 4"\\nBob,q1,"1 2\\n')
    ([Handed(line=2, id='Ada', question='q1', part='', row='', column='', answer='1 2; 3 4')], \
[Problem(line=4, why='unread', parts={}, of=Handed(line=4, id='Bob', question='q1', part='', row='', column='', answer=''))])
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
    table = _Table(lines, delimiter, header)
    found: list[Handed] = []
    problems: list[Problem] = []
    at = start + 1
    while at < len(lines):
        count = 1
        if lines[at].strip(f" {delimiter}"):
            one, count = table.record(at)
            if isinstance(one, Problem):
                problems.append(one)
            else:
                found.append(one)
        at += count
    return found, problems


def _name(cell: str) -> str:
    tidy = cell.strip().casefold()
    return _ALSO.get(tidy, tidy)


@dataclass(slots=True)
class _Table:
    """The lines of a table below its header, and the ids and questions that were read so far."""

    lines: list[str]
    delimiter: str
    header: list[str]
    ids: set[str] = field(default_factory=set)
    questions: set[str] = field(default_factory=set)

    def record(self, at: int) -> tuple[Handed | Problem, int]:
        """What begins in a line, and how many lines it takes."""
        count = 1
        cells = self._cells(self.lines[at])
        if cells is None:
            cells, count = self._over_lines(at)
        if cells is None:
            return Problem(at + 1, "unread", of=self._made_out(at)), 1
        if len(cells) != len(self.header):
            parts = {"came": str(len(cells)), "due": str(len(self.header))}
            return Problem(at + 1, "cells", parts, self._made_out(at)), 1
        one = self._handed(at, cells)
        for name in ("id", "question"):
            if not getattr(one, name):
                return Problem(at + 1, "nameless", {"name": name}), count
        self.ids.add(one.id)
        self.questions.add(one.question)
        return one, count

    def _cells(self, text: str) -> list[str] | None:
        """The cells of one record, without empty ones too many."""
        cells = _cells(text, self.delimiter) if len(text) <= MOST_LINE else None
        while cells and len(cells) > len(self.header) and not cells[-1].strip():
            cells.pop()
        return cells

    def _over_lines(self, at: int) -> tuple[list[str] | None, int]:
        """The record that begins in a line whose quote is closed in a later one; no cells where there is none."""
        text, known = self.lines[at], self._made_out(at)
        if text.count('"') % 2 == 0:
            return None, 1
        for end in range(at + 1, min(at + MOST_LINES, len(self.lines))):
            line = self.lines[end]
            text = f"{text}\n{line}"
            if len(text) > MOST_LINE or self._own(end, known):
                return None, 1
            if line.count('"') % 2:
                cells = self._cells(text)
                whole = cells is not None and len(cells) == len(self.header)
                return (cells, end - at + 1) if whole else (None, 1)
        return None, 1

    def _own(self, at: int, before: Handed | None) -> bool:
        """Does a line begin a record of the table? So it does if its id or its question was seen before it."""
        cells = self._cells(self.lines[at])
        if cells is not None and len(cells) != len(self.header):
            return False
        one = self._made_out(at) if cells is None else self._handed(at, cells)
        if one is None:
            return False
        if before is not None and (one.id == before.id or one.question == before.question):
            return True
        return one.id in self.ids or one.question in self.questions

    def _handed(self, at: int, cells: list[str]) -> Handed:
        given = dict.fromkeys(NAMES, "")
        for name, cell in zip(self.header, cells, strict=True):
            given[name] = unsafe(_rows_of(cell) if name == "answer" else " ".join(cell.split()))
        return Handed(at + 1, **given)

    def _made_out(self, at: int) -> Handed | None:
        """Whose a line is that cannot be read, and of which question: from the cells before the answer."""
        try:
            cells = next(csv.reader([self.lines[at][:MOST_LINE]], delimiter=self.delimiter), [])
        except csv.Error:
            return None
        before = self.header[: self.header.index("answer")]
        given = dict(zip(before, cells[: len(before)], strict=False))
        given = {name: unsafe(" ".join(cell.split())) for name, cell in given.items()}
        one = Handed(at + 1, **(dict.fromkeys(NAMES, "") | given))
        return one if one.id and one.question else None


def _rows_of(cell: str) -> str:
    """An answer in one line: its lines are rows, but where one holds brackets alone or the one before it goes on.

    >>> _rows_of("1 2\\n3  4\\n"), _rows_of("[[1, 2],\\n[3, 4]\\n]"), _rows_of("O =\\n1 2;\\n3 4")
    ('1 2; 3 4', '[[1, 2]; [3, 4] ]', 'O = 1 2; 3 4')
    """
    out = ""
    for line in re.split("[\r\n]+", cell):
        tidy = " ".join(line.split())
        if not tidy or not out:
            out = out or tidy
        elif out.endswith(_OPEN) or not re.search(r"\w", tidy):
            out = f"{out} {tidy}"
        else:
            out = f"{out.rstrip(' ,，、')}; {tidy}"
    return out


def _cells(line: str, delimiter: str) -> list[str] | None:
    try:
        return next(csv.reader([line], delimiter=delimiter, strict=True), [])
    except csv.Error:
        return None
