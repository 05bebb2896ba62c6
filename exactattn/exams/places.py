"""What a part asks in words, and the places for its answer: blanks on a paper, keys in a solution."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import assert_never

from exactattn.document import (
    Blank,
    Block,
    Display,
    Grid,
    Inline,
    Inlines,
    Mark,
    Math,
    Maths,
    Num,
    Op,
    Para,
    Root,
    Row,
    Script,
    Sym,
    Text,
    Word,
)
from exactattn.exams.kinds import words_key
from exactattn.exams.layout import Layout, closed, layout
from exactattn.exams.model import (
    LETTERS,
    Choice,
    Criterion,
    Design,
    Entry,
    Option,
    Order,
    Part,
    Question,
    Rubric,
    key_of,
)
from exactattn.i18n import Messages
from exactattn.present import notation
from exactattn.present.figures.layout import width
from exactattn.present.page import Page

PARTS = "abcdefghijklmnopqrstuvwxyz"
"""The names of parts."""

LINE = 165.0
"""Options that together are not wider than so many millimetres stand in one line."""
GAP = 7.0

Cell = Callable[[Entry], Maths]
"""What stands where an asked entry is: a blank, or its key."""


# -- what is asked ---------------------------------------------------------------------------------------------------------


def task(question: Question, k: int, words: Messages) -> Inlines:
    """ "(a) the weights of row q2."; of a choice and an order also how it is answered."""
    part = question.parts[k]
    asked = (*lead(question, k, words), *_named(question, part, words), Text(words.text("solution.stop")))
    match part.form:
        case Choice():
            return (*asked, *words.say("exam.choose"))
        case Order():
            return (*asked, *words.say("exam.order"))
        case None | Rubric() | Design():
            return asked
        case _ as other:
            assert_never(other)


def lead(question: Question, k: int, words: Messages) -> Inlines:
    """ "(a) ", where there are several parts."""
    return words.say("exam.part", letter=PARTS[k]) if len(question.parts) > 1 else ()


def _named(question: Question, part: Part, words: Messages) -> Inlines:
    trace = question.trace
    what = subject(question, part, words)
    if trace is None or any(entry.place is None for entry in part.entries):
        whole = words_key(question, f"task.{part.ask}", words)
        return with_symbols(words.say(whole, **question.facts)) if words.has(whole) else what
    if part.head is not None and len(trace.heads) > 1:
        what += words.say("solution.heads.in_title", number=str(part.head + 1))
    if len(part.entries) == 1:
        return words.say("exam.one", what=what, entry=part.entries[0].label)
    if len(part.rows) == len(trace.problem.tokens) > 1:
        return words.say("exam.all", what=what)
    rows = ", ".join(trace.problem.tokens[i] for i in part.rows)
    return words.say("exam.rows", what=what, rows=rows)


def subject(question: Question, part: Part, words: Messages) -> Inlines:
    """What a part asks for: "Weights", or the kind's own words where it has them."""
    key = words_key(question, f"asks.{part.ask}", words)
    if question.trace is not None and not words.has(key):
        return words.say(f"solution.name.{part.ask}")
    return with_symbols(words.say(key, **question.facts))


def shown(question: Question, part: Part, words: Messages) -> tuple[Block, ...]:
    """What is chosen from or put in order, with letters; nothing where numbers or a text are asked."""
    match part.form:
        case Choice(options=options):
            items = [option_shown(question, part, option, words) for option in options]
        case Order(items=keys):
            items = [item_shown(question, key, words) for key in keys]
        case None | Rubric() | Design():
            return ()
        case _ as other:
            assert_never(other)
    lettered = [(Text(f"{LETTERS[k]}. "), *item) for k, item in enumerate(items)]
    for count in (len(lettered), 2):
        lines = [lettered[k : k + count] for k in range(0, len(lettered), count)]
        if all(sum(width(item) + GAP for item in line) <= LINE for line in lines):
            return tuple(Para(_spaced(line)) for line in lines)
    return tuple(Para(item) for item in lettered)


def _spaced(items: Sequence[Inlines]) -> Inlines:
    line: Inlines = ()
    for k, item in enumerate(items):
        line = (*line, *((Math(Row((Op("quad"), Op("quad")))),) if k else ()), *item)
    return line


def option_shown(question: Question, part: Part, option: Option, words: Messages) -> Inlines:
    """An option as it is printed: a sentence, numbers in the shape of what is asked, or a formula."""
    if option.key:
        return with_symbols(words.say(words_key(question, f"option.{option.key}", words), **question.facts))
    if not part.entries:
        return with_symbols((Text(" ".join(option.texts)),))
    found = layout(question, part)
    texts = {id(entry): Num(text) for entry, text in zip(part.entries, option.texts, strict=True)}
    rows = tuple(tuple(texts[id(x)] if isinstance(x, Entry) else x for x in row) for row in found.cells)
    if len(rows) > 1:
        return (Math(Grid(rows, "matrix")),)
    (row,) = rows
    return (Math(row[0] if len(row) == 1 else notation.vector(row)),)


