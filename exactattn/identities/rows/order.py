"""Order: what softmax keeps of the order of the scores."""

from __future__ import annotations

from exactattn.identities.checking import of_bounds, of_weights
from exactattn.identities.identity import Identity

ORDER = (
    Identity(
        6,
        "strictly-monotone",
        ("A",),
        ("s_i < s_j => p_i < p_j",),
        ("p_i/p_j = e^(s_i - s_j) < 1",),
        ("s_i - s_j < 0",),
        check=of_weights.strictly_monotone,
    ),
    Identity(
        7,
        "equal-scores-equal-weights",
        ("D",),
        ("s_i = s_j <=> p_i = p_j",),
        ("p_i/p_j = e^(s_i - s_j)", "e^x = 1 <=> x = 0"),
        ("x",),
        check=of_weights.equal_scores,
    ),
    Identity(
        8,
        "same-argmax",
        ("D",),
        ("argmax_i p_i = argmax_i s_i",),
        ("p_i = max_j p_j <=> s_i = max_j s_j",),
        ("s_i <= s_j <=> p_i <= p_j",),
        check=of_weights.same_argmax,
    ),
    Identity(
        19,
        "majorisation",
        ("A",),
        ("T_1 < T_2 => sum_(i <= k) p_((i)) (T_1) >= sum_(i <= k) p_((i)) (T_2)",),
        (
            "(p_i (T_1))/(p_i (T_2)) = c e^(a s_i)",
            "a = 1/T_1 - 1/T_2",
        ),
        ("p_((1)) >= p_((2)) >= dots", "a", "k = 1, dots, n"),
        check=of_bounds.majorisation,
        source="Marshall, Olkin, Arnold, Inequalities: Theory of Majorization, 2011",
    ),
)
