"""Arithmetic over sympy: letters stay letters, and no letter is guessed to be larger than another."""

from __future__ import annotations

import pickle
from fractions import Fraction
from typing import Any

import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Symbol, exp, log, sqrt

from exactattn.arithmetic.exact import ExactArithmetic
from exactattn.arithmetic.symbolic import SympyArithmetic
from exactattn.errors import InputError, LimitError, NumberError
from exactattn.numbers.symbolic import from_sympy, from_text
from exactattn.numbers.value import Value

a, b, c = (Symbol(name, real=True) for name in "abc")
AR = SympyArithmetic(("a", "b", "c"))
EXACT = ExactArithmetic()


def weights(ar: Any, scores: list[list[str]], keep: Any = None) -> Any:
    s = ar.read(scores)
    e = ar.exp(ar.subtract_column(s, ar.row_max(s, keep)), keep)
    return ar.divide_column(e, ar.row_sum(e))


def test_weights_in_letters_read_as_one_would_write_them() -> None:
    assert weights(AR, [["a", "b"]]) == ((exp(a) / (exp(a) + exp(b)), exp(b) / (exp(a) + exp(b))),)
    assert weights(AR, [["a", "2*a", "0"]])[0][1] == exp(2 * a) / (exp(a) + exp(2 * a) + 1)
    assert weights(AR, [["a*b", "c"]], ((True, True),))[0][0] == exp(a * b) / (exp(a * b) + exp(c))


def test_where_letters_leave_the_maximum_open_a_letter_stands_for_it() -> None:
    s = AR.read([["a", "b"], ["1", "2"], ["b", "b + 1"]])
    (m,), (two,), (shifted,) = AR.row_max(s, None)
    assert str(m) == "_m_1"
    assert sympy.latex(m) == "m_{1}"
    assert (two, shifted) == (2, b + 1)
    e = AR.exp(AR.subtract_column(s, AR.row_max(s, None)), None)
    assert e == ((exp(a - m), exp(b - m)), (exp(-1), 1), (exp(-1), 1))
    assert AR.row_sum(e)[0][0] == exp(a - m) + exp(b - m)
    assert all(m not in x.free_symbols for x in AR.divide_column(e, AR.row_sum(e))[0])


def test_a_users_m_1_is_not_the_maximum() -> None:
    ar = SympyArithmetic(("m_1", "x"))
    user = Symbol("m_1", real=True)
    (m,) = ar.row_max(ar.read([["m_1", "x"]]), None)[0]
    assert m != user
    assert m.name == "M_1"  # nor does it look like it
    (row,) = weights(ar, [["m_1", "x"]])
    assert row[0] == exp(user) / (exp(user) + exp(Symbol("x", real=True)))


def test_the_letter_of_a_maximum_is_the_same_for_the_same_row_and_another_for_another() -> None:
    rows = [AR.row_max(AR.read([scores]), None)[0][0] for scores in (["a", "b"], ["a", "b"], ["b", "c"])]
    assert rows[0] == rows[1] != rows[2]
    assert pickle.loads(pickle.dumps(rows[0])) == rows[0]


def test_constant_differences_are_decided_with_certainty() -> None:
    near = "1.41421356237309504880168872420969807856967187537694807317667973799073247846210703885038753432764157"
    for scores, due in (
        (["sqrt(2)", near], sqrt(2)),
        ([near, "sqrt(2)"], sqrt(2)),
        (["a + sqrt(2)", "a + 1.4142135623730950488"], a + sqrt(2)),
        (["2*(a + 1)", "2*a + 1"], 2 * a + 2),
        (["a*(b + 1)", "a*b + a + 1"], a * b + a + 1),
        (["ln(2)*ln(3)", "0.7615"], log(2) * log(3)),
        (["3", "3"], 3),
    ):
        assert AR.row_max(AR.read([scores]), None) == ((due,),)


