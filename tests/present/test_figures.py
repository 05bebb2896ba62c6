"""Figures: every shape lies in its picture, frames stand at maxima, tints and bars follow the exact values."""

from __future__ import annotations

from dataclasses import fields
from decimal import Decimal
from fractions import Fraction
from itertools import combinations, pairwise
from string import Formatter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactattn.document import (
    Arrow,
    Bar,
    Box,
    Cell,
    Frac,
    Frame,
    Label,
    Line,
    Math,
    Num,
    Op,
    Picture,
    Root,
    Row,
    Script,
    Sym,
    Text,
    Token,
    plain,
)
from exactattn.errors import ShapeError
from exactattn.i18n import Messages, languages, messages
from exactattn.present.figures.bars import comparison
from exactattn.present.figures.boxes import STYLES
from exactattn.present.figures.four_steps import Sizes, pipeline
from exactattn.present.figures.heatmaps import head_title, heatmap, heatmaps
from exactattn.present.figures.layout import GAP, bounds, ems, shorten, width
from exactattn.present.figures.ledgers import contributions
from exactattn.present.figures.many_heads import Widths, multihead
from exactattn.present.figures.measures import amount, tick_texts, ticks, tint
from exactattn.present.figures.models import head_counts, read_models

EN, ZH = messages("en"), messages("zh")
TOKENS = ["今天", "西安", "的", "天气", "怎么样", "？"]
SCORES = ["-0.40", "-1.36", "-1.44", "0.45", "0.75", "0.18"]
WEIGHTS = [
    ["0.213", "0.086", "0.111", "0.095", "0.038", "0.457"],
    ["0.146", "0.090", "0.087", "0.223", "0.259", "0.195"],
    ["0.174", "0.080", "0.084", "0.202", "0.172", "0.288"],
    ["0.140", "0.194", "0.189", "0.087", "0.074", "0.316"],
    ["0.073", "0.290", "0.207", "0.095", "0.207", "0.128"],
    ["0.369", "0.093", "0.148", "0.173", "0.054", "0.162"],
]
MAXIMA = [{5}, {4}, {5}, {5}, {1}, {0}]
SCALE = Row((Op("div"), Root(Script(Sym("d"), Sym("k"))), Op("="), Num("2")))
LEGEND = ((Text("unscaled"),), (Text("scaled ("), Math(SCALE), Text(")")))

words = st.sampled_from([EN, ZH])
nasty = ["", " ", "Ġthe", "</script>", "\\input{x}", "[red]", "{0}", "👨‍👩‍👧", "مرحبا", "नमस्ते", "\x1b[31m"]
long = ["e\u0301" * 9, "x" * 200, "词" * 200, "internationalisation"]
tokens = st.one_of(st.text(max_size=10), st.sampled_from([*TOKENS, "the", *long, *nasty]))
decimals = st.builds(
    lambda n, places: f"{Decimal(n).scaleb(-places):f}",
    st.integers(-(10**7), 10**7),
    st.integers(0, 7),
)
numbers = st.one_of(decimals, st.sampled_from(["0", "-1.2346e-7", "1e300", "0.0625", "-3000.000", "1234567.8"]))
small = st.integers(0, 1000).map(lambda n: f"{Decimal(n).scaleb(-3):f}")


def biggest(row: list[str]) -> set[int]:
    values = [Fraction(text) for text in row]
    return {j for j, value in enumerate(values) if value == max(values)}


@st.composite
def any_heatmap(draw: st.DrawFn, of: st.SearchStrategy[str] = numbers) -> dict[str, Any]:
    n, m = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    texts = [[draw(of) for _ in range(m)] for _ in range(n)]
    columns = draw(st.lists(tokens, min_size=m, max_size=m))
    rows = columns if n == m and draw(st.booleans()) else draw(st.lists(tokens, min_size=n, max_size=n))
    palette = draw(st.sampled_from(["weight", "score"]))
    maxima = [biggest(row) for row in texts]
    return {
        "rows": rows,
        "columns": columns,
        "texts": texts,
        "maxima": maxima,
        "palette": palette,
        "words": draw(words),
    }


