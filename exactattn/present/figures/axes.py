"""A heatmap laid out: the sizes of its cells, and the tokens beside rows and above columns.

Columns are headed by their tokens on one line; where these are too wide, on two lines by turns; where even that is too
narrow, by numbers, and the numbers stand before the row tokens or, for other column tokens, in a key below.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from exactattn.document import Label, Line, Math, Num, Text, Token
from exactattn.errors import ShapeError
from exactattn.present.figures.layout import EM, GAP, PAGE, Style, shorten, widest, width

Face: TypeAlias = Literal["printed", "bare"]
"""Whether cells show their texts."""

CELL_EM = 3.1  # a writer's cell text, about 9 points; it shrinks where a cell is narrower
WIDEST = 17.0  # the most a cell grows for the sake of its column's token
BETWEEN = 4.0  # from one heatmap to the next


@dataclass(frozen=True, slots=True)
class Axes:
    """The tokens beside n rows and above m columns, their numbers, and which of them stand for others left out."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    row_numbers: tuple[int, ...]
    column_numbers: tuple[int, ...]
    row_gaps: tuple[bool, ...]
    column_gaps: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """Sizes: of every column and row, of the room for tokens on the left and above, and how columns are headed."""

    axes: Axes
    face: Face
    heads: Literal["flat", "turns", "numbers"]
    row_style: Style
    column_style: Style
    label: float
    widths: tuple[float, ...]
    heights: tuple[float, ...]

    @property
    def wide(self) -> float:
        """The width of the cells together."""
        return sum(self.widths)

    @property
    def high(self) -> float:
        """The height of the cells together."""
        return sum(self.heights)

    @property
    def above(self) -> float:
        """The height of the column heads."""
        return 10.4 if self.heads == "turns" else 5.6

    @property
    def left(self) -> float:
        """From the cells to the left end of the row heads."""
        return self.label + 2.0 + (6.0 if self.numbered else 0.0)

    @property
    def numbered(self) -> bool:
        """Whether numbers stand before the row tokens: they are those of the columns."""
        return self.heads == "numbers" and self.axes.rows == self.axes.columns


def axes(
    rows: Sequence[str],
    columns: Sequence[str],
    texts: Sequence[Sequence[str]],
    row_numbers: Sequence[int] | None,
    column_numbers: Sequence[int] | None,
) -> Axes:
    """The axes of n row tokens and m column tokens; without numbers, 1 to n and 1 to m.

    Rows and columns whose n × m texts are all "…" are left out: a token may be "…" too, so the tokens do not say it.
    Raises ShapeError where numbers and tokens differ in count.
    """
    by_row = tuple(row_numbers if row_numbers is not None else range(1, len(rows) + 1))
    by_column = tuple(column_numbers if column_numbers is not None else range(1, len(columns) + 1))
    for name, numbers, tokens in (("row", by_row, rows), ("column", by_column, columns)):
        if len(numbers) != len(tokens):
            message = "{numbers} numbers came for {tokens} {name} tokens: give one for each"
            raise ShapeError(message, numbers=len(numbers), tokens=len(tokens), name=name)
    row_gaps = tuple(all(text == GAP for text in row) for row in texts)
    column_gaps = tuple(all(row[j] == GAP for row in texts) for j in range(len(columns)))
    return Axes(tuple(rows), tuple(columns), by_row, by_column, row_gaps, column_gaps)


def plan(of: Axes, longest: float, room: float, across: int, face: Face) -> Plan:
    """The sizes for `across` heatmaps side by side in `room` millimetres, the row tokens left of the first.

    `longest` is the width of the widest cell text in ems.
    """
    n, printed = len(of.rows), face == "printed"
    shares = [0.6 if gap else 1.0 for gap in of.column_gaps]
    high = (7.4 if n <= 6 else 6.6 if n <= 9 else 6.0) if printed else 3.8
    heights = tuple(min(high, 4.6) if gap else high for gap in of.row_gaps)
    styles: tuple[Style, ...] = ("normal", "small") if printed else ("tiny",)
    start = Plan(of, face, "flat", styles[0], styles[0], 0.0, (), heights)
    for_text = max(9.0, longest * CELL_EM + 2.6) if printed else 3.8

    def fitted(draft: Plan, needed: float) -> tuple[Plan, float]:
        label = min(34.0 if printed else 22.0, widest(of.rows, draft.row_style))
        draft = replace(draft, label=label)
        most = (room - draft.left - BETWEEN * (across - 1)) / (across * sum(shares))
        cell = min(most, max(for_text, needed))
        return replace(draft, widths=tuple(cell * share for share in shares)), cell

    for style in styles:
        for heads in ("flat", "turns"):
            if heads == "turns" and style == "normal":
                continue
            needed = _needed(of, shares, style, 1 if heads == "flat" else 2)
            done, cell = fitted(replace(start, heads=heads, row_style=style, column_style=style), needed)
            if needed <= cell and (needed <= WIDEST or needed <= for_text):
                return done
    return fitted(replace(start, heads="numbers", row_style=styles[-1], column_style=styles[-1]), 0.0)[0]


