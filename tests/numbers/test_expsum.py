"""The normal form: it computes with the numbers it stands for, finds what is zero, and calls nothing zero that is not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from flint import fmpq
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mp

from exactattn.errors import Undecided
from exactattn.numbers import expsum
from exactattn.numbers import surd as surds
from exactattn.numbers.expsum import UNITY, ExpSum, Quotients
from exactattn.numbers.limits import LIMITS
from exactattn.numbers.parse import surd
from exactattn.numbers.surd import Surd
from exactattn.numbers.units import ONE, Unit

exponents = st.sampled_from(
    ["0", "1", "-1", "1/2", "-7/3", "ln(2)", "ln(2)/2", "-ln(3)", "1+ln(3)", "sqrt(2)", "sqrt(2)-ln(6)", "sqrt(2)*ln(3)", "2"]
)  # fmt: skip
coefficients = st.sampled_from(["1", "-1", "2", "1/3", "-5/7", "sqrt(2)", "1-sqrt(2)", "1/2305843009213693951"])
rational_coefficients = st.sampled_from(["1", "-1", "2", "1/3", "-5/7", "11", "1/2305843009213693951"])


def sums(of: st.SearchStrategy[str], most: int = 4) -> st.SearchStrategy[ExpSum]:
    """Exponential sums that are not the empty one."""

    def build(parts: list[tuple[str, str]]) -> ExpSum:
        out: ExpSum = {}
        for c, e in parts:
            out = expsum.add(out, expsum.multiply(expsum.constant(surd(c)), expsum.exponential(surd(e))))
        return out

    return st.lists(st.tuples(of, exponents), min_size=1, max_size=most).map(build).filter(bool)


def near_surd(a: Surd) -> Any:
    total = mp.mpf(0)
    for u, c in a.items():
        term = mp.mpf(int(c.p)) / int(c.q)
        for p, n, d in u.radical:
            term *= mp.root(mp.mpf(p) ** n, d)
        for p in u.logs:
            term *= mp.log(p)
        total += term
    return total


def near(a: ExpSum) -> Any:
    """The value to 80 digits, by mpmath."""
    return mp.fsum(near_surd(c) * mp.exp(near_surd(expsum.exponent_surd(e))) for e, c in a.items())


def near_quotients(q: Quotients) -> Any:
    return mp.fsum(near(n) / near(d) for n, d in q.parts)


def same(x: Any, y: Any) -> bool:
    return bool(abs(x - y) <= mp.mpf(10) ** -55 * (1 + abs(x) + abs(y)))


@given(sums(coefficients), sums(coefficients))
def test_operations_are_those_of_the_values(a: ExpSum, b: ExpSum) -> None:
    with mp.workdps(80):
        assert same(near(expsum.add(a, b)), near(a) + near(b))
        assert same(near(expsum.multiply(a, b)), near(a) * near(b))
        assert same(near(expsum.negate(a)), -near(a))


@given(exponents, exponents)
def test_an_exponential_of_a_sum_is_the_product_of_exponentials(a: str, b: str) -> None:
    left = expsum.exponential(surds.add(surd(a), surd(b)))
    assert left == expsum.multiply(expsum.exponential(surd(a)), expsum.exponential(surd(b)))
    with mp.workdps(80):
        assert same(near(expsum.exponential(surd(a))), mp.exp(near_surd(surd(a))))


@given(sums(coefficients), sums(coefficients), sums(coefficients), sums(coefficients))
def test_quotients_compute_with_their_values(a: ExpSum, b: ExpSum, c: ExpSum, d: ExpSum) -> None:
    with mp.workdps(80):
        assume(abs(near(b)) > 1e-9 and abs(near(c)) > 1e-9 and abs(near(d)) > 1e-9)
        x, y = Quotients.of(a, b), Quotients.of(c, d)
        assert same(near_quotients(x), near(a) / near(b))
        assert same(near_quotients(x + y), near(a) / near(b) + near(c) / near(d))
        assert same(near_quotients(-x), -near(a) / near(b))
        assert same(near_quotients(x.times(y)), near(a) / near(b) * near(c) / near(d))
        assert same(near_quotients(x.over(y)), near(a) / near(b) / near(c) * near(d))
        assert same(near_quotients((x + y).over(y)), (near(a) / near(b) + near(c) / near(d)) / near(c) * near(d))


@given(sums(coefficients, 3), sums(coefficients, 3), sums(coefficients, 2))
def test_a_constructed_zero_is_found(a: ExpSum, b: ExpSum, c: ExpSum) -> None:
    with mp.workdps(80):
        assume(abs(near(b)) > 1e-9 and abs(near(c)) > 1e-9)
    whole = Quotients.of(a, b)
    widened = Quotients.of(expsum.multiply(a, c), expsum.multiply(b, c))
    assert (whole + -widened).is_zero()
    assert (-widened + whole).is_zero()
    # in two halves over different denominators
    half = Quotients.of(expsum.multiply(a, expsum.constant(surd("1/2"))), b)
    assert (half + half + -widened).is_zero()
    assert (whole.over(whole) + -Quotients.of(UNITY)).is_zero()


@given(sums(coefficients, 3), sums(coefficients, 3), sums(coefficients, 3), sums(coefficients, 3))
def test_what_is_called_zero_is_zero(a: ExpSum, b: ExpSum, c: ExpSum, d: ExpSum) -> None:
    with mp.workdps(80):
        assume(abs(near(b)) > 1e-9 and abs(near(d)) > 1e-9)
        difference = Quotients.of(a, b) + Quotients.of(c, d)
        assert difference.is_zero() == same(near_quotients(difference), 0)


@settings(max_examples=120)
@given(sums(rational_coefficients, 3), sums(rational_coefficients, 3), sums(rational_coefficients, 3))
def test_the_modular_filter_never_refutes_a_zero(a: ExpSum, b: ExpSum, c: ExpSum) -> None:
    with mp.workdps(80):
        assume(abs(near(b)) > 1e-9 and abs(near(c)) > 1e-9)
    parts = [(a, b), (expsum.negate(expsum.multiply(a, c)), expsum.multiply(b, c))]
    assert not expsum._differs(parts)


def test_the_modular_filter_refutes_what_is_not_zero() -> None:
    e = expsum.exponential(surd("1"))
    one_e = expsum.add(UNITY, e)
    assert expsum._differs([(UNITY, one_e), (UNITY, expsum.add(one_e, UNITY))])
    assert not expsum._differs([(UNITY, one_e), (expsum.negate(UNITY), one_e)])


def test_a_coefficient_over_the_filters_prime_is_left_to_the_full_form() -> None:
    c = expsum.constant({ONE: fmpq(1, (1 << 61) - 1)})
    e = expsum.add(UNITY, expsum.exponential(surd("1")))
    e2 = expsum.multiply(e, expsum.add(UNITY, expsum.exponential(surd("2"))))
    assert not (Quotients.of(c, e) + Quotients.of(UNITY, e2)).is_zero()


@pytest.mark.parametrize(
    ("exponent", "due"),
    [
        ("ln(2)", {(): {ONE: fmpq(2)}}),
        ("-3*ln(2)", {(): {ONE: fmpq(1, 8)}}),
        ("ln(2)/2", {(): {Unit(((2, 1, 2),)): fmpq(1)}}),
        ("ln(6)-ln(9)", {(): {ONE: fmpq(2, 3)}}),
        ("1/2+ln(5)", {((ONE, 1, 2),): {ONE: fmpq(5)}}),
        ("sqrt(2)", {((Unit(((2, 1, 2),)), 1, 1),): {ONE: fmpq(1)}}),
        ("sqrt(2)*ln(3)", {((Unit(((2, 1, 2),), (3,)), 1, 1),): {ONE: fmpq(1)}}),
        ("ln(2)*ln(3)", {((Unit((), (2, 3)), 1, 1),): {ONE: fmpq(1)}}),
        ("10000*ln(2)", {(): {ONE: fmpq(2**10000)}}),
        ("10001*ln(2)", {((Unit((), (2,)), 10001, 1),): {ONE: fmpq(1)}}),
        ("1e4000*ln(2)", {((Unit((), (2,)), 10**4000, 1),): {ONE: fmpq(1)}}),
    ],
)
def test_rational_multiples_of_ln_p_become_coefficients(exponent: str, due: ExpSum) -> None:
    assert expsum.exponential(surd(exponent)) == due


def test_more_terms_than_the_limit_are_an_error() -> None:
    a = {((ONE, k, 1),): {ONE: fmpq(1)} for k in range(1, 20)}
    few = replace(LIMITS, terms=300)
    with pytest.raises(Undecided) as caught:
        expsum.multiply(a, a, few)
    assert str(caught.value) == (
        "an equality needs 361 terms to be decided: the limit is 300 (raise it with the limit 'terms')"
    )
    assert (caught.value.count, caught.value.limit) == (361, 300)
    # roots in the coefficients count as terms too
    with pytest.raises(Undecided):
        expsum.multiply({(): surd("1+sqrt(2)+sqrt(3)")}, {(): surd("1+sqrt(2)+sqrt(3)")}, replace(LIMITS, terms=8))
