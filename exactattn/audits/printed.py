"""What a source prints: its numbers as text, with the last place each claims."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from flint import fmpq

from exactattn.audits.ranges import Exact
from exactattn.cases.values import Number as WrittenNumber
from exactattn.errors import CaseError, LimitError, NumberError, nearest
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.parse import canonical, rational
from exactattn.numbers.value import Value

NAMES = ("Q", "K", "V", "scores", "scaled", "shifted", "exps", "sums", "weights", "output")
"""The quantities that a source may print, in the order of the work."""

_DECIMAL = re.compile(r"-?[0-9]+(\.[0-9]+)?(?:e(-?[0-9]+))?\Z").match
_MINUS_INFINITY = re.compile(r"[-−](inf|infinity|∞|oo)\Z", re.IGNORECASE).match


@dataclass(frozen=True, slots=True)
class Number:
    """A printed number. `places` are the decimals it claims, None for an exact claim (a fraction, root or logarithm).

    `text` is canonical; `exact` its value (−∞ has none). `pointed` says whether a decimal point was printed (or an exponent,
    which shows the last place as well): without one a number used as an operand has no spread.
    """

    text: str
    places: int | None
    pointed: bool
    infinite: bool = False
    exact: Exact = field(init=False, compare=False, repr=False)
    ulp: fmpq = field(init=False, compare=False, repr=False)
    """One unit of its last place; 0 for an exact claim."""

    def __post_init__(self) -> None:
        # worked out once: a number is compared many times
        q = fmpq(0) if self.infinite else rational(self.text)
        object.__setattr__(self, "exact", Value.of(self.text) if q is None else q)
        object.__setattr__(self, "ulp", fmpq(0) if self.places is None else 1 / fmpq(10) ** self.places)

    @property
    def value(self) -> Value:
        """Its value as an exact number."""
        return Value.of(self.exact)


Row: TypeAlias = tuple[Number | None, ...]
Rows: TypeAlias = tuple[Row, ...]
"""n rows; a row that is not printed is empty, an entry that is not printed is None."""


@dataclass(frozen=True, slots=True)
class Printed:
    """All that a source prints: by name outside the heads, and by name in each head."""

    shared: Mapping[str, Rows]
    heads: tuple[Mapping[str, Rows], ...] = ()

    def find(self, name: str, head: int | None) -> Rows | None:
        """The printed rows of a quantity in a head, or outside the heads."""
        if head is not None and self.heads:
            return self.heads[head].get(name)
        return self.shared.get(name)

    def numbers(self) -> Iterator[tuple[str, int | None, int, int, Number]]:
        """Every printed number with its name, head, row and column, in the order of the work."""
        where: list[tuple[str, int | None, Mapping[str, Rows]]] = [(name, None, self.shared) for name in NAMES]
        for number_of_head, head in enumerate(self.heads):
            where += [(name, number_of_head, head) for name in NAMES]
        for name, h, table in where:
            for i, row in enumerate(table.get(name, ())):
                for j, number in enumerate(row):
                    if number is not None:
                        yield name, h, i, j, number


@dataclass(frozen=True, slots=True)
class Reading:
    """How numbers in quotes are written."""

    decimal: Literal[".", ","] = "."
    limits: Limits = LIMITS

    def text(self, entry: Any, place: str) -> str:
        """The canonical text of a number; an error says where it stands."""
        # a number without quotes is in the file format's own grammar, whose decimal mark is the point
        decimal = "." if isinstance(entry, WrittenNumber) else self.decimal
        try:
            return canonical(entry, decimal=decimal, limits=self.limits)
        except (NumberError, LimitError) as error:
            raise type(error)("{place}: {why}", place=place, why=str(error)) from None


def read(printed: Any, heads: int, reading: Reading) -> Printed:
    """From the `printed` table of a case.

    Raises CaseError for an unknown name or a shape that is none, NumberError or LimitError (with its place) for a text that
    is no number.
    """
    if not isinstance(printed, Mapping):
        raise CaseError("printed is no table: one matrix for each printed quantity was due")
    shared = _tables(printed, "printed", reading, ("heads",))
    several: tuple[Mapping[str, Rows], ...] = ()
    if "heads" in printed:
        given = printed["heads"]
        if not isinstance(given, list | tuple) or len(given) != heads:
            came = len(given) if isinstance(given, list | tuple) else "no list"
            raise CaseError(
                "printed.heads has {came}: one table for each of the {heads} heads was due", came=came, heads=heads
            )
        several = tuple(_tables(head, f"printed.heads[{h + 1}]", reading) for h, head in enumerate(given))
    elif heads > 1:
        several = ({},) * heads
    return Printed(shared, several)


def _tables(table: Any, place: str, reading: Reading, others: Sequence[str] = ()) -> dict[str, Rows]:
    if not isinstance(table, Mapping):
        raise CaseError("{place} is no table: one matrix for each printed quantity was due", place=place)
    for name in table:
        if name not in NAMES and name not in others:
            hint = nearest(str(name), (*NAMES, *others))
            raise CaseError(
                "{place} has {name!r}, which is no step{hint}; the steps are {known}",
                place=place, name=name, hint=hint, known=", ".join(NAMES),
            )  # fmt: skip
    return {name: _rows(table[name], f"{place}.{name}", name == "sums", reading) for name in NAMES if name in table}


def _rows(matrix: Any, place: str, flat: bool, reading: Reading) -> Rows:
    if not isinstance(matrix, list | tuple):
        raise CaseError("{place} is no matrix: a list of rows was due", place=place)
    texts = []
    for i, row in enumerate(matrix):
        where = f"{place}, row {i + 1}"
        if flat:
            if isinstance(row, list | tuple | Mapping):
                raise CaseError("{where} is no number: one for each row was due", where=where)
            texts.append([_text(row, where, reading)])
            continue
        if not isinstance(row, list | tuple | None):
            raise CaseError("{where} is no list: rows of numbers were due", where=where)
        texts.append([_text(entry, f"{where}, column {j + 1}", reading) for j, entry in enumerate(row or ())])
    most = max((_places(text) or 0 for row in texts for text in row if text is not None), default=0)
    return tuple(tuple(None if text is None else written(text, most) for text in row) for row in texts)


def _text(entry: Any, place: str, reading: Reading) -> str | None:
    if entry is None or (isinstance(entry, str) and not entry.strip()):
        return None
    if isinstance(entry, str) and _MINUS_INFINITY(entry.strip()):
        return "-inf"
    return reading.text(entry, place)


def _places(text: str) -> int | None:
    """The decimals that a decimal with a point or an exponent shows (1.5e3 ends at the hundreds: −2); None for others."""
    match = _DECIMAL(text)
    if match is None or (match[1] is None and match[2] is None):
        return None
    return len((match[1] or ".")[1:]) - int(match[2] or 0)


def written(text: str, most: int = 0) -> Number:
    """A number from canonical text; one without a point claims `most` decimals."""
    if text == "-inf":
        return Number(text, None, False, infinite=True)
    places = _places(text)
    if places is not None:
        return Number(text, places, True)
    return Number(text, most if _DECIMAL(text) else None, False)
