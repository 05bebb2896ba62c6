"""Every P row is proved, every false twin is refused, and so is a true statement with something added."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactattn.errors import OptionError
from exactattn.identities import CATALOGUE, find, prove
from exactattn.identities.proofs import LEAST, MOST
from exactattn.identities.proving.calculus import Logs, plain
from exactattn.identities.proving.circle import reduced
from exactattn.identities.proving.claims import Equal, EqualOnCircle, SameLogs, is_proved
from exactattn.identities.proving.ratio import Letters, Ratio

PROVED = [row for row in CATALOGUE if "P" in row.kinds]


def test_the_rows_of_kind_p_are_those_with_claims_a_method_and_a_twin():
    for row in CATALOGUE:
        assert ("P" in row.kinds) == (row.claims is not None) == (row.method is not None) == bool(row.twins), row.name
    assert len(PROVED) == 29


@pytest.mark.parametrize("n", range(2, 7))
@pytest.mark.parametrize("row", PROVED, ids=lambda row: row.name)
def test_every_p_row_is_proved_and_every_twin_refused(row, n):
    found = prove(row, n)
    assert found.claims > 0
    assert found.open == ()
    assert found.twins_refused == (True,) * len(row.twins)
    assert found.holds


@pytest.mark.parametrize("row", PROVED, ids=lambda row: row.name)
def test_a_twin_in_place_of_the_row_is_not_proved(row):
    from dataclasses import replace

    for twin in row.twins:
        found = prove(replace(row, claims=twin), 4)
        assert found.open
        assert not found.holds


@pytest.mark.parametrize("row", PROVED, ids=lambda row: row.name)
def test_a_row_as_its_own_twin_is_found_out(row):
    from dataclasses import replace

    assert not prove(replace(row, twins=(row.claims,)), 3).holds


@pytest.mark.parametrize("n", [LEAST - 1, MOST + 1])
def test_other_sizes_are_an_error(n):
    with pytest.raises(OptionError, match="2 to 8 was due"):
        prove(PROVED[0], n)


def test_a_row_that_no_machine_proves_is_an_error():
    with pytest.raises(OptionError, match="lipschitz is not proved by machine: its kind is A"):
        prove(find("lipschitz"))


# -- something added -----------------------------------------------------------------------------------------------------


@cache
def equalities(name: str, n: int) -> list[Equal | EqualOnCircle | SameLogs]:
    claims = find(name).claims
    assert claims is not None
    return [claim for claim in claims(n) if isinstance(claim, Equal | EqualOnCircle | SameLogs)]


ALGEBRAIC = [row.name for row in PROVED if equalities(row.name, 3)]


def test_most_rows_are_equalities():
    assert len(ALGEBRAIC) >= 22


@given(
    st.sampled_from(ALGEBRAIC), st.integers(2, 4), st.randoms(use_true_random=False), st.integers(-3, 3).filter(bool)
)
def test_a_true_statement_with_a_monomial_added_is_refused(name: str, n: int, draw: random.Random, factor: int) -> None:
    claim = draw.choice(equalities(name, n))
    assert is_proved(claim)
    letters = (claim.left.rest if isinstance(claim.left, Logs) else claim.left).letters
    term = letters.number(factor)
    for letter in draw.choices(letters.names, k=draw.randrange(3)):
        term = term * letters(letter)
    match claim:
        case Equal(left, right):
            assert not is_proved(Equal(left + term, right))
        case EqualOnCircle(left, right):
            assert not is_proved(EqualOnCircle(left + term, right)) or not reduced(term).above
        case SameLogs(left, right):
            assert not is_proved(SameLogs(left + plain(term), right))


# -- the algebra against sympy's own -------------------------------------------------------------------------------------

NAMES = ("a", "b", "e^a")


def small(letters: Letters, draw: st.DataObject, depth: int = 3) -> Ratio:
    if depth == 0 or draw.draw(st.booleans()):
        return draw.draw(st.sampled_from([*map(letters, NAMES), letters.number(2), letters.number(-1)]))
    left, right = small(letters, draw, depth - 1), small(letters, draw, depth - 1)
    kind = draw.draw(st.sampled_from("+-*/"))
    if kind == "/":
        return left / right if right.above else left
    return left + right if kind == "+" else left - right if kind == "-" else left * right


def as_sympy(x: Ratio):
    out = x.above.as_expr()
    for factor, power in x.below.items():
        out = out / factor.as_expr() ** power
    return out


@given(st.data())
def test_fractions_are_worked_as_sympy_works_them(data):
    import sympy

    letters = Letters(["a", "b"], [("a",)])
    x, y = small(letters, data), small(letters, data)
    for found, due in (
        (x + y, as_sympy(x) + as_sympy(y)),
        (x - y, as_sympy(x) - as_sympy(y)),
        (x * y, as_sympy(x) * as_sympy(y)),
    ):
        assert sympy.cancel(as_sympy(found) - due) == 0
    assert x.same(y) == (sympy.cancel(as_sympy(x) - as_sympy(y)) == 0)


@given(st.data())
def test_signs_are_never_wrong(data):
    letters = Letters(["a", "b"], [("a",)], positive=["b"], not_negative=["a"])
    x = small(letters, data)
    at = {"a": 0, "b": data.draw(st.sampled_from([1, 7])), "e^a": 1}
    value = as_sympy(x).subs({s: at[str(s)] for s in as_sympy(x).free_symbols})
    if value.is_finite:
        assert not (x.is_positive() and value <= 0)
        assert not (x.is_not_negative() and value < 0)
