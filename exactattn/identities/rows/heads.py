"""Heads: grouped, permuted, independent."""

from __future__ import annotations

from exactattn.identities.identity import Identity

HEADS = (
    Identity(
        35,
        "grouped-heads",
        ("P",),
        ("@O_h = attention(@Q_h, @K_(floor(h/g)), @V_(floor(h/g)))", "h = 0, dots, H - 1"),
        (),
        ("g", "h", "floor(h/g)"),
        source="Ainslie et al. 2023, arXiv:2305.13245",
    ),
    Identity(
        36,
        "heads-independent",
        ("P",),
        ("[@O_1, dots, @O_H] @W = sum_h @O_h @W_h = sum_h @O_(pi(h)) @W_(pi(h))",),
        (),
        ("h", "@Q_h", "@K_h", "@V_h", "@W_h"),
        source="Vaswani et al. 2017, arXiv:1706.03762, 3.2.2",
    ),
)
