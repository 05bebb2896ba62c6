"""`reference`: correctly rounded attention, held against mpmath at high precision, the pipeline, and the rules it states."""

from __future__ import annotations

import sys
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

import exactattn as xa
from exactattn.errors import InputError, MissingProgram, NumberError, OptionError, ShapeError
from exactattn.testing.formats import FORMATS, decode

from .by_fractions import nearest

INF, NAN = float("inf"), float("nan")
F = Fraction


def mp_of(x: Fraction) -> mpf:
    return mpf(x.numerator) / x.denominator


def fraction(x: mpf) -> Fraction:
    sign, man, exponent, _ = x._mpf_
    return F(-man if sign else man) * F(2) ** exponent


# -- against mpmath ----------------------------------------------------------------------------------------------------------


@st.composite
def matrices(draw):
    """A format, and q, k, v in it: finite numbers of any bits, or small ones, or few different ones."""
    name = draw(st.sampled_from(list(FORMATS)))
    form = FORMATS[name]
    n, m, d, d_v = (draw(st.integers(1, most)) for most in (2, 4, 3, 2))
    any_bits = st.integers(0, 2**form.width - 1)
    ordinary = st.floats(-4, 4).map(lambda x: float(form.encode([F(x)])[0]))
    whole = st.integers(-2, 2).map(float)
    kind = draw(st.sampled_from(["bits", "ordinary", "whole"]))

    def matrix(rows, columns):
        count = rows * columns
        if kind != "bits":
            entries = draw(st.lists(ordinary if kind == "ordinary" else whole, min_size=count, max_size=count))
            return form.encode([F(x) for x in entries], (rows, columns))
        words = draw(st.lists(any_bits, min_size=count, max_size=count))
        found = form.from_bits(words)
        return np.where(np.isfinite(found.astype(np.float64)), found, found.dtype.type(1)).reshape(rows, columns)

    keep = draw(st.lists(st.lists(st.booleans(), min_size=m, max_size=m), min_size=n, max_size=n))
    out = draw(st.sampled_from(list(FORMATS)))
    scale = draw(st.sampled_from([None, F(1), F(-1, 3), F(1, 1024)]))
    return matrix(n, d), matrix(m, d), matrix(m, d_v), keep, out, scale


def bounds(q, k, v, keep, scale):
    """Each entry of the output between two fractions, by mpmath: a row with no open key between 0 and 0."""
    q, k, v = ([decode(row) for row in x] for x in (q, k, v))
    for i, row in enumerate(q):
        held = [j for j, one in enumerate(keep[i]) if one]
        scores = {j: sum((a * b for a, b in zip(row, k[j], strict=True)), F(0)) for j in held}
        # a scale of 1/√d is positive: it keeps the order, and multiplies the exact difference
        sign = -1 if scale is not None and scale < 0 else 1
        top = max((sign * s for s in scores.values()), default=F(0))
        factor = mp_of(abs(scale)) if scale is not None else 1 / mp.sqrt(len(row))
        exps = {j: _exp(mp_of(sign * s - top) * factor) for j, s in scores.items()}
        for column in zip(*v, strict=True):
            size = max((abs(column[j]) for j in held), default=F(0))
            slip = size / 2**900 + size / 2**5000
            z = mp.fsum(exps.values())
            middle = fraction(mp.fsum(exps[j] * mp_of(column[j]) for j in held) / z) if held else F(0)
            yield middle - slip, middle + slip


def _exp(t: mpf) -> mpf:
    return mp.exp(t) if t > -4000 else mpf(0)


@given(matrices())
@settings(max_examples=200)
def test_every_entry_is_the_nearest_number_of_the_format(drawn):
    q, k, v, keep, out, scale = drawn
    made = xa.reference(q, k, v, keep, out, scale)
    assert made.dtype == FORMATS[out].dtype()
    assert made.shape == (q.shape[0], v.shape[1])
    with mp.workprec(1000):
        for got, (low, high) in zip(made.ravel(), bounds(q, k, v, keep, scale), strict=True):
            # next to a tie the two differ: which it is, is in the tests of ties
            assert float(got) in (nearest(low, out), nearest(high, out))
            assert not (got == 0 and np.signbit(got))


