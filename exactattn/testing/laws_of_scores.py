"""The identities of softmax, its logarithm and log-sum-exp as laws for floating results, within the bounds of both sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import isfinite

import numpy as np
from flint import arb, fmpq

from exactattn.testing.checks import Ask, Check, Law, difference, same_bits
from exactattn.testing.formats import decode
from exactattn.testing.inputs import Array, ScoresInput
from exactattn.testing.judged import Item, JudgedRow
from exactattn.testing.signature import Kind
from exactattn.testing.truth import Row

_SHIFTS = (1, 16, -1000, 1000)


def accuracy(ask: Ask) -> Iterator[Check]:
    """Every entry within its bound of the true value."""
    for row in ask.rows:
        for item in row.items:
            yield Check("accuracy", ask.given, (row.number, item.at), item.got, item.true, item.bound)


# -- within one row ------------------------------------------------------------------------------------------------------


def sums_to_one(ask: Ask) -> Iterator[Check]:
    """Σ p = 1."""
    logarithms = ask.takes.kind == "log_softmax"
    for row in ask.rows:
        total, bound = arb(0), arb(0)
        finite = all(isfinite(i.got) or (logarithms and i.got == float("-inf")) for i in row.items)
        for item in row.items:
            if not logarithms:
                bound = bound + item.count * item.bound
            elif item.true is not None:
                bound = bound + item.count * item.true.exp() * (item.bound.exp() - 1)
            if finite and isfinite(item.got):
                total = total + item.count * (arb(item.got).exp() if logarithms else arb(item.got))
        got = total if finite else float("nan")
        yield Check("sums-to-one", ask.given, (row.number, 0), got, arb(1), bound)


def positive(ask: Ask) -> Iterator[Check]:
    """0 < p < 1: never negative, never beyond 1 by more than the bound, 0 only where the weight is that small."""
    one = arb(0) if ask.takes.kind == "log_softmax" else arb(1)
    for row in ask.rows:
        for item in row.items:
            if item.true is None:
                continue
            at = (row.number, item.at)
            yield Check("positive", ask.given, at, item.got, one, item.bound, "above")
            if item.got == (0 if ask.takes.kind == "softmax" else float("-inf")):
                yield Check("positive", ask.given, at, item.got, item.true, item.bound, "below")
            elif ask.takes.kind == "softmax":
                yield Check("positive", ask.given, at, item.got, arb(0), arb(0), "below")


def strictly_monotone(ask: Ask) -> Iterator[Check]:
    """A larger score has no smaller weight."""
    for row in ask.rows:
        items = sorted((i for i in row.items if i.x is not None), key=lambda i: i.x or Fraction(0))
        for low, high in pairwise(items):
            if low.x != high.x:
                got, bound = difference(low.got, high.got), low.bound + high.bound
                at = (row.number, low.at)
                yield Check(
                    "strictly-monotone",
                    ask.given,
                    at,
                    got,
                    arb(0),
                    bound,
                    "above",
                    same=low.got <= high.got,
                    value=high.true,
                )


def equal_scores(ask: Ask) -> Iterator[Check]:
    """Equal scores have equal weights."""
    for row in ask.rows:
        first: dict[Fraction | None, Item] = {}
        for item in row.items:
            one = first.setdefault(item.x, item)
            if one is item and item.count == 1:
                continue
            got, bound = difference(item.got, one.got), item.bound + one.bound
            at, same = (row.number, item.at), same_bits(item.got, one.got)
            yield Check("equal-scores-equal-weights", ask.given, at, got, arb(0), bound, same=same, value=item.true)


def same_argmax(ask: Ask) -> Iterator[Check]:
    """Where the score is largest, so is the weight."""
    for row in ask.rows:
        assert isinstance(row.truth, Row)
        numbers = [item for item in row.items if isfinite(item.got)]
        top = max(numbers, key=lambda item: item.got, default=None)
        for item in row.items:
            if item.x == row.truth.maximum:
                got = float("nan") if top is None else difference(top.got, item.got)
                bound = item.bound + (item.bound if top is None else top.bound)
                same = top is not None and item.got == top.got
                yield Check(
                    "same-argmax",
                    ask.given,
                    (row.number, item.at),
                    got,
                    arb(0),
                    bound,
                    "above",
                    same=same,
                    value=item.true,
                )


def logsumexp_bounds(ask: Ask) -> Iterator[Check]:
    """m ≤ L ≤ m + ln n."""
    for row in ask.rows:
        assert isinstance(row.truth, Row)
        (item,) = row.items
        low = _arb(row.truth.maximum)
        high = low + arb(row.truth.n - row.truth.closed).log()
        yield Check("logsumexp-bounds", ask.given, (row.number, 0), item.got, low, item.bound, "below")
        yield Check("logsumexp-bounds", ask.given, (row.number, 0), item.got, high, item.bound, "above")


# -- two calls -----------------------------------------------------------------------------------------------------------


def shift_invariant(ask: Ask) -> Iterator[Check]:
    """p(s + c) = p(s); L(s + c) = L(s) + c. Where s + c is rounded, the two true values are told apart by just that."""
    given = _scores(ask)
    if not _short(ask):
        return
    name = "logsumexp-shift" if ask.takes.kind == "logsumexp" else "shift-invariant"
    by = _SHIFTS[ask.number % len(_SHIFTS)]
    if given.x.dtype.kind in "iu":
        info = np.iinfo(given.x.dtype)
        by = 1 if given.x.size and int(given.x.max()) < info.max else -1
        if not given.x.size or not info.min <= int(given.x.min()) + by <= int(given.x.max()) + by <= info.max:
            return
    with np.errstate(all="ignore"):
        step = given.x.dtype.type(abs(by))
        moved = given.x + step if by > 0 else given.x - step
    exact = all(
        not isinstance(a, Fraction) or (isinstance(b, Fraction) and b - a == by)
        for a, b in zip(decode(given.x), decode(moved), strict=True)
    )
    for row, before, after, other in _paired(ask, replace(given, x=moved)):
        if before.true is None or after.true is None:
            continue
        got = difference(after.got, before.got)
        due, bound = after.true - before.true, before.bound + after.bound
        same = same_bits(after.got, before.got) if exact and name == "shift-invariant" else None
        yield Check(name, given, (row.number, before.at), got, due, bound, same=same, other=other, value=before.true)


def key_permutation(ask: Ask) -> Iterator[Check]:
    """Permuting the keys permutes the weights, and leaves log-sum-exp as it is."""
    given = _scores(ask)
    n = given.x.shape[given.axis] if given.x.ndim else 0
    if n < 2 or not _short(ask):
        return
    order = np.arange(n)[::-1] if ask.number % 2 else np.roll(np.arange(n), 1 + ask.number % (n - 1))
    other = replace(given, x=np.take(given.x, order, given.axis))
    result = ask.call(other)
    if result is None:
        return
    back = [int(i) for i in np.argsort(order)]
    rows = _rows(ask, other, result)
    for row in ask.rows:
        for item in row.items:
            after = float(rows[row.number][0 if ask.takes.kind == "logsumexp" else back[item.at]])
            yield _same("key-permutation", ask, row, item, after, other)


def batch_is_items(ask: Ask) -> Iterator[Check]:
    """A row has the same result alone as among others."""
    given, rows = _scores(ask), _scores(ask).rows()
    if len(rows) < 2 or not ask.rows:
        return
    row = ask.rows[ask.number % len(ask.rows)]
    if row.long:
        return
    alone = np.moveaxis(rows[row.number].reshape((*[1] * (given.x.ndim - 1), -1)), -1, given.axis)
    other = replace(given, x=alone)
    result = ask.call(other)
    if result is not None:
        (entries,) = _rows(ask, other, result)
        for item in row.items:
            yield _same("batch-is-items", ask, row, item, float(entries[item.at]), other)


def masking_removes(ask: Ask) -> Iterator[Check]:
    """A key with a score of −∞ changes nothing for the others."""
    given = _scores(ask)
    if given.x.dtype.kind in "iu" or not ask.rows or not _short(ask):
        return
    place = ask.number % (given.x.shape[given.axis] + 1)
    other = replace(given, x=np.insert(given.x, place, -np.inf, given.axis))
    for row, before, after, _ in _paired(ask, other, place):
        got, bound = difference(after.got, before.got), before.bound + after.bound
        same = same_bits(after.got, before.got)
        yield Check(
            "masking-removes",
            given,
            (row.number, before.at),
            got,
            arb(0),
            bound,
            same=same,
            other=other,
            value=before.true,
        )


def block_merge(ask: Ask) -> Iterator[Check]:
    """Softmax of the whole from softmax of its two halves and their true log-sum-exps; log-sum-exp from those of the halves."""
    given = _scores(ask)
    n = given.x.shape[given.axis]
    if n < 2 or not ask.rows or not _short(ask):
        return
    halves = [replace(given, x=x) for x in np.split(given.x, [n // 2], given.axis)]
    judged = []
    for half in halves:
        result = ask.call(half)
        if result is None:
            return
        judged.append({row.number: row for row in ask.judge(half, result)})
    for row in ask.rows:
        if all(row.number in half for half in judged):
            first, second = (half[row.number] for half in judged)
            yield from _merged(ask, row, first, second, halves[0])


def _merged(ask: Ask, row: JudgedRow, first: JudgedRow, second: JudgedRow, other: ScoresInput) -> Iterator[Check]:
    name = "block-merge"
    if ask.takes.kind == "logsumexp":
        a, b, (item,) = first.items[0], second.items[0], row.items
        if isfinite(a.got) and isfinite(b.got) and isfinite(item.got):
            high, low = max(a.got, b.got), min(a.got, b.got)
            joined = arb(high) + (arb(low) - arb(high)).exp().log1p()
            got: arb | float = arb(item.got) - joined
        else:
            got = float("nan")
        yield Check(
            name,
            ask.given,
            (row.number, 0),
            got,
            arb(0),
            item.bound + a.bound.max(b.bound),
            other=other,
            value=item.true,
        )
        return
    logarithms = ask.takes.kind == "log_softmax"
    parts = [(row.items[: len(first.items)], first), (row.items[len(first.items) :], second)]
    pairs = [
        (item, part_item, _share(items, logarithms))
        for items, part in parts
        for item, part_item in zip(items, part.items, strict=True)
    ]
    for item, part_item, w in pairs:
        if item.true is None or part_item.true is None:
            continue
        if not (isfinite(item.got) and isfinite(part_item.got)):
            got, bound = float("nan"), item.bound
        elif not logarithms:
            got, bound = arb(item.got) - w * arb(part_item.got), item.bound + w * part_item.bound
        else:
            got, bound = arb(item.got) - (arb(part_item.got) + w.log()), item.bound + part_item.bound
        yield Check(name, ask.given, (row.number, item.at), got, arb(0), bound, other=other, value=item.true)


def _share(items: tuple[Item, ...], logarithms: bool) -> arb:
    """What some keys have of all weights, truly."""
    held = (item.true for item in items if item.true is not None)
    return sum((true.exp() if logarithms else true for true in held), arb(0))


# -- what the laws share -------------------------------------------------------------------------------------------------


def _scores(ask: Ask) -> ScoresInput:
    assert isinstance(ask.given, ScoresInput)
    return ask.given


def _short(ask: Ask) -> bool:
    return bool(ask.rows) and not any(row.long for row in ask.rows)


def _rows(ask: Ask, given: ScoresInput, result: Array) -> Array:
    if ask.takes.kind == "logsumexp":
        return result.reshape(-1, 1)
    return replace(given, x=result).rows()


def _paired(
    ask: Ask, other: ScoresInput, inserted: int | None = None
) -> Iterator[tuple[JudgedRow, Item, Item, ScoresInput]]:
    """Each entry with that of another input, whose keys from `inserted` on stand one further."""
    result = ask.call(other)
    if result is None:
        return
    judged = {row.number: row for row in ask.judge(other, result)}
    for row in ask.rows:
        if row.number in judged:
            items = {item.at: item for item in judged[row.number].items}
            for item in row.items:
                further = inserted is not None and ask.takes.kind != "logsumexp" and item.at >= inserted
                yield row, item, items[item.at + further], other


def _same(name: str, ask: Ask, row: JudgedRow, item: Item, after: float, other: ScoresInput) -> Check:
    """The same entry twice: the true value is one, so the two may differ by both bounds."""
    got, same = difference(after, item.got), same_bits(after, item.got)
    return Check(
        name, ask.given, (row.number, item.at), got, arb(0), 2 * item.bound, same=same, other=other, value=item.true
    )


def _arb(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))


WEIGHTS: Mapping[str, Law] = {
    "accuracy": accuracy,
    "sums-to-one": sums_to_one,
    "positive": positive,
    "shift-invariant": shift_invariant,
    "key-permutation": key_permutation,
    "strictly-monotone": strictly_monotone,
    "equal-scores-equal-weights": equal_scores,
    "same-argmax": same_argmax,
    "masking-removes": masking_removes,
    "block-merge": block_merge,
    "batch-is-items": batch_is_items,
}

LOGSUMEXP: Mapping[str, Law] = {
    "accuracy": accuracy,
    "logsumexp-bounds": logsumexp_bounds,
    "logsumexp-shift": shift_invariant,
    "key-permutation": key_permutation,
    "masking-removes": masking_removes,
    "block-merge": block_merge,
    "batch-is-items": batch_is_items,
}

LAWS_OF_SCORES: Mapping[Kind, Mapping[str, Law]] = {
    "softmax": WEIGHTS,
    "log_softmax": WEIGHTS,
    "logsumexp": LOGSUMEXP,
}
"""By kind and name, in the order of the catalogue."""