def test_the_letter_of_a_maximum_drops_out_only_where_that_is_right() -> None:
    # (a − m)/(a − m + b − m) is not a/(a + b): a step that forgets the exponential keeps its m
    s = AR.read([["a", "b"]])
    m = AR.row_max(s, None)
    shifted = AR.subtract_column(s, m)
    wrong = AR.divide_column(shifted, AR.row_sum(shifted))
    assert m[0][0] in wrong[0][0].free_symbols
    # e^(a − m) over a sum that was formed without the shift keeps it too
    e = AR.exp(shifted, None)
    assert m[0][0] in AR.divide_column(e, AR.row_sum(AR.exp(s, None)))[0][0].free_symbols


def test_a_known_maximum_stays_in_sight() -> None:
    s = AR.read([["1", "3"]])
    e = AR.exp(AR.subtract_column(s, AR.row_max(s, None)), None)
    assert AR.divide_column(e, AR.row_sum(e))[0] == (exp(-2) / (exp(-2) + 1), 1 / (exp(-2) + 1))


letters = st.sampled_from(["a", "b", "a + 1", "2*b - a", "a*b", "0", "1/2", "-c", "sqrt(2)*c"])


@settings(max_examples=40)
@given(
    st.lists(letters, min_size=1, max_size=4),
    st.tuples(*[st.sampled_from(["0", "1", "-2", "1/3", "ln(2)", "sqrt(3)", "0.25"])] * 3),
)
def test_numbers_put_in_for_the_letters_give_the_exact_weights(scores: list[str], numbers: tuple[str, ...]) -> None:
    put = {x: from_text(text, ()) for x, text in zip((a, b, c), numbers, strict=True)}
    in_letters = weights(AR, [scores])[0]
    in_numbers = weights(SympyArithmetic(), [["0"] * len(scores)])  # shapes only
    assert len(in_numbers[0]) == len(in_letters)
    values = [from_sympy(from_text(text, ("a", "b", "c")).subs(put, simultaneous=True)) for text in scores]
    e = [x.exp() for x in values]
    total = sum(e, Value.of(0))
    for x, due in zip(in_letters, e, strict=True):
        assert from_sympy(x.subs(put, simultaneous=True)) == due / total


def test_letters_have_no_digits() -> None:
    with pytest.raises(InputError) as caught:
        AR.exact(AR.read([["1", "2"], ["3", "a + 1"]]))
    assert str(caught.value) == "row 2, column 2 is a + 1: it holds letters, so it has no digits"
    assert (caught.value.row, caught.value.column, caught.value.text) == (2, 2, "a + 1")
    assert Value(AR.exact(AR.read([["a - a + 1/3"]])).entry(0, 0)).decimal(3) == "0.333"


