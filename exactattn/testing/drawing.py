"""Inputs drawn with Hypothesis in a number format, taken exactly as the numbers they are.

`score_rows` and `attention_inputs` are for one's own tests with `@given`; `drawn` is what `verify` calls a callable with.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from exactattn.errors import OptionError
from exactattn.testing.formats import FORMATS, Format
from exactattn.testing.frames import dtype_of
from exactattn.testing.inputs import Array, AttentionInput, Input, Layout, ScoresInput
from exactattn.testing.signature import Signature

T = TypeVar("T")

_SIZES = (0, 0, 3, 3, 6, 10, 13, -10)
"""Powers of two that bound the size of scores."""


def score_rows(
    dtype: str = "float32", *, keys: tuple[int, int] = (1, 16), masked: bool = True
) -> st.SearchStrategy[Array]:
    """Rows of scores, shape (n,), in a format: of all sizes, with ties, and −∞ for masked keys (never for all).

    >>> from hypothesis import given
    >>> @given(score_rows("float16", keys=(2, 4)))
    ... def test(row):
    ...     assert row.dtype == "float16" and 2 <= row.size <= 4 and not np.isneginf(row).all()
    >>> test()
    """
    kind, (low, high) = dtype_of(dtype), keys
    if not 1 <= low <= high:
        raise OptionError("{keys} keys: (least, most) were due, from 1 up", keys=keys)
    return st.integers(low, high).flatmap(lambda n: _rows(dtype, (n,), masked)).map(lambda x: x.astype(kind))


def attention_inputs(
    dtype: str = "float32", *, queries: tuple[int, int] = (1, 4), keys: tuple[int, int] = (1, 6), widths: int = 4
) -> st.SearchStrategy[tuple[Array, Array, Array]]:
    """Queries (n, d_k), keys (m, d_k) and values (m, d_v) in a format, with moderate scores and widths up to `widths`.

    >>> from hypothesis import given
    >>> @given(attention_inputs(keys=(2, 2)))
    ... def test(qkv):
    ...     q, k, v = qkv
    ...     assert q.shape[1] == k.shape[1] and len(k) == len(v) == 2
    >>> test()
    """
    kind = dtype_of(dtype)

    @st.composite
    def qkv(draw: st.DrawFn) -> tuple[Array, Array, Array]:
        n, m = draw(st.integers(*queries)), draw(st.integers(*keys))
        d, width = draw(st.integers(1, widths)), draw(st.integers(1, widths))
        size = draw(st.sampled_from((-1, 1, 2, 3)))
        q, k = (_array(draw, dtype, shape, size) for shape in ((n, d), (m, d)))
        v = _array(draw, dtype, (m, width), draw(st.sampled_from((0, 3, 10, -8))))
        return q.astype(kind), k.astype(kind), v.astype(kind)

    return qkv()


# -- for verify --------------------------------------------------------------------------------------------------------


def drawn(
    dtype: str, takes: Signature, examples: int, number: int, axis: int | None = None
) -> list[ScoresInput] | list[AttentionInput]:
    """So many inputs for a callable; the same number gives the same ones."""
    if takes.kind == "attention":
        return _collected(_attention(dtype, takes), examples, number)
    return _collected(_scores(dtype, takes, axis), examples, number)


def _collected(strategy: st.SearchStrategy[T], examples: int, number: int) -> list[T]:
    found: list[T] = []
    if examples < 1:
        return found

    @seed(number)
    @settings(
        max_examples=examples, database=None, deadline=None, derandomize=False,
        phases=(Phase.generate,), suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(strategy)
    def collect(one: T) -> None:
        found.append(one)

    collect()
    return found[:examples]


@st.composite
def _scores(draw: st.DrawFn, dtype: str, takes: Signature, axis: int | None) -> ScoresInput:
    shape = (draw(st.integers(1, 3)), draw(st.integers(1, 12)))
    x = draw(_rows(dtype, shape, masked=True))
    layout: Layout = draw(st.sampled_from(("C", "C", "C", "strided", "F")))
    if axis is None:
        axis = draw(st.sampled_from((-1, -1, 0))) if takes.axis is not None else -1
    if axis not in (-1, 1):
        x = np.moveaxis(x[(None,) * max(0, axis - 1, -axis - 2)], -1, axis)
    return ScoresInput("drawn", x.astype(dtype_of(dtype)), axis, layout)


@st.composite
def _attention(draw: st.DrawFn, dtype: str, takes: Signature) -> AttentionInput:
    q, k, v = draw(attention_inputs(dtype))
    n, m = len(q), len(k)
    mask, is_causal, scale = None, False, None
    if takes.mask is not None and draw(st.booleans()):
        mask = np.array(draw(st.lists(st.booleans(), min_size=n * m, max_size=n * m))).reshape(n, m)
        mask[:, draw(st.integers(0, m - 1))] = True  # what is due for a fully masked row is a convention
    if takes.is_causal is not None:
        is_causal = draw(st.booleans())
    if takes.scale is not None and draw(st.booleans()):
        scale = draw(st.sampled_from((1.0, 0.5, 0.125, 0.3)))
    layout: Layout = draw(st.sampled_from(("C", "C", "C", "strided", "F")))
    return AttentionInput("drawn", q, k, v, mask, is_causal, scale, layout)


@st.composite
def _rows(draw: st.DrawFn, dtype: str, shape: tuple[int, ...], masked: bool) -> Array:
    x = _array(draw, dtype, shape, draw(st.sampled_from(_SIZES)))
    if masked and x.dtype.kind == "f" and draw(st.integers(0, 3)) == 0:
        closed = np.array(draw(st.lists(st.booleans(), min_size=x.size, max_size=x.size))).reshape(shape)
        closed[..., draw(st.integers(0, shape[-1] - 1))] = False
        x = np.where(closed, -np.inf, x)
    return x


def _array(draw: st.DrawFn, dtype: str, shape: tuple[int, ...], size: int) -> Array:
    """Numbers up to 2^size, as float64 (or integers over their whole range); now and then from a few, so that some are tied."""
    count = int(np.prod(shape))
    each: st.SearchStrategy[Any]
    if dtype in FORMATS:
        each = _number(FORMATS[dtype], size)
    else:
        info = np.iinfo(dtype)
        low, high = (int(info.min), int(info.max)) if size > 3 else (max(int(info.min), -8), 8)
        each = st.integers(low, high)
    if draw(st.integers(0, 3)) == 0:
        each = st.sampled_from(draw(st.lists(each, min_size=1, max_size=3)))
    entries: Sequence[Any] = draw(st.lists(each, min_size=count, max_size=count))
    return np.array(entries, np.float64 if dtype in FORMATS else dtype).reshape(shape)


def _number(form: Format, size: int) -> st.SearchStrategy[float]:
    most = 2.0**size
    if form.name == "bfloat16":
        # Hypothesis has no such floats; whole numbers of 8 bits, scaled, are numbers of it
        return st.integers(-255, 255).map(lambda k: k * most / 256)
    width = {"float16": 16, "float32": 32}.get(form.name, 64)
    return st.floats(-most, most, width=width)  # type: ignore[arg-type]


def is_drawable(dtype: str) -> bool:
    """Is it a number type that inputs are drawn in: a floating format, or integers?"""
    try:
        return dtype in FORMATS or dtype_of(dtype).kind in "iu"
    except TypeError:
        return False


def all_inputs(dtype: str, takes: Signature, examples: int, number: int, axis: int | None = None) -> list[Input]:
    """The fixed inputs of a number type, then the drawn ones."""
    from exactattn.testing.fixed import fixed_attention, fixed_scores

    fixed: Sequence[Input] = (
        fixed_attention(dtype, takes) if takes.kind == "attention" else fixed_scores(dtype, takes, axis)
    )
    return [*fixed, *drawn(dtype, takes, examples, number, axis)]
