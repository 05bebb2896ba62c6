"""A document on standard output."""

from __future__ import annotations

import sys

from exactattn.cli.console import output, put
from exactattn.document import Document
from exactattn.writers import formats


def display(document: Document) -> None:
    """Show it: laid out for a terminal, plain for a pipe."""
    if sys.stdout is not None and sys.stdout.isatty():
        from rich.console import Console

        from exactattn.writers.terminal import terminal

        shown = terminal(document)
        with output():
            Console(file=sys.stdout).print(shown)
    else:
        put(formats.typeset(document, "text"))
