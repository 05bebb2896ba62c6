"""Rules on a package: its manifest against its files."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from exactattn.exports.lint.finding import PACKAGE, Fault, Kind, Rule
from exactattn.exports.lint.tree import Node

MANIFEST = "imsmanifest.xml"

_TYPES: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"imsqti_(?:item|apipitem)_xmlv2p\d+"), ("assessmentItem",)),
    (re.compile(r"imsqti_test_xmlv2p\d+"), ("assessmentTest",)),
    (re.compile(r"imsqti_item_xmlv3p\d+"), ("qti-assessment-item",)),
    (re.compile(r"imsqti_test_xmlv3p\d+"), ("qti-assessment-test",)),
    (re.compile(r"imsqti_xmlv1p\d+(?:/.*)?"), ("questestinterop",)),
)
"""What the root of a resource's file is, by the resource's type."""

_SOURCES = {"img": "src", "object": "data", "audio": "src", "video": "src", "source": "src", "stylesheet": "href",
            "assessmentItemRef": "href", "assessmentSectionRef": "href"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Read:
    """A file of the package that was read: its kind and its tree, names of version 3 turned into those of version 2."""

    kind: Kind
    root: Node


@dataclass(frozen=True, slots=True)
class Package:
    """The names of all files, and the trees of those that are known here; `manifest` is the one at the top, if there is one."""

    names: frozenset[str]
    read: dict[str, Read]
    manifest: Node | None

    def resources(self) -> list[Node]:
        """The resources that the manifest lists."""
        return [] if self.manifest is None else list(self.manifest.inside("resource"))


def _within(base: str, href: str) -> str | None:
    """A reference as the name of a file of the package; None for an address elsewhere, "" for a fragment."""
    parts = urlsplit(href)
    if parts.scheme or parts.netloc:
        return None
    return posixpath.normpath(posixpath.join(base, unquote(parts.path))) if parts.path else ""


def _base(*nodes: Node) -> str:
    return posixpath.join(*(node.get("xml:base") for node in nodes))


def _hrefs(found: Package) -> Iterator[tuple[Node, Node, str]]:
    """Each resource with an element of it that names a file, and the file."""
    for resource in found.resources():
        base = _base(resource) if found.manifest is None else _base(found.manifest, resource)
        for node in (resource, *resource.all("file")):
            name = _within(base, node.get("href"))
            if name:
                yield resource, node, name


def manifest_missing(found: Package) -> Iterator[Fault]:
    """No manifest at the top of the package."""
    if found.manifest is None:
        deeper = next((name for name in sorted(found.names) if name.endswith("/" + MANIFEST)), "")
        yield Fault(1, MANIFEST, {"found": deeper or "–"})


def href_missing(found: Package) -> Iterator[Fault]:
    """A file that the manifest names and the package does not hold."""
    said = set()
    for _, node, name in _hrefs(found):
        if name not in found.names and name not in said:
            said.add(name)
            yield Fault(node.line, node.tag, {"name": name})


def dependency_missing(found: Package) -> Iterator[Fault]:
    """A dependency on a resource that is not listed."""
    known = {one.get("identifier") for one in found.resources()}
    for resource in found.resources():
        for node in resource.all("dependency"):
            if node.get("identifierref") not in known:
                yield Fault(node.line, node.tag, {"name": node.get("identifierref")})


def resource_twice(found: Package) -> Iterator[Fault]:
    """Two resources with one identifier."""
    known: set[str] = set()
    for one in found.resources():
        if one.get("identifier") in known:
            yield Fault(one.line, one.tag, {"name": one.get("identifier")})
        known.add(one.get("identifier"))


def resource_identifier(found: Package) -> Iterator[Fault]:
    """A resource whose identifier is no name."""
    for one in found.resources():
        if re.fullmatch(r"[^\W\d][\w.-]*", one.get("identifier")) is None:
            yield Fault(one.line, one.tag, {"name": one.get("identifier")})


def resource_type(found: Package) -> Iterator[Fault]:
    """A resource whose file is of another type than it says."""
    for resource, node, name in _hrefs(found):
        if node is not resource and resource.get("href"):
            continue
        due = next((roots for pattern, roots in _TYPES if pattern.fullmatch(resource.get("type"))), None)
        read = found.read.get(name)
        if due is not None and read is not None and (read.root.written or read.root.name) not in due:
            yield Fault(resource.line, resource.tag, {"type": resource.get("type"), "root": read.root.tag})


def file_unlisted(found: Package) -> Iterator[Fault]:
    """A file with questions that no resource lists."""
    listed = {name for _, _, name in _hrefs(found)}
    for name, read in sorted(found.read.items()):
        if found.manifest is not None and read.kind != "package" and name not in listed:
            yield Fault(1, MANIFEST, {"name": name})


def reference_missing(found: Package) -> Iterator[Fault]:
    """A picture, a style sheet or an item that a file names and the package does not hold."""
    for file, read in sorted(found.read.items()):
        if read.kind not in ("qti2", "qti3"):
            continue
        for node in read.root.inside(*_SOURCES):
            name = _within(posixpath.dirname(file), node.get(_SOURCES[node.name]))
            if name and name not in found.names:
                yield Fault(node.line, node.tag, {"name": name, "file": file})


RULES: tuple[Rule[Package], ...] = (
    Rule("manifest-missing", "error", PACKAGE, manifest_missing),
    Rule("href-missing", "error", PACKAGE, href_missing),
    Rule("dependency-missing", "error", PACKAGE, dependency_missing),
    Rule("resource-twice", "error", PACKAGE, resource_twice),
    Rule("identifier-form", "error", PACKAGE, resource_identifier),
    Rule("resource-type", "error", PACKAGE, resource_type),
    Rule("file-unlisted", "warning", PACKAGE, file_unlisted),
    Rule("reference-missing", "error", PACKAGE, reference_missing),
)
