"""Derivatives: the gradient of log-sum-exp, the Jacobian of softmax, and how large it can be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from exactattn.identities.checking import of_bounds, of_weights
from exactattn.identities.identity import Identity
from exactattn.identities.proving.calculus import derivative, derivative_of_logs, ln, plain
from exactattn.identities.proving.claims import Claim, Equal, Positive, SameLogs
from exactattn.identities.proving.ratio import Letters, Ratio
from exactattn.identities.proving.setting import names, row_letters, scores_of, softmax, total


def _jacobian(letters: Letters, p: Sequence[Ratio]) -> list[list[Ratio]]:
    """diag(p) − p·pᵀ."""
    zero = letters.number(0)
    return [[(x if i == j else zero) - x * y for j, y in enumerate(p)] for i, x in enumerate(p)]


def _gradient(n: int) -> Iterator[Claim]:
    letters = row_letters(n)
    scores = scores_of(letters, n)
    weights = softmax(letters, scores)
    logsumexp = ln(total(map(letters.exponential, scores)))
    due = _jacobian(letters, weights)
    for i, p in enumerate(weights):
        yield SameLogs(derivative_of_logs(logsumexp, f"s{i + 1}"), plain(p))
        for j in range(n):
            yield Equal(derivative(p, f"s{j + 1}"), due[i][j])


def _diagonal_only(n: int) -> Iterator[Claim]:
    letters = row_letters(n)
    zero = letters.number(0)
    for i, p in enumerate(softmax(letters, scores_of(letters, n))):
        for j in range(n):
            yield Equal(derivative(p, f"s{j + 1}"), p - p * p if i == j else zero)


def _squares(letters: Letters, p: Sequence[Ratio], pairs: Sequence[tuple[int, int]]) -> Ratio:
    """Σ p_i p_j (x_i − x_j)² over pairs."""
    x = [letters(f"x{k + 1}") for k in range(len(p))]
    return total(p[i] * p[j] * (x[i] - x[j]) * (x[i] - x[j]) for i, j in pairs)


def _form(letters: Letters, p: Sequence[Ratio]) -> Ratio:
    """xᵀ·J·x."""
    x = [letters(f"x{k + 1}") for k in range(len(p))]
    rows = _jacobian(letters, p)
    return total(x[i] * rows[i][j] * x[j] for i in range(len(p)) for j in range(len(p)))


def _of_the_jacobian(n: int) -> Iterator[Claim]:
    letters = row_letters(n, names("x", n))
    p = softmax(letters, scores_of(letters, n))
    rows = _jacobian(letters, p)
    for i in range(n):
        yield Equal(total(rows[i]), letters.number(0))
        for j in range(i):
            yield Equal(rows[i][j], rows[j][i])
            # the squares of a sum that is 0 are all 0, since these are positive: so x is constant, and the rank is n − 1
            yield Positive(p[i] * p[j])
    yield Equal(_form(letters, p), _squares(letters, p, [(i, j) for j in range(n) for i in range(j)]))


def _every_pair_twice(n: int) -> Iterator[Claim]:
    letters = row_letters(n, names("x", n))
    p = softmax(letters, scores_of(letters, n))
    yield Equal(_form(letters, p), _squares(letters, p, [(i, j) for j in range(n) for i in range(n)]))


def _cross_entropy(n: int) -> Iterator[tuple[Ratio, Ratio, Ratio]]:
    """The derivative of the cross-entropy by each score, the weight and the target there."""
    letters = row_letters(n, names("y", n - 1))
    free = [letters(name) for name in names("y", n - 1)]
    targets = [*free, letters.number(1) - total(free)]
    weights = softmax(letters, scores_of(letters, n))
    logs = [ln(p).times(y) for p, y in zip(weights, targets, strict=True)]
    entropy = plain(letters.number(0))
    for one in logs:
        entropy = entropy - one
    for j, (p, y) in enumerate(zip(weights, targets, strict=True)):
        slope = derivative_of_logs(entropy, f"s{j + 1}")
        assert not any(c.above for c in slope.atoms.values())
        yield slope.rest, p, y


def _weights_less_targets(n: int) -> Iterator[Claim]:
    for slope, p, y in _cross_entropy(n):
        yield Equal(slope, p - y)


def _targets_less_weights(n: int) -> Iterator[Claim]:
    for slope, p, y in _cross_entropy(n):
        yield Equal(slope, y - p)


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
        method="derivative",
        claims=_gradient,
        twins=(_diagonal_only,),
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
        method="rational",
        claims=_of_the_jacobian,
        twins=(_every_pair_twice,),
        check=of_weights.jacobian,
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
        check=of_bounds.lipschitz,
        source="Nair 2025, arXiv:2510.23012",
    ),
    Identity(
        17,
        "saturation",
        ("A",),
        ("norm(@J)_2 <= 2 (1 - p_t) <= 2 (n - 1) e^(-g)",),
        ("1 - p_t = sum_(j != t) p_j <= sum_(j != t) e^(s_j - s_t) <= (n - 1) e^(-g)",),
        ("t", "g = s_t - max_(j != t) s_j", "2 p_i (1 - p_i)", "2 (1 - p_t)", "p_i <= 1 - p_t"),
        check=of_bounds.saturation,
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
        method="derivative",
        claims=_weights_less_targets,
        twins=(_targets_less_weights,),
        check=of_bounds.relative_entropy,
        source="Cover, Thomas, Elements of Information Theory, 2006, 2.6",
    ),
)
