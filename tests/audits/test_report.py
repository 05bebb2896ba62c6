"""The report: what stands on top, what is marked and listed, in both languages and every format, whatever the tokens are."""

from __future__ import annotations

import io
import json
import re
import shutil
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, get_args

import pytest
from markdown_it import MarkdownIt

import exactattn as xa
from exactattn.audits import VERDICTS, report, table
from exactattn.audits.identities import Identity
from exactattn.document import (
    Display,
    Document,
    Grid,
    Mark,
    Note,
    Num,
    Para,
    Section,
    Strong,
    Table,
    Text,
    Token,
    Word,
    plain,
)
from exactattn.i18n import languages, messages
from exactattn.misconceptions import CATALOGUE, SLIPS, find
from exactattn.writers.clean import flat, token_pieces
from exactattn.writers.formats import typeset as written
from exactattn.writers.pdf import problems, typeset

DATA = Path(__file__).parent.parent / "data"
FILES = [*sorted((DATA / "published").glob("*.json")), *sorted((DATA / "edges").glob("*.json"))]
TOKENS = [token for token in json.loads((DATA / "tokens.json").read_text(encoding="utf-8")) if token != "\ud800"]
FORMATS = ("html", "latex", "markdown", "text")

TWO_HEADS = {
    "inputs": {
        "Q": [["1", "0"], ["0", "1"]],
        "K": [["1", "0"], ["0", "1"]],
        "V": [["8", "0"], ["0", "4"]],
        "W_O": [["1"], ["2"]],
    },
    "attention": {"heads": 2, "scale": "ln(3)"},
    "printed": {
        "heads": [
            {"weights": [["3/4", "1/4"], ["1/2", "1/2"]], "output": [["6.0"], ["5.0"]]},
            {"weights": [["0.75", "0.25"], ["0.25", "0.75"]], "output": [["1.0"], ["3.0"]]},
        ],
        "output": [["8.0"], ["11.0"]],
    },
}


@pytest.fixture(scope="module")
def audits() -> dict[str, xa.Audit]:
    found = {path.stem: xa.audit(path) for path in FILES}
    return found | {"xian": xa.audit("xian"), "two-heads": xa.audit(TWO_HEADS)}


def every(node: Any, kind: type) -> Iterator[Any]:
    """Every node of a kind, in order."""
    if isinstance(node, kind):
        yield node
    if isinstance(node, tuple | list):
        for item in node:
            yield from every(item, kind)
    elif hasattr(node, "__dataclass_fields__"):
        for field in fields(node):
            yield from every(getattr(node, field.name), kind)


def words_of(node: Any) -> str:
    """The text of a block."""
    match node:
        case Para(items):
            return plain(items)
        case Note(_, title, blocks):
            return "\n".join([plain(title), *map(words_of, blocks)])
        case Table(head, rows, _, _, foot):
            return "\n".join(" | ".join(plain(cell) for cell in line) for line in (head, *rows, *foot))
    return ""


# -- words -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", languages())
def test_there_are_words_for_everything_that_may_be_found(lang):
    words = messages(lang)
    for name in VERDICTS:
        key = name.replace("-", "_")
        assert words.text(f"audit.verdicts.{key}")
        assert words.text(f"audit.means.{key}")
    for identity in get_args(Identity):
        assert words.say(f"audit.identities.{identity.replace('-', '_')}", claimed="a", due="b")
    for one in (*CATALOGUE, *SLIPS):
        assert one.label(lang)
        assert one.said(lang)


# -- what stands there ---------------------------------------------------------------------------------------------------------


def test_the_first_error_and_its_cause_stand_on_top(audits):
    page = report(audits["two-head-head1"], "en")
    assert words_of(page.blocks[0]) == (
        "Verdict\n"
        "The first error: Weights, row I, column I: 0.26 is printed, the true value is 0.2246.\n"
        f"The likely cause: {find('base-two').said('en')}."
    )
    page = report(audits["equal-scores-unequal-weights"], "zh")
    assert words_of(page.blocks[0]).split("\n")[1:] == [
        "第一处错误：权重，love 行，I 列：印 0.37，正确值是 0.4011。",
        "没有一种已知的错误做法能得到这个数字以及其后的全部数字。",
    ]


def test_where_nothing_is_wrong_that_stands_on_top(audits):
    page = report(audits["identity-2x2"], "en")
    assert isinstance(page.blocks[0], Note)
    assert page.blocks[0].kind == "check"
    assert "No error was found" in words_of(page.blocks[0])


