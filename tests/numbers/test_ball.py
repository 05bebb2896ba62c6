"""python-flint's precision is one number for the whole process: nothing changes it for anybody else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from exactattn.arithmetic import arithmetic
from exactattn.errors import ExactAttnError, LimitError, Undecided
from exactattn.numbers.ball import bits_of, endpoints
from exactattn.numbers.limits import LIMITS
from exactattn.numbers.value import Value


@pytest.fixture
def odd_precision() -> Iterator[None]:
    """Precisions that nobody would set, so that a reset is seen too."""
    before, mp_before = ctx.prec, mpmath.mp.prec
    ctx.prec, mpmath.mp.prec = 61, 59
    yield
    ctx.prec, mpmath.mp.prec = before, mp_before


def softmax(name: str) -> Callable[[], Any]:
    def work() -> Any:
        ar = arithmetic(name)
        s = ar.scale(ar.matmul(ar.read([["1/3", "sqrt(2)"]]), ar.read([["1", "0.5"], ["ln(2)", "-1"]])), "1/sqrt(2)")
        e = ar.exp(ar.subtract_column(s, ar.row_max(s, None)), None, frozenset())
        a = ar.divide_column(e, ar.row_sum(e), frozenset())
        if name.startswith("balls"):
            return ar.interval(a, 0, 0)  # type: ignore[attr-defined]
        return Value(ar.exact(a).entry(0, 0)).decimal(40)

    return work


def undecided() -> None:
    e = Value.of(1, replace(LIMITS, bits=300)).exp()
    assert e.exp() == (e * e / e).exp()


WORK: dict[str, Callable[[], Any]] = {
    "exact": softmax("exact"),
    "sympy": softmax("sympy"),
    "rounded": softmax("mpmath:24"),
    "balls": softmax("balls:77"),
    "digits": lambda: Value.of("1/7").exp().decimal(300),
    "significant digits": lambda: Value.of("-1/7").exp().significant(100),
    "a near tie": lambda: (1 / (1 + Value.of("2.708050201102210065").exp())).decimal(3),
    "a format": lambda: Value.of("1/7").exp().to_float("binary32"),
    "an interval": lambda: Value.of("1/7").exp().interval(333),
    "a comparison": lambda: Value.of("0.3333333333333333333333333333").exp() < Value.of("1/3").exp(),
    "mpmath": lambda: Value.of("1/7").exp().to_mpmath(77),
    "repr": lambda: repr(Value.of("1/7").exp()),
    "an open comparison": undecided,
    "a wrong text": lambda: Value.of("1/0"),
}


@pytest.mark.parametrize("what", WORK)
@pytest.mark.usefixtures("odd_precision")
def test_no_precision_leaks(what: str) -> None:
    try:
        WORK[what]()
    except ExactAttnError:
        assert what in ("an open comparison", "a wrong text")
    assert (ctx.prec, mpmath.mp.prec) == (61, 59)


@pytest.mark.usefixtures("odd_precision")
def test_an_error_inside_gives_the_precision_back() -> None:
    with pytest.raises(KeyError), bits_of(100), bits_of(200):
        raise KeyError
    assert ctx.prec == 61
    with bits_of(100):
        with bits_of(300):
            assert ctx.prec == 300
        assert ctx.prec == 100


@pytest.mark.usefixtures("odd_precision")
def test_threads_do_not_disturb_each_other() -> None:
    due = {name: str(work()) for name, work in WORK.items() if name not in ("an open comparison", "a wrong text")}
    wrong: list[tuple[str, str]] = []

    def repeat(offset: int) -> None:
        names = list(due)
        for k in range(12):
            name = names[(k + offset) % len(names)]
            if (got := str(WORK[name]())) != due[name]:
                wrong.append((name, got))

    threads = [threading.Thread(target=repeat, args=(k,)) for k in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert ctx.prec == 61


def test_the_results_do_not_depend_on_the_precision_outside() -> None:
    due = [str(work()) for name, work in WORK.items() if name not in ("an open comparison", "a wrong text")]
    for outside in (2, 10, 5000):
        with bits_of(outside):
            got = [str(work()) for name, work in WORK.items() if name not in ("an open comparison", "a wrong text")]
        assert got == due


# -- ends of a ball ------------------------------------------------------------------------------------------------------------

halves = st.builds(lambda n, k: (n, k), st.integers(-(2**70), 2**70), st.integers(-80, 80))


@given(halves, st.integers(0, 2**20), st.integers(-60, 60))
def test_the_ends_of_a_ball_are_exact(middle: tuple[int, int], radius: int, k: int) -> None:
    n, exponent = middle
    with bits_of(400):
        ball = arb((n, exponent)) + arb(0, arb((radius, k)))
        r = ball.rad().fmpq()
    low, high = endpoints(ball)
    m = Fraction(n) * Fraction(2) ** exponent
    assert (low + high) / 2 == m
    assert (high - low) / 2 == Fraction(int(r.p), int(r.q)) >= radius * Fraction(2) ** k


def test_ends_next_to_zero_and_far_out() -> None:
    tiny = arb((1, -2_000_000))
    for ball, low_due, high_due in (
        (tiny, 0, 1),
        (-tiny, -1, 0),
        (arb(0, tiny), -1, 1),
        (arb(1) + arb(0, tiny), 1, 1),
        (arb(0), 0, 0),
        (arb(3), 3, 3),
    ):
        low, high = endpoints(ball)
        for end, due in ((low, low_due), (high, high_due)):
            assert (end > 0) - (end < 0) == (due > 0) - (due < 0)
        assert high - low <= Fraction(1, 2**900_000)
    with pytest.raises(LimitError):
        endpoints(arb((1, 2_000_000)))
    for boundless in (arb("inf"), arb("nan"), 1 / arb(0, 1)):
        with pytest.raises(Undecided):
            endpoints(boundless)


def test_a_radius_is_never_rounded_down() -> None:
    with bits_of(64):
        third = arb(0, fmpq(1, 3))
    low, high = endpoints(third)
    assert low <= Fraction(-1, 3)
    assert high >= Fraction(1, 3)
    assert high <= Fraction(1, 3) + Fraction(1, 2**28)
