"""From what a caller gives to a checked problem: matrices as canonical text that fit together, labels, settings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from typing import Any, Literal

from exactattn.attention.matrices import rows_of, texts_of
from exactattn.attention.shapes import shapes_of
from exactattn.errors import InputError, LabelError, NumberError, OptionError, nearest
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.parse import canonical, clean
from exactattn.trace.problem import FOLLOWS, INPUTS, PLACES, Mask, Problem, Settings

_CHOICES: Mapping[str, tuple[str, ...]] = {
    "shift": ("max", "none"),
    "fully_masked": ("error", "zero", "uniform"),
    "track": ("carry", "stepwise"),
    "ties": ("half-up", "half-even"),
    "alignment": ("top-left", "bottom-right"),
}

_RESERVED = ("sqrt", "ln", "log", "inf", "infinity", "nan")


def problem_of(given: Mapping[str, Any], tokens: Any, key_tokens: Any, limits: Limits, **chosen: Any) -> Problem:
    """The checked problem, or an error that says what came and what was due. `chosen` are the fields of Settings."""
    symbols = _symbols(chosen["symbols"])
    inputs = {name: texts_of(name, given[name], symbols, limits) for name in INPUTS if given.get(name) is not None}
    heads = _heads(chosen["heads"])
    n, m, d_k = shapes_of(inputs, heads)
    labels = _labels(tokens, key_tokens, n, m)
    for name, known in _CHOICES.items():
        value = chosen[name]
        if value not in known and not (name == "alignment" and value is None):
            raise OptionError(
                "{name} {value!r} is not one of {known}{hint}",
                name=name, value=value, known=", ".join(known), hint=nearest(str(value), known),
            )  # fmt: skip
    settled = {
        "scale": _scale(chosen["scale"], d_k, symbols, limits),
        "mask": _mask(chosen["mask"]),
        "heads": heads,
        "symbols": symbols,
        "arithmetic": _arithmetic(chosen["arithmetic"], symbols),
        "places": _places(chosen["places"], limits),
    }
    return Problem(inputs, *labels, Settings(**chosen | settled))


def problem_from(data: Any, limits: Limits = LIMITS) -> Problem:
    """The checked problem of a record, from its plain data: every name there, and no other."""
    problem = _named("the problem", data, [f.name for f in fields(Problem)])
    settings = _named("the settings", problem["settings"], [f.name for f in fields(Settings)])
    inputs = problem["inputs"]
    if not isinstance(inputs, dict):
        raise InputError("the inputs are no object: matrices by name were due")
    for name in inputs:
        if name not in INPUTS:
            raise InputError("input {name!r} is not one of {known}", name=name, known=", ".join(INPUTS))
    return problem_of(inputs, problem["tokens"], problem["key_tokens"], limits, **settings)


def _named(what: str, data: Any, names: list[str]) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise InputError("{what} is no object: {names} were due", what=what, names=", ".join(names))
    for name in names:
        if name not in data:
            raise InputError("{what}: {name} is missing", what=what, name=name)
    for name in data:
        if name not in names:
            raise InputError(
                "{what}: {name!r} is not one of {names}{hint}",
                what=what, name=name, names=", ".join(names), hint=nearest(name, names),
            )  # fmt: skip
    return data


# -- settings ----------------------------------------------------------------------------------------------------------


def _scale(scale: Any, d_k: int | None, symbols: tuple[str, ...], limits: Limits) -> str:
    if scale is None:
        if d_k is None:
            raise InputError('scores are given without Q and K, so the scale must be given too: scale = "1" for none')
        return f"1/sqrt({d_k})"
    try:
        return canonical(scale, symbols=symbols, limits=limits)
    except NumberError as error:
        raise NumberError("scale: {why}", why=str(error)) from None


def _heads(heads: Any) -> int:
    count = heads.__index__() if hasattr(heads, "__index__") and not isinstance(heads, bool) else 0
    if count < 1:
        raise OptionError("heads {heads!r}: a whole number from 1 up was due", heads=heads)
    return int(count)


def _symbols(symbols: Any) -> tuple[str, ...]:
    if isinstance(symbols, str) or not isinstance(symbols, Iterable):
        raise OptionError("symbols {symbols!r}: a list of names was due", symbols=symbols)
    out = tuple(symbols)
    for name in out:
        usable = isinstance(name, str) and name.isidentifier() and name not in _RESERVED and clean(name) == name
        if not usable:
            raise OptionError("{name!r} is no name for a symbol: letters, then letters or digits, were due", name=name)
        if out.count(name) > 1:
            raise OptionError("symbols holds {name!r} twice", name=name)
    return out


def _arithmetic(name: Any, symbols: tuple[str, ...]) -> str:
    if not isinstance(name, str):
        raise OptionError("arithmetic {name!r}: a name was due, such as exact", name=name)
    if not symbols or name == "sympy":
        return name
    if name == "exact":
        return "sympy"  # letters are worked with in sympy alone
    raise OptionError("arithmetic {name} has no letters: with symbols, sympy is due", name=name)


def _places(places: Any, limits: Limits) -> dict[str, int]:
    known = (*PLACES, *FOLLOWS)
    if not isinstance(places, Mapping):
        raise OptionError("places {places!r}: counts by name were due, such as weights and 3", places=places)
    for name, count in places.items():
        if name not in known:
            raise OptionError(
                "places of {name!r}: that is not one of {known}{hint}",
                name=name, known=", ".join(known), hint=nearest(str(name), known),
            )  # fmt: skip
        if not isinstance(count, int) or isinstance(count, bool) or not 0 <= count <= limits.places:
            raise OptionError(
                "{count!r} places of {name}: a whole number from 0 to {limit} was due",
                count=count, name=name, limit=limits.places,
            )  # fmt: skip
    return dict(places)


def _mask(mask: Any) -> Mask:
    if mask is None:
        return "none"
    if isinstance(mask, str):
        known: tuple[Literal["none", "causal"], ...] = ("none", "causal")
        for name in known:
            if mask == name:
                return name
        raise OptionError(
            "mask {mask!r} is not one of none, causal, or a matrix of 0 and 1{hint}",
            mask=mask,
            hint=nearest(mask, known),
        )
    rows = rows_of("mask", mask)
    if not rows or any(not isinstance(row, list | tuple) for row in rows):
        raise OptionError("the mask is no matrix: none, causal, or rows of 0 and 1 (1 = may attend) were due")
    return tuple(tuple(_open(entry, i, j) for j, entry in enumerate(row)) for i, row in enumerate(rows))


def _open(entry: Any, i: int, j: int) -> bool:
    text = str(entry)
    if text in ("1", "True", "1.0"):
        return True
    if text in ("0", "False", "0.0"):
        return False
    raise OptionError(
        "mask, row {row}, column {column}: {entry!r} is neither 0 nor 1 (1 = may attend)",
        row=i + 1,
        column=j + 1,
        entry=text,
    )


# -- labels ------------------------------------------------------------------------------------------------------------


def _labels(tokens: Any, key_tokens: Any, n: int, m: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """One label for each query and each key."""
    rows = _checked_labels("tokens", tokens, n, "query") if tokens is not None else None
    if key_tokens is not None:
        columns = _checked_labels("key_tokens", key_tokens, m, "key")
    elif rows is not None and n == m:
        columns = rows
    else:
        columns = tuple(f"k{j + 1}" for j in range(m))
    if rows is None:
        rows = columns if n == m and key_tokens is not None else tuple(f"q{i + 1}" for i in range(n))
    return rows, columns


def _checked_labels(name: str, labels: Any, due: int, what: str) -> tuple[str, ...]:
    if isinstance(labels, str):
        raise LabelError("{name} is one text: a list of texts was due, one per {what}", name=name, what=what)
    if not isinstance(labels, Iterable):
        raise LabelError(
            "{name} {labels!r}: a list of texts was due, one per {what}", name=name, labels=labels, what=what
        )
    out = tuple(labels)
    for label in out:
        if not isinstance(label, str):
            raise LabelError("{name} holds {label!r}, which is no text", name=name, label=label)
        if any("\ud800" <= c <= "\udfff" for c in label):
            raise LabelError(
                "{name} holds {label!r}: half of a character, which no file can hold", name=name, label=label
            )
    if len(out) != due:
        raise LabelError(
            "{name} has {came}, one per {what} is due: {due}", name=name, came=len(out), what=what, due=due
        )
    return tuple(str(label) for label in out)
