"""What every writer is told, and where it says what its format cannot carry."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from exactattn.exports.portable import MathsAs
from exactattn.i18n import Messages

Worked: TypeAlias = Literal["full", "none"]
WORKED: tuple[Worked, ...] = ("full", "none")
"""Whether the worked solution goes with each question."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """An exam's title, the words of its language, and the choices of whoever exports it: maths is None for what suits a format.

    `told` collects what the format does not carry: for each sentence the ids of the questions that it is true of.
    """

    title: str
    words: Messages
    maths: MathsAs | None = None
    worked: Worked = "full"
    told: dict[tuple[str, tuple[tuple[str, object], ...]], dict[str, None]] = field(default_factory=dict)

    def say(self, key: str, id: str, /, **parts: object) -> None:
        """Say a sentence of `exports` by its key, of the question with this id in the spec."""
        self.told.setdefault((key, tuple(parts.items())), {})[id] = None

    @property
    def lost(self) -> tuple[str, ...]:
        """The sentences, in the order in which they were said first."""
        between = self.words.text("solution.comma")
        return tuple(
            self.words.text(f"exports.{key}", id=between.join(ids), **dict(parts))
            for (key, parts), ids in self.told.items()
        )
