"""Many heads (figure 7-8): the input split, each head through the four steps, concatenated and projected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from exactattn.document import (
    Arrow,
    Box,
    BoxLine,
    Inline,
    Label,
    Math,
    Maths,
    Num,
    Op,
    Picture,
    Row,
    Script,
    Shape,
    Sym,
)
from exactattn.i18n import Messages
from exactattn.present.figures.boxes import ROOM, Part, bold, needs, tall, weight
from exactattn.present.figures.layout import picture

HIGH = 8.0  # the boxes of a head
PITCH = 10.4  # from one head to the next
Detail: TypeAlias = Literal["widths", "number"]
"""What the box of a head says."""

DETAILS: tuple[tuple[float, Detail], ...] = ((1.8, "widths"), (1.2, "widths"), (1.2, "number"))
FLOW = ("score", "scale", "softmax", "mix")


@dataclass(frozen=True, slots=True)
class Widths:
    """What h heads read and make: each scores d_k wide and values d_v wide, joined h·d_v, projected to d_out.

    d is the width of the input X, None where Q, K, V are given; d_out is None where there is no W_O.
    """

    heads: int
    d_k: int
    d_v: int
    d: int | None = None
    d_out: int | None = None


def multihead(*, widths: Widths, words: Messages) -> Picture:
    """The input, at most four heads (of more, the first two and the last), their concatenation, ×W_O, and O.

    >>> from exactattn.i18n import messages
    >>> multihead(widths=Widths(2, 2, 2), words=messages("en")).describe
    'Heads side by side (2): each works the four steps on its own share, and their outputs are joined to a width of 4.'
    """
    joined = widths.heads * widths.d_v
    shown = list(range(1, widths.heads + 1)) if widths.heads <= 4 else [1, 2, widths.heads]
    slots = list(range(len(shown))) if widths.heads <= 4 else [0, 1, 3]
    middles = [HIGH / 2 + PITCH * slot for slot in slots]

    flow = _flow(words)
    concat = (BoxLine(words.say("figure.multihead.joined"), "heading"), _equals("d", None, joined))
    tail: list[Part] = [(BoxLine((Math(Row((Op("times"), weight("O")))),)),)] if widths.d_out else []
    tail.append((BoxLine((Math(bold("O")),)), _equals("d", None, widths.d_out or joined)))
    columns = [_input(widths, words), flow, concat, *tail]
    used = middles[-1] + HIGH / 2
    high = max(used, tall(columns[0]), tall(concat))
    middles = [y + (high - used) / 2 for y in middles]
    for beside, detail in DETAILS:
        heads = [_head(number, widths, detail, words) for number in shown]
        first, *others = (needs(part, beside) for part in columns)
        sizes = [first, max(needs(head, beside) for head in heads), *others]
        gap = min(9.0, (ROOM - sum(sizes)) / (len(sizes) - 1))
        if gap >= 4.0:
            break
    lefts = [sum(sizes[:k]) + gap * k for k in range(len(sizes))]

    whole = [Box(lefts[k], 0.0, sizes[k], high, part) for k, part in ((0, columns[0]), (3, concat))]
    shapes: list[Shape] = list(whole)
    for y, head in zip(middles, heads, strict=True):
        shapes.append(Box(lefts[1], y - HIGH / 2, sizes[1], HIGH, head, "part"))
        shapes.append(Box(lefts[2], y - HIGH / 2, sizes[2], HIGH, flow))
        shapes += [Arrow(((lefts[k] + sizes[k], y), (lefts[k + 1], y))) for k in (0, 1, 2)]
    if widths.heads > 4:
        dots = middles[1] + PITCH
        shapes += [Label(lefts[k] + sizes[k] / 2, dots, (Math(Op("vdots")),)) for k in (1, 2)]
    for k, part in enumerate(tail, start=4):
        shapes.append(Arrow(((lefts[k - 1] + sizes[k - 1], high / 2), (lefts[k], high / 2))))
        shapes.append(Box(lefts[k], (high - tall(part)) / 2, sizes[k], tall(part), part, "io"))
    return picture(shapes, words.text("figure.multihead.describe", heads=widths.heads, joined=joined))


def _input(widths: Widths, words: Messages) -> Part:
    heading = BoxLine(words.say("figure.multihead.input"), "heading")
    if widths.d is not None:
        return (heading, BoxLine((Math(bold("X")),)), _equals("d", None, widths.d))
    if widths.d_k == widths.d_v:
        return (heading, BoxLine((Math(_list("Q", "K", "V")),)), _equals("d", None, widths.heads * widths.d_k))
    keys = _equals("d", "k", widths.heads * widths.d_k)
    values = _equals("d", "v", widths.heads * widths.d_v)
    return (BoxLine((Math(_list("Q", "K")),)), keys, BoxLine((Math(_list("V")),)), values)


def _list(*names: str) -> Maths:
    items: list[Maths] = []
    for name in names:
        items += [Op(","), Op("thin"), bold(name)] if items else [bold(name)]
    return Row(tuple(items))


def _head(number: int, widths: Widths, detail: Detail, words: Messages) -> Part:
    if detail == "number":
        return (BoxLine(words.say("figure.multihead.number", number=str(number))),)
    if widths.d_k == widths.d_v:
        line = words.say("figure.multihead.head", number=str(number), width=str(widths.d_k))
    else:
        two = {"scores": str(widths.d_k), "values": str(widths.d_v)}
        line = words.say("figure.multihead.head_two", number=str(number), **two)
    return (BoxLine(line),)


def _flow(words: Messages) -> Part:
    items: list[Inline] = []
    for name in FLOW:
        items += [Math(Op("to"))] if items else []
        items += words.say(f"figure.step.{name}")
    return (BoxLine(tuple(items), "muted"),)


def _equals(base: str, below: str | None, value: int) -> BoxLine:
    letter: Maths = Sym(base) if below is None else Script(Sym(base), Sym(below))
    return BoxLine((Math(Row((letter, Op("="), Num(str(value))))),), "muted")
