"""What a callable takes, read from its signature: softmax-like (x), with an axis or not, or attention (q, k, v)."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, TypeAlias, get_args

from exactattn.errors import OptionError, nearest

Kind: TypeAlias = Literal["softmax", "log_softmax", "logsumexp", "attention"]

KINDS: tuple[Kind, ...] = get_args(Kind)

AXES = ("axis", "dim")
"""How the axis argument of a softmax is called."""

OPTIONS: Mapping[str, tuple[str, ...]] = {
    "mask": ("mask", "attn_mask", "attention_mask"),
    "is_causal": ("is_causal", "causal"),
    "scale": ("scale", "softmax_scale"),
}
"""How the optional arguments of attention are called."""

_NAMES: Mapping[str, Kind] = {
    "log_softmax": "log_softmax",
    "logsoftmax": "log_softmax",
    "softmax": "softmax",
    "logsumexp": "logsumexp",
    "log_sum_exp": "logsumexp",
    "lse": "logsumexp",
    "attention": "attention",
    "attn": "attention",
    "sdpa": "attention",
}
"""Whole words of a name and what they say, the first that is found: softmax_via_lse is a softmax, and pulse none of these."""


@dataclass(frozen=True, slots=True)
class Signature:
    """What is computed, and the names of those arguments that there are."""

    kind: Kind
    axis: str | None = None
    mask: str | None = None
    is_causal: str | None = None
    scale: str | None = None

    @classmethod
    def of_kind(cls, kind: str) -> Signature:
        """One that takes nothing but what every callable of its kind takes. Errors: OptionError for an unknown kind."""
        found = _checked(kind)
        if found is None:
            text = "kind {kind!r} is not one of {known}{hint}"
            raise OptionError(text, kind=kind, known=", ".join(KINDS), hint=nearest(kind, KINDS))
        return cls(found)

    def as_data(self) -> dict[str, str | None]:
        """For a pipe."""
        return asdict(self)


def signature_of(called: Callable[..., Any], name: str, kind: str | None = None) -> Signature:
    """What a callable takes; `kind` overrides what its name and arguments say.

    Errors: OptionError for a signature that fits neither (x) nor (q, k, v).

    >>> def my_softmax(x, axis=-1): ...
    >>> signature_of(my_softmax, "my_softmax")
    Signature(kind='softmax', axis='axis', mask=None, is_causal=None, scale=None)
    >>> def f(query, key, value, attn_mask=None, is_causal=False): ...
    >>> signature_of(f, "f")
    Signature(kind='attention', axis=None, mask='attn_mask', is_causal='is_causal', scale=None)
    """
    if kind is not None:
        Signature.of_kind(kind)
    try:
        parameters = list(inspect.signature(called).parameters.values())
    except (ValueError, TypeError):  # written in C, and silent about it
        return Signature(_checked(kind) or _from_name(name))
    takes = {p.name for p in parameters}
    places = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD, p.VAR_POSITIONAL)]
    letters = "".join(p.name.lower()[:1] for p in places[:3])
    found = _checked(kind) or ("attention" if letters == "qkv" else _from_name(name))
    read = 3 if found == "attention" else 1
    if len(places) < read and not any(p.kind is p.VAR_POSITIONAL for p in places):
        due = "(q, k, v)" if read == 3 else "(x)"
        raise OptionError(
            "{name} takes ({came}): {due} was due for {kind}",
            name=name, came=", ".join(takes), due=due, kind=found,
        )  # fmt: skip
    options = {key: next((n for n in names if n in takes), None) for key, names in OPTIONS.items()}
    axis = next((n for n in AXES if n in takes), None)
    for p in parameters:
        required = p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)
        if required and p not in places[:read] and p.name != axis:
            raise OptionError(
                "{name} takes {argument!r} as well, which has no default: wrap it in a function of {due} alone",
                name=name, argument=p.name, due="q, k, v" if read == 3 else "x",
            )  # fmt: skip
    if found == "attention":
        return Signature(found, None, **options)
    return Signature(found, axis)


def _checked(kind: str | None) -> Kind | None:
    return next((known for known in KINDS if known == kind), None)


def _from_name(name: str) -> Kind:
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[^0-9A-Za-z]+", "_", name).lower()
    found = (kind for word, kind in _NAMES.items() if re.search(rf"(?<![a-z]){word}(?![a-z])", words))
    return next(found, "softmax")
