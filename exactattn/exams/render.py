"""A question in a language: what is asked, with room to write, and how it is worked, cut from the trace."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from exactattn.document import (
    Blank,
    Block,
    Display,
    Figure,
    Grid,
    Inline,
    Inlines,
    Mark,
    Math,
    Maths,
    Note,
    Num,
    Op,
    Para,
    Room,
    Root,
    Row,
    Script,
    Section,
    Side,
    Strong,
    Sym,
    Text,
    Word,
)
from exactattn.exams.kinds import find
from exactattn.exams.model import Entry, Part, Question, Rendered
from exactattn.i18n import Messages, messages
from exactattn.present import notation, pictures, products, scoring, softmax
from exactattn.present.page import Page
from exactattn.present.problem import formula, given
from exactattn.present.sheet import BlankSheet, Sheet
from exactattn.present.view import Show, View
from exactattn.trace import Quantity, Trace
from exactattn.trace.problem import QUANTITIES

LETTERS = "abcdefghijklmnopqrstuvwxyz"
MOST_LINES = 15
"""Room to write on, in lines: with what is asked it still fits a page."""

Cell = Callable[[Entry], Maths]
"""What stands where an asked entry is: a blank, or its key."""


def rendered(question: Question, lang: str, decimal: str = ".") -> Rendered:
    """The question's statement and its worked solution."""
    words = messages(lang)
    return Rendered(statement(question, words, decimal), solution(question, words))


def kind_name(question: Question, words: Messages) -> str:
    """What the question's kind is called."""
    return words.text(f"exam.kind.{find(question.asked.kind).name}.name")


# -- what is asked ---------------------------------------------------------------------------------------------------------


def statement(question: Question, words: Messages, decimal: str = ".") -> tuple[Block, ...]:
    """What is given, under which conventions, what is asked, room, and the places for the answers."""
    blocks: list[Block] = []
    name = find(question.asked.kind).name
    blocks.append(Para(with_symbols(words.say(f"exam.kind.{name}.statement", **question.facts))))
    trace = question.trace
    page = None
    if trace is not None:
        # nothing on the paper tells where a row is largest
        page = Page(BlankSheet(trace, {}), words, View(words.lang, rows=tuple(range(len(trace.problem.tokens)))))
        blocks += given(page, [step.made for step in trace.steps if step.function.__name__ == "given"])
        mask = trace.problem.settings.mask
        if not isinstance(mask, str):
            rows = tuple(tuple(Num(str(int(x))) for x in row) for row in mask)
            blocks.append(Display(Row((notation.bold("M"), Op("="), Grid(rows, "matrix")))))
        softmax_asked = any(QUANTITIES.index(part.ask) >= QUANTITIES.index("exps") for part in question.parts)
        if softmax_asked:
            blocks.append(Display(formula(page)))
        blocks.append(Para(_conventions(trace, words, ["rows", "softmax"] if softmax_asked else ["rows"])))
    if trace is not None or any(entry.tolerance for part in question.parts for entry in part.entries):
        blocks.append(Para(_rounding(question, words, decimal)))
    blocks += [Para(_task(question, part, k, words)) for k, part in enumerate(question.parts)]
    blocks.append(Room(_lines(question)))
    answers: list[Block] = []
    for k, part in enumerate(question.parts):
        answers += _answers(question, part, k, page, words, _blank)
    blocks.append(Note("answer", words.say("exam.answers"), tuple(answers)))
    return tuple(blocks)


def _lines(question: Question) -> int:
    if question.trace is None:
        return min(MOST_LINES, 3 + 3 * len(question.parts))
    return min(MOST_LINES, 5 + 4 * sum(max(1, len(part.rows)) for part in question.parts))


def _conventions(trace: Trace, words: Messages, found: list[str]) -> Inlines:
    settings = trace.problem.settings
    if pictures.is_root_scale(trace):
        found.append("width")
    if settings.heads > 1:
        found.append("heads")
    if settings.mask == "causal":
        found.append("causal")
    elif settings.mask != "none":
        found.append("mask")
    out: Inlines = ()
    for name in found:
        out += words.say(f"exam.convention.{name}", scale=_SCALE, d_k=_width(trace), heads=str(settings.heads))
    return out


def _blank(entry: Entry) -> Maths:
    # as wide for every number: a place as wide as the key would tell how many digits it has
    return Blank(max(6, len(entry.text.partition(".")[2]) + 4) if entry.tolerance else 9)


_SCALE = Math(Row((Num("1"), Op("/"), Root(notation.indexed("d", Sym("k"))))))


def _width(trace: Trace) -> Math:
    return Math(Row((notation.indexed("d", Sym("k")), Op("="), Num(str(pictures.head_width(trace))))))


def _rounding(question: Question, words: Messages, decimal: str) -> Inlines:
    asked = question.asked
    power = Script(Sym("e", "upright"), None, Row((Sym("ln", "upright"), Op("thin"), Sym("a"))))
    identity = Math(Row((power, Op("="), Sym("a"))))
    parts: dict[str, str | Math] = {"places": str(asked.places), "working": str(asked.working), "identity": identity}
    out = words.say(f"exam.{asked.numbers}", **parts)
    return out + (words.say("exam.comma") if decimal == "," else ())


