"""Document tree -> a rich renderable: what a terminal with colours shows of a solution.

Maths and tables have the lines of the plain text writer. No text is ever read as rich's markup: every string goes into
a `rich.text.Text`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, assert_never

from exactattn.document import (
    Block,
    Code,
    Display,
    Document,
    Figure,
    Note,
    PageBreak,
    Para,
    Picture,
    Room,
    Section,
    Side,
    Table,
    Text,
)
from exactattn.writers.numbering import numbered
from exactattn.writers.spans import Span, Spans, wrapped
from exactattn.writers.terminal_heatmaps import heatmap
from exactattn.writers.text import legend
from exactattn.writers.text_areas import displayed
from exactattn.writers.text_maths import spans
from exactattn.writers.text_tables import table_lines

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.text import Text as RichText

STYLES = {
    "": "",
    "strong": "bold",
    "token": "",
    "max": "bold red",
    "answer": "bold reverse",
    "doubt": "underline yellow",
    "suspect": "bold yellow",
    "wrong": "bold white on red",
    "open": "dim",
    "blank": "",
    "rule": "dim",
    "head": "bold",
}
NOTES = {"problem": "blue", "check": "green", "warning": "yellow", "answer": "bold blue"}


def terminal(document: Document) -> RenderableType:
    """The document as a renderable for `rich.console.Console.print`."""
    from rich.console import Group
    from rich.padding import Padding

    shown = numbered(document)
    head: list[RenderableType] = [_wrapped(spans(shown.title), "bold blue")]
    if shown.meta:
        head.append(_wrapped(spans(shown.meta), "dim"))
    return Padding(Group(*head, "", *_blocks(shown.blocks), _wrapped((Span(legend(shown)),), "dim")), (1, 1))


def _blocks(blocks: tuple[Block, ...]) -> Iterator[RenderableType]:
    for block in blocks:
        yield from _block(block)
        yield ""


def _block(block: Block) -> Iterator[RenderableType]:
    from rich.console import Group
    from rich.padding import Padding
    from rich.panel import Panel
    from rich.rule import Rule

    match block:
        case Code(items):
            yield Padding(_wrapped(spans(items)), (0, 0, 0, 4))
        case Para(items):
            yield _wrapped(spans(items))
        case Display(body):
            yield Padding(_Fitted(lambda room: displayed(body, room).lines), (0, 0, 0, 4))
        case Table():
            if block.caption:
                yield _wrapped(spans(block.caption), "italic")
            yield _Fitted(lambda room: table_lines(block, room))
        case Figure(_, picture, caption, note):
            yield _wrapped(spans(caption), "italic")
            yield Padding(_Drawn(picture), (0, 0, 0, 4))
            if note:
                yield Padding(_wrapped(spans(note), "dim"), (0, 0, 0, 4))
        case Side(blocks):
            yield from _blocks(blocks)
        case Note(kind, title, blocks):
            inner = list(_blocks(blocks))[:-1]
            yield Panel(Group(*inner), title=_rich(spans(title)), title_align="left", border_style=NOTES[kind])
        case Section(label, title, aside, blocks):
            gap = (Span("  "),) if label else ()
            yield Rule(_rich((*spans(label), *gap, *spans(title)), "bold"), align="left", style="blue")
            if aside:
                yield _wrapped(spans(aside), "dim")
            yield ""
            yield from _blocks(blocks)
        case Room(lines):
            yield "\n" * (lines - 1)
        case PageBreak():
            yield Rule(characters="═")
        case _:
            assert_never(block)


def _rich(parts: Iterable[Span], style: str = "") -> RichText:
    from rich.text import Text as RichText

    out = RichText(style=style)
    for span in parts:
        out.append(span.text, STYLES[span.kind])
    return out


class _Drawn:
    """A heatmap where there is room for it; of other pictures the description."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        drawn = heatmap(self._picture, options.max_width)
        yield _wrapped(spans((Text(self._picture.describe),)), "dim") if drawn is None else drawn


class _Fitted:
    """Lines laid out when the width of the terminal is known; they are not broken again."""

    def __init__(self, lines: Callable[[int], Iterable[Spans]], style: str = "") -> None:
        self._lines = lines
        self._style = style

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        from rich.text import Text as RichText

        lines = (_rich(line) for line in self._lines(options.max_width))
        yield RichText("\n", style=self._style, no_wrap=True, overflow="ignore").join(lines)


def _wrapped(parts: Spans, style: str = "") -> _Fitted:
    return _Fitted(lambda room: wrapped(parts, room), style)
