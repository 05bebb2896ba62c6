"""Captions with their numbers: "Figure 1", "Table 2", counted through the whole document.

A document goes in and a document comes out, so that every writer that does not number by itself prints the same ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import assert_never

from exactattn.document import (
    Block,
    Display,
    Document,
    Figure,
    Inlines,
    Note,
    PageBreak,
    Para,
    Room,
    Section,
    Side,
    Table,
    Text,
)
from exactattn.i18n import Messages, messages


def numbered(document: Document) -> Document:
    """The document with a number before the caption of every figure and table that has one.

    >>> table = Table((), (), "", (Text("Weights"),))
    >>> numbered(Document((), (), (table, table), "en")).blocks[1].caption
    (Text(text='Table 2. '), Text(text='Weights'))
    """
    numbers = _Numbers(messages(document.lang))
    return replace(document, blocks=numbers.blocks(document.blocks))


class _Numbers:
    def __init__(self, words: Messages) -> None:
        self._words = words
        self._counts: dict[str, Iterator[int]] = {"figure": count(1), "table": count(1)}

    def blocks(self, blocks: tuple[Block, ...]) -> tuple[Block, ...]:
        return tuple(map(self._block, blocks))

    def _block(self, block: Block) -> Block:
        match block:
            case Figure():
                return replace(block, caption=self._caption("figure", block.caption))
            case Table():
                return replace(block, caption=self._caption("table", block.caption))
            case Side() | Note() | Section():
                return replace(block, blocks=self.blocks(block.blocks))
            case Para() | Display() | Room() | PageBreak():
                return block
            case _:
                assert_never(block)

    def _caption(self, kind: str, caption: Inlines) -> Inlines:
        if not caption:
            return caption
        return (Text(self._words.text(f"caption.{kind}", number=next(self._counts[kind]))), *caption)
