"""Checks of rows with bounds: each is certified, and where it can be attained, equality is decided."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from exactattn.identities.checking.check import Fact
from exactattn.identities.checking.given import Given, numbers, total
from exactattn.identities.checking.of_weights import ONE, ZERO, jacobian_of, temperature_scales
from exactattn.numbers.elementary import elementary
from exactattn.numbers.value import Value


def _spread(scores: list[Value]) -> Value:
    return max(scores) - min(scores)


def range_bounds(given: Given) -> Iterator[Fact]:
    """1/(1 + (n−1)e^R) ≤ p ≤ 1/(1 + (n−1)e^−R)."""
    scores = numbers(given.scores)
    r, n = _spread(scores), len(scores)
    for p in given.weights(given.scores):
        yield Fact(ONE / (ONE + r.exp() * (n - 1)), "<=", p)
        yield Fact(p, "<=", ONE / (ONE + (-r).exp() * (n - 1)))


def lipschitz(given: Given) -> Iterator[Fact]:
    """2p(1 − p) ≤ 1/2; the form xᵀJx of J against the bound, at differences of keys and at another row; the two rows' weights.

    J is positive semidefinite, so its norm is the largest xᵀJx/xᵀx. For two keys x = (1, −1) attains the bound.
    """
    p, q = given.weights(given.scores), given.weights(given.others)
    widest = max(a * (ONE - a) * 2 for a in p)
    yield Fact(widest, "<=", Value.of("1/2"))
    rows, n = jacobian_of(p), len(p)
    vectors = [numbers(given.others), *_differences(n)]
    for x in vectors:
        form = total([x[i] * rows[i][j] * x[j] for i in range(n) for j in range(n)])
        yield Fact(form, "<=", widest * _square(x))
    s, t = numbers(given.scores), numbers(given.others)
    apart = _square([a - b for a, b in zip(p, q, strict=True)])
    yield Fact(apart * 4, "<=", _square([a - b for a, b in zip(s, t, strict=True)]))


def _differences(n: int) -> Iterator[list[Value]]:
    for i in range(n):
        for j in range(i):
            yield [ONE if k == i else -ONE if k == j else ZERO for k in range(n)]


def _square(x: list[Value]) -> Value:
    return total([a * a for a in x])


def saturation(given: Given) -> Iterator[Fact]:
    """2p(1 − p) ≤ 2(1 − p_t) ≤ 2(n−1)e^−g, with t a key of the largest score and g its lead."""
    scores, p = numbers(given.scores), given.weights(given.scores)
    if len(scores) == 1:
        yield Fact(ONE - p[0], "=", ZERO)
        return
    t = max(range(len(scores)), key=lambda k: scores[k])
    lead = scores[t] - max(s for k, s in enumerate(scores) if k != t)
    for a in p:
        yield Fact(a * (ONE - a), "<=", ONE - p[t])
    yield Fact(ONE - p[t], "<=", (-lead).exp() * (len(p) - 1))


def temperature(given: Given) -> Iterator[Fact]:
    """The scale of the queries, and at two temperatures: e^(−R/T)/n ≤ p ≤ e^(R/T)/n, p ≤ e^(−(m − s)/T)."""
    yield from temperature_scales(given)
    scores = numbers(given.scores)
    n, m, r = len(scores), max(scores), _spread(scores)
    for t in given.temperatures:
        b = Value.of(f"1/({t})")
        for s, p in zip(scores, given.weights(given.scores, scale=f"1/({t})"), strict=True):
            yield Fact((-r * b).exp() / n, "<=", p)
            yield Fact(p, "<=", (r * b).exp() / n)
            yield Fact(p, "<=", ((s - m) * b).exp())


def majorisation(given: Given) -> Iterator[Fact]:
    """Sums of the k largest weights, colder against warmer; strictly, where it is not the sum of equals or of all."""
    scores = numbers(given.scores)
    order = sorted(range(len(scores)), key=lambda k: scores[k], reverse=True)
    cold, warm = (given.weights(given.scores, scale=f"1/({t})") for t in given.temperatures)
    flat = all(s == scores[0] for s in scores)
    for k in range(1, len(order) + 1):
        sums = [total([p[j] for j in order[:k]]) for p in (warm, cold)]
        yield Fact(sums[0], "=" if flat or k == len(order) else "<", sums[1])


def _below_full(p: list[Value]) -> Value:
    """ln n − H = Σ p ln(n p): 0 by its normal form where all p are 1/n."""
    return total([a * elementary("ln", a * len(p)) for a in p])


def entropy(given: Given) -> Iterator[Fact]:
    """0 ≤ H ≤ ln n with equality only for one key and for equal scores; H rises with the temperature."""
    p, scores = given.weights(given.scores), numbers(given.scores)
    flat = all(s == scores[0] for s in scores)
    found = -total([a * elementary("ln", a) for a in p])
    yield Fact(ZERO, "=" if len(p) == 1 else "<", found)
    yield Fact(ZERO, "=" if flat else "<", _below_full(p))
    cold, warm = (_below_full(given.weights(given.scores, scale=f"1/({t})")) for t in given.temperatures)
    if flat:
        yield Fact(warm, "=", ZERO)
        yield Fact(cold, "=", ZERO)
    else:
        yield Fact(warm, "<", cold)


def relative_entropy(given: Given) -> Iterator[Fact]:
    """KL(p, q) ≥ 0, and 0 only where p = q."""
    p, q = given.weights(given.scores), given.weights(given.others)
    same = all(a == b for a, b in zip(p, q, strict=True))
    found = total([a * elementary("ln", a / b) for a, b in zip(p, q, strict=True)])
    yield Fact(ZERO, "=" if same else "<", found)


def soft_cap(given: Given) -> Iterator[Fact]:
    """c tanh(s/c): odd, in the order of the scores, inside (−c, c)."""
    c, twice = Value.of(given.factor), Value.of(f"2/({given.factor})")

    def capped(s: Value) -> Value:
        return c - c * 2 / (ONE + (s * twice).exp())

    scores = sorted(numbers(given.scores))
    for s in scores:
        yield Fact(capped(-s), "=", -capped(s))
        yield Fact(-c, "<", capped(s))
        yield Fact(capped(s), "<", c)
    for s, t in pairwise(scores):
        yield Fact(capped(s), "=" if s == t else "<", capped(t))
