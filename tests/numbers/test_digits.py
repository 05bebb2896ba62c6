"""Printed digits against an enclosure that shares no code with ours: mpmath.iv, at far more digits than are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from math import floor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import iv, libmp, mp

from exactattn.arithmetic.exact import ExactArithmetic
from exactattn.errors import Undecided
from exactattn.numbers.grids import Places, Significant
from exactattn.numbers.limits import LIMITS
from exactattn.numbers.matrix import Matrix
from exactattn.numbers.parse import canonical
from exactattn.numbers.rounding import Ties, round_matrix
from exactattn.numbers.value import Value

AR = ExactArithmetic()
PLACES = (3, 15, 200)


def weights(scores: Sequence[Sequence[str]]) -> Matrix:
    s = AR.read([[canonical(x) for x in row] for row in scores])
    e = AR.exp(AR.subtract_column(s, AR.row_max(s, None)), None)
    return AR.divide_column(e, AR.row_sum(e))


def outputs(scores: Sequence[Sequence[str]], v: Sequence[Sequence[str]]) -> Matrix:
    return AR.matmul(weights(scores), AR.read([[canonical(x) for x in row] for row in v]))


def printed(a: Matrix, places: int, ties: Ties = "half-up") -> list[list[str]]:
    return round_matrix(a, Places(places), ties)


# -- the other side: intervals, and rounding in fractions ------------------------------------------------------------------


def interval(text: str) -> Any:
    """A number of the grammar, as an interval: decimals, fractions, ln and sqrt of them."""
    for name, function in (("ln(", iv.log), ("sqrt(", iv.sqrt)):
        if text.startswith(name):
            return function(interval(text[len(name) : -1]))
    q = Fraction(text)
    return iv.mpf(q.numerator) / iv.mpf(q.denominator)


def interval_weights(scores: Sequence[Sequence[str]]) -> list[list[Any]]:
    out = []
    for row in scores:
        s = [interval(x) for x in row]
        top = max(s, key=lambda x: x.mid)
        e = [iv.exp(x - top) for x in s]
        total = sum(e[1:], e[0])
        out.append([x / total for x in e])
    return out


def interval_outputs(scores: Sequence[Sequence[str]], v: Sequence[Sequence[str]]) -> list[list[Any]]:
    columns = [[interval(x) for x in column] for column in zip(*v, strict=True)]
    return [
        [sum((w * x for w, x in zip(row, column, strict=True)), iv.mpf(0)) for column in columns]
        for row in interval_weights(scores)
    ]


def ends(x: Any) -> tuple[Fraction, Fraction]:
    low, high = (Fraction(*libmp.to_rational(end)) for end in x._mpi_)
    return low, high


def in_places(x: Fraction, places: int) -> str:
    """Half up, in integers."""
    n = floor(abs(x) * 10**places + Fraction(1, 2))
    sign = "-" if x < 0 and n else ""
    return f"{sign}{n // 10**places}.{n % 10**places:0{places}d}"


def agree(texts: list[list[str]], enclosures: list[list[Any]], places: int) -> None:
    for row, others in zip(texts, enclosures, strict=True):
        for text, x in zip(row, others, strict=True):
            low, high = ends(x)
            assert high - low < Fraction(1, 10 ** (places + 20)), "the enclosure is too wide to say anything"
            assert {in_places(low, places), in_places(high, places)} == {text}


@pytest.fixture(autouse=True)
def wide_intervals() -> Any:
    before = iv.prec
    iv.dps = 300
    yield
    iv.prec = before


# -- random rows -----------------------------------------------------------------------------------------------------------

numbers = st.one_of(
    st.decimals(-9, 9, places=3).map(str),
    st.integers(-30, 30).map(str),
    st.fractions(-5, 5, max_denominator=60).map(str),
    st.sampled_from(["ln(2)", "ln(3/7)", "sqrt(2)", "ln(15)", "sqrt(3/5)", "1e-30", "-0.0000000001"]),
)


@st.composite
def rows(draw: st.DrawFn) -> tuple[list[list[str]], list[list[str]]]:
    n, m, d = draw(st.integers(1, 3)), draw(st.integers(1, 5)), draw(st.integers(1, 3))
    table = lambda a, b: st.lists(st.lists(numbers, min_size=b, max_size=b), min_size=a, max_size=a)  # noqa: E731
    return draw(table(n, m)), draw(table(m, d))


@settings(max_examples=80)
@given(rows())
def test_weights_and_outputs_of_random_rows(case: tuple[list[list[str]], list[list[str]]]) -> None:
    iv.dps = 300
    scores, v = case
    a, o = weights(scores), outputs(scores, v)
    theirs = interval_weights(scores), interval_outputs(scores, v)
    for places in PLACES:
        for ours, other in zip((a, o), theirs, strict=True):
            texts = printed(ours, places)
            for i, row in enumerate(other):
                for j, x in enumerate(row):
                    low, high = (in_places(end, places) for end in ends(x))
                    # within 10⁻²⁹⁰ of a tie it is the tie, and that goes away from zero
                    assert texts[i][j] == max(low, high, key=lambda text: abs(Fraction(text)))


@pytest.mark.parametrize(
    "scores",
    [
        ["3000", "-3000"],
        ["3000", "2999.999", "-3000", "0"],
        ["1e-30", "0", "-1e-30"],
        ["1e-30", "2e-30"],
        ["0.1", "0.10000000000000000000000000000000000000001"],
        ["100", "100.5", "-700"],
        ["sqrt(2)", "1.4142135623730950488016887242096980785696718753769"],
        ["ln(2)", "0.69314718055994530941723212145817656807550013436026"],
        ["50000", "-50000"],
    ],
)
def test_scores_very_large_very_small_and_very_near(scores: list[str]) -> None:
    v = [["1", "-0.5", "123456.789"]] + [["-1", "0.25", "1e-20"]] * (len(scores) - 1)
    for places in PLACES:
        agree(printed(weights([scores]), places), interval_weights([scores]), places)
        agree(printed(outputs([scores], v), places), interval_outputs([scores], v), places)


# -- near ties ---------------------------------------------------------------------------------------------------------------


def truncated_logit(t: Fraction, digits: int) -> tuple[str, str]:
    """Decimals just below and just above ln(t/(1 − t)), `digits` after the point."""
    with mp.workdps(digits + 60):
        s = mp.log(mp.mpf(t.numerator) / (t.denominator - t.numerator))
        n = int(mp.floor(s * mp.mpf(10) ** digits))

    def text(k: int) -> str:
        return f"{'-' if k < 0 else ''}{abs(k) // 10**digits}.{abs(k) % 10**digits:0{digits}d}"

    return text(n), text(n + 1)


@pytest.mark.parametrize("places", PLACES)
@pytest.mark.parametrize("digits", [17, 60, 230, 420, 900])
@pytest.mark.parametrize("where", ["small", "middle"])
@pytest.mark.parametrize("k", [5, 62, 333])
def test_a_score_next_to_a_tie_falls_on_the_right_side(places: int, digits: int, where: str, k: int) -> None:
    # t is half way between n and n + 1 units of the last place; the weight of the score is below t as the score is below
    # ln(t/(1 − t)), by less than 10^−digits · t: so the text is known without any enclosure
    n = k if where == "small" else 10**places // 3 + k
    t = Fraction(2 * n + 1, 2 * 10**places)
    for score, due in zip(truncated_logit(t, digits), (n, n + 1), strict=True):
        a = weights([[score, "0"]])
        for ties in ("half-up", "half-even"):
            text = printed(a, places, ties)[0][0]
            if where == "small" or digits > places:
                assert text == f"0.{due:0{places}d}"
            else:
                agree([[text]], [interval_weights([[score, "0"]])[0][:1]], places)


def test_a_near_tie_seen_in_the_issue() -> None:
    assert (1 / (1 + Value.of("2.708050201102210065").exp())).decimal(3) == "0.063"
    assert (1 / (1 + Value.of("2.708050201102210066").exp())).decimal(3) == "0.062"


@pytest.mark.parametrize("places", PLACES)
@pytest.mark.parametrize("gap", [30, 300, 900])
def test_an_output_next_to_a_tie_falls_on_the_right_side(places: int, gap: int) -> None:
    # equal weights 1/2: the output is the mean of V, a hair above or below the tie; and the same with weights 1/16, 15/16
    step = Fraction(1, 10**places)
    for sign in (1, -1):
        for scores, first in ((["0.3", "0.3"], Fraction(1, 2)), (["0", "ln(15)"], Fraction(1, 16))):
            hair = Fraction(sign, 10 ** (places + gap))
            wide = ExactArithmetic(replace(LIMITS, digits=2000))
            o = wide.matmul(weights([scores]), wide.read([[str((step / 2 + hair) / first)], ["0"]]))
            for ties in ("half-up", "half-even"):
                assert printed(o, places, ties) == [[f"0.{1 if sign > 0 else 0:0{places}d}"]]


# -- exact ties ----------------------------------------------------------------------------------------------------------------


def test_a_weight_of_one_sixteenth_is_rounded_by_the_stated_rule() -> None:
    a = weights([["0", "ln(15)"]])
    assert printed(a, 3) == [["0.063", "0.938"]]
    assert printed(a, 3, "half-even") == [["0.062", "0.938"]]
    assert printed(a, 4) == printed(a, 4, "half-even") == [["0.0625", "0.9375"]]
    assert round_matrix(a, Significant(2)) == [["0.063", "0.94"]]
    assert round_matrix(a, Significant(2), "half-even") == [["0.062", "0.94"]]


TIES = {
    "constant V": ([["0.3", "-1.7", "2"]], [["0.0625"], ["0.0625"], ["0.0625"]]),
    "equal keys": ([["0.7", "0.7"]], [["0.125"], ["0"]]),
    "two groups of equal means": ([["0", "0", "1", "1"]], [["0"], ["0.125"], ["0.0125"], ["0.1125"]]),
    "groups folded by ln": ([["1", "1+ln(3)", "2", "2+ln(3)"]], [["0.25"], ["0"], ["0.25"], ["0"]]),
    "roots in the coefficients": ([["0", "ln(2)/2", "0", "ln(2)/2"]], [["0.0625"], ["0.0625"], ["0.0625"], ["0.0625"]]),
    "an irrational V that is constant": ([["0", "1"]], [["sqrt(2)/32*sqrt(2)"], ["1/16"]]),
    "1/16 of 1": ([["0", "ln(15)"]], [["1"], ["0"]]),
}


@pytest.mark.parametrize("name", TIES)
def test_exact_ties_are_found_and_follow_the_rule(name: str) -> None:
    o = outputs(*TIES[name])
    assert printed(o, 3) == [["0.063"]]
    assert printed(o, 3, "half-even") == [["0.062"]]
    assert printed(AR.matmul(o, AR.read([["-1"]])), 3) == [["-0.063"]]
    assert printed(AR.matmul(o, AR.read([["-1"]])), 3, "half-even") == [["-0.062"]]
    assert printed(o, 200) == [["0.0625" + "0" * 196]]


def test_ties_far_out_and_ties_of_tiny_numbers_are_found() -> None:
    # the first enclosures are wider than the step, or cannot tell the number from 0
    far = outputs([["0", "ln(15)"]], [[str(16 * 10**300) + ".008"], ["0"]])
    assert printed(far, 3)[0][0] == "1" + "0" * 300 + ".001"
    assert printed(far, 3, "half-even")[0][0] == "1" + "0" * 300 + ".000"
    tiny = outputs([["0", "ln(15)"]], [["15"], ["-0." + "9" * 58 + "84"]])  # 15/16 · 1.6·10⁻⁵⁹ = 1.5·10⁻⁵⁹
    assert round_matrix(tiny, Significant(1)) == [["2e-59"]]
    tiny = outputs([["0", "ln(15)"]], [["15"], ["-0." + "9" * 57 + "733333"]])
    assert round_matrix(tiny, Significant(20)) == [["2.5000031250000000000e-58"]]


def test_an_output_that_is_exactly_zero_has_no_sign_and_no_digits() -> None:
    o = outputs([["0", "ln(15)"], ["1", "1"]], [["15", "1"], ["-1", "-1"]])
    assert printed(o, 3) == [["0.000", "-0.875"], ["7.000", "0.000"]]
    assert round_matrix(o, Significant(3)) == [["0", "-0.875"], ["7.00", "0"]]


def test_a_number_that_rounds_to_zero_has_no_sign() -> None:
    o = outputs([["0", "1"]], [["-0.0001"], ["-0.0002"]])
    assert printed(o, 3) == [["0.000"]]
    assert printed(o, 4) == [["-0.0002"]]


def test_heads_with_different_denominators() -> None:
    # 1/(1 + e) + 1/(1 + e⁻¹) = 1, and e²/(1 + e²) + 1/(1 + e²) = 1: ties only the normal form over both denominators finds
    one, other, third = weights([["0", "1"]]), weights([["1", "0"]]), weights([["2", "0"]])
    heads = AR.hstack([AR.columns(one, 0, 1), AR.columns(other, 0, 1), third])
    w = AR.read([["0.0625", "1"], ["0.0625", "2"], ["0.5", "3"], ["0.5", "4"]])
    o = AR.matmul(heads, w)
    assert printed(AR.columns(o, 0, 1), 3, "half-even") == [["0.562"]]
    assert printed(AR.columns(o, 0, 1), 3) == [["0.563"]]
    w1, w2 = interval_weights([["0", "1"]])[0], interval_weights([["2", "0"]])[0]
    for places in PLACES:
        agree(printed(AR.columns(o, 1, 2), places), [[w1[0] + 2 * w1[1] + 3 * w2[0] + 4 * w2[1]]], places)


def test_many_heads_of_many_keys_without_a_common_denominator() -> None:
    # 8 heads of 12 keys: over a common denominator the normal form would have 12⁸ terms
    heads, theirs = [], iv.mpf(0)
    for h in range(8):
        scores = [[str(Fraction(h * k % 7 - k, 3 + h)) for k in range(12)]]
        v = [[str(Fraction(k - h, 7))] for k in range(12)]
        heads.append(outputs(scores, v))
        theirs = theirs + interval_outputs(scores, v)[0][0] * (h + 1)
    o = AR.matmul(AR.hstack(heads), AR.read([[str(h + 1)] for h in range(8)]))
    for places in PLACES:
        agree(printed(o, places), [[theirs]], places)


# -- what stays open is said ----------------------------------------------------------------------------------------------------


def test_what_the_normal_form_cannot_decide_is_an_error_that_names_the_precision() -> None:
    few = replace(LIMITS, bits=1000)
    # e^(√2·ln 3)·e^(−√2·ln 3) is 1, and √2·ln 3 in an exponent of an exponent is outside the normal form
    x = Value.of("1").exp().exp()
    y = (Value.of("2").exp() / Value.of("1").exp()).exp()
    half = Value((x - y + "1/2").matrix, few)
    with pytest.raises(Undecided) as caught:
        half.decimal(0)
    assert str(caught.value) == (
        "row 1, column 1: the last digit is still open at 1000 bits (raise the limit 'bits');"
        " an exponential of an exponential has no normal form here"
    )
    assert (caught.value.bits, caught.value.row, caught.value.column) == (1000, 1, 1)
    with pytest.raises(Undecided) as caught:
        (half - "1/2").sign()
    assert str(caught.value) == (
        "a comparison is still open at 1000 bits (raise the limit 'bits');"
        " an exponential of an exponential has no normal form here"
    )


def test_a_near_tie_closer_than_the_cap_is_an_error_and_is_decided_with_a_higher_cap() -> None:
    # e^(√2·ln 3) = 3^√2, less all but 10⁻³⁰⁰ of it: no theorem says beforehand that this is no tie
    power = Value.of("sqrt(2)*ln(3)").exp()
    with mp.workdps(400):
        near = mp.nstr(mp.mpf(3) ** mp.sqrt(2), 302, strip_zeros=False)[:302]
    tie = power - near + "0.0625"
    few = replace(LIMITS, bits=600)
    with pytest.raises(Undecided) as caught:
        Value(tie.matrix, few).decimal(3)
    assert str(caught.value) == "row 1, column 1: the last digit is still open at 600 bits (raise the limit 'bits')"
    assert tie.decimal(3) == tie.decimal(3, "half-even") == "0.063"
    with pytest.raises(Undecided) as caught:
        assert Value(power.matrix, few) > near
    assert str(caught.value) == "a comparison is still open at 600 bits (raise the limit 'bits')"
    assert power > near
    assert (power - power + "0.0625").decimal(3, "half-even") == "0.062"


def test_a_normal_form_beyond_the_limit_of_terms_is_said() -> None:
    few = replace(LIMITS, bits=500, terms=10)
    total = Value(AR.row_sum(AR.exp(AR.read([[str(k) for k in range(8)]]), None)), few)
    backwards = Value(AR.row_sum(AR.exp(AR.read([[str(7 - k) for k in range(8)]]), None)), few)
    assert total == backwards
    with pytest.raises(Undecided) as caught:
        assert total * backwards == backwards * total
    assert str(caught.value) == (
        "a comparison is still open at 500 bits (raise the limit 'bits');"
        " an equality needs 64 terms to be decided: the limit is 10 (raise it with the limit 'terms')"
    )


def test_digits_do_not_depend_on_what_was_asked_before() -> None:
    a = weights([["0.3", "-0.2", "1.7"]])
    first = [printed(a, places) for places in (3, 50, 3, 200, 15)]
    again = [printed(weights([["0.3", "-0.2", "1.7"]]), places) for places in (3, 50, 3, 200, 15)]
    assert first == again
    long = first[3][0]
    for shorter, longer in pairwise(sorted({len(t) for r in first for t in r[0]})):
        assert shorter < longer
    assert all(in_places(Fraction(x), 50) == y for x, y in zip(long, first[1][0], strict=True))