def test_wrong_marks_and_claims_come_next(audits):
    page = report(audits["xian"], "en")
    assert [words_of(block) for block in page.blocks[:3]] == [
        f"Verdict\n{messages('en').text('audit.summary.beside')}",
        "Wrong marks\n"
        "Output, row 今天, column 1 (0.463) is marked as the largest of its row; the largest is column 3 (0.625).\n"
        "Output, row 的, column 2 (-0.462) is marked as the largest of its row; the largest is column 1 (0.374).",
        "Claims that do not hold\nWeights, row ？: the printed digits add up to 0.999, the text says 1.",
    ]


def test_several_methods_that_cannot_be_told_apart_are_all_named():
    # with one row the softmax of the whole matrix... and d_k = 1, so no scale changes anything: √m and no scale differ
    case = {
        "inputs": {"Q": [["2"]], "K": [["1"], ["0"], ["0"], ["0"]], "V": [["8"], ["0"], ["0"], ["0"]]},
        "attention": {"scale": "1/2"},
        # weights of unscaled scores, e^2/(e^2 + 3) = 0.711; the scale is 1/2, and 1/d_k = 1 as well
        "printed": {"weights": [["0.711", "0.096", "0.096", "0.096"]]},
    }
    found = xa.audit(case)
    assert found.cause is not None
    assert len(found.cause.methods) > 1
    said = words_of(report(found, "en").blocks[0])
    assert "These methods give the same numbers and cannot be told apart: " in said
    for rows in found.cause.methods[1:6]:
        assert " + ".join(row.label("en") for row in rows) in said


def test_every_doubtful_number_is_marked_by_its_verdict_and_listed(audits):
    kinds = {"wrong": "wrong", "hidden-digits": "doubt"}
    for found in audits.values():
        page = report(found, "en")
        doubtful = [one for one in found.examined.judged if one.verdict not in ("ok", "unchecked")]
        due = Counter(kinds.get(one.verdict, "suspect") for one in doubtful)
        assert Counter(mark.kind for mark in every(page, Mark)) == due
        lines = [row for section in every(page, Section) for block in every(section, Table) for row in block.rows]
        assert len(lines) == len(doubtful)
        shown = sorted(plain(line[4]) for line in lines)
        assert shown == sorted(
            messages("en").text(f"audit.verdicts.{one.verdict.replace('-', '_')}") for one in doubtful
        )


def test_a_line_of_the_list_has_the_number_the_true_value_and_what_follows(audits):
    section = next(
        s for s in every(report(audits["equal-scores-unequal-weights"], "en"), Section) if plain(s.title) == "Weights"
    )
    assert plain(section.aside) == "6 doubtful"
    assert words_of(section.blocks[1]).split("\n")[:3] == [
        "Where | Printed | True | Recomputed | Verdict",
        "love → I | 0.37 | 0.4011 | 0.4013 | wrong",
        "love → love | 0.37 | 0.4011 | 0.4013 | wrong",
    ]
    assert [word.text for grid in every(section, Grid) for word in grid.head] == ["I", "love", "cats"]


def test_right_quantities_share_a_section_and_rows_that_are_not_printed_are_left_out(audits):
    sections = list(every(report(audits["xian"], "zh"), Section))
    assert [plain(section.title) for section in sections] == ["分数、缩放后的分数", "指数", "指数之和、权重", "输出"]
    assert [plain(section.aside) for section in sections] == ["全部正确", "5 处存疑", "全部正确", "16 处存疑"]
    (sums,) = [grid for grid in every(sections[2], Grid) if len(grid.rows[0]) == 2]
    assert [row[0] for row in sums.rows] == [Word("西安")]


def test_heads_come_before_what_is_made_of_them(audits):
    titles = [plain(section.title) for section in every(report(audits["two-heads"], "en"), Section)]
    assert titles == ["Weights (head 1)", "Output (head 1)", "Weights (head 2)", "Output (head 2)", "Output"]


def test_a_token_that_stands_twice_is_told_by_its_number():
    case = {
        "tokens": ["the", "cat", "the"],
        "inputs": {"scores": [["0", "0", "0"]] * 3, "V": [["1"], ["1"], ["1"]]},
        "attention": {"scale": "1"},
        "printed": {"weights": [["0.33", "0.33", "0.33"], ["0.33", "0.33", "0.33"], ["0.33", "0.33", "0.43"]]},
    }
    first = plain(next(every(report(xa.audit(case), "en"), Para)).items)
    assert first == "The first error: Weights, row the (3), column the (3): 0.43 is printed, the true value is 0.3333."


def test_a_large_example_is_abridged_around_its_doubtful_numbers():
    n = 30
    weights = [[f"{1 / 30:.3f}"] * n for _ in range(n)]
    weights[17][23] = "0.5"
    case = {
        "inputs": {"scores": [["0"] * n for _ in range(n)], "V": [["1"]] * n},
        "attention": {"scale": "1"},
        "printed": {"weights": weights},
    }
    page = report(xa.audit(case), "en")
    (grid,) = every(page, Grid)
    assert len(grid.rows) <= 12
    assert len(grid.rows[0]) <= 13
    assert [mark.kind for mark in every(grid, Mark)] == ["wrong"]


