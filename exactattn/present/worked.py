"""The worked solution: a trace and what it is compared with become one document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from exactattn.document import (
    Block,
    Display,
    Document,
    Fence,
    Frac,
    Inlines,
    Mark,
    Math,
    Maths,
    Note,
    Num,
    Op,
    PageBreak,
    Para,
    Root,
    Row,
    Section,
    Strong,
    Sym,
    Table,
    TableCell,
    Text,
    Token,
)  # fmt: skip
from exactattn.i18n import messages
from exactattn.present import notation, pictures, sections, tables
from exactattn.present.page import Page
from exactattn.present.sheet import BlankSheet, Sheet
from exactattn.present.view import View
from exactattn.trace import Quantity, Trace
from exactattn.trace.problem import QUANTITIES

WIDTH = 13
"""Columns of numbers that fit a line, all matrices on it together."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A trace worked beside the main one, with other settings."""

    trace: Trace
    label: str = ""


def document(trace: Trace, comparisons: Sequence[Comparison], view: View) -> Document:
    """The solution in the view's layout and language."""
    words = messages(view.lang)
    sheet = Sheet(trace, view.places, view.ties, view.show)
    match view.layout:
        case "full":
            blocks = full(Page(sheet, words, view), comparisons)
        case "brief":
            blocks = brief(Page(sheet, words, view))
        case "ledger":
            blocks = ledgers(Page(sheet, words, view))
        case "worksheet":
            blank = Page(BlankSheet(trace, view.places, view.ties), words, view)
            filled = Page(sheet, words, view)
            blocks = [*full(blank, ()), PageBreak(), key(filled)]
    page = Page(sheet, words, view)
    title = _title(page)
    running = (page.say("running"), _rows_named(page))
    return Document(title, _meta(page), tuple(blocks), view.lang, running)


def _rows_named(page: Page) -> Inlines:
    rows = page.view.rows[:4]
    return page.say("rows", rows=page.listed([page.quoted(page.tokens[i]) for i in rows]))


def _title(page: Page) -> Inlines:
    kind = "worksheet" if page.view.layout == "worksheet" else "solution"
    if page.view.title:
        return page.say(f"title.{kind}_of", title=page.view.title)
    return page.say(f"title.{kind}", rows=_rows_named(page))


def _meta(page: Page) -> Inlines:
    shape = f"{len(page.tokens)}", f"{len(page.key_tokens)}"
    out: Inlines = page.say("meta.counts", queries=Math(Num(shape[0])), keys=Math(Num(shape[1])))
    width = pictures.head_width(page.trace)
    if width is not None:
        out += page.say(
            "meta.width", width=Math(notation.row(notation.indexed("d", Sym("k")), Op("="), Num(str(width))))
        )
    heads = page.trace.problem.settings.heads
    if heads > 1:
        out += page.say("meta.heads", heads=Math(Num(str(heads))))
    return out + page.say(f"meta.{page.trace.problem.settings.track}")


# -- layouts -----------------------------------------------------------------------------------------------------------


def full(page: Page, comparisons: Sequence[Comparison]) -> list[Block]:
    """Every step of every asked row, the figures, what it is compared with, the answer."""
    trace = page.trace
    blocks: list[Block] = [problem(page), pictures.four_steps(page)]
    projected = tuple(
        n for n in "QKV" if (s := trace.step_or_none(n, None)) is not None and s.function.__name__ == "project"
    )
    if projected:
        blocks.append(sections.projection(page, projected))
    heads = trace.problem.settings.heads
    if heads == 1:
        blocks += one_head(page, 0)
        blocks += compared(page, comparisons)
        if trace.step_or_none("W_O", None) is not None:
            blocks.append(sections.projecting_out(page))
    else:
        blocks += several_heads(page)
        blocks += compared(page, comparisons)
    blocks.append(answer(page))
    return blocks


def one_head(page: Page, head: int) -> list[Block]:
    """The four steps in one head."""
    trace = page.trace
    blocks: list[Block] = [sections.scoring(page, head), sections.scaling(page, head)]
    if trace.step_or_none("masked", head) is not None:
        blocks.append(sections.masking(page, head))
    blocks.append(sections.softmax(page, head))
    if trace.step_or_none("output", head) is not None:
        blocks.append(sections.mixing(page, head))
    return blocks