@st.composite
def any_heads(draw: st.DrawFn) -> Picture:
    one = draw(any_heatmap(small))
    heads = draw(st.integers(1, 8))
    named = one["words"]
    one["texts"], one["maxima"] = [one["texts"]] * heads, [one["maxima"]] * heads
    return heatmaps(titles=[head_title(k, 64 * k - 63, 64 * k, named) for k in range(1, heads + 1)], **one)


@st.composite
def any_comparison(draw: st.DrawFn) -> Picture:
    m = draw(st.integers(1, 12))
    rows = [[draw(st.one_of(numbers, small)) for _ in range(m)] for _ in range(2)]
    named = draw(st.lists(tokens, min_size=m, max_size=m))
    axis = draw(st.sampled_from([(), (Text("weight"),)]))
    return comparison(tokens=named, first=rows[0], second=rows[1], legend=LEGEND, axis=axis, words=draw(words))


@st.composite
def any_contributions(draw: st.DrawFn) -> Picture:
    m = draw(st.integers(1, 12))
    weights, contents, products = ([draw(numbers) for _ in range(m)] for _ in range(3))
    return contributions(
        tokens=draw(st.lists(tokens, min_size=m, max_size=m)),
        weights=weights,
        contents=contents,
        products=products,
        sum_of_weights=draw(numbers),
        total=draw(numbers),
        column=draw(st.integers(1, 128)),
        words=draw(words),
    )


counts = st.integers(1, 512)


@st.composite
def any_pipeline(draw: st.DrawFn) -> Picture:
    d_v = draw(st.one_of(st.none(), counts))
    sizes = Sizes(draw(counts), draw(counts), draw(counts), d_v, draw(st.integers(1, 4096)), draw(st.integers(1, 4096)))
    x, w, b = (Sym(letter, "bold") for letter in "XWb")
    biased = {name: Row((x, Script(w, Sym(name)), Op("+"), Script(b, Sym(name)))) for name in "QKV"}
    return pipeline(
        start=draw(st.sampled_from(["self", "cross", "queries", "scores"])),
        sizes=sizes,
        scale=draw(st.sampled_from([SCALE, Frac(Num("1"), Root(Num("128"))), Num("0.12345678901234567890123456789")])),
        mask=draw(st.sampled_from(["none", "causal", "matrix"])),
        words=draw(words),
        projections=draw(st.sampled_from([None, biased])),
    )


@st.composite
def any_multihead(draw: st.DrawFn) -> Picture:
    optional = st.one_of(st.none(), st.integers(1, 12288))
    widths = Widths(draw(st.integers(1, 128)), draw(counts), draw(counts), draw(optional), draw(optional))
    return multihead(widths=widths, words=draw(words))


pictures = st.one_of(
    any_heatmap().map(lambda parts: heatmap(**parts)),
    any_heads(),
    any_comparison(),
    any_contributions(),
    any_pipeline(),
    any_multihead(),
    words.map(lambda w: head_counts(models=read_models(), words=w)),
)


# -- every figure ----------------------------------------------------------------------------------------------------


@settings(max_examples=100)
@given(pictures)
def test_every_shape_lies_in_its_picture_and_the_picture_on_a_page(drawn: Picture) -> None:
    assert drawn.width <= 166
    assert drawn.height <= 230
    for shape in drawn.shapes:
        left, top, right, bottom = bounds(shape)
        assert left >= 0, shape
        assert top >= 0, shape
        assert right <= drawn.width, shape
        assert bottom <= drawn.height, shape


@settings(max_examples=100)
@given(pictures)
def test_no_label_or_box_covers_another(drawn: Picture) -> None:
    placed = [(bounds(shape), shape) for shape in drawn.shapes if isinstance(shape, Label | Box)]
    for (a, one), (b, other) in combinations(placed, 2):
        apart = a[2] <= b[0] + 0.02 or b[2] <= a[0] + 0.02 or a[3] <= b[1] + 0.4 or b[3] <= a[1] + 0.4
        assert apart, (one, other)


