"""Correctly rounded attention for arrays."""

from __future__ import annotations

import numpy as np
import pytest

import exactattn as xa

SHAPES = {"128 × 64": (128, 64), "512 × 64": (512, 64), "8 heads of 64 × 16": (8, 64, 16)}


@pytest.mark.parametrize("what", SHAPES)
@pytest.mark.parametrize("out", ["float32", "float64"])
def test_reference(benchmark, line, what, out):
    rng = np.random.default_rng()

    def make():
        return tuple(rng.normal(size=SHAPES[what]).astype(np.float32) for _ in range(3)), {"out": out}

    found = benchmark.pedantic(xa.reference, setup=make, rounds=3, iterations=1, warmup_rounds=1)
    line(f"reference of {what} float32, correctly rounded to {out}", benchmark.stats.stats.min)
    assert found.shape == SHAPES[what]
