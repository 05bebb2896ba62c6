"""Maths tree -> MathML Core.

Written for what browsers do, not for all that MathML knows: Chromium ignores `columnalign` and `menclose` (classes of
the page's style sheet align the columns and draw the boxes) and does not break lines (`inline` breaks a long formula
into several). Minus signs before a number are prefix operators; rows of a matrix have struts of one height, so that the
labels beside the bracket stay level with their rows whatever their script.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from html import escape
from typing import Literal, assert_never

from exactattn.document import (
    Blank,
    Fence,
    Frac,
    Grid,
    Mark,
    Maths,
    Num,
    Op,
    Root,
    Row,
    Script,
    Sym,
    Word,
)
from exactattn.writers.breaking import LIMITS, columns, is_low, opened, segments
from exactattn.writers.clean import Hidden, flat, pieces, shortened, token_pieces

BREAK_BEYOND = 22  # columns of an inline formula that a line of a phone still takes
WORD_COLUMNS = 24  # longer words inside a formula are shortened: nothing in a formula wraps

STRUT = '<mspace width="0" height="1.08em" depth="0.38em"/>'
LABEL_BOX = 'height="0.8em" depth="0.2em"'

OPERATORS = {
    "=": "=",
    "approx": "≈",
    "<": "&lt;",
    "to": "→",
    "le": "≤",
    "ge": "≥",
    "ne": "≠",
    "in": "∈",
    "implies": "⇒",
    "iff": "⇔",
    "+": "+",
    "-": "−",
    "times": "×",
    "cdot": "⋅",
    "/": "/",
    "div": "÷",
    ",": ",",
    "sum": "∑",
    "max": "max",
    "dots": "⋯",
    "vdots": "⋮",
    "ddots": "⋱",
}
GAPS = {"quad": '<mspace width="1em"/>', "thin": '<mspace width="0.167em"/>', "none": "<mrow></mrow>"}
PREFIXES = frozenset({"+", "-", "times", "cdot", "div"})  # what may stand before its operand


def math(body: Maths, display: Literal["block", "inline"] = "inline") -> str:
    """A whole `<math>` element.

    >>> math(Frac(Num("-1"), Num("2")))
    '<math><mfrac><mrow><mo form="prefix">−</mo><mn>1</mn></mrow><mn>2</mn></mfrac></math>'
    """
    attribute = ' display="block"' if display == "block" else ""
    return f"<math{attribute}>{maths(body)}</math>"


def inline(body: Maths) -> str:
    """Maths for a line of text: a long formula as several `<math>` elements, between which the line may break.

    It breaks after a relation, a sign or a comma, as TeX does; short formulas stay whole.
    """
    if columns(body) <= BREAK_BEYOND:
        return math(body)
    items = opened(body)
    shown = tuple(in_row(items))
    parts = ("".join(shown[part]) for part in segments(items, "after"))
    return "".join(f"<math><mrow>{part}</mrow></math>" for part in parts)


def maths(node: Maths) -> str:
    """The MathML of a node, without the `<math>` around it."""
    match node:
        case Num(text):
            return _number(text)
        case Sym(name, style):
            seen = flat(pieces(name))
            text = escape(bold(seen) if style == "bold" else seen)
            return f"<mi>{text}</mi>" if style == "italic" else f'<mi mathvariant="normal">{text}</mi>'
        case Word(text):
            return _word(text)
        case Op(name):
            return _operator(name, None)
        case Row(items):
            return _row(items)
        case Frac(top, bottom):
            return f"<mfrac>{maths(top)}{maths(bottom)}</mfrac>"
        case Root(body):
            return f"<msqrt>{maths(body)}</msqrt>"
        case Script(base, sub, sup):
            return _script(base, sub, sup)
        case Fence(left, body, right):
            # Chromium puts wide spaces around a bracket that may grow but does not
            stretchy: Literal["true", "false"] = "false" if is_low(body) else "true"
            inner = maths(body)
            return f"<mrow>{_bracket(left, 'prefix', stretchy)}{inner}{_bracket(right, 'postfix', stretchy)}</mrow>"
        case Grid():
            return _grid(node)
        case Mark(kind, body):
            return f'<mrow class="{kind}">{maths(body)}</mrow>'
        case Blank(digits):
            return f'<mrow class="blank"><mspace width="{digits * 0.55:.2f}em" height="0.9em" depth="0.3em"/></mrow>'
        case _:
            assert_never(node)


def bold(name: str) -> str:
    """Letters and digits as their bold mathematical forms; others as they are.

    >>> bold("Q1")
    '𝐐𝟏'
    """
    return "".join(_bold(c) for c in name)


def _bold(c: str) -> str:
    for first, last, start in (("A", "Z", 0x1D400), ("a", "z", 0x1D41A), ("0", "9", 0x1D7CE)):
        if first <= c <= last:
            return chr(start + ord(c) - ord(first))
    return c


@lru_cache(4096)  # matrices of small numbers hold the same ones again and again
def _number(text: str) -> str:
    mantissa, _, exponent = text.partition("e")
    sign, digits = ('<mo form="prefix">−</mo>', mantissa[1:]) if mantissa.startswith("-") else ("", mantissa)
    number = f"<mn>{escape(digits)}</mn>"
    if exponent:
        number += f'<mo form="infix">×</mo><msup><mn>10</mn>{_number(exponent.removeprefix("+"))}</msup>'
    return f"<mrow>{sign}{number}</mrow>" if sign or exponent else number


@lru_cache(1024)
def _word(text: str) -> str:
    whole = token_pieces(text)
    shown = shortened(whole, WORD_COLUMNS)
    tip = f' title="{escape(flat(whole))}"' if shown != whole else ""
    # HTML inside mtext: <bdi> keeps a right-to-left token from reordering the formula
    return f"<mtext><bdi{tip}>{boxes(shown)}</bdi></mtext>"


def boxes(parts: tuple[str | Hidden, ...]) -> str:
    """Pieces of text as HTML: escaped, code points in boxes."""
    return "".join(
        escape(part) if isinstance(part, str) else f'<span class="cp">{part.code or "∅"}</span>' for part in parts
    )


def _row(items: tuple[Maths, ...]) -> str:
    return f"<mrow>{''.join(in_row(items))}</mrow>"


def in_row(items: tuple[Maths, ...]) -> Iterator[str]:
    """The MathML of each item of a row."""
    before: Maths | None = None
    for item in items:
        yield _operator(item.name, _place(item.name, before)) if isinstance(item, Op) else maths(item)
        before = item


def _place(name: str, before: Maths | None) -> str | None:
    """The form of an operator: signs at the start or after another operator stand before their operand."""
    after_operator = before is None or (isinstance(before, Op) and before.name not in GAPS)
    if name in PREFIXES and after_operator:
        return "prefix"
    if name == "dots" and isinstance(before, Op) and before.name == ",":
        return "low"
    return None


def _operator(name: str, place: str | None) -> str:
    if name in GAPS:
        return GAPS[name]
    sign = OPERATORS[name]
    match name:
        case "dots":
            return f'<mi mathvariant="normal">{"…" if place == "low" else sign}</mi>'
        case "vdots" | "ddots":
            return f'<mi mathvariant="normal">{sign}</mi>'
        case ",":
            return '<mo separator="true">,</mo>'
        case "/":
            return '<mo form="infix" lspace="0" rspace="0">/</mo>'
        case "sum":
            return f'<mo form="prefix">{sign}</mo>'
        case "max":
            return f'<mo form="prefix" movablelimits="true" lspace="0" rspace="0.167em">{sign}</mo>'
        case _ if place == "prefix":
            return f'<mo form="prefix" lspace="0" rspace="{"0" if name in ("+", "-") else "0.167em"}">{sign}</mo>'
        case _:
            return f'<mo form="infix">{sign}</mo>'


def _script(base: Maths, sub: Maths | None, sup: Maths | None) -> str:
    limits = isinstance(base, Op) and base.name in LIMITS
    low, high, both = ("munder", "mover", "munderover") if limits else ("msub", "msup", "msubsup")
    core = maths(base)
    if sub is None and sup is None:
        return core
    if sup is None:
        return f"<{low}>{core}{maths(sub)}</{low}>" if sub is not None else core
    if sub is None:
        return f"<{high}>{core}{maths(sup)}</{high}>"
    return f"<{both}>{core}{maths(sub)}{maths(sup)}</{both}>"


def _bracket(sign: str, form: Literal["prefix", "postfix"], stretchy: Literal["true", "false"]) -> str:
    return f'<mo form="{form}" stretchy="{stretchy}">{escape(sign)}</mo>' if sign else ""


def _grid(grid: Grid) -> str:
    match grid.kind:
        case "matrix":
            return _bracketed(grid.rows)
        case "labelled" if grid.head or not all(is_low(cell) for row in grid.rows for cell in row):
            return _ruled(grid)
        case "labelled":
            labels = _table("labels", [[_label(row[0])] for row in grid.rows])
            return f"<mrow>{labels}{_bracketed([row[1:] for row in grid.rows])}</mrow>"
        case "lines":
            # a derivation is set in display style, and a cell that is one Row starts as its line does
            return _table("lines", [[maths(cell) for cell in row] for row in grid.rows], ' displaystyle="true"')
        case _:
            assert_never(grid.kind)


def _bracketed(rows: list[tuple[Maths, ...]] | tuple[tuple[Maths, ...], ...]) -> str:
    cells = [[(STRUT if j == 0 else "") + maths(cell) for j, cell in enumerate(row)] for row in rows]
    return f"<mrow>{_bracket('[', 'prefix', 'true')}{_table('matrix', cells)}{_bracket(']', 'postfix', 'true')}</mrow>"


def _ruled(grid: Grid) -> str:
    """Labels, heads and entries in one table, so that they are in line whatever their height: the style sheet draws
    the brackets, by the classes of the corner cells (left, right, top, bottom).
    """
    rows = []
    if grid.head:
        rows.append("".join(f"<mtd>{cell}</mtd>" for cell in ("", *(_label(item) for item in grid.head))))
    for i, row in enumerate(grid.rows):
        ends = "t" * (i == 0) + "b" * (i == len(grid.rows) - 1)
        cells = [f'<mtd class="label">{_label(row[0])}</mtd>']
        for j, cell in enumerate(row[1:]):
            sides = "l" * (j == 0) + "r" * (j == len(row) - 2)
            kind = f' class="{" ".join(sides + ends)}"' if sides else ""
            cells.append(f"<mtd{kind}>{maths(cell)}</mtd>")
        rows.append("".join(cells))
    body = "".join(f"<mtr>{row}</mtr>" for row in rows)
    return f'<mtable class="ruled{" headed" if grid.head else ""}">{body}</mtable>'


@lru_cache(1024)
def _label(node: Maths) -> str:
    return f"<mrow>{STRUT}<mpadded {LABEL_BOX}>{maths(node)}</mpadded></mrow>"


def _table(kind: str, rows: list[list[str]], attributes: str = "") -> str:
    body = "".join("<mtr>" + "".join(f"<mtd>{cell}</mtd>" for cell in row) + "</mtr>" for row in rows)
    return f'<mtable class="{kind}"{attributes}>{body}</mtable>'
