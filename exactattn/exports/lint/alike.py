"""Options as a reader sees them: those that look the same cannot be told apart, and one that shows nothing cannot be read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import TypeVar

from exactattn.exports.lint.lexical import number
from exactattn.exports.lint.tree import Node

_BLOCKS = re.compile(r"</?(?:p|div|span|br)\b[^>]*>", re.IGNORECASE)
_SPACE = re.compile(r"\s+")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>|<!--.*?-->", re.DOTALL)
_PICTURES = frozenset({"img", "image", "svg", "object", "audio", "video", "iframe", "embed", "canvas", "input", "gapImg",
                       "printedVariable", "include"})  # fmt: skip
"""Elements that show something and hold no text."""
_PICTURE = re.compile(rf"<(?:{'|'.join(sorted(_PICTURES))})\b", re.IGNORECASE)
_UNSEEN = re.compile(r"[\s\u200b-\u200f\u2060\u2800\u3164\ufeff]*")
_MEANT = {"img": "src", "object": "data", "audio": "src", "video": "src", "source": "src"}

Key = TypeVar("Key")


def of_html(markup: str) -> str:
    """What is seen of an option in HTML: tags that only lay it out are dropped, numbers are taken by their value.

    >>> of_html("<p> 0.50&nbsp;</p>") == of_html("0.5"), of_html("x<sup>2</sup>") == of_html("x2")
    (True, False)
    """
    return _seen(unescape(_BLOCKS.sub(" ", markup)))


def of_node(node: Node) -> str:
    """The same of an option in XML."""
    return _seen("".join(_pieces(node)))


def blank(markup: str) -> bool:
    """Does an option in HTML show nothing? Tags, white space and characters without a glyph are nothing.

    >>> blank("<p>&nbsp;<br></p>"), blank('<img src="a.png">'), blank("0 < 1"), blank("")
    (True, False, False, True)
    """
    return not _PICTURE.search(markup) and _unseen(unescape(_TAG.sub("", markup)))


def blank_node(node: Node) -> bool:
    """The same of an option in XML."""
    if any(one.name in _PICTURES for one in node.inside()):
        return False
    return _unseen("".join(_texts(node)))


def _texts(node: Node) -> Iterator[str]:
    for part in node.mixed:
        if isinstance(part, str):
            yield part
        elif part.name != "feedbackInline":
            yield from _texts(part)


def _unseen(text: str) -> bool:
    return _UNSEEN.fullmatch(text) is not None


def _seen(text: str) -> str:
    tidy = _SPACE.sub(" ", text).strip()
    x = number(tidy.replace("−", "-"))
    return tidy if x is None else str(x)


def _pieces(node: Node) -> Iterator[str]:
    for part in node.mixed:
        if isinstance(part, str):
            yield part
        elif part.name in ("feedbackInline",):
            continue
        elif part.name in ("p", "div", "span", "br"):
            yield " "
            yield from _pieces(part)
            yield " "
        else:
            yield f"<{part.name} {part.get(_MEANT.get(part.name, ''))}>"
            yield from _pieces(part)
            yield f"</{part.name}>"


def pairs(options: Sequence[tuple[Key, str]]) -> Iterator[tuple[Key, Key]]:
    """Each option that looks like an earlier one, with that one. Options that show nothing are no matter of looks."""
    known: dict[str, Key] = {}
    for key, text in options:
        if not text:
            continue
        if text in known:
            yield known[text], key
        known.setdefault(text, key)
