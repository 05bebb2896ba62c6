"""Matrices of a case: from lists, arrays or a path to rows of canonical number texts, each entry checked in its place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from exactattn.cases.arrays import is_path, read_array
from exactattn.cases.limits import CaseLimits
from exactattn.cases.model import Mask, Matrix
from exactattn.cases.values import Number, kind, wrong
from exactattn.errors import CaseError, LimitError, NumberError, OutsideNormalForm, ShapeError, nearest
from exactattn.numbers.parse import canonical, from_binary, surd

VECTORS = ("b_Q", "b_K", "b_V", "b_O")
TOKEN_ROWS = ("X", "X_kv", "Q", "K", "V", "scores")


@dataclass(frozen=True, slots=True)
class Reading:
    """How entries are read: the decimal mark, floats as bits or as decimals, the letters allowed, where paths start."""

    limits: CaseLimits
    decimal: Literal[".", ","] = "."
    floats: Literal["decimals", "bits"] = "decimals"
    symbols: tuple[str, ...] = ()
    folder: Path | None = None


def matrix(value: Any, name: str, reading: Reading) -> Matrix:
    """The r × c matrix, r and c at least 1, as rows of canonical texts. A vector may be given as a flat list.

    Errors: CaseError, ShapeError (ragged, empty), NumberError (with the place), LimitError, FileError.
    """
    rows, place = _rows(value, name, reading)
    if name in TOKEN_ROWS:
        tokens = max(len(rows), max(map(len, rows))) if name == "scores" else len(rows)
        check_tokens(tokens, place, reading.limits)
    if name in VECTORS and len(rows) != 1:
        raise ShapeError("{place} has {rows} rows: a bias is one row", place=place, rows=len(rows))
    return tuple(tuple(_entries(row, i, place, reading)) for i, row in enumerate(rows, 1))


def mask(value: Any, reading: Reading) -> Mask:
    """ "none", "causal", or n × m of 0 and 1 (1 = may attend)."""
    if isinstance(value, str) and not is_path(value):
        if value == "none" or value == "causal":
            return "none" if value == "none" else "causal"
        due = "none, causal, or rows of 0 and 1 (1 = may attend)"
        hint = nearest(value, ("none", "causal"))
        raise CaseError("mask is {came}: {due} was due{hint}", came=kind(value), due=due, hint=hint)
    rows, place = _rows(value, "mask", reading)
    check_tokens(max(len(rows), max(map(len, rows))), place, reading.limits)
    return tuple(
        tuple(_flag(entry, f"{place}, row {i}, column {j}") for j, entry in enumerate(row, 1))
        for i, row in enumerate(rows, 1)
    )


def number(value: Any, place: str, reading: Reading) -> str:
    """One number as text in the grammar of `numbers.parse`, checked; the written form is kept."""
    try:
        return _entry(value, reading)
    except (NumberError, LimitError) as error:
        raise _placed(error, place) from None


def check_tokens(count: int, place: str, limits: CaseLimits) -> None:
    """No more rows or tokens than the limit."""
    if count > limits.tokens:
        why = "{place} has {count} tokens: the limit is {limit} (raise it with the limit 'tokens')"
        raise LimitError(why, place=place, count=count, limit=limits.tokens)


# -- rows ------------------------------------------------------------------------------------------------------------------


def _rows(value: Any, name: str, reading: Reading) -> tuple[Sequence[Sequence[Any]], str]:
    """The rows, of one width and not empty, and the place to name in errors."""
    place = name
    if isinstance(value, str) and not isinstance(value, Number) and is_path(value):
        place = f"{name} ({value})"
        value = read_array(value, name, reading.folder, reading.limits)
    rows = _lists(value, place, vector=name in VECTORS)
    if not rows:
        raise ShapeError("{place} is empty: rows of numbers were due", place=place)
    width = len(rows[0])
    for i, row in enumerate(rows, 1):
        if not row:
            raise ShapeError("{place}, row {row} is empty: numbers were due", place=place, row=i)
        if len(row) != width:
            why = "{place}: row {row} has {came} {entries}, row 1 has {due}: every row needs the same"
            entries = "entry" if len(row) == 1 else "entries"
            raise ShapeError(why, place=place, row=i, came=len(row), entries=entries, due=width)
    return rows, place


def _lists(value: Any, place: str, vector: bool) -> list[list[Any]]:
    if hasattr(value, "shape") and hasattr(value, "tolist"):
        # NumPy arrays by their scalars (tolist would turn float32 into Python's float); sympy matrices by their list
        array = list(value) if hasattr(value, "dtype") and len(value.shape) > 0 else value.tolist()
        if len(value.shape) == 1 and vector:
            return [array]
        if len(value.shape) != 2:
            shape = " × ".join(map(str, value.shape))
            raise ShapeError(
                "{place} is an array of shape {shape}: rows and columns were due", place=place, shape=shape
            )
        return [list(row) for row in array]
    if not isinstance(value, list | tuple):
        raise wrong(place, value, "a list of rows (or the path of a .csv or .npy file)")
    if vector and value and not _is_row(value[0]):
        return [list(value)]
    for i, row in enumerate(value, 1):
        if not _is_row(row):
            raise wrong(f"{place}, row {i}", row, "a list of numbers (one row alone is [[1, 2]])")
    return [list(row) for row in value]


def _is_row(value: Any) -> bool:
    return isinstance(value, list | tuple) or (hasattr(value, "dtype") and len(value.shape) == 1)


# -- entries ---------------------------------------------------------------------------------------------------------------


def _entries(row: Sequence[Any], i: int, place: str, reading: Reading) -> list[str]:
    out = []
    for j, value in enumerate(row, 1):
        try:
            out.append(_entry(value, reading))
        except (NumberError, LimitError) as error:
            raise _placed(error, f"{place}, row {i}, column {j}") from None
    return out


def _placed(error: NumberError | LimitError, place: str) -> NumberError | LimitError:
    return type(error)("{place}: {why}", place=place, why=str(error))


def _entry(value: Any, reading: Reading) -> str:
    if reading.floats == "bits" and (
        isinstance(value, float) or getattr(getattr(value, "dtype", None), "kind", "") == "f"
    ):
        value = from_binary(value)
    # a number without quotes is in the file format's own grammar, whose decimal mark is the point
    decimal = "." if isinstance(value, Number) else reading.decimal
    text = canonical(value, decimal=decimal, symbols=reading.symbols, limits=reading.limits)
    # what divides, takes roots or logarithms has to be worked out to know that it is a number
    if re.search(r"[(/^]", text) and not any(_holds(text, name) for name in reading.symbols):
        with suppress(OutsideNormalForm):  # ln(2)*ln(3) is a number: whether it can be used, the arithmetic knows
            surd(text, reading.limits)
    return text


def _holds(text: str, name: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _flag(value: Any, place: str) -> int:
    text = str(value).strip()
    if isinstance(value, bool) or getattr(getattr(value, "dtype", None), "kind", "") == "b":
        why = "{place} is {text}: write 1 for may attend, 0 for not (libraries differ on what true means)"
        raise CaseError(why, place=place, text=text.lower())
    if text in ("0", "1", "0.0", "1.0"):
        return int(text[0])
    raise CaseError("{place} is {came}: 1 (may attend) or 0 was due", place=place, came=kind(value))
