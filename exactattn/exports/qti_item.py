"""A question as a QTI 2.1 assessment item: declarations, body, response processing, feedbacks.

The body holds only blocks; a numeric matrix is a table of text entries. The rubric of a text stands in a block that scorers
see. After the attempt a modal feedback works the question out, and one more speaks to each wrong method that was seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, TypeAlias, assert_never

from exactattn.document import Text
from exactattn.exams.model import Design, Part, Question
from exactattn.exports import qti_rules, xhtml
from exactattn.exports.item import Cell, Choices, Essay, Field, Item, Numbers, Steps
from exactattn.exports.item import Part as Asked
from exactattn.exports.markup import Element, Node, element
from exactattn.exports.qti_marking import marking
from exactattn.exports.qti_rules import base_value, set_to
from exactattn.exports.qti_variables import HIDDEN, SHOWN, Marking, option, response
from exactattn.i18n import Messages
from exactattn.writers.clean import flat, pieces
from exactattn.writers.html import LANGUAGES

NAMESPACE = "http://www.imsglobal.org/xsd/imsqti_v2p1"
SCHEMA = "http://www.imsglobal.org/xsd/qti/qtiv2p1/imsqti_v2p1p2.xsd"
INSTANCE = "http://www.w3.org/2001/XMLSchema-instance"

_DIGITS = "[0-9]{1,30}"
MASKS = {
    sign: rf"\s*[+\-]?({_DIGITS}({point}[0-9]{{0,30}})?|{point}{_DIGITS})([eE][+\-]?[0-9]{{1,2}})?\s*"
    for sign, point in ((".", r"\."), (",", "[.,]"))
}
"""What may be typed for a number, by the decimal sign of the exam: what players would read wrongly is refused as it is typed."""

SOLUTION = "SOLUTION"


Solved: TypeAlias = Literal["modal", "block", "none"]
"""Where the worked solution is shown after the attempt: over the page, below the question, or nowhere.

What a player does not know it may show at once, and of version 2.1 few know blocks of feedback: there it is modal.
"""


def assessment_item(
    question: Question, item: Item, identifier: str, *, decimal: str = ".", solved: Solved = "modal"
) -> Element:
    """The item, under an identifier that the package gives it; `decimal` is the exam's sign before decimals."""
    marks = marking(question, item)
    lang = LANGUAGES.get(item.words.lang, item.words.lang)
    return element(
        "assessmentItem",
        *marks.responses,
        *_scores(item, solved),
        *marks.outcomes,
        _body(question, item, MASKS[decimal], solved),
        element("responseProcessing", *marks.processing, *_solving(solved)),
        *_feedbacks(item, marks, solved),
        **{
            "xmlns": NAMESPACE,
            "xmlns:xsi": INSTANCE,
            "xsi:schemaLocation": f"{NAMESPACE} {SCHEMA}",
            "identifier": identifier,
            "title": flat(pieces(item.title)),
            "adaptive": "false",
            "timeDependent": "false",
            "xml:lang": lang,
            "toolName": "exactattn",
        },
    )


def _scores(item: Item, solved: Solved) -> Iterator[Element]:
    points = qti_rules.decimal(item.points) if 10**12 % item.points.denominator == 0 else f"{float(item.points)!r}"
    for name, value in (("SCORE", "0"), ("MAXSCORE", points)):
        yield element(
            "outcomeDeclaration",
            element("defaultValue", element("value", value)),
            identifier=name,
            cardinality="single",
            baseType="float",
        )
    if solved != "none":
        hidden = element("defaultValue", element("value", HIDDEN))
        yield element("outcomeDeclaration", hidden, identifier=SOLUTION, cardinality="single", baseType="identifier")


def _solving(solved: Solved) -> tuple[Element, ...]:
    return () if solved == "none" else (set_to(SOLUTION, base_value("identifier", SHOWN)),)


# -- the body ----------------------------------------------------------------------------------------------------------------


