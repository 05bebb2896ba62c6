"""What callables are given: fixed inputs, drawn ones, messages over pipes, lines of Python that make a call again."""

from __future__ import annotations

import io
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactattn.errors import OptionError
from exactattn.testing import attention_inputs, score_rows
from exactattn.testing.drawing import all_inputs, drawn
from exactattn.testing.fixed import COUNT, fixed_attention, fixed_scores
from exactattn.testing.formats import FORMATS
from exactattn.testing.frames import Broken, receive, send
from exactattn.testing.inputs import AttentionInput, ScoresInput, as_rows
from exactattn.testing.judged import keep_of
from exactattn.testing.reproduce import python, written
from exactattn.testing.signature import KINDS, Signature, signature_of

AXIS, PLAIN = Signature("softmax", "axis"), Signature("softmax")
FULL = Signature("attention", None, "mask", "is_causal", "scale")
INTEGERS = ("int8", "uint8", "int16", "uint32", "int64", "uint64")


def values(x):
    return np.asarray(x).astype(np.float64)


# -- fixed -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [*FORMATS, *INTEGERS])
@pytest.mark.parametrize("takes", [AXIS, PLAIN], ids=["axis", "plain"])
def test_there_are_forty_fixed_scores_of_each_type(dtype, takes):
    found = fixed_scores(dtype, takes)
    assert len(found) == COUNT == len({one.name for one in found})
    assert {one.x.dtype.name for one in found} == {dtype}
    shapes = {one.x.shape for one in found}
    assert {(0, 3), (2, 0), (70_000,)} <= shapes  # no rows, no keys, a long row
    assert (1,) in shapes
    assert {"strided", "F"} <= {one.layout for one in found}
    assert any(one.axis % one.x.ndim != one.x.ndim - 1 for one in found) == (takes is AXIS)


@pytest.mark.parametrize("dtype", FORMATS)
def test_fixed_scores_go_to_the_ends_of_a_format(dtype):
    form = FORMATS[dtype]
    everything = np.concatenate([values(one.x).ravel() for one in fixed_scores(dtype, AXIS)])
    finite = np.abs(everything[np.isfinite(everything)])
    assert finite.max() >= float(form.largest) / 4
    assert finite[finite > 0].min() == float(form.least_subnormal)
    assert np.isneginf(everything).any()
    assert any(np.isneginf(values(row)).all() for one in fixed_scores(dtype, AXIS) for row in one.rows() if row.size)
    assert any(
        one.x.shape == (4096, 2) and one.axis == 0 and not values(one.x).any() for one in fixed_scores(dtype, AXIS)
    )


@pytest.mark.parametrize("dtype", INTEGERS)
def test_fixed_integers_go_to_the_ends_of_their_range(dtype):
    everything = np.concatenate([one.x.ravel() for one in fixed_scores(dtype, PLAIN)])
    assert (everything.min(), everything.max()) == (np.iinfo(dtype).min, np.iinfo(dtype).max)


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -2])
def test_a_named_axis_is_the_only_one(axis):
    for one in [*fixed_scores("float32", AXIS, axis), *drawn("float32", AXIS, 20, 0, axis)]:
        assert one.axis == axis
        assert -one.x.ndim <= axis < one.x.ndim


@pytest.mark.parametrize("dtype", FORMATS)
def test_there_are_forty_fixed_inputs_of_attention(dtype):
    for takes in (FULL, Signature("attention"), Signature("attention", None, "mask")):
        found = fixed_attention(dtype, takes)
        assert len(found) == COUNT == len({one.name for one in found})
        assert any(one.mask is not None for one in found) == (takes.mask is not None)
        assert any(one.is_causal for one in found) == (takes.is_causal is not None)
        assert any(one.scale is not None for one in found) == (takes.scale is not None)
        assert all(np.isfinite(values(x)).all() for one in found for x in (one.q, one.k, one.v))
    closed = [one for one in fixed_attention(dtype, FULL) if not keep_of(one, "bottom-right").any(axis=-1).all()]
    assert closed


