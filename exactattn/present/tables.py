"""The softmax of a row as a table, and the weighted sum as a ledger."""

from __future__ import annotations

from exactattn.document import (
    Blank,
    Block,
    Inlines,
    Mark,
    Math,
    Maths,
    Num,
    Op,
    Row,
    Script,
    Sym,
    Table,
    TableCell,
    Text,
    Token,
    Wide,
)
from exactattn.present import abridge, notation
from exactattn.present.page import Page
from exactattn.present.sheet import decimal_sum
from exactattn.trace import Quantity

ACROSS = 8
"""With more keys than this the table runs down the page instead of across."""

ROWS = ("scores", "scaled", "masked", "shifted", "exps", "sums", "weights")
"""The rows of the softmax table that a trace may have, in the order of the work."""


NUMERALS = {
    "scores": "① ",
    "scaled": "② ",
    "masked": "② ",
    "shifted": "③ ",
    "exps": "③ ",
    "sums": "③ ",
    "weights": "④ ",
}
"""The article's numbers of the four steps, for work that starts from Q and K."""


def softmax_table(page: Page, head: int, i: int) -> list[Block]:
    """Scores to weights of query i: across the page for few keys, down it for many."""
    found = {name: step.made for name in ROWS if (step := page.trace.heads[head].find(name)) is not None}
    if "masked" in found:
        del found["scaled"]
    if page.trace.problem.settings.scale == "1" and "masked" not in found:
        found.pop("scaled", None)
    m = len(page.key_tokens)
    wide = m > ACROSS or page.sheet.letters or page.sheet.show != "decimal"
    return _down(page, found, i) if wide else [_across(page, found, i)]


def _across(page: Page, found: dict[str, Quantity], i: int) -> Table:
    m = len(page.key_tokens)
    head: tuple[TableCell, ...] = (page.say("table.step"), (), *((Token(token),) for token in page.key_tokens))
    rows: list[tuple[TableCell, ...]] = []
    for name, q in found.items():
        numeral = NUMERALS[name] if "scores" not in page.trace.problem.inputs else ""
        title = (Text(numeral), *page.say(f"table.{name}"))
        symbol: Inlines = (Math(_symbol(page, name)),)
        if name == "sums":
            rows.append((title, symbol, Wide(m, (Math(sum_maths(page, found["exps"], q, i)),))))
        else:
            rows.append((title, symbol, *((Math(page.marked(q, i, j)),) for j in range(m))))
    caption = page.say("table.softmax", row=page.quoted(page.tokens[i]))
    return Table(head, tuple(rows), "ll" + "r" * m, caption)


def sum_maths(page: Page, exps: Quantity, sums: Quantity, i: int) -> Maths:
    """The printed exponentials added up, and their sum."""
    terms = [page.sheet.operand(exps, i, j) for j in range(exps.shape[1]) if exps.keep is None or exps.keep[i][j]]
    result = page.sheet.number(sums, i, 0)
    if not page.blank:
        result = Mark("answer", result)
    if not terms:
        return result
    return Row((*notation.joined(terms).items, page.sheet.relation(sums, (i, 0)), result))


def _down(page: Page, found: dict[str, Quantity], i: int) -> list[Block]:
    names = [name for name in found if name != "sums"]
    head: tuple[TableCell, ...] = (page.say("table.token"), *((Math(_symbol(page, name)),) for name in names))
    rows: list[tuple[TableCell, ...]] = []
    wanted = page.sheet.maxima(found["weights"], i)
    for j in abridge.shown(len(page.key_tokens), wanted, most=24):
        if j is None:
            rows.append(((Text("⋮"),), *((Math(Op("vdots")),) for _ in names)))
        else:
            rows.append(((Token(page.key_tokens[j]),), *((Math(page.marked(found[name], i, j)),) for name in names)))
    foot: tuple[TableCell, ...] = (
        page.say("table.total"),
        *((Math(page.sheet.number(found["sums"], i, 0)),) if name == "exps" else () for name in names),
    )
    caption = page.say("table.softmax", row=page.quoted(page.tokens[i]))
    return [Table(head, tuple(rows), "l" + "r" * len(names), caption, (foot,))]


