"""The sections before the softmax: scores, their scale, their mask."""

from __future__ import annotations

from exactattn.document import (
    Block,
    Display,
    Frac,
    Grid,
    Inlines,
    Math,
    Maths,
    Num,
    Op,
    Root,
    Section,
    Sym,
)
from exactattn.present import abridge, notation, pictures
from exactattn.present.lines import Dot, Line, derivation, sigma
from exactattn.present.page import Page
from exactattn.trace import Step


def scoring(page: Page, head: int) -> Section:
    """Each query against each key; the asked rows written out, then the matrix and its picture."""
    # scores that are given stand outside the heads
    step = page.trace.step_or_none("scores", head) or page.trace.step("scores")
    blocks: list[Block] = []
    given = step.function.__name__ == "given"
    if given:
        blocks.append(page.para("score.given"))
    else:
        shape = Math(notation.row(Num(str(step.made.shape[0])), Op("times"), Num(str(step.made.shape[1]))))
        blocks.append(page.para("score.text", shape=shape))
        for i in page.view.rows:
            blocks.append(Display(_dot_products(page, step, i)))
    for i in page.view.rows:
        blocks.append(page.row_display(page.row_symbol("s", i), step.made, i))
    blocks += page.rounding_note([(page.say("name.scores"), page.asked_doubts(step.made))])
    if pictures.can_be_heat(page, step.made):  # it stands for the matrix; without pictures the asked rows do
        blocks += pictures.heat(page, step.made, f"scores-{head + 1}", page.say("figure.scores"))
    else:
        blocks.append(page.display(_product_symbol(given), page.matrix_relation(step.made), page.matrix(step.made)))
    blocks += page.abridged(step.made)
    title = page.say("score.title", formula=Math(_product_symbol(given)))
    return page.section(page.of_head(title, head), page.say("score.aside"), blocks)


def _product_symbol(given: bool) -> Maths:
    return Sym("S", "bold") if given else notation.row(Sym("Q", "bold"), notation.transposed("K"))


def _dot_products(page: Page, step: Step, i: int) -> Maths:
    q, k = step.reads
    keys = [j for j in abridge.shown(k.shape[0], page.sheet.maxima(step.made, i)) if j is not None]
    lines: list[tuple[Maths, Maths]] = []
    d = Num(str(q.shape[1]))
    for j in keys:
        dot = Dot(page, step.made, i, j, q, k, transposed=True)
        left = notation.indexed("s", notation.label(page.tokens, i), notation.label(page.key_tokens, j))
        steps: list[Line] = []
        if j == keys[0] and not page.sheet.letters:
            query = notation.indexed("q", notation.label(page.tokens, i), Sym("c"))
            key = notation.indexed("k", notation.label(page.key_tokens, j), Sym("c"))
            steps.append(sigma("c", d, (query, Op("thin"), key)))
        steps.append(dot.substitution())
        products = dot.products()
        if j == keys[0] and products is not None:
            steps.append(products[0])
        steps.append(dot.result())
        lines += [(a, b) for a, b in derivation(left, steps).rows]
    return Grid(tuple(lines), "lines")


def scaling(page: Page, head: int) -> Section:
    """Every score times the scale."""
    step = page.trace.step("scaled", head)
    settings = page.trace.problem.settings
    blocks: list[Block] = []
    width = pictures.head_width(page.trace)
    factor = pictures.scale_factor(page.trace)
    if settings.scale == "1":
        blocks.append(page.para("scale.none"))
    elif pictures.is_root_scale(page.trace):
        d_k = notation.indexed("d", Sym("k"))
        blocks.append(
            page.para(
                "scale.root",
                width=Math(notation.row(d_k, Op("="), Num(str(width)))),
                factor=Math(notation.row(Frac(Num("1"), Root(d_k)), Op("="), factor)),
            )
        )
    else:
        blocks.append(page.para("scale.other", factor=Math(factor)))
    for i in page.view.rows if settings.scale != "1" else ():
        symbol = page.row_symbol("x", i)
        product = notation.row(factor, Op("thin"), page.row_symbol("s", i))
        blocks.append(page.row_display(symbol, step.made, i, Op("="), product))
    blocks += page.rounding_note([(page.say("name.scaled"), page.asked_doubts(step.made))])
    aside: Inlines = (Math(pictures.scale_maths(page.trace)),)
    return page.section(page.of_head(page.say("scale.title"), head), aside, blocks)


def masking(page: Page, head: int) -> Section:
    """What each asked query may attend to."""
    step = page.trace.step("masked", head)
    settings = page.trace.problem.settings
    kind = settings.mask if isinstance(settings.mask, str) else "matrix"
    blocks: list[Block] = [page.para(f"mask.{kind}")]
    for i in page.view.rows:
        blocks.append(page.row_display(page.row_symbol("x", i), step.made, i))
    return page.section(page.of_head(page.say("mask.title"), head), page.say("mask.aside"), blocks)
