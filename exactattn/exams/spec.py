"""The spec of an exam: TOML in, the questions asked out; every name known, every value of its kind.

title, lang, seed?, decimal = "." | ",", paper = "a4" | "letter"
answers = "below" | "sheet"    answers are given below each question, or on a sheet at the end
track = "carry" | "stepwise"   keys from exact values, or from those rounded to `working` places at each step
[[question]]
id, kind                 required; ids are unique
points, count            how much it is worth, how many variants a paper has of it
difficulty               1 to 5
numbers                  "calculator" or "by-hand"
size                     n, m, d_k, d_v, heads, ... as the kind has them
places, working          of the key (3), and those that a student works with (places + 2)
answer, ask, row         "number", "row", "matrix", "choice", ...; the quantities asked; the row, from 1
tolerance                "derived", "absolute:0.01", "relative:1%", "places:3", "significant:3", "exact"
follow_through, credit   shares of the points: "1", and for a misconception by its name
parameters               the kind's own dials
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from importlib import resources
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Literal, TypeAlias, get_args

from exactattn.cases.limits import CASE_LIMITS
from exactattn.cases.reading import decode, parse, read_file
from exactattn.cases.values import choice, switch, table, text, texts, whole, wrong
from exactattn.errors import CaseError, FileError, OptionError, nearest
from exactattn.exams import tolerance
from exactattn.exams.kinds import Kind, find
from exactattn.exams.model import Answer, Asked, Numbers
from exactattn.i18n import messages
from exactattn.misconceptions import find as misconception
from exactattn.trace.problem import Track
from exactattn.writers.html import SHEETS, Sheet

TOP = ("title", "lang", "seed", "track", "decimal", "paper", "answers", "question")
QUESTION = (
    "id", "kind", "points", "count", "difficulty", "numbers", "size", "places", "working", "answer", "ask", "row",
    "tolerance", "follow_through", "credit", "parameters",
)  # fmt: skip

Answers: TypeAlias = Literal["below", "sheet"]
"""Where answers are given."""

MOST = {"size": 16, "places": 12, "working": 20, "count": 50, "points": 1_000_000}
"""Larger ones are a slip of the pen: a paper is worked by hand."""


@dataclass(frozen=True, slots=True)
class Spec:
    """An exam as asked for: no numbers are drawn yet. `source` is the text that it was read from."""

    questions: tuple[Asked, ...]
    title: str = ""
    lang: str = "en"
    seed: str | None = None
    decimal: str = "."
    paper: Sheet = "a4"
    answers: Answers = "below"
    source: str = field(default="", compare=False)

    @property
    def points(self) -> Fraction:
        """What a whole paper is worth."""
        return sum((asked.points * asked.count for asked in self.questions), Fraction(0))


def bundled() -> list[str]:
    """The names of the specs that come with the package."""
    files = resources.files("exactattn.exams").joinpath("specs").iterdir()
    return sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml"))


def load(spec: str | PathLike[str] | Spec) -> Spec:
    """A spec: a bundled name, or the path of a TOML file. Errors: FileError, CaseError, OptionError."""
    if isinstance(spec, Spec):
        return spec
    name = fspath(spec)
    if name in bundled() and isinstance(spec, str):
        file = resources.files("exactattn.exams").joinpath("specs", f"{name}.toml")
        return read(file.read_text(encoding="utf-8"), name)
    path = Path(spec)
    if not path.is_file() and path.name == name and not path.suffix:
        known = bundled()
        hint = nearest(name, known) or f" (there are {', '.join(known)})"
        raise FileError("no bundled spec and no file {name!r}{hint}", name=name, hint=hint)
    return read(decode(read_file(path, name, CASE_LIMITS), name), name)


def read(source: str, name: str = "the spec") -> Spec:
    """The spec that a TOML text describes."""
    tree = parse(source, name, "toml", CASE_LIMITS)
    _known(tree, TOP, "the spec")
    lang = text(tree.get("lang", "en"), "lang")
    messages(lang)
    track = choice(tree.get("track", "carry"), "track", get_args(Track))
    given = tree.get("question", [])
    if not isinstance(given, list) or not given:
        raise CaseError("the spec asks nothing: a [[question]] with an id and a kind was due")
    questions = tuple(_asked(table(one, f"[[question]] {k}"), k, track) for k, one in enumerate(given, 1))
    _apart(questions)
    return Spec(
        questions,
        title=text(tree.get("title", ""), "title"),
        lang=lang,
        seed=None if "seed" not in tree else _seed(tree["seed"]),
        decimal=choice(tree.get("decimal", "."), "decimal", (".", ",")),
        paper=choice(tree.get("paper", "a4"), "paper", tuple(SHEETS)),
        answers=choice(tree.get("answers", "below"), "answers", get_args(Answers)),
        source=source,
    )


def _apart(questions: Iterable[Asked]) -> None:
    """No two questions have an id in common, nor two variants of them: those of "a" with count = 2 are a-1 and a-2."""
    known: dict[str, int] = {}
    owners: dict[str, Asked] = {}
    for k, asked in enumerate(questions, 1):
        if asked.id in known:
            raise CaseError(
                "[[question]] {k}: the id {id!r} is that of question {first} too", k=k, id=asked.id, first=known[asked.id]
            )  # fmt: skip
        known[asked.id] = k
        for id in [asked.id] if asked.count == 1 else [f"{asked.id}-{number}" for number in range(1, asked.count + 1)]:
            other = owners.setdefault(id, asked)
            if other is not asked:
                several, one = (asked, other) if asked.count > 1 else (other, asked)
                raise CaseError(
                    "question {one!r} and a variant of question {several!r} (count = {count}) are both called {id!r}: "
                    "another id for one of them was due",
                    one=one.id, several=several.id, count=several.count, id=id,
                )  # fmt: skip


def _known(given: Iterable[str], known: tuple[str, ...], place: str) -> None:
    """Every given name is known. (That of cases would send a strayed name to a table that no spec has.)"""
    bare = {name.replace("_", ""): name for name in known}
    for name in given:
        if name not in known:
            same = bare.get(name.casefold().replace("_", "").replace("-", ""))
            hint = f" (did you mean {same!r}?)" if same else nearest(name, known)
            raise CaseError(
                "{place} has no {name!r}{hint}",
                place=place, name=name, hint=hint or f" (it knows {', '.join(known) or 'none'})",
            )  # fmt: skip


def _seed(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int | str) or not str(value).strip():
        raise wrong("seed", value, "a whole number or a text")
    return str(value)


# -- a question ----------------------------------------------------------------------------------------------------------


def _asked(given: Mapping[str, Any], k: int, track: Track) -> Asked:
    place = f"[[question]] {k}"
    _known(given, QUESTION, place)
    for name in ("id", "kind"):
        if name not in given:
            raise CaseError("{place} has no {name}", place=place, name=name)
    id = text(given["id"], f"{place}, id")
    if not re.fullmatch(r"\w[\w.-]{0,39}", id):
        why = "{place}: the id {id!r} is none: letters, digits, - and . were due, 40 at most"
        raise CaseError(why, place=place, id=id)
    place = f"question {id!r}"
    kind = find(text(given["kind"], f"{place}, kind"))
    places = _number(given, "places", place, 3, 1)
    working = _number(given, "working", place, places + 2, 1)
    if working <= places:
        why = "{place}: working = {working} places are not more than the {places} of the key: {due} were due"
        raise CaseError(why, place=place, working=working, places=places, due=places + 2)
    parameters = _parameters(given.get("parameters", {}), kind, place)
    answer = _answer(given, kind, place)
    ask = _asks(given.get("ask", []), kind, place)
    if "answer" in given:
        _fits(ask, given["answer"], kind, place)
    stated = tolerance.checked(text(given.get("tolerance", "derived"), f"{place}, tolerance"), place)
    if stated == tolerance.EXACT and answer in ("choice", "order", "text"):
        why = '{place}: tolerance = "exact" is for numbers, and answer = "{answer}" asks for none'
        raise CaseError(why, place=place, answer=answer)
    numbers: Numbers = choice(given.get("numbers", "calculator"), f"{place}, numbers", get_args(Numbers))
    for name, value, clashes in (("numbers", numbers, "by-hand"), ("tolerance", stated, tolerance.EXACT)):
        if track == "stepwise" and value == clashes:
            why = '{place}: {name} = "{value}" means exact values, and track = "stepwise" rounds them: one of the two was due'
            raise CaseError(why, place=place, name=name, value=value)
    own = [
        *(kind.misconceptions or ()),
        *kind.beside,
        *(one.name for one in kind.own(Asked(id, kind.id, parameters=parameters))),
    ]
    return Asked(
        id,
        kind.id,
        points=_points(given.get("points", 1), f"{place}, points"),
        count=_number(given, "count", place, 1, 1),
        difficulty=int(choice(str(given.get("difficulty", 3)), f"{place}, difficulty", ("1", "2", "3", "4", "5"))),
        numbers=numbers,
        size=_sizes(given.get("size", {}), kind, place),
        places=places,
        working=working,
        answer=answer,
        ask=ask,
        row=None if "row" not in given else whole(given["row"], f"{place}, row", 1),
        tolerance=stated,
        track=track,
        follow_through=_share(given.get("follow_through", 1), f"{place}, follow_through"),
        credit=_credit(given.get("credit", {}), own, place),
        parameters=parameters,
    )


def _number(given: Mapping[str, Any], name: str, place: str, usual: int, least: int) -> int:
    value = whole(given.get(name, usual), f"{place}, {name}", least)
    if value > MOST[name]:
        raise CaseError(
            "{place}, {name} is {value}: {most} at most", place=place, name=name, value=value, most=MOST[name]
        )
    return value


def _points(value: Any, place: str) -> Fraction:
    """A number from 0 to what points may be: 2, "1/4", 2.5."""
    number = _written(value)
    if number is None or number > MOST["points"]:
        raise wrong(place, value, f'a number from 0 to {MOST["points"]}, as in 2, 2.5 or "1/4",')
    return number


def _written(value: Any) -> Fraction | None:
    plain = isinstance(value, int | str) and not isinstance(value, bool)
    return tolerance.written(str(value)) if plain else None


def _share(value: Any, place: str) -> Fraction:
    share = _written(value)
    if share is None or share > 1:
        raise wrong(place, value, "a share of the points, from 0 to 1,")
    return share


def _sizes(value: Any, kind: Kind, place: str) -> dict[str, int]:
    place = f"{place}, size"
    given = table(value, place)
    _known(given, tuple(kind.size), place)
    out = {name: whole(count, f"{place}, {name}", 1) for name, count in given.items()}
    for name, count in out.items():
        if count > MOST["size"]:
            why = "{place}, {name} is {count}: {most} at most"
            raise CaseError(why, place=place, name=name, count=count, most=MOST["size"])
    return out


def _answer(given: Mapping[str, Any], kind: Kind, place: str) -> Answer | None:
    if "answer" not in given:
        return kind.answers[0] if kind.answers else None
    found: Answer = choice(given["answer"], f"{place}, answer", kind.answered)
    return found


def _asks(value: Any, kind: Kind, place: str) -> tuple[str, ...]:
    asks = texts(value, f"{place}, ask")
    for k, name in enumerate(asks):
        choice(name, f"{place}, ask, position {k + 1}", kind.asks)
        if name in asks[:k]:
            raise CaseError("{place}, ask names {name!r} twice", place=place, name=name)
    # in the order of the work, so that a part never asks for what a later part needs
    return tuple(name for name in kind.asks if name in asks)


def _fits(asks: Collection[str], answer: Answer, kind: Kind, place: str) -> None:
    """What is asked can be answered as is said. A form of numbers says how numbers are given: one of those asked is enough."""
    unfit = [ask for ask in asks if not kind.takes(ask, answer)]
    if unfit and (answer not in ("number", "row", "matrix") or len(unfit) == len(asks)):
        why = (
            '{place}: answer = "{answer}" is stated, and {ask} is answered as {form}: another answer, or none, was due'
        )
        form = kind.forms.get(unfit[0], "numbers")
        raise CaseError(why, place=place, answer=answer, ask=unfit[0], form=form)


def _credit(value: Any, own: Collection[str], place: str) -> dict[str, Fraction]:
    out = {}
    for name, share in table(value, f"{place}, credit").items():
        if name not in own:
            try:
                misconception(name)
            except OptionError as error:
                raise CaseError("{place}, credit: {why}", place=place, why=str(error)) from None
        out[name] = _share(share, f"{place}, credit, {name}")
    return out


def _parameters(value: Any, kind: Kind, place: str) -> dict[str, Any]:
    given = table(value, f"{place}, parameters")
    _known(given, tuple(kind.parameters), f"{place}, parameters")
    return {name: _parameter(one, kind, name, f"{place}, {name}") for name, one in given.items()}


def _parameter(value: Any, kind: Kind, name: str, place: str) -> Any:
    """A dial of a kind: of the type of its default, and one of the names where there are some."""
    usual = kind.parameters[name]
    if isinstance(usual, bool):
        return switch(value, place)
    if isinstance(usual, int):
        count = whole(value, place, 0)
        if count > MOST["size"]:
            raise CaseError("{place} is {count}: {most} at most", place=place, count=count, most=MOST["size"])
        return count
    if name in kind.choices:
        return choice(value, place, kind.choices[name])
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise wrong(place, value, 'a number, as in 2 or "1/2",')
    return str(value)
