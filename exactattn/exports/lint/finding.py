"""What lint finds, and the rows of its tables of rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeAlias, TypeVar

Severity: TypeAlias = Literal["error", "warning"]
SEVERITIES: tuple[Severity, ...] = ("error", "warning")
"""An error is refused by the system or marked wrongly there; a warning is what may go wrong."""

Kind: TypeAlias = Literal["moodle", "qti2", "qti3", "canvas", "package"]
KINDS: tuple[Kind, ...] = ("moodle", "qti2", "qti3", "canvas", "package")
"""The kinds of files: a Moodle XML, an item or test of QTI 2 or 3, quizzes of QTI 1.2 as Canvas has it, a manifest."""


class Line(int):
    """The number of a line that knows the column as well: files of machines are often one long line.

    >>> Line(2, 40), Line(2, 40).column
    (2, 40)
    """

    column: int

    def __new__(cls, line: int, column: int = 0) -> Line:
        """Both from 1; column 0 where it is not known."""
        out = super().__new__(cls, line)
        out.column = column
        return out


@dataclass(frozen=True, slots=True)
class Fault:
    """What a rule sees: the line and the element, and what fills in the rule's sentence.

    `item` is the question's name where the rule looks at more than one question.
    """

    line: int
    element: str
    parts: dict[str, object] = field(default_factory=dict)
    item: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault with the rule it breaks and its place: the file (within a package), the line, the question, the element."""

    rule: str
    severity: Severity
    file: str
    line: int
    item: str
    element: str
    parts: dict[str, object]

    @property
    def column(self) -> int:
        """The column, from 1; 0 where it is not known."""
        return self.line.column if isinstance(self.line, Line) else 0


Subject = TypeVar("Subject")


@dataclass(frozen=True, slots=True)
class Rule(Generic[Subject]):
    """One rule: its name, which is that of its sentences, the kinds of files it is for, and what looks for its faults."""

    name: str
    severity: Severity
    kinds: frozenset[Kind]
    faults: Callable[[Subject], Iterable[Fault]]

    def findings(self, subject: Subject, file: str, item: str = "") -> list[Finding]:
        """The faults of a subject as findings."""
        return [
            Finding(self.name, self.severity, file, one.line, one.item or item, one.element, one.parts)
            for one in self.faults(subject)
        ]


MOODLE: frozenset[Kind] = frozenset({"moodle"})
QTI2: frozenset[Kind] = frozenset({"qti2"})
QTI: frozenset[Kind] = frozenset({"qti2", "qti3"})
CANVAS: frozenset[Kind] = frozenset({"canvas"})
PACKAGE: frozenset[Kind] = frozenset({"package"})
ANY: frozenset[Kind] = frozenset(KINDS)