def _body(question: Question, item: Item, mask: str, solved: Solved) -> Element:
    parts = (
        block
        for k, (asked, part) in enumerate(zip(question.parts, item.parts, strict=True))
        for block in _part(k, asked, part, mask, item.words)
    )
    worked = [_solution("feedbackBlock", item)] if solved == "block" else []
    return element("itemBody", element("div", *xhtml.blocks(item.prompt)), *parts, *worked)


def _part(k: int, asked: Part, part: Asked, mask: str, words: Messages) -> Iterator[Element]:
    task = part.task
    match part.form:
        case Numbers() as numbers:
            yield element("div", element("p", *xhtml.inlines(task)), *_numbers(k, numbers, mask))
        case Choices(alternatives=alternatives):
            yield element(
                "choiceInteraction",
                element("prompt", *xhtml.inlines(task)),
                *(
                    element("simpleChoice", *xhtml.inlines(one.shown), identifier=option(n), fixed="true")
                    for n, one in enumerate(alternatives)
                ),
                responseIdentifier=response(k),
                shuffle="false",
                maxChoices="1",
            )
        case Steps(steps=steps):
            yield element(
                "orderInteraction",
                element("prompt", *xhtml.inlines(task)),
                *(element("simpleChoice", *xhtml.inlines(one), identifier=option(n)) for n, one in enumerate(steps)),
                responseIdentifier=response(k),
                shuffle="false",
            )
        case Essay() if isinstance(asked.form, Design):
            # worked by the player: no guide for scorers, which would be a good answer
            cells = [
                element("p", *xhtml.inlines((Text(f"{entry.label} = "),)), _entry(k, n, mask))
                for n, entry in enumerate(asked.entries)
            ]
            decimals = words.say("exports.decimals")
            yield element("div", element("p", *xhtml.inlines(task)), element("p", *xhtml.inlines(decimals)), *cells)
        case Essay(guide=guide, lines=lines):
            yield element("rubricBlock", *xhtml.blocks(guide), view="scorer")
            yield element(
                "extendedTextInteraction",
                element("prompt", *xhtml.inlines(task)),
                responseIdentifier=response(k),
                expectedLines=str(lines),
            )
        case _ as other:
            assert_never(other)


def _numbers(k: int, numbers: Numbers, mask: str) -> Iterator[Element]:
    """The places to fill: one, a line of them, or a table with the names of rows and columns."""
    places = {id(cell): n for n, cell in enumerate(numbers.fields)}

    def shown(cell: Cell) -> tuple[Node, ...]:
        return (_entry(k, places[id(cell)], mask),) if isinstance(cell, Field) else xhtml.cell(cell)

    if not numbers.row_names or len(numbers.fields) == 1:
        for cell in numbers.fields:
            yield element("p", *xhtml.inlines((Text(f"{cell.label} = "),)), *shown(cell))
        return
    head = element("tr", element("td"), *(element("th", *xhtml.inlines((Text(name),))) for name in numbers.columns))
    rows = (
        element("tr", element("th", *xhtml.inlines((Text(name),))), *(element("td", *shown(cell)) for cell in row))
        for name, row in zip(numbers.row_names, numbers.cells, strict=True)
    )
    yield element("table", element("thead", head), element("tbody", *rows))


def _entry(k: int, n: int, mask: str) -> Element:
    return element("textEntryInteraction", responseIdentifier=response(k, n), expectedLength="10", patternMask=mask)


# -- feedback ----------------------------------------------------------------------------------------------------------------


def _feedbacks(item: Item, marks: Marking, solved: Solved) -> Iterator[Element]:
    for one in marks.told:
        said = element("p", *xhtml.inlines((Text(item.feedback(one.names)),)))
        yield _feedback("modalFeedback", one.outcome, one.value, said)
    if solved == "modal":
        yield _solution("modalFeedback", item)


def _solution(name: str, item: Item) -> Element:
    return _feedback(name, SOLUTION, SHOWN, *xhtml.blocks(item.solution()))


def _feedback(name: str, outcome: str, value: str, *content: Element) -> Element:
    return element(name, *content, outcomeIdentifier=outcome, identifier=value, showHide="show")
