"""Where operands come from: what a source prints of a quantity, else the given input; with half the last place they claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from exactattn.audits.printed import Number, Printed, Row, Rows
from exactattn.audits.ranges import ZERO, Range
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.value import Value
from exactattn.trace.problem import Shift, Texts

Where: TypeAlias = tuple[str, int | None, int, int]
"""A number's name, head, row and column."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What the example states besides its inputs. `scale` is None where it says nothing."""

    inputs: dict[str, Texts]
    scale: str | None
    shift: Shift
    heads: int
    keep: tuple[tuple[bool, ...], ...] | None
    exact: frozenset[str] = frozenset()
    inputs_rounded: bool = False


@dataclass(frozen=True, slots=True)
class Operands:
    """Rows to read operands from: printed, or given."""

    name: str
    head: int | None
    rows: Rows
    printed: bool

    def places(self, cells: Sequence[tuple[int, int]]) -> tuple[Where, ...]:
        """Where these cells are printed; nothing for inputs, which have no verdict."""
        return tuple((self.name, self.head, i, j) for i, j in cells) if self.printed else ()


@dataclass(frozen=True, slots=True)
class Block(Operands):
    """A head's columns of a quantity printed as a whole."""

    first: int = 0

    def places(self, cells: Sequence[tuple[int, int]]) -> tuple[Where, ...]:
        """Where these cells are printed, in the whole matrix."""
        return tuple((self.name, None, i, self.first + j) for i, j in cells) if self.printed else ()


@dataclass(frozen=True, slots=True)
class JoinedHeads(Operands):
    """The printed outputs of all heads, side by side."""

    widths: tuple[int, ...] = ()

    def places(self, cells: Sequence[tuple[int, int]]) -> tuple[Where, ...]:
        """Where these cells are printed, in their heads."""
        out: list[Where] = []
        for i, j in cells:
            h = 0
            while j >= self.widths[h]:
                j -= self.widths[h]
                h += 1
            out.append((self.name, h, i, j))
        return tuple(out)


class Sources:
    """The operands of an example, printed or given."""

    def __init__(self, printed: Printed, setting: Setting, limits: Limits = LIMITS) -> None:
        self.printed, self.setting, self.limits = printed, setting, limits
        self._found: dict[tuple[str, int | None], Operands | None] = {}

    def operands(self, name: str, head: int | None) -> Operands | None:
        """What is printed of a quantity, else what is given of it; a head's columns of Q, K and V."""
        key = (name, head)
        if key not in self._found:
            self._found[key] = self._look(name, head)
        return self._found[key]

    def _look(self, name: str, head: int | None) -> Operands | None:
        rows = self.printed.find(name, head)
        if rows is not None:
            return Operands(name, head if self.printed.heads else None, rows, True)
        shared = self.printed.shared.get(name) if name in ("Q", "K", "V") else None
        where, is_printed = shared, True
        if where is None and name in self.setting.inputs:
            where = tuple(tuple(Number(t, _places(t), "." in t) for t in row) for row in self.setting.inputs[name])
            is_printed = False
        if where is None:
            return None
        if name in ("Q", "K", "V") and head is not None and self.setting.heads > 1:
            width = max(map(len, where)) // self.setting.heads
            block = tuple(tuple(row[head * width : (head + 1) * width]) for row in where)
            return Block(name, None, block, is_printed, head * width)
        return Operands(name, None, where, is_printed)

    def half(self, source: Operands, number: Number) -> Value:
        """Half the last place of an operand; none for inputs, for what is declared exact, for numbers without a point."""
        rounded = source.printed or self.setting.inputs_rounded
        if not rounded or not number.pointed or source.name in self.setting.exact:
            return ZERO
        return Value.of(number.ulp / 2)

    def range_of(self, source: Operands, number: Number) -> Range:
        """All values that the operand may have."""
        half = self.half(source, number)
        return Range(number.value, number.value) if half is ZERO else Range.around(number.value, half)

    def is_open(self, i: int, j: int) -> bool:
        """May query i attend to key j?"""
        return self.setting.keep is None or self.setting.keep[i][j]

    def whole(self, source: Operands | None, i: int) -> Row | None:
        """Row i where every open place of it is printed; None otherwise."""
        if source is None or i >= len(source.rows) or not source.rows[i]:
            return None
        row = source.rows[i]
        return row if all(number is not None or not self.is_open(i, j) for j, number in enumerate(row)) else None

    def chosen(self, head: int | None, i: int, sources: Sequence[tuple[str, bool]]) -> tuple[Operands, bool] | None:
        """The first of these quantities of which row i is printed (or given)."""
        for name, scale in sources:
            source = self.operands(name, head)
            if source is not None and i < len(source.rows) and any(n is not None for n in source.rows[i]):
                if scale and self.setting.scale is None:
                    return None
                return source, scale
        return None


def _places(text: str) -> int | None:
    return len(text.partition(".")[2]) if "." in text else 0