def item_shown(question: Question, key: str, words: Messages) -> Inlines:
    """A step that is to be put in order."""
    return with_symbols(words.say(words_key(question, f"step.{key}", words), **question.facts))


def criterion_shown(question: Question, one: Criterion, words: Messages) -> Inlines:
    """A line of a rubric."""
    return with_symbols(words.say(words_key(question, f"criterion.{one.key}", words), **question.facts))


# -- the places for answers --------------------------------------------------------------------------------------------------


def blank(entry: Entry) -> Maths:
    """A place to write a number into, as wide for every number: one as wide as the key would tell how many digits it has."""
    return Blank(max(6, len(entry.text.partition(".")[2]) + 4) if entry.tolerance else 9)


def keyed(entry: Entry) -> Maths:
    """The key in its place."""
    return Mark("answer", Num(entry.text))


def answers(question: Question, k: int, page: Page | None, words: Messages, cell: Cell) -> list[Block]:
    """The places for the answers of a part: a letter, letters, or the asked entries where they belong. A text has none."""
    part = question.parts[k]
    before = lead(question, k, words)
    match part.form:
        case Choice() | Order():
            (letters,) = key_of(part)
            if cell is blank:
                return [Para((*before, *words.say("exam.letters", blank=Math(Blank(3 * len(letters))))))]
            return [Para((*before, Math(Mark("answer", Word(letters)))))]
        case Rubric():
            return []
        case None | Design():
            return _numbers(before, layout(question, part), part, page, words, cell)
        case _ as other:
            assert_never(other)


def _numbers(before: Inlines, found: Layout, part: Part, page: Page | None, words: Messages, cell: Cell) -> list[Block]:
    q = found.quantity
    if q is None or page is None:
        line = before
        for n, entry in enumerate(part.entries):
            between = words.say("solution.comma") if n else ()
            line = (*line, *between, Text(f"{entry.label} "), Math(Row((Op("="), cell(entry)))))
        return [Para(line)]
    rows = tuple(
        tuple(cell(x) if isinstance(x, Entry) else Mark("open", x) if x == closed(part.ask) else x for x in row)
        for row in found.cells
    )
    small = notation.SMALL.get(part.ask, part.ask)
    body: Maths
    if found.single and len(found.columns) == 1:
        j = q.columns.index(found.columns[0])
        left = notation.indexed(small, notation.label(q.rows, found.rows[0]), notation.label(q.columns, j))
        body = Row((left, Op("="), rows[0][0]))
    elif len(rows) == 1:
        body = Row((page.row_symbol(small, found.rows[0]), Op("="), notation.vector(rows[0])))
    else:
        symbol = (
            notation.bold(part.ask)
            if part.head is None
            else page.letter(notation.BOLD.get(part.ask, part.ask), part.head)
        )
        grid = tuple((Word(name), *row) for name, row in zip(found.row_names, rows, strict=True))
        body = Row((symbol, Op("="), Grid(grid, "labelled")))
        return [*([Para(before)] if before else []), Display(body)]
    return [Para((*before, Math(body)))]


# -- symbols in sentences ----------------------------------------------------------------------------------------------------


def with_symbols(items: Inlines) -> Inlines:
    """The sentence with the symbols that its words name, d_k and W_Q, set as symbols."""
    out: list[Inline] = []
    for item in items:
        if isinstance(item, Text):
            out += _symbols_set(item.text)
        else:
            out.append(item)
    return tuple(out)


@lru_cache(1024)  # what is said of wrong methods comes again and again
def _symbols_set(text: str) -> Inlines:
    out: list[Inline] = []
    for k, piece in enumerate(_SYMBOL.split(text)):
        if k % 2:
            letter, _, below = piece.removeprefix("√").partition("_")
            symbol = _symbol(letter, below)
            out.append(Math(Root(symbol) if piece.startswith("√") else symbol))
        elif piece:
            out.append(Text(piece))
    return tuple(out)


def _symbol(letter: str, below: str) -> Maths:
    index: Maths = Num(below) if below.isdigit() else Sym(below, "upright" if len(below) > 1 else "italic")
    if letter == "Σ":
        return Script(Op("sum"), index)
    lower = letter.islower() and (below.islower() or below.isdigit())
    return notation.indexed(letter, index) if lower else notation.bold(f"{letter}_{below}")


_SYMBOL = re.compile(
    r"(√?(?:d_(?:k|v|model)|W_[QKVO]|b_[QKVO]|X_kv|Σ_[a-z]|(?<![A-Za-z])[a-z]_[a-z0-9])(?![A-Za-z0-9_]))"
)
