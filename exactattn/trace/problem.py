"""What a trace starts from: inputs as text, labels, settings. Enough to walk it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, TypeAlias

from exactattn.numbers.rounding import Ties

Texts: TypeAlias = tuple[tuple[str, ...], ...]
Mask: TypeAlias = Literal["none", "causal"] | tuple[tuple[bool, ...], ...]
Alignment: TypeAlias = Literal["top-left", "bottom-right"]
Shift: TypeAlias = Literal["max", "none"]
FullyMasked: TypeAlias = Literal["error", "zero", "uniform"]
Track: TypeAlias = Literal["carry", "stepwise"]

QUANTITIES = (
    "X", "X_kv", "W_Q", "W_K", "W_V", "b_Q", "b_K", "b_V", "W_O", "b_O", "Q", "K", "V",
    "scores", "scaled", "masked", "maxima", "shifted", "exps", "sums", "weights", "concat", "output",
)  # fmt: skip
"""The names of quantities, in the order of the work."""

INPUTS = ("Q", "K", "V", "X", "X_kv", "W_Q", "W_K", "W_V", "b_Q", "b_K", "b_V", "W_O", "b_O", "scores")
"""The names of quantities that a problem may give."""

PLACES: Mapping[str, int] = MappingProxyType(
    {"Q": 3, "K": 3, "V": 3, "scores": 2, "scaled": 2, "exps": 4, "sums": 4, "weights": 3, "output": 3}
)
"""Decimal places printed where nothing else is asked for: those of the article. Maxima and shifted scores are printed
with the places of the scaled scores, concatenated heads with those of the output."""

FOLLOWS: Mapping[str, str] = MappingProxyType(
    {"masked": "scaled", "maxima": "scaled", "shifted": "scaled", "concat": "output"}
)
"""Quantities printed with the places of another, unless theirs are chosen."""


def places_of(name: str, places: Mapping[str, int]) -> int:
    """The places of a quantity under these choices, by name; what is not chosen is as in PLACES.

    >>> places_of("shifted", {"scaled": 5}), places_of("weights", {})
    (5, 3)
    """
    if name in places:
        return places[name]
    leader = FOLLOWS.get(name, name)
    return places.get(leader, PLACES[leader])


@dataclass(frozen=True, slots=True)
class Settings:
    """How the work is done. `scale` multiplies the scores; `heads` are contiguous blocks of columns."""

    scale: str
    mask: Mask = "none"
    alignment: Alignment | None = None
    heads: int = 1
    shift: Shift = "max"
    fully_masked: FullyMasked = "error"
    symbols: tuple[str, ...] = ()
    arithmetic: str = "exact"
    track: Track = "carry"
    places: Mapping[str, int] = field(default_factory=dict)
    ties: Ties = "half-up"


@dataclass(frozen=True, slots=True)
class Problem:
    """Inputs by name as canonical text, one token for each query row and each key row, and the settings."""

    inputs: Mapping[str, Texts]
    tokens: tuple[str, ...]
    key_tokens: tuple[str, ...]
    settings: Settings

    def places(self, name: str, head: int | None, chosen: Mapping[str, int]) -> int:
        """The places of a quantity in a head: the output of a head that goes on is printed as the concatenation is."""
        goes_on = head is not None and (self.settings.heads > 1 or "W_O" in self.inputs)
        return places_of("concat" if name == "output" and goes_on else name, chosen)
