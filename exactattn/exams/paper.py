"""A paper as documents: the sheets for the student, the key and the worked solutions for the teacher."""

from __future__ import annotations

from fractions import Fraction

from exactattn.document import (
    Blank,
    Block,
    Document,
    Inlines,
    Math,
    Op,
    Para,
    Section,
    Table,
    TableCell,
    Text,
    Token,
    Word,
)
from exactattn.exams import places, render
from exactattn.exams.model import Design, Paper, Part, Question, key_of
from exactattn.exams.spec import Spec
from exactattn.i18n import Messages, messages
from exactattn.present import notation


def sheets(paper: Paper, spec: Spec, lang: str) -> Document:
    """What the student gets: no key, no seed, nobody else's name."""
    words = messages(lang)
    sections = tuple(
        _section(question, k, words, render.statement(question, words, spec.decimal))
        for k, question in enumerate(paper.questions, 1)
    )
    blank = words.say("exam.student_blank", blank=Math(Blank(24)))
    return _document(paper, spec, words, title(spec, words), sections, blank)


def key(paper: Paper, spec: Spec, lang: str) -> Document:
    """Every asked entry with its key and tolerance."""
    words = messages(lang)
    sections = tuple(
        _section(question, k, words, tuple(_keys(question, part, words) for part in question.parts))
        for k, question in enumerate(paper.questions, 1)
    )
    return _document(paper, spec, words, words.text("exam.keys", title=title(spec, words)), sections)


def solutions(paper: Paper, spec: Spec, lang: str) -> Document:
    """Every question worked in full, with what wrong methods give."""
    words = messages(lang)
    sections = tuple(
        _section(question, k, words, render.solution(question, words)) for k, question in enumerate(paper.questions, 1)
    )
    return _document(paper, spec, words, words.text("exam.solutions", title=title(spec, words)), sections)


def title(spec: Spec, words: Messages) -> str:
    """The title of the spec, or the word for an exam."""
    return spec.title or words.text("exam.untitled")


def _document(
    paper: Paper, spec: Spec, words: Messages, heading: str, sections: tuple[Block, ...], blank: Inlines = ()
) -> Document:
    version = words.say("exam.version", number=str(paper.number))
    who: Inlines = words.say("exam.student", student=Token(paper.student)) if paper.student else ()
    gap: Inlines = (Math(Op("quad")),)
    first = who or blank
    meta = (*first, *(gap if first else ()), *version, *gap, *_points(spec.points, words))
    # the version first: a long name is cut at its end
    running = ((Text(heading),), (*version, *(gap if who else ()), *who))
    return Document((Text(heading),), meta, sections, words.lang, running)


def _points(points: Fraction, words: Messages) -> Inlines:
    return words.say("exam.point") if points == 1 else words.say("exam.points", points=render.fraction_text(points))


def _section(question: Question, k: int, words: Messages, blocks: tuple[Block, ...]) -> Section:
    label = words.say("exam.question", number=str(k))
    name: Inlines = (Text(render.kind_name(question, words)),)
    return Section(label, name, _points(question.asked.points, words), blocks)


def _keys(question: Question, part: Part, words: Messages) -> Block:
    """The keys of a part: a table row for each row of the matrix; of another form than numbers the key alone."""
    if part.form is not None and not isinstance(part.form, Design):
        name: Inlines = (Text(f"{part.id}: "), *places.subject(question, part, words), Text(" "))
        keys = tuple(Math(Word(text)) for text in key_of(part) if text)
        return Para((*name, *(keys or words.say("exam.by_rubric"))))
    lines: dict[int, list[Inlines]] = {}
    for entry in part.entries:
        row = 0 if entry.place is None else entry.place.row
        tolerance = f" ± {render.fraction_text(entry.tolerance)}" if entry.tolerance else ""
        lines.setdefault(row, []).append(
            (Text(f"{entry.label}: "), Math(notation.written(entry.text)), Text(tolerance))
        )
    most = max(len(cells) for cells in lines.values())
    if most > 3:
        return Para(tuple(item for cells in lines.values() for cell in cells for item in (*cell, Math(Op("quad")))))
    rows: list[tuple[TableCell, ...]] = [(*cells, *(((),) * (most - len(cells)))) for cells in lines.values()]
    caption = (Text(f"{question.id}, {part.id}: "), *places.subject(question, part, words))
    return Table((), tuple(rows), "l" * most, caption)
