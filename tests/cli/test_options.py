"""What the command line hands on, and what it refuses before anything is computed. The solving itself is stood in for."""

# ruff: noqa: E501 (an error text stands whole on its line)

from __future__ import annotations

import sys
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner, Result

from exactattn.cases import CASE_LIMITS, load_case
from exactattn.cli import main
from exactattn.errors import LabelError, MissingProgram, OptionError


@dataclass
class Calls:
    """What was asked of the solution that stands in."""

    solved: list = field(default_factory=list)
    saved: list = field(default_factory=list)
    rendered: list = field(default_factory=list)
    error: BaseException | None = None


@pytest.fixture
def calls(monkeypatch) -> Calls:
    calls = Calls()

    class Solution:
        def save(self, path, **style):
            calls.saved.append((path, style))

        def terminal(self, **style):
            return "laid out"

    def solve(case, **options):
        calls.solved.append((case, options))
        if calls.error is not None:
            raise calls.error
        return Solution()

    def render(_solution, form, **style):
        calls.rendered.append((form, style))
        return "−0.40 西安\n"

    stand_in = ModuleType("exactattn.solution")
    stand_in.solve, stand_in.render = solve, render
    monkeypatch.setitem(sys.modules, "exactattn.solution", stand_in)
    return calls


def run(*args: str, **more) -> Result:
    return CliRunner().invoke(main, list(args), catch_exceptions=False, **more)


def refused(*args: str, code: int = 2) -> str:
    result = run(*args)
    assert result.exit_code == code
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("exactattn: ")
    return result.stderr.removeprefix("exactattn: ").rstrip("\n")


# -- handing on --------------------------------------------------------------------------------------------------------------

LIMITS = [field.name for field in fields(CASE_LIMITS)]
PLAIN = {
    "heads": None,
    "mask": None,
    "alignment": None,
    "scale": None,
    "arithmetic": None,
    "track": "carry",
    "ties": "half-up",
    "places": None,
    "limits": CASE_LIMITS,
}


def test_without_options_the_case_decides_and_the_text_is_printed(calls):
    result = run("solve", "xian")
    assert (result.exit_code, result.stdout, result.stderr) == (0, "−0.40 西安\n", "")
    assert calls.solved == [(load_case("xian"), PLAIN)]
    assert calls.rendered == [("text", {"lang": None, "rows": None, "show": "decimal", "layout": None})]


def test_every_option_reaches_the_work(calls, tmp_path):
    result = run(
        "solve", "xian", "-o", str(tmp_path / "a.tex"), "--output", str(tmp_path / "b.html"),
        "--lang", "en", "--row", "西安", "--row", "#2", "--places", "scores=2,exps=4", "--track", "stepwise", "--ties", "half-even",
        "--show", "both", "--heads", "2", "--mask", "causal", "--scale", "-1/2", "--arithmetic", "mpmath:11", "--layout", "brief",
        "--fragment",
    )  # fmt: skip
    assert (result.exit_code, result.output) == (0, "")
    ((_, options),) = calls.solved
    assert options == {
        "heads": 2, "mask": "causal", "alignment": None, "scale": "-1/2", "arithmetic": "mpmath:11", "track": "stepwise", "ties": "half-even",
        "places": "scores=2,exps=4", "limits": CASE_LIMITS,
    }  # fmt: skip
    style = {"lang": "en", "rows": ["西安", "#2"], "show": "both", "layout": "brief", "body": "fragment"}
    assert calls.saved == [(str(tmp_path / "a.tex"), style), (str(tmp_path / "b.html"), style)]


def test_standard_input_is_a_case(calls):
    result = run("solve", "-", input="[inputs]\nscores = [[1, 2]]\n[attention]\nscale = '1'\n")
    assert result.exit_code == 0
    assert calls.solved[0][0].inputs == {"scores": (("1", "2"),)}


