"""The section of the softmax: from scores to weights, checked and read."""

from __future__ import annotations

from exactattn.document import (
    Block,
    Display,
    Frac,
    Inlines,
    Math,
    Maths,
    Note,
    Num,
    Op,
    Para,
    Script,
    Section,
    Sym,
    Text,
)
from exactattn.present import abridge, notation, pictures, tables
from exactattn.present.page import Page
from exactattn.present.sheet import decimal_sum
from exactattn.trace import Quantity


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
    blocks.append(page.para("softmax.all_blank" if page.blank else "softmax.all"))
    blocks.append(page.display(page.letter("A", head), page.matrix_relation(a), page.matrix(a)))
    blocks += page.abridged(a)
    blocks += _attends(page, a)
    blocks += pictures.heat(page, a, f"weights-{head + 1}", page.say("figure.weights"))
    return page.section(page.of_head(page.say("softmax.title"), head), page.say("softmax.aside"), blocks)


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
    return Op("=" if page.sheet.stands_for(e, i, j) and page.sheet.stands_for(z, i, 0) else "approx")


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
        if len(odd) > abridge.MOST:
            others = page.say("odd_sums.more", count=str(len(odd) - abridge.MOST)) + others
        track = page.trace.problem.settings.track
        sentence = page.say(f"odd_sums.{track}", rows=page.listed(odd[: abridge.MOST]), others=others)
        blocks.append(Note("check", page.say("check"), (Para(sentence),)))
    return blocks
