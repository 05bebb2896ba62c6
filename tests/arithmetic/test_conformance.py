"""One pipeline, four arithmetics: the same operations give the same shapes, and numbers that agree as each one promises.

exact is the reference. sympy equals it, decided; rounded is within the bound it states; balls contain it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactattn.arithmetic import arithmetic
from exactattn.arithmetic.balls import BallArithmetic
from exactattn.arithmetic.rounded import RoundedArithmetic
from exactattn.errors import InputError, Undecided
from exactattn.numbers.matrix import Linear, Matrix
from exactattn.numbers.value import Value

NAMES = ["exact", "sympy", "mpmath:2", "mpmath:11", "mpmath:53", "mpmath:200", "balls:8", "balls:64", "balls:300"]
EXACT = arithmetic("exact")

texts = st.sampled_from(
    ["0", "1", "-1", "0.5", "-2.25", "1/3", "-7/5", "sqrt(2)", "ln(2)", "1-sqrt(3)", "0.1", "3", "ln(3)/2", "-1e-3"]
)


def tables(n: int, m: int) -> st.SearchStrategy[tuple[tuple[str, ...], ...]]:
    return st.tuples(*[st.tuples(*[texts] * m)] * n)


@st.composite
def cases(draw: st.DrawFn) -> dict[str, Any]:
    n, m, d, width = draw(st.integers(1, 3)), draw(st.integers(1, 4)), draw(st.integers(1, 2)), draw(st.integers(1, 2))
    flags = st.tuples(*[st.tuples(*[st.booleans()] * m)] * n)
    return {
        "q": draw(tables(n, 2 * d)),
        "k": draw(tables(m, 2 * d)),
        "v": draw(tables(m, width)),
        "b": draw(tables(1, 2 * d)),
        "w": draw(tables(2 * width, 2)),
        "scale": draw(st.sampled_from(["1", "1/sqrt(2)", "1/2", "1/sqrt(3)"])),
        "keep": draw(st.none() | flags),
        "uniform": draw(st.booleans()),
    }


def work(ar: Any, case: dict[str, Any]) -> dict[str, Any]:
    """Two heads, a bias, a mask, W_O, and what wrong methods do: every operation of the protocol."""
    out: dict[str, Any] = {}
    keep = case["keep"]
    closed = frozenset(i for i, row in enumerate(keep) if not any(row)) if keep else frozenset()
    q = out["q"] = ar.add(ar.read(case["q"]), ar.read(case["b"]))
    k, v = ar.read(case["k"]), ar.read(case["v"])
    half = ar.shape(q)[1] // 2
    heads = []
    for h in range(2):
        qh, kh = ar.columns(q, h * half, (h + 1) * half), ar.columns(k, h * half, (h + 1) * half)
        scores = out[f"scores {h}"] = ar.matmul(qh, ar.transpose(kh))
        scaled = out[f"scaled {h}"] = ar.scale(scores, case["scale"])
        largest = out[f"maxima {h}"] = ar.row_max(scaled, keep)
        shifted = out[f"shifted {h}"] = ar.subtract_column(scaled, largest)
        ones = closed if case["uniform"] else frozenset()
        exps = out[f"exps {h}"] = ar.exp(shifted, keep, ones)
        sums = out[f"sums {h}"] = ar.row_sum(exps)
        weights = out[f"weights {h}"] = ar.divide_column(exps, sums, closed - ones)
        columns = ar.transpose(exps)
        out[f"columns {h}"] = ar.transpose(ar.where(columns, None))
        out[f"open {h}"] = ar.where(weights, keep)
        out[f"scores, open {h}"] = ar.where(scores, keep)
        heads.append(ar.matmul(weights, v))
    out["concat"] = ar.hstack(heads)
    out["side by side"] = ar.hstack([q, ar.read(case["q"])])
    out["output"] = ar.add(ar.matmul(out["concat"], ar.read(case["w"])), ar.read((("1/3", "-1"),)))
    return out


def values(a: Matrix) -> list[list[Value]]:
    n, m = a.shape
    return [[Value(a.entry(i, j)) for j in range(m)] for i in range(n)]


def promised(ar: Any, a: Any, truth: list[list[Value]], name: str) -> None:
    """What this arithmetic says of its matrix is true of the exact one."""
    for i, row in enumerate(truth):
        for j, exact in enumerate(row):
            match ar:
                case RoundedArithmetic():
                    bound = ar.error(a)[i][j]
                    if bound is not None:
                        assert abs(exact - ar.dyadic(a)[i][j]) <= bound, (name, i, j)
                case BallArithmetic():
                    if a[i, j].is_finite():
                        low, high = ar.interval(a, i, j)
                        assert low <= exact, (name, i, j)
                        assert exact <= high, (name, i, j)
                case _:
                    assert Value(ar.exact(a).entry(i, j)) == exact, (name, i, j)


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=12)
@given(case=cases())
def test_every_arithmetic_keeps_its_promise_at_every_step(name: str, case: dict[str, Any]) -> None:
    ar = arithmetic(name)
    truth, other = work(EXACT, case), work(ar, case)
    for step, a in truth.items():
        assert ar.shape(other[step]) == EXACT.shape(a)
        promised(ar, other[step], values(a), step)


XIAN = {
    "q": (("0.25", "0.5", "0.75", "0.5"), ("0.5", "0.25", "0.5", "1")),
    "k": (("0.5", "0.25", "0.75", "0.1"), ("0.25", "0.5", "0.5", "0.9"), ("1", "0", "0.25", "-0.3")),
    "v": (("1", "0.374"), ("0.625", "0"), ("0", "1")),
    "b": (("0", "0.1", "0", "-0.1"),),
    "w": (("1", "0"), ("0", "1"), ("1/2", "1/2"), ("-1", "2")),
    "scale": "1/sqrt(2)",
    "keep": None,
    "uniform": False,
}


@pytest.mark.parametrize("bits", [11, 24, 53, 113, 300])
def test_the_stated_error_of_a_worked_example_is_small(bits: int) -> None:
    """Not only true, but of use: a few units in the last place."""
    ar = RoundedArithmetic(bits)
    made = work(ar, XIAN)
    for step in ("scores 0", "weights 0", "weights 1", "output"):
        assert all(bound is not None and bound < Fraction(60, 2**bits) for row in ar.error(made[step]) for bound in row)


@pytest.mark.parametrize("bits", [64, 128, 300])
def test_balls_of_a_worked_example_are_narrow(bits: int) -> None:
    ar = BallArithmetic(bits)
    made = work(ar, XIAN)
    low, high = ar.interval(made["output"], 1, 1)
    assert 0 < high - low < Fraction(1, 2 ** (bits - 6))


def test_more_bits_come_nearer() -> None:
    truth = values(work(EXACT, XIAN)["output"])[0][0]
    rounded = [(ar := RoundedArithmetic(bits)).dyadic(work(ar, XIAN)["output"])[0][0] for bits in (11, 24, 53, 113)]
    errors = [abs(truth - x) for x in rounded]
    assert errors == sorted(errors, reverse=True)
    assert errors[0] > errors[-1]


@pytest.mark.parametrize("name", NAMES)
def test_masked_rows(name: str) -> None:
    ar = arithmetic(name)
    s = (("1", "2", "3"), ("4", "5", "6"), ("7", "8", "9"))
    keep = ((True, True, False), (False, False, False), (True, True, True))

    def masked(ar: Any, ones: frozenset[int], zeros: frozenset[int]) -> dict[str, Any]:
        largest = ar.row_max(ar.read(s), keep)
        exps = ar.exp(ar.read(s), keep, ones)
        return {"maxima": largest, "exps": exps, "weights": ar.divide_column(exps, ar.row_sum(exps), zeros)}

    for ones, zeros in ((frozenset(), frozenset({1})), (frozenset({1}), frozenset[int]())):
        truth, other = masked(EXACT, ones, zeros), masked(ar, ones, zeros)
        for step, a in truth.items():
            promised(ar, other[step], values(a), step)
        due = Fraction(1, 3) if ones else 0
        assert all(x == due for x in values(truth["weights"])[1])
    assert [row[0] for row in values(truth["maxima"])] == [2, 0, 9]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "balls:8"])
def test_a_sum_of_zero_divides_nothing(name: str) -> None:
    ar = arithmetic(name)
    a, zero = ar.read((("1", "2"), ("3", "4"))), ar.read((("1",), ("0.00",)))
    if name.startswith("balls"):
        with pytest.raises(Undecided):
            ar.interval(ar.divide_column(a, zero, frozenset()), 1, 0)
    else:
        with pytest.raises(InputError, match=r"^row 2: its sum is 0, which divides nothing$"):
            ar.divide_column(a, zero, frozenset())
    promised(ar, ar.divide_column(a, zero, frozenset({1})), values(Linear.read((("1", "2"), ("0", "0")))), "zeros")
