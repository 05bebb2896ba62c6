"""A question of Canvas as rules look at it. Source: canvas-lms, vendor/QTIMigrationTool and gems/plugins/qti_exporter."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from exactattn.exports.lint.lexical import number
from exactattn.exports.lint.tree import Node

NUMERICAL = "numerical_question"
CHOICES = frozenset({
    "multiple_choice_question", "true_false_question", "multiple_answers_question", "multiple_dropdowns_question",
    "matching_question",
})  # fmt: skip
"""Types that are answered by one of their labels."""
TYPED = frozenset({"short_answer_question", "fill_in_multiple_blanks_question"})
BY_HAND = frozenset({"essay_question", "file_upload_question", "text_only_question"})
TYPES = CHOICES | TYPED | BY_HAND | {NUMERICAL, "calculated_question"}


@dataclass(frozen=True, slots=True)
class CanvasItem:
    """A question: its element, its type ("" where none is said), the fields of its metadata."""

    node: Node
    type: str
    metadata: dict[str, Node]

    @property
    def name(self) -> str:
        """Its title, or its identifier."""
        return self.node.get("title") or self.node.get("ident")

    @property
    def responses(self) -> list[Node]:
        """The elements that take an answer."""
        found = self.node.first("presentation")
        return [] if found is None else [one for one in found.inside() if one.name.startswith("response_") and one.get("ident")
                                         and one.name != "response_label"]  # fmt: skip

    @property
    def conditions(self) -> list[Node]:
        """The rules, in order."""
        return [one for part in self.node.all("resprocessing") for one in part.all("respcondition")]


@dataclass(frozen=True, slots=True)
class Accepted:
    """What a rule for numbers takes: its exact numbers, its range, and the score it sets."""

    node: Node
    exact: tuple[Fraction, ...]
    low: Fraction | None
    high: Fraction | None
    score: Fraction | None

    def takes(self, x: Fraction) -> bool:
        """Is the number right by this rule?"""
        ranged = self.low is not None and self.high is not None and self.low <= x <= self.high
        return ranged or x in self.exact


def of_root(root: Node) -> list[CanvasItem]:
    """The questions of a file, in order."""
    return [_item(node) for node in root.inside("item")]


def _item(node: Node) -> CanvasItem:
    fields = {}
    for one in node.inside("qtimetadatafield"):
        label, entry = one.first("fieldlabel"), one.first("fieldentry")
        if label is not None and entry is not None:
            fields[label.text.strip()] = entry
    kind = fields.get("question_type")
    return CanvasItem(node, "" if kind is None else kind.text.strip(), fields)


def accepted(item: CanvasItem) -> Iterator[Accepted]:
    """What each rule of a numerical question takes; rules for everything else are left out."""
    for one in item.conditions:
        condition = one.first("conditionvar")
        if condition is None:
            continue
        exact = [number(node.text) for node in condition.inside("varequal")]
        lows = [number(node.text) for node in condition.inside("vargte", "vargt")]
        highs = [number(node.text) for node in condition.inside("varlte", "varlt")]
        if exact or lows or highs:
            low, high = (values[0] if len(values) == 1 else None for values in (lows, highs))
            yield Accepted(one, tuple(x for x in exact if x is not None), low, high, score(one))


def score(condition: Node) -> Fraction | None:
    """The score that a rule sets or adds; None where it does neither."""
    for one in condition.all("setvar"):
        if one.get("varname", "SCORE") in ("SCORE", "que_score"):
            return number(one.text)
    return None
