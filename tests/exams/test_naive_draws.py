"""Draws at random, accepted within ± 0.01, let wrong methods pass; the variants that are kept let none."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

from exactattn.attention import attend
from exactattn.exams.draw import Draw
from exactattn.exams.kinds.kind import Given, Kind
from exactattn.exams.kinds.numbers import integers
from exactattn.exams.model import Asked, Question
from exactattn.exams.select import tried
from exactattn.misconceptions import find
from exactattn.trace import Trace

DRAWS = 2_000
TOLERANCE = Fraction(1, 100)

SHARES = {
    "no-scale": (Fraction(661, 1000), Fraction(161, 1000)),
    "key-not-transposed": (Fraction(600, 1000), Fraction(215, 1000)),
    "softmax-over-columns": (Fraction(210, 1000), Fraction(35, 1000)),
}
"""Of 20 000 draws, those in which the wrong method is accepted for one entry of the output or more, and for all four."""

SLACK = Fraction(35, 1000)
"""Three standard deviations of a share of 2 000 draws."""


def draw(source: Draw, asked: Asked) -> Given:
    """2 × 2: whole Q and K from −2 to 3, whole V from −3 to 3."""
    q, k = integers(source, 2, 2, -2, 3), integers(source, 2, 2, -2, 3)
    return {"Q": q, "K": k, "V": integers(source, 2, 2, -3, 3)}


FAMILY = Kind("K00", "naive", draw, ("output",), ("matrix",), ("output",), size={"n": 2}, misconceptions=tuple(SHARES))
ASKED = Asked("naive", "K00", answer="matrix", ask=("output",))


def outputs(trace: Trace) -> list[Fraction]:
    """Twelve certified places, far finer than what is compared."""
    return [Fraction(text) for row in trace.output.decimal(12) for text in row]


@pytest.fixture(scope="module")
def drawn() -> list[tuple[Trace, dict[str, list[Fraction]]]]:
    """The draws, and what each wrong method gives; a method that changes nothing gives what is right."""
    found = []
    for k in range(DRAWS):
        trace = attend(**draw(Draw("7", "naive", k), ASKED))
        wrongs = {name: outputs(find(name).work(trace) or trace) for name in SHARES}
        found.append((trace, wrongs))
    return found


@pytest.fixture(scope="module")
def kept() -> dict[int, Question]:
    """Of the same draws those that are kept, by their number."""
    found = {k: tried(FAMILY, ASKED, "7", k) for k in range(DRAWS)}
    return {k: question for k, question in found.items() if isinstance(question, Question)}


@pytest.mark.parametrize("name", SHARES)
def test_a_fixed_tolerance_accepts_wrong_methods_in_a_large_share_of_draws(drawn, name):
    counts: Counter[str] = Counter()
    for trace, wrongs in drawn:
        close = [abs(x - y) <= TOLERANCE for x, y in zip(outputs(trace), wrongs[name], strict=True)]
        counts["some"] += any(close)
        counts["all"] += all(close)
    some, every = SHARES[name]
    assert abs(Fraction(counts["some"], DRAWS) - some) < SLACK
    assert abs(Fraction(counts["all"], DRAWS) - every) < SLACK


@pytest.mark.parametrize("name", SHARES)
def test_of_what_is_kept_no_entry_accepts_a_wrong_method(drawn, kept, name):
    assert len(kept) > DRAWS // 20
    for k, question in kept.items():
        trace, wrongs = drawn[k]
        (part,) = question.parts
        assert question.trace == trace
        assert len(part.entries) == 4
        assert name in question.seen_through
        for entry, right, wrong in zip(part.entries, outputs(trace), wrongs[name], strict=True):
            assert entry.accepts(right)
            assert not entry.accepts(wrong)
            # nor as it is printed, nor a little off
            for places in (3, 4, 5):
                assert not entry.accepts(round(wrong, places))


def test_what_is_kept_would_fail_a_fixed_tolerance_still(drawn, kept):
    """It is not the draws that are easier: with ± 0.01 some kept ones would accept a wrong method too."""
    assert any(
        abs(x - y) <= TOLERANCE
        for k in kept
        for wrong in drawn[k][1].values()
        for x, y in zip(outputs(drawn[k][0]), wrong, strict=True)
    )
