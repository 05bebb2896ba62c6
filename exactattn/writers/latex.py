r"""A document as LaTeX for xelatex: a whole page, or a fragment to \input into a document of one's own.

The look and the fitting stand in templates/latex: displays, tables and pictures there are measured and set as large as
fits the line. Here every node only becomes the environment that says what it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, assert_never

from exactattn.document import (
    Block,
    Code,
    Display,
    Document,
    Fence,
    Figure,
    Frac,
    Grid,
    Inlines,
    Mark,
    Math,
    Maths,
    Note,
    PageBreak,
    Para,
    Room,
    Root,
    Row,
    Script,
    Section,
    Side,
    Table,
    TableCell,
    Text,
    Token,
    Wide,
    plain,
)
from exactattn.errors import OptionError
from exactattn.i18n import Messages, messages
from exactattn.present.figures.layout import shorten, width
from exactattn.writers.breaking import opened, segments
from exactattn.writers.templates import latex_templates
from exactattn.writers.tex_maths import aligned_lines, inline, maths
from exactattn.writers.tex_tokens import code, metadata, short_token, text
from exactattn.writers.tikz import tikz
from exactattn.writers.wide import GAP, TOKEN, cell_ems, column_widths, ems, head_room, matrix_parts, table_parts

NOTES = {"problem": "attnproblem", "check": "attncheck", "warning": "attnwarning", "answer": "attnresult"}
SPREADS = {"zh": ("1.12", "1.09", "1.06")}  # of lines, and closer ones: hanzi are taller than letters
LATIN_SPREADS = ("1.06", "1.03", "1")
RUNNING = (96.0, 62.0)  # millimetres for the two ends of the line at the head of a sheet
ROOMY = 56.0  # ems of a line in the size of the text
LONG = re.compile("[0-9.]{16}", re.ASCII)  # digits that TeX cannot break leave a line too short or too long


def latex(document: Document, *, body: Literal["page", "fragment"] = "page") -> str:
    """The document as a file of LaTeX.

    "page" is a whole document for xelatex; "fragment" is its blocks with the definitions they need, to be put into
    another document by \\input, and begins with a comment that names the packages for its preamble.
    Errors: OptionError for another body or a language without words.
    """
    if body not in ("page", "fragment"):
        raise OptionError("body {body!r} is neither page nor fragment", body=body)
    words = messages(document.lang)
    spreads = SPREADS.get(document.lang, LATIN_SPREADS)
    left, right = (
        inline(items if width(items, "small") <= room else (Text(shorten(plain(items), room, "small")),))
        for items, room in zip(document.running, RUNNING, strict=True)
    )
    return (
        latex_templates()
        .get_template(f"latex/{body}.tex")
        .render(
            lang=document.lang,
            spread=spreads[0],
            tighter=spreads[1:],
            title=inline(document.title),
            meta=inline(document.meta),
            left=left,
            right=right,
            metadata=metadata(plain(document.title)),
            empty=text(words.text("latex.empty")),
            figure=text(words.text("latex.figure")),
            table=text(words.text("latex.table")),
            sheet=_sheet(words),
            body=blocks(document.blocks),
        )
    )


def _sheet(words: Messages) -> str:
    """The words at the foot of a sheet, with TeX's own numbers in them."""
    numbers = {"page": r"\thepage{}", "pages": r"\pageref{LastPage}"}
    items = words.say("latex.sheet", **{name: Token(name) for name in numbers})
    return "".join(numbers[item.text] if isinstance(item, Token) else inline((item,)) for item in items)


def blocks(content: tuple[Block, ...]) -> str:
    """Blocks one after the other. A display belongs to the paragraph before it, and so do figures and tables."""
    out = [block(first) for first in content[:1]]
    for before, after in pairwise(content):
        if isinstance(before, Para) and isinstance(after, Figure | Table | Side):
            out.append("\\par\\nobreak\n")
        elif not (isinstance(before, Para) and isinstance(after, Display)):
            out.append("\n")
        out.append(block(after))
    return "".join(out)


def block(node: Block) -> str:
    r"""A block as LaTeX, ended by a line end.

    >>> block(Para((Text("One dot product for each pair."),)))
    'One dot product for each pair.\n'
    """
    match node:
        case Code(items):
            return rf"\attncode{{{code(plain(items))}}}" + "\n"
        case Para(items):
            tex = inline(items)
            return f"{{\\attnragged {tex}\\par}}\n" if LONG.search(tex) else f"{tex}\n"
        case Display(body):
            return _display(body)
        case Table():
            return _table(node)
        case Figure(_, picture, caption, note):
            return _environment("attnfigure", f"{{{inline(caption)}}}{{{inline(note)}}}", tikz(picture))
        case Side(content):
            return _environment("attnside", "", "%\n".join(map(_item, content)))
        case Note(kind, title, content):
            return _environment(NOTES[kind], f"{{{inline(title)}}}", blocks(content).rstrip("\n"))
        case Section(label, title, aside, content):
            return rf"\attnstep{{{inline(label)}}}{{{inline(title)}}}{{{inline(aside)}}}" + "\n" + blocks(content)
        case Room(lines):
            return f"\\attnroom{{{lines}}}\n"
        case PageBreak():
            return "\\newpage\n"
        case _:
            assert_never(node)


