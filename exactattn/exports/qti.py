"""An exam as a QTI 2.1 content package: an item for each variant, a test that draws one of each question, the manifest.

    items/….xml  test.xml  imsmanifest.xml

The papers of single students do not appear: who draws which variant is for the learning system. Where a part that others follow
from is left empty, nothing follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from typing import BinaryIO

from exactattn.exams.exam import Exam
from exactattn.exams.model import Question, Rubric
from exactattn.exports import archive
from exactattn.exports.item import Item, item
from exactattn.exports.markup import Element, document, element
from exactattn.exports.qti3 import third
from exactattn.exports.qti_item import INSTANCE, NAMESPACE, SCHEMA, Solved, assessment_item
from exactattn.exports.sheet import Sheet
from exactattn.i18n import Messages
from exactattn.writers.clean import flat, pieces

PACKAGING = "http://www.imsglobal.org/xsd/imscp_v1p1"
PACKAGING_SCHEMA = "http://www.imsglobal.org/xsd/qti/qtiv2p1/qtiv2p1_imscpv1p2_v1p0.xsd"

TEST, MANIFEST = "test.xml", "imsmanifest.xml"


@dataclass(slots=True)
class _Contents:
    """What a package holds, question by question: identifiers of the variants, and how many of them a paper has."""

    identifiers: dict[str, dict[str, None]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)


def write(exam: Exam, file: BinaryIO, sheet: Sheet) -> None:
    """The exam as a QTI 2.1 package, written item by item."""
    archive.write(file, ((name, document(root)) for name, root in roots(exam, sheet, "modal")))


def write3(exam: Exam, file: BinaryIO, sheet: Sheet) -> None:
    """The exam as a QTI 3.0 package: the same items in the names of version 3."""
    archive.write(file, ((name, document(third(root))) for name, root in roots(exam, sheet, "block")))


def roots(exam: Exam, sheet: Sheet, solved: Solved) -> Iterator[tuple[str, Element]]:
    """The files of the QTI 2.1 package by name, the test and the manifest last."""
    contents = _Contents()
    where: Solved = solved if sheet.worked == "full" else "none"
    for question, one in _questions(exam, sheet.words):
        identifier = identifier_of(one.id)
        known = contents.identifiers.setdefault(question.asked.id, {})
        contents.counts[question.asked.id] = question.asked.count
        if identifier not in known:
            known[identifier] = None
            _say(exam, question, one, sheet)
            yield (
                href(identifier),
                assessment_item(question, one, identifier, decimal=exam.spec.decimal, solved=where),
            )
    name = identifier_of(f"exam-{sha256(exam.seed.encode()).hexdigest()[:16]}")
    yield TEST, _test(name, sheet.title or sheet.words.text("exam.untitled"), contents)
    yield MANIFEST, _manifest(name, [one for found in contents.identifiers.values() for one in found])


def _questions(exam: Exam, words: Messages) -> Iterator[tuple[Question, Item]]:
    for paper in exam.papers:
        for question in paper.questions:
            number = (paper.number - 1) * question.asked.count + question.number
            yield question, item(question, words, exam.seed, number, exam.spec.title, exam.spec.decimal)


def _say(exam: Exam, question: Question, one: Item, sheet: Sheet) -> None:
    """What QTI does not carry of a question."""
    asked = question.asked.id
    if one.follow_through:
        sheet.say("qti.follow", asked)
    if any(isinstance(part.form, Rubric) for part in question.parts):
        sheet.say("qti.by_hand", asked)
    if exam.spec.decimal == "," and any(part.form is None for part in question.parts):
        sheet.say("qti.comma", asked)


def identifier_of(name: str) -> str:
    """A name as an identifier of QTI: a letter first, then letters, digits, "-", "_" of ASCII; different for different names.

    >>> identifier_of("softmax-0f"), identifier_of("第一题")
    ('q-softmax-0f', 'q-----9930537e')
    """
    tidy = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in name)
    return f"q-{tidy}" if tidy == name else f"q-{tidy[:40]}-{sha256(name.encode()).hexdigest()[:8]}"


def href(identifier: str) -> str:
    """Where an item lies in the package."""
    return f"items/{identifier}.xml"


# -- the test and the manifest -----------------------------------------------------------------------------------------------


def _test(name: str, title: str, contents: _Contents) -> Element:
    """One attempt at each question, in order, each drawn among its variants; feedback is shown; scores are added up."""
    sections = (
        element(
            "assessmentSection",
            element("selection", select=str(min(contents.counts[asked], len(found)))),
            *(element("assessmentItemRef", identifier=one, href=href(one)) for one in found),
            identifier=f"section-{k}",
            title=flat(pieces(asked)),
            visible="false",
        )
        for k, (asked, found) in enumerate(contents.identifiers.items(), 1)
    )
    zero = element("defaultValue", element("value", "0"))
    adding = element("sum", element("testVariables", variableIdentifier="SCORE"))
    return element(
        "assessmentTest",
        element("outcomeDeclaration", zero, identifier="SCORE", cardinality="single", baseType="float"),
        element(
            "testPart",
            element("itemSessionControl", maxAttempts="1", showFeedback="true"),
            *sections,
            identifier="part-1",
            navigationMode="nonlinear",
            submissionMode="individual",
        ),
        element("outcomeProcessing", element("setOutcomeValue", adding, identifier="SCORE")),
        **{
            "xmlns": NAMESPACE,
            "xmlns:xsi": INSTANCE,
            "xsi:schemaLocation": f"{NAMESPACE} {SCHEMA}",
            "identifier": name,
            "title": flat(pieces(title)),
            "toolName": "exactattn",
        },
    )


def _manifest(name: str, identifiers: Iterable[str]) -> Element:
    found = tuple(identifiers)
    return element(
        "manifest",
        element("metadata", element("schema", "QTIv2.1 Package"), element("schemaversion", "1.0.0")),
        element("organizations"),
        element(
            "resources",
            element(
                "resource",
                element("file", href=TEST),
                *(element("dependency", identifierref=one) for one in found),
                identifier=f"test-{name}",
                type="imsqti_test_xmlv2p1",
                href=TEST,
            ),
            *(
                element(
                    "resource",
                    element("file", href=href(one)),
                    identifier=one,
                    type="imsqti_item_xmlv2p1",
                    href=href(one),
                )
                for one in found
            ),
        ),
        **{
            "xmlns": PACKAGING,
            "xmlns:xsi": INSTANCE,
            "xsi:schemaLocation": f"{PACKAGING} {PACKAGING_SCHEMA}",
            "identifier": f"manifest-{name}",
        },
    )
