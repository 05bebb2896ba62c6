"""Plain text and the terminal."""

from __future__ import annotations

import io
import json
import re
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from exactattn.document import (
    Blank,
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
    Num,
    Op,
    Para,
    Picture,
    Root,
    Row,
    Script,
    Sym,
    Table,
    Text,
    Token,
    Wide,
    Word,
)
from exactattn.writers.clean import flat, token_pieces, width
from exactattn.writers.spans import Span, text_of, wrapped
from exactattn.writers.terminal import terminal
from exactattn.writers.text import text
from exactattn.writers.text_areas import area, displayed, lines_of
from exactattn.writers.text_maths import linear
from exactattn.writers.text_tables import table_lines

TOKENS = json.loads(Path(__file__).parents[1].joinpath("data", "tokens.json").read_text(encoding="utf-8"))


def document(*blocks: object) -> Document:
    return Document((Text("T"),), (), blocks, "en")  # type: ignore[arg-type]


def printed(shown: Document, columns: int = 100, **options: object) -> str:
    out = io.StringIO()
    Console(file=out, width=columns, **options).print(terminal(shown))  # type: ignore[arg-type]
    return out.getvalue()


@pytest.mark.parametrize(
    ("tree", "due"),
    [
        (Num("-0.40"), "−0.40"),
        (Num("-1.5e-7"), "−1.5×10⁻⁷"),
        (Script(Sym("K"), None, Sym("T", "upright")), "Kᵀ"),
        (Script(Sym("d"), Sym("k")), "d_k"),
        (Script(Sym("x"), Num("12")), "x₁₂"),
        (Script(Sym("v"), Row((Sym("j"), Num("1")))), "v_j1"),
        (Script(Sym("o"), Row((Word("西安"), Op(","), Num("1")))), "o_(西安,1)"),
        (Script(Sym("s"), Word("西安")), "s_西安"),
        (Root(Num("2")), "√2"),
        (Root(Row((Sym("a"), Op("+"), Sym("b")))), "√(a + b)"),
        (Frac(Num("-1"), Num("2")), "(−1)/2"),
        (Row((Op("-"), Sym("a"), Op("="), Op("-"), Sym("b"))), "−a = −b"),
        (Row((Op("div"), Num("2"))), "÷ 2"),
        (Fence("[", Row((Num("1"), Op(","), Num("-2"))), "]"), "[1, −2]"),
        (Mark("max", Num("0.259")), "0.259*"),
        (Mark("answer", Num("0.264")), "[0.264]"),
        (Mark("doubt", Num("0.264")), "0.264†"),
        (Mark("open", Num("0")), "0"),
        (Blank(4), "____"),
    ],
)
def test_maths_on_one_line(tree: Maths, due: str) -> None:
    assert text_of(linear(tree)) == due


def test_a_fraction_is_stacked_around_the_line() -> None:
    body = Row((Sym("a"), Op("="), Frac(Num("10"), Row((Num("1"), Op("+"), Num("3"))))))
    assert lines_of(area(body)).split("\n") == ["      10", "a =  ─────", "     1 + 3"]


def test_labels_and_heads_stand_at_their_rows_and_columns_whatever_their_width() -> None:
    rows = ((Word("今天"), Num("0.1"), Mark("max", Num("-0.25"))), (Word("x"), Mark("max", Num("0.5")), Num("0")))
    grid = area(Grid(rows, "labelled", (Sym("a"), Sym("b"))))
    assert lines_of(grid).split("\n") == ["       a      b", "今天 ⎡0.1   −0.25*⎤", "   x ⎣0.5*      0 ⎦"]
    assert len({width(text_of(line)) for line in grid.lines[1:]}) == 1


def test_a_derivation_is_aligned_at_its_relations() -> None:
    lines = Grid(((Sym("o"), Row((Op("="), Num("1")))), (Op("none"), Row((Op("approx"), Num("2"))))), "lines")
    assert lines_of(area(lines)) == "o = 1\n  ≈ 2"


def test_a_long_line_of_a_derivation_is_broken_before_a_sign() -> None:
    terms: list[Maths] = []
    for k in range(6):
        terms += [Op("+"), Num(f"0.{k}00")] if terms else [Op("="), Num("0.000")]
    shown = displayed(Grid(((Sym("o"), Row((*terms, Op("approx"), Num("1")))),), "lines"), 30)
    assert lines_of(shown).split("\n") == ["o = 0.000 + 0.100 + 0.200", "     + 0.300 + 0.400 + 0.500", "  ≈ 1"]


