"""`exactattn probe`: which mistakes would a teacher's own question still mark right?"""

from __future__ import annotations

from pathlib import Path

import click

from exactattn.cli.console import put
from exactattn.cli.showing import display
from exactattn.cli.solving import check_output
from exactattn.errors import OptionError
from exactattn.exams.probe import probe
from exactattn.exams.probed import report, to_json
from exactattn.i18n import messages
from exactattn.writers import formats


@click.command("probe")
@click.argument("question")
@click.option("-o", "--output", "outputs", multiple=True, metavar="FILE",
              help="Write the report to FILE: .html .tex .pdf .md .txt .json. May be repeated.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the findings as JSON.")
@click.option("--lang", metavar="zh|en", help="The language of the report; by default the question's.")
def probe_command(question: str, outputs: tuple[str, ...], as_json: bool, lang: str | None) -> int:
    """Set QUESTION against every wrong method: which would still be marked right?

    QUESTION is a case (a TOML or JSON file, or - for standard input) with [ask]: quantity, rows or entries, places,
    tolerance, key. Rows, columns and heads count from 1, or are called by their tokens; entries are pairs of a row and a
    column.

    \b
    [ask]
    quantity = "output"
    entries = [[1, 1], [2, 1]]
    places = 3

    \b
    exactattn probe homework.toml
    exactattn probe homework.toml -o report.html --lang en

    Exit codes: 0 passes, 1 it is blind to something, its key is wrong or its tolerance too narrow, 2 bad input.
    """
    for name in outputs:
        check_output(name)
        if Path(name).suffix.lower() == ".svg" or name.endswith(("/", "\\")) or Path(name).is_dir():
            raise OptionError("-o {name}: a report is one file, and has no figures to save", name=name)
    if lang is not None:
        messages(lang)
    found = probe(question)
    language = lang or found.case.show.lang or "en"
    for name in outputs:
        formats.save(lambda: report(found, language), Path(name), lambda: to_json(found))
    if as_json:
        put(to_json(found))
    elif not outputs:
        display(report(found, language))
    return 0 if found.passes else 1
