"""One question of an exam as every learning system has it: what is said, what is answered, how each answer is marked.

No format is in here. Where exams mark a row of numbers as a whole, learning systems mark field by field, so every field has
intervals of its own, no two of which have a number in common: the accepted one, and one for each wrong method that can be told
apart there. All ends are decimals. A number belongs to the first interval that holds it; what no interval holds earns nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from typing import TypeAlias, assert_never

from exactattn.document import Block, Inlines, Maths, Para, Text
from exactattn.exams import places
from exactattn.exams import render as rendering
from exactattn.exams.exam import Exam
from exactattn.exams.kinds import find
from exactattn.exams.layout import layout
from exactattn.exams.model import Choice, Design, Entry, Order, Paper, Question, Rubric
from exactattn.exams.model import Part as Asked
from exactattn.exports.fields import Field, field_of
from exactattn.i18n import Messages, messages

__all__ = [
    "Alternative", "Cell", "Choices", "Essay", "Field", "Form", "Item", "Numbers", "Part", "Steps", "item", "items", "of_paper",
]  # fmt: skip

Cell: TypeAlias = Field | Maths
"""A number to be given, or what is printed in its place."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """Fields in a table with the names of rows and columns; without `row_names` they stand one after the other."""

    cells: tuple[tuple[Cell, ...], ...]
    row_names: tuple[str, ...]
    columns: tuple[str, ...]

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields, row by row."""
        return tuple(cell for row in self.cells for cell in row if isinstance(cell, Field))


@dataclass(frozen=True, slots=True)
class Alternative:
    """One option of a choice, the wrong methods that lead to it, and the share of the points that it earns."""

    shown: Inlines
    names: tuple[str, ...]
    credit: Fraction


@dataclass(frozen=True, slots=True)
class Choices:
    """One of several is right."""

    alternatives: tuple[Alternative, ...]
    right: int


@dataclass(frozen=True, slots=True)
class Steps:
    """What is to be put in order, as it is shown, and the right order of the positions from 0."""

    steps: tuple[Inlines, ...]
    right: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Essay:
    """A text, or numbers of the student's own: what is marked by hand, along the guide. `lines` of room are enough."""

    guide: tuple[Block, ...]
    lines: int


Form: TypeAlias = Numbers | Choices | Steps | Essay


@dataclass(frozen=True, slots=True)
class Part:
    """One thing asked: its number from 1, its letter ("(a) ", or nothing), the task with it, how it is answered, its points."""

    id: str
    lead: Inlines
    task: Inlines
    form: Form
    points: Fraction


@dataclass(frozen=True, slots=True)
class Item:
    """A question in a language.

    `id` follows from the seed, the question's id and kind, its attempt and its key: the same numbers have the same id. `number`
    is that of the variant; `category` is where it belongs, from the outside in. `solution` works it out when it is called.
    """

    id: str
    question: Question
    title: str
    kind: str
    number: int
    category: tuple[str, ...]
    prompt: tuple[Block, ...]
    parts: tuple[Part, ...]
    points: Fraction
    tags: tuple[str, ...]
    follow_through: bool
    words: Messages
    solution: Callable[[], tuple[Block, ...]]

    def feedback(self, names: tuple[str, ...]) -> str:
        """What is said to an answer that these wrong methods give, as plain text."""
        return rendering.feedback(names, self.words)

    def said(self, names: tuple[str, ...]) -> Inlines:
        """The same with its symbols as maths."""
        return places.with_symbols((Text(self.feedback(names)),))


def items(exam: Exam, lang: str | None = None) -> Iterator[Item]:
    """Every question of every paper, as they are drawn; in the exam's language where none is named."""
    words = messages(lang or exam.spec.lang)
    return (one for paper in exam.papers for one in of_paper(exam, paper, words))


def of_paper(exam: Exam, paper: Paper, words: Messages) -> Iterator[Item]:
    """The questions of one paper of an exam."""
    for question in paper.questions:
        number = (paper.number - 1) * question.asked.count + question.number
        yield item(question, words, exam.seed, number, exam.spec.title, exam.spec.decimal)


