"""Examples of our own for what those of others do not print. Each verdict is worked out by hand in a comment.

p is printed, t true, r recomputed from what is printed one step earlier, I the interval of r; a unit is one of p's last place.
"""

from __future__ import annotations

from typing import Any

import pytest

import exactattn as xa


def verdicts(printed: dict[str, Any], inputs: dict[str, Any] | None = None, **attention: Any) -> dict[str, Any]:
    """The verdicts on an example."""
    return xa.audit({"inputs": inputs or {}, "attention": attention, "printed": printed}).verdicts


# -- shifted scores ------------------------------------------------------------------------------------------------------

SCORES = {"scores": [["0.26", "1.14", "2.04"]]}  # less their maximum: -1.78, -0.90, 0
# 0.3, 1.1, 2.0 round t and r = t. Less their maximum: r = -1.7, -0.9, 0.
# I of the first is 0.25..0.35 less 1.95..2.05, which is -1.80..-1.60; of the last 0 alone, since it stays the maximum.
SCALED = [["0.3", "1.1", "2.0"]]


@pytest.mark.parametrize(
    ("p", "verdict"),
    [
        ("-1.8", "hidden-digits"),  # to one decimal t is -1.8 and r is -1.7
        ("-1.7", "early-rounding"),
        ("-1.78", "hidden-digits"),
        ("-1.70", "early-rounding"),
        ("-1.79", "explainable"),  # one unit off, but t has two decimals itself: no slip of the last digit. It is in I
        ("-1.62", "explainable"),
        ("-1.81", "wrong"),  # below -1.80 - 0.005
        ("-1.785", "explainable"),
        ("-1.807", "wrong"),  # below -1.80 - 0.0005
    ],
)
def test_a_shifted_score(p, verdict):
    found = verdicts({"scaled": SCALED, "shifted": [[p, "-0.9", "0.0"]]}, SCORES, scale="1")
    # a point shows the places of each number on its own: -0.9 and 0.0 have one
    assert found == {"scaled": [["ok", "ok", "ok"]], "shifted": [[verdict, "ok", "ok"]]}


@pytest.mark.parametrize(("p", "verdict"), [("0.00", "ok"), ("-0.00", "ok"), ("0", "ok"), ("0.01", "wrong")])
def test_the_maximum_less_itself_is_nothing(p, verdict):
    # 0.01 is a unit away from t = 0, which has two decimals; I is 0 alone
    assert verdicts({"scaled": SCALED, "shifted": [["", "-0.90", p]]}, SCORES)["shifted"] == [[None, "ok", verdict]]


def test_a_wrong_maximum_taints_its_whole_row():
    printed = {
        "scaled": [["0.3", "1.1", "2.5"]],  # 2.5 is not t = r = 2.04, and I is that alone
        "shifted": [["-2.2", "-1.4", "0.0"]],  # all r; the first two more than a unit from t, the last t itself
    }
    assert verdicts(printed, SCORES, scale="1") == {
        "scaled": [["ok", "ok", "wrong"]],
        "shifted": [["inherited", "inherited", "ok"]],
    }


@pytest.mark.parametrize(
    ("p", "verdict"),
    [
        # t = e^-1.78 = 0.168638, r = e^-1.8 = 0.165299, I = e^-1.85..e^-1.75 = 0.157237..0.173774
        ("0.169", "hidden-digits"),
        ("0.165", "early-rounding"),
        ("0.168", "last-digit"),
        ("0.170", "explainable"),
        ("0.157", "explainable"),  # 0.157237 - 0.0005 is less
        ("0.174", "explainable"),  # 0.173774 + 0.0005 is more
        ("0.156", "wrong"),
        ("0.175", "wrong"),
    ],
)
def test_an_exponential_of_a_shifted_score(p, verdict):
    # 0.407 is t = e^-0.9 = 0.40657, and r; 1.000 is both
    found = verdicts({"shifted": [["-1.8", "-0.9", "0.0"]], "exps": [[p, "0.407", "1.000"]]}, SCORES, scale="1")
    # no scaled scores are printed, so shifted ones have no r
    assert found == {"shifted": [["ok", "ok", "ok"]], "exps": [[verdict, "ok", "ok"]]}


