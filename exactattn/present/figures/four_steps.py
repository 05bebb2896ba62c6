"""The steps of attention as a row of boxes (figure 7-1): from X, from Q, K and V, or from scores."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from exactattn.document import (
    Arrow,
    Box,
    BoxLine,
    Inlines,
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
    Text,
    plain,
)
from exactattn.i18n import Messages
from exactattn.present.figures.boxes import Part, across, bold, least, middle, needs, shape, spread, tall, weight
from exactattn.present.figures.layout import picture, width

Start: TypeAlias = Literal["self", "cross", "queries", "scores"]
"""Where the work begins: X gives Q, K, V; X gives Q and X_kv gives K, V; Q, K, V are given; scores are given."""

Masking: TypeAlias = Literal["none", "causal", "matrix"]

Detail: TypeAlias = Literal["full", "stacked", "shapes", "steps", "inputs", "names"]
"""What is left out where the page is narrow: nothing; shapes go below names; what they are shapes of; the shapes of the
steps; those of inputs and output; the products with W."""

# each with the gap between boxes that it must leave, and the room beside the lines of a box
DETAILS: tuple[tuple[Detail, float, float], ...] = (
    ("full", 4.5, 1.8),
    ("stacked", 4.5, 1.8),
    ("shapes", 4.5, 1.8),
    ("steps", 3.6, 1.2),
    ("inputs", 3.6, 1.2),
    ("names", 0.0, 1.2),
)

SOURCES: dict[Start, tuple[str, ...]] = {
    "self": ("X",),
    "cross": ("X_kv", "X"),
    "queries": ("Q", "K"),
    "scores": ("S",),
}
BEND = 2.5
HALF = 9.0  # half the height of a step
PITCH = 13.0  # from one projection of X to the next
LONGEST = 30.0  # a longer scale is × c
CIRCLED = "①②③④"


@dataclass(frozen=True, slots=True)
class Sizes:
    """n queries and m keys of width d_k, m values of width d_v, inputs X of width d and X_kv of width d_kv.

    A width is None where there is no such matrix; without d_v the work ends at the weights.
    """

    n: int
    m: int
    d_k: int | None = None
    d_v: int | None = None
    d: int | None = None
    d_kv: int | None = None

    def of(self, name: str) -> tuple[int, int]:
        """Rows and columns of a matrix by its name."""
        rows = self.m if name in ("K", "V", "X_kv") else self.n
        widths = {"Q": self.d_k, "K": self.d_k, "V": self.d_v, "O": self.d_v, "X": self.d, "X_kv": self.d_kv}
        return rows, widths.get(name, self.m) or 0


def pipeline(
    *,
    start: Start,
    sizes: Sizes,
    scale: Maths,
    mask: Masking,
    words: Messages,
    projections: Mapping[str, Maths] | None = None,
) -> Picture:
    """Boxes from the inputs over score, scale, mask, softmax and weighted sum to the output, each with its shape.

    `scale` is what the scale box says (÷√d_k = 2). `projections` say how Q, K or V come from X where that is not XW_Q,
    XW_K, XW_V (biases). Where the page is too narrow the boxes say less.

    >>> from exactattn.i18n import messages
    >>> drawn = pipeline(start="scores", sizes=Sizes(n=1, m=2), scale=Num("1"), mask="none", words=messages("en"))
    >>> drawn.describe
    'The steps from left to right: S 1×2 → ① Scale → ② Softmax → A 1×2.'
    """
    end = "A" if sizes.d_v is None else "O"
    for detail, gap, beside in DETAILS:
        steps = _steps(start, sizes, scale, mask, detail, words)
        sources = {name: _given(name, sizes, detail) for name in SOURCES[start]}
        projected = _projected(start, sizes, projections or {}, detail)
        out = _given(end, sizes, detail)
        entry, middles, last = ([needs(p, beside) for p in parts] for parts in (sources.values(), steps, [out]))
        columns = [max(entry)]
        if projected:
            # the arrows from X turn in the gap, which takes more room
            columns = [columns[0] + BEND, max(needs(part, beside) for part in projected.values())]
        if least(columns, middles, last[0]) >= gap:
            break
    lefts, widths = spread(columns, middles, last[0])
    places = list(zip(lefts, [max(entry), *widths[1:]], strict=True))
    boxes = [
        Box(x, -HALF, wide, 2 * HALF, part) for (x, wide), part in zip(places[len(columns) : -1], steps, strict=True)
    ]
    made = _io(places[-1], 0.0, out)
    shapes: list[Shape] = [*boxes, made, *(across(a, b) for a, b in zip(boxes, [*boxes[1:], made], strict=True))]
    softmax = boxes[-1 if sizes.d_v is None else -2]
    shapes.append(Label(middle(softmax), HALF + 3.2, words.say("figure.pipeline.sums"), style="muted"))
    if projected:
        shapes += _from_inputs(start, sources, projected, places, boxes)
    else:
        values = None if sizes.d_v is None else _given("V", sizes, "full")
        shapes += _from_given(sources, values, places[0], boxes)
    first = ", ".join(_said(name, sizes) for name in sources)
    chain = " → ".join([first, *(plain(part[0].items) for part in steps), _said(end, sizes)])
    return picture(shapes, words.text("figure.pipeline.describe", chain=chain))


def _said(name: str, sizes: Sizes) -> str:
    return plain(_given(name, sizes, "full")[0].items)


# -- what the boxes say ----------------------------------------------------------------------------------------------


def _steps(start: Start, sizes: Sizes, scale: Maths, mask: Masking, detail: Detail, words: Messages) -> list[Part]:
    product = Row((bold("Q"), Script(bold("K"), None, Sym("T", "upright"))))
    closed = (Math(Row((Num("0"), Op("to")))), Text("−∞"))
    bodies: list[tuple[str, Inlines, str]] = []
    if start != "scores":
        bodies.append(("score", (Math(product),), "S"))
    if width((Math(scale),)) > LONGEST:
        scale = Row((Op("times"), Sym("c")))
    bodies.append(("scale", (Math(scale),), "S"))
    if mask != "none":
        bodies.append(("mask", words.say("figure.pipeline.causal") if mask == "causal" else closed, "S"))
    bodies.append(("softmax", (Math(_softmax()),), "A"))
    if sizes.d_v is not None:
        bodies.append(("mix", (Math(Row((bold("A"), bold("V")))),), "O"))
    numbers = iter(CIRCLED)
    parts: list[Part] = []
    for name, body, made in bodies:
        # the four steps are counted; masking belongs to the scores
        heading = ("" if name == "mask" else next(numbers) + " ") + words.text(f"figure.step.{name}")
        size = shape(*sizes.of(made))
        if detail in ("full", "stacked"):
            size = words.say(f"figure.pipeline.{name}", shape=size)
        lines = (BoxLine((Text(heading),), "heading"), BoxLine(body), BoxLine(size, "muted"))
        parts.append(lines[:2] if detail in ("steps", "inputs", "names") else lines)
    return parts


def _softmax() -> Maths:
    power = Script(Sym("e"), None, Script(Sym("x"), Sym("j")))
    return Row((power, Op("/"), Script(Op("sum"), Sym("j")), Op("thin"), power))


def _given(name: str, sizes: Sizes, detail: Detail) -> Part:
    size = shape(*sizes.of(name))
    if detail == "full":
        return (BoxLine((Math(bold(name)), Text(" "), *size)),)
    lines = (BoxLine((Math(bold(name)),)), BoxLine(size, "muted"))
    return lines[:1] if detail in ("inputs", "names") else lines


def _projected(start: Start, sizes: Sizes, projections: Mapping[str, Maths], detail: Detail) -> dict[str, Part]:
    """Q, K and V as they come from X, from top to bottom; nothing where they are given."""
    if start in ("queries", "scores"):
        return {}
    # the keys stand beside the values where both come from X_kv, so that no arrows cross
    parts: dict[str, Part] = {}
    for name in ("V", "Q", "K") if start == "self" else ("V", "K", "Q"):
        if name == "V" and sizes.d_v is None:
            continue
        source = "X_kv" if start == "cross" and name != "Q" else "X"
        made = projections.get(name, Row((bold(source), weight(name))))
        formula = Math(bold(name) if detail == "names" else Row((bold(name), Op("="), made)))
        parts[name] = (BoxLine((formula,)), BoxLine(shape(*sizes.of(name)), "muted"))
    return parts


# -- where they stand ------------------------------------------------------------------------------------------------


def _io(place: tuple[float, float], y: float, part: Part) -> Box:
    high = tall(part)
    return Box(place[0], y - high / 2, place[1], high, part, "io")


def _from_given(
    sources: Mapping[str, Part], values: Part | None, place: tuple[float, float], steps: Sequence[Box]
) -> Iterator[Shape]:
    """The given matrices, one or two at the left, and V above the weighted sum."""
    half = tall(next(iter(sources.values()))) / 2 + 0.8
    for y, part in zip((0.0,) if len(sources) == 1 else (-half, half), sources.values(), strict=True):
        yield _io(place, y, part)
        yield Arrow(((place[0] + place[1], y), (steps[0].x, y)))
    if values is not None:
        x, wide = middle(steps[-1]), needs(values)
        yield _io((x - wide / 2, wide), -HALF - 10.0, values)
        yield Arrow(((x, -HALF - 10.0 + tall(values) / 2), (x, -HALF)))


def _from_inputs(
    start: Start,
    sources: Mapping[str, Part],
    projected: Mapping[str, Part],
    places: Sequence[tuple[float, float]],
    steps: Sequence[Box],
) -> Iterator[Shape]:
    """X (and X_kv) at the left, the projections in a column, V's arrow over the steps to the weighted sum."""
    (_, wide), (left, made) = places[:2]
    lower = [name for name in projected if name != "V"]
    ys = {"V": -1.5 * PITCH, lower[0]: -PITCH / 2, lower[1]: PITCH / 2}
    for name, part in projected.items():
        yield Box(left, ys[name] - tall(part) / 2, made, tall(part), part, "part")
    bus = (wide + left) / 2
    for name, part in sources.items():
        fed = [ys[p] for p in projected if start == "self" or (p == "Q") == (name == "X")]
        y = sum(fed) / len(fed)
        yield _io(places[0], y, part)
        for to in fed:
            bend = () if to == y else ((bus, y), (bus, to))
            yield Arrow(((wide, y), *bend, (left, to)))
    for name in lower:
        yield Arrow(((left + made, ys[name]), (steps[0].x, ys[name])))
    if "V" in projected:
        x = middle(steps[-1])
        yield Arrow(((left + made, ys["V"]), (x, ys["V"]), (x, -HALF)))
