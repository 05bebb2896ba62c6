"""Derivatives: the gradient of log-sum-exp, the Jacobian of softmax, and how large it can be."""

from __future__ import annotations

from exactattn.identities.identity import Identity

DERIVATIVES = (
    Identity(
        14,
        "gradient-of-logsumexp",
        ("P",),
        ("(partial L)/(partial s_i) = p_i", "(partial^2 L)/(partial s_i partial s_j) = J_(i j)"),
        (
            "(partial ln z)/(partial s_i) = e^(s_i)/z = p_i",
            "(partial p_i)/(partial s_j) = (delta_(i j) e^(s_i))/z - (e^(s_i) e^(s_j))/z^2 = delta_(i j) p_i - p_i p_j",
        ),
        ("L = ln z", "J_(i j) = delta_(i j) p_i - p_i p_j"),
        source="Boyd, Vandenberghe, Convex Optimization, 2004, 3.1.5",
    ),
    Identity(
        15,
        "jacobian",
        ("P",),
        (
            "@J = diag(p) - p p^tr = @J^tr",
            "@J (1, dots, 1)^tr = 0",
            "x^tr @J x = sum_(i<j) p_i p_j (x_i - x_j)^2 >= 0",
            "rank @J = n - 1",
        ),
        (
            "sum_j J_(i j) = p_i - p_i sum_j p_j = 0",
            "x^tr @J x = sum_i p_i x_i^2 - (sum_i p_i x_i)^2 = sum_(i<j) p_i p_j (x_i - x_j)^2",
        ),
        ("p_i p_j", "x_1 = dots = x_n", "n - 1"),
        source="Gao, Pavel 2017, arXiv:1704.00805",
    ),
    Identity(
        16,
        "lipschitz",
        ("A",),
        (
            "norm(@J)_2 <= max_i 2 p_i (1 - p_i) <= 1/2",
            "norm(softmax(s) - softmax(t))_2 <= 1/2 norm(s - t)_2",
        ),
        ("sum_j abs(J_(i j)) = p_i (1 - p_i) + p_i sum_(j != i) p_j = 2 p_i (1 - p_i)",),
        ("@J", "max_i sum_j abs(J_(i j))", "x (1 - x) <= 1/4", "1/2"),
        source="Nair 2025, Softmax is 1/2-Lipschitz",
    ),
    Identity(
        17,
        "saturation",
        ("A",),
        ("norm(@J)_2 <= 2 (1 - p_t) <= 2 (n - 1) e^(-g)",),
        ("1 - p_t = sum_(j != t) p_j <= sum_(j != t) e^(s_j - s_t) <= (n - 1) e^(-g)",),
        ("t", "g = s_t - max_(j != t) s_j", "2 p_i (1 - p_i)", "2 (1 - p_t)", "p_i <= 1 - p_t"),
    ),
    Identity(
        21,
        "cross-entropy-gradient",
        ("P", "A"),
        ("partial/(partial s_j) (- sum_i y_i ln p_i) = p_j - y_j", "KL(p, q) = sum_i p_i ln (p_i/q_i) >= 0"),
        (
            "- sum_i y_i ln p_i = L - sum_i y_i s_i",
            "sum_i p_i ln (p_i/q_i) >= sum_i p_i (1 - q_i/p_i) = 1 - 1 = 0",
        ),
        ("sum_i y_i = 1", "p_j", "ln x >= 1 - 1/x", "p = q"),
        source="Cover, Thomas, Elements of Information Theory, 2006, 2.6",
    ),
)
