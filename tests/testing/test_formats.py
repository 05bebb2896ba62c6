"""The floating formats: facts, bits, decoding, rounding."""

from __future__ import annotations

import sys
from fractions import Fraction

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactattn.errors import MissingProgram, OptionError
from exactattn.testing.formats import FORMATS, Special, decode, exactly, floating, format_of

from .by_fractions import FACTS, nearest

NAMES = list(FORMATS)


@st.composite
def bits(draw):
    name = draw(st.sampled_from(NAMES))
    width = FORMATS[name].width
    return FORMATS[name], draw(st.lists(st.integers(0, 2**width - 1), min_size=1, max_size=8))


@pytest.mark.parametrize("name", NAMES)
def test_the_facts_are_those_that_numpy_and_ml_dtypes_state(name):
    form = FORMATS[name]
    info = ml_dtypes.finfo(form.dtype()) if name == "bfloat16" else np.finfo(name)
    stated = [info.eps / 2, info.smallest_subnormal, info.tiny, info.max]
    assert [form.u, form.least_subnormal, form.least_normal, form.largest] == [Fraction(float(x)) for x in stated]
    assert (form.p, form.grid.emin, form.grid.emax) == FACTS[name]
    assert (form.dtype().name, form.dtype().itemsize * 8) == (name, form.width)
    assert floating(form.grid_name) is floating(name) is form


@given(bits())
def test_bits_become_numbers_and_numbers_the_same_bits(drawn):
    form, stored = drawn
    array = form.from_bits(stored)
    entries = decode(array)
    again = form.encode(entries)
    assert again.dtype == array.dtype
    for before, entry, after, word in zip(array, entries, again, stored, strict=True):
        assert form.bits(before) == f"0x{word:0{form.width // 4}x}"
        if isinstance(entry, Fraction):
            assert entry == nearest(entry, form.name) == Fraction(float(before))
            assert form.contains(entry)
            assert after == before  # and a negative zero has become a positive one
        else:
            assert (float(after) == float(before)) or entry is Special.NAN
            assert {None: "-inf", Special.INF: "inf", Special.NAN: "nan"}[entry] == str(float(before))


@given(st.sampled_from(NAMES), st.fractions() | st.floats(allow_nan=False, allow_infinity=False).map(Fraction))
def test_rounding_is_to_the_nearest_and_ties_go_to_even(name, x):
    form = FORMATS[name]
    (number,) = form.round([x])
    assert number.to_float() == nearest(x, name)
    assert float(form.encode([x])[0]) == nearest(x, name)


@given(bits(), st.integers(-3, 3), st.fractions(-1, 1))
def test_what_lies_on_or_beside_a_tie_is_rounded_by_its_side(drawn, count, beside):
    form, stored = drawn
    for entry in decode(form.from_bits(stored)):
        if isinstance(entry, Fraction):
            x = entry + count * form.ulp(entry) / 2 + beside * form.ulp(entry) / 2**60
            assert form.round([x])[0].to_float() == nearest(x, form.name)


@given(bits())
def test_an_ulp_is_the_space_that_numpy_sees(drawn):
    form, stored = drawn
    if form.name != "bfloat16":
        for x in form.from_bits(stored):
            if np.isfinite(x):
                spacing = np.spacing(np.abs(x))
                assert not np.isfinite(spacing) or form.ulp(Fraction(float(x))) == Fraction(float(spacing))


def test_integers_and_booleans_are_numbers_too():
    assert decode(np.array([[-128, 127]], dtype=np.int8)) == [-128, 127]
    assert decode(np.array([2**64 - 1], dtype=np.uint64)) == [2**64 - 1]
    assert decode(np.array([True, False])) == [1, 0]


def test_an_array_knows_its_format():
    assert [format_of(np.zeros(1, FORMATS[name].dtype())) for name in NAMES] == list(FORMATS.values())
    assert format_of(np.zeros(1, int)) is None
    assert format_of([1.0]) is None


@pytest.mark.parametrize("name", NAMES)
def test_a_signalling_nan_is_a_nan_without_a_word(name):
    form = FORMATS[name]
    words = [(2**form.width >> 1) - (1 << (form.p - 1)) + k for k in range(3)]  # +∞ and the first two NaNs after it
    assert decode(form.from_bits(words)) == [Special.INF, Special.NAN, Special.NAN]
    assert [form.bits(x) for x in form.from_bits(words)] == [f"0x{word:0{form.width // 4}x}" for word in words]


def test_specials_are_flagged():
    assert [exactly(float(x)) for x in ("nan", "inf", "-inf", "-0.0")] == [Special.NAN, Special.INF, None, 0]


def test_errors_say_what_was_due(monkeypatch):
    with pytest.raises(OptionError) as error:
        floating("binary23")
    assert str(error.value) == (
        "format 'binary23' is not one of float16, bfloat16, float32, float64 (did you mean 'binary32'?)"
    )
    with pytest.raises(OptionError) as error:
        decode(np.array([1j]))
    assert str(error.value) == "an array of complex128: float16, bfloat16, float32, float64 or integers were due"
    monkeypatch.setitem(sys.modules, "ml_dtypes", None)
    with pytest.raises(MissingProgram) as error:
        FORMATS["bfloat16"].dtype()
    assert str(error.value) == "bfloat16 needs ml_dtypes: pip install 'exactattn[bfloat16]'"
