"""Outputs: what a mean of values keeps."""

from __future__ import annotations

from exactattn.identities.identity import Identity

OUTPUTS = (
    Identity(
        5,
        "token-permutation",
        ("P",),
        ("O(@Q, @P @K, @P @V) = O(@Q, @K, @V)", "O(@P @Q, @K, @V) = @P O(@Q, @K, @V)"),
        ("softmax(@Q (@P @K)^tr) @P @V = softmax(@Q @K^tr) @P^tr @P @V = O(@Q, @K, @V)",),
        ("@P", "@P^tr @P"),
        source="Vaswani et al. 2017, arXiv:1706.03762",
    ),
    Identity(
        22,
        "convex-hull",
        ("P",),
        ("o_i in conv(v_1, dots, v_n)", "min_j v_(j t) <= o_(i t) <= max_j v_(j t)"),
        ("o - min_j v_j = sum_j p_j (v_j - min_k v_k) >= 0",),
        ("o = sum_j p_j v_j", "0 < p_j", "sum_j p_j = 1"),
    ),
    Identity(
        23,
        "linear-in-values",
        ("P",),
        (
            "O(@V + (1, dots, 1)^tr c^tr) = O(@V) + (1, dots, 1)^tr c^tr",
            "O(a @V + b @U) = a O(@V) + b O(@U)",
            "O(@V @W) = O(@V) @W",
        ),
        ("sum_j p_j (v_j + c) = sum_j p_j v_j + c sum_j p_j = o + c",),
        ("@A", "@A (@V @W) = (@A @V) @W", "@V = (1, dots, 1)^tr c^tr"),
    ),
    Identity(
        24,
        "one-key-or-equal-keys",
        ("P",),
        ("n = 1 => o = v_1", "s_1 = dots = s_n => o = 1/n sum_j v_j"),
        ("sum_j e^s/(n e^s) v_j = 1/n sum_j v_j",),
        ("q = 0", "k_1 = dots = k_n", "1/n"),
    ),
)
