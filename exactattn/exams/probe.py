"""Which mistakes would still be marked right? A teacher's own question, set against every wrong method of the catalogue.

The question is a case with [ask]:

    quantity    "output", "weights", "scores", ...; head (from 1) where there are several
    rows        tokens, or numbers from 1; all where nothing is said. Or entries: pairs of a row and a column, both from 1
    places      decimal places that are printed
    tolerance   "absolute:0.01", "relative:1%", "places:2", "significant:3", or a number; else digits are compared
    key         the stated answer, to be checked: a number, a row, or rows

A wrong method is seen where no asked entry of it would be accepted, half seen where some would, and the question is blind to
it where all would.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from typing import Any, Literal, TypeAlias

from exactattn.attention import attend
from exactattn.cases import Case, load_case
from exactattn.cases.model import Matrix
from exactattn.cases.names import check_names
from exactattn.cases.values import Number, table, whole, wrong
from exactattn.errors import CaseError, LabelError, NoSuchQuantity, Undecided
from exactattn.exams import tolerance
from exactattn.exams.answers import Typed, Unread, number
from exactattn.exams.because import Why, why
from exactattn.exams.change import Change, smallest
from exactattn.exams.keys import Refused, in_scope, part_of
from exactattn.exams.model import Asked
from exactattn.exams.range import Walks
from exactattn.misconceptions import CATALOGUE, Misconception, singles
from exactattn.trace import PLACES, Quantity, Trace, position
from exactattn.trace.problem import QUANTITIES, places_of

Sight: TypeAlias = Literal["seen", "half", "blind"]
SIGHTS: tuple[Sight, ...] = ("blind", "half", "seen")

Cell: TypeAlias = tuple[int, int]

NAMES = ("quantity", "head", "rows", "entries", "places", "tolerance", "key")
EXAMPLE = 'ask = {quantity = "output", rows = [1], places = 3}'
"""What a question lacks that says nothing of what is asked, as a line of TOML."""

MOST_SCORES = 36
"""Scores up to which a change of the numbers is looked for: every trial works the whole catalogue."""
MOST_ENTRIES = 400
"""Entries of a quantity up to which a better one to ask for is looked for."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What is asked for, and how it is marked. `tolerance` is "" where digits are compared."""

    quantity: str
    head: int | None
    cells: tuple[Cell, ...]
    places: int
    tolerance: str = ""
    key: tuple[str, ...] = ()

    def accepts(self, key: str, answer: str) -> bool:
        """Would this printed answer be marked right?"""
        reach = Fraction(0) if not self.tolerance else tolerance.at(self.tolerance, Fraction(key))
        return abs(Fraction(answer) - Fraction(key)) <= (reach or 0)


@dataclass(frozen=True, slots=True)
class Method:
    """A wrong method: what it prints for the asked entries (None where it has no such entry), and how it is seen."""

    method: Misconception
    texts: tuple[str | None, ...]
    equal: int
    sight: Sight
    because: Why | None


@dataclass(frozen=True, slots=True)
class Stated:
    """A stated key beside the true number; `right` at its own last place."""

    cell: Cell
    text: str
    true: str
    right: bool


@dataclass(frozen=True, slots=True)
class Better:
    """What to ask for instead: a row, or an entry of it; how many methods that is blind to, and how many it sees."""

    quantity: str
    row: int
    column: int | None
    blind: int
    seen: int


@dataclass(frozen=True, slots=True)
class Probe:
    """A probed question. `needed` is the tolerance that accepts every honest rounding (None: more than 1.5 last places);
    `enough` whether the stated one does (None where none is stated)."""

    case: Case
    trace: Trace
    ask: Ask
    keys: tuple[str, ...]
    methods: tuple[Method, ...]
    stated: tuple[Stated, ...]
    copied: tuple[str, ...]
    needed: Fraction | None
    enough: bool | None
    better: Better | None
    change: Change | None

    def of(self, sight: Sight) -> tuple[Method, ...]:
        """The methods that are seen so."""
        return tuple(one for one in self.methods if one.sight == sight)

    @property
    def passes(self) -> bool:
        """Blind to nothing, no stated key wrong, and a stated tolerance that is enough?"""
        return not self.of("blind") and all(one.right for one in self.stated) and self.enough is not False

    @property
    def quantity(self) -> Quantity:
        """What is asked for, as it is truly."""
        return self.trace.step(self.ask.quantity, self.ask.head).computed