@settings(max_examples=60)
@given(st.one_of(any_pipeline(), any_multihead()))
def test_the_lines_of_a_box_fit_it(drawn: Picture) -> None:
    for box in drawn.shapes:
        if isinstance(box, Box):
            assert max(width(line.items, STYLES[line.style]) for line in box.lines) <= box.width - 2
            assert len(box.lines) * 5 <= box.height + 1


@settings(max_examples=60)
@given(pictures)
def test_lengths_have_two_decimals_and_none_is_a_negative_zero(drawn: Picture) -> None:
    lengths = [drawn.width, drawn.height]
    for shape in drawn.shapes:
        if isinstance(shape, Arrow):
            lengths += [part for point in shape.points for part in point]
        else:
            lengths += [getattr(shape, f.name) for f in fields(shape) if f.type == "float"]
    for length in lengths:
        assert length == round(length, 2)
        assert str(length) != "-0.0"


@settings(max_examples=40)
@given(any_heatmap())
def test_the_same_data_draw_the_same_picture(parts: dict[str, Any]) -> None:
    assert repr(heatmap(**parts)) == repr(heatmap(**parts))


@settings(max_examples=40)
@given(pictures)
def test_a_picture_is_described(drawn: Picture) -> None:
    assert drawn.describe


# -- heatmaps --------------------------------------------------------------------------------------------------------


def cells_of(drawn: Picture, n: int, m: int) -> list[list[Cell]]:
    """The n × m cells, without the slices of the colour bar behind them."""
    found = [shape for shape in drawn.shapes if isinstance(shape, Cell)]
    return [found[m * i : m * i + m] for i in range(n)]


def place(shape: Cell | Frame) -> tuple[float, ...]:
    return shape.x, shape.y, shape.width, shape.height


@settings(max_examples=40)
@given(any_heatmap())
def test_frames_and_bold_stand_at_the_maxima_and_nowhere_else(parts: dict[str, Any]) -> None:
    drawn = heatmap(**parts)
    cells = cells_of(drawn, len(parts["rows"]), len(parts["columns"]))
    at_maxima = {place(cells[i][j]) for i, row in enumerate(parts["maxima"]) for j in row}
    assert {place(shape) for shape in drawn.shapes if isinstance(shape, Frame)} == at_maxima
    assert {place(cell) for row in cells for cell in row if cell.strong} == at_maxima


@settings(max_examples=40)
@given(any_heatmap())
def test_tints_keep_the_order_and_the_sign_of_values(parts: dict[str, Any]) -> None:
    drawn = heatmap(**parts)
    cells = [c for row in cells_of(drawn, len(parts["rows"]), len(parts["columns"])) for c in row]
    ordered = sorted(cells, key=lambda cell: Fraction(cell.text))
    assert [c.tint for c in ordered] == sorted(c.tint for c in cells)
    low = 0 if parts["palette"] == "weight" else -100
    for cell in cells:
        assert low <= cell.tint <= 100
        assert cell.tint * Fraction(cell.text) >= 0
    if any(Fraction(cell.text) > 0 for cell in cells):
        most = max(cells, key=lambda cell: abs(Fraction(cell.text)))
        assert abs(most.tint) == 100 or (parts["palette"] == "weight" and Fraction(most.text) < 0)


@settings(max_examples=40)
@given(any_heatmap())
def test_cells_tile_the_heatmap(parts: dict[str, Any]) -> None:
    cells = cells_of(heatmap(**parts), len(parts["rows"]), len(parts["columns"]))
    for row in cells:
        for left, right in pairwise(row):
            assert left.x + left.width == pytest.approx(right.x, abs=0.011)
    for upper, lower in pairwise(cells):
        assert upper[0].y + upper[0].height == pytest.approx(lower[0].y, abs=0.011)


def test_the_weights_of_the_article() -> None:
    drawn = heatmap(rows=TOKENS, columns=TOKENS, texts=WEIGHTS, maxima=MAXIMA, palette="weight", words=ZH)
    cells = cells_of(drawn, 6, 6)
    assert [cell.text for cell in cells[1]] == WEIGHTS[1]
    assert [cell.tint for cell in cells[0]] == [47, 19, 24, 21, 8, 100]
    assert cells[1][4].title == "西安 → 怎么样：0.259"
    assert "西安 → 怎么样：0.259；" in drawn.describe
    tiny = [plain(s.items) for s in drawn.shapes if isinstance(s, Label) and s.style == "tiny"]
    assert tiny == ["0.457", "0"]


