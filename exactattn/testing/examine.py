"""All inputs put to a callable and every row of the report: checks counted, the worst kept, the first failure made small."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from flint import arb

from exactattn.errors import OptionError, nearest
from exactattn.numbers.ball import bits_of
from exactattn.testing.bounds import Accumulation, Strictness
from exactattn.testing.checks import Check
from exactattn.testing.conventions import ROWS, Convention, detect
from exactattn.testing.drawing import all_inputs, is_drawable
from exactattn.testing.formats import FORMATS, Format
from exactattn.testing.inputs import AXES, Answer, AttentionInput, Input, ScoresInput
from exactattn.testing.process import MOST_ENDS
from exactattn.testing.result import Accuracies, RowResult, Verdict
from exactattn.testing.shrink import shrink
from exactattn.testing.signature import Kind, Signature
from exactattn.testing.telling import Told, correctly_rounded, digits, told, told_of_call, ulp_of
from exactattn.testing.trial import CONTRACT, Caller, Setting, Trial, Tried, Trouble, laws_of, size_of

EXAMPLES = 200
"""Inputs drawn for each number type, after the fixed ones."""

DTYPES = ("float32", "float64")
"""Number types that inputs are drawn in where none are named."""

_BITS = 192


@dataclass(frozen=True, slots=True)
class Asked:
    """What a verification is to do."""

    axis: int | None = None
    dtypes: tuple[str, ...] = DTYPES
    examples: int = EXAMPLES
    only: tuple[str, ...] = ()
    conventions: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    strictness: Strictness = "usual"
    accumulate: Accumulation = "float32"
    strict: bool = False

    def check(self, kind: Kind) -> None:
        """Errors: OptionError for what means nothing for a kind of callable."""
        for dtype in self.dtypes:
            if not is_drawable(dtype):
                known = [*FORMATS, "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
                text = "dtype {dtype!r} is not one of {known}{hint}"
                raise OptionError(text, dtype=dtype, known=", ".join(known), hint=nearest(dtype, known))
            if dtype in FORMATS:
                FORMATS[dtype].dtype()
            elif kind == "attention":
                raise OptionError("dtype {dtype}: attention is tested in floating formats", dtype=dtype)
        if not self.dtypes:
            raise OptionError("no dtype to draw inputs in: name one, as in float32")
        for name in self.only:
            known = names_of(kind)
            if name not in known:
                text = "there is no row {name!r} for {kind}{hint}; there are {known}"
                hint = nearest(name, known)
                raise OptionError(text, name=name, kind=kind, hint=hint, known=", ".join(known))
        if self.axis is not None and kind == "attention":
            raise OptionError("axis {axis}: attention has no axis to set", axis=self.axis)
        if self.axis is not None and self.axis not in AXES:
            text = "axis {axis}: the inputs have at most {most} dimensions, so {least} to {last} was due"
            raise OptionError(text, axis=self.axis, most=len(AXES) // 2, least=AXES[0], last=AXES[-1])
        if self.examples < 0:
            raise OptionError("{count} examples: 0 or more were due", count=self.examples)


def names_of(kind: Kind) -> list[str]:
    """The names of all rows of a kind, in the order of the report."""
    conventions = ["default-scale", "fully-masked", "causal-alignment"] if kind == "attention" else ["fully-masked"]
    return [*CONTRACT, *laws_of(kind), *conventions]


@dataclass(slots=True)
class _Tally:
    """What is known of one row of one number type."""

    checks: int = 0
    failures: int = 0
    compared: int = 0
    unlike: int = 0
    worst: tuple[float, Check, Format] | None = None
    failing: tuple[tuple[int, int], Input, int, Check | Trouble, Format | None] | None = None
    ulps: list[arb] = field(default_factory=list)
    infinite: int = 0
    right: int = 0


@dataclass(slots=True)
class Examination:
    """A callable examined; `caller` calls it, `ends` says how often it hung or died."""

    caller: Caller
    takes: Signature
    asked: Asked
    target: str
    ends: Callable[[], int] = lambda: 0
    progress: Callable[[str, int, int], None] = lambda dtype, done, all_: None
    stopped: bool = False

    def run(self) -> tuple[list[RowResult], list[Convention]]:
        """The rows of the report, number type by number type, and the conventions. Errors: OptionError."""
        self.asked.check(self.takes.kind)
        setting = Setting(self.takes, self.asked.strictness, self.asked.accumulate)
        lost: list[Trouble] = []

        def watched(given: Input) -> Answer:
            answer = self.caller(given)
            if answer.trouble in ("hung", "died") and len(lost) < MOST_ENDS:
                lost.append(Trouble("returns", given, answer.said))
            return answer

        setting, conventions = detect(watched, setting, self.asked.dtypes, self.asked.conventions)
        rows: list[RowResult] = []
        for dtype in self.asked.dtypes:
            rows += self._of_dtype(dtype, setting, lost)
            lost = []
        return [*rows, *self._of_conventions(conventions)], conventions

    def _of_dtype(self, dtype: str, setting: Setting, lost: list[Trouble]) -> Iterator[RowResult]:
        only = self.asked.only or None
        trial = Trial(self.caller, setting, only)
        inputs = all_inputs(dtype, self.takes, self.asked.examples, self.asked.seed, self.asked.axis)
        asked = {name for name in (*CONTRACT, *laws_of(self.takes.kind)) if only is None or name in only}
        # what does not return cannot be judged: that is told whatever is asked
        tallies = {name: _Tally() for name in (*CONTRACT, *laws_of(self.takes.kind)) if name in asked | {"returns"}}
        for trouble in lost:
            tallies["returns"].checks += 1
            tallies["returns"].failures += 1
            _keep(tallies["returns"], trouble.given, 0, trouble, None)
        if setting.widths == "equal":
            inputs = [_of_one_width(given) for given in inputs]
        for number, given in enumerate(inputs):
            if self.ends() >= MOST_ENDS:
                self.stopped = True
                break
            if setting.batched or _flat(given):
                self._count(tallies, trial.of(given, number), given, number)
            self.progress(dtype, number + 1, len(inputs))
        for name, tally in tallies.items():
            if name in asked or tally.failures:
                yield self._row(name, dtype, tally, setting)

    def _count(self, tallies: dict[str, _Tally], tried: Tried, given: Input, number: int) -> None:
        for name in {trouble.name for trouble in tried.troubles} & tallies.keys():
            tallies[name].failures += 1
        for trouble in tried.troubles:
            if trouble.name in tallies:
                _keep(tallies[trouble.name], given, number, trouble, tried.form)
        came = tried.form is not None or any(trouble.name != "returns" for trouble in tried.troubles)
        for name in CONTRACT if came else ("returns",):
            if name in tallies:
                tallies[name].checks += 1
        with bits_of(_BITS):
            for check, holds in tried.checks:
                assert tried.form is not None
                _add(tallies[check.name], check, holds, tried.form)
                if not holds:
                    _keep(tallies[check.name], given, number, check, tried.form)

    # -- what is reported ----------------------------------------------------------------------------------------------

    def _row(self, name: str, dtype: str, tally: _Tally, setting: Setting) -> RowResult:
        failure = self._failure(name, tally, setting)
        verdict: Verdict = "holds"
        if tally.failures:
            verdict = "fails"
        elif not tally.checks:
            verdict = "unasked"
        elif tally.unlike:
            verdict = "fails" if self.asked.strict else "differs"
        with bits_of(_BITS):
            worst = None if tally.worst is None else told(*tally.worst[1:], self.takes, self.target)
            accuracies = _accuracies(tally) if name == "accuracy" and tally.checks else None
        return RowResult(
            name, dtype, verdict, tally.checks, tally.failures, tally.compared, tally.unlike, worst, failure, accuracies
        )

    def _failure(self, name: str, tally: _Tally, setting: Setting) -> Told | None:
        if tally.failing is None:
            return None
        _, given, number, fault, form = tally.failing
        trial = Trial(self.caller, setting, (name,))
        hung = self.stopped or (isinstance(fault, Trouble) and self.ends() > 0)
        small = given if hung else shrink(given, lambda one: _first(trial.of(one, number), name) is not None)
        tried = None if hung else trial.of(small, number)
        again = None if tried is None else _first(tried, name)
        found, form = (fault, form) if tried is None or again is None else (again, tried.form)
        if isinstance(found, Trouble):
            return told_of_call(found.given, found.said, self.takes, self.target)
        assert form is not None
        with bits_of(_BITS):
            return told(found, form, self.takes, self.target)

    def _of_conventions(self, conventions: Sequence[Convention]) -> Iterator[RowResult]:
        for one in conventions:
            name = ROWS.get(one.name)
            if name is None or (self.asked.only and name not in self.asked.only):
                continue
            if one.right:
                verdict: Verdict = "holds" if one.asked or one.found == "1/√d_k" else "reported"
                yield RowResult(name, None, verdict, 1)
            else:
                said = f"found: {one.found}; due: {one.due}"
                failure = told_of_call(one.given, said, self.takes, self.target)
                yield RowResult(name, None, "fails", 1, 1, failure=failure)


def _of_one_width(given: Input) -> Input:
    """Attention with values as wide as keys: columns left out, or put in once more."""
    if not isinstance(given, AttentionInput):
        return given
    width = given.v.shape[-1]
    return replace(given, v=given.v[..., np.arange(given.k.shape[-1]) % width])


def _flat(given: Input) -> bool:
    return given.x.ndim <= 1 if isinstance(given, ScoresInput) else given.q.ndim == 2


def _keep(tally: _Tally, given: Input, number: int, fault: Check | Trouble, form: Format | None) -> None:
    size = size_of(given)
    if tally.failing is None or size < tally.failing[0]:
        tally.failing = (size, given, number, fault, form)


def _add(tally: _Tally, check: Check, holds: bool, form: Format) -> None:
    tally.checks += 1
    tally.failures += not holds
    if check.same is not None:
        tally.compared += 1
        tally.unlike += not check.same
    error = check.error()
    ratio = float("inf")
    if error is not None and (check.bound > 0 or error > 0):
        ratio = float((error / check.bound).mid()) if check.bound > 0 else float("inf")
    elif error is not None:
        ratio = 0.0
    if tally.worst is None or ratio > tally.worst[0]:
        tally.worst = (ratio, check, form)
    if check.name == "accuracy":
        right = correctly_rounded(check.got, check.due, form) if isinstance(check.got, float) else None
        tally.right += right is True
        tally.infinite += error is None
        if error is not None and check.due is not None:
            tally.ulps.append(error / ulp_of(check.due, form))


def _accuracies(tally: _Tally) -> Accuracies:
    ulps = sorted(tally.ulps, key=lambda ball: float(ball.mid()))
    most, middle = (digits(ulps[k], 3) if ulps else None for k in (-1, len(ulps) // 2))
    return Accuracies(None if tally.infinite else most, middle, tally.right, tally.checks)


def _first(tried: Tried, name: str) -> Check | Trouble | None:
    for trouble in tried.troubles:
        if trouble.name == name:
            return trouble
    return next((check for check, holds in tried.checks if check.name == name and not holds), None)
