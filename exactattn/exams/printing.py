"""Many papers as one LaTeX document: each begins on a page 1 of its own, with its student at the head of every page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from exactattn.document import Document, Inlines, Section, Text, Token, plain
from exactattn.i18n import Messages, messages
from exactattn.present.figures.layout import shorten, width
from exactattn.writers.latex import LATIN_SPREADS, RUNNING, SPREADS, blocks
from exactattn.writers.templates import latex_templates
from exactattn.writers.tex_maths import inline
from exactattn.writers.tex_tokens import metadata, text

Keep: TypeAlias = Literal["questions", "lines"]
"""What no page breaks where it need not: whole questions, or only lines (worked solutions run on)."""


def latex(documents: Iterable[Document], lang: str, title: str, keep: Keep) -> str:
    """The LaTeX of all documents, for one run of xelatex."""
    words = messages(lang)
    papers = [
        {
            "title": inline(document.title),
            "meta": inline(document.meta),
            "left": _fitted(document.running[0], RUNNING[0]),
            "right": _fitted(document.running[1], RUNNING[1]),
            "parts": [blocks((block,)) for block in document.blocks],
        }
        for document in documents
    ]
    return (
        latex_templates()
        .get_template("exam/papers.tex")
        .render(
            lang=lang,
            spread=SPREADS.get(lang, LATIN_SPREADS)[0],
            figure=text(words.text("latex.figure")),
            table=text(words.text("latex.table")),
            metadata=metadata(title),
            empty=text(words.text("latex.empty")),
            sheet=_sheet(words),
            papers=papers,
            keep=keep,
        )
    )


def _fitted(items: Inlines, room: float) -> str:
    """What stands at the head of a page: cut where a name is too long for its place."""
    return inline(items if width(items, "small") <= room else (Text(shorten(plain(items), room, "small")),))


def _sheet(words: Messages) -> str:
    numbers = {"page": r"\thepage{}", "pages": r"\pageref{\attnlast}"}
    items = words.say("latex.sheet", **{name: Token(name) for name in numbers})
    return "".join(numbers[item.text] if isinstance(item, Token) else inline((item,)) for item in items)


def joined(documents: Iterable[Document], title: str, lang: str) -> Document:
    """All documents as one, under a title (for a format that has no pages)."""
    sections = tuple(Section((), document.title, document.meta, document.blocks) for document in documents)
    return Document((Text(title),), (), sections, lang)
