"""The audit of one example: every printed number judged, in the order of the work."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Any

from exactattn.attention import attend
from exactattn.attention.masks import causal
from exactattn.audits.compare import Compared
from exactattn.audits.earlier import Earlier, Recomputed
from exactattn.audits.operands import Setting, Where
from exactattn.audits.printed import NAMES, Number, Printed, read
from exactattn.audits.verdicts import FAULTS, Truth, Verdict, verdict
from exactattn.cases import Case, load_case
from exactattn.errors import CaseError, ShapeError
from exactattn.numbers.limits import LIMITS, Limits
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
    heads = loaded.attention.heads or 1
    printed = read(loaded.extra["printed"], heads, limits)
    trace = _trace(loaded, limits)
    setting = _setting(loaded, printed, trace, heads)
    _fits(printed, setting, trace)
    earlier = Earlier(printed, setting, limits)
    found: dict[Where, Judged] = {}
    truths: dict[tuple[str, int | None], Compared | None] = {}
    for name, head, i, j, number in _in_order(printed):
        key = (name, head)
        if key not in truths:
            truths[key] = true_values(trace, name, head, limits)
        matrix = truths[key]
        truth = None if matrix is None else Truth(matrix, i, j)
        recomputed = earlier.entry(name, head if head is not None or heads > 1 else None, i, j)
        tainted = recomputed is not None and any(
            (other := found.get(where)) is not None and other.verdict in FAULTS for where in recomputed.operands
        )
        masked = setting.keep is not None and name in _MASKED and not setting.keep[i][j]
        given = verdict(number, truth, recomputed, tainted, masked)
        found[name, head, i, j] = Judged(name, head, i, j, number, given, truth, recomputed)
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


def _setting(case: Case, printed: Printed, trace: Trace | None, heads: int) -> Setting:
    attention = case.attention
    exact = case.extra.get("attention.exact", ())
    if not isinstance(exact, list | tuple) or any(name not in (*NAMES, *case.inputs) for name in exact):
        raise CaseError(
            "[attention] exact = {exact!r}: a list of the steps {known} was due", exact=exact, known=", ".join(NAMES)
        )
    scale = trace.problem.settings.scale if trace is not None else attention.scale
    n, m = _counts(printed, trace)
    keep: tuple[tuple[bool, ...], ...] | None = None
    if attention.mask == "causal":
        keep = causal(n, m, m - n if attention.alignment == "bottom-right" else 0)
    elif attention.mask is not None and attention.mask != "none":
        keep = tuple(tuple(map(bool, row)) for row in attention.mask)
    rounded = str(case.extra.get("attention.inputs_rounded", "false")).lower() == "true"
    return Setting(dict(case.inputs), scale, attention.shift or "max", heads, keep, frozenset(exact), rounded)


def _counts(printed: Printed, trace: Trace | None) -> tuple[int, int]:
    """How many queries and keys: by the trace, else by what is printed."""
    if trace is not None:
        return len(trace.problem.tokens), len(trace.problem.key_tokens)
    tables = [printed.shared, *printed.heads]
    found = [
        rows
        for table in tables
        for name in ("scores", "scaled", "shifted", "exps", "weights")
        if (rows := table.get(name))
    ]
    return max(map(len, found), default=0), max((len(row) for rows in found for row in rows), default=0)


def _fits(printed: Printed, setting: Setting, trace: Trace | None) -> None:
    """Every printed matrix has the shape of what it prints; rows may be empty."""
    n, m = _counts(printed, trace)
    for h, table in enumerate((printed.shared, *printed.heads)):
        for name, rows in table.items():
            height, width = n, 1 if name == "sums" else m
            if name in ("Q", "K", "V", "output"):
                q = _quantity(trace, name, h - 1 if h else None)
                if q is None:
                    continue
                height, width = q
            came = sorted({len(row) for row in rows if row})
            if len(rows) != height or any(length != width for length in came):
                raise ShapeError(
                    "printed {name} is {rows} × {came}: {due} was due",
                    name=name, rows=len(rows), came="/".join(map(str, came)) or "0", due=f"{height} × {width}",
                )  # fmt: skip


def _quantity(trace: Trace | None, name: str, head: int | None) -> tuple[int, int] | None:
    if trace is None:
        return None
    step = (
        trace.step_or_none(name, head) if head is not None else trace.find(name) if name != "output" else _final(trace)
    )
    return None if step is None else step.made.shape


def _final(trace: Trace) -> Any:
    return trace.step_or_none("output", None) or (trace.step_or_none("output", 0) if len(trace.heads) == 1 else None)


def true_values(trace: Trace | None, name: str, head: int | None, limits: Limits) -> Compared | None:
    """The true values of a quantity, None where the inputs do not give them."""
    if trace is None:
        return None
    if name == "output" and head is None:
        step = _final(trace)
    elif head is not None:
        step = trace.step_or_none(name, head)
    else:
        step = trace.step_or_none(name, None) or (trace.step_or_none(name, 0) if len(trace.heads) == 1 else None)
    if step is None and name == "shifted":
        scaled = trace.step_or_none("masked", head or 0) or trace.step("scaled", head or 0)
        from exactattn.attention import pipeline

        ar, q = trace.arithmetic, scaled.made
        return Compared(pipeline.shift(ar, q, pipeline.maximum(ar, q)).exact, limits)
    return None if step is None else Compared(step.made.exact, limits)
