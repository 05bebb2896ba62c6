"""Moodle XML: numerical, multichoice, cloze, ordering and essay questions, written one by one.

A question of one number is numerical, one choice is multichoice; several numbers, or several parts, are one cloze question,
a row or matrix as a table. An order is Moodle's ordering question, whose credit is that of pairs that follow one another as
they should. Texts, and numbers of the student's own, are essays with a guide for graders.

Moodle takes the first answer whose interval holds the number: here the key, then each wrong method, then everything else; no
two intervals meet. Maths is MathML, which browsers show by themselves.
Sources: question/format/xml/format.php, question/type/{numerical,multianswer,ordering} of Moodle 4.5.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from html import escape
from itertools import groupby
from typing import BinaryIO, Literal, TypeAlias, assert_never

from exactattn.document import plain
from exactattn.exports.fields import Field
from exactattn.exports.item import Choices, Essay, Form, Item, Numbers, Part, Steps
from exactattn.exports.moodle_answers import intervals, rounded, share, weights
from exactattn.exports.portable import Portable
from exactattn.exports.portable import plain as escaped
from exactattn.exports.sheet import Sheet
from exactattn.writers.clean import flat, pieces

NAME_BYTES = 42
"""The importer of ordering questions cuts a longer name, in the middle of a character."""

Kind: TypeAlias = Literal["numerical", "multichoice", "cloze", "ordering", "essay"]

HEAD = b'<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n'
FOOT = b"</quiz>\n"


def write(items: Iterable[Item], file: BinaryIO, sheet: Sheet) -> None:
    """Write the items into the file as they come; nothing of them is kept.

    Errors: InputError for a number whose key or intervals Moodle would not tell apart.
    """
    file.write(HEAD)
    category: tuple[str, ...] = ()
    for item in items:
        if item.category != category:
            category = item.category
            file.write(_category(category).encode())
        for text in questions(item, sheet):
            file.write(text.encode())
    file.write(FOOT)


def questions(item: Item, sheet: Sheet) -> Iterator[str]:
    """The item as one question, or as several where no question of Moodle holds all of its parts."""
    how = Portable(sheet.maths or "mathml")
    prompt = how.blocks(item.prompt)
    groups = grouped(item)
    if item.follow_through:
        sheet.say("moodle.follow", item.question.asked.id)
    for kind, parts in groups:
        made = _Question(item, sheet, how, kind, parts, f"-{parts[0].id}" if len(groups) > 1 else "")
        yield made.xml(prompt)


def grouped(item: Item) -> list[tuple[Kind, tuple[Part, ...]]]:
    """The questions that an item becomes: their kinds, and the parts that go into each."""
    out: list[tuple[Kind, tuple[Part, ...]]] = []
    for kind, found in groupby(item.parts, lambda part: _alone(part.form)):
        parts = tuple(found)
        if kind in ("ordering", "essay"):
            out += [(kind, (part,)) for part in parts]
        else:
            out.append((kind if len(parts) == 1 else "cloze", parts))
    # numbers and choices side by side are one cloze question
    merged: list[tuple[Kind, tuple[Part, ...]]] = []
    for kind, parts in out:
        if merged and kind not in ("ordering", "essay") and merged[-1][0] not in ("ordering", "essay"):
            merged[-1] = ("cloze", (*merged[-1][1], *parts))
        else:
            merged.append((kind, parts))
    return merged


def _alone(form: Form) -> Kind:
    """The question that a part is by itself."""
    match form:
        case Numbers():
            return "numerical" if len(form.fields) == 1 else "cloze"
        case Choices():
            return "multichoice"
        case Steps():
            return "ordering"
        case Essay():
            return "essay"
        case _:
            assert_never(form)


@dataclass(frozen=True, slots=True)
class _Question:
    """One question of Moodle in the making."""

    item: Item
    sheet: Sheet
    how: Portable
    kind: Kind
    parts: tuple[Part, ...]
    suffix: str

    def xml(self, prompt: str) -> str:
        """The whole element."""
        item, part = self.item, self.parts[0]
        body, answers = "", ""
        match self.kind:
            case "cloze":
                body = self._cloze()
            case "numerical":
                answers = self._numerical(part)
            case "multichoice":
                answers = self._multichoice(part)
            case "ordering":
                answers = self._ordering(part)
            case "essay":
                answers = self._essay(part)
            case _:
                assert_never(self.kind)
        if self.kind != "cloze":
            body = f"<p>{self.how.inlines(part.task)}</p>"
            points = sum((one.points for one in self.parts), Fraction(0))
            answers = f"<defaultgrade>{rounded(points)}</defaultgrade>\n{answers}"
        solution = self.how.blocks(item.solution()) if self.sheet.worked == "full" else ""
        return (
            f'<question type="{self.kind}">\n<name><text>{escape(self._name(), quote=False)}</text></name>\n'
            f'<questiontext format="html">{_html(f"{prompt}{chr(10)}{body}")}</questiontext>\n'
            f'<generalfeedback format="html">{_html(solution)}</generalfeedback>\n'
            f"<penalty>0.3333333</penalty>\n<hidden>0</hidden>\n<idnumber>{escape(item.id + self.suffix)}</idnumber>\n"
            f"{answers}{_tags(item.tags)}\n</question>\n"
        )

    def _name(self) -> str:
        name = flat(pieces(self.item.title)) + (f" {plain(self.parts[0].lead).strip()}" if self.suffix else "")
        if self.kind == "ordering" and len(name.encode()) > NAME_BYTES:
            asked = self.item.question.asked.id
            while len(f"{asked} {self.item.number}{self.suffix}".encode()) > NAME_BYTES:
                asked = asked[:-1]
            return f"{asked} {self.item.number}{self.suffix}"
        return name

    # -- numbers -------------------------------------------------------------------------------------------------------------

    def _numerical(self, part: Part) -> str:
        assert isinstance(part.form, Numbers)
        (field,) = part.form.fields
        rows = [
            f'<answer fraction="{percent}" format="moodle_auto_format"><text>{number}</text>'
            f'<feedback format="html">{_html(self._said(names))}</feedback><tolerance>{reach}</tolerance></answer>\n'
            for number, reach, percent, names in intervals(field, self.item, self.sheet)
        ]
        rest = '<answer fraction="0" format="moodle_auto_format"><text>*</text><feedback format="html"><text></text></feedback>'
        units = "<unitgradingtype>0</unitgradingtype>\n<unitpenalty>0.1</unitpenalty>\n<showunits>3</showunits>\n"
        return f"{''.join(rows)}{rest}<tolerance>0</tolerance></answer>\n{units}<unitsleft>0</unitsleft>\n"

    def _cloze(self) -> str:
        """The tasks with their fields. Moodle's weights are whole numbers: the points, or what is in proportion to them."""
        weighed = weights(self.parts, self.item, self.sheet)
        out: list[str] = []
        for part, weight in zip(self.parts, weighed, strict=True):
            out.append(f"<p>{self.how.inlines(part.task)}</p>")
            match part.form:
                case Numbers() as numbers:
                    out.append(self._table(numbers, weight))
                case Choices() as choices:
                    out.append(f"<div>{self._options(choices, weight)}</div>")
                case _:
                    raise AssertionError(f"{part.form} in a cloze question")
        return "\n".join(out)

    def _table(self, numbers: Numbers, weight: int) -> str:
        """The fields in a table with the names of rows and columns; without names of rows one after the other."""
        shown = [
            [self._embedded(cell, weight) if isinstance(cell, Field) else self.how.math(cell) for cell in row]
            for row in numbers.cells
        ]
        if not numbers.row_names:
            line = " &#160; ".join(
                f"{escaped(field.label)} = {text}" for field, text in zip(numbers.fields, shown[0], strict=True)
            )
            return f"<p>{line}</p>"
        cell = 'style="padding:.2em .5em;text-align:center"'
        head = "".join(f"<th {cell}>{self.how.token(name)}</th>" for name in numbers.columns)
        rows = "".join(
            f"<tr><th {cell}>{self.how.token(name)}</th>{''.join(f'<td {cell}>{text}</td>' for text in row)}</tr>"
            for name, row in zip(numbers.row_names, shown, strict=True)
        )
        return f"<table><thead><tr><th></th>{head}</tr></thead><tbody>{rows}</tbody></table>"

    def _embedded(self, field: Field, weight: int) -> str:
        """A field within a cloze question."""
        (key, reach, *_), *slips = intervals(field, self.item, self.sheet)
        wrong = "".join(
            f"~%{percent}%{x}:{t}#{_embedded(escaped(self.item.feedback(names)))}" for x, t, percent, names in slips
        )
        return f"{{{weight}:NUMERICAL:={key}:{reach}{wrong}~%0%*}}"

    # -- choices, orders, texts ----------------------------------------------------------------------------------------------

    def _options(self, choices: Choices, weight: int) -> str:
        """A choice within a cloze question, its options below each other: drop-downs show no maths."""
        out = []
        for k, (text, percent, said) in enumerate(self._alternatives(choices)):
            lead = "=" if k == choices.right else f"%{percent}%"
            out.append(f"{lead}{_embedded(text)}" + (f"#{_embedded(said)}" if said else ""))
        return f"{{{weight}:MULTICHOICE_VS:{'~'.join(out)}}}"

    def _alternatives(self, choices: Choices) -> list[tuple[str, str, str]]:
        """Each option as HTML, its share in per cent, and its feedback."""
        return [
            (
                self.how.inlines(one.shown),
                "100" if k == choices.right else share(one.credit, self.item, self.sheet),
                self._said(one.names),
            )
            for k, one in enumerate(choices.alternatives)
        ]

    def _said(self, names: tuple[str, ...]) -> str:
        """What is said to an answer of these wrong methods, if any. (Of a field in a cloze question it pops up as plain text.)"""
        return self.how.inlines(self.item.said(names)) if names else ""

    def _multichoice(self, part: Part) -> str:
        assert isinstance(part.form, Choices)
        rows = "".join(
            f'<answer fraction="{percent}" format="html">{_html(text)}<feedback format="html">{_html(said)}</feedback></answer>\n'
            for text, percent, said in self._alternatives(part.form)
        )
        settings = (
            "<single>true</single>\n<shuffleanswers>true</shuffleanswers>\n<answernumbering>ABCD</answernumbering>\n"
        )
        return f"{settings}<showstandardinstruction>0</showstandardinstruction>\n{_combined()}{rows}"

    def _ordering(self, part: Part) -> str:
        steps = part.form
        assert isinstance(steps, Steps)
        rows = "".join(
            f'<answer fraction="{place}" format="html">{_html(self.how.inlines(steps.steps[k]))}</answer>\n'
            for place, k in enumerate(steps.right, 1)
        )
        settings = (
            f"<layouttype>VERTICAL</layouttype>\n<selecttype>ALL</selecttype>\n<selectcount>{len(steps.steps)}</selectcount>\n"
            "<gradingtype>RELATIVE_NEXT_EXCLUDE_LAST</gradingtype>\n<showgrading>SHOW</showgrading>\n"
        )
        return f"{settings}{_combined()}{rows}"

    def _essay(self, part: Part) -> str:
        assert isinstance(part.form, Essay)
        self.sheet.say("moodle.by_hand", self.item.question.asked.id)
        guide = f"<p><strong>{escaped(self.item.words.text('exports.rubric'))}</strong></p>{self.how.blocks(part.form.guide)}"
        return (
            "<responseformat>editor</responseformat>\n<responserequired>1</responserequired>\n"
            f"<responsefieldlines>{max(5, part.form.lines)}</responsefieldlines>\n<attachments>0</attachments>\n"
            f'<attachmentsrequired>0</attachmentsrequired>\n<graderinfo format="html">{_html(guide)}</graderinfo>\n'
            '<responsetemplate format="html"><text></text></responsetemplate>\n'
        )


