"""The identities of attention as laws for floating results: within the bounds of what they speak of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, fmpq

from exactattn.testing.checks import Ask, Check, Law, difference, same_bits
from exactattn.testing.fixed import numbers
from exactattn.testing.formats import decode
from exactattn.testing.inputs import Array, AttentionInput
from exactattn.testing.judged import Item, JudgedRow, floats, keep_of
from exactattn.testing.laws_of_scores import accuracy
from exactattn.testing.truth import Head

Place = Callable[[int], int]


# -- keys, queries, values -------------------------------------------------------------------------------------------------


def token_permutation(ask: Ask) -> Iterator[Check]:
    """Keys and values permuted together change nothing; queries permuted permute the rows."""
    given = _given(ask)
    n, m = given.q.shape[-2], given.k.shape[-2]
    if given.is_causal:
        return
    if m > 1:
        keys = replace(given, k=given.k[..., ::-1, :], v=given.v[..., ::-1, :], mask=_mask(given, np.s_[..., ::-1]))
        yield from _same("token-permutation", ask, keys)
    if n > 1:
        queries = replace(given, q=given.q[..., ::-1, :], mask=_mask(given, np.s_[..., ::-1, :]))
        yield from _same("token-permutation", ask, queries, lambda row: row - row % n + n - 1 - row % n)


def convex_hull(ask: Ask) -> Iterator[Check]:
    """Each output lies between the least and the largest of the open values of its column."""
    for row in ask.rows:
        head, open_keys = _open(row)
        values = head.values.rationals()
        assert values is not None
        for item in row.items:
            column = [values[j, item.at] for j in open_keys]
            at = (row.number, item.at)
            yield Check("convex-hull", ask.given, at, item.got, arb(min(column)), item.bound, "below", value=item.true)
            yield Check("convex-hull", ask.given, at, item.got, arb(max(column)), item.bound, "above", value=item.true)


def linear_in_values(ask: Ask) -> Iterator[Check]:
    """O(2V) = 2·O(V); one constant for V gives that constant; O(V + W) = O(V) + O(W)."""
    given = _given(ask)
    if not ask.rows:
        return
    if ask.number % 3 == 0:
        other = replace(given, v=np.full_like(given.v, 0.75))
        for row, _, after in _judged(ask, other):
            due, same = arb(fmpq(3, 4)), after.got == 0.75
            yield _check("linear-in-values", ask, row, after, after.got, due, after.bound, other, same)
    elif ask.number % 3 == 1:
        other = replace(given, v=given.v * given.v.dtype.type(2))
        for row, before, after in _judged(ask, other):
            got = difference(after.got, 2 * before.got)
            same = same_bits(after.got, 2 * before.got)
            bound = after.bound + 2 * before.bound
            yield _check("linear-in-values", ask, row, before, got, arb(0), bound, other, same)
    else:
        with np.errstate(all="ignore"):
            flipped = given.v[..., ::-1, :]
            total = given.v + flipped
        if _exact_sum(given.v, flipped, total):
            yield from _added(ask, replace(given, v=flipped), replace(given, v=total))


def _added(ask: Ask, second: AttentionInput, total: AttentionInput) -> Iterator[Check]:
    result = ask.call(second)
    if result is None:
        return
    others = {(row.number, item.at): item for row in ask.judge(second, result) for item in row.items}
    for row, before, after in _judged(ask, total):
        other = others.get((row.number, before.at))
        if other is not None:
            first = difference(after.got, before.got)
            second_got = arb(other.got) if np.isfinite(other.got) else None
            got = float("nan") if isinstance(first, float) or second_got is None else first - second_got
            bound = before.bound + other.bound + after.bound
            yield _check("linear-in-values", ask, row, before, got, arb(0), bound, total)


def one_key(ask: Ask) -> Iterator[Check]:
    """With one key the output is its value; with a zero query the mean of the open values."""
    given = _given(ask)
    if 0 in given.q.shape or given.k.shape[-2] == 0:
        return
    if ask.number % 2:
        other = replace(given, k=given.k[..., :1, :], v=given.v[..., :1, :], mask=None, is_causal=False)
    else:
        other = replace(given, q=np.zeros_like(given.q))
    result = ask.call(other)
    for row in ask.judge(other, result) if result is not None else ():
        head, open_keys = _open(row)
        values = head.values.rationals()
        assert values is not None
        for item in row.items:
            mean = arb(sum((values[j, item.at] for j in open_keys), fmpq(0)) / len(open_keys))
            same = mean == arb(item.got) if np.isfinite(item.got) and ask.number % 2 else None
            yield _check("one-key-or-equal-keys", ask, row, item, item.got, mean, item.bound, other, same)


def key_shift(ask: Ask) -> Iterator[Check]:
    """One vector added to every key changes nothing. Where the sum is rounded, the true values are told apart by just that."""
    given = _given(ask)
    if not ask.rows:
        return
    with np.errstate(all="ignore"):
        other = replace(given, k=given.k + given.k.dtype.type(1))
    for row, before, after in _judged(ask, other):
        if before.true is not None and after.true is not None:
            got, due = difference(after.got, before.got), after.true - before.true
            yield _check("key-shift", ask, row, before, got, due, before.bound + after.bound, other)


# -- masks -----------------------------------------------------------------------------------------------------------------


def masking_removes(ask: Ask) -> Iterator[Check]:
    """Masking a key is the same as leaving it out."""
    given = _given(ask)
    m = given.k.shape[-2]
    if ask.takes.mask is None or given.is_causal or m < 2:
        return
    j = ask.number % m
    without = replace(
        given, k=np.delete(given.k, j, -2), v=np.delete(given.v, j, -2),
        mask=None if given.mask is None else np.delete(given.mask, j, -1),
    )  # fmt: skip
    masked = _closing(given, j)
    first = ask.call(masked)
    if first is None:
        return
    rows = ask.judge(masked, first)
    yield from _same("masking-removes", replace(ask, given=masked, rows=rows), without)


def masked_key_unread(ask: Ask) -> Iterator[Check]:
    """What stands in a masked key and its value does not matter: other numbers, infinities and NaN included."""
    given = _given(ask)
    m = given.k.shape[-2]
    if m < 2 or not ask.rows or (ask.takes.mask is None and not given.is_causal):
        return
    rows = ask.rows
    if given.is_causal:
        j = m - 1
    else:
        j = ask.number % m
        given = _closing(given, j)
        result = ask.call(given)
        if result is None:
            return
        rows = ask.judge(given, result)
    rows = [row for row in rows if j not in _open(row)[1]]
    for content in (3, -64), (float("nan"), float("nan")), (float("inf"), -float("inf")):
        k, v = given.k.copy(), given.v.copy()
        k[..., j, :], v[..., j, :] = content
        other = replace(given, k=k, v=v)
        yield from _same("masked-key-unread", replace(ask, given=given, rows=rows), other)


def causal_prefix(ask: Ask) -> Iterator[Check]:
    """Under a causal mask the first rows do not change when later tokens are added."""
    given = _given(ask)
    n, m = given.q.shape[-2], given.k.shape[-2]
    if n != m or n < 2:
        return
    if not given.is_causal:
        if ask.takes.mask is None or given.mask is not None:
            return
        given = replace(given, mask=np.tri(n, dtype=bool))
        result = ask.call(given)
        if result is None:
            return
        ask = replace(ask, given=given, rows=ask.judge(given, result))
    t = 1 + ask.number % (n - 1)
    cut: Callable[[Array], Array] = lambda x: x[..., :t, :]  # noqa: E731
    mask = None if given.mask is None else given.mask[..., :t, :t]
    other = replace(given, q=cut(given.q), k=cut(given.k), v=cut(given.v), mask=mask)
    rows = [row for row in ask.rows if row.query < t]
    yield from _same("causal-prefix", replace(ask, rows=rows), other, lambda row: row // n * t + row % n)


# -- blocks, heads, batches ------------------------------------------------------------------------------------------------


def block_merge(ask: Ask) -> Iterator[Check]:
    """The output over all keys is that over each half of them, weighed by what the half has of the weights."""
    given = _given(ask)
    m = given.k.shape[-2]
    if given.is_causal or m < 2 or not ask.rows:
        return
    halves = np.s_[: m // 2], np.s_[m // 2 :]
    found = []
    for part in halves:
        one = replace(given, k=given.k[..., part, :], v=given.v[..., part, :], mask=_mask(given, np.s_[..., part]))
        result = ask.call(one)
        if result is None:
            return
        found.append({(row.number, item.at): item for row in ask.judge(one, result) for item in row.items})
    for row in ask.rows:
        head, open_keys = _open(row)
        weights = head.weights.balls(_BITS)
        shares = [
            sum((weights[row.query, j] for j in range(*part.indices(m)) if j in open_keys), arb(0)) for part in halves
        ]
        for item in row.items:
            yield from _merged(ask, row, item, [one.get((row.number, item.at)) for one in found], shares)


def _merged(ask: Ask, row: JudgedRow, item: Item, parts: list[Item | None], shares: list[arb]) -> Iterator[Check]:
    merged, bound = arb(0), item.bound
    for part, share in zip(parts, shares, strict=True):
        if part is None:
            if share != 0:  # a part that is not judged
                return
            continue
        if not np.isfinite(part.got):
            yield Check("block-merge", ask.given, (row.number, item.at), float("nan"), arb(0), bound)
            return
        merged, bound = merged + share * arb(part.got), bound + share * part.bound
    got = arb(item.got) - merged if np.isfinite(item.got) else float("nan")
    yield Check("block-merge", ask.given, (row.number, item.at), got, arb(0), bound, value=item.true)


_BITS = 256


def grouped_heads(ask: Ask) -> Iterator[Check]:
    """Fewer key-value heads than query heads: each is repeated for its group (0 0 1 1, not 0 1 0 1), where that is taken."""
    given = _given(ask)
    if ask.number % 8 or given.q.ndim != 2 or (given.mask is not None and given.mask.ndim != 2) or not ask.batched:
        return
    q = np.stack([given.q * given.q.dtype.type(s) for s in (1, -1, 0.5, -0.5)])
    k, v = np.stack([given.k, -given.k]), np.stack([given.v, -given.v])
    grouped = replace(given, q=q, k=k, v=v)
    result = ask.attempt(grouped)
    whole = replace(grouped, k=np.repeat(k, 2, 0), v=np.repeat(v, 2, 0))
    repeated = ask.attempt(whole) if result is not None else None
    if result is not None and repeated is not None:
        rows = ask.judge(whole, repeated)
        yield from _equal("grouped-heads", replace(ask, given=whole, rows=rows), grouped, result)


def batch_is_items(ask: Ask) -> Iterator[Check]:
    """A batch (or several heads) has for each item what that item has alone."""
    given = _given(ask)
    if not ask.rows:
        return
    lead = given.q.shape[:-2]
    n = given.q.shape[-2]
    if lead:
        at = np.unravel_index(ask.number % int(np.prod(lead)), lead)
        mask = given.mask if given.mask is None or given.mask.ndim == 2 else given.mask[at]
        other = replace(given, q=given.q[at], k=given.k[at], v=given.v[at], mask=mask)
        first = int(np.ravel_multi_index(at, lead)) * n
        rows = [row for row in ask.rows if first <= row.number < first + n]
        yield from _same("batch-is-items", replace(ask, rows=rows), other, lambda row: row - first)
    elif ask.batched:
        others = [numbers(x.shape, 7 + ask.number % 5, 24).astype(x.dtype) for x in (given.q, given.k, given.v)]
        q, k, v = (np.stack([b, a]) for a, b in zip((given.q, given.k, given.v), others, strict=True))
        other = replace(given, q=q, k=k, v=v)
        yield from _same("batch-is-items", ask, other, lambda row: n + row)


# -- what the laws share ---------------------------------------------------------------------------------------------------


def _given(ask: Ask) -> AttentionInput:
    assert isinstance(ask.given, AttentionInput)
    return ask.given


def _mask(given: AttentionInput, part: Any) -> Array | None:
    if given.mask is None:
        return None
    found: Array = given.mask[part]
    return found


def _closing(given: AttentionInput, j: int) -> AttentionInput:
    """The input with one key masked for all queries."""
    mask = keep_of(replace(given, is_causal=False), "top-left").copy()
    mask = mask if given.mask is not None else mask.reshape(-1, *mask.shape[-2:])[0]
    mask[..., j] = False
    return replace(given, mask=mask)


def _open(row: JudgedRow) -> tuple[Head, list[int]]:
    assert isinstance(row.truth, Head)
    keep = row.truth.keep
    every = range(row.truth.weights.shape[1])
    return row.truth, list(every) if keep is None else [j for j in every if keep[row.query][j]]


def _same(name: str, ask: Ask, other: AttentionInput, place: Place = lambda row: row) -> Iterator[Check]:
    """Another input with the same true values: the two results may differ by both bounds."""
    if ask.rows:
        result = ask.call(other)
        if result is not None:
            yield from _equal(name, ask, other, result, place)


def _equal(
    name: str, ask: Ask, other: AttentionInput, result: Array, place: Place = lambda row: row
) -> Iterator[Check]:
    entries = result.reshape(-1, result.shape[-1])
    for row in ask.rows:
        after = floats(entries[place(row.number)])
        for item in row.items:
            got, same = difference(after[item.at], item.got), same_bits(after[item.at], item.got)
            yield _check(name, ask, row, item, got, arb(0), 2 * item.bound, other, same)


def _judged(ask: Ask, other: AttentionInput) -> Iterator[tuple[JudgedRow, Item, Item]]:
    """Each entry with that of another input."""
    result = ask.call(other)
    if result is None:
        return
    judged = {row.number: row for row in ask.judge(other, result)}
    for row in ask.rows:
        if row.number in judged:
            yield from ((row, a, b) for a, b in zip(row.items, judged[row.number].items, strict=True))


def _check(
    name: str, ask: Ask, row: JudgedRow, item: Item, got: arb | float, due: arb, bound: arb,
    other: AttentionInput, same: bool | None = None,
) -> Check:  # fmt: skip
    return Check(name, ask.given, (row.number, item.at), got, due, bound, same=same, other=other, value=item.true)


def _exact_sum(a: Array, b: Array, total: Array) -> bool:
    entries = zip(decode(a), decode(b), decode(total), strict=True)
    return all(
        isinstance(x, Fraction) and isinstance(y, Fraction) and isinstance(z, Fraction) and x + y == z
        for x, y, z in entries
    )


ATTENTION: Mapping[str, Law] = {
    "accuracy": accuracy,
    "token-permutation": token_permutation,
    "convex-hull": convex_hull,
    "linear-in-values": linear_in_values,
    "one-key-or-equal-keys": one_key,
    "key-shift": key_shift,
    "masking-removes": masking_removes,
    "masked-key-unread": masked_key_unread,
    "causal-prefix": causal_prefix,
    "block-merge": block_merge,
    "grouped-heads": grouped_heads,
    "batch-is-items": batch_is_items,
}
"""By name, in the order of the catalogue."""
