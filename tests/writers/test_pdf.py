"""xelatex in a box of its own: what it may not do, what it says, the same bytes."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from exactattn.errors import ExactAttnError, MissingProgram
from exactattn.writers.pdf import pdf, problems, typeset


def document(body: str) -> str:
    return f"\\documentclass{{article}}\\begin{{document}}\n{body}\n\\end{{document}}\n"


def test_without_xelatex_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingProgram) as caught:
        pdf(document("x"))
    assert str(caught.value) == (
        "a PDF needs xelatex: install TeX Live or MiKTeX (on Debian: apt-get install texlive-xetex "
        "texlive-lang-chinese texlive-latex-extra texlive-fonts-recommended), or write .tex"
    )
    assert caught.value.exit_code == 3


def test_the_same_text_gives_the_same_bytes(program: Callable[[str], None]) -> None:
    program("tex")
    first = pdf(document("x"))
    assert first.startswith(b"%PDF-")
    assert pdf(document("x")) == first


def test_runs_go_on_until_the_numbers_stand(program: Callable[[str], None], tmp_path: Path) -> None:
    program("tex")
    (tmp_path / "a.pdf").write_bytes(pdf(document(r"on \pageref{end}\newpage two\label{end}")))
    shown = subprocess.run(["pdftotext", str(tmp_path / "a.pdf"), "-"], check=True, capture_output=True).stdout
    assert shown.startswith(b"on 2")


def test_an_error_is_told_by_its_first_line(program: Callable[[str], None]) -> None:
    program("tex")
    with pytest.raises(ExactAttnError) as caught:
        pdf(document(r"\nosuch"))
    assert str(caught.value) == r"xelatex stopped: Undefined control sequence. (l.2 \nosuch)"


@pytest.mark.parametrize(
    "body",
    [
        r"\input{/etc/passwd}",
        r"\input{../secret}",
        r"\newwrite\w\immediate\openout\w=../out.txt \immediate\write\w{x}\undefined",
    ],
)
def test_no_file_outside_the_folder_is_read_or_written(program: Callable[[str], None], body: str) -> None:
    program("tex")
    with pytest.raises(ExactAttnError, match="xelatex stopped"):
        pdf(document(body))


def test_no_program_is_started(program: Callable[[str], None], tmp_path: Path) -> None:
    program("tex")
    log = typeset(document(rf"x\immediate\write18{{touch {tmp_path}/made}}")).log
    assert not (tmp_path / "made").exists()
    assert "runsystem(" in log
    assert "disabled" in log


def test_a_run_without_end_is_stopped(program: Callable[[str], None]) -> None:
    program("tex")
    with pytest.raises(ExactAttnError, match="xelatex did not finish in 1 seconds and was stopped"):
        pdf(document(r"\loop\iftrue\repeat"), seconds=1)


def test_what_is_lost_or_sticks_out_is_found_in_the_log(program: Callable[[str], None]) -> None:
    program("tex")
    found = problems(typeset(document(r"今\par\noindent\hbox to \linewidth{\rule{2\linewidth}{1pt}}")).log)
    assert len(found) == 2
    assert found[0].startswith("Missing character: There is no 今")
    assert found[1].startswith("Overfull")
