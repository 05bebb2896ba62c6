"""The record: a trace as JSON, and back by solving again.

For every quantity of every head it holds the exact value as text and certified decimals; the steps in order with what each
read and made; the problem. `record.schema.json` beside this file is its JSON Schema. Reading solves the problem again and
compares everything that is written: a file whose values differ is refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from importlib import resources
from typing import Any, NoReturn

from exactattn.errors import ExactAttnError, InputError
from exactattn.numbers import grids
from exactattn.numbers.grammar import shown
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.trace.problem import QUANTITIES, Problem
from exactattn.trace.quantity import Quantity
from exactattn.trace.steps import Step, Trace

FORMAT, VERSION = "exactattn-trace", 1

PIPELINES: dict[str, Callable[..., Trace]] = {}
"""What solves a problem again from its recorded plain data (and limits), by name; a pipeline puts itself in."""

_MOST_TERMS = 200_000
"""Beyond so many terms in one quantity its exact texts are left out: each weight is a sum as long as its row."""


def schema() -> dict[str, Any]:
    """The JSON Schema of the record."""
    text = resources.files("exactattn.trace").joinpath("record.schema.json").read_text(encoding="utf-8")
    out: dict[str, Any] = json.loads(text)
    return out


def write(trace: Trace, places: Mapping[str, int] | None = None) -> str:
    """The record as JSON text, decimals at these places (those of the problem where none are given)."""
    return json.dumps(as_data(trace, places), ensure_ascii=False, indent=1) + "\n"


def as_data(trace: Trace, places: Mapping[str, int] | None = None) -> dict[str, Any]:
    """The record as plain data."""
    chosen = dict(trace.problem.settings.places if places is None else places)
    numbers: dict[int, int] = {}
    quantities: list[dict[str, Any]] = []
    for step in trace.steps:
        for quantity in (step.computed, step.made):
            if id(quantity) not in numbers:
                numbers[id(quantity)] = len(quantities)
                quantities.append(_quantity(trace, step, quantity, chosen))
    steps = [
        {
            "does": step.function.__name__,
            "reads": [numbers[id(read)] for read in step.reads],
            "computed": numbers[id(step.computed)],
            "made": numbers[id(step.made)],
        }
        for step in trace.steps
    ]
    return {
        "format": FORMAT,
        "version": VERSION,
        "pipeline": "attention",
        "problem": _problem(trace.problem),
        "places": chosen,
        "quantities": quantities,
        "steps": steps,
    }


def _problem(problem: Problem) -> dict[str, Any]:
    settings = asdict(problem.settings)
    return {
        "inputs": {name: [list(row) for row in texts] for name, texts in problem.inputs.items()},
        "tokens": list(problem.tokens),
        "key_tokens": list(problem.key_tokens),
        "settings": {
            **settings,
            "symbols": list(problem.settings.symbols),
            "mask": settings["mask"]
            if isinstance(settings["mask"], str)
            else [list(map(int, row)) for row in settings["mask"]],
        },
    }


def _quantity(trace: Trace, step: Step, quantity: Quantity, chosen: Mapping[str, int]) -> dict[str, Any]:
    n, m = quantity.shape
    keep = None if quantity.keep is None else [list(map(int, row)) for row in quantity.keep]
    letters = trace.problem.settings.symbols and trace.arithmetic.name == "sympy"
    if step.function.__name__ == "given":
        exact: Any = [list(row) for row in step.settings["texts"]]
    elif letters:
        exact = [[str(entry) for entry in row] for row in quantity.to_sympy().tolist()]
    elif n * m * _terms(trace, quantity.name) <= _MOST_TERMS:
        exact = [[str(quantity.value(i, j)) for j in range(m)] for i in range(n)]
    else:
        exact = None
    places = trace.problem.places(quantity.name, quantity.head, chosen) if step.function.__name__ != "given" else None
    decimal = None if letters or places is None else quantity.decimal(places, trace.problem.settings.ties)
    return {
        "name": quantity.name,
        "head": quantity.head,
        "rows": list(quantity.rows),
        "columns": list(quantity.columns),
        "keep": keep,
        "exact": exact,
        "places": places,
        "decimal": decimal,
    }


def _terms(trace: Trace, name: str) -> int:
    """About how many terms one entry's exact text has."""
    keys = len(trace.problem.key_tokens)
    heads = trace.problem.settings.heads if name == "output" else 1
    return keys * heads if name in ("sums", "weights", "concat", "output") else 1