def test_the_fewest_digits_are_said_where_they_are_known(audits):
    assert "最少位数\n要让每一行都能由前面印出的数字得到，至少需要的小数位数：分数 6；缩放后的分数 7；" in words_of(
        report(audits["xian"], "zh").blocks[-1]
    )
    found = xa.audit({"printed": {"weights": [["0.5", "0.5"]]}})
    assert found.digits is None
    assert not [note for note in every(report(found), Note) if plain(note.title) == "Fewest digits"]


# -- languages and formats -------------------------------------------------------------------------------------------------------


def skeleton(node: Any) -> Any:
    """Kinds of block, numbers and tokens, without the words."""
    match node:
        case Text():
            return ()
        case Num(text) | Token(text) | Word(text):
            return text
        case tuple() | list():
            return [part for part in map(skeleton, node) if part not in ((), [])]
        case Document():
            return skeleton(node.blocks)
        case _ if hasattr(node, "__dataclass_fields__"):
            parts = [skeleton(getattr(node, field.name)) for field in fields(node)]
            return [type(node).__name__, *[part for part in parts if part not in ((), [])]]
    return node


def flat_parts(node: Any) -> Counter[str]:
    """Numbers and tokens, in whatever order a language says them."""
    if isinstance(node, list):
        return sum(map(flat_parts, node), Counter())
    return Counter([node]) if isinstance(node, str) else Counter()


def test_both_languages_have_the_same_blocks_and_numbers(audits):
    for name, found in audits.items():
        zh, en = report(found, "zh"), report(found, "en")
        assert [type(block) for block in zh.blocks] == [type(block) for block in en.blocks], name
        for mine, other in zip(zh.blocks, en.blocks, strict=True):
            assert flat_parts(skeleton(mine)) == flat_parts(skeleton(other)), name
    several = [("a.json", audits["xian"]), ("b.json", "no such file"), ("c.json", audits["exact-fractions"])]
    zh, en = table(several, "zh"), table(several, "en")
    assert [type(block) for block in zh.blocks] == [type(block) for block in en.blocks]
    assert flat_parts(skeleton(zh)) == flat_parts(skeleton(en))


@pytest.mark.parametrize("format", FORMATS)
def test_every_example_is_written_in_every_format(audits, format):
    for found in audits.values():
        for lang in languages():
            assert written(report(found, lang), format).strip()
    page = report(audits["xian"], "zh")
    assert written(page, format) == written(report(xa.audit("xian"), "zh"), format)


def test_reports_compile_with_nothing_lost_and_nothing_sticking_out(audits, program):
    program("tex")
    chosen = (
        "two-head-head1",
        "equal-scores-unequal-weights",
        "xian",
        "two-heads",
        "six-tokens-unscaled",
        "judge-impossible-output",
    )
    for lang in languages():
        blocks = tuple(block for name in chosen for block in report(audits[name], lang).blocks)
        page = Document((Text("Audits"),), (), blocks, lang)
        assert problems(typeset(written(page, "latex"), runs=2).log) == []


# -- whatever tokens, titles and sources hold --------------------------------------------------------------------------------


def named(tokens: list[str], text: str) -> xa.Audit:
    """An example with wrong numbers, a wrong mark and a refuted identity, its rows named by these tokens."""
    n = len(tokens)
    case = {
        "id": text,
        "title": text,
        "source": text,
        "tokens": tokens,
        "inputs": {"scores": [["0"] * n for _ in range(n)], "V": [["1"]] * n},
        "attention": {"scale": "1"},
        "printed": {"weights": [["0.900"] * n for _ in range(n)], "output": [["2.0"]] * n},
        "marked": {"weights": [[0, 0]]},
        "claims": {"row_sums": {"weights": "1"}},
    }
    return xa.audit(case)


GROUPS = [TOKENS[k : k + 12] for k in range(0, len(TOKENS), 12)]


@pytest.fixture(scope="module")
def hostile() -> list[tuple[list[str], xa.Audit]]:
    """Every token in a row of some example, its first in the title and the source."""
    return [(tokens, named(tokens, tokens[0])) for tokens in GROUPS]


