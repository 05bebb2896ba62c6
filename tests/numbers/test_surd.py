"""Numbers over the units: a field as far as they reach, equal exactly when their maps are."""

from __future__ import annotations

import pytest
import sympy
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp

from exactattn.errors import NumberError
from exactattn.numbers import surd as surds
from exactattn.numbers import units
from exactattn.numbers.ball import bits_of, endpoints
from exactattn.numbers.parse import surd
from exactattn.numbers.surd import Surd
from exactattn.numbers.symbolic import from_sympy, surd_to_sympy, unit_to_sympy
from exactattn.numbers.units import ONE, Unit

SQUARE_ROOTS = [Unit(), Unit(((2, 1, 2),)), Unit(((2, 1, 2), (5, 1, 2))), Unit((), (3,)), Unit((), (2, 3))]
RADICALS = [*SQUARE_ROOTS[:3], Unit(((2, 1, 3),)), Unit(((2, 2, 3), (3, 3, 4))), Unit(((7, 5, 7),)), Unit(((3, 1, 2),))]
rationals = st.builds(fmpq, st.integers(-20, 20).filter(bool), st.integers(1, 30))
numbers = st.dictionaries(st.sampled_from([*SQUARE_ROOTS, *RADICALS, Unit(((2, 1, 2),), (2,))]), rationals, max_size=3)
monomials = st.builds(lambda u, c: {u: c}, st.sampled_from(RADICALS), rationals)


def near(a: Surd) -> mp.mpf:
    """The number to 60 digits, by mpmath and not by our balls."""
    total = mp.mpf(0)
    for u, c in a.items():
        term = mp.mpf(int(c.p)) / int(c.q)
        for p, n, d in u.radical:
            term *= mp.root(mp.mpf(p) ** n, d)
        for p in u.logs:
            term *= mp.log(p)
        total += term
    return total


def same(x: mp.mpf, y: mp.mpf) -> bool:
    return bool(abs(x - y) <= mp.mpf(10) ** -50 * (1 + abs(x) + abs(y)))


@pytest.fixture(autouse=True)
def digits() -> object:
    with mp.workdps(70):
        yield


@given(numbers, numbers, numbers)
def test_sums_and_products_are_those_of_a_ring(a: Surd, b: Surd, c: Surd) -> None:
    assert surds.add(a, b) == surds.add(b, a)
    assert surds.add(surds.add(a, b), c) == surds.add(a, surds.add(b, c))
    assert surds.multiply(a, b) == surds.multiply(b, a)
    assert surds.multiply(surds.multiply(a, b), c) == surds.multiply(a, surds.multiply(b, c))
    assert surds.multiply(a, surds.add(b, c)) == surds.add(surds.multiply(a, b), surds.multiply(a, c))
    assert surds.add(a, surds.negate(a)) == {}
    assert surds.multiply(a, surds.rational(fmpq(1))) == a
    assert surds.multiply(a, {}) == {}


@given(numbers, numbers)
def test_operations_are_those_of_the_numbers(a: Surd, b: Surd) -> None:
    with mp.workdps(70):
        assert same(near(surds.add(a, b)), near(a) + near(b))
        assert same(near(surds.multiply(a, b)), near(a) * near(b))
        assert same(near(surds.negate(a)), -near(a))


@given(numbers, monomials)
def test_division_undoes_multiplication(a: Surd, b: Surd) -> None:
    assert surds.divide(surds.multiply(a, b), b) == a
    assert surds.multiply(surds.divide(a, b), b) == a


@given(numbers, numbers)
def test_different_maps_are_different_numbers(a: Surd, b: Surd) -> None:
    with mp.workdps(70):
        assert (a == b) == same(near(a), near(b))


@given(numbers)
def test_no_map_holds_a_zero_or_a_whole_root(a: Surd) -> None:
    square = surds.multiply(a, a)
    assert all(c != 0 for c in square.values())
    for u in square:
        assert all(0 < n < d for _, n, d in u.radical)
        assert [p for p, _, _ in u.radical] == sorted({p for p, _, _ in u.radical})
        assert list(u.logs) == sorted(u.logs)


