"""What a callable is given: scores with an axis, or queries, keys and values with a mask, each a NumPy array as it is.

An input goes over a pipe as raw bytes with dtype and shape, and can be written as a line of Python.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from exactattn.testing.signature import Signature

Array: TypeAlias = NDArray[Any]

AXES = range(-4, 4)
"""The axes of the inputs put to a callable: none has more than four dimensions (batch, heads, queries, keys)."""

Layout: TypeAlias = Literal["C", "F", "strided"]
"""How an array lies in memory: rows one after another, columns one after another, or every second entry of another."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoresInput:
    """Scores x of any shape, and the axis they are normalised along."""

    name: str
    x: Array
    axis: int = -1
    layout: Layout = "C"

    @property
    def arrays(self) -> dict[str, Array]:
        """Every array by name."""
        return {"x": self.x}

    def rows(self) -> Array:
        """The scores with the axis last, as (rows, n)."""
        return as_rows(self.x, self.axis)

    def options(self, takes: Signature) -> dict[str, Any]:
        """The other arguments of the call."""
        return {} if takes.axis is None else {takes.axis: self.axis}

    def shape_due(self, takes: Signature) -> tuple[tuple[int, ...], ...]:
        """The shapes a result may have."""
        if takes.kind != "logsumexp":
            return (self.x.shape,)
        shape = list(self.x.shape)
        shape[self.axis] = 1
        kept = tuple(shape)
        del shape[self.axis]
        return tuple(shape), kept


@dataclass(frozen=True, slots=True, eq=False)
class AttentionInput:
    """Queries (…, n, d_k), keys (…, m, d_k), values (…, m, d_v); mask is True where a key is open."""

    name: str
    q: Array
    k: Array
    v: Array
    mask: Array | None = None
    is_causal: bool = False
    scale: float | None = None
    layout: Layout = "C"

    @property
    def arrays(self) -> dict[str, Array]:
        """Every array by name."""
        found = {"q": self.q, "k": self.k, "v": self.v}
        return found if self.mask is None else {**found, "mask": self.mask}

    def options(self, takes: Signature) -> dict[str, Any]:
        """The other arguments of the call; only those the callable has, and only where they say something."""
        found: dict[str, Any] = {}
        if self.is_causal and takes.is_causal is not None:
            found[takes.is_causal] = True
        if self.scale is not None and takes.scale is not None:
            found[takes.scale] = self.scale
        return found

    def shape_due(self, takes: Signature) -> tuple[tuple[int, ...], ...]:
        """The shape a result must have."""
        return ((*self.q.shape[:-1], self.v.shape[-1]),)


Input: TypeAlias = ScoresInput | AttentionInput


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What a call came to: a result, or what went wrong.

    `trouble`: "raised" (an exception), "hung" (past the time limit), "died" (the interpreter ended), "type" (no array),
    "shape", "dtype". `said` tells it in a line.
    """

    result: Array | None
    changed: tuple[str, ...] = ()
    trouble: Literal["raised", "hung", "died", "type", "shape", "dtype"] | None = None
    said: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)


def as_rows(x: Array, axis: int) -> Array:
    """An array with one axis moved last, as (rows, n)."""
    moved = np.moveaxis(x, axis, -1)
    return moved.reshape(math.prod(moved.shape[:-1]), moved.shape[-1])


def laid_out(x: Array, layout: Layout) -> Array:
    """The same numbers in memory of one's own, laid out as asked.

    >>> a = laid_out(np.arange(6.0).reshape(2, 3), "strided")
    >>> a.strides, a.flags.c_contiguous, a.tolist()
    ((48, 16), False, [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
    """
    match layout:
        case "F":
            return np.array(x, order="F")
        case "strided" if x.ndim:
            wide = np.zeros((*x.shape[:-1], 2 * x.shape[-1]), x.dtype)
            wide[..., ::2] = x
            return wide[..., ::2]
    return np.array(x, order="C")
