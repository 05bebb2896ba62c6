"""Softmax, log-softmax, log-sum-exp and attention as they are commonly written with NumPy: the maximum subtracted first.

They are here to be verified and to be compared with; nothing of ours computes with them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from exactattn.testing.inputs import Array


def softmax(x: Array, axis: int = -1) -> Array:
    """Softmax along an axis, of the same shape."""
    exps = np.exp(x - x.max(axis=axis, keepdims=True))
    return np.asarray(exps / exps.sum(axis=axis, keepdims=True))


def log_softmax(x: Array, axis: int = -1) -> Array:
    """The logarithm of softmax along an axis, of the same shape."""
    shifted = x - x.max(axis=axis, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True)))


def logsumexp(x: Array, axis: int = -1) -> Array:
    """ln Σ eˣ along an axis, which is gone from the shape."""
    largest = x.max(axis=axis, keepdims=True)
    sums = np.log(np.exp(x - largest).sum(axis=axis, keepdims=True)) + largest
    return np.asarray(sums.squeeze(axis))


def attention(
    q: Array, k: Array, v: Array, mask: Array | None = None, is_causal: bool = False, scale: float | None = None
) -> Array:
    """softmax(scale · q kᵀ) v: (…, n, d_k), (…, m, d_k), (…, m, d_v) to (…, n, d_v); the mask is True where a key is open.

    The scale is 1/√d_k where none is given; causal masks end at the last key; a fully masked row is 0, and what stands
    in masked keys and values is not read.
    """
    n, m = q.shape[-2], k.shape[-2]
    keep: Any = np.ones((n, m), bool) if mask is None else mask
    if is_causal:
        keep = keep & np.tri(n, m, m - n, dtype=bool)
    factor = q.dtype.type(1 / np.sqrt(q.shape[-1]) if scale is None else scale)
    products = ((q * factor) @ np.swapaxes(k, -1, -2)).astype(q.dtype)  # bfloat16 multiplies into float32
    scores = np.where(keep, products, q.dtype.type(-np.inf))
    largest = scores.max(axis=-1, keepdims=True)
    nought, one = q.dtype.type(0), q.dtype.type(1)
    exps = np.exp(scores - np.where(np.isneginf(largest), nought, largest))
    sums = exps.sum(axis=-1, keepdims=True)
    weights = exps / np.where(sums == 0, one, sums)
    mixed = weights[..., None] * np.where(keep[..., None], v[..., None, :, :], v.dtype.type(0))
    return np.asarray(mixed.sum(axis=-2))
