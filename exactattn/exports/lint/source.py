"""Rules on the bytes of a file: is it XML at all, and XML that every importer reads?"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from exactattn.exports.lint.encoding import BOM, UTF8, declared, decoded, marked, wide, written
from exactattn.exports.lint.finding import ANY, Fault, Kind, Line, Rule
from exactattn.exports.lint.limits import LintLimits
from exactattn.exports.lint.tree import Document, Entities, IllFormed, read

_DECLARATION = re.compile(rb"<\?xml\s[^>]*\?>")
_CDATA = re.compile(rb"<!\[CDATA\[.*?(?:\]\]>|\Z)|<!--.*?(?:-->|\Z)", re.DOTALL)
_SLASH = re.compile(rb"(?<![</])/<([A-Za-z][\w.-]*)>")
_ELEMENT = re.compile(r"<([A-Za-z_][\w.:-]*)([^>]*)")
PROLOG = 1 << 16
"""So many bytes are looked through for the root element."""
BEFORE = 1 << 12
"""So many for the declaration."""

ROOTS: dict[str, Kind] = {
    "quiz": "moodle",
    "assessmentItem": "qti2",
    "assessmentTest": "qti2",
    "assessmentSection": "qti2",
    "qti-assessment-item": "qti3",
    "qti-assessment-test": "qti3",
    "qti-assessment-section": "qti3",
    "questestinterop": "canvas",
    "manifest": "package",
}
"""The root elements of what is known here."""


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of a file of a kind, its tree where there is one, and why there is none."""

    data: bytes
    kind: Kind
    readable: bytes = b""
    """The bytes without what stands before the declaration."""
    document: Document | None = None
    problem: IllFormed | Entities | None = None


def kind_of(data: bytes) -> Kind | None:
    """The kind of a file by its root element; None where it is no file that is known here.

    >>> kind_of(b"<?xml version='1.0'?>\\n<!-- by hand --><quiz>"), kind_of(b"<html>")
    ('moodle', None)
    """
    text = decoded(data[:PROLOG])
    found = _ELEMENT.match(text, _after_prolog(text, 0))
    if found is None:
        at = text.find("<?xml ")  # something stands before the declaration
        found = _ELEMENT.match(text, _after_prolog(text, at)) if at > 0 else None
    if found is None:
        return None
    kind = ROOTS.get(found[1].rpartition(":")[2])
    return None if kind == "moodle" and "canvas" in found[2] else kind


def _after_prolog(text: str, at: int) -> int:
    """Where the root element begins: after white space, processing instructions, comments and the document type."""
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        if text.startswith("<?", at):
            end = text.find("?>", at) + 2
        elif text.startswith("<!--", at):
            end = text.find("-->", at) + 3
        elif text.startswith("<!DOCTYPE", at):
            end = text.find(">", at) + 1
            subset = text.find("[", at, max(end, at))
            if subset >= 0:
                end = text.find(">", max(text.find("]", subset), at)) + 1
        else:
            return at
        if end <= at:
            return len(text)
        at = end


def source(data: bytes, kind: Kind, limits: LintLimits) -> Source:
    """Read the bytes. A declaration that is not at the beginning is passed over, so that the rest can be looked at."""
    readable = data
    at = _DECLARATION.search(data, 0, BEFORE)
    if at is not None and at.start() and not data.startswith(BOM + b"<?xml") and not wide(data):
        lines = data[: at.end()].count(b"\n")
        readable = b"\n" * lines + data[at.end() :]
    try:
        return Source(data, kind, readable, read(readable, limits))
    except (IllFormed, Entities) as problem:
        return Source(data, kind, readable, None, problem)


# -- rules -------------------------------------------------------------------------------------------------------------------


def declaration_first(found: Source) -> Iterator[Fault]:
    """The declaration stands, but not at byte 0."""
    data = found.data.removeprefix(BOM)
    at = _DECLARATION.search(data, 0, BEFORE)
    if at is not None and at.start() and not wide(data):
        yield Fault(data[: at.start()].count(b"\n") + 1, "<?xml?>", {"bytes": at.start()})


