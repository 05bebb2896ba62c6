"""A smaller input that fails the same row: fewer rows and keys, then plainer numbers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import isfinite

import numpy as np

from exactattn.testing.inputs import Array, AttentionInput, Input, ScoresInput

TRIES = 400
SECONDS = 4.0
"""When to leave it at what was reached."""


def shrink(given: Input, fails: Callable[[Input], bool]) -> Input:
    """The smallest input found that still fails; `given` itself where nothing smaller does.

    Greedy: the first smaller one that fails is gone on from. The same input and callable give the same answer, but for the
    time limit.
    """
    tries, end = 0, time.monotonic() + SECONDS
    moved = True
    while moved:
        moved = False
        for smaller in _smaller(given):
            if tries >= TRIES or time.monotonic() > end:
                return given
            tries += 1
            if fails(smaller):
                given, moved = smaller, True
                break
    return given


def _smaller(given: Input) -> Iterator[Input]:
    if given.layout != "C":
        yield replace(given, layout="C")
    if isinstance(given, ScoresInput):
        yield from _smaller_scores(given)
    else:
        yield from _smaller_attention(given)


def _smaller_scores(given: ScoresInput) -> Iterator[ScoresInput]:
    x, axis = given.x, given.axis
    if x.ndim > 1:
        for row in given.rows()[:8]:
            yield replace(given, x=row.copy(), axis=-1)
        for other in range(x.ndim):
            if other != axis % x.ndim:
                for part in _parts(x.shape[other]):
                    yield replace(given, x=np.take(x, part, other))
    if x.ndim:
        for part in _parts(x.shape[axis]):
            yield replace(given, x=np.take(x, part, axis))
    for plain in _plainer(x):
        yield replace(given, x=plain)


def _smaller_attention(given: AttentionInput) -> Iterator[AttentionInput]:
    q, k, v, mask = given.q, given.k, given.v, given.mask
    if mask is not None:
        yield replace(given, mask=None)
    if given.is_causal:
        yield replace(given, is_causal=False)
    if given.scale is not None:
        yield replace(given, scale=None)
    if q.ndim > 2 and k.ndim == q.ndim:
        for i in range(q.shape[0]):
            own = mask if mask is None or mask.ndim == 2 else mask[i]
            yield replace(given, q=q[i], k=k[i], v=v[i], mask=own)
    for part in _parts(q.shape[-2]):
        own = None if mask is None else np.take(mask, part, -2)
        yield replace(given, q=np.take(q, part, -2), mask=own)
    for part in _parts(k.shape[-2]):
        own = None if mask is None else np.take(mask, part, -1)
        yield replace(given, k=np.take(k, part, -2), v=np.take(v, part, -2), mask=own)
    for part in _parts(v.shape[-1]):
        yield replace(given, v=np.take(v, part, -1))
    for part in _parts(q.shape[-1]):
        yield replace(given, q=np.take(q, part, -1), k=np.take(k, part, -1))
    for name in ("q", "k", "v"):
        for plain in _plainer(given.arrays[name]):
            yield replace(given, **{name: plain})  # type: ignore[arg-type]


def _parts(n: int) -> Iterator[Array]:
    """Which of n to keep: a half, all but an eighth, all but one; never none."""
    places = np.arange(n)
    if n > 3:
        yield places[: n // 2]
        yield places[n // 2 :]
    if n > 16:
        yield places[: n - n // 8]
        yield places[: n - n // 64 - 1]
    for i in range(min(n, 16)) if n > 1 else ():
        yield np.delete(places, n - 1 - i)


def _plainer(x: Array) -> Iterator[Array]:
    """The same shape with plainer numbers: whole numbers, then 0 or 1 in one place; only what has less to write."""
    if x.size == 0 or x.size > 64:
        return
    wide = x.astype(np.float64)
    finite = np.isfinite(wide)
    with np.errstate(all="ignore"):
        for whole in (np.round(wide), np.round(wide * 4) / 4):
            changed = np.where(finite, whole, wide).astype(x.dtype)
            if not _alike(changed, x) and _cost(changed) < _cost(x):
                yield changed
    for i in range(x.size):
        for plain in (0, 1, -1, *_nearer_zero(float(wide.flat[i]))):
            changed = x.copy()
            if plain < 0 and x.dtype.kind == "u":
                continue
            changed.flat[i] = plain
            if _cost(changed) < _cost(x):
                yield changed


def _nearer_zero(value: float) -> tuple[int, ...]:
    """Whole numbers that a number is made plainer by: itself rounded, its half, a little less, one less."""
    if not abs(value) < 2**53:
        return ()
    size, sign = abs(value), 1 if value > 0 else -1
    return tuple(sign * round(part) for part in (size, size / 2, size * 7 / 8, size - 1) if part > 0)


def _alike(a: Array, b: Array) -> bool:
    return bool(np.array_equal(a, b))


def _cost(x: Array) -> float:
    """How much there is to write and to think about: 0 costs least, then 1, then short numbers, then small ones."""
    texts = {0.0: 0.0, 1.0: 1.0, -1.0: 2.0}
    entries = x.astype(np.float64).ravel().tolist()
    return sum(texts.get(value, 2 + len(repr(value)) + _share(value)) for value in entries)


def _share(value: float) -> float:
    """The size of a number between 0 and 1, for those that are equally long to write."""
    return abs(value) / (1 + abs(value)) if isfinite(value) else 1.0
