"""The worked solution: a trace and what it is compared with become one document."""

from __future__ import annotations

from collections.abc import Sequence

from exactattn.document import (
    Block,
    Document,
    Inlines,
    Math,
    Num,
    Op,
    PageBreak,
    Para,
    Section,
    Strong,
    Sym,
)  # fmt: skip
from exactattn.i18n import messages
from exactattn.present import notation, pictures, products, scoring, softmax, tables
from exactattn.present.comparing import Comparison, compared, who_attends
from exactattn.present.page import Page
from exactattn.present.problem import answer, problem
from exactattn.present.sheet import BlankSheet, Sheet
from exactattn.present.view import View
from exactattn.trace import Trace


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
    running = (page.say("running_blank" if view.layout == "worksheet" else "running"), _rows_named(page))
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
        blocks.append(products.projection(page, projected))
    heads = trace.problem.settings.heads
    if heads == 1:
        blocks += one_head(page, 0)
        blocks += compared(page, comparisons)
        if trace.step_or_none("W_O", None) is not None:
            blocks.append(products.projecting_out(page))
    else:
        blocks += several_heads(page)
        blocks += compared(page, comparisons)
    blocks.append(answer(page))
    return blocks


def one_head(page: Page, head: int) -> list[Block]:
    """The four steps in one head."""
    trace = page.trace
    blocks: list[Block] = [scoring.scoring(page, head), scoring.scaling(page, head)]
    if trace.step_or_none("masked", head) is not None:
        blocks.append(scoring.masking(page, head))
    blocks.append(softmax.softmax(page, head))
    if trace.step_or_none("output", head) is not None:
        blocks.append(products.mixing(page, head))
    return blocks


def several_heads(page: Page) -> list[Block]:
    """Each head's four steps in turn, the heads side by side, the concatenation, the projection."""
    trace = page.trace
    heads = trace.problem.settings.heads
    blocks: list[Block] = [
        page.section(
            page.say("heads.title"),
            page.say("heads.aside"),
            [page.para("heads.split", count=str(heads)), pictures.many_heads(page, trace)],
        )
    ]
    for h in range(heads):
        blocks += one_head(page, h)
    blocks.append(
        page.section(
            page.say("heads.compare"),
            (),
            [*who_attends(page, page.sheet), *pictures.heads_side_by_side(page, page.sheet)],
        )
    )
    if trace.step_or_none("V", None) is not None:
        blocks.append(products.concatenation(page))
        if trace.step_or_none("W_O", None) is not None:
            blocks.append(products.projecting_out(page))
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


__all__ = ["Comparison", "document"]
