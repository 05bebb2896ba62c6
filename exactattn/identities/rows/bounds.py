"""Bounds: weights, log-sum-exp, temperature, entropy, the soft cap."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from exactattn.identities.checking import of_bounds, of_weights
from exactattn.identities.identity import Identity
from exactattn.identities.proving.algebra import Algebra
from exactattn.identities.proving.calculus import Logs, derivative, derivative_of_logs, ln, plain
from exactattn.identities.proving.claims import Claim, Equal, Positive, SameLogs
from exactattn.identities.proving.ratio import Letters, Ratio
from exactattn.identities.proving.setting import names, row_letters, scores_of, softmax, total


def _scores_scaled(n: int, *, both: Sequence[str]) -> Iterator[Claim]:
    """Scores of vectors n wide, those named in `both` times c, against c times the scores."""
    letters = Letters(("c", *names("q", n), *names("k", n)))
    ar = Algebra(letters)
    rows = {"q": ar.read((names("q", n),)), "k": ar.read((names("k", n),))}
    scaled = {name: ar.scale(row, "c") if name in both else row for name, row in rows.items()}
    ((left,),) = ar.matmul(scaled["q"], ar.transpose(scaled["k"]))
    ((right,),) = ar.scale(ar.matmul(rows["q"], ar.transpose(rows["k"])), "c")
    yield Equal(left, right)


def _queries_scaled(n: int) -> Iterator[Claim]:
    yield from _scores_scaled(n, both=("q",))


def _queries_and_keys_scaled(n: int) -> Iterator[Claim]:
    yield from _scores_scaled(n, both=("q", "k"))


def _entropy(p: Sequence[Ratio]) -> Logs:
    """− Σ p ln p."""
    out = plain(p[0].letters.number(0))
    for x in p:
        out = out - ln(x).times(x)
    return out


def _of_entropy(n: int) -> Iterator[Claim]:
    letters = row_letters(n)
    scores = scores_of(letters, n)
    p = softmax(letters, scores)
    logsumexp = ln(total(map(letters.exponential, scores)))
    yield SameLogs(_entropy(p), logsumexp - plain(total(x * s for x, s in zip(p, scores, strict=True))))
    yield from _falls_with_inverse_temperature(n)


def _falls_with_inverse_temperature(n: int) -> Iterator[Claim]:
    """With b = 1/T: dH/db = − b·Var(s), and the variance is a sum of squares with positive coefficients."""
    scores = names("s", n)
    letters = Letters((*scores, "b"), [("b", s) for s in scores])
    b, plainly = letters("b"), [letters(s) for s in scores]
    exponentials = [letters.exponential(b * s) for s in plainly]
    z = total(exponentials)
    p = [e / z for e in exponentials]
    mean = total(x * s for x, s in zip(p, plainly, strict=True))
    pairs = [(i, j) for j in range(n) for i in range(j)]
    variance = total(p[i] * p[j] * (plainly[i] - plainly[j]) * (plainly[i] - plainly[j]) for i, j in pairs)
    yield Equal(derivative(mean, "b"), variance)
    yield SameLogs(derivative_of_logs(ln(z) - plain(b * mean), "b"), plain(-(b * variance)))
    for i, j in pairs:
        yield Positive(p[i] * p[j])


def _largest_for_the_mean(n: int) -> Iterator[Claim]:
    letters = row_letters(n)
    scores = scores_of(letters, n)
    yield SameLogs(
        _entropy(softmax(letters, scores)), ln(total(map(letters.exponential, scores))) - plain(letters("m1"))
    )


BOUNDS = (
    Identity(
        11,
        "range-bounds",
        ("A",),
        ("1/(1 + (n - 1) e^R) <= p_i <= 1/(1 + (n - 1) e^(-R))",),
        ("p_i = 1/(1 + sum_(j != i) e^(s_j - s_i))", "- R <= s_j - s_i <= R"),
        ("R = max_j s_j - min_j s_j", "n - 1", "e^(-R)", "e^R"),
        check=of_bounds.range_bounds,
    ),
    Identity(
        12,
        "logsumexp-bounds",
        ("D",),
        ("m <= L <= m + ln n", "m = L <=> n = 1", "L = m + ln n <=> s_1 = dots = s_n"),
        ("e^m <= sum_j e^(s_j) <= n e^m",),
        ("m = max_j s_j", "e^m", "n", "s_j = m"),
        check=of_weights.logsumexp_bounds,
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
        ("T = 1//c", "R = max_j s_j - min_j s_j", "- R//T <= (s_j - s_i)//T <= R//T", "k", "m = max_j s_j"),
        method="rational",
        claims=_queries_scaled,
        twins=(_queries_and_keys_scaled,),
        check=of_bounds.temperature,
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
        method="derivative",
        claims=_of_entropy,
        twins=(_largest_for_the_mean,),
        check=of_bounds.entropy,
        source="Cover, Thomas, Elements of Information Theory, 2006, 2.1",
    ),
    Identity(
        39,
        "soft-cap",
        ("A", "C"),
        ("f(s) = c tanh(s/c)", "f(-s) = - f(s)", "s < t => f(s) < f(t)", "- c < f(s) < c"),
        ("tanh(x) = (1 - e^(-2 x))/(1 + e^(-2 x)) = 1 - 2/(1 + e^(2 x))",),
        ("0 < c", "1", "e^(2 x)"),
        check=of_bounds.soft_cap,
        options=("before-mask", "after-mask"),
        source="Gemma 2, 2024, arXiv:2408.00118",
    ),
)
