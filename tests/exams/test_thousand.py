"""A thousand variants of every kind of question: none fails, none comes twice, none is met by a wrong method, every key is right.

Of some, the key is worked again in the intervals of mpmath, from the numbers of the statement alone.
"""

from __future__ import annotations

import re
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest
from mpmath import iv

from exactattn.exams.kinds import kinds
from exactattn.exams.model import Asked, Part, Question
from exactattn.exams.select import NoVariants, canonical_form, variants

MANY = 1_000
SOME = 200
"""Variants of a kind as it comes, and of one with its dials turned."""

EVERY = 20
"""Of so many variants one is worked again in intervals."""

FEWER = {"operation-count": 993}
"""Kinds that say they have no thousand, and how many they have (seed 7)."""

DIALS = {
    "matrix": Asked("q", "K04", answer="matrix"),
    "every step": Asked("q", "K04", ask=("scores", "scaled", "weights", "output")),
    "by hand": Asked("q", "K04", numbers="by-hand"),
    "coarse": Asked("q", "K02", places=2, working=4),
    "fine": Asked("q", "K03", places=6, working=8, difficulty=5),
    "masked": Asked("q", "K06", answer="matrix", size={"n": 4, "d_v": 1}, parameters={"mask": "causal-and-padding"}),
    "heads": Asked("q", "K07", ask=("weights", "concat")),
    "projections": Asked("q", "K05", ask=("Q", "K", "weights")),
}


def told_apart(question: Question, part: Part) -> None:
    """Numbers of a trace are told from a wrong method each by itself, what has none as one answer."""
    every = all if question.trace is not None else any
    for wrong in part.wrongs:
        pairs = list(zip(part.entries, wrong.intervals, strict=True))
        assert every(high < e.key - e.tolerance or low > e.key + e.tolerance for e, (low, high) in pairs), wrong.names


def printed(question: Question, part: Part) -> None:
    """The key is what the worked solution prints in its last line."""
    assert question.trace is not None
    digits = question.trace.step(part.ask, part.head).computed.decimal(part.places)
    for entry in part.entries:
        assert entry.place is not None
        assert entry.text == digits[entry.place.row][entry.place.column]
        assert entry.accepts(entry.key)
        assert Fraction(1, 2 * 10**part.places) <= entry.tolerance <= Fraction(3, 2 * 10**part.places)


def checked(asked: Asked, count: int) -> int:
    """How many variants there are, up to `count`, all of them as they should be."""
    forms: set[object] = set()
    found = 0
    try:
        for question in islice(variants(asked, "7"), count):
            found += 1
            assert question.number == found
            # the statement, and for a choice what there is to choose
            forms.add(
                canonical_form(question.trace)
                if question.trace is not None
                else (question.case, *sorted(question.facts.items()), *(repr(part.form) for part in question.parts))
            )
            assert len(forms) == found, "a variant comes twice"
            for part in question.parts:
                if part.form is None:
                    told_apart(question, part)
                    if question.trace is not None:
                        printed(question, part)
            if question.trace is not None and found % EVERY == 0:
                worked_again(question)
    except NoVariants as error:
        said = re.search(r"has only (\d+) variants", str(error))
        found = int(said[1]) if said else -1
    return found


@pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.name)
def test_a_thousand_variants_of_every_kind(kind):
    assert checked(Asked("q", kind.id), MANY) == FEWER.get(kind.name, MANY)


@pytest.mark.parametrize("name", DIALS)
def test_hundreds_of_variants_with_the_dials_turned(name):
    assert checked(DIALS[name], SOME) == SOME


def test_the_first_variant_of_many_seeds():
    for seed in range(100):
        for kind in ("K01", "K04", "K07"):
            question = next(variants(Asked("q", kind), str(seed)))
            for part in question.parts:
                told_apart(question, part)
                printed(question, part)


# -- in intervals ----------------------------------------------------------------------------------------------------------

Rows = list[list[Any]]


def number(text: str) -> Any:
    """A canonical text as an interval."""
    exact = re.sub(r"\d+(\.\d+)?", lambda digits: f"iv.mpf('{digits[0]}')", text)
    return eval(exact, {"iv": iv, "ln": iv.log, "sqrt": iv.sqrt})


def times(a: Rows, b: Rows) -> Rows:
    return [
        [sum((x * y for x, y in zip(row, column, strict=True)), iv.mpf(0)) for column in zip(*b, strict=True)]
        for row in a
    ]


def turned(a: Rows) -> Rows:
    return [list(column) for column in zip(*a, strict=True)]


def softmax(row: list[Any], held: tuple[bool, ...]) -> list[Any]:
    e = [iv.exp(x) if open_ else iv.mpf(0) for x, open_ in zip(row, held, strict=True)]
    return [x / sum(e, iv.mpf(0)) for x in e]


def worked(question: Question) -> dict[tuple[str, int | None], Rows]:
    """Every quantity that may be asked, in intervals."""
    assert question.trace is not None
    problem = question.trace.problem
    given = {name: [[number(x) for x in row] for row in rows] for name, rows in problem.inputs.items()}
    out: dict[tuple[str, int | None], Rows] = {}
    for name in "QKV":
        if f"W_{name}" in given:
            source = given["X"] if name == "Q" else given.get("X_kv", given["X"])
            given[name] = out[name, None] = times(source, given[f"W_{name}"])
    heads, scale = problem.settings.heads, number(problem.settings.scale)
    outputs = []
    for h in range(heads):
        block = {
            name: [row[h * len(row) // heads : (h + 1) * len(row) // heads] for row in given[name]]
            for name in "QKV"
            if name in given
        }
        s = times(block["Q"], turned(block["K"])) if "K" in block else given["scores"]
        scaled = [[x * scale for x in row] for row in s]
        n, m = len(s), len(s[0])
        match problem.settings.mask:
            case "none":
                keep: tuple[tuple[bool, ...], ...] = ((True,) * m,) * n
            case "causal":
                keep = tuple(tuple(j <= i for j in range(m)) for i in range(n))
            case rows:
                keep = rows
        a = [softmax(row, held) for row, held in zip(scaled, keep, strict=True)]
        out |= {("scores", h): s, ("scaled", h): scaled, ("weights", h): a}
        if "V" in block:
            outputs.append(times(a, block["V"]))
            out["output", h] = outputs[-1]
    if outputs:
        joined = [[x for part in parts for x in part] for parts in zip(*outputs, strict=True)]
        out["concat", None] = joined
        out["output", None] = times(joined, given["W_O"]) if "W_O" in given else joined
    return out


def worked_again(question: Question) -> None:
    """Half a last place around each printed key meets the interval of the true value, which is far narrower."""
    iv.dps = 30
    found = worked(question)
    for part in question.parts:
        for entry in part.entries:
            assert entry.place is not None
            true = found[part.ask, part.head][entry.place.row][entry.place.column]
            key = iv.mpf(entry.key.numerator) / entry.key.denominator
            half = iv.mpf(1) / (2 * 10**part.places)
            assert true.delta < iv.mpf("1e-15")
            assert (true - key).a <= half.b
            assert (key - true).a <= half.b
