"""What a case is, once read and checked. Everything in it is text or whole numbers; nothing is computed here.

n queries, m keys, h heads. None, or an empty tuple, stands where the case says nothing: defaults belong to the pipeline.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, Literal, TypeAlias

Matrix: TypeAlias = tuple[tuple[str, ...], ...]
"""Rows of canonical number texts; a vector (b_Q, ...) is a matrix of one row."""

Mask: TypeAlias = Literal["none", "causal"] | tuple[tuple[int, ...], ...]
"""By name, or n × m with 1 where the query may attend to the key and 0 where not."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What a case says about attention: [attention], or one [[compare]]. None where it says nothing.

    >>> Choices(scale="1/2", heads=2).given()
    {'scale': '1/2', 'heads': 2}
    """

    scale: str | None = None
    mask: Mask | None = None
    alignment: Literal["top-left", "bottom-right"] | None = None
    heads: int | None = None
    shift: Literal["max", "none"] | None = None
    fully_masked: Literal["error", "zero", "uniform"] | None = None

    def given(self) -> dict[str, Any]:
        """The names that are said, with their values: keyword arguments for `attend`."""
        return {f.name: value for f in fields(self) if (value := getattr(self, f.name)) is not None}


@dataclass(frozen=True, slots=True)
class Comparison:
    """One [[compare]]: what is chosen otherwise than in the main trace, and what to call it."""

    attention: Choices
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Show:
    """[show]: the rows worked in full, the places printed ("auto", "3", "scores=2,exps=4"), the language, the layout."""

    rows: tuple[str, ...] = ()
    places: str | None = None
    lang: str | None = None
    layout: str | None = None


@dataclass(frozen=True, slots=True)
class Case:
    """A case, read and checked: what `load_case` returns.

    inputs: matrices by name (X, Q, W_Q, scores, ...), as rows of number texts. tokens: one for each of the n query rows;
    key_tokens: one for each of the m key rows. source: where the numbers are from, and under which licence. extra: the
    names that solving ignores and an audit reads (printed, expected, ...), as they stand in the file, with
    "attention.exact" and "attention.inputs_rounded" under these dotted names. folder: where the case's file lies.
    """

    inputs: Mapping[str, Matrix]
    id: str = "case"
    title: str = ""
    tokens: tuple[str, ...] | None = None
    key_tokens: tuple[str, ...] | None = None
    symbols: tuple[str, ...] = ()
    attention: Choices = Choices()
    show: Show = Show()
    compare: tuple[Comparison, ...] = ()
    source: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)
    folder: Path | None = None
