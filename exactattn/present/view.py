"""How a trace is to be seen: language, rows, digits, layout. Every choice of the reader, none of the numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from exactattn.errors import OptionError, nearest
from exactattn.numbers.rounding import Ties
from exactattn.trace import Trace, position

Show: TypeAlias = Literal["decimal", "exact", "both"]
Pictures: TypeAlias = Literal["drawn", "none"]
Layout: TypeAlias = Literal["full", "brief", "ledger", "worksheet"]

SHOWS: tuple[Show, ...] = ("decimal", "exact", "both")
LAYOUTS: tuple[Layout, ...] = ("full", "brief", "ledger", "worksheet")


@dataclass(frozen=True, slots=True)
class View:
    """The reader's choices.

    `rows` are positions from 0 of the queries worked in full. `found` is set where places were looked for (`auto`): the
    names for which none would do. `pictures` are the heat maps and bars within the steps; without them a step has what
    is said of the asked rows.
    """

    lang: str = "en"
    rows: tuple[int, ...] = (0,)
    places: Mapping[str, int] = field(default_factory=dict)
    ties: Ties = "half-up"
    show: Show = "decimal"
    layout: Layout = "full"
    pictures: Pictures = "drawn"
    title: str = ""
    source: str = ""
    found: tuple[str, ...] | None = None


def rows_of(trace: Trace, asked: tuple[str, ...] | None) -> tuple[int, ...]:
    """The positions of the asked rows, by token or "#2", each once and in the order of the sentence; the first row if none."""
    if not asked:
        return (0,)
    return tuple(sorted({position(trace.problem.tokens, row, "row") for row in asked}))


def checked_show(show: str) -> Show:
    """decimal, exact or both."""
    for known in SHOWS:
        if show == known:
            return known
    raise OptionError(
        "show {show!r} is not one of {known}{hint}", show=show, known=", ".join(SHOWS), hint=nearest(show, SHOWS)
    )


def checked_layout(layout: str) -> Layout:
    """full, brief, ledger or worksheet."""
    for known in LAYOUTS:
        if layout == known:
            return known
    raise OptionError(
        "layout {layout!r} is not one of {known}{hint}",
        layout=layout,
        known=", ".join(LAYOUTS),
        hint=nearest(layout, LAYOUTS),
    )