def _task(question: Question, part: Part, k: int, words: Messages) -> Inlines:
    """ "(a) the weights of row q2"."""
    lead = words.say("exam.part", letter=LETTERS[k]) if len(question.parts) > 1 else ()
    return (*lead, *_named(question, part, words), Text(words.text("solution.stop")))


def _named(question: Question, part: Part, words: Messages) -> Inlines:
    trace = question.trace
    what = subject(question, part, words)
    if trace is None:
        return what
    if part.head is not None and len(trace.heads) > 1:
        what += words.say("solution.heads.in_title", number=str(part.head + 1))
    if len(part.entries) == 1:
        return words.say("exam.one", what=what, entry=part.entries[0].label)
    if len(part.rows) == len(trace.problem.tokens) > 1:
        return words.say("exam.all", what=what)
    rows = ", ".join(trace.problem.tokens[i] for i in part.rows)
    return words.say("exam.rows", what=what, rows=rows)


def subject(question: Question, part: Part, words: Messages) -> Inlines:
    """What a part asks for: "Weights", or the kind's own words where there is no trace."""
    if question.trace is not None:
        return words.say(f"solution.name.{part.ask}")
    name = find(question.asked.kind).name
    return with_symbols(words.say(f"exam.kind.{name}.asks.{part.ask}", **question.facts))


def _answers(question: Question, part: Part, k: int, page: Page | None, words: Messages, cell: Cell) -> list[Block]:
    """The asked entries where they belong: a row, a matrix, or one after the other."""
    lead = words.say("exam.part", letter=LETTERS[k]) if len(question.parts) > 1 else ()
    trace = question.trace
    step = None if trace is None else trace.step_or_none(part.ask, part.head)
    if page is None or step is None or any(entry.place is None for entry in part.entries):
        between = words.say("solution.comma")
        line: Inlines = lead
        for n, entry in enumerate(part.entries):
            line = (*line, *(between if n else ()), Text(f"{entry.label} "), Math(Row((Op("="), cell(entry)))))
        return [Para(line)]
    q = step.computed
    asked = {(entry.place.row, entry.place.column): entry for entry in part.entries if entry.place is not None}
    symbol = (
        notation.bold(part.ask) if part.head is None else page.letter(notation.BOLD.get(part.ask, part.ask), part.head)
    )
    if len(asked) == 1:
        ((i, j),) = asked
        right = notation.label(q.columns, j)
        left = notation.indexed(notation.SMALL.get(part.ask, part.ask), notation.label(q.rows, i), right)
        body = Row((left, Op("="), cell(part.entries[0])))
    elif len(part.rows) == 1:
        (i,) = part.rows
        cells = [_cell(q, i, j, asked.get((i, j)), part, cell) for j in range(q.shape[1])]
        body = Row((page.row_symbol(notation.SMALL.get(part.ask, part.ask), i), Op("="), notation.vector(cells)))
    else:
        rows = tuple(
            (Word(q.rows[i]), *(_cell(q, i, j, asked.get((i, j)), part, cell) for j in range(q.shape[1])))
            for i in part.rows
        )
        body = Row((symbol, Op("="), Grid(rows, "labelled")))
    return [Para((*lead, Math(body)))] if len(part.rows) == 1 else [*([Para(lead)] if lead else []), Display(body)]


def _cell(q: Quantity, i: int, j: int, entry: Entry | None, part: Part, cell: Cell) -> Maths:
    if entry is not None:
        return cell(entry)
    if q.keep is not None and not q.keep[i][j]:
        return Mark("open", Num("0") if part.ask in ("weights", "exps") else Row((Op("-"), Word("∞"))))
    return Num(q.decimal(part.places)[i][j])


# -- how it is worked --------------------------------------------------------------------------------------------------------


def solution(question: Question, words: Messages) -> tuple[Block, ...]:
    """The steps of the asked rows up to what is asked, the key, and what wrong methods give."""
    blocks: list[Block] = []
    trace = question.trace
    page = None if trace is None else _page(question, trace, words)
    if page is not None:
        blocks += without_figures(_steps(page, max((part.ask for part in question.parts), key=QUANTITIES.index)))
    else:
        name = find(question.asked.kind).name
        blocks.append(Para(with_symbols(words.say(f"exam.kind.{name}.solution", **question.facts))))
    keys: list[Block] = []
    for k, part in enumerate(question.parts):
        keys += _answers(question, part, k, page, words, lambda entry: Mark("answer", Num(entry.text)))
        spread = sorted({entry.tolerance for entry in part.entries})
        low, high = fraction_text(spread[0]), fraction_text(spread[-1])
        if spread[-1]:
            sentence = "tolerance" if len(spread) == 1 else "tolerances"
            keys.append(Para(words.say(f"exam.{sentence}", low=low, high=high)))
    blocks.append(Note("answer", words.say("exam.key"), tuple(keys)))
    blocks += _mistakes(question, words)
    return tuple(blocks)


