"""Numbers as people have them: what is read, as what, and what is refused with which words."""

from __future__ import annotations

import sys
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy
from flint import fmpq, fmpz
from hypothesis import given
from hypothesis import strategies as st

from exactattn.errors import ExactAttnError, LimitError, NumberError
from exactattn.numbers.grammar import letters, parse
from exactattn.numbers.limits import LIMITS
from exactattn.numbers.parse import canonical, clean, from_binary, rational, surd
from exactattn.numbers.units import ONE


def value(x: object) -> Fraction:
    q = rational(canonical(x))
    assert q is not None
    return Fraction(int(q.p), int(q.q))


MEANT = {
    "3/4": Fraction(3, 4),
    "-0.25": Fraction(-1, 4),
    "1e-3": Fraction(1, 1000),
    "1E+05": Fraction(100_000),
    ".5": Fraction(1, 2),
    "5.": Fraction(5),
    "007": Fraction(7),
    "\u22122.5": Fraction(-5, 2),  # the minus sign of text
    "\uff0d２．５": Fraction(-5, 2),  # full-width
    "１．５ｅ３": Fraction(1500),
    "\ufeff 3\u00a0": Fraction(3),  # a byte order mark, a space that does not break
    "\t 3 \u3000": Fraction(3),
    "- 5": Fraction(-5),
    "+ 5": Fraction(5),
    "½": Fraction(1, 2),
    "1½": Fraction(3, 2),
    "-1½": Fraction(-3, 2),
    "−⅓": Fraction(-1, 3),
    "2-1½": Fraction(1, 2),
    "3½/2": Fraction(7, 4),
    "½^2": Fraction(1, 4),
    "2⁄3": Fraction(2, 3),
    "1÷4": Fraction(1, 4),
    "2×3": Fraction(6),
    "2·3": Fraction(6),
    "-2^2": Fraction(-4),
    "2^-2": Fraction(1, 4),
    "2**3": Fraction(8),
    "2^3^2": Fraction(512),
    "--5": Fraction(5),
    "1-2-3": Fraction(-4),
    "8/4/2": Fraction(1),
    "2*(3+4)": Fraction(14),
    "√4": Fraction(2),
    "√(9/4)": Fraction(3, 2),
    "sqrt(2)*sqrt(8)": Fraction(4),
    "1e00000000000000000005": Fraction(100_000),
}


@pytest.mark.parametrize("text", MEANT)
def test_a_number_is_read_as_what_it_means(text: str) -> None:
    assert value(text) == MEANT[text]


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("√2", "sqrt(2)"),
        ("1/√2", "sqrt(2)/2"),
        ("ln(4)", "2*ln(2)"),
        ("ln(1/2)", "-ln(2)"),
        ("ln(sqrt(2))", "ln(2)/2"),
        ("sqrt(8)/2", "sqrt(2)"),
        ("2^0.5", "sqrt(2)"),
        ("8^(-1/2)", "sqrt(2)/4"),
        ("(1+sqrt(2))^2", "3+2*sqrt(2)"),
        ("ln(2)*ln(3)", "ln(3)*ln(2)"),
        ("sqrt(6)", "sqrt(2)*sqrt(3)"),
    ],
)
def test_two_ways_to_write_one_number_are_one_number(text: str, other: str) -> None:
    assert surd(canonical(text)) == surd(canonical(other))


@pytest.mark.parametrize(
    ("x", "text"),
    [
        ("+0.280", "0.280"),
        ("-0", "0"),
        ("−0.00", "0.00"),
        ("1.", "1"),
        ("00.50", "0.50"),
        ("1E5", "1e5"),
        (" 1 / 3 ", "1/3"),
        (0.1, "0.1"),
        (1e22, "1e22"),
        (-0.0, "0.0"),
        (7, "7"),
        (Fraction(1, 3), "1/3"),
        (Fraction(4, 2), "2"),
        (Decimal("1.50"), "1.50"),
        (Decimal("-0"), "0"),
        (fmpz(-3), "-3"),
        (fmpq(-3, 4), "-3/4"),
        (np.float64(0.1), "0.1"),
        (np.float32(0.1), "0.1"),
        (np.float16(0.1), "0.1"),
        (np.int8(-3), "-3"),
        (np.array(2.5), "2.5"),
        (sympy.Rational(2, 3), "2/3"),
        (sympy.sqrt(2) / 2, "sqrt(2)/2"),
        (sympy.log(2), "ln(2)"),
    ],
    ids=lambda x: f"{type(x).__name__} {x!s}",
)
def test_the_written_form_is_kept(x: object, text: str) -> None:
    assert canonical(x) == text


