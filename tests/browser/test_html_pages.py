"""Pages as Chromium shows them: maths, buttons, themes, a phone, paper, and hostile tokens."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from exactattn.document import (
    Cell,
    Display,
    Document,
    Fence,
    Figure,
    Frac,
    Grid,
    Label,
    Mark,
    Math,
    Maths,
    Note,
    Num,
    Op,
    Para,
    Picture,
    Root,
    Row,
    Script,
    Section,
    Sym,
    Table,
    Text,
    Token,
    Word,
)
from exactattn.writers.clean import Hidden, shortened, token_pieces
from exactattn.writers.html import html

TOKENS = json.loads(Path(__file__).parents[1].joinpath("data", "tokens.json").read_text(encoding="utf-8"))
NUMBERS = ("0.146", "-0.090", "0.087", "0.223", "0.259", "0.195")


@pytest.fixture(scope="module")
def browser(program: Callable[[str], None]) -> Iterator[Any]:
    program("chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Opens a page from a file; whatever the console says, or the page asks of the network, fails the test."""
    complaints: list[str] = []
    contexts = []

    def opened(page: str, **options: Any) -> Any:
        file = tmp_path / "page.html"
        file.write_text(page, encoding="utf-8")
        context = browser.new_context(**options)
        contexts.append(context)
        tab = context.new_page()
        tab.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        tab.on(
            "request",
            lambda request: complaints.append(request.url) if request.url[:5] not in ("file:", "data:") else None,
        )
        tab.goto(file.as_uri())
        return tab

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def numbers() -> tuple[Maths, ...]:
    return tuple(Mark("max", Num(text)) if text == "0.259" else Num(text) for text in NUMBERS)


def step(number: int, *blocks: Any) -> Section:
    return Section((Text(f"第{number}步"),), (Text("打分"),), (Text("一行对一行"),), blocks)


def solution() -> Document:
    """Three steps with maths, a wide table, a wide matrix and a wide picture."""
    rows = tuple((Word(token), *numbers()) for token in ("今天", "西安", "的"))
    formula = Row(
        (Sym("Softmax", "upright"), Fence("(", Frac(Sym("Q", "bold"), Root(Script(Sym("d"), Sym("k")))), ")"))
    )
    table = Table(
        ((Text("步骤"),), *(((Token(token),)) for token in ("今天", "西安", "的", "天气", "怎么样", "？"))),
        (((Text("① 分数"),), *((Math(number),) for number in numbers())),) * 3,
        "l" + "r" * 6,
        (Text("表"),),
    )
    cells = tuple(Cell(20 + 24 * j, 10, 24, 8, 20 * j, "weight", text) for j, text in enumerate(NUMBERS))
    picture = Picture(166, 20, (*cells, Label(18, 14, (Token("西安"),), "end")), "热力图")
    total = Row((*(part for text in NUMBERS for part in (Num(text), Op("+"))), Num("1.000")))
    return Document(
        (Text("解答"),),
        (Math(Row((Script(Sym("d"), Sym("k")), Op("="), Num("4")))),),
        (
            Note("problem", (Text("题目"),), (Para((Text("求"), Math(total), Text("。"))), Display(formula))),
            step(1, Display(Row((Sym("A", "bold"), Op("="), Grid(rows, "labelled"))))),
            step(2, table, Display(Grid(rows, "labelled", numbers()))),
            step(3, Figure("heat", picture, (Text("图"),))),
        ),
        "zh",
    )


def boxes(tab: Any, selector: str) -> list[dict[str, float]]:
    return tab.eval_on_selector_all(
        selector,
        "all => all.map(e => e.getBoundingClientRect()).map(({x, y, width, height}) => ({x, y, width, height}))",
    )


def open_steps(tab: Any) -> list[bool]:
    return tab.eval_on_selector_all("details.step", "all => all.map(e => e.open)")


def test_brackets_grow_with_what_they_hold(show: Callable[..., Any]) -> None:
    tab = show(html(solution()))
    matrix = boxes(tab, ".labels + mrow > mtable")[0]
    left, right = boxes(tab, ".labels + mrow > mo")
    assert matrix["height"] > 60
    for bracket in (left, right):
        assert matrix["height"] * 0.9 < bracket["height"] < matrix["height"] * 1.3
    fraction, bracket = boxes(tab, ".problem mfrac")[0], boxes(tab, ".problem .eq mo")[0]
    assert bracket["height"] > fraction["height"] * 0.9


def test_labels_are_level_with_their_rows(show: Callable[..., Any]) -> None:
    words = ("今天", "Ap", "हिन्दी", "😀", "مرحبا")
    rows = tuple((Word(word), Num("0.5"), Num("-1")) for word in words)
    tab = show(html(Document((), (), (Display(Grid(rows, "labelled")),), "zh")))
    labels = [box["y"] + box["height"] / 2 for box in boxes(tab, ".labels > mtr")]
    entries = [box["y"] + box["height"] / 2 for box in boxes(tab, ".matrix > mtr")]
    assert len(labels) == len(entries) == 5
    assert max(abs(label - entry) for label, entry in zip(labels, entries, strict=True)) < 1.5


