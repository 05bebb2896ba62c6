"""Softmax, its logarithm and log-sum-exp of rows of floats, held against mpmath at high precision."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp, mpf

from exactattn.errors import InputError, ShapeError, Undecided
from exactattn.numbers.ball import bits_of, endpoints
from exactattn.numbers.limits import Limits
from exactattn.numbers.matrix import Linear
from exactattn.testing.deciding import rounded, sign_of_sum
from exactattn.testing.formats import FORMATS, Special, decode
from exactattn.testing.truth import Row, attention_head, exact

from .by_fractions import nearest

BITS = 1000
"""Of mpmath: more than twice what is asked for. Differences of scores are taken before, as fractions."""


def mp_of(x: Fraction) -> mpf:
    return mpf(x.numerator) / x.denominator


def fraction(x: mpf) -> Fraction:
    sign, man, exponent, _ = x._mpf_
    return Fraction(-man if sign else man) * Fraction(2) ** exponent


def exp(t: Fraction) -> mpf:
    """e^t, and 0 far below everything (an error of less than e^−4000, which `around` allows for)."""
    return mp.exp(mp_of(t)) if t > -4000 else mpf(0)


def around(x: mpf) -> tuple[Fraction, Fraction]:
    middle = fraction(x)
    slip = abs(middle) / 2**900 + Fraction(1, 2**5000)
    return middle - slip, middle + slip


@st.composite
def rows(draw):
    """A format and a row of its numbers: any bits, or near each other, or the same; some keys closed."""
    form = FORMATS[draw(st.sampled_from(list(FORMATS)))]
    words = st.integers(0, 2**form.width - 1)
    start = draw(words)
    near = st.integers(-3, 3).map(lambda k: (start + k) % 2**form.width)
    small = st.floats(-20, 20).map(lambda x: int(form.bits(float(form.encode([Fraction(x)])[0])), 16))
    entries = decode(form.from_bits(draw(st.lists(words | near | small, min_size=1, max_size=6))))
    entries = [x for x in entries if not isinstance(x, Special)]
    return form, entries


@given(rows())
def test_a_row_is_what_mpmath_finds(drawn):
    form, entries = drawn
    row = Row.of(entries)
    held = [x for x in entries if x is not None]
    assert row.n == len(entries)
    if not held:
        assert row.round_logsumexp(form) == float("-inf")
        return
    m = max(held)
    with mp.workprec(BITS):
        exps = {x: exp(x - m) for x in held}
        z = mp.fsum(exps[x] for x in held)
        log_z = mp.log1p(mp.fsum([mpf(held.count(m) - 1), *(exps[x] for x in held if x != m)]))
        true = {
            "weights": [exps[x] / z for x in row.values],
            "log_weights": [mp_of(x - m) - log_z for x in row.values],
            "logsumexp": [mp_of(m) + log_z],
            "sum": [z],
            "spread": [mp.fsum(exps[x] / z * mp_of(m - x) for x in held)],
        }
        true = {name: [around(x) for x in numbers] for name, numbers in true.items()}
    for name, numbers in true.items():
        for bits in (64, 128, 400):
            found = getattr(row, name)(bits)
            for ball, (low, high) in zip(found if isinstance(found, tuple) else [found], numbers, strict=True):
                below, above = endpoints(ball)
                assert below <= high
                assert above >= low
                size = max(abs(below), abs(above), abs(m), Fraction(1)) if name in ("logsumexp", "spread") else above
                slack = row.largest_size * 2 if name == "spread" else 0
                assert above - below <= (abs(size) + slack) / 2 ** (bits - 4) + Fraction(1, 2**46_000)
    said = {
        "weights": row.round_weights(form), "log_weights": row.round_log_weights(form),
        "logsumexp": {None: row.round_logsumexp(form)},
    }  # fmt: skip
    assert said["weights"].get(None, 0.0) == 0.0
    for name, numbers in said.items():
        for got, (low, high) in zip(numbers.values(), true[name], strict=False):
            if nearest(low, form.name) == nearest(high, form.name):
                assert got == nearest(low, form.name)
            else:  # next to a tie: the tests below have those
                assert got in (nearest(low, form.name), nearest(high, form.name))


@given(rows(), st.permutations(range(6)))
def test_order_does_not_matter_and_counts_are_repetitions(drawn, order):
    _, entries = drawn
    mixed = [entries[i] for i in order if i < len(entries)]
    assert Row.of(mixed) == Row.of(entries)
    assert Row.grouped([(x, 2) for x in entries]) == Row.of(entries * 2) if entries else True


def test_seventy_thousand_equal_scores_cost_what_one_does():
    row = Row.grouped([(Fraction(0), 70_000), (None, 10**12)])
    assert (row.n, row.values) == (70_000 + 10**12, (0,))
    assert row.round_weights(FORMATS["float16"])[Fraction(0)] == nearest(Fraction(1, 70_000), "float16")
    assert row.round_weights(FORMATS["float64"])[Fraction(0)] == 1 / 70_000


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_next_to_nothing_is_bounded_and_never_refined(name):
    form = FORMATS[name]
    row = Row.of([form.largest, -form.largest, Fraction(0), form.least_subnormal, -form.largest])
    for p in row.weights(64)[1:]:
        low, high = endpoints(p)
        assert -Fraction(1, 2**46_999) < low <= 0 < high < Fraction(1, 2**46_999)
    assert list(row.round_weights(form).values()) == [1.0, 0.0, 0.0, 0.0, 0.0]
    assert row.round_log_weights(form)[-form.largest] == float("-inf")  # −2 · the largest
    assert row.round_log_weights(form)[form.largest] == 0.0
    assert row.round_logsumexp(form) == form.largest


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize(("beside", "steps"), [(1, 1), (0, 0), (-1, 0)])
def test_ties_of_log_sum_exp_are_decided_by_what_is_next_to_nothing(name, beside, steps):
    # one score on a tie of the format, and another that adds e^(−10^300) or nothing: ln(1 + e^(−10^300)) decides
    form = FORMATS[name]
    tie = 1 + form.u
    far = [Fraction(-(10**300))] if beside > 0 else []
    row = Row.of([tie - (form.u / 2**200 if beside < 0 else 0), *far])
    assert row.round_logsumexp(form) == 1 + steps * 2 * form.u


def test_ties_of_weights_are_decided():
    form = FORMATS["float16"]
    half_of_least = Row.grouped([(Fraction(0), 2**25)])  # 2^−25 lies half way between 0 and the least subnormal
    assert half_of_least.round_weights(form) == {Fraction(0): 0.0, None: 0.0}
    more = Row.grouped([(Fraction(0), 2**25 - 1), (Fraction(-(10**9)), 1)])
    assert more.round_weights(form)[Fraction(0)] == form.least_subnormal
    less = Row.grouped([(Fraction(0), 2**25), (Fraction(-(10**9)), 1)])
    assert less.round_weights(form)[Fraction(0)] == 0.0
    odd = Row.grouped([(Fraction(0), 2**25), (Fraction(-(10**9)), 2**40)])
    assert odd.round_weights(form)[Fraction(0)] == 0.0


@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), max_size=6))
def test_the_sign_of_a_sum_of_exponentials(terms):
    powers = Linear.read([[str(s) for s, _ in terms] or ["0"]])
    sign = sign_of_sum(powers, [fmpq(c) for _, c in terms] or [fmpq(0)])
    totals = {s: sum(c for t, c in terms if t == s) for s, _ in terms}
    value = mp.fsum(c * mp.exp(s) for s, c in totals.items())
    assert sign == (0 if not any(totals.values()) else 1 if value > 0 else -1)


def test_the_sign_of_a_sum_is_0_only_when_the_normal_form_says_so():
    thirds = Linear.read([["ln(3)", "0", "sqrt(2)"]])
    assert sign_of_sum(thirds, [fmpq(1), fmpq(-3), fmpq(0)]) == 0
    assert sign_of_sum(thirds, [fmpq(1), fmpq(-3), fmpq(1, 10**50)]) == 1
    close = Linear.read([["0", "1e-60"]])
    assert sign_of_sum(close, [fmpq(-1), fmpq(1)]) == 1
    with pytest.raises(Undecided) as error:
        sign_of_sum(close, [fmpq(-1), fmpq(1)], Limits(bits=128))
    assert str(error.value) == (
        "a sum of exponentials is too near to 0 to tell its sign at 128 bits (raise the limit 'bits')"
    )


def test_an_enclosure_that_never_narrows_is_an_error():
    def wide(bits, wanted):
        with bits_of(bits):
            return [arb(0, 1) for _ in wanted]

    with pytest.raises(Undecided) as error:
        rounded(FORMATS["float16"], 2, wide, lambda k, tie: 1, Limits(bits=500))
    assert str(error.value) == "entry 1: its rounding to float16 is still open at 500 bits (raise the limit 'bits')"


def test_what_is_no_row_or_head_is_refused():
    with pytest.raises(InputError) as error:
        Row.of([None, None]).weights(64)
    assert str(error.value) == "a row with no open key has no softmax: what is due there is a convention"
    with pytest.raises(InputError) as error:
        Row.grouped([(Fraction(0), 0)])
    assert str(error.value) == "a group of 0 scores: 1 or more were due"
    one, two = exact([[Fraction(1)]]), exact([[Fraction(1)], [Fraction(2)]])
    with pytest.raises(ShapeError) as error:
        attention_head(one, two, one)
    assert str(error.value) == "queries are 1 × 1, keys 2 × 1, values 1 × 1: n × d, m × d and m × d_v were due"
    with pytest.raises(ShapeError) as error:
        attention_head(one, two, two, keep=((True,),))
    assert str(error.value) == "the mask is 1 × 1: 1 × 2 was due"
    with pytest.raises(ShapeError) as error:
        attention_head(one, two, two, bias=two)
    assert str(error.value) == "the bias is 2 × 1: 1 × 2 was due"
