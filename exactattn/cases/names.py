"""The names a case may use, by table, and what is said of a name that is none of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from exactattn.errors import CaseError, nearest

TOP = ("id", "title", "tokens", "key_tokens", "symbols", "decimal", "binary", "inputs", "attention", "show", "compare")
INPUTS = ("X", "X_kv", "Q", "K", "V", "W_Q", "W_K", "W_V", "b_Q", "b_K", "b_V", "W_O", "b_O", "scores")
ATTENTION = ("scale", "mask", "alignment", "heads", "shift", "fully_masked")
SHOW = ("rows", "places", "lang", "layout")
COMPARE = ("label", *ATTENTION)

# What others (an audit, a probe, the case's author) read and solving does not.
IGNORED_TOP = ("about", "source", "expected", "also_printed", "errata", "printed", "marked", "claims", "ask")
IGNORED_ATTENTION = ("exact", "inputs_rounded")

_HOMES = (
    ("at the top of the case, above its first [table]", TOP[:7]),
    ("in [inputs]", INPUTS),
    ("in [attention]", ATTENTION),
    ("in [show]", SHOW),
)


def check_names(given: Iterable[Any], known: tuple[str, ...], place: str, ignored: tuple[str, ...] = ()) -> None:
    """Every given name is known, or ignored; else an error that suggests the near miss or the table the name belongs in.

    >>> check_names(["scael"], ATTENTION, "[attention]")
    Traceback (most recent call last):
        ...
    exactattn.errors.CaseError: [attention] has no 'scael' (did you mean 'scale'?)
    >>> check_names(["tokens"], INPUTS, "[inputs]")
    Traceback (most recent call last):
        ...
    exactattn.errors.CaseError: [inputs] has no 'tokens': it belongs at the top of the case, above its first [table]
    """
    for name in given:
        if name not in known and name not in ignored:
            raise CaseError("{place} has no {name!r}{hint}", place=place, name=name, hint=_hint(name, known, ignored))


def _hint(name: Any, known: tuple[str, ...], ignored: tuple[str, ...]) -> str:
    for home, names in _HOMES:
        if name in names:
            return f": it belongs {home}"
    bare = {k.casefold().replace("_", ""): k for k in known}
    if isinstance(name, str) and (same := bare.get(name.casefold().replace("_", "").replace("-", ""))):
        return f" (did you mean {same!r}?)"
    return nearest(str(name), (*known, *ignored)) or f" (it knows {', '.join(known)})"
