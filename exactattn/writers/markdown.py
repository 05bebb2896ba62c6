"""Document tree -> Markdown (GitHub's: pipe tables, $ for maths), which Pandoc and KaTeX read as well.

Words are escaped; tokens with any character that Markdown might act on are code; plain numbers in tables are text.
Maths and emphasis have spaces around them where a letter would touch them: GitHub and CommonMark see neither otherwise,
which Chinese text would suffer from.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import assert_never

from exactattn.document import (
    Block,
    Code,
    Display,
    Document,
    Figure,
    Inline,
    Inlines,
    Mark,
    Math,
    Note,
    Num,
    PageBreak,
    Para,
    Room,
    Section,
    Side,
    Strong,
    Table,
    TableCell,
    Text,
    Token,
    Wide,
    plain,
)
from exactattn.writers.clean import flat, pieces, shortened, token_pieces
from exactattn.writers.markdown_maths import maths
from exactattn.writers.numbering import numbered
from exactattn.writers.text import titled

CELL_COLUMNS = 24  # a longer token in a table is shortened
ACTIVE = re.compile(r"([\\`*_\[\]<>&|~$^@])")
STARTS = re.compile(r"^(\d*)([-+=#.)])")  # a list, a heading or a rule, at the start of a line
RULES = {"l": ":--", "c": ":-:", "r": "--:"}


def markdown(document: Document) -> str:
    """The document as Markdown. A figure is its caption and, in italics, the sentence that describes it."""
    shown = numbered(document)
    parts = [f"# {_line(shown.title)}"]
    if shown.meta:
        parts.append(_line(shown.meta))
    return "\n\n".join([*parts, *_blocks(shown.blocks, 2)]) + "\n"


def _blocks(blocks: tuple[Block, ...], level: int) -> Iterator[str]:
    for block in blocks:
        yield from _block(block, level)


def _block(block: Block, level: int) -> Iterator[str]:
    match block:
        case Code(items):
            yield _code(items)
        case Para(items):
            yield _line(items)
        case Display(body):
            yield f"$$\n{maths(body)}\n$$"
        case Table():
            if block.caption:
                yield _line(block.caption)
            yield _table(block)
        case Figure(_, picture, caption, note):
            if caption:
                yield _line(caption)
            yield f"*{_escaped(picture.describe)}*"
            if note:
                yield _line(note)
        case Side(blocks):
            yield from _blocks(blocks, level)
        case Note():
            inside = "\n\n".join(_blocks(titled(block), level))
            yield "\n".join(f"> {line}".rstrip() for line in inside.split("\n"))
        case Section(label, title, aside, blocks):
            heading = (*label, Text("  "), *title) if label else title
            yield f"{'#' * min(level, 6)} {_line(heading)}"
            if aside:
                yield f"*{_line(aside)}*" if not any(isinstance(item, Math) for item in aside) else _line(aside)
            yield from _blocks(blocks, level + 1)
        case Room(lines):
            yield "\n".join(["<br>"] * lines)
        case PageBreak():
            yield "---"
        case _:
            assert_never(block)


def _code(items: Inlines) -> str:
    """A fenced block; its fence is longer than every run of backticks within."""
    text = flat(pieces(plain(items)))
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return f"{fence}\n{text}\n{fence}"


# -- tables ----------------------------------------------------------------------------------------------------------


def _table(table: Table) -> str:
    """A pipe table. It has no cells over several columns: their text stands in the first one."""
    head = table.head or ((),) * len(table.align)
    rows = [_table_row(row) for row in (*table.rows, *table.foot)]
    rule = "| " + " | ".join(RULES[side] for side in table.align) + " |"
    return "\n".join([_table_row(head), rule, *rows])


def _table_row(cells: tuple[TableCell, ...]) -> str:
    out: list[str] = []
    for cell in cells:
        spanned, items = (cell.columns, cell.items) if isinstance(cell, Wide) else (1, cell)
        out += [_joined(list(_parts(items, "cell"))), *[""] * (spanned - 1)]
    return "| " + " | ".join(out) + " |"


# -- inline ----------------------------------------------------------------------------------------------------------


def _line(items: Inlines) -> str:
    """Inline nodes as one line that begins no list, heading or rule."""
    text = _joined(list(_parts(items, "line"))).strip(" \u3000\u00a0")
    return STARTS.sub(r"\1\\\2", text)


def _parts(items: Inlines, place: str) -> Iterator[tuple[str, str]]:
    """Markdown and its kind: "text", "code", "math", "strong"."""
    for item in items:
        yield from _inline(item, place)


def _inline(item: Inline, place: str) -> Iterator[tuple[str, str]]:
    match item:
        case Text(text):
            yield _escaped(text), "text"
        case Token(text):
            yield _token(text, place)
        case Strong(items):
            inner = _joined(list(_parts(items, place))).strip()
            if inner:
                yield f"**{inner}**", "strong"
        case Math(Num(number)) if place == "cell" and "e" not in number:
            yield number.replace("-", "−"), "text"
        case Math(Mark("max", Num(number))) if place == "cell" and "e" not in number:
            yield f"**{number.replace('-', '−')}**", "strong"
        case Math(body):
            yield f"${maths(body).strip()}$", "math"
        case _:
            assert_never(item)


def _joined(parts: list[tuple[str, str]]) -> str:
    out, kind_before = "", "text"
    for text, kind in parts:
        if out and text and _touch(out[-1], kind_before, text[0], kind):
            out += " "
        out += text
        kind_before = kind if text else kind_before
    return out


def _touch(before: str, kind_before: str, after: str, kind: str) -> bool:
    """Whether a space has to part them."""
    if before.isspace() or after.isspace() or not {kind_before, kind} & {"math", "strong"}:
        return False
    if kind_before == kind:
        return True
    marked, other = (kind_before, after) if kind_before in ("math", "strong") else (kind, before)
    apart = unicodedata.category(other)[0] in "PS" and (marked == "strong" or other.isascii())
    return not apart


def _escaped(text: str) -> str:
    r"""Words with what Markdown acts on escaped.

    >>> _escaped("a_b <c> 100 %")
    'a\\_b \\<c\\> 100 %'
    """
    return ACTIVE.sub(r"\\\1", flat(pieces(text)))


def _token(text: str, place: str) -> tuple[str, str]:
    r"""A token: bare if it is letters and digits, else as code.

    >>> _token("西安", "line"), _token("[red]", "line"), _token("`", "line")
    (('西安', 'text'), ('`[red]`', 'code'), ('`` ` ``', 'code'))
    """
    whole = token_pieces(text)
    shown = flat(shortened(whole, CELL_COLUMNS) if place == "cell" else whole)
    if shown in (".", ",", "?", "!", ";") or all(c.isalnum() or c == " " or not c.isascii() for c in shown):
        return shown, "text"
    if place == "cell" and "|" in shown:
        # code with a pipe, and a backslash before it, means different things in different tables
        return re.sub(r"([!-/:-@\[-`{}~])", r"\\\1", shown).replace("|", "&#124;"), "text"
    longest = max(map(len, re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if shown[0] == "`" or shown[-1] == "`" else ""
    return f"{fence}{pad}{shown}{pad}{fence}", "code"
