"""Maths tree -> presentation MathML that versions 2 and 3 both allow: what learning systems' schemas and players take.

No HTML within, no classes that a style sheet would have to know, no attributes of MathML Core alone. A box, a colour or a
place to write become a plain sign or nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from exactattn.document import Blank, Fence, Frac, Grid, Mark, Maths, Num, Op, Root, Row, Script, Sym, Word
from exactattn.exports.markup import Element, Node, element
from exactattn.writers.breaking import LIMITS
from exactattn.writers.clean import flat, pieces, token_pieces
from exactattn.writers.mathml import OPERATORS, bold

NAMESPACE = "http://www.w3.org/1998/Math/MathML"

_SPACES = {"quad": "1em", "thin": "0.167em"}
_STRUT = element("mspace", width="0em", height="1.1em", depth="0.4em")


def math(*parts: Maths, block: bool = False) -> Element:
    """A whole `<math>` element.

    >>> from exactattn.exports.markup import text
    >>> text(math(Frac(Num("-1"), Num("2"))))
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><mfrac><mrow><mo>−</mo><mn>1</mn></mrow><mn>2</mn></mfrac></math>'
    """
    body = maths(parts[0]) if len(parts) == 1 else _row(parts)
    return element("math", body, xmlns=NAMESPACE, **({"display": "block"} if block else {}))


def maths(node: Maths) -> Element:
    """The MathML of a node, without the `<math>` around it."""
    match node:
        case Num(text):
            return _number(text)
        case Sym(name, style):
            seen = flat(pieces(name))
            return (
                element("mi", seen)
                if style == "italic"
                else element("mi", bold(seen) if style == "bold" else seen, mathvariant="normal")
            )
        case Word(text):
            return element("mtext", flat(token_pieces(text)))
        case Op(name):
            return _operator(name)
        case Row(items):
            return _row(items)
        case Frac(top, bottom):
            return element("mfrac", maths(top), maths(bottom))
        case Root(body):
            return element("msqrt", maths(body))
        case Script(base, sub, sup):
            return _script(base, sub, sup)
        case Fence(left, body, right):
            return element("mrow", *_bracket(left), maths(body), *_bracket(right))
        case Grid():
            return _grid(node)
        case Mark(kind, body):
            inner = maths(body)
            if kind == "max":
                return element("mstyle", inner, mathvariant="bold")
            return element("menclose", inner, notation="box") if kind in ("answer", "suspect", "wrong") else inner
        case Blank():
            return element("mspace", width="2em")
        case _:
            assert_never(node)


def _number(text: str) -> Element:
    mantissa, _, exponent = text.partition("e")
    parts: list[Node] = [element("mo", "−")] if mantissa.startswith("-") else []
    parts.append(element("mn", mantissa.removeprefix("-")))
    if exponent:
        parts += [element("mo", "×"), element("msup", element("mn", "10"), _number(exponent.removeprefix("+")))]
    return element("mrow", *parts) if len(parts) > 1 else element("mn", mantissa)


def _operator(name: str) -> Element:
    if name in _SPACES:
        return element("mspace", width=_SPACES[name])
    return element("mrow") if name == "none" else element("mo", OPERATORS[name].replace("&lt;", "<"))


def _row(items: Sequence[Maths]) -> Element:
    return element("mrow", *map(maths, items))


def _bracket(sign: str) -> tuple[Element, ...]:
    return (element("mo", sign),) if sign else ()


def _script(base: Maths, sub: Maths | None, sup: Maths | None) -> Element:
    limits = isinstance(base, Op) and base.name in LIMITS
    low, high, both = ("munder", "mover", "munderover") if limits else ("msub", "msup", "msubsup")
    below, above = (() if part is None else (maths(part),) for part in (sub, sup))
    name = both if below and above else low if below else high
    return element(name, maths(base), *below, *above) if below or above else maths(base)


def _grid(grid: Grid) -> Element:
    match grid.kind:
        case "matrix":
            return _bracketed(grid.rows)
        case "labelled" if grid.head:
            # heads, labels and entries in one table, or they would not be in line
            head = [element("mrow"), *map(maths, grid.head)]
            return _table([head, *([maths(cell) for cell in row] for row in grid.rows)])
        case "labelled":
            labels = _table([[element("mrow", _STRUT, maths(row[0]))] for row in grid.rows])
            return element("mrow", labels, _bracketed([row[1:] for row in grid.rows]))
        case "lines":
            return _table([[maths(cell) for cell in row] for row in grid.rows])
        case _:
            assert_never(grid.kind)


def _bracketed(rows: Sequence[tuple[Maths, ...]]) -> Element:
    cells = [
        [element("mrow", _STRUT, maths(cell)) if j == 0 else maths(cell) for j, cell in enumerate(row)] for row in rows
    ]
    return element("mrow", element("mo", "["), _table(cells), element("mo", "]"))


def _table(rows: Sequence[Sequence[Element]]) -> Element:
    return element("mtable", *(element("mtr", *(element("mtd", cell) for cell in row)) for row in rows))
