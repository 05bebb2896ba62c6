"""Right implementations pass without a false alarm, whatever the seed."""

from __future__ import annotations

import pytest

from exactattn.testing import by_numpy
from exactattn.testing.conventions import detect
from exactattn.testing.drawing import drawn
from exactattn.testing.signature import signature_of
from exactattn.testing.trial import Setting, Trial

from . import examining, mutants

SEEDS, DRAWN = 20, 6


@pytest.mark.parametrize("name", mutants.RIGHT)
def test_the_fixed_inputs_raise_no_false_alarm(name):
    called, kind, dtypes = mutants.RIGHT[name]
    if kind in ("log_softmax", "logsumexp"):
        dtypes = tuple(d for d in dtypes if d != "float16")  # the sum of 70 000 half-precision ones is infinite there
    rows = examining.examined(called, kind, dtypes=dtypes, examples=0)
    assert examining.failing(rows) == set()
    assert sum(row.checks for row in rows if row.name == "accuracy") > 60 * len(dtypes)


@pytest.mark.parametrize("name", mutants.RIGHT)
def test_no_seed_raises_a_false_alarm(name):
    called, kind, dtypes = mutants.RIGHT[name]
    takes = signature_of(called, called.__name__, kind)
    caller = examining.caller_of(called, takes)
    setting, _ = detect(caller, Setting(takes), dtypes, {})
    trial, checks = Trial(caller, setting), 0
    for dtype in dtypes:
        for seed in range(SEEDS):
            for number, given in enumerate(drawn(dtype, takes, DRAWN, seed)):
                tried = trial.of(given, number)
                assert tried.troubles == []
                assert [check for check, holds in tried.checks if not holds] == []
                checks += len(tried.checks)
    assert checks > 10 * SEEDS * len(dtypes)


@pytest.mark.parametrize("name", ["softmax", "log_softmax", "logsumexp", "attention"])
def test_what_subtracts_the_maximum_passes_the_strict_bounds(name):
    rows = examining.examined(getattr(by_numpy, name), name, dtypes=("float32",), examples=30, strictness="strict")
    assert examining.failing(rows) == set()


def test_no_maximum_subtracted_is_refused_by_the_strict_bounds_on_moderate_scores():
    import numpy as np

    from exactattn.testing.formats import FORMATS
    from exactattn.testing.inputs import ScoresInput

    (mutant,) = [m for m in mutants.MUTANTS if m.name == "no-maximum-subtracted"]
    takes = signature_of(mutant.called, "softmax")
    given = ScoresInput("", np.array([80, 79.3, 78.1], np.float32))
    found = {}
    for strictness in ("usual", "strict"):
        trial = Trial(examining.caller_of(mutant.called, takes), Setting(takes, strictness), ("accuracy",))
        found[strictness] = [check.bound for check, _ in trial.of(given, 0).checks]
    assert FORMATS["float32"].u > 0
    assert all(strict < usual for strict, usual in zip(found["strict"], found["usual"], strict=True))