def test_the_buttons_open_the_steps_one_by_one_and_all(show: Callable[..., Any]) -> None:
    tab = show(html(solution()))
    assert open_steps(tab) == [True] * 3
    seen = []
    for action in ("next", "next", "next", "previous", "previous", "previous", "next", "all", "next"):
        tab.click(f'[data-action="{action}"]')
        seen.append(sum(open_steps(tab)))
    assert seen == [1, 2, 3, 2, 1, 1, 2, 3, 1]
    assert tab.evaluate("document.activeElement.tagName") == "SUMMARY"


def test_the_theme_button_turns_what_is_there(show: Callable[..., Any]) -> None:
    light, dark = "rgb(255, 255, 255)", "rgb(18, 22, 28)"
    for preferred, before, after in (("light", light, dark), ("dark", dark, light)):
        tab = show(html(solution()), color_scheme=preferred)
        paper = "getComputedStyle(document.documentElement).backgroundColor"
        cell = "getComputedStyle(document.querySelector('svg .b100')).fill"
        assert tab.evaluate(paper) == before
        bright = tab.evaluate(cell)
        tab.click('[data-action="theme"]')
        assert tab.evaluate(paper) == after
        assert tab.evaluate(cell) != bright
        tab.click('[data-action="theme"]')
        assert (tab.evaluate(paper), tab.evaluate(cell)) == (before, bright)


@pytest.mark.parametrize("width", [320, 360, 768])
def test_a_narrow_page_scrolls_only_inside_its_boxes(show: Callable[..., Any], width: int) -> None:
    tab = show(html(solution()), viewport={"width": width, "height": 700})
    assert tab.evaluate("document.documentElement.scrollWidth") == width
    assert tab.evaluate("document.body.scrollWidth") <= width
    small = tab.eval_on_selector_all("svg text", "all => all.map(e => e.getBoundingClientRect().height)")
    assert min(small) > 8


def test_a_long_formula_in_a_line_breaks_and_keeps_its_punctuation(show: Callable[..., Any]) -> None:
    tab = show(html(solution()), viewport={"width": 360, "height": 700})
    pieces = boxes(tab, ".problem > p math")
    assert len({round(piece["y"]) for piece in pieces}) > 1
    assert all(piece["x"] + piece["width"] <= 360 for piece in pieces)
    last = boxes(tab, ".problem > p .kept")[-1]
    assert last["height"] < 2 * pieces[-1]["height"] + 12


def test_a_derivation_is_aligned_and_wraps_on_a_phone(show: Callable[..., Any]) -> None:
    terms: tuple[Maths, ...] = ()
    for text in NUMBERS:
        terms = (*terms, Op("+"), Num("0.5"), Op("times"), Num(text)) if terms else (Op("approx"), Num(text))
    rows = ((Script(Sym("o"), Word("西安")), Row((Op("="), Num("1")))), (Op("none"), Row(terms)))
    page = html(Document((), (), (Display(Grid(rows, "lines")),), "zh"))
    tab = show(page, viewport={"width": 900, "height": 700})
    left, first, _, second = boxes(tab, ".derivation > div")
    assert abs(left["x"] + left["width"] - first["x"]) < 1
    assert first["x"] == second["x"]
    assert second["height"] < 45
    tab.set_viewport_size({"width": 360, "height": 700})
    assert boxes(tab, ".derivation > div")[3]["height"] > second["height"] * 1.8
    assert tab.evaluate("document.querySelector('.derivation').scrollWidth") <= 332


def test_closed_steps_are_printed_open(
    show: Callable[..., Any], tmp_path: Path, program: Callable[[str], None]
) -> None:
    tab = show(html(solution()))
    for action in ("next", "previous"):
        tab.click(f'[data-action="{action}"]')
    tab.evaluate("document.querySelectorAll('details').forEach(e => { e.open = false })")
    tab.emulate_media(media="print")
    heights = [box["height"] for box in boxes(tab, "details.step .matrix, details.step table, details.step svg")]
    assert len(heights) == 3
    assert min(heights) > 20
    assert tab.evaluate("getComputedStyle(document.querySelector('nav')).display") == "none"
    assert tab.pdf(prefer_css_page_size=True)[:4] == b"%PDF"


def test_without_javascript_everything_is_open_and_no_button_shows(show: Callable[..., Any]) -> None:
    tab = show(html(solution()), java_script_enabled=False)
    assert tab.locator("details.step[open]").count() == 3
    assert not tab.locator("nav").is_visible()


