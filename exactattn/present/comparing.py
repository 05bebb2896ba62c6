"""What other settings give, beside the main trace."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from exactattn.document import (
    Block,
    Mark,
    Math,
    Num,
    Section,
    Sym,
    Table,
    TableCell,
    Text,
    Token,
)  # fmt: skip
from exactattn.present import pictures
from exactattn.present.page import Page
from exactattn.present.sheet import Sheet
from exactattn.trace import Trace


@dataclass(frozen=True, slots=True)
class Comparison:
    """A trace worked beside the main one, with other settings."""

    trace: Trace
    label: str = ""


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
    return page.section(title, (), blocks)


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
    return page.section(title, (), blocks)


def _heads_compared(page: Page, comparison: Comparison, sheet: Sheet) -> Section:
    heads = comparison.trace.problem.settings.heads
    title = page.say("compare.title", label=comparison.label) if comparison.label else page.say("heads.title")
    blocks: list[Block] = [
        page.para("heads.split", count=str(heads)),
        pictures.many_heads(page, comparison.trace),
        *who_attends(page, sheet),
        *pictures.heads_side_by_side(page, sheet),
        page.para("heads.models"),
        pictures.head_counts_of_models(page),
    ]
    return page.section(title, page.say("heads.aside"), blocks)


def who_attends(page: Page, sheet: Sheet) -> list[Block]:
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
