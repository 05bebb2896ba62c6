"""What lint found in a file, as lines for people and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from exactattn.exports.lint.finding import KINDS, Finding, Kind, Rule, Severity
from exactattn.i18n import Messages

FORMAT, VERSION = "exactattn lint", 1


@dataclass(frozen=True, slots=True)
class Report:
    """A file, its kind, and its findings in the order of the file."""

    name: str
    kind: Kind
    findings: tuple[Finding, ...]

    @property
    def clean(self) -> bool:
        """Is nothing found?"""
        return not self.findings

    def count(self, severity: Severity) -> int:
        """How many findings are of a severity."""
        return sum(one.severity == severity for one in self.findings)


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that could not be read, and why."""

    name: str
    why: str


def what(found: Finding, words: Messages) -> str:
    """What is wrong, in a sentence."""
    return words.text(f"lint.what.{found.rule}", **found.parts)


def place(report: Report, found: Finding) -> str:
    """The file, the file within it, the line, and the column where it is known."""
    inner = f":{found.file}" if report.name.rpartition("/")[2] != found.file else ""
    column = f":{found.column}" if found.column else ""
    return f"{report.name}{inner}:{found.line:d}{column}"


def lines(reports: Sequence[Report], words: Messages) -> Iterator[str]:
    """Each finding on a line; why a rule matters and how to mend it below its first finding; a count at the end."""
    told = set()
    for report in reports:
        for one in report.findings:
            of = f"{', '.join(filter(None, (one.item, one.element)))}: " if one.item or one.element else ""
            yield (
                f"{place(report, one)}: {words.text(f'lint.severity.{one.severity}')} [{one.rule}] {of}{what(one, words)}"
            )
            if one.rule not in told:
                told.add(one.rule)
                yield "    " + words.text("lint.reason", text=words.text(f"lint.why.{one.rule}"))
                yield "    " + words.text("lint.remedy", text=words.text(f"lint.mend.{one.rule}"))
    errors, warnings = (sum(report.count(severity) for report in reports) for severity in ("error", "warning"))
    counts = {"files": len(reports), "errors": errors, "warnings": warnings}
    yield words.text("lint.total" if errors or warnings else "lint.clean", **counts)


def listed(rules: Iterable[Rule[Any]], words: Messages) -> Iterator[str]:
    """The rules by name: how severe, for which files, why, and how to mend what breaks them."""
    kinds: dict[tuple[str, Severity], set[Kind]] = {}
    for rule in rules:
        kinds.setdefault((rule.name, rule.severity), set()).update(rule.kinds)
    for (name, severity), found in kinds.items():
        files = ", ".join(kind for kind in KINDS if kind in found)
        yield f"{name}: {words.text(f'lint.severity.{severity}')} ({files})"
        yield "    " + words.text("lint.reason", text=words.text(f"lint.why.{name}"))
        yield "    " + words.text("lint.remedy", text=words.text(f"lint.mend.{name}"))


def as_data(reports: Sequence[Report], words: Messages, unread: Iterable[Unread] = ()) -> dict[str, Any]:
    """The reports as plain data: places, rules, what fills in their sentences, and the sentences; files that were not read."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "lang": words.lang,
        "files": [
            {
                "name": report.name,
                "kind": report.kind,
                "findings": [
                    {
                        "rule": one.rule,
                        "severity": one.severity,
                        "file": one.file,
                        "line": int(one.line),
                        "column": one.column,
                        "question": one.item,
                        "element": one.element,
                        "parts": {key: str(value) for key, value in one.parts.items()},
                        "what": what(one, words),
                        "why": words.text(f"lint.why.{one.rule}"),
                        "mend": words.text(f"lint.mend.{one.rule}"),
                    }
                    for one in report.findings
                ],
            }
            for report in reports
        ],
        "unread": [{"name": one.name, "why": one.why} for one in unread],
    }


def to_json(reports: Sequence[Report], words: Messages, unread: Iterable[Unread] = ()) -> str:
    """The same as one JSON text."""
    return json.dumps(as_data(reports, words, unread), ensure_ascii=False, indent=1) + "\n"
