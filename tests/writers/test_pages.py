"""Whole outputs of the sample document, a readable file each in tests/golden/test_pages; the other tests hold their laws."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation

from exactattn.document import Document, Figure, Section
from exactattn.writers.apart import style_apart
from exactattn.writers.html import html
from exactattn.writers.markdown import markdown
from exactattn.writers.svg import svg
from exactattn.writers.templates import source
from exactattn.writers.terminal import terminal
from exactattn.writers.text import text


class GoldenFile(SingleFileSnapshotExtension):
    """A text file under tests/golden with the name that the test gives."""

    _write_mode = WriteMode.TEXT

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        return str(Path(test_location.filepath).parents[1] / "golden" / test_location.basename)

    @classmethod
    def get_file_basename(cls, *, test_location: PyTestLocation, index: object) -> str:
        return str(index)


@pytest.fixture
def golden(snapshot: SnapshotAssertion) -> Callable[[str, str], None]:
    def check(name: str, output: str) -> None:
        stem, suffix = name.rsplit(".", 1)
        kind = type("Golden", (GoldenFile,), {"file_extension": suffix, "_file_extension": suffix})
        assert output == snapshot(name=stem, extension_class=kind)

    return check


def own(page: str) -> str:
    """The page without what is the same in every page: fonts, style sheet, script, and so their hashes."""
    for name in ("html/page.css", "html/page.js"):
        page = page.replace(source(name), f"[{name}]").replace(style_apart(source(name)), f"[{name}, apart]")
    page = re.sub(r"base64,[A-Za-z0-9+/=]+", "base64,...", page)
    return re.sub(r"sha256-[A-Za-z0-9+/=]+", "sha256-...", page)


def test_html(golden: Callable[[str, str], None], sample: Document, sample_en: Document) -> None:
    golden("page_zh.html", own(html(sample)))
    golden("fragment_en.html", own(html(sample_en, body="fragment")))


def test_markdown(golden: Callable[[str, str], None], sample: Document, sample_en: Document) -> None:
    golden("page_zh.md", markdown(sample))
    golden("page_en.md", markdown(sample_en))


def test_text(golden: Callable[[str, str], None], sample: Document, sample_en: Document) -> None:
    golden("page_zh.txt", text(sample))
    golden("page_en_72.txt", text(sample_en, width=72))


def test_terminal(golden: Callable[[str, str], None], sample: Document) -> None:
    out = io.StringIO()
    Console(file=out, width=100).print(terminal(sample))
    golden("terminal_zh.txt", out.getvalue())


def test_pictures(golden: Callable[[str, str], None], sample: Document) -> None:
    steps = [block for block in sample.blocks if isinstance(block, Section)]
    figures = [block for block in (*sample.blocks, *steps[0].blocks) if isinstance(block, Figure)]
    assert [figure.name for figure in figures] == ["pipeline", "scores", "chart"]
    for figure in figures:
        golden(f"{figure.name}.svg", svg(figure.picture, title=figure.name))
