"""Every wrong implementation is caught, by the row that names its fault; every float row catches something alone."""

from __future__ import annotations

import pytest

from exactattn.identities.catalogue import CATALOGUE
from exactattn.testing import shrink
from exactattn.testing.signature import KINDS
from exactattn.testing.trial import laws_of

from . import examining
from .mutants import MUTANTS


@pytest.fixture
def as_they_come(monkeypatch):
    """Failures are not made small: only which rows fail is asked here."""
    monkeypatch.setattr(shrink, "TRIES", 0)


def test_there_are_many_of_each_kind():
    assert len(MUTANTS) >= 25
    assert {m.kind for m in MUTANTS} == set(KINDS)
    assert len({m.name for m in MUTANTS}) == len(MUTANTS)


@pytest.mark.usefixtures("as_they_come")
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m.name)
def test_a_mutant_is_caught_by_the_rows_that_name_its_fault(mutant):
    rows = examining.examined(
        mutant.called,
        mutant.kind,
        dtypes=(mutant.dtype,),
        examples=10,
        only=mutant.rows,
        conventions=mutant.conventions,
    )
    assert examining.failing(rows) - {"returns"} == set(mutant.rows)


FLOAT_ROWS = [row.name for row in CATALOGUE if row.float_bound is not None]


def test_every_identity_with_a_promise_in_floating_point_has_a_law():
    laws = {name for kind in KINDS for name in laws_of(kind)}
    assert set(FLOAT_ROWS) <= laws
    assert laws - {"accuracy"} <= {row.name for row in CATALOGUE}


LAWS = sorted({name for kind in KINDS for name in laws_of(kind)} - {"accuracy"})


@pytest.mark.usefixtures("as_they_come")
@pytest.mark.parametrize("row", LAWS)
def test_with_accuracy_off_each_law_alone_catches_a_mutant(row):
    mutant = next(m for m in MUTANTS if row in m.rows)
    rows = examining.examined(
        mutant.called, mutant.kind, dtypes=(mutant.dtype,), examples=10, only=(row,), conventions=mutant.conventions
    )
    assert {found.name for found in rows} - {"returns"} == examining.failing(rows) - {"returns"} == {row}
