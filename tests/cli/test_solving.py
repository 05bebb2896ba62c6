"""The main job from the command line: from a case to files, and to the terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from exactattn.cases import bundled
from exactattn.cli import main
from exactattn.cli.solving import LAYOUTS, SUFFIXES


def run(*args: str, **more) -> Result:
    return CliRunner().invoke(main, list(args), catch_exceptions=False, **more)


def fine(*args: str, **more) -> str:
    result = run(*args, **more)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def refused(*args: str) -> str:
    result = run(*args)
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    return result.stderr.removeprefix("exactattn: ").rstrip("\n")


STARTS = {
    ".tex": "\\documentclass",
    ".html": "<!DOCTYPE html>",
    ".htm": "<!DOCTYPE html>",
    ".md": "# 西安",
    ".txt": "西安：注意力的四步\n",
    ".json": "{",
}


def test_each_suffix_has_its_format_and_all_come_from_one_run(tmp_path):
    names = [str(tmp_path / f"x{suffix}") for suffix in STARTS]
    assert fine("solve", "xian", *(word for name in names for word in ("-o", name))) == ""
    for suffix, start in STARTS.items():
        text = (tmp_path / f"x{suffix}").read_text(encoding="utf-8")
        assert start.lower() in text[:3000].lower()
        assert "0.259" in text
    assert json.loads((tmp_path / "x.json").read_text(encoding="utf-8"))
    assert set(STARTS) | {".pdf", ".svg"} == set(SUFFIXES)


def test_a_folder_gets_the_figures(tmp_path):
    fine("solve", "xian", "-o", f"{tmp_path}/figures/")
    figures = sorted(path.name for path in (tmp_path / "figures").iterdir())
    assert len(figures) >= 6
    assert all(name.endswith(".svg") for name in figures)
    stem = figures[0].removesuffix(".svg").partition("-")[2]
    fine("solve", "xian", "-o", f"{tmp_path}/{stem}.svg")
    assert (tmp_path / f"{stem}.svg").read_bytes() == (tmp_path / "figures" / figures[0]).read_bytes()


def test_a_figure_there_is_not_gets_the_names_of_those_there_are(tmp_path):
    line = refused("solve", "xian", "-o", str(tmp_path / "nope.svg"))
    assert "name one figure (pipeline, " in line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", [".tex", ".html", ".md", ".txt", ".json"])
def test_the_same_input_gives_the_same_bytes(tmp_path, suffix):
    for name in ("a", "b"):
        fine("solve", "two-heads", "-o", str(tmp_path / f"{name}{suffix}"))
    assert (tmp_path / f"a{suffix}").read_bytes() == (tmp_path / f"b{suffix}").read_bytes()


@pytest.mark.parametrize("name", bundled())
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_bundled_case_is_printed_in_both_languages(name, lang):
    text = fine("solve", name, "--lang", lang)
    assert len(text.splitlines()) > 20
    assert "\x1b" not in text


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_is_printed(layout):
    assert "0.259" in fine("solve", "xian", "--layout", layout)


def test_what_is_printed_into_a_pipe_is_the_text_file(tmp_path):
    fine("solve", "xian", "-o", str(tmp_path / "x.txt"))
    assert fine("solve", "xian") == (tmp_path / "x.txt").read_text(encoding="utf-8")


def test_options_show_in_the_solution(tmp_path):
    assert "0.25937" in fine("solve", "xian", "--places", "5")
    assert "0.734" in fine("solve", "xian", "--scale", "1", "--row", "今天")
    assert "第二步" not in fine("solve", "xian", "--lang", "en")
    assert fine("solve", "xian", "--row", "#2") == fine("solve", "xian", "--row", "西安")
    assert fine("solve", "xian", "--track", "stepwise") != fine("solve", "xian")
    assert "1.000" in fine("solve", "xian", "--mask", "causal", "--row", "#1")


def test_ties_go_by_the_rule_asked_for():
    case = '{"inputs": {"scores": [["0", "ln(15)"]]}, "attention": {"scale": "1"}}'
    assert "0.063" in fine("solve", "-", "--ties", "half-up", "--places", "weights=3", input=case)
    assert "0.062" in fine("solve", "-", "--ties", "half-even", "--places", "weights=3", input=case)


@pytest.mark.parametrize(("suffix", "page"), [(".tex", "\\documentclass"), (".html", "<!doctype")])
def test_a_fragment_is_a_body_alone(tmp_path, suffix, page):
    name = tmp_path / f"x{suffix}"
    fine("solve", "xian", "--fragment", "-o", str(name))
    assert page not in name.read_text(encoding="utf-8").lower()


def test_a_copied_case_gives_the_same_solution(tmp_path):
    fine("cases", "xian", "-o", str(tmp_path / "xian.toml"))
    assert fine("solve", str(tmp_path / "xian.toml")) == fine("solve", "xian")
    text = (tmp_path / "xian.toml").read_text(encoding="utf-8")
    assert fine("solve", "-", input=text) == fine("solve", "xian")


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["--heads", "3"], "3 heads do not divide the width d_k = 4"),
        (["--row", "西"], "no row is called '西' (did you mean '西安'?)"),
        (["--row", "#9"], "row #9: there are 6"),
        (["--scale", "half"], "scale: 'half' is no number: the name 'half' means nothing here (sqrt and ln do)"),
        (["--places", "3000000"], None),
        (["--places", "socres=2"], None),
        (["--arithmetic", "mpmath:none"], None),
        (["--places", "300", "--limit", "places=64"], None),
    ],
)
def test_a_setting_that_does_not_work_is_one_line_and_nothing_is_written(tmp_path, args, line):
    found = refused("solve", "xian", *args, "-o", str(tmp_path / "x.txt"))
    assert line is None or found == line
    assert "bug" not in found
    assert list(tmp_path.iterdir()) == []


def test_a_failed_run_leaves_the_old_file_whole(tmp_path):
    (tmp_path / "x.tex").write_text("old", encoding="utf-8")
    refused("solve", "xian", "--row", "nobody", "-o", str(tmp_path / "x.tex"))
    assert (tmp_path / "x.tex").read_text(encoding="utf-8") == "old"


# -- as a process ------------------------------------------------------------------------------------------------------------


def process(*args: str, **env: str) -> subprocess.CompletedProcess[bytes]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "PYTHONIO", "PYTHONUTF8"))}
    program = [sys.executable, "-m", "exactattn", *args]
    return subprocess.run(program, capture_output=True, env=kept | env, timeout=120, check=False)


def test_solving_and_its_writers_import_nothing_heavy(tmp_path):
    code = f"""
