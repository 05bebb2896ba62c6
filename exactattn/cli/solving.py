"""`exactattn solve`: a case, worked, in as many files and formats as are named."""

from __future__ import annotations

import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import click

from exactattn.cases import CASE_LIMITS, CaseLimits, load_case
from exactattn.cli.console import output, put
from exactattn.errors import FileError, OptionError, nearest
from exactattn.i18n import messages
from exactattn.numbers.rounding import Ties
from exactattn.trace.problem import Alignment, Track
from exactattn.writers.files import check_writable

SUFFIXES = (".tex", ".pdf", ".html", ".htm", ".md", ".txt", ".json", ".svg")
LAYOUTS = ("full", "brief", "ledger", "worksheet")


@click.command()
@click.argument("case")
@click.option(
    "-o", "--output", "outputs", multiple=True, metavar="FILE",
    help="Write FILE; its suffix is the format: .tex .pdf .html .md .txt .json .svg. A folder gets the figures, one "
    ".svg each. May be repeated: the work is done once. Without it the solution is printed.",
)  # fmt: skip
@click.option("--lang", metavar="zh|en", help="The language of the solution; by default the case's.")
@click.option("--row", "rows", multiple=True, metavar="TOKEN",
              help="A row to work in full, by its token, or by position as '#2'. May be repeated.")  # fmt: skip
@click.option("--places", metavar="PLACES",
              help="Decimal places: a number for all; scores=2,exps=4,...; auto: the fewest one can follow by hand.")  # fmt: skip
@click.option("--track", type=click.Choice(("carry", "stepwise")), default="carry", show_default=True,
              help="Round only what is printed, or go on from the printed digits at each step.")  # fmt: skip
@click.option("--ties", type=click.Choice(("half-up", "half-even")), default="half-up", show_default=True,
              help="How an exact tie is rounded.")  # fmt: skip
@click.option("--show", type=click.Choice(("decimal", "exact", "both")), default="decimal", show_default=True,
              help="Values as decimals, as exact expressions, or both.")  # fmt: skip
@click.option("--heads", type=click.IntRange(min=1), metavar="H", help="Split the columns into H heads.")
@click.option("--mask", type=click.Choice(("none", "causal")), help="Who may attend to whom.")
@click.option("--alignment", type=click.Choice(("top-left", "bottom-right")),
              help="Which corner a causal mask over unequal counts starts from.")  # fmt: skip
@click.option("--scale", metavar="EXPR", help="What scores are multiplied by, as in 1/2 or '1/sqrt(3)'.")
@click.option("--arithmetic", metavar="exact|sympy|mpmath:BITS",
              help="What is computed with; mpmath:11 rounds each operation to 11 bits.")  # fmt: skip
@click.option("--layout", type=click.Choice(LAYOUTS), help="How much is shown; a worksheet leaves the results blank.")
@click.option(
    "--fragment", is_flag=True, help="A body for one's own document instead of a whole page (.tex, .html, .md)."
)
@click.option("--limit", "raised", multiple=True, metavar="NAME=N",
              help=f"Raise a limit: {', '.join(f.name for f in fields(CASE_LIMITS))}.")  # fmt: skip
def solve(
    case: str,
    outputs: tuple[str, ...],
    lang: str | None,
    rows: tuple[str, ...],
    places: str | None,
    track: Track,
    ties: Ties,
    show: str,
    heads: int | None,
    mask: str | None,
    alignment: Alignment | None,
    scale: str | None,
    arithmetic: str | None,
    layout: str | None,
    fragment: bool,
    raised: tuple[str, ...],
) -> None:
    """Work CASE out and print the solution, or write it to files.

    CASE is a bundled name (see: exactattn cases), a TOML or JSON file, or - for standard input.

    \b
    exactattn solve xian
    exactattn solve my.toml -o my.html -o my.tex --lang en --row cat --places 3
    """
    for name in outputs:
        check_output(name)
        if Path(case).is_file() and Path(name).exists() and Path(name).samefile(case):
            raise OptionError("-o {name} is the case itself: name another file", name=name)
    if lang is not None:
        messages(lang)
    limits = limits_from(raised)
    loaded = load_case(case, limits=limits)

    from exactattn.solution import solve as work

    solution = work(
        loaded,
        heads=heads,
        mask=mask,
        alignment=alignment,
        scale=scale,
        arithmetic=arithmetic,
        track=track,
        ties=ties,
        places=places,
        limits=limits,
    )
    style: dict[str, Any] = {"lang": lang, "rows": list(rows) or None, "show": show, "layout": layout}
    for name in outputs:
        solution.save(name, **style, body="fragment" if fragment else "page")
    if not outputs:
        display(solution, style)


def display(solution: Any, style: dict[str, Any]) -> None:
    """The solution on standard output: laid out for a terminal, plain for a pipe."""
    if sys.stdout is not None and sys.stdout.isatty():
        from rich.console import Console

        shown = solution.terminal(**style)
        with output():
            Console(file=sys.stdout).print(shown)
    else:
        from exactattn.solution import render

        put(render(solution, "text", **style))


def check_output(name: str) -> None:
    """A known format, a place that can be written and the program it takes, before anything is computed."""
    if not name.strip():
        raise OptionError("-o needs the name of a file; its suffix is the format: {known}", known=", ".join(SUFFIXES))
    path = Path(name)
    if path.is_dir():
        check_writable(path / "figure.svg")
        return
    if name.endswith(("/", "\\")):
        if path.exists():
            raise FileError("cannot write {name}: it is no folder", name=name)
        check_writable(path)
        return
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        came = f"the suffix {path.suffix!r} is no format" if suffix else "a suffix was due"
        known = ", ".join(s for s in SUFFIXES if s != ".htm")
        text = "-o {name}: {came}{hint}; the formats are {known}"
        raise OptionError(text, name=name, came=came, hint=nearest(suffix, SUFFIXES) if suffix else "", known=known)
    check_writable(path)
    if suffix == ".pdf":
        from exactattn.writers.pdf import xelatex

        xelatex()


def limits_from(raised: tuple[str, ...]) -> CaseLimits:
    """The limits with those raised that are named, each as NAME=N.

    >>> limits_from(("tokens=2000",)).tokens
    2000
    """
    known = [field.name for field in fields(CASE_LIMITS)]
    out = CASE_LIMITS
    for text in raised:
        name, _, number = text.partition("=")
        if name not in known:
            hint = nearest(name, known) or f" (there are {', '.join(known)})"
            raise OptionError("--limit {text}: no limit {name!r}{hint}", text=text, name=name, hint=hint)
        if not (number.isascii() and number.isdigit() and len(number) <= 18):
            raise OptionError("--limit {text}: a whole number was due, as in {name}=2000", text=text, name=name)
        out = replace(out, **{name: int(number)})
    return out
