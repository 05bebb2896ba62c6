"""The command as a process of its own: pipes, locales, what is imported."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

HEAVY = ("rich", "numpy", "sympy", "mpmath", "hypothesis")


def run(*args: str, python: tuple[str, ...] = (), code: str = "", **env: str) -> subprocess.CompletedProcess[bytes]:
    program = ["-c", code] if code else ["-m", "exactattn"]
    return subprocess.run(
        [sys.executable, *python, *program, *args],
        capture_output=True,
        env={k: v for k, v in os.environ.items() if not k.startswith(("LC_", "LANG", "PYTHON"))} | env,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("env", [{"LC_ALL": "C"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}])
def test_files_are_utf8_whatever_the_locale(tmp_path, env):
    result = run("cases", "xian", "-o", str(tmp_path / "my.toml"), **env)
    assert (result.returncode, result.stderr) == (0, b"")
    assert "西安" in (tmp_path / "my.toml").read_text(encoding="utf-8")


def test_a_console_that_lacks_a_character_gets_a_substitute():
    result = run("cases", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert result.returncode == 0
    lines = result.stdout.decode("ascii").splitlines()
    assert lines[2].startswith("cross      2 * 4 tokens")
    assert lines[-1].endswith(r"\u897f\u5b89\uff1a\u6ce8\u610f\u529b\u7684\u56db\u6b65")


def test_a_chinese_console_is_left_its_own_encoding():
    result = run("cases", PYTHONIOENCODING="gbk", PYTHONUTF8="0")
    assert "西安：注意力的四步" in result.stdout.decode("gbk")


def test_an_argument_that_is_no_text_makes_one_line():
    result = subprocess.run(
        [os.fsencode(sys.executable), b"-m", b"exactattn", b"solve", b"\xff\n\x1b[31m"],
        capture_output=True,
        check=False,
    )
    assert result.returncode == 2
    assert result.stderr == b"exactattn: no bundled case and no file '\\udcff\\n\\x1b[31m'\n"


@pytest.mark.parametrize(
    "loading", ["exactattn.cli", "click", "exactattn.cli.console", "exactattn.cli.solving", "flint"]
)
def test_an_interrupt_while_modules_are_loaded_is_one_line(loading):
    code = f"""
import sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {loading!r}:
            raise KeyboardInterrupt

sys.meta_path.insert(0, Interrupt())
from exactattn.__main__ import start
start()
"""
    result = run("solve", "xian", code=code)
    assert (result.returncode, result.stdout) == (130, b"")
    assert result.stderr.lstrip(b"\n") == b"exactattn: interrupted\n"


@pytest.mark.parametrize("loading", ["exactattn.cli", "exactattn.cli.solving"])
def test_an_interrupt_that_python_makes_another_error_of_is_one_line(loading):
    code = f"""
import os, signal, sys

class Named:
    def __set_name__(self, owner, name):
        raise KeyboardInterrupt  # comes out as a RuntimeError in Python 3.11

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {loading!r} == "exactattn.cli":
            os.kill(os.getpid(), signal.SIGINT)
        elif name == {loading!r}:
            type("Class", (), {{"named": Named()}})

sys.meta_path.insert(0, Interrupt())
from exactattn.__main__ import start
start()
"""
    result = run("solve", "xian", code=code)
    assert (result.returncode, result.stdout) == (130, b"")
    assert result.stderr.lstrip(b"\n") == b"exactattn: interrupted\n"


def test_the_command_is_started_where_an_interrupt_is_met():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["scripts"] == {"exactattn": "exactattn.__main__:start"}


def test_a_pipe_that_closes_early_ends_it_quietly():
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.Popen(
        [sys.executable, "-m", "exactattn", "cases", "xian"], stdout=writer, stderr=subprocess.PIPE
    )
    os.close(writer)
    _, stderr = process.communicate(timeout=60)
    assert (process.returncode, stderr) == (141, b"")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="/dev/full is a device of Linux")
def test_a_full_disk_behind_standard_output_is_one_line():
    with open("/dev/full", "wb") as full:
        result = subprocess.run(
            [sys.executable, "-m", "exactattn", "cases"], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert result.returncode == 2
    assert result.stderr == b"exactattn: cannot write to standard output: no space left on device\n"


def test_listing_cases_imports_nothing_heavy():
    code = f"""
import sys
from exactattn.cli import main
main(["cases"], standalone_mode=False)
print(sorted(set({HEAVY}) & set(sys.modules)))
"""
    assert run(code=code, PYTHONUTF8="1").stdout.decode().splitlines()[-1] == "[]"