def read(text: str | bytes, limits: Limits = LIMITS) -> Trace:
    """The trace of a record, solved again; an error where the file says something else.

    Raises InputError for a text that is no record, or one whose values are not those of its problem.
    """
    data = _parsed(text)
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError('this is no trace: "format": "{format}" was due', format=FORMAT)
    if data.get("version") != VERSION:
        raise InputError(
            "this trace has version {came}: {due} is read here", came=_brief(data.get("version")), due=VERSION
        )
    name = data.get("pipeline")
    if not isinstance(name, str) or name not in PIPELINES:
        raise InputError("pipeline {came} is not one of {known}", came=_brief(name), known=", ".join(PIPELINES))
    try:
        trace = PIPELINES[name](data.get("problem"), limits)
        found = _difference(as_data(trace, _places(data.get("places"), limits)), data, "")
    except ExactAttnError as error:
        raise InputError("this trace cannot be solved again: {why}", why=str(error)) from None
    if found is not None:
        raise InputError("this trace is not what its problem gives: {where}", where=found)
    return trace


def recipe(trace: Trace) -> tuple[Callable[..., Trace], tuple[Any, ...]]:
    """What pickle keeps of a trace: the pipeline, its problem as plain data, and limits where they were raised.

    The numbers are those of python-flint, which do not pickle; solved again they are the same. TypeError for a trace that
    is not what its problem gives, as one with a step exchanged.
    """
    solve, problem, limits = PIPELINES["attention"], _problem(trace.problem), trace.arithmetic.limits
    given = (problem,) if limits is LIMITS else (problem, limits)
    anew = solve(*given)
    if anew != trace or anew.arithmetic.name != trace.arithmetic.name:
        raise TypeError(
            "this trace cannot be pickled: it is not what its problem gives; Trace.to_json writes what it holds"
        )
    return solve, given


_DEEPEST = 20


def _parsed(text: str | bytes) -> Any:
    """The JSON, without what no record has: a name twice in an object, fractions, numbers beyond a machine's, deep nesting."""
    try:
        data = json.loads(
            text, object_pairs_hook=_once, parse_int=_whole, parse_float=_no_number, parse_constant=_no_number
        )
    except (ValueError, TypeError) as error:
        raise InputError("this is no JSON: {why}", why=str(error)) from None
    except RecursionError:
        raise InputError("this JSON is nested too deep for a trace") from None
    level, depth = [data], 0
    while level:
        depth += 1
        if depth > _DEEPEST:
            raise InputError("this JSON is nested too deep for a trace")
        level = [x for part in level if isinstance(part, dict | list) for x in _parts(part)]
    return data


def _parts(x: dict[str, Any] | list[Any]) -> Iterable[Any]:
    return x.values() if isinstance(x, dict) else x


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError("{name} stands twice in one object of this JSON", name=_brief(twice))
    return out


def _whole(text: str) -> int:
    return int(text) if len(text) < 18 else _no_number(text)


def _no_number(text: str) -> NoReturn:
    raise InputError("this is no trace: the number {text} stands in it, and not as text", text=shown(text))


def _places(data: Any, limits: Limits) -> dict[str, int]:
    if not isinstance(data, dict):
        raise InputError("places are no object: counts by name were due")
    for name, count in data.items():
        grids.places(count, limits)
        if name not in QUANTITIES:
            raise InputError("places of {name}: that is no quantity", name=_brief(name))
    return data


def _brief(x: Any) -> str:
    return (
        shown(x)
        if isinstance(x, str)
        else "an object"
        if isinstance(x, dict)
        else "a list"
        if isinstance(x, list)
        else str(x)
    )


def _difference(due: Any, came: Any, where: str) -> str | None:
    """Where two pieces of plain data first differ, as a path with both values; None when they are the same."""
    if isinstance(due, dict) and isinstance(came, dict):
        for key in {**due, **came}:
            path = f"{where}.{key}" if where else key
            if key not in came:
                return f"{path} is missing"
            if key not in due:
                return f"{shown(path)} is there, and nothing was due"
            found = _difference(due[key], came[key], path)
            if found is not None:
                return found
        return None
    if isinstance(due, list) and isinstance(came, list):
        if len(due) != len(came):
            return f"{where} has {len(came)} entries, {len(due)} were due"
        for k, (a, b) in enumerate(zip(due, came, strict=True)):
            found = _difference(a, b, f"{where}[{k}]")
            if found is not None:
                return found
        return None
    return None if due == came and type(due) is type(came) else f"{where} is {_brief(came)}, {_brief(due)} was due"