def test_exponentials_come_from_the_shifted_scores_though_scaled_ones_are_printed_too():
    # r of 0.165 is e^-1.8; from the scaled scores it would be e^(0.3 - 2.0) = 0.183
    printed = {"scaled": SCALED, "shifted": [["-1.8", "-0.9", "0.0"]], "exps": [["0.165", "0.407", "1.000"]]}
    assert verdicts(printed, SCORES, scale="1")["exps"] == [["early-rounding", "ok", "ok"]]
    del printed["shifted"]
    # now r = 0.182684 and I = e^-1.8..e^-1.6 = 0.1653..0.2019: 0.165 is in I - 0.0005
    assert verdicts(printed, SCORES, scale="1")["exps"] == [["explainable", "ok", "ok"]]


# -- heads -----------------------------------------------------------------------------------------------------------------

# Two heads of width 1, scale ln(3). Head 1: scores 1, 0 / 0, 0, so weights 3/4, 1/4 / 1/2, 1/2; with V = 8, 0 outputs 6, 4.
# Head 2: scores 0, 0 / 0, 1, so weights 1/2, 1/2 / 1/4, 3/4; with V = 0, 4 outputs 2, 3.
TWO = {"Q": [["1", "0"], ["0", "1"]], "K": [["1", "0"], ["0", "1"]], "V": [["8", "0"], ["0", "4"]]}
W_O = {"W_O": [["1"], ["2"]]}  # output: 6 + 4 = 10 and 4 + 6 = 10


def test_two_heads_each_follow_from_their_own():
    printed = {
        "heads": [
            {"weights": [["3/4", "1/4"], ["1/2", "1/2"]], "output": [["6.0"], ["5.0"]]},
            {"weights": [["0.75", "0.25"], ["0.25", "0.75"]], "output": [["1.0"], ["3.0"]]},
        ],
        "output": [["8.0"], ["11.0"]],
    }
    assert verdicts(printed, TWO | W_O, heads=2, scale="ln(3)") == {
        "heads": [
            # 5.0: t = r = 4, and fractions have no spread
            {"weights": [["ok", "ok"], ["ok", "ok"]], "output": [["ok"], ["wrong"]]},
            # the first row has the weights of head 1: t is 1/2, and scores are not printed. 1.0 = 0.75·0 + 0.25·4 follows
            {"weights": [["wrong", "wrong"], ["ok", "ok"]], "output": [["inherited"], ["ok"]]},
        ],
        # 6.0 + 2·1.0 = 8 and 5.0 + 2·3.0 = 11 follow, a wrong or inherited operand in each; t = 10 is units away
        "output": [["inherited"], ["inherited"]],
    }


@pytest.mark.parametrize(
    ("p", "verdict"),
    [
        ("10.0", "ok"),
        ("10", "ok"),
        ("10.1", "explainable"),  # I = 5.95..6.05 + 2·(1.95..2.05) = 9.85..10.15; one unit off, and t has one decimal
        ("10.2", "explainable"),  # at most 10.15 + 0.05
        ("10.3", "wrong"),
    ],
)
def test_the_final_output_follows_from_the_printed_outputs_of_the_heads(p, verdict):
    printed = {"heads": [{"output": [["6.0"], ["4.0"]]}, {"output": [["2.0"], ["3.0"]]}], "output": [[p], [""]]}
    assert verdicts(printed, TWO | W_O, heads=2, scale="ln(3)") == {
        "heads": [{"output": [["ok"], ["ok"]]}, {"output": [["ok"], ["ok"]]}],
        "output": [[verdict], [None]],
    }


