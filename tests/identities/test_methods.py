"""Each method of proof against something that knows nothing of it: sympy's calculus, points on a circle, coins, floats."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import product

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from exactattn.errors import InputError
from exactattn.identities.proving.algebra import Algebra, attended, worked
from exactattn.identities.proving.calculus import Logs, derivative, derivative_of_logs, ln, plain
from exactattn.identities.proving.circle import reduced, rotation
from exactattn.identities.proving.claims import ReadsNone, SameTerm, is_proved
from exactattn.identities.proving.moments import mean
from exactattn.identities.proving.ratio import Letters, Ratio
from exactattn.identities.proving.setting import row_letters, scores_of, softmax, total
from exactattn.identities.proving.terms import Term, Terms, inputs


def value(x: Ratio, at: Mapping[str, float | Fraction]):
    """A fraction at a point: exponentials are worked from their letters unless they are given."""

    def polynomial(p):
        out = 0
        for powers, c in p.terms():
            term = Fraction(int(c.numerator), int(c.denominator))
            for name, k in zip(x.letters.names, powers, strict=True):
                term = term * at[name] ** k
            out = out + term
        return out

    result = polynomial(x.above)
    for factor, power in x.below.items():
        result = result / polynomial(factor) ** power
    return result


# -- the pipeline over letters -------------------------------------------------------------------------------------------


@given(st.lists(st.integers(1, 9), min_size=2, max_size=5))
def test_symbolic_weights_at_a_point_are_the_weights_there(exponentials):
    n = len(exponentials)
    letters = row_letters(n)
    at = {name: Fraction(7) for name in letters.names} | {
        f"e^s{k + 1}": Fraction(e) for k, e in enumerate(exponentials)
    }
    found = [value(p, at) for p in softmax(letters, scores_of(letters, n))]
    assert found == [Fraction(e, sum(exponentials)) for e in exponentials]


def test_the_maximum_drops_out_and_stays_where_it_should():
    letters = row_letters(2)
    p = softmax(letters, scores_of(letters, 2))[0]
    assert not any(name.endswith("m1") for name in used(p))
    unshifted = worked(Algebra(letters), (scores_of(letters, 2),), shift="none").weights[0][0]
    assert p.same(unshifted)


def used(x: Ratio) -> set[str]:
    parts = [x.above, *x.below]
    return {n for p in parts for powers in p.monoms() for n, k in zip(x.letters.names, powers, strict=True) if k}


def test_an_exponential_that_has_no_letter_is_an_error():
    letters = row_letters(2)
    s, t = scores_of(letters, 2)
    for wrong in (s * t, s / letters.number(2), letters.number(1), s / t):
        with pytest.raises(InputError, match="has no letter here"):
            letters.exponential(wrong)


# -- derivatives and logarithms --------------------------------------------------------------------------------------------


@given(st.data())
def test_derivatives_are_those_of_sympy(data):
    letters = Letters(["s", "b"], [("s",), ("b", "s")])
    s, b = sympy.symbols("s b")
    pool = [(letters("s"), s), (letters("b"), b), (letters("e^s"), sympy.exp(s)), (letters("e^b*s"), sympy.exp(b * s))]
    left, right = data.draw(st.lists(st.sampled_from(pool), min_size=2, max_size=2))
    third = data.draw(st.sampled_from(pool))
    ours = (left[0] + right[0] * third[0]) / (third[0] + left[0] * left[0])
    theirs = (left[1] + right[1] * third[1]) / (third[1] + left[1] ** 2)
    for by, symbol in (("s", s), ("b", b)):
        slope = derivative(ours, by)
        point = {"s": Fraction(1, 3), "b": Fraction(1, 2)}
        at = point | {"e^s": math.exp(1 / 3), "e^b*s": math.exp(1 / 6)}
        due = sympy.diff(theirs, symbol).subs({s: sympy.Rational(1, 3), b: sympy.Rational(1, 2)})
        assert float(value(slope, at)) == pytest.approx(float(due), rel=1e-9, abs=1e-12)


def test_logarithms_are_taken_apart_by_the_rules():
    letters = row_letters(2)
    s, t = scores_of(letters, 2)
    z = total(map(letters.exponential, (s, t)))
    assert ln(letters.exponential(s + s - t)).same(plain(s + s - t))
    assert ln(letters.exponential(t) / z / z).same(plain(t) - ln(z) - ln(z))
    assert not ln(z).same(plain(s + t))
    assert not ln(z * letters.number(2)).same(ln(z))
    slope = derivative_of_logs(ln(z), "s1")
    assert slope.same(plain(letters.exponential(s) / z))


def test_a_logarithm_of_what_may_be_negative_is_refused():
    letters = row_letters(2)
    s, t = scores_of(letters, 2)
    for wrong in (s, s - t, letters.exponential(s) - letters.exponential(t), letters.number(0)):
        with pytest.raises(ValueError, match="not seen to be positive"):
            ln(wrong)
    assert isinstance(ln(letters.exponential(s)), Logs)


# -- rotations -----------------------------------------------------------------------------------------------------------


@given(st.integers(-6, 6), st.integers(-6, 6), st.fractions(-3, 3, max_denominator=5))
def test_rotations_on_the_circle_add_up(i, j, half):
    """The point of the circle with the half-angle's tangent `half` is rational."""
    letters = Letters(["c", "s"])
    at = {"c": (1 - half**2) / (1 + half**2), "s": 2 * half / (1 + half**2)}
    turns = [[[value(x, at) for x in row] for row in rotation(letters, k)] for k in (i, j, i + j)]
    added = [[sum(turns[0][a][k] * turns[1][k][b] for k in (0, 1)) for b in (0, 1)] for a in (0, 1)]
    assert added == turns[2]


