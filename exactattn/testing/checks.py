"""One question to a result: is what was got within its bound of what is due? Decided by balls, never by floats."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import Literal, TypeAlias

from flint import arb

from exactattn.errors import Undecided
from exactattn.testing.bounds import Accuracy
from exactattn.testing.inputs import Array, Input
from exactattn.testing.judged import JudgedRow
from exactattn.testing.signature import Signature

Side: TypeAlias = Literal["both", "above", "below"]
"""Where an error counts: on both sides of what is due, only above it, or only below."""


@dataclass(frozen=True, slots=True)
class Check:
    """`got` against `due` (None: −∞) within `bound`, at a row and column of the result, the axis last.

    `same` is what can be said about bits: None nothing, False that they differ where they would be equal on paper. `other`
    is the second input where a statement is about two. `value` is the true value in whose ulp the error is told (None: `due`).
    """

    name: str
    given: Input
    at: tuple[int, int]
    got: arb | float
    due: arb | None
    bound: arb
    side: Side = "both"
    same: bool | None = None
    other: Input | None = None
    value: arb | None = None

    def error(self) -> arb | None:
        """How far off, on the side that counts; None for NaN and infinities that are not due."""
        if isinstance(self.got, float) and not isfinite(self.got):
            harmless = {"above": float("-inf"), "below": float("inf")}.get(self.side)
            return arb(0) if self.got == (float("-inf") if self.due is None else harmless) else None
        if self.due is None:
            return None
        off = self.got - self.due
        match self.side:
            case "both":
                return abs(off)
            case "above":
                return off
            case "below":
                return -off

    def holds(self) -> bool:
        """The verdict. Errors: Undecided where the balls are too wide, to be asked again at more bits."""
        error = self.error()
        if error is None:
            return False
        if error <= self.bound:
            return True
        if error > self.bound:
            return False
        raise Undecided("{name}: an error and its bound are not told apart yet", name=self.name)


@dataclass(frozen=True, slots=True)
class Ask:
    """A result with all that statements about it may ask.

    `call` gives the result for another input, None where there was none (that is told elsewhere); `attempt` does so for an
    input the callable need not take; `judge` sets a result against the truth. `number` varies what is asked.
    """

    given: Input
    result: Array
    rows: list[JudgedRow]
    takes: Signature
    accuracy: Accuracy
    number: int
    call: Callable[[Input], Array | None]
    attempt: Callable[[Input], Array | None]
    judge: Callable[[Input, Array], list[JudgedRow]]
    batched: bool = True


Law: TypeAlias = Callable[[Ask], Iterator[Check]]
"""A statement as checks on a result."""


def difference(a: float, b: float) -> arb | float:
    """a − b exactly; 0 for two equal infinities, infinite where one of them is, NaN where either is no number."""
    if isfinite(a) and isfinite(b):
        return arb(a) - arb(b)
    return arb(0) if a == b else a - b


def same_bits(a: float, b: float) -> bool:
    """Equal as numbers, NaN equal to NaN."""
    return a == b or (a != a and b != b)
