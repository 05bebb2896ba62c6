"""One question of an exam as every learning system has it: what is said, what is answered, how each answer is marked.

No format is in here. Where exams mark a row of numbers as a whole, learning systems mark field by field, so every field has
intervals of its own, no two of which have a number in common: the accepted one, and one for each wrong method that can be told
apart there. All ends are decimals. A number belongs to the first interval that holds it; what no interval holds earns nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from itertools import pairwise
from typing import TypeAlias, assert_never

from exactattn.document import Block, Inlines, Maths, Para, Text
from exactattn.exams import places
from exactattn.exams import render as rendering
from exactattn.exams.exam import Exam
from exactattn.exams.kinds import find
from exactattn.exams.layout import layout
from exactattn.exams.model import Choice, Design, Entry, Order, Paper, Question, Rubric
from exactattn.exams.model import Part as Asked
from exactattn.i18n import Messages, messages

FINER = 2
"""Places of an interval's ends beyond those of the key: as many as a derived tolerance has."""


@dataclass(frozen=True, slots=True)
class Slip:
    """What wrong methods give for one field: a closed interval, and the share of the points that it earns.

    Its ends are `least` and `most` units, of which there are 10^places to 1. Of several names the first is that of the method
    with the narrowest interval, which says most.
    """

    names: tuple[str, ...]
    least: int
    most: int
    places: int
    credit: Fraction

    @property
    def low(self) -> Fraction:
        """The lower end."""
        return Fraction(self.least, 10**self.places)

    @property
    def high(self) -> Fraction:
        """The upper end."""
        return Fraction(self.most, 10**self.places)

    @property
    def middle(self) -> str:
        """The middle, in digits."""
        return digits(5 * (self.least + self.most), self.places + 1)

    @property
    def half(self) -> str:
        """Half the width, in digits."""
        return digits(5 * (self.most - self.least), self.places + 1)


@dataclass(frozen=True, slots=True)
class Field:
    """One number to be given: |x − key| ≤ tolerance earns all; `slips` are apart from that and from each other.

    The tolerance is so many units of 10^-places.
    """

    label: str
    key: str
    units: int
    places: int
    slips: tuple[Slip, ...]

    @property
    def tolerance(self) -> Fraction:
        """How far from the key an answer may lie."""
        return Fraction(self.units, 10**self.places)

    @property
    def low(self) -> Fraction:
        """The least number that is accepted."""
        return Fraction(self.key) - self.tolerance

    @property
    def high(self) -> Fraction:
        """The greatest number that is accepted."""
        return Fraction(self.key) + self.tolerance

    def judged(self, x: Fraction) -> tuple[Fraction, tuple[str, ...]]:
        """The share of the points that an answer earns, and the wrong methods it comes from."""
        if self.low <= x <= self.high:
            return Fraction(1), ()
        return next(((slip.credit, slip.names) for slip in self.slips if slip.low <= x <= slip.high), (Fraction(0), ()))


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

    `id` follows from the seed, the question's id and its attempt alone: the same numbers have the same id. `number` is that of
    the variant; `category` is where it belongs, from the outside in. `solution` works it out when it is called.
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
        """What is said to an answer that these wrong methods give."""
        return rendering.feedback(names, self.words)


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
    digest = sha256(f"{seed}\0{asked.id}\0{question.attempt}".encode()).hexdigest()
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
                        Fraction(1) if i == right else _credit(question, option.names),
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


def _credit(question: Question, names: tuple[str, ...]) -> Fraction:
    """The share that a wrong answer earns: the least of its methods, where it may be one or another."""
    return min((question.asked.credit.get(name, Fraction(0)) for name in names), default=Fraction(0))


def _numbers(question: Question, part: Asked) -> Numbers:
    found = layout(question, part)
    fields = {id(entry): _field(question, part, k) for k, entry in enumerate(part.entries)}
    cells = tuple(tuple(fields[id(cell)] if isinstance(cell, Entry) else cell for cell in row) for row in found.cells)
    return Numbers(cells, found.row_names, found.columns)


def _field(question: Question, part: Asked, k: int) -> Field:
    """An entry with the intervals of its wrong methods, each end a decimal, cut where the accepted interval begins.

    Accepted is never more than the exam accepts, and all that an honest student can get: a derived tolerance has 2 places more
    than the key, and one that is stated is not below it.
    """
    entry = part.entries[k]
    count = part.places + FINER
    one = 10**count
    units = _floor(entry.tolerance, one)
    key = _floor(entry.key, one)  # the key has no more places
    low, high = key - units, key + units
    found: list[Slip] = []
    for wrong in part.wrongs:
        a, b = wrong.intervals[k]
        least, most = _floor(a, one), -_floor(-b, one)
        for left, right in ((least, min(most, low - 1)), (max(least, high + 1), most)):
            if left <= right:
                found.append(Slip(wrong.names, left, right, count, _credit(question, wrong.names)))
    return Field(entry.label, entry.text, units, count, tuple(apart(found)))


def _floor(x: Fraction, one: int) -> int:
    return x.numerator * one // x.denominator


def apart(slips: Sequence[Slip]) -> list[Slip]:
    """The intervals, all in the same units, cut where they overlap, so that each number lies in one: all names, the least credit.

    >>> a, b = Slip(("a",), 1, 5, 0, Fraction(1, 2)), Slip(("b",), 3, 4, 0, Fraction(0))
    >>> [(one.names, one.least, one.most, str(one.credit)) for one in apart([a, b])]
    [(('a',), 1, 2, '1/2'), (('b', 'a'), 3, 4, '0'), (('a',), 5, 5, '1/2')]
    """
    cuts = sorted({one.least for one in slips} | {one.most + 1 for one in slips})
    narrow = sorted(slips, key=lambda one: one.most - one.least)
    out: list[Slip] = []
    for low, end in pairwise(cuts):
        here = [one for one in narrow if one.least <= low and end - 1 <= one.most]
        if not here:
            continue
        names = tuple(dict.fromkeys(name for one in here for name in one.names))
        credit = min(one.credit for one in here) if len(here) > 1 else here[0].credit
        if out and out[-1].names == names and out[-1].most + 1 == low:
            low = out.pop().least
        out.append(Slip(names, low, end - 1, here[0].places, credit))
    return out


def digits(units: int, places: int) -> str:
    """So many units of 10^-places as a decimal, without zeros at its end.

    >>> digits(-73, 5), digits(200, 2), digits(125, 3), digits(0, 4)
    ('-0.00073', '2', '0.125', '0')
    """
    text = f"{abs(units):0{places + 1}d}"
    whole, part = text[: len(text) - places], text[len(text) - places :].rstrip("0")
    return f"{'-' if units < 0 else ''}{whole}{'.' if part else ''}{part}"
