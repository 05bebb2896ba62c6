"""Document tree -> plain text, to read in a terminal or an editor: no colours, no control characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import assert_never

from exactattn.document import (
    Block,
    Code,
    Display,
    Document,
    Figure,
    Mark,
    Note,
    PageBreak,
    Para,
    Picture,
    Room,
    Section,
    Side,
    Strong,
    Table,
    Text,
)
from exactattn.i18n import messages
from exactattn.writers.numbering import numbered
from exactattn.writers.spans import Span, Spans, columns, text_of, wrapped
from exactattn.writers.text_areas import displayed
from exactattn.writers.text_maths import spans
from exactattn.writers.text_tables import table_lines

GAP = 2  # columns between a heading and its remark
MARGIN = "    "
MARKED = ("max", "answer", "doubt", "suspect", "wrong")


def text(document: Document, *, width: int = 100) -> str:
    """The document in lines of `width` columns; displays that are wider and cannot be broken run over.

    A figure is its caption and the sentence that describes it.
    """
    shown = numbered(document)
    body = list(_blocks(shown.blocks, width))
    head = [*wrapped(spans(shown.title), width), (Span("═" * min(width, columns(spans(shown.title)))),)]
    if shown.meta:
        head += wrapped(spans(shown.meta), width)
    lines = [*head, (), *body]
    said = legend(shown)
    if said:
        lines += [(), *wrapped((Span(said),), width)]
    return "\n".join(text_of(line).rstrip() for line in _without_gaps(lines)) + "\n"


def legend(document: Document) -> str:
    """What the marks in a document mean, "" where there are none."""
    kinds = set(_marks(document.blocks))
    if not kinds & set(MARKED):
        return ""
    words = messages(document.lang)
    each = (words.text(f"text.marks.{kind}") for kind in MARKED if kind in kinds)
    return words.text("text.legend", marks=words.text("text.then").join(each))


def _marks(node: object) -> Iterator[str]:
    """The kinds of all marks in a part of the tree; pictures have none of their own."""
    if isinstance(node, Picture):
        return
    if isinstance(node, Mark):
        yield node.kind
    if isinstance(node, tuple):
        for item in node:
            yield from _marks(item)
    elif is_dataclass(node):
        for part in fields(node):
            yield from _marks(getattr(node, part.name))


def _without_gaps(lines: list[Spans]) -> Iterator[Spans]:
    """No two empty lines together."""
    before: Spans = ()
    for line in lines:
        if line or before:
            yield line
        before = line


def _blocks(blocks: tuple[Block, ...], room: int) -> Iterator[Spans]:
    for block in blocks:
        yield from _block(block, room)
        yield ()


def _block(block: Block, room: int) -> Iterator[Spans]:
    match block:
        case Code(items):
            yield from _indented(wrapped(spans(items), room - len(MARGIN)), MARGIN)
        case Para(items):
            yield from wrapped(spans(items), room)
        case Display(body):
            yield from _indented(displayed(body, room - len(MARGIN)).lines, MARGIN)
        case Table():
            yield from wrapped(spans(block.caption), room) if block.caption else ()
            yield from table_lines(block, room)
        case Figure(_, picture, caption, note):
            yield from wrapped(spans(caption), room)
            yield from _indented(wrapped(spans((Text(picture.describe),)), room - len(MARGIN)), MARGIN)
            yield from _indented(wrapped(spans(note), room - len(MARGIN)) if note else [], MARGIN)
        case Side(blocks):
            yield from _blocks(blocks, room)
        case Note():
            inner = list(_without_gaps(list(_blocks(titled(block), room - 2))))
            yield from _indented(inner[:-1], "│ ")
        case Section():
            yield from _heading(block, room)
            yield ()
            yield from _blocks(block.blocks, room)
        case Room(lines):
            yield from ((),) * lines
        case PageBreak():
            yield (Span("═" * room),)
        case _:
            assert_never(block)


def titled(note: Note) -> tuple[Block, ...]:
    """The blocks of a note with its title run in."""
    if not note.title:
        return note.blocks
    match note.blocks:
        case (Para(items), *rest):
            return (Para((Strong(note.title), Text("  "), *items)), *rest)
        case blocks:
            return (Para((Strong(note.title),)), *blocks)


def _heading(section: Section, room: int) -> Iterator[Spans]:
    label = (*spans(section.label), Span("  ")) if section.label else ()
    left = (*label, *spans(section.title))
    right = spans(section.aside)
    gap = room - columns(left) - columns(right)
    if right and gap >= GAP:
        yield (*left, Span(" " * gap), *right)
    else:
        yield from wrapped((*left, Span("  "), *right) if right else left, room)
    yield (Span(("─" if section.label else "·") * room),)


def _indented(lines: Sequence[Spans], indent: str) -> list[Spans]:
    return [(Span(indent), *line) for line in lines]
