"""From a plain tree to a `Case`: every name known, every value of its kind, every number a number."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from exactattn.cases import names
from exactattn.cases.limits import CaseLimits
from exactattn.cases.matrices import Reading, check_tokens, mask, matrix, number
from exactattn.cases.model import Case, Choices, Comparison, Matrix, Show
from exactattn.cases.reading import too_deep
from exactattn.cases.values import Number, choice, switch, table, text, texts, whole, wrong
from exactattn.errors import CaseError, OptionError, ShapeError
from exactattn.i18n import messages
from exactattn.numbers.parse import clean

LAYOUTS = ("full", "brief", "ledger", "worksheet")
_RESERVED = ("sqrt", "ln", "log", "inf", "infinity", "nan")


def check(tree: Mapping[str, Any], *, name: str, folder: Path | None, limits: CaseLimits) -> Case:
    """The case that a tree of tables, lists, texts and numbers describes.

    `name` stands for a missing id; paths of arrays start from `folder`. Errors: CaseError, ShapeError, NumberError,
    LimitError, FileError, OptionError.
    """
    _survey(tree, name, limits)
    names.check_names(tree, names.TOP, "the case", names.IGNORED_TOP)
    reading = _reading(tree, folder, limits)
    if "inputs" not in tree and "printed" not in tree:
        raise CaseError("the case has no [inputs]: give Q, K and V, or X with W_Q, W_K and W_V, or scores")
    given = table(tree.get("inputs", {}), "[inputs]")
    names.check_names(given, names.INPUTS, "[inputs]")
    if not given and "printed" not in tree:
        raise CaseError("[inputs] is empty: give Q, K and V, or X with W_Q, W_K and W_V, or scores")
    inputs = {key: matrix(value, key, reading) for key, value in given.items()}
    attention = table(tree.get("attention", {}), "[attention]")
    names.check_names(attention, names.ATTENTION, "[attention]", names.IGNORED_ATTENTION)
    tokens = _tokens(tree, "tokens", _queries(inputs), limits)
    ignored = {key: tree[key] for key in names.IGNORED_TOP if key in tree}
    ignored |= {f"attention.{key}": attention[key] for key in names.IGNORED_ATTENTION if key in attention}
    if reading.decimal == ",":
        ignored["decimal"] = ","  # the numbers in quotes among these have a decimal comma too
    return Case(
        inputs=inputs,
        id=text(tree.get("id", name), "id"),
        title=text(tree.get("title", ""), "title"),
        tokens=tokens,
        key_tokens=_tokens(tree, "key_tokens", _keys(inputs), limits),
        symbols=reading.symbols,
        attention=_choices(attention, reading),
        show=_show(tree.get("show", {})),
        compare=_compare(tree.get("compare", []), reading),
        source=tree["source"] if isinstance(tree.get("source"), str) else "",
        extra={key: _as_written(value) for key, value in ignored.items()},
        folder=folder,
    )


def _survey(tree: Any, name: str, limits: CaseLimits) -> None:
    """One walk over everything, ignored parts included: depth, and halves of characters, which no file can hold."""
    stack: list[tuple[Any, int]] = [(tree, 1)]
    while stack:
        value, depth = stack.pop()
        if depth > limits.nesting:
            raise too_deep(name, limits)
        if isinstance(value, Mapping):
            stack.extend((key, depth) for key in value)
            stack.extend((item, depth + 1) for item in value.values())
        elif isinstance(value, list | tuple):
            stack.extend((item, depth + 1) for item in value)
        elif isinstance(value, str) and not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value):
            raise CaseError("{text} holds half of a surrogate pair, which is no character", text=ascii(value))


def _reading(tree: Mapping[str, Any], folder: Path | None, limits: CaseLimits) -> Reading:
    decimal = choice(tree.get("decimal", "."), "decimal", (".", ","))
    binary = switch(tree.get("binary", False), "binary")
    symbols = texts(tree.get("symbols", []), "symbols")
    for i, symbol in enumerate(symbols, 1):
        if symbol in symbols[: i - 1]:
            raise CaseError("symbols holds {symbol!r} twice", symbol=symbol)
        if not symbol.isidentifier() or symbol in _RESERVED or "," in symbol or clean(symbol) != symbol:
            why = "symbols, position {i}: {symbol!r} is no name for a symbol: letters, then letters or digits, were due"
            raise CaseError(why, i=i, symbol=symbol)
    return Reading(limits, decimal, "bits" if binary else "decimals", symbols, folder)


# -- tokens ------------------------------------------------------------------------------------------------------------------


def _tokens(
    tree: Mapping[str, Any], key: str, count: tuple[int, str] | None, limits: CaseLimits
) -> tuple[str, ...] | None:
    if key not in tree:
        return None
    out = texts(tree[key], key)
    check_tokens(len(out), key, limits)
    if count is not None and len(out) != count[0]:
        why = "{key}: {came} given, and {of} needs {due}"
        raise ShapeError(why, key=key, came=len(out), due=count[0], of=count[1])
    return out


def _queries(inputs: Mapping[str, Matrix]) -> tuple[int, str] | None:
    """How many queries there are and which input says so; None where two inputs could (the pipeline then judges)."""
    found = [key for key in ("scores", "Q", "X") if key in inputs]
    return (len(inputs[found[0]]), f"{found[0]} ({len(inputs[found[0]])} rows)") if len(found) == 1 else None


def _keys(inputs: Mapping[str, Matrix]) -> tuple[int, str] | None:
    """How many keys there are and which input says so; None where two inputs could."""
    if "scores" in inputs:
        width = len(inputs["scores"][0])
        return width, f"scores ({width} columns)"
    found = [key for key in ("K", "X_kv") if key in inputs] or [key for key in ("X",) if key in inputs]
    return (len(inputs[found[0]]), f"{found[0]} ({len(inputs[found[0]])} rows)") if len(found) == 1 else None


# -- tables ------------------------------------------------------------------------------------------------------------------


def _choices(given: Mapping[str, Any], reading: Reading, place: str = "") -> Choices:
    def at(key: str) -> str:
        return f"{place}{key}"

    return Choices(
        scale=None if "scale" not in given else number(given["scale"], at("scale"), reading),
        mask=None if "mask" not in given else mask(given["mask"], reading),
        alignment=_word(given, "alignment", at, ("top-left", "bottom-right")),
        heads=None if "heads" not in given else whole(given["heads"], at("heads"), 1),
        shift=_word(given, "shift", at, ("max", "none")),
        fully_masked=_word(given, "fully_masked", at, ("error", "zero", "uniform")),
    )


def _word(given: Mapping[str, Any], key: str, at: Any, known: tuple[str, ...]) -> Any:
    return None if key not in given else choice(given[key], at(key), known)


def _show(value: Any) -> Show:
    given = table(value, "[show]")
    names.check_names(given, names.SHOW, "[show]")
    lang = None if "lang" not in given else text(given["lang"], "[show] lang")
    if lang is not None:
        try:
            messages(lang)
        except OptionError as error:
            raise OptionError("[show] lang: {why}", why=str(error)) from None
    return Show(
        rows=texts(given.get("rows", []), "[show] rows"),
        places=None if "places" not in given else _places(given["places"]),
        lang=lang,
        layout=None if "layout" not in given else choice(given["layout"], "[show] layout", LAYOUTS),
    )


def _places(value: Any) -> str:
    """ "auto", "3" or "scores=2,exps=4", however it is given; which quantities there are is judged where they are printed."""
    place = "[show] places"
    if isinstance(value, Mapping):
        if not value:
            raise wrong(place, value, "at least one quantity with its places")
        return ",".join(f"{key}={whole(count, f'{place}, {key}', 0)}" for key, count in value.items())
    if isinstance(value, str) and not isinstance(value, Number):
        return value.strip()
    return str(whole(value, place, 0))


def _compare(value: Any, reading: Reading) -> tuple[Comparison, ...]:
    if not isinstance(value, list | tuple):
        raise wrong("compare", value, "a list of tables, each [[compare]],")
    out = []
    for i, item in enumerate(value, 1):
        place = f"[[compare]] {i}"
        given = table(item, place)
        names.check_names(given, names.COMPARE, place)
        label = None if "label" not in given else text(given["label"], f"{place}, label")
        choices = _choices(given, reading, f"{place}, ")
        if not choices.given():
            raise CaseError("{place} changes nothing: name a scale, mask or number of heads", place=place)
        out.append(Comparison(choices, label))
    return tuple(out)


def _as_written(value: Any) -> Any:
    """An ignored part as plain lists, tables and texts: numbers as their digits stand."""
    match value:
        case Mapping():
            return {key: _as_written(item) for key, item in value.items()}
        case list() | tuple():
            return [_as_written(item) for item in value]
        case bool() | None | Number():
            return value
    return str(value)
