"""What is given, what is asked, and what came out."""

from __future__ import annotations

from collections.abc import Sequence

from exactattn.document import (
    Block,
    Display,
    Fence,
    Frac,
    Grid,
    Inlines,
    Math,
    Maths,
    Note,
    Num,
    Op,
    Para,
    Root,
    Row,
    Script,
    Sym,
    Text,
    Token,
)  # fmt: skip
from exactattn.present import notation, pictures
from exactattn.present.figures.layout import maths as width
from exactattn.present.page import ROOM, Page
from exactattn.trace import Quantity
from exactattn.trace.problem import QUANTITIES


def problem(page: Page) -> Note:
    """The inputs and the formula."""
    inputs = [step.made for step in page.trace.steps if step.function.__name__ == "given"]
    blocks: list[Block] = [Para(_sentence(page)), *given(page, inputs), Display(formula(page)), *_conditions(page)]
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
    room = 0.0
    for q in inputs:
        item: list[Maths] = [notation.bold(q.name), Op("="), page.matrix(q)]
        wide = width(Row(tuple(item)))
        if lines and room + wide + 1 <= ROOM:
            lines[-1] += [Op("quad"), *item]
            room += wide + 1
        else:
            lines.append(item)
            room = wide
    blocks: list[Block] = [Display(Row(tuple(line))) for line in lines]
    part = [q for q in inputs if page.abridged(q)]
    return blocks + ([page.para("abridged_inputs")] if part else [])


def formula(page: Page) -> Maths:
    """The formula of the work: with its scale, its heads and its output projection."""
    trace = page.trace
    settings, inputs = trace.problem.settings, trace.problem.inputs
    several = settings.heads > 1
    h = Sym("h")

    def letter(name: str) -> Maths:
        return Script(Sym(name, "bold"), h) if several else Sym(name, "bold")

    key = Script(Sym("K", "bold"), h, Sym("T", "upright")) if several else notation.transposed("K")
    s: Maths = Sym("S", "bold") if "scores" in inputs else notation.row(letter("Q"), key)
    if pictures.is_root_scale(trace):
        scores: Maths = Frac(s, Root(notation.indexed("d", Sym("k"))))
    elif settings.scale == "1":
        scores = s
    else:
        scores = notation.row(notation.bracketed(notation.written(settings.scale, settings.symbols)), Op("thin"), s)
    softmax = notation.row(Sym("Softmax", "upright"), Fence("(", scores, ")"))
    if trace.step_or_none("V", None) is None:
        return notation.row(letter("A"), Op("="), softmax)
    head = notation.row(softmax, Op("thin"), letter("V"))
    out = (Op("thin"), notation.bold("W_O")) if "W_O" in inputs else ()
    bias = (Op("+"), notation.bold("b_O")) if "b_O" in inputs else ()
    if not several:
        return notation.row(Sym("O", "bold"), Op("="), head, *out, *bias)
    each = [Script(Sym("O", "bold"), Num(str(k))) for k in (1, settings.heads)]
    joined = notation.vector([each[0], *((Op("dots"),) if settings.heads > 2 else ()), each[1]])
    return notation.row(letter("O"), Op("="), head, Op(","), Op("quad"), Sym("O", "bold"), Op("="), joined, *out, *bias)


def _conditions(page: Page) -> list[Block]:
    """What the formula does not say: what is projected, how heads are cut, what is masked; the places of a worksheet."""
    trace = page.trace
    settings = trace.problem.settings
    blocks: list[Block] = []
    projected = [step for name in "QKV" if (step := trace.step_or_none(name, None)) is not None and len(step.reads) > 1]
    if projected:
        equations: list[Maths] = []
        for step in projected:
            x, w, *b = (notation.bold(read.name) for read in step.reads)
            bias = (Op("+"), b[0]) if b else ()
            equations += [*((Op(","), Op("quad")) if equations else ()), Sym(step.name, "bold"), Op("="), x, w, *bias]
        blocks.append(Display(Row(tuple(equations))))
    if settings.heads > 1:
        blocks.append(page.para("problem.heads", count=str(settings.heads)))
    if settings.mask != "none":
        blocks.append(page.para(f"mask.{settings.mask if isinstance(settings.mask, str) else 'matrix'}"))
    if page.blank and not page.sheet.letters:
        names = [name for name in ("scores", "scaled", "exps", "weights", "output") if _worked(page, name)]
        each = [
            (*page.say(f"name.{name}"), Text(f" {page.trace.problem.places(name, None, page.view.places)}"))
            for name in names
        ]
        blocks.append(page.para("problem.give", places=page.listed(each)))
    return blocks


def _worked(page: Page, name: str) -> bool:
    step = page.trace.step_or_none(name, 0)
    return step is not None and step.function.__name__ != "given"


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
            lead = (*page.say("answer.weights"), Text(" "), *several)
            blocks += _given_as(page, lead, page.row_display(symbol, a, i))
        final = page.trace.step_or_none("output", None) or page.trace.step_or_none("output", 0)
        if final is not None:
            display = page.row_display(page.row_symbol("o", i), final.made, i)
            blocks += _given_as(page, (*page.say("answer.output"), Text(" ")), display)
    return Note("answer", page.say("answer.title"), tuple(blocks))


def _given_as(page: Page, lead: Inlines, display: Display) -> list[Block]:
    """What is said before an answer, and the answer: beside it, or below where it takes several lines."""
    if isinstance(display.body, Grid):
        return [Para(lead), display]
    return [Para((*lead, Math(display.body)))]
