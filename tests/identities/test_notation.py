"""The small notation of statements, and the relations it writes, in every writer."""

from __future__ import annotations

import pytest

from exactattn.document import Display, Document, Frac, Math, Num, Op, Para, Row, Script, Sym, Text, plain
from exactattn.errors import InputError
from exactattn.identities.notation import lines, maths
from exactattn.writers.html import html
from exactattn.writers.latex import latex
from exactattn.writers.markdown import markdown
from exactattn.writers.text import text

RELATIONS = {
    "le": ("≤", r"\leq"), "ge": ("≥", r"\geq"), "ne": ("≠", r"\neq"), "in": ("∈", r"\in"),
    "implies": ("⇒", r"\Rightarrow"), "iff": ("⇔", r"\Leftrightarrow"),
}  # fmt: skip


@pytest.mark.parametrize("name", RELATIONS)
def test_a_relation_comes_out_of_every_writer(name):
    sign, tex = RELATIONS[name]
    body = Row((Sym("a"), Op(name), Sym("b")))
    page = Document((Text("t"),), (), (Display(body),), "en")
    assert sign in text(page)
    assert f">{sign}<" in html(page)
    for written in (latex(page), markdown(page)):
        assert tex in written
    assert plain((Math(body),)) == f"a{sign}b"


def test_a_line_breaks_at_a_relation_on_a_phone():
    long = Row((*(Sym("a"), Op("+")) * 9, Sym("a"), Op("le"), Sym("b")))
    page = Document((Text("t"),), (), (Para((Math(long),)),), "en")
    assert "≤</mo></mrow></math><math>" in html(page)


def test_infinity_and_the_partial_sign_are_maths_in_tex():
    page = Document((Text("t"),), (), (Display(maths("(partial L)/(partial s) -> - inf")),), "en")
    for written in (latex(page), markdown(page)):
        assert r"\partial" in written
        assert r"\infty" in written
        assert "∂" not in written.replace("% ", "")


@pytest.mark.parametrize(
    ("line", "due"),
    [
        ("p_1", Script(Sym("p"), Num("1"))),
        ("x_i^2", Script(Sym("x"), Sym("i"), Num("2"))),
        ("@K^tr", Script(Sym("K", "bold"), None, Sym("T", "upright"))),
        ("(a + b)/2", Frac(Row((Sym("a"), Op("+"), Sym("b"))), Num("2"))),
        ("e^(-m)", Script(Sym("e", "upright"), None, Row((Op("-"), Sym("m"))))),
    ],
)
def test_scripts_and_fractions_take_what_follows(line, due):
    assert maths(line) == due


def test_a_derivation_is_aligned_at_its_first_relation():
    grid = lines("a + b = c", "= d")
    assert [row[1].items[0] for row in grid.rows] == [Op("="), Op("=")]
    assert grid.rows[1][0] == Row(())


@pytest.mark.parametrize("line", ["p = sofmax(s)", "(a + b", "a ? b", "@QK"])
def test_a_slip_is_an_error(line):
    with pytest.raises(InputError, match=r"means nothing|missing"):
        maths(line)
