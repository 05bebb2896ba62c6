"""Numbers as people have them: text, Python's numbers, NumPy arrays and what becomes one, sympy; exact throughout."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy
import pytest
import sympy

import exactattn as xa


def read(x):
    """The texts that Q is recorded with."""
    return [list(row) for row in xa.attend(x, x).problem.inputs["Q"]]


@pytest.mark.parametrize(
    ("given", "texts"),
    [
        ([["0.280", " -1/3 "], ["½", "\u22121.5"]], [["0.280", "-1/3"], ["1/2", "-1.5"]]),
        (((1, -2), (3, 0)), [["1", "-2"], ["3", "0"]]),
        ([[Fraction(2, 6), Decimal("1.50")]], [["1/3", "1.50"]]),
        ([[0.1, 1e-3], [2.0, 1e22]], [["0.1", "0.001"], ["2.0", "1e22"]]),
        ([[sympy.Rational(1, 3), sympy.sqrt(2) / 2]], [["1/3", "sqrt(2)/2"]]),
        ([[sympy.log(2), sympy.Integer(-4)]], [["ln(2)", "-4"]]),
        (sympy.Matrix([[1, sympy.sqrt(3)]]), [["1", "sqrt(3)"]]),
        (sympy.ImmutableMatrix([[sympy.Rational(-1, 2)]]), [["-1/2"]]),
        (numpy.array([[1, -2]], dtype=numpy.int8), [["1", "-2"]]),
        (numpy.array([[2**64 - 1]], dtype=numpy.uint64), [["18446744073709551615"]]),
        (numpy.array([[0.1, 1 / 3]]), [["0.1", "0.3333333333333333"]]),
        (numpy.array([[0.1, 1 / 3]], dtype=numpy.float32), [["0.1", "0.33333334"]]),
        (numpy.array([[0.1, 1 / 3]], dtype=numpy.float16), [["0.1", "0.3333"]]),
        (numpy.array([["1/3", "0.50"]]), [["1/3", "0.50"]]),
        (numpy.array([[Fraction(1, 3), 2]], dtype=object), [["1/3", "2"]]),
        ([numpy.array([0.5, 0.1], dtype=numpy.float32)], [["0.5", "0.1"]]),
        ([[numpy.float32(0.1), numpy.array(0.25)]], [["0.1", "0.25"]]),
        (numpy.array([[1.5, -0.0]])[:, ::-1], [["0.0", "1.5"]]),
    ],
    ids=repr,
)
def test_what_is_given_is_recorded_as_the_text_it_means(given, texts):
    assert read(given) == texts


class Tensor:
    """What becomes an array when NumPy asks, as the tensors of other libraries do."""

    def __init__(self, rows, dtype=numpy.float32):
        self.rows = numpy.array(rows, dtype=dtype)
        self.dtype, self.ndim = "tensor.float32", self.rows.ndim

    def __array__(self, dtype=None, copy=None):
        return self.rows

    def __float__(self):
        raise AssertionError("a float was made of it")


@pytest.mark.parametrize(
    "given", [Tensor([[0.1, 0.25]]), [Tensor([0.1, 0.25])], [[Tensor(0.1), Tensor(0.25)]]], ids=["2", "1", "0"]
)
def test_tensors_of_other_libraries(given):
    assert read(given) == [["0.1", "0.25"]]


def test_a_bias_and_a_mask_may_be_arrays():
    trace = xa.attend(
        X=numpy.eye(2), W_Q=numpy.eye(2), W_K=numpy.eye(2), W_V=numpy.eye(2), b_V=numpy.array([0.5, -1]),
        mask=numpy.tril(numpy.ones((2, 2), dtype=bool)), heads=numpy.int64(1),
    )  # fmt: skip
    assert trace.output[0, 0] == "1.5"
    assert xa.Trace.from_json(trace.to_json()) == trace


class Exactly(Fraction):
    """A fraction that nothing may make a float of."""

    def __float__(self):
        raise AssertionError("a float was made of it")

    def __round__(self, ndigits=None):
        raise AssertionError("it was rounded")


class Written(Decimal):
    """A decimal that nothing may make a float of."""

    def __float__(self):
        raise AssertionError("a float was made of it")


@pytest.mark.parametrize("arithmetic", ["exact", "sympy", "mpmath:24", "balls:64"])
def test_no_float_is_made_of_what_is_given(arithmetic):
    q = [[Exactly(1, 3), Written("0.1")], [Exactly(-5, 7), Exactly(2)]]
    trace = xa.attend(q, q, q, scale=Exactly(1, 2), mask="causal", heads=2, arithmetic=arithmetic)
    if arithmetic != "balls:64":
        trace.output.decimal(30)
        trace.to_json()
    assert trace.problem.inputs["Q"] == (("1/3", "0.1"), ("-5/7", "2"))


def test_digits_that_no_float_holds_are_kept():
    text = "0.1234567890123456789012345678901234567890"
    trace = xa.attend([[text]], [[Decimal(text)], [Fraction(text)]], [[text], [text]])
    assert trace.weights[0, 0] == Fraction(1, 2)
    assert trace.output[0, 0].decimal(40) == text


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        (True, "Q, row 1, column 2: True is a boolean, not a number"),
        (numpy.bool_(True), "Q, row 1, column 2: True of dtype bool is not a real number"),
        (float("nan"), "Q, row 1, column 2: 'nan' is no number"),
        (float("-inf"), "Q, row 1, column 2: '-inf' is no number: to keep a query from a key, use the mask"),
        (numpy.float32("inf"), "Q, row 1, column 2: 'inf' is no number: to keep a query from a key, use the mask"),
        (1 + 2j, "Q, row 1, column 2: (1+2j) is complex: attention by hand takes real numbers"),
        (numpy.complex64(1j), "Q, row 1, column 2: 1j of dtype complex64 is not a real number"),
        (None, "Q, row 1, column 2: 'None' of type NoneType is no number: "
               "text, int, Fraction, Decimal, float or a sympy number was due"),
        ([], "Q, row 1, column 2: '[]' of type list is no number: "
             "text, int, Fraction, Decimal, float or a sympy number was due"),
        ("zwei", "Q, row 1, column 2: 'zwei' is no number: the name 'zwei' means nothing here (sqrt and ln do)"),
        ("1,5", "Q, row 1, column 2: '1,5' is no number: a comma is a decimal mark only under decimal = \",\""),
        ("", "Q, row 1, column 2: '' is no number: it is empty"),
        ("1/0", "Q, row 1, column 2: '1/0' is no number: division by zero"),
        ("sqrt(-1)", "Q, row 1, column 2: 'sqrt(-1)' is no number: sqrt takes a rational number that is not negative"),
        ("a", "Q, row 1, column 2: 'a' is no number: the name 'a' means nothing here (sqrt and ln do)"),
        ("1e5000", "Q, row 1, column 2: a decimal exponent of 5000: "
                   "the limit is 4000 (raise it with the limit 'exponent')"),
        ("9" * 1001, "Q, row 1, column 2: a number of 1001 digits: the limit is 1000 (raise it with the limit 'digits')"),
        (sympy.Symbol("a"), "Q, row 1, column 2: 'a' is no number: the name 'a' means nothing here (sqrt and ln do)"),
    ],
    ids=repr,
)  # fmt: skip
def test_what_is_no_number_is_said_with_its_place(entry, why):
    with pytest.raises(xa.ExactAttnError) as error:
        xa.attend([["1", entry]], [["1", "2"]])
    assert str(error.value) == why


def test_a_binary_number_is_taken_by_its_bits_where_one_says_so():
    from exactattn.numbers.parse import from_binary

    assert read([[from_binary(0.1)]]) == [["3602879701896397/36028797018963968"]]