def test_a_normal_form_on_the_circle_is_free_of_squares_of_the_sine():
    letters = Letters(["c", "s"])
    c, s, one = letters("c"), letters("s"), letters.number(1)
    assert reduced(c * c + s * s).same(one)
    assert reduced(s * s * s).same(s - c * c * s)
    assert not reduced(c * s).same(one)


# -- moments -------------------------------------------------------------------------------------------------------------


@given(st.lists(st.lists(st.sampled_from(["x", "y", "z"]), max_size=5), min_size=1, max_size=4), st.integers(-3, 3))
def test_means_are_those_of_coins(monomials, factor):
    """Coins, ±1: mean 0, mean square 1, third moment 0, fourth 1, fifth 0."""
    letters = Letters(["x", "y", "z"])
    polynomial = letters.number(factor)
    for monomial in monomials:
        term = letters.number(1)
        for name in monomial:
            term = term * letters(name)
        polynomial = polynomial + term
    out = Letters(["mu3", "mu4", "mu5"])
    found = value(mean(polynomial, frozenset("xyz"), out), {"mu3": 0, "mu4": 1, "mu5": 0})
    coins = [value(polynomial, dict(zip("xyz", point, strict=True))) for point in product((-1, 1), repeat=3)]
    assert found == Fraction(sum(coins), 8)


# -- terms ---------------------------------------------------------------------------------------------------------------


def evaluated(term: Term, at: Mapping[str, float], seen: dict[int, float] | None = None) -> float:
    """A term in plain floats."""
    seen = {} if seen is None else seen
    if term.index not in seen:
        parts = [evaluated(part, at, seen) for part in term.operands]
        kind, _, name = term.kind.partition(" ")
        match kind:
            case "input":
                seen[term.index] = at[name]
            case "number":
                seen[term.index] = float(name)
            case "absent":
                seen[term.index] = 0.0
            case "sum":
                seen[term.index] = sum(parts)
            case "product":
                seen[term.index] = parts[0] * parts[1]
            case "minus":
                seen[term.index] = parts[0] - parts[1]
            case "quotient":
                seen[term.index] = parts[0] / parts[1]
            case "exponential":
                seen[term.index] = math.exp(parts[0])
            case "largest":
                seen[term.index] = max(parts)
    return seen[term.index]


@given(st.lists(st.floats(-3, 3), min_size=9, max_size=9), st.integers(0, 2))
def test_terms_are_what_attention_computes_and_what_is_unread_may_be_nan(numbers, masked):
    ar = Terms()
    q, k, v = (inputs(ar, name, 3, 1) for name in "QKV")
    keep = ((*(j != masked for j in range(3)),),) * 3
    found = attended(ar, q, k, v, keep=keep).output
    at = {f"{name}_{i + 1}_1": numbers[3 * h + i] for h, name in enumerate("QKV") for i in range(3)}
    at |= {f"K_{masked + 1}_1": math.nan, f"V_{masked + 1}_1": math.inf}
    for i, (o,) in enumerate(found):
        assert is_proved(ReadsNone(o, (f"K_{masked + 1}_", f"V_{masked + 1}_")))
        seen = [j for j in range(3) if j != masked]
        weights = [math.exp(numbers[i] * numbers[3 + j]) for j in seen]
        due = sum(w * numbers[6 + j] for w, j in zip(weights, seen, strict=True)) / sum(weights)
        assert evaluated(o, at) == pytest.approx(due, rel=1e-9, abs=1e-12)


def test_terms_know_order_and_grouping_and_nothing_else():
    ar = Terms()
    a, b, c = (ar.number(name) for name in "abc")
    assert is_proved(SameTerm(ar.plus(ar.plus(a, b), c), ar.total((c, b, a))))
    assert is_proved(SameTerm(ar.times(a, b), ar.times(b, a)))
    assert is_proved(SameTerm(ar.largest((a, b, a), 0), ar.largest((b, a), 1)))
    for left, right in (
        (ar.minus(a, b), ar.minus(b, a)),
        (ar.over(a, b), ar.over(b, a)),
        (ar.times(a, ar.plus(b, c)), ar.plus(ar.times(a, b), ar.times(a, c))),
        (ar.plus(a, a), a),
        (ar.e(a), a),
    ):
        assert not is_proved(SameTerm(left, right))
    assert not is_proved(ReadsNone(ar.minus(a, ar.e(b)), ("b",)))
    assert is_proved(ReadsNone(ar.times(a, ar.absent), ("a",)))
