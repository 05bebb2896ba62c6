"""The bounds are those that are stated: worked by hand, and against mpmath, which shares nothing with them."""

from __future__ import annotations

from fractions import Fraction as F

import numpy as np
import pytest
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from exactattn.numbers.ball import bits_of, endpoints
from exactattn.testing.bounds import Accuracy
from exactattn.testing.fixed import qkv
from exactattn.testing.formats import FORMATS
from exactattn.testing.inputs import AttentionInput
from exactattn.testing.judged import judged_attention
from exactattn.testing.truth import Row

BITS = 192
F32, F16 = FORMATS["float32"], FORMATS["float16"]
LEAST = F(1, 2**149)


def near(ball, number):
    """Is the ball narrow, and within 10^-30 of a number of mpmath?"""
    with bits_of(BITS), mp.workprec(400):
        low, high = (mpf(x.numerator) / x.denominator for x in endpoints(ball))
        return abs(low - number) <= abs(number) * mpf(10) ** -30 and abs(high - number) <= abs(number) * mpf(10) ** -30


def bounds(row, kind, accuracy):
    with bits_of(BITS):
        return accuracy.of_row(row, kind, BITS)


# -- by hand -----------------------------------------------------------------------------------------------------------------


def test_two_equal_zeros_by_hand():
    # d = S = M = 0, p = 1/2, A = n = 2, ε = 4: u/2·(2 + 8 + 3) + (1 + max(1, 2·1/2))η
    (bound,) = bounds(Row.of([F(0), F(0)]), "softmax", Accuracy(F32))
    assert endpoints(bound)[0] <= F(13, 2) / 2**24 + 2 * LEAST <= endpoints(bound)[1]


def test_one_key_of_seven_by_hand():
    # d = S = 0, M = 7, p = 1, A = 1: u(14 + 1 + 8 + 3) + 2η; strict: u(1 + 8 + 3) + 2η
    row = Row.of([F(7)])
    assert endpoints(*bounds(row, "softmax", Accuracy(F32))) == (F(26, 2**24) + 2 * LEAST,) * 2
    assert endpoints(*bounds(row, "softmax", Accuracy(F32, "strict"))) == (F(12, 2**24) + 2 * LEAST,) * 2
    # L = 7, ln z = 0: u(1 + 8 + 1 + 7) + η
    assert endpoints(*bounds(row, "logsumexp", Accuracy(F32))) == (F(17, 2**24) + LEAST,) * 2
    # y = 0: u(14 + 1 + 8 + 3) + η
    assert endpoints(*bounds(row, "log_softmax", Accuracy(F32))) == (F(26, 2**24) + LEAST,) * 2


def test_what_flushes_has_the_least_normal_number_for_its_least():
    row = Row.of([F(7)])
    (bound,) = bounds(row, "softmax", Accuracy(F32, flushes=True))
    assert endpoints(bound)[0] == F(26, 2**24) + 2 * F(1, 2**126)


def test_half_formats_accumulate_in_float32_unless_they_are_said_not_to():
    assert Accuracy(F16).accumulation(1024) == 2 + F(1024 * 2**11, 2**24)
    assert Accuracy(F16, accumulate="same").accumulation(511) == 511
    assert Accuracy(F16, accumulate="same").accumulation(512) is None  # 512·2⁻¹¹ = 1/4: a sum need not be right at all
    assert Accuracy(FORMATS["bfloat16"], accumulate="same").accumulation(64) is None
    assert Accuracy(F32, accumulate="same").accumulation(10**6) == 10**6
    assert bounds(Row.grouped([(F(0), 512)]), "softmax", Accuracy(F16, accumulate="same")) is None


def test_half_precision_zeros_whose_sum_overflows_are_beyond_the_bound():
    (bound,) = bounds(Row.grouped([(F(0), 70_000)]), "softmax", Accuracy(F16))
    assert endpoints(bound)[1] < F(1, 70_000) / 50


# -- against mpmath ----------------------------------------------------------------------------------------------------------

SCORES = st.lists(st.floats(-60, 60, width=32), min_size=1, max_size=6)