def probe(question: str | PathLike[str] | Case | Mapping[str, Any]) -> Probe:
    """Set a question against the catalogue.

    >>> found = probe({"inputs": {"Q": [[1, 0]], "K": [[1, 0], [0, 1]], "V": [[4, 2], [0, 6]]},
    ...                "ask": {"quantity": "output", "places": 3}})
    >>> [one.method.name for one in found.of("blind")]
    ['key-not-transposed']
    """
    case = load_case(question)
    trace = _worked(case, case.inputs)
    if case.symbols:
        raise CaseError("a question with letters has no printed digits to probe")
    ask = _ask(trace, case)
    q = trace.step(ask.quantity, ask.head).computed
    printed = q.decimal(ask.places)
    keys = tuple(printed[i][j] for i, j in ask.cells)
    wrongs = [(row, one) for row, one in singles(trace) if in_scope(row, ask.quantity)]
    methods = tuple(_method(trace, ask, keys, row, one) for row, one in wrongs)
    stated = tuple(_stated(q, cell, text, ask.places) for cell, text in zip(ask.cells, ask.key, strict=False))
    copied = tuple(
        one.method.name for one in methods
        if stated and not all(s.right for s in stated)
        and all(t is not None and Fraction(t) == Fraction(s.text) for t, s in zip(one.texts, stated, strict=True))
    )  # fmt: skip
    needed = _needed(trace, q, ask)
    enough = None
    if ask.tolerance:
        stretch = [tolerance.at(ask.tolerance, Fraction(key)) for key in keys]
        enough = needed is not None and all(reach is not None and reach >= needed for reach in stretch)
    better = _better(trace, ask, methods, wrongs)
    unseen = [one.method for one in methods if one.sight == "blind"]

    def left(inputs: Mapping[str, Matrix]) -> int:
        return _left(case, ask, inputs, unseen)

    small = len(trace.problem.tokens) * len(trace.problem.key_tokens) <= MOST_SCORES
    open_still = unseen and (better is None or better.blind)
    change = smallest(case.inputs, left, len(unseen)) if open_still and small else None
    return Probe(case, trace, ask, keys, methods, stated, copied, needed, enough, better, change)


def _worked(case: Case, inputs: Mapping[str, Matrix]) -> Trace:
    given: dict[str, Any] = {**inputs, **case.attention.given()}
    return attend(**given, tokens=case.tokens, key_tokens=case.key_tokens, symbols=case.symbols)


def _left(case: Case, ask: Ask, inputs: Mapping[str, Matrix], unseen: Sequence[Misconception]) -> int:
    """How many methods are not seen with other inputs: of those that were not, and, where all of them are, of all."""
    trace = _worked(case, inputs)
    printed = trace.step(ask.quantity, ask.head).computed.decimal(ask.places)
    keys = [printed[i][j] for i, j in ask.cells]

    def blind(among: Sequence[Misconception]) -> int:
        found = (_texts(one, ask) for row, one in singles(trace, among) if in_scope(row, ask.quantity))
        return sum(
            1 for texts in found
            if all(t is not None and ask.accepts(key, t) for key, t in zip(keys, texts, strict=True))
        )  # fmt: skip

    return blind(unseen) or blind(CATALOGUE)


# -- what is asked ---------------------------------------------------------------------------------------------------------


def _ask(trace: Trace, case: Case) -> Ask:
    if "ask" not in case.extra:
        raise CaseError(
            "the question has no [ask], which says what is asked: put this line first: {line}", line=EXAMPLE
        )
    given = table(case.extra["ask"], "[ask]")
    check_names(given, NAMES, "[ask]")
    name = given.get("quantity", "output")
    if name not in QUANTITIES:
        raise CaseError(
            "[ask] quantity is {name!r}: one of {known} was due", name=name, known=", ".join(QUANTITIES[6:])
        )
    head = whole(Number(given["head"]), "[ask] head", 1) - 1 if "head" in given else None
    q = trace.step(name, head).computed
    if trace.step(name, head).function.__name__ == "given":
        raise NoSuchQuantity("[ask] quantity is {name}: it is given, and no answer", name=name)
    places = whole(Number(given["places"]), "[ask] places", 0) if "places" in given else places_of(name, PLACES)
    cells = _cells(q, given)
    stated = given.get("tolerance", "")
    text = str(stated)
    if text and ":" not in text:
        text = f"absolute:{text}"
    if text:
        tolerance.checked(text, "[ask]")
    return Ask(name, q.head, cells, places, text, _key(given.get("key"), cells))


def _cells(q: Quantity, given: Mapping[str, Any]) -> tuple[Cell, ...]:
    if "entries" in given and "rows" in given:
        raise CaseError("[ask] has rows and entries: one of them says what is asked")
    opened = [[j for j in range(q.shape[1]) if q.keep is None or q.keep[i][j]] for i in range(q.shape[0])]
    if "entries" in given:
        pairs = given["entries"]
        if not isinstance(pairs, list) or not all(isinstance(p, list) and len(p) == 2 for p in pairs) or not pairs:
            raise wrong("[ask] entries", pairs, "pairs of a row and a column")
        return tuple((_at(q.rows, i, "entries", "row"), _at(q.columns, j, "entries", "column")) for i, j in pairs)
    rows = given.get("rows", list(range(1, q.shape[0] + 1)))
    if not isinstance(rows, list) or not rows:
        raise wrong("[ask] rows", rows, "a list of tokens or numbers from 1")
    cells = tuple((i, j) for row in rows for i in (_at(q.rows, row, "rows", "row"),) for j in opened[i])
    if not cells:
        raise CaseError("[ask] rows: everything in them is masked")
    return cells


