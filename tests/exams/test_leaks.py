"""What students get holds no key, no seed and nobody else's name; names and titles of any kind come out as themselves."""

from __future__ import annotations

import csv
import html
import io
import re
import subprocess
import zlib

import pytest

from exactattn.errors import ExactAttnError
from exactattn.exams import roster
from exactattn.exams.exam import exam
from exactattn.exams.model import Choice
from exactattn.exams.spec import bundled, load, read

SEED = "zqseed-4711"
TITLE = 'A "quoted", <b>zqtitle</b> \\input{zq} 100 % & #1 _x_ 张 =1+1'
NAMES = (
    "=SUM(A1) zqalpha", '"zqbeta", B.', "\\input{zqgamma}", "<b>zqdelta</b>", "张伟 zqepsilon", "@zqzeta", "{zqeta}%$&#_^~",
    "-zqtheta", "'zqiota", "zqkappa*_`|", "../../zqlambda", "zqmu\u202eabc",
)  # fmt: skip
MARKS = tuple(re.search("zq[a-z]+", name)[0] for name in NAMES)
SPEC = f"""
title = '{TITLE}'
lang = "zh"
seed = "{SEED}"
[[question]]
id = "steps"
kind = "full-attention"
ask = ["weights", "output"]
answer = "row"
row = 2
[[question]]
id = "hand"
kind = "one-query"
numbers = "by-hand"
tolerance = "exact"
[[question]]
id = "pick"
kind = "softmax-vector"
answer = "choice"
"""
TEXTS = ["tex", "html", "md"]


@pytest.fixture(scope="module")
def made():
    return exam(read(SPEC), roster=NAMES)


@pytest.fixture(scope="module")
def folder(made, tmp_path_factory):
    out = tmp_path_factory.mktemp("leaks") / "out"
    made.write(out, [*TEXTS, "csv", "json"])
    return out


@pytest.fixture(scope="module")
def printed(made, program, tmp_path_factory):
    program("tex")
    out = tmp_path_factory.mktemp("printed") / "out"
    made.write(out, ["pdf"])
    return out


def keys(paper):
    """The key of every part that is no choice, as texts that the statement has no reason to hold."""
    entries = [
        entry
        for question in paper.questions
        for part in question.parts
        if not isinstance(part.form, Choice)
        for entry in part.entries
    ]
    # what is offered in a choice is on the paper: by chance it may be the key of another question
    offered = {
        text.removeprefix("-")
        for question in paper.questions
        for part in question.parts
        if isinstance(part.form, Choice)
        for option in part.form.options
        for text in option.texts
    }
    # with two digits of more than one, or three after the point: numbers of the statement are shorter
    found = {entry.text.removeprefix("-") for entry in entries if re.search(r"\d\d/\d|\d/\d\d|\.\d{3}", entry.text)}
    return found - offered


def own(folder, paper):
    found = sorted((folder / "students").glob(f"{paper.number:03}-*"))
    assert found
    return found


def held(text, paper, papers):
    """What stands in a text that must not."""
    bad = [key for key in keys(paper) if re.search(rf"(?<![\d.]){re.escape(key)}(?!\d)", text)]
    bad += [
        rf"\frac{{{a}}}{{{b}}}"
        for a, _, b in (key.partition("/") for key in keys(paper))
        if f"frac{{{a}}}{{{b}}}" in text
    ]
    bad += [mark for other, mark in zip(papers, MARKS, strict=True) if other.number != paper.number and mark in text]
    return bad + [SEED] * (SEED in text)


def test_there_are_keys_to_be_found(made, folder):
    for paper in made.papers:
        assert len(keys(paper)) >= 4
    solutions = (folder / "teacher" / "solutions.tex").read_text(encoding="utf-8")
    assert all(held(solutions, paper, list(made.papers)) for paper in made.papers)


def test_no_students_text_holds_a_key_a_seed_or_another_name(made, folder):
    papers = list(made.papers)
    for paper in papers:
        files = own(folder, paper)
        assert [file.suffix for file in files] == [".html", ".md", ".tex"]
        for file in files:
            text = file.read_text(encoding="utf-8")
            # comments and attributes are text too; so is what they stand for
            assert held(text, paper, papers) == []
            assert held(html.unescape(text), paper, papers) == []
            assert held(str(file), paper, papers) == []
            assert MARKS[paper.number - 1] in text


def test_no_students_pdf_holds_a_key_a_seed_or_another_name(made, printed):
    papers = list(made.papers)
    for paper in papers:
        (file,) = own(printed, paper)
        text = subprocess.run(["pdftotext", "-layout", file, "-"], capture_output=True, text=True, check=True).stdout
        about = subprocess.run(["pdfinfo", "-meta", file], capture_output=True, text=True, check=True).stdout
        about += subprocess.run(["pdfinfo", file], capture_output=True, text=True, check=True).stdout
        assert "Title:" in about
        assert "zqtitle" in about
        assert held(text, paper, papers) == []
        assert held(about, paper, papers) == []
        # in streams any number may be a coordinate
        inside = inflated(file.read_bytes())
        assert not any(word in inside for word in (SEED, *(mark for mark in MARKS if mark != MARKS[paper.number - 1])))
        assert MARKS[paper.number - 1] in text


