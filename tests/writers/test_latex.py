"""Documents as LaTeX: every node, whole pages, fragments, and what is too wide for a line."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from exactattn.document import (
    Arrow,
    Bar,
    Blank,
    Block,
    Box,
    BoxLine,
    Cell,
    Display,
    Document,
    Fence,
    Figure,
    Frac,
    Frame,
    Grid,
    Label,
    Line,
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
    Side,
    Strong,
    Sym,
    Table,
    Text,
    Token,
    Wide,
    Word,
)
from exactattn.errors import FileError, OptionError
from exactattn.writers.latex import block, blocks, latex
from exactattn.writers.pdf import problems, typeset
from exactattn.writers.templates import source
from exactattn.writers.tex_maths import inline, maths
from exactattn.writers.tikz import tikz

A, B, X = Sym("a"), Sym("b"), Sym("x")
NEGATIVE = Fence("(", Num("-1"), ")")


class TexFile(SingleFileSnapshotExtension):
    """One readable .tex file for a golden output."""

    _write_mode = WriteMode.TEXT
    file_extension = "tex"


@pytest.fixture
def golden(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    return snapshot.use_extension(TexFile)


# -- nodes -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("node", "tex"),
    [
        (Num("-0.40"), "-0.40"),
        (Num("1.5e-7"), r"1.5\times10^{-7}"),
        (Num("-2E+012"), r"-2\times10^{12}"),
        (Num("−∞"), r"-\infty"),
        (Num("a_1"), r"\text{a}\text{\_}1"),
        (Sym("Q", "bold"), r"\mathbf{Q}"),
        (Sym("T", "upright"), r"\mathrm{T}"),
        (Sym("Softmax", "upright"), r"\operatorname{Softmax}"),
        (Sym("Σ", "upright"), r"\Sigma"),
        (Sym("μ", "bold"), r"\boldsymbol{\mu}"),
        (Sym("theta"), r"\mathit{theta}"),
        (Sym("x_1"), r"\text{x\_1}"),
        (Word("西安"), r"\text{西安}"),
        (Row((A, Op("+"), NEGATIVE)), "a + (-1)"),
        (Row((A, Op("none"), B)), "a {} b"),
        (Frac(A, B), r"\frac{a}{b}"),
        (Root(Script(Sym("d"), Sym("k"))), r"\sqrt{d_{k}}"),
        (Script(A, Row((Word("西安"), Op(","), Num("1"))), Num("2")), r"a_{\text{西安} \attncomma 1}^{2}"),
        (Script(Row((A, B)), None, Num("2")), "{a b}^{2}"),
        (Script(Op("sum"), A), r"\sum_{a}"),
        (Fence("[", A, "]"), "[a]"),
        (Fence("(", Frac(A, B), ")"), r"\left( \frac{a}{b} \right)"),
        (Fence("{", A, ""), r"\left\{ a \right."),
        (Mark("max", Num("0.457")), r"\attnmax{0.457}"),
        (Mark("answer", A), r"\attnanswer{a}"),
        (Mark("doubt", A), r"\attndoubt{a}"),
        (Mark("open", A), r"\attnopen{a}"),
        (Blank(6), r"\attnblank{4}"),
        (Grid(((A, B), (B, A)), "matrix"), "\\left[\\begin{array}{@{}rr@{}}\na & b \\\\\nb & a\n\\end{array}\\right]"),
        (Grid(((A, Row((Op("="), B))),), "lines"), "\\begin{aligned}\na&= b\n\\end{aligned}"),
        (
            Grid(((Word("今天"), A, B),), "labelled", (X, X)),
            "\\attnlabelled{&\\attnhead{x}&\\attnhead{x}\\\\}{%\n\\text{今天} & a & b\n}",
        ),
    ],
)
def test_maths_is_written_as_amsmath(node: Maths, tex: str) -> None:
    assert maths(node) == tex


def test_inline_nodes_stand_in_a_paragraph() -> None:
    items = (Text("50 % of "), Strong((Token("a_b"), Math(NEGATIVE))), Math(Mark("max", Num("1"))))
    assert inline(items) == r"50 \% of \textbf{a\_b$(-1)$}$\attnmax{1}$"


def test_a_paragraph_with_a_long_number_is_ragged_and_a_longer_number_may_go_on_in_the_next_line() -> None:
    assert block(Para((Math(Num("0." + "3" * 13)),))) == "$0.3333333333333$\n"
    assert block(Para((Math(Num("0." + "3" * 14)),))) == "{\\attnragged $0.33333333333333$\\par}\n"
    assert maths(Num("-0." + "3" * 60)) == "-0." + "3" * 60
    part = "3" * 20
    assert maths(Num(f"-1.{part * 3}7")) == rf"-1.{part}\attngroup {part}\attngroup {part}\attngroup 7"
    assert maths(Num("7" * 64)) == r"7777777777777777777777777777777777777777777777777777777777777777"


def test_a_display_belongs_to_the_paragraph_before_it_and_a_figure_stays_with_it() -> None:
    figure = Figure("f", Picture(1, 1, (), ""), ())
    tex = blocks((Para((Text("Hence"),)), Display(A), Para((Text("See"),)), figure))
    assert tex.startswith(
        "Hence\n\\begin{attnformula}\na\n\\end{attnformula}\n\nSee\n\\par\\nobreak\n\\begin{attnfigure}"
    )


def test_a_derivation_is_lines_and_a_matrix_is_in_one_piece() -> None:
    lines = Grid(((A, Row((Op("="), B))), (Op("none"), Row((Op("approx"), Num("1"))))), "lines")
    assert block(Display(lines)) == "\\begin{attnlines}\na&= b \\\\\n&\\approx 1\n\\end{attnlines}\n"
    assert block(Display(Row((A, Op("="), Grid(((A,),), "matrix"))))).startswith("\\begin{attnmath}\na = \\left[")


def test_a_table_has_its_rules_its_foot_and_cells_over_columns() -> None:
    table = Table(
        ((Text("t"),), (Token("a"),), (Token("b"),)),
        (((Text("x"),), (Math(Num("1")),), (Math(Num("2")),)),),
        "lrr",
        (Text("C"),),
        (((Text("Σ"),), Wide(2, (Math(Num("3")),))),),
    )
    assert block(table).splitlines() == [
        r"\begin{attntable}{C}",
        r"\begin{tabular}{@{}lrr@{}}",
        r"\toprule",
        r"t & a & b \\",
        r"\midrule",
        r"x & $1$ & $2$ \\",
        r"\midrule",
        r"\attnrun{Greek}{03A3}{Σ} & \multicolumn{2}{r@{}}{\attnsum{2.1em}{$3$}} \\",
        r"\bottomrule",
        r"\end{tabular}",
        r"\end{attntable}",
    ]


def test_a_picture_is_tikz_in_millimetres_downwards() -> None:
    shapes = (
        Cell(1, 2, 10, 6, 100, "weight", "0.5", True),
        Cell(1, 2, 2, 1, -100, "score"),
        Frame(1, 2, 10, 6),
        Box(
            0, 0, 20, 10, (BoxLine((Text("a"),), "heading"), BoxLine((Math(A),)), BoxLine((Text("b"),), "muted")), "io"
        ),
        Arrow(((0, 0), (1.5, 0), (1.5, 2))),
        Bar(0, 0, 1, 2, "negative"),
        Line(0, 0, 1, 1 / 3, "grid"),
        Label(3, 4, (Token("x"),), "end", "muted"),
    )
    assert tikz(Picture(30, 20, shapes, "")).splitlines() == [
        r"\begin{tikzpicture}[attnpicture]",
        r"\useasboundingbox (0,0) rectangle (30,20);",
        r"\attncell(1,2)(10,6){8,80,154}\node[attnbold=9,text=white] at (6,5) {$0.5$};",
        r"\attnslice(1,2)(2,1){171,74,7}",
        r"\draw[attnframe] (1.45,2.45) rectangle (10.55,7.55);",
        r"\path[attnbox io] (0,0) rectangle (20,10);",
        r"\node[attnlines] at (10,5) {\attnboxheading{a}\\[1.5pt]$a$\\[1.5pt]\attnboxmuted{b}};",
        r"\draw[attnarrow] (0,0) -- (1.5,0) -- (1.5,2);",
        r"\path[attnbar negative] (0,0) rectangle (1,2);",
        r"\draw[attngrid] (0,0) -- (1,0.33);",
        r"\node[attnmuted,anchor=east] at (3,4) {x};",
        r"\end{tikzpicture}",
    ]


def test_another_body_than_page_or_fragment_is_an_error(sample: Document) -> None:
    with pytest.raises(OptionError, match="body 'book' is neither page nor fragment"):
        latex(sample, body="book")  # type: ignore[arg-type]


def test_a_template_that_is_not_there_is_an_error() -> None:
    with pytest.raises(FileError, match=r"there is no template 'latex/book\.tex'"):
        source("latex/book.tex")


def test_no_template_hides_what_tex_complains_of(sample: Document) -> None:
    tex = latex(sample) + latex(sample, body="fragment")
    assert not re.search(r"\\(hfuzz|vfuzz|tracinglostchars|batchmode|hbadness|nonstopmode|scrollmode)", tex)


# -- whole documents ---------------------------------------------------------------------------------------------------


def test_a_page_in_chinese(sample: Document, golden: SnapshotAssertion) -> None:
    assert latex(sample) == golden


def test_a_page_in_english(sample_en: Document, golden: SnapshotAssertion) -> None:
    assert latex(sample_en) == golden


def test_a_fragment_carries_its_definitions(sample: Document, golden: SnapshotAssertion) -> None:
    assert latex(sample, body="fragment") == golden


def test_every_node_compiles_without_a_lost_character_or_an_overfull_line(
    sample: Document, sample_en: Document, program: Callable[[str], None]
) -> None:
    program("tex")
    for document in (sample, sample_en):
        assert problems(typeset(latex(document), runs=1).log) == []


def test_a_last_sheet_that_would_be_nearly_empty_is_spared(program: Callable[[str], None]) -> None:
    program("tex")
    document = Document((Text("t"),), (), tuple(Para((Text(f"Paragraph {k}."),)) for k in range(37)), "en")
    assert "(2 pages" in typeset(latex(document), runs=1).log
    assert "(1 page" in typeset(latex(document)).log


def test_a_fragment_works_in_a_document_that_loads_what_it_names(
    sample: Document, sample_en: Document, program: Callable[[str], None]
) -> None:
    program("tex")
    fragment = latex(sample, body="fragment")
    preamble = "\n".join(re.findall(r"^% +(\\use.*)$", fragment, re.MULTILINE))
    english = latex(sample_en, body="fragment")
    tex = "\n".join(
        [
            r"\documentclass[twocolumn]{article}\usepackage[margin=15mm]{geometry}",
            preamble.replace("[scheme=plain]{ctex}", "[fontset=fandol,scheme=plain]{ctex}"),
            r"\begin{document}Before.\par",
            fragment,
            r"Between: \ifdefined\attnmax\undefined\fi",
            r"\onecolumn",
            english,
            r"After.\end{document}",
        ]
    )
    assert problems(typeset(tex, runs=1).log) == []


# -- too wide, too long ------------------------------------------------------------------------------------------------


def spread(items: list[Maths], op: str) -> Row:
    out: list[Maths] = []
    for item in items:
        out += [Op(op), item] if out else [item]
    return Row(tuple(out))


LONG_TOKENS = [f"token{k}" + "internationalisation" * (k % 3) for k in range(12)]


def matrix(rows: int, columns: int, text: str, tokens: list[str] = LONG_TOKENS) -> Grid:
    lines = tuple(
        (Word(tokens[i]), *(Mark("max", Num(text)) if j == i else Num(text) for j in range(columns)))
        for i in range(rows)
    )
    return Grid(lines, "labelled", tuple(Word(token) for token in tokens[:columns]))


def softmax_table(columns: int, text: str) -> Table:
    names = [(Token(LONG_TOKENS[j]),) for j in range(columns)]
    total = Row((spread([Num(text)] * columns, "+"), Op("="), Mark("answer", Num("12.3456"))))
    return Table(
        ((Text("Step"),), (), *names),
        (
            (
                (Text("③ exponentials"),),
                (Math(Script(Sym("e"), None, Row((X, Op("-"), Sym("m"))))),),
                *[(Math(Num(text)),)] * columns,
            ),
            ((Text("sum"),), (Math(Sym("Σ")),), Wide(columns, (Math(total),))),
        ),
        "ll" + "r" * columns,
        (Text("Softmax of "), Token("x" * 200)),
    )


def exponentials(count: int) -> Maths:
    return spread([Script(Sym("e"), None, Row((Op("-"), Frac(Num("12345"), Num("67890"))))) for _ in range(count)], "+")


def wide_blocks() -> tuple[Block, ...]:
    product = Row((matrix(6, 6, "-0.123"), matrix(6, 4, "-0.123"), Op("="), matrix(6, 4, "-0.123")))
    vector = Row(
        (Script(Sym("s", "bold"), Word("x" * 200)), Op("="), Fence("[", spread([Num("-0.1234567")] * 40, ","), "]"))
    )
    terms = [Row((Num("0.123456"), Op("times"), NEGATIVE)) for _ in range(30)]
    derivation = [(Script(Sym("o"), Word("y" * 200)), Row((Op("="), spread(terms, "+"))))]
    derivation += [(Op("none"), Row((Op("approx"), spread(list(terms[:4]), "+")))) for _ in range(90)]
    exact = Frac(Script(Sym("e"), None, Num("-1")), exponentials(20))
    plain = Grid(tuple((exact,) * 6 for _ in range(6)), "matrix")
    digits = "0." + "1234567890" * 5
    picture = Picture(166, 300, (Cell(0, 0, 166, 300, 10, "weight", digits), Label(83, 100, (Token("z" * 300),))), "")
    return (
        Display(Row((Sym("A", "bold"), Op("approx"), matrix(12, 12, "-0.123")))),
        softmax_table(12, "1.0000"),
        softmax_table(6, digits),
        Display(product),
        Display(vector),
        Para((Text("In a line: "), Math(vector), Text("."))),
        Display(Grid(tuple(derivation), "lines")),
        Display(Grid(((A, Row((Op("="), exact, Op("="), exponentials(9)))),), "lines")),
        Display(exact),
        Display(Row((Sym("A", "bold"), Op("="), plain))),
        Display(Row((Sym("A", "bold"), Op("="), matrix(12, 12, digits)))),
        Figure("tall", picture, (Token("c" * 200),), (Token("n" * 200),)),
        Side(
            (
                Figure("a", Picture(83, 20, (), ""), (Text("left"),)),
                Figure("b", Picture(83, 20, (), ""), (Text("right"),)),
            )
        ),
        Side(
            (softmax_table(3, "1.00"), Figure("c", Picture(120, 20, (), ""), (Text("below"),)), Para((Text("beside"),)))
        ),
        Table(
            ((Text("j"),), (Text("a"),)),
            tuple(((Math(Num(str(j))),), (Math(A),)) for j in range(130)),
            "rl",
            (Text("long"),),
        ),
    )


def test_what_is_too_wide_or_too_long_fits(program: Callable[[str], None]) -> None:
    program("tex")
    content = wide_blocks()
    long = (Token("t" * 200),)
    inside = Note("problem", long, (content[0], content[1], content[4], Para(long)))
    document = Document(long, long, (*content, inside, Section(long, long, long, content[-1:])), "zh", (long, long))
    assert problems(typeset(latex(document), runs=1).log) == []


def test_a_matrix_and_a_table_too_wide_for_any_size_go_on_below() -> None:
    digits = "0." + "1234567890" * 4
    parts = block(Display(Row((Sym("A"), Op("="), matrix(2, 6, digits)))))
    assert parts.count(r"\begin{attnmath}") == 3
    assert parts.count("A =") == 1
    assert parts.count(r"\dots") == 2 * (1 + 2 + 1)
    table = block(softmax_table(6, digits))
    assert table.count(r"\begin{attntable}") == 3
    assert table.count("③ exponentials") == 3
    assert table.count(r"\attnanswer{12.3456}") == 1


def test_a_bracket_that_is_a_command_takes_no_letter_into_its_name() -> None:
    assert maths(Fence("‖", Sym("s"), "‖")) == r"\Vert s\Vert"
    assert maths(Fence("⟨", Num("1"), "⟩")) == r"\langle 1\rangle"
