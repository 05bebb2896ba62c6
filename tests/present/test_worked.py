"""The worked solution says what it must, in both languages and every layout."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

import exactattn as xa
from exactattn.document import Bar, Figure, Label, Note, Section, plain
from exactattn.i18n import messages
from exactattn.present.abridge import shown
from exactattn.present.figures.layout import PAGE
from exactattn.present.page import Page
from exactattn.present.products import mixing
from exactattn.present.scoring import scaling, scoring
from exactattn.present.sheet import Sheet
from exactattn.present.softmax import softmax
from exactattn.present.view import LAYOUTS, View

XIAN = xa.solve("xian")


def words(lang: str, **style: object) -> str:
    return " ".join(xa.render(XIAN, "text", lang=lang, **style).replace("│", " ").split())


def blocks(document):
    waiting = list(document.blocks)
    while waiting:
        block = waiting.pop(0)
        yield block
        if isinstance(block, Section | Note):
            waiting[:0] = block.blocks


def test_the_page_says_what_the_article_should_have_said():
    text = words("zh")
    assert "印 0.264，照印出的数字得 0.263" in text
    assert "印 0.5615，照印出的数字得 0.5599" in text
    assert "「？」行为 0.999" in text
    assert "不缩放为 0.734，缩放 × 1/2 为 0.457" in text.replace("2为", "2 为")
    english = words("en")
    assert "0.264 carried, 0.263 from the printed digits" in english
    assert "row “？” gives 0.999; every other row gives 1." in english


@pytest.mark.parametrize(("head", "row", "said"), [
    (0, "西安", "「？」 0.215"),
    (0, "怎么样", "「西安」 0.398"),
    (1, "西安", "「怎么样」 0.310"),
    (1, "怎么样", "「怎么样」 0.283"),
])  # fmt: skip
def test_the_heads_look_where_the_article_says(head, row, said):
    assert said in words("zh")
    q = XIAN.comparisons[1].trace.heads[head].weights
    key, weight = said.split()
    assert q[row, key.strip("「」")].decimal(3) == weight


def test_output_maxima_are_marked_where_they_are():
    text = xa.render(XIAN, "text", lang="en")
    assert "0.625*" in text
    assert "0.374*" in text
    assert "0.463*" not in text
    assert "-0.462*" not in text.replace("−", "-")


def test_the_figures_of_the_article_are_all_there():
    names = [block.name for block in blocks(XIAN.document()) if isinstance(block, Figure)]
    assert names == ["pipeline", "scores-1", "weights-1", "contributions", "scaling", "multihead", "heads", "models"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_both_languages_have_the_same_content(layout):
    zh, en = (XIAN.document(lang=lang, layout=layout) for lang in ("zh", "en"))
    assert [type(block) for block in blocks(zh)] == [type(block) for block in blocks(en)]


@pytest.mark.parametrize(("name", "lang"), list(itertools.product(xa.bundled(), ("zh", "en"))))
def test_a_worksheet_holds_no_result_before_its_key(name, lang):
    solution = xa.solve(name)
    text = xa.render(solution, "text", lang=lang, layout="worksheet")
    before, _, after = text.partition({"zh": "答案页", "en": "Key"}[lang])
    assert after
    if not solution.case.symbols:
        output = solution.output
        for texts in output.decimal(3):
            for number in texts:
                if number.strip("-0.") and len(number.strip("-0.")) > 2:
                    assert number.replace("-", "−") not in before


def test_rows_are_asked_for_by_token_or_position_once_each_in_order():
    document = XIAN.document(rows=["？", "#2", "西安"])
    assert plain(document.running[1]) == "「西安」、「？」行"


def test_repeated_tokens_are_indexed_by_position():
    trace = xa.attend([["1"], ["2"]], [["1"], ["2"]], [["1"], ["2"]], tokens=["the", "the"])
    text = xa.render(trace, "text")
    assert "s₁₂" in text
    assert "s_the" not in text


def test_a_large_matrix_is_abridged_and_says_so():
    numbers = [[str((3 * i + j) % 7) for j in range(2)] for i in range(30)]
    trace = xa.attend(numbers, numbers, numbers)
    text = xa.render(trace, "text", rows=["#17"])
    assert "Of the 30 × 30 matrix only a part is shown" in text
    for format in ("html", "latex", "markdown"):
        assert xa.render(trace, format, rows=["#17"])


@pytest.mark.parametrize("count", [1, 12, 13, 14, 40, 512])
def test_what_is_left_out_leaves_the_ends_and_what_was_asked_for(count):
    wanted = {count // 2}
    found = shown(count, wanted)
    assert len(found) <= 12
    assert found[0] == 0
    assert found[-1] == count - 1
    assert wanted <= set(found)
    kept = [k for k in found if k is not None]
    assert kept == sorted(set(kept))


@pytest.mark.parametrize("places", [11, 25, 40, 60])
def test_pictures_have_room_for_their_bars_however_many_places_are_printed(places):
    figures = {figure.name: figure for figure in xa.solve("xian", places=places).figures(lang="en")}
    for figure in figures.values():
        assert figure.picture.width <= PAGE
        bars = [shape for shape in figure.picture.shapes if isinstance(shape, Bar)]
        assert all(bar.width >= 0 and bar.height >= 0 for bar in bars)
    drawn = figures["contributions"].picture
    assert max(bar.width for bar in drawn.shapes if isinstance(bar, Bar)) > 30
    said = {plain(shape.items) for shape in drawn.shapes if isinstance(shape, Label)}
    assert {"0.2593721777", "0.2637117628"} <= said
    assert plain(figures["contributions"].note) == "The numbers in this picture are rounded to 10 places."


def test_pictures_print_what_the_page_prints_where_there_is_room():
    figures = {figure.name: figure for figure in xa.solve("xian", places=9).figures(lang="en")}
    said = {plain(s.items) for s in figures["contributions"].picture.shapes if isinstance(s, Label)}
    assert {"0.259372178", "0.263711763"} <= said
    assert [figures[name].note for name in ("contributions", "weights-1")] == [(), ()]


PICTURED = {
    "xian": lambda heads: xa.solve("xian", heads=heads).trace,
    "one key": lambda heads: xa.attend([["1", "2"]], [["1", "0"]], [["3", "4"]], heads=heads),
    "letters": lambda heads: xa.attend([["a", "1"]], [["1", "0"], ["b", "1"]], [["1"], ["b"]], symbols=["a", "b"]),
}


@pytest.mark.parametrize("name", PICTURED)
@pytest.mark.parametrize("heads", [1, 2])
def test_without_pictures_a_step_is_what_it_is_with_them_but_for_the_pictures(name, heads):
    trace = PICTURED[name](heads)
    sections = {}
    for pictures in ("drawn", "none"):
        view = View("en", (0,), trace.problem.settings.places, pictures=pictures)
        page = Page(Sheet(trace, view.places), messages("en"), view)
        sections[pictures] = [make(page, len(trace.heads) - 1) for make in (scoring, scaling, softmax, mixing)]
    drawn = [
        replace(part, blocks=tuple(b for b in part.blocks if not isinstance(b, Figure))) for part in sections["drawn"]
    ]
    assert sections["none"] == drawn
    assert (drawn != sections["drawn"]) == (name != "letters")  # one key has a picture of its contribution
