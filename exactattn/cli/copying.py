"""`exactattn cases`: the cases that come along, one line each; or one of them, to start from."""

from __future__ import annotations

from pathlib import Path
from unicodedata import east_asian_width

import click

from exactattn.cases import Case, bundled, bundled_text, load_case
from exactattn.cli.console import put
from exactattn.errors import FileError, OptionError
from exactattn.writers.files import check_writable, write_atomically


@click.command(short_help="List the bundled cases, or copy one to start from.")
@click.argument("case", required=False)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Copy CASE to this file (or into this folder).")
@click.option("--force", is_flag=True, help="Let the copy replace a file that is there.")
def cases(case: str | None, output: Path | None, force: bool) -> None:
    """List the bundled cases, one line each; or print CASE, or copy it out to start from.

    \b
    exactattn cases                       the list
    exactattn cases xian -o my.toml       a copy to edit; then: exactattn solve my.toml

    A file that is there is not replaced, unless --force says so.
    """
    if case is None:
        if output is not None:
            raise OptionError("-o needs a case to copy: exactattn cases CASE -o FILE")
        put(listing())
    elif output is None:
        put(bundled_text(case))
    else:
        copy(case, output, "replace" if force else "refuse")


def copy(case: str, output: Path, existing: str) -> None:
    """Copy a bundled case to a file, or under its own name into a folder."""
    text = bundled_text(case)
    target = output / f"{case}.toml" if output.is_dir() else output
    if target.suffix.lower() == ".json":
        name = str(target.with_suffix(".toml"))
        raise OptionError("a bundled case is a TOML file: name the copy {name}", name=name)
    if existing == "refuse" and check_writable(target) is not None:
        raise FileError("{name} is there already: name another file, or add --force to replace it", name=str(target))
    write_atomically(target, text.encode("utf-8"))


def listing() -> str:
    """The bundled cases as lines: name, shape, title, in columns."""
    rows = [(name, shape(case := load_case(name)), case.title) for name in bundled()]
    widths = [max(_width(row[i]) for row in rows) for i in range(2)]
    return "".join(f"{_pad(name, widths[0])}  {_pad(size, widths[1])}  {title}\n" for name, size, title in rows)


def shape(case: Case) -> str:
    """A case in short: queries × keys, where it starts, and what is special about it.

    >>> shape(load_case("cross"))
    '2 × 4 tokens, from Q K V'
    """
    inputs, choices = case.inputs, case.attention
    first = next(name for name in ("scores", "Q", "X") if name in inputs)
    queries = len(inputs[first])
    last = inputs.get("K") or inputs.get("X_kv")
    keys = len(last) if last else len(inputs["scores"][0]) if first == "scores" else queries
    start = {"scores": "scores", "Q": "Q K V", "X": "X"}[first]
    parts = [f"{queries} tokens" if queries == keys else f"{queries} × {keys} tokens", f"from {start}"]
    if choices.heads and choices.heads > 1:
        parts.append(f"{choices.heads} heads")
    if choices.mask and choices.mask != "none":
        parts.append("causal mask" if choices.mask == "causal" else "mask")
    if case.symbols:
        parts.append("letters")
    return ", ".join(parts)


def _width(text: str) -> int:
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text)


def _pad(text: str, width: int) -> str:
    return text + " " * (width - _width(text))
