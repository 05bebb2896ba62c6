"""A file against all rules for its kind."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import assert_never

from exactattn.errors import InputError
from exactattn.exports.lint import files, schema
from exactattn.exports.lint.canvas import item as canvas
from exactattn.exports.lint.finding import Finding, Kind
from exactattn.exports.lint.limits import LINT_LIMITS, LintLimits
from exactattn.exports.lint.moodle import file as moodle
from exactattn.exports.lint.package import MANIFEST, Package, Read
from exactattn.exports.lint.qti import item as qti
from exactattn.exports.lint.report import Report
from exactattn.exports.lint.rules import (
    CANVAS_FILE,
    CANVAS_ITEM,
    MOODLE_FILE,
    MOODLE_QUESTION,
    OF_PACKAGE,
    OF_SCHEMA,
    OF_SOURCE,
    QTI_ITEM,
)
from exactattn.exports.lint.schema import Against, Schemas
from exactattn.exports.lint.source import Source, kind_of, source
from exactattn.exports.lint.tree import Node


def lint(
    path: str | PathLike[str], *, schemas: Schemas | str | None = None, limits: LintLimits = LINT_LIMITS
) -> Report:
    """What is wrong with a file: a Moodle XML, an item, test or package of QTI 2 or 3, a package of Canvas.

    `schemas` is a folder of .xsd files to check against as well. Errors: FileError, LimitError; InputError for a file that is
    none of these, and for a zip that leads out of itself.
    """
    given = files.opened(path, limits)
    against = schema.opened(schemas) if isinstance(schemas, str) else schemas
    kinds = {name: kind for name, data in given.files.items() if (kind := kind_of(data)) is not None}
    promised = b"imsqti" in given.files.get(MANIFEST, b"")  # a package may name items that it does not hold
    if not set(kinds.values()) - {"package"} and not promised and not (kinds and not given.packed):
        raise InputError(
            "{name} is no file that is known here: a Moodle XML (<quiz>), QTI (<assessmentItem>, <qti-assessment-item>), Canvas "
            "(<questestinterop>), or a zip with such files was due",
            name=given.name,
        )  # fmt: skip
    findings: list[Finding] = []
    read: dict[str, Read] = {}
    for name, kind in kinds.items():
        found = source(given.files[name], kind, limits)
        findings += [one for rule in OF_SOURCE if kind in rule.kinds for one in rule.findings(found, name)]
        if found.document is None:
            continue
        root = qti.second(found.document.root) if kind == "qti3" else found.document.root
        read[name] = Read(kind, root)
        findings += _of(name, kind, root)
        if against is not None:
            findings += _against(name, found, root, against)
    if given.packed:
        findings += _of_package(given, read)
    findings.sort(key=lambda one: (one.file, one.line, one.column))
    main: Kind = next((kind for kind in kinds.values() if kind != "package"), "package")
    return Report(given.name, main, tuple(findings))


def _of(name: str, kind: Kind, root: Node) -> Iterator[Finding]:
    """By the rules of a kind."""
    match kind:
        case "moodle":
            whole = moodle.of_root(root)
            for question in whole.questions:
                for of_question in MOODLE_QUESTION:
                    yield from of_question.findings(question, name, question.name)
            for of_moodle in MOODLE_FILE:
                yield from of_moodle.findings(whole, name)
        case "qti2" | "qti3":
            item = qti.of_root(root, kind)
            for of_item in QTI_ITEM:
                if kind in of_item.kinds:
                    yield from of_item.findings(item, name, item.name)
        case "canvas":
            for one in canvas.of_root(root):
                for of_canvas in CANVAS_ITEM:
                    yield from of_canvas.findings(one, name, one.name)
            for of_root in CANVAS_FILE:
                yield from of_root.findings(root, name)
        case "package":
            return
        case _:
            assert_never(kind)


def _of_package(given: files.Given, read: dict[str, Read]) -> Iterator[Finding]:
    known = read.get(MANIFEST)
    if MANIFEST in given.files and known is None:
        return  # a manifest that cannot be read has its finding
    found = Package(frozenset(given.files), read, None if known is None else known.root)
    for rule in OF_PACKAGE:
        for one in rule.findings(found, MANIFEST):
            inner = str(one.parts.get("file", one.file))
            yield Finding(one.rule, one.severity, inner, one.line, one.item, one.element, one.parts)


def _against(name: str, found: Source, root: Node, schemas: Schemas) -> Iterator[Finding]:
    compiled = schemas.of(root)
    if compiled is not None:
        for rule in OF_SCHEMA:
            yield from rule.findings(Against(found.readable, compiled), name)
