"""Any Unicode text as TeX: itself or a labelled box, never a command."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from exactattn.document import (
    Cell,
    Display,
    Document,
    Figure,
    Grid,
    Inlines,
    Label,
    Math,
    Note,
    Num,
    Para,
    Picture,
    Script,
    Section,
    Strong,
    Sym,
    Table,
    Text,
    Token,
    Word,
)
from exactattn.writers.latex import latex
from exactattn.writers.pdf import problems, typeset
from exactattn.writers.tex_tokens import metadata, short_token, text, token

ASCII = [chr(code) for code in range(32, 127)]
NASTY = [
    "", " ", "  ", " the", "the ", "a b", "a  b", "今 天", "Ġthe", "▁the", "##ing", "don't", '"q"',
    "<|endoftext|>", "</script>", r"\input{x}", "[red]", "[/red]", "\x1b[31m", "\x00", "\t", "\n", "\r\n",
    "\x7f", "\x85", "--", "---", "``x''", "?`", "!`", "<<>>", ",,", "$x$", "%c", "#1", "a&b", "a_b^c", "~",
    "{}", "\\\\", r"\end{document}", "^^M", "^^41", "*x", "[2pt]", "=1+1", "-5", "@x",
    "http://x.y/z?a=b&c=d#e", "<b>&amp;", "{{ x }}", "((= x =))", "😀", "❤️", "👨‍👩‍👧", "👍🏽", "🇨🇳",
    "🏳️‍🌈", "مرحبا", "السَّلَامُ عليكم", "שלום", "שלום עולם", "नमस्ते", "क्षत्रिय", "ไทย", "বাংলা", "தமிழ்",
    "한국어", "ひらがな", "カタカナ", "漢字", "龘", "𠮷", "㐂", "饕餮", "囍", "？", "！？", "“好”", "——", "……",
    "「西安」", "今天a", "ａｂｃ", "￥", "￥5", "①⑩⑪㊿", "⑴㈠", "Ⅳ", "é", "e\u0301", "ñ", "a\u0323\u0308",
    "Z\u0351\u036ba\u035bl\u0357g\u0342o", "\u0301", "ﬁ", "привет", "Ωμέγα", "ʃəˈ", "→⇒↦", "≈≤≥≠√∞∑∫",
    "QKᵀ/√d_k", "x²₁", "½", "™©®", "★☆♠", "█▓", "┌─┐", "⠓⠊", "𝔄𝕏", "\u200b", "\u200d", "\u202eabc", "\ufeff",
    "\u00a0", "\u3000", "\u00ad", "\ud800", "\ue000", "\U0010ffff", "\u0378", "\u2028",
]  # fmt: skip
LONG = ["a" * 200, "天" * 200, "ab-" * 66, "\\" * 200, "م" * 200, "क" * 200, "😀" * 200, "\x1b" * 200, "Ġ" * 200]
TOKENS = ASCII + NASTY + LONG

COMMANDS = {
    "attnbr", "attncut", "attnempty", "attnfit", "attnrtl", "attnrun", "attntok", "attnvis", "ensuremath",
    "textasciicircum", "textasciigrave", "textasciitilde", "textbackslash", "textbar", "textgreater", "textless",
    "textquotedbl", "textquotesingle", "textvisiblespace", "textsubscript", "textsuperscript",
    "approx", "leq", "geq", "neq", "surd", "infty", "quad", "{", "}", "$", "&", "#", "%", "_", " ",
}  # fmt: skip


def commands(tex: str) -> set[str]:
    return set(re.findall(r"\\([A-Za-z]+|.)", tex, re.DOTALL))


@given(st.text(st.characters(codec=None)))
@example(r"\input{x}")
@example("\ud800%\n\\")
def test_no_text_becomes_a_command_a_comment_or_a_line_end(content: str) -> None:
    for tex in (token(content), text(content), short_token(content, 8)):
        assert commands(tex) <= COMMANDS
        bare = re.sub(r"\\[{}$&#%_]", "", tex)
        assert not set("$&#%_^\n\r\t\x00\x1b") & set(bare)
        assert bare.count("{") == bare.count("}")


@given(st.text())
def test_what_is_a_box_has_the_code_point_in_it(content: str) -> None:
    for code in re.findall(r"\\attnvis\{U\+([0-9A-F]+)\}", token(content)):
        assert chr(int(code, 16)) in content


@given(st.text(alphabet=st.characters(codec="ascii", exclude_characters="\x00")))
def test_a_text_that_is_cut_is_no_longer_than_asked(content: str) -> None:
    signs = re.sub(r"\\(attncut|attnempty|text\w+)\{\}|\\attnvis\{[^}]*\}|\\[^a-z]", "x", short_token(content, 8))
    assert len(re.sub(r"\\attntok|[{}]", "", signs)) <= 8


@pytest.mark.parametrize(
    ("content", "tex"),
    [
        ("the", "the"),
        ("西安", "西安"),
        ("a--b", "a-{}-b"),
        ("[2pt]", "{[}2pt]"),
        ("don't", r"don\textquotesingle{}t"),
        ("今天a", r"\attntok{今天a}"),
        ("？", r"\attntok{？}"),
        ("今 天", r"\attntok{今\ 天}"),
        ("龘", r"\attnrun{Han}{9F98}{龘}\attnbr{}"),
        ("שלום עולם", r"\attnrtl{Hebrew}{05E9,05DC,05D5,05DD,05E2,05D5,05DC,05DD}{שלום עולם}"),
        ("नमस्ते", r"\attnrun{Devanagari}{0928,092E,0938,094D,0924,0947}{नमस्ते}"),
        ("👍🏽", r"\attnrun{Emoji}{1F44D,1F3FD}{👍🏽}"),
        ("\u0301", r"\attnvis{U+0301}"),
        ("x²ᵀ", r"x²\textsuperscript{T}"),
    ],
)
def test_a_token_is_written_as_itself(content: str, tex: str) -> None:
    assert token(content) == tex


def test_words_in_a_sentence_keep_their_spaces_and_apostrophes() -> None:
    assert text("It isn't\n so  — 今 天") == r"It isn't so — 今\ 天"


def test_a_long_word_may_break_anywhere_and_a_short_one_nowhere() -> None:
    assert token("a" * 25) == r"a\attnbr{}" * 24 + "a"
    assert token("a" * 24) == "a" * 24


def test_a_title_in_the_metadata_cannot_end_its_string() -> None:
    assert metadata(")>> /Launch (x\ud800") == "<FEFF0029003E003E0020002F004C00610075006E00630068002000280078FFFD>"


# -- compiled ----------------------------------------------------------------------------------------------------------


def everywhere(numbered: Sequence[tuple[int, str]]) -> Section:
    """Tokens in text, maths, a matrix, a table, a picture, a caption, a note, and the last of them in the heading."""
    names: list[Inlines] = [(Token(content),) for _, content in numbered]
    rows = tuple((Word(content), Num("0.1"), Num("-0.2")) for _, content in numbered)
    head = (Word(numbered[0][1]), Word(numbered[-1][1]))
    cells = tuple((name, (Math(Num("1")),)) for name in names)
    labels = tuple(Label(2 + 9 * k, 3, name, "start", "tiny") for k, name in enumerate(names))
    shapes = (*labels, Cell(2, 5, 20, 6, 40, "weight", "0.5"), Label(80, 8, names[-1], "end", "strong"))
    paragraphs = [
        (Text(f"#{number}: ‹"), Token(content), Text("› "), Strong((Token(content),)), Text(f" {content}·"))
        for number, content in numbered
    ]
    symbols = tuple(node for _, content in numbered for node in (Math(Script(Sym("a"), Word(content))), Text(" ")))
    return Section(
        names[0],
        names[-1],
        names[-1],
        (
            *map(Para, paragraphs),
            Para(symbols),
            Display(Grid(rows, "labelled", head)),
            Table(((Text("t"),), names[-1]), cells, "lr", names[-1]),
            Figure("f", Picture(80, 12, shapes, ""), names[-1], names[-1]),
            Note("check", names[-1], (Para(names[-1]),)),
        ),
    )


def document(tokens: list[str], lang: str) -> Document:
    numbered = list(enumerate(tokens))
    sections = tuple(everywhere(numbered[at : at + 12]) for at in range(0, len(numbered), 12))
    title = (Text("".join(tokens[-99:-39])), Token(tokens[-1]))
    return Document(title, (Token(r"\input{x}"),), sections, lang, ((Text("".join(ASCII)),), (Token("a" * 200),)))


def shown(pdf: bytes, folder: Path) -> str:
    (folder / "a.pdf").write_bytes(pdf)
    done = subprocess.run(["pdftotext", "-layout", str(folder / "a.pdf"), "-"], check=True, capture_output=True)
    return done.stdout.decode("utf-8", "replace")


def test_every_token_compiles_and_shows_as_itself(program: Callable[[str], None], tmp_path: Path) -> None:
    program("tex")
    typed = typeset(latex(document(TOKENS, "zh")), runs=1)
    assert problems(typed.log) == []
    lines = re.sub(r"\s+", "", shown(typed.pdf, tmp_path))
    for number, content in enumerate(ASCII + NASTY):
        if (
            content
            and content.isascii()
            and content.isprintable()
            and content.strip() == content
            and "  " not in content
        ):
            assert f"#{number}:‹{content.replace(' ', '')}›" in lines, content


def test_without_a_font_of_the_system_tokens_are_boxes(
    program: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program("tex")
    config = tmp_path / "fonts.conf"
    config.write_text(f"<fontconfig><dir>{tmp_path}</dir><cachedir>{tmp_path}/cache</cachedir></fontconfig>")
    monkeypatch.setenv("FONTCONFIG_FILE", str(config))
    typed = typeset(latex(document(ASCII[:2] + NASTY + LONG, "en")), runs=1)
    assert problems(typed.log) == []
    words = shown(typed.pdf, tmp_path)
    assert "U+1F600" in words  # 😀
    assert "U+9F98" in words  # 龘
    assert "U+001B" in words
