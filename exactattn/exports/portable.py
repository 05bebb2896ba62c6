r"""Blocks as XHTML that looks right in a page which is not ours: no style sheet, no script, no picture is needed.

What the classes of the HTML writer say goes into style attributes. Maths is MathML, or TeX between \( and \) for pages that
run MathJax. Whatever a page's own filters act on ({, $, \, @, ~) is written by its code point.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Literal, TypeAlias, assert_never

from exactattn.document import (
    Block,
    Display,
    Figure,
    Grid,
    Inline,
    Inlines,
    Math,
    Maths,
    Note,
    PageBreak,
    Para,
    Room,
    Row,
    Section,
    Side,
    Strong,
    Table,
    TableCell,
    Text,
    Token,
    Wide,
)
from exactattn.writers import markdown_maths, mathml
from exactattn.writers.breaking import columns, has_grid, opened, segments
from exactattn.writers.clean import flat, pieces, token_pieces

MathsAs: TypeAlias = Literal["mathml", "tex"]
MATHS: tuple[MathsAs, ...] = ("mathml", "tex")

LINE = 60
"""Columns of a formula that stay together; a longer one is written as several, between which a line may break."""

STYLES = {
    "left": "text-align:left",
    "right": "text-align:right;text-align:-webkit-right",
    "l": "border-left:1.3px solid",
    "r": "border-right:1.3px solid",
    "t": "",
    "b": "",
    "label": "padding:0 .5em",
    "max": "font-weight:bold;text-decoration:underline",
    "answer": "border:1.4px solid;padding:.08em .4em",
    "doubt": "border-bottom:1.6px dotted",
    "suspect": "border:1.4px dashed",
    "wrong": "border:1.6px double",
    "open": "opacity:.45",
    "blank": "border:1px solid",
}
CELLS = {"matrix": "right", "labels": "right", "ruled": "right", "headed": "right", "lines": "left"}
"""How the cells of a table of maths are aligned, by its class."""

_TABLES = re.compile(r'mtable(?: class="(\w+)(?: \w+)?"|>)')
"""The name of a tag and its class, or the end of one: to begin with letters makes it quick to look for."""
_CLASSES = re.compile(r'<(mtd|mrow) class="([\w ]+)">')


# sentences and formulas without numbers are the same in every variant of a question


@lru_cache(4096)
def _paragraph(how: Portable, items: Inlines) -> str:
    return f"<p>{how.inlines(items)}</p>"


@lru_cache(1024)
def _formula(how: Portable, body: Maths) -> str:
    return how._display(body)


@dataclass(frozen=True, slots=True)
class Portable:
    """How fragments are written."""

    maths: MathsAs = "mathml"

    # -- blocks --------------------------------------------------------------------------------------------------------------

    def blocks(self, blocks: Sequence[Block]) -> str:
        """Blocks one after the other."""
        return "\n".join(filter(None, map(self.block, blocks)))

    def block(self, block: Block) -> str:
        """One block; room to write on and page breaks are nothing, of a picture there is its description.

        >>> from exactattn.document import Num
        >>> Portable().block(Para((Text("a < b, "), Math(Num("-1")))))
        '<p>a &lt; b, <math><mrow><mo form="prefix">−</mo><mn>1</mn></mrow></math></p>'
        """
        match block:
            case Para(items):
                return _paragraph(self, items)
            case Display(body) if has_grid(body):
                return self._display(body)
            case Display(body):
                return _formula(self, body)
            case Table():
                return self._table(block)
            case Figure():
                return f"<p>{plain(block.picture.describe)}</p>"
            case Side(blocks):
                return self.blocks(blocks)
            case Note(_, title, blocks):
                lead = f"<p><strong>{self.inlines(title)}</strong></p>\n" if title else ""
                edge = _style("border-left:4px solid #888;padding:.1em 1em;margin:1em 0")
                return f"<div{edge}>{lead}{self.blocks(blocks)}</div>"
            case Section():
                label = f"{self.inlines(block.label)} " if block.label else ""
                aside = f" ({self.inlines(block.aside)})" if block.aside else ""
                return f"<h5>{label}{self.inlines(block.title)}{aside}</h5>\n{self.blocks(block.blocks)}"
            case Room() | PageBreak():
                return ""
            case _:
                assert_never(block)

    def _display(self, body: Maths) -> str:
        if self.maths == "tex":
            return f"<p>\\[{_tex(body)}\\]</p>"
        centred = _style("text-align:center;overflow-x:auto;margin:.6em 0")
        match body:
            case Grid(rows, "lines"):
                left, right = (
                    _style(f"{STYLES[side]};padding:.15em .2em;vertical-align:baseline") for side in ("right", "left")
                )
                lines = (
                    f"<tr><td{left}>{self._parts(row[0])}</td><td{right}>{self._parts(Row(row[1:]))}</td></tr>"
                    for row in rows
                )
                return f"<table><tbody>{''.join(lines)}</tbody></table>"
            case _ if has_grid(body) or columns(body) <= LINE:
                return f"<div{centred}>{self._mathml(mathml.math(body, 'block'))}</div>"
            case _:
                return f"<div{centred}>{self._parts(body)}</div>"

    def _parts(self, body: Maths) -> str:
        items = opened(body)
        shown = tuple(mathml.in_row(items))
        parts = ("".join(shown[part]) for part in segments(items, "before"))
        return self._mathml("".join(f'<math displaystyle="true"><mrow>{part}</mrow></math>' for part in parts if part))

    def _table(self, table: Table) -> str:
        caption = f"<p>{self.inlines(table.caption)}</p>\n" if table.caption else ""
        head = f"<thead>{self._row(table.head, table.align, 'th')}</thead>" if table.head else ""
        body = "".join(self._row(row, table.align, "td") for row in (*table.rows, *table.foot))
        return f"{caption}<table{_style('border-collapse:collapse;margin:.6em 0')}>{head}<tbody>{body}</tbody></table>"

    def _row(self, cells: tuple[TableCell, ...], align: str, tag: Literal["th", "td"]) -> str:
        out, column = [], 0
        for cell in cells:
            wide = cell.columns if isinstance(cell, Wide) else 1
            side = "r" if isinstance(cell, Wide) else align[column : column + 1]
            css = {"r": "text-align:right", "c": "text-align:center"}.get(side, "text-align:left")
            span = f' colspan="{wide}"' if wide > 1 else ""
            items = cell.items if isinstance(cell, Wide) else cell
            style = _style(f"{css};padding:.2em .6em;border:1px solid #aaa")
            out.append(f"<{tag}{span}{style}>{self.inlines(items)}</{tag}>")
            column += wide
        return f"<tr>{''.join(out)}</tr>"

    # -- lines ---------------------------------------------------------------------------------------------------------------

    def inlines(self, items: Inlines) -> str:
        """A run of text and maths."""
        return "".join(map(self._inline, items))

    def _inline(self, item: Inline) -> str:
        match item:
            case Text(text):
                return plain(text)
            case Token(text):
                return self.token(text)
            case Strong(items):
                return f"<strong>{self.inlines(items)}</strong>"
            case Math(body):
                return self.math(body)
            case _:
                assert_never(item)

    def token(self, text: str) -> str:
        """A token: any Unicode text, kept apart from the direction of the line that it stands in."""
        return f"<bdi>{_guarded(escape(flat(token_pieces(text)), quote=False))}</bdi>"

    def math(self, body: Maths) -> str:
        """Maths within a line."""
        if self.maths == "tex":
            return f"\\({_tex(body)}\\)"
        return self._mathml(mathml.inline(body))

    def _mathml(self, markup: str) -> str:
        """MathML with what its classes say as styles."""
        markup = _guarded(markup)
        if "class=" not in markup:
            return markup
        out: list[str] = []
        inside: list[str] = []
        end = 0
        for found in _TABLES.finditer(markup):
            out.append(_styled(markup[end : found.start()], inside))
            end = found.end()
            if found[1]:
                inside.append(CELLS[found[1]])
                # an attribute of MathML 2, for whoever does not read styles
                out.append(f'mtable columnalign="{inside[-1]}"')
            else:
                inside.pop()
                out.append(found[0])
        out.append(_styled(markup[end:], inside))
        return "".join(out)


def _styled(markup: str, inside: Sequence[str]) -> str:
    """Markup between two tags of tables, with styles for classes; `inside` are the alignments of the tables that it is in."""
    if not markup:
        return ""
    side = inside[-1] if inside else ""

    def of_class(found: re.Match[str]) -> str:
        names = (side, *found[2].split()) if found[1] == "mtd" else (found[2],)
        return f"<{found[1]}{_style(';'.join(filter(None, (STYLES[name] for name in names))))}>"

    if 'class="' in markup:
        markup = _CLASSES.sub(of_class, markup)
    return markup.replace("<mtd>", f"<mtd{_style(STYLES[side])}>") if inside else markup


@lru_cache(1024)  # sentences come again and again
def plain(text: str) -> str:
    """Text without a command in it.

    >>> plain("{1:SA:=x} $$a$$")
    '&#123;1:SA:=x&#125; &#36;&#36;a&#36;&#36;'
    """
    return _guarded(escape(flat(pieces(text)), quote=False))


_ACTED_ON = "{}$\\@~"
_GUARDS = str.maketrans({c: f"&#{ord(c)};" for c in _ACTED_ON})


def _guarded(markup: str) -> str:
    """Markup whose text no filter of the page acts on; none of these characters stands in a tag of ours."""
    # nearly always there is none, and to look for each one by one is many times quicker than a pattern
    return markup.translate(_GUARDS) if any(c in markup for c in _ACTED_ON) else markup


def _tex(body: Maths) -> str:
    """TeX for a page. A colon goes by its code point: to Moodle `\\text{1:SA:...}` would be a question within the question."""
    return escape(markdown_maths.maths(body), quote=False).translate(_IN_TEX)


_IN_TEX = str.maketrans({c: f"&#{ord(c)};" for c in ":@"})


def _style(css: str) -> str:
    return f' style="{css}"' if css else ""
