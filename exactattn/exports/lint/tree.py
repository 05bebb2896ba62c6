"""XML as a tree with lines, read without document types, entities or network.

The reader is expat with its handlers for declarations set to stop: an entity is declared only within a document type, and
the first declaration ends the reading, before anything of it is expanded.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from xml.parsers import expat

from exactattn.errors import LimitError
from exactattn.exports.lint.finding import Line
from exactattn.exports.lint.limits import LintLimits

XML_SPACE = "http://www.w3.org/XML/1998/namespace"


class Entities(Exception):
    """The document declares entities, in this line."""

    def __init__(self, line: int) -> None:
        super().__init__(line)
        self.line = line


class IllFormed(Exception):
    """The document is not well-formed: why, and where."""

    def __init__(self, why: str, line: int, column: int, offset: int) -> None:
        super().__init__(why)
        self.why = why
        self.line = line
        self.column = column
        self.offset = offset


@dataclass(slots=True, eq=False)
class Node:
    """An element: its name without prefix, its namespace, attributes, line, and what is in it, text and elements in turn."""

    name: str
    space: str
    attributes: dict[str, str]
    line: Line
    written: str = ""
    """The name as the file has it, where that is another one."""
    children: list[Node] = field(default_factory=list)
    mixed: list[str | Node] = field(default_factory=list)
    """Text and children, as they stand."""

    def get(self, name: str, otherwise: str = "") -> str:
        """An attribute."""
        return self.attributes.get(name, otherwise)

    def all(self, *names: str) -> list[Node]:
        """The children of these names."""
        return [one for one in self.children if one.name in names]

    def first(self, *path: str) -> Node | None:
        """The first child of a name, its first child of the next name, and so on."""
        node: Node | None = self
        for name in path:
            if node is None:
                return None
            node = next((one for one in node.children if one.name == name), None)
        return node

    def inside(self, *names: str) -> Iterator[Node]:
        """All elements below this one, of these names if any are given, in the order of the file."""
        stack = list(reversed(self.children))
        while stack:
            node = stack.pop()
            if not names or node.name in names:
                yield node
            stack.extend(reversed(node.children))

    @property
    def own(self) -> str:
        """The text that is directly in it."""
        return "".join(part for part in self.mixed if isinstance(part, str))

    @property
    def text(self) -> str:
        """All of its text, that of elements in it included."""
        out: list[str] = []
        stack: list[str | Node] = [self]
        while stack:
            part = stack.pop()
            if isinstance(part, str):
                out.append(part)
            else:
                stack.extend(reversed(part.mixed))
        return "".join(out)

    @property
    def tag(self) -> str:
        """The element as a place says it: <name>."""
        return f"<{self.written or self.name}>"


@dataclass(slots=True)
class Document:
    """A file that was read: its root, and the line of its document type, 0 where it has none."""

    root: Node
    doctype: int = 0


def read(data: bytes, limits: LintLimits) -> Document:
    """The tree. Errors: IllFormed, Entities; LimitError where elements are nested too deeply."""
    return _Reader(limits).read(data)


class _Reader:
    def __init__(self, limits: LintLimits) -> None:
        self.limits = limits
        self.stack: list[Node] = []
        self.root: Node | None = None
        self.doctype = 0
        parser: Any = expat.ParserCreate(namespace_separator="\n")
        parser.buffer_text = True
        parser.ordered_attributes = False
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        self.parser = parser

    def read(self, data: bytes) -> Document:
        try:
            self.parser.Parse(data, True)
        except expat.ExpatError as error:
            why = expat.ErrorString(error.code)
            raise IllFormed(why, error.lineno, error.offset + 1, self.parser.ErrorByteIndex) from None
        except (LookupError, ValueError) as error:  # an encoding that nobody knows
            raise IllFormed(str(error), 1, 1, 0) from None
        assert self.root is not None
        return Document(self.root, self.doctype)

    def _doctype(self, *_: object) -> None:
        self.doctype = self.parser.CurrentLineNumber

    def _entity(self, *_: object) -> None:
        raise Entities(self.parser.CurrentLineNumber)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        space, _, local = name.rpartition("\n")
        node = Node(
            local,
            space,
            {_attribute(key): value for key, value in attributes.items()},
            Line(self.parser.CurrentLineNumber, self.parser.CurrentColumnNumber + 1),
        )
        if self.stack:
            self.stack[-1].children.append(node)
            self.stack[-1].mixed.append(node)
        else:
            self.root = node
        self.stack.append(node)
        if len(self.stack) > self.limits.depth:
            raise LimitError(
                "line {line}: elements lie more than {depth} deep within one another: raise it with the limit 'depth'",
                line=node.line, depth=self.limits.depth,
            )  # fmt: skip

    def _end(self, _: str) -> None:
        self.stack.pop()

    def _text(self, text: str) -> None:
        self.stack[-1].mixed.append(text)


def _attribute(name: str) -> str:
    """An attribute's name without its namespace, but for xml:lang and the like."""
    space, _, local = name.rpartition("\n")
    return f"xml:{local}" if space == XML_SPACE else local
