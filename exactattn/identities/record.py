"""The catalogue as plain data, for JSON: `identities.schema.json` beside this file is its JSON Schema."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any

from exactattn.document import Inlines, Math, Text, Token
from exactattn.i18n import Messages, messages
from exactattn.identities.catalogue import CATALOGUE
from exactattn.identities.identity import Identity
from exactattn.identities.notation import maths
from exactattn.identities.page import Found
from exactattn.writers import tex_maths
from exactattn.writers.spans import text_of
from exactattn.writers.text_maths import linear

FORMAT, VERSION = "exactattn-identities", 1


def schema() -> dict[str, Any]:
    """The JSON Schema of the catalogue."""
    text = resources.files("exactattn.identities").joinpath("identities.schema.json").read_text(encoding="utf-8")
    out: dict[str, Any] = json.loads(text)
    return out


def to_json(lang: str = "en", found: Found | None = None) -> str:
    """The catalogue as JSON text."""
    return json.dumps(as_data(lang, found), ensure_ascii=False, indent=1) + "\n"


def as_data(lang: str = "en", found: Found | None = None) -> dict[str, Any]:
    """Every row, its maths as TeX and as plain text; `proved` and `checked` are null where nothing was asked."""
    words = messages(lang)
    return {
        "format": FORMAT,
        "version": VERSION,
        "language": lang,
        "rows": [_row(words, row, found) for row in CATALOGUE],
    }


def _row(words: Messages, row: Identity, found: Found | None) -> dict[str, Any]:
    proof = None if found is None else found.proofs.get(row.name)
    checked = None if found is None else found.checks.get(row.name)
    return {
        "number": row.number,
        "name": row.name,
        "kinds": list(row.kinds),
        "title": row.title(words.lang),
        "statement": [_maths(text) for text in row.statement],
        "conditions": _prose(row.said("where", words)),
        "proof": _prose(row.said("proof", words)),
        "derivation": [_maths(text) for text in row.derivation],
        "method": row.method,
        "twin": _prose(row.said("twin", words)),
        "float": _prose(row.said("float", words)),
        "has_check": row.check is not None,
        "options": list(row.options),
        "source": row.source or None,
        "proved": None
        if proof is None
        else {
            "n": proof.n,
            "holds": proof.holds,
            "claims": proof.claims,
            "open": list(proof.open),
            "twins_refused": list(proof.twins_refused),
        },
        "checked": None
        if checked is None
        else {"holds": checked.holds, "facts": checked.facts, "failing": [str(fact) for fact in checked.failing]},
    }


def _maths(text: str) -> dict[str, str]:
    tree = maths(text)
    return {"tex": tex_maths.maths(tree), "text": text_of(linear(tree)).replace("\u2009", " ")}


def _prose(items: Inlines) -> str | None:
    """A sentence with its maths as TeX between dollars."""
    out = ""
    for item in items:
        match item:
            case Text(text) | Token(text):
                out += text
            case Math(body):
                out += f"${tex_maths.maths(body)}$"
            case _:
                raise TypeError(item)
    return out or None
