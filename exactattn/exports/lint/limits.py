"""How large a file may be before an error says so."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LintLimits:
    """Raise one with `limits=replace(LINT_LIMITS, file_bytes=2**30)` or `--limit file_bytes=1073741824`."""

    file_bytes: int = 256 * 2**20
    """Size of a file, and of a file within a package once it is unpacked."""
    package_bytes: int = 512 * 2**20
    """Size of all files of a package once they are unpacked."""
    members: int = 20_000
    """Files of a package."""
    depth: int = 200
    """Elements within one another."""


LINT_LIMITS = LintLimits()