def test_a_screen_reader_gets_headings_tables_pictures_and_language(show: Callable[..., Any]) -> None:
    tab = show(html(solution()))
    tree = tab.locator("body").aria_snapshot()
    for part in ('heading "解答" [level=1]', 'heading "第1步 打分" [level=2]', 'img "热力图"', 'table "表 1 表"',
                 'columnheader "今天"', 'rowheader "① 分数"', 'button "下一步 ›"', 'region "题目"'):  # fmt: skip
        assert part in tree
    assert tab.evaluate("document.documentElement.lang") == "zh-CN"


def test_a_fragment_lives_in_another_page_with_a_script_of_its_own(show: Callable[..., Any]) -> None:
    host = f"<!DOCTYPE html><meta charset=utf-8><p id=host>host</p>{html(solution(), body='fragment')}"
    tab = show(host)
    assert tab.evaluate("getComputedStyle(document.getElementById('host')).fontSize") == "16px"
    left, right = boxes(tab, ".attn-labels + mrow > mo")
    assert left["height"] == right["height"] > 60


@pytest.mark.parametrize(
    ("host", "held", "dark"),
    [
        ("", "<div>", False),  # says nothing of schemes: it is light, whatever the system prefers
        (":root{color-scheme:light}", "<div>", False),
        (":root{color-scheme:light dark}", "<div>", True),
        (":root{color-scheme:dark}", "<div>", True),
        ("", '<div data-theme="dark">', True),
        (":root{color-scheme:dark}", '<div data-theme="light">', False),
        ("", '<div data-jp-theme-light="false">', True),
    ],
)
def test_a_fragment_is_light_or_dark_as_the_page_around_it(
    show: Callable[..., Any], host: str, held: str, dark: bool
) -> None:
    fragment = html(solution(), body="fragment")
    page = f"<!DOCTYPE html><meta charset=utf-8><style>{host}</style>{held}{fragment}</div>"
    tab = show(page, color_scheme="dark")
    paper = tab.evaluate("getComputedStyle(document.querySelector('.exactattn')).backgroundColor")
    assert paper == ("rgb(18, 22, 28)" if dark else "rgb(255, 255, 255)")
    cell = tab.evaluate("getComputedStyle(document.querySelector('svg .attn-b100')).fill")
    assert cell == ("rgb(108, 170, 226)" if dark else "rgb(8, 80, 154)")


def test_the_style_sheet_of_a_site_does_not_find_a_fragment(show: Callable[..., Any]) -> None:
    names = sorted(set(re.findall(r'class="([^"]*)"', html(solution()))))
    names = sorted({name for found in names for name in found.split()} - {"exactattn"})
    site = "".join(f".{name}{{display:none!important;color:lime!important}}" for name in names)
    site += "header{background:lime}"
    fragment = html(solution(), body="fragment")
    tops = []
    for style in ("", site):
        tab = show(f"<!DOCTYPE html><meta charset=utf-8><style>{style}</style>{fragment}")
        tops.append([box["y"] for box in boxes(tab, ".exactattn *:not(style)")])
        assert "rgb(0, 255, 0)" not in tab.evaluate(
            "[...document.querySelectorAll('.exactattn *')].map((e) => getComputedStyle(e).backgroundColor).join()"
        )
    assert len(names) > 20
    assert tops[0] == tops[1]


def test_every_token_is_itself_everywhere_and_none_acts(show: Callable[..., Any]) -> None:
    def cut(token: str, most: int) -> str:
        parts = shortened(token_pieces(token), most)
        return "".join((part.code or "∅") if isinstance(part, Hidden) else part for part in parts)

    paragraphs = tuple(Para((Token(token),)) for token in TOKENS)
    table = Table(((Text("t"),),), tuple(((Token(token),),) for token in TOKENS), "l")
    grid = Display(Grid(tuple((Word(token), Num("1")) for token in TOKENS), "labelled"))
    label = tuple(Label(5, 5 * k, (Token(token),), "start") for k, token in enumerate(TOKENS))
    figure = Figure("f", Picture(60, 5 * len(TOKENS), label, "labels"), ())
    everything = Document((Token("".join(TOKENS)),), (), (*paragraphs, table, grid, figure), "en")
    tab = show(html(everything))

    def texts(selector: str) -> list[str]:
        return tab.eval_on_selector_all(selector, "all => all.map(e => e.textContent)")

    assert texts("p > bdi") == [cut(token, 60) for token in TOKENS]
    assert texts("th > bdi") == [cut(token, 24) for token in TOKENS]
    assert texts("mtext > bdi") == [cut(token, 24) for token in TOKENS]
    assert texts("svg text") == [
        "".join(f"‹{p.code}›" if isinstance(p, Hidden) else p for p in token_pieces(t)) for t in TOKENS
    ]
    assert tab.evaluate("window.acted") is None
    assert tab.evaluate("document.querySelectorAll('script').length") == 1
    long = [len(token) for token in TOKENS if token_pieces(token) != shortened(token_pieces(token), 60)]
    assert len(tab.query_selector_all("p > bdi[title]")) == len(long) > 0
