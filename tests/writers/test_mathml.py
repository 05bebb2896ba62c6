"""Maths as MathML Core."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactattn.document import (
    Blank,
    Fence,
    Frac,
    Grid,
    Mark,
    Maths,
    Num,
    Op,
    Root,
    Row,
    Script,
    Sym,
    Word,
)
from exactattn.writers.mathml import GAPS, OPERATORS, inline, math, maths

TEXT = st.text(st.characters(codec=None), max_size=12)
LEAVES: st.SearchStrategy[Maths] = st.one_of(
    st.builds(Num, st.sampled_from(["-0.40", "3", "1.5e-7", "-2e+10", "−∞", "…"])),
    st.builds(Sym, st.one_of(st.sampled_from("QKd<&"), TEXT), st.sampled_from(["italic", "bold", "upright"])),
    st.builds(Word, TEXT),
    st.builds(Op, st.sampled_from([*OPERATORS, *GAPS])),
    st.builds(Blank, st.integers(0, 9)),
)


def grids(inner: st.SearchStrategy[Maths]) -> st.SearchStrategy[Maths]:
    pair = st.tuples(inner, inner)
    rows = st.lists(pair, min_size=1, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Grid, rows, st.sampled_from(["matrix", "lines", "labelled"])),
        st.builds(Grid, rows, st.just("labelled"), st.tuples(inner)),
    )


TREES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.builds(Row, st.lists(inner, max_size=4).map(tuple)),
        st.builds(Frac, inner, inner),
        st.builds(Root, inner),
        st.builds(Script, inner, st.none() | inner, st.none() | inner),
        st.builds(Fence, st.sampled_from(["(", "[", "{", "<", ""]), inner, st.sampled_from([")", "]", "}", ">", ""])),
        st.builds(Mark, st.sampled_from(["max", "answer", "doubt", "wrong", "open"]), inner),
        grids(inner),
    ),
    max_leaves=12,
)


@given(TREES)
def test_every_tree_is_well_formed(tree: Maths) -> None:
    ElementTree.fromstring(math(tree, "block"))
    ElementTree.fromstring(f"<p>{inline(tree)}</p>")


@pytest.mark.parametrize(
    ("tree", "due"),
    [
        (Num("3"), "<mn>3</mn>"),
        (Num("-0.40"), '<mrow><mo form="prefix">−</mo><mn>0.40</mn></mrow>'),
        (
            Num("1.5e-7"),
            '<mrow><mn>1.5</mn><mo form="infix">×</mo><msup><mn>10</mn>'
            '<mrow><mo form="prefix">−</mo><mn>7</mn></mrow></msup></mrow>',
        ),
        (Sym("Q", "bold"), '<mi mathvariant="normal">𝐐</mi>'),
        (Sym("d"), "<mi>d</mi>"),
        (Sym("Softmax", "upright"), '<mi mathvariant="normal">Softmax</mi>'),
        (Word("a<b"), "<mtext><bdi>a&lt;b</bdi></mtext>"),
        (Word("\x1b"), '<mtext><bdi><span class="cp">U+001B</span></bdi></mtext>'),
        (
            Script(Op("sum"), Sym("j"), Num("6")),
            '<munderover><mo form="prefix">∑</mo><mi>j</mi><mn>6</mn></munderover>',
        ),
        (Script(Sym("d"), Sym("k")), "<msub><mi>d</mi><mi>k</mi></msub>"),
        (Script(Sym("d"), Sym("k"), Num("2")), "<msubsup><mi>d</mi><mi>k</mi><mn>2</mn></msubsup>"),
        (Root(Num("2")), "<msqrt><mn>2</mn></msqrt>"),
        (Mark("max", Num("1")), '<mrow class="max"><mn>1</mn></mrow>'),
    ],
)
def test_a_node_in_mathml(tree: Maths, due: str) -> None:
    assert maths(tree) == due


def test_a_sign_before_its_operand_is_a_prefix_and_between_two_an_infix() -> None:
    a, b = Sym("a"), Sym("b")
    assert '<mo form="prefix" lspace="0" rspace="0">−</mo>' in maths(Row((Op("-"), a)))
    assert '<mo form="prefix" lspace="0" rspace="0">−</mo>' in maths(Row((a, Op("="), Op("-"), b)))
    assert '<mo form="infix">−</mo>' in maths(Row((a, Op("-"), b)))
    assert '<mo form="infix">+</mo>' in maths(Row((Op("quad"), Op("+"), b)))


def test_brackets_grow_only_around_what_is_tall() -> None:
    assert 'stretchy="false"' in maths(Fence("(", Num("-1"), ")"))
    assert 'stretchy="true"' in maths(Fence("(", Frac(Num("1"), Num("2")), ")"))
    assert 'stretchy="true"' in maths(Grid(((Num("1"),),), "matrix"))


def test_a_place_to_write_into_has_no_text() -> None:
    assert "".join(ElementTree.fromstring(math(Blank(6))).itertext()) == ""


def test_a_long_formula_in_a_line_is_broken_after_signs_and_loses_nothing() -> None:
    terms: list[Maths] = [Num("0.146")]
    for text in ("0.090", "0.087", "0.223", "0.259", "0.195"):
        terms += [Op("+"), Num(text)]
    body = Row((*terms, Op("="), Num("1.000")))
    parts = ElementTree.fromstring(f"<p>{inline(body)}</p>")
    assert [part.tag for part in parts] == ["math"] * 7
    assert "".join(parts.itertext()) == "".join(ElementTree.fromstring(math(body)).itertext())
    assert all("".join(part.itertext())[-1] in "+=" for part in list(parts)[:-1])


def test_a_long_word_is_shortened_and_whole_in_its_tooltip() -> None:
    bdi = ElementTree.fromstring(maths(Word("x" * 200)))[0]
    assert len(bdi.text or "") == 24
    assert bdi.get("title") == "x" * 200


def test_labels_of_tall_rows_stand_in_one_table_with_them() -> None:
    half = Frac(Num("1"), Num("2"))
    low = Grid(((Word("u"), Num("1")), (Word("v"), Num("2"))), "labelled")
    tall = Grid(((Word("u"), half), (Word("v"), Num("2"))), "labelled")
    headed = Grid(((Word("u"), Num("1"), Num("3")),), "labelled", (Sym("a"), Sym("b")))
    tables = [
        [table.get("class") for table in ElementTree.fromstring(math(grid)).iter("mtable")]
        for grid in (low, tall, headed)
    ]
    assert tables == [["labels", "matrix"], ["ruled"], ["ruled headed"]]
    corners = [
        [cell.get("class") for cell in ElementTree.fromstring(math(grid)).iter("mtd")] for grid in (tall, headed)
    ]
    assert corners == [["label", "l r t", "label", "l r b"], [None, None, None, "label", "l t b", "r t b"]]
