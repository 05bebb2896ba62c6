"""What a callable is given: scores with an axis, or queries, keys and values with a mask, each a NumPy array as it is.

An input goes over a pipe as raw bytes with dtype and shape, and can be written as a line of Python.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from exactattn.testing.signature import Signature

Array: TypeAlias = NDArray[Any]

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
    return moved.reshape(-1, moved.shape[-1]) if moved.size else moved.reshape(0, moved.shape[-1])


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


def python(given: Input, takes: Signature, target: str) -> str:
    """A line of Python that makes the call once more."""
    module, _, name = target.partition(":")
    names = {"x": None, "q": None, "k": None, "v": None, "mask": takes.mask}
    said = [(f"{names[key]}=" if names[key] else "") + written(x) for key, x in given.arrays.items()]
    said += [f"{key}={value!r}" for key, value in given.options(takes).items()]
    more = "" if all(x.dtype.name != "bfloat16" for x in given.arrays.values()) else "import ml_dtypes; "
    laid = "" if given.layout == "C" else f"  # laid out in memory as {given.layout!r}"
    return f"import numpy as np, {module}; {more}{module}.{name}({', '.join(said)}){laid}"


def written(x: Array) -> str:
    """An array as Python text, to the bit.

    >>> written(np.array([0.1, -np.inf], np.float32)), written(np.zeros(70000, np.float16))
    ("np.array([0.10000000149011612, -np.inf], dtype='float32')", "np.full((70000,), 0.0, dtype='float16')")
    """
    dtype = f"dtype={x.dtype.name!r}"
    if x.size > 8 and (x == x.flat[0]).all():
        return f"np.full({x.shape}, {_number(x.flat[0])}, {dtype})"
    if x.ndim == 1 and x.size > 64:
        for period in range(2, 17):
            pattern = x[:period]
            if np.array_equal(np.resize(pattern, x.shape), x):
                return f"np.resize({written(pattern)}, {x.shape})"
    return f"np.array({_nested(x)}, {dtype})" if x.size else f"np.zeros({x.shape}, {dtype})"


def _nested(x: Array) -> str:
    return f"[{', '.join(map(_nested, x))}]" if x.ndim else _number(x[()])


def _number(entry: Any) -> str:
    if isinstance(entry, np.bool_):
        return repr(bool(entry))
    if isinstance(entry, np.integer):
        return repr(int(entry))
    value = float(entry)
    return repr(value) if np.isfinite(value) else f"np.{value}".replace("np.-", "-np.")