def inflated(data):
    """A PDF with its streams unpacked; a text in it may be written in UTF-16."""
    parts = [data]
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", data, re.DOTALL):
        try:
            parts.append(zlib.decompressobj().decompress(stream))
        except zlib.error:
            parts.append(stream)
    whole = b"\n".join(parts)
    return whole.decode("latin-1") + whole.replace(b"\0", b"").decode("latin-1")


def test_no_file_of_the_teacher_is_among_those_of_the_students(folder, printed):
    for out in (folder, printed):
        assert {path.name for path in out.iterdir()} == {"students", "teacher"}
        assert all(re.match(r"\d{3}-", path.name) for path in (out / "students").iterdir())


ASKING = [name for name in bundled() if any(question.answer != "choice" for question in load(name).questions)]
"""The shipped specs but for those of choices alone, whose options are on the paper."""


@pytest.mark.parametrize("name", ASKING)
def test_of_the_shipped_specs_too(name, tmp_path):
    spec = load(name)
    made = exam(read(spec.source, name), SEED, roster=NAMES)
    made.write(tmp_path / "out", ["tex", "md"])
    papers = list(made.papers)
    for paper in papers:
        for file in own(tmp_path / "out", paper):
            assert held(file.read_text(encoding="utf-8"), paper, papers) == []


def test_a_random_seed_is_with_the_teacher_alone(tmp_path):
    one = exam("quiz")
    one.write(tmp_path / "out", TEXTS)
    seed = (tmp_path / "out" / "teacher" / "seed.txt").read_text().strip()
    assert len(seed) == 32
    for file in (tmp_path / "out" / "students").iterdir():
        assert seed not in file.read_text(encoding="utf-8")


# -- any name is itself --------------------------------------------------------------------------------------------------------


def test_names_and_titles_are_no_tags(made, folder):
    for paper in made.papers:
        (page,) = [file for file in own(folder, paper) if file.suffix == ".html"]
        text = page.read_text(encoding="utf-8")
        assert "<b>zq" not in text
        assert "&lt;b&gt;zqtitle&lt;/b&gt;" in text


def test_names_are_no_formulas_in_a_table(folder):
    rows = list(csv.reader(io.StringIO((folder / "teacher" / "exam.csv").read_text(encoding="utf-8"))))
    students = {row[1] for row in rows[1:]}
    tidy = roster.checked(NAMES)
    assert {roster.unsafe(name) for name in students} == set(tidy)
    assert not any(name.startswith(("=", "+", "-", "@")) for name in students)
    assert roster.parse((folder / "teacher" / "roster.csv").read_text(encoding="utf-8")) == tidy


def test_names_and_titles_are_no_commands(made, printed):
    text = subprocess.run(
        ["pdftotext", "-layout", printed / "teacher" / "papers.pdf", "-"], capture_output=True, text=True, check=True
    ).stdout
    for seen in ("input{zqgamma}", "<b>zqdelta</b>", "张伟", "{zqeta}%", "=SUM(A1)"):
        assert seen in re.sub("[“”]", '"', text), seen


BAD = "a\nb\x1b[31m\u202e\\input{x}<b>{0}{id}%s"


@pytest.mark.parametrize(
    "line",
    [
        "title = {bad}\n[[question]]\nid = {bad}\nkind = 'scores'",
        "[[question]]\nid = 'a'\nkind = {bad}",
        "lang = {bad}\n[[question]]\nid = 'a'\nkind = 'scores'",
        "decimal = {bad}\n[[question]]\nid = 'a'\nkind = 'scores'",
        "track = {bad}\n[[question]]\nid = 'a'\nkind = 'scores'",
        "paper = {bad}\n[[question]]\nid = 'a'\nkind = 'scores'",
        "{bad} = 1\n[[question]]\nid = 'a'\nkind = 'scores'",
        *(
            f"[[question]]\nid = 'a'\nkind = 'scores'\n{name}"
            for name in (
                "{bad} = 1", "tolerance = {bad}", "answer = {bad}", "ask = [{bad}]", "numbers = {bad}", "points = {bad}",
                "size = {{{bad} = 2}}", "size = {{n = {bad}}}", "credit = {{{bad} = 1}}", "credit = {{no-scale = {bad}}}",
                "parameters = {{{bad} = 1}}", "follow_through = {bad}", "difficulty = {bad}", "row = {bad}", "count = {bad}",
            )
        ),
    ],
)  # fmt: skip
def test_an_error_is_one_line_whatever_the_spec_holds(line):
    quoted = '"' + "".join(c if c.isalnum() or c in " []<>{}%" else f"\\u{ord(c):04x}" for c in BAD) + '"'
    with pytest.raises(ExactAttnError) as error:
        read(line.format(bad=quoted))
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 400
