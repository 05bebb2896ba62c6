"""Decimal places, significant digits and binary formats, against Python's decimal, NumPy and struct."""

from __future__ import annotations

import struct
from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from math import inf, ldexp, nextafter

import numpy as np
import pytest
from flint import fmpq
from hypothesis import example, given
from hypothesis import strategies as st

from exactattn.errors import LimitError, OptionError
from exactattn.numbers import grids
from exactattn.numbers.grids import FORMATS, Binary, Places, Significant
from exactattn.numbers.matrix import Linear, Matrix
from exactattn.numbers.rounding import Ties, round_matrix
from exactattn.numbers.units import ONE
from exactattn.numbers.value import Value

RULES: dict[Ties, str] = {"half-up": ROUND_HALF_UP, "half-even": ROUND_HALF_EVEN}


def rational(q: Fraction) -> Matrix:
    """A matrix whose digits are found in integers."""
    return Linear.of([{ONE: fmpq(q.numerator, q.denominator)} if q else {}], (1, 1))


def enclosed(q: Fraction) -> Matrix:
    """The same number in a form whose digits are found by enclosures and the normal form: q·e / e."""
    e = Value.of(1).exp()
    return (Value(rational(q)) * e / e).matrix


forms = pytest.mark.parametrize("form", [rational, enclosed], ids=["rational", "enclosed"])

decimals = st.one_of(
    st.decimals(-(10**6), 10**6, places=4),
    st.integers(-(10**5), 10**5).map(lambda n: Decimal(n) / 2),
    st.builds(lambda n, e: Decimal(n).scaleb(e), st.integers(-(10**6), 10**6), st.integers(-30, 30)),
    # next to powers of ten, where a rounding changes the magnitude
    st.builds(
        lambda e, n, s: s * (Decimal(10) ** e - Decimal(n).scaleb(e - 5)),
        st.integers(-20, 20), st.integers(-60, 60), st.sampled_from([1, -1]),
    ),
)  # fmt: skip


@forms
@given(decimals, st.integers(0, 8), st.sampled_from(["half-up", "half-even"]))
@example(Decimal("0.5"), 0, "half-even")
@example(Decimal("-0.4999"), 0, "half-up")
def test_decimal_places_are_those_of_the_decimal_module(form: object, x: Decimal, places: int, ties: Ties) -> None:
    ((text,),) = round_matrix(form(Fraction(x)), Places(places), ties)  # type: ignore[operator]
    due = x.quantize(Decimal(1).scaleb(-places), RULES[ties], Context(prec=200))
    assert Decimal(text) == due
    assert text == f"{abs(due) if due == 0 else due:f}"


@forms
@given(decimals, st.integers(1, 8), st.sampled_from(["half-up", "half-even"]))
@example(Decimal("9.95"), 2, "half-up")
@example(Decimal("9.95"), 2, "half-even")
@example(Decimal("999.5"), 3, "half-even")
@example(Decimal("0.000099999"), 4, "half-up")
def test_significant_digits_are_those_of_the_decimal_module(form: object, x: Decimal, digits: int, ties: Ties) -> None:
    ((text,),) = round_matrix(form(Fraction(x)), Significant(digits), ties)  # type: ignore[operator]
    due = Context(prec=digits, rounding=RULES[ties]).plus(x)
    assert Decimal(text) == due
    if x == 0:
        assert text == "0"
    else:
        mantissa = text.lstrip("-").partition("e")[0]
        assert len(mantissa.replace(".", "").lstrip("0")) == digits
        size = due.adjusted()
        assert ("e" in text) == (size < -5 or size >= digits)


@given(st.integers(-4000, 4000), st.integers(1, 30))
def test_the_guess_of_a_magnitude_is_never_too_large(k: int, digits: int) -> None:
    e = Significant(digits).magnitude(k)
    assert Fraction(10) ** e <= Fraction(2) ** k < Fraction(10) ** (e + 2)


@pytest.mark.parametrize("k", [10**6, -(10**6), 10**12, -(10**12), 3 * 10**17])
def test_the_guess_of_a_magnitude_far_out(k: int) -> None:
    # k·log10(2) by 60 digits of it
    log = Fraction(Decimal("0.301029995663981195213738894724493026768189881462108541310427"))
    e = Significant(5).magnitude(k)
    assert e <= k * log < e + 2


# -- binary formats ------------------------------------------------------------------------------------------------------------


def to(form: str, q: Fraction, kind: object = rational) -> float:
    ((number,),) = round_matrix(kind(q), FORMATS[form], "half-even")  # type: ignore[operator]
    return number.to_float()


def hardware(form: str, x: float) -> float:
    """What the hardware rounds a binary64 to."""
    if form == "bfloat16":  # the upper half of a binary32, to nearest even
        (bits,) = struct.unpack("<I", struct.pack("<f", x))
        bits += 0x7FFF + (bits >> 16 & 1)
        return struct.unpack("<f", struct.pack("<I", bits & 0xFFFF0000))[0]
    with np.errstate(over="ignore"):
        return float({"binary16": np.float16, "binary32": np.float32, "binary64": np.float64}[form](x))


