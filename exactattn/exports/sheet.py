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
    """An exam's title, the words of its language, and the choices of whoever exports it.

    `lost` collects, each once and in order, the sentences about what the format does not carry.
    """

    title: str
    words: Messages
    maths: MathsAs = "mathml"
    worked: Worked = "full"
    lost: dict[str, None] = field(default_factory=dict)

    def say(self, key: str, /, **parts: object) -> None:
        """Say a sentence of `exports` by its key, if it was not said before."""
        self.lost.setdefault(self.words.text(f"exports.{key}", **parts))