def test_scores_have_a_scale_with_two_ends_and_zero() -> None:
    drawn = heatmap(rows=["西安"], columns=TOKENS, texts=[SCORES], maxima=[{4}], palette="score", words=EN)
    assert [cell.tint for cell in cells_of(drawn, 1, 6)[0]] == [-28, -94, -100, 31, 52, 13]
    two = heatmap(rows=["a"] * 6, columns=TOKENS, texts=[SCORES] * 6, maxima=[{4}] * 6, palette="score", words=EN)
    tiny = [plain(s.items) for s in two.shapes if isinstance(s, Label) and s.style == "tiny"]
    assert tiny == ["1.44", "0", "-1.44"]


def test_tints_come_from_exact_values_where_they_are_given() -> None:
    drawn = heatmap(
        rows=["a"], columns=["b", "c"], texts=[["e/4", "1"]], maxima=[{1}], palette="weight", words=EN,
        values=[[Fraction(2, 3), 1]],
    )  # fmt: skip
    assert [cell.tint for cell in cells_of(drawn, 1, 2)[0]] == [67, 100]


def test_symbols_have_no_tint_and_no_scale() -> None:
    drawn = heatmap(rows=["a"], columns=["b"], texts=[["a/2"]], maxima=[set()], palette="score", words=EN)
    assert [shape.tint for shape in drawn.shapes if isinstance(shape, Cell)] == [0]


def test_closed_cells_are_pale_and_say_so() -> None:
    drawn = heatmap(
        rows=["a", "b"], columns=["a", "b"], texts=[["0.5", "−∞"], ["0.1", "-0.7"]], maxima=[{0}, {0}],
        palette="score", words=EN, keep=[[True, False], [True, True]],
    )  # fmt: skip
    closed = cells_of(drawn, 2, 2)[0][1]
    assert (closed.tint, closed.text, closed.title) == (0, "", "a → b: −∞ (masked)")
    muted = [s for s in drawn.shapes if isinstance(s, Label) and s.style == "muted"]
    assert [plain(s.items) for s in muted] == ["−∞"]
    assert muted[0].x == pytest.approx(closed.x + closed.width / 2, abs=0.011)
    assert muted[0].y == pytest.approx(closed.y + closed.height / 2, abs=0.011)


def test_a_zero_of_a_closed_cell_does_not_count_for_the_scale() -> None:
    drawn = heatmap(
        rows=["a"],
        columns=["a", "b"],
        texts=[["0.5", "9"]],
        maxima=[{0}],
        palette="weight",
        words=EN,
        keep=[[True, False]],
    )
    assert cells_of(drawn, 1, 2)[0][0].tint == 100


def test_rows_and_columns_left_out_are_narrow_and_have_no_tint() -> None:
    drawn = heatmap(
        rows=["a", GAP, "z"], columns=["a", GAP, "z"], texts=[["0.1", GAP, "0.2"], [GAP] * 3, ["0.3", GAP, "0.4"]],
        maxima=[{2}, set(), {2}], palette="weight", words=EN, row_numbers=[1, 0, 26], column_numbers=[1, 0, 26],
    )  # fmt: skip
    cells = cells_of(drawn, 3, 3)
    assert cells[0][1].width < cells[0][0].width
    assert cells[1][0].height < cells[0][0].height
    assert {(cell.tint, cell.title) for cell in (*cells[1], cells[0][1])} == {(0, "")}
    assert "2 rows and 2 columns" in drawn.describe


