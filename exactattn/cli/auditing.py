"""`exactattn audit`: the verdict on a worked example, or on a folder of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from exactattn.audits import FAIL_ON, Audit, FailOn, as_data, audit, report, table, to_json
from exactattn.cli.console import harmless, put
from exactattn.cli.failures import message
from exactattn.cli.showing import display
from exactattn.cli.solving import check_output
from exactattn.errors import ExactAttnError, OptionError
from exactattn.i18n import messages
from exactattn.writers import formats

_CASES = (".toml", ".json")


@click.command("audit")
@click.argument("case")
@click.option("-o", "--output", "outputs", multiple=True, metavar="FILE",
              help="Write the report to FILE: .html .tex .pdf .md .txt .json. May be repeated.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the audit as JSON.")
@click.option("--lang", metavar="zh|en", help="The language of the report; by default the case's.")
@click.option("--fail-on", type=click.Choice(FAIL_ON), default="wrong", show_default=True,
              help="What ends with exit code 1: what is wrong, or anything that is not right to the last digit.")  # fmt: skip
def audit_command(case: str, outputs: tuple[str, ...], as_json: bool, lang: str | None, fail_on: FailOn) -> int:
    """Judge every printed number of CASE: is the worked example right, and if not, where did it go wrong?

    CASE is a bundled name, a TOML or JSON file with [printed], - for standard input, or a folder of cases.

    \b
    exactattn audit xian
    exactattn audit homework.toml -o report.html --lang en
    exactattn audit handed-in/ --json

    Exit codes: 0 passes, 1 does not, 2 bad input (over a folder: a file could not be read).
    """
    for name in outputs:
        check_output(name)
        if Path(name).suffix.lower() == ".svg" or name.endswith(("/", "\\")) or Path(name).is_dir():
            raise OptionError("-o {name}: a report is one file, and has no figures to save", name=name)
    if lang is not None:
        messages(lang)
    if Path(case).is_dir():
        return _folder(Path(case), outputs, as_json, lang or "en", fail_on)
    found = audit(case)
    language = lang or found.case.show.lang or "en"
    for name in outputs:
        formats.save(lambda: report(found, language), Path(name), lambda: to_json(found))
    if as_json:
        put(to_json(found))
    elif not outputs:
        display(report(found, language))
    return 0 if found.passes(fail_on) else 1


def _folder(folder: Path, outputs: tuple[str, ...], as_json: bool, lang: str, fail_on: FailOn) -> int:
    """Every case of a folder: a line each, the totals, and what could not be read."""
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in _CASES and path.is_file())
    if not files:
        raise OptionError("{folder} holds no case: .toml or .json files were due", folder=str(folder))
    found: list[tuple[str, Audit | str]] = []
    with _progress(files) as each:
        for path in each:
            name = path.relative_to(folder).as_posix()
            try:
                found.append((name, audit(path)))
            except ExactAttnError as error:
                found.append((name, harmless(message(error))))
    document = table(found, lang)
    for name in outputs:
        formats.save(lambda: document, Path(name), lambda: _bulk(found))
    if as_json:
        put(_bulk(found))
    elif not outputs:
        display(document)
    if any(isinstance(one, str) for _, one in found):
        return 2
    return 0 if all(one.passes(fail_on) for _, one in found if isinstance(one, Audit)) else 1


def _bulk(found: list[tuple[str, Audit | str]]) -> str:
    """All audits as one JSON text: an object by file name; a file that could not be read has its error."""
    data = {name: {"error": one} if isinstance(one, str) else as_data(one) for name, one in found}
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


@contextmanager
def _progress(files: list[Path]) -> Iterator[Any]:
    """The files one by one, with a bar on standard error where someone is looking."""
    if sys.stderr is None or not sys.stderr.isatty() or len(files) < 10:
        yield files
        return
    from rich.console import Console
    from rich.progress import track

    yield track(files, description="audit", console=Console(file=sys.stderr), transient=True)