def several_heads(page: Page) -> list[Block]:
    """Each head's four steps in turn, the heads side by side, the concatenation, the projection."""
    trace = page.trace
    heads = trace.problem.settings.heads
    blocks: list[Block] = [
        sections.section(
            page,
            page.say("heads.title"),
            page.say("heads.aside"),
            [page.para("heads.split", count=str(heads)), pictures.many_heads(page, trace)],
        )
    ]
    for h in range(heads):
        blocks += one_head(page, h)
    blocks.append(
        sections.section(
            page,
            page.say("heads.compare"),
            (),
            [*_who_attends(page, page.sheet), *pictures.heads_side_by_side(page, page.sheet)],
        )
    )
    if trace.step_or_none("V", None) is not None:
        blocks.append(sections.concatenation(page))
        if trace.step_or_none("W_O", None) is not None:
            blocks.append(sections.projecting_out(page))
    return blocks


def brief(page: Page) -> list[Block]:
    """The tables of the asked rows, the matrices, the answer."""
    blocks: list[Block] = [problem(page)]
    for head in page.trace.heads:
        for i in page.view.rows:
            blocks += tables.softmax_table(page, head.index, i)
        names = [("weights", "A")] + (
            [("output", "O")] if page.trace.step_or_none("output", head.index) is not None else []
        )
        for name, symbol in names:
            q = page.trace.step(name, head.index).made
            blocks.append(page.display(page.letter(symbol, head.index), page.matrix_relation(q), page.matrix(q)))
            blocks += page.abridged(q)
    if len(page.trace.heads) > 1 and page.trace.step_or_none("output", None) is not None:
        q = page.trace.step("output").made
        blocks.append(page.display(Sym("O", "bold"), page.matrix_relation(q), page.matrix(q)))
    blocks.append(answer(page))
    return blocks


def ledgers(page: Page) -> list[Block]:
    """Each asked row as ledgers: from scores to weights, and the weighted sum."""
    blocks: list[Block] = [problem(page)]
    for head in page.trace.heads:
        for i in page.view.rows:
            if len(page.trace.heads) > 1:
                blocks.append(Para((Strong(page.say("heads.of", number=str(head.index + 1))),)))
            blocks += tables.softmax_table(page, head.index, i)
            blocks += tables.ledger(page, head.index, i)
    blocks.append(answer(page))
    return blocks


def key(page: Page) -> Section:
    """The results of a worksheet, apart."""
    blocks: list[Block] = []
    for head in page.trace.heads:
        for i in page.view.rows:
            blocks += tables.softmax_table(page, head.index, i)
        for name in ("scores", "weights", "output"):
            step = page.trace.step_or_none(name, head.index)
            if step is not None and step.function.__name__ != "given":
                blocks.append(
                    page.display(notation.bold(name), page.matrix_relation(step.made), page.matrix(step.made))
                )
    final = page.trace.step_or_none("output", None)
    if final is not None:
        blocks.append(page.display(notation.bold("output"), page.matrix_relation(final.made), page.matrix(final.made)))
    return Section(page.say("key.label"), page.say("key.title"), (), (*blocks, answer(page)))


# -- what is given, what is asked, what came out ---------------------------------------------------------------------------


def problem(page: Page) -> Note:
    """The inputs and the formula."""
    inputs = [step.made for step in page.trace.steps if step.function.__name__ == "given"]
    blocks: list[Block] = [Para(_sentence(page)), *_given(page, inputs), Display(_formula(page))]
    asked = page.say("problem.asked", rows=page.listed([page.quoted(page.tokens[i]) for i in page.view.rows]))
    goal = "output" if page.trace.step_or_none("V", None) is not None else "weights"
    blocks.append(Para((*asked, *page.say(f"problem.{goal}"))))
    if page.trace.problem.settings.track == "stepwise":
        blocks.append(page.para("problem.stepwise"))
    if page.view.found is not None:
        blocks += _found_places(page, page.view.found)
    if page.view.source:
        blocks.append(Para(page.say("problem.source", source=page.view.source)))
    return Note("problem", page.say("problem.title"), tuple(blocks))


