"""The formats a document is written in, by name and by a file's suffix. A format is one row here and one writer."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal, TypeAlias

from exactattn.document import Document
from exactattn.errors import OptionError, nearest
from exactattn.writers.files import check_writable, write_atomically

Body: TypeAlias = Literal["page", "fragment"]

FORMATS = ("latex", "html", "markdown", "text")
"""What `typeset` writes."""

SUFFIXES = {
    ".tex": "latex",
    ".pdf": "pdf",
    ".html": "html",
    ".htm": "html",
    ".md": "markdown",
    ".txt": "text",
    ".json": "json",
}
"""The format of a file; .json is the caller's record of the same work."""


def typeset(document: Document, format: str, body: Body = "page") -> str:
    """The document as text of a format; `body="fragment"` gives what goes into one's own document."""
    match format:
        case "latex":
            from exactattn.writers.latex import latex

            return latex(document, body=body)
        case "html":
            from exactattn.writers.html import html

            return html(document, body=body)
        case "markdown":
            from exactattn.writers.markdown import markdown

            return markdown(document)
        case "text":
            from exactattn.writers.text import text

            return text(document)
    known = (*FORMATS, "json")
    raise OptionError(
        "format {format!r} is not one of {known}{hint}",
        format=format,
        known=", ".join(known),
        hint=nearest(format, known),
    )


def save(document: Callable[[], Document], path: Path, record: Callable[[], str], body: Body = "page") -> None:
    """Write a file, whole or not at all, in the format of its suffix; `record` gives what .json holds.

    Raises OptionError for an unknown suffix, FileError where it cannot be written, MissingProgram (with what to install)
    for .pdf without TeX.
    """
    suffix = path.suffix.lower()
    if suffix in SUFFIXES:
        check_writable(path)  # before the work, and not after it
    match SUFFIXES.get(suffix):
        case "json":
            data = record().encode()
        case "pdf":
            from exactattn.writers.pdf import pdf

            data = pdf(typeset(document(), "latex"))
        case None:
            raise OptionError(
                "{path}: the suffix {suffix!r} is no format{hint}; the formats are {known}",
                path=str(path), suffix=suffix, hint=nearest(suffix, SUFFIXES), known=", ".join((*SUFFIXES, ".svg")),
            )  # fmt: skip
        case str(format):
            data = typeset(document(), format, body).encode()
    write_atomically(path, data)
