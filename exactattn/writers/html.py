"""Document tree -> HTML: one self-contained page, or a fragment for a page or notebook of one's own.

Nothing is fetched and nothing a reader wrote can act: the maths is MathML with its font embedded, pictures are inline
SVG, and a content security policy allows this page's own style sheet and script (by their hashes) and nothing else.
Without JavaScript every step is open; the buttons appear with it.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator
from functools import cache
from html import escape
from typing import Literal, TypeAlias, assert_never

from markupsafe import Markup

from exactattn.document import (
    Block,
    Code,
    Display,
    Document,
    Figure,
    Inline,
    Inlines,
    Math,
    Note,
    PageBreak,
    Para,
    Picture,
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
from exactattn.i18n import Messages, messages
from exactattn.writers import mathml, svg
from exactattn.writers.apart import markup_apart, style_apart
from exactattn.writers.clean import flat, pieces, shortened, token_pieces
from exactattn.writers.displays import display
from exactattn.writers.numbering import numbered
from exactattn.writers.templates import folder, html_templates, source

LANGUAGES = {"zh": "zh-CN"}  # a language -> what browsers and screen readers call it, where they differ
TOKEN_COLUMNS = 60  # a longer token is shortened, whole in a tooltip
CELL_COLUMNS = 24  # the same in a table

# maths with what opens before it and closes after it
CLINGING = re.compile("([（「『【《〈“(]*)(<math>.*?</math>)([，。、；：！？）」』】》〉”,.;:!?)%…]*)", re.DOTALL)

Sheet: TypeAlias = Literal["a4", "letter"]
SHEETS: dict[Sheet, str] = {"a4": "A4", "letter": "letter"}  # paper, by what CSS calls it

# file, weight, style: bold digits for marked numbers, italic letters for the labels of pictures
FONTS = (
    ("exactattn-maths", 400, "normal"),
    ("exactattn-maths-bold", 700, "normal"),
    ("exactattn-maths-italic", 400, "italic"),
)
FONT_NOTE = (
    "/* Exactattn Maths: subsets of Latin Modern Math and Latin Modern Roman by B. Jackowski, J. M. Nowacki, "
    "P. Strzelczyk and P. Pianowski (GUST), renamed, under the GUST Font License: "
    "https://tug.org/fonts/licenses/GUST-FONT-LICENSE.txt */\n"
)


def html(document: Document, *, body: Literal["page", "fragment"] = "page", sheet: Sheet = "a4") -> str:
    """The document as a whole page, or as a `<div>` with its style sheet (no script; headings one level lower).

    A page is light or dark as the reader's system is. A fragment is what the page around it is: by its color-scheme, or
    by data-theme="dark" (or "light") on the fragment or on what holds it. Its class names are kept apart (`apart`).
    `sheet` is the paper that a page is printed on.
    """
    shown, words = numbered(document), messages(document.lang)
    match body:
        case "page":
            script = Markup(source("html/page.js"))
            style = Markup(_print_heads(shown.running, sheet) + _faces() + _rules(shown))
            return (
                html_templates()
                .get_template("html/page.html")
                .render(
                    lang=LANGUAGES.get(document.lang, document.lang),
                    policy=_policy(style, script),
                    title=flat(pieces(plain(document.title))),
                    style=style,
                    script=script,
                    words=_buttons(words),
                    header=Markup(_header(shown, 1, "header")),
                    body=Markup(_blocks(shown.blocks, 2)),
                )
            )
        case "fragment":
            return (
                html_templates()
                .get_template("html/fragment.html")
                .render(
                    lang=LANGUAGES.get(document.lang, document.lang),
                    style=Markup(_faces() + style_apart(_rules(shown))),
                    header=Markup(markup_apart(_header(shown, 2, "div"))),
                    body=Markup(markup_apart(_blocks(shown.blocks, 3))),
                )
            )
        case _:
            assert_never(body)


def fragments(blocks: tuple[Block, ...], level: int = 2) -> Markup:
    """Blocks for a page that is put together elsewhere."""
    return Markup(_blocks(blocks, level))


def phrase(items: Inlines) -> Markup:
    """A run of inline nodes for such a page."""
    return Markup(_inlines(items))


def page_of(template: str, lang: str, title: str, style: str, script: str, **holes: object) -> str:
    """A self-contained page of another template, under the same policy: `style` and `script` are templates' names."""
    palette = svg.page_rules(())
    sheet = Markup(f"{_faces()}{source('html/page.css')}.exactattn {{\n{palette}}}\n{source(style)}")
    code = Markup(source(script))
    return (
        html_templates()
        .get_template(template)
        .render(
            lang=LANGUAGES.get(lang, lang), policy=_policy(sheet, code), title=flat(pieces(title)), style=sheet,
            script=code, **holes,
        )
    )  # fmt: skip


