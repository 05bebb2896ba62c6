"""Keys brought together and taken apart: duplicates, blocks, batches, sinks."""

from __future__ import annotations

from exactattn.identities.identity import Identity

KEYS = (
    Identity(
        27,
        "duplicated-key",
        ("P", "D"),
        (
            "e^s v + e^s w = e^(s + ln 2) (v + w)/2",
            "q_i/(1 - q_i) = c p_i/(1 - p_i)",
        ),
        ("e^s + e^s = 2 e^s = e^(s + ln 2)", "p_i/(1 - p_i) = e^(s_i)/(sum_(j != i) e^(s_j))"),
        ("v", "w", "ln 2", "(v + w)/2", "ln c", "p//(1 - p)", "c"),
    ),
    Identity(
        33,
        "block-merge",
        ("P",),
        (
            "(m, l, o) = (max_j s_j, sum_j e^(s_j - m), sum_j e^(s_j - m) v_j)",
            "merge(a, b) = (m, e^(m_a - m) l_a + e^(m_b - m) l_b, e^(m_a - m) o_a + e^(m_b - m) o_b)",
            "o/l = sum_j p_j v_j",
        ),
        ("e^(m_a - m) sum_(j in a) e^(s_j - m_a) = sum_(j in a) e^(s_j - m)",),
        ("m = max(m_a, m_b)", "(- inf, 0, 0)", "m"),
        source="Milakov, Gimelshein 2018, arXiv:1805.02867; Dao et al. 2022, arXiv:2205.14135",
    ),
    Identity(
        37,
        "batch-is-items",
        ("P",),
        ("O(@Q_1, @K_1, @V_1, dots, @Q_b, @K_b, @V_b) = (O(@Q_1, @K_1, @V_1), dots, O(@Q_b, @K_b, @V_b))",),
        (),
        ("b",),
    ),
    Identity(
        38,
        "sink",
        ("P",),
        ("e^(s_i)/(1 + sum_j e^(s_j)) = p_i (s_1, dots, s_n, 0)", "v_(n + 1) = 0"),
        ("sum_j e^(s_j) + e^0 = 1 + sum_j e^(s_j)",),
        ("+ 1", "e^0 = 1", "e^(-m)"),
        source="Xiao et al. 2023, arXiv:2309.17453",
    ),
)
