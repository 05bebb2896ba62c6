"""Files against the XML schemas of a folder. Nothing is fetched: addresses elsewhere are looked up there by their last part."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from exactattn.errors import FileError, InputError
from exactattn.exports.lint.finding import ANY, Fault, Line, Rule
from exactattn.exports.lint.tree import Node

XSD = "http://www.w3.org/2001/XMLSchema"
MOST = 20
"""So many faults of one file are told; the rest mostly follow from them."""


@dataclass(slots=True)
class Schemas:
    """The schemas of a folder, compiled when they are asked for."""

    folder: Path
    places: dict[tuple[str, str], list[Path]]
    """The files that declare an element, by its namespace and name."""
    compiled: dict[Path, Any] = field(default_factory=dict)
    used: bool = False

    def of(self, root: Node) -> Any:
        """The schema for a root element; None where the folder has none."""
        found = self.places.get((root.space, root.written or root.name), [])
        if not found:
            return None
        self.used = True
        named = [part.rpartition("/")[2] for part in root.get("schemaLocation").split()]
        path = next((one for one in found if one.name in named), found[0])
        if path not in self.compiled:
            self.compiled[path] = _compiled(path, self.folder)
        return self.compiled[path]


@dataclass(frozen=True, slots=True)
class Against:
    """A file and the schema of its root."""

    data: bytes
    schema: Any


def opened(folder: str) -> Schemas:
    """The schemas of a folder. Errors: FileError where there is none, InputError for a folder without schemas."""
    etree = _etree()
    place = Path(folder)
    if not place.is_dir():
        raise FileError("--schema {folder}: a folder with .xsd files was due", folder=folder)
    places: dict[tuple[str, str], list[Path]] = {}
    for path in sorted(place.rglob("*.xsd")):
        try:
            root = etree.parse(path, _parser(place)).getroot()
        except (etree.XMLSyntaxError, OSError) as error:
            raise InputError("{path} is no schema: {why}", path=str(path), why=str(error)) from None
        for one in root.findall(f"{{{XSD}}}element"):
            places.setdefault((root.get("targetNamespace") or "", one.get("name") or ""), []).append(path)
    if not places:
        raise InputError("--schema {folder} holds no .xsd file that declares an element", folder=folder)
    return Schemas(place, places)


def _etree() -> Any:
    return import_module("lxml.etree")


def _parser(folder: Path) -> Any:
    etree = _etree()
    local = {path.name: path for path in folder.rglob("*") if path.is_file()}

    def resolve(self: Any, url: str | None, _: str | None, context: Any) -> Any:
        parts = urlsplit(url or "")
        if parts.scheme in ("", "file"):
            return None
        found = local.get(parts.path.rpartition("/")[2])
        return self.resolve_empty(context) if found is None else self.resolve_filename(str(found), context)

    resolver = type("Local", (etree.Resolver,), {"resolve": resolve})
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    parser.resolvers.add(resolver())
    return parser


def _compiled(path: Path, folder: Path) -> Any:
    etree = _etree()
    try:
        return etree.XMLSchema(etree.parse(path, _parser(folder)))
    except (etree.XMLSchemaParseError, etree.XMLSyntaxError) as error:
        raise InputError("{path} is no schema that can be used: {why}", path=str(path), why=str(error)) from None


def schema(found: Against) -> Iterator[Fault]:
    """What the schema does not allow."""
    etree = _etree()
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        tree = etree.fromstring(found.data, parser)
    except etree.XMLSyntaxError as error:
        yield Fault(error.lineno or 1, "", {"why": str(error.msg)})
        return
    if not found.schema.validate(tree):
        for one in list(found.schema.error_log)[:MOST]:
            yield Fault(Line(one.line, one.column), "", {"why": one.message})


RULES: tuple[Rule[Against], ...] = (Rule("schema", "error", ANY, schema),)