def _at(labels: tuple[str, ...], key: Any, place: str, what: str) -> int:
    """A token, or a number from 1 where no token reads so."""
    if isinstance(key, bool) or not isinstance(key, int | str):
        raise wrong(f"[ask] {place}, a {what}", key, "a token or a number from 1")
    text = str(key)
    if text in labels or not text.removeprefix("-").isdecimal():
        return position(labels, text, what)
    if len(text) > 6 or not 1 <= int(text) <= len(labels):
        raise LabelError(
            "[ask] {place}: {what} {key} is not there: {what}s count from 1, here to {count}",
            place=place, what=what, key=text[:12], count=len(labels),
        )  # fmt: skip
    return int(text) - 1


def _key(stated: Any, cells: Sequence[Cell]) -> tuple[str, ...]:
    if stated is None:
        return ()
    flat = _flat(stated)
    if len(flat) != len(cells):
        raise CaseError("[ask] key has {came} numbers: {due} are asked for", came=len(flat), due=len(cells))
    for text in flat:
        found = number(text)
        if isinstance(found, Unread):
            raise CaseError("[ask] key: {text!r} is no decimal and no fraction", text=found.text)
    return flat


def _flat(stated: Any) -> tuple[str, ...]:
    return tuple(x for part in stated for x in _flat(part)) if isinstance(stated, list) else (str(stated),)


# -- what is seen ----------------------------------------------------------------------------------------------------------


def _method(trace: Trace, ask: Ask, keys: Sequence[str], row: Misconception, worked: Trace) -> Method:
    texts = _texts(worked, ask)
    equal = sum(1 for key, text in zip(keys, texts, strict=True) if text is not None and ask.accepts(key, text))
    sight: Sight = "seen" if equal == 0 else "blind" if equal == len(keys) else "half"
    because = why(trace, row, ask.quantity, ask.cells, ask.places) if equal else None
    return Method(row, texts, equal, sight, because)


def _texts(worked: Trace, ask: Ask) -> tuple[str | None, ...]:
    step = worked.step_or_none(ask.quantity, ask.head)
    if step is None:
        return (None,) * len(ask.cells)
    n, m = step.computed.shape
    printed = step.computed.decimal(ask.places)
    return tuple(printed[i][j] if i < n and j < m else None for i, j in ask.cells)


def _stated(q: Quantity, cell: Cell, text: str, places: int) -> Stated:
    typed = number(text)
    assert isinstance(typed, Typed)
    value = q.value(*cell)
    if typed.half == 0:
        return Stated(cell, text, str(value), value == typed.value)
    own = len(str((2 * typed.half).denominator)) - 1  # 10^n has n zeros
    return Stated(cell, text, value.decimal(max(own, places)), Fraction(value.decimal(own)) == typed.value)


def _needed(trace: Trace, q: Quantity, ask: Ask) -> Fraction | None:
    """The tolerance with which every answer that was worked with two more places is right."""
    try:
        part = part_of(Asked("probe", "probe", places=ask.places), 1, q, ask.cells, Walks(ask.places + 2).ranges(trace))
    except Undecided:
        return None
    return None if isinstance(part, Refused) else max(entry.tolerance for entry in part.entries)


# -- what to ask instead ---------------------------------------------------------------------------------------------------


def _better(
    trace: Trace, ask: Ask, methods: Sequence[Method], wrongs: Sequence[tuple[Misconception, Trace]]
) -> Better | None:
    """The row, or else the entry, that is blind to fewest methods, and of these sees most; None where that is no better."""
    names = dict.fromkeys((ask.quantity, "scores", "scaled", "weights", "output"))
    best, score = None, (sum(m.sight == "blind" for m in methods), 0)
    if not score[0]:
        return None
    for name in names:
        step = trace.step_or_none(name, ask.head) or trace.step_or_none(name, None)
        if step is None or step.computed.shape[0] * step.computed.shape[1] > MOST_ENTRIES:
            continue
        q = step.computed
        cells = tuple((i, j) for i in range(q.shape[0]) for j in range(q.shape[1]) if q.keep is None or q.keep[i][j])
        whole_of = Ask(name, q.head, cells, ask.places, ask.tolerance)
        printed = q.decimal(ask.places)
        keys = [printed[i][j] for i, j in cells]
        passed = [
            {c for c, key, text in zip(cells, keys, _texts(one, whole_of), strict=True)
             if text is not None and whole_of.accepts(key, text)}
            for row, one in wrongs
        ]  # fmt: skip
        rows = {i: [c for c in cells if c[0] == i] for i, _ in cells}
        for found in (*((i, None, row) for i, row in rows.items()), *((i, j, [(i, j)]) for i, j in cells)):
            i, column, asked = found
            blind = sum(1 for equal in passed if equal.issuperset(asked))
            seen = sum(1 for equal in passed if equal.isdisjoint(asked))
            if (blind, -seen) < score and blind < sum(m.sight == "blind" for m in methods):
                best, score = Better(name, i, column, blind, seen), (blind, -seen)
    return best
