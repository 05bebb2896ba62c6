"""The audit of one example: every printed number judged, in the order of the work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Any

from exactattn.attention import attend, pipeline
from exactattn.attention.masks import causal
from exactattn.audits.compare import Compared
from exactattn.audits.earlier import Earlier, Recomputed
from exactattn.audits.operands import Setting, Where
from exactattn.audits.printed import NAMES, Number, Printed, Reading, Rows, read
from exactattn.audits.verdicts import FAULTS, Truth, Verdict, verdict
from exactattn.cases import Case, load_case
from exactattn.errors import CaseError, ShapeError
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.matrix import Matrix
from exactattn.numbers.value import Value
from exactattn.trace import Trace


@dataclass(frozen=True, slots=True)
class Judged:
    """A printed number with its verdict and what it was judged by."""

    name: str
    head: int | None
    row: int
    column: int
    number: Number
    verdict: Verdict
    truth: Truth | None
    recomputed: Recomputed | None

    @property
    def where(self) -> Where:
        """Its name, head, row and column."""
        return self.name, self.head, self.row, self.column

    @property
    def true(self) -> Value | None:
        """The true value, None where the inputs do not determine it."""
        return None if self.truth is None else self.truth.matrix.value(self.truth.row, self.truth.column)

    @property
    def follows(self) -> Value | None:
        """What follows from the step before, None where that is not printed."""
        return None if self.recomputed is None else self.recomputed.row.value(0, self.recomputed.column)


@dataclass(frozen=True, slots=True)
class Examined:
    """All judged numbers of an example. `trace` is None where the inputs do not determine it."""

    case: Case
    printed: Printed
    trace: Trace | None
    setting: Setting
    judged: tuple[Judged, ...]
    _at: Mapping[Where, Judged] = field(default_factory=dict)

    def at(self, where: Where) -> Judged | None:
        """The judged number at a place."""
        return self._at.get(where)


def examine(case: str | PathLike[str] | Case | Mapping[str, Any], limits: Limits = LIMITS) -> Examined:
    """Judge every printed number of a case.

    Raises CaseError where nothing is printed, ShapeError for a printed matrix of the wrong shape.
    """
    loaded = load_case(case)
    if "printed" not in loaded.extra:
        raise CaseError("case {id!r} prints nothing: an audit needs [printed]", id=loaded.id)
    if loaded.symbols:
        raise CaseError("case {id!r} holds letters: an audit judges numbers", id=loaded.id)
    found = _examined(loaded, limits)
    seen = {one.name for one in found.judged} & {"exps", "sums"}
    if loaded.attention.shift is not None or not seen or not _faults(found):
        return found
    # the case does not say whether the maximum is subtracted, and both are right: what the source prints shows it
    plain = _examined(replace(loaded, attention=replace(loaded.attention, shift="none")), limits)
    return plain if _faults(plain) < _faults(found) else found


def reading_of(case: Case, limits: Limits) -> Reading:
    """How the numbers that a case prints are written."""
    return Reading("," if case.extra.get("decimal") == "," else ".", limits)


def _faults(examined: Examined) -> int:
    return sum(one.verdict in FAULTS for one in examined.judged)


def _examined(loaded: Case, limits: Limits) -> Examined:
    """Every printed number judged, with the maximum subtracted or not as the case says."""
    heads = loaded.attention.heads or 1
    printed = read(loaded.extra["printed"], heads, reading_of(loaded, limits))
    trace = _trace(loaded, limits)
    counts = _counts(loaded, printed, trace)
    setting = _setting(loaded, trace, heads, counts)
    _fits(printed, setting, trace, counts)
    earlier = Earlier(printed, setting, limits)
    found: dict[Where, Judged] = {}
    faulty: set[Where] = set()
    truths: dict[tuple[str, int | None], Compared | None] = {}
    for name, head, i, j, number in _in_order(printed):
        key = (name, head)
        if key not in truths:
            truths[key] = true_values(trace, name, head, limits)
        matrix = truths[key]
        truth = None if matrix is None else Truth(matrix, i, j)
        recomputed = earlier.entry(name, head, i, j)

        def tainted(made: Recomputed | None = recomputed) -> bool:
            return made is not None and not faulty.isdisjoint(made.operands())

        masked = name in _MASKED and not setting.is_open(i, j)
        given = verdict(number, truth, recomputed, tainted, masked)
        found[name, head, i, j] = Judged(name, head, i, j, number, given, truth, recomputed)
        if given in FAULTS:
            faulty.add((name, head, i, j))
    return Examined(loaded, printed, trace, setting, tuple(found.values()), found)


_MASKED = ("scores", "scaled", "shifted")


def _in_order(printed: Printed) -> list[tuple[str, int | None, int, int, Number]]:
    """Heads before what is made of them: the shared output comes last."""
    return sorted(printed.numbers(), key=lambda item: (NAMES.index(item[0]), item[1] is None and item[0] == "output"))


def determined(inputs: Mapping[str, Any]) -> bool:
    """Do the inputs determine at least the scores?"""
    has = inputs.__contains__
    query = has("Q") or (has("X") and has("W_Q"))
    key = has("K") or ((has("X") or has("X_kv")) and has("W_K"))
    return has("scores") or (query and key)


def _trace(case: Case, limits: Limits) -> Trace | None:
    if not determined(case.inputs) or ("scores" in case.inputs and case.attention.scale is None):
        return None
    chosen = case.attention.given()
    chosen.setdefault("fully_masked", "zero")
    given: dict[str, Any] = dict(case.inputs)
    return attend(
        **given, **chosen, tokens=case.tokens, key_tokens=case.key_tokens, symbols=case.symbols, limits=limits
    )


def _setting(case: Case, trace: Trace | None, heads: int, counts: tuple[int, int]) -> Setting:
    attention = case.attention
    exact = case.extra.get("attention.exact", ())
    if not isinstance(exact, list | tuple) or any(name not in (*NAMES, *case.inputs) for name in exact):
        raise CaseError(
            "[attention] exact = {exact!r}: a list of the steps {known} was due", exact=exact, known=", ".join(NAMES)
        )
    scale = trace.problem.settings.scale if trace is not None else attention.scale
    n, m = counts
    keep: tuple[tuple[bool, ...], ...] | None = None
    if attention.mask == "causal":
        keep = causal(n, m, m - n if attention.alignment == "bottom-right" else 0)
    elif attention.mask is not None and attention.mask != "none":
        keep = tuple(tuple(map(bool, row)) for row in attention.mask)
    rounded = case.extra.get("attention.inputs_rounded", False)
    if not isinstance(rounded, bool):
        raise CaseError("[attention] inputs_rounded = {rounded!r}: true or false was due", rounded=rounded)
    return Setting(dict(case.inputs), scale, attention.shift or "max", heads, keep, frozenset(exact), rounded)


_SQUARE = ("scores", "scaled", "shifted", "exps", "weights")
"""What is n × m, and so says how many queries and keys there are."""


def _counts(case: Case, printed: Printed, trace: Trace | None) -> tuple[int, int]:
    """How many queries and keys: by the trace; else by the mask; else by what is given and printed."""
    if trace is not None:
        return len(trace.problem.tokens), len(trace.problem.key_tokens)
    if not isinstance(case.attention.mask, str | None):
        return len(case.attention.mask), len(case.attention.mask[0])
    given = {name: rows for name, rows in case.inputs.items() if name in ("Q", "K", "V", "X", "X_kv", "scores")}
    n, m = _said([given], "X_kv" in given)
    by_page = _said([printed.shared, *printed.heads], False)
    return n or by_page[0], m or by_page[1]


def _said(tables: Sequence[Mapping[str, Sequence[Any]]], crossed: bool) -> tuple[int, int]:
    """How many queries and keys these matrices have, 0 where they do not say; `crossed`: X is of the queries alone."""
    queries, keys = [0], [0]
    for name, rows in (item for table in tables for item in table.items()):
        if name in ("K", "V", "X_kv") or (name == "X" and not crossed):
            keys.append(len(rows))
        if name not in ("K", "V", "X_kv"):
            queries.append(len(rows))
        if name in _SQUARE:
            keys.append(max(map(len, rows), default=0))
    return max(queries), max(keys)


def _fits(printed: Printed, setting: Setting, trace: Trace | None, counts: tuple[int, int]) -> None:
    """Every printed matrix has the shape of what it prints; rows may be empty."""
    for h, table in enumerate((printed.shared, *printed.heads)):
        for name, rows in table.items():
            height, width = _shape(name, h - 1 if h else None, rows, setting, trace, counts)
            came = sorted({len(row) for row in rows if row})
            if len(rows) != height or any(length != width for length in came):
                raise ShapeError(
                    "printed {name} is {rows} × {came}: {due} was due",
                    name=name, rows=len(rows), came=" or ".join(map(str, came)) or "0", due=f"{height} × {width}",
                )  # fmt: skip


def _shape(
    name: str, head: int | None, rows: Rows, setting: Setting, trace: Trace | None, counts: tuple[int, int]
) -> tuple[int, int]:
    """The shape that a printed matrix must have."""
    n, m = counts
    if name in _SQUARE:
        return n, m
    if name == "sums":
        return n, 1
    matrix = None if trace is None else true_matrix(trace, name, head)
    if matrix is not None:
        return matrix.shape
    widest = max(map(len, rows), default=0)
    if name in setting.inputs and head is None:
        widest = len(setting.inputs[name][0])
    return (m if name in ("K", "V") else n), widest


def true_matrix(trace: Trace, name: str, head: int | None) -> Matrix | None:
    """A quantity of a trace; with several heads, outside them only what they share. None where the trace has none."""
    step = trace.step_or_none(name, head)
    if len(trace.heads) == 1:
        step = step or trace.step_or_none(name, 0 if head is None else None)
        head = 0
    if step is not None or name != "shifted" or head is None:
        return None if step is None else step.made.exact
    # not a step of this trace, but it may be printed all the same
    scaled = trace.step_or_none("masked", head) or trace.step("scaled", head)
    ar = trace.arithmetic
    return pipeline.shift(ar, scaled.made, pipeline.maximum(ar, scaled.made)).exact


def true_values(trace: Trace | None, name: str, head: int | None, limits: Limits) -> Compared | None:
    """The true values of a quantity, None where the inputs do not give them."""
    matrix = None if trace is None else true_matrix(trace, name, head)
    return None if matrix is None else Compared(matrix, limits)