def declaration_missing(found: Source) -> Iterator[Fault]:
    """There is no declaration at all."""
    if not wide(found.data) and _DECLARATION.search(found.data, 0, BEFORE) is None:
        yield Fault(1, "<?xml?>")


def encoding(found: Source) -> Iterator[Fault]:
    """Moodle takes UTF-8 only; others what the declaration says, if it is true and known to every parser."""
    data, problem = found.data, found.problem
    name, said = written(data), declared(data)
    if name == UTF8:
        if said.lower() not in ("", "utf-8", "utf8", "us-ascii", "ascii") and not data.isascii():
            yield Fault(1, "<?xml?>", {"found": name, "declared": said})
        return
    unread = isinstance(problem, IllFormed) and ("token" in problem.why or "encoding" in problem.why)
    if found.kind == "moodle" or unread or (wide(data) and not marked(data)):
        yield Fault(_first_line(data), "<?xml?>", {"found": name or "–", "declared": said or "–"})


def _first_line(data: bytes) -> int:
    """The line of the first byte that is none of UTF-8."""
    if wide(data):
        return 1
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return data[: error.start].count(b"\n") + 1
    return 1


def cdata_end(found: Source) -> Iterator[Fault]:
    """A CDATA section has ended earlier than it was meant to: ]]> stands where none is open."""
    if isinstance(found.problem, IllFormed):
        at = _stray_end(found.data)
        if at is not None:
            yield Fault(found.data[:at].count(b"\n") + 1, "]]>")


def slash_tag(found: Source) -> Iterator[Fault]:
    """A closing tag is written as /<name>."""
    if isinstance(found.problem, IllFormed) and _stray_end(found.data) is None:
        data = _CDATA.sub(_blank, found.data)
        for one in _SLASH.finditer(data):
            name = one[1].decode("ascii")
            opened = len(re.findall(rb"<%b(?:\s[^<>]*)?(?<!/)>" % re.escape(one[1]), data))
            if opened > data.count(b"</%b>" % one[1]):  # else a slash before a tag is text
                yield Fault(data[: one.start()].count(b"\n") + 1, f"/<{name}>", {"name": name})


def not_well_formed(found: Source) -> Iterator[Fault]:
    """All else that no parser reads."""
    problem = found.problem
    if isinstance(problem, IllFormed) and not any(rule(found) for rule in (_is_cdata, _is_slash, _is_encoding)):
        yield Fault(Line(problem.line, problem.column), "", {"why": problem.why, "column": problem.column})


def entities(found: Source) -> Iterator[Fault]:
    """Entities are declared: nothing of the file is read further."""
    if isinstance(found.problem, Entities):
        yield Fault(found.problem.line, "<!ENTITY>")


def doctype(found: Source) -> Iterator[Fault]:
    """A document type is named. It is not fetched, here or by a careful system."""
    if found.document is not None and found.document.doctype:
        yield Fault(found.document.doctype, "<!DOCTYPE>")


def _is_cdata(found: Source) -> bool:
    return next(cdata_end(found), None) is not None


def _is_slash(found: Source) -> bool:
    return next(slash_tag(found), None) is not None


def _is_encoding(found: Source) -> bool:
    return next(encoding(found), None) is not None


def _blank(found: re.Match[bytes]) -> bytes:
    return re.sub(rb"[^\n]", b" ", found[0])


def _stray_end(data: bytes) -> int | None:
    at = _CDATA.sub(_blank, data).find(b"]]>")
    return None if at < 0 else at


RULES: tuple[Rule[Source], ...] = (
    Rule("declaration-first", "error", ANY, declaration_first),
    Rule("declaration-missing", "warning", ANY, declaration_missing),
    Rule("encoding", "error", ANY, encoding),
    Rule("cdata-end", "error", ANY, cdata_end),
    Rule("slash-tag", "error", ANY, slash_tag),
    Rule("not-well-formed", "error", ANY, not_well_formed),
    Rule("entities", "error", ANY, entities),
    Rule("doctype", "warning", ANY, doctype),
)