def test_without_an_output_matrix_the_heads_stand_side_by_side():
    printed = {
        "heads": [{"output": [["6.0"], ["5.0"]]}, {"output": [["2.0"], ["3.0"]]}],
        "output": [["6.0", "2.0"], ["5.0", "3.0"]],
    }
    found = verdicts(printed, TWO, heads=2, scale="ln(3)")
    # 5.0 for 4 is wrong where it is worked out (no weights are printed: r is null), and inherited where it is copied
    assert found["heads"] == [{"output": [["ok"], ["wrong"]]}, {"output": [["ok"], ["ok"]]}]
    assert found["output"] == [["ok", "ok"], ["inherited", "ok"]]


def test_a_final_output_has_no_step_before_it_unless_every_head_is_printed():
    # t = 10; with r null 10.1 is wrong, where I would have explained it
    printed = {"heads": [{"output": [["6.0"], ["4.0"]]}, {}], "output": [["10.1"], ["10.0"]]}
    assert verdicts(printed, TWO | W_O, heads=2, scale="ln(3)")["output"] == [["wrong"], ["ok"]]


def test_heads_read_their_columns_of_what_is_printed_as_a_whole():
    printed = {
        "Q": [["1.0", "1.0"], ["0.0", "1.0"]],  # the second number is 0
        "heads": [
            {"scores": [["1.0", "0.0"], ["0.0", "0.0"]]},
            # r of the first row is 1·0 = 0 and 1·1 = 1; t is 0 and 0, ten units away
            {"scores": [["0.0", "1.0"], ["0.0", "1.0"]]},
        ],
    }
    assert verdicts(printed, TWO, heads=2) == {
        "Q": [["ok", "wrong"], ["ok", "ok"]],  # Q is given: nothing comes before it
        "heads": [
            {"scores": [["ok", "ok"], ["ok", "ok"]]},
            {"scores": [["ok", "inherited"], ["ok", "ok"]]},
        ],
    }


# -- cross-attention -------------------------------------------------------------------------------------------------------

CROSS = {
    "X": [["1", "2"]],  # one query
    "X_kv": [["1", "0"], ["0", "1"], ["1", "1"]],  # three keys
    "W_Q": [["1", "0"], ["0", "1"]],  # Q = 1 2
    "W_K": [["1", "1"], ["0", "1"]],  # K = 1 1 / 0 1 / 1 2
    "W_V": [["6", "0", "3"], ["0", "6", "0"]],  # V = 6 0 3 / 0 6 0 / 6 6 3: three wide
}  # scores 3, 2, 5


def test_keys_and_values_come_from_the_other_sentence():
    printed = {
        "Q": [["1", "2"]],
        # 2 for 1 in the second row: r = t = 1, an exact integer, so one unit is no slip; I = 1. And 2 < 1 + 1/2 fails
        "K": [["1", "1"], ["0", "2"], ["1", "2"]],
        "V": [["6", "0", "3"], ["0", "6", "0"], ["6", "6", "3"]],
        # 4 = 1·0 + 2·2 follows from the wrong key; t = 2 is two units away
        "scores": [["3", "4", "5"]],
        # by ln(2): t = 8, 4, 32 over 44 = 0.1818, 0.0909, 0.7273; r = 8, 16, 32 over 56 = 0.1429, 0.2857, 0.5714
        "weights": [["0.14", "0.29", "0.57"]],
        # t = (8·6 + 32·6)/44 = 5.4545, (4·6 + 32·6)/44 = 4.9091, 240/88 = 2.7273
        # r = 0.14·6 + 0.57·6 = 4.26, 0.29·6 + 0.57·6 = 5.16, 0.14·3 + 0.57·3 = 2.13
        "output": [["4.26", "5.16", "2.14"]],
    }
    assert verdicts(printed, CROSS, scale="ln(2)") == {
        "Q": [["ok", "ok"]],
        "K": [["ok", "ok"], ["ok", "wrong"], ["ok", "ok"]],
        "V": [["ok", "ok", "ok"], ["ok", "ok", "ok"], ["ok", "ok", "ok"]],
        "scores": [["ok", "inherited", "ok"]],
        "weights": [["inherited", "inherited", "inherited"]],
        # 2.14: I = 3·(0.135..0.145) + 3·(0.565..0.575) = 2.10..2.16
        "output": [["inherited", "inherited", "inherited"]],
    }


