"""Heads: grouped, permuted, independent."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from exactattn.arithmetic.scalarwise import Rows
from exactattn.identities.checking import of_heads
from exactattn.identities.identity import Identity
from exactattn.identities.proving.algebra import attended
from exactattn.identities.proving.claims import Claim, ReadsNone, SameTerm
from exactattn.identities.proving.setting import neighbours
from exactattn.identities.proving.terms import Term, Terms, inputs

TOKENS = 2
"""Tokens in a sequence; heads are one wide."""


def _heads(ar: Terms, q: Rows[Term], k: Rows[Term], v: Rows[Term]) -> list[Rows[Term]]:
    """The output of each head, from its own columns."""
    blocks = [tuple(ar.columns(x, h, h + 1) for x in (q, k, v)) for h in range(len(q[0]))]
    return [attended(ar, *block).output for block in blocks]


def _grouped(n: int, block: Callable[[int], int]) -> Iterator[Claim]:
    """2n query heads over two key-value heads, each repeated n times; `block` says which one a head reads."""
    ar, kv, group = Terms(), 2, n
    q = inputs(ar, "Q", TOKENS, kv * group)
    k, v = (inputs(ar, name, TOKENS, kv) for name in "KV")
    repeated = [ar.hstack([ar.columns(x, h, h + 1) for h in range(kv) for _ in range(group)]) for x in (k, v)]
    for h, found in enumerate(_heads(ar, q, *repeated)):
        own = (ar.columns(q, h, h + 1), *(ar.columns(x, block(h), block(h) + 1) for x in (k, v)))
        due = attended(ar, *own).output
        for i in range(TOKENS):
            yield SameTerm(found[i][0], due[i][0])


def _by_groups(n: int) -> Iterator[Claim]:
    yield from _grouped(n, lambda h: h // n)


def _by_tiles(n: int) -> Iterator[Claim]:
    yield from _grouped(n, lambda h: h % 2)


def _permuted(n: int, rows: Callable[[Sequence[int]], Sequence[int]]) -> Iterator[Claim]:
    """n heads in another order, the output projection with its rows in the order `rows` makes of it."""
    ar = Terms()
    q, k, v = (inputs(ar, name, TOKENS, n) for name in "QKV")
    w = inputs(ar, "W", n, TOKENS)
    outputs = _heads(ar, q, k, v)
    due = ar.matmul(ar.hstack(outputs), w)
    for h, one in enumerate(outputs):
        others = tuple(f"{name}_{i + 1}_{j + 1}" for name in "QKV" for i in range(TOKENS) for j in range(n) if j != h)
        for (o,) in one:
            yield ReadsNone(o, others)
    for order in neighbours(n):
        found = ar.matmul(ar.hstack([outputs[h] for h in order]), tuple(w[h] for h in rows(order)))
        for i in range(TOKENS):
            for j in range(TOKENS):
                yield SameTerm(found[i][j], due[i][j])


def _with_their_blocks(n: int) -> Iterator[Claim]:
    yield from _permuted(n, lambda order: order)


def _without_their_blocks(n: int) -> Iterator[Claim]:
    yield from _permuted(n, sorted)


HEADS = (
    Identity(
        35,
        "grouped-heads",
        ("P",),
        ("@O_h = attention(@Q_h, @K_(floor(h/g)), @V_(floor(h/g)))", "h = 0, dots, H - 1"),
        (),
        ("g", "h", "floor(h/g)"),
        method="structural",
        claims=_by_groups,
        twins=(_by_tiles,),
        check=of_heads.grouped_heads,
        source="Ainslie et al. 2023, arXiv:2305.13245",
    ),
    Identity(
        36,
        "heads-independent",
        ("P",),
        ("[@O_1, dots, @O_H] @W = sum_h @O_h @W_h = sum_h @O_(pi(h)) @W_(pi(h))",),
        (),
        ("h", "@Q_h", "@K_h", "@V_h", "@W_h"),
        method="structural",
        claims=_with_their_blocks,
        twins=(_without_their_blocks,),
        check=of_heads.heads_independent,
        source="Vaswani et al. 2017, arXiv:1706.03762, 3.2.2",
    ),
)
