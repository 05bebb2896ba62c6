"""Exact matrices: the operations are those of their entries, and all readings of a matrix agree."""

from __future__ import annotations

from fractions import Fraction

import pytest
from flint import fmpq, fmpq_mat
from hypothesis import given, settings
from hypothesis import strategies as st

from exactattn.errors import OutsideNormalForm
from exactattn.numbers import expsum, lazy
from exactattn.numbers import surd as surds
from exactattn.numbers.expsum import Quotients
from exactattn.numbers.matrix import Linear, Matrix
from exactattn.numbers.parse import surd
from exactattn.numbers.units import ONE
from exactattn.numbers.value import Value

texts = st.sampled_from(["0", "1", "-2", "3/7", "0.25", "sqrt(2)", "1-sqrt(3)", "ln(2)", "2*ln(3)-1", "sqrt(2)*ln(5)"])


def tables(n: int, m: int) -> st.SearchStrategy[list[list[str]]]:
    return st.lists(st.lists(texts, min_size=m, max_size=m), min_size=n, max_size=n)


def entries(a: Linear) -> list[list[dict]]:
    n, m = a.shape
    return [[a.value(i, j) for j in range(m)] for i in range(n)]


@given(tables(2, 3), tables(3, 2), tables(2, 3), texts)
def test_linear_matrices_compute_entry_by_entry(a: list, b: list, c: list, by: str) -> None:
    x, y, z = Linear.read(a), Linear.read(b), Linear.read(c)
    number = [[[surd(t) for t in row] for row in table] for table in (a, b, c)]

    def dot(i: int, j: int) -> dict:
        out: dict = {}
        for k in range(3):
            out = surds.add(out, surds.multiply(number[0][i][k], number[1][k][j]))
        return out

    assert entries(x.matmul(y)) == [[dot(i, j) for j in range(2)] for i in range(2)]
    assert entries(x.plus(z)) == [
        [surds.add(s, t) for s, t in zip(r, q, strict=True)] for r, q in zip(number[0], number[2], strict=True)
    ]
    assert entries(x.plus(z, -1)) == entries(x.plus(z.scale(surd("-1"))))
    assert entries(x.scale(surd(by))) == [[surds.multiply(t, surd(by)) for t in row] for row in number[0]]
    assert entries(x.transpose()) == [list(column) for column in zip(*number[0], strict=True)]
    assert entries(x.row(1)) == number[0][1:]
    assert entries(x.columns(1, 3)) == [row[1:3] for row in number[0]]
    assert entries(x.plus(z.row(0))) == [
        [surds.add(s, t) for s, t in zip(row, number[2][0], strict=True)] for row in number[0]
    ]
    assert entries(x.plus(z.columns(0, 1))) == [
        [surds.add(s, r[0]) for s in row] for row, r in zip(number[0], number[2], strict=True)
    ]


def pictures(a: Matrix) -> list[tuple[str, Matrix]]:
    """A matrix of every kind over a 2 × 3 matrix of scores."""
    keep = ((True, False, True), (False, False, False))
    e = lazy.Exponential(a)
    masked = lazy.Exponential(a, keep, frozenset({1}))
    total = lazy.RowSum(e)
    weights = lazy.Quotient(e, total)
    v = Linear.read([["1", "sqrt(2)"], ["-1/3", "0"], ["2", "5"]])
    mixed = lazy.matmul(weights, v)
    bias = Linear.read([["1", "-2"]])
    return [
        ("exponential", e),
        ("masked exponential", masked),
        ("row sum", total),
        ("quotient", weights),
        ("quotient with a row of zeros", lazy.Quotient(masked, lazy.RowSum(masked), frozenset({0}))),
        ("product", mixed),
        ("product of products", lazy.matmul(mixed, Linear.read([["1", "2", "3"], ["0", "1/7", "-1"]]))),
        ("sum", lazy.plus(mixed, mixed, -1)),
        ("sum with a row", lazy.plus(mixed, bias)),
        ("sum with a column", lazy.plus(mixed, total)),
        ("sum with a number", lazy.plus(mixed, Linear.read([["1/3"]]))),
        ("linear and lazy", lazy.plus(v.row(0), lazy.RowSum(e.row(0)))),
        ("stack", lazy.Stack([mixed, weights, total])),
        ("columns across a stack", lazy.Stack([mixed, weights, total]).columns(1, 4)),
        ("transpose", lazy.Transposed(weights)),
        ("columns of a transpose", lazy.Transposed(weights).columns(0, 2)),
        ("product with a transpose", lazy.matmul(lazy.Transposed(weights), v.transpose())),
        ("kept entries", lazy.kept(weights, keep)),
        ("kept entries of what is linear", lazy.kept(a, keep)),
        ("stack of what is linear", lazy.stack([a, v.row(0).spread((2, 2))])),
        ("gathered", lazy.Gathered([[mixed.entry(0, 1), weights.entry(1, 2)], [total.entry(0, 0), e.entry(1, 0)]])),
    ]


