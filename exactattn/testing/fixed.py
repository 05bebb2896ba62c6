"""The inputs that every callable is given first, 40 for each number type: where softmax and attention are known to go wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from exactattn.testing.formats import FORMATS, Format
from exactattn.testing.frames import dtype_of
from exactattn.testing.inputs import Array, AttentionInput, Layout, ScoresInput
from exactattn.testing.signature import Signature

COUNT = 40
"""How many there are for each number type."""

INF = float("inf")


def numbers(shape: Sequence[int], seed: int, spread: int = 48) -> Array:
    """Sixteenths between −spread/16 and spread/16, without an order: exact in every format."""
    found: Array = np.random.Generator(np.random.PCG64(seed)).integers(-spread, spread + 1, tuple(shape)) / 16
    return found


# -- scores ----------------------------------------------------------------------------------------------------------------


def fixed_scores(dtype: str, takes: Signature, axis: int | None = None) -> list[ScoresInput]:
    """Scores in a number type. `axis` None: the last, and others where the callable has an axis to set."""
    kind = dtype_of(dtype)
    rows = _integers(dtype) if kind.kind in "iu" else _floats(FORMATS[dtype])
    free = axis is None and takes.axis is not None
    last = -1 if axis is None else axis
    given = [
        ScoresInput(name, _along(np.asarray(x).astype(kind), last), last, layout)
        for name, x, layout in (*rows, *_many())
    ]
    shapes = _other_axes() if free else _no_other_axes()
    given += [
        ScoresInput(name, _along(x.astype(kind), last if not free else -1), at if free else last)
        for name, x, at in shapes
    ]
    rest = (ScoresInput(f"ordinary {k}", _along(_small(k).astype(kind), last), last) for k in range(COUNT))
    return list(islice((*given, *rest), COUNT))


def _along(x: Array, axis: int) -> Array:
    """The last axis put where `axis` is, in an array of as many dimensions as that takes."""
    least = axis + 1 if axis >= 0 else -axis
    while x.ndim < least:
        x = x[None]
    return np.ascontiguousarray(np.moveaxis(x, -1, axis)) if x.ndim > 1 else x


def _small(k: int) -> Array:
    return np.abs(numbers((2, 3 + k % 9), 100 + k))


_Row = tuple[str, Any, Layout]


def _many() -> Iterator[_Row]:
    """Shapes and layouts, in numbers that integers have too."""
    yield "a matrix", np.abs(numbers((3, 4), 1)), "C"
    yield "three dimensions", np.abs(numbers((2, 3, 4), 2)), "C"
    yield "not contiguous", np.abs(numbers((3, 6), 3)), "strided"
    yield "columns first", np.abs(numbers((4, 5), 4)), "F"
    yield "no rows", np.zeros((0, 3)), "C"
    yield "no keys", np.zeros((2, 0)), "C"
    yield "seventy thousand zeros", np.zeros(70_000), "C"
    yield "a long pattern", np.resize(np.array([1, 0, 0]), 20_000), "C"


def _other_axes() -> Iterator[tuple[str, Array, int]]:
    yield "4096 zeros down a column", np.zeros((4096, 2)), 0
    yield "the first axis of a matrix", np.abs(numbers((5, 3), 5)), 0
    yield "the middle axis", np.abs(numbers((2, 4, 3), 6)), 1
    yield "the first axis of three", np.abs(numbers((3, 2, 4), 7)), 0
    yield "the axis before the last", np.abs(numbers((2, 5, 3), 8)), -2
    yield "a square, down its columns", np.abs(numbers((4, 4), 9)), 0


def _no_other_axes() -> Iterator[tuple[str, Array, int]]:
    yield "4096 zeros in two rows", np.zeros((2, 4096)), -1
    yield "five rows", np.abs(numbers((5, 3), 5)), -1
    yield "four dimensions", np.abs(numbers((2, 1, 2, 3), 6)), -1


def _floats(form: Format) -> Iterator[_Row]:
    most, normal, least = float(form.largest), float(form.least_normal), float(form.least_subnormal)
    ulp = float(2 * form.u)  # of numbers from 1 to 2
    flat = float(np.log(normal))
    yield "ordinary", [1, 2, 3], "C"
    yield "one key", [1.5], "C"
    yield "two keys", [0.25, -0.5], "C"
    yield "eight keys", [0.3125, -1.25, 0.75, 2.5, -0.125, 1.125, -2.25, 0.875], "C"
    yield "equal entries", [0.75] * 5, "C"
    yield "one-hot", [0, 0, 1, 0], "C"
    yield "one-hot, sure", [0, 0, 30, 0], "C"
    yield "integers, rising", list(range(10)), "C"
    yield "large", [1000, 1001, 999], "C"
    yield "large and negative", [-1000, -1001, -999], "C"
    yield "a wide range", [0, -10, 10, -40, 40, 5], "C"
    yield "huge", [most / 4, most / 8, -most / 8], "C"
    yield "huge and equal", [most / 4] * 3, "C"
    yield "tiny", [normal, 3 * normal, -2 * normal, 0], "C"
    yield "subnormal", [least, 2 * least, -3 * least, 0], "C"
    yield "both zeros", [0.0, -0.0, 0.0], "C"
    yield "adjacent numbers", [1, 1 + ulp, 1 + 2 * ulp, 1 + 3 * ulp, 1 - ulp / 2], "C"
    yield "subnormal weights", [0, flat - 2, flat - 1, flat], "C"
    yield "two keys masked", [1, -INF, 2, -INF], "C"
    yield "the first key masked", [-INF, 0.5, 0.25], "C"
    yield "one key open", [-INF, 3, -INF], "C"
    yield "a fully masked row between others", [[1, 2, 3], [-INF, -INF, -INF], [3, 1, 2]], "C"
    yield "a row of NaN between others", [[1, 2, 3], [0, float("nan"), 1], [3, 1, 2]], "C"
    yield "one key and many small ones", [0, *[-8] * 4095], "C"
    yield "many keys", numbers((1, 300), 10)[0], "C"


def _integers(dtype: str) -> Iterator[_Row]:
    info = np.iinfo(dtype)
    low, high = int(info.min), int(info.max)

    def of(*entries: int) -> Array:
        return np.array(entries, dtype)

    yield "ordinary", of(1, 2, 3), "C"
    yield "one key", of(2), "C"
    yield "two keys, falling", of(3, 0), "C"
    yield "two keys, rising", of(0, 3), "C"
    yield "equal entries", of(7, 7, 7, 7, 7), "C"
    yield "one-hot", of(0, 0, 1, 0), "C"
    yield "rising", of(*range(10)), "C"
    yield "falling", of(*range(9, -1, -1)), "C"
    yield "least and largest", of(low, high), "C"
    yield "largest and least", of(high, low, low // 2), "C"
    yield "largest only", of(high, high), "C"
    yield "least only", of(low, low, low), "C"
    yield "near the largest", of(high - 1, high, high - 3), "C"
    yield "near the least", of(low + 1, low, low + 3), "C"
    yield "a wide range", of(0, 100, 50, 100), "C"
    yield "half of the range", of(low, low + (high - low) // 2, high), "C"


# -- attention -------------------------------------------------------------------------------------------------------------


def fixed_attention(dtype: str, takes: Signature) -> list[AttentionInput]:
    """Queries, keys and values in a floating format, with the masks, causal flags and scales that the callable has."""
    form, kind = FORMATS[dtype], dtype_of(dtype)

    def of(name: str, q: Any, k: Any, v: Any, **more: Any) -> AttentionInput:
        queries, keys, values = (np.asarray(x).astype(kind) for x in (q, k, v))
        return AttentionInput(name, queries, keys, values, **more)

    found = [of(name, q, k, v, layout=layout) for name, (q, k, v), layout in _plain(form)]
    if takes.mask is not None:
        found += [of(name, *arrays, mask=mask) for name, arrays, mask in _masked(form)]
    if takes.is_causal is not None:
        found += [of(name, *arrays, is_causal=True) for name, arrays in _causal()]
    if takes.is_causal is not None and takes.mask is not None:
        keep = np.array([[1, 0, 1, 1], [1, 1, 0, 1], [0, 1, 1, 1], [1, 1, 1, 0]], bool)
        found.append(of("causal, with a mask", *qkv((), 4, 4, 3, 2, 60), mask=keep, is_causal=True))
    if takes.scale is not None:
        found += [of(f"scale {s}", *qkv((), 2, 3, 4, 2, 61 + k), scale=s) for k, s in enumerate((1.0, 0.5, 2.0, 0.0))]
    rest = (of(f"ordinary {k}", *qkv((), 1 + k % 4, 1 + k % 5, 1 + k % 3, 2, 70 + k)) for k in range(COUNT))
    return list(islice((*found, *rest), COUNT))


_QKV = tuple[Array, Array, Array]


def qkv(lead: tuple[int, ...], n: int, m: int, d: int, width: int, seed: int, spread: int = 48) -> _QKV:
    """n queries and m keys of width d, m values of another width."""
    shapes = (*lead, n, d), (*lead, m, d), (*lead, m, width)
    q, k, v = (numbers(shape, 3 * seed + i, spread) for i, shape in enumerate(shapes))
    return q, k, v


def _plain(form: Format) -> Iterator[tuple[str, _QKV, Layout]]:
    q, k, v = qkv((), 3, 3, 2, 2, 1)
    most = 2.0 ** (form.grid.emax - 6)
    yield "ordinary", (q, k, v), "C"
    yield "one query, one key", qkv((), 1, 1, 2, 3, 2), "C"
    yield "one key", qkv((), 3, 1, 2, 2, 3), "C"
    yield "one query", qkv((), 1, 5, 4, 2, 4), "C"
    yield "equal keys", (q, np.repeat(k[:1], 3, 0), v), "C"
    yield "zero queries", (np.zeros_like(q), k, v), "C"
    yield "narrow values", qkv((), 3, 4, 4, 1, 5), "C"
    yield "wide values", qkv((), 3, 4, 2, 6, 6), "C"
    yield "more keys than queries", qkv((), 2, 6, 3, 3, 7), "C"
    yield "more queries than keys", qkv((), 6, 2, 3, 3, 8), "C"
    yield "a batch", qkv((2,), 3, 3, 2, 2, 9), "C"
    yield "a batch of heads", qkv((2, 2), 2, 3, 2, 2, 10), "C"
    yield "width 1", qkv((), 3, 4, 1, 2, 11), "C"
    yield "width 32", qkv((), 2, 3, 32, 2, 12, 16), "C"
    yield "large scores", (8 * q, k, v), "C"
    yield "sure weights", (np.eye(3) * 30, np.eye(3) * 4, numbers((3, 3), 13)), "C"
    yield "large values", (q, k, v * (most / 4)), "C"
    yield "subnormal values", (q, k, v * 16 * float(form.least_subnormal)), "C"
    yield "values that cancel", (q, np.repeat(k[:1], 3, 0), np.array([[1.0], [1.0], [-2.0]])), "C"
    yield "constant values", (q, k, np.full((3, 2), 0.75)), "C"
    yield "a hundred keys", qkv((), 1, 100, 2, 1, 14, 16), "C"
    yield "not contiguous", qkv((), 3, 4, 4, 4, 15), "strided"
    yield "columns first", qkv((), 3, 4, 4, 4, 16), "F"


def _masked(form: Format) -> Iterator[tuple[str, _QKV, Array]]:
    keep = np.array([[1, 0, 1, 1], [1, 1, 0, 0], [0, 0, 0, 1]], bool)
    yield "a mask", qkv((), 3, 4, 2, 2, 30), keep
    yield "a key masked for all", qkv((), 3, 4, 2, 2, 31), np.array([[1, 0, 1, 1]] * 3, bool)
    yield "everything open", qkv((), 2, 3, 2, 2, 32), np.ones((2, 3), bool)
    yield "a fully masked row", qkv((), 3, 3, 2, 2, 33), np.array([[1, 1, 0], [0, 0, 0], [0, 1, 1]], bool)
    yield "a mask for a batch", qkv((2,), 3, 4, 2, 2, 34), np.stack([keep, ~keep | np.eye(3, 4, dtype=bool)])
    # the open scores lie far below any finite number one might add to the closed ones
    low = np.full((2, 1), -16.0), np.array([[0.0], [1000.0], [1000.0]]), np.array([[64.0], [1.0], [2.0]])
    yield "open scores of -16 000", low, np.array([[0, 1, 1]] * 2, bool)
    if form.largest > 65536:
        far = np.full((2, 1), -65536.0), np.array([[0.0], [32768.0], [32768.0]]), np.array([[64.0], [1.0], [2.0]])
        yield "open scores of -2 000 000 000", far, np.array([[0, 1, 1]] * 2, bool)


def _causal() -> Iterator[tuple[str, _QKV]]:
    yield "causal", qkv((), 4, 4, 2, 2, 50)
    yield "causal, one token", qkv((), 1, 1, 2, 2, 51)
    yield "causal, more keys", qkv((), 2, 5, 2, 2, 52)
    yield "causal, more queries", qkv((), 4, 2, 2, 2, 53)
    yield "causal, a batch", qkv((2,), 3, 3, 2, 2, 54)