def test_a_limit_can_be_raised(calls, tmp_path):
    (tmp_path / "my.toml").write_text(f"[inputs]\nscores = [[{'1,' * 600}]]", encoding="utf-8")
    why = "scores has 600 tokens: the limit is 512 (raise it with --limit tokens=N)"
    assert refused("solve", str(tmp_path / "my.toml")) == why
    assert run("solve", str(tmp_path / "my.toml"), "--limit", "tokens=600", "--limit", "bits=9").exit_code == 0
    assert calls.solved[0][1]["limits"] == replace(CASE_LIMITS, tokens=600, bits=9)


# -- refusing ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["solv", "xian"], "no such command 'solv' (did you mean 'solve'?) (see exactattn --help)"),
        (["solve"], "Missing argument 'CASE' (see exactattn solve --help)"),
        (["solve", "xian", "--lnag", "en"], "No such option '--lnag'. Did you mean '--lang'? (see exactattn solve --help)"),
        (["solve", "xian", "--track", "step"], "Invalid value for '--track': 'step' is not one of 'carry', 'stepwise' (see exactattn solve --help)"),
        (["solve", "xian", "--heads", "0"], "Invalid value for '--heads': 0 is not in the range x>=1 (see exactattn solve --help)"),
        (["solve", "xian", "--lang", "fr"], "language 'fr' is not one of en, zh"),
        (["solve", "xain"], "no bundled case and no file 'xain' (did you mean 'xian'?)"),
        (["solve", "xian", "-o", "x.pfd"], "-o x.pfd: the suffix '.pfd' is no format (did you mean '.pdf'?); the formats are .tex, .pdf, .html, .md, .txt, .json, .svg"),
        (["solve", "xian", "-o", "x"], "-o x: a suffix was due; the formats are .tex, .pdf, .html, .md, .txt, .json, .svg"),
        (["solve", "xian", "-o", "none/x.tex"], "cannot write none/x.tex: there is no folder 'none'"),
        (["solve", "xian", "--limit", "tokns=5"], "--limit tokns=5: no limit 'tokns' (did you mean 'tokens'?)"),
        (["solve", "xian", "--limit", "zz"], "--limit zz: no limit 'zz' (there are " + ", ".join(LIMITS) + ")"),
        (["solve", "xian", "--limit", "tokens=many"], "--limit tokens=many: a whole number was due, as in tokens=2000"),
        (["cases", "xain"], "no bundled case 'xain' (did you mean 'xian'?)"),
        (["cases", "-o", "x.toml"], "-o needs a case to copy: exactattn cases CASE -o FILE"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_nothing_is_computed(calls, tmp_path, monkeypatch, args, line):
    monkeypatch.chdir(tmp_path)
    assert refused(*args) == line
    assert calls.solved == []
    assert list(tmp_path.iterdir()) == []


def test_a_missing_program_is_found_before_anything_is_computed(calls, tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    line = refused("solve", "xian", "-o", str(tmp_path / "x.html"), "-o", str(tmp_path / "x.pdf"), code=3)
    assert line.startswith("a PDF needs xelatex: install TeX Live or MiKTeX")
    assert (calls.solved, calls.saved) == ([], [])


def test_a_folder_is_named_by_its_slash(calls, tmp_path):
    assert run("solve", "xian", "-o", f"{tmp_path}/figures/", "-o", str(tmp_path)).exit_code == 0
    assert [path for path, _ in calls.saved] == [f"{tmp_path}/figures/", str(tmp_path)]
    (tmp_path / "plain").write_bytes(b"")
    assert refused("solve", "xian", "-o", f"{tmp_path}/plain/") == f"cannot write {tmp_path}/plain/: it is no folder"


def test_the_case_itself_is_not_written_over(calls, tmp_path):
    path = tmp_path / "my.json"
    path.write_text('{"inputs": {"scores": [[1]]}}', encoding="utf-8")
    assert refused("solve", str(path), "-o", str(path)) == f"-o {path} is the case itself: name another file"


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (OptionError("no row {row!r}", row="a\x1b[31m\nb"), 2, "no row 'a\\x1b[31m\\nb'"),
        (LabelError("no row {row}", row="a\x1b[31m\r\nb\u202e"), 2, "no row a\\x1b[31m b\\u202e"),
        (MissingProgram("xelatex is missing"), 3, "xelatex is missing"),
        (MemoryError(), 2, "out of memory: give fewer tokens or fewer places"),
        (RecursionError("maximum"), 2, "the input is nested too deeply"),
        (OSError(28, "No space left on device", "x.tex"), 2, "no space left on device: x.tex"),
        (ZeroDivisionError("division by zero"), 70, "a bug in exactattn (ZeroDivisionError: division by zero): please report it; EXACTATTN_TRACEBACK=1 shows where"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else "",
)  # fmt: skip
def test_trouble_is_one_harmless_line_and_an_exit_code(calls, error, code, line):
    calls.error = error
    assert refused("solve", "xian", code=code) == line


def test_an_interrupt_is_a_line_of_its_own(calls):
    calls.error = KeyboardInterrupt()
    result = run("solve", "xian")
    assert (result.exit_code, result.stderr) == (130, "\nexactattn: interrupted\n")  # below the ^C of the terminal


def test_a_bug_shows_its_traceback_where_that_is_asked_for(calls, monkeypatch):
    monkeypatch.setenv("EXACTATTN_TRACEBACK", "1")
    calls.error = ZeroDivisionError("division by zero")
    result = run("solve", "xian")
    assert result.exit_code == 70
    assert result.stderr.startswith("Traceback (most recent call last):")


# -- help --------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("args", [[], ["-h"], ["--help"]])
def test_help_names_the_commands(args):
    result = run(*args)
    assert result.exit_code == 0
    told = [line.split(maxsplit=1) for line in result.stdout.splitlines() if line.startswith("  ")]
    assert ["solve", "Work CASE out and print the solution, or write it to files."] in told
    assert ["cases", "List the bundled cases, or copy one to start from."] in told


def test_the_version():
    assert run("--version").stdout == "exactattn 0.1.0\n"


# -- cases -------------------------------------------------------------------------------------------------------------------


def test_the_list_has_a_line_for_each_case_with_its_shape():
    lines = run("cases").stdout.splitlines()
    assert [line.split()[0] for line in lines] == [
        "by-hand",
        "causal",
        "cross",
        "letters",
        "project",
        "two-heads",
        "xian",
    ]
    assert lines[-1] == "xian       6 tokens, from Q K V               西安：注意力的四步"
    assert "2 × 4 tokens" in lines[2]


def test_a_case_is_printed_or_copied_out_as_it_is(tmp_path):
    printed = run("cases", "xian").stdout
    assert run("cases", "xian", "-o", str(tmp_path / "my.toml")).output == ""
    assert (tmp_path / "my.toml").read_text(encoding="utf-8") == printed
    assert load_case(tmp_path / "my.toml").inputs == load_case("xian").inputs


def test_a_copy_goes_into_a_folder_under_its_own_name(tmp_path):
    assert run("cases", "causal", "-o", str(tmp_path)).exit_code == 0
    assert [path.name for path in tmp_path.iterdir()] == ["causal.toml"]


def test_a_copy_replaces_nothing_unless_told_to(tmp_path):
    path = tmp_path / "my.toml"
    path.write_text("mine", encoding="utf-8")
    line = refused("cases", "xian", "-o", str(path))
    assert line == f"{path} is there already: name another file, or add --force to replace it"
    assert path.read_text(encoding="utf-8") == "mine"
    assert run("cases", "xian", "-o", str(path), "--force").exit_code == 0
    assert path.read_text(encoding="utf-8").startswith("# The sentence")


def test_a_copy_is_toml(tmp_path):
    line = refused("cases", "xian", "-o", str(Path("my.json")))
    assert line == "a bundled case is a TOML file: name the copy my.toml"
