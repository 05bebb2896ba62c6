"""Options as a reader sees them: those that look the same cannot be told apart, and one that shows nothing cannot be read.

An element with a class, or with a style that is more than layout, may look like anything: where only such an element tells
two options apart, or could show something, nothing is found. White space counts where it shows: within `<pre>` and the like.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import unescape
from typing import TypeVar

from exactattn.exports.lint.lexical import number
from exactattn.exports.lint.tree import Node

_LAYS_OUT = frozenset({"p", "div", "br", "span"})
"""Elements that only lay out what is in them; all but the last begin a line."""
_MARKUP = re.compile(r"<!--.*?(?:-->|\Z)|<(/?)([A-Za-z][^\s/<>]*+)([^<>]*+)>", re.DOTALL)
_ATTRIBUTE = re.compile(r"""([^\s=/"'<>]+)(?:\s*=\s*("[^"]*"|'[^']*'|[^\s"'<>]+))?""")
_SPACE = re.compile(r"\s+")
_LINE_END = re.compile(r"[ \t]*(?:\r\n|\r|\n)")
_PICTURES = frozenset({"img", "image", "svg", "object", "audio", "video", "iframe", "embed", "canvas", "input", "gapImg",
                       "printedVariable", "include", "hr", "meter", "progress"})  # fmt: skip
"""Elements that show something and hold no text."""
_NAMED_SO = frozenset(name.lower() for name in _PICTURES)
_EMPTY = frozenset({"br", "img", "hr", "input", "source", "embed", "wbr"})
"""Elements of HTML that are never closed."""
_UNSEEN = re.compile(r"[\s\u200b-\u200f\u2060\u2800\u3164\ufeff]*")
_MEANT = {"img": "src", "object": "data", "audio": "src", "video": "src", "source": "src"}
_KEEPS = frozenset({"pre", "listing", "textarea", "xmp"})
_KEEPING = frozenset({"pre", "pre-wrap", "pre-line", "break-spaces"})
"""Elements, and values of the style white-space, in which white space shows."""
_LAYOUT = re.compile(r"text-align|direction|unicode-bidi|white-space|orphans|widows|page-break")
"""How the names of styles begin that change nothing about the look of one option."""
_DRAWN = re.compile(
    r"-|all\b|animation|background|border|box-shadow|content|cursor|display|filter|list-style|mask|outline|text-decoration"
)
"""How the names of styles begin that may show something where there is no text."""
_NO_VALUE = re.compile(r"(?:none|0(?:px|em|pt|%)?|transparent|initial|inherit|unset|inline|block|inline-block)?")

Key = TypeVar("Key")


# noncharacters, which no text has: what stands for white space that shows, and about a tag that is seen
_GAP, _TAB, _LINE, _BLOCK, _OPEN, _CLOSE = map(chr, range(0xFDD0, 0xFDD6))
_SHOWING = str.maketrans({" ": _GAP, "\u00a0": _GAP, "\t": _TAB, "\n": _LINE})
_INDENT = re.compile(rf"(?<=[^\s{_BLOCK}{_LINE}])\s*{_BLOCK}[ \t\r\n\f{_BLOCK}]*(\u00a0[ \u00a0]*)")
_UNSEEN_ENDS = re.compile(rf"({_OPEN}pre\b[^{_CLOSE}]*{_CLOSE}){_LINE}|[{_GAP}{_TAB}{_LINE}]+(?={_OPEN}/|\Z)")
"""A line that ends where `<pre>` begins, and what stands before an end."""
_SEEN_TAG = re.compile(f"({_OPEN}[^{_CLOSE}]*{_CLOSE})")


def of_html(markup: str) -> str:
    """What is seen of an option in HTML: tags that only lay it out are dropped, numbers are taken by their value.

    >>> of_html("<p> 0.50&nbsp;</p>") == of_html("0.5"), of_html("x<sup>2</sup>") == of_html("x2")
    (True, False)
    >>> of_html("<pre>a  b</pre>") == of_html("<pre>a b</pre>"), of_html("<b>a  b</b>") == of_html("<b>a b</b>")
    (False, True)
    """
    return _seen(_of_markup(markup))


def of_node(node: Node) -> str:
    """The same of an option in XML."""
    differs = _may_differ(node.attributes)
    own = f"{_OPEN}{differs}{_CLOSE}" if differs else ""
    return _seen([own, *_of_tree(node, _keeps(node.name, node.attributes, False))])


def blank(markup: str) -> bool:
    """Does an option in HTML show nothing? Tags, white space and characters without a glyph are nothing.

    >>> blank("<p>&nbsp;<br></p>"), blank('<img src="a.png">'), blank("0 < 1"), blank("")
    (True, False, False, True)
    >>> blank('<i class="fa fa-check"></i>'), blank('<p style="text-align: left"><br></p>')
    (False, True)
    """
    shows = any(
        (found[2] or "").lower() in _NAMED_SO or (found[2] and _may_show(_attributes(found[3])))
        for found in _MARKUP.finditer(markup)
    )
    return not shows and _unseen(unescape(_MARKUP.sub("", markup)))


def blank_node(node: Node) -> bool:
    """The same of an option in XML."""
    if _may_show(node.attributes) or any(
        one.name in _PICTURES or _may_show(one.attributes) for one in node.inside() if one.name != "feedbackInline"
    ):
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


# -- what attributes say ---------------------------------------------------------------------------------------------------


def _attributes(text: str) -> dict[str, str]:
    return {name.lower(): unescape(value.strip("\"'")) for name, value in _ATTRIBUTE.findall(text)}


def _styles(attributes: Mapping[str, str]) -> list[tuple[str, str]]:
    """The declarations of a style, in small letters."""
    cut = (one.partition(":") for one in attributes.get("style", "").lower().split(";"))
    return [(name.strip(), value.replace("!important", "").strip()) for name, colon, value in cut if colon]


def _may_show(attributes: Mapping[str, str]) -> bool:
    """May an element show something where it holds nothing? A class may do anything."""
    return bool(attributes.get("class", "").strip()) or any(
        _DRAWN.match(name) and not _NO_VALUE.fullmatch(value) for name, value in _styles(attributes)
    )


def _may_differ(attributes: Mapping[str, str]) -> str:
    """The class and the style of an element as far as they may make it look different; nothing where they do not."""
    kept = [f"{name}:{value}" for name, value in _styles(attributes) if not _LAYOUT.match(name)]
    return " ".join(filter(None, [" ".join(attributes.get("class", "").split()), ";".join(kept)]))


def _keeps(name: str, attributes: Mapping[str, str], before: bool) -> bool:
    """Does white space show within an element? What holds of the one around it goes on, unless it says otherwise."""
    if name in _KEEPS or attributes.get("class", "").strip():
        before = True
    for style, value in _styles(attributes):
        if style == "white-space":
            before = value in _KEEPING
    return before


# -- markup and trees, written as they are seen--------------------------------------------------------------------------


def _of_markup(markup: str) -> Iterator[str]:
    """The pieces of a text in HTML. An element that is never closed goes on to the end."""
    open_: list[tuple[str, str, bool]] = []  # each element's name, how its end is seen, does white space show within
    names: Counter[str] = Counter()  # of them, so that an end without its beginning is not looked for
    at = 0
    for found in _MARKUP.finditer(markup):
        keeps = bool(open_) and open_[-1][2]
        yield _words(unescape(markup[at : found.start()]), keeps)
        at = found.end()
        name = (found[2] or "").lower()
        if found[1]:
            seen = _tag(name, f"/{name}", "")
            while names[name]:
                last, seen, _ = open_.pop()
                names[last] -= 1
                if last == name:
                    break
            yield seen
        elif name:
            attributes = _attributes(found[3])
            differs = _may_differ(attributes)
            yield _tag(name, " ".join(found[0][1:-1].split()), differs)
            if name not in _EMPTY:
                names[name] += 1
                open_.append((name, _tag(name, f"/{name}", differs), _keeps(name, attributes, keeps)))
    yield _words(unescape(markup[at:]), bool(open_) and open_[-1][2])


def _of_tree(node: Node, keeps: bool) -> Iterator[str]:
    """The pieces of what is in an element in XML."""
    for part in node.mixed:
        if isinstance(part, str):
            yield _words(part, keeps)
        elif part.name != "feedbackInline":
            differs = _may_differ(part.attributes)
            written = (part.name, part.get(_MEANT.get(part.name, "")), differs)
            yield _tag(part.name, " ".join(filter(None, written)), differs)
            yield from _of_tree(part, _keeps(part.name, part.attributes, keeps))
            yield _tag(part.name, f"/{part.name}", differs)


def _tag(name: str, written: str, differs: str) -> str:
    """A tag that is seen; the start of a line, or nothing, where it only lays out."""
    if name not in _LAYS_OUT or differs:
        return f"{_OPEN}{written}{_CLOSE}"
    return "" if name == "span" else _BLOCK


def _words(text: str, keeps: bool) -> str:
    return _LINE_END.sub("\n", text).translate(_SHOWING) if keeps else text


def _seen(pieces: Iterable[str]) -> str:
    """What is seen, tidied. A text that stands alone, whatever it is set in, is taken by its value if it is a number.

    Spaces that never break make an indentation where they begin a line that is not the first; elsewhere they are spaces.
    """
    text = _INDENT.sub(lambda gap: " " + _GAP * gap[1].count("\u00a0"), "".join(pieces))
    text = _UNSEEN_ENDS.sub(r"\1", _SPACE.sub(" ", text.replace(_BLOCK, " ")).strip())
    out = _SEEN_TAG.split(text)
    said = [k for k, one in enumerate(out[::2]) if one.strip()]
    for k in said:
        tidy = out[2 * k].strip() if len(said) == 1 else out[2 * k]
        x = number(tidy.replace("−", "-")) if len(said) == 1 else None
        out[2 * k] = tidy if x is None else str(x)
    return "".join(out)


def pairs(options: Sequence[tuple[Key, str]]) -> Iterator[tuple[Key, Key]]:
    """Each option that looks like an earlier one, with that one. Options that show nothing are no matter of looks."""
    known: dict[str, Key] = {}
    for key, text in options:
        if not text:
            continue
        if text in known:
            yield known[text], key
        known.setdefault(text, key)
