"""A question in a language: what is asked, with room to write, and how it is worked, cut from the trace."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import assert_never

from exactattn.document import (
    Block,
    Display,
    Grid,
    Inlines,
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
    Strong,
    Sym,
    Text,
    Word,
)
from exactattn.exams import places
from exactattn.exams.kinds import find, words_key
from exactattn.exams.model import LETTERS, Choice, Design, Order, Part, Question, Rendered, Rubric
from exactattn.exams.tolerance import EXACT
from exactattn.i18n import Messages, messages
from exactattn.present import notation, pictures, products, scoring, softmax
from exactattn.present.page import Page
from exactattn.present.problem import formula, given
from exactattn.present.sheet import BlankSheet, Sheet
from exactattn.present.view import Show, View
from exactattn.trace import Quantity, Trace
from exactattn.trace.problem import QUANTITIES

MOST_LINES = 15
"""Room to write on, in lines: with what is asked it still fits a page."""


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
    blocks = list(setting(question, words, decimal))
    for k, part in enumerate(question.parts):
        blocks += [Para(places.task(question, k, words)), *places.shown(question, part, words)]
    blocks.append(Room(_lines(question)))
    page = _blank_page(question, words)
    answers = [
        block for k in range(len(question.parts)) for block in places.answers(question, k, page, words, places.blank)
    ]
    if all(isinstance(part.form, Choice | Order) for part in question.parts):
        blocks += answers  # letters need no frame
    elif answers:
        blocks.append(Note("answer", words.say("exam.answers"), tuple(answers)))
    return tuple(blocks)


def setting(question: Question, words: Messages, decimal: str = ".") -> tuple[Block, ...]:
    """What is given and under which conventions: the statement without its tasks."""
    said = words.say(words_key(question, "statement", words), **question.facts)
    blocks: list[Block] = [Para(places.with_symbols(said))]
    trace = question.trace
    page = _blank_page(question, words)
    if trace is not None and page is not None:
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
    return tuple(blocks)


def _blank_page(question: Question, words: Messages) -> Page | None:
    """The page of what is given: nothing on it tells where a row is largest."""
    trace = question.trace
    if trace is None:
        return None
    return Page(BlankSheet(trace, {}), words, View(words.lang, rows=tuple(range(len(trace.problem.tokens)))))


def _lines(question: Question) -> int:
    """Room for the work: little before letters, as much as there is for a text."""
    if any(isinstance(part.form, Rubric) for part in question.parts):
        return MOST_LINES
    if all(isinstance(part.form, Choice | Order) for part in question.parts):
        return 2 + len(question.parts)
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


_SCALE = Math(Row((Num("1"), Op("/"), Root(notation.indexed("d", Sym("k"))))))


def _width(trace: Trace) -> Math:
    return Math(Row((notation.indexed("d", Sym("k")), Op("="), Num(str(pictures.head_width(trace))))))


def _rounding(question: Question, words: Messages, decimal: str) -> Inlines:
    asked = question.asked
    if all(isinstance(part.form, Choice) for part in question.parts):
        return words.say("exam.options", places=str(asked.places))
    power = Script(Sym("e", "upright"), None, Row((Sym("ln", "upright"), Op("thin"), Sym("a"))))
    identity = Math(Row((power, Op("="), Sym("a"))))
    parts: dict[str, str | Math] = {"places": str(asked.places), "working": str(asked.working), "identity": identity}
    rule = f"exact-{asked.numbers}" if asked.tolerance == EXACT else asked.numbers
    out = words.say("exam.stepwise" if asked.track == "stepwise" else f"exam.{rule}", **parts)
    return out + (words.say("exam.comma") if decimal == "," else ())


# -- how it is worked --------------------------------------------------------------------------------------------------------


def solution(question: Question, words: Messages) -> tuple[Block, ...]:
    """The steps of the asked rows up to what is asked, the key, and what wrong methods give."""
    blocks: list[Block] = []
    trace = question.trace
    page = None if trace is None else _page(question, trace, words)
    if page is not None:
        blocks += _steps(page, max((part.ask for part in question.parts), key=QUANTITIES.index))
    else:
        said = words.say(words_key(question, "solution", words), **question.facts)
        blocks.append(Para(places.with_symbols(said)))
    keys: list[Block] = []
    for k, part in enumerate(question.parts):
        keys += places.answers(question, k, page, words, places.keyed)
        keys += _accepted(part, words) if part.form is None else of_form(question, part, words)
    blocks.append(Note("answer", words.say("exam.key"), tuple(keys)))
    blocks += _mistakes(question, words)
    return tuple(blocks)


def _accepted(part: Part, words: Messages) -> list[Block]:
    """How far from the key an answer may lie."""
    spread = sorted({entry.tolerance for entry in part.entries})
    if not spread or not spread[-1]:
        return []
    low, high = fraction_text(spread[0]), fraction_text(spread[-1])
    return [Para(words.say(f"exam.{'tolerance' if len(spread) == 1 else 'tolerances'}", low=low, high=high))]


def of_form(question: Question, part: Part, words: Messages) -> list[Block]:
    """What there is to say of a key that is no number: the option itself, the rubric, that other answers are right too."""
    out: list[Inlines] = []
    match part.form:
        case Choice(options=options, right=right):
            out = [places.option_shown(question, part, options[right], words)]
        case Order(items=items, right=order):
            steps = [places.item_shown(question, items[k], words) for k in order]
            out = [(Text(f"{n}. "), *step) for n, step in enumerate(steps, 1)]
        case Rubric(criteria=criteria):
            for one in criteria:
                share = words.say("exam.share", points=fraction_text(one.share * question.points_of(part)))
                out.append((Strong(share), *places.criterion_shown(question, one, words)))
        case Design():
            out = [words.say("exam.not_unique")]
        case None:
            pass
        case _ as other:
            assert_never(other)
    return [Para(line) for line in out]


def _page(question: Question, trace: Trace, words: Messages) -> Page:
    rows = tuple(sorted({i for part in question.parts for i in part.rows}))
    digits = dict.fromkeys(("scaled", "exps", "sums", "weights", "output", "Q", "K", "V"), question.asked.working)
    for name in ("Q", "K", "V", "scores", "output", "scaled"):
        quantities = [step.computed for step in trace.steps if step.computed.name == name]
        digits[name] = max(
            (_exact_places(q, question.asked.working) for q in quantities), default=question.asked.working
        )
    show: Show = "both" if question.asked.numbers == "by-hand" else "decimal"
    view = View(words.lang, rows, digits, show=show, pictures="none")
    return Page(Sheet(trace, digits, show=show), words, view)


def _exact_places(q: Quantity, most: int) -> int:
    """The fewest places that print every entry as it is; the most where there are none."""
    n, m = q.shape
    for digits in range(most):
        texts = q.decimal(digits)
        if all(q.value(i, j) == texts[i][j] for i in range(n) for j in range(m)):
            return digits
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


def _mistakes(question: Question, words: Messages) -> list[Block]:
    """What each wrong method gives for the last part that sees it (in a choice, its letter), and what to say then."""
    last: dict[tuple[str, ...], tuple[Part, Inlines]] = {}
    for part in question.parts:
        if isinstance(part.form, Choice):
            found: list[tuple[tuple[str, ...], Maths]] = [
                (option.names, Word(LETTERS[k])) for k, option in enumerate(part.form.options) if option.names
            ]
        else:
            found = [(wrong.names, _listed(wrong.texts)) for wrong in part.wrongs]
        for names, numbers in found:
            before = last.pop(names, None)
            # a method that gives two things, with the maximum subtracted and without
            other = (*before[1], *words.say("exam.or")) if before is not None and before[0] is part else ()
            last[names] = (part, (*other, Math(numbers)))
    paragraphs: list[Block] = []
    for names, (part, shown) in last.items():
        label = words.text("solution.comma").join(words.text(f"misconception.{name}.name") for name in names)
        what = places.subject(question, part, words)
        line = words.say("exam.mistake", what=what, numbers=shown, feedback=feedback(names, words))
        paragraphs.append(Para((Strong(places.with_symbols((Text(label),))), *places.with_symbols(line))))
    return [Note("warning", words.say("exam.mistakes"), tuple(paragraphs))] if paragraphs else []


def _listed(texts: Sequence[str]) -> Maths:
    return Row(tuple(x for k, text in enumerate(texts) for x in ((Op(","), Num(text)) if k else (Num(text),))))


def feedback(names: Sequence[str], words: Messages) -> str:
    """What is said to an answer that these wrong methods give (where several give it, the first)."""
    return words.text(f"misconception.{names[0]}.feedback")


def fraction_text(x: Fraction) -> str:
    """A fraction as a decimal where it has one of a few places, else as p/q.

    >>> fraction_text(Fraction(73, 100000)), fraction_text(Fraction(1, 3))
    ('0.00073', '1/3')
    """
    return notation.short_decimal(x.numerator, x.denominator) or f"{x.numerator}/{x.denominator}"
