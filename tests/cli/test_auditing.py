"""`exactattn audit`: exit codes, formats, folders, what is refused."""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema import Draft202012Validator

import exactattn as xa
from exactattn.audits import schema, to_json
from exactattn.cli import main

DATA = Path(__file__).parent.parent / "data"
WRONG = DATA / "published" / "two-head-head1.json"
EARLY = DATA / "published" / "causal-last-row.json"
RIGHT = DATA / "published" / "identity-2x2.json"
VALIDATOR = Draft202012Validator(schema())


def run(*args: str | Path, **more) -> Result:
    return CliRunner().invoke(main, ["audit", *map(str, args)], catch_exceptions=False, **more)


def shown(code: int, *args: str | Path, **more) -> str:
    result = run(*args, **more)
    assert (result.exit_code, result.stderr) == (code, "")
    return result.stdout


def refused(*args: str | Path, code: int = 2, **more) -> str:
    result = run(*args, **more)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (code, "", 1)
    return result.stderr.removeprefix("exactattn: ").rstrip("\n")


# -- one example -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("case", "wrong", "any_"),
    [
        (RIGHT, 0, 0),
        (EARLY, 0, 1),  # early rounding fails only where anything does
        (WRONG, 1, 1),
        ("xian", 1, 1),  # nothing wrong, but two marks and a claim are
    ],
)
def test_the_exit_code_says_whether_it_passes(case, wrong, any_):
    shown(wrong, case)
    shown(wrong, case, "--fail-on", "wrong")
    shown(any_, case, "--fail-on", "any")
    shown(wrong, case, "--json")


def test_a_refuted_identity_fails_an_example():
    case = '{"printed": {"weights": [["0.50", "0.60"]]}}'
    assert "add up to something in [1.09, 1.11]" in shown(1, "-", input=case)
    shown(0, "-", input='{"printed": {"weights": [["0.50", "0.50"]]}}')


def test_what_is_printed_into_a_pipe_is_the_text_file(tmp_path):
    shown(1, WRONG, "-o", tmp_path / "x.txt")
    text = (tmp_path / "x.txt").read_text(encoding="utf-8")
    assert shown(1, WRONG) == text
    assert "The likely cause: " in text
    assert "\x1b" not in text


def test_json_is_what_the_schema_says(tmp_path):
    out = shown(1, WRONG, "--json")
    VALIDATOR.validate(json.loads(out))
    assert out == to_json(xa.audit(WRONG))
    shown(1, WRONG, "-o", tmp_path / "x.json")
    assert (tmp_path / "x.json").read_text(encoding="utf-8") == out


STARTS = {
    ".html": "<!DOCTYPE html>",
    ".htm": "<!DOCTYPE html>",
    ".tex": "\\documentclass",
    ".md": "# Audit: ",
    ".txt": "Audit: two-head-head1\n",
    ".json": '{\n "format": "exactattn-audit"',
}


def test_each_suffix_has_its_format_and_all_come_from_one_run(tmp_path):
    files = [tmp_path / f"x{suffix}" for suffix in STARTS]
    assert shown(1, WRONG, *(word for file in files for word in ("-o", file))) == ""
    for suffix, start in STARTS.items():
        text = (tmp_path / f"x{suffix}").read_text(encoding="utf-8")
        assert start.lower() in text[:3000].lower()
        assert "0.42" in text


def test_a_pdf_comes_out_where_there_is_tex(program, tmp_path):
    program("tex")
    shown(1, WRONG, "-o", tmp_path / "x.pdf")
    assert (tmp_path / "x.pdf").read_bytes().startswith(b"%PDF-")