def test_a_bias_is_an_operand_like_any_other():
    inputs = {"X": [["1"]], "W_Q": [["2"]], "b_Q": [["0.3"]], "K": [["1"]]}  # Q = 2.3
    assert verdicts({"Q": [["2.3"]]}, inputs)["Q"] == [["ok"]]
    # one unit off, and 2.3 has one decimal: no slip of the last digit. Without spread I is 2.3 alone
    assert verdicts({"Q": [["2.4"]]}, inputs)["Q"] == [["wrong"]]
    # 0.3 as 0.25..0.35: I = 2.25..2.35, and 2.4 - 0.05 is in it
    assert verdicts({"Q": [["2.4"]]}, inputs, inputs_rounded=True)["Q"] == [["explainable"]]


# -- what has a spread -----------------------------------------------------------------------------------------------------


def test_inputs_have_a_spread_only_where_they_are_said_to_be_rounded():
    inputs = {"Q": [["0.5"]], "K": [["2.0"], ["1"]]}
    printed = {"scores": [["1.2", "0.6"]]}
    # t = r = 1 and 0.5, I is that alone
    assert verdicts(printed, inputs) == {"scores": [["wrong", "wrong"]]}
    # I = 0.45..0.55 times 1.95..2.05 = 0.8775..1.1275: 1.2 - 0.05 = 1.15 is not in it.
    # The key 1 has no point and no spread: I = 0.45..0.55, and 0.6 - 0.05 is its end
    assert verdicts(printed, inputs, inputs_rounded=True) == {"scores": [["wrong", "explainable"]]}


def test_what_is_exact_has_no_spread():
    inputs = {"scores": [["0.52", "0.00"]]}
    printed = {"scaled": [["0.5", "0.0"]], "exps": [["1.60", "1.00"]]}
    # t = e^0.52 = 1.6820, r = e^0.5 = 1.6487, I = e^0.45..e^0.55 = 1.5683..1.7333
    assert verdicts(printed, inputs, scale="1", shift="none")["exps"] == [["explainable", "ok"]]
    assert verdicts(printed, inputs, scale="1", shift="none", exact=["scaled"])["exps"] == [["wrong", "ok"]]


def test_a_number_without_a_point_has_no_spread_but_claims_the_decimals_of_its_matrix():
    # weights 0.2689, 0.7311. The bare 1 claims 1.0: t is 0.7. And the 0 claims 0.0
    printed = {"weights": [["0.3", "1"]], "output": [["2.0"]]}
    inputs = {"scores": [["0", "1"]], "V": [["0"], ["2"]]}
    # t = 1.46, r = 2.0 = 1·2: an operand is wrong, |p - t| is units: inherited
    assert verdicts(printed, inputs, scale="1") == {"weights": [["ok", "wrong"]], "output": [["inherited"]]}
    # the bare 1 is 1 alone: I = 2, where 1.0 would give 1.9..2.1
    printed["output"] = [["2.1"]]
    assert verdicts(printed, inputs, scale="1")["output"] == [["wrong"]]
    printed["weights"] = [["0.3", "1.0"]]
    assert verdicts(printed, inputs, scale="1")["output"] == [["inherited"]]


# -- masks -----------------------------------------------------------------------------------------------------------------

MASKED = {"Q": [["1", "0"], ["0", "1"]], "K": [["1", "0"], ["0", "1"]], "V": [["1"], ["2"]]}


