"""A class's answers against their papers: every part of every paper marked, what could not be read, and marks.csv.

The lines are put together by their ids, and the papers gone through once: of a paper, its marks are kept and nothing else.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from exactattn.exams.answers import Decimal, entries, named, size
from exactattn.exams.handed import Handed, Problem, read
from exactattn.exams.layout import layout
from exactattn.exams.marking import Mark, Remark, mark
from exactattn.exams.model import Design, Paper, Part, Question
from exactattn.exams.roster import safe
from exactattn.i18n import messages
from exactattn.numbers.value import Value

LETTERS = "abcdefghijklmnopqrstuvwxyz"
COLUMNS = ("id", "question", "part", "points", "awarded", "verdict", "misconception", "detail")

Slot = tuple[int, int, int]
"""Where in a paper an answer belongs: the question, the part and the entry, each from 0."""

Progress = Callable[[str, int, int], None]
"""Told what is being done ("grade"), how many papers are done, and out of how many."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A question's id with the mark of each of its parts, which are kept without their numbers."""

    question: str
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Graded:
    """A paper, marked: whose it is, the student's id or its number, and its questions."""

    name: str
    questions: tuple[Marked, ...]

    @property
    def awarded(self) -> Fraction:
        """The points awarded."""
        return sum((one.awarded for question in self.questions for one in question.marks), Fraction(0))

    @property
    def points(self) -> Fraction:
        """The points there are."""
        return sum((one.points for question in self.questions for one in question.marks), Fraction(0))


@dataclass(frozen=True, slots=True)
class Grades:
    """The papers in their order, and the lines that were not marked."""

    papers: tuple[Graded, ...]
    problems: tuple[Problem, ...]


def grade(papers: Sequence[Paper], answers: str, decimal: Decimal = ".", progress: Progress | None = None) -> Grades:
    """Mark the answers of a CSV text. What is malformed, or stands there twice, is a problem; the rest goes on.

    Every paper is looked at once, in order, and none is kept: papers that are drawn when they are looked at are drawn once.
    """
    lines, problems = read(answers)
    handed: dict[str, list[Handed]] = {}
    for line in lines:
        handed.setdefault(line.id, []).append(line)
    lost: dict[str, list[Problem]] = {}
    for problem in problems:
        if problem.of is not None:
            lost.setdefault(problem.of.id, []).append(problem)
    graded: list[Graded] = []
    for k, paper in enumerate(papers):
        if progress is not None:
            progress("grade", k, len(papers))
        ids = _ids(paper)
        own = [line for id in ids for line in handed.pop(id, ())]
        unread = [problem for id in ids for problem in lost.get(id, ())]
        one, more = _graded(paper, own, unread, decimal)
        graded.append(one)
        problems += more
    problems += [Problem(line.line, "nobody", {"id": line.id}) for others in handed.values() for line in others]
    return Grades(tuple(graded), tuple(sorted(problems, key=lambda one: one.line)))


def name(paper: Paper) -> str:
    """Whose paper it is: the student's id, else its number."""
    return paper.student or str(paper.number)


def _ids(paper: Paper) -> tuple[str, ...]:
    """What its answers are handed in under: the student's id, or the paper's number, also as its files are called."""
    return (paper.student,) if paper.student else tuple(dict.fromkeys((str(paper.number), f"{paper.number:03}")))


def _graded(
    paper: Paper, lines: Sequence[Handed], unread: Sequence[Problem], decimal: Decimal
) -> tuple[Graded, list[Problem]]:
    """The marks of a paper, and the lines that do not count. What is `unread` already is said where it belongs as well."""
    problems: list[Problem] = []
    placed: list[tuple[Handed, dict[Slot, str]]] = []
    for line in lines:
        found = _place(paper, line, decimal)
        if isinstance(found, Problem):
            problems.append(replace(found, of=line))
        else:
            placed.append((line, found))
    claims = Counter(slot for _, found in placed for slot in found)
    given: dict[Slot, str] = {}
    for line, found in placed:
        if any(claims[slot] > 1 for slot in found):
            problems.append(Problem(line.line, "twice", of=line))
        else:
            given |= found
    told = sorted((*unread, *problems), key=lambda one: one.line)
    said = [(_belongs(paper, one), one) for one in told]
    marked = []
    for k, question in enumerate(paper.questions):
        texts = [[given.get((k, j, e)) for e in range(part.places_to_fill)] for j, part in enumerate(question.parts)]
        marks = map(_bare, mark(question, texts, decimal))
        marked.append(Marked(question.id, tuple(_told(one, said, k, j) for j, one in enumerate(marks))))
    return Graded(name(paper), tuple(marked)), problems


