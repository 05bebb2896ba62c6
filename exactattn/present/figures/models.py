"""The heads of nine models (table 7-1), and a chart of their counts (figure 7-10)."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal

from exactattn.document import Bar, Inlines, Label, Line, Picture, Shape, Text, plain
from exactattn.i18n import Messages
from exactattn.present.figures.layout import PAGE, picture, width

PITCH = 6.6  # from one model to the next
THICK = 4.2
LONGEST = 96.0  # the bar of the most heads


@dataclass(frozen=True, slots=True)
class Model:
    """A model's heads: their count, the width d of the model, and the widths of what a head scores and mixes.

    `head_width` is the number the article prints; where `head_width_is` "quotient" it is d_model / heads and not the
    width of a head.
    """

    name: str
    heads: int
    d_model: int
    head_width: int
    score_width: int
    value_width: int
    head_width_is: Literal["width", "quotient"] = "width"
    variant: str = ""


@cache
def read_models() -> tuple[Model, ...]:
    """The nine models in the article's order.

    >>> [(model.name, model.heads, model.head_width) for model in read_models()][:2]
    [('GPT-2', 12, 64), ('BERT-Large', 16, 64)]
    """
    text = resources.files("exactattn.present.figures").joinpath("models.toml").read_text(encoding="utf-8")
    rows = tomllib.loads(text)["model"]
    return tuple(Model(**{"score_width": row["head_width"], "value_width": row["head_width"], **row}) for row in rows)


def head_counts(*, models: Sequence[Model], words: Messages) -> Picture:
    """A bar of heads for each model, with the width of a head; one with widths of its own is marked and says them.

    >>> from exactattn.i18n import messages
    >>> drawn = head_counts(models=read_models(), words=messages("en"))
    >>> [bar.role for bar in drawn.shapes if isinstance(bar, Bar)][-2:]
    ['second', 'first']
    """
    most = max(model.heads for model in models)
    notes = [_note(model, words) for model in models]
    label = max(width((Text(model.name),), "normal") for model in models) + 2.0
    after = max(
        width(count, "strong") + width(note, "muted") - LONGEST * (most - model.heads) / most
        for model, (count, note) in zip(models, notes, strict=True)
    )
    length = min(LONGEST, PAGE - 2.0 - label - after - 5.0)
    shapes: list[Shape] = [Label(0.0, -2.8, words.say("figure.models.axis"), "start", "muted")]
    for k, (model, (count, note)) in enumerate(zip(models, notes, strict=True)):
        y, end = PITCH * (k + 0.5), length * model.heads / most
        shapes.append(Bar(0.0, y - THICK / 2, end, THICK, "second" if model.head_width_is == "width" else "first"))
        shapes.append(Label(-2.0, y, (Text(model.name),), "end"))
        shapes.append(Label(end + 1.6, y, count, "start", "strong"))
        shapes.append(Label(end + 3.2 + width(count, "strong"), y, note, "start", "muted"))
    shapes.append(Line(0.0, 0.0, 0.0, PITCH * len(models)))
    said = [f"{model.name} {model.heads}, {plain(note)}" for model, (_, note) in zip(models, notes, strict=True)]
    sentence = words.text("figure.models.describe", models=words.text("figure.heatmap.then").join(said))
    return picture(shapes, sentence)


def _note(model: Model, words: Messages) -> tuple[Inlines, Inlines]:
    """The count of heads, and the width of one in words."""
    count: Inlines = (Text(str(model.heads)),)
    if model.head_width_is == "width":
        return count, words.say("figure.models.width", width=str(model.head_width))
    widths = {"scores": str(model.score_width), "values": str(model.value_width), "variant": model.variant}
    return count, words.say("figure.models.widths", **widths)