def test_minus_infinity_is_right_where_it_is_masked():
    printed = {
        "scores": [["1", "-∞"], ["0", "1"]],
        "scaled": [["1.0", "-inf"], ["−∞", "1.0"]],  # the second is open: wrong
        # the maximum of row 2 is 1. The open −∞ is read as e^-∞ = 0: 0.00 is r, t = e^-1 = 0.37; the operand is tainted
        "exps": [["1.00", "0"], ["0.00", "1.00"]],
        "weights": [["1.00", "0.00"], ["0.00", "1.00"]],  # t = 0.27, 0.73; r = 0, 1
        "output": [["1.0"], ["2.0"]],  # t = 1, 1.73; r = 1, 2
    }
    assert verdicts(printed, MASKED, scale="1", mask="causal") == {
        "scores": [["ok", "ok"], ["ok", "ok"]],
        "scaled": [["ok", "ok"], ["wrong", "ok"]],
        "exps": [["ok", "ok"], ["inherited", "ok"]],
        "weights": [["ok", "ok"], ["inherited", "inherited"]],
        "output": [["ok"], ["inherited"]],
    }


def test_a_masked_place_is_nothing_after_the_exponential_and_not_read_before_it():
    printed = {
        "scaled": [["1.0", "9.9"], ["0.0", "1.0"]],  # 9.9 at a masked place is judged like any score: t = 0
        "exps": [["1.00", "0.10"], ["0.37", "1.00"]],  # 0.10 where t = 0, r = 0 and I = 0
        "sums": ["1.00", "1.37"],  # 1.00 alone
        "weights": [["1.00", "0.00"], ["0.27", "0.73"]],
        "output": [["1.00"], ["1.73"]],
    }
    assert verdicts(printed, MASKED, scale="1", mask="causal") == {
        "scaled": [["ok", "wrong"], ["ok", "ok"]],
        "exps": [["ok", "wrong"], ["ok", "ok"]],
        "sums": ["ok", "ok"],
        "weights": [["ok", "ok"], ["ok", "ok"]],
        "output": [["ok"], ["ok"]],
    }


def test_minus_infinity_is_wrong_where_nothing_can_be_masked():
    assert verdicts({"weights": [["-inf", "1"]]}, {"scores": [["0", "9"]]}, scale="1")["weights"] == [["wrong", "ok"]]
    found = verdicts({"output": [["1"], ["-inf"]]}, MASKED, scale="1", mask="causal")
    assert found == {"output": [["ok"], ["wrong"]]}


def test_what_masked_places_hold_may_be_left_out():
    printed = {
        "exps": [["1.00", None], ["0.37", "1.00"]],
        "sums": ["1.00", "1.37"],
        "weights": [["1.00", ""], ["0.27", "0.73"]],
        # r = 1.00·1 = 1: the place left out is 0. The second: r = 0.27 + 1.46
        "output": [["1.00"], ["1.73"]],
    }
    assert verdicts(printed, MASKED, scale="1", mask="causal") == {
        "exps": [["ok", None], ["ok", "ok"]],
        "sums": ["ok", "ok"],
        "weights": [["ok", None], ["ok", "ok"]],
        "output": [["ok"], ["ok"]],
    }


def test_a_row_with_nothing_open_has_no_weights():
    printed = {"exps": [["0", "0"], ["1", "0.37"]], "sums": ["0", "1.37"], "weights": [["0", "0"], ["0.73", "0.27"]]}
    mask = [[0, 0], [1, 1]]
    # a printed sum of 0 divides nothing: r and I of the weights are null, and p rounds t = 0
    assert verdicts(printed, {"scores": [["1", "2"], ["1", "0"]]}, scale="1", mask=mask) == {
        "exps": [["ok", "ok"], ["ok", "ok"]],
        "sums": ["ok", "ok"],
        "weights": [["ok", "ok"], ["ok", "ok"]],
    }


# -- what is not there -----------------------------------------------------------------------------------------------------


