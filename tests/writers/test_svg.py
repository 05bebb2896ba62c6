"""Pictures as SVG."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from exactattn.document import (
    Arrow,
    Bar,
    Box,
    BoxLine,
    Cell,
    Document,
    Figure,
    Frac,
    Label,
    Mark,
    Math,
    Num,
    Op,
    Picture,
    Root,
    Row,
    Script,
    Section,
    Shape,
    Side,
    Sym,
    Text,
    Token,
)
from exactattn.writers.clean import flat, token_pieces
from exactattn.writers.svg import drawing, length, page_rules, svg

TOKENS = json.loads(Path(__file__).parents[1].joinpath("data", "tokens.json").read_text(encoding="utf-8"))
NS = "{http://www.w3.org/2000/svg}"


def picture(*shapes: Shape) -> Picture:
    return Picture(60, 20, shapes, "A & B")


def label(*items: Text | Token | Math) -> ElementTree.Element:
    return parsed(picture(Label(10, 10, items, "start")))


def parsed(drawn: Picture) -> ElementTree.Element:
    return ElementTree.fromstring(svg(drawn, title="<t>"))


def figures(document: Document) -> list[Figure]:
    def walk(blocks: object) -> list[Figure]:
        out: list[Figure] = []
        for block in blocks:  # type: ignore[attr-defined]
            if isinstance(block, Figure):
                out.append(block)
            elif isinstance(block, Section | Side):
                out += walk(block.blocks)
        return out

    return walk(document.blocks)


def test_a_file_names_and_describes_itself_and_has_its_size_in_millimetres() -> None:
    root = parsed(picture())
    assert root.tag == f"{NS}svg"
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("60mm", "20mm", "0 0 60 20")
    assert root.get("role") == "img"
    assert (root.findtext(f"{NS}title"), root.findtext(f"{NS}desc")) == ("<t>", "A & B")


def test_a_drawing_in_a_page_is_named_by_its_description() -> None:
    root = ElementTree.fromstring(drawing(picture()))
    assert (root.get("role"), root.get("aria-label")) == ("img", "A & B")


def test_every_picture_is_well_formed_without_ids_styles_or_links(sample: Document) -> None:
    drawn = figures(sample)
    assert len(drawn) == 5
    for figure in drawn:
        for text in (svg(figure.picture), drawing(figure.picture)):
            ElementTree.fromstring(text)
            assert not re.search(r'\s(id|style|href|on\w+)="', text)
            assert "url(" not in text


def test_lengths_have_at_most_two_decimals(sample: Document) -> None:
    checked = 0
    for figure in figures(sample):
        for element in ElementTree.fromstring(drawing(figure.picture)).iter():
            for name in ("x", "y", "dx", "dy", "width", "height", "d", "font-size", "textLength"):
                for decimals in re.findall(r"\.(\d+)", element.get(name, "")):
                    assert len(decimals) <= 2
                    assert not decimals.endswith("0")
                    checked += 1
    assert checked > 500


def test_a_length_is_no_longer_than_it_needs() -> None:
    assert [length(x) for x in (12.0, 0.1 + 0.2, -0.001, 3.456)] == ["12", "0.3", "0", "3.46"]


def test_text_on_a_cell_is_light_on_dark_and_dark_on_light_in_both_themes() -> None:
    drawn = picture(Cell(0, 0, 10, 8, 100, "weight", "0.9"), Cell(10, 0, 10, 8, 0, "weight", "0.1"))
    rules = page_rules([drawn])
    assert "svg .b100{fill:light-dark(#08509a,#6caae2)}" in rules
    assert "svg .on-b100{fill:light-dark(#ffffff,#0b0f14)}" in rules
    assert "svg .on-b0{fill:light-dark(#1b2430,#f4f7fa)}" in rules
    texts = [text.get("class") for text in parsed(drawn).iter(f"{NS}text")]
    assert texts == ["num on-b100", "num on-b0"]


def test_a_file_has_both_themes_without_variables() -> None:
    text = svg(picture(Cell(0, 0, 10, 8, -40, "score", "-0.4")))
    assert "var(" not in text
    assert "light-dark(" not in text
    assert "@media (prefers-color-scheme:dark)" in text
    assert "svg .o40{fill:#fdd7b4}" in text


def test_a_wide_cell_text_shrinks_to_its_cell() -> None:
    sizes = [
        float(text.get("font-size") or 0)
        for text in parsed(
            picture(Cell(0, 0, 12, 8, 5, "weight", "0.5"), Cell(0, 8, 6, 8, 5, "weight", "-0.123456"))
        ).iter(f"{NS}text")
    ]
    assert sizes[0] == 3.1
    assert sizes[1] < 2


def test_a_tooltip_is_the_first_child_of_its_cell() -> None:
    group = parsed(picture(Cell(0, 0, 10, 8, 5, "weight", "0.5", title="a → <b>"))).find(f"{NS}g")
    assert group is not None
    assert group[0].tag == f"{NS}title"
    assert group[0].text == "a → <b>"


def test_a_script_is_smaller_and_lower_and_the_line_comes_back() -> None:
    root = label(Math(Row((Script(Sym("d"), Sym("k")), Op("="), Num("4")))))
    spans = list(root.iter(f"{NS}tspan"))
    assert ["".join(span.itertext()) for span in spans] == ["d", "k", " = 4"]
    assert float(spans[1].get("font-size") or 0) < 3
    assert float(spans[1].get("dy") or 0) == -float(spans[2].get("dy") or 0) > 0


def test_a_root_has_a_drawn_bar_as_long_as_its_body() -> None:
    root = label(Text("÷ "), Math(Root(Script(Sym("d"), Sym("k")))), Text(" = 2"))
    path = next(element for element in root.iter(f"{NS}path") if element.get("class") == "radical")
    body = next(text for text in root.iter(f"{NS}text") if text.get("textLength"))
    end = float((path.get("d") or "").split("L")[-1].split()[0])
    assert "".join(body.itertext()) == "dk"
    assert end == pytest.approx(float(body.get("x") or 0) + float(body.get("textLength") or 0), abs=0.3)
    assert ["".join(text.itertext()) for text in root.iter(f"{NS}text")] == ["÷ ", "dk", " = 2"]


def test_maths_is_laid_flat() -> None:
    body = Row((Frac(Num("-1"), Num("2")), Op("approx"), Mark("max", Num("1.5e-7"))))
    assert "".join(next(label(Math(body)).iter(f"{NS}text")).itertext()) == "−1/2 ≈ 1.5 × 10−7"


def test_an_arrow_ends_in_a_tip_at_its_last_point() -> None:
    paths = {path.get("class"): path.get("d") for path in parsed(picture(Arrow(((0, 5), (10, 5))))).iter(f"{NS}path")}
    assert paths == {"arrow": "M0 5L8.6 5", "tip": "M10 5L7.9 5.95L7.9 4.05Z"}


def test_bars_of_four_roles_differ_in_grey() -> None:
    rules = svg(picture(*(Bar(0, 0, 1, 1, role) for role in ("first", "second", "positive", "negative"))))
    greys = set()
    for role in ("first", "second", "positive", "negative"):
        found = re.search(rf"svg \.{role}{{fill:#(..)(..)(..)}}", rules)
        assert found
        red, green, blue = (int(part, 16) for part in found.groups())
        greys.add((299 * red + 587 * green + 114 * blue) // 20_000)
    assert len(greys) == 4


def test_a_line_too_wide_for_its_box_shrinks() -> None:
    wide = Box(0, 0, 10, 8, (BoxLine((Text("each row adds to 1"),), "muted"),))
    text = next(parsed(picture(wide)).iter(f"{NS}text"))
    assert float(text.get("font-size") or 0) < 1.5


@pytest.mark.parametrize("token", TOKENS)
def test_a_token_is_itself_in_a_label_and_a_tooltip(token: str) -> None:
    root = parsed(
        picture(Label(5, 5, (Token(token),)), Cell(0, 0, 5, 5, 3, "weight", "1", title=flat(token_pieces(token))))
    )
    texts = ["".join(text.itertext()) for text in root.iter(f"{NS}text")]
    assert texts[0] == flat(token_pieces(token))
    assert root.findtext(f"{NS}g/{NS}title") == flat(token_pieces(token))
