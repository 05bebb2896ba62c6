"""A paper as documents: the sheets for the student, the key and the worked solutions for the teacher."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from exactattn.document import (
    Blank,
    Block,
    Document,
    Inlines,
    Math,
    Note,
    Op,
    PageBreak,
    Para,
    Room,
    Row,
    Section,
    Strong,
    Table,
    TableCell,
    Text,
    Token,
    Word,
)
from exactattn.exams import places, render
from exactattn.exams.model import Design, Entry, Paper, Part, Question, key_of
from exactattn.exams.spec import Spec
from exactattn.i18n import Messages, messages
from exactattn.present import notation


def sheets(paper: Paper, spec: Spec, lang: str) -> Document:
    """What the student gets: no key, no seed, nobody else's name."""
    words = messages(lang)
    asked = [render.statement(question, words, spec.decimal) for question in paper.questions]
    whose = _whose(paper, words) or words.say("exam.student_blank", blank=Math(Blank(24)))
    after: tuple[Block, ...] = ()
    if spec.answers == "sheet":
        # the places for the answers stand after the room to write
        ends = [next(k for k, block in enumerate(blocks, 1) if isinstance(block, Room)) for blocks in asked]
        fields = [blocks[end:] for blocks, end in zip(asked, ends, strict=True)]
        # it may be torn off: it says itself whose it is
        after = (PageBreak(), _answer_sheet((*whose, _APART, *_version(paper, words)), fields, words))
        asked = [blocks[:end] for blocks, end in zip(asked, ends, strict=True)]
    sections = tuple(
        _section(question, k, words, blocks)
        for k, (question, blocks) in enumerate(zip(paper.questions, asked, strict=True), 1)
    )
    return _document(paper, spec, words, title(spec, words), (*sections, *after), whose)


def _answer_sheet(whose: Inlines, answers: Sequence[tuple[Block, ...]], words: Messages) -> Section:
    """Whose it is and the places for all answers, each in a frame: one for a question, or for the letters of several."""
    blocks: list[Block] = [Para(whose)]
    letters: list[tuple[int, Inlines]] = []
    for k, found in enumerate(answers, 1):
        paras = [block for block in found if isinstance(block, Para)]
        if len(paras) == len(found):
            letters += [(k, block.items) for block in paras]
        else:
            blocks += _letters(letters, words)
            letters = []
            label = words.say("exam.question", number=str(k))
            blocks += [Note("answer", label, block.blocks) if isinstance(block, Note) else block for block in found]
    blocks += _letters(letters, words)
    return Section(words.say("exam.answers"), words.say("exam.answer_sheet"), (), tuple(blocks))


def _letters(asked: Sequence[tuple[int, Inlines]], words: Messages) -> list[Block]:
    """The places for letters, several in a line, with the numbers of their questions; a frame has a few lines."""
    frames: list[Block] = []
    for start in range(0, len(asked), SHORT * LINES):
        held = asked[start : start + SHORT * LINES]
        first, last = held[0][0], held[-1][0]
        if first == last:
            label, each = words.say("exam.question", number=str(first)), [items for _, items in held]
        else:
            label = words.say("exam.question", number=f"{first}–{last}")
            each = [(Strong(words.say("exam.question", number=str(k))), Text(" "), *items) for k, items in held]
        lines = [Para(_side_by_side(each[j : j + SHORT])) for j in range(0, len(each), SHORT)]
        frames.append(Note("answer", label, tuple(lines)))
    return frames


def _side_by_side(items: Sequence[Inlines]) -> Inlines:
    out: Inlines = ()
    for k, item in enumerate(items):
        out = (*out, *((_APART, _APART) if k else ()), *item)
    return out


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
    paper: Paper, spec: Spec, words: Messages, heading: str, sections: tuple[Block, ...], whose: Inlines = ()
) -> Document:
    version, who = _version(paper, words), _whose(paper, words)
    first = whose or who
    meta = (*first, *((_APART,) if first else ()), *version, _APART, *_points(spec.points, words))
    # the version first: a long name is cut at its end
    running = ((Text(heading),), (*version, *((_APART,) if who else ()), *who))
    return Document((Text(heading),), meta, sections, words.lang, running)


def _whose(paper: Paper, words: Messages) -> Inlines:
    """The student, where there is a roster."""
    return words.say("exam.student", student=Token(paper.student)) if paper.student else ()


def _version(paper: Paper, words: Messages) -> Inlines:
    return words.say("exam.version", number=str(paper.number))


def _points(points: Fraction, words: Messages) -> Inlines:
    return words.say("exam.point") if points == 1 else words.say("exam.points", points=render.fraction_text(points))


def _section(question: Question, k: int, words: Messages, blocks: tuple[Block, ...]) -> Section:
    label = words.say("exam.question", number=str(k))
    name: Inlines = (Text(render.kind_name(question, words)),)
    return Section(label, name, _points(question.asked.points, words), blocks)


def _keys(question: Question, part: Part, words: Messages) -> Block:
    """The keys of a part: a line, a table where they are the entries of a matrix, or a letter."""
    name: Inlines = (Text(f"{part.id}: "), *places.subject(question, part, words))
    if part.form is not None and not isinstance(part.form, Design):
        keys = tuple(Math(Word(text)) for text in key_of(part) if text)
        return Para((*name, _APART, *((Strong(keys),) if keys else words.say("exam.by_rubric"))))
    if len(part.entries) <= IN_A_LINE or any(entry.place is None for entry in part.entries):
        between = words.say("solution.comma")
        line: Inlines = (*name, _APART)
        for k, entry in enumerate(part.entries):
            line = (*line, *(between if k else ()), Text(f"{entry.label}: "), *_key(question, entry))
        return Para(line)
    return _matrix(question, part, name)


IN_A_LINE = 3
"""So many keys of a part stand in one line; more in a table, each in its row and column."""

SHORT_FRACTION = re.compile(r"-?[0-9]{1,4}/[0-9]{1,4}\Z").match

SHORT = 4
"""So many letters of an answer sheet stand in one line."""

LINES = 5
"""And so many lines in one frame: no page breaks it."""

_APART = Math(Op("quad"))


def _key(question: Question, entry: Entry) -> Inlines:
    """The printed key and its tolerance; of work by hand the fraction that it comes from as well."""
    tolerance: Inlines = (Text(f" ± {render.fraction_text(entry.tolerance)}"),) if entry.tolerance else ()
    key = notation.written(entry.text)
    exact = str(entry.value) if question.asked.numbers == "by-hand" else ""
    if SHORT_FRACTION(exact) and entry.key != Fraction(exact):
        key = Row((notation.written(exact), Op("approx"), key))
    return (Strong((Math(key),)), *tolerance)


def _matrix(question: Question, part: Part, name: Inlines) -> Block:
    assert question.trace is not None
    cells = {
        (entry.place.row, entry.place.column): _key(question, entry)
        for entry in part.entries
        if entry.place is not None
    }
    q = question.trace.step(part.ask, part.head).computed
    columns = sorted({j for _, j in cells})
    head: tuple[TableCell, ...] = ((), *((Token(str(q.columns[j])),) for j in columns))
    rows: list[tuple[TableCell, ...]] = [
        ((Token(str(q.rows[i])),), *(cells.get((i, j), ()) for j in columns)) for i in sorted({i for i, _ in cells})
    ]
    return Table(head, tuple(rows), "l" + "l" * len(columns), name)