@pytest.mark.parametrize(
    "x", [sympy.sqrt(8) / 3 - sympy.log(12), sympy.Float("0.1"), 2 - sympy.sqrt(sympy.Rational(3, 5))]
)
def test_a_sympy_number_keeps_its_value(x: sympy.Expr) -> None:
    from exactattn.numbers.symbolic import surd_to_sympy

    assert sympy.expand_log(sympy.nsimplify(x) - surd_to_sympy(surd(canonical(x))), force=True).equals(0)


ERRORS = {
    "": "'' is no number: it is empty",
    "  ": "'' is no number: it is empty",
    "abc": "'abc' is no number: the name 'abc' means nothing here (sqrt and ln do)",
    "5²": "'5²' is no number: unexpected '²'",
    "²": "'²' is no number: unexpected '²'",
    "①": "'①' is no number: unexpected '①'",
    "٣": "'٣' is no number: unexpected '٣'",
    "1,5": "'1,5' is no number: a comma is a decimal mark only under decimal = \",\"",
    "1_000": "'1_000' is no number: unexpected '_000'",
    "0x10": "'0x10' is no number: unexpected 'x10'",
    "1 2": "'1 2' is no number: unexpected '2'",
    "1..2": "'1..2' is no number: unexpected '.2'",
    "1e5.5": "'1e5.5' is no number: unexpected '.5'",
    "50%": "'50%' is no number: unexpected '%'",
    "2(3)": "'2(3)' is no number: unexpected '('",
    "(1": "'(1' is no number: a bracket is not closed",
    "1)": "'1)' is no number: unexpected ')'",
    "1+": "'1+' is no number: it ends too early",
    "1/0": "'1/0' is no number: division by zero",
    "0^-1": "'0^-1' is no number: division by zero",
    "sqrt(-1)": "'sqrt(-1)' is no number: sqrt takes a rational number that is not negative",
    "sqrt 2": "'sqrt 2' is no number: sqrt needs brackets, as in sqrt(2)",
    "ln(0)": "'ln(0)' is no number: ln takes a positive rational number, or one times a root",
    "ln(-2)": "'ln(-2)' is no number: ln takes a positive rational number, or one times a root",
    "log(2)": "'log(2)' is no number: write ln(2) for the natural logarithm",
    "1/ln(2)": "'1/ln(2)' is no number: division by a logarithm has no exact form here",
    "1/(1+sqrt(2))": "'1/(1+sqrt(2))' is no number: division by a sum of roots or logarithms: multiply it out first",
    "2^(1/3)": "'2^(1/3)' is no number: of roots only square roots are read",
    "2^sqrt(2)": "'2^sqrt(2)' is no number: an exponent must be a rational number",
    "nan": "'nan' is no number",
    "-inf": "'-inf' is no number: to keep a query from a key, use the mask",
    "−∞": "'-∞' is no number: to keep a query from a key, use the mask",
    "Infinity": "'Infinity' is no number: to keep a query from a key, use the mask",
    "__import__('os')": "\"__import__('os')\" is no number: unexpected \"'\"",
    "5\x1b[31m": "'5\\x1b[31m' is no number: unexpected '\\x1b'",
    "[red]": "'[red]' is no number: unexpected '['",
    "1e5000": "a decimal exponent of 5000: the limit is 4000 (raise it with the limit 'exponent')",
    "1e999999999": "a decimal exponent of 999999999: the limit is 4000 (raise it with the limit 'exponent')",
    "1e-99999999999": "a decimal exponent of -99999999999: the limit is 4000 (raise it with the limit 'exponent')",
    "2*1e999999999": "a decimal exponent of 999999999: the limit is 4000 (raise it with the limit 'exponent')",
    "9" * 1001: "a number of 1001 digits: the limit is 1000 (raise it with the limit 'digits')",
    "-0." + "9" * 1000: "a number of 1001 digits: the limit is 1000 (raise it with the limit 'digits')",
    "9" * 5000 + "½": "a number of 5001 digits: the limit is 1000 (raise it with the limit 'digits')",
    "9" * 10**6: "a number of 1000000 characters: the limit is 1000 digits (raise it with the limit 'digits')",
    "9**9**9": "a power of 387420489: the limit is 100; write 1e387420489 for powers of ten",
    "((9^100)^100)^100": "a number that takes more than 50000 digits (raise it with the limits 'digits' and 'exponent')",
    "1e4000^100": "a number that takes more than 50000 digits (raise it with the limits 'digits' and 'exponent')",
    "*".join(f"(1+sqrt({p}))" for p in (2, 3, 5, 7, 11, 13, 17, 19)): (
        "a number of 128 different roots and logarithms: the limit is 100 (raise it with the limit 'units')"
    ),
    "+".join(["1"] * 500): (
        "a number written with 999 signs and figures: the limit is 200 operations (raise it with the limit 'operations')"
    ),
    "(" * 150 + "1" + ")" * 150: "a number nested more than 100 deep (raise it with the limit 'nesting')",
    "-" * 150 + "1": "a number nested more than 100 deep (raise it with the limit 'nesting')",
    "sqrt(10000000000000)": "an argument of sqrt beyond 1000000000000: it is factored (raise it with the limit 'radicand')",
    "ln(1e13)": "an argument of ln beyond 1000000000000: it is factored (raise it with the limit 'radicand')",
}  # fmt: skip


