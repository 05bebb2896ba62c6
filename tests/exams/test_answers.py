"""What students type, as exact numbers."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactattn.exams.answers import Typed, Unread, entries, number
from exactattn.i18n import languages, messages


@pytest.mark.parametrize(
    "text",
    [
        "0.25",
        ".25",
        "1/4",
        "2.5e-1",
        "2.5E−1",
        "25e-2",
        "+0.25",
        " 0.25 ",
        "０．２５",
        "０.250",
        "¼",
        "1 / 4",
        "0025/100",
    ],
)
def test_a_quarter_in_every_form(text: str) -> None:
    assert number(text).value == Fraction(1, 4)


@pytest.mark.parametrize("text", ["-0.25", "−0.25", "－０．２５", "- 0.25", "-1/4", "–.25", "−¼"])
def test_minus_a_quarter(text: str) -> None:
    assert number(text).value == Fraction(-1, 4)


@pytest.mark.parametrize("text", ["25%", "25 %", "25.0 ％", "100/4 %"])
def test_shares_in_per_cent_are_for_weights(text: str) -> None:
    assert number(text, ask="weights").value == Fraction(1, 4)
    assert number(text, ask="output").why == "percent"


@pytest.mark.parametrize(
    ("text", "decimal", "value"),
    [
        ("1 234", ".", 1234),
        ("-1 234 567", ".", -1234567),
        ("1\u202f234.5", ".", Fraction("1234.5")),
        ("1,234,567", ".", 1234567),
        ("- 1，234．5", ".", Fraction("-1234.5")),
        ("12,345,678.25", ".", Fraction("12345678.25")),
        ("1 234,5", ",", Fraction("1234.5")),
        ("1.234,5", ",", Fraction("1234.5")),
        ("1.234.567", ",", 1234567),
    ],
)
def test_groups_of_three_digits_are_read_where_they_can_be_nothing_else(text, decimal, value) -> None:
    assert number(text, decimal).value == value


@pytest.mark.parametrize(
    ("text", "decimal", "why"),
    [
        ("1,234", ".", "comma"),  # many write it for 1.234
        ("0,234,567", ".", "comma"),
        ("1,23,456", ".", "comma"),
        ("1,234.", ".", "comma"),
        ("1.234,5", ".", "comma"),
        ("1.234", ",", "point"),
        ("1,234.5", ",", "point"),
        ("0 234", ".", "several"),
        ("1 23", ".", "several"),
        ("1234 567", ".", "several"),
        ("1 234 5", ".", "several"),
        ("1 234/5", ".", "several"),
        ("0.123 456", ".", "several"),
        ("1 1/2", ".", "several"),
    ],
)
def test_other_groups_are_refused(text, decimal, why) -> None:
    assert number(text, decimal).why == why


@pytest.mark.parametrize(
    "text", ["N = 0.25", "x=1/4", "α_{1,2} ≈ 0.25", "第 1 项＝０．２５", "=0.25", "w(q1, k2) = .25", "ln 2 = 0.25"]
)
def test_one_number_after_a_name_is_that_number(text) -> None:
    assert number(text).value == Fraction(1, 4)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("1/4 = 0.25", "no-number"),
        ("2x = 0.5", "no-number"),
        ("-x = 0.5", "no-number"),
        ("0.25 = N", "no-number"),
        ("N = 1/4 = 0.25", "no-number"),
        ("N =", "empty"),
        ("N = 0,25", "comma"),
    ],
)
def test_what_is_equal_to_something_else_is_refused(text, why) -> None:
    assert number(text).why == why


def test_the_decimal_comma() -> None:
    assert number("0,25", ",").value == number("，25", ",").value == Fraction(1, 4)
    assert number("0.25", ",").why == "point"
    assert number("0,25").why == "comma"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "empty"), ("  ", "empty"), ("-", "no-number"), (".", "no-number"), ("1.2.3", "no-number"),
        ("nan", "no-number"), ("inf", "no-number"), ("0x10", "no-number"), ("1_0", "no-number"), ("٣", "no-number"),
        ("²", "no-number"), ("=1+1", "no-number"), ("sqrt(2)", "no-number"), ("__import__('os')", "no-number"),
        ("1/0", "zero"), ("1e999999999", "long"), ("9" * 5000, "long"), ("0.1 0.2", "several"),
        ("1/2/3", "no-number"), ("0.5/2", "no-number"), ("--1", "no-number"), ("1e", "no-number"), ("e5", "no-number"),
    ],
)  # fmt: skip
def test_the_rest_is_refused_with_a_reason(text: str, why: str) -> None:
    found = number(text)
    assert isinstance(found, Unread)
    assert found.why == why
    for lang in languages():
        known = messages(lang).keys()
        assert f"marking.refused.{why}" in known


@given(st.decimals(allow_nan=False, allow_infinity=False, places=4, min_value=-1000, max_value=1000))
def test_a_decimal_is_exactly_what_is_written(x) -> None:
    found = number(f"{x:f}")
    assert found == Typed(f"{x:f}", Fraction(x), Fraction(1, 20000))


@given(st.text(max_size=80))
def test_no_text_fails(text: str) -> None:
    assert isinstance(number(text), Typed | Unread)
    assert isinstance(number(text, ",", "weights"), Typed | Unread)
    assert entries(text)


def test_the_last_typed_place() -> None:
    assert [number(t).half for t in ("0.5", "0.50", "5", "5e-2", "1/2")] == [
        Fraction(1, 20), Fraction(1, 200), Fraction(1, 2), Fraction(1, 200), 0
    ]  # fmt: skip
    assert number("25.0%", ask="weights").half == Fraction(1, 2000)


def test_a_matrix_typed_whole() -> None:
    assert entries("0.1 .9; 1/4  3 / 4") == [["0.1", ".9"], ["1/4", "3/4"]]
    assert entries("１　２； ３ 4；") == [["１", "２"], ["３", "4"]]
    assert entries("20 % 80 ％") == [["20%", "80％"]]
    assert entries("0,1 0,9") == [["0,1", "0,9"]]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("[-0.240, -3.540]", [["-0.240", "-3.540"]]),
        ("-0.240, -3.540", [["-0.240", "-3.540"]]),
        ("(2, 3)", [["2", "3"]]),
        ("（2，3）", [["2", "3"]]),
        ("[[0.1, 0.2]; [0.3, 0.4]]", [["0.1", "0.2"], ["0.3", "0.4"]]),
        ("0,5 0,25", [["0,5", "0,25"]]),
        ("0,5; 0,25;", [["0,5"], ["0,25"]]),
        ("1/2, 1/4", [["1/2", "1/4"]]),
        ("a_1 = [0.1, 0.9]", [["0.1", "0.9"]]),
        ("O＝0.1 0.2; 0.3 0.4", [["0.1", "0.2"], ["0.3", "0.4"]]),
        ("a=0.1 b=0.9", [["a", "=", "0.1", "b", "=", "0.9"]]),
    ],
)
def test_a_row_typed_whole_may_have_brackets_and_commas(text, found):
    assert entries(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A = 1,234.5 2", [["1,234.5", "2"]]),
        ("1,234.5, 2", [["1,234.5", "2"]]),
        ("-1,234.5; 1,234,567", [["-1,234.5"], ["1,234,567"]]),
        ("1，234.5 2", [["1，234.5", "2"]]),
        ("１，２３４．５ ２", [["１，２３４．５", "２"]]),
        ("1,234 2.5", [["1,234", "2.5"]]),  # refused as it is alone
        ("1,234.5,2", [["1,234.5,2"]]),  # 1 234.5 and 2, or 1, 234.5 and 2
        ("0.5,1,234", [["0.5,1,234"]]),
        ("10,200.5", [["10,200.5"]]),
        ("0.127,0.110,0.763", [["0.127", "0.110", "0.763"]]),
        ("1.5,234", [["1.5", "234"]]),
        ("1000,234.5", [["1000", "234.5"]]),
        ("12,-100.5", [["12", "-100.5"]]),
        ("（16，128）", [["16", "128"]]),
        ("0.5，0.25、0.1", [["0.5", "0.25", "0.1"]]),
        ("[[0.1,0.2],[0.3,0.4]]", [["0.1", "0.2", "0.3", "0.4"]]),
    ],
)
def test_what_may_be_thousands_is_one_entry(text, found):
    assert entries(text) == found


def test_thousands_and_commas_in_rows_under_a_decimal_comma():
    assert entries("1.234,5 2", ",") == [["1.234,5", "2"]]
    assert entries("0，5, 0，25", ",") == [["0，5", "0，25"]]
    assert entries("0.1,0.2", ",") == [["0.1,0.2"]]


@given(
    st.from_regex(r"-?[0-9]{1,3}([,，. ][0-9]{3}){1,2}([.,][0-9]{1,2})?", fullmatch=True),
    st.sampled_from([".", ","]),
    st.sampled_from(["2", "-0,5", "0.25", "1/4"]),
)
def test_what_is_read_as_one_number_stays_one_in_a_row(text, decimal, other):
    """But for spaces, which part entries in a row."""
    if isinstance(number(text, decimal), Typed) and " " not in text:
        assert entries(f"{text} {other}", decimal)[0][0] == text
        assert entries(f"{other}, {text}", decimal)[0][-1] == text
