"""Matrices as people have them, as canonical text: nested lists, NumPy arrays and what becomes one, sympy matrices."""

from __future__ import annotations

from typing import Any

from exactattn.errors import LimitError, NumberError, ShapeError
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.parse import canonical, is_plain
from exactattn.trace.problem import Texts


def texts_of(name: str, x: Any, symbols: tuple[str, ...] = (), limits: Limits = LIMITS) -> Texts:
    """A matrix as canonical texts, from nested lists, a NumPy array (or what becomes one) or a sympy Matrix.

    >>> texts_of("Q", [[1, "−0.50"], [0.1, "½"]])
    (('1', '-0.50'), ('0.1', '1/2'))
    >>> texts_of("Q", [[1, 2], [3]])
    Traceback (most recent call last):
        ...
    exactattn.errors.ShapeError: Q: row 2 has 1 entry, row 1 has 2: every row needs the same
    """
    rows = rows_of(name, x)
    if name.startswith("b_") and rows and not isinstance(rows[0], list | tuple):
        rows = [rows]
    if not rows or any(not isinstance(row, list | tuple) for row in rows):
        raise ShapeError("{name} is no matrix: a list of rows was due, each a list of numbers", name=name)
    if not rows[0]:
        raise ShapeError("{name} is empty: at least one row and one column are due", name=name)
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ShapeError(
                "{name}: row {row} has {came} {entries}, row 1 has {due}: every row needs the same",
                name=name, row=i + 1, came=len(row), entries="entry" if len(row) == 1 else "entries", due=len(rows[0]),
            )  # fmt: skip
    if name.startswith("b_") and len(rows) != 1:
        raise ShapeError("{name} has {rows} rows: a bias is one row of numbers", name=name, rows=len(rows))
    out = []
    for i, row in enumerate(rows):
        if limits is LIMITS and all(type(entry) is str and is_plain(entry) for entry in row):
            out.append(tuple(row))  # the usual case, at once
            continue
        texts = []
        for j, entry in enumerate(row):
            try:
                number = entry if type(entry) is str else _scalar(entry)
                texts.append(canonical(number, symbols=symbols, limits=limits))
            except (NumberError, LimitError) as error:
                raise type(error)(
                    "{name}, row {row}, column {column}: {why}", name=name, row=i + 1, column=j + 1, why=str(error)
                ) from None
        out.append(tuple(texts))
    return tuple(out)


def rows_of(name: str, x: Any) -> Any:
    """The rows of what may be a matrix, as lists; None where it is no such thing."""
    if isinstance(x, list | tuple):
        return [_array_rows(name, row) if _is_array(row) else row for row in x]
    if _is_array(x):
        return _array_rows(name, x)
    if hasattr(x, "tolist"):  # sympy matrices
        return x.tolist()
    return None


def _array_rows(name: str, x: Any) -> Any:
    x = _numpy(x)
    if x.ndim not in (1, 2):
        raise ShapeError("{name} has {ndim} dimensions: a matrix has 2", name=name, ndim=x.ndim)
    # iterating keeps each entry in the array's own format: float32 prints its own shortest decimal
    return [list(row) for row in x] if x.ndim == 2 else list(x)


def _scalar(x: Any) -> Any:
    """An array of no dimensions as the number in it."""
    return _numpy(x)[()] if _is_array(x) and getattr(x, "ndim", 1) == 0 and not isinstance(x, str | bytes) else x


def _numpy(x: Any) -> Any:
    if type(x).__module__.partition(".")[0] == "numpy":
        return x
    import numpy

    return numpy.asarray(x)


def _is_array(x: Any) -> bool:
    return hasattr(x, "__array__") and not hasattr(x, "free_symbols")
