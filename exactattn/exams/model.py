"""Questions as data: what is asked, the key with its tolerance, the wrong answers that are told from it.

No format and no language is in here. A number's key is an exact value, its printed text at `places`, and the tolerance t
within which an answer is right: |x − key| ≤ t.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import Any, Literal, TypeAlias, assert_never

from exactattn.document import Block
from exactattn.numbers.value import Value
from exactattn.trace import Trace
from exactattn.trace.problem import PLACES, Track

Answer: TypeAlias = Literal["number", "row", "matrix", "choice", "order", "text"]
Numbers: TypeAlias = Literal["calculator", "by-hand"]


@dataclass(frozen=True, slots=True)
class Place:
    """An entry of a quantity of a trace."""

    name: str
    head: int | None
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One number to be given: its exact value, the printed key, the tolerance, and where it stands in the work.

    Entries are compared by what is printed: whether two logarithms of sums are equal may be undecided.
    """

    label: str
    value: Value = field(compare=False)
    text: str
    tolerance: Fraction
    place: Place | None = None

    @property
    def key(self) -> Fraction:
        """The printed key."""
        return Fraction(self.text)

    def accepts(self, x: Fraction) -> bool:
        """Is this answer right?"""
        return abs(x - self.key) <= self.tolerance

    def units(self, places: int) -> tuple[int, int]:
        """The key and the tolerance in units of 10^-places, cut where they have more.

        >>> Entry("x", Value.of("1/8"), "0.125", Fraction(1, 2000)).units(5)
        (12500, 50)
        """
        whole, _, part = self.text.partition(".")
        more, unit = places - len(part), 10**places
        key = floor(self.key * unit) if more < 0 or "/" in whole else int(whole + part) * 10**more
        return key, self.tolerance.numerator * unit // self.tolerance.denominator


FINER = 2
"""Places of tolerances, and of the ends of intervals, beyond those of the key."""