KINDS = [name for name, _ in pictures(Linear.read([["0"] * 3] * 2))]


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=20)
@given(tables(2, 3))
def test_the_readings_of_a_matrix_agree(kind: str, scores: list[list[str]]) -> None:
    a = dict(pictures(Linear.read(scores)))[kind]
    n, m = a.shape
    balls, more = a.balls(80), a.balls(300)
    for i in range(n):
        row = a.row(i)
        assert row.shape == (1, m)
        for j in range(m):
            assert balls[i, j].overlaps(more[i, j])
            assert row.balls(300)[0, j].overlaps(more[i, j])
            assert a.columns(j, j + 1).balls(300)[i, 0].overlaps(more[i, j])
            assert a.entry(i, j).balls(300)[0, 0].overlaps(more[i, j])
            # the normal form, worked out by a value that is put together from it, is the same number
            parts = Quotients(a.normal(i, j).parts)
            assert row.normal(0, j) == parts
            assert a.entry(i, j).normal(0, 0) == parts
            assert rebuilt(parts).matrix.balls(300)[0, 0].overlaps(more[i, j])


def rebuilt(q: Quotients) -> Value:
    total = Value.of(0)
    for n, d in q.parts:
        total = total + summed(n) / summed(d)
    return total


def summed(a: expsum.ExpSum) -> Value:
    total = Value.of(0)
    for exponent, c in a.items():
        total = total + Value.of_surd(c) * Value.of_surd(expsum.exponent_surd(exponent)).exp()
    return total


def test_masked_rows_and_rows_of_ones() -> None:
    a = Linear.read([["1", "2"], ["3", "4"]])
    for keep in (None, ((False, True), (True, True)), ((False, False), (True, True))):
        e = lazy.Exponential(a, keep, frozenset({0}))
        assert [e.balls(64)[0, j] == 1 for j in range(2)] == [True, True]
        assert [Value(e.entry(0, j)) == 1 for j in range(2)] == [True, True]
        assert Value(e.entry(1, 0)) == Value.of(3).exp()
    closed = lazy.Exponential(a, ((True, False), (False, False)))
    assert [[Value(closed.entry(i, j)) == 0 for j in range(2)] for i in range(2)] == [[False, True], [True, True]]
    weights = lazy.Quotient(closed, lazy.RowSum(closed), frozenset({1}))
    assert [[str(Value(weights.entry(i, j))) for j in range(2)] for i in range(2)] == [["1", "0"], ["0", "0"]]


def test_an_exponential_of_an_exponential_has_no_normal_form_but_e_to_a_proven_zero_has() -> None:
    e = lazy.Exponential(Linear.read([["1"]]))
    with pytest.raises(OutsideNormalForm, match=r"^an exponential of an exponential has no normal form here$"):
        lazy.Exponential(e).normal(0, 0)
    assert str(Value(lazy.Exponential(lazy.plus(e, e, -1)))) == "1"


def test_a_transpose_and_kept_entries_are_those_of_the_matrix() -> None:
    a = Linear.read([["1", "sqrt(2)", "3"], ["4", "5", "ln(2)"]])
    keep = ((True, False, True), (False, True, True))
    for x in (a, lazy.Exponential(a)):
        turned, held = lazy.Transposed(x), lazy.kept(x, keep)
        assert isinstance(held, Linear) == isinstance(x, Linear)
        assert turned.shape == (3, 2)
        for i in range(2):
            for j in range(3):
                assert Value(turned.entry(j, i)) == Value(x.entry(i, j))
                assert Value(held.entry(i, j)) == (Value(x.entry(i, j)) if keep[i][j] else 0)


def test_linear_matrices_side_by_side_are_linear() -> None:
    a, b = Linear.read([["1"], ["sqrt(2)"]]), Linear.read([["ln(2)", "0"], ["1/3", "5"]])
    joined = lazy.stack([a, b])
    assert isinstance(joined, Linear)
    assert entries(joined) == [x + y for x, y in zip(entries(a), entries(b), strict=True)]
    assert isinstance(lazy.stack([a, lazy.Exponential(b)]), lazy.Stack)


def test_a_matrix_holds_its_last_enclosure() -> None:
    a = lazy.Exponential(Linear.read([["1/3"]]))
    held = a.balls(100)
    assert a.balls(100) is held
    assert a.balls(200) is not held
    assert a.balls(100)[0, 0].overlaps(held[0, 0])


def test_rationals_are_seen_as_such() -> None:
    assert Linear.read([["1/2", "3"]]).rationals() == fmpq_mat([[fmpq(1, 2), fmpq(3)]])
    assert Linear.read([["sqrt(2)"]]).rationals() is None
    assert Linear.of([{}], (1, 1)).rationals() == fmpq_mat(1, 1)
    assert Linear.read([["sqrt(4)"]]).value(0, 0) == {ONE: fmpq(2)}


@given(st.lists(st.fractions(-9, 9, max_denominator=50), min_size=1, max_size=6))
def test_the_sum_of_a_row_of_weights_is_one(scores: list[Fraction]) -> None:
    e = lazy.Exponential(Linear.read([[str(q) for q in scores]]))
    total = lazy.RowSum(lazy.Quotient(e, lazy.RowSum(e)))
    assert Value(total) == 1