# -- against the pipeline --------------------------------------------------------------------------------------------------

eighths = st.integers(-16, 16).map(lambda n: n / 8)


@given(st.data(), st.integers(1, 3), st.integers(1, 3), st.integers(1, 3))
@settings(max_examples=50)
def test_it_is_what_attend_finds(data, n, m, d):
    q, k, v = (
        data.draw(st.lists(st.lists(eighths, min_size=d, max_size=d), min_size=rows, max_size=rows))
        for rows in (n, m, m)
    )
    trace = xa.attend(q, k, v)
    for out in FORMATS:
        made = xa.reference(q, k, v, out=out)
        assert made.astype(float).tolist() == trace.output.to_float(FORMATS[out].grid_name)


# -- ties ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("out", FORMATS)
def test_a_mean_on_a_tie_goes_to_even_and_what_is_next_to_nothing_moves_it(out):
    u = FORMATS[out].u
    q, k = [[1.0]], [[0.0], [0.0]]
    down, up = [[1.0], [float(1 + 2 * u)]], [[float(1 + 2 * u)], [float(1 + 4 * u)]]  # two neighbours each
    assert xa.reference(q, k, down, out=out).item() == 1.0
    assert xa.reference(q, k, up, out=out).item() == float(1 + 4 * u)
    far = [*k, [-1e300]]
    assert xa.reference(q, far, [*down, [9.0]], out=out).item() == float(1 + 2 * u)
    assert xa.reference(q, far, [*down, [-9.0]], out=out).item() == 1.0
    assert xa.reference(q, far, [*up, [9.0]], out=out).item() == float(1 + 4 * u)
    assert xa.reference(q, far, [*up, [-9.0]], out=out).item() == float(1 + 2 * u)


@given(st.sampled_from(list(FORMATS)), st.data())
def test_the_mean_of_two_neighbours_of_any_bits_is_a_tie(out, data):
    form = FORMATS[out]
    top = int(form.bits(float(form.largest)), 16)
    word = data.draw(st.integers(0, top - 1)) | data.draw(st.sampled_from([0, 1 << (form.width - 1)]))
    pair = form.from_bits([word, word + 1]).reshape(2, 1)
    low, high = sorted(F(float(x)) for x in pair.ravel())
    mean = (low + high) / 2
    k = np.zeros((2, 1))
    assert xa.reference([[1.0]], k, pair, out=out).item() == nearest(mean, out)
    # a third key e^(−10^300) away, whose value lies above or below the tie, takes the output off it
    far = np.array([[0.0], [0.0], [-1e300]])
    for value, due in ((high, high), (low, low), (mean, mean)):
        v = [[float(low)], [float(high)], [float(value)]]
        if F(v[2][0]) == value:  # (in float64 the tie itself is no number)
            assert xa.reference([[1.0]], far, v, out=out).item() == nearest(due, out)


@pytest.mark.parametrize("out", FORMATS)
def test_ties_among_subnormals(out):
    least = float(FORMATS[out].least_subnormal)
    q, k = [[1.0]], [[0.0], [0.0]]
    assert xa.reference(q, k, [[0.0], [least]], out=out).item() == 0.0
    assert xa.reference(q, k, [[2 * least], [least]], out=out).item() == 2 * least
    assert xa.reference(q, [*k, [-1e300]], [[0.0], [least], [1.0]], out=out).item() == least
    negative = xa.reference(q, k, [[0.0], [-least]], out=out)
    assert (negative.item(), np.signbit(negative).item()) == (0.0, False)


@pytest.mark.parametrize("out", ["float16", "bfloat16", "float32"])
def test_half_way_beyond_the_largest_is_infinite_and_anything_less_is_not(out):
    form = FORMATS[out]
    edge = float(form.largest + form.ulp(form.largest) / 2)
    q, k = [[1.0]], [[0.0], [-1e300]]
    assert xa.reference(q, k, [[edge], [edge]], out=out).item() == INF
    assert xa.reference(q, k, [[-edge], [-edge]], out=out).item() == -INF
    assert xa.reference(q, k, [[edge], [0.0]], out=out).item() == float(form.largest)


