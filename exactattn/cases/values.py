"""One value of a case at a time: a text, a whole number, one of a few words. Each function names the place in its error."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from exactattn.errors import CaseError, nearest

_SHOWN = 40


class Number(str):
    """A number as its digits stand in a file: "0.10". Text that was written in quotes is a plain `str`."""

    __slots__ = ()


def kind(value: Any) -> str:
    """What a value is, in words for an error.

    >>> kind("a"), kind(Number("1.50")), kind([1]), kind({}), kind(True), kind(None)
    ("the text 'a'", 'the number 1.50', 'a list', 'a table', 'a boolean', 'null')
    """
    match value:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case Number():
            return f"the number {_short(str(value))}"
        case str():
            return f"the text {_short(repr(str(value)))}"
        case int() | float():
            return f"the number {_short(repr(value))}"
        case list() | tuple():
            return "a list"
        case Mapping():
            return "a table"
    return f"a {type(value).__name__}"


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def wrong(place: str, value: Any, due: str) -> CaseError:
    """The error for a value of another kind than was due."""
    return CaseError("{place} is {came}: {due} was due", place=place, came=kind(value), due=due)


def text(value: Any, place: str) -> str:
    """A text as it stands."""
    if isinstance(value, Number) or not isinstance(value, str):
        raise wrong(place, value, "a text in quotes")
    return str(value)


def texts(value: Any, place: str) -> tuple[str, ...]:
    """A list of texts."""
    if not isinstance(value, list | tuple):
        raise wrong(place, value, "a list of texts")
    return tuple(text(item, f"{place}, position {i}") for i, item in enumerate(value, 1))


def table(value: Any, place: str) -> Mapping[str, Any]:
    """A table (an object in JSON)."""
    if not isinstance(value, Mapping):
        raise wrong(place, value, "a table")
    return value


def whole(value: Any, place: str, least: int) -> int:
    """A whole number, not less than `least`."""
    due = f"a whole number from {least}"
    if isinstance(value, bool) or (isinstance(value, str) and not isinstance(value, Number)):
        raise wrong(place, value, due)
    try:
        number = int(value) if isinstance(value, str) else operator.index(value)
    except (TypeError, ValueError):
        raise wrong(place, value, due) from None
    if number < least:
        raise wrong(place, value, due)
    return number


def switch(value: Any, place: str) -> bool:
    """true or false."""
    if not isinstance(value, bool):
        raise wrong(place, value, "true or false")
    return value


def choice(value: Any, place: str, known: tuple[str, ...]) -> Any:
    """One of a few words.

    >>> choice("casual", "mask", ("none", "causal"))
    Traceback (most recent call last):
        ...
    exactattn.errors.CaseError: mask is the text 'casual': none or causal was due (did you mean 'causal'?)
    """
    if isinstance(value, str) and value in known:
        return str(value)
    hint = nearest(value, known) if isinstance(value, str) else ""
    due = f"{', '.join(known[:-1])} or {known[-1]}" if len(known) > 1 else known[0]
    raise CaseError("{place} is {came}: {due} was due{hint}", place=place, came=kind(value), due=due, hint=hint)
