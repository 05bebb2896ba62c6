"""Canvas: a package of quizzes in its flavour of QTI 1.2, one quiz a paper.

    quiz-….xml/…  imsmanifest.xml

A quiz holds one number a question, so a row or a matrix becomes as many questions, each with all that is given. Every range that
a package has for a number is marked right on import, whatever score it says: only the accepted one is written, and what wrong
methods give is told, with what went wrong, to whoever is wrong. While a quiz is taken Canvas rounds what is typed to 4 decimals:
a number that is asked for to more places is asked for in another unit. Maths is TeX, which Canvas's MathJax shows.
Sources: canvas-lms, qti_exporter/lib/qti, lib/cc/qti, ui/features/take_quiz; text2qti issue 51.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from hashlib import sha256
from html import escape
from typing import BinaryIO, assert_never

from exactattn.document import Block, Para, Text, plain
from exactattn.errors import InputError
from exactattn.exams.exam import Exam
from exactattn.exams.model import LETTERS, Paper
from exactattn.exports import archive
from exactattn.exports.fields import Field, digits
from exactattn.exports.item import Choices, Essay, Item, Numbers, Part, Steps, of_paper
from exactattn.exports.markup import DECLARATION
from exactattn.exports.portable import Portable
from exactattn.exports.portable import plain as escaped
from exactattn.exports.sheet import Sheet
from exactattn.writers.clean import flat, pieces

DECIMALS = 4
"""To so many Canvas rounds what is typed into a field for a number."""
MOST_DIGITS = 15
"""So many digits a float keeps."""

QTI = "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"
PACKAGE = "http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1"
META = "http://canvas.instructure.com/xsd/cccv1p0"


def write(exam: Exam, file: BinaryIO, sheet: Sheet) -> None:
    """Write the exam as a package, quiz by quiz; of a quiz only its name is kept, for the manifest.

    Errors: InputError for a number that Canvas would not keep.
    """
    archive.write(file, members(exam, sheet))


def members(exam: Exam, sheet: Sheet) -> Iterator[tuple[str, bytes]]:
    """The files of the package by name, the manifest last."""
    names = []
    for paper in exam.papers:
        name = "quiz-" + _digest(exam.seed, exam.spec.title, str(paper.number))
        names.append(name)
        title = _title(exam, paper, sheet)
        items = list(of_paper(exam, paper, sheet.words))
        if exam.spec.decimal == ",":
            for item in items:
                sheet.say("canvas.comma", item.question.asked.id)
        yield f"{name}/{name}.xml", _quiz(name, title, items, sheet).encode()
        yield f"{name}/assessment_meta.xml", _meta(name, title, exam.spec.points).encode()
    yield "imsmanifest.xml", _manifest("exam-" + _digest(exam.seed, exam.spec.title), names).encode()


def _digest(*parts: str) -> str:
    return sha256("\0".join(parts).encode()).hexdigest()[:24]


def _title(exam: Exam, paper: Paper, sheet: Sheet) -> str:
    title = sheet.title or sheet.words.text("exam.untitled")
    if len(exam.papers) > 1:
        title += f" · {paper.student or sheet.words.text('exam.version', number=str(paper.number))}"
    return flat(pieces(title))


def _quiz(name: str, title: str, items: Iterable[Item], sheet: Sheet) -> str:
    questions = "".join(question for item in items for question in _Item(item, sheet).questions())
    return (
        f'{DECLARATION}<questestinterop xmlns="{QTI}">\n<assessment ident="{name}" title="{escape(title)}">\n'
        "<qtimetadata><qtimetadatafield><fieldlabel>cc_maxattempts</fieldlabel><fieldentry>1</fieldentry></qtimetadatafield>"
        f'</qtimetadata>\n<section ident="root_section">\n{questions}</section>\n</assessment>\n</questestinterop>\n'
    )


# -- questions -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Asked:
    """What one question of Canvas asks: a part or one of its fields, which `where` names, with what is said of it."""

    part: Part
    points: Fraction
    form: _Answered
    where: str = ""
    more: tuple[Block, ...] = ()


@dataclass(frozen=True, slots=True)
class _Answered:
    """How a question is answered: its type and the ids of its answers, the fields, the rules, the feedback by name."""

    type: str
    answers: tuple[str, ...]
    presentation: str
    rules: str
    feedback: dict[str, str] = field(default_factory=dict)


class _Item:
    """The questions of Canvas that an item becomes."""

    def __init__(self, item: Item, sheet: Sheet) -> None:
        self.item = item
        self.sheet = sheet
        self.how = Portable(sheet.maths or "tex")
        self.words = item.words
        self.prompt = self.how.blocks(item.prompt)

    def say(self, key: str, **parts: object) -> None:
        """Say what is lost, of the question as the spec has it."""
        self.sheet.say(key, self.item.question.asked.id, **parts)

    def questions(self) -> Iterator[str]:
        """The elements. The worked solution, which is of the whole item, goes with the last."""
        if self.item.follow_through:
            self.say("canvas.follow")
        asked = [one for part in self.item.parts for one in self._asked(part)]
        worked = self.how.blocks(self.item.solution()) if self.sheet.worked == "full" else ""
        for one in asked:
            yield self._question(one, worked if one is asked[-1] else "")

    def _asked(self, part: Part) -> Iterator[_Asked]:
        """A question for each number, choice, order or text."""
        match part.form:
            case Numbers() as numbers:
                yield from self._numbers(part, numbers)
            case Choices() as choices:
                yield _Asked(part, part.points, self._choice(choices))
            case Steps() as steps:
                lettered = tuple(Para((Text(f"{LETTERS[k]}. "), *step)) for k, step in enumerate(steps.steps))
                yield _Asked(part, part.points, self._order(steps), more=lettered)
            case Essay() as essay:
                yield _Asked(part, part.points, self._essay(essay))
            case _:
                assert_never(part.form)

    def _question(self, one: _Asked, worked: str) -> str:
        """A whole item."""
        part, made, where = one.part, one.form, one.where
        name = f"item-{_digest(self.item.id, part.id, where)}"
        title = " ".join(filter(None, (flat(pieces(self.item.title)), plain(part.lead).strip(), where)))
        body = f"{self.prompt}\n<p>{self.how.inlines(part.task)}</p>\n{self.how.blocks(one.more)}"
        if where:
            body += f"<p>{escaped(self.words.text('exports.canvas.field', label=where))}</p>"
        feedback = made.feedback | {"general_fb": made.feedback.get("general_fb", "") + worked}
        fields = {
            "question_type": made.type,
            "points_possible": digits(round(one.points * 10**5), 5),
            "original_answer_ids": ",".join(made.answers),
            "assessment_question_identifierref": f"ref-{name}",
        }
        metadata = "".join(
            f"<qtimetadatafield><fieldlabel>{label}</fieldlabel><fieldentry>{entry}</fieldentry></qtimetadatafield>"
            for label, entry in fields.items()
        )
        general = _rule("<other/>", "general_fb", "Yes") if feedback["general_fb"] else ""
        wrong = _rule("<other/>", "general_incorrect_fb", "Yes") if "general_incorrect_fb" in feedback else ""
        said = "".join(
            f'<itemfeedback ident="{ident}"><flow_mat>{_material(text)}</flow_mat></itemfeedback>\n'
            for ident, text in feedback.items()
            if text
        )
        return (
            f'<item ident="{name}" title="{escape(title)}">\n'
            f"<itemmetadata><qtimetadata>{metadata}</qtimetadata></itemmetadata>\n"
            f"<presentation>{_material(f'<div>{body}</div>')}{made.presentation}</presentation>\n"
            '<resprocessing><outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>\n'
            f"{general}{made.rules}{wrong}</resprocessing>\n{said}</item>\n"
        )

    # -- numbers -------------------------------------------------------------------------------------------------------------

    def _numbers(self, part: Part, numbers: Numbers) -> Iterator[_Asked]:
        """One question a field, with the points shared by the fields."""
        fields = numbers.fields
        if len(fields) > 1:
            self.say("canvas.split")
        if any(slip.credit for one in fields for slip in one.slips):
            self.say("canvas.credit")
        for k, one in enumerate(fields):
            shift = max(0, len(one.key.partition(".")[2]) - DECIMALS)
            more: tuple[Block, ...] = ()
            if shift:
                self.say("canvas.unit", factor=10**shift, decimals=DECIMALS)
                factor = digits(10**shift, 0)
                more = (Para(self.words.say("exports.canvas.times", factor=factor, decimals=str(DECIMALS))),)
            where = one.label if len(fields) > 1 else ""
            yield _Asked(part, part.points / len(fields), self._number(part, k, one, shift), where, more)

    def _number(self, part: Part, k: int, one: Field, shift: int) -> _Answered:
        key = int(Fraction(one.key) * 10**one.places)
        places = one.places - shift
        if len(str(abs(key) + one.units)) > MOST_DIGITS:
            raise InputError(
                "question {id!r}, {label}: {key} has more digits than Canvas keeps, which are {most}: ask for fewer places",
                id=self.item.question.asked.id, label=one.label, key=one.key, most=MOST_DIGITS,
            )  # fmt: skip
        low, middle, high = (digits(x, places) for x in (key - one.units, key, key + one.units))
        right = (
            f'<or><varequal respident="response1">{middle}</varequal><and><vargte respident="response1">{low}</vargte>'
            f'<varlte respident="response1">{high}</varlte></and></or>'
        )
        typed = '<render_fib fibtype="Decimal"><response_label ident="answer1"/></render_fib>'
        return _Answered(
            "numerical_question",
            ("1001",),
            f'<response_str ident="response1" rcardinality="Single">{typed}</response_str>',
            _rule(right, "", "No", "100"),
            self._mistakes(part, k, one, shift),
        )

    def _mistakes(self, part: Part, k: int, one: Field, shift: int) -> dict[str, str]:
        """What each wrong method gives for a field, and what is said of it: for whoever is wrong."""
        lines = []
        for wrong in self.item.question.parts[int(part.id) - 1].wrongs:
            x = Fraction(wrong.texts[k])
            if one.low <= x <= one.high:
                continue  # here the method gives what is right
            shown = digits(int(x * 10**one.places), one.places - shift) if shift else wrong.texts[k]
            lines.append(f"<li>{escaped(shown)}: {self.how.inlines(self.item.said(wrong.names))}</li>")
        if not lines:
            return {}
        lead = escaped(self.words.text("exam.mistakes"))
        return {"general_incorrect_fb": f"<p>{lead}</p><ul>{''.join(dict.fromkeys(lines))}</ul>"}

    # -- other forms -----------------------------------------------------------------------------------------------------------

    def _choice(self, choices: Choices) -> _Answered:
        ids = [str(1001 + k) for k in range(len(choices.alternatives))]
        if any(one.credit for k, one in enumerate(choices.alternatives) if k != choices.right):
            self.say("canvas.credit")
        labels = "".join(
            f'<response_label ident="{id}">{_material(self.how.inlines(one.shown))}</response_label>'
            for id, one in zip(ids, choices.alternatives, strict=True)
        )
        feedback = {
            f"{id}_fb": f"<p>{self.how.inlines(self.item.said(one.names))}</p>"
            for id, one in zip(ids, choices.alternatives, strict=True)
            if one.names
        }
        rules = "".join(_rule(_equal("response1", name.removesuffix("_fb")), name, "Yes") for name in feedback)
        rules += _rule(_equal("response1", ids[choices.right]), "", "No", "100")
        shown = f'<response_lid ident="response1" rcardinality="Single"><render_choice>{labels}</render_choice></response_lid>'
        return _Answered("multiple_choice_question", tuple(ids), shown, rules, feedback)

    def _order(self, steps: Steps) -> _Answered:
        """A matching of places with letters: what is matched holds no maths."""
        self.say("canvas.order")
        count = len(steps.right)
        ids = [str(1001 + k) for k in range(count)]
        letters = "".join(
            f'<response_label ident="{2001 + k}"><material><mattext>{LETTERS[k]}</mattext></material></response_label>'
            for k in range(count)
        )
        places = "".join(
            f'<response_lid ident="response_{id}"><material><mattext texttype="text/plain">{k}</mattext></material>'
            f"<render_choice>{letters}</render_choice></response_lid>"
            for k, id in enumerate(ids, 1)
        )
        share = digits(10000 // count, 2)
        rules = "".join(
            _rule(_equal(f"response_{id}", str(2001 + k)), "", "", share, "Add")
            for id, k in zip(ids, steps.right, strict=True)
        )
        return _Answered("matching_question", tuple(ids), places, rules)

    def _essay(self, essay: Essay) -> _Answered:
        self.say("canvas.by_hand")
        guide = f"<p><strong>{escaped(self.words.text('exports.rubric'))}</strong></p>{self.how.blocks(essay.guide)}"
        answer = '<response_label ident="answer1" rshuffle="No"/>'
        return _Answered(
            "essay_question",
            (),
            f'<response_str ident="response1" rcardinality="Single"><render_fib>{answer}</render_fib></response_str>',
            _rule("<other/>", "", "No"),
            {"general_fb": guide},
        )


def _equal(response: str, value: str) -> str:
    return f'<varequal respident="{response}">{value}</varequal>'


def _rule(condition: str, feedback: str, further: str, score: str = "", action: str = "Set") -> str:
    """A rule: where the condition holds, a score is set or added and feedback shown; whether further rules are read."""
    going_on = f' continue="{further}"' if further else ""
    scored = f'<setvar action="{action}" varname="SCORE">{score}</setvar>' if score else ""
    shown = f'<displayfeedback feedbacktype="Response" linkrefid="{feedback}"/>' if feedback else ""
    return f"<respcondition{going_on}><conditionvar>{condition}</conditionvar>{scored}{shown}</respcondition>\n"


def _material(markup: str) -> str:
    return f'<material><mattext texttype="text/html">{escape(markup, quote=False)}</mattext></material>'


# -- around the questions ------------------------------------------------------------------------------------------------------


def _meta(name: str, title: str, points: Fraction) -> str:
    """What Canvas knows of a quiz: it is not published, and its answers are shuffled."""
    total = digits(round(points * 10**5), 5)
    return (
        f'{DECLARATION}<quiz identifier="{name}" xmlns="{META}">\n<title>{escape(title)}</title>\n<description></description>\n'
        "<shuffle_answers>true</shuffle_answers>\n<scoring_policy>keep_highest</scoring_policy>\n"
        f"<quiz_type>assignment</quiz_type>\n<points_possible>{total}</points_possible>\n<allowed_attempts>1</allowed_attempts>\n"
        "<available>false</available>\n</quiz>\n"
    )


def _manifest(name: str, quizzes: Iterable[str]) -> str:
    resources = "".join(
        f'<resource identifier="{quiz}" type="imsqti_xmlv1p2"><file href="{quiz}/{quiz}.xml"/>'
        f'<dependency identifierref="meta-{quiz}"/></resource>\n'
        f'<resource identifier="meta-{quiz}" type="associatedcontent/imscc_xmlv1p1/learning-application-resource" '
        f'href="{quiz}/assessment_meta.xml"><file href="{quiz}/assessment_meta.xml"/></resource>\n'
        for quiz in quizzes
    )
    return (
        f'{DECLARATION}<manifest identifier="{name}" xmlns="{PACKAGE}">\n'
        "<metadata><schema>IMS Content</schema><schemaversion>1.1.3</schemaversion></metadata>\n<organizations/>\n"
        f"<resources>\n{resources}</resources>\n</manifest>\n"
    )
