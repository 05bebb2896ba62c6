"""Markdown, read back by a CommonMark parser with GitHub's tables."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from exactattn.document import (
    Blank,
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
    Num,
    Op,
    PageBreak,
    Para,
    Picture,
    Row,
    Script,
    Section,
    Strong,
    Sym,
    Table,
    Text,
    Token,
    Wide,
    Word,
)
from exactattn.writers.clean import flat, shortened, token_pieces
from exactattn.writers.markdown import markdown
from exactattn.writers.markdown_maths import maths

TOKENS = json.loads(Path(__file__).parents[1].joinpath("data", "tokens.json").read_text(encoding="utf-8"))
TITLE: Inlines = (Text("T"),)
RENDER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


class Words(HTMLParser):
    """The text of rendered Markdown, by the element it stands in, and the elements there are."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.found: dict[str, list[str]] = {}
        self.tags: list[str] = []
        self.open: list[str] = []
        self.feed(RENDER.render(text))
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)
        self.open.append(tag)
        self.found.setdefault(tag, []).append("")

    def handle_endtag(self, tag: str) -> None:
        self.open.remove(tag)

    def handle_data(self, data: str) -> None:
        for tag in self.open:
            self.found[tag][-1] += data


def page(*blocks: object, title: Inlines = TITLE) -> str:
    return markdown(Document(title, (), blocks, "en"))  # type: ignore[arg-type]


@pytest.mark.parametrize("token", TOKENS)
def test_a_token_is_itself_everywhere_and_makes_nothing(token: str) -> None:
    shown = flat(token_pieces(token))
    short = flat(shortened(token_pieces(token), 24))
    cell = (Token(token),)
    words = Words(
        page(Para((Token(token),)), Table(cell and ((Text("h"),), ()), ((cell, (Text("x"),)),), "ll"), title=cell)
    )
    assert words.found["p"] == [shown]
    assert words.found["td"] == [short, "x"]
    assert words.found["h1"] == [shown]
    assert set(words.tags) <= {"h1", "p", "table", "thead", "tbody", "tr", "th", "td", "code"}


@pytest.mark.parametrize("text", [t for t in TOKENS if t.strip() and flat(token_pieces(t)) == t])
def test_words_are_themselves_within_a_sentence(text: str) -> None:
    words = Words(page(Para((Text(f"a {text} b"),)), Para((Text(text),))))
    assert words.found["p"] == [f"a {text} b", text]
    assert set(words.tags) <= {"h1", "p"}


@pytest.mark.parametrize(
    ("tree", "due"),
    [
        (Num("-1.5e-7"), r"-1.5\times 10^{-7}"),
        (Script(Sym("d"), Sym("k")), "d_k"),
        (Sym("Q", "bold"), r"\mathbf{Q}"),
        (Sym("Softmax", "upright"), r"\mathrm{Softmax}"),
        (Sym("Σ", "upright"), r"\Sigma "),
        (Word("a_b"), r"\text{a}\_\text{b}"),
        (Word(r"\input{x}"), r"\backslash \text{input}\lbrace \text{x}\rbrace "),
        (Word("\x1b"), r"\boxed{\text{U+001B}}"),
        (Fence("(", Num("-1"), ")"), "(-1)"),
        (Fence("{", Frac(Num("1"), Num("2")), ""), r"\left\lbrace \frac{1}{2} \right."),
        (Mark("max", Num("0.5")), r"\textcolor{red}{\mathbf{0.5}}"),
        (Mark("answer", Num("0.5")), r"\boxed{0.5}"),
        (Blank(6), r"\underline{\quad\quad\quad}"),
        (Grid(((Num("1"), Num("2")), (Num("3"), Num("4"))), "matrix"),
         "\\left[\\begin{array}{rr}\n1 & 2 \\\\\n3 & 4\n\\end{array}\\right]"),
        (Grid(((Sym("a"), Op("=")),), "lines"), "\\begin{aligned}\na & =\n\\end{aligned}"),
    ],
)  # fmt: skip
def test_maths_that_github_katex_and_pandoc_take(tree: Maths, due: str) -> None:
    assert maths(tree) == due


def test_only_commands_known_to_all_three_are_used(sample: Document) -> None:
    known = {
        *("begin", "end", "left", "right", "frac", "sqrt", "sum", "max", "hline", "boxed", "underline", "textcolor"),
        *("mathbf", "mathrm", "boldsymbol", "text", "quad", "thinspace", "dots", "vdots", "ddots"),
        *("approx", "to", "times", "cdot", "div", "Sigma", "backslash"),
    }
    used = re.findall(r"\\([a-zA-Z]+)", re.sub(r"`[^`]*`", "", markdown(sample)))
    assert set(used) <= known


def test_maths_and_emphasis_have_room_beside_letters_and_none_beside_signs() -> None:
    x = Math(Sym("x"))
    assert "打分 $x$ 的" in page(Para((Text("打分"), x, Text("的"))))
    assert "($x$), $x$ $x$" in page(Para((Text("("), x, Text("), "), x, x)))
    assert "先 **减去** 它" in page(Para((Text("先"), Strong((Text("减去"),)), Text("它"))))
    assert "先 **减去。** 它" in page(Para((Text("先"), Strong((Text("减去。"),)), Text("它"))))
    assert Words(page(Para((Text("先"), Strong((Text("减去。"),)), Text("它"))))).found["strong"] == ["减去。"]


def test_numbers_in_tables_are_text_and_the_largest_bold() -> None:
    rows = (((Math(Num("-0.40")),), (Math(Mark("max", Num("0.75"))),)), (Wide(2, (Math(Op("=")),)),))
    text = page(Table(((Text("a"),), (Text("b"),)), rows, "rl"))
    assert text.endswith("| a | b |\n| --: | :-- |\n| −0.40 | **0.75** |\n| $=$ |  |\n")


def test_a_note_is_a_quotation_with_its_title_and_its_maths() -> None:
    text = page(Note("check", (Text("Check"),), (Para((Text("one"),)), Display(Row((Num("1"), Op("<"), Num("2")))))))
    assert text.endswith("> **Check**  one\n>\n> $$\n> 1 < 2\n> $$\n")


def test_sections_are_headings_and_a_page_break_is_a_rule() -> None:
    inner = Section((), (Text("b"),), (), ())
    text = page(Section((Text("Step 1"),), (Text("a"),), (Text("aside"),), (inner,)), PageBreak())
    assert text == "# T\n\n## Step 1  a\n\n*aside*\n\n### b\n\n---\n"


def test_code_is_fenced_by_more_backticks_than_it_has() -> None:
    page = Document((Text("Code"),), (), (Para((Text("Again:"),)), Code((Text("f('a_b')  # ``` and \x1b"),))), "en")
    assert markdown(page) == "# Code\n\nAgain:\n\n````\nf('a_b')  # ``` and ‹U+001B›\n````\n"


def test_a_figure_is_told() -> None:
    figure = Figure("f", Picture(1, 1, (), "What *it* shows."), (Text("Caption"),), (Text("Note"),))
    assert page(figure).endswith("Figure 1. Caption\n\n*What \\*it\\* shows.*\n\nNote\n")


@pytest.mark.parametrize(
    "start", ["1. one", "12) two", "- three", "+ four", "# five", "> six", "--- seven", "=== eight"]
)
def test_no_line_begins_a_list_a_heading_or_a_quotation(start: str) -> None:
    words = Words(page(Para((Text(start),))))
    assert words.found["p"] == [start]
    assert words.tags == ["h1", "p"]