# -- drawn -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [*FORMATS, *INTEGERS])
def test_drawn_scores_are_of_their_type_and_the_seed_decides(dtype):
    first, again, other = (drawn(dtype, AXIS, 30, seed) for seed in (1, 1, 2))
    assert len(first) == 30
    assert {one.x.dtype.name for one in first} == {dtype}
    same = [a.x.tobytes() == b.x.tobytes() and a.axis == b.axis for a, b in zip(first, again, strict=True)]
    assert all(same)
    assert [one.x.tobytes() for one in first] != [one.x.tobytes() for one in other]


def test_drawn_scores_have_ties_masks_other_axes_and_layouts():
    found = drawn("float32", AXIS, 200, 0)
    assert any(np.isneginf(one.x).any() for one in found)
    assert not any(np.isneginf(row).all() for one in found for row in one.rows())
    assert {one.axis for one in found} == {-1, 0}
    assert {one.layout for one in found} == {"C", "F", "strided"}
    assert any(len(np.unique(row)) < row.size for one in found for row in one.rows())


def test_drawn_attention_has_what_the_callable_has():
    found = drawn("float32", FULL, 100, 0)
    assert {one.is_causal for one in found} == {True, False}
    assert {one.mask is None for one in found} == {True, False}
    assert {one.scale is None for one in found} == {True, False}
    plain = drawn("float32", Signature("attention"), 20, 0)
    assert all(one.mask is None and not one.is_causal and one.scale is None for one in plain)


def test_all_inputs_are_the_fixed_ones_and_so_many_more():
    assert len(all_inputs("float32", AXIS, 7, 0)) == COUNT + 7
    assert len(all_inputs("float32", FULL, 0, 0)) == COUNT


@settings(max_examples=30, deadline=None)
@given(st.data(), st.sampled_from(sorted(FORMATS)))
def test_the_public_strategies_keep_to_what_is_asked(data, dtype):
    row = data.draw(score_rows(dtype, keys=(2, 5), masked=False))
    assert row.dtype.name == dtype
    assert 2 <= row.size <= 5
    assert np.isfinite(values(row)).all()
    q, k, v = data.draw(attention_inputs(dtype, queries=(2, 2), keys=(1, 3), widths=2))
    assert q.shape[0] == 2
    assert q.shape[1] == k.shape[1] <= 2
    assert len(k) == len(v) <= 3


def test_a_strategy_without_keys_is_refused():
    with pytest.raises(OptionError, match=r"\(0, 3\) keys"):
        score_rows(keys=(0, 3))


# -- rows and signatures -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [(2, 3), (2, 3, 4), (0, 3), (2, 0), (5,)])
def test_rows_have_their_axis_last(shape):
    x = np.arange(float(np.prod(shape))).reshape(shape)
    for axis in range(len(shape)):
        rows, others = as_rows(x, axis), shape[:axis] + shape[axis + 1 :]
        assert rows.shape == (int(np.prod(others)), shape[axis])
        assert np.array_equal(rows.sum(axis=1).ravel(), x.sum(axis=axis).ravel())


def test_kinds_are_read_from_names_and_arguments():
    def log_softmax(logits, dim): ...
    def my_lse(x): ...
    def scaled(Q, K, V, causal=False): ...
    def anything(x, axis=0, keepdims=True): ...

    assert signature_of(log_softmax, "log_softmax") == Signature("log_softmax", "dim")
    assert signature_of(my_lse, "my_lse") == Signature("logsumexp")
    assert signature_of(scaled, "scaled") == Signature("attention", None, None, "causal")
    assert signature_of(anything, "anything") == Signature("softmax", "axis")
    for name in ("softmax_via_lse", "pulse", "else_softmax", "softmax2"):
        assert signature_of(anything, name).kind == "softmax"
    for name in ("logSumExp", "fast_logsumexp", "log_sum_exp2", "my_LSE"):
        assert signature_of(anything, name).kind == "logsumexp"
    assert signature_of(anything, "LogSoftmax").kind == "log_softmax"
    assert signature_of(anything, "anything", "logsumexp").kind == "logsumexp"
    assert signature_of(np.exp, "exp").kind == "softmax"  # ufuncs may not tell what they take


