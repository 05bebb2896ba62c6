"""Weights and their logarithms: sums, signs, shifts, permutations."""

from __future__ import annotations

from exactattn.identities.identity import Identity

WEIGHTS = (
    Identity(
        1,
        "sums-to-one",
        ("P",),
        ("sum_i p_i = 1",),
        ("sum_i p_i = sum_i e^(s_i)/z = z/z = 1",),
        ("z = sum_j e^(s_j)",),
        source="Bridle 1990",
    ),
    Identity(
        2,
        "positive",
        ("P",),
        ("0 < p_i < 1",),
        ("1 - p_i = (z - e^(s_i))/z",),
        ("n >= 2", "e^(s_i)"),
        source="Bridle 1990",
    ),
    Identity(
        3,
        "shift-invariant",
        ("P",),
        ("softmax(s_1 + c, dots, s_n + c) = softmax(s_1, dots, s_n)",),
        ("e^(s_i + c)/(sum_j e^(s_j + c)) = (e^c e^(s_i))/(e^c sum_j e^(s_j)) = p_i",),
        ("e^c", "c = - max_j s_j"),
        source="Blanchard, Higham, Higham 2021, doi:10.1093/imanum/draa038",
    ),
    Identity(
        4,
        "key-permutation",
        ("P",),
        ("p_(pi(i)) (s) = p_i (s_(pi(1)), dots, s_(pi(n)))",),
        ("e^(s_(pi(i)))/(sum_j e^(s_(pi(j)))) = e^(s_(pi(i)))/(sum_j e^(s_j))",),
        ("z",),
    ),
    Identity(
        9,
        "log-ratio",
        ("P",),
        ("ln p_i - ln p_j = s_i - s_j",),
        ("ln p_i - ln p_j = (s_i - ln z) - (s_j - ln z) = s_i - s_j",),
        ("ln z",),
    ),
    Identity(
        10,
        "two-keys-sigmoid",
        ("P",),
        ("p_1 = sigma(s_1 - s_2) = 1/2 (1 + tanh((s_1 - s_2)/2))",),
        (
            "e^(s_1)/(e^(s_1) + e^(s_2)) = 1/(1 + e^(-(s_1 - s_2)))",
            "1 + tanh(x) = 1 + (e^x - e^(-x))/(e^x + e^(-x)) = (2 e^x)/(e^x + e^(-x))",
        ),
        ("n = 2", "e^(s_1)", "x = (s_1 - s_2)/2", "p_i/(p_i + p_j) = sigma(s_i - s_j)"),
    ),
    Identity(
        13,
        "logsumexp-shift",
        ("P",),
        ("L(s_1 + c, dots, s_n + c) = L(s_1, dots, s_n) + c", "ln p_i = s_i - L"),
        ("ln (sum_j e^(s_j + c)) = ln (e^c sum_j e^(s_j)) = c + L", "ln (e^(s_i)/z) = s_i - ln z = s_i - L"),
        ("L = ln z",),
        source="Blanchard, Higham, Higham 2021, doi:10.1093/imanum/draa038",
    ),
)
