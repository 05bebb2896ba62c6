"""The catalogue as it is seen: in every format and both languages, the same bytes each time, typeset with nothing lost."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import get_args

import pytest
from jsonschema import Draft202012Validator
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation

from exactattn.document import Section
from exactattn.i18n import languages
from exactattn.identities import CATALOGUE
from exactattn.identities.checking.check import Fact
from exactattn.identities.identity import Kind, Method
from exactattn.identities.page import Found, document, listing
from exactattn.identities.record import as_data, schema, to_json
from exactattn.numbers.value import Value
from exactattn.writers.html import html
from exactattn.writers.latex import latex
from exactattn.writers.markdown import markdown
from exactattn.writers.pdf import problems, typeset
from exactattn.writers.text import text

PROVED = Found.at(2)
WIDTHS = {"phone": 360, "desk": 1280}


class Markdown(SingleFileSnapshotExtension):
    """A Markdown file under tests/golden with the name that the test gives."""

    _write_mode = WriteMode.TEXT
    file_extension = "md"
    _file_extension = "md"

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        return str(Path(test_location.filepath).parents[1] / "golden" / test_location.basename)

    @classmethod
    def get_file_basename(cls, *, test_location: PyTestLocation, index: object) -> str:
        return str(index)


@pytest.mark.parametrize("lang", languages())
def test_markdown(lang: str, snapshot: SnapshotAssertion) -> None:
    assert markdown(document(lang, PROVED)) == snapshot(name=f"identities_{lang}", extension_class=Markdown)


@pytest.mark.parametrize("lang", languages())
def test_every_row_has_its_section_with_its_statement_and_its_proof(lang):
    page = document(lang)
    sections = [block for block in page.blocks if isinstance(block, Section)]
    assert len(sections) == 41
    shown = text(page, width=200)
    for row in CATALOGUE:
        assert row.name in shown
        assert row.title(lang) in shown
        assert row.source in shown


def test_the_same_proofs_give_the_same_bytes_whatever_time_they_took():
    again = Found.at(2)
    assert [one.seconds for one in again.proofs.values()] != [one.seconds for one in PROVED.proofs.values()]
    for lang in languages():
        assert document(lang, again) == document(lang, PROVED)
        assert to_json(lang, again) == to_json(lang, PROVED)


@pytest.mark.parametrize("lang", languages())
def test_a_file_without_proofs_says_nothing_of_them(lang):
    said = {"en": "(claims: ", "zh": "断言 "}[lang]
    assert said not in markdown(document(lang))
    assert markdown(document(lang, PROVED)).count(said) == 29


def test_a_row_that_is_not_proved_says_so():
    proof = PROVED.proofs["jacobian"]
    broken = replace(PROVED, proofs={**PROVED.proofs, "jacobian": replace(proof, open=(1, 3))})
    passed = replace(PROVED, proofs={**PROVED.proofs, "jacobian": replace(proof, twins_refused=(False,))})
    said = "Not proved at n = 2: 2 of 5 claims stay open."
    assert said in text(document("en", broken), width=200)
    assert said in text(listing("en", broken), width=200)
    assert "a false twin was not refused" in text(document("en", passed), width=200)
    assert not broken.holds
    assert not passed.holds


def test_a_check_that_fails_says_so():
    checked = PROVED.checks["lipschitz"]
    fact = Fact(Value.of(1), "<", Value.of("1/2"))
    broken = replace(PROVED, checks={**PROVED.checks, "lipschitz": replace(checked, failing=(fact,))})
    said = f"On an example 1 of {checked.facts} facts do not hold."
    assert said in text(document("en", broken), width=200)
    assert said in text(listing("en", broken), width=200)
    assert as_data("en", broken)["rows"][15]["checked"]["failing"] == ["1.00000000000 < 0.500000000000"]
    assert not broken.holds


def test_the_list_says_what_was_proved_and_how_long_it_took():
    shown = text(listing("en", PROVED), width=200)
    assert shown.count("Proved for symbolic entries at n = 2") == 29
    assert len(re.findall(r"refused[.] [0-9]+[.][0-9]{3} s[.]", shown)) == 29
    assert shown.count("Not proved by machine") + shown.count("there is nothing to prove") == 12
    assert shown.count("facts hold, decided exactly.") == len(PROVED.checks) == 16
    assert "Proved" not in text(listing("en"), width=100)


# -- JSON ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", languages())
def test_the_record_holds_every_row(lang):
    data = json.loads(to_json(lang, PROVED))
    assert data == as_data(lang, PROVED)
    for one in (data, as_data(lang)):
        Draft202012Validator(schema()).validate(one)
    assert (data["format"], data["version"], data["language"]) == ("exactattn-identities", 1, lang)
    assert [row["number"] for row in data["rows"]] == list(range(1, 42))
    for row, due in zip(data["rows"], CATALOGUE, strict=True):
        assert row["title"] == due.title(lang)
        assert len(row["statement"]) == len(due.statement)
        assert (row["proved"] is not None) == ("P" in due.kinds)
        assert (row["checked"] is not None) == bool(set(due.kinds) & {"A", "D", "C"})
        assert row["proof"]
    assert all(row["proved"] is row["checked"] is None for row in as_data(lang)["rows"])


def test_the_schema_is_one_and_knows_every_kind_and_method():
    Draft202012Validator.check_schema(schema())
    row = schema()["$defs"]["row"]["properties"]
    assert row["kinds"]["items"]["enum"] == list(get_args(Kind))
    assert row["method"]["enum"] == [*get_args(Method), None]


def test_maths_in_the_record_is_tex_and_text():
    row = as_data()["rows"][0]
    assert row["statement"] == [{"tex": r"\sum_{i} \, p_{i} = 1", "text": "Σ_i p_i = 1"}]
    assert row["proof"].startswith("All weights have the one denominator $z = ")


# -- as it is seen -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", languages())
def test_it_is_typeset_with_nothing_missing_or_sticking_out(program, tmp_path, lang):
    program("tex")
    made = typeset(latex(document(lang, PROVED)))
    assert problems(made.log) == []
    file = tmp_path / "identities.pdf"
    file.write_bytes(made.pdf)
    done = subprocess.run(["pdftotext", file, "-"], capture_output=True, text=True, check=True)
    *sheets, _last, _end = done.stdout.split("\f")
    assert min(len(sheet.splitlines()) for sheet in sheets) > 20  # no sheet with a line or two that slipped onto it


def test_it_opens_in_a_browser_without_a_complaint_and_never_scrolls_sideways(program, tmp_path):
    program("chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for lang, (where, width) in product(languages(), WIDTHS.items()):
            file = tmp_path / f"{lang}.html"
            file.write_text(html(document(lang, PROVED)), encoding="utf-8")
            tab = chromium.new_page(viewport={"width": width, "height": 800})
            complaints: list[str] = []
            tab.on("console", lambda message, said=complaints: said.append(message.text))
            tab.on("pageerror", lambda error, said=complaints: said.append(str(error)))
            tab.goto(file.as_uri())
            beyond = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            assert tab.evaluate(beyond) == 0, f"{lang} on the {where}"
            assert complaints == []
            tab.close()
        chromium.close()
