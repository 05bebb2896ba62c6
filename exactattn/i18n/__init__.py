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
        self._split: dict[str, tuple[tuple[Text | None, str | None], ...]] = {}

    def text(self, key: str, /, **parts: object) -> str:
        """The sentence with its parts as plain text."""
        return self._flat[key].format(**parts)

    def say(self, key: str, /, **parts: Inline | Inlines | str) -> Inlines:
        """The sentence as inline nodes: a part may be text, a node (a token, maths), or a run of nodes."""
        out: list[Inline] = []
        for literal, field in self._parts(key):
            if literal is not None:
                out.append(literal)
            if field is not None:
                part = parts[field]
                out.extend(part if isinstance(part, tuple) else (Text(part) if isinstance(part, str) else part,))
        return tuple(out)

    def _parts(self, key: str) -> tuple[tuple[Text | None, str | None], ...]:
        """Runs of text, each with the name of what comes after it. Sentences are said again and again."""
        found = self._split.get(key)
        if found is None:
            parsed = Formatter().parse(self._flat[key])
            found = self._split[key] = tuple((Text(text) if text else None, field) for text, field, _, _ in parsed)
        return found

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
