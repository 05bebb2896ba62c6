"""Two rows compared (figure 7-5): paired bars with their values, upright where the texts fit, else lying down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from exactattn.document import Bar, Inlines, Label, Line, Math, Num, Picture, Shape, Text, Token, plain
from exactattn.errors import ShapeError
from exactattn.i18n import Messages
from exactattn.present.figures.layout import EM, GAP, PAGE, digits, picture, shorten, widest, width
from exactattn.present.figures.measures import Amount, amounts, tick_texts, ticks
from exactattn.present.figures.measures import said as say

HIGH = 36.0  # the height of upright bars at the last tick
LYING = 3.6  # the height of a lying bar
LEAST = 30.0  # room for lying bars, even where the picture then gets wider than a page
LABEL = 40.0  # the most room for a token beside lying bars
LEGEND = 7.6  # from the chart up to the legend
ROLES: tuple[Literal["first", "second"], ...] = ("first", "second")


@dataclass(frozen=True, slots=True)
class Group:
    """A token with its two printed texts and their exact values."""

    token: str
    texts: tuple[str, str]
    values: tuple[Amount, Amount]

    @property
    def gap(self) -> bool:
        """Whether it stands for others left out."""
        return self.texts == (GAP, GAP)

    def label(self, room: float) -> Text | Token:
        """The token as it is shown in so many millimetres."""
        return Text(GAP) if self.gap else Token(shorten(self.token, room))


def comparison(
    *,
    tokens: Sequence[str],
    first: Sequence[str],
    second: Sequence[str],
    legend: tuple[Inlines, Inlines],
    words: Messages,
    axis: Inlines = (),
    values: tuple[Sequence[Amount], Sequence[Amount]] | None = None,
) -> Picture:
    """For each of m tokens a bar of the first row and one of the second, as long as their exact values.

    The axis has round numbers and the title `axis`. Texts "…" stand for tokens left out and have no bars. Raises
    ShapeError where tokens and rows differ in count.

    >>> from exactattn.i18n import messages
    >>> drawn = comparison(tokens=["a"], first=["0.5"], second=["0.25"], legend=((Text("plain"),), (Text("scaled"),)),
    ...                    words=messages("en"))
    >>> [bar.height for bar in drawn.shapes if isinstance(bar, Bar)][:2]
    [36.0, 18.0]
    """
    if not len(tokens) == len(first) == len(second):
        raise ShapeError(
            "{tokens} tokens, {first} values in the first row and {second} in the second: one of each is due",
            tokens=len(tokens),
            first=len(first),
            second=len(second),
        )
    one, two = (amounts(texts, values[k] if values is not None else None) for k, texts in enumerate((first, second)))
    groups = [
        Group(*parts) for parts in zip(tokens, zip(first, second, strict=True), zip(one, two, strict=True), strict=True)
    ]
    known = [Fraction(value) for value in (*one, *two) if value is not None]
    marks = ticks(min(known, default=Fraction(0)), max(known, default=Fraction(0)))

    side = _side(marks, axis)
    pitch = min(26.0, (PAGE - 2.0 - side) / len(tokens))
    number = max(digits(text) for text in (*first, *second)) * EM["tiny"]
    if number + 0.8 <= pitch * 0.46 and widest(tokens) + 1.2 <= pitch:
        shapes = [*_upright(groups, marks, pitch, number), *_legend(legend, axis, -HIGH - LEGEND)]
    else:
        shapes = [*_lying(groups, marks, number), *_legend(legend, (), -LEGEND + 2.0)]
    said = [
        words.text("figure.comparison.pair", token=g.token, first=say(g.texts[0]), second=say(g.texts[1]))
        for g in groups
        if not g.gap
    ]
    pairs = words.text("figure.heatmap.then").join(said)
    sentence = words.text("figure.comparison.describe", first=plain(legend[0]), second=plain(legend[1]), pairs=pairs)
    return picture(shapes, sentence)


def _side(marks: Sequence[Fraction], axis: Inlines) -> float:
    """The room left of the axis for its numbers and its title."""
    return max([width(axis, "small"), *(width((Math(Num(text)),), "small") for text in tick_texts(marks))]) + 2.0


def _upright(groups: Sequence[Group], marks: Sequence[Fraction], pitch: float, number: float) -> Iterator[Shape]:
    """Groups from left to right; 0 of the axis's last number lies at y = −HIGH, its first at y = 0."""
    span = marks[-1] - marks[0]

    def level(value: Fraction | int) -> float:
        return float(-HIGH * (value - marks[0]) / span)

    right = pitch * len(groups)
    step = min(max(number + 1.0, 7.6), pitch * 0.46)
    wide = step - 0.8
    for mark, text in zip(marks, tick_texts(marks), strict=True):
        if mark:
            yield Line(0.0, level(mark), right, level(mark), "grid")
        yield Label(-2.0, level(mark), (Math(Num(text)),), "end", "small")
    labels: list[Label] = []
    for k, group in enumerate(groups):
        middle = pitch * (k + 0.5)
        labels.append(Label(middle, 4.4, (group.label(pitch),)))
        for side, role, text, value in zip((-1, 1), ROLES, group.texts, group.values, strict=True):
            if value is None:
                continue
            x, y, zero = middle + side * step / 2, level(value), level(0)
            yield Bar(x - wide / 2, min(y, zero), wide, abs(zero - y), role)
            labels.append(Label(x, y + (1.9 if value < 0 else -1.9), (Math(Num(text)),), style="tiny"))
    yield Line(0.0, -HIGH, 0.0, 0.0)
    yield Line(0.0, level(0), right, level(0))
    yield from labels


