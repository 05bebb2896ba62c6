"""What is really there in released SciPy is found with the default number of examples, in the types asked for alone."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import softmax

from exactattn.testing import shrink, verify


@pytest.fixture(scope="module")
def found():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shrink, "SECONDS", 1.0)
        yield verify("scipy.special:softmax", dtypes=["uint8", "int8", "float16"])


def again(told):
    """What the line of Python that reproduces it gives: the arrays are those shown, to the bit."""
    (one,) = told.arrays
    assert one.more == 0
    x = np.array([int(bits, 16) for bits in one.bits], f"uint{4 * (len(one.bits[0]) - 2)}").view(one.dtype)
    with np.errstate(all="ignore"):
        return softmax(x.reshape(one.shape), axis=-1)


def test_only_the_types_asked_for_are_drawn(found):
    assert found.dtypes == ("uint8", "int8", "float16")
    assert {row.dtype for row in found.rows} == {"uint8", "int8", "float16", None}
    assert not found.passes


def test_unsigned_integers_wrap_and_give_nan(found):
    row = found.row("sums-to-one", "uint8")
    assert row.verdict == "fails"
    assert row.failure.got == "nan"
    assert np.isnan(again(row.failure)).any()
    assert np.prod(row.failure.arrays[0].shape) == 2  # made as small as it gets


def test_signed_integers_come_out_in_reversed_order(found):
    row = found.row("same-argmax", "int8")
    assert row.verdict == "fails"
    weights = again(row.failure)
    low, high = map(int, row.failure.arrays[0].decimals)
    assert high - low > 127  # the difference wraps to a positive one
    assert weights[0] > weights[1]
    assert found.row("strictly-monotone", "int8").verdict == "fails"


def test_seventy_thousand_half_precision_zeros_sum_to_zero(found):
    for name in ("positive", "accuracy", "sums-to-one"):
        assert found.row(name, "float16").verdict == "fails"
    told = found.row("positive", "float16").failure
    (one,) = told.arrays
    (count,) = one.shape
    assert 65504 < count <= 70_000
    with np.errstate(all="ignore"):
        assert (softmax(np.zeros(count, np.float16)) == 0).all()
    assert told.got == "0.0"
    assert float(told.true) == pytest.approx(1 / count)
    # what is right otherwise stays so
    assert found.row("shift-invariant", "float16").verdict == "holds"


def test_the_defaults_pass():
    assert verify("scipy.special:softmax", examples=40).passes
