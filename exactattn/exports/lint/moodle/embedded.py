"""Rules on the files within a Moodle XML: those that texts name, those that come with them."""

from __future__ import annotations

import re
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Iterator
from html import unescape
from urllib.parse import unquote

from exactattn.exports.lint.finding import MOODLE, Fault, Rule
from exactattn.exports.lint.moodle.file import Question
from exactattn.exports.lint.tree import Node

_NAMED = re.compile(r"@@PLUGINFILE@@(/[^\"'<>\s?#)\\]+)")


def _holders(one: Question) -> Iterator[tuple[Node, list[str], list[str]]]:
    """Each element with a text: the paths it names, and those of the files in it."""
    for node in (one.node, *one.node.inside()):
        text = node.first("text")
        if text is None:
            continue
        named = [unquote(unescape(path)) for path in _NAMED.findall(text.own)]
        yield node, named, [_path(file) for file in node.all("file")]


def _path(file: Node) -> str:
    return f"{file.get('path', '/') or '/'}{file.get('name')}"


def file_missing(one: Question) -> Iterator[Fault]:
    """A file that a text names and that does not come with it."""
    for node, named, files in _holders(one):
        for path in dict.fromkeys(named):
            if path not in files:
                yield Fault(node.line, node.tag, {"path": path})


def file_unused(one: Question) -> Iterator[Fault]:
    """A file that no text names."""
    for node, named, files in _holders(one):
        for path in dict.fromkeys(files):
            if path not in named:
                yield Fault(node.line, "<file>", {"path": path})


def file_twice(one: Question) -> Iterator[Fault]:
    """Two files of one path: the second is dropped."""
    for node, _, files in _holders(one):
        for path in dict.fromkeys(files):
            if files.count(path) > 1:
                yield Fault(node.line, "<file>", {"path": path})


def file_data(one: Question) -> Iterator[Fault]:
    """A file whose content is not base64."""
    for file in one.node.inside("file"):
        try:
            data = b64decode("".join(file.text.split()), validate=True)
        except NotBase64:
            data = b""
        if not data:
            yield Fault(file.line, "<file>", {"path": _path(file)})


RULES: tuple[Rule[Question], ...] = (
    Rule("file-missing", "error", MOODLE, file_missing),
    Rule("file-unused", "warning", MOODLE, file_unused),
    Rule("file-twice", "warning", MOODLE, file_twice),
    Rule("file-data", "error", MOODLE, file_data),
)
