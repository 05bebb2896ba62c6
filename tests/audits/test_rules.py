"""The rules once more, written here from their words alone: mpmath at 60 digits, intervals by trying every corner.

Random examples, printed with random faults, get the same verdict from both, number by number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import product
from typing import Any, NamedTuple

from hypothesis import given, note, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

import exactattn as xa

DIGITS = 60
ORDER = ("V", "scores", "scaled", "shifted", "exps", "sums", "weights", "output")
SAME = mpf(10) ** -45
"""Differences below this are none: everything is worked to 60 digits, and numbers here have few."""


class Operand(NamedTuple):
    """Where it is printed ("given": an input), its text, and half the last place it claims."""

    name: str
    row: int
    column: int
    text: str
    half: mpf


Made = tuple[list[Operand], Callable[[Sequence[mpf]], mpf]]
"""Operands, and what is made of their values."""


@dataclass
class Example:
    """Q, K (width 2) or scores, V (m × 1), and what is printed of every step as text (None: not there)."""

    inputs: dict[str, list[list[str]]]
    scale: str
    shift: str
    mask: str
    inputs_rounded: bool
    exact: list[str]
    printed: dict[str, Any] = field(default_factory=dict)
    found: dict[tuple[str, int, int], str] = field(default_factory=dict)

    @property
    def n(self) -> int:
        return len(self.inputs.get("scores") or self.inputs["Q"])

    @property
    def m(self) -> int:
        return len(self.inputs["V"])

    def opened(self, i: int) -> list[int]:
        return [k for k in range(self.m) if self.mask == "none" or k <= i]

    # -- the truth -----------------------------------------------------------------------------------------------------

    def truth(self, name: str, i: int, j: int) -> mpf:
        if name == "V":
            return mpf(self.inputs["V"][i][j])
        if "scores" in self.inputs:
            scores = [mpf(x) for x in self.inputs["scores"][i]]
        else:
            scores = [
                sum(mpf(a) * mpf(b) for a, b in zip(self.inputs["Q"][i], key, strict=True)) for key in self.inputs["K"]
            ]
        row = [x * mpf(self.scale) for x in scores]
        opened = self.opened(i)
        top = max(row[k] for k in opened)
        shift = top if self.shift == "max" else 0
        exps = [mp.exp(x - shift) if k in opened else mpf(0) for k, x in enumerate(row)]
        weights = [e / sum(exps) for e in exps]
        match name:
            case "scores":
                return scores[j]
            case "scaled":
                return row[j]
            case "shifted":
                return row[j] - top
            case "exps":
                return exps[j]
            case "sums":
                return sum(exps)
            case "weights":
                return weights[j]
        return sum(w * mpf(v[0]) for w, v in zip(weights, self.inputs["V"], strict=True))

    # -- operands ------------------------------------------------------------------------------------------------------

    def width(self, name: str) -> int:
        return 1 if name in ("V", "sums", "output") else self.m

    def operand(self, name: str, i: int, j: int) -> Operand | None:
        """What is printed there, else what is given."""
        rows = self.printed.get(name)
        text = None if rows is None else rows[i] if name == "sums" else rows[i][j] if rows[i] else None
        if text is not None:
            spread = "." in text and name not in self.exact
            return Operand(name, i, j, text, self.half(text) if spread else mpf(0))
        if name in self.inputs:
            text = self.inputs[name][i][j]
            spread = self.inputs_rounded and "." in text and name not in self.exact
            return Operand("given", i, j, text, self.half(text) if spread else mpf(0))
        return None

    def half(self, text: str) -> mpf:
        return mpf(10) ** Decimal(text).as_tuple().exponent / 2

    def row(self, name: str, i: int) -> list[Operand | None]:
        return [self.operand(name, i, j) for j in range(self.width(name))]

    # -- the step before -----------------------------------------------------------------------------------------------

    def step(self, name: str, i: int, j: int) -> Made | None:
        """What the step before gives; None where r is null."""
        if name == "V":
            return None
        opened = self.opened(i)
        scores, scaled, shifted, exps, sums, weights = (self.row(n, i) for n in ORDER[1:7])

        def whole(row: list[Operand | None]) -> list[Operand] | None:
            found = [row[k] for k in opened]
            return None if None in found else found  # type: ignore[return-value]

        def there(row: list[Operand | None]) -> bool:
            return any(operand is not None for operand in row)

        def chosen() -> tuple[list[Operand | None], mpf] | None:
            """The scaled scores where any is printed, else the scores and their scale."""
            if there(scaled):
                return scaled, mpf(1)
            return (scores, mpf(self.scale)) if there(scores) else None

        nothing: Made = ([], lambda x: mpf(0))
        match name:
            case "scores":
                if "Q" not in self.inputs:
                    return None
                q = [self.operand("Q", i, c) for c in range(2)]
                k = [self.operand("K", j, c) for c in range(2)]
                return [*q, *k], lambda x: x[0] * x[2] + x[1] * x[3]  # type: ignore[list-item]
            case "scaled":
                return None if scores[j] is None else ([scores[j]], lambda x: x[0] * mpf(self.scale))
            case "shifted":
                found = whole(scaled)
                if found is None or scaled[j] is None:
                    return None
                # at a masked place too: less the maximum of the others
                return [scaled[j], *(one for one in found if one is not scaled[j])], (
                    lambda x: x[0] - max(x if j in opened else x[1:])
                )
            case "exps":
                if there(shifted):
                    if j not in opened:
                        return nothing
                    return None if shifted[j] is None else ([shifted[j]], lambda x: mp.exp(x[0]))
                source = chosen()
                if source is None:
                    return None
                row, by = source
                if self.shift == "none":
                    if j not in opened:
                        return nothing
                    return None if row[j] is None else ([row[j]], lambda x: mp.exp(x[0] * by))
                found = whole(row)
                if found is None:
                    return None
                if j not in opened:
                    return found, lambda x: mpf(0)
                at = opened.index(j)
                return found, lambda x: mp.exp(x[at] * by - max(y * by for y in x))
            case "sums":
                found = whole(exps) if there(exps) else None
                return None if found is None else (found, sum)
            case "weights":
                if not there(exps):
                    source = chosen()
                    found = None if source is None else whole(source[0])
                    if source is None or found is None:
                        return None
                    if j not in opened:
                        return found, lambda x: mpf(0)
                    at, by = opened.index(j), source[1]
                    return found, lambda x: mp.exp(x[at] * by) / sum(mp.exp(y * by) for y in x)
                if sums[0] is not None:
                    z = mpf(sums[0].text)
                    if z - sums[0].half <= 0 <= z + sums[0].half or (j in opened and exps[j] is None):
                        return None
                    if j not in opened:
                        return [sums[0]], lambda x: mpf(0)
                    return [exps[j], sums[0]], lambda x: x[0] / x[1]  # type: ignore[list-item]
                found = whole(exps)
                if found is None:
                    return None
                low, high = (sum(mpf(one.text) + sign * one.half for one in found) for sign in (-1, 1))
                if low <= 0 <= high:
                    return None
                if j not in opened:
                    return found, lambda x: mpf(0)
                at = opened.index(j)
                return found, lambda x: x[at] / sum(x)
        found = whole(weights) if there(weights) else None
        values = [self.operand("V", k, 0) for k in range(self.m)]
        if found is None or None in values:
            return None
        # a masked weight is 0, so its value does not count; it is read all the same
        return [*found, *values], lambda x: sum(
            w * x[len(found) + k] for k, w in zip(opened, x[: len(found)], strict=True)
        )  # type: ignore[list-item]

    # -- the rules -----------------------------------------------------------------------------------------------------

    def verdict(self, name: str, i: int, j: int, text: str) -> str:
        p, t = mpf(text), self.truth(name, i, j)
        rows = self.printed[name] if name != "sums" else [[x] for x in self.printed[name]]
        pointed = [text] if "." in text else [x for row in rows for x in row if x is not None and "." in x]
        ulp = mpf(10) ** -max((-Decimal(x).as_tuple().exponent for x in pointed), default=0)
        made = self.step(name, i, j)
        rounds_r = in_spread = tainted = False
        if made is not None:
            operands, f = made
            rounds_r = abs(p - f([mpf(one.text) for one in operands])) <= ulp / 2 + SAME
            ends = ([mpf(x.text) - x.half, mpf(x.text) + x.half] if x.half else [mpf(x.text)] for x in operands)
            values = [f(corner) for corner in product(*ends)]
            in_spread = min(values) - ulp / 2 - SAME <= p <= max(values) + ulp / 2 + SAME
            tainted = any(self.found.get((x.name, x.row, x.column)) in ("wrong", "inherited") for x in operands)
        far = abs(p - t) > ulp + SAME
        if abs(p - t) <= ulp / 2 + SAME:
            return "ok" if made is None or rounds_r else "hidden-digits"
        if rounds_r:
            return "inherited" if tainted and far else "early-rounding"
        if tainted and in_spread and far:
            return "inherited"
        if not far and abs(t / ulp - mp.nint(t / ulp)) > SAME * 10**6:
            return "last-digit"
        return "explainable" if in_spread else "wrong"

    def verdicts(self) -> dict[tuple[str, int, int], str]:
        for name in ORDER:
            for i, row in enumerate(self.printed.get(name, ())):
                for j, text in enumerate([row] if name == "sums" else row):
                    if text is not None:
                        self.found[name, i, j] = self.verdict(name, i, j, text)
        return self.found


def places_text(x: mpf, places: int, moved: int) -> str:
    """A value to decimal places, then moved by so many units."""
    steps = int(mp.floor(x * mpf(10) ** places + mpf(1) / 2)) + moved
    return str(Decimal(steps).scaleb(-places)) if places else str(steps)


NUMBERS = st.integers(-30, 30).flatmap(lambda k: st.sampled_from([str(Decimal(k).scaleb(-1)), str(k // 10)]))
STEPS = st.lists(st.sampled_from(ORDER), min_size=1, unique=True).map(lambda names: sorted(names, key=ORDER.index))
FAULTS = st.sampled_from([0] * 12 + [1, -1, 2, -3, 5])
RARELY = st.sampled_from([False] * 12 + [True])


@st.composite
def examples(draw: st.DrawFn) -> Example:
    n, m = draw(st.integers(1, 2)), draw(st.integers(1, 3))

    def matrix(rows: int, columns: int) -> list[list[str]]:
        return [[draw(NUMBERS) for _ in range(columns)] for _ in range(rows)]

    inputs = {"scores": matrix(n, m)} if draw(st.booleans()) else {"Q": matrix(n, 2), "K": matrix(m, 2)}
    example = Example(
        inputs | {"V": matrix(m, 1)},
        draw(st.sampled_from(["1", "0.5", "2", "-1"])),
        draw(st.sampled_from(["max", "none"])),
        draw(st.sampled_from(["none", "none", "causal"])),
        draw(st.sampled_from([False, False, True])),
        draw(st.sampled_from([[], [], ["scaled", "weights"], ["exps", "V"]])),
    )
    for name in draw(STEPS):
        places = draw(st.integers(0, 3))
        with mp.workdps(DIGITS):
            rows = [_row(draw, example, name, i, places) for i in range(m if name == "V" else n)]
        example.printed[name] = [row[0] for row in rows] if name == "sums" else rows
    return example


def _row(draw: st.DrawFn, example: Example, name: str, i: int, places: int) -> list[str | None]:
    """A row of a step: true values or what follows from the step before, some moved, some left out."""
    row: list[str | None] = []
    follows = draw(st.booleans())
    for j in range(example.width(name)):
        made = example.step(name, i, j)
        value = example.truth(name, i, j)
        if made is not None and follows:
            value = made[1]([mpf(one.text) for one in made[0]])
        row.append(None if draw(RARELY) else places_text(value, places, draw(FAULTS)))
    return row


@settings(max_examples=250)
@given(examples())
def test_every_verdict_is_what_the_rules_say(example):
    with mp.workdps(DIGITS):
        due = example.verdicts()
    attention = {
        "scale": example.scale, "mask": example.mask, "alignment": "top-left", "shift": example.shift,
        "inputs_rounded": example.inputs_rounded, "exact": example.exact,
    }  # fmt: skip
    case = {"inputs": example.inputs, "attention": attention, "printed": example.printed}
    note(case)
    found = xa.audit(case)
    assert {(one.name, one.row, one.column): one.verdict for one in found.examined.judged} == due