Span: TypeAlias = tuple[int, int]
"""The least and the most of a closed interval, in units of a last place."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """What a wrong method gives for a part: names that cannot be told apart, and the interval of what each entry prints.

    Intervals are spans in units of 10^-places: their ends are rounded outwards, so nothing that the method gives is left out.
    """

    names: tuple[str, ...]
    spans: tuple[Span, ...]
    places: int
    texts: Sequence[str]

    @property
    def intervals(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """The spans as rationals."""
        unit = 10**self.places
        return tuple((Fraction(least, unit), Fraction(most, unit)) for least, most in self.spans)

    def explains(self, answers: Sequence[Fraction | None]) -> bool:
        """Do all these answers come from it?"""
        unit = 10**self.places
        return all(
            x is not None and least <= x * unit <= most for x, (least, most) in zip(answers, self.spans, strict=True)
        )


def overlap(a: Sequence[Span], b: Sequence[Span]) -> bool:
    """Have two answers a number in common in every entry?"""
    return all(x[0] <= y[1] and y[0] <= x[1] for x, y in zip(a, b, strict=True))


def hull(a: Sequence[Span], b: Sequence[Span]) -> tuple[Span, ...]:
    """The least spans that hold both, entry by entry."""
    return tuple((min(x[0], y[0]), max(x[1], y[1])) for x, y in zip(a, b, strict=True))


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a choice: numbers or a formula as they are printed, or a sentence (the end of its key in the kind's words).

    `names` are the misconceptions that lead to it: none for the right one.
    """

    texts: tuple[str, ...]
    names: tuple[str, ...] = ()
    key: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several options is right. It is answered by a letter: A for the first."""

    options: tuple[Option, ...]
    right: int


@dataclass(frozen=True, slots=True)
class Order:
    """Steps (ends of their keys in the kind's words) as they are shown, and the right order of their positions from 0.

    It is answered by letters: "C A B".
    """

    items: tuple[str, ...]
    right: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Criterion:
    """A line of a rubric: the end of its key in the kind's words, and its share of the points."""

    key: str
    share: Fraction


@dataclass(frozen=True, slots=True)
class Rubric:
    """A text, marked by hand along criteria whose shares add to 1."""

    criteria: tuple[Criterion, ...]


@dataclass(frozen=True, slots=True)
class Bound:
    """What an entry of a quantity must be: from `low` to `high`; None leaves an end open (no weight exceeds 1 anyway)."""

    place: Place
    low: Fraction | None
    high: Fraction | None


@dataclass(frozen=True, slots=True)
class Design:
    """Numbers of the reader's own: right when the work done with them keeps within bounds.

    `given` are the arguments of `attend` with one good answer, which the entries of the part hold; `varied` is the input (Q, K)
    and `row` its row from 0 that is to be given; `bounds` are on what follows. Many answers are right, so each is worked.
    """

    given: Mapping[str, Any]
    varied: str
    row: int
    bounds: tuple[Bound, ...]


Form: TypeAlias = Choice | Order | Rubric | Design
"""How a part is answered where it is not by the numbers of its entries."""


@dataclass(frozen=True, slots=True)
class Part:
    """One thing asked: some entries of one quantity, or an answer of another form."""

    id: str
    ask: str
    entries: tuple[Entry, ...]
    places: int
    working: int
    wrongs: Sequence[Wrong]
    shape: tuple[int, int] = (1, 1)
    head: int | None = None
    rows: tuple[int, ...] = ()
    form: Form | None = None
    """None: a number for each entry. A choice among numbers keeps the entries that it was made of."""

    @property
    def places_to_fill(self) -> int:
        """How many answers the part takes."""
        return len(self.entries) if self.form is None or isinstance(self.form, Design) else 1

    @property
    def margin(self) -> Fraction | None:
        """How far the nearest wrong method's interval stays from what is accepted, at the entry that tells it best."""
        unit = 10 ** (self.places + FINER)
        accepted = [
            ((entry.key - entry.tolerance) * unit, (entry.key + entry.tolerance) * unit) for entry in self.entries
        ]
        best = [
            max(max(least - high, low - most) for (low, high), (least, most) in zip(accepted, wrong.spans, strict=True))
            for wrong in self.wrongs
        ]
        return Fraction(min(best)) / unit if best else None


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of the spec: its kind and dials."""

    id: str
    kind: str
    points: Fraction = Fraction(1)
    count: int = 1
    difficulty: int = 3
    numbers: Numbers = "calculator"
    size: Mapping[str, int] = field(default_factory=dict)
    places: int = 3
    working: int = 5
    answer: Answer | None = None
    ask: tuple[str, ...] = ()
    row: int | None = None
    tolerance: str = "derived"
    track: Track = "carry"
    follow_through: Fraction = Fraction(1)
    credit: Mapping[str, Fraction] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)

    @property
    def rounding(self) -> dict[str, Any]:
        """How the work is rounded on the way, as `attend` takes it: not at all, or each step to `working` places."""
        if self.track == "carry":
            return {}
        return {"track": self.track, "places": dict.fromkeys(PLACES, self.working)}


@dataclass(frozen=True, slots=True)
class Question:
    """One variant of a question, kept because it discriminates."""

    asked: Asked
    number: int
    attempt: int
    trace: Trace | None
    """The work behind it. None where the key is no work of attention (a count, a shape): `facts` says all there is then."""
    parts: tuple[Part, ...]
    seen_through: tuple[str, ...]
    """Misconceptions in scope that this variant tells from the key."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """Numbers of the statement and of the solution by name, as they are printed."""
    case: str = ""
    """Which case of the kind it is, where a kind has several with words of their own."""

    @property
    def id(self) -> str:
        """The question's id; with its number where the spec asks for several."""
        return self.asked.id if self.asked.count == 1 else f"{self.asked.id}-{self.number}"

    def points_of(self, part: Part) -> Fraction:
        """A part's points: those of the question are shared by its places to fill."""
        places = sum(one.places_to_fill for one in self.parts)
        return self.asked.points * Fraction(part.places_to_fill, places) if places else Fraction(0)

    def credit_of(self, names: Sequence[str]) -> Fraction:
        """The share that a wrong answer earns: the least of its methods, where it may be one or another."""
        credit, nothing = self.asked.credit, Fraction(0)
        return min((credit.get(name, nothing) for name in names), default=nothing) if credit else nothing

    @property
    def key(self) -> tuple[tuple[str, ...], ...]:
        """The printed keys, part by part: numbers, or letters. A text has none."""
        return tuple(key_of(part) for part in self.parts)


LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""Names of options and of steps to be ordered."""


def key_of(part: Part) -> tuple[str, ...]:
    """What is to be given for a part, one text for each place to fill; a text has no key.

    >>> key_of(Part("q.1", "order", (), 3, 5, (), form=Order(("mix", "score"), (1, 0))))
    ('B A',)
    """
    match part.form:
        case None | Design():
            return tuple(entry.text for entry in part.entries)
        case Choice(right=right):
            return (LETTERS[right],)
        case Order(right=right):
            return (" ".join(LETTERS[k] for k in right),)
        case Rubric():
            return ("",)
        case _ as other:
            assert_never(other)


@dataclass(frozen=True, slots=True)
class Paper:
    """The questions of one student."""

    number: int
    student: str
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True)
class Rendered:
    """A question in a language: what is asked and how it is worked."""

    statement: tuple[Block, ...]
    solution: tuple[Block, ...]