def _found_places(page: Page, missing: tuple[str, ...]) -> list[Block]:
    """The places that were looked for, and those for which nothing would do."""
    found = sorted(page.view.places.items(), key=lambda item: QUANTITIES.index(item[0]))
    each = [(*page.say(f"name.{name}"), Text(f" {count}")) for name, count in found]
    blocks: list[Block] = [page.para("problem.places", places=page.listed(each))]
    if missing:
        blocks.append(page.para("problem.no_places", names=page.listed([page.say(f"name.{name}") for name in missing])))
    return blocks


def _sentence(page: Page) -> Inlines:
    tokens = page.listed([(Token(t),) for t in page.tokens])
    out = page.say("problem.tokens", tokens=tokens)
    if page.key_tokens != page.tokens:
        out += page.say("problem.key_tokens", tokens=page.listed([(Token(t),) for t in page.key_tokens]))
    return out


def _given(page: Page, inputs: Sequence[Quantity]) -> list[Block]:
    """The input matrices, as many on a line as fit."""
    lines: list[list[Maths]] = []
    room = 0
    for q in inputs:
        columns = min(q.shape[1], 12) + 1
        item: list[Maths] = [notation.bold(q.name), Op("="), page.matrix(q)]
        if lines and room + columns <= WIDTH:
            lines[-1] += [Op("quad"), *item]
            room += columns
        else:
            lines.append(item)
            room = columns
    blocks: list[Block] = [Display(Row(tuple(line))) for line in lines]
    for q in inputs:
        blocks += page.abridged(q)[:1]
    return blocks


def _formula(page: Page) -> Maths:
    settings = page.trace.problem.settings
    s: Maths = (
        Sym("S", "bold")
        if "scores" in page.trace.problem.inputs
        else notation.row(Sym("Q", "bold"), notation.transposed("K"))
    )
    if pictures.is_root_scale(page.trace):
        scores: Maths = Frac(s, Root(notation.indexed("d", Sym("k"))))
    elif settings.scale == "1":
        scores = s
    else:
        scores = notation.row(notation.bracketed(notation.written(settings.scale, settings.symbols)), Op("thin"), s)
    body = notation.row(Sym("Softmax", "upright"), Fence("(", scores, ")"))
    values = page.trace.step_or_none("V", None) is not None
    left: Maths = Sym("O" if values else "A", "bold")
    return notation.row(left, Op("="), body, *((Sym("V", "bold"),) if values else ()))


def answer(page: Page) -> Note:
    """The weights and the output of the asked rows."""
    blocks: list[Block] = []
    for i in page.view.rows:
        for head in page.trace.heads:
            a = page.trace.step("weights", head.index).made
            symbol = sections.row_symbol("a", page, i)
            several = page.say("heads.of", number=str(head.index + 1)) if len(page.trace.heads) > 1 else ()
            equation = notation.row(symbol, page.row_relation(a, i), page.vector(a, i))
            blocks.append(Para((*page.say("answer.weights"), *several, Text(" "), Math(equation))))
        final = page.trace.step_or_none("output", None) or page.trace.step_or_none("output", 0)
        if final is not None:
            symbol = sections.row_symbol("o", page, i)
            equation = notation.row(symbol, page.row_relation(final.made, i), page.vector(final.made, i))
            blocks.append(Para((*page.say("answer.output"), Text(" "), Math(equation))))
    return Note("answer", page.say("answer.title"), tuple(blocks))


# -- comparisons ---------------------------------------------------------------------------------------------------------


def compared(page: Page, comparisons: Sequence[Comparison]) -> list[Block]:
    """What other settings give: another scale as bars, heads side by side, anything else as its weights."""
    blocks: list[Block] = []
    if page.sheet.letters:
        return blocks
    for comparison in comparisons:
        mine, theirs = page.trace.problem.settings, comparison.trace.problem.settings
        sheet = Sheet(comparison.trace, page.view.places, page.view.ties)
        if theirs.heads > 1 and theirs.heads != mine.heads:
            blocks.append(_heads_compared(page, comparison, sheet))
        elif theirs.scale != mine.scale and theirs.heads == mine.heads == 1:
            blocks.append(_scale_compared(page, comparison, sheet))
        else:
            blocks.append(_weights_compared(page, comparison, sheet))
    return blocks


