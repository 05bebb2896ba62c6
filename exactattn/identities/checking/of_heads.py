"""Checks of rows about heads and batches: many at once against each alone."""

from __future__ import annotations

from collections.abc import Iterator

from exactattn.identities.checking.check import Fact, equal
from exactattn.identities.checking.given import Given, Texts, entries_of, row_of


def _beside(*parts: Texts) -> Texts:
    """Matrices with the same rows, side by side."""
    return tuple(tuple(x for row in rows for x in row) for rows in zip(*parts, strict=True))


def grouped_heads(given: Given) -> Iterator[Fact]:
    """Two groups of two query heads: key-value heads repeated for their group, against each head with its own."""
    q, k, v = given.queries, given.keys, given.values
    turned = tuple(row[::-1] for row in q)
    heads = q, turned, q, q
    shared = (k, v), (k[::-1], v)
    repeated = [_beside(*(shared[h // 2][which] for h in range(4))) for which in (0, 1)]
    whole = given.attend(Q=_beside(*heads), K=repeated[0], V=repeated[1], heads=4)
    for h, own in enumerate(heads):
        alone = given.attend(Q=own, K=shared[h // 2][0], V=shared[h // 2][1]).output
        yield from equal(entries_of(whole.heads[h].output), entries_of(alone))


def heads_independent(given: Given) -> Iterator[Fact]:
    """Two heads and a projection, against the heads the other way round with their rows."""
    first = given.queries, given.keys, given.values
    second = tuple(row[::-1] for row in given.queries), given.keys[::-1], given.values
    w = len(given.values[0])
    blocks = [tuple((f"{2 * h + t + 1}", f"{h - t}") for t in range(w)) for h in (0, 1)]
    outputs = []
    for heads, order in (((first, second), (0, 1)), ((second, first), (1, 0))):
        q, k, v = (_beside(*parts) for parts in zip(*heads, strict=True))
        projection = [row for h in order for row in blocks[h]]
        outputs.append(given.attend(Q=q, K=k, V=v, W_O=projection, heads=2).output)
    yield from equal(*map(entries_of, outputs))


def batch_is_items(given: Given) -> Iterator[Fact]:
    """Two items in one sequence, closed against each other."""
    n, m = len(given.queries), len(given.keys)
    keys, values = given.keys[::-1], tuple(row[::-1] for row in given.values)
    mask = [[1] * m + [0] * m] * n + [[0] * m + [1] * m] * n
    whole = given.attend(Q=given.queries * 2, K=given.keys + keys, V=given.values + values, mask=mask).output
    for item, (k, v) in enumerate(((given.keys, given.values), (keys, values))):
        alone = given.attend(Q=given.queries, K=k, V=v).output
        for i in range(n):
            yield from equal(row_of(whole, item * n + i), row_of(alone, i))
