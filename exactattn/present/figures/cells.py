"""The cells of a heatmap and its colour bar: what is drawn at a place and a size."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from exactattn.document import Cell, Frame, Label, Line, Math, Num, Shape, Text
from exactattn.errors import ShapeError
from exactattn.i18n import Messages
from exactattn.present.figures.axes import Axes, Plan, starts
from exactattn.present.figures.layout import EM, width
from exactattn.present.figures.measures import Amount, Palette, amounts, largest, tint
from exactattn.present.figures.measures import said as say

BAR = 2.4  # the width of the colour bar
SLICES = 25


@dataclass(frozen=True, slots=True)
class Matrix:
    """n × m cells: their texts, exact values (None where closed or not known), each row's maxima, and which are open."""

    texts: tuple[tuple[str, ...], ...]
    values: tuple[tuple[Amount, ...], ...]
    maxima: tuple[frozenset[int], ...]
    keep: tuple[tuple[bool, ...], ...]


def matrix(
    n: int,
    m: int,
    texts: Sequence[Sequence[str]],
    maxima: Sequence[Collection[int]],
    values: Sequence[Sequence[Amount]] | None,
    keep: Sequence[Sequence[bool]] | None,
) -> Matrix:
    """The n × m cells, checked; values are read from the texts where none are given.

    Raises ShapeError where rows or columns are too many or too few.
    """
    for name, given in (("texts", texts), ("maxima", maxima), ("values", values), ("keep", keep)):
        if given is not None and len(given) != n:
            raise ShapeError("{name} has {came} rows: the heatmap has {due}", name=name, came=len(given), due=n)
    for name, table in (("texts", texts), ("values", values), ("keep", keep)):
        for row in table or ():
            if len(row) != m:
                message = "a row of {name} has {came} entries: the heatmap has {due} columns"
                raise ShapeError(message, name=name, came=len(row), due=m)
    opened = tuple(tuple(row) for row in keep) if keep is not None else ((True,) * m,) * n
    exact = [amounts(row, values[i] if values is not None else None) for i, row in enumerate(texts)]
    shown = tuple(
        tuple(value if kept else None for value, kept in zip(*rows, strict=True))
        for rows in zip(exact, opened, strict=True)
    )
    return Matrix(tuple(map(tuple, texts)), shown, tuple(map(frozenset, maxima)), opened)


def cells(
    plan: Plan, drawn: Matrix, left: float, top: float, scale: Fraction, palette: Palette, words: Messages
) -> Iterator[Shape]:
    """The cells from (left, top), then the edge of the whole, then the frame of every maximum."""
    xs, ys = starts(left, plan.widths), starts(top, plan.heights)
    frames: list[Shape] = []
    for i, row in enumerate(drawn.texts):
        for j, text in enumerate(row):
            place = (xs[j], ys[i], plan.widths[j], plan.heights[i])
            strong, kept = j in drawn.maxima[i], drawn.keep[i][j]
            shown = text if plan.face == "printed" else ""
            title = _title(plan.axes, i, j, text, "cell" if kept else "masked", words)
            yield Cell(*place, tint(drawn.values[i][j], scale, palette), palette, shown if kept else "", strong, title)
            if shown and not kept:
                yield Label(xs[j] + plan.widths[j] / 2, ys[i] + plan.heights[i] / 2, number(text), style="muted")
            if strong:
                frames.append(Frame(*place))
    yield from _edge(left, top, plan.wide, plan.high)
    yield from frames


def _title(axes: Axes, i: int, j: int, text: str, kind: str, words: Messages) -> str:
    if axes.row_gaps[i] or axes.column_gaps[j]:
        return ""
    return words.text(f"figure.heatmap.{kind}", row=axes.rows[i], column=axes.columns[j], value=say(text))


def number(text: str) -> tuple[Text | Math, ...]:
    """A number as maths, any other text ("…", "−∞") as it is."""
    return (Math(Num(text)),) if text[-1:].isdigit() else (Text(text),)


def _edge(x: float, y: float, wide: float, high: float) -> Iterator[Line]:
    yield Line(x, y, x + wide, y)
    yield Line(x, y + high, x + wide, y + high)
    yield Line(x, y, x, y + high)
    yield Line(x + wide, y, x + wide, y + high)


# -- the colour scale ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scale:
    """The largest magnitude of all cells, exactly and as text without a sign; 0 and "" where no cell has a value."""

    most: Fraction
    text: str
    palette: Palette

    @property
    def room(self) -> float:
        """The width of the colour bar with its numbers and the gap before it."""
        sign = "-" if self.palette == "score" else ""
        return 4.0 + BAR + 1.8 + width((Math(Num(sign + self.text)),), "tiny") if self.most else 0.0


def scale(drawn: Sequence[Matrix], palette: Palette) -> Scale:
    """The common scale of heatmaps."""
    most = largest(value for one in drawn for row in one.values for value in row)
    texts = (
        text
        for one in drawn
        for values, row in zip(one.values, one.texts, strict=True)
        for value, text in zip(values, row, strict=True)
        if value is not None and abs(value) == most
    )
    return Scale(most, next(texts, "").lstrip("+-"), palette)


def colour_bar(of: Scale, left: float, top: float, high: float) -> Iterator[Shape]:
    """The colours from the largest magnitude down to 0, or to its negative for scores; nothing where all is 0."""
    if not of.most:
        return
    x, low = left + 4.0, 0 if of.palette == "weight" else -100
    for k in range(SLICES):
        # the first slice has the full colour and the last the least
        tinted = 100 - (100 - low) * k // (SLICES - 1)
        yield Cell(x, top + high * k / SLICES, BAR, high / SLICES, tinted, of.palette)
    yield from _edge(x, top, BAR, high)
    ends = [(0.0, of.text), (1.0, "0" if of.palette == "weight" else f"-{of.text}")]
    if of.palette == "score" and high >= 3 * 1.4 * EM["tiny"]:
        ends.insert(1, (0.5, "0"))
    for share, text in ends:
        y = top + high * share
        yield Line(x + BAR, y, x + BAR + 1.0, y)
        yield Label(x + BAR + 1.8, y, (Math(Num(text)),), "start", "tiny")
