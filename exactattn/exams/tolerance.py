"""Tolerances that a spec states in place of the derived ones. A stated one must hold every honest answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import floor, log10

from exactattn.errors import CaseError
from exactattn.exams.model import Entry, Part, Question

RULES: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "absolute": lambda key, x: x,
    "relative": lambda key, x: abs(key) * x,
    "places": lambda key, x: Fraction(1, 2) / Fraction(10) ** int(x),
    "significant": lambda key, x: Fraction(10) ** (_exponent(key) - int(x) + 1) / 2,
}
"""The tolerance at a key, by the rule's name and its number."""

_DUE = '"derived", "absolute:0.01", "relative:1%", "places:3" or "significant:3"'


def checked(text: str, place: str) -> str:
    """The tolerance as written, if it can be read.

    >>> checked("relative:1%", "question 'a'")
    'relative:1%'
    >>> checked("about 1", "question 'a'")
    Traceback (most recent call last):
        ...
    exactattn.errors.CaseError: question 'a', tolerance is 'about 1': "derived", "absolute:0.01", "relative:1%", "places:3" \
or "significant:3" was due
    """
    if text != "derived" and _read(text) is None:
        raise CaseError("{place}, tolerance is {text!r}: {due} was due", place=place, text=text, due=_DUE)
    return text


def _read(text: str) -> tuple[str, Fraction] | None:
    rule, _, number = text.partition(":")
    try:
        x = Fraction(number.removesuffix("%").strip()) / (100 if number.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        return None
    whole = rule in ("places", "significant")
    if rule not in RULES or x < 0 or (whole and (x.denominator != 1 or not (rule == "places" or x))) or x > 1000:
        return None
    return rule, x


def at(text: str, key: Fraction) -> Fraction | None:
    """The tolerance that is stated, at a key; None where it is derived.

    >>> at("relative:1%", Fraction(5)), at("derived", Fraction(5))
    (Fraction(1, 20), None)
    """
    found = _read(text)
    return None if found is None else RULES[found[0]](key, found[1])


def stated(question: Question) -> Question | None:
    """The question with the tolerance that its spec states; None where a wrong method would then look right.

    Errors: CaseError where an honest answer would be refused.
    """
    found = _read(question.asked.tolerance)
    if found is None:
        return question
    rule, x = found
    parts = []
    for part in question.parts:
        entries = tuple(_widened(question, part, entry, RULES[rule](entry.key, x)) for entry in part.entries)
        wider = replace(part, entries=entries)
        for wrong in part.wrongs:
            for entry, (low, high) in zip(entries, wrong.intervals, strict=True):
                if high >= entry.key - entry.tolerance and low <= entry.key + entry.tolerance:
                    return None
        parts.append(wider)
    return replace(question, parts=tuple(parts))


def _widened(question: Question, part: Part, entry: Entry, tolerance: Fraction) -> Entry:
    if tolerance < entry.tolerance:
        raise CaseError(
            "question {id!r}: the tolerance {stated} refuses honest answers to {ask} (key {key}, where {due} are needed): "
            'state more, or "derived"',
            id=question.asked.id, stated=question.asked.tolerance, ask=part.ask, key=entry.text,
            due=float(entry.tolerance),
        )  # fmt: skip
    return replace(entry, tolerance=tolerance)


def _exponent(key: Fraction) -> int:
    """The place of the first digit: 0 for 1 to 9.99, −1 for 0.1 to 0.99; 0 for nothing."""
    if key == 0:
        return 0
    k = floor(log10(abs(key)))
    # the logarithm is only a guess: powers of ten decide
    while Fraction(10) ** k > abs(key):
        k -= 1
    while Fraction(10) ** (k + 1) <= abs(key):
        k += 1
    return k