def test_weights_that_are_rational_give_rational_outputs():
    # scores 0 and ln 3: weights 1/4 and 3/4
    assert xa.reference([[1.0]], [[0.0], [1.0]], [[0.0], [4.0]], scale="ln(3)").item() == 3.0
    tie = xa.reference([[1.0]], [[0.0], [1.0]], [[0.0], [4 / 3 * 0.75]], out="float64", scale="ln(3)")
    assert tie.item() == 0.75


# -- heads, masks, alignment -------------------------------------------------------------------------------------------------

RNG = np.random.default_rng(6)


def drawn(*shape, dtype=np.float32):
    return RNG.normal(size=shape).astype(dtype)


def same(a, b):
    assert (a.dtype, a.shape) == (b.dtype, b.shape)
    assert np.array_equal(a.astype(float), b.astype(float), equal_nan=True)


def test_a_batch_is_its_items_and_heads_are_independent():
    q, k, v = drawn(2, 3, 2, 4), drawn(2, 3, 5, 4), drawn(2, 3, 5, 2)
    mask = RNG.random((2, 1, 2, 5)) < 0.7
    whole = xa.reference(q, k, v, mask)
    for b in range(2):
        for h in range(3):
            same(whole[b, h], xa.reference(q[b, h], k[b, h], v[b, h], mask[b, 0]))


def test_grouped_heads_are_key_value_heads_repeated_and_not_tiled():
    q, k, v = drawn(2, 6, 2, 4), drawn(2, 3, 5, 4), drawn(2, 3, 5, 2)
    grouped = xa.reference(q, k, v)
    same(grouped, xa.reference(q, k.repeat(2, 1), v.repeat(2, 1)))
    assert not np.array_equal(grouped, xa.reference(q, np.tile(k, (1, 2, 1, 1)), np.tile(v, (1, 2, 1, 1))))
    same(xa.reference(q[0], k[0], v[0]), grouped[0])


def test_permuting_the_keys_changes_no_bit():
    q, k, v, order = drawn(3, 4), drawn(7, 4), drawn(7, 2), RNG.permutation(7)
    same(xa.reference(q, k, v), xa.reference(q, k[order], v[order]))


def test_a_boolean_mask_is_one_of_minus_infinities_and_a_missing_key():
    q, k, v = drawn(3, 4), drawn(5, 4), drawn(5, 2)
    keep = np.array([True, False, True, True, False])
    same(xa.reference(q, k, v, keep), xa.reference(q, k[keep], v[keep]))
    same(xa.reference(q, k, v, keep), xa.reference(q, k, v, np.where(keep, 0.0, -INF)))


def test_what_a_mask_adds_is_added_to_the_scaled_scores():
    made = xa.reference([[2.0]], [[1.0], [1.0]], [[0.0], [1.0]], [[0.0, 1.0]], "float64", scale=7)
    with mp.workprec(200):
        assert made.item() == nearest(fraction(1 / (1 + mp.exp(-1))), "float64")


def test_a_constant_added_to_a_row_of_the_mask_changes_no_bit_however_large():
    q, k, v = drawn(2, 4), drawn(3, 4), drawn(3, 2)
    same(xa.reference(q, k, v), xa.reference(q, k, v, np.full((2, 3), np.finfo(np.float64).min)))


def test_causal_masks():
    q, k, v = drawn(3, 4), drawn(5, 4), drawn(5, 2)
    for alignment, offset in (("top-left", 0), ("bottom-right", 2)):
        keep = np.arange(5) <= np.arange(3)[:, None] + offset
        same(xa.reference(q, k, v, is_causal=True, alignment=alignment), xa.reference(q, k, v, keep))
    more = np.array([True, True, False, True, True])
    keep = (np.arange(5) <= np.arange(3)[:, None]) & more
    same(xa.reference(q, k, v, more, is_causal=True, alignment="top-left"), xa.reference(q, k, v, keep))
    same(xa.reference(q, k[:3], v[:3], is_causal=True), xa.reference(q, k[:3], v[:3], np.tri(3, dtype=bool)))


