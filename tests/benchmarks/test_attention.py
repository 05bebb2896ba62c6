"""Attention to 15 significant digits, trace and all, beside NumPy, mpmath and sympy; every round has inputs of its own."""

from __future__ import annotations

import mpmath
import numpy
import pytest
import sympy

import exactattn as xa

SIZES = [(6, 4), (16, 8), (64, 16), (128, 64)]
ROUNDS = {6: 100, 16: 40, 64: 8, 128: 4}


def ours(inputs):
    """Every step, and every weight and output as certified text."""
    trace = xa.attend(**inputs)
    return trace.weights.significant(15), trace.output.significant(15)


def by_numpy(inputs):
    """float64, the numbers already in arrays."""
    q, k, v = (inputs[name] for name in ("Q", "K", "V"))
    s = q @ k.T / numpy.sqrt(q.shape[1])
    e = numpy.exp(s - s.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights, weights @ v


def by_sympy(inputs):
    """Exact, each row sum formed once, then 15 digits of each entry."""
    q, k, v = (
        sympy.Matrix([[sympy.Rational(text) for text in row] for row in inputs[name]]) for name in ("Q", "K", "V")
    )
    e = (q * k.T / sympy.sqrt(q.shape[1])).applyfunc(sympy.exp)
    sums = [sum(e.row(i)) for i in range(e.rows)]
    weights = sympy.Matrix(e.rows, e.cols, lambda i, j: e[i, j] / sums[i])
    return tuple([[str(sympy.N(x, 15)) for x in m.row(i)] for i in range(m.rows)] for m in (weights, weights * v))


def by_mpmath(inputs):
    """30 digits, then 15 of each entry."""
    with mpmath.workdps(30):
        q, k, v = ([[mpmath.mpf(text) for text in row] for row in inputs[name]] for name in ("Q", "K", "V"))
        scale = 1 / mpmath.sqrt(len(q[0]))
        weights = []
        for row in q:
            s = [mpmath.fdot(row, key) * scale for key in k]
            top = max(s)
            e = [mpmath.exp(x - top) for x in s]
            total = mpmath.fsum(e)
            weights.append([x / total for x in e])
        output = [[mpmath.fdot(row, column) for column in zip(*v, strict=True)] for row in weights]
        return tuple([[mpmath.nstr(x, 15) for x in row] for row in m] for m in (weights, output))


def as_arrays(inputs):
    return {name: numpy.array(rows, dtype=float) for name, rows in inputs.items()}


def timed(benchmark, work, make, rounds):
    """The best of so many rounds, each on inputs of its own."""
    benchmark.pedantic(work, setup=lambda: ((make(),), {}), rounds=rounds, iterations=1, warmup_rounds=int(rounds > 1))
    return benchmark.stats.stats.min


@pytest.mark.parametrize(("n", "d"), SIZES)
def test_ours(benchmark, time_of, fresh, n, d):
    time_of(f"{n} × {d}", "exactattn, 15 digits", timed(benchmark, ours, lambda: fresh(n, d), ROUNDS[n]))


@pytest.mark.parametrize(("n", "d"), SIZES)
def test_numpy(benchmark, time_of, fresh, n, d):
    time_of(f"{n} × {d}", "NumPy, float64", timed(benchmark, by_numpy, lambda: as_arrays(fresh(n, d)), 50))


@pytest.mark.parametrize(("n", "d"), SIZES)
def test_mpmath(benchmark, time_of, fresh, n, d):
    rounds = {6: 20, 16: 10, 64: 2, 128: 1}[n]
    time_of(f"{n} × {d}", "mpmath, 30 digits", timed(benchmark, by_mpmath, lambda: fresh(n, d), rounds))


@pytest.mark.parametrize(("n", "d"), SIZES[:2])
def test_sympy(benchmark, time_of, fresh, n, d):
    time_of(f"{n} × {d}", "sympy, 15 digits", timed(benchmark, by_sympy, lambda: fresh(n, d), {6: 5, 16: 1}[n]))


@pytest.mark.parametrize(("n", "d"), SIZES[:2])
def test_all_of_them_work_the_same_numbers(benchmark, fresh, n, d):
    inputs = fresh(n, d)
    found = benchmark.pedantic(ours, args=(inputs,), rounds=1)
    for other in (by_numpy(as_arrays(inputs)), by_mpmath(inputs), by_sympy(inputs)):
        for mine, theirs in zip(found, other, strict=True):
            assert numpy.allclose(
                numpy.array(mine, dtype=float), numpy.array(theirs, dtype=float), rtol=1e-12, atol=1e-13
            )