def test_a_token_of_three_dots_is_a_token() -> None:
    drawn = heatmap(rows=[GAP], columns=[GAP, "b"], texts=[["0.4", "0.6"]], maxima=[{1}], palette="weight", words=EN)
    cells = cells_of(drawn, 1, 2)[0]
    assert [cell.title for cell in cells] == ["… → …: 0.4", "… → b: 0.6"]
    assert cells[0].width == cells[1].width
    bars = comparison(tokens=[GAP], first=["1"], second=["1"], legend=LEGEND, words=EN)
    assert sum(isinstance(s, Bar) for s in bars.shapes) == 2 + len(LEGEND)


def test_long_column_tokens_become_numbers_that_the_rows_explain() -> None:
    long = ["internationalisation", "counterrevolutionaries", "institutionalised"]
    texts = [["0.2", "0.3", "0.5"]] * 3
    drawn = heatmap(rows=long, columns=long, texts=texts, maxima=[{2}] * 3, palette="weight", words=EN)
    said = [plain(s.items) for s in drawn.shapes if isinstance(s, Label)]
    assert [text for text in said if text in "123"] == ["1", "2", "3", "1", "2", "3"]


def test_long_column_tokens_of_other_rows_become_numbers_with_a_key() -> None:
    long = ["internationalisation", "counterrevolutionaries", "institutionalised"]
    drawn = heatmap(rows=["a"], columns=long, texts=[["0.2", "0.3", "0.5"]], maxima=[{2}], palette="weight", words=EN)
    key = [s for s in drawn.shapes if isinstance(s, Label) and s.anchor == "start" and isinstance(s.items[0], Token)]
    assert [plain(s.items) for s in key] == long


def test_middling_column_tokens_stand_on_two_lines_by_turns() -> None:
    named = ["The", "international", "committee", "sat", "down", "."]
    drawn = heatmap(rows=["a"] * 6, columns=named, texts=WEIGHTS, maxima=MAXIMA, palette="weight", words=EN)
    heads = [s for s in drawn.shapes if isinstance(s, Label) and plain(s.items) in named]
    assert len({s.y for s in heads}) == 2
    assert sum(isinstance(s, Line) and s.role == "grid" for s in drawn.shapes) == 3


def test_heads_share_one_scale() -> None:
    drawn = heatmaps(
        titles=[head_title(1, 1, 2, EN), head_title(2, 3, 4, EN)], rows=["a"], columns=["a", "b"],
        texts=[[["0.2", "0.8"]], [["0.6", "0.4"]]], maxima=[[{1}], [{0}]], palette="weight", words=EN,
    )  # fmt: skip
    cells = [s for s in drawn.shapes if isinstance(s, Cell) and s.text]
    assert [(c.text, c.tint) for c in cells] == [("0.2", 25), ("0.8", 100), ("0.6", 75), ("0.4", 50)]
    assert cells[0].y == cells[2].y


def test_many_large_heads_are_bare_but_keep_frames_and_titles() -> None:
    texts = [[f"0.{(i * j) % 900 + 99}" for j in range(12)] for i in range(12)]
    drawn = heatmaps(
        titles=[head_title(k, 1, 2, EN) for k in range(8)], rows=["a"] * 12, columns=["a"] * 12, texts=[texts] * 8,
        maxima=[[{0}] * 12] * 8, palette="weight", words=EN,
    )  # fmt: skip
    cells = [s for s in drawn.shapes if isinstance(s, Cell) and s.title]
    assert len(cells) == 8 * 144
    assert {c.text for c in cells} == {""}
    assert sum(isinstance(s, Frame) for s in drawn.shapes) == 8 * 12


# -- bars ------------------------------------------------------------------------------------------------------------


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=12), st.lists(tokens, min_size=12, max_size=12))
def test_bars_are_as_long_as_their_values(pairs: list[tuple[str, str]], named: list[str]) -> None:
    first, second = ([pair[k] for pair in pairs] for k in (0, 1))
    drawn = comparison(tokens=named[: len(pairs)], first=first, second=second, legend=LEGEND, words=EN)
    bars = [s for s in drawn.shapes if isinstance(s, Bar)][: 2 * len(pairs)]
    assert [b.role for b in bars] == ["first", "second"] * len(pairs)
    lengths = [bar.width if _lies(drawn) else bar.height for bar in bars]
    values = [abs(Fraction(text)) for pair in pairs for text in pair]
    unit = max(lengths) / float(max(values)) if max(values) else 0.0
    for length, value in zip(lengths, values, strict=True):
        assert length == pytest.approx(float(value) * unit, abs=0.02)


