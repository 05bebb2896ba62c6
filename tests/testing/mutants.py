"""Wrong softmax and attention implementations, each with the rows that have to name its fault; and right ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from exactattn.testing import by_numpy

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Mutant:
    name: str
    called: Callable[..., Any]
    kind: str
    rows: tuple[str, ...]
    dtype: str = "float32"
    conventions: dict[str, str] = field(default_factory=dict)


MUTANTS: list[Mutant] = []


def mutant(kind: str, *rows: str, dtype: str = "float32", **conventions: str) -> Callable[[Any], Any]:
    """Adds the function to the set: `rows` have to fail, among others perhaps."""

    def add(called: Callable[..., Any]) -> Callable[..., Any]:
        asked = {name.replace("_", "-"): value for name, value in conventions.items()}
        MUTANTS.append(Mutant(called.__name__.replace("_", "-"), called, kind, rows, dtype, asked))
        return called

    return add


# -- softmax ---------------------------------------------------------------------------------------------------------------


@mutant("softmax", "accuracy", "shift-invariant", "masking-removes", "block-merge")
def no_maximum_subtracted(x, axis=-1):
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)


@mutant("softmax", "accuracy", "sums-to-one", dtype="float16")
def sum_in_half_precision(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    total = np.add.accumulate(e, axis=axis, dtype=np.float16).take([-1], axis=axis)
    return e / total


@mutant("softmax", "accuracy", "sums-to-one")
def always_the_first_axis(x, axis=-1):
    return by_numpy.softmax(x, 0)


@mutant("softmax", "accuracy", "sums-to-one", "batch-is-items")
def over_the_whole_array(x, axis=-1):
    e = np.exp(x - x.max())
    return e / e.sum()


@mutant("softmax", "accuracy", "batch-is-items")
def maximum_of_the_whole_array(x, axis=-1):
    e = np.exp(x - (x.max() if x.size else 0))
    return e / e.sum(axis=axis, keepdims=True)


@mutant("softmax", "accuracy", "strictly-monotone", "same-argmax", dtype="uint8")
def unsigned_wrap(x, axis=-1):
    return by_numpy.softmax(x - x.max(axis=axis, keepdims=True) if x.dtype.kind == "u" else x, axis).astype(np.float32)


@mutant("softmax", "accuracy", "same-argmax", "strictly-monotone", dtype="int8")
def signed_wrap(x, axis=-1):
    e = np.exp((x - x.max(axis=axis, keepdims=True)).astype(np.float64))
    with np.errstate(all="ignore"):
        return e / e.sum(axis=axis, keepdims=True)


@mutant("softmax", "accuracy")
def clamped_exponent(x, axis=-1):
    e = np.exp(np.maximum(x - x.max(axis=axis, keepdims=True), -20))
    return e / e.sum(axis=axis, keepdims=True)


@mutant("softmax", "accuracy", "positive")
def rounded_to_four_places(x, axis=-1):
    return np.round(by_numpy.softmax(x, axis), 4)


@mutant("softmax", "accuracy")
def exponential_in_half_precision(x, axis=-1):
    e = np.exp((x - x.max(axis=axis, keepdims=True)).astype(np.float16)).astype(x.dtype)
    return e / e.sum(axis=axis, keepdims=True)


@mutant("softmax", "accuracy", "shift-invariant")
def minimum_subtracted(x, axis=-1):
    e = np.exp(x - x.min(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@mutant("softmax", "accuracy", "shift-invariant", "strictly-monotone", "same-argmax")
def of_absolute_scores(x, axis=-1):
    return by_numpy.softmax(np.where(np.isneginf(x), x, np.abs(x)), axis)


@mutant("softmax", "accuracy")
def base_two(x, axis=-1):
    e = np.exp2(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


@mutant("softmax", "accuracy", "sums-to-one", "block-merge")
def one_more_in_the_denominator(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / (1 + e.sum(axis=axis, keepdims=True))


@mutant("softmax", "accuracy", "sums-to-one", dtype="float64")
def epsilon_in_the_denominator(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / (e.sum(axis=axis, keepdims=True) + 1e-12)


@mutant("softmax", "accuracy", "key-permutation", "block-merge")
def sum_not_rescaled_online(x, axis=-1):
    rows = np.moveaxis(x, axis, -1)
    largest = np.full(rows.shape[:-1], -np.inf, x.dtype)
    total = np.zeros(rows.shape[:-1], x.dtype)
    for j in range(rows.shape[-1]):
        largest = np.maximum(largest, rows[..., j])
        total = total + np.exp(rows[..., j] - largest)  # what was summed before stays as it was
    return np.moveaxis(np.exp(rows - largest[..., None]) / total[..., None], -1, axis)


@mutant("softmax", "accuracy", "shift-invariant")
def running_maximum_from_zero(x, axis=-1):
    largest = np.maximum(x.max(axis=axis, keepdims=True), 0)
    e = np.exp(x - largest)
    return e / e.sum(axis=axis, keepdims=True)


@mutant("softmax", "accuracy", "equal-scores-equal-weights", "key-permutation")
def ties_broken_by_place(x, axis=-1):
    rows = np.moveaxis(x, axis, -1)
    bias = np.linspace(0, 1e-3, rows.shape[-1]).astype(x.dtype)
    return np.moveaxis(by_numpy.softmax(rows - bias), -1, axis)


@mutant("softmax", "accuracy", "equal-scores-equal-weights", "same-argmax", "key-permutation")
def hard_argmax(x, axis=-1):
    out = np.zeros_like(x)
    np.put_along_axis(out, np.expand_dims(x.argmax(axis=axis), axis), 1, axis)
    return out


@mutant("softmax", "accuracy", "positive")
def a_little_below_zero(x, axis=-1):
    return by_numpy.softmax(x, axis) - x.dtype.type(1e-6)


@mutant("softmax", "accuracy", "masking-removes")
def masked_keys_get_a_little(x, axis=-1):
    return by_numpy.softmax(np.where(np.isneginf(x), np.float32(-10), x), axis)


@mutant("softmax", "accuracy")
def a_square_sum(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / np.sqrt((e * e).sum(axis=axis, keepdims=True))


@mutant("softmax", "keeps-inputs")
def in_place(x, axis=-1):
    x -= x.max(axis=axis, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=axis, keepdims=True)
    return x


@mutant("softmax", "keeps-dtype")
def always_double(x, axis=-1):
    return by_numpy.softmax(x.astype(np.float64), axis)


@mutant("softmax", "keeps-shape")
def squeezed(x, axis=-1):
    return by_numpy.softmax(x, axis).squeeze()


@mutant("log_softmax", "accuracy", "positive")
def logarithm_of_softmax(x, axis=-1):
    return np.log(by_numpy.softmax(x, axis))


@mutant("log_softmax", "accuracy", "sums-to-one", "positive", "shift-invariant")
def maximum_not_taken_away_from_the_logarithm(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return x - np.log(e.sum(axis=axis, keepdims=True))


@mutant("logsumexp", "accuracy", "logsumexp-bounds", "logsumexp-shift")
def logarithm_of_the_sum(x, axis=-1):
    return np.log(np.exp(x).sum(axis=axis))


@mutant("logsumexp", "accuracy", "logsumexp-bounds", "block-merge", "masking-removes")
def logarithm_of_the_mean(x, axis=-1):
    largest = x.max(axis=axis)
    return largest + np.log(np.exp(x - np.expand_dims(largest, axis)).mean(axis=axis))


# -- attention -------------------------------------------------------------------------------------------------------------


def attended(q, k, v, keep, scale):
    s = np.where(keep, (q * q.dtype.type(scale)) @ np.swapaxes(k, -1, -2), -np.inf)
    largest = s.max(axis=-1, keepdims=True)
    e = np.exp(s - np.where(np.isneginf(largest), 0, largest))
    return e, e.sum(axis=-1, keepdims=True)


def mixed(weights, v, keep):
    return (weights[..., None] * np.where(keep[..., None], v[..., None, :, :], 0)).sum(axis=-2)


def opened(q, k, mask=None, is_causal=False, shift=0):
    n, m = q.shape[-2], k.shape[-2]
    keep = np.ones((n, m), bool) if mask is None else mask
    return keep & np.tri(n, m, m - n + shift, dtype=bool) if is_causal else keep


@mutant("attention", "accuracy", "default-scale")
def no_scale(q, k, v):
    return by_numpy.attention(q, k, v, scale=1.0)


@mutant("attention", "accuracy", "default-scale")
def scale_of_the_width_of_values(q, k, v):
    return by_numpy.attention(q, k, v, scale=1 / np.sqrt(v.shape[-1]))


@mutant("attention", "accuracy", "default-scale")
def divided_by_the_width(q, k, v):
    return by_numpy.attention(q, k, v, scale=1 / q.shape[-1])


@mutant("attention", "grouped-heads")
def tiled_key_value_heads(q, k, v):
    if q.ndim == 3 and k.ndim == 3 and len(q) != len(k):
        k, v = (np.concatenate([x] * (len(q) // len(x))) for x in (k, v))
    return by_numpy.attention(q, k, v)


@mutant("attention", "accuracy", "causal-prefix", "causal-alignment")
def causal_one_key_too_many(q, k, v, is_causal=False):
    return by_numpy.attention(q, k, v, opened(q, k, None, is_causal, 1))


@mutant("attention", "accuracy", "causal-alignment")
def causal_one_key_too_few(q, k, v, is_causal=False):
    return by_numpy.attention(q, k, v, opened(q, k, None, is_causal, -1))


@mutant("attention", "accuracy")
def causal_flag_ignored(q, k, v, is_causal=False):
    return by_numpy.attention(q, k, v)


@mutant("attention", "causal-alignment", causal="bottom-right")
def aligned_at_the_other_end(q, k, v, is_causal=False):
    return by_numpy.attention(q, k, v, opened(q, k, None, is_causal, q.shape[-2] - k.shape[-2]))


@mutant("attention", "accuracy", "masking-removes")
def mask_after_softmax(q, k, v, mask=None):
    everything = opened(q, k)
    e, sums = attended(q, k, v, everything, 1 / np.sqrt(q.shape[-1]))
    weights = e / sums
    return mixed(np.where(opened(q, k, mask), weights, 0), v, opened(q, k, mask))


@mutant("attention", "accuracy", "masking-removes", "masked-key-unread")
def masked_score_zero(q, k, v, mask=None):
    s = q @ np.swapaxes(k, -1, -2) / q.dtype.type(np.sqrt(q.shape[-1]))
    return by_numpy.softmax(np.where(opened(q, k, mask), s, 0)) @ v


@mutant("attention", "accuracy", "fully-masked", fully_masked="zero")
def finite_mask(q, k, v, mask=None):
    s = q @ np.swapaxes(k, -1, -2) / q.dtype.type(np.sqrt(q.shape[-1]))
    return by_numpy.softmax(np.where(opened(q, k, mask), s, q.dtype.type(-1e4))) @ v


@mutant("attention", "accuracy", dtype="float64")
def finite_mask_added(q, k, v, mask=None):
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    return by_numpy.softmax(s + np.where(opened(q, k, mask), 0, -1e9)) @ v


@mutant("attention", "accuracy")
def mask_turned_round(q, k, v, mask=None):
    return by_numpy.attention(q, k, v, None if mask is None else ~mask)


@mutant("attention", "masked-key-unread")
def nan_leaks(q, k, v, mask=None):
    keep = opened(q, k, mask)
    e, sums = attended(q, k, v, keep, 1 / np.sqrt(q.shape[-1]))
    return (e / np.where(sums == 0, 1, sums)) @ v  # 0 · NaN is NaN


@mutant("attention", "accuracy", "convex-hull", "linear-in-values", "one-key-or-equal-keys")
def not_normalised(q, k, v):
    e, _ = attended(q, k, v, opened(q, k), 1 / np.sqrt(q.shape[-1]))
    return e @ v * v.dtype.type(1.5)


@mutant("attention", "accuracy", "linear-in-values", "one-key-or-equal-keys")
def a_bias_on_values(q, k, v):
    return by_numpy.attention(q, k, v) + v.dtype.type(1e-3)


@mutant("attention", "accuracy", "linear-in-values")
def values_squashed(q, k, v):
    return by_numpy.attention(q, k, np.tanh(v))


@mutant("attention", "accuracy", "one-key-or-equal-keys", "convex-hull")
def softmax_over_queries(q, k, v):
    s = q @ np.swapaxes(k, -1, -2) / q.dtype.type(np.sqrt(q.shape[-1]))
    return by_numpy.softmax(s, -2) @ v


@mutant("attention", "accuracy", "token-permutation")
def biased_by_distance(q, k, v):
    n, m = q.shape[-2], k.shape[-2]
    s = q @ np.swapaxes(k, -1, -2) / q.dtype.type(np.sqrt(q.shape[-1]))
    distance = np.abs(np.arange(n)[:, None] - np.arange(m)).astype(q.dtype)
    return by_numpy.softmax(s - distance / 16) @ v


@mutant("attention", "accuracy", "block-merge", "one-key-or-equal-keys")
def blocks_averaged(q, k, v):
    m = k.shape[-2]
    if m < 2:
        return by_numpy.attention(q, k, v)
    parts = np.s_[..., : (m + 2) // 3, :], np.s_[..., (m + 2) // 3 :, :]
    return sum(by_numpy.attention(q, k[p], v[p]) for p in parts) / v.dtype.type(2)


@mutant("attention", "accuracy", "batch-is-items")
def keys_of_the_last_head_for_all(q, k, v):
    return by_numpy.attention(q, np.broadcast_to(k[(-1,) * (k.ndim - 2)], k.shape), v)


@mutant("attention", "accuracy")
def scores_in_half_precision(q, k, v):
    s = (q.astype(np.float16) @ np.swapaxes(k, -1, -2).astype(np.float16)).astype(q.dtype)
    return by_numpy.softmax(s / q.dtype.type(np.sqrt(q.shape[-1]))) @ v


@mutant("attention", "accuracy", "key-shift")
def cosine_scores(q, k, v):
    length = np.sqrt((k * k).sum(axis=-1, keepdims=True))
    return by_numpy.attention(q, k / np.where(length == 0, 1, length), v)


# -- right ones --------------------------------------------------------------------------------------------------------------


def online_softmax(x, axis=-1):
    """One pass for the maximum and the rescaled sum."""
    rows = np.moveaxis(x, axis, -1)
    largest = np.full(rows.shape[:-1], -np.inf, x.dtype)
    total = np.zeros(rows.shape[:-1], x.dtype)
    for j in range(rows.shape[-1]):
        new = np.maximum(largest, rows[..., j])
        reference = np.where(np.isneginf(new), 0, new)
        total = total * np.exp(largest - reference) + np.exp(rows[..., j] - reference)
        largest = new
    return np.moveaxis(np.exp(rows - largest[..., None]) / total[..., None], -1, axis)


def by_logsumexp(x, axis=-1):
    """exp(x − L)."""
    largest = x.max(axis=axis, keepdims=True)
    total = np.log(np.exp(x - largest).sum(axis=axis, keepdims=True)) + largest
    return np.exp(x - total)


def by_powers_of_two(x, axis=-1):
    """exp2 of scores times log2(e), as kernels do it."""
    y = x * x.dtype.type(np.log2(np.e))
    e = np.exp2(y - y.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)


def in_doubles(x, axis=-1):
    return by_numpy.softmax(x.astype(np.float64), axis).astype(x.dtype if x.dtype.kind == "f" else np.float64)


def online_attention(q, k, v, mask=None, is_causal=False, scale=None):
    """Key by key, with a running maximum, sum and output."""
    keep = opened(q, k, mask, is_causal)
    factor = q.dtype.type(1 / np.sqrt(q.shape[-1]) if scale is None else scale)
    lead = np.broadcast_shapes(q.shape[:-1], keep.shape[:-1])
    largest = np.full(lead, -np.inf, q.dtype)
    total, out = np.zeros(lead, q.dtype), np.zeros((*lead, v.shape[-1]), q.dtype)
    for j in range(k.shape[-2]):
        s = np.where(keep[..., j], factor * (q * k[..., j : j + 1, :]).sum(axis=-1), -np.inf)
        new = np.maximum(largest, s)
        reference = np.where(np.isneginf(new), 0, new)
        old, e = np.exp(largest - reference), np.exp(s - reference)
        value = np.where(keep[..., j, None], v[..., None, j, :], 0)
        total, largest = total * old + e, new
        out = out * old[..., None] + e[..., None] * value
    return out / np.where(total == 0, 1, total)[..., None]


RIGHT: dict[str, tuple[Callable[..., Any], str, tuple[str, ...]]] = {
    "numpy softmax": (by_numpy.softmax, "softmax", ("float64", "float32")),
    "numpy log-softmax": (by_numpy.log_softmax, "log_softmax", ("float64", "float32", "float16")),
    "numpy log-sum-exp": (by_numpy.logsumexp, "logsumexp", ("float64", "float32", "float16")),
    "numpy attention": (by_numpy.attention, "attention", ("float64", "float32")),
    "online softmax": (online_softmax, "softmax", ("float64", "float32")),
    "softmax by log-sum-exp": (by_logsumexp, "softmax", ("float64", "float32")),
    "softmax by powers of two": (by_powers_of_two, "softmax", ("float64", "float32")),
    "softmax in doubles": (in_doubles, "softmax", ("float16", "uint8", "int8")),
    "online attention": (online_attention, "attention", ("float64", "float32")),
}