@pytest.mark.parametrize("text", ERRORS, ids=lambda text: f"{text[:20]!a} of {len(text)}")
def test_what_is_no_number_is_refused_in_one_clear_line(text: str) -> None:
    with pytest.raises((NumberError, LimitError)) as caught:
        canonical(text)
    assert str(caught.value) == ERRORS[text]


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (True, "True is a boolean, not a number"),
        (np.True_, "True of dtype bool is not a real number"),
        (1j, "1j is complex: attention by hand takes real numbers"),
        (float("nan"), "'nan' is no number"),
        (float("-inf"), "'-inf' is no number: to keep a query from a key, use the mask"),
        (np.float32("inf"), "'inf' is no number: to keep a query from a key, use the mask"),
        (Decimal("NaN"), "'NaN' is no number"),
        (sympy.oo, "oo is no number: to keep a query from a key, use the mask"),
        (sympy.pi, "pi is no number that exactattn knows: rationals, square roots and logarithms are"),
        (sympy.Symbol("a"), "'a' is no number: the name 'a' means nothing here (sqrt and ln do)"),
        (None, "'None' of type NoneType is no number: text, int, Fraction, Decimal, float or a sympy number was due"),
        ([1], "'[1]' of type list is no number: text, int, Fraction, Decimal, float or a sympy number was due"),
    ],
)
def test_an_object_that_is_no_number_is_refused(x: object, message: str) -> None:
    with pytest.raises(NumberError) as caught:
        canonical(x)
    assert str(caught.value) == message


def test_a_decimal_comma_is_read_where_it_is_declared() -> None:
    assert canonical("1,50", decimal=",") == "1.50"
    with pytest.raises(NumberError, match=r'^\'1.5\' is no number: under decimal = "," a point is no decimal mark$'):
        canonical("1.5", decimal=",")


def test_symbols_are_the_declared_ones_only() -> None:
    assert canonical("2*a - b/3", symbols=("a", "b")) == "2*a-b/3"
    assert letters(parse("2*a - sqrt(b)", ("a", "b"))) == {"a", "b"}
    with pytest.raises(NumberError) as caught:
        canonical("a + c", symbols=("a", "b"))
    assert str(caught.value) == (
        "'a + c' is no number: the name 'c' means nothing here (sqrt and ln do; the declared symbols are a, b)"
    )


