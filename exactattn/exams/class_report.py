"""The class report: how each question went, which misconceptions there are and what to say of them, what was not marked."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from exactattn.document import (
    Block,
    Document,
    Inlines,
    Math,
    Note,
    Num,
    Para,
    Section,
    Strong,
    Table,
    TableCell,
    Text,
    Token,
)
from exactattn.exams.grade import LETTERS, Grades, two
from exactattn.exams.marking import VERDICTS, Mark
from exactattn.i18n import Messages, messages
from exactattn.numbers.value import Value


def report(grades: Grades, title: str, lang: str) -> Document:
    """The page for a class."""
    words = messages(lang)
    sections = (_questions(grades, words), _misconceptions(grades, words), _students(grades, words))
    blocks: list[Block] = [_problems(grades, words)] if grades.problems else []
    blocks += [
        Section((Text(str(k)),), words.say(f"marking.report.{key}"), aside, found)
        for k, (key, aside, found) in enumerate(sections, 1)
    ]
    meta = words.say("marking.report.meta", papers=str(len(grades.papers)), mean=Math(Num(_mean(grades))))
    return Document(
        words.say("marking.report.title", title=title), meta, tuple(blocks), lang,
        (words.say("marking.report.running"), (Text(title),)),
    )  # fmt: skip


def _mean(grades: Grades) -> str:
    awarded = sum((one.awarded for one in grades.papers), Fraction(0))
    return _percent(awarded, sum((one.points for one in grades.papers), Fraction(0)))


def _percent(part: Fraction, whole: Fraction) -> str:
    """In per cent, to whole ones.

    >>> _percent(Fraction(2, 3), Fraction(1))
    '67'
    """
    return Value.of(100 * part / whole).decimal(0) if whole else "0"


Found = tuple[str, Inlines, tuple[Block, ...]]


def _questions(grades: Grades, words: Messages) -> Found:
    """A line for each part of each question: how many papers have each verdict, and the share of the points."""
    marks: dict[tuple[str, str], list[Mark]] = {}
    for marked in (question for paper in grades.papers for question in paper.questions):
        for k, one in enumerate(marked.marks):
            letter = LETTERS[k] if len(marked.marks) > 1 else ""
            marks.setdefault((marked.question, letter), []).append(one)
    head: tuple[TableCell, ...] = (
        words.say("marking.report.question"),
        *(words.say(f"marking.verdict.{verdict}") for verdict in VERDICTS),
        words.say("marking.report.share"),
    )
    rows: list[tuple[TableCell, ...]] = []
    for (question, letter), found in marks.items():
        counts = Counter(one.verdict for one in found)
        share = _percent(
            sum((one.awarded for one in found), Fraction(0)), sum((one.points for one in found), Fraction(0))
        )
        cells = tuple((Math(Num(str(counts[v]))),) if counts[v] else () for v in VERDICTS)
        rows.append(((Token(f"{question} {letter}".strip()),), *cells, (Math(Num(share)),)))
    return "questions", (), (Table(head, tuple(rows), "l" + "r" * (len(VERDICTS) + 1)),)


def _misconceptions(grades: Grades, words: Messages) -> Found:
    """Each misconception: how many papers show it, where, and what to say."""
    papers: dict[str, set[int]] = {}
    where: dict[str, dict[str, None]] = {}
    shown = (
        (k, marked.question, method)
        for k, paper in enumerate(grades.papers)
        for marked in paper.questions
        for one in marked.marks
        for method in one.misconceptions
    )
    for k, question, method in shown:
        papers.setdefault(method, set()).add(k)
        where.setdefault(method, {})[question] = None
    if not papers:
        return "misconceptions", (), (Para(words.say("marking.report.none")),)
    head: tuple[TableCell, ...] = tuple(
        words.say(f"marking.report.{key}") for key in ("misconception", "papers", "question")
    )
    rows: list[tuple[TableCell, ...]] = []
    said: list[Block] = []
    for method in sorted(papers, key=lambda one: -len(papers[one])):
        called = _words(words, method, "name") or (Text(method),)
        rows.append((called, (Math(Num(str(len(papers[method])))),), (Token(", ".join(where[method])),)))
        feedback = _words(words, method, "feedback")
        if feedback:
            said.append(Para(words.say("marking.report.say", name=(Strong(called),), feedback=feedback)))
    return "misconceptions", (), (Table(head, tuple(rows), "lrl"), *said)


def _words(words: Messages, method: str, what: str) -> Inlines:
    """What is said of a misconception; nothing of a mistake that has no words."""
    key, known = f"misconception.{method}.{what}", words.keys()
    return words.say(key) if key in known else ()


def _students(grades: Grades, words: Messages) -> Found:
    """What each paper was awarded."""
    head: tuple[TableCell, ...] = (
        words.say("marking.report.paper"), words.say("marking.report.awarded"), words.say("marking.report.points"),
    )  # fmt: skip
    rows: list[tuple[TableCell, ...]] = []
    for one in grades.papers:
        rows.append(((Token(one.name),), (Math(Num(two(one.awarded))),), (Math(Num(two(one.points))),)))
    return "students", (Text(str(len(rows))),), (Table(head, tuple(rows), "lrr"),)


def _problems(grades: Grades, words: Messages) -> Note:
    """The lines that were not marked."""
    head: tuple[TableCell, ...] = (words.say("marking.report.line"), words.say("marking.report.why"))
    rows = tuple(
        ((Math(Num(str(one.line))),), words.say(f"marking.problem.{one.why}", **one.parts)) for one in grades.problems
    )
    title = words.say("marking.report.problems", count=str(len(grades.problems)))
    return Note("warning", title, (Table(head, rows, "rl"),))
