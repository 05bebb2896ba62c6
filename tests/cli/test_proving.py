"""`exactattn identities` from the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner

from exactattn.cli import main
from exactattn.identities import catalogue, proofs


def run(*args: str) -> Any:
    return CliRunner().invoke(main, ["identities", *args])


def test_it_lists_every_row():
    found = run()
    assert found.exit_code == 0
    for row in catalogue.CATALOGUE:
        assert f"{row.number}  {row.name}  {', '.join(row.kinds)}  {row.title('en')}" in found.stdout
    assert "Σ  p_i = 1" in found.stdout.replace("\u2009", " ")


def test_it_lists_them_in_chinese():
    found = run("--lang", "zh")
    assert found.exit_code == 0
    assert "权重之和为 1" in found.stdout


def test_it_proves_them_and_says_at_which_n():
    found = run("--prove", "--n", "3")
    assert found.exit_code == 0
    assert found.stdout.count("Proved for symbolic entries at n = 3") == 29


@pytest.mark.parametrize("suffix", ["tex", "html", "md", "txt"])
def test_it_writes_files(tmp_path, suffix):
    file = tmp_path / f"identities.{suffix}"
    found = run("--prove", "-o", str(file), "--lang", "zh")
    assert (found.exit_code, found.stdout) == (0, "")
    assert "雅可比" in file.read_text(encoding="utf-8")


def test_it_writes_a_pdf_and_json(program, tmp_path):
    program("tex")
    pdf, record = tmp_path / "i.pdf", tmp_path / "i.json"
    assert run("-o", str(pdf), "-o", str(record)).exit_code == 0
    assert pdf.read_bytes().startswith(b"%PDF-")
    assert json.loads(record.read_text(encoding="utf-8"))["version"] == 1


def test_a_row_that_cannot_be_proved_ends_with_1(monkeypatch):
    rows = tuple(replace(row, claims=row.twins[0]) if row.name == "sink" else row for row in catalogue.CATALOGUE)
    monkeypatch.setattr(proofs, "CATALOGUE", rows)
    found = run("--prove")
    assert found.exit_code == 1
    assert found.stdout.count("Not proved at n = 4") == 1


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["--prove", "--n", "9"], "exactattn: n = 9: 2 to 8 was due"),
        (["--prove", "--n", "1"], "exactattn: n = 1: 2 to 8 was due"),
        (["--n", "4"], "exactattn: --n 4 says for how many scores to prove, and nothing is proved: add --prove"),
        (["-o", "a.htlm"], "the suffix '.htlm' is no format (did you mean '.htm'?)"),
        (["-o", "a.svg"], "the catalogue is one file, and has no figures to save"),
        (["-o", "."], "the catalogue is one file, and has no figures to save"),
        (["--lang", "fr"], "language 'fr' is not one of en, zh"),
        (["--prove", "--n", "four"], "'four' is not a valid integer"),
        (["extra"], "Got unexpected extra argument"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(args, line):
    found = run(*args)
    assert found.exit_code == 2
    assert line in found.stderr
    assert found.stderr.count("\n") == 1
    assert found.stdout == ""


def test_the_list_imports_no_sympy_nor_hypothesis():
    script = (
        "import sys; from exactattn.cli import main; main(['identities'], standalone_mode=False);"
        "bad = {'sympy', 'hypothesis', 'numpy', 'mpmath', 'torch', 'jax'} & set(sys.modules); assert not bad, bad"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