def _belongs(paper: Paper, problem: Problem) -> tuple[int, int | None] | None:
    """The question and the part that a line is of that does not count: no part where none can be made out."""
    if problem.of is None:
        return None
    k = _numbered([question.id for question in paper.questions], problem.of.question)
    return None if k is None else (k, _part(paper.questions[k], problem.of.part))


def _told(one: Mark, said: Sequence[tuple[tuple[int, int | None] | None, Problem]], k: int, j: int) -> Mark:
    """The mark of a part with what was handed in for it and does not count: it is not missing, it was not read.

    A line of which only the question is known may be of any part that has no answer.
    """
    missing = one.verdict == "missing"
    remarks = tuple(
        Remark("not-read", (("line", str(problem.line)), ("problem", problem.why), *problem.parts.items()))
        for at, problem in said
        if at == (k, j) or (missing and at == (k, None))
    )
    if not remarks:
        return one
    return replace(one, verdict="not-read" if missing else one.verdict, remarks=one.remarks + remarks)


def _bare(one: Mark) -> Mark:
    """The mark without the numbers of its part: they are most of a paper's memory."""
    return replace(one, part=replace(one.part, entries=(), wrongs=(), form=None))


# -- where an answer belongs -------------------------------------------------------------------------------------------------


def _place(paper: Paper, line: Handed, decimal: Decimal) -> dict[Slot, str] | Problem:
    """The entries that a line answers, with the text for each."""
    k = _numbered([question.id for question in paper.questions], line.question)
    if k is None:
        return Problem(line.line, "no-question", {"question": line.question})
    question = paper.questions[k]
    j = _part(question, line.part)
    if j is None:
        return Problem(
            line.line, "no-part" if line.part else "which-part", {"part": line.part, "question": question.id}
        )
    found = _entries(question, question.parts[j], line, decimal)
    return found if isinstance(found, Problem) else {(k, j, e): text for e, text in found.items()}


def _numbered(names: Sequence[str], text: str) -> int | None:
    """The position of a name, or of a number from 1 where nothing is called so."""
    if text in names:
        return names.index(text)
    at = int(text) - 1 if re.fullmatch("[0-9]{1,4}", text) else -1
    return at if 0 <= at < len(names) else None


def _part(question: Question, text: str) -> int | None:
    """A part by its letter, id or number, or by what it asks where that is one part only."""
    if not text:
        return 0 if len(question.parts) == 1 else None
    tidy = text.strip("()（）").casefold()
    if len(tidy) == 1 and tidy in LETTERS[: len(question.parts)]:
        return LETTERS.index(tidy)
    asks = [part.ask for part in question.parts]
    if asks.count(tidy) == 1:
        return asks.index(tidy)
    ids = [part.id for part in question.parts]
    return ids.index(text) if ids.count(text) == 1 else _numbered([""] * len(ids), tidy)


