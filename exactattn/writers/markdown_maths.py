r"""Maths tree -> the TeX that GitHub (MathJax), KaTeX and Pandoc all take: no macros of our own, no packages.

Characters that Markdown may act on before the maths is read are spelt out (`\vert`, `\lbrace`, `\ast`), and so is every
special character of a token: inside \text each of these programs escapes differently, so specials stand outside it.
"""

from __future__ import annotations

from typing import assert_never

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
from exactattn.writers.clean import Hidden, shortened, token_pieces
from exactattn.writers.tex_maths import FENCES, GREEK, OPERATORS, SCIENTIFIC

WORD_COLUMNS = 16  # of a token inside a formula

SIGNS = OPERATORS | {",": ",", "thin": r"\thinspace"}
TALL = (r"\frac", r"\begin", r"\sum")  # what brackets have to grow around
BRACKETS = FENCES | {"{": r"\lbrace", "}": r"\rbrace", "|": r"\vert"}
MARKS = {
    "max": r"\textcolor{red}{\mathbf{body}}",
    "answer": r"\boxed{body}",
    "doubt": r"\underline{body}",
    "suspect": r"\boxed{body}",
    "wrong": r"\boxed{\textcolor{red}{\mathbf{body}}}",
    "open": r"\textcolor{gray}{body}",
}
SPECIAL = {
    "\\": r"\backslash ",
    "{": r"\lbrace ",
    "}": r"\rbrace ",
    "[": r"\lbrack ",
    "]": r"\rbrack ",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\hat{}",
    "~": r"\sim ",
    "`": r"\grave{}",
    "<": "{<}",
    ">": "{>}",
    "|": r"\vert ",
    "*": r"\ast ",
    "-": r"\text{-}",  # alone: two in one \text are a dash
    "'": r"\text{'}",
    '"': r"\text{''}",
}


def maths(node: Maths) -> str:
    r"""The TeX of a node, on one line but for the rows of grids.

    >>> maths(Script(Sym("a"), Row((Word("a_b"), Op(","), Num("-1")))))
    'a_{\\text{a}\\_\\text{b}, -1}'
    """
    match node:
        case Num(text):
            return _number(text)
        case Sym():
            return _symbol(node)
        case Word(text):
            return _word(text)
        case Op(name):
            return SIGNS[name]
        case Row(items):
            return " ".join(part for part in map(maths, items) if part).replace(" ,", ",")
        case Frac(top, bottom):
            return rf"\frac{{{maths(top)}}}{{{maths(bottom)}}}"
        case Root(body):
            return rf"\sqrt{{{maths(body)}}}"
        case Script(base, sub, sup):
            below = f"_{_argument(sub)}" if sub is not None else ""
            above = f"^{_argument(sup)}" if sup is not None else ""
            core = maths(base)
            return (core if isinstance(base, Sym | Op | Num) else f"{{{core}}}") + below + above
        case Fence(left, body, right):
            inner, opening, closing = maths(body), BRACKETS[left], BRACKETS[right]
            if "." in (opening, closing) or any(part in inner for part in TALL):
                return rf"\left{opening} {inner} \right{closing}"
            return f"{_apart(opening)}{inner}{closing}"
        case Grid():
            return _grid(node)
        case Mark(kind, body):
            return MARKS[kind].replace("body", maths(body))
        case Blank(digits):
            return r"\underline{" + r"\quad" * max(1, digits // 2) + "}"
        case _:
            assert_never(node)


def _argument(node: Maths) -> str:
    tex = maths(node)
    return tex if len(tex) == 1 else f"{{{tex}}}"


def _apart(bracket: str) -> str:
    return f"{bracket} " if bracket[-1].isalpha() else bracket


def _number(text: str) -> str:
    if power := SCIENTIFIC.fullmatch(text):
        return rf"{power[1]}\times 10^{{{power[2].strip('+')}{power[3]}}}"
    return text.replace("−", "-").replace("∞", r"\infty ")


def _symbol(symbol: Sym) -> str:
    name = symbol.name
    if name in GREEK:
        letter = rf"\{GREEK[name]} "
        return rf"\boldsymbol{{{letter}}}" if symbol.style == "bold" else letter
    if name in ("∞", "∂"):
        return r"\infty " if name == "∞" else r"\partial "
    if not (name.isascii() and name.isalnum()):
        return _word(name)
    match symbol.style:
        case "italic":
            return name if len(name) == 1 else rf"\mathit{{{name}}}"
        case "bold":
            return rf"\mathbf{{{name}}}"
        case "upright":
            return rf"\mathrm{{{name}}}"
        case _:
            assert_never(symbol.style)


def _word(text: str) -> str:
    out, run = [], ""
    for piece in shortened(token_pieces(text), WORD_COLUMNS):
        for c in (piece,) if isinstance(piece, Hidden) else piece:
            if isinstance(c, str) and c not in SPECIAL:
                run += c
                continue
            out += [rf"\text{{{run}}}"] if run else []
            run = ""
            out.append(SPECIAL[c] if isinstance(c, str) else rf"\boxed{{\text{{{c.code or ' '}}}}}")
    out += [rf"\text{{{run}}}"] if run else []
    return "".join(out)


def _grid(grid: Grid) -> str:
    columns = max(map(len, grid.rows), default=0)
    match grid.kind:
        case "matrix":
            return _bracketed(grid.rows, columns)
        case "labelled" if grid.head:
            head = " & ".join(("", *map(maths, grid.head)))
            return _array(f"r|{'r' * (columns - 1)}", rf"{head} \\ \hline" + "\n" + _rows(grid.rows))
        case "labelled":
            labels = _array("r", _rows([row[:1] for row in grid.rows]))
            return labels + "\n" + _bracketed([row[1:] for row in grid.rows], columns - 1)
        case "lines":
            return f"\\begin{{aligned}}\n{_rows(grid.rows)}\n\\end{{aligned}}"
        case _:
            assert_never(grid.kind)


def _bracketed(rows: list[tuple[Maths, ...]] | tuple[tuple[Maths, ...], ...], columns: int) -> str:
    return "\\left[" + _array("r" * columns, _rows(rows)) + "\\right]"


def _array(spec: str, body: str) -> str:
    return f"\\begin{{array}}{{{spec}}}\n{body}\n\\end{{array}}"


def _rows(rows: list[tuple[Maths, ...]] | tuple[tuple[Maths, ...], ...]) -> str:
    return " \\\\\n".join(" & ".join(map(maths, row)) for row in rows)