def _page(question: Question, trace: Trace, words: Messages) -> Page:
    rows = tuple(sorted({i for part in question.parts for i in part.rows}))
    places = dict.fromkeys(("scaled", "exps", "sums", "weights", "output", "Q", "K", "V"), question.asked.working)
    for name in ("Q", "K", "V", "scores", "output", "scaled"):
        quantities = [step.computed for step in trace.steps if step.computed.name == name]
        places[name] = max(
            (_exact_places(q, question.asked.working) for q in quantities), default=question.asked.working
        )
    show: Show = "both" if question.asked.numbers == "by-hand" else "decimal"
    view = View(words.lang, rows, places, show=show)
    return Page(Sheet(trace, places, show=show), words, view)


def _exact_places(q: Quantity, most: int) -> int:
    """The fewest places that print every entry as it is; the most where there are none."""
    n, m = q.shape
    for places in range(most):
        texts = q.decimal(places)
        if all(q.value(i, j) == texts[i][j] for i in range(n) for j in range(m)):
            return places
    return most


def _steps(page: Page, last: str) -> list[Block]:
    """The sections of the work up to the last quantity that is asked."""
    trace, reach = page.trace, QUANTITIES.index(last)
    made = {step.made.name: step.function.__name__ for step in trace.steps}
    projected = tuple(name for name in "QKV" if made.get(name) == "project")
    blocks: list[Block] = [products.projection(page, projected)] if projected else []
    for head in trace.heads:
        h = head.index
        if reach >= QUANTITIES.index("scores"):
            blocks.append(scoring.scoring(page, h))
        if reach >= QUANTITIES.index("scaled"):
            blocks.append(scoring.scaling(page, h))
        if trace.step_or_none("masked", h) is not None and reach >= QUANTITIES.index("masked"):
            blocks.append(scoring.masking(page, h))
        if reach >= QUANTITIES.index("exps"):
            blocks.append(softmax.softmax(page, h))
        if trace.step_or_none("output", h) is not None and reach >= QUANTITIES.index("concat"):
            blocks.append(products.mixing(page, h))
    if len(trace.heads) > 1 and reach >= QUANTITIES.index("concat"):
        blocks.append(products.concatenation(page))
    if "W_O" in made and reach >= QUANTITIES.index("output"):
        blocks.append(products.projecting_out(page))
    return blocks


def with_symbols(items: Inlines) -> Inlines:
    """The sentence with the symbols that its words name, d_k and W_Q, set as symbols."""
    out: list[Inline] = []
    for item in items:
        if not isinstance(item, Text):
            out.append(item)
            continue
        for k, piece in enumerate(_SYMBOL.split(item.text)):
            if k % 2:
                letter, _, below = piece.removeprefix("√").partition("_")
                upright = Sym(below, "upright" if len(below) > 1 else "italic")
                symbol: Maths = (
                    notation.indexed(letter, upright) if letter in "dpk" else notation.bold(f"{letter}_{below}")
                )
                out.append(Math(Root(symbol) if piece.startswith("√") else symbol))
            elif piece:
                out.append(Text(piece))
    return tuple(out)


_SYMBOL = re.compile(r"(√?(?:d_(?:k|v|model)|W_[QKVO]|b_[QKVO]|X_kv|[pk]_[ij])(?![A-Za-z_]))")


def without_figures(blocks: Sequence[Block]) -> list[Block]:
    """The blocks without their pictures: a class has many papers, and the numbers say it all."""
    out: list[Block] = []
    for block in blocks:
        match block:
            case Figure() | Side():
                continue
            case Section() | Note():
                out.append(replace(block, blocks=tuple(without_figures(block.blocks))))
            case _:
                out.append(block)
    return out


def _mistakes(question: Question, words: Messages) -> list[Block]:
    """What each wrong method gives for the last part that sees it, and what to say then."""
    last: dict[tuple[str, ...], tuple[Part, tuple[str, ...]]] = {}
    for part in question.parts:
        for wrong in part.wrongs:
            last.pop(wrong.names, None)
            last[wrong.names] = (part, wrong.texts)
    paragraphs: list[Block] = []
    for names, (part, texts) in last.items():
        label = words.text("solution.comma").join(words.text(f"misconception.{name}.name") for name in names)
        feedback = words.text(f"misconception.{names[0]}.feedback")
        numbers = Row(tuple(x for k, text in enumerate(texts) for x in ((Op(","), Num(text)) if k else (Num(text),))))
        what = subject(question, part, words)
        line = words.say("exam.mistake", what=what, numbers=Math(numbers), feedback=feedback)
        paragraphs.append(Para((Strong(with_symbols((Text(label),))), *with_symbols(line))))
    return [Note("warning", words.say("exam.mistakes"), tuple(paragraphs))] if paragraphs else []


def fraction_text(x: Fraction) -> str:
    """A fraction as a decimal where it has one of a few places, else as p/q.

    >>> fraction_text(Fraction(73, 100000)), fraction_text(Fraction(1, 3))
    ('0.00073', '1/3')
    """
    return notation.short_decimal(x.numerator, x.denominator) or f"{x.numerator}/{x.denominator}"
