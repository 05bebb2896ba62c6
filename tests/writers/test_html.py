"""Pages and fragments of HTML, as text (what a browser makes of them is tested in tests/browser)."""

from __future__ import annotations

import base64
import hashlib
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from exactattn.document import (
    Blank,
    Document,
    Figure,
    Math,
    Note,
    Num,
    Para,
    Picture,
    Section,
    Strong,
    Table,
    Text,
    Token,
    Wide,
)
from exactattn.writers.html import html

VOID = {"meta", "br", "img", "hr"}


class Tree(HTMLParser):
    """Checks that tags nest, and keeps them with their attributes and the text of the body."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names))
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not {"script", "style"} & set(self.open):
            self.text += data

    def named(self, *tags: str) -> list[dict[str, str | None]]:
        return [attributes for tag, attributes in self.tags if tag in tags]


def page(*blocks: object, title: str = "T", lang: str = "en") -> str:
    return html(Document((Text(title),), (), blocks, lang))  # type: ignore[arg-type]


def test_a_page_nests_and_its_maths_and_pictures_are_well_formed(sample: Document) -> None:
    text = html(sample)
    Tree(text)
    parts = re.findall(r"<(math|svg)\b.*?</\1>", text, re.DOTALL)
    assert parts.count("svg") == 5
    assert parts.count("math") > 50
    for found in re.finditer(r"<(math|svg)\b.*?</\1>", text, re.DOTALL):
        ElementTree.fromstring(found[0])


def test_the_policy_allows_this_style_and_this_script_and_nothing_else(sample: Document) -> None:
    text = html(sample)
    policy = next(tag["content"] for tag in Tree(text).named("meta") if "http-equiv" in tag)
    for name in ("style", "script"):
        inner = re.findall(rf"<{name}>(.*?)</{name}>", text, re.DOTALL)
        assert len(inner) == 1
        digest = base64.b64encode(hashlib.sha256(inner[0].encode()).digest()).decode()
        assert f"{name}-src 'sha256-{digest}'" in (policy or "")
    assert (policy or "").startswith("default-src 'none';")


def test_nothing_is_fetched_and_nothing_acts_by_attribute(sample: Document) -> None:
    tree = Tree(html(sample))
    names = {name for _, attributes in tree.tags for name in attributes}
    assert not names & {"src", "href", "style", "srcset", "action"}
    assert not [name for name in names if name.startswith("on")]
    assert not [tag for tag, _ in tree.tags if tag in {"link", "img", "iframe", "object", "form"}]


@pytest.mark.parametrize(("lang", "due"), [("zh", "zh-CN"), ("en", "en")])
def test_a_page_says_its_language_and_names_its_buttons_in_it(lang: str, due: str) -> None:
    tree = Tree(page(lang=lang))
    assert tree.named("html")[0]["lang"] == due
    assert ("下一步 ›" in tree.text) is (lang == "zh")
    assert ("Next ›" in tree.text) is (lang == "en")


def test_headings_follow_one_another_without_gaps(sample: Document) -> None:
    inner = Section((), (Text("deeper"),), (Text("aside"),), (Para((Text("x"),)),))
    document = replace(sample, blocks=(*sample.blocks, Section((Text("1"),), (Text("s"),), (), (inner,))))
    for text, first in ((html(document), 1), (html(document, body="fragment"), 2)):
        levels = [int(tag[1]) for tag, _ in Tree(text).tags if re.fullmatch("h[1-6]", tag)]
        assert levels[0] == first
        assert levels.count(first) == 1
        assert all(after <= before + 1 for before, after in pairwise(levels))


def test_steps_are_open_before_any_script_runs_and_the_buttons_hidden(sample: Document) -> None:
    tree = Tree(html(sample))
    steps = [tag for tag in tree.named("details") if tag.get("class") == "step"]
    assert len(steps) == 2
    assert all("open" in step for step in steps)
    assert "hidden" in tree.named("nav")[0]


def test_a_fragment_has_its_style_and_no_script(sample: Document) -> None:
    text = html(sample, body="fragment")
    tree = Tree(text)
    assert tree.tags[0] == ("div", {"class": "exactattn", "lang": "zh-CN"})
    assert not tree.named("script", "html", "body", "meta")
    assert len(tree.named("style")) == 1
    assert not [tag for _, tag in tree.tags if "id" in tag]


def test_the_names_of_a_fragment_are_its_own_in_markup_and_style(sample: Document) -> None:
    document = replace(sample, title=(Text('class="a b" .note{'), Token('class="c"')))
    page, fragment = html(document), html(document, body="fragment")
    used = {name for _, tag in Tree(fragment).tags[1:] for name in (tag.get("class") or "").split()}
    assert used
    assert all(name.startswith("attn-") for name in used)
    # in the page they are the same without the prefix
    plain_names = {name for _, tag in Tree(page).tags[1:] for name in (tag.get("class") or "").split()}
    assert {name.removeprefix("attn-") for name in used} == plain_names
    style = re.sub(
        r"/\*.*?\*/", "", fragment[fragment.index(".exactattn {") : fragment.index("</style>")], flags=re.DOTALL
    )
    selected = set(re.findall(r"\.([a-zA-Z][\w-]*)", style))
    assert {name for name in selected if not name.startswith("attn-")} == {"exactattn", "vscode-dark"}
    assert "attn-step" in selected & used
    assert 'class="a b" .note{class="c"' in Tree(fragment).text
    assert not Tree(fragment).named("header")


def test_a_table_has_scopes_spans_and_a_caption_and_is_reached_by_keyboard() -> None:
    table = Table(
        ((Text("Step"),), (), (Token("a"),)),
        (((Text("x"),), (Math(Num("1")),), (Math(Num("-2")),)), ((Text("sum"),), Wide(2, (Text("3"),)))),
        "llr",
        (Text("Numbers"),),
        (((Text("foot"),), (), (Text("4"),)),),
    )
    tree = Tree(page(table))
    scopes = [tag.get("scope") for tag in tree.named("th")]
    assert scopes == ["col", "col", "row", "row", "row"]
    assert [tag["colspan"] for tag in tree.named("td") if "colspan" in tag] == ["2"]
    region = next(tag for tag in tree.named("div") if tag.get("role") == "region")
    assert (region["tabindex"], region["aria-label"]) == ("0", "Table 1. Numbers")
    assert tree.named("tfoot")
    assert "Table 1. Numbers" in tree.text


def test_a_figure_has_a_numbered_caption_a_note_and_a_named_picture() -> None:
    figure = Figure("f", Picture(10, 10, (), 'say "x"'), (Text("Caption"),), (Text("note"),))
    tree = Tree(page(figure, figure))
    assert "Figure 1. Captionnote" in tree.text
    assert "Figure 2. Captionnote" in tree.text
    assert [tag["aria-label"] for tag in tree.named("svg")] == ['say "x"'] * 2


def test_notes_run_their_title_in_and_the_answer_has_a_heading() -> None:
    text = page(
        Note("warning", (Text("Rounding"),), (Para((Text("one"),)), Para((Text("two"),)))),
        Note("answer", (Text("Answer"),), (Para((Text("three"),)),)),
    )
    assert '<p><b class="run-in">Rounding</b>one</p>\n<p>two</p>' in text
    assert '<p class="heading">Answer</p>\n<p>three</p>' in text


def test_a_place_to_write_into_is_empty() -> None:
    tree = Tree(page(Para((Math(Blank(4)),)), title=""))
    assert {"class": "blank"} in tree.named("mrow")
    assert tree.text.split("◐")[1].strip() == ""


def test_maths_keeps_the_punctuation_beside_it() -> None:
    text = page(Para((Text("印（"), Math(Num("0.264")), Text("），见上"))))
    assert '印<span class="kept">（<math><mn>0.264</mn></math>），</span>见上' in text


def test_running_heads_are_strings_that_nothing_ends() -> None:
    document = Document((), (), (), "en", ((Text('a"}</style>\n'),), (Token("\\"),)))
    text = html(document)
    Tree(text)
    assert '@top-left{content:"a\\22 \\7d \\3c \\2f style\\3e \\20 ";' in text
    assert '@top-right{content:"\\5c ";' in text


def test_emphasis_and_meta_are_set() -> None:
    document = Document((Text("T"),), (Strong((Text("m"),)),), (), "en")
    assert '<p class="meta"><strong>m</strong></p>' in html(document)


def test_the_fonts_are_in_the_page_with_their_licence(sample: Document) -> None:
    text = html(sample)
    assert text.count("@font-face") == 3
    assert "GUST Font License" in text
    assert re.findall(r"url\(([a-z:/0-9]+);", text) == ["data:font/woff2"] * 3
