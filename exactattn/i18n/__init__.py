"""Words by language. One TOML file per language beside this one; all have the same keys (a test holds that).

>>> words = messages("en")
>>> words.text("figure.heatmap.cell", row="cat", column="sat", value="0.250")
'cat → sat: 0.250'
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from string import Formatter
from typing import Any

from exactattn.document import Inline, Inlines, Text
from exactattn.errors import OptionError, nearest


class Messages:
    """The sentences of one language, by dotted key; `{names}` in them are filled in."""

    def __init__(self, lang: str, table: dict[str, Any]) -> None:
        self.lang = lang
        self._flat = dict(_flatten("", table))

    def text(self, key: str, /, **parts: object) -> str:
        """The sentence with its parts as plain text."""
        return self._flat[key].format(**parts)

    def say(self, key: str, /, **parts: Inline | Inlines | str) -> Inlines:
        """The sentence as inline nodes: a part may be text, a node (a token, maths), or a run of nodes."""
        out: list[Inline] = []
        for literal, field, _, _ in Formatter().parse(self._flat[key]):
            if literal:
                out.append(Text(literal))
            if field is not None:
                part = parts[field]
                out.extend(part if isinstance(part, tuple) else (Text(part) if isinstance(part, str) else part,))
        return tuple(out)

    def has(self, key: str) -> bool:
        """Is there such a sentence?"""
        return key in self._flat

    def keys(self) -> set[str]:
        """Every key, for the completeness test."""
        return set(self._flat)


def _flatten(prefix: str, table: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from _flatten(f"{prefix}{key}.", value)
        else:
            yield prefix + key, value


def languages() -> list[str]:
    """The languages there are, by their files."""
    files = resources.files("exactattn.i18n").iterdir()
    return sorted(f.name.removesuffix(".toml") for f in files if f.name.endswith(".toml"))


@cache
def messages(lang: str) -> Messages:
    """The messages of a language; an unknown one is an error that lists those there are."""
    known = languages()
    if lang not in known:
        raise OptionError(
            "language {lang!r} is not one of {known}{hint}",
            lang=lang,
            known=", ".join(known),
            hint=nearest(lang, known),
        )
    text = resources.files("exactattn.i18n").joinpath(f"{lang}.toml").read_text(encoding="utf-8")
    return Messages(lang, tomllib.loads(text))
