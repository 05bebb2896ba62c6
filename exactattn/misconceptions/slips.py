"""Slips in one number: the method is right, and something else was written down than what came out.

Each is a question about a printed text and the true value, decided like every comparison of values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from exactattn.i18n import messages
from exactattn.numbers.parse import canonical
from exactattn.numbers.value import Value

_DECIMAL = re.compile(r"(-?)([0-9]+)(?:\.([0-9]+))?").fullmatch


@dataclass(frozen=True, slots=True)
class Written:
    """A printed number: its canonical text, its decimal places (None for a fraction or root, which claims to be exact), the
    true value, and the true values of its neighbours above and below (`rows`), left and right (`columns`)."""

    text: str
    places: int | None
    true: Value
    rows: Sequence[Value]
    columns: Sequence[Value]

    def rounds(self, value: Value) -> bool:
        """Is the printed number this value, rounded? On a tie either way."""
        printed = Value.of(self.text)
        if self.places is None:
            return printed == value
        return abs(printed - value) <= Fraction(1, 2 * 10**self.places)


@dataclass(frozen=True, slots=True)
class Slip:
    """A slip: `name` is its id, `explains` says whether it leads from the true value to what is printed."""

    name: str
    explains: Callable[[Written], bool]

    def label(self, lang: str) -> str:
        """What it is called: "digits swapped"."""
        return messages(lang).text(f"slip.{self.name}.name")

    def said(self, lang: str) -> str:
        """What happened, as a clause: "two neighbouring digits have changed places"."""
        return messages(lang).text(f"slip.{self.name}.said")

    def feedback(self, lang: str) -> str:
        """What to check, as a sentence."""
        return messages(lang).text(f"slip.{self.name}.feedback")


def slips(printed: str, true: Value, *, rows: Sequence[Value] = (), columns: Sequence[Value] = ()) -> tuple[str, ...]:
    """The names of the slips that lead from a true value to a printed number; none where the number is right.

    `rows` are the true values in the same column of neighbouring rows, `columns` those in the same row of neighbouring
    columns. Raises NumberError where the text is no number, Undecided where a comparison stays open.

    >>> slips("0.236", Value.of("0.2631")), slips("-0.263", Value.of("0.2631")), slips("0.263", Value.of("0.2631"))
    (('digits-swapped',), ('sign-dropped',), ())
    """
    text = canonical(printed)
    match = _DECIMAL(text)
    written = Written(text, len(match[3] or "") if match else None, true, rows, columns)
    return () if written.rounds(true) else tuple(slip.name for slip in SLIPS if slip.explains(written))


def _sign_dropped(written: Written) -> bool:
    return written.rounds(-written.true)


def _digits_swapped(written: Written) -> bool:
    """Two neighbouring digits of the rounded value stand the other way round."""
    if written.places is None:
        return False
    due, came = written.true.decimal(written.places), written.text
    if len(due) != len(came) or due.startswith("-") != came.startswith("-"):
        return False
    at = [k for k, digit in enumerate(due) if digit.isdigit()]
    return any(
        due[a] != due[b] and came == due[:a] + due[b] + due[a + 1 : b] + due[a] + due[b + 1 :] for a, b in pairwise(at)
    )


def _point_moved(written: Written) -> bool:
    """By one place or two; a printed 0 says nothing."""
    shifts = (Fraction(1, 100), Fraction(1, 10), Fraction(10), Fraction(100))
    return Value.of(written.text) != 0 and any(written.rounds(written.true * shift) for shift in shifts)


def _truncated(written: Written) -> bool:
    """Cut off where it should have been rounded."""
    if written.places is None:
        return False
    printed, true = Value.of(written.text), written.true
    rest = true - printed if true.sign() > 0 else printed - true
    return printed.sign() in (0, true.sign()) and rest.sign() >= 0 and rest < Fraction(1, 10**written.places)


def _rounded_twice(written: Written) -> bool:
    """Rounded to one more place or two, and that rounded again."""
    if written.places is None:
        return False
    first = (Value.of(written.true.decimal(written.places + more)) for more in (1, 2))
    return any(Value.of(value.decimal(written.places)) == Value.of(written.text) for value in first)


SLIPS = (
    Slip("sign-dropped", _sign_dropped),
    Slip("digits-swapped", _digits_swapped),
    Slip("decimal-point-moved", _point_moved),
    Slip("neighbouring-row", lambda written: any(map(written.rounds, written.rows))),
    Slip("neighbouring-column", lambda written: any(map(written.rounds, written.columns))),
    Slip("truncated", _truncated),
    Slip("rounded-twice", _rounded_twice),
)
"""The slips there are, the first that is looked for first."""
