"""Masks: what is closed is as if it were not there."""

from __future__ import annotations

from exactattn.identities.identity import Identity

MASKS = (
    Identity(
        28,
        "masking-removes",
        ("P",),
        ("q_i = p_i/(1 - p_r)",),
        ("e^(s_i)/(z - e^(s_r)) = (e^(s_i)//z)/(1 - e^(s_r)//z) = p_i/(1 - p_r)",),
        ("r", "- inf", "e^(- inf) = 0"),
    ),
    Identity(
        29,
        "masked-key-unread",
        ("P",),
        ("(partial o)/(partial k_r) = 0", "(partial o)/(partial v_r) = 0"),
        (),
        ("r", "k_r", "v_r", "0 * v_r"),
    ),
    Identity(
        30,
        "fully-masked",
        ("C",),
        ("s_1 = dots = s_n = - inf => p_i = 0/0",),
        (),
        ("0/0", "1/n"),
        options=("zero", "nan", "uniform", "error"),
    ),
    Identity(
        31,
        "causal-prefix",
        ("P",),
        ("o_i (x_1, dots, x_n) = o_i (x_1, dots, x_i)",),
        (),
        ("i", "j <= i", "i + 1, dots, n"),
        source="Vaswani et al. 2017, arXiv:1706.03762, 3.2.3",
    ),
    Identity(
        32,
        "causal-alignment",
        ("C",),
        ("j <= i", "j <= i + m - n"),
        (),
        ("n", "m", "i", "m - n"),
        options=("top-left", "bottom-right"),
        source="Dao et al., flash-attention 2.1",
    ),
    Identity(
        34,
        "masks-intersect",
        ("P",),
        ("window(causal(@S)) = causal(window(@S))",),
        (),
        ("w", "i - w < j <= i", "j <= i", "abs(i - j) < w"),
        source="Beltagy et al. 2020, arXiv:2004.05150",
    ),
)
