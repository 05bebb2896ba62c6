"""All rules, by what they look at."""

from __future__ import annotations

from typing import Any

from exactattn.exports.lint import package, schema, source
from exactattn.exports.lint.canvas import numbers as canvas_numbers
from exactattn.exports.lint.canvas import questions
from exactattn.exports.lint.canvas.item import CanvasItem
from exactattn.exports.lint.finding import Rule
from exactattn.exports.lint.moodle import answers, embedded, fields, gaps, headers, matching, numbers, truefalse
from exactattn.exports.lint.moodle.file import MoodleFile, Question
from exactattn.exports.lint.qti import body, marking, references, values
from exactattn.exports.lint.qti.item import Item
from exactattn.exports.lint.tree import Node

OF_SOURCE = source.RULES
MOODLE_QUESTION: tuple[Rule[Question], ...] = (
    *headers.RULES, *numbers.RULES, *answers.RULES, *truefalse.RULES, *matching.RULES, *gaps.RULES, *fields.RULES,
    *embedded.RULES,
)  # fmt: skip
MOODLE_FILE: tuple[Rule[MoodleFile], ...] = headers.OF_FILE
QTI_ITEM: tuple[Rule[Item], ...] = (*references.RULES, *values.RULES, *marking.RULES, *body.RULES)
CANVAS_ITEM: tuple[Rule[CanvasItem], ...] = (*questions.RULES, *canvas_numbers.RULES)
CANVAS_FILE: tuple[Rule[Node], ...] = questions.OF_FILE
OF_PACKAGE = package.RULES
OF_SCHEMA = schema.RULES

RULES: tuple[Rule[Any], ...] = (
    *OF_SOURCE, *MOODLE_QUESTION, *MOODLE_FILE, *QTI_ITEM, *CANVAS_ITEM, *CANVAS_FILE, *OF_PACKAGE, *OF_SCHEMA,
)  # fmt: skip
"""Every rule. Two rules may share a name, and its sentences, where they say the same of different kinds of files."""
