"""How large a case may be before an error says so: the limits on numbers, and three more on files."""

from __future__ import annotations

from dataclasses import dataclass

from exactattn.numbers.limits import Limits


@dataclass(frozen=True, slots=True)
class CaseLimits(Limits):
    """The limits on numbers with those on case files, so that one object goes through the whole house.

    Raise one with `limits=replace(CASE_LIMITS, tokens=2000)` or `--limit tokens=2000`.
    """

    tokens: int = 512
    """Queries, and keys, of a case from a file."""
    file_bytes: int = 16 * 2**20
    """Size of a case file, and of each array file beside it."""


CASE_LIMITS = CaseLimits()
