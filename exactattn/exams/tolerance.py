"""Tolerances that a spec states in place of the derived ones. A stated one must hold every honest answer."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Literal, TypeAlias

from exactattn.errors import CaseError, OutsideNormalForm
from exactattn.exams.model import Entry, Question

RULES: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "absolute": lambda key, x: x,
    "relative": lambda key, x: abs(key) * x,
    "places": lambda key, x: Fraction(1, 2) / Fraction(10) ** int(x),
    "significant": lambda key, x: Fraction(10) ** (_exponent(key) - int(x) + 1) / 2,
}
"""The tolerance at a key, by the rule's name and its number."""

EXACT = "exact"
"""The answer must be the key itself, a number that a reader can write: the key is printed exactly then."""

MOST_DIGITS = 6
"""A fraction with a longer numerator or denominator is none to be written by hand."""

_DUE = '"derived", "absolute:0.01", "relative:1%", "places:3", "significant:3" or "exact"'


def checked(text: str, place: str) -> str:
    """The tolerance as written, if it can be read.

    >>> checked("relative:1%", "question 'a'")
    'relative:1%'
    >>> checked("about 1", "question 'a'")
    Traceback (most recent call last):
        ...
    exactattn.errors.CaseError: question 'a', tolerance is 'about 1': "derived", "absolute:0.01", "relative:1%", "places:3", \
"significant:3" or "exact" was due
    """
    if text not in ("derived", EXACT) and _read(text) is None:
        raise CaseError("{place}, tolerance is {text!r}: {due} was due", place=place, text=text, due=_DUE)
    return text


_WRITTEN = re.compile(r"\s*[0-9]{1,12}(?:/[0-9]{1,12}|(?:\.[0-9]{1,12})?(?:[eE][+-]?0?[0-9])?)\s*").fullmatch
"""A decimal or a fraction as teachers write it. Exponents have one digit: 1e99999999 would be a number of so many digits."""


def written(text: str) -> Fraction | None:
    """The number from 0 up that a text says, a decimal or a fraction of 12 digits a side at most; None for any other.

    >>> written("2.5"), written("1/4"), written("1e-3"), written("1e99999999"), written("1/0")
    (Fraction(5, 2), Fraction(1, 4), Fraction(1, 1000), None, None)
    """
    if not _WRITTEN(text):
        return None
    try:
        return Fraction(text)
    except ZeroDivisionError:
        return None


def _read(text: str) -> tuple[str, Fraction] | None:
    rule, _, number = text.partition(":")
    stated = written(number.removesuffix("%"))
    if stated is None:
        return None
    x = stated / (100 if number.endswith("%") else 1)
    whole = rule in ("places", "significant")
    if rule not in RULES or (whole and (x.denominator != 1 or not (rule == "places" or x))) or x > 1000:
        return None
    return rule, x


def at(text: str, key: Fraction) -> Fraction | None:
    """The tolerance that is stated, at a key; None where it is derived.

    >>> at("relative:1%", Fraction(5)), at("derived", Fraction(5))
    (Fraction(1, 20), None)
    """
    found = _read(text)
    return None if found is None else RULES[found[0]](key, found[1])


Unfit: TypeAlias = Literal[
    "refuses honest answers", "lets a wrong method look right", "meets a key that is no fraction to be written"
]

DUE: dict[Unfit, str] = {
    "refuses honest answers": 'state more, or "derived"',
    "lets a wrong method look right": 'state less, or "derived"',
    "meets a key that is no fraction to be written": 'state "derived", or ask for scores or for numbers = "by-hand"',
}
"""What to do where a tolerance does not suit."""


def stated(question: Question) -> Question | Unfit:
    """The question with the tolerance that its spec states, or why it does not suit this variant."""
    found = _read(question.asked.tolerance)
    exact = question.asked.tolerance == EXACT
    if found is None and not exact:
        return question
    parts = []
    for part in question.parts:
        entries = tuple(_exact(entry) if found is None else _within(entry, *found) for entry in part.entries)
        if not all(entry.text for entry in entries):
            return "meets a key that is no fraction to be written"
        # who gives the exact value was told to: who rounds it is not meant to be right
        if not exact and any(new.tolerance < old.tolerance for new, old in zip(entries, part.entries, strict=True)):
            return "refuses honest answers"
        # as when variants are drawn: numbers of a trace are told apart each by itself, what has none as one answer
        every = any if question.trace is None else all
        for wrong in part.wrongs:
            if not every(map(_apart, entries, wrong.intervals)):
                return "lets a wrong method look right"
        parts.append(replace(part, entries=entries))
    return replace(question, parts=tuple(parts))


def _within(entry: Entry, rule: str, x: Fraction) -> Entry:
    return replace(entry, tolerance=RULES[rule](entry.key, x))


def _exact(entry: Entry) -> Entry:
    """The entry with its exact key; without a text where there is none.

    A decimal that ends within the places of the key stays one: 0.25, and 4/7.
    """
    try:
        key = Fraction(str(entry.value))  # the normal form: a number that is rational has no other text
    except (ValueError, OutsideNormalForm):  # sines, logarithms of sums: no fraction either
        return replace(entry, text="")
    if max(len(str(abs(key.numerator))), len(str(key.denominator))) > MOST_DIGITS:
        return replace(entry, text="")
    text = entry.text if Fraction(entry.text) == key else str(key)
    return replace(entry, text=text, tolerance=Fraction(0))


def _apart(entry: Entry, interval: tuple[Fraction, Fraction]) -> bool:
    return interval[1] < entry.key - entry.tolerance or interval[0] > entry.key + entry.tolerance


def _exponent(key: Fraction) -> int:
    """The place of the first digit: 0 for 1 to 9.99, −1 for 0.1 to 0.99; 0 for nothing."""
    if key == 0:
        return 0
    k = len(str(abs(key.numerator))) - len(str(key.denominator))
    # that is it, or one too many
    return k if Fraction(10) ** k <= abs(key) else k - 1
