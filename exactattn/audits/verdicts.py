"""The verdict on a printed number, from the true value, the recomputed one and its range.

p is the printed number with d decimals, ulp = 10^−d (0 for an exact claim); t the true value, r what follows from what is
printed one step earlier, I the range of r when each printed operand may be off by half its last place. On an exact tie either
rounding is right. Every comparison is decided.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from flint import fmpq

from exactattn.audits.compare import Compared
from exactattn.audits.earlier import Recomputed
from exactattn.audits.printed import Number
from exactattn.audits.ranges import Exact

Verdict: TypeAlias = Literal[
    "ok", "hidden-digits", "early-rounding", "last-digit", "explainable", "inherited", "wrong", "unchecked"
]

VERDICTS: tuple[Verdict, ...] = (
    "ok", "hidden-digits", "early-rounding", "last-digit", "explainable", "inherited", "wrong", "unchecked",
)  # fmt: skip
"""From right to wrong; the last says nothing."""

FAULTS: tuple[Verdict, ...] = ("wrong", "inherited")
"""Verdicts that taint what is worked out from the number."""


@dataclass(frozen=True, slots=True)
class Truth:
    """The true value at a place: entry (row, column) of an exact matrix."""

    matrix: Compared
    row: int
    column: int


def verdict(
    number: Number, true: Truth | None, recomputed: Recomputed | None, tainted: Callable[[], bool], masked: bool
) -> Verdict:
    """The rules, in their order. Whether an operand is `tainted` is asked only where it matters."""
    if number.infinite:
        return "ok" if masked else "wrong"
    p = number.exact
    half, ulp = number.ulp / 2, number.ulp
    rounds_r = recomputed is not None and recomputed.row.within(0, recomputed.column, p, half)

    if true is None:
        if recomputed is None:
            return "unchecked"
        return "ok" if rounds_r else "explainable" if _explains(recomputed, p, half) else "wrong"

    def near(reach: fmpq) -> bool:
        return true.matrix.within(true.row, true.column, p, reach)

    if near(half):
        return "ok" if recomputed is None or rounds_r else "hidden-digits"
    close = near(ulp)
    if rounds_r:
        return "inherited" if not close and tainted() else "early-rounding"
    # p has d decimals: a true value that near which has d decimals too is p itself or exactly one unit away
    if close and true.matrix.sign(true.row, true.column, p - ulp) > 0 > true.matrix.sign(
        true.row, true.column, p + ulp
    ):
        return "last-digit"
    if recomputed is not None and _explains(recomputed, p, half):
        return "inherited" if not close and tainted() else "explainable"
    return "wrong"


def _explains(recomputed: Recomputed, p: Exact, half: fmpq) -> bool:
    """Is p in I widened by half a unit? r is in I, so only the end on p's side of r is asked for."""
    found = recomputed.spread()
    if found is None:
        return False
    if recomputed.row.sign(0, recomputed.column, p) > 0:
        return found.low - half <= p
    return found.high + half >= p
