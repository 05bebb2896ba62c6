"""Audits: the worked examples of others in one process, and 64 × 64 matrices, right or wrong throughout."""

from __future__ import annotations

from pathlib import Path

import pytest

import exactattn as xa

DATA = Path(__file__).parent.parent / "data"
FILES = [DATA / "xian.json", *sorted((DATA / "published").glob("*.json")), *sorted((DATA / "edges").glob("*.json"))]
N, D = 64, 64


def test_the_examples_of_others(benchmark, line):
    found = benchmark.pedantic(lambda: [xa.audit(path) for path in FILES], rounds=5, warmup_rounds=1)
    line(f"audit of {len(FILES)} examples in one process", f"{benchmark.stats.stats.min * 1000:.0f} ms")
    assert sum(len(one.examined.judged) for one in found) == 771


def page(inputs, **wrong):
    """What a page prints of inputs: scores, weights and output to three places, worked under another scale."""
    trace = xa.attend(**inputs, **wrong)
    printed = {name: trace.step(name, 0).made.decimal(3) for name in ("scores", "weights", "output")}
    return {"inputs": inputs, "printed": printed}


@pytest.mark.parametrize(("what", "wrong"), [("all right", {}), ("scaled by 1/d_k", {"scale": f"1/{D}"})])
def test_large_matrices(benchmark, line, fresh, what, wrong):
    def make():
        return (page(fresh(N, D), **wrong),), {}

    found = benchmark.pedantic(xa.audit, setup=make, rounds=5, iterations=1, warmup_rounds=1)
    line(f"audit of {N} × {N} scores, weights and outputs, {what}", f"{benchmark.stats.stats.min * 1000:.0f} ms")
    assert len(found.examined.judged) == 2 * N * N + N * D


def test_one_large_matrix(benchmark, line, fresh):
    def make():
        case = page(fresh(N, D))
        return (case | {"printed": {"weights": case["printed"]["weights"]}},), {}

    found = benchmark.pedantic(xa.audit, setup=make, rounds=5, iterations=1, warmup_rounds=1)
    line(f"audit of {N} × {N} weights, all right", f"{benchmark.stats.stats.min * 1000:.0f} ms")
    assert set(found.totals) <= {"ok", "hidden-digits"}