def _environment(name: str, arguments: str, content: str) -> str:
    return f"\\begin{{{name}}}{arguments}\n{content}\n\\end{{{name}}}\n"


def _display(body: Maths) -> str:
    if isinstance(body, Grid) and body.kind == "lines":
        return _environment("attnlines", "", aligned_lines(body))
    if not _has_grid(body):
        return _environment("attnformula", "", maths(body))
    return "".join(_environment("attnmath", "", maths(part)) for part in matrix_parts(body))


def _has_grid(node: Maths) -> bool:
    match node:
        case Grid():
            return True
        case Row(items):
            return any(map(_has_grid, items))
        case Frac(top, bottom):
            return _has_grid(top) or _has_grid(bottom)
        case Script(base, _, _):
            return _has_grid(base)
        case Root(body) | Mark(_, body) | Fence(_, body, _):
            return _has_grid(body)
        case _:
            return False


# -- side by side ------------------------------------------------------------------------------------------------------


def _item(node: Block) -> str:
    match node:
        case Figure(_, picture, caption, note):
            return f"\\attnitem{{figure}}{{{inline(caption)}}}{{{inline(note)}}}{{%\n{tikz(picture)}}}"
        case Table():
            return f"\\attnitem{{table}}{{{inline(node.caption)}}}{{}}{{%\n{_tabular(node)}}}"
        case _:
            return f"\\begin{{minipage}}[t]{{.48\\linewidth}}\n{block(node)}\\end{{minipage}}\\hskip0pt plus1fil\\relax"


# -- tables ------------------------------------------------------------------------------------------------------------


def _table(table: Table) -> str:
    parts = [_environment("attntable", f"{{{inline(part.caption)}}}", _tabular(part)) for part in table_parts(table)]
    return "\n".join(parts)


def _tabular(table: Table) -> str:
    room = head_room(len(table.align))
    sizes = column_widths(table)
    pads = _pads(table, sizes)
    sizes = [size + pad for size, pad in zip(sizes, pads, strict=True)]
    boxes = [rf"\makebox[{size:.1f}em][r]" if pad else "" for size, pad in zip(sizes, pads, strict=True)]
    lines = [r"\toprule"]
    if table.head:
        lines += [_cells(table.head, sizes, room, boxes), r"\midrule"]
    lines += [_cells(row, sizes, TOKEN) for row in table.rows]
    if table.foot:
        lines += [r"\midrule", *(_cells(row, sizes, TOKEN) for row in table.foot)]
    return "\n".join([rf"\begin{{tabular}}{{@{{}}{table.align}@{{}}}}", *lines, r"\bottomrule", r"\end{tabular}"])


def _pads(table: Table, sizes: list[float]) -> list[float]:
    """What the columns under a wide cell lack to hold it in one line, where the table then still fits a line."""
    pads = [0.0] * len(sizes)
    for row in (*table.rows, *table.foot):
        at = 0
        for cell in row:
            over = cell.columns if isinstance(cell, Wide) else 1
            if isinstance(cell, Wide):
                lack = cell_ems(cell.items) * 1.02 - sum(sizes[at : at + over]) - GAP * (over - 1)
                if 0 < lack <= ROOMY - sum(sizes) - GAP * len(sizes):
                    pads[at : at + over] = [max(pad, lack / over) for pad in pads[at : at + over]]
            at += over
    return pads


def _widest_part(items: Inlines) -> float:
    """How wide the widest part is that no line can break, in ems; a number in a box also has its padding."""
    lines = [opened(item.body) for item in items if isinstance(item, Math)]
    return max((sum(map(ems, line[part])) + 1 for line in lines for part in segments(line, "after")), default=0.0)


def _cells(row: tuple[TableCell, ...], sizes: list[float], room: int, boxes: Sequence[str] = ()) -> str:
    out: list[str] = []
    at = 0
    for cell in row:
        if isinstance(cell, Wide):
            over = sizes[at : at + cell.columns]
            edge = "@{}" if at + cell.columns == len(sizes) else ""
            # the ems are on the safe side, and here that is the narrow one: a wider cell would pull its last column out
            room_of_it = max(0.92 * (sum(over) + GAP * (len(over) - 1)), _widest_part(cell.items))
            tex = rf"\attnsum{{{room_of_it:.1f}em}}{{{inline(cell.items)}}}"
            out.append(rf"\multicolumn{{{cell.columns}}}{{r{edge}}}{{{tex}}}")
            at += cell.columns
        else:
            box = boxes[at] if at < len(boxes) else ""
            out.append(f"{box}{{{_short(cell, room)}}}" if box else _short(cell, room))
            at += 1
    return " & ".join(out) + r" \\"


def _short(items: Inlines, columns: int) -> str:
    """Inline nodes in a cell, which has no second line: its tokens are cut."""
    return "".join(short_token(item.text, columns) if isinstance(item, Token) else inline((item,)) for item in items)