KNOWN = "(sqrt and ln do; the declared symbols are a, b, c)"


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("d", NumberError, f"'d' is no number: the name 'd' means nothing here {KNOWN}"),
        ("a/0", NumberError, "'a/0' is no number: division by zero"),
        ("1/(a-a)", NumberError, "'1/(a-a)' is no number: division by zero"),
        ("a+sqrt(-1)", NumberError, "'a+sqrt(-1)' is no number: sqrt takes a rational number that is not negative"),
        ("sqrt(a-a-1)", NumberError, "'sqrt(a-a-1)' is no number: it is not real"),
        ("a^b", NumberError, "'a^b' is no number: an exponent must be a rational number"),
        ("a^(1/3)", NumberError, "'a^(1/3)' is no number: of roots only square roots are read"),
        ("a^101", LimitError, "a power of 101: the limit is 100"),
        ("a + 9^9^9", LimitError, "a power of 387420489: the limit is 100; write 1e387420489 for powers of ten"),
        ("a*1e99999", LimitError, "a decimal exponent of 99999: the limit is 4000 (raise it with the limit 'exponent')"),
        ("__import__('os').system('true')", NumberError, "\"__import__('os').system('true')\" is no number: unexpected \"'\""),
        ("Symbol(a)", NumberError, f"'Symbol(a)' is no number: the name 'Symbol' means nothing here {KNOWN}"),
    ],
)  # fmt: skip
def test_a_text_that_is_no_expression_is_refused(text: str, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        AR.read([[text]])
    assert str(caught.value) == message


def test_expressions_that_would_grow_without_end_are_left_as_they_are() -> None:
    power = "*".join(f"(a+{k}*b+c)" for k in range(20))
    s = AR.read([[power, f"{power}+1-1", "b^100"]])
    assert AR.row_max(s, None)[0][0].name == "m_1"
    far = AR.exp(AR.read([["1e12*ln(2)", "-1e12*ln(2)", "-3*ln(2)", "sqrt(2)*ln(3)"]]), None)
    assert [x.func for x in far[0]] == [exp, exp, sympy.Rational, exp]
    assert Value(AR.exact(far).entry(0, 1)).decimal(3) == "0.000"


@pytest.mark.parametrize(
    ("x", "due"),
    [
        (sympy.Rational(-2, 3), "-2/3"),
        (sqrt(8) / 3, "2*sqrt(2)/3"),
        (log(12) / log(sympy.E), "ln(12)"),
        (sympy.Integer(12) ** sympy.Rational(3, 2), "24*sqrt(3)"),
        ((1 + sqrt(2)) ** 3, "7+5*sqrt(2)"),
        (1 / sqrt(2), "sqrt(2)/2"),
        (log(sqrt(6)), "ln(2)/2+ln(3)/2"),
    ],
)
def test_sympy_numbers_become_values(x: sympy.Expr, due: str) -> None:
    assert from_sympy(x) == Value.of(due)


def test_sympy_exponentials_become_values() -> None:
    e = Value.of(1).exp()
    assert from_sympy(sympy.E) == e
    assert from_sympy(exp(2) / (1 + exp(2))) == e * e / (1 + e * e)
    assert from_sympy((1 + sympy.E) ** -2) == 1 / ((1 + e) * (1 + e))
    assert from_sympy(exp(log(2) / 3)) == Value.of("ln(2)/3").exp()
    assert from_sympy(exp(sqrt(2) * log(3))) == Value.of("sqrt(2)*ln(3)").exp()
    assert from_sympy((sympy.root(2, 3) / 3) ** sqrt(2)) == Value.of("sqrt(2)*ln(2)/3-sqrt(2)*ln(3)").exp()
    assert from_sympy(exp(exp(1))) > Value.of("15.15")


@pytest.mark.parametrize(
    ("x", "message"),
    [
        (sympy.pi, "pi is no number that exactattn knows: sums, products, roots, exp and log are"),
        (sympy.I, "I is no number that exactattn knows: sums, products, roots, exp and log are"),
        (
            sympy.Float(0.5),
            "0.500000000000000 is no number that exactattn knows: sums, products, roots, exp and log are",
        ),
        (sympy.sin(1), "sin(1) is no number that exactattn knows: sums, products, roots, exp and log are"),
        (sympy.oo, "oo is no number that exactattn knows: sums, products, roots, exp and log are"),
        (log(1 + sqrt(2)), "ln(1 + sqrt(2)) is no number that exactattn knows: a positive rational or a root was due"),
        (log(1 + sympy.E), "ln(1 + E) is no number that exactattn knows: a positive rational or a root was due"),
        (a, "a is a letter: it has no digits"),
    ],
)
def test_other_sympy_expressions_are_refused(x: sympy.Expr, message: str) -> None:
    with pytest.raises(InputError) as caught:
        from_sympy(x)
    assert str(caught.value) == message


@given(st.lists(st.fractions(-4, 4, max_denominator=12), min_size=1, max_size=4))
def test_without_letters_it_is_the_exact_arithmetic(scores: list[Fraction]) -> None:
    texts = [[str(q) for q in scores]]
    ours, theirs = weights(EXACT, texts), AR.exact(weights(AR, texts))
    for j in range(len(scores)):
        assert Value(ours.entry(0, j)) == Value(theirs.entry(0, j))