def _symbol(page: Page, name: str) -> Maths:
    """What a row of the table holds, as a formula in s_j, x_j, m and Σ."""
    s, x = (notation.indexed(letter, Sym("j")) for letter in ("s", "x"))
    shifted = page.trace.problem.settings.shift == "max"
    exponent = notation.row(x, Op("-"), Sym("m")) if shifted else x
    if page.trace.problem.settings.scale == "1" and page.trace.problem.settings.mask == "none":
        exponent = notation.row(s, Op("-"), Sym("m")) if shifted else s
    power = Script(Sym("e", "italic"), None, exponent)
    match name:
        case "scores":
            return s
        case "scaled" | "masked":
            return x
        case "shifted":
            return exponent
        case "exps":
            return power
        case "sums":
            return Sym("Σ", "upright")
        case _:
            return notation.row(notation.indexed("a", Sym("j")), Op("="), power, Op("/"), Sym("Σ", "upright"))


def ledger(page: Page, head: int, i: int) -> list[Block]:
    """The weighted sum of query i as tables: token, weight, and for each column of V the value and the product."""
    out = page.trace.step_or_none("output", head)
    if out is None:
        return []
    a, v = out.reads
    blocks: list[Block] = []
    for start in range(0, v.shape[1], 2):
        columns = list(range(start, min(start + 2, v.shape[1])))
        head_cells: list[TableCell] = [page.say("table.token"), (Math(notation.indexed("a", Sym("j"))),)]
        for c in columns:
            value = notation.indexed("v", Sym("j"), Num(str(c + 1)))
            head_cells += [(Math(value),), (Math(notation.row(notation.indexed("a", Sym("j")), Op("thin"), value)),)]
        rows = [
            _ledger_row(page, a, v, out.made, i, j, columns) for j in abridge.shown(len(page.key_tokens), (), most=24)
        ]
        foot: list[TableCell] = [page.say("table.total"), _sum_of_weights(page, a, i)]
        for c in columns:
            foot += [(), (Math(Mark("answer", page.sheet.number(out.made, i, c))),)]
        caption = page.say("table.ledger", row=page.quoted(page.tokens[i]))
        blocks.append(Table(tuple(head_cells), tuple(rows), "l" + "r" * (len(head_cells) - 1), caption, (tuple(foot),)))
    return blocks


def _sum_of_weights(page: Page, a: Quantity, i: int) -> Inlines:
    if page.blank or page.sheet.letters or page.sheet.show != "decimal":
        return ()
    return (Math(Num(decimal_sum(page.sheet.texts(a)[i]))),)


def _ledger_row(
    page: Page, a: Quantity, v: Quantity, out: Quantity, i: int, j: int | None, columns: list[int]
) -> tuple[TableCell, ...]:
    if j is None:
        return ((Text("⋮"),), *((Math(Op("vdots")),) for _ in range(1 + 2 * len(columns))))
    cells: list[TableCell] = [(Token(page.key_tokens[j]),), (Math(page.marked(a, i, j)),)]
    for c in columns:
        cells += [(Math(page.sheet.number(v, j, c)),), (Math(_product(page, a, v, out, i, j, c)),)]
    return tuple(cells)


def _product(page: Page, a: Quantity, v: Quantity, out: Quantity, i: int, j: int, c: int) -> Maths:
    places = page.sheet.places_of(out) + 1
    if page.blank:
        return Blank(places + 2)
    if page.sheet.letters:
        from exactattn.present.letters import sympy_maths

        return sympy_maths(a.matrix[i][j] * v.matrix[j][c])
    return Num((page.sheet.printed_value(a, i, j) * page.sheet.printed_value(v, j, c)).decimal(places, page.sheet.ties))
