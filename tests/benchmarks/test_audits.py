"""Audits: every example there is in one process, and a large printed matrix, right or made with scores that are not scaled."""

from __future__ import annotations

from pathlib import Path

import numpy
import pytest

import exactattn as xa

DATA = Path(__file__).parent.parent / "data"
FILES = [DATA / "xian.json", *sorted((DATA / "published").glob("*.json")), *sorted((DATA / "edges").glob("*.json"))]


def printed(inputs, scaled):
    """A case of 64 tokens whose weights are printed to four decimals."""
    q, k = (numpy.array(inputs[name], dtype=float) for name in ("Q", "K"))
    e = numpy.exp(q @ k.T / (numpy.sqrt(q.shape[1]) if scaled else 1.0))
    weights = e / e.sum(axis=1, keepdims=True)
    return {"inputs": inputs, "printed": {"weights": [[f"{x:.4f}" for x in row] for row in weights]}}


def test_every_example(benchmark, line):
    audits = benchmark.pedantic(lambda: [xa.audit(path) for path in FILES], rounds=3, warmup_rounds=1)
    assert len(audits) == len(FILES)
    line(f"audit of {len(FILES)} examples, causes searched", benchmark.stats.stats.min)


@pytest.mark.parametrize("scaled", [True, False], ids=["right", "not scaled"])
def test_a_large_printed_matrix(benchmark, line, fresh, scaled):
    found = benchmark.pedantic(
        xa.audit, setup=lambda: ((printed(fresh(64, 16), scaled),), {}), rounds=3, warmup_rounds=1
    )
    assert ("wrong" in found.totals) is not scaled
    line(f"audit of 64 × 64 printed weights, {'right' if scaled else 'not scaled'}", benchmark.stats.stats.min)