def _lies(drawn: Picture) -> bool:
    """Whether the grid lines stand upright, as they do behind lying bars."""
    return any(s.role == "grid" and s.x1 == s.x2 for s in drawn.shapes if isinstance(s, Line))


def test_the_comparison_of_the_article() -> None:
    unscaled = ["0.160", "0.026", "0.043", "0.032", "0.005", "0.734"]
    drawn = comparison(tokens=TOKENS, first=unscaled, second=WEIGHTS[0], legend=LEGEND, words=ZH, axis=(Text("权重"),))
    said = [plain(s.items) for s in drawn.shapes if isinstance(s, Label)]
    assert said[:5] == ["0.0", "0.2", "0.4", "0.6", "0.8"]
    assert "？ 0.734、0.457" in drawn.describe
    assert all(text in said for text in [*unscaled, *WEIGHTS[0]])


@pytest.mark.parametrize("digits", [40, 60, 400])
def test_no_bar_is_shorter_than_nothing_however_long_the_numbers_are(digits: int) -> None:
    texts = ["0." + "3" * digits, "-0." + "6" * digits]
    ledger = contributions(
        tokens=["a", "b"], weights=texts, contents=texts, products=texts, sum_of_weights=texts[0], total=texts[0],
        column=1, words=EN,
    )  # fmt: skip
    lying = comparison(tokens=["a", "b"], first=texts, second=texts, legend=LEGEND, words=EN)
    # on both sides of the axis as the values, 30 millimetres in all
    assert [shape.width for shape in ledger.shapes if isinstance(shape, Bar)] == [10, 20]
    assert all(shape.width > 0 for shape in lying.shapes if isinstance(shape, Bar))


def test_tokens_left_out_have_no_bars() -> None:
    drawn = comparison(tokens=["a", GAP], first=["0.5", GAP], second=["0.2", GAP], legend=LEGEND, words=EN)
    assert sum(isinstance(s, Bar) for s in drawn.shapes) == 2 + len(LEGEND)


@given(st.lists(numbers, min_size=1, max_size=12))
def test_contributions_have_bars_on_the_side_of_their_sign(products: list[str]) -> None:
    m = len(products)
    drawn = contributions(
        tokens=["t"] * m, weights=["1"] * m, contents=products, products=products, sum_of_weights="1", total="1",
        column=1, words=EN,
    )  # fmt: skip
    bars = [s for s in drawn.shapes if isinstance(s, Bar)]
    values = [Fraction(text) for text in products if Fraction(text)]
    assert [b.role for b in bars] == ["positive" if v > 0 else "negative" for v in values]
    (zero,) = {s.x1 for s in drawn.shapes if isinstance(s, Line) and s.role == "axis"}
    for bar in bars:
        assert (bar.x if bar.role == "positive" else bar.x + bar.width) == pytest.approx(zero, abs=0.011)
    if bars:
        longest = max(abs(v) for v in values)
        unit = max(b.width for b in bars) / float(longest)
        for bar, value in zip(bars, values, strict=True):
            assert bar.width == pytest.approx(float(abs(value)) * unit, abs=0.02)


# -- measures --------------------------------------------------------------------------------------------------------


@given(st.fractions(-1000, 1000), st.fractions(0, 1000), st.integers(-12, 12))
def test_ticks_are_round_enclose_the_values_and_are_printed_exactly(low: Fraction, more: Fraction, power: int) -> None:
    low, more = low * Fraction(10) ** power, more * Fraction(10) ** power
    marks = ticks(low, low + more)
    assert marks[0] <= min(low, 0)
    assert marks[-1] >= max(low + more, 0)
    assert 0 in marks
    assert 2 <= len(marks) <= 6
    step = marks[1] - marks[0]
    assert {b - a for a, b in pairwise(marks)} == {step}
    assert str(step.numerator).rstrip("0") in ("1", "2", "5")
    assert [Fraction(text) for text in tick_texts(marks)] == list(marks)


