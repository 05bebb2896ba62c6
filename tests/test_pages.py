"""Every bundled case as it is seen: typeset by xelatex with nothing lost or sticking out, opened by Chromium without a word."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest

import exactattn as xa
from exactattn.cases import bundled
from exactattn.i18n import languages
from exactattn.present.view import LAYOUTS
from exactattn.writers.pdf import problems, typeset

PAGES = list(product(bundled(), languages(), LAYOUTS))
WIDTHS = {"phone": 360, "desk": 1280}


# -- xelatex -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "lang", "layout"), PAGES)
def test_a_case_is_typeset_with_nothing_missing_or_sticking_out(program, name, lang, layout):
    program("tex")
    made = typeset(xa.render(xa.solve(name), "latex", lang=lang, layout=layout))
    assert problems(made.log) == []
    assert made.pdf.startswith(b"%PDF-")


@pytest.mark.parametrize(
    ("lang", "layout", "places"),
    [("zh", "full", 40), ("en", "full", 40), ("en", "full", 25), ("zh", "ledger", 60), ("en", "worksheet", 60)],
)
def test_numbers_as_long_as_half_a_line_stay_on_the_page(program, lang, layout, places):
    program("tex")
    made = typeset(xa.render(xa.solve("xian", places=places), "latex", lang=lang, layout=layout))
    assert problems(made.log) == []
    text = subprocess.run(["pdftotext", "-", "-"], input=made.pdf, capture_output=True, check=True).stdout.decode()
    assert "0.2593721777451290368282647" in text
    assert not [line for line in text.splitlines() if line.startswith("」")]


@pytest.mark.parametrize("lang", languages())
def test_fragments_of_all_cases_go_into_one_document(program, lang):
    program("tex")
    fragments = [xa.render(xa.solve(name), "latex", body="fragment", lang=lang) for name in bundled()]
    packages = re.findall(r"^%.*?(\\usepackage.*)$", fragments[0], re.MULTILINE)
    assert packages
    head = ["\\documentclass[a4paper]{ctexart}" if lang == "zh" else "\\documentclass[a4paper]{article}", *packages]
    tex = "\n".join([*head, "\\begin{document}", *fragments, "\\end{document}"])
    assert problems(typeset(tex, runs=1).log) == []


# -- Chromium ----------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser(program: Callable[[str], None]) -> Iterator[Any]:
    program("chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield chromium
        chromium.close()


OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize(("name", "lang"), list(product(bundled(), languages())))
def test_a_page_opens_without_a_complaint_and_never_scrolls_sideways(browser, tmp_path, name, lang):
    solution = xa.solve(name)
    tab = browser.new_page()
    complaints: list[str] = []
    tab.on("console", lambda message: complaints.append(f"{message.type}: {message.text}"))
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    for layout in LAYOUTS:
        file = tmp_path / f"{layout}.html"
        solution.save(file, lang=lang, layout=layout)
        tab.goto(file.as_uri())
        for where, width in WIDTHS.items():
            tab.set_viewport_size({"width": width, "height": 800})
            assert tab.evaluate(OVERFLOW) == 0, f"{layout} on the {where}"
    tab.close()
    assert complaints == []
