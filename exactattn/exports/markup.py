"""XML as a small tree, written out as text: every character escaped, attributes in the order given, no white space added.

XML 1.0 cannot hold control characters at all. What a reader wrote comes through `writers.clean` first, where they are seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


@dataclass(frozen=True, slots=True)
class Element:
    """An element; `children` are elements and text."""

    name: str
    attributes: tuple[tuple[str, str], ...] = ()
    children: tuple[Node, ...] = ()


Node: TypeAlias = Element | str


def element(name: str, /, *children: Node, **attributes: str) -> Element:
    """An element in a line. An underscore at the end of a keyword is dropped: `class_="matrix"`.

    >>> text(element("p", "a < b", element("br"), class_="x"))
    '<p class="x">a &lt; b<br/></p>'
    """
    return Element(name, tuple((key.rstrip("_"), value) for key, value in attributes.items()), children)


def text(node: Node) -> str:
    """The XML of a node."""
    return "".join(_pieces(node))


def document(root: Element) -> bytes:
    """A whole file: the declaration first, UTF-8, an end of line at its end."""
    return f"{DECLARATION}{text(root)}\n".encode()


def _pieces(node: Node) -> Iterator[str]:
    if isinstance(node, str):
        yield escaped(node)
        return
    yield f"<{node.name}"
    for name, value in node.attributes:
        yield f' {name}="{escaped(value)}"'
    if not node.children:
        yield "/>"
        return
    yield ">"
    for child in node.children:
        yield from _pieces(child)
    yield f"</{node.name}>"


def escaped(text: str) -> str:
    """Text as XML writes it, in an element or an attribute; line ends and tabs survive in both.

    >>> escaped('a & "b" <c> ]]>')
    'a &amp; &quot;b&quot; &lt;c&gt; ]]&gt;'
    """
    out = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return out.replace("\t", "&#9;").replace("\n", "&#10;").replace("\r", "&#13;")
