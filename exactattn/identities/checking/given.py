"""Numbers that a row is checked on, and the pipeline over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from exactattn.attention import attend
from exactattn.numbers.value import Value
from exactattn.trace import Quantity, Trace

Texts: TypeAlias = tuple[tuple[str, ...], ...]
Mask: TypeAlias = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Given:
    """Inputs as canonical text.

    `scores` and `others` are two rows of m scores; `queries` n × d and `keys` m × d are rational, `values` m × w; `constant` is
    a number, `factor` a rational above 0, `temperatures` two of them, the first the lower. Every trace made on the way
    is kept in `traces`, so that the same work can be looked at in another arithmetic.
    """

    scores: tuple[str, ...]
    others: tuple[str, ...]
    queries: Texts
    keys: Texts
    values: Texts
    constant: str
    factor: str
    temperatures: tuple[str, str]
    arithmetic: str = "exact"
    traces: list[Trace] = field(default_factory=list)

    def attend(self, **inputs: Any) -> Trace:
        """The product's own `attend`, in the arithmetic at hand."""
        trace = attend(**inputs, arithmetic=self.arithmetic)
        self.traces.append(trace)
        return trace

    def of_scores(
        self, scores: Sequence[str], values: Texts | None = None, *, mask: Mask | None = None, scale: str = "1"
    ) -> Trace:
        """The trace of one row of scores."""
        return self.attend(scores=[list(scores)], V=values, scale=scale, mask="none" if mask is None else mask)

    def weights(self, scores: Sequence[str], *, mask: Mask | None = None, scale: str = "1") -> list[Value]:
        """The weights of one row of scores."""
        return row_of(self.of_scores(scores, mask=mask, scale=scale).weights)

    def output(
        self, scores: Sequence[str], values: Texts, *, mask: Mask | None = None, scale: str = "1"
    ) -> list[Value]:
        """The output of one row of scores."""
        return row_of(self.of_scores(scores, values, mask=mask, scale=scale).output)


def row_of(quantity: Quantity, i: int = 0) -> list[Value]:
    """A row of a quantity as numbers."""
    return [quantity.value(i, j) for j in range(quantity.shape[1])]


def entries_of(quantity: Quantity) -> list[Value]:
    """Every entry, row by row."""
    return [x for i in range(quantity.shape[0]) for x in row_of(quantity, i)]


def numbers(texts: Sequence[str]) -> list[Value]:
    """Texts as numbers."""
    return [Value.of(text) for text in texts]


def total(values: Sequence[Value]) -> Value:
    """Their sum; 0 of none."""
    out = Value.of(0)
    for value in values:
        out = out + value
    return out


def plus(texts: Sequence[str], more: str) -> tuple[str, ...]:
    """Each number plus another, as text."""
    return tuple(f"({text})+({more})" for text in texts)


def times(texts: Sequence[str], factor: str) -> tuple[str, ...]:
    """Each number times another, as text."""
    return tuple(f"({text})*({factor})" for text in texts)