@given(numbers)
def test_an_enclosure_holds_the_number(a: Surd) -> None:
    for bits in (10, 64, 150):
        with bits_of(bits):
            low, high = endpoints(surds.ball(a))
        with mp.workdps(70):
            slack = mp.mpf(10) ** -60 * (1 + abs(near(a)))
            assert mp.mpf(low.numerator) / low.denominator <= near(a) + slack
            assert mp.mpf(high.numerator) / high.denominator >= near(a) - slack


@given(st.dictionaries(st.sampled_from(SQUARE_ROOTS), rationals))
def test_a_number_written_out_reads_as_itself(a: Surd) -> None:
    assert surd(surds.text(a)) == a


@given(numbers)
def test_a_number_goes_through_sympy_and_back(a: Surd) -> None:
    expression = surd_to_sympy(a)
    assert from_sympy(expression).matrix.value(0, 0) == a  # type: ignore[attr-defined]
    assert abs(sympy.N(expression, 60) - sympy.Float(str(near(a)), 60)) < sympy.Rational(1, 10**50)


@given(st.integers(0, 10**6), st.integers(1, 10**6))
def test_a_square_root_squared_is_the_number(p: int, q: int) -> None:
    root = surds.square_root(surds.rational(fmpq(p, q)))
    assert surds.multiply(root, root) == surds.rational(fmpq(p, q))
    assert len(root) == (p != 0)


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_logarithms_add_up(p: int, q: int) -> None:
    log = lambda x: surds.logarithm(surds.rational(fmpq(x)))  # noqa: E731
    assert surds.add(log(p), log(q)) == log(p * q)
    assert surds.add(log(p), surds.negate(log(q))) == surds.logarithm(surds.rational(fmpq(p, q)))


def test_units_are_brought_to_one_form() -> None:
    assert units.power(2, 5, 2) == (fmpq(4), Unit(((2, 1, 2),)))
    assert units.power(2, -1, 2) == (fmpq(1, 2), Unit(((2, 1, 2),)))
    assert units.power(3, 4, 2) == (fmpq(9), ONE)
    assert units.multiply(Unit(((2, 1, 2),)), Unit(((2, 1, 2),))) == (fmpq(2), ONE)
    assert units.multiply(Unit(((3, 1, 2),)), Unit(((2, 1, 2),))) == (fmpq(1), Unit(((2, 1, 2), (3, 1, 2))))
    assert units.multiply(Unit((), (3,)), Unit((), (2,))) == (fmpq(1), Unit((), (2, 3)))
    assert units.inverse(Unit(((2, 1, 3),))) == (fmpq(1, 2), Unit(((2, 2, 3),)))
    assert unit_to_sympy(Unit(((2, 1, 2),), (3,))) == sympy.sqrt(2) * sympy.log(3)


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (lambda: surds.divide({ONE: fmpq(1)}, {}), "division by zero"),
        (
            lambda: surds.divide({ONE: fmpq(1)}, surd("1+sqrt(2)")),
            "division by a sum of roots or logarithms: multiply it out first",
        ),
        (lambda: surds.divide({ONE: fmpq(1)}, surd("ln(2)")), "division by a logarithm has no exact form here"),
        (lambda: surds.square_root(surd("sqrt(2)")), "sqrt takes a rational number that is not negative"),
        (lambda: surds.logarithm(surd("ln(2)")), "ln takes a positive rational number, or one times a root"),
        (lambda: surds.logarithm({}), "ln takes a positive rational number, or one times a root"),
    ],
    ids=["zero", "sum", "logarithm", "root of a root", "ln of ln", "ln of 0"],
)
def test_what_leaves_the_basis_is_an_error(what: object, message: str) -> None:
    with pytest.raises(NumberError) as caught:
        what()  # type: ignore[operator]
    assert str(caught.value) == message