import sys
from exactattn.cli import main
names = ["x.tex", "x.html", "x.md", "x.txt", "x.json", "figures/"]
main(["solve", "xian", *(w for n in names for w in ("-o", {str(tmp_path)!r} + "/" + n))], standalone_mode=False)
print(sorted({{"rich", "numpy", "sympy", "mpmath", "hypothesis"}} & set(sys.modules)))
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, timeout=120)
    assert (result.stdout, result.stderr) == (b"[]\n", b"")
    assert len(list(tmp_path.iterdir())) == 6


@pytest.mark.parametrize("encoding", ["ascii", "gbk", "cp1252"])
def test_a_solution_is_printed_on_any_console(encoding):
    result = process("solve", "xian", "--lang", "en", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert (result.returncode, result.stderr) == (0, b"")
    text = result.stdout.decode(encoding)
    assert "0.259" in text
    if encoding == "ascii":
        assert "-0.40" in text  # a minus that cannot be shown is not lost


def test_files_are_utf8_under_an_ascii_locale(tmp_path):
    env = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    result = process("solve", "xian", "-o", str(tmp_path / "x.txt"), "-o", str(tmp_path / "x.html"), **env)
    assert (result.returncode, result.stderr) == (0, b"")
    for name in ("x.txt", "x.html"):
        assert "西安" in (tmp_path / name).read_text(encoding="utf-8")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals")
def test_a_terminal_gets_colours_and_a_pipe_none(tmp_path):
    import pty

    master, slave = pty.openpty()
    env = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm-256color", "COLUMNS": "100"}
    child = subprocess.Popen(
        [sys.executable, "-m", "exactattn", "solve", "xian"], stdout=slave, stderr=subprocess.PIPE, env=env
    )
    os.close(slave)
    shown = b""
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # how Linux says that the other end is closed
            break
        if not part:
            break
        shown += part
    _, stderr = child.communicate(timeout=60)
    os.close(master)
    assert (child.returncode, stderr) == (0, b"")
    assert b"\x1b[" in shown
    assert "西安" in shown.decode("utf-8")
    assert b"\x1b" not in process("solve", "xian").stdout


def test_a_tokens_escape_characters_reach_no_terminal(tmp_path):
    case = tmp_path / "nasty.json"
    tokens = ["\x1b[31m", "[red]", "\u202eabc", "a\nb\rc"]
    tree = {
        "tokens": tokens,
        "title": "\x1b]0;x\x07",
        "inputs": {"scores": [[1, 2, 3, 4]] * 4},
        "attention": {"scale": 1},
    }
    case.write_text(json.dumps(tree), encoding="utf-8")
    result = process("solve", str(case))
    assert result.returncode == 0
    assert not {0x1B, 0x07, 0x0D} & set(result.stdout)
    assert "\u202e" not in result.stdout.decode("utf-8")
    result = process("solve", str(case), "--row", "\x1b[31")
    assert result.returncode == 2
    assert b"\x1b" not in result.stderr


def test_the_installed_command_is_there():
    command = Path(sys.executable).with_name("exactattn")
    if not command.exists():
        pytest.skip("exactattn is not installed beside this Python")
    result = subprocess.run([command, "--version"], capture_output=True, check=False)
    assert result.stdout == b"exactattn 0.1.0\n"
