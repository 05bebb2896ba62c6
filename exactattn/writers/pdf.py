"""LaTeX to PDF with the xelatex of the machine.

TeX runs in a folder of its own that is removed afterwards, without shell escape, reading and writing nowhere else, with
a time limit, and with a fixed clock, so that the same text gives the same file.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from exactattn.errors import ExactAttnError, MissingProgram

SECONDS = 120  # for one run
RUNS = 4  # until the numbers of the pages no longer change
CLOCK = "946684800"  # 2000-01-01, where the caller has set no clock of his own
DEBIAN = "texlive-xetex texlive-lang-chinese texlive-latex-extra texlive-fonts-recommended"
AGAIN = re.compile(r"Rerun to get|Label\(s\) may have changed|There were undefined references|Rerun LaTeX")


@dataclass(frozen=True, slots=True)
class Typeset:
    """What a run of TeX left: the PDF and the log of the last run."""

    pdf: bytes
    log: str


def pdf(tex: str, *, seconds: int = SECONDS) -> bytes:
    """The PDF of a LaTeX document. Errors: as `typeset`."""
    return typeset(tex, seconds=seconds).pdf


def typeset(tex: str, *, runs: int = RUNS, seconds: int = SECONDS) -> Typeset:
    """The PDF and the log of a LaTeX document, after as many runs as its numbers need, `runs` of `seconds` at most.

    Errors: MissingProgram where there is no xelatex; ExactAttnError with TeX's own first line where it stops or is stopped.
    """
    program = xelatex()
    with tempfile.TemporaryDirectory(prefix="exactattn-") as name:
        folder = Path(name)
        (folder / "solution.tex").write_text(tex, encoding="utf-8", errors="replace", newline="\n")
        for _ in range(runs):
            log = _run(program, folder, seconds=seconds)
            if not AGAIN.search(log):
                break
        return Typeset((folder / "solution.pdf").read_bytes(), log)


def sheets(folder: Path, *, seconds: int = SECONDS) -> list[str]:
    """Set the papers of templates/exam in folder/solution.tex, as pages not yet drawn; which are each paper's: "1-4", "5-8".

    One run: these papers count their pages themselves. Errors: as `typeset`.
    """
    log = _run(xelatex(), folder, "-no-pdf", made="solution.xdv", seconds=seconds)
    begins = [int(number) for number in re.findall(r"attnpaper \d+ begins on sheet (\d+)", log)]
    ends = [str(begin - 1) for begin in begins[1:]] + [""]
    return [f"{begin}-{end}" for begin, end in zip(begins, ends, strict=True)]


def drawn(folder: Path, pages: str, name: str) -> Path:
    """Some of the pages that `sheets` left in a folder ("5-8", "1-" for all), drawn as a PDF of that name beside them."""
    program = shutil.which("xdvipdfmx")
    if program is None:  # it is a part of xelatex
        raise MissingProgram("a PDF needs xdvipdfmx, which comes with xelatex: install TeX Live again")
    command = [program, "-q", "-s", pages, "-o", name, "solution.xdv"]
    done = subprocess.run(
        command, cwd=folder, env=_environment(), capture_output=True, timeout=10 * SECONDS, check=False
    )
    if done.returncode != 0:
        raise ExactAttnError("xdvipdfmx stopped: {why}", why=done.stderr.decode(errors="replace").strip()[:200])
    return folder / name


def xelatex() -> str:
    """The path of xelatex; MissingProgram, with what to install, where there is none."""
    program = shutil.which("xelatex")
    if program is None:
        raise MissingProgram(
            "a PDF needs xelatex: install TeX Live or MiKTeX (on Debian: apt-get install {packages}), or write .tex",
            packages=DEBIAN,
        )
    return program


def problems(log: str) -> list[str]:
    """The lines of a log that tell of something lost or sticking out: missing characters and overfull boxes.

    >>> problems("This is XeTeX\\nMissing character: There is no x in font y!\\nOverfull \\\\hbox (1.5pt too wide)")
    ['Missing character: There is no x in font y!', 'Overfull \\\\hbox (1.5pt too wide)']
    """
    return [line for line in log.splitlines() if line.startswith(("Missing character", "Overfull"))]


def _run(program: str, folder: Path, *options: str, made: str = "solution.pdf", seconds: int = SECONDS) -> str:
    command = [program, *options, "-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error", "-file-line-error"]
    log = folder / "solution.log"
    log.unlink(missing_ok=True)
    process = subprocess.Popen(
        [*command, "solution.tex"],
        cwd=folder,
        env=_environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        status = process.wait(seconds)
    except BaseException as error:
        _stop(process)
        if isinstance(error, subprocess.TimeoutExpired):
            raise ExactAttnError("xelatex did not finish in {time} seconds and was stopped", time=seconds) from None
        raise
    text = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else ""
    if status != 0 or not (folder / made).is_file():
        raise ExactAttnError("xelatex stopped: {line}", line=_first_error(text))
    return text


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End a run, the writer of the PDF that xelatex starts included."""
    if hasattr(os, "killpg"):
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def _environment() -> dict[str, str]:
    """The caller's, but files only below the folder, lines of the log unbroken, and a fixed clock."""
    fixed = {
        "openin_any": "p",
        "openout_any": "p",
        "max_print_line": "10000",
        "FORCE_SOURCE_DATE": "1",
        "MKTEXTFM": "0",  # a font that is sought and absent is not to be made
    }
    return {"SOURCE_DATE_EPOCH": CLOCK, **os.environ, **fixed}


def _first_error(log: str) -> str:
    """The first error of a log, "!" or "file:line:" before it, and the line of the source it names."""
    found = re.search(r"^(?:!|\S+:\d+:) ?(.*)$", log, re.MULTILINE)
    if found is None:
        return "no reason in its log"
    place = re.search(r"^l\.\d+.*$", log[found.end() :], re.MULTILINE)
    return found[1].strip() + (f" ({place[0].strip()[:120]})" if place else "")
