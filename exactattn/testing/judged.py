"""Results against the truth: every entry with its true value and the bound it has to keep, as balls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

import numpy as np
from flint import arb, fmpq

from exactattn.numbers.ball import bits_of
from exactattn.testing.bounds import Accuracy
from exactattn.testing.formats import Special, decode, exactly
from exactattn.testing.inputs import Array, AttentionInput, ScoresInput, as_rows
from exactattn.testing.signature import Kind
from exactattn.testing.truth import Head, Row, attention_head, exact

Alignment: TypeAlias = Literal["top-left", "bottom-right"]

LONG = 512
"""Rows longer than this are judged by their different entries: what is the same is judged once."""


@dataclass(frozen=True, slots=True)
class Item:
    """An entry of a result: `true` is None for −∞; `count` entries of a long row are the same, the first at `at`."""

    at: int
    got: float
    true: arb | None
    bound: arb
    x: Fraction | None = None
    count: int = 1


@dataclass(frozen=True, slots=True)
class JudgedRow:
    """A row of a result; `truth` is the row of scores or the head it comes from, `number` its place among all rows."""

    number: int
    items: tuple[Item, ...]
    truth: Row | Head
    long: bool = False
    query: int = 0


# -- softmax and its kin -------------------------------------------------------------------------------------------------


def judged_scores(given: ScoresInput, result: Array, kind: Kind, accuracy: Accuracy, bits: int) -> list[JudgedRow]:
    """The rows of a result that have a truth: none that is fully masked, holds NaN or +∞, or is empty."""
    results = result.reshape(-1, 1) if kind == "logsumexp" else as_rows(result, given.axis)
    with bits_of(bits):
        rows = (
            _scores_row(i, x, floats(got), kind, accuracy, bits)
            for i, (x, got) in enumerate(zip(given.rows(), results, strict=True))
        )
        return [row for row in rows if row is not None]


def _scores_row(i: int, x: Array, got: list[float], kind: Kind, accuracy: Accuracy, bits: int) -> JudgedRow | None:
    long = x.size > LONG
    held: list[float | int] = x.tolist() if x.dtype.kind in "iu" else floats(x)
    counts = Counter(held)
    exact_of = {value: exactly(value) if isinstance(value, float) else Fraction(value) for value in counts}
    groups = [(entry, counts[value]) for value, entry in exact_of.items() if not isinstance(entry, Special)]
    if len(groups) < len(counts):
        return None
    row = Row.grouped(groups)
    bounds = accuracy.of_row(row, kind, bits) if row.groups else None
    if bounds is None:
        return None
    if kind == "logsumexp":
        return JudgedRow(i, (Item(0, got[0], row.logsumexp(bits), bounds[0]),), row, long)
    truths = row.weights(bits) if kind == "softmax" else row.log_weights(bits)
    due: dict[Fraction | None, tuple[arb | None, arb]] = {
        value: (true, bound) for value, true, bound in zip(row.values, truths, bounds, strict=True)
    }
    due[None] = (arb(0) if kind == "softmax" else None), arb(_q(accuracy.least))
    items = []
    for value, y, at, count in _grouped(held, got) if long else _each(held, got):
        entry = exact_of[value]
        assert not isinstance(entry, Special)
        items.append(Item(at, y, *due[entry], entry, count))
    return JudgedRow(i, tuple(items), row, long)


def _each(x: list[float | int], got: list[float]) -> Iterator[tuple[float | int, float, int, int]]:
    for at, (value, y) in enumerate(zip(x, got, strict=True)):
        yield value, y, at, 1


def _grouped(x: list[float | int], got: list[float]) -> Iterator[tuple[float | int, float, int, int]]:
    """What is the same once, with the first place it has and how often it is there; NaN is the same as NaN."""
    seen: dict[tuple[float | int, float | None], list[int]] = {}
    for at, (value, y) in enumerate(zip(x, got, strict=True)):
        seen.setdefault((value, y if y == y else None), [at, 0])[1] += 1
    for (value, one), (at, count) in seen.items():
        yield value, float("nan") if one is None else one, at, count


def floats(x: Array) -> list[float]:
    """The entries of an array of one dimension, each in a Python float that holds it exactly."""
    found: list[float] = x.astype(np.float64).tolist()
    return found


# -- attention -----------------------------------------------------------------------------------------------------------


def keep_of(given: AttentionInput, alignment: Alignment) -> Array:
    """Which keys are open, (…, n, m)."""
    n, m = given.q.shape[-2], given.k.shape[-2]
    keep = np.ones((n, m), bool) if given.mask is None else given.mask
    if given.is_causal:
        keep = keep & np.tri(n, m, m - n if alignment == "bottom-right" else 0, dtype=bool)
    return np.broadcast_to(keep, (*given.q.shape[:-2], n, m))


def judged_attention(
    given: AttentionInput, result: Array, accuracy: Accuracy, alignment: Alignment, bits: int
) -> list[JudgedRow]:
    """The rows of a result that have a truth and are well-conditioned, head by head, query by query."""
    n = given.q.shape[-2]
    if 0 in (given.q.size, given.k.size, given.v.size):
        return []
    lead = given.q.shape[:-2]
    keys = np.broadcast_to(given.k, (*lead, *given.k.shape[-2:]))
    values = np.broadcast_to(given.v, (*lead, *given.v.shape[-2:]))
    keeps = keep_of(given, alignment)
    found: list[JudgedRow] = []
    with bits_of(bits):
        for h, at in enumerate(np.ndindex(*lead)):
            arrays = given.q[at], keys[at], values[at], keeps[at]
            found += _head(h * n, given, result[at], arrays, accuracy, bits)
    return found


def _head(
    first: int, given: AttentionInput, result: Array, arrays: tuple[Array, ...], accuracy: Accuracy, bits: int
) -> Iterator[JudgedRow]:
    q, k, v, keep = arrays
    used = np.asarray(keep.any(axis=0))
    # closed to every query: never read, whatever it holds
    finite = np.asarray(np.isfinite(np.hstack([_wide(k), _wide(v)])).all(axis=1))
    if not np.isfinite(_wide(q)).all() or not finite[used].all():
        return
    clean = [np.where(used[:, None], x, np.zeros((), x.dtype)) for x in (k, v)]
    queries, keys, values = (_matrix(x) for x in (q, *clean))
    by = None if given.scale is None else str(Fraction(given.scale))
    head = attention_head(exact(queries), exact(keys), exact(values), by=by, keep=keep.tolist())
    weights, scaled, output = head.weights.balls(bits), head.scaled.balls(bits), head.output.balls(bits)
    magnitudes = [[abs(x) for x in row] for row in queries], [[abs(x) for x in row] for row in keys]
    sizes = exact(magnitudes[0]).matmul(exact(magnitudes[1]).transpose()).balls(bits)
    factor = abs(arb(_q(Fraction(given.scale)))) if given.scale is not None else 1 / arb(q.shape[1]).sqrt()
    columns = [[arb(_q(x)) for x in row] for row in values]
    for i, open_keys in enumerate(keep):
        places = [j for j, is_open in enumerate(open_keys) if is_open]
        if not places:
            continue
        size = factor * _largest([sizes[i, j] for j in places])
        bounds = accuracy.of_outputs(
            [weights[i, j] for j in places], [scaled[i, j] for j in places], size,
            [columns[j] for j in places], q.shape[1],
        )  # fmt: skip
        if bounds is not None:
            items = (Item(t, float(result[i, t]), output[i, t], bounds[t]) for t in range(v.shape[1]))
            yield JudgedRow(first + i, tuple(items), head, query=i)


def _largest(balls: list[arb]) -> arb:
    found = balls[0]
    for ball in balls[1:]:
        found = found.max(ball)
    return found


def _wide(x: Array) -> Array:
    return x if x.dtype.kind in "iu" else x.astype(np.float64)


def _matrix(x: Array) -> list[list[Fraction]]:
    flat = decode(x)
    width = x.shape[1]
    rows = [flat[i : i + width] for i in range(0, len(flat), width)]
    return [[entry for entry in row if isinstance(entry, Fraction)] for row in rows]


def _q(x: Fraction) -> fmpq:
    return fmpq(x.numerator, x.denominator)
