"""An item of QTI as rules look at it, version 3 in the names of version 2."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from exactattn.exports.lint.finding import Kind
from exactattn.exports.lint.tree import Node

IMPLICIT = frozenset({"numAttempts", "duration", "completionStatus"})
"""Variables that every item has."""
FEEDBACKS = ("modalFeedback", "feedbackBlock", "feedbackInline")
CHOICES = ("simpleChoice", "inlineChoice", "hottext", "simpleAssociableChoice", "gapText", "gapImg", "hotspotChoice",
           "associableHotspot", "gap")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Declared:
    """A variable: its element, and what it holds."""

    node: Node
    identifier: str
    cardinality: str
    base: str

    def values(self, within: str) -> list[str]:
        """The texts of its correctResponse or defaultValue."""
        found = self.node.first(within)
        return [] if found is None else [one.text.strip() for one in found.all("value")]


@dataclass(frozen=True, slots=True)
class Item:
    """An item: its root, its variables by identifier, the interactions in its body, its rules."""

    root: Node
    kind: Kind
    responses: dict[str, Declared]
    outcomes: dict[str, Declared]
    templates: dict[str, Declared]
    interactions: tuple[Node, ...]
    processing: Node | None
    choices: dict[str, frozenset[str]] = field(default_factory=dict)
    """The identifiers that may be chosen, by the response they go into."""

    @property
    def is_test(self) -> bool:
        """Is it a test, or a section of one?"""
        return self.root.name != "assessmentItem"

    @property
    def name(self) -> str:
        """Its title, or its identifier."""
        return self.root.get("title") or self.root.get("identifier")

    @property
    def variables(self) -> dict[str, Declared]:
        """All that is declared."""
        return {**self.templates, **self.outcomes, **self.responses}


def second(root: Node) -> Node:
    """Rename a tree of version 3 as version 2 has it: <qti-text-entry-interaction> is textEntryInteraction."""
    for node in (root, *root.inside()):
        node.written = node.name
        if node.name.startswith("qti-"):
            node.name = camel(node.name[4:])
            node.attributes = {camel(key): value for key, value in node.attributes.items()}
    return root


def camel(name: str) -> str:
    """A name with hyphens as version 2 writes it.

    >>> camel("response-identifier"), camel("data-x1"), camel("and")
    ('responseIdentifier', 'dataX1', 'and')
    """
    return re.sub(r"-([a-z])", lambda found: found[1].upper(), name)


def of_root(root: Node, kind: Kind) -> Item:
    """The item of a tree in the names of version 2."""
    bodies = root.all("itemBody")
    interactions = tuple(one for body in bodies for one in body.inside() if one.name.endswith("Interaction"))
    choices: dict[str, frozenset[str]] = {}
    for one in interactions:
        found = frozenset(choice.get("identifier") for choice in one.inside(*CHOICES))
        name = one.get("responseIdentifier")
        choices[name] = choices.get(name, frozenset()) | found
    return Item(
        root,
        kind,
        _declared(root, "responseDeclaration"),
        _declared(root, "outcomeDeclaration"),
        _declared(root, "templateDeclaration"),
        interactions,
        root.first("responseProcessing"),
        choices,
    )


def _declared(root: Node, name: str) -> dict[str, Declared]:
    return {
        one.get("identifier"): Declared(one, one.get("identifier"), one.get("cardinality"), one.get("baseType"))
        for one in root.all(name)
    }


def feedbacks(item: Item) -> Iterator[Node]:
    """The elements that are shown when an outcome has their identifier."""
    yield from item.root.inside(*FEEDBACKS)