class Tags(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


def test_no_token_title_or_source_becomes_markup_in_html(hostile):
    benign = Tags(written(report(named(list("abcdefghijkl"), "plain"), "en"), "html"))
    for tokens, found in hostile:
        page = Tags(written(report(found, "en"), "html"))
        for tag in ("script", "style", "img", "a", "svg", "title", "body", "h1", "button"):
            assert page.tags[tag] == benign.tags[tag], (tokens, tag)
        # a long or hidden token may be shortened or boxed: with a title, and its code point
        assert page.attributes <= benign.attributes | {"title", "dir", "class"}
        for token in tokens:
            if flat(token_pieces(token)) == token and len(token) < 20 and token.strip() == token and "  " not in token:
                assert token in page.text


@pytest.mark.parametrize("lang", languages())
def test_no_token_title_or_source_acts_in_text_or_in_the_terminal(hostile, lang):
    from rich.console import Console

    from exactattn.writers.terminal import terminal

    for tokens, found in hostile:
        page = report(found, lang)
        plain_text = written(page, "text")
        file = io.StringIO()
        Console(file=file, force_terminal=True, color_system="truecolor", width=100).print(terminal(page))
        coloured = re.sub(r"\x1b\[[0-9;]*m", "", file.getvalue())
        for out in (plain_text, coloured):
            assert not [c for c in out if unicodedata.category(c) == "Cc" and c != "\n"]
            assert not set(out) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
            for token in tokens:
                if (
                    token.isascii()
                    and token.isprintable()
                    and 0 < len(token) < 12
                    and token.strip() == token
                    and "  " not in token
                ):
                    assert token in out


def test_no_token_title_or_source_becomes_markdown(hostile):
    render = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render
    benign = Tags(render(written(report(named(list("abcdefghijkl"), "plain"), "en"), "markdown")))
    for _, found in hostile:
        page = written(report(found, "en"), "markdown")
        assert set(Tags(render(page)).tags) <= {*benign.tags, "code"}
        assert not [c for c in page if unicodedata.category(c) == "Cc" and c != "\n"]


def test_tokens_titles_and_sources_compile_as_themselves(hostile, program):
    program("tex")
    blocks = tuple(block for _, found in hostile for block in report(found, "zh").blocks[:3])
    title = report(named(["a"], r"\input{x} % $ # _ ^ & ~ { }"), "en")
    typed = typeset(written(Document(title.title, title.meta, blocks, "zh", title.running), "latex"), runs=1)
    assert problems(typed.log) == []


def test_a_page_with_hostile_tokens_does_nothing_in_a_browser(program, tmp_path):
    program("chromium")
    from playwright.sync_api import sync_playwright

    hostile = [
        "</script><script>window.acted=1</script>",
        "<img src=x onerror=window.acted=1>",
        "{{ 7*7 }}",
        "</title>",
        "<!--",
        "&lt;",
    ]
    complaints: list[str] = []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        tab = browser.new_page()
        tab.on("console", lambda message: complaints.append(message.text))
        tab.on("pageerror", lambda error: complaints.append(str(error)))
        for number, token in enumerate(hostile):
            file = tmp_path / f"{number}.html"
            file.write_text(written(report(named([token, "b", "c"], token), "en"), "html"), encoding="utf-8")
            tab.goto(file.as_uri())
            assert tab.evaluate("window.acted") is None
            assert token in tab.inner_text("h1")
            assert tab.title() == f"Audit: {token}"
        tab.goto(Path(tmp_path / "0.html").as_uri())
        browser.close()
    assert complaints == []


# -- many ------------------------------------------------------------------------------------------------------------------------


def test_the_table_over_many_has_a_line_for_each_their_totals_and_what_could_not_be_read(audits):
    several = [
        ("good.json", audits["identity-2x2"]),
        ("bad.json", audits["two-head-head1"]),
        ("[red]x.json", "no number: [red]"),
        ("early.json", audits["causal-last-row"]),
        ("marked.json", audits["xian"]),
    ]
    page = table(several, "en")
    assert plain(page.title) == "Audit of 5 examples"
    assert plain(page.meta) == "2 fail, 1 could not be read."
    assert words_of(page.blocks[0]).split("\n") == [
        "File | Verdict | ok | rounding | inherited | wrong | Likely cause",
        "good.json | passes | 12 |  |  |  | ",
        "bad.json | fails | 42 | 1 | 4 | 4 | base 2",
        "[red]x.json | could not be read |  |  |  |  | ",
        "early.json | passes | 13 | 2 |  |  | ",
        "marked.json | fails | 58 | 21 |  |  | a false mark, a false claim",
        "Total |  | 125 | 24 | 4 | 4 | ",
    ]
    assert words_of(page.blocks[1]) == "Likely causes\n1 × base 2\n1 × a false mark, a false claim"
    assert words_of(page.blocks[2]) == "could not be read\n[red]x.json: no number: [red]"
    strong = [plain(one.items) for one in every(page.blocks[0], Strong)]
    assert strong == ["fails", "fails"]
    assert not list(every(page, Display))
