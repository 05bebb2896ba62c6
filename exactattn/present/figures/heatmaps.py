"""Heatmaps: scores or weights of one head (figures 7-2 and 7-6), and of several heads on one scale (figure 7-9)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from exactattn.document import Inlines, Label, Math, Num, Op, Picture, Row, Script, Shape, Sym, plain
from exactattn.errors import ShapeError
from exactattn.i18n import Messages
from exactattn.present.figures.axes import BETWEEN, Axes, Face, Plan, axes, column_heads, key, plan, row_heads
from exactattn.present.figures.cells import Matrix, cells, colour_bar, matrix, scale
from exactattn.present.figures.layout import PAGE, Style, digits, picture, width
from exactattn.present.figures.measures import Amount, Palette
from exactattn.present.figures.measures import said as say

TALLEST = 215.0  # what a page holds beside a heading and a caption
LEAST_EM = 2.3  # a smaller cell text is not worth printing
ROOM = PAGE - 2.0


def heatmap(
    *,
    rows: Sequence[str],
    columns: Sequence[str],
    texts: Sequence[Sequence[str]],
    maxima: Sequence[Collection[int]],
    palette: Palette,
    words: Messages,
    values: Sequence[Sequence[Amount]] | None = None,
    keep: Sequence[Sequence[bool]] | None = None,
    row_numbers: Sequence[int] | None = None,
    column_numbers: Sequence[int] | None = None,
) -> Picture:
    """n × m cells with their texts, coloured by exact value, the maxima of each row framed and bold.

    Tints come from `values`, or from the texts read exactly where no values are given. Cells that `keep` closes are
    pale and show their text ("−∞", "0"). A row or column of nothing but "…" stands for others left out; the numbers
    then say which are shown (any number at the gap). Raises ShapeError where counts do not fit.

    >>> from exactattn.document import Cell
    >>> from exactattn.i18n import messages
    >>> drawn = heatmap(rows=["a"], columns=["b", "c"], texts=[["0.2", "0.8"]], maxima=[{1}], palette="weight",
    ...                 words=messages("en"))
    >>> [shape.tint for shape in drawn.shapes if isinstance(shape, Cell)][:2]
    [25, 100]
    """
    drawn = matrix(len(rows), len(columns), texts, maxima, values, keep)
    named = axes(rows, columns, texts, row_numbers, column_numbers)
    colours = scale([drawn], palette)
    at = plan(named, _longest([drawn]), ROOM - colours.room, 1, "printed")
    shapes: list[Shape] = [
        *row_heads(at, 0.0, 0.0),
        *column_heads(at, 0.0, 0.0),
        *cells(at, drawn, 0.0, 0.0, colours.most, palette, words),
        *colour_bar(colours, at.wide, 0.0, at.high),
        *key(at, -at.left, at.high + 4.5, at.left + at.wide + colours.room),
    ]
    kind = words.text(f"figure.heatmap.{palette}", **_shown(named))
    found = _largest(named, drawn, words)
    return picture(shapes, kind + (words.text("figure.heatmap.largest", cells=found) if found else ""))


def heatmaps(
    *,
    titles: Sequence[Inlines],
    rows: Sequence[str],
    columns: Sequence[str],
    texts: Sequence[Sequence[Sequence[str]]],
    maxima: Sequence[Sequence[Collection[int]]],
    palette: Palette,
    words: Messages,
    values: Sequence[Sequence[Sequence[Amount]]] | None = None,
    keep: Sequence[Sequence[bool]] | None = None,
    row_numbers: Sequence[int] | None = None,
    column_numbers: Sequence[int] | None = None,
) -> Picture:
    """h heatmaps of n × m cells under their titles, on one colour scale: as many side by side as stay readable.

    `texts`, `maxima` and `values` have one matrix per head; `keep` is common. Where so many heads do not fit a page
    with their texts, the cells are small and bare: colours and frames stay, and the texts a reader may point at.
    Raises ShapeError where counts do not fit.
    """
    if not 0 < len(titles) == len(texts) == len(maxima):
        message = "{titles} titles, {texts} matrices of texts and {maxima} of maxima: give one of each for every head"
        raise ShapeError(message, titles=len(titles), texts=len(texts), maxima=len(maxima))
    each = zip(texts, maxima, values if values is not None else [None] * len(texts), strict=True)
    drawn = [matrix(len(rows), len(columns), text, most, exact, keep) for text, most, exact in each]
    named = axes(rows, columns, texts[0], row_numbers, column_numbers)
    colours = scale(drawn, palette)
    at, across = _arrange(named, drawn, ROOM - colours.room)
    style, slot = _titles(titles, at, across, ROOM - colours.room)
    pitch = at.high + at.above + 10.0
    shapes: list[Shape] = []
    for k, (title, one) in enumerate(zip(titles, drawn, strict=True)):
        left, top = slot * (k % across), pitch * (k // across)
        if k % across == 0:
            shapes += row_heads(at, left, top)
        shapes.append(Label(left + at.wide / 2, top - at.above - 2.6, title, style=style))
        shapes += [*column_heads(at, left, top), *cells(at, one, left, top, colours.most, palette, words)]
    total = slot * (min(across, len(drawn)) - 1) + at.wide
    below = pitch * ((len(drawn) - 1) // across) + at.high + 4.5
    shapes += colour_bar(colours, total, 0.0, at.high)
    shapes += key(at, -at.left, below, at.left + total + colours.room)
    said = [words.text(f"figure.heads.{palette}", count=len(drawn), **_shown(named))]
    for title, one in zip(titles, drawn, strict=True):
        said.append(words.text("figure.heads.head", title=plain(title), cells=_largest(named, one, words)))
    return picture(shapes, "".join(said))


def head_title(number: int, first: int, last: int, words: Messages) -> Inlines:
    """The title of a head that has columns `first` to `last`, counted from 1.

    >>> from exactattn.i18n import messages
    >>> plain(head_title(2, 3, 4, messages("en"))), plain(head_title(2, 65, 128, messages("en")))
    ('Head 2 (d_3d_4)', 'Head 2 (d_65…d_128)')
    """
    letters = [Script(Sym("d"), Num(str(k))) for k in sorted({first, last})]
    between = (Op("dots"),) if last - first > 1 else ()
    spelt = Row((letters[0], *between, *letters[1:]))
    return words.say("figure.heads.title", number=str(number), columns=Math(spelt))


# -- how many side by side -------------------------------------------------------------------------------------------


def _arrange(named: Axes, drawn: Sequence[Matrix], room: float) -> tuple[Plan, int]:
    """The plan and the number of heatmaps across: printed cells if they are wide enough and fit a page, else bare ones."""
    heads, longest = len(drawn), _longest(drawn)
    choices: list[tuple[Face, int]] = [*(("printed", k) for k in (3, 2, 1)), *(("bare", k) for k in range(4, 13))]
    for face, most in choices:
        lines = -(-heads // most)
        across = -(-heads // lines)  # the same number of lines, evenly filled
        at = plan(named, longest, room, across, face)
        readable = face == "bare" or max(at.widths) >= longest * LEAST_EM + 1.6
        if readable and lines * (at.high + at.above + 10.0) <= TALLEST:
            break
    return at, across


def _titles(titles: Sequence[Inlines], at: Plan, across: int, room: float) -> tuple[Style, float]:
    """The largest style in which the titles keep clear of each other, and how far the heatmaps then stand apart."""
    styles: tuple[Style, ...] = ("strong", "small", "tiny")
    for style in styles:
        slot = max(at.wide, max(width(title, style) for title in titles)) + BETWEEN
        if at.left + slot * (across - 1) + at.wide <= room:
            return style, slot
    return "tiny", at.wide + BETWEEN


def _longest(drawn: Sequence[Matrix]) -> float:
    return max((digits(text) for one in drawn for row in one.texts for text in row), default=0.0)


# -- in words --------------------------------------------------------------------------------------------------------


def _shown(named: Axes) -> dict[str, int]:
    return {"rows": named.row_gaps.count(False), "columns": named.column_gaps.count(False)}


def _largest(named: Axes, drawn: Matrix, words: Messages) -> str:
    """The maxima of every row in words."""
    rows = []
    for row, gap, texts, top in zip(named.rows, named.row_gaps, drawn.texts, drawn.maxima, strict=True):
        found = [(named.columns[j], texts[j]) for j in sorted(top)]
        if found and not gap:
            at = words.text("figure.heatmap.and").join(column for column, _ in found)
            rows.append(words.text("figure.heatmap.cell", row=row, column=at, value=say(found[0][1])))
    return words.text("figure.heatmap.then").join(rows)