# -- the page around the blocks --------------------------------------------------------------------------------------


def _buttons(words: Messages) -> dict[str, str]:
    return {name: words.text(f"html.{name}") for name in ("tools", "previous", "next", "all", "theme")}


def _policy(style: str, script: str) -> str:
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "font-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _rules(document: Document) -> str:
    rules = svg.page_rules(_pictures(document.blocks))
    return f"{source('html/page.css')}.exactattn {{\n{rules}}}\n"


@cache
def _faces() -> str:
    out = [FONT_NOTE]
    for name, weight, slant in FONTS:
        data = base64.b64encode((folder() / "html" / f"{name}.woff2").read_bytes()).decode()
        face = f'font-family:"Exactattn Maths";font-weight:{weight};font-style:{slant}'
        out.append(f'@font-face{{{face};src:url(data:font/woff2;base64,{data}) format("woff2")}}\n')
    return "".join(out)


def _print_heads(running: tuple[Inlines, Inlines], sheet: Sheet) -> str:
    """What stands at the head and foot of each printed sheet."""
    left, right = (_css_string(flat(pieces(plain(items)))) for items in running)
    face = 'font:8.5pt "Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif;color:#5c6774'
    return (
        f"@page{{size:{SHEETS[sheet]};margin:18mm 16mm;"
        f"@top-left{{content:{left};{face}}}@top-right{{content:{right};{face}}}"
        f'@bottom-center{{content:counter(page) " / " counter(pages);{face}}}}}\n'
    )


def _css_string(text: str) -> str:
    """Any text as a CSS string: what is not a letter or a digit goes by its code point.

    >>> _css_string('a"</b>')
    '"a\\\\22 \\\\3c \\\\2f b\\\\3e "'
    """
    return '"' + "".join(c if c.isalnum() and c.isascii() else f"\\{ord(c):x} " for c in text) + '"'


def _header(document: Document, level: int, tag: Literal["header", "div"]) -> str:
    """The title; that of a fragment is no header of the page, to a screen reader or a style sheet."""
    meta = f'\n<p class="meta">{_inlines(document.meta)}</p>' if document.meta else ""
    return f'<{tag}>\n<h{level} class="title">{_inlines(document.title)}</h{level}>{meta}\n</{tag}>'


def _pictures(blocks: tuple[Block, ...]) -> Iterator[Picture]:
    for block in blocks:
        match block:
            case Figure():
                yield block.picture
            case Side() | Note() | Section():
                yield from _pictures(block.blocks)
            case Para() | Display() | Table() | Room() | PageBreak():
                pass
            case _:
                assert_never(block)


# -- blocks ----------------------------------------------------------------------------------------------------------


def _blocks(blocks: tuple[Block, ...], level: int) -> str:
    return "\n".join(_block(block, level) for block in blocks)


def _block(block: Block, level: int) -> str:
    match block:
        case Code(items):
            return f'<pre class="code"><code>{_inlines(items)}</code></pre>'
        case Para(items):
            return f"<p>{_inlines(items)}</p>"
        case Display(body):
            return display(body)
        case Table():
            return _table(block)
        case Figure():
            return _figure(block)
        case Side(blocks):
            return f'<div class="side">\n{_blocks(blocks, level)}\n</div>'
        case Note():
            return _note(block, level)
        case Section():
            return _section(block, level)
        case Room(lines):
            return f'<div class="room">{"<br>" * lines}</div>'
        case PageBreak():
            return '<div class="break"></div>'
        case _:
            assert_never(block)


