"""QTI 2.1 -> QTI 3.0: the same trees in the names of version 3.

Elements of QTI are called qti-assessment-item and the like, their attributes have hyphens too; XHTML and MathML stay as they
are. The content of a feedback and of a rubric stands in a qti-content-body, and a rubric says what it is for.
"""

from __future__ import annotations

import re

from exactattn.exports.markup import Element, Node

SPACE = "http://www.imsglobal.org/xsd/imsqtiasi_v3p0"
SCHEMA = "https://purl.imsglobal.org/spec/qti/v3p0/schema/xsd/imsqti_asiv3p0_v1p0.xsd"
PACKAGING = "http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1"
PACKAGING_SCHEMA = "https://purl.imsglobal.org/spec/qti/v3p0/schema/xsd/imsqtiv3p0_imscpv1p2_v1p0.xsd"

XHTML = frozenset({"p", "div", "span", "strong", "table", "caption", "thead", "tbody", "tr", "th", "td"})
WITH_BODY = frozenset({"modalFeedback", "feedbackBlock", "rubricBlock"})


def third(root: Element) -> Element:
    """A file of a QTI 2.1 package as QTI 3.0 has it.

    >>> from exactattn.exports.markup import element, text
    >>> text(third(element("modalFeedback", element("p", "no"), outcomeIdentifier="F", showHide="show")))
    '<qti-modal-feedback outcome-identifier="F" show-hide="show"><qti-content-body><p>no</p></qti-content-body>\
</qti-modal-feedback>'
    """
    return _manifest(root) if root.name == "manifest" else _named(root)


def hyphened(name: str) -> str:
    """A name of version 2 with hyphens.

    >>> hyphened("textEntryInteraction"), hyphened("xml:lang"), hyphened("gte")
    ('text-entry-interaction', 'xml:lang', 'gte')
    """
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda found: f"-{found[1].lower()}", name)


def _named(node: Element) -> Element:
    if node.name in XHTML:
        return Element(node.name, node.attributes, tuple(map(_child, node.children)))
    children: tuple[Node, ...] = tuple(map(_child, node.children))
    attributes = tuple((_attribute(name), _value(name, value)) for name, value in node.attributes)
    if node.name in WITH_BODY:
        children = (Element("qti-content-body", (), children),)
    if node.name == "rubricBlock":
        attributes = (("use", "scoring"), *attributes)
    return Element(f"qti-{hyphened(node.name)}", attributes, children)


def _child(node: Node) -> Node:
    return node if isinstance(node, str) or node.name == "math" else _named(node)


def _attribute(name: str) -> str:
    return name if ":" in name else hyphened(name)


def _value(name: str, value: str) -> str:
    if name == "xmlns":
        return SPACE
    return f"{SPACE} {SCHEMA}" if name == "xsi:schemaLocation" else value


def _manifest(node: Element) -> Element:
    """The manifest keeps its names: other namespaces, versions and types of resources."""
    attributes = dict(node.attributes)
    if node.name == "manifest":
        attributes |= {"xmlns": PACKAGING, "xsi:schemaLocation": f"{PACKAGING} {PACKAGING_SCHEMA}"}
    if "type" in attributes:
        attributes["type"] = attributes["type"].replace("v2p1", "v3p0")
    said = {"schema": "QTI Package", "schemaversion": "3.0.0"}.get(node.name)
    children = (said,) if said else tuple(one if isinstance(one, str) else _manifest(one) for one in node.children)
    return Element(node.name, tuple(attributes.items()), children)
