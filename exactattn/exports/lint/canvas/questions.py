"""Rules on every question of Canvas: its type, its references, its score."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from exactattn.exports.lint import alike
from exactattn.exports.lint.canvas.item import BY_HAND, CHOICES, TYPES, CanvasItem, of_root, score
from exactattn.exports.lint.finding import CANVAS, Fault, Rule
from exactattn.exports.lint.lexical import number, shown
from exactattn.exports.lint.tree import Node

NAMED = frozenset({"general_fb", "correct_fb", "general_incorrect_fb"})
"""Feedback that Canvas takes by its name."""
NEARLY_ALL = 99
"""Thirds of 100 to two places make 99.99."""


def question_type(item: CanvasItem) -> Iterator[Fault]:
    """A type that Canvas does not know, or none."""
    if item.type not in TYPES and not (item.type == "" and "cc_profile" in item.metadata):
        yield Fault(item.node.line, "<itemmetadata>", {"type": item.type})


def question_text(item: CanvasItem) -> Iterator[Fault]:
    """Nothing is asked."""
    found = item.node.first("presentation")
    if found is None or not any(one.text.strip() for one in found.inside("mattext", "matimage")):
        yield Fault(item.node.line, "<presentation>")


def grade(item: CanvasItem) -> Iterator[Fault]:
    """Points that are no number, or below 0."""
    node = item.metadata.get("points_possible")
    if node is not None:
        x = number(node.text)
        if x is None or x < 0:
            yield Fault(node.line, "<fieldentry>", {"text": node.text.strip()})


def response_undeclared(item: CanvasItem) -> Iterator[Fault]:
    """A rule on a response that is nowhere in the question."""
    known = {one.get("ident") for one in item.responses}
    for one in item.conditions:
        for node in one.inside():
            name = node.get("respident")
            if name and name not in known:
                yield Fault(node.line, node.tag, {"name": name})


def correct_unknown(item: CanvasItem) -> Iterator[Fault]:
    """A rule on an option that its response does not offer."""
    if item.type not in CHOICES:
        return
    offered = {
        one.get("ident"): {label.get("ident") for label in one.inside("response_label")} for one in item.responses
    }
    for one in item.conditions:
        for node in one.inside("varequal"):
            name, value = node.get("respident"), node.text.strip()
            if name in offered and value not in offered[name]:
                yield Fault(node.line, node.tag, {"value": value, "name": name})


def feedback_undeclared(item: CanvasItem) -> Iterator[Fault]:
    """A rule that shows a feedback which is not there."""
    known = {one.get("ident") for one in item.node.all("itemfeedback")}
    for one in item.conditions:
        for node in one.all("displayfeedback"):
            if node.get("linkrefid") not in known:
                yield Fault(node.line, node.tag, {"name": node.get("linkrefid")})


def feedback_unreachable(item: CanvasItem) -> Iterator[Fault]:
    """A feedback that no rule shows, and that Canvas does not take by its name."""
    shown_by = {node.get("linkrefid") for one in item.conditions for node in one.all("displayfeedback")}
    for one in item.node.all("itemfeedback"):
        if one.get("ident") not in shown_by and one.get("ident") not in NAMED:
            yield Fault(one.line, one.tag, {"name": one.get("ident")})


def score_unset(item: CanvasItem) -> Iterator[Fault]:
    """No rule gives any score to a question that is marked by machine."""
    if item.type in TYPES - BY_HAND - {"calculated_question"} and _best(item) is None:
        yield Fault(item.node.line, "<resprocessing>")


def full_credit(item: CanvasItem) -> Iterator[Fault]:
    """The best answer does not earn all."""
    best = _best(item) if item.type in TYPES - BY_HAND - {"calculated_question"} else None
    limit = next((one.get("maxvalue", "100") for one in item.node.inside("decvar")), "100")
    due = number(limit) or Fraction(100)
    if best is not None and best * 100 < due * NEARLY_ALL:
        yield Fault(item.node.line, "<setvar>", {"most": shown(best * 100 / due)})


def _best(item: CanvasItem) -> Fraction | None:
    """The most that rules give: the highest that one sets, or all that others add. None where none does."""
    set_, added = [], Fraction(0)
    for one in item.conditions:
        x = score(one)
        if x is None or x <= 0:
            continue
        if any(node.get("action", "Set").lower() == "add" for node in one.all("setvar")):
            added += x
        else:
            set_.append(x)
    return max([*set_, *([added] if added else [])], default=None)


def option_blank(item: CanvasItem) -> Iterator[Fault]:
    """An option that shows nothing."""
    for one in item.responses if item.type in CHOICES else ():
        for k, label in enumerate(one.inside("response_label"), 1):
            pictures = next(label.inside("matimage"), None) is not None
            if not pictures and alike.blank("".join(text.text for text in label.inside("mattext"))):
                yield Fault(label.line, label.tag, {"number": k})


def options_alike(item: CanvasItem) -> Iterator[Fault]:
    """Two options of a response that look the same. In a blank to fill they are answers that are all right."""
    for one in item.responses if item.type in CHOICES else ():
        labels = [label for label in one.inside("response_label") if label.first("material") is not None]
        for first, later in alike.pairs([(label, _seen(label)) for label in labels]):
            yield Fault(later.line, later.tag, {"text": later.text.strip()[:80], "other": first.line})


def _seen(label: Node) -> str:
    images = "".join(f"<img {one.get('uri')}>" for one in label.inside("matimage"))
    return alike.of_html("".join(one.text for one in label.inside("mattext"))) + images


def label_twice(item: CanvasItem) -> Iterator[Fault]:
    """Two options of a response, or two responses, with one identifier."""
    groups = [one.all("render_choice") for one in item.responses]
    named = [
        item.responses,
        *([label for part in group for label in part.inside("response_label")] for group in groups),
    ]
    for nodes in named:
        known: set[str] = set()
        for node in nodes:
            if node.get("ident") in known:
                yield Fault(node.line, node.tag, {"name": node.get("ident")})
            known.add(node.get("ident"))


def item_twice(root: Node) -> Iterator[Fault]:
    """Two questions with one identifier: Canvas keeps one of them."""
    known: set[str] = set()
    for one in of_root(root):
        if one.node.get("ident") in known:
            yield Fault(one.node.line, one.node.tag, {"name": one.node.get("ident")}, one.name)
        known.add(one.node.get("ident"))


def no_question(root: Node) -> Iterator[Fault]:
    """A file that asks nothing."""
    if next(root.inside("item"), None) is None:
        yield Fault(root.line, root.tag)


RULES: tuple[Rule[CanvasItem], ...] = (
    Rule("question-type", "warning", CANVAS, question_type),
    Rule("question-text", "error", CANVAS, question_text),
    Rule("grade", "error", CANVAS, grade),
    Rule("response-undeclared", "error", CANVAS, response_undeclared),
    Rule("correct-unknown", "error", CANVAS, correct_unknown),
    Rule("feedback-undeclared", "error", CANVAS, feedback_undeclared),
    Rule("feedback-unreachable", "warning", CANVAS, feedback_unreachable),
    Rule("score-unset", "error", CANVAS, score_unset),
    Rule("full-credit", "error", CANVAS, full_credit),
    Rule("option-blank", "error", CANVAS, option_blank),
    Rule("options-alike", "error", CANVAS, options_alike),
    Rule("identifier-twice", "error", CANVAS, label_twice),
)

OF_FILE: tuple[Rule[Node], ...] = (
    Rule("item-twice", "error", CANVAS, item_twice),
    Rule("no-question", "error", CANVAS, no_question),
)