def _needed(of: Axes, shares: Sequence[float], style: Style, lines: int) -> float:
    """The narrowest cell whose column tokens, on one line or on two by turns, keep clear of each other.

    Half of both neighbours on a line must fit between their middles, `lines` columns apart; a token on the lower line
    also keeps clear of the strokes beside it; none is much wider than what it heads, or reaches far over the ends.
    """
    sizes = [width(GAP if gap else token, style) for token, gap in zip(of.columns, of.column_gaps, strict=True)]
    middles = [sum(shares[:k]) + share / 2 for k, share in enumerate(shares)]
    needed = [0.0]
    for k, size in enumerate(sizes):
        needed += [
            size / (1.1 + 0.7 * lines),
            (size / 2 - 1.8) / middles[k],
            (size / 2 - 1.8) / (sum(shares) - middles[k]),
        ]
        for other in range(k + 1, min(k + lines + 1, len(sizes))):
            between = (size + sizes[other]) / 2 + 0.45 * EM[style]
            if other < k + lines:
                between = (size if k % 2 == 0 else sizes[other]) / 2 + 0.8
            needed.append(between / (middles[other] - middles[k]))
    return max(needed)


def starts(first: float, sizes: Sequence[float]) -> list[float]:
    """Where each of the sizes begins, the first at `first`."""
    return [first + sum(sizes[:k]) for k in range(len(sizes))]


def _token(token: str, gap: bool, room: float, style: Style) -> Text | Token:
    return Text(GAP) if gap else Token(shorten(token, room, style))


# -- heads -----------------------------------------------------------------------------------------------------------


def row_heads(of: Plan, left: float, top: float) -> Iterator[Label]:
    """The row tokens, ending 2 mm left of the cells; with their numbers where columns are numbered by them."""
    ys = starts(top, of.heights)
    number_style: Style = "tiny" if of.face == "bare" else "muted"
    for i, (y, high) in enumerate(zip(ys, of.heights, strict=True)):
        end, gap = left - 2.0, of.axes.row_gaps[i]
        if of.numbered and not gap:
            yield Label(end, y + high / 2, (Math(Num(str(of.axes.row_numbers[i]))),), "end", number_style)
        end -= 6.0 if of.numbered else 0.0
        shown = _token(of.axes.rows[i], gap, of.label, of.row_style)
        yield Label(end, y + high / 2, (shown,), "end", of.row_style)


def column_heads(of: Plan, left: float, top: float) -> Iterator[Label | Line]:
    """The column tokens or numbers above cells that begin at (left, top)."""
    style: Style = of.column_style if of.heads != "numbers" else "muted" if of.face == "printed" else "tiny"
    every = _every(of, style)
    for j, (x, wide) in enumerate(zip(starts(left, of.widths), of.widths, strict=True)):
        gap, middle, y = of.axes.column_gaps[j], x + wide / 2, top - 3.2
        if of.heads == "numbers" and not gap:
            if j % every == 0:
                yield Label(middle, y, (Math(Num(str(of.axes.column_numbers[j]))),), style=style)
            continue
        if of.heads == "turns" and j % 2:
            yield Line(middle, top - 5.6, middle, top - 0.8, "grid")
            y -= 4.8
        yield Label(middle, y, (_token(of.axes.columns[j], gap, PAGE, style),), style=style)


def _every(of: Plan, style: Style) -> int:
    """Every how many columns a number fits."""
    widest_number = max(width((Math(Num(str(k))),), style) for k in of.axes.column_numbers) + 0.6
    cell = max(of.widths)
    return next(step for step in (1, 2, 5, 10, 50, 500) if step * cell >= widest_number or step == 500)


def key(of: Plan, left: float, top: float, room: float) -> Iterator[Label]:
    """The column numbers with their tokens, where neither columns nor rows name them."""
    if of.heads != "numbers" or of.numbered:
        return
    every = zip(of.axes.column_numbers, of.axes.columns, of.axes.column_gaps, strict=True)
    named = [(number, token) for number, token, gap in every if not gap]
    entry = min(54.0, widest((t for _, t in named), "small") + 9.0)
    per_line = max(1, int(room / entry))
    for k, (number, token) in enumerate(named):
        x, y = left + entry * (k % per_line), top + 1.55 * EM["small"] * (k // per_line)
        yield Label(x + 4.5, y, (Math(Num(str(number))),), "end", "muted")
        yield Label(x + 6.0, y, (Token(shorten(token, entry - 8.0, "small")),), "start", "small")
