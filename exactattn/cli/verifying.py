"""`exactattn verify`: other people's softmax and attention against the truth."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from exactattn.cli.console import put
from exactattn.cli.showing import display
from exactattn.cli.solving import check_output
from exactattn.errors import OptionError
from exactattn.i18n import messages
from exactattn.writers import formats

Progress = Callable[[str, int, int], None]


@click.command("verify")
@click.argument("target", metavar="MODULE:CALLABLE", required=False)
@click.option(
    "--kind", metavar="KIND", help="softmax, log_softmax, logsumexp or attention; by default from the signature."
)
@click.option(
    "--axis",
    type=int,
    help="The one axis to use, -4 to 3; by default the last, and others where there is an axis or dim.",
)
@click.option("--dtype", "dtypes", default="float32,float64", show_default=True, metavar="TYPE,...",
              help="float16, bfloat16, float32, float64, int8, uint8, ...: only these are drawn.")  # fmt: skip
@click.option("--examples", type=click.IntRange(0, 100_000), default=200, show_default=True,
              help="Inputs drawn for each type, after 40 fixed ones.")  # fmt: skip
@click.option("--only", metavar="NAME,...", help="Judge these rows alone: accuracy, sums-to-one, causal-prefix, ...")
@click.option("--convention", "conventions", multiple=True, metavar="NAME=VALUE",
              help="Ask for one: fully-masked=zero|nan|uniform|error, causal=top-left|bottom-right.")  # fmt: skip
@click.option("--accuracy", default="usual", show_default=True, metavar="usual|strict",
              help="strict: the tighter bounds of code that subtracts the maximum first.")  # fmt: skip
@click.option("--accumulate", default="float32", show_default=True, metavar="float32|same",
              help="What half formats are summed in.")  # fmt: skip
@click.option("--strict", is_flag=True, help="Unequal bits and broken order are failures, even within the bounds.")
@click.option("--timeout", type=click.FloatRange(0.1, 3600), default=10.0, show_default=True, metavar="SECONDS",
              help="For one call; importing and the first call have 60.")  # fmt: skip
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=0, show_default=True)
@click.option("-o", "--output", "outputs", multiple=True, metavar="REPORT",
              help="Write the report: .html .md .json .txt .tex .pdf. May be repeated.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
@click.option("--lang", metavar="zh|en", default="en", help="The language of the report.")
@click.option("--list", "listing", is_flag=True, help="The built-in adapters, and which libraries are installed.")
def verify_command(
    target: str | None, kind: str | None, axis: int | None, dtypes: str, examples: int, only: str | None,
    conventions: tuple[str, ...], accuracy: str, accumulate: str, strict: bool, timeout: float, seed: int,
    outputs: tuple[str, ...], as_json: bool, lang: str, listing: bool,
) -> int:  # fmt: skip
    """Put fixed and drawn inputs to MODULE:CALLABLE and judge every result by the truth.

    A softmax takes (x) or (x, axis); attention takes (q, k, v) and of mask, is_causal and scale those it has, in the layout
    (..., n, d), a boolean mask being True where a key is open. It is found from the working directory or sys.path, and runs
    in a process of its own.

    \b
    exactattn verify mymodule:softmax
    exactattn verify scipy.special:softmax --dtype float16,int8 -o report.html
    exactattn verify mymodule:attention --convention fully-masked=zero --only masked-key-unread,causal-prefix

    Exit codes: 0 nothing fails, 1 something does, 2 bad input (the callable is not found, or cannot be imported).
    """
    words = messages(lang)
    if listing:
        put(_listing())
        return 0
    if target is None:
        raise click.UsageError("MODULE:CALLABLE is missing, as in mymodule:softmax (--list shows what is built in)")
    for name in outputs:
        check_output(name)
        if Path(name).suffix.lower() == ".svg" or name.endswith(("/", "\\")) or Path(name).is_dir():
            raise OptionError("-o {name}: a report is one file, and has no figures to save", name=name)
    from exactattn.testing.conventions import asked_from
    from exactattn.testing.record import to_json
    from exactattn.testing.report import report
    from exactattn.testing.verifying import verify

    with _progress() as progress, _no_traces():
        found = verify(
            target, kind=kind, axis=axis, dtypes=_names(dtypes), examples=examples, only=_names(only or ""),
            conventions=asked_from(conventions), seed=seed, accuracy=accuracy, accumulate=accumulate, strict=strict,
            timeout=timeout, progress=progress,
        )  # fmt: skip
    for name in outputs:
        formats.save(lambda: report(found, words.lang), Path(name), lambda: to_json(found))
    if as_json:
        put(to_json(found))
    elif not outputs:
        display(report(found, words.lang))
    return 0 if found.passes else 1


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _listing() -> str:
    from exactattn.testing.adapters import ADAPTERS

    rows = [
        (one.target, one.signature.kind, "" if one.installed else f"{one.needs} is not installed") for one in ADAPTERS
    ]
    widths = [max(len(row[k]) for row in rows) for k in (0, 1)]
    lines = [f"{a:<{widths[0]}}  {b:<{widths[1]}}  {c}".rstrip() for a, b, c in rows]
    return "\n".join(lines) + "\nAny other callable of (x), (x, axis) or (q, k, v) is taken as it is.\n"


@contextmanager
def _no_traces() -> Iterator[None]:
    """Hypothesis keeps notes about the code in a folder; in a command's working directory nobody asked for it."""
    from tempfile import TemporaryDirectory

    from hypothesis.configuration import set_hypothesis_home_dir

    with TemporaryDirectory() as folder:
        set_hypothesis_home_dir(folder)
        try:
            yield
        finally:
            set_hypothesis_home_dir(None)


@contextmanager
def _progress() -> Iterator[Progress]:
    """A bar on standard error where someone is looking."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda dtype, done, all_: None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(file=sys.stderr), transient=True) as bar:
        tasks: dict[str, int] = {}

        def show(dtype: str, done: int, all_: int) -> None:
            if dtype not in tasks:
                tasks[dtype] = bar.add_task(dtype, total=all_)
            bar.update(tasks[dtype], completed=done)  # type: ignore[arg-type]

        yield show
