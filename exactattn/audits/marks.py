"""What a source says beside its numbers: which entries it marks as row maxima, and what its text claims of row sums."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from exactattn.audits.compare import Compared
from exactattn.audits.printed import NAMES, Printed, Reading, Row
from exactattn.cases import Case
from exactattn.errors import CaseError, nearest
from exactattn.numbers.value import Value


@dataclass(frozen=True, slots=True)
class FalseMark:
    """An entry marked as the largest of its row that is not; `largest` are the places that are."""

    name: str
    row: int
    column: int
    largest: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FalseClaim:
    """A row whose printed digits do not add up to what the text says."""

    name: str
    row: int
    claimed: Value
    sum: Value


def false_marks(case: Case, printed: Printed, true: Mapping[str, Compared], keep: Any) -> list[FalseMark]:
    """The marks of `[marked]` that are wrong: by the true values where they are known, else by the printed ones."""
    out = []
    for name, i, j in _positions(case.extra.get("marked"), printed):
        rows = printed.shared.get(name, ())
        if name in true:
            matrix = true[name]
            if not (0 <= i < matrix.matrix.shape[0] and 0 <= j < matrix.matrix.shape[1]):
                raise CaseError(
                    "[marked] {name} has ({i}, {j}), which is no place of it (counted from 0)", name=name, i=i, j=j
                )
            values = {
                k: matrix.value(i, k)
                for k in range(matrix.matrix.shape[1])
                if keep is None or name == "output" or keep[i][k]
            }
        elif i < len(rows) and j < len(rows[i]):
            values = _printed_values(rows[i])
        else:
            raise CaseError(
                "[marked] {name} has ({i}, {j}), which is no place of it (counted from 0)", name=name, i=i, j=j
            )
        largest = _largest(values)
        if j not in largest:
            out.append(FalseMark(name, i, j, largest))
    return out


def _printed_values(row: Row) -> dict[int, Value]:
    return {k: number.value for k, number in enumerate(row) if number is not None and not number.infinite}


def _largest(values: Mapping[int, Value]) -> tuple[int, ...]:
    best: list[int] = []
    for k, value in values.items():
        order = (value - values[best[0]]).sign() if best else 1
        if order > 0:
            best = [k]
        elif order == 0:
            best.append(k)
    return tuple(best)


def _positions(marked: Any, printed: Printed) -> list[tuple[str, int, int]]:
    if marked is None:
        return []
    if not isinstance(marked, Mapping):
        raise CaseError("[marked] is no table: output = [[0, 0], [2, 1]] (row, column, from 0) was due")
    out = []
    for name, places in marked.items():
        if name not in NAMES:
            raise CaseError("[marked] has {name!r}, which is no step{hint}", name=name, hint=nearest(str(name), NAMES))
        if not isinstance(places, list | tuple):
            raise CaseError("[marked] {name} is no list of places: [[0, 0], [2, 1]] was due", name=name)
        for place in places:
            if not (isinstance(place, list | tuple) and len(place) == 2 and all(str(x).isdecimal() for x in place)):
                raise CaseError(
                    "[marked] {name} has {place!r}: a row and a column, from 0, were due", name=name, place=place
                )
            out.append((str(name), int(place[0]), int(place[1])))
    return out


def false_claims(case: Case, printed: Printed, reading: Reading) -> list[FalseClaim]:
    """The claims of `[claims]` that are wrong: row_sums = { weights = "1" }, or one number for each row."""
    claims = case.extra.get("claims")
    if claims is None:
        return []
    if not isinstance(claims, Mapping) or set(claims) - {"row_sums"}:
        raise CaseError('[claims] knows row_sums = {{ weights = "1" }}: what the text says the printed rows add up to')
    sums = claims.get("row_sums", {})
    if not isinstance(sums, Mapping):
        raise CaseError('[claims] row_sums is no table: row_sums = {{ weights = "1" }} was due')
    out = []
    for name, said in sums.items():
        rows = printed.shared.get(name)
        if rows is None:
            raise CaseError("[claims] row_sums speaks of {name!r}, which is not printed", name=name)
        each = [said] * len(rows) if not isinstance(said, list | tuple) else list(said)
        if len(each) != len(rows):
            raise CaseError(
                "[claims] row_sums of {name} has {came} numbers for {due} rows",
                name=name,
                came=len(each),
                due=len(rows),
            )
        for i, (row, text) in enumerate(zip(rows, each, strict=True)):
            if text is None or not row or any(number is None or number.infinite for number in row):
                continue
            claimed = Value.of(reading.text(text, f"[claims] row_sums of {name}"))
            found = Value.of(0)
            for number in row:
                assert number is not None
                found = found + number.value
            if found != claimed:
                out.append(FalseClaim(str(name), i, claimed, found))
    return out
