"""Bounds: weights, log-sum-exp, temperature, entropy, the soft cap."""

from __future__ import annotations

from exactattn.identities.identity import Identity

BOUNDS = (
    Identity(
        11,
        "range-bounds",
        ("A",),
        ("1/(1 + (n - 1) e^R) <= p_i <= 1/(1 + (n - 1) e^(-R))",),
        ("p_i = 1/(1 + sum_(j != i) e^(s_j - s_i))", "- R <= s_j - s_i <= R"),
        ("R = max_j s_j - min_j s_j", "n - 1", "e^(-R)", "e^R"),
    ),
    Identity(
        12,
        "logsumexp-bounds",
        ("D",),
        ("m <= L <= m + ln n", "m = L <=> n = 1", "L = m + ln n <=> s_1 = dots = s_n"),
        ("e^m <= sum_j e^(s_j) <= n e^m",),
        ("m = max_j s_j", "e^m", "n", "s_j = m"),
        source="Boyd, Vandenberghe, Convex Optimization, 2004, 3.1.5",
    ),
    Identity(
        18,
        "temperature",
        ("P", "A"),
        (
            "(c @Q) @K^tr = c (@Q @K^tr)",
            "e^(-R//T)/n <= p_i (T) <= e^(R//T)/n",
            "p_i (T) -> 1/n quad (T -> inf)",
            "p_i (T) -> 1/k quad (T -> 0, quad s_i = m)",
        ),
        ("p_i (T) = 1/(sum_j e^((s_j - s_i)//T))", "s_i < m => p_i (T) <= e^(-(m - s_i)//T) -> 0"),
        ("T = 1//c", "R = max_j s_j - min_j s_j", "- R <= s_j - s_i <= R", "k", "m = max_j s_j"),
        source="Hinton, Vinyals, Dean 2015, arXiv:1503.02531",
    ),
    Identity(
        20,
        "entropy",
        ("P", "A"),
        ("H = - sum_i p_i ln p_i = L - sum_i p_i s_i", "0 <= H <= ln n", "(d H)/(d T) = (Var_p (s))/T^3 >= 0"),
        (
            "- sum_i p_i (s_i - L) = L - sum_i p_i s_i",
            "ln n - H = sum_i p_i ln (n p_i) >= sum_i p_i (1 - 1/(n p_i)) = 0",
            "(d H)/(d T) = -1/T^2 (d H)/(d b) = b/T^2 Var_p (s)",
        ),
        ("ln x >= 1 - 1/x", "b = 1//T", "Var_p (s) = sum_(i<j) p_i p_j (s_i - s_j)^2", "p_i = 1/n", "ln p_i < 0"),
        source="Cover, Thomas, Elements of Information Theory, 2006, 2.1",
    ),
    Identity(
        39,
        "soft-cap",
        ("A", "C"),
        ("f(s) = c tanh(s/c)", "f(-s) = - f(s)", "s < t => f(s) < f(t)", "- c < f(s) < c"),
        ("tanh(x) = (1 - e^(-2 x))/(1 + e^(-2 x)) = 1 - 2/(1 + e^(2 x))",),
        ("0 < c", "1", "e^(2 x)"),
        options=("before-mask", "after-mask"),
        source="Gemma 2, 2024, arXiv:2408.00118",
    ),
)