def test_limits_can_be_lowered() -> None:
    few = replace(LIMITS, digits=5)
    assert canonical("1.2345", limits=few) == "1.2345"
    with pytest.raises(LimitError, match=r"^a number of 6 digits: the limit is 5"):
        canonical("1.23456", limits=few)
    with pytest.raises(LimitError, match=r"^a number of 6 digits: the limit is 5"):
        rational("123456", few)


def test_limits_can_be_raised() -> None:
    assert value("1e3999") == 10**3999
    assert rational(canonical("9" * 5000, limits=replace(LIMITS, digits=6000)), replace(LIMITS, digits=6000)) == fmpq(
        fmpz("9" * 5000)
    )
    deep = replace(LIMITS, nesting=10**5, operations=10**5)
    with pytest.raises(LimitError, match=r"is nested deeper than Python can follow: write it with fewer brackets$"):
        canonical("(" * 5000 + "1" + ")" * 5000, limits=deep)
    with pytest.raises(LimitError, match=r"is nested deeper than Python can follow: write it with fewer brackets$"):
        canonical("+".join(["1"] * 5000), limits=deep)


def test_pythons_own_digit_limit_stays_out_of_sight() -> None:
    wide = replace(LIMITS, digits=20_000)
    big = 10**9000 + 7
    assert sys.get_int_max_str_digits() < 9000
    assert rational(canonical(big, limits=wide), wide) == fmpq(fmpz(big))
    assert rational(canonical(Fraction(1, big), limits=wide), wide) == fmpq(1, fmpz(big))
    assert rational(canonical(sympy.Integer(big), limits=wide), wide) == fmpq(fmpz(big))


def test_the_bits_of_a_float_are_asked_for_by_name() -> None:
    assert value(0.1) == Fraction(1, 10)
    assert from_binary(0.1) == Fraction(3602879701896397, 36028797018963968)
    assert from_binary(np.float32(0.1)) == Fraction(13421773, 134217728)
    with pytest.raises(NumberError, match=r"^nan is no number$"):
        from_binary(float("nan"))


@given(st.decimals(allow_nan=False, allow_infinity=False, places=None).filter(lambda d: abs(d.adjusted()) < 900))
def test_a_decimal_is_exactly_what_is_written(d: Decimal) -> None:
    assert value(d) == value(str(d)) == Fraction(d)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_the_decimal_that_it_prints_as(x: float) -> None:
    assert value(x) == Fraction(repr(x))
    assert float(value(x)) == x


@given(st.fractions())
def test_a_fraction_is_itself(q: Fraction) -> None:
    assert value(q) == q


@given(st.text(max_size=30) | st.text("0123456789.eE+-*/^()½√ sqrtlnab,²", max_size=30))
def test_any_text_is_a_number_or_an_error_of_ours(text: str) -> None:
    try:
        out = canonical(text)
    except ExactAttnError:
        pass
    else:
        assert canonical(out) == out  # canonical text stays as it is
        assert surd(out) == surd(clean(text).strip())


@given(
    st.recursive(
        st.integers(0, 99).map(str) | st.decimals(0, 99, places=2).map(str),
        lambda inner: st.builds("({}{}{})".format, inner, st.sampled_from("+-*/"), inner) | inner.map("(-{})".format),
        max_leaves=12,
    )
)
def test_sums_products_and_quotients_are_those_of_fractions(text: str) -> None:
    import re

    theirs = re.sub(r"[0-9]+(\.[0-9]+)?", lambda m: f"Fraction('{m[0]}')", text)
    try:
        due = eval(theirs, {"Fraction": Fraction})  # text made here, of figures and signs
    except ZeroDivisionError:
        with pytest.raises(NumberError, match="division by zero"):
            canonical(text)
    else:
        assert value(text) == due


def test_reading_leaves_the_cached_number_as_it_was() -> None:
    from exactattn.numbers import surd as surds

    held = surd("1+sqrt(2)")
    surds.add(held, {ONE: fmpq(5)})
    surds.multiply(held, held)
    surds.negate(held)
    assert surd("1+sqrt(2)") == held
    assert len(held) == 2
    assert held[ONE] == 1