def test_rows_and_entries_may_be_missing():
    inputs = {"scores": [["0", "1"], ["1", "0"], ["2", "2"]], "V": [["0"], ["1"]]}
    printed = {
        "exps": [[], ["1.0", None], ["1.0", "1.0"]],
        "sums": [None, "1.4", ""],
        "weights": [["0.27", None], [None, "0.27"], []],
        "output": [["0.73"], [None], ["0.50"]],
    }
    assert verdicts(printed, inputs, scale="1") == {
        "exps": [[], ["ok", None], ["ok", "ok"]],
        # the second row of exponentials is not whole: its sum has no r, and 1.4 rounds t = 1.3679
        "sums": [None, "ok", None],
        # the exponential of the second weight is not printed: r is null, p rounds t = 0.2689
        "weights": [["ok", None], [None, "ok"], []],
        # no row of weights is whole: r is null throughout
        "output": [["ok"], [None], ["ok"]],
    }


def test_what_is_missing_keeps_its_shape():
    printed = {
        "weights": [None, [None, ""], []],
        "sums": [None, "", None],
        "output": [["1"], None, [None]],
        "heads": [{}],
    }
    inputs = {"scores": [["0", "0"]] * 3, "V": [["1"], ["1"]]}
    assert verdicts(printed, inputs, scale="1") == {
        "weights": [None, [None, None], []],
        "sums": [None, None, None],
        "output": [["ok"], None, [None]],
        "heads": [{}],
    }


def test_rows_that_are_not_printed_are_read_where_they_are_given():
    inputs = {"scores": [["0.44", "0"], ["1", "0"]]}
    # r of the first row is e^0.4/(e^0.4 + 1) = 0.5987 by the printed score, of the second 0.7311 by the given ones
    printed = {"scores": [["0.4", "0.0"], []], "weights": [["0.608", "0.392"], ["0.731", "0.269"]]}
    # t = e^0.44/(e^0.44 + 1) = 0.60826, 0.39174
    assert verdicts(printed, inputs, scale="1") == {
        "scores": [["ok", "ok"], []],
        "weights": [["hidden-digits", "hidden-digits"], ["ok", "ok"]],
    }
    # an entry alone is read from the input too: I of the first row is e^0.35..e^0.45 over itself + e^0 exactly
    printed["scores"] = [["0.4", None], []]
    assert verdicts(printed, inputs, scale="1")["scores"] == [["ok", None], []]
    assert verdicts(printed, inputs, scale="1")["weights"] == [["hidden-digits", "hidden-digits"], ["ok", "ok"]]


@pytest.mark.parametrize(
    ("p", "verdict"),
    [
        # t is null. r = 1.0/3.7 = 0.27027, I = 0.95..1.05 over 3.65..3.75 = 0.25333..0.28767
        ("0.27", "ok"),
        ("0.28", "explainable"),
        ("0.29", "explainable"),  # 0.28767 + 0.005 is more
        ("0.25", "explainable"),
        ("0.24", "wrong"),
        ("0.30", "wrong"),
    ],
)
def test_without_inputs_a_number_is_held_against_the_step_before_it(p, verdict):
    printed = {"exps": [["1.0", "2.7"]], "sums": ["3.7"], "weights": [[p, "0.73"]], "output": [["9"]]}
    assert verdicts(printed) == {
        "exps": [["unchecked", "unchecked"]],  # nothing before them
        "sums": ["ok"],
        "weights": [[verdict, "ok"]],
        "output": [["unchecked"]],  # V is neither given nor printed
    }


def test_a_wrong_number_taints_without_inputs_too():
    # t is null, so nothing is inherited: 0.50 follows from the wrong sum
    printed = {"exps": [["1.0", "1.0"]], "sums": ["3.0"], "weights": [["0.33", "0.50"]]}
    # r = 2.0 and I = 1.9..2.1; 3.0 is wrong. r of the weights is 1/3; I = 0.95..1.05 over 2.95..3.05 = 0.311..0.356
    assert verdicts(printed) == {
        "exps": [["unchecked", "unchecked"]],
        "sums": ["wrong"],
        "weights": [["ok", "wrong"]],
    }


