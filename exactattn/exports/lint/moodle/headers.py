"""Rules on what every question of Moodle has: its type, name, texts, points, idnumber and category."""

from __future__ import annotations

import re
from collections.abc import Iterator

from exactattn.exports.lint.finding import MOODLE, Fault, Rule
from exactattn.exports.lint.lexical import number
from exactattn.exports.lint.moodle.file import MoodleFile, Question, text_of

TYPES = frozenset({
    "category", "multichoice", "truefalse", "shortanswer", "numerical", "description", "matching", "match", "cloze",
    "multianswer", "essay", "calculated", "calculatedsimple", "calculatedmulti", "randomsamatch", "ddwtos", "gapselect",
    "ddimageortext", "ddmarker", "ordering",
})  # fmt: skip
"""The types of questions that Moodle 4.5 has by itself."""

FORMATS = frozenset({"html", "moodle_auto_format", "plain_text", "markdown", "wiki_like"})
LONGEST_IDNUMBER = 100
LONGEST_CATEGORY = 255


def question_type(one: Question) -> Iterator[Fault]:
    """A type that is none of Moodle's own."""
    if one.type not in TYPES:
        yield Fault(one.node.line, "<question>", {"type": one.type})


def question_name(one: Question) -> Iterator[Fault]:
    """No name."""
    if one.type != "category" and not one.name:
        yield Fault(one.node.line, "<name>")


def text_elements(one: Question) -> Iterator[Fault]:
    """Markup within a text that is neither in a CDATA section nor escaped."""
    for text in one.node.inside("text"):
        if text.children:
            yield Fault(text.line, "<text>", {"child": text.children[0].tag})


def text_format(one: Question) -> Iterator[Fault]:
    """A format of text that has another name."""
    for node in one.node.inside("questiontext", "generalfeedback", "answer", "feedback", "hint"):
        name = node.get("format", "html").strip()
        if name not in FORMATS:
            yield Fault(node.line, node.tag, {"format": name})


def question_text(one: Question) -> Iterator[Fault]:
    """Nothing is asked."""
    if one.type not in ("category", "random") and (one.body is None or not one.body.text.strip()):
        yield Fault(one.node.line, "<questiontext>")


def grade(one: Question) -> Iterator[Fault]:
    """Points that are no number, or below 0."""
    node = one.node.first("defaultgrade")
    if node is not None:
        x = number(node.text)
        if x is None or x < 0:
            yield Fault(node.line, "<defaultgrade>", {"text": node.text.strip()})


def penalty(one: Question) -> Iterator[Fault]:
    """A penalty that is no share between 0 and 1."""
    node = one.node.first("penalty")
    if node is not None:
        x = number(node.text)
        if x is None or not 0 <= x <= 1:
            yield Fault(node.line, "<penalty>", {"text": node.text.strip()})


def idnumber_long(one: Question) -> Iterator[Fault]:
    """More characters than its column holds."""
    node = one.node.first("idnumber")
    if node is not None and len(node.text) > LONGEST_IDNUMBER:
        yield Fault(node.line, "<idnumber>", {"count": len(node.text), "most": LONGEST_IDNUMBER})


def category(one: Question) -> Iterator[Fault]:
    """A category without a path, with an empty part, or with a part that is too long. A doubled slash is part of a name."""
    if one.type != "category":
        return
    path = text_of(one.node, "category", "text")
    parts = re.split(r"(?<!/)/(?!/)", path)
    if any(not part.strip() or len(part) > LONGEST_CATEGORY for part in parts):
        yield Fault(one.node.line, "<category>", {"path": path})


def idnumber_twice(found: MoodleFile) -> Iterator[Fault]:
    """An idnumber that the category has already."""
    known: dict[tuple[str, str], int] = {}
    for one in found.questions:
        node = one.node.first("idnumber")
        if node is None or not node.text:
            continue
        key = (one.category, node.text)
        if key in known:
            yield Fault(node.line, "<idnumber>", {"id": node.text, "other": known[key]}, one.name)
        known.setdefault(key, node.line)


def no_question(found: MoodleFile) -> Iterator[Fault]:
    """A file that asks nothing."""
    if all(one.type == "category" for one in found.questions):
        yield Fault(found.root.line, found.root.tag)


RULES: tuple[Rule[Question], ...] = (
    Rule("question-type", "warning", MOODLE, question_type),
    Rule("question-name", "error", MOODLE, question_name),
    Rule("text-elements", "error", MOODLE, text_elements),
    Rule("text-format", "warning", MOODLE, text_format),
    Rule("question-text", "error", MOODLE, question_text),
    Rule("grade", "error", MOODLE, grade),
    Rule("penalty", "error", MOODLE, penalty),
    Rule("idnumber-long", "error", MOODLE, idnumber_long),
    Rule("category", "warning", MOODLE, category),
)

OF_FILE: tuple[Rule[MoodleFile], ...] = (
    Rule("idnumber-twice", "error", MOODLE, idnumber_twice),
    Rule("no-question", "error", MOODLE, no_question),
)
