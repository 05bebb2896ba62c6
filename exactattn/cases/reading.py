"""From bytes to a plain tree: UTF-8, then TOML or JSON, with every number kept as its digits stand.

A decimal never passes through a float: TOML's and JSON's numbers become `Number`, a text.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Literal

from exactattn.cases.limits import CaseLimits
from exactattn.cases.values import Number
from exactattn.errors import CaseError, FileError, LimitError

Format = Literal["toml", "json"]


def read_file(path: Path, name: str, limits: CaseLimits) -> bytes:
    """The bytes of a file that is not too large. Errors: FileError, LimitError."""
    try:
        with path.open("rb") as file:
            return read_stream(file, name, limits)
    except (OSError, ValueError) as error:
        raise FileError("cannot read {name}: {why}", name=name, why=reason(error)) from None


def read_stream(file: BinaryIO, name: str, limits: CaseLimits) -> bytes:
    """The bytes of an open file that is not too large."""
    data = file.read(limits.file_bytes + 1)
    if len(data) > limits.file_bytes:
        size = f"{limits.file_bytes / 2**20:g} MiB"
        raise LimitError("{name} is larger than {size} (raise it with the limit 'file_bytes')", name=name, size=size)
    return data


def reason(error: Exception) -> str:
    """What the system says, in its own words and without numbers or names."""
    return (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)


def decode(data: bytes, name: str) -> str:
    """UTF-8, with or without a byte order mark; anything else is an error that says what to do.

    >>> decode(b"\\xef\\xbb\\xbfid", "a.toml")
    'id'
    >>> decode("id = '西安'".encode("gb18030"), "a.toml")
    Traceback (most recent call last):
        ...
    exactattn.errors.FileError: a.toml, line 1: not UTF-8 (it may be GBK): save the file as UTF-8
    """
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise FileError("{name}: UTF-16, not UTF-8: save the file as UTF-8", name=name)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileError(
            "{name}, line {line}: not UTF-8{guess}: save the file as UTF-8", name=name, line=line, guess=_guess(data)
        ) from None


def _guess(data: bytes) -> str:
    try:
        chinese = re.search("[\u4e00-\u9fff]", data.decode("gb18030"))
    except UnicodeDecodeError:
        return ""
    return " (it may be GBK)" if chinese else ""


def parse(text: str, name: str, format: Format | None, limits: CaseLimits) -> Mapping[str, Any]:
    """The tree of a TOML or JSON text; without a format the first character that is no space decides ("{" is JSON)."""
    if format is None:
        format = "json" if text.lstrip()[:1] == "{" else "toml"
    try:
        tree = _json(text, name) if format == "json" else _toml(text, name)
    except RecursionError:
        raise too_deep(name, limits) from None
    if not isinstance(tree, Mapping):
        raise CaseError("{name} holds no object: a case is one, {{...}}", name=name)
    return tree


def too_deep(name: str, limits: CaseLimits) -> LimitError:
    """The error for tables and lists within each other without end."""
    text = "{name} is nested more than {limit} deep (raise it with the limit 'nesting')"
    return LimitError(text, name=name, limit=limits.nesting)


# -- JSON ------------------------------------------------------------------------------------------------------------------


def _json(text: str, name: str) -> Any:
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        out = dict(pairs)
        if len(out) < len(pairs):
            twice = next(key for i, (key, _) in enumerate(pairs) if any(key == k for k, _ in pairs[:i]))
            raise CaseError("{name}: {key!r} stands twice in one object", name=name, key=twice)
        return out

    try:
        # NaN and Infinity go on as texts: where a number is due, the error can then name the place
        return json.loads(text, parse_float=Number, parse_int=Number, parse_constant=Number, object_pairs_hook=once)
    except json.JSONDecodeError as error:
        raise CaseError(
            "{name}, line {line}, column {column}: not JSON ({why}): {shown}{hint}",
            name=name, line=error.lineno, column=error.colno, why=_lower(error.msg),
            shown=_line(text, error.lineno), hint=_quotes(_line(text, error.lineno)),
        ) from None  # fmt: skip


# -- TOML ------------------------------------------------------------------------------------------------------------------


def _toml(text: str, name: str) -> Any:
    try:
        return tomllib.loads(text, parse_float=lambda digits: Number(digits.replace("_", "")))
    except tomllib.TOMLDecodeError as error:
        why, _, where = str(error).partition(" (at ")
        found = re.match(r"line (\d+), column (\d+)", where)
        number = int(found[1]) if found else len(text.splitlines())
        shown = _line(text, number)
        column = f", column {found[2]}" if found else ""
        raise CaseError(
            "{name}, line {line}{column}: not TOML ({why}): {shown}{hint}",
            name=name, line=number, column=column, why=_lower(why), shown=shown, hint=_toml_hint(why, shown),
        ) from None  # fmt: skip
    except ValueError:
        # Python reads no whole number of more than 4300 digits
        raise LimitError("{name} holds a whole number of too many digits: write it in quotes", name=name) from None


def _toml_hint(why: str, line: str) -> str:
    if "\\" in line and ("Unescaped" in why or "hex value" in why or "Escaped" in why):
        return (
            ' -- in "..." a backslash starts an escape: write a path with / (data/q.csv), other text in single quotes'
        )
    if "overwrite" in why or "twice" in why:
        return " -- the name stands there twice"
    return _quotes(line)


# -- words -----------------------------------------------------------------------------------------------------------------


def _quotes(line: str) -> str:
    bare = re.sub(r'"[^"]*"|\'[^\']*\'', "", line)
    if re.search(r"[0-9)]\s*[/*^]\s*[0-9(s]|sqrt|ln\(|[½⅓⅔¼¾√−]|(?<![0-9])\.[0-9]|[0-9]\.(?![0-9])", bare):
        return ' -- fractions, roots and the like are written in quotes: "1/2", "sqrt(2)"'
    return ""


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:]


def _line(text: str, number: int) -> str:
    lines = text.split("\n")
    line = lines[number - 1].strip() if 0 < number <= len(lines) else ""
    return line if len(line) <= 60 else line[:60] + "…"