# -- pieces of the file --------------------------------------------------------------------------------------------------------


def _category(path: Sequence[str]) -> str:
    """The category that the next questions go into, below the top one of the course."""
    names = "/".join(map(_category_name, path))
    text = f"<text>$course$/top/{escape(names, quote=False)}</text>"
    return f'<question type="category">\n<category>{text}</category>\n</question>\n'


def _category_name(name: str) -> str:
    """A name as one part of a path. Moodle strips what looks like a tag; a slash is doubled, and kept off the path's own.

    >>> _category_name("a/b <i>"), _category_name("/etc")
    ('a//b ＜i＞', ' //etc')
    """
    shown = flat(pieces(name)).replace("<", "＜").replace(">", "＞").strip()[:200] or "?"
    out = shown.replace("/", "//")
    return f"{' ' * shown.startswith('/')}{out}{' ' * shown.endswith('/')}"


@lru_cache(1024)  # variants of a question have the same ones
def _tags(tags: Sequence[str]) -> str:
    return f"<tags>{''.join(f'<tag><text>{escape(tag)}</text></tag>' for tag in tags)}</tags>"


def _html(markup: str) -> str:
    """HTML as the content of a text element; what escaped text cannot hold ends no CDATA section."""
    return f"<text><![CDATA[{markup.replace(']]>', ']]&gt;')}]]></text>" if markup else "<text></text>"


_EMBEDDED = str.maketrans({"&": "&amp;", **{c: f"&#{ord(c)};" for c in "{}~#\\"}})


@lru_cache(1024)  # the same feedback stands in many fields
def _embedded(markup: str) -> str:
    """HTML within a field of a cloze question: the importer decodes entities once, and ~, # and } would end the answer."""
    return markup.translate(_EMBEDDED)


def _combined() -> str:
    names = ("correctfeedback", "partiallycorrectfeedback", "incorrectfeedback")
    return "".join(f'<{name} format="html"><text></text></{name}>\n' for name in names)