def test_the_default_scale_is_exactly_one_over_the_root_of_the_width_of_q():
    q, k, v = drawn(2, 3), drawn(4, 3), drawn(4, 5)
    same(xa.reference(q, k, v, out="float64"), xa.reference(q, k, v, out="float64", scale="1/sqrt(3)"))
    wrong = xa.reference(100 * q, k, v, out="float64", scale="1/sqrt(5)")
    assert not np.array_equal(xa.reference(100 * q, k, v, out="float64"), wrong)


@pytest.mark.parametrize("scale", [0.1, np.float32(0.1), np.array(0.1), np.float16(0.1), ml_dtypes.bfloat16(0.1)])
def test_a_scale_that_is_a_float_is_the_number_its_bits_are(scale):
    q, k, v = drawn(2, 3), drawn(4, 3), drawn(4, 2)
    exact = xa.reference(q, k, v, out="float64", scale=F(float(scale)))
    same(xa.reference(q, k, v, out="float64", scale=scale), exact)
    same(xa.reference(q, k, v, out="float64", scale=2), xa.reference(q, k, v, out="float64", scale=np.int64(2)))


def test_integers_and_mixed_formats_are_the_numbers_they_are():
    q, k, v = np.int8([[-128]]), np.uint8([[255], [254]]), drawn(2, 1, dtype=np.float16)
    wide = [x.astype(np.float64) for x in (q, k, v)]
    same(xa.reference(q, k, v, scale=1), xa.reference(*wide, scale=1))


def test_the_names_of_the_standard_are_names_too():
    q = [[1.0]]
    for name, form in FORMATS.items():
        assert xa.reference(q, q, q, out=form.grid_name).dtype == xa.reference(q, q, q, out=name).dtype


def test_what_is_given_is_not_changed():
    given = [drawn(2, 3), drawn(4, 3), drawn(4, 2), np.zeros((2, 4))]
    before = [x.copy() for x in given]
    xa.reference(*given, is_causal=True, alignment="bottom-right")
    assert all(map(np.array_equal, given, before))


@pytest.mark.parametrize(
    ("shapes", "due"),
    [
        (((0, 3), (2, 3), (2, 4)), (0, 4)),
        (((2, 3), (2, 3), (2, 0)), (2, 0)),
        (((0, 2, 3), (0, 2, 3), (0, 2, 1)), (0, 2, 1)),
        (((2, 3), (0, 3), (0, 4)), (2, 4)),
    ],
)
def test_empty_arrays_have_empty_outputs_and_no_keys_are_no_open_keys(shapes, due):
    made = xa.reference(*map(np.zeros, shapes))
    assert (made.shape, made.tolist()) == (due, np.zeros(due).tolist())


# -- NaN, infinities, rows with no open key ---------------------------------------------------------------------------------

