"""A Moodle XML file as the importer goes through it: questions one by one, each in the category that was named last."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from exactattn.exports.lint.tree import Node

NUMERIC = frozenset({"numerical", "calculated", "calculatedsimple"})
WITH_SHARES = NUMERIC | {"multichoice", "calculatedmulti", "shortanswer"}
"""Types whose answers earn shares of the points."""
TRIMMED = " \t\r\n\0\x0b"
"""What PHP's trim takes away: a no-break space stays."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question: its element, type, name as the file has it, and the path of its category."""

    node: Node
    type: str
    name: str
    category: str

    @property
    def cloze(self) -> bool:
        """Do its fields stand within its text?"""
        return self.type in ("cloze", "multianswer")

    @property
    def body(self) -> Node | None:
        """The text element of the question text."""
        return self.node.first("questiontext", "text")

    @property
    def answers(self) -> list[Node]:
        """The answers that stand beside the text."""
        return self.node.all("answer")

    @property
    def several(self) -> bool:
        """Is it a choice of several options? Moodle takes one to be meant only by "false", "0" or nothing."""
        single = self.node.first("single")
        return single is not None and single.text.strip() in ("false", "0", "")


@dataclass(frozen=True, slots=True)
class MoodleFile:
    """The file: its root and its questions, categories among them."""

    root: Node
    questions: tuple[Question, ...]


def of_root(root: Node) -> MoodleFile:
    """The questions in order."""
    return MoodleFile(root, tuple(_questions(root)))


def _questions(root: Node) -> Iterator[Question]:
    category = ""
    for node in root.all("question"):
        kind = node.get("type")
        if kind == "category":
            category = text_of(node, "category", "text")
            yield Question(node, kind, "", category)
        else:
            yield Question(node, kind, text_of(node, "name", "text"), category)


def text_of(node: Node, *path: str) -> str:
    """The trimmed text of what lies there, "" for nothing."""
    found = node.first(*path)
    return "" if found is None else found.own.strip(TRIMMED)