@settings(max_examples=40, deadline=None)
@given(SCORES, st.sampled_from(sorted(FORMATS)), st.sampled_from(["usual", "strict"]))
def test_bounds_are_as_stated(scores, name, strictness):
    form = FORMATS[name]
    accuracy = Accuracy(form, strictness)
    row, n = Row.of(map(F, scores)), len(scores)
    with mp.workprec(400):
        x = [mpf(s.numerator) / s.denominator for s in row.values]
        everything = [mpf(s) for s in scores]
        m, most = max(everything), max(abs(s) for s in everything)
        z = sum(mp.exp(s - m) for s in everything)
        spread = sum(mp.exp(s - m) / z * (m - s) for s in everything)
        u, least, lnz = mpf(2) ** -form.p, mpf(2) ** (form.grid.emin - form.p + 1), mp.log(z)
        a = n if form.width > 16 else 2 + n * mpf(2) ** -24 / u
        for kind in ("softmax", "log_softmax", "logsumexp"):
            due = []
            for s in x if kind != "logsumexp" else [m]:
                d, p, y = m - s, mp.exp(s - m) / z, s - m - lnz
                moved = d + spread if strictness == "strict" else 2 * d + 2 * spread + 2 * most
                match kind:
                    case "softmax":
                        due.append(u * p * (moved + a + 8 + 3) + (1 + max(1, n * p)) * least)
                    case "log_softmax":
                        due.append(u * (moved + a + 8 + 3 + 9 * lnz + abs(y)) + least)
                    case "logsumexp":
                        due.append(u * (2 * spread + a + 8 + 1 + 9 * lnz + abs(m + lnz)) + least)
            found = bounds(row, kind, accuracy)
            assert len(found) == len(due)
            assert all(near(ball, number) for ball, number in zip(found, due, strict=True))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("scale", [None, 0.5])
def test_bounds_of_attention_are_as_stated(seed, scale):
    q, k, v = (x.astype(np.float32) for x in qkv((), 2, 4, 3, 2, seed))
    mask = np.array([[True, True, False, True]] * 2)
    rows = judged_attention(
        AttentionInput("", q, k, v, mask, scale=scale), np.zeros((2, 2), np.float32), Accuracy(F32), "top-left", BITS
    )
    with mp.workprec(400):
        c = mpf(scale) if scale else 1 / mp.sqrt(3)
        u, least = mpf(2) ** -24, mpf(2) ** -149
        for i, row in enumerate(rows):
            keys = [j for j in range(4) if mask[i, j]]
            n = len(keys)
            s = [c * sum(mpf(float(q[i, t])) * mpf(float(k[j, t])) for t in range(3)) for j in keys]
            size = max(c * sum(abs(mpf(float(q[i, t])) * mpf(float(k[j, t]))) for t in range(3)) for j in keys)
            m, most = max(s), max(map(abs, s))
            z = sum(mp.exp(x - m) for x in s)
            p = [mp.exp(x - m) / z for x in s]
            spread = sum(a * (m - x) for a, x in zip(p, s, strict=True))
            delta = (3 + 3) * u * size
            for item in row.items:
                values = [abs(mpf(float(v[j, item.at]))) for j in keys]
                total = mpf(0)
                for a, x, w in zip(p, s, values, strict=True):
                    rho = u * (2 * (m - x) + 2 * spread + 2 * most + n + 8 + 3)
                    total += a * w * (mp.exp(2 * delta) * (1 + rho) * (1 + (n + 2) * u) - 1)
                assert near(item.bound, total + (n + 1) * least * (1 + sum(values)))


def test_a_row_whose_scores_are_ill_conditioned_is_not_judged():
    # δ = (1 + 3)·2⁻²⁴·|q·k| reaches 1/4 at |q·k| = 2^20
    for product, count in ((2.0**20, 0), (2.0**19, 1)):
        q, k, v = (np.array([[x]], np.float32) for x in (product, 1.0, 1.0))
        rows = judged_attention(AttentionInput("", q, k, v), v, Accuracy(F32), "top-left", BITS)
        assert len(rows) == count


def test_balls_are_what_is_compared():
    (bound,) = bounds(Row.of([F(1, 3), F(0)]), "softmax", Accuracy(F32))[:1]
    assert isinstance(bound, arb)
    assert bound.is_finite()