@given(st.fractions(), st.fractions(), st.fractions(min_value=Fraction(1, 1000)))
def test_a_larger_value_never_has_a_smaller_tint(a: Fraction, b: Fraction, top: Fraction) -> None:
    low, high = sorted((a, b))
    assert tint(low, top, "score") <= tint(high, top, "score")
    assert tint(low, top, "weight") <= tint(high, top, "weight")


def test_what_is_no_printed_number_has_no_amount() -> None:
    assert [amount(text) for text in ("…", "−∞", "", "a/2", "nan", "inf", "１", "0x10", "1_0")] == [None] * 9
    assert (amount("-3/4"), amount("1.25e-1")) == (Fraction(-3, 4), Fraction(1, 8))


@given(st.text(max_size=60), st.floats(4, 60))
def test_a_shortened_token_begins_as_the_token_and_fits(token: str, room: float) -> None:
    short = shorten(token, room)
    if short != token:
        assert short.endswith(GAP)
        assert token.startswith(short.removesuffix(GAP))
        assert width(short) <= room or ems(short) <= ems(token[0]) + 1.0


def test_a_shortened_token_keeps_a_letter_with_its_marks() -> None:
    assert shorten("e\u0301" * 20, 10).removesuffix(GAP)[-1] == "\u0301"
    assert not shorten("👨‍👩‍👧" * 9, 20).removesuffix(GAP).endswith("\u200d")


# -- boxes -----------------------------------------------------------------------------------------------------------


def headings(drawn: Picture) -> list[str]:
    return [plain(s.lines[0].items) for s in drawn.shapes if isinstance(s, Box) and s.role == "step"]


def test_the_pipeline_of_the_article() -> None:
    drawn = pipeline(start="queries", sizes=Sizes(6, 6, 4, 4), scale=SCALE, mask="none", words=ZH)
    assert headings(drawn) == ["① 打分", "② 缩放", "③ Softmax", "④ 加权"]
    given = [plain(s.lines[0].items) for s in drawn.shapes if isinstance(s, Box) and s.role == "io"]
    assert sorted(given) == ["K 6×4", "O 6×4", "Q 6×4", "V 6×4"]
    assert drawn.describe == "从左到右的步骤：Q 6×4, K 6×4 → ① 打分 → ② 缩放 → ③ Softmax → ④ 加权 → O 6×4。"


def test_a_mask_is_a_box_without_a_number() -> None:
    drawn = pipeline(start="queries", sizes=Sizes(6, 6, 4, 4), scale=SCALE, mask="causal", words=EN)
    assert headings(drawn) == ["① Score", "② Scale", "Mask", "③ Softmax", "④ Mix V"]


def test_a_pipeline_without_values_ends_at_the_weights() -> None:
    drawn = pipeline(start="scores", sizes=Sizes(2, 3), scale=SCALE, mask="none", words=EN)
    assert headings(drawn) == ["① Scale", "② Softmax"]
    assert drawn.describe.endswith("A 2×3.")


def test_a_pipeline_from_inputs_has_their_projections() -> None:
    drawn = pipeline(start="self", sizes=Sizes(3, 3, 2, 2, 4), scale=SCALE, mask="none", words=EN)
    made = [plain(s.lines[0].items) for s in drawn.shapes if isinstance(s, Box) and s.role == "part"]
    assert made == ["V=XW_V", "Q=XW_Q", "K=XW_K"]


def test_every_head_is_shown_up_to_four_and_more_are_abridged() -> None:
    for heads, shown in ((1, 1), (4, 4), (5, 3), (32, 3)):
        drawn = multihead(widths=Widths(heads, 128, 128, 4096, 4096), words=EN)
        boxes = [plain(s.lines[0].items) for s in drawn.shapes if isinstance(s, Box) and s.role == "part"]
        assert len(boxes) == shown
        assert boxes[-1] == f"Head {heads} (128)"
        dots = [s for s in drawn.shapes if isinstance(s, Label) and s.items == (Math(Op("vdots")),)]
        assert bool(dots) is (heads > 4)