Q, K, V = [[1.0, 2.0]], [[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], [[1.0], [2.0], [4.0]]


def with_(x, at, value):
    out = np.array(x)
    out[at] = value
    return out


@pytest.mark.parametrize("value", [NAN, INF, -INF])
@pytest.mark.parametrize("which", [1, 2])
def test_what_a_closed_key_holds_does_not_matter(which, value):
    given = [np.array(x) for x in (Q, K, V)]
    clean = xa.reference(*given, [[True, False, True]])
    given[which] = with_(given[which], 1, value)
    same(xa.reference(*given, [[True, False, True]]), clean)
    same(xa.reference(*given, [[0.0, -INF, 0.0]]), clean)
    assert not np.array_equal(xa.reference(*given), xa.reference(Q, K, V))  # open, it does matter


@pytest.mark.parametrize(
    ("q", "k", "v", "mask", "due"),
    [
        (with_(Q, (0, 0), NAN), K, V, None, NAN),
        (Q, with_(K, (1, 0), NAN), V, None, NAN),
        (Q, K, with_(V, 1, NAN), None, NAN),
        (Q, K, V, [[0.0, NAN, 0.0]], NAN),
        (Q, K, V, [[0.0, INF, 0.0]], NAN),
        (with_(Q, (0, 0), INF), K, V, None, NAN),  # ∞ · 0 in the second key
        (with_(Q, (0, 0), INF), with_(K, (1, 0), -1.0), V, None, NAN),  # scores ∞, −∞, ∞
        (with_(Q, (0, 0), -INF), with_(K, (1, 0), -1.0), V, None, NAN),  # scores −∞, ∞, −∞
        (with_(Q, (0, 0), -INF), with_(K, (1, 0), -1.0), V, [[True, False, True]], 0.0),  # and without ∞ all are closed
        (Q, with_(K, (1, 1), INF), V, None, NAN),
        (Q, with_(K, (1, 1), -INF), V, [[True, True, False]], 1.0),
        (Q, with_(K, (1, 1), -INF), with_(V, 1, NAN), [[True, True, False]], 1.0),
        (Q, K, with_(V, 1, INF), None, INF),
        (Q, K, with_(V, 1, -INF), None, -INF),
        (Q, K, with_(with_(V, 1, INF), 0, -INF), None, NAN),
        (Q, K, with_(with_(V, 1, INF), 0, INF), None, INF),
    ],
)
def test_nan_and_infinities_follow_the_standard(q, k, v, mask, due):
    made = xa.reference(q, k, v, mask).item()
    assert made == due or (made != made and due != due)


@pytest.mark.parametrize(("scale", "key", "due"), [(1, -INF, 1.0), (-1, INF, 1.0), (-1, -INF, NAN), (0, -INF, NAN)])
def test_the_sign_of_the_scale_goes_into_an_infinite_score(scale, key, due):
    made = xa.reference([[1.0]], [[0.0], [key]], [[1.0], [2.0]], scale=scale).item()
    assert made == due or (made != made and due != due)


def test_only_the_row_and_the_column_that_meet_an_infinity_are_touched():
    v = np.array([[1.0, NAN], [2.0, 0.0]])
    made = xa.reference([[0.0], [NAN], [1.0]], [[0.0], [0.0]], v)
    assert np.isnan(made).tolist() == [[False, True], [True, True], [False, True]]
    assert made[0, 0] == made[2, 0] == 1.5


CLOSED = [[False, False, False]]


@pytest.mark.parametrize(("rule", "due"), [("zero", 0.0), ("nan", NAN), ("uniform", 7 / 3)])
def test_a_row_with_no_open_key_is_what_the_rule_says(rule, due):
    made = xa.reference(Q, K, V, CLOSED, "float64", fully_masked=rule).item()
    assert made == due or (made != made and due != due)
    two = xa.reference(Q * 2, K, V, [*CLOSED, [True, False, False]], fully_masked=rule)
    assert two[1].item() == 1.0


def test_a_row_with_no_open_key_is_an_error_where_that_is_asked_for():
    with pytest.raises(InputError) as error:
        xa.reference([Q, Q], [K, K], [V, V], CLOSED, fully_masked="error")
    assert str(error.value) == (
        "query 1 of head (0,) may attend to no key: choose fully_masked = zero, nan or uniform, or open the mask"
    )
    assert xa.reference(Q, K, V, fully_masked="error").shape == (1, 1)


def test_nothing_that_a_closed_row_holds_matters_under_zero():
    assert xa.reference([[NAN, INF]], K, np.full((3, 1), NAN), CLOSED).item() == 0.0


@pytest.mark.parametrize("name", FORMATS)
def test_the_largest_and_least_numbers_are_quick(name):
    form = FORMATS[name]
    big, small = float(form.largest), float(form.least_subnormal)
    array = form.encode([F(x) for x in (big, -big, small, -small, 0.0, 1.0)])
    made = xa.reference(array.reshape(3, 2), array.reshape(3, 2), array.reshape(3, 2), out=name)
    assert made[0].tolist() == array[:2].tolist()


# -- what is refused ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "kind", "line"),
    [
        ({"q": [1.0]}, ShapeError, "q has shape (1,): (…, rows, width) was due"),
        ({"q": [[1.0], [1.0, 2.0]]}, ShapeError, "q: rows of different lengths are no array"),
        ({"k": [["1.0", "2.0"]]}, NumberError,
         "k is an array of <U3: float16, bfloat16, float32, float64 or integers were due"),
        ({"v": [[1j], [1], [1]]}, NumberError,
         "v is an array of complex128: float16, bfloat16, float32, float64 or integers were due"),
        ({"q": [[True, False]]}, NumberError,
         "q is an array of bool: float16, bfloat16, float32, float64 or integers were due"),
        ({"q": [[1.0]]}, ShapeError,
         "q (1, 1), k (3, 2), v (3, 1): q and k need the same last axis, the width d"),
        ({"v": [[1.0]]}, ShapeError, "q (1, 2), k (3, 2), v (1, 1): each key needs one value"),
        ({"q": np.zeros((1, 0)), "k": np.zeros((3, 0))}, ShapeError,
         "q (1, 0), k (3, 0), v (3, 1): a width of 0 has no scores"),
        ({"q": np.zeros((2, 1, 2))}, ShapeError,
         "q (2, 1, 2), k (3, 2), v (3, 1): the leading axes must be the same, or the last of them (the heads) in k and v "
         "divide that of q"),
        ({"mask": [[True, True]]}, ShapeError, "the mask has shape (1, 2): it does not broadcast to (1, 3)"),
        ({"mask": [[1, 0, 1]]}, NumberError,
         "the mask is an array of int64: booleans (True: keep) or floats (added to the scores) were due"),
        ({"mask": [[True], [True, False]]}, ShapeError, "mask: rows of different lengths are no array"),
        ({"out": "float31"}, OptionError,
         "format 'float31' is not one of float16, bfloat16, float32, float64 (did you mean 'float32'?)"),
        ({"scale": NAN}, NumberError, "scale nan: a finite number was due, or a text such as '1/sqrt(8)'"),
        ({"scale": True}, NumberError, "scale True: a finite number was due, or a text such as '1/sqrt(8)'"),
        ({"scale": "1/sqr(8)"}, NumberError, None),
        ({"scale": np.array([1.0, 2.0])}, NumberError, "scale has shape (2,): one number was due"),
        ({"is_causal": "False"}, OptionError, "is_causal is 'False': True or False was due"),
        ({"is_causal": np.array([True, False])}, OptionError, None),
        ({"v": np.ma.array(V, mask=np.zeros_like(V, dtype=bool))}, NumberError,
         "v is a masked array: plain numbers were due, and keys are closed by mask"),
        ({"is_causal": True}, OptionError,
         "is_causal over 1 queries and 3 keys needs alignment: top-left (query i sees keys up to i) or bottom-right "
         "(the last query sees all)"),
        ({"alignment": "top-right"}, OptionError,
         "alignment 'top-right' is not one of top-left, bottom-right (did you mean 'bottom-right'?)"),
        ({"fully_masked": "zeros"}, OptionError,
         "fully_masked 'zeros' is not one of zero, nan, uniform, error (did you mean 'zero'?)"),
    ],
)  # fmt: skip
def test_bad_input_is_told_in_one_line(given, kind, line):
    with pytest.raises(kind) as error:
        xa.reference(**{"q": Q, "k": K, "v": V, **given})
    assert line in (None, str(error.value))


def test_what_does_not_become_an_array_says_why():
    class Tensor:
        def __array__(self, dtype=None, copy=None):
            raise TypeError("Got unsupported ScalarType BFloat16")

    with pytest.raises(NumberError) as error:
        xa.reference(Q, Tensor(), V)
    assert str(error.value) == "k does not become an array (Got unsupported ScalarType BFloat16)"


def test_bfloat16_says_what_it_needs(monkeypatch):
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    with pytest.raises(MissingProgram) as error:
        xa.reference(Q, K, V, out="bfloat16")
    assert str(error.value) == "bfloat16 needs ml_dtypes: pip install 'exactattn[bfloat16]'"
