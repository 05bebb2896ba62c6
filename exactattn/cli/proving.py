"""`exactattn identities`: the catalogue of identities, proved where it is asked for."""

from __future__ import annotations

from pathlib import Path

import click

from exactattn.cli.showing import display
from exactattn.cli.solving import check_output
from exactattn.errors import OptionError
from exactattn.i18n import messages
from exactattn.writers import formats


@click.command("identities")
@click.option(
    "--prove",
    "to_prove",
    is_flag=True,
    help="Prove every row of kind P, have its false twins refused, and check the others.",
)
@click.option("--n", "n", type=int, metavar="N", help="Prove for rows of N symbolic scores, 2 to 8.  [default: 4]")
@click.option("-o", "--output", "outputs", multiple=True, metavar="FILE",
              help="Write the catalogue to FILE: .tex .pdf .html .md .txt .json. May be repeated.")  # fmt: skip
@click.option("--lang", metavar="zh|en", default="en", show_default=True, help="The language.")
def identities_command(to_prove: bool, n: int | None, outputs: tuple[str, ...], lang: str) -> int:
    """State the identities of softmax and attention; with --prove, prove them by machine or check them.

    \b
    exactattn identities
    exactattn identities --prove --n 6
    exactattn identities --prove -o identities.pdf --lang zh

    Exit codes: 0 fine, 1 a row could not be proved or a check fails, 2 bad input.
    """
    messages(lang)
    for name in outputs:
        check_output(name)
        if Path(name).suffix.lower() == ".svg" or name.endswith(("/", "\\")) or Path(name).is_dir():
            raise OptionError("-o {name}: the catalogue is one file, and has no figures to save", name=name)
    if n is not None and not to_prove:
        raise OptionError("--n {n} says for how many scores to prove, and nothing is proved: add --prove", n=n)
    from exactattn.identities.page import Found, document, listing
    from exactattn.identities.record import to_json

    found = Found.at(4 if n is None else n) if to_prove else None
    for name in outputs:
        formats.save(lambda: document(lang, found), Path(name), lambda: to_json(lang, found))
    if not outputs:
        display(listing(lang, found))
    return 0 if found is None or found.holds else 1