# -- models ----------------------------------------------------------------------------------------------------------

TABLE = [
    ("GPT-2", 12, 768, 64),
    ("BERT-Large", 16, 1024, 64),
    ("GPT-3 (175B)", 96, 12288, 128),
    ("LLaMA-3-8B", 32, 4096, 128),
    ("LLaMA-3-70B", 64, 8192, 128),
    ("Qwen2.5-7B", 28, 3584, 128),
    ("GLM-4-9B", 32, 4096, 128),
    ("Mistral-7B", 32, 4096, 128),
    ("DeepSeek-V3", 128, 7168, 56),
]


def test_the_models_are_the_nine_of_the_article() -> None:
    assert [(m.name, m.heads, m.d_model, m.head_width) for m in read_models()] == TABLE
    assert all(m.head_width * m.heads == m.d_model for m in read_models())


def test_one_model_has_a_printed_width_that_no_head_has() -> None:
    special = [m for m in read_models() if m.head_width_is == "quotient"]
    assert [(m.name, m.score_width, m.value_width, m.variant) for m in special] == [("DeepSeek-V3", 192, 128, "MLA")]
    assert all(m.score_width == m.value_width == m.head_width for m in read_models() if m not in special)


def test_head_counts_mark_the_special_model_and_say_its_widths() -> None:
    drawn = head_counts(models=read_models(), words=ZH)
    bars = [s for s in drawn.shapes if isinstance(s, Bar)]
    assert [b.role for b in bars] == ["second"] * 8 + ["first"]
    for bar, (_, heads, _, _) in zip(bars, TABLE, strict=True):
        assert bar.width == pytest.approx(bars[-1].width * heads / 128, abs=0.01)
    assert "DeepSeek-V3 128, 分数 192 维，值 128 维（MLA）" in drawn.describe
    assert "56" not in drawn.describe


# -- words and errors ------------------------------------------------------------------------------------------------


def test_every_language_has_the_same_sentences_with_the_same_parts() -> None:
    def parts(of: Messages) -> dict[str, set[str]]:
        return {
            key: {field for _, field, _, _ in Formatter().parse(of._flat[key]) if field is not None}
            for key in sorted(of.keys())
            if key.startswith("figure.")
        }

    assert all(parts(messages(lang)) == parts(EN) for lang in languages())


def test_counts_that_do_not_fit_are_errors() -> None:
    one: dict[str, Any] = {"rows": ["a"], "columns": ["b", "c"], "maxima": [{0}], "palette": "weight", "words": EN}
    with pytest.raises(ShapeError, match=r"^texts has 2 rows: the heatmap has 1$"):
        heatmap(texts=[["1", "2"]] * 2, **one)
    with pytest.raises(ShapeError, match=r"^a row of texts has 1 entries: the heatmap has 2 columns$"):
        heatmap(texts=[["1"]], **one)
    with pytest.raises(ShapeError, match=r"^1 numbers came for 2 column tokens: give one for each$"):
        heatmap(texts=[["1", "2"]], column_numbers=[1], **one)
    with pytest.raises(
        ShapeError, match=r"^1 titles, 0 matrices of texts and 1 of maxima: give one of each for every head$"
    ):
        heatmaps(titles=[(Text("x"),)], rows=[], columns=[], texts=[], maxima=[[]], palette="weight", words=EN)
    with pytest.raises(
        ShapeError, match=r"^1 tokens, 2 values in the first row and 1 in the second: one of each is due$"
    ):
        comparison(tokens=["a"], first=["1", "2"], second=["1"], legend=LEGEND, words=EN)
    with pytest.raises(ShapeError, match=r"^1 tokens, 0 weights, 1 values and 1 products: one of each is due$"):
        contributions(
            tokens=["a"], weights=[], contents=["1"], products=["1"], sum_of_weights="1", total="1", column=1, words=EN
        )
    with pytest.raises(ShapeError, match=r"^1 values came for 2 texts: give one for each$"):
        comparison(
            tokens=["a", "b"], first=["1", "2"], second=["1", "2"], legend=LEGEND, words=EN, values=([1], [1, 2])
        )