def item(question: Question, words: Messages, seed: str, number: int, title: str = "", decimal: str = ".") -> Item:
    """A question as an item, the `number`-th of its kind in an exam of this title and seed."""
    asked = question.asked
    kind = find(asked.kind)
    name = rendering.kind_name(question, words)
    digest = sha256(f"{seed}\0{asked.id}\0{asked.kind}\0{question.attempt}\0{question.key}".encode()).hexdigest()
    fields = any(part.entries and part.form is None for part in question.parts)
    prompt = rendering.setting(question, words, decimal)
    if fields and asked.numbers == "by-hand":
        prompt = (*prompt, Para(words.say("exports.decimals")))
    return Item(
        id=f"{asked.id}-{digest[:16]}",
        question=question,
        title=words.text("exports.title", id=asked.id, number=str(number), name=name),
        kind=kind.name,
        number=number,
        category=(title or words.text("exam.untitled"), asked.id),
        prompt=prompt,
        parts=tuple(_part(question, k, words) for k in range(len(question.parts))),
        points=asked.points,
        tags=(kind.name, f"difficulty-{asked.difficulty}", *question.seen_through),
        follow_through=bool(asked.follow_through) and sum(part.form is None for part in question.parts) > 1,
        words=words,
        solution=lambda: rendering.solution(question, words),
    )


def _part(question: Question, k: int, words: Messages) -> Part:
    part = question.parts[k]
    task = places.task(question, k, words)
    form: Form
    match part.form:
        case None:
            form = _numbers(question, part)
        case Choice(options=options, right=right):
            task = (*task[: len(task) - len(words.say("exam.choose"))], *words.say("exports.choose"))
            form = Choices(
                tuple(
                    Alternative(
                        places.option_shown(question, part, option, words),
                        option.names,
                        Fraction(1) if i == right else question.credit_of(option.names),
                    )
                    for i, option in enumerate(options)
                ),
                right,
            )
        case Order(items=steps, right=order):
            task = (*task[: len(task) - len(words.say("exam.order"))], *words.say("exports.order"))
            form = Steps(tuple(places.item_shown(question, key, words) for key in steps), order)
        case Rubric():
            form = Essay(tuple(rendering.of_form(question, part, words)), 12)
        case Design() as design:
            form = Essay(_designed(question, part, design, words), 3)
        case _ as other:
            assert_never(other)
    return Part(str(k + 1), places.lead(question, k, words), task, form, question.points_of(part))


def _designed(question: Question, part: Asked, design: Design, words: Messages) -> tuple[Block, ...]:
    """One good answer, and between which bounds what follows from any other must lie."""
    good = words.text("solution.comma").join(f"{entry.label} = {entry.text}" for entry in part.entries)
    lines: list[Inlines] = [(Text(good),), words.say("exam.not_unique")]
    for bound in design.bounds:
        what = words.say(f"solution.name.{bound.place.name}")
        at = f"{bound.place.row + 1}, {bound.place.column + 1}"
        ends = {"low": bound.low, "high": bound.high}
        shown = {name: rendering.fraction_text(end) for name, end in ends.items() if end is not None}
        key = "between" if len(shown) == 2 else "at_least" if "low" in shown else "at_most"
        lines.append((*what, Text(" "), *words.say(f"exports.{key}", entry=at, **shown)))
    return tuple(Para(line) for line in lines)


# -- numbers -----------------------------------------------------------------------------------------------------------------


def _numbers(question: Question, part: Asked) -> Numbers:
    found = layout(question, part)
    shares = [question.credit_of(wrong.names) for wrong in part.wrongs]
    fields = {id(entry): field_of(part, k, shares) for k, entry in enumerate(part.entries)}
    cells = tuple(tuple(fields[id(cell)] if isinstance(cell, Entry) else cell for cell in row) for row in found.cells)
    return Numbers(cells, found.row_names, found.columns)