def _weights_compared(page: Page, comparison: Comparison, sheet: Sheet) -> Section:
    other = Page(sheet, page.words, page.view)
    title = page.say("compare.title", label=comparison.label) if comparison.label else page.say("compare.plain")
    blocks: list[Block] = []
    for head in comparison.trace.heads:
        a = comparison.trace.step("weights", head.index).made
        blocks.append(other.display(Sym("A", "bold"), other.matrix_relation(a), other.matrix(a)))
        blocks += other.abridged(a)
    return sections.section(page, title, (), blocks)


def _scale_compared(page: Page, comparison: Comparison, sheet: Sheet) -> Section:
    """The row whose largest weight changes most, by exact values."""
    mine, theirs = page.trace.heads[0].weights, comparison.trace.heads[0].weights
    rows = range(min(mine.shape[0], 64))

    def largest(of: Sheet, i: int) -> tuple[int, str]:
        q = of.trace.heads[0].weights
        j = min(of.maxima(q, i), default=0)
        return j, of.texts(q)[i][j]

    best, gain = rows[0], None
    for i in rows:
        a, b = largest(page.sheet, i)[0], largest(sheet, i)[0]
        change = abs(theirs.value(i, b) - mine.value(i, a))
        if gain is None or change > gain:
            best, gain = i, change
    j, before = largest(sheet, best)
    scales = [pictures.scale_factor(trace) for trace in (comparison.trace, page.trace)]
    unscaled = comparison.trace.problem.settings.scale == "1"
    first = page.say("compare.unscaled") if unscaled else page.say("compare.scale", factor=Math(scales[0]))
    legend = (first, page.say("compare.scale", factor=Math(scales[1])))
    text = page.para(
        "compare.text",
        row=page.quoted(page.tokens[best]),
        key=page.quoted(page.key_tokens[j]),
        first=first,
        before=Math(Num(before)),
        second=legend[1],
        after=Math(Num(page.sheet.texts(mine)[best][j])),
    )
    title = page.say("compare.title", label=comparison.label) if comparison.label else page.say("compare.scaling")
    blocks: list[Block] = [text, pictures.scaling_bars(page, sheet, best, legend)]
    return sections.section(page, title, (), blocks)


def _heads_compared(page: Page, comparison: Comparison, sheet: Sheet) -> Section:
    heads = comparison.trace.problem.settings.heads
    title = page.say("compare.title", label=comparison.label) if comparison.label else page.say("heads.title")
    blocks: list[Block] = [
        page.para("heads.split", count=str(heads)),
        pictures.many_heads(page, comparison.trace),
        *_who_attends(page, sheet),
        *pictures.heads_side_by_side(page, sheet),
        page.para("heads.models"),
        pictures.head_counts_of_models(page),
    ]
    return sections.section(page, title, page.say("heads.aside"), blocks)


def _who_attends(page: Page, sheet: Sheet) -> list[Block]:
    """For each query, the key each head looks at most, as a table."""
    if page.blank or sheet.letters or len(page.tokens) > 24:
        return []
    found = [head.weights for head in sheet.trace.heads]
    head: list[TableCell] = [page.say("table.query")]
    for h in range(len(found)):
        head.append(page.say("heads.of", number=str(h + 1)))
    rows: list[tuple[TableCell, ...]] = []
    for i, token in enumerate(page.tokens):
        cells: list[TableCell] = [(Token(token),)]
        for q in found:
            best = sorted(sheet.maxima(q, i))
            if not best:
                cells.append((Text("–"),))
                continue
            keys = page.listed([page.quoted(page.key_tokens[j]) for j in best[:3]])
            cells.append((*keys, Text(" "), Math(Mark("max", Num(sheet.texts(q)[i][best[0]])))))
        rows.append(tuple(cells))
    return [Table(tuple(head), tuple(rows), "l" + "l" * len(found), page.say("heads.table"))]
