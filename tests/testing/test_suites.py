"""Suites: pytest collects one test for each identity, and each says what failed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from exactattn.errors import InputError, OptionError
from exactattn.testing import attention_suite, by_numpy, softmax_suite
from exactattn.testing.examine import names_of

from .mutants import MUTANTS

CODE = """
import numpy as np
from exactattn.testing import attention_suite, softmax_suite

def my_softmax(x, axis=-1):
    e = np.exp(x - x.max(axis=axis, keepdims=True))
    return e / e.sum(axis=axis, keepdims=True)

def unnormalised(x):
    return np.exp(x - x.max(axis=-1, keepdims=True))

def my_attention(q, k, v):
    return my_softmax(q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]).astype(q.dtype)) @ v

TestMySoftmax = softmax_suite(my_softmax, dtype="float32", examples=5)
TestUnnormalised = softmax_suite(unnormalised, dtype=["float32", "float64"], kind="softmax", examples=5)
TestMyAttention = attention_suite(my_attention, examples=5)
"""


def test_pytest_collects_one_test_for_each_identity(tmp_path):
    (tmp_path / "test_mine.py").write_text(CODE, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-W", "error", "-p", "no:cacheprovider", "-rA", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", cwd=tmp_path, check=False)
    assert done.returncode == 1, done.stdout + done.stderr
    results = {}
    for line in done.stdout.splitlines():
        word, _, rest = line.partition(" ")
        if word in ("PASSED", "FAILED") and "::" in rest:
            _, suite, test = rest.split(" - ")[0].split("::")
            results[suite, test] = word
    softmax = {f"test_{name.replace('-', '_')}" for name in names_of("softmax")}
    assert {test for suite, test in results if suite == "TestMySoftmax"} == softmax
    assert {word for (suite, _), word in results.items() if suite == "TestMySoftmax"} == {"PASSED"}
    assert results["TestUnnormalised", "test_sums_to_one"] == "FAILED"
    assert results["TestUnnormalised", "test_strictly_monotone"] == "PASSED"
    assert results["TestMyAttention", "test_accuracy"] == "PASSED"
    # what the callable has no argument for is skipped, and says so
    assert "nothing that my_attention takes asks for causal-prefix" in done.stdout
    assert "sums-to-one fails for unnormalised in float32" in done.stdout
    assert "sums-to-one fails for unnormalised in float64" in done.stdout


def test_a_failure_tells_the_input_the_sides_the_bound_and_the_call():
    (mutant,) = [m for m in MUTANTS if m.name == "one-more-in-the-denominator"]
    suite = softmax_suite(mutant.called, kind="softmax", examples=0)
    with pytest.raises(AssertionError) as error:
        suite().test_accuracy()
    lines = str(error.value).splitlines()
    assert lines[0].startswith("accuracy fails for one_more_in_the_denominator in float32 (")
    assert "  x: float32, shape (1,): [0.0 (0x00000000)]" in lines
    assert "at row 0, column 0: got 0.5, true 1" in lines
    assert "off by 0.5 (4.19e6 ulp); the bound is 7.15e-7 (6 ulp)" in lines
    assert lines[-1].endswith("one_more_in_the_denominator(np.array([0.0], dtype='float32'), axis=-1)")


def test_a_suite_says_that_it_cannot_stop_hangs():
    for suite in (softmax_suite(by_numpy.softmax), attention_suite(by_numpy.attention)):
        assert "cannot stop a callable that hangs or crashes the interpreter" in suite.__doc__


def test_a_suite_is_made_without_a_call_and_runs_once():
    calls = []

    def softmax(x):
        calls.append(x.shape)
        return by_numpy.softmax(x)

    suite = softmax_suite(softmax, examples=0)
    assert calls == []
    suite().test_sums_to_one()
    count = len(calls)
    suite().test_accuracy()
    assert len(calls) == count > 40


def test_what_makes_no_suite_is_refused_when_it_is_made():
    with pytest.raises(InputError, match="attention_suite is for it"):
        softmax_suite(by_numpy.attention)
    with pytest.raises(OptionError, match="dtype 'float23'"):
        softmax_suite(by_numpy.softmax, dtype="float23")
    with pytest.raises(OptionError, match="was due for attention"):
        attention_suite(by_numpy.softmax)
