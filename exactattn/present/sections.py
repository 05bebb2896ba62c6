"""The sections of a worked solution, one for each step of the work.

`SECTIONS` says which function shows what a step makes; a new step needs a row here (a test lists what is missing).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from exactattn.document import (
    Block,
    Display,
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
    Section,
    Sym,
    Text,
)
from exactattn.present import abridge, notation, pictures, tables
from exactattn.present.lines import Dot, Line, derivation, sigma
from exactattn.present.page import Page
from exactattn.present.sheet import Doubt, decimal_sum
from exactattn.trace import Quantity, Step

MOST_COLUMNS = 6
"""Entries of an output row that are each written out."""


def section(page: Page, title: Inlines, aside: Inlines, blocks: list[Block]) -> Section:
    """A numbered step."""
    return Section(page.next_step(), title, aside, tuple(blocks))


# -- X·W ---------------------------------------------------------------------------------------------------------------


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
    return section(page, page.say("project.title", names=Text(", ".join(names))), page.say("project.aside"), blocks)


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


# -- scores ------------------------------------------------------------------------------------------------------------


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
        blocks.append(
            page.display(row_symbol("s", page, i), page.row_relation(step.made, i), page.vector(step.made, i))
        )
    blocks += page.rounding_note([(page.say("name.scores"), _doubts(page, step.made))])
    pictured = pictures.heat(page, step.made, f"scores-{head + 1}", page.say("figure.scores"))
    blocks += pictured or [
        page.display(_product_symbol(given), page.matrix_relation(step.made), page.matrix(step.made))
    ]
    blocks += page.abridged(step.made)
    title = page.say("score.title", formula=Math(_product_symbol(given)))
    return section(page, page.of_head(title, head), page.say("score.aside"), blocks)


def _product_symbol(given: bool) -> Maths:
    return Sym("S", "bold") if given else notation.row(Sym("Q", "bold"), notation.transposed("K"))


def row_symbol(letter: str, page: Page, i: int) -> Maths:
    """A row of a matrix as a bold small letter with its token."""
    return Script(Sym(letter, "bold"), notation.label(page.tokens, i))


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


def _doubts(page: Page, q: Quantity) -> list[Doubt]:
    return [doubt for i in page.view.rows for doubt in page.sheet.doubts(q, i)]


# -- scale and mask ----------------------------------------------------------------------------------------------------


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
        symbol = row_symbol("x", page, i)
        product = notation.row(factor, Op("thin"), row_symbol("s", page, i))
        blocks.append(
            page.display(symbol, Op("="), product, page.row_relation(step.made, i), page.vector(step.made, i))
        )
    blocks += page.rounding_note([(page.say("name.scaled"), _doubts(page, step.made))])
    aside: Inlines = (Math(pictures.scale_maths(page.trace)),)
    return section(page, page.of_head(page.say("scale.title"), head), aside, blocks)


def masking(page: Page, head: int) -> Section:
    """What each asked query may attend to."""
    step = page.trace.step("masked", head)
    settings = page.trace.problem.settings
    kind = settings.mask if isinstance(settings.mask, str) else "matrix"
    blocks: list[Block] = [page.para(f"mask.{kind}")]
    for i in page.view.rows:
        blocks.append(
            page.display(row_symbol("x", page, i), page.row_relation(step.made, i), page.vector(step.made, i))
        )
    return section(page, page.of_head(page.say("mask.title"), head), page.say("mask.aside"), blocks)


# -- softmax -----------------------------------------------------------------------------------------------------------


def softmax(page: Page, head: int) -> Section:
    """Maximum, exponentials, sum, division: the formula, the table of each asked row, the matrix, its picture."""
    a = page.trace.step("weights", head).made
    blocks: list[Block] = [page.para("softmax.max" if page.trace.problem.settings.shift == "max" else "softmax.plain")]
    blocks.append(Display(_softmax_formula(page)))
    for i in page.view.rows:
        blocks += tables.softmax_table(page, head, i)
        blocks += _division(page, head, i)
        blocks += _row_check(page, a, i)
        names = ("shifted", "exps", "sums", "weights")
        found = [(name, step.made) for name in names if (step := page.trace.step_or_none(name, head)) is not None]
        blocks += page.rounding_note([(page.say(f"name.{name}"), page.sheet.doubts(q, i)) for name, q in found])
    blocks.append(page.para("softmax.all"))
    blocks.append(page.display(page.letter("A", head), page.matrix_relation(a), page.matrix(a)))
    blocks += page.abridged(a)
    blocks += _attends(page, a)
    blocks += pictures.heat(page, a, f"weights-{head + 1}", page.say("figure.weights"))
    return section(page, page.of_head(page.say("softmax.title"), head), page.say("softmax.aside"), blocks)


def _softmax_formula(page: Page) -> Maths:
    settings = page.trace.problem.settings
    letter = "s" if settings.scale == "1" and settings.mask == "none" else "x"
    shifted = settings.shift == "max"

    def power(index: str) -> Maths:
        x = notation.indexed(letter, Sym(index))
        return Script(Sym("e"), None, notation.row(x, Op("-"), Sym("m")) if shifted else x)

    total = Script(Op("sum"), notation.row(Sym("k"), Op("="), Num("1")), Num(str(len(page.key_tokens))))
    fraction = Frac(power("j"), notation.row(total, power("k")))
    left = notation.indexed("a", Sym("j"))
    if not shifted:
        return notation.row(left, Op("="), fraction)
    largest = notation.row(Script(Op("max"), Sym("j")), notation.indexed(letter, Sym("j")))
    return notation.row(left, Op("="), fraction, Op(","), Op("quad"), Sym("m"), Op("="), largest)


def _division(page: Page, head: int, i: int) -> list[Block]:
    """The largest weight of a row, written out."""
    step = page.trace.step("weights", head)
    e, z = step.reads
    best = page.trace.heads[head].weights
    where = min(page.sheet.maxima(best, i), default=0)
    if page.sheet.letters or (e.keep is not None and not e.keep[i][where]):
        return []
    left = notation.indexed("a", notation.label(page.tokens, i), notation.label(page.key_tokens, where))
    fraction = Frac(page.sheet.operand(e, i, where), page.sheet.operand(z, i, 0))
    first = page.sheet.relation(step.made, (i, where)) if page.blank else _operands(page, e, z, i, where)
    number = page.sheet.number(step.made, i, where)
    return [page.display(left, first, fraction, page.sheet.relation(step.made, (i, where)), number)]


def _operands(page: Page, e: Quantity, z: Quantity, i: int, j: int) -> Op:
    exact = page.sheet.show != "decimal" or (page.sheet.went_on(e, i, j) and page.sheet.went_on(z, i, 0))
    return Op("=" if exact else "approx")


def _row_check(page: Page, a: Quantity, i: int) -> list[Block]:
    """Do the printed weights of the row add up to 1, and where does the query look most?"""
    if page.blank or page.sheet.letters or page.sheet.show != "decimal":
        return []
    texts = [text for j, text in enumerate(page.sheet.texts(a)[i]) if a.keep is None or a.keep[i][j]]
    items: Inlines = ()
    if 0 < len(texts) <= abridge.MOST:
        total = notation.row(*notation.joined([Num(text) for text in texts]).items, Op("="), Num(decimal_sum(texts)))
        items += page.say("softmax.sum", sum=Math(total))
    items += _attention_sentence(page, a, i)
    return [Note("check", page.say("check"), (Para(items),))] if items else []


def _attention_sentence(page: Page, a: Quantity, i: int) -> Inlines:
    best = sorted(page.sheet.maxima(a, i))
    if not best:
        return ()
    keys = page.listed([page.quoted(page.key_tokens[j]) for j in best[:4]])
    return page.say(
        "softmax.most", row=page.quoted(page.tokens[i]), keys=keys, weight=Math(Num(page.sheet.texts(a)[i][best[0]]))
    )


def _attends(page: Page, a: Quantity) -> list[Block]:
    """Who attends to whom, and which printed rows do not add up to 1."""
    if page.blank or page.sheet.letters or page.sheet.show != "decimal":
        return []
    n = a.shape[0]
    pairs = []
    for i in range(n if n <= abridge.MOST else 0):
        best = sorted(page.sheet.maxima(a, i))
        if best and len(best) < a.shape[1]:
            keys = page.listed([page.quoted(page.key_tokens[j]) for j in best])
            pairs.append(
                page.say(
                    "attends",
                    row=page.quoted(page.tokens[i]),
                    keys=keys,
                    weight=Math(Num(page.sheet.texts(a)[i][best[0]])),
                )
            )
    blocks: list[Block] = []
    if pairs:
        out: Inlines = ()
        for k, pair in enumerate(pairs):
            out += ((Text(page.words.text("solution.semicolon")),) if k else ()) + pair
        blocks.append(Para((*page.say("attends_lead"), *out, Text(page.words.text("solution.stop")))))
    odd = []
    for i, row in enumerate(page.sheet.texts(a)):
        total = decimal_sum(row)
        if total.strip("0") not in ("1.", "1") and any(text.strip("0.") for text in row):
            odd.append(page.say("odd_sum", row=page.quoted(page.tokens[i]), sum=Math(Num(total))))
    if odd:
        others: Inlines = () if len(odd) == n else page.say("odd_sums.others")
        track = page.trace.problem.settings.track
        sentence = page.say(f"odd_sums.{track}", rows=page.listed(odd[:12]), others=others)
        blocks.append(Note("check", page.say("check"), (Para(sentence),)))
    return blocks


# -- A·V ---------------------------------------------------------------------------------------------------------------


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
            doubts += found
            if j == 0:
                blocks += pictures.contribution_bars(page, head, i, 0)
        if v.shape[1] > MOST_COLUMNS:
            blocks.append(page.para("mix.others"))
        blocks.append(
            page.display(row_symbol("o", page, i), page.row_relation(step.made, i), page.vector(step.made, i))
        )
    blocks += page.rounding_note(
        [(page.say("name.output"), _doubts(page, step.made)), (page.say("name.products"), doubts)]
    )
    symbol = notation.row(page.letter("O", head), Op("="), page.letter("A", head), page.letter("V", head))
    blocks.append(page.para("mix.all"))
    blocks.append(page.display(symbol, page.matrix_relation(step.made), page.matrix(step.made)))
    blocks += page.abridged(step.made)
    title = page.say("mix.title", values=Math(Sym("V", "bold")))
    return section(page, page.of_head(title, head), page.say("mix.aside"), blocks)


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
    return section(page, page.say("concat.title"), page.say("concat.aside"), blocks)


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
    blocks += page.rounding_note([(page.say("name.output"), _doubts(page, step.made))])
    return section(page, page.say("out.title", matrix=Math(notation.bold("W_O"))), page.say("out.aside"), blocks)


SECTIONS: Mapping[str, Callable[..., Section] | None] = {
    "given": None,  # inputs stand in the problem
    "project": projection,
    "split": None,  # a head's block is read where it is used
    "score": scoring,
    "scale": scaling,
    "mask": masking,
    "maximum": softmax,
    "shift": softmax,
    "exponentiate": softmax,
    "total": softmax,
    "divide": softmax,
    "mix": mixing,
    "concatenate": concatenation,
}
"""The section that shows what a step makes, by the name of its function."""
