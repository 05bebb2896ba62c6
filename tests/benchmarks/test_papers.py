"""Exams on paper: drawn, set as text, and one run of TeX for all papers. Memory as the papers grow."""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
import sys

import pytest

from exactattn.exams import paper, printing
from exactattn.exams.exam import exam
from exactattn.exams.spec import read

KINDS = ("one-query", "full-attention", "masked", "softmax-vector", "shapes")
SPEC = 'seed = "s"\n' + "".join(
    f'[[question]]\nid = "{kind}"\nkind = "{kind}"\nanswer = "{"row" if kind != "shapes" else "number"}"\n'
    for kind in KINDS
)
PAPERS = 50

GROWTH = """
import sys, tempfile
from exactattn.exams.exam import exam
from exactattn.exams.spec import read
seen = []
def told(stage, done, total):
    if stage == "write" and (done == total // 10 or done == total - 1):
        seen.append(int(open("/proc/self/statm").read().split()[1]) * 4096)
with tempfile.TemporaryDirectory() as folder:
    exam(read(sys.argv[1]), variants=int(sys.argv[2])).write(folder + "/out", ["json", "csv", "md"], progress=told)
print(*seen)
"""


@pytest.fixture(scope="module")
def papers():
    return list(exam(read(SPEC), variants=PAPERS).papers)


def test_drawing(benchmark, line):
    benchmark.pedantic(lambda: list(exam(read(SPEC), variants=PAPERS).papers), rounds=3)
    line("papers of five questions drawn", f"{benchmark.stats.stats.min * 1000 / PAPERS:.1f} ms a paper")


@pytest.mark.parametrize("what", ["sheets", "key", "solutions"])
def test_writing_as_latex(benchmark, line, papers, what):
    spec = read(SPEC)
    made = getattr(paper, what)
    benchmark.pedantic(
        lambda: printing.latex((made(one, spec, "zh") for one in papers), "zh", "t", "questions"),
        rounds=3,
        warmup_rounds=1,
    )
    line(f"{what} of five questions as LaTeX", f"{benchmark.stats.stats.min * 1000 / PAPERS:.1f} ms a paper")


@pytest.mark.skipif(shutil.which("xelatex") is None, reason="xelatex not installed")
@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("what", ["sheets", "solutions"])
def test_setting_pages(line, papers, what, lang, tmp_path, benchmark):
    from exactattn.writers import pdf

    spec = read(SPEC)
    documents = [getattr(paper, what)(one, spec, lang) for one in papers]
    seconds = {}
    for count in (1, PAPERS):
        tex = printing.latex(documents[:count], lang, "t", "questions" if what == "sheets" else "lines")
        (tmp_path / "solution.tex").write_text(tex, encoding="utf-8")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        last = pdf.sheets(tmp_path)[-1]
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        pages = int(re.findall(r"\((\d+) pages?", (tmp_path / "solution.log").read_text(errors="replace"))[-1])
        seconds[count] = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, pages
        assert last.endswith("-")
    (few, first), (all, pages) = seconds[1], seconds[PAPERS]
    line(f"TeX of {what}, {lang}", f"{(all - few) * 1000 / (pages - first):.1f} ms a page ({pages} pages)")
    benchmark.pedantic(lambda: None, rounds=1)


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_as_papers_grow(line, benchmark):
    for count in (100, 400):
        done = subprocess.run(
            [sys.executable, "-c", GROWTH, SPEC, str(count)], capture_output=True, text=True, check=True
        )
        first, last = map(int, done.stdout.split())
        line(f"memory from a tenth to all of {count} papers", f"{first / 1e6:.0f} to {last / 1e6:.0f} MB")
    benchmark.pedantic(lambda: None, rounds=1)
