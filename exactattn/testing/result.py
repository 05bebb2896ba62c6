"""What a verification found: a row for each identity, number type by number type, and the conventions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from exactattn.testing.conventions import Convention
from exactattn.testing.signature import Signature
from exactattn.testing.telling import Told

Verdict: TypeAlias = Literal["holds", "differs", "fails", "reported", "unasked"]
"""It holds within the bounds; it does, but not to the bit; it fails; a convention; nothing here asks for it."""

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)


@dataclass(frozen=True, slots=True)
class Accuracies:
    """The largest and the middle error in ulp, and how many of all entries are correctly rounded.

    `most` is None where an error is not finite, `middle` is of those that are.
    """

    most: str | None
    middle: str | None
    right: int
    entries: int


@dataclass(frozen=True, slots=True)
class RowResult:
    """A row of the report: how many checks, how many failed, how many of those compared bit by bit are unlike.

    `worst` is the check that came nearest to its bound (or went furthest beyond it), `failure` the first that failed, made
    small. `dtype` is None for conventions.
    """

    name: str
    dtype: str | None
    verdict: Verdict
    checks: int
    failures: int = 0
    compared: int = 0
    unlike: int = 0
    worst: Told | None = None
    failure: Told | None = None
    accuracies: Accuracies | None = None


@dataclass(frozen=True, slots=True)
class Verification:
    """A callable verified."""

    target: str
    takes: Signature
    versions: Mapping[str, str]
    seed: int
    examples: int
    dtypes: tuple[str, ...]
    rows: tuple[RowResult, ...]
    conventions: tuple[Convention, ...]
    options: Mapping[str, str] = field(default_factory=dict)
    stopped: bool = False

    @property
    def passes(self) -> bool:
        """Did nothing fail?"""
        return not self.failing

    @property
    def failing(self) -> tuple[RowResult, ...]:
        """The rows that fail."""
        return tuple(row for row in self.rows if row.verdict == "fails")

    def row(self, name: str, dtype: str | None = None) -> RowResult:
        """A row by name; the first of its name where no number type is named. Errors: KeyError."""
        for row in self.rows:
            if row.name == name and dtype in (None, row.dtype):
                return row
        raise KeyError(name)
