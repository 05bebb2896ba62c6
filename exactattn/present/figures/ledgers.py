"""A weighted sum as a picture (figure 7-7): a line and a signed bar for each token, and the total."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from exactattn.document import Bar, Inlines, Label, Line, Math, Num, Op, Picture, Row, Script, Shape, Sym, Text, Token
from exactattn.errors import ShapeError
from exactattn.i18n import Messages
from exactattn.present.figures.layout import GAP, PAGE, Style, picture, shorten, widest, width
from exactattn.present.figures.measures import Amount, amounts, largest
from exactattn.present.figures.measures import said as say

PITCH = 5.6  # from one line to the next
LABEL = 40.0  # the most room for a token
BARS = 58.0  # the room for bars; what is left of the page, but at least LEAST, even where the picture gets wider
LEAST = 30.0


def contributions(
    *,
    tokens: Sequence[str],
    weights: Sequence[str],
    contents: Sequence[str],
    products: Sequence[str],
    sum_of_weights: str,
    total: str,
    column: int,
    words: Messages,
    values: Sequence[Amount] | None = None,
) -> Picture:
    """m lines of weight, value and product with a bar as long as the exact product, over the total.

    `column` is the column of V and O, counted from 1. Bars of positive products go right, of negative ones left.
    Lengths come from `values`, or from the printed products. Raises ShapeError where the columns differ in length.

    >>> from exactattn.i18n import messages
    >>> drawn = contributions(tokens=["a", "b"], weights=["0.5", "0.5"], contents=["2", "-1"], products=["1.0", "-0.5"],
    ...                       sum_of_weights="1.0", total="0.5", column=1, words=messages("en"))
    >>> [(bar.role, bar.width) for bar in drawn.shapes if isinstance(bar, Bar)]
    [('positive', 38.67), ('negative', 19.33)]
    """
    if not len(tokens) == len(weights) == len(contents) == len(products):
        raise ShapeError(
            "{tokens} tokens, {weights} weights, {contents} values and {products} products: one of each is due",
            tokens=len(tokens),
            weights=len(weights),
            contents=len(contents),
            products=len(products),
        )
    exact = amounts(products, values)
    heads = _heads(column, words)
    table = [
        [*map(_num, weights), _num(sum_of_weights)],
        list(map(_num, contents)),
        [*map(_num, products), _num(total)],
    ]
    style, sizes = _sizes(tokens, heads, table)
    left = sizes[0] + 2.0
    ends = [left + sum(sizes[1 : k + 1]) + 6.0 * k for k in (1, 2, 3)]
    bars = max(LEAST, min(BARS, PAGE - 2.0 - ends[-1] - 8.0 - 4.0))
    start, right = ends[-1] + 8.0, ends[-1] + 8.0 + bars
    bottom = PITCH * len(tokens)

    shapes: list[Shape] = [Line(0.0, 0.0, right + 2.0, 0.0, "rule"), Line(0.0, bottom, right + 2.0, bottom, "rule")]
    shapes.append(Label(2.0, -3.2, heads[0], "start", "muted"))
    shapes += [Label(x, -3.2, head, "end", "muted") for x, head in zip(ends, heads[1:], strict=True)]
    for k, token in enumerate(tokens):
        y = PITCH * (k + 0.5)
        name = Text(GAP) if products[k] == GAP else Token(shorten(token, LABEL, style))
        shapes.append(Label(2.0, y, (name,), "start", style))
        shapes += [Label(x, y, texts[k], "end", style) for x, texts in zip(ends, table, strict=True)]
    y = bottom + 3.6
    shapes.append(Label(2.0, y, words.say("figure.contributions.total"), "start", style))
    shapes.append(Label(ends[0], y, table[0][-1], "end", style))
    shapes.append(Label(ends[2], y, table[2][-1], "end", "strong" if style == "normal" else style))
    shapes += _bars(exact, start, bars, bottom)
    said = [
        words.text("figure.contributions.line", token=t, weight=say(w), value=say(v), product=say(p))
        for t, w, v, p in zip(tokens, weights, contents, products, strict=True)
        if p != GAP
    ]
    lines = words.text("figure.heatmap.then").join(said)
    return picture(shapes, words.text("figure.contributions.describe", lines=lines, total=say(total)))


def _heads(column: int, words: Messages) -> list[Inlines]:
    a = Script(Sym("a"), Sym("j"))
    # a comma keeps a column of two digits apart from j
    v = Script(Sym("v"), Row((Sym("j"), *((Op(","),) if column > 9 else ()), Num(str(column)))))
    return [
        words.say("figure.contributions.token"),
        words.say("figure.contributions.weight", letter=Math(a)),
        words.say("figure.contributions.value", letter=Math(v)),
        words.say("figure.contributions.product", letter=Math(Row((a, v)))),
    ]


def _num(text: str) -> Inlines:
    return (Math(Num(text)),) if text[-1:].isdigit() else (Text(text),)


def _sizes(
    tokens: Sequence[str], heads: Sequence[Inlines], table: Sequence[Sequence[Inlines]]
) -> tuple[Style, list[float]]:
    """The largest style in which tokens and numbers leave room for bars, and the widths of the four columns."""
    styles: tuple[Style, ...] = ("normal", "small", "tiny")
    for style in styles:
        names = max(min(LABEL, widest(tokens, style)), width(heads[0], "muted"))
        columns = [
            max([width(head, "muted"), *(width(text, style) for text in texts)])
            for head, texts in zip(heads[1:], table, strict=True)
        ]
        sizes = [names, *columns]
        if sum(sizes) + 2.0 + 18.0 + 8.0 + 6.0 + LEAST <= PAGE:
            break
    return style, sizes


def _bars(values: Sequence[Amount], start: float, room: float, bottom: float) -> Iterator[Shape]:
    """A bar for each value in `room` millimetres, on both sides of an axis that leaves room for the longest of each."""
    most, least = (largest(v for v in values if v is not None and sign * v > 0) for sign in (1, -1))
    scale = Fraction(1) / ((most + least) or 1)
    zero = start + float(room * least * scale)
    for k, value in enumerate(values):
        if value:
            long = float(room * abs(Fraction(value)) * scale)
            y = PITCH * (k + 0.5) - 1.7
            if value > 0:
                yield Bar(zero, y, long, 3.4, "positive")
            else:
                yield Bar(zero - long, y, long, 3.4, "negative")
    yield Line(zero, 0.0, zero, bottom)
