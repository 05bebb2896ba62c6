"""What is nobody's mistake but must be known: conventions, found out by calls that are the same for everyone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from exactattn.errors import OptionError, nearest
from exactattn.numbers.ball import bits_of
from exactattn.testing.fixed import INF, qkv
from exactattn.testing.formats import FORMATS
from exactattn.testing.frames import dtype_of
from exactattn.testing.inputs import Array, AttentionInput, Input, ScoresInput
from exactattn.testing.judged import Alignment, judged_attention
from exactattn.testing.trial import Caller, Setting

ASKABLE: Mapping[str, tuple[str, ...]] = {
    "fully-masked": ("zero", "nan", "uniform", "error"),
    "causal": ("top-left", "bottom-right"),
}
"""What may be asked for; without that, a convention is only reported."""

ROWS: Mapping[str, str] = {"fully-masked": "fully-masked", "causal": "causal-alignment", "scale": "default-scale"}
"""The identity that a convention belongs to."""

SCALES: Mapping[str, float] = {"1/√d_k": 0.5, "1/√d_v": 0.125, "1": 1.0, "1/d_k": 0.25, "√d_k": 2.0, "1/d_v": 1 / 64}
"""Scales told apart by one call with d_k = 4 and d_v = 64: all are powers of two there."""

_BITS = 192
_LEADING = {"raised": "refused", "hung": "unknown", "died": "unknown"}


@dataclass(frozen=True, slots=True)
class Convention:
    """What was found ("zero"), what was asked for (None: nothing), and with which input."""

    name: str
    found: str
    given: Input
    asked: str | None = None
    dtype: str | None = None

    @property
    def due(self) -> str:
        """What would be right."""
        return "1/√d_k" if self.name == "scale" else self.asked or " or ".join(ASKABLE.get(self.name, ()))

    @property
    def right(self) -> bool:
        """Is it as asked, or something that need not be asked for?"""
        if self.name == "scale":
            # what matches no scale at all is wrong in another way, and accuracy says so
            return self.found in ("1/√d_k", "another")
        if self.name == "causal" and self.found not in ASKABLE["causal"]:
            return False
        return self.asked in (None, self.found)


def asked_from(texts: Sequence[str]) -> dict[str, str]:
    """Conventions asked for as NAME=VALUE.

    >>> asked_from(["fully-masked=zero"])
    {'fully-masked': 'zero'}
    >>> asked_from(["causal=left"])
    Traceback (most recent call last):
        ...
    exactattn.errors.OptionError: convention 'causal=left': top-left or bottom-right was due (did you mean 'top-left'?)
    """
    found = {}
    for text in texts:
        name, _, value = text.partition("=")
        if name not in ASKABLE:
            known = ", ".join(ASKABLE)
            message = "convention {text!r}: there are {known}{hint}"
            raise OptionError(message, text=text, known=known, hint=nearest(name, ASKABLE))
        if value not in ASKABLE[name]:
            message = "convention {text!r}: {due} was due{hint}"
            due = " or ".join(ASKABLE[name])
            raise OptionError(message, text=text, due=due, hint=nearest(value, ASKABLE[name]))
        found[name] = value
    return found


def detect(
    caller: Caller, setting: Setting, dtypes: Sequence[str], asked: Mapping[str, str]
) -> tuple[Setting, list[Convention]]:
    """The conventions of a callable, and the setting to judge it in. A convention asked for is judged by."""
    floating = [name for name in dtypes if name in FORMATS]
    found: list[Convention] = []
    takes = setting.takes
    if takes.kind == "attention":
        dtype = floating[0]
        found += [_batch(caller, dtype), _width(caller, dtype)]
        narrow = found[1].found == "refused"
        setting = replace(setting, widths="equal" if narrow else "any")
        found.append(_scale(caller, setting, dtype, narrow))
        if takes.mask is not None:
            found.append(_fully_masked(caller, dtype, asked.get("fully-masked")))
        if takes.is_causal is not None:
            one = _alignment(caller, setting, dtype, asked.get("causal"))
            found.append(one)
            value = one.asked or one.found
            alignment: Alignment = "top-left" if value == "top-left" else "bottom-right"
            setting = replace(setting, alignment=alignment)
        setting = replace(setting, batched=found[0].found != "refused")
    else:
        first = (floating or dtypes)[0]
        found.append(_matrix(caller, first))
        found.append(_no_keys(caller, first))
        if floating:
            found.append(_closed_row(caller, takes.kind, first, asked.get("fully-masked")))
        setting = replace(setting, batched=found[0].found != "refused")
    flushing = [_flushing(caller, takes.kind, dtype) for dtype in floating]
    flushes = {one.dtype: one.found == "flushed" for one in flushing if one is not None and one.dtype is not None}
    return replace(setting, flushing=flushes), [*found, *(one for one in flushing if one is not None)]


# -- attention -----------------------------------------------------------------------------------------------------------


def _of(dtype: str, name: str, arrays: tuple[Any, Any, Any], **more: Any) -> AttentionInput:
    q, k, v = (np.asarray(x).astype(dtype_of(dtype)) for x in arrays)
    return AttentionInput(name, q, k, v, **more)


def _batch(caller: Caller, dtype: str) -> Convention:
    given = _of(dtype, "two heads", qkv((2,), 2, 3, 2, 2, 90))
    return Convention("leading-dimensions", _LEADING.get(caller(given).trouble or "", "taken"), given)


def _width(caller: Caller, dtype: str) -> Convention:
    given = _of(dtype, "values of another width", qkv((), 2, 3, 2, 4, 94))
    return Convention("value-width", _LEADING.get(caller(given).trouble or "", "taken"), given)


def _scale(caller: Caller, setting: Setting, dtype: str, narrow: bool) -> Convention:
    """With values of one width alone, 1/√d_v cannot be told from 1/√d_k, nor need it be."""
    given = _of(dtype, "the default scale", qkv((), 2, 3, 4, 4 if narrow else 64, 91))
    result = caller(given).result
    matching = [] if result is None else [
        name for name, scale in SCALES.items() if _within(replace(given, scale=scale), result, setting, "top-left")
    ]  # fmt: skip
    return Convention("scale", matching[0] if matching else "another", given)


def _fully_masked(caller: Caller, dtype: str, asked: str | None) -> Convention:
    values = np.array([[2.0, 1.0], [4.0, 1.0], [6.0, -2.0]])
    q, k, _ = qkv((), 2, 3, 2, 2, 92)
    given = _of(dtype, "all keys masked", (q, k, values), mask=np.array([[1, 1, 1], [0, 0, 0]], bool))
    answer = caller(given)
    row = None if answer.result is None else answer.result[1]
    return Convention("fully-masked", _named(row, answer.trouble, {"zero": (0, 0), "uniform": (4, 0)}), given, asked)


def _alignment(caller: Caller, setting: Setting, dtype: str, asked: str | None) -> Convention:
    given = _of(dtype, "two queries, four keys, causal", qkv((), 2, 4, 2, 2, 93), is_causal=True)
    result = caller(given).result
    places: tuple[Alignment, ...] = ("top-left", "bottom-right")
    matching = [] if result is None else [one for one in places if _within(given, result, setting, one)]
    return Convention("causal", matching[0] if len(matching) == 1 else "neither", given, asked)


def _within(given: AttentionInput, result: Array, setting: Setting, alignment: Alignment) -> bool:
    form = FORMATS[given.q.dtype.name]
    rows = judged_attention(given, result, setting.accuracy(form), alignment, _BITS)
    with bits_of(_BITS):
        return all(
            np.isfinite(item.got) and item.true is not None and bool(abs(item.got - item.true) <= item.bound)
            for row in rows
            for item in row.items
        )


# -- softmax and its kin -------------------------------------------------------------------------------------------------


def _scores(dtype: str, name: str, x: Any) -> ScoresInput:
    return ScoresInput(name, np.asarray(x).astype(dtype_of(dtype)))


def _matrix(caller: Caller, dtype: str) -> Convention:
    given = _scores(dtype, "a matrix", [[0, 1, 2], [2, 1, 1]])
    return Convention("leading-dimensions", _LEADING.get(caller(given).trouble or "", "taken"), given)


def _no_keys(caller: Caller, dtype: str) -> Convention:
    given = _scores(dtype, "no keys", [])
    answer = caller(given)
    if answer.result is None:
        return Convention("no-keys", _named(None, answer.trouble, {}), given)
    if answer.result.size == 0:
        return Convention("no-keys", "empty", given)
    return Convention("no-keys", _named(answer.result.reshape(1), None, {"minus-infinity": (-INF,)}), given)


def _closed_row(caller: Caller, kind: str, dtype: str, asked: str | None) -> Convention:
    given = _scores(dtype, "all keys masked", [-INF] * 4)
    answer = caller(given)
    row = None if answer.result is None else answer.result.reshape(-1)
    minus = (-INF,) * (1 if kind == "logsumexp" else 4)
    known = {"zero": (0,) * 4, "uniform": (0.25,) * 4} if kind == "softmax" else {"minus-infinity": minus}
    return Convention("fully-masked", _named(row, answer.trouble, known), given, asked)


def _flushing(caller: Caller, kind: str, dtype: str) -> Convention | None:
    """Does a weight (or a value that is passed on) below the least normal number come out as 0?"""
    form = FORMATS[dtype]
    if kind == "attention":
        least = form.encode([8 * form.least_subnormal], (1, 1))
        nought = np.zeros_like(least)
        one = AttentionInput("a subnormal value", nought, nought, least)
        came = caller(one).result
        flushed = came is not None and float(came[0, 0]) == 0
        return Convention("subnormal", "flushed" if flushed else "kept", one, dtype=form.name)
    if kind != "softmax":
        return None
    far = {"float16": -15, "bfloat16": -90, "float32": -100, "float64": -740}[dtype]
    given = _scores(dtype, "a subnormal weight", [0, far])
    result = caller(given).result
    if result is None or not np.isfinite(result.astype(np.float64)).all():
        return None
    low = float(result[1])
    return Convention("subnormal", "flushed" if low == 0 else "kept", given, dtype=form.name)


def _named(row: Array | None, trouble: str | None, known: Mapping[str, tuple[float, ...]]) -> str:
    if row is None:
        return {"raised": "error", "hung": "unknown", "died": "unknown"}.get(trouble or "", "another")
    values = row.astype(np.float64)
    if np.isnan(values).all():
        return "nan"
    for name, due in known.items():
        with np.errstate(invalid="ignore"):
            near = (values == due) | (np.abs(values - due) < 1 / 16)
        if near.all():
            return name
    return "another"
