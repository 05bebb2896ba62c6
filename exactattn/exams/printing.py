"""Many papers as one LaTeX document: each begins on a page 1 of its own, with its student at the head of every page."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from exactattn.document import Document, Inlines, PageBreak, Para, Section, Text, Token, plain
from exactattn.i18n import Messages, messages
from exactattn.present.figures.layout import shorten, width
from exactattn.writers.html import Sheet, html
from exactattn.writers.latex import LATIN_SPREADS, RUNNING, SPREADS, blocks
from exactattn.writers.markdown import markdown
from exactattn.writers.templates import latex_templates
from exactattn.writers.tex_maths import inline
from exactattn.writers.tex_tokens import metadata, text

Keep: TypeAlias = Literal["questions", "lines"]
"""What no page breaks where it need not: whole questions, or only lines (worked solutions run on)."""

TAIL = "\\end{document}\n"


def latex(documents: Iterable[Document], lang: str, title: str, keep: Keep, sheet: Sheet = "a4") -> str:
    """The LaTeX of all documents, for one run of xelatex."""
    return (
        head(lang, title, keep, sheet)
        + "".join(one(document, k, keep) for k, document in enumerate(documents, 1))
        + TAIL
    )


def head(lang: str, title: str, keep: Keep, sheet: Sheet) -> str:
    """What comes before the first paper."""
    words = messages(lang)
    return (
        latex_templates()
        .get_template("exam/papers.tex")
        .render(
            lang=lang,
            sheet_size=sheet,
            spread=SPREADS.get(lang, LATIN_SPREADS)[0],
            figure=text(words.text("latex.figure")),
            table=text(words.text("latex.table")),
            metadata=metadata(title),
            empty=text(words.text("latex.empty")),
            sheet=_sheet(words),
            keep=keep,
        )
    )


def one(document: Document, number: int, keep: Keep) -> str:
    """One paper among the others, by its number."""
    return (
        latex_templates()
        .get_template("exam/paper.tex")
        .render(
            number=number,
            title=inline(document.title),
            meta=inline(document.meta),
            left=_fitted(document.running[0], RUNNING[0]),
            right=_fitted(document.running[1], RUNNING[1]),
            parts=[(blocks((block,)), not isinstance(block, PageBreak)) for block in document.blocks],
            keep=keep,
        )
    )


def _fitted(items: Inlines, room: float) -> str:
    """What stands at the head of a page: cut where a name is too long for its place."""
    return inline(items if width(items, "small") <= room else (Text(shorten(plain(items), room, "small")),))


def _sheet(words: Messages) -> str:
    numbers = {"page": r"\attnpage{}", "pages": r"\attnpages{}"}
    items = words.say("latex.sheet", **{name: Token(name) for name in numbers})
    return "".join(numbers[item.text] if isinstance(item, Token) else inline((item,)) for item in items)


# -- formats without pages: all papers as sections of one document, written piece by piece -----------------------------------

_HERE = "exactattn-papers-stand-here"
_MARK = Para((Text(_HERE),))


def page(document: Document, format: str, sheet: Sheet) -> str:
    """The document by itself, in "html" or "md"."""
    return html(document, sheet=sheet) if format == "html" else markdown(document)


def frame(title: str, lang: str, format: str, sheet: Sheet) -> tuple[str, str]:
    """What comes before and after all papers under a title."""
    empty = Document((Text(title),), (), (_MARK,), lang)
    before, mark, after = page(empty, format, sheet).rpartition(_mark(format))
    if not mark:
        raise ValueError(f"{format} has no place for papers")
    return before, after


def section(document: Document, format: str) -> str:
    """A paper as it stands in that frame. What is numbered in it begins with 1."""
    inner = Section((), document.title, document.meta, document.blocks)
    whole = page(Document((), (), (_MARK, inner, _MARK), document.lang), format, "a4")
    mark = _mark(format)
    first, last = whole.index(mark), whole.rindex(mark)
    return whole[first + len(mark) : last].strip("\n")


def _mark(format: str) -> str:
    return f"<p>{_HERE}</p>" if format == "html" else _HERE