def _lying(groups: Sequence[Group], marks: Sequence[Fraction], number: float) -> Iterator[Shape]:
    """Groups from top to bottom, the numbers at the far ends of the bars."""
    label = min(LABEL, widest(g.token for g in groups))
    before = number + 2.0 if marks[0] < 0 else 0.0
    length = max(LEAST, min(110.0, PAGE - 4.0 - label - number - before - 3.0))
    span = marks[-1] - marks[0]

    def along(value: Fraction | int) -> float:
        return float(length * (value - marks[0]) / span)

    pitch = 2 * LYING + 2.6
    bottom = pitch * len(groups)
    for mark, text in zip(marks, tick_texts(marks), strict=True):
        if mark:
            yield Line(along(mark), 0.0, along(mark), bottom, "grid")
        yield Label(along(mark), bottom + 3.0, (Math(Num(text)),), style="small")
    labels: list[Label] = []
    for k, group in enumerate(groups):
        top = pitch * k + 1.0
        labels.append(Label(-before - 2.0, top + LYING + 0.3, (group.label(LABEL),), "end"))
        for row, (role, text, value) in enumerate(zip(ROLES, group.texts, group.values, strict=True)):
            if value is None:
                continue
            y, x, zero = top + row * (LYING + 0.6), along(value), along(0)
            yield Bar(min(x, zero), y, abs(x - zero), LYING, role)
            end: tuple[float, Literal["start", "end"]] = (x - 1.2, "end") if value < 0 else (x + 1.2, "start")
            labels.append(Label(end[0], y + LYING / 2, (Math(Num(text)),), end[1], "tiny"))
    yield Line(along(0), 0.0, along(0), bottom)
    yield from labels


def _legend(legend: tuple[Inlines, Inlines], axis: Inlines, y: float) -> Iterator[Shape]:
    """A swatch and a name for each row, in one line above the chart; the axis's title stands before them."""
    if axis:
        yield Label(-2.0, y, axis, "end", "small")
    x = 1.0
    for name, role in zip(legend, ROLES, strict=True):
        yield Bar(x, y - 1.4, 3.6, 2.8, role)
        yield Label(x + 5.0, y, name, "start", "small")
        x += 5.0 + width(name, "small") + 7.0