def test_without_tex_a_pdf_is_refused_with_its_own_exit_code(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert refused(WRONG, "-o", tmp_path / "x.pdf", code=3).startswith("a PDF needs xelatex")


def test_the_language_is_the_cases_own_unless_another_is_asked_for(tmp_path):
    assert "核查：西安" in shown(1, "xian")
    assert "Audit: 西安" in shown(1, "xian", "--lang", "en")
    assert "Audit: " in shown(1, WRONG)
    assert "核查：" in shown(1, WRONG, "--lang", "zh")


def test_a_case_on_standard_input_is_audited():
    text = WRONG.read_text(encoding="utf-8")
    assert json.loads(shown(1, "-", "--json", input=text))["totals"] == {
        "ok": 42,
        "last-digit": 1,
        "inherited": 4,
        "wrong": 4,
    }
    toml = "[inputs]\nscores = [[0, 1]]\nV = [[1], [2]]\n[attention]\nscale = 1\n[printed]\nweights = [[0.27, 0.73]]\n"
    assert "all right" in shown(0, "-", input=toml)


def test_numbers_keep_the_digits_they_are_written_with():
    # as floats 0.270 and 0.27 would be one number: the first is wrong to three places, t = 0.2689
    toml = "[inputs]\nscores = [[0, 1]]\n[attention]\nscale = 1\n[printed]\nweights = [[{}, 0.73]]\n"
    assert json.loads(shown(0, "-", "--json", input=toml.format("0.27")))["totals"] == {"ok": 2}
    assert json.loads(shown(1, "-", "--json", input=toml.format("0.270")))["totals"] == {"ok": 1, "wrong": 1}


# -- what is refused -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "line"),
    [
        ([WRONG, "-o", "x.svg"], "-o x.svg: a report is one file, and has no figures to save"),
        ([WRONG, "-o", "figures/"], "-o figures/: a report is one file, and has no figures to save"),
        ([WRONG, "--lang", "fr"], None),
        ([WRONG, "--fail-on", "all"], None),
        (["no-such-case"], None),
        (["by-hand"], "case 'by-hand' prints nothing: an audit needs [printed]"),
        ([], None),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(args, line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    said = refused(*args)
    assert line in (None, said)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("case", "line"),
    [
        ('{"printed": {"weigths": [["1"]]}}',
         "printed has 'weigths', which is no step (did you mean 'weights'?); the steps are "
         "Q, K, V, scores, scaled, shifted, exps, sums, weights, output"),
        ('{"inputs": {"scores": [["0", "1"]]}, "attention": {"scale": "1"}, "printed": {"weights": [["1"]]}}',
         "printed weights is 1 × 1: 1 × 2 was due"),
        ('{"printed": {"weights": [["0.5", "half"]]}}',
         "printed.weights, row 1, column 2: 'half' is no number: the name 'half' means nothing here (sqrt and ln do)"),
        ('{"printed": {"weights": [["0.5"]]}, "marked": {"weights": [[9, 9]]}}',
         "[marked] weights has (9, 9), which is no place of it (counted from 0)"),
    ],
)  # fmt: skip
def test_a_printed_matrix_that_is_none_is_one_clear_line(case, line):
    assert refused("-", input=case) == line


def test_escape_sequences_in_a_case_are_shown_and_not_sent():
    case = json.dumps(
        {"title": "a\x1b[31mb", "source": "\x07", "tokens": ["\x1b]0;x\x07"], "printed": {"weights": [["\x1b"]]}}
    )
    assert "\x1b" not in refused("-", input=case)
    case = json.dumps(
        {"title": "a\x1b[31mb", "source": "\x07", "tokens": ["\x1b]0;x\x07"], "printed": {"weights": [["2.0"]]}}
    )
    out = shown(1, "-", input=case)
    assert not set(out) & {"\x1b", "\x07"}


def test_in_a_terminal_the_report_is_laid_out_and_its_brackets_are_text(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    case = {"title": "[red]x[/red]", "tokens": ["[bold]"], "printed": {"weights": [["1.5"]]}}
    from exactattn.audits import report
    from exactattn.cli.showing import display

    display(report(xa.audit(case), "en"))
    assert "[red]x[/red]" in screen.getvalue()
    assert "[bold]" in screen.getvalue()


# -- folders -------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def handed_in(tmp_path) -> Path:
    folder = tmp_path / "in"
    (folder / "group").mkdir(parents=True)
    shutil.copy(RIGHT, folder / "b.json")
    shutil.copy(EARLY, folder / "group" / "a.json")
    (folder / "notes.md").write_text("no case", encoding="utf-8")
    return folder


def test_over_a_folder_all_must_pass(handed_in):
    out = shown(0, handed_in)
    assert [line.split()[0] for line in out.splitlines() if ".json" in line] == ["b.json", "group/a.json"]
    assert "Audit of 2 examples" in out
    shown(1, handed_in, "--fail-on", "any")
    shutil.copy(WRONG, handed_in / "c.json")
    out = shown(1, handed_in)
    assert "1 fail, 0 could not be read." in out
    assert xa.audit(WRONG).cause.methods[0][0].label("en") in out


def test_a_file_that_cannot_be_read_is_told_and_the_rest_go_on(handed_in):
    (handed_in / "a.json").write_text('{"inputs": {', encoding="utf-8")
    (handed_in / "d.toml").write_bytes("id = '西安'".encode("gb18030"))
    (handed_in / "e\x1b[31m.toml").write_text("printed = 3\n", encoding="utf-8")
    shutil.copy(WRONG, handed_in / "c.json")
    result = run(handed_in)
    assert (result.exit_code, result.stderr) == (2, "")
    for name in ("a.json", "b.json", "c.json", "d.toml", "group/a.json"):
        assert name in result.stdout
    assert "3 could not be read" in result.stdout
    assert "not UTF-8 (it may be GBK)" in " ".join(result.stdout.replace("│", " ").split())
    assert "\x1b" not in result.stdout
    data = json.loads(run(handed_in, "--json").stdout)
    assert set(data) == {"a.json", "b.json", "c.json", "d.toml", "e\x1b[31m.toml", "group/a.json"}
    assert list(data["a.json"]) == ["error"]
    VALIDATOR.validate(data["b.json"])


def test_a_folder_is_written_in_every_format(handed_in, tmp_path):
    files = [tmp_path / f"all{suffix}" for suffix in (".html", ".tex", ".md", ".txt", ".json")]
    shown(0, handed_in, "--lang", "zh", *(word for file in files for word in ("-o", file)))
    assert "核查 2 个例题" in files[0].read_text(encoding="utf-8")
    assert set(json.loads(files[4].read_text(encoding="utf-8"))) == {"b.json", "group/a.json"}
    assert run(handed_in, "--lang", "zh").stdout == files[3].read_text(encoding="utf-8")


def test_a_folder_without_cases_is_refused(tmp_path):
    (tmp_path / "notes.md").write_text("", encoding="utf-8")
    assert refused(tmp_path) == f"{tmp_path} holds no case: .toml or .json files were due"