def test_a_divisor_that_may_be_nothing_gives_no_quotient():
    # 0.0 is -0.05..0.05: r and I are null. t = 0.2689 and 0.7311; 0.74 is 0.0089 off, less than a unit
    printed = {"exps": [["1.0", "2.7"]], "sums": ["0.0"], "weights": [["0.27", "0.74"]]}
    assert verdicts(printed, {"scores": [["0", "1"]]}, scale="1", shift="none") == {
        "exps": [["ok", "ok"]],
        "sums": ["wrong"],
        "weights": [["ok", "last-digit"]],
    }
    # the exponentials alone: each 0.0 may be -0.05..0.05, and so may their sum be 0
    printed = {"exps": [["0.0", "0.0"]], "weights": [["0.27", "0.74"]]}
    assert verdicts(printed, {"scores": [["-9", "-8"]]}, scale="1", shift="none") == {
        "exps": [["ok", "ok"]],
        "weights": [["ok", "last-digit"]],
    }


# -- ways of writing -------------------------------------------------------------------------------------------------------


def test_fractions_roots_and_logarithms_are_exact_claims():
    inputs = {"scores": [["1", "2"], ["0", "1"]], "V": [["4"], ["8"]]}
    printed = {
        # scale √2/2: 0.7071 is no exact claim and rounds t; √2/2 and √2 are; 0.71 is exact nowhere
        "scaled": [["sqrt(2)/2", "√2"], ["0", "0.7071"]],
        "weights": [[None, None], ["1/3", "2/3"]],  # 1/(1 + e^0.7071): 0.330, so 1/3 is an exact claim that is wrong
        # r = 4/3 + 16/3 = 20/3 from the wrong weights; t = 4·0.330 + 8·0.670 = 6.68: 20/3 is exactly r, and not t
        "output": [[None], ["20/3"]],
    }
    assert verdicts(printed, inputs, scale="1/sqrt(2)") == {
        "scaled": [["ok", "ok"], ["ok", "ok"]],
        "weights": [[None, None], ["wrong", "wrong"]],
        "output": [[None], ["inherited"]],
    }


def test_an_exact_claim_that_is_true_is_ok_and_one_near_the_truth_is_wrong():
    inputs = {"scores": [["ln(2)", "0"]], "V": [["3"], ["0"]]}
    assert verdicts({"weights": [["2/3", "1/3"]], "output": [["2"]]}, inputs, scale="1") == {
        "weights": [["ok", "ok"]],
        "output": [["ok"]],
    }
    # a unit of an exact claim is nothing, so nothing is near
    assert verdicts({"weights": [["66667/100000", "1/3"]]}, inputs, scale="1") == {"weights": [["wrong", "ok"]]}


def test_integers_alone_claim_units():
    inputs = {"scores": [["0", "1"]], "V": [["10"], ["13"]]}
    # t = 0.27, 0.73 and 12.19: rounded to 0, 1 and 12. r of the output is 0·10 + 1·13 = 13, without spread
    assert verdicts({"weights": [["0", "1"]], "output": [["12"]]}, inputs, scale="1") == {
        "weights": [["ok", "ok"]],
        "output": [["hidden-digits"]],
    }
    # 13 is r and not t; less than a unit from t, so not inherited whatever comes before
    assert verdicts({"weights": [["0", "1"]], "output": [["13"]]}, inputs, scale="1")["output"] == [["early-rounding"]]
    # 11 is 1.19 units from t, and not r
    assert verdicts({"weights": [["0", "1"]], "output": [["11"]]}, inputs, scale="1")["output"] == [["wrong"]]


