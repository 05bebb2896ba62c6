"""What a file's bytes are written in: UTF-8, which every importer reads, or what else.

UTF-16 and UTF-32 are known by their marks or by the zero bytes beside the first <. What is told of other encodings is a
guess: two bytes for a character come in even runs, as in GBK, and one byte for a letter mostly stands among plain ones.
"""

from __future__ import annotations

import codecs
import re

BOM = codecs.BOM_UTF8
UTF8 = "UTF-8"

_WIDE: tuple[tuple[bytes, str, str], ...] = (
    (codecs.BOM_UTF32_LE, "UTF-32", "utf-32"),
    (codecs.BOM_UTF32_BE, "UTF-32", "utf-32"),
    (codecs.BOM_UTF16_LE, "UTF-16", "utf-16"),
    (codecs.BOM_UTF16_BE, "UTF-16", "utf-16"),
    (b"<\0\0\0", "UTF-32", "utf-32-le"),
    (b"\0\0\0<", "UTF-32", "utf-32-be"),
    (b"<\0", "UTF-16", "utf-16-le"),
    (b"\0<", "UTF-16", "utf-16-be"),
)
_MARKED = 4
"""So many of these begin with a byte order mark."""
_HIGH = re.compile(rb"[\x80-\xff]+")
_DECLARED = re.compile(r"\A\ufeff?\s*<\?xml\s[^>]*?encoding\s*=\s*[\"']([^\"']+)")
_HEAD = 400


def wide(data: bytes) -> tuple[str, str] | None:
    """Of UTF-16 or UTF-32 the name and what Python calls it; None for what has one byte for an ASCII character.

    >>> wide("<quiz/>".encode("utf-16")), wide("<quiz/>".encode("utf-16-be")), wide(b"<quiz/>")
    (('UTF-16', 'utf-16'), ('UTF-16', 'utf-16-be'), None)
    """
    return next(((name, codec) for start, name, codec in _WIDE if data.startswith(start)), None)


def marked(data: bytes) -> bool:
    """Does UTF-16 or UTF-32 begin with its byte order mark?"""
    return any(data.startswith(start) for start, _, _ in _WIDE[:_MARKED])


def decoded(data: bytes) -> str:
    """The beginning of a file as text, as well as it can be read."""
    found = wide(data)
    return data.decode(found[1] if found else "utf-8", "replace").lstrip("\ufeff")


def declared(data: bytes) -> str:
    """The encoding that the XML declaration names; "" for none.

    >>> declared(b'<?xml version="1.0" encoding="GBK"?><quiz/>')
    'GBK'
    """
    found = _DECLARED.match(decoded(data[:_HEAD]))
    return found[1] if found else ""


def written(data: bytes) -> str:
    """The encoding of the bytes; "" where no guess fits.

    >>> written("注意力".encode()), written("注意力".encode("gbk")), written("für".encode("latin-1"))
    ('UTF-8', 'GBK', 'windows-1252')
    """
    found = wide(data)
    if found is not None:
        return found[0]
    if _is(data, "utf-8"):
        return UTF8
    name = declared(data)
    if name and name.lower().replace("_", "-") not in ("utf-8", "utf8", "ascii", "us-ascii") and _is(data, name):
        return name
    runs = [len(run) for run in _HIGH.findall(data)]
    even = sum(size for size in runs if size % 2 == 0)
    if 10 * even >= 8 * sum(runs) and _is(data, "gb18030"):
        return "GBK"
    alone = 2 * sum(runs) <= 3 * len(runs)  # letters with accents stand among plain ones
    return "windows-1252" if alone and _is(data, "windows-1252") else ""


def _is(data: bytes, name: str) -> bool:
    try:
        data.decode(name)
    except (UnicodeError, LookupError, ValueError):  # not in it, no such encoding, none of texts
        return False
    return True