def _entries(question: Question, part: Part, line: Handed, decimal: Decimal) -> dict[int, str] | Problem:
    """The places of a part that a line answers: the only one, an entry, a row, or all."""
    if part.form is not None and not isinstance(part.form, Design):
        if line.row or line.column:
            return Problem(line.line, "no-entry", {"row": line.row, "column": line.column})
        return {0: line.answer}
    cells = [(0, e) if one.place is None else (one.place.row, one.place.column) for e, one in enumerate(part.entries)]
    rows = sorted({i for i, _ in cells})
    labels = [one.label for one in part.entries]
    if line.column and not line.row and len(rows) > 1:
        return Problem(line.line, "no-row")
    if line.row:
        chosen = [i for i in rows if _called(line.row, i, _row_labels(part, labels, cells, i))]
        if len(chosen) != 1:
            return Problem(line.line, "no-entry", {"row": line.row, "column": line.column})
        rows = chosen
    if line.column:
        here = [
            e for e, (i, j) in enumerate(cells)
            if i in rows and _called(line.column, j, {labels[e].rpartition(",")[2]})
        ]  # fmt: skip
        if len(here) != 1:
            return Problem(line.line, "no-entry", {"row": line.row, "column": line.column})
        return {here[0]: line.answer}
    asked = [[e for e, (i, _) in enumerate(cells) if i == row] for row in rows]
    if len(asked) == 1 and len(asked[0]) > 1:
        names = [labels[e].rpartition(",")[2] for e in asked[0]]
        found = named(line.answer, names)
        if found is None and len(names) == 2 and part.entries[0].place is None:
            found = size(line.answer, names, decimal)
        if found is not None:
            return dict(zip(asked[0], found, strict=True))
        if len(re.findall("[=≈＝]", line.answer)) > 1 and all(one[:1].isalpha() for one in names):
            due = ", ".join(f"{one} = …" for one in names)
            return Problem(line.line, "names", {"text": line.answer, "names": due})
    return _whole(asked, cells, len(layout(question, part).columns), line, decimal)


def _called(text: str, at: int, labels: set[str]) -> bool:
    return text in labels or text == str(at + 1)


def _row_labels(part: Part, labels: Sequence[str], cells: Sequence[tuple[int, int]], i: int) -> set[str]:
    return {label.rpartition(",")[0] for label, (row, _) in zip(labels, cells, strict=True) if row == i} - {""}


def _whole(
    rows: list[list[int]], cells: Sequence[tuple[int, int]], width: int, line: Handed, decimal: Decimal
) -> dict[int, str] | Problem:
    """Rows typed whole: an entry for each that is asked, or for each of the `width` columns (those not asked are passed over).

    Any other number of entries is a problem: nobody knows which of them were meant.
    """
    if sum(map(len, rows)) == 1:
        return {rows[0][0]: line.answer}
    typed = entries(line.answer, decimal)
    if len(rows) == 1 and all(len(texts) == 1 for texts in typed):
        typed = [[text for (text,) in typed]]  # one row, typed as a column
    asked = [e for row in rows for e in row]
    if len(typed) == 1 and len(typed[0]) == len(asked):
        return dict(zip(asked, typed[0], strict=True))
    out: dict[int, str] = {}
    if len(typed) == len(rows):
        for row, texts in zip(rows, typed, strict=True):
            if len(texts) == len(row):
                out |= dict(zip(row, texts, strict=True))
            elif len(texts) == width:
                out |= {e: texts[cells[e][1]] for e in row}
    if len(out) != len(asked):
        came, due = ("; ".join(str(len(row)) for row in found) for found in (typed[:9], rows))
        parts = {"text": line.answer, "came": came, "due": due}
        if all(len(row) == width for row in rows):
            return Problem(line.line, "shape", parts)
        return Problem(line.line, "shape-or-whole", {**parts, "width": str(width)})
    return out


# -- marks.csv ---------------------------------------------------------------------------------------------------------------


def marks_csv(grades: Grades, lang: str) -> str:
    """The marks as a table: a line for each part, a total for each paper. Points are rounded half up to two places."""
    file = io.StringIO(newline="")
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in _rows(grades, lang):
        writer.writerow([safe(cell) for cell in row])
    return file.getvalue()


def _rows(grades: Grades, lang: str) -> Iterator[tuple[str, ...]]:
    words = messages(lang)
    for one in grades.papers:
        for marked in one.questions:
            for k, part in enumerate(marked.marks):
                yield (
                    one.name, marked.question, LETTERS[k] if len(marked.marks) > 1 else "", two(part.points),
                    two(part.awarded), part.verdict, " + ".join(part.misconceptions), part.detail(lang),
                )  # fmt: skip
        yield one.name, words.text("marking.total"), "", two(one.points), two(one.awarded), "", "", ""


def two(points: Fraction) -> str:
    """Points at two places, half up.

    >>> two(Fraction(1, 8)), two(Fraction(10))
    ('0.13', '10.00')
    """
    return Value.of(points).decimal(2)