@pytest.mark.parametrize(
    ("p", "verdict"),
    [
        # t = 153.2
        ("1.532e2", "ok"),
        ("1.53e2", "ok"),  # to the units
        ("1.5e2", "ok"),  # to the tens
        ("2e2", "ok"),  # to the hundreds
        ("1.6e2", "last-digit"),  # 6.8 off, less than ten, and 153.2 is no number of tens
        ("1.54e2", "last-digit"),
        ("1.55e2", "wrong"),
        ("1e2", "last-digit"),
        ("3e2", "wrong"),
        ("1532e-1", "ok"),
        ("1533e-1", "wrong"),  # a unit off, and 153.2 has one decimal
        ("153.20", "ok"),
        ("153", "ok"),
    ],
)
def test_powers_of_ten_show_their_last_place(p, verdict):
    assert verdicts({"output": [[p]]}, {"scores": [["5"]], "V": [["153.2"]]}, scale="1") == {"output": [[verdict]]}


def test_on_a_tie_either_rounding_is_right():
    inputs = {"scores": [["0", "0"]], "V": [["2"], ["3"]]}  # t = 5/2
    for p in ("2", "3"):
        assert verdicts({"output": [[p]]}, inputs, scale="1") == {"output": [["ok"]]}
        # r = 0.5·2 + 0.5·3 = 5/2 as well
        printed = {"weights": [["0.5", "0.5"]], "output": [[p]]}
        assert verdicts(printed, inputs, scale="1")["output"] == [["ok"]]
    assert verdicts({"output": [["-2"]]}, {"scores": [["0", "0"]], "V": [["-2"], ["-3"]]}, scale="1") == {
        "output": [["ok"]]
    }


# -- small and turned round ------------------------------------------------------------------------------------------------


def test_one_query_and_one_key():
    printed = {
        "scores": [["6"]],
        "scaled": [["3"]],
        "shifted": [["0"]],
        "exps": [["1"]],
        "sums": ["1"],
        "weights": [["1.000"]],
        "output": [["7", "-1"]],
    }
    found = verdicts(printed, {"Q": [["1", "2", "0", "0"]], "K": [["2", "2", "0", "0"]], "V": [["7", "-1"]]})
    assert found == {
        "scores": [["ok"]],
        "scaled": [["ok"]],
        "shifted": [["ok"]],
        "exps": [["ok"]],
        "sums": ["ok"],
        "weights": [["ok"]],
        "output": [["ok", "ok"]],
    }


def test_a_negative_scale_turns_the_order_round():
    # t: scores times -1 are -0.44, 0, so the maximum is 0; exponentials e^-0.44 = 0.6440, 1
    # r by 0.4: e^-0.4 = 0.6703; I: -0.45..-0.35 less 0 is e^-0.45..e^-0.35 = 0.6376..0.7047
    inputs, printed = {"scores": [["0.44", "0"]]}, {"scores": [["0.4", "0"]], "exps": [["0.700", "1.000"]]}
    assert verdicts(printed, inputs, scale="-1")["exps"] == [["explainable", "ok"]]
    printed["exps"] = [["0.706", "1.000"]]  # above 0.7047 + 0.0005
    assert verdicts(printed, inputs, scale="-1")["exps"] == [["wrong", "ok"]]


@pytest.mark.parametrize(
    ("p", "verdict"),
    [
        # t = e^-0.44/(e^-0.44 + 1) = 0.39174; r = 1/(e^0.4 + 1) = 0.40131; I = 1/(e^0.45 + 1)..1/(e^0.35 + 1) = 0.3894..0.4134
        ("0.392", "hidden-digits"),
        ("0.401", "early-rounding"),
        ("0.413", "explainable"),
        ("0.389", "explainable"),
        ("0.414", "wrong"),
        ("0.388", "wrong"),
    ],
)
def test_weights_under_a_negative_scale(p, verdict):
    printed = {"scores": [["0.4", "0"]], "weights": [[p, ""]]}
    assert verdicts(printed, {"scores": [["0.44", "0"]]}, scale="-1")["weights"] == [[verdict, None]]
