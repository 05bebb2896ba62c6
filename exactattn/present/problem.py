"""What is given, what is asked, and what came out."""

from __future__ import annotations

from collections.abc import Sequence

from exactattn.document import (
    Block,
    Display,
    Fence,
    Frac,
    Inlines,
    Math,
    Maths,
    Note,
    Op,
    Para,
    Root,
    Row,
    Sym,
    Text,
    Token,
)  # fmt: skip
from exactattn.present import notation, pictures
from exactattn.present.page import Page
from exactattn.trace import Quantity
from exactattn.trace.problem import QUANTITIES

WIDTH = 13
"""Columns of numbers that fit a line, all matrices on it together."""


def problem(page: Page) -> Note:
    """The inputs and the formula."""
    inputs = [step.made for step in page.trace.steps if step.function.__name__ == "given"]
    blocks: list[Block] = [Para(_sentence(page)), *given(page, inputs), Display(formula(page))]
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


def given(page: Page, inputs: Sequence[Quantity]) -> list[Block]:
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


def formula(page: Page) -> Maths:
    """The formula of the work, with the scale that is used."""
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
            symbol = page.row_symbol("a", i)
            several = (
                (*page.say("heads.of", number=str(head.index + 1)), Text(" ")) if len(page.trace.heads) > 1 else ()
            )
            equation = notation.row(symbol, page.row_relation(a, i), page.vector(a, i))
            blocks.append(Para((*page.say("answer.weights"), Text(" "), *several, Math(equation))))
        final = page.trace.step_or_none("output", None) or page.trace.step_or_none("output", 0)
        if final is not None:
            symbol = page.row_symbol("o", i)
            equation = notation.row(symbol, page.row_relation(final.made, i), page.vector(final.made, i))
            blocks.append(Para((*page.say("answer.output"), Text(" "), Math(equation))))
    return Note("answer", page.say("answer.title"), tuple(blocks))