def _section(section: Section, level: int) -> str:
    """A step that opens and closes; one within a step is a heading with what follows."""
    tag = f"h{min(level, 6)}"
    label = f'<span class="number">{_inlines(section.label)}</span> ' if section.label else ""
    body = _blocks(section.blocks, level + 1)
    if not section.label:
        aside = f" <small>{_inlines(section.aside)}</small>" if section.aside else ""
        return f"<section>\n<{tag}>{_inlines(section.title)}{aside}</{tag}>\n{body}\n</section>"
    aside = f'<span class="aside">{_inlines(section.aside)}</span>' if section.aside else ""
    heading = f"<{tag}>{label}<span>{_inlines(section.title)}</span></{tag}>"
    return f'<details class="step" open>\n<summary>{heading}{aside}</summary>\n{body}\n</details>'


def _note(note: Note, level: int) -> str:
    name = f' aria-label="{escape(flat(pieces(plain(note.title))))}"' if note.title else ""
    start = f'<section class="note {note.kind}"{name}>\n'
    title = _inlines(note.title)
    blocks = note.blocks
    if note.kind == "answer":
        lead = f'<p class="heading">{title}</p>\n' if title else ""
    else:
        lead = f'<b class="run-in">{title}</b>' if title else ""
        if blocks and isinstance(blocks[0], Para):
            lead, blocks = f"<p>{lead}{_inlines(blocks[0].items)}</p>\n", blocks[1:]
        elif lead:
            lead = f"<p>{lead}</p>\n"
    return f"{start}{lead}{_blocks(blocks, level)}\n</section>"


def _figure(figure: Figure) -> str:
    note = f"<small>{_inlines(figure.note)}</small>" if figure.note else ""
    caption = f"<figcaption>{_inlines(figure.caption)}{note}</figcaption>" if figure.caption or note else ""
    return f'<figure>\n<div class="pic">{svg.drawing(figure.picture)}</div>\n{caption}\n</figure>'


# -- tables ----------------------------------------------------------------------------------------------------------


def _table(table: Table) -> str:
    name = f' aria-label="{escape(flat(pieces(plain(table.caption))))}"' if table.caption else ""
    caption = f"<figcaption>{_inlines(table.caption)}</figcaption>\n" if table.caption else ""
    head = f"<thead>\n{_table_row(table.head, table.align, 'col')}</thead>\n" if table.head else ""
    body = "".join(_table_row(row, table.align, "row") for row in table.rows)
    foot = "".join(_table_row(row, table.align, "row") for row in table.foot)
    foot = f"<tfoot>\n{foot}</tfoot>\n" if foot else ""
    return (
        f'<figure class="tabular">\n{caption}<div class="scroll" role="region" tabindex="0"{name}>\n'
        f"<table{name}>\n{head}<tbody>\n{body}</tbody>\n{foot}</table>\n</div>\n</figure>"
    )


def _table_row(cells: tuple[TableCell, ...], align: str, scope: Literal["col", "row"]) -> str:
    out, column = [], 0
    for cell in cells:
        spanned, items, side = (
            (cell.columns, cell.items, "r") if isinstance(cell, Wide) else (1, cell, align[column : column + 1] or "l")
        )
        span = f' colspan="{spanned}"' if spanned > 1 else ""
        kind = f' class="{side}"' if side != "l" else ""
        heads = bool(items) and (scope == "col" or column == 0)
        tag, scoped = ("th", f' scope="{scope}"') if heads else ("td", "")
        out.append(f"<{tag}{scoped}{span}{kind}>{_inlines(items, CELL_COLUMNS)}</{tag}>")
        column += spanned
    return f"<tr>{''.join(out)}</tr>\n"


# -- inline ----------------------------------------------------------------------------------------------------------


def _inlines(items: Inlines, columns: int = TOKEN_COLUMNS) -> str:
    return CLINGING.sub(_kept_together, "".join(_inline(item, columns) for item in items))


def _kept_together(found: re.Match[str]) -> str:
    """Browsers break a line between maths and the punctuation beside it, which belongs to it."""
    before, after = found[1], found[3]
    return f'<span class="kept">{found[0]}</span>' if before or after else found[0]


def _inline(item: Inline, columns: int) -> str:
    match item:
        case Text(text):
            return mathml.boxes(pieces(text))
        case Token(text):
            whole = token_pieces(text)
            shown = shortened(whole, columns)
            tip = f' title="{escape(flat(whole))}"' if shown != whole else ""
            return f"<bdi{tip}>{mathml.boxes(shown)}</bdi>"
        case Strong(items):
            return f"<strong>{_inlines(items, columns)}</strong>"
        case Math(body):
            return mathml.inline(body)
        case _:
            assert_never(item)
