"""Scores: what changes none of them, and how large they are."""

from __future__ import annotations

from exactattn.identities.identity import Identity

SCORES = (
    Identity(
        25,
        "key-shift",
        ("P",),
        ("softmax(q * (k_1 + c), dots, q * (k_n + c)) = softmax(q * k_1, dots, q * k_n)",),
        ("q * (k_j + c) = q * k_j + q * c",),
        ("q * c",),
    ),
    Identity(
        26,
        "change-of-basis",
        ("P",),
        (
            "(@Q @A) (@K @A^(-tr))^tr = @Q @K^tr",
            "(@R_i q) * (@R_j k) = (@R_(i + t) q) * (@R_(j + t) k)",
        ),
        (
            "@Q @A (@K @A^(-tr))^tr = @Q @A @A^(-1) @K^tr = @Q @K^tr",
            "(@R_i q) * (@R_j k) = q^tr @R_i^tr @R_j k = q^tr @R_(j - i) k",
        ),
        ("@A", "@R_t", "t", "c^2 + s^2 = 1", "@R_i^tr @R_j = @R_(j - i)"),
        source="Su et al. 2021, arXiv:2104.09864",
    ),
    Identity(
        40,
        "default-scale",
        ("C",),
        ("score(q, k) = (q * k)/sqrt(d_k)",),
        (),
        ("d_k", "d_v", "1/sqrt(d_k)"),
        options=("score-width", "value-width", "model-width", "none"),
        source="Vaswani et al. 2017, arXiv:1706.03762",
    ),
    Identity(
        41,
        "variance-of-scores",
        ("P",),
        ("Var(q * k) = d_k", "Var((q * k)/sqrt(d_k)) = 1"),
        ("Var(q * k) = sum_t Var(q_t k_t) = sum_t E[q_t^2] E[k_t^2] = d_k",),
        ("E[q_t] = E[k_t] = 0", "E[q_t^2] = E[k_t^2] = 1", "(q * k)^2", "1/d_k"),
        source="Vaswani et al. 2017, arXiv:1706.03762, note 4",
    ),
)
