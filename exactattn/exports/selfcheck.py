"""A page that marks in the browser: one paper, its questions with places to type, and what is said to each answer.

Marking is that of `exams.marking` but for follow-through: numbers are exact there too (BigInt fractions), read as
`exams.answers` reads them, and accepted within the same intervals. The page holds its keys, needs no network, and works by
keyboard alone. Without JavaScript questions and worked solutions are there to read.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias, assert_never

from markupsafe import Markup

from exactattn.document import Inlines, Text, plain
from exactattn.exams import places
from exactattn.exams import render as rendering
from exactattn.exams.exam import Exam
from exactattn.exams.model import LETTERS, Paper, Wrong
from exactattn.exams.model import Part as Asked
from exactattn.exports.item import Choices, Essay, Field, Item, Numbers, Part, Steps, of_paper
from exactattn.exports.sheet import Sheet
from exactattn.i18n import Messages
from exactattn.writers import html, mathml
from exactattn.writers.clean import flat, pieces

Data: TypeAlias = dict[str, Any]

SHOWN = ("check", "solution", "guide", "noscript", "letters")
"""The sentences that stand on the page."""

SAID = (
    "right", "partly", "wrong", "missing", "refused", "misconception", "hand", "points", "total", "empty", "comma", "point",
    "long", "percent", "several", "zero", "no-number", "no-letter", "letters-not-once", "letters-long",
)  # fmt: skip
"""The sentences that the page's script says."""

HOLES = {name: f"{{{name}}}" for name in ("right", "count", "awarded", "points", "entry", "text", "why")}
"""What the script fills in."""


def page(exam: Exam, paper: Paper, sheet: Sheet) -> bytes:
    """The page of one paper."""
    words = sheet.words
    found = list(of_paper(exam, paper, words))
    for one in found:
        if one.follow_through:
            sheet.say("selfcheck.follow", one.question.asked.id)
    version = words.text("exam.version", number=str(paper.number))
    feedback = _Feedback()
    # in JSON a tag is never closed: every "<" goes by its code
    data = json.dumps(_data(found, exam.spec.decimal, words, feedback), ensure_ascii=False).replace("<", "\\u003c")
    out = html.page_of(
        "html/selfcheck.html", words.lang, f"{exam.spec.title or words.text('exam.untitled')} · {version}",
        "html/selfcheck.css", "html/selfcheck.js",
        heading=flat(pieces(exam.spec.title or words.text("exam.untitled"))),
        meta=html.phrase(words.say("exam.version", number=str(paper.number))),
        student=flat(pieces(paper.student)),
        questions=[_question(one, k, exam.spec.decimal, words) for k, one in enumerate(found, 1)],
        words={name: words.text(f"exports.selfcheck.{name}") for name in SHOWN},
        sayings=feedback.shown,
        data=Markup(data),
    )  # fmt: skip
    return out.encode()


# -- what is seen ------------------------------------------------------------------------------------------------------------


def _question(one: Item, k: int, decimal: str, words: Messages) -> Data:
    name = plain(one.words.say(f"exam.kind.{one.kind}.name"))
    return {
        "id": f"q{k}",
        "label": words.text("exam.question", number=str(k)),
        "name": name,
        "points": html.phrase(words.say("exam.points", points=str(one.points)) if one.points != 1 else words.say("exam.point")),
        "prompt": html.fragments(rendering.setting(one.question, words, decimal), 3),
        "parts": [_part(part, f"q{k}p{part.id}", words) for part in one.parts],
        "solution": html.fragments(one.solution(), 4),
    }  # fmt: skip


def _part(part: Part, id: str, words: Messages) -> Data:
    out: Data = {"id": id, "task": html.phrase(part.task), "form": "", "guide": ""}
    match part.form:
        case Numbers() as numbers:
            out |= {"form": "numbers", "head": numbers.columns if len(numbers.columns) > 1 or not numbers.row_names else (),
                    "rows": _rows(numbers, id)}  # fmt: skip
        case Choices(alternatives=alternatives):
            shown = [_shown(LETTERS[k], one.shown) for k, one in enumerate(alternatives)]
            out |= {"form": "choice", "options": shown}
        case Steps(steps=steps):
            out |= {"form": "order", "options": [_shown(LETTERS[k], one) for k, one in enumerate(steps)]}
        case Essay(guide=guide, lines=lines):
            out |= {"form": "text", "guide": html.fragments(guide, 4), "lines": lines}
        case _ as other:
            assert_never(other)
    return out


def _shown(letter: str, items: Inlines) -> Data:
    return {"letter": letter, "text": html.phrase(items)}


def _rows(numbers: Numbers, id: str) -> list[Data]:
    """The table's rows: each cell a place to type, or what is printed in it."""
    names = numbers.row_names or ("",) * len(numbers.cells)
    place = iter(range(len(numbers.fields)))
    rows = []
    for name, row in zip(names, numbers.cells, strict=True):
        cells: list[Data] = []
        for cell in row:
            if isinstance(cell, Field):
                cells.append({"id": f"{id}e{next(place)}", "label": flat(pieces(cell.label))})
            else:
                cells.append({"id": "", "text": Markup(mathml.inline(cell))})
        rows.append({"name": flat(pieces(name)), "cells": cells})
    return rows


# -- what is marked ----------------------------------------------------------------------------------------------------------


class _Feedback:
    """Each sentence once, typeset: the script says it by its number."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        return self._numbers.setdefault(text, len(self._numbers))

    @property
    def shown(self) -> list[Markup]:
        return [html.phrase(places.with_symbols((Text(text),))) for text in self._numbers]


def _data(found: Sequence[Item], decimal: str, words: Messages, feedback: _Feedback) -> Data:
    return {
        "decimal": decimal,
        "words": {name: words.text(f"exports.selfcheck.{name}", **HOLES) for name in SAID},
        "questions": [
            [_marked(one, part, asked, feedback) for part, asked in zip(one.parts, one.question.parts, strict=True)]
            for one in found
        ],
    }


def _marked(one: Item, part: Part, asked: Asked, feedback: _Feedback) -> Data:
    """What the script marks a part by. Fractions are pairs of whole numbers, as texts."""
    out: Data = {"points": _pair(part.points)}
    match part.form:
        case Numbers(fields=fields):
            out |= {
                "form": "numbers",
                "percent": asked.ask == "weights",
                "entries": [[_pair(entry.key - entry.tolerance), _pair(entry.key + entry.tolerance)] for entry in asked.entries],
                "labels": [field.label for field in fields],
                "wrongs": [_wrong(one, wrong, feedback) for wrong in asked.wrongs],
            }  # fmt: skip
        case Choices(alternatives=alternatives, right=right):
            out |= {
                "form": "choice",
                "right": right,
                "options": [
                    {
                        "credit": _pair(option.credit),
                        "feedback": feedback.number(one.feedback(option.names)) if option.names else None,
                    }
                    for option in alternatives
                ],
            }
        case Steps(right=order):
            out |= {"form": "order", "right": list(order)}
        case Essay():
            out |= {"form": "text"}
        case _ as other:
            assert_never(other)
    return out


def _wrong(one: Item, wrong: Wrong, feedback: _Feedback) -> Data:
    return {
        "feedback": feedback.number(one.feedback(wrong.names)),
        "credit": _pair(one.question.credit_of(wrong.names)),
        "intervals": [[_pair(low), _pair(high)] for low, high in wrong.intervals],
    }


def _pair(x: Fraction) -> list[str]:
    return [str(x.numerator), str(x.denominator)]
