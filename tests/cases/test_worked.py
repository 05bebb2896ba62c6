"""The bundled cases, worked: each goes through the pipeline, and is good to learn from."""

from __future__ import annotations

from fractions import Fraction

import pytest

from exactattn.attention import attend
from exactattn.cases import bundled, load_case


def worked(name):
    case = load_case(name)
    return attend(
        **case.inputs, **case.attention.given(), tokens=case.tokens, key_tokens=case.key_tokens, symbols=case.symbols
    )


@pytest.mark.parametrize("name", sorted(set(bundled()) - {"by-hand", "letters"}))  # equal on purpose; without an order
def test_no_two_keys_tie_for_a_query(name):
    case = load_case(name)
    trace = worked(name)
    for head in trace.heads:
        for row in head.weights.decimal(9):
            open_weights = [w for w in row if w != "0.000000000"]
            assert len(set(open_weights)) == len(open_weights)
    assert len(trace.output.decimal(3)) == len(case.tokens)


def test_by_hand_comes_out_in_fractions():
    trace = worked("by-hand")
    assert [[str(trace.weights[i, j]) for j in range(3)] for i in range(3)] == [
        ["1/6", "1/3", "1/2"],
        ["1/6", "1/2", "1/3"],
        ["1/2", "1/4", "1/4"],
    ]
    assert trace.output[0, 1] == 7
    assert trace.output[2, 0] == Fraction(3, 2)