singles = st.floats(width=32, allow_nan=False, allow_infinity=False).filter(lambda x: x != 0 or str(x) == "0.0")
doubles = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize("kind", [rational, enclosed], ids=["rational", "enclosed"])
@pytest.mark.parametrize("form", ["binary16", "binary32", "binary64"])
@given(x=doubles)
@example(x=65519.99)
@example(x=65520.0)
@example(x=2.0**-25)
@example(x=3 * 2.0**-26)
@example(x=5e-324)
@example(x=1.7976931348623157e308)
@example(x=3.4028235677973366e38)
def test_a_double_is_rounded_as_numpy_rounds_it(kind: object, form: str, x: float) -> None:
    assert to(form, Fraction(x), kind) == hardware(form, x)


@given(x=singles)
@example(x=3.3895313892515355e38)
@example(x=float(np.float32(3.3961775292304957e38)))
@example(x=2.0**-134)
@example(x=2.0**-149)
def test_a_single_is_rounded_to_bfloat16_as_its_upper_half(x: float) -> None:
    assert to("bfloat16", Fraction(x)) == hardware("bfloat16", x)


@pytest.mark.parametrize("form", FORMATS)
def test_ties_overflow_and_the_smallest_numbers_of_a_format(form: str) -> None:
    grid = FORMATS[form]
    largest = (2 - Fraction(2) ** (1 - grid.p)) * Fraction(2) ** grid.emax
    half = Fraction(2) ** (grid.emax - grid.p)
    least = Fraction(2) ** (grid.emin - grid.p + 1)
    tiny = Fraction(1, 10**400)
    for kind in (rational, enclosed):
        assert to(form, largest, kind) == float(largest)
        assert to(form, largest + half - tiny, kind) == float(largest)
        assert to(form, largest + half, kind) == inf
        assert to(form, -largest - half, kind) == -inf
        assert to(form, least, kind) == float(least)
        assert to(form, least / 2, kind) == 0
        assert to(form, least / 2 + tiny, kind) == float(least)
        assert to(form, least * 3 / 2, kind) == float(2 * least)
        assert to(form, least * 5 / 2, kind) == float(2 * least)
        assert to(form, 1 + Fraction(2) ** -grid.p, kind) == 1
        assert to(form, 1 + Fraction(2) ** -grid.p + tiny, kind) == 1 + ldexp(1.0, 1 - grid.p)
        assert to(form, 2 - Fraction(2) ** (-grid.p), kind) == 2


@given(st.fractions(-(10**6), 10**6, max_denominator=10**9))
def test_the_nearest_double_is_pythons(q: Fraction) -> None:
    assert to("binary64", q) == q.numerator / q.denominator


@given(doubles.filter(lambda x: 1e-300 < abs(x) < 1e300))
def test_no_neighbour_is_nearer(x: float) -> None:
    third = Fraction(x) / 3
    ours = to("binary64", third, enclosed)
    assert all(
        abs(Fraction(ours) - third) <= abs(Fraction(other) - third)
        for other in (nextafter(ours, inf), nextafter(ours, -inf))
    )


def test_numbers_beyond_all_bounds_are_infinite_or_zero_in_a_format() -> None:
    for exponent in ("1e6", "1e10", "1e4000"):
        assert Value.of(exponent).exp().to_float() == inf
        assert (-Value.of(exponent).exp()).to_float("binary16") == -inf
        assert Value.of("-" + exponent).exp().to_float() == 0
    assert Value.of("1e4000").to_float("bfloat16") == inf
    assert Value.of("-1e-4000").to_float() == 0


# -- what is asked for -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: grids.places(-1), "-1 places: a whole number from 0 up was due"),
        (lambda: grids.places(True), "True places: a whole number from 0 up was due"),
        (lambda: grids.places(1.0), "1.0 places: a whole number from 0 up was due"),  # type: ignore[arg-type]
        (lambda: grids.significant(0), "0 digits: a whole number from 1 up was due"),
        (lambda: grids.places(10_001), "10001 places: the limit is 10000 (raise it with the limit 'places')"),
        (
            lambda: grids.binary("binary23"),
            "format 'binary23' is not one of binary16, bfloat16, binary32, binary64 (did you mean 'binary32'?)",
        ),
    ],
    ids=["negative", "boolean", "float", "zero digits", "too many", "format"],
)
def test_what_is_no_count_of_digits_is_refused(ask: object, message: str) -> None:
    with pytest.raises((OptionError, LimitError)) as caught:
        ask()  # type: ignore[operator]
    assert str(caught.value) == message


def test_ten_thousand_places() -> None:
    text = Value.of("1/7").exp().decimal(10_000)
    assert len(text) == 10_002
    assert text.startswith("1.1535649948951077")


def test_a_format_of_ones_own() -> None:
    eight = Binary(4, -6, 8)  # an 8-bit float: 3 bits after the point
    ((number,),) = round_matrix(rational(Fraction(17, 16)), eight, "half-even")
    assert number.to_float() == 1
    ((number,),) = round_matrix(rational(Fraction(19, 16)), eight, "half-even")
    assert number.to_float() == 1.25
