"""Honest work is right, however it is rounded on the way to as many places as the statement asks for.

The work is done here in decimals of its own, half up, as a pencil does it.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal, getcontext
from fractions import Fraction
from itertools import islice

import pytest

from exactattn.exams.model import Asked
from exactattn.exams.select import variants
from exactattn.numbers.value import Value

VARIANTS = 40


def to(x: Decimal, places: int) -> Decimal:
    return x.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)


@pytest.mark.parametrize("d_k", [5, 7])
def test_a_scale_may_be_written_down_rounded(d_k):
    """Times 1/√d_k, and divided by √d_k, each written down with 5 places before it is used."""
    getcontext().prec = 50
    asked = Asked("q", "K01", size={"n": 2, "m": 3, "d_k": d_k}, difficulty=5, ask=("scaled",), answer="matrix")
    root = Decimal(d_k).sqrt()
    times, by = to(1 / root, asked.working), to(root, asked.working)
    apart = 0
    for question in islice(variants(asked, "honest"), VARIANTS):
        (part,) = question.parts
        for entry in part.entries:
            score = Decimal(str(question.trace.scores.value(entry.place.row, entry.place.column)))
            for scaled in (score * times, to(score * times, 5), score / by, to(score / by, 5)):
                typed = to(scaled, asked.places)
                assert entry.accepts(Fraction(typed)), (score, entry.text, typed)
                apart += str(typed) != entry.text
    assert apart, "no answer differs from its key in a last digit: nothing is tried here"


@pytest.mark.parametrize("ask", ["scaled", "weights", "output"])
def test_a_key_of_work_rounded_at_each_step_is_that_of_the_printed_step(ask):
    """Rounded to `working` places on the page, and from there to the places that are asked for."""
    asked = Asked("q", "K03", ask=(ask,), track="stepwise", working=3, places=2)
    twice = 0
    for question in islice(variants(asked, "stepwise"), VARIANTS):
        for entry in question.parts[0].entries:
            step = question.trace.step(entry.place.name, entry.place.head)
            printed = Decimal(step.made.decimal(asked.working)[entry.place.row][entry.place.column])
            assert Decimal(entry.text) == to(printed, asked.places)
            exact = Value.of(step.computed.value(entry.place.row, entry.place.column))
            twice += entry.text != exact.decimal(asked.places)
            assert entry.accepts(Fraction(exact.decimal(asked.places)))
    assert twice, "no number is rounded twice to another digit: nothing is tried here"
