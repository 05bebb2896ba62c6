"""The sections of the other products: projecting, mixing the values, concatenating, projecting out."""

from __future__ import annotations

from exactattn.document import (
    Block,
    Display,
    Math,
    Maths,
    Num,
    Op,
    Row,
    Section,
    Sym,
    Text,
)
from exactattn.present import notation, pictures
from exactattn.present.lines import Dot, Line, derivation, sigma
from exactattn.present.page import Page
from exactattn.present.sheet import Doubt
from exactattn.trace import Quantity, Step

MOST_COLUMNS = 6
"""Entries of an output row that are each written out."""


def projection(page: Page, names: tuple[str, ...]) -> Section:
    """Q, K, V from X: the first entry of an asked row written out, then the matrices."""
    blocks: list[Block] = [page.para("project.text")]
    for name in names:
        step = page.trace.step(name)
        if name == names[0]:
            i = page.view.rows[0] if name == "Q" else 0
            blocks.append(Display(_product_lines(page, step, i, 0, name.lower())))
        blocks.append(page.display(_projected(name, step), Op("="), *_matrix_tail(page, step.made)))
        blocks += page.abridged(step.made)
    doubts = [((Math(notation.bold(name)),), page.sheet.doubts(page.trace.step(name).made)) for name in names]
    blocks += page.rounding_note(doubts)
    return page.section(page.say("project.title", names=Text(", ".join(names))), page.say("project.aside"), blocks)


def _projected(name: str, step: Step) -> Maths:
    x, w, *b = (notation.bold(read.name) for read in step.reads)
    bias = (Op("+"), b[0]) if b else ()
    return Row((Sym(name, "bold"), Op("="), x, w, *bias))


def _matrix_tail(page: Page, q: Quantity) -> tuple[Maths, ...]:
    relation = page.matrix_relation(q)
    return (page.matrix(q),) if relation == Op("=") else (page.matrix(q), Op("none"))


def _product_lines(page: Page, step: Step, i: int, j: int, letter: str) -> Maths:
    """One entry of X·W + b or of the concatenation times W_O."""
    left, right, *bias = step.reads
    dot = Dot(page, step.made, i, j, left, right, bias=bias[0] if bias else None)
    name = notation.indexed(letter, notation.label(step.made.rows, i), Num(str(j + 1)))
    products = dot.products()
    lines = [dot.substitution(), *([products[0]] if products else []), dot.result()]
    return derivation(name, lines)


def mixing(page: Page, head: int) -> Section:
    """The values mixed by the weights: each entry of an asked row, the ledger picture, the matrix."""
    step = page.trace.step("output", head)
    v = step.reads[1]
    blocks: list[Block] = []
    doubts: list[Doubt] = []
    for i in page.view.rows:
        blocks.append(page.para("mix.text", row=page.quoted(page.tokens[i])))
        for j in range(min(v.shape[1], MOST_COLUMNS)):
            lines, found = _mixed(page, step, i, j)
            blocks.append(Display(lines))
            doubts += [doubt for doubt in found if doubt not in page.sheet.doubts(step.made, i)]
            if j == 0:
                blocks += pictures.contribution_bars(page, head, i, 0)
        if v.shape[1] > MOST_COLUMNS:
            blocks.append(page.para("mix.others"))
        blocks.append(page.row_display(page.row_symbol("o", i), step.made, i))
    blocks += page.rounding_note(
        [(page.say("name.output"), page.asked_doubts(step.made)), (page.say("name.products"), doubts)]
    )
    symbol = notation.row(page.letter("O", head), Op("="), page.letter("A", head), page.letter("V", head))
    blocks.append(page.para("mix.all_blank" if page.blank else "mix.all"))
    blocks.append(page.display(symbol, page.matrix_relation(step.made), page.matrix(step.made)))
    blocks += page.abridged(step.made)
    title = page.say("mix.title", values=Math(Sym("V", "bold")))
    return page.section(page.of_head(title, head), page.say("mix.aside"), blocks)


def _mixed(page: Page, step: Step, i: int, j: int) -> tuple[Maths, list[Doubt]]:
    a, v = step.reads
    dot = Dot(page, step.made, i, j, a, v)
    who = notation.label(page.tokens, i)
    left = notation.indexed("o", who, Num(str(j + 1)))
    steps: list[Line] = []
    if j == 0:
        weight, value = notation.indexed("a", who, Sym("j")), notation.indexed("v", Sym("j"), Num("1"))
        steps.append(sigma("j", Num(str(a.shape[1])), (weight, Op("thin"), value)))
    steps.append(dot.substitution())
    products = dot.products()
    found: list[Doubt] = []
    if products is not None:
        steps.append(products[0])
        found = dot.doubts_of_products(products[1])
    steps.append(dot.result())
    return derivation(left, steps), found


def concatenation(page: Page) -> Section:
    """The heads' outputs side by side."""
    step = next(step for step in page.trace.steps if step.function.__name__ == "concatenate")
    blocks: list[Block] = [page.para("concat.text", count=str(len(step.reads)))]
    name = "C" if step.made.name == "concat" else "O"
    blocks.append(page.display(Sym(name, "bold"), page.matrix_relation(step.made), page.matrix(step.made)))
    blocks += page.abridged(step.made)
    return page.section(page.say("concat.title"), page.say("concat.aside"), blocks)


def projecting_out(page: Page) -> Section:
    """The concatenation times W_O."""
    step = page.trace.step("output")
    blocks: list[Block] = [page.para("out.text")]
    for i in page.view.rows:
        for j in range(min(step.made.shape[1], MOST_COLUMNS)):
            blocks.append(Display(_product_lines(page, step, i, j, "o")))
    x = Sym("C" if page.trace.step_or_none("concat", None) is not None else "O", "bold")
    bias = (Op("+"), notation.bold("b_O")) if len(step.reads) > 2 else ()
    symbol = Row((x, notation.bold("W_O"), *bias))
    blocks.append(page.display(symbol, page.matrix_relation(step.made), page.matrix(step.made)))
    blocks += page.abridged(step.made)
    blocks += page.rounding_note([(page.say("name.output"), page.asked_doubts(step.made))])
    return page.section(page.say("out.title", matrix=Math(notation.bold("W_O"))), page.say("out.aside"), blocks)
