"""Questions without a trace: numbers given in words, what is sought with its value, and what each mistake gives for it.

An integer is a count: right or wrong. Of any other number, what is printed and what a student rounds at the end may each be
half a unit of the last place off, and numbers rounded to `working` places on the way may be multiplied by `slack`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil
from typing import TypeAlias

from exactattn.errors import OptionError
from exactattn.exams.keys import MOST_UNITS, Refused
from exactattn.exams.model import FINER, Asked, Choice, Entry, Form, Part, Question, Span, Wrong, hull, overlap
from exactattn.numbers.value import Value

Number: TypeAlias = int | Fraction | Value

BITS = 96


@dataclass(frozen=True, slots=True)
class Sought:
    """One thing asked: its numbers by label, and what each mistake gives in their place. `slack` is as said above.

    With a form other than numbers there may be no values; a design has those of one good answer.
    """

    ask: str
    values: Mapping[str, Number] = field(default_factory=dict)
    wrongs: Mapping[str, Sequence[Number]] = field(default_factory=dict)
    slack: int = 0
    form: Form | None = None


@dataclass(frozen=True, slots=True)
class Direct:
    """The numbers of the statement as they are printed, and all that may be asked. No key is among the facts.

    A kind with several cases says which it is: the case has a statement, a solution and whatever else it needs of its own.
    `default` is what is asked in it where nothing is chosen.
    """

    facts: Mapping[str, str]
    sought: tuple[Sought, ...]
    case: str = ""
    default: tuple[str, ...] = ()

    def question(self, asked: Asked, asks: Sequence[str], attempt: int) -> Question | Refused:
        """The question that asks these, or the mistake that gives what is right. OptionError for what this case has not."""
        known = {one.ask: one for one in self.sought}
        parts: list[Part] = []
        for k, ask in enumerate(asks, 1):
            if ask not in known:
                raise OptionError(
                    "question {id!r} asks {ask!r}: with these parameters {known} can be asked",
                    id=asked.id, ask=ask, known=", ".join(known),
                )  # fmt: skip
            part = _part(known[ask], asked, k)
            if isinstance(part, Refused):
                return part
            parts.append(part)
        seen = {name for part in parts for wrong in part.wrongs for name in wrong.names}
        for part in parts:
            if isinstance(part.form, Choice):
                seen.update(name for option in part.form.options for name in option.names)
        return Question(asked, 0, attempt, None, tuple(parts), tuple(sorted(seen)), self.facts, self.case)


def _part(one: Sought, asked: Asked, k: int) -> Part | Refused:
    entries = tuple(_entry(label, value, asked, one.slack) for label, value in one.values.items())
    if any(entry.tolerance > MOST_UNITS / 10**asked.places for entry in entries):
        return Refused("tolerance")
    wrongs: list[Wrong] = []
    for name, values in one.wrongs.items():
        # a wrong count prints as a count: "12.000" among whole numbers would be known for what it is
        made = [
            _entry("", _as_count(value) if isinstance(right, int) else value, asked, one.slack)
            for value, right in zip(values, one.values.values(), strict=True)
        ]
        spans = tuple(_span(entry, asked) for entry in made)
        # what is asked is one answer (a shape has two numbers): it is told apart as soon as one of them is
        if overlap(spans, [_span(entry, asked) for entry in entries]):
            return Refused(name)
        _merge(wrongs, Wrong((name,), spans, asked.places + FINER, tuple(entry.text for entry in made)))
    shape = (1, len(entries))
    return Part(f"{asked.id}.{k}", one.ask, entries, asked.places, asked.working, tuple(wrongs), shape, form=one.form)


def _entry(label: str, value: Number, asked: Asked, slack: int) -> Entry:
    exact = Value.of(value)
    if isinstance(value, int):
        return Entry(label, exact, str(value), Fraction(0))
    text = exact.decimal(asked.places)
    low, high = (value, value) if isinstance(value, Fraction) else exact.interval(BITS)
    half = Fraction(1, 2 * 10**asked.places) + slack * Fraction(1, 2 * 10**asked.working)
    reach = max(Fraction(text) - low, high - Fraction(text)) + half
    unit = 10 ** (asked.places + FINER)
    return Entry(label, exact, text, Fraction(ceil(reach * unit), unit))


def _as_count(value: Number) -> Number:
    return int(value) if isinstance(value, Fraction) and value.denominator == 1 else value


def _span(entry: Entry, asked: Asked) -> Span:
    """What is as good as this number, in units of 10^−(p+2): no number or tolerance here has more places."""
    key, tolerance = entry.units(asked.places + FINER)
    return key - tolerance, key + tolerance


def _merge(wrongs: list[Wrong], one: Wrong) -> None:
    """Mistakes that give the same are one wrong answer with several names."""
    for k, other in enumerate(wrongs):
        if overlap(one.spans, other.spans):
            wrongs[k] = replace(other, names=(*other.names, *one.names), spans=hull(one.spans, other.spans))
            return
    wrongs.append(one)


# -- numbers ---------------------------------------------------------------------------------------------------------------


def listed(numbers: Sequence[int | Fraction]) -> str:
    """Numbers as they are printed in a sentence.

    >>> listed([Fraction(1, 2), -3])
    '1/2, −3'
    """
    return ", ".join(str(x).replace("-", "−") for x in numbers)


def shares(numbers: Sequence[int]) -> list[Fraction]:
    """Each number's share of all of them.

    >>> [str(x) for x in shares([1, 3])]
    ['1/4', '3/4']
    """
    return [Fraction(x, sum(numbers)) for x in numbers]


def mixed(weights: Sequence[Fraction], values: Sequence[int]) -> Fraction:
    """The values, weighted and added."""
    return sum((a * v for a, v in zip(weights, values, strict=True)), Fraction(0))