@pytest.mark.parametrize("kind", ["sofmax", "", "Attention"])
def test_an_unknown_kind_is_refused(kind):
    with pytest.raises(OptionError, match="is not one of softmax, log_softmax, logsumexp, attention"):
        signature_of(lambda x: x, "f", kind)
    assert kind not in KINDS


# -- over the pipe -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [*FORMATS, *INTEGERS, "bool"])
def test_arrays_come_through_a_pipe_to_the_bit(dtype):
    x = np.arange(6).reshape(2, 3).astype(dtype if dtype != "bfloat16" else FORMATS[dtype].dtype())
    stream = io.BytesIO()
    send(stream, {"axis": -1, "scale": 0.1}, {"x": x.T, "empty": x[:0]})
    stream.seek(0)
    head, arrays = receive(stream)
    assert head == {"axis": -1, "scale": 0.1}
    assert arrays["x"].dtype == x.dtype
    assert arrays["x"].tobytes() == x.T.tobytes()
    assert arrays["empty"].shape == (0, 3)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"xat",
        b"hello, this is no message of ours",
        struct.pack("<4sIQ", b"xatt", 2**31, 0),
        struct.pack("<4sIQ", b"xatt", 2, 2**40) + b"{}",
        struct.pack("<4sIQ", b"xatt", 2, 0) + b"{}",
        struct.pack("<4sIQ", b"xatt", 3, 0) + b"{]}",
        struct.pack("<4sIQ", b"xatt", 2, 0) + b"[]",
        struct.pack("<4sIQ", b"xatt", 52, 0) + b'{"arrays":[{"name":"x","dtype":"O","shape":[1000]}]}',
        struct.pack("<4sIQ", b"xatt", 53, 0) + b'{"arrays":[{"name":"x","dtype":"f8","shape":[1000]}]}',
    ],
)
def test_what_is_no_message_is_refused(data):
    with pytest.raises(Broken):
        receive(io.BytesIO(data))


# -- once more -------------------------------------------------------------------------------------------------------------------


@settings(max_examples=40, deadline=None)
@given(score_rows("float32"))
def test_what_is_written_is_read_back_to_the_bit(row):
    assert run(written(row)).tobytes() == row.tobytes()


@pytest.mark.parametrize("dtype", ["float16", "int8"])
def test_every_fixed_input_is_written_as_python(dtype):
    for one in fixed_scores(dtype, AXIS):
        assert run(written(one.x)).tobytes() == one.x.tobytes(), one.name
        assert len(written(one.x)) < 20_000 or one.name == "one key and many small ones"


def test_the_sign_of_a_zero_is_written():
    x = np.zeros(100, np.float32)
    x[7] = -0.0
    assert run(written(x)).tobytes() == x.tobytes()


def run(text):
    """What our own line of Python makes."""
    scope = {"np": np}
    exec(f"found = {text}", scope)
    return scope["found"]


def test_a_line_of_python_makes_the_call_again():
    given = AttentionInput("", *(np.eye(2, dtype=np.float32),) * 3, np.ones((2, 2), bool), True, 0.5, "strided")
    line = python(given, Signature("attention", None, "attn_mask", "causal", "scale"), "my.module:attend")
    first = "np.array([[1.0, 0.0], [0.0, 1.0]], dtype='float32')"
    assert line.startswith(f"import numpy as np, my.module; my.module.attend({first}, {first}, {first}, ")
    assert "attn_mask=np.array([[True, True], [True, True]], dtype='bool'), causal=True, scale=0.5)" in line
    assert line.endswith("# laid out in memory as 'strided'")
    scores = ScoresInput("", np.array([1, 2], np.int8), 0)
    assert python(scores, AXIS, "scipy.special:softmax") == (
        "import numpy as np; from exactattn.testing import find; "
        "find('scipy.special:softmax')[0](np.array([1, 2], dtype='int8'), axis=0)"
    )
