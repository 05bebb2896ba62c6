r"""Maths and inline nodes as TeX.

Own macros (\attn...) are only those that say what a part means: a maximum, an answer, a doubt, a matrix with labels.
Everything else is amsmath, so that the result can be edited by hand.
"""

from __future__ import annotations

import re
from typing import assert_never

from exactattn.document import (
    Blank,
    Fence,
    Frac,
    Grid,
    Inline,
    Inlines,
    Mark,
    Math,
    Maths,
    Num,
    Op,
    Root,
    Row,
    Script,
    Strong,
    Sym,
    Text,
    Token,
    Word,
)
from exactattn.writers.tex_tokens import short_token, text, token
from exactattn.writers.wide import LABEL, WORD, ems, head_room

OPERATORS = {
    "=": "=",
    "approx": r"\approx",
    "<": "<",
    "to": r"\to",
    "le": r"\leq",
    "ge": r"\geq",
    "ne": r"\neq",
    "in": r"\in",
    "implies": r"\Rightarrow",
    "iff": r"\Leftrightarrow",
    "+": "+",
    "-": "-",
    "times": r"\times",
    "cdot": r"\cdot",
    "/": "/",
    "div": r"\div",
    "sum": r"\sum",
    "max": r"\max",
    ",": r"\attncomma",
    "dots": r"\dots",
    "vdots": r"\vdots",
    "ddots": r"\ddots",
    "quad": r"\quad",
    "thin": r"\,",
    "none": "{}",
}
FENCES = {
    "(": "(",
    ")": ")",
    "[": "[",
    "]": "]",
    "{": r"\{",
    "}": r"\}",
    "|": "|",
    "‖": r"\Vert",
    "⟨": r"\langle",
    "⟩": r"\rangle",
    "⌊": r"\lfloor",
    "⌋": r"\rfloor",
    "": ".",
}
GREEK = dict(
    zip(
        "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ",
        "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon varphi "  # noqa: SIM905
        "chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega".split(),
        strict=True,
    )
)
SIGNS = {"-": "-", "−": "-", "∞": r"\infty", "…": r"\dots", "∂": r"\partial"}
NUMBER = re.compile("-?[0-9]+(?:[.][0-9]+)?", re.ASCII)
SCIENTIFIC = re.compile("(-?[0-9]+(?:[.][0-9]+)?)[eE]([-+]?)0*([0-9]+)", re.ASCII)

LINE = 48.0  # ems of a line, a little smaller than usual
WHOLE = 60  # digits that a line holds, in a note too; a longer number may go on in the next
DIGITS = 20  # between the places where it may


def maths(node: Maths) -> str:
    r"""A maths node as TeX for maths mode.

    >>> maths(Row((Script(Sym("a"), Row((Sym("i"), Sym("j")))), Op("approx"), Num("-0.40"))))
    'a_{i j} \\approx -0.40'
    >>> maths(Num("1.5e-7"))
    '1.5\\times10^{-7}'
    """
    match node:
        case Num(content):
            return _number(content)
        case Sym():
            return _symbol(node)
        case Word(content):
            return _word(content, WORD)
        case Op(name):
            return OPERATORS[name]
        case Row(items):
            return _row(items)
        case Frac(top, bottom):
            return rf"\frac{{{_stacked(top)}}}{{{_stacked(bottom)}}}"
        case Root(body):
            return rf"\sqrt{{{maths(body)}}}"
        case Script(base, sub, sup):
            below = f"_{{{maths(sub)}}}" if sub is not None else ""
            above = f"^{{{maths(sup)}}}" if sup is not None else ""
            plain = isinstance(base, Sym | Op | Fence | Word) or (isinstance(base, Num) and base.text.isdigit())
            return (maths(base) if plain else f"{{{maths(base)}}}") + below + above
        case Fence(opening, body, closing):
            left, right = FENCES[opening], FENCES[closing]
            if _is_tall(body) or "." in (left, right):
                return rf"\left{left} {maths(body)} \right{right}"
            return f"{_apart(left)}{maths(body)}{right}"
        case Grid():
            return _grid(node)
        case Mark(kind, body):
            return rf"\attn{kind}{{{maths(body)}}}"
        case Blank(width):
            return rf"\attnblank{{{(width + 2) * 0.5:g}}}"
        case _:
            assert_never(node)


def inline(items: Inlines) -> str:
    r"""Inline nodes as TeX for a paragraph.

    >>> inline((Text("50 % of "), Token("a_b"), Math(Num("-1"))))
    '50 \\% of a\\_b$-1$'
    """
    return "".join(map(_inline, items))


def _inline(item: Inline) -> str:
    match item:
        case Text(content):
            return text(content)
        case Token(content):
            return token(content)
        case Strong(items):
            return rf"\textbf{{{inline(items)}}}"
        case Math(body):
            return f"${maths(body)}$"
        case _:
            assert_never(item)


