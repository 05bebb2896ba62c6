"""XML as a small tree, written out as text: every character escaped, attributes in the order given, no white space added.

XML 1.0 cannot hold control characters at all. What a reader wrote comes through `writers.clean` first, where they are seen.
"""

from __future__ import annotations

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
    out: list[str] = []
    _write(node, out)
    return "".join(out)


def document(root: Element) -> bytes:
    """A whole file: the declaration first, UTF-8, an end of line at its end."""
    return f"{DECLARATION}{text(root)}\n".encode()


def _write(node: Node, out: list[str]) -> None:
    if isinstance(node, str):
        out.append(escaped(node))
        return
    out.append(f"<{node.name}")
    out.extend(f' {name}="{escaped(value)}"' for name, value in node.attributes)
    if not node.children:
        out.append("/>")
        return
    out.append(">")
    for child in node.children:
        _write(child, out)
    out.append(f"</{node.name}>")


def escaped(text: str) -> str:
    """Text as XML writes it, in an element or an attribute; line ends and tabs survive in both.

    >>> escaped('a & "b" <c> ]]>')
    'a &amp; &quot;b&quot; &lt;c&gt; ]]&gt;'
    """
    out = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return out.replace("\t", "&#9;").replace("\n", "&#10;").replace("\r", "&#13;")
