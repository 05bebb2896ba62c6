"""A question kind: what it draws, what it may ask, when a draw is degenerate. One file each; its words are in i18n."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from exactattn.exams.draw import Draw
from exactattn.exams.model import Answer, Asked
from exactattn.trace import Trace

Given = dict[str, Any]
"""Arguments of `attend`."""


@dataclass(frozen=True, slots=True)
class Kind:
    """`id` is that of the field's catalogue (K04), `name` its key for words ("full-attention").

    `draw` gives the arguments of `attend` for one attempt; `asks` are the quantities it may ask, the first ones by default;
    `rows` says which rows of them are asked; `degenerate` names what makes a trace useless. `size` and `parameters` are
    the dials with their defaults; `misconceptions` the catalogue rows in scope (None: all that run).
    """

    id: str
    name: str
    draw: Callable[[Draw, Asked], Given]
    asks: tuple[str, ...]
    answers: tuple[Answer, ...] = ("row", "matrix", "number")
    default: tuple[str, ...] = ()
    rows: Callable[[Trace, Asked], Sequence[int]] = field(default=lambda trace, asked: _rows(trace, asked))
    degenerate: Callable[[Trace, Asked], str | None] = field(default=lambda trace, asked: None)
    size: Mapping[str, int] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    misconceptions: tuple[str, ...] | None = None

    def sized(self, asked: Asked, name: str) -> int:
        """A size as asked for, else the kind's own."""
        return int(asked.size.get(name, self.size[name]))


def _rows(trace: Trace, asked: Asked) -> Sequence[int]:
    if asked.row is not None:
        return (asked.row - 1,)
    if asked.answer == "matrix":
        return range(len(trace.problem.tokens))
    return (0,)