def _apart(bracket: str) -> str:
    """A bracket that is a command takes no letter after it into its name."""
    return f"{bracket} " if bracket[-1].isalpha() else bracket


def _number(content: str) -> str:
    if NUMBER.fullmatch(content):
        return content if len(content) <= WHOLE + len("-0.") else _long(content)
    if power := SCIENTIFIC.fullmatch(content):
        return rf"{power[1]}\times10^{{{power[2].strip('+')}{power[3]}}}"
    return "".join(SIGNS.get(c) or (c if c in "0123456789." else rf"\text{{{token(c)}}}") for c in content)


def _long(content: str) -> str:
    """A number in parts, counted from its point."""
    whole, point, places = content.partition(".")
    first = f"{whole}{point}{places[:DIGITS]}"
    rest = (places[at : at + DIGITS] for at in range(DIGITS, len(places), DIGITS))
    return r"\attngroup ".join((first, *rest))


def _symbol(symbol: Sym) -> str:
    name = symbol.name
    if name in GREEK:
        letter = rf"\{GREEK[name]}"
        return rf"\boldsymbol{{{letter}}}" if symbol.style == "bold" else letter
    if name in SIGNS or not (name.isascii() and name.isalnum()):
        return SIGNS.get(name) or _word(name, WORD)
    match symbol.style:
        case "italic":
            return name if len(name) == 1 else rf"\mathit{{{name}}}"
        case "bold":
            return rf"\mathbf{{{name}}}"
        case "upright":
            return rf"\mathrm{{{name}}}" if len(name) == 1 else rf"\operatorname{{{name}}}"
        case _:
            assert_never(symbol.style)


def _word(content: str, columns: int) -> str:
    return rf"\text{{{short_token(content, columns)}}}"


def _row(items: tuple[Maths, ...]) -> str:
    return " ".join(filter(None, map(maths, items)))


def _stacked(node: Maths) -> str:
    """A part of a fraction, which TeX never breaks: a long sum on several lines."""
    if ems(node) <= LINE or not isinstance(node, Row):
        return maths(node)
    lines: list[list[Maths]] = [[]]
    for item in node.items:
        if item in (Op("+"), Op("-")) and sum(map(ems, lines[-1])) > LINE - 12:
            lines.append([Op("none")])
        lines[-1].append(item)
    return f"\\begin{{gathered}}{_ended([maths(Row(tuple(line))) for line in lines])}\\end{{gathered}}"


def _is_tall(node: Maths) -> bool:
    """Whether brackets round it have to grow; brackets of plain size let a line break between them."""
    match node:
        case Frac() | Grid():
            return True
        case Row(items):
            return any(map(_is_tall, items))
        case Mark(_, body):
            return _is_tall(body)
        case Script(base, sub, sup):
            return base == Op("sum") or any(part is not None and _is_tall(part) for part in (base, sub, sup))
        case Fence(_, body, _) | Root(body):
            return _is_tall(body)
        case Num() | Sym() | Word() | Op() | Blank():
            return False
        case _:
            assert_never(node)


# -- grids -------------------------------------------------------------------------------------------------------------


def _grid(grid: Grid) -> str:
    match grid.kind:
        case "matrix":
            columns = max(map(len, grid.rows), default=0)
            return f"\\left[\\begin{{array}}{{@{{}}{'r' * columns}@{{}}}}\n{_lines(grid)}\n\\end{{array}}\\right]"
        case "lines":
            return f"\\begin{{aligned}}\n{aligned_lines(grid)}\n\\end{{aligned}}"
        case "labelled":
            columns = max((len(row) - 1 for row in grid.rows), default=0)
            room = head_room(columns)
            head = "".join(rf"&\attnhead{{{_label(cell, room)}}}" for cell in grid.head) + (r"\\" if grid.head else "")
            rows = [" & ".join((_label(row[0], LABEL), *map(maths, row[1:]))) for row in grid.rows]
            return f"\\attnlabelled{{{head}}}{{%\n{_ended(rows)}\n}}"
        case _:
            assert_never(grid.kind)


def _label(cell: Maths, columns: int) -> str:
    return _word(cell.text, columns) if isinstance(cell, Word) else maths(cell)


def _lines(grid: Grid) -> str:
    return _ended([" & ".join(map(maths, row)) for row in grid.rows])


def aligned_lines(grid: Grid) -> str:
    r"""The rows of a grid of lines: left side & relation and right side \\ ..."""
    return _ended([_sides(row[0], row[1]) for row in grid.rows])


def _sides(left: Maths, right: Maths) -> str:
    tex = f"{_side(left)}&{_side(right)}"
    if ems(left) + ems(right) <= LINE:
        return tex
    return rf"{_side(left)}&\attnwrap{{{ems(left) + 1:.1f}em}}{{{_side(right)}}}"


def _side(node: Maths) -> str:
    return "" if node in (Op("none"), Row(())) else maths(node)


def _ended(rows: list[str]) -> str:
    return " \\\\\n".join(rows)
