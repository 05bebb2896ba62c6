"""Checks of rows about weights: sums, shifts, order, log-sum-exp, the Jacobian."""

from __future__ import annotations

from collections.abc import Iterator

from exactattn.identities.checking.check import Fact, equal
from exactattn.identities.checking.given import Given, numbers, plus, row_of, total
from exactattn.numbers.value import Value

ONE, ZERO = Value.of(1), Value.of(0)


def sums_to_one(given: Given) -> Iterator[Fact]:
    """Σ p = 1."""
    yield Fact(total(given.weights(given.scores)), "=", ONE)


def positive(given: Given) -> Iterator[Fact]:
    """0 < p, and p < 1 where there are two keys or more."""
    weights = given.weights(given.scores)
    for p in weights:
        yield Fact(ZERO, "<", p)
        yield Fact(p, "<" if len(weights) > 1 else "=", ONE)


def shift_invariant(given: Given) -> Iterator[Fact]:
    """p(s + c) = p(s)."""
    yield from equal(given.weights(plus(given.scores, given.constant)), given.weights(given.scores))


def key_permutation(given: Given) -> Iterator[Fact]:
    """The weights of scores in the other order, and with the first at the end."""
    before, scores = given.weights(given.scores), given.scores
    yield from equal(given.weights(scores[::-1]), before[::-1])
    yield from equal(given.weights((*scores[1:], scores[0])), [*before[1:], before[0]])


def _pairs(given: Given) -> Iterator[tuple[Value, Value, Value, Value]]:
    """Two scores and their weights."""
    scores, weights = numbers(given.scores), given.weights(given.scores)
    for i in range(len(scores)):
        for j in range(i):
            yield scores[i], scores[j], weights[i], weights[j]


def strictly_monotone(given: Given) -> Iterator[Fact]:
    """s < t gives p < q."""
    for s, t, p, q in _pairs(given):
        if s < t:
            yield Fact(p, "<", q)
        elif t < s:
            yield Fact(q, "<", p)


def equal_scores(given: Given) -> Iterator[Fact]:
    """Equal scores have equal weights, and equal weights equal scores."""
    for s, t, p, q in _pairs(given):
        if s == t:
            yield Fact(p, "=", q)
        if p == q:
            yield Fact(s, "=", t)


def same_argmax(given: Given) -> Iterator[Fact]:
    """Where the score is the largest, the weight is, and the other way round."""
    scores, weights = numbers(given.scores), given.weights(given.scores)
    m, top = max(scores), max(weights)
    for s, p in zip(scores, weights, strict=True):
        if s == m:
            yield Fact(p, "=", top)
        if p == top:
            yield Fact(s, "=", m)


def log_ratio(given: Given) -> Iterator[Fact]:
    """p = e^(s − t) q: the logarithm of it is the row."""
    for s, t, p, q in _pairs(given):
        yield Fact(p, "=", (s - t).exp() * q)


def two_keys(given: Given) -> Iterator[Fact]:
    """The two forms, for the first two keys alone (or one key twice)."""
    pair = (given.scores * 2)[:2]
    p, _ = given.weights(pair)
    s, t = numbers(pair)
    half = (s - t) * Value.of("1/2")
    up, down = half.exp(), (-half).exp()
    yield Fact(p, "=", ONE / (ONE + (t - s).exp()))
    yield Fact(p, "=", (ONE + (up - down) / (up + down)) / 2)


def sum_of_exponentials(given: Given, scores: tuple[str, ...]) -> Value:
    """e to log-sum-exp: the sum of the pipeline without a maximum subtracted."""
    return given.attend(scores=[list(scores)], scale="1", shift="none").sums.value(0, 0)


def logsumexp_shift(given: Given) -> Iterator[Fact]:
    """e^L(s + c) = e^L(s) e^c, and p e^L = e^s: their logarithms are the row."""
    before, moved = (
        sum_of_exponentials(given, scores) for scores in (given.scores, plus(given.scores, given.constant))
    )
    yield Fact(moved, "=", before * Value.of(given.constant).exp())
    for s, p in zip(numbers(given.scores), given.weights(given.scores), strict=True):
        yield Fact(p * before, "=", s.exp())


def logsumexp_bounds(given: Given) -> Iterator[Fact]:
    """e^m ≤ e^L ≤ n e^m, with equality where the row says so and nowhere else."""
    scores = numbers(given.scores)
    n, largest = len(scores), max(scores).exp()
    found = sum_of_exponentials(given, given.scores)
    yield Fact(largest, "=" if n == 1 else "<", found)
    yield Fact(found, "=" if all(s == scores[0] for s in scores) else "<", largest * n)


def jacobian(given: Given) -> Iterator[Fact]:
    """J·1 = 0, the form is the sum of squares at another row of numbers, and is 0 there only where that is constant."""
    p, x = given.weights(given.scores), numbers(given.others)
    rows = jacobian_of(p)
    for row in rows:
        yield Fact(total(row), "=", ZERO)
    pairs = [(i, j) for j in range(len(p)) for i in range(j)]
    form = total([x[i] * rows[i][j] * x[j] for i in range(len(p)) for j in range(len(p))])
    squares = total([p[i] * p[j] * (x[i] - x[j]) * (x[i] - x[j]) for i, j in pairs])
    yield Fact(form, "=", squares)
    yield Fact(ZERO, "=" if all(a == x[0] for a in x) else "<", squares)


def jacobian_of(p: list[Value]) -> list[list[Value]]:
    """diag(p) − p·pᵀ."""
    return [[(a if i == j else ZERO) - a * b for j, b in enumerate(p)] for i, a in enumerate(p)]


def temperature_scales(given: Given) -> Iterator[Fact]:
    """Queries times c have the weights of the scale c, and those of scores times c."""
    c = given.factor
    scaled = [[f"({x})*({c})" for x in row] for row in given.queries]
    left = given.attend(Q=scaled, K=given.keys, scale="1").weights
    right = given.attend(Q=given.queries, K=given.keys, scale=c).weights
    for i in range(len(given.queries)):
        yield from equal(row_of(left, i), row_of(right, i))
