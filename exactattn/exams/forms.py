"""Judging answers that are no numbers of entries: a letter, letters in order, a text, numbers of the reader's own.

A choice is all or nothing. In an order each pair of steps that follow one another as they should counts. A text is read by a
person. A design is worked: `attend` runs on the numbers that were given, and every bound is decided exactly.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, assert_never
from unicodedata import normalize

from exactattn.attention import attend
from exactattn.errors import InputError, Undecided
from exactattn.exams.answers import Decimal, Typed, Unread, number
from exactattn.exams.model import LETTERS, Choice, Design, Order, Part, Rubric

MOST_CHARACTERS = 200


@dataclass(frozen=True, slots=True)
class Judgement:
    """The share of the points that is earned, the wrong methods an answer comes from, and what could not be read.

    A share of None is for a person to give.
    """

    share: Fraction | None
    names: tuple[str, ...] = ()
    unread: tuple[tuple[str, Unread], ...] = ()

    @property
    def given(self) -> bool:
        """Was anything handed in?"""
        return not self.unread or any(one.why != "empty" for _, one in self.unread)


def judge(part: Part, given: Sequence[str | None], decimal: Decimal = ".") -> Judgement:
    """An answer to a part whose form is not numbers, one text (or None) for each place to fill."""
    match part.form:
        case Choice() as choice:
            return _choice(choice, given[0] or "")
        case Order() as order:
            return _order(order, given[0] or "")
        case Rubric():
            empty = (("", Unread("", "empty")),)
            return Judgement(None) if (given[0] or "").strip() else Judgement(Fraction(0), unread=empty)
        case Design() as design:
            return _design(design, part, given, decimal)
        case None:
            raise ValueError(f"{part.id} is answered by numbers")
        case _ as other:
            assert_never(other)


def letters(text: str, count: int) -> tuple[int, ...] | Unread:
    """The positions that letters stand for; what is no letter of those there are is refused.

    >>> letters("(b)", 4), letters("c > a, Ｂ", 3), letters("E", 4).why, letters("2", 4).why
    ((1,), (2, 0, 1), 'no-letter', 'no-letter')
    """
    shown = text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS] + "…"
    if len(text) > MOST_CHARACTERS:
        return Unread(shown, "letters-long")
    tidy = re.sub(r"[\s,;.:、，；。()\[\]→>\-–—]", "", normalize("NFKC", text)).upper()
    if not tidy:
        return Unread(shown, "empty" if not text.strip() else "no-letter")
    if any(letter not in LETTERS[:count] for letter in tidy):
        return Unread(shown, "no-letter")
    return tuple(LETTERS.index(letter) for letter in tidy)


def _choice(choice: Choice, text: str) -> Judgement:
    found = letters(text, len(choice.options))
    if isinstance(found, tuple) and len(found) != 1:
        found = Unread(text, "several-letters")
    if isinstance(found, Unread):
        return Judgement(Fraction(0), unread=(("", found),))
    (chosen,) = found
    return Judgement(Fraction(1) if chosen == choice.right else Fraction(0), choice.options[chosen].names)


def _order(order: Order, text: str) -> Judgement:
    found = letters(text, len(order.items))
    if isinstance(found, tuple) and sorted(found) != list(range(len(order.items))):
        found = Unread(text, "letters-not-once")
    if isinstance(found, Unread):
        return Judgement(Fraction(0), unread=(("", found),))
    pairs = set(pairwise(order.right))
    kept = sum(pair in pairs for pair in pairwise(found))
    return Judgement(Fraction(kept, len(pairs)))


def _design(design: Design, part: Part, given: Sequence[str | None], decimal: Decimal) -> Judgement:
    read = [number(text or "", decimal) for text in given]
    unread = tuple((entry.label, one) for entry, one in zip(part.entries, read, strict=True) if isinstance(one, Unread))
    if unread:
        return Judgement(Fraction(0), unread=unread)
    values = [one.value for one in read if isinstance(one, Typed)]
    rows = [list(row) for row in design.given[design.varied]]
    rows[design.row] = [str(x) for x in values]
    try:
        right = _within(design, {**design.given, design.varied: rows})
    except Undecided:
        return Judgement(None)
    names = () if right else tuple(name for one in part.wrongs if one.explains(values) for name in one.names)
    return Judgement(Fraction(int(right)), names)


def _within(design: Design, given: dict[str, Any]) -> bool:
    """Does all that follows from these numbers keep within the bounds? Numbers beyond the limits of the work do not."""
    try:
        trace = attend(**given)
    except InputError:
        return False
    for bound in design.bounds:
        at = bound.place
        x = trace.step(at.name, at.head).computed.value(at.row, at.column)
        if (bound.low is not None and x < bound.low) or (bound.high is not None and x > bound.high):
            return False
    return True
