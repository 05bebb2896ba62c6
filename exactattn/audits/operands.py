"""Where operands come from: what a source prints of a quantity, else the given input; with half the last place they claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from exactattn.audits.printed import Number, Printed, Row, Rows, written
from exactattn.audits.ranges import Range
from exactattn.numbers.limits import LIMITS, Limits
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

    def is_open(self, i: int, j: int) -> bool:
        """May query i attend to key j?"""
        return self.keep is None or self.keep[i][j]


@dataclass(frozen=True, slots=True)
class Operands:
    """Rows to read operands from: printed, or given where they are not."""

    name: str
    head: int | None
    rows: Rows

    def places(self, cells: Sequence[tuple[int, int]]) -> tuple[Where, ...]:
        """Where these cells would be printed; an input has no verdict there."""
        return tuple((self.name, self.head, i, j) for i, j in cells)


@dataclass(frozen=True, slots=True)
class Block(Operands):
    """A head's columns of a quantity printed as a whole."""

    first: int = 0

    def places(self, cells: Sequence[tuple[int, int]]) -> tuple[Where, ...]:
        """Where these cells are printed, in the whole matrix."""
        return tuple((self.name, None, i, self.first + j) for i, j in cells)


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
        """What is printed of a quantity, and what is given of it where it is not printed; a head's columns of Q, K and V."""
        key = (name, head)
        if key not in self._found:
            self._found[key] = self._look(name, head)
        return self._found[key]

    def _look(self, name: str, head: int | None) -> Operands | None:
        own = self.printed.find(name, head)
        in_heads = head is not None and bool(self.printed.heads)
        given = self._given(name)
        in_blocks = head is not None and self.setting.heads > 1 and name in ("Q", "K", "V")
        if own is not None:
            if given is not None and in_heads and in_blocks:
                given = self._block(given, head or 0)[1]
            return Operands(name, head if in_heads else None, _filled(own, given))
        whole = self.printed.shared.get(name) if name in ("Q", "K", "V") else None
        rows = given if whole is None else _filled(whole, given)
        if rows is None:
            return None
        if in_blocks:
            first, block = self._block(rows, head or 0)
            return Block(name, None, block, first)
        return Operands(name, None, rows)

    def _given(self, name: str) -> Rows | None:
        """An input as numbers; it has a spread only where the source says that it is rounded."""
        if name not in self.setting.inputs:
            return None
        rows = tuple(tuple(map(written, row)) for row in self.setting.inputs[name])
        if self.setting.inputs_rounded:
            return rows
        return tuple(tuple(replace(number, pointed=False) for number in row) for row in rows)

    def _block(self, rows: Rows, head: int) -> tuple[int, Rows]:
        width = max(map(len, rows)) // self.setting.heads
        first = head * width
        return first, tuple(row[first : first + width] for row in rows)

    def range_of(self, source: Operands, number: Number) -> Range:
        """All values that the operand may have: half its last place to either side.

        Inputs, what is declared exact, and numbers without a point have no spread.
        """
        if not number.pointed or source.name in self.setting.exact:
            return Range(number.exact, number.exact)
        return Range.around(number.exact, number.ulp / 2)

    def is_open(self, i: int, j: int) -> bool:
        """May query i attend to key j?"""
        return self.setting.is_open(i, j)

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


def _filled(printed: Rows, given: Rows | None) -> Rows:
    """What is printed, and what is given where nothing is."""
    if given is None or len(given) != len(printed):
        return printed
    return tuple(
        tuple(p if p is not None else g for p, g in zip(own, row, strict=True)) if len(own) == len(row) else own or row
        for own, row in zip(printed, given, strict=True)
    )
