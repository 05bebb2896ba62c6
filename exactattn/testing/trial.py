"""One input put to a callable: its result judged by every law, and by what is due from any function of arrays."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import numpy as np

from exactattn.errors import Undecided
from exactattn.numbers.ball import bits_of, precisions
from exactattn.numbers.limits import LIMITS
from exactattn.testing.bounds import Accumulation, Accuracy, Strictness
from exactattn.testing.checks import Ask, Check, Law
from exactattn.testing.formats import FORMATS, Format, format_of
from exactattn.testing.inputs import Answer, Array, AttentionInput, Input, ScoresInput
from exactattn.testing.judged import Alignment, JudgedRow, judged_attention, judged_scores
from exactattn.testing.laws_of_attention import ATTENTION
from exactattn.testing.laws_of_scores import LAWS_OF_SCORES
from exactattn.testing.signature import Kind, Signature

CONTRACT = ("returns", "keeps-shape", "keeps-dtype", "keeps-inputs")
"""What is due from any function of arrays."""

_BITS = 192

Caller: TypeAlias = Callable[[Input], Answer]


def laws_of(kind: Kind) -> Mapping[str, Law]:
    """The laws of a kind by name."""
    return ATTENTION if kind == "attention" else LAWS_OF_SCORES[kind]


@dataclass(frozen=True, slots=True)
class Trouble:
    """A call that did not give what any function of arrays is due to give."""

    name: str
    given: Input
    said: str


@dataclass(frozen=True, slots=True)
class Setting:
    """How a callable is judged: what it takes, how exact, and the conventions it was found to have."""

    takes: Signature
    strictness: Strictness = "usual"
    accumulate: Accumulation = "float32"
    alignment: Alignment = "bottom-right"
    batched: bool = True
    widths: Literal["any", "equal"] = "any"
    flushing: Mapping[str, bool] = field(default_factory=dict)

    def accuracy(self, form: Format) -> Accuracy:
        """What is asked in a format."""
        return Accuracy(form, self.strictness, self.accumulate, self.flushing.get(form.name, False))


@dataclass(frozen=True, slots=True)
class Tried:
    """Every check and every trouble of one input, with the verdict on each check."""

    checks: list[tuple[Check, bool]]
    troubles: list[Trouble]
    form: Format | None = None


@dataclass(slots=True)
class Trial:
    """Inputs put to a callable; `only` names the laws to ask (None: all)."""

    caller: Caller
    setting: Setting
    only: Collection[str] | None = None

    def of(self, given: Input, number: int) -> Tried:
        """One input: `number` varies what is asked about it. Errors: Undecided at the precision cap."""
        troubles: list[Trouble] = []
        result = self.result(given, given, troubles)
        if result is None:
            return Tried([], troubles)
        form = format_of(result) if _integral(given) else FORMATS[_dtype(given)]
        assert form is not None
        for bits in precisions(_BITS, LIMITS.bits):
            more: list[Trouble] = []
            try:
                checks = self._checks(given, result, form, number, bits, more)
            except Undecided:
                continue
            return Tried(checks, troubles + more, form)
        raise Undecided("a bound and an error are not told apart at {bits} bits", bits=LIMITS.bits)

    def _checks(
        self, given: Input, result: Array, form: Format, number: int, bits: int, troubles: list[Trouble]
    ) -> list[tuple[Check, bool]]:
        takes = self.setting.takes

        def judge(one: Input, came: Array) -> list[JudgedRow]:
            return self.judge(one, came, form, bits)

        ask = Ask(
            given, result, judge(given, result), takes, self.setting.accuracy(form), number,
            call=lambda one: self.result(one, given, troubles),
            attempt=lambda one: self.result(one, given, []),
            judge=judge, batched=self.setting.batched,
        )  # fmt: skip
        found = []
        for name, law in laws_of(takes.kind).items():
            if self.only is None or name in self.only:
                with bits_of(bits):
                    found += [(check, check.holds()) for check in law(ask)]
        return found

    def judge(self, given: Input, result: Array, form: Format, bits: int) -> list[JudgedRow]:
        """A result against the truth."""
        accuracy = self.setting.accuracy(form)
        if isinstance(given, AttentionInput):
            return judged_attention(given, result, accuracy, self.setting.alignment, bits)
        return judged_scores(given, result, self.setting.takes.kind, accuracy, bits)

    def result(self, given: Input, about: Input, troubles: list[Trouble]) -> Array | None:
        """What a call gives; what is wrong with it is added to the troubles. None where nothing can be judged."""
        answer = self.caller(given)
        if answer.changed:
            troubles.append(Trouble("keeps-inputs", given, f"changed its input in place: {', '.join(answer.changed)}"))
        if answer.trouble is not None:
            if answer.trouble == "raised" and _no_keys(given):
                return None  # what is due without keys is a convention
            name = {"shape": "keeps-shape", "dtype": "keeps-dtype"}.get(answer.trouble, "returns")
            troubles.append(Trouble(name, given, answer.said))
            return None
        assert answer.result is not None
        due = "a floating type" if _integral(given) else _dtype(given)
        form = format_of(answer.result)
        if form is None or (not _integral(given) and form.name != due):
            said = f"returned {answer.result.dtype.name}: {due} was due"
            troubles.append(Trouble("keeps-dtype", given, said))
            return None if form is None else answer.result
        return answer.result


def _dtype(given: Input) -> str:
    return next(iter(given.arrays.values())).dtype.name


def _integral(given: Input) -> bool:
    return str(next(iter(given.arrays.values())).dtype.kind) in "iu"


def _no_keys(given: Input) -> bool:
    if isinstance(given, ScoresInput):
        return given.x.ndim > 0 and int(given.x.shape[given.axis]) == 0
    return int(given.k.shape[-2]) == 0


def size_of(given: Input) -> tuple[int, int]:
    """How large an input is (one without entries shows least, and counts as large), and how many are no whole numbers."""
    arrays = given.arrays.values()
    size = sum(x.size for x in arrays)
    return size or 1 << 20, sum(int(np.count_nonzero(x != np.round(_plain(x)))) for x in arrays)


def _plain(x: Array) -> Array:
    return x if x.dtype.kind in "iub" else x.astype(np.float64)