def test_matrices_that_do_not_fit_side_by_side_are_stacked() -> None:
    one = Grid(((Num("1.000"),), (Num("2.000"),)), "matrix")
    body = Row((one, Op("quad"), one))
    assert lines_of(displayed(body, 40)).split("\n") == ["⎡1.000⎤  ⎡1.000⎤", "⎣2.000⎦  ⎣2.000⎦"]
    assert lines_of(displayed(body, 10)).split("\n") == ["⎡1.000⎤", "⎣2.000⎦", "", "⎡1.000⎤", "⎣2.000⎦"]


def table() -> Table:
    head = ((Text("step"),), *((Token(token),) for token in ("今天", "西安", "的")))
    rows = (
        ((Text("score"),), *((Math(Num(n)),) for n in ("0.1", "-0.25", "3"))),
        ((Text("sum"),), Wide(3, (Text("0.1 + 3"),))),
    )
    return Table(head, rows, "lrrr", (), (((Text("weight"),), *((Math(Num(n)),) for n in ("1", "2", "3"))),))


def test_the_columns_of_a_table_are_in_line() -> None:
    assert [text_of(line) for line in table_lines(table(), 60)] == [
        "───────────────────────",
        "step    今天   西安  的",
        "───────────────────────",
        "score    0.1  −0.25   3",
        "sum             0.1 + 3",
        "───────────────────────",
        "weight     1      2   3",
        "───────────────────────",
    ]


def test_a_table_that_is_too_wide_comes_in_parts_that_name_their_rows() -> None:
    shown = [text_of(line) for line in table_lines(table(), 20)]
    assert all(width(line) <= 20 for line in shown)
    assert [line for line in shown if line.startswith("score")] == ["score    0.1", "score   −0.25   3"]
    assert shown[-1] == "sum  0.1 + 3"


def test_a_paragraph_keeps_to_the_width_and_no_line_begins_with_a_closing_sign() -> None:
    words = "先减去最大值（结果不变，避免溢出），再取指数、求和、相除：a long-winded remark, in (brackets)."
    for room in range(16, 60):
        lines = [text_of(line) for line in wrapped((Span(words),), room)]
        assert "".join(lines).replace(" ", "") == words.replace(" ", "")
        assert all(width(line) <= room for line in lines)
        assert all(line[0] not in "，。、：）,.)" for line in lines)


def test_a_document_fits_its_width(sample: Document) -> None:
    for room in (72, 100):
        wide = [line for line in text(sample, width=room).split("\n") if width(line) > room]
        assert wide == []


def test_marks_are_explained_where_there_are_any() -> None:
    assert "largest of a row" in text(document(Display(Mark("max", Num("1")))))
    assert "largest of a row" not in text(document(Display(Num("1"))))


@pytest.mark.parametrize("token", TOKENS)
def test_a_token_is_itself_and_neither_markup_nor_a_control(token: str) -> None:
    shown = flat(token_pieces(token))
    seen = document(Para((Text("before "), Token(token), Text(" after"))))
    for out in (text(seen, width=2000), printed(seen, 2000)):
        assert f"before {shown} after" in out
        assert not [c for c in out if unicodedata.category(c) == "Cc" and c != "\n"]


def test_a_long_token_in_a_matrix_or_a_table_is_shortened() -> None:
    long = "x" * 200
    grid = Display(Grid(((Word(long), Num("1")),), "labelled"))
    rows = Table((), (((Token(long),), (Text("1"),)),), "lr")
    assert max(map(width, text(document(grid, rows)).split("\n"))) < 40


def test_the_terminal_draws_a_heatmap_with_its_tokens_in_their_places() -> None:
    shapes = (
        Cell(20, 10, 12, 8, 20, "weight", "0.2"),
        Cell(32, 10, 12, 8, 80, "weight", "0.8", True),
        Label(18, 14, (Token("西安"),), "end"),
        Label(26, 7, (Token("今天"),)),
        Label(38, 7, (Token("的"),)),
        Label(50, 10, (Text("1"),), "start"),
    )
    figure = Figure("f", Picture(60, 20, shapes, "described"), (Text("Caption"),))
    lines = [line.rstrip() for line in printed(document(figure)).split("\n")]
    at = lines.index(" Figure 1. Caption")
    assert lines[at + 1 : at + 3] == ["          今天   的", "     西安  0.2  0.8*"]
    assert "described" not in printed(document(figure))
    assert "described" in printed(document(replace(figure, picture=replace(figure.picture, shapes=()))))


def test_the_terminal_prints_in_colour_without_touching_the_text(sample: Document) -> None:
    coloured = printed(sample, force_terminal=True, color_system="truecolor")
    assert "\x1b[1;31m" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == printed(sample)
