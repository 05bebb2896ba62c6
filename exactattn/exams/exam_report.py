"""What an exam is like as a whole: margins, attempts, letters that are right, numbers that come again.

Papers are looked at one by one, when they are written; of each only a few whole numbers are kept.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import blake2b

from exactattn.document import Block, Document, Inlines, Math, Num, Para, Section, Table, TableCell, Text, Token
from exactattn.exams.model import LETTERS, Asked, Choice, Paper
from exactattn.exams.papers import Papers
from exactattn.i18n import Messages, messages

UNIT = 100
"""Margins and tolerances are kept in hundredths of a unit of the last place, margins cut off, tolerances rounded up."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What is kept of one question of a paper."""

    id: str
    margins: tuple[int, ...]
    tolerance: int | None
    letters: tuple[str, ...]
    numbers: tuple[tuple[str, int], ...]
    """Its given matrices by name, each as a number that stands for it."""


def seen(paper: Paper) -> tuple[Seen, ...]:
    """What is kept of a paper."""
    out = []
    for question in paper.questions:
        margins, tolerances, letters = [], [], []
        for part in question.parts:
            unit = UNIT * 10**part.places
            if isinstance(part.form, Choice):
                letters.append(LETTERS[part.form.right])
                continue
            if part.margin is not None:
                margins.append(part.margin.numerator * unit // part.margin.denominator)
            # whole keys have no tolerance, and no last place
            tolerances += [-(-t.numerator * unit // t.denominator) for t in (e.tolerance for e in part.entries) if t]
        inputs: Mapping[str, object] = {} if question.trace is None else question.trace.problem.inputs
        numbers = tuple((name, _number(value)) for name, value in inputs.items())
        out.append(Seen(question.asked.id, tuple(margins), max(tolerances, default=None), tuple(letters), numbers))
    return tuple(out)


def _number(matrix: object) -> int:
    # 64 bits: that two of a million matrices share one by chance has probability below 3 in 10^8
    return int.from_bytes(blake2b(repr(matrix).encode(), digest_size=8).digest(), "big")


@dataclass(slots=True)
class _Tally:
    asked: Asked
    margins: array[int] = field(default_factory=lambda: array("q"))
    least: tuple[int, int] | None = None
    """The least margin, and the first paper that has it."""
    tolerance: int | None = None
    letters: Counter[str] = field(default_factory=Counter)
    numbers: dict[str, Counter[int]] = field(default_factory=dict)

    def add(self, paper: int, one: Seen) -> None:
        for margin in one.margins:
            self.margins.append(margin)
            if self.least is None or margin < self.least[0]:
                self.least = margin, paper
        if one.tolerance is not None:
            self.tolerance = max(one.tolerance, self.tolerance or 0)
        self.letters.update(one.letters)
        for name, number in one.numbers:
            self.numbers.setdefault(name, Counter())[number] += 1

    @property
    def again(self) -> dict[str, int]:
        """By matrix: how many variants have one that another has too."""
        return {name: sum(count for count in found.values() if count > 1) for name, found in self.numbers.items()}


class Report:
    """What is found, question by question of the spec."""

    def __init__(self, asked: Iterable[Asked]) -> None:
        self._tallies = {one.id: _Tally(one) for one in asked}
        self._papers = 0

    def add(self, found: Sequence[Seen]) -> None:
        """Take in the next paper."""
        self._papers += 1
        for one in found:
            self._tallies[one.id].add(self._papers, one)

    @property
    def least(self) -> tuple[str, int, str] | None:
        """The least margin of all in units of the last place, the paper and the question that have it."""
        found = [(*one.least, id) for id, one in self._tallies.items() if one.least is not None]
        if not found:
            return None
        margin, paper, id = min(found, key=lambda row: row[:1])
        return _units(margin), paper, id

    def document(self, papers: Papers, title: str, lang: str) -> Document:
        """The page for the teacher."""
        words = messages(lang)
        sections = [
            ("margins", self._margins(papers, words)),
            ("letters", self._letters(words)),
            ("again", self._again(words)),
        ]
        blocks = tuple(
            Section((Text(str(k)),), words.say(f"exam.report.{name}"), (), found)
            for k, (name, found) in enumerate(((name, found) for name, found in sections if found), 1)
        )
        meta = words.say("exam.report.meta", papers=str(self._papers), questions=str(len(self._tallies)))
        heading = words.say("exam.report.title", title=title)
        return Document(heading, meta, blocks, lang, (heading, ()))

    def _margins(self, papers: Papers, words: Messages) -> tuple[Block, ...]:
        names = ("question", "difficulty", "points", "kept", "tolerance", "least", "paper", "median")
        rows = []
        for one, attempts in zip(self._tallies.values(), papers.attempts, strict=True):
            middle = sorted(one.margins)[(len(one.margins) - 1) // 2] if one.margins else None
            least, paper = one.least or (None, None)
            rows.append((
                (Token(one.asked.id),),
                _cell(str(one.asked.difficulty)),
                _cell(str(one.asked.points)),
                words.say("exam.report.of", kept=str(len(attempts)), tried=str(attempts[-1] + 1)),
                _cell(None if one.tolerance is None else _units(one.tolerance)),
                _cell(None if least is None else _units(least)),
                _cell(None if paper is None else str(paper)),
                _cell(None if middle is None else _units(middle)),
            ))  # fmt: skip
        table = Table(_head(names, words), tuple(rows), "l" + "r" * (len(names) - 1))
        return Para(words.say("exam.report.margins_are")), table

    def _letters(self, words: Messages) -> tuple[Block, ...]:
        """How often each letter is right: by question, and in all."""
        chosen = [(id, one.letters) for id, one in self._tallies.items() if one.letters]
        if not chosen:
            return ()
        total: Counter[str] = Counter()
        for _, counts in chosen:
            total += counts
        letters = LETTERS[: LETTERS.index(max(total)) + 1]
        head = (*_head(("question",), words), *((Text(letter),) for letter in letters))
        rows: list[tuple[TableCell, ...]] = [((Token(id),), *_counts(found, letters)) for id, found in chosen]
        if len(rows) > 1:
            rows.append((words.say("exam.report.all"), *_counts(total, letters)))
        return (Table(head, tuple(rows), "l" + "r" * len(letters)),)

    def _again(self, words: Messages) -> tuple[Block, ...]:
        rows = tuple(
            ((Token(id),), (Token(name),), _cell(str(count)), _cell(str(one.numbers[name].total())))
            for id, one in self._tallies.items()
            for name, count in one.again.items()
            if count
        )
        if not any(one.numbers for one in self._tallies.values()):
            return ()
        if not rows:
            return (Para(words.say("exam.report.never")),)
        table = Table(_head(("question", "matrix", "shared", "variants"), words), rows, "llrr")
        return Para(words.say("exam.report.again_is")), table


def _head(names: Iterable[str], words: Messages) -> tuple[TableCell, ...]:
    return tuple(words.say(f"exam.report.{name}") for name in names)


def _counts(found: Counter[str], letters: str) -> Iterator[Inlines]:
    return (_cell(str(found[letter])) for letter in letters)


def _cell(text: str | None) -> Inlines:
    return () if text is None else (Math(Num(text)),)


def _units(hundredths: int) -> str:
    """In units of the last place: 131 is "1.31"."""
    whole = Fraction(hundredths, UNIT)
    return f"{whole.numerator // whole.denominator}.{hundredths % UNIT:02}"
