"""What cannot be, whatever the inputs are: each identity refuted by an example made for it, with the interval that does."""

from __future__ import annotations

from typing import Any

import pytest

import exactattn as xa
from exactattn.audits.identities import Refuted
from exactattn.numbers.value import Value


def refuted(printed: dict[str, Any], inputs: dict[str, Any] | None = None, **attention: Any) -> tuple[Refuted, ...]:
    return xa.audit({"inputs": inputs or {}, "attention": attention, "printed": printed}).refuted


def told(one: Refuted) -> tuple[Any, ...]:
    """An identity with its place and its two intervals, to five digits where they are no short decimals."""
    return (
        one.identity,
        one.name,
        one.row,
        one.columns,
        *(_text(x) for r in (one.claimed, one.due) for x in (r.low, r.high)),
    )


def _text(x: Any) -> str:
    value = Value.of(x)
    return next((text for k in range(5) if value == (text := value.decimal(k))), None) or value.decimal(5)


# -- rows of weights -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "low", "high"),
    [
        (["0.300", "0.600"], "0.899", "0.901"),
        (["0.5", "0.7"], "1.1", "1.3"),
        (["0.52", "0.5", "0.1"], "1.015", "1.225"),  # 0.01 about one, 0.05 about each of two: halves of those
        (["1/3", "1/3", "1/4"], "0.91667", "0.91667"),
        (["0.99985", "0.00005"], "0.99989", "0.99991"),
    ],
)
def test_a_row_adds_up_to_1(row, low, high):
    (found,) = refuted({"weights": [row]})
    assert told(found) == ("rows-add-to-one", "weights", 0, tuple(range(len(row))), low, high, "1", "1")


@pytest.mark.parametrize(
    "row",
    [
        ["0.33", "0.33", "0.33"],  # 0.975..1.005
        ["0.333", "0.333", "0.333"],
        ["0.334", "0.334", "0.333"],  # from 0.9995
        ["0", "0", "1"],
        ["0", "0", "0"],  # each up to a half: no decimals are claimed
        ["1/3", "2/3"],
        ["0.300", None],  # the rest is not known
        ["0.300", ""],
        [],
    ],
)
def test_a_row_that_may_add_up_to_1(row):
    assert refuted({"weights": [row]}) == ()


def test_what_is_masked_does_not_count():
    weights = [["1.00", None], ["0.40", "0.60"]]
    assert refuted({"weights": weights}, mask="causal") == ()
    weights[0] = ["0.90", "0.00"]  # the masked place is printed: 0.00 ± 0.005
    (found,) = refuted({"weights": weights}, mask="causal")
    assert told(found) == ("rows-add-to-one", "weights", 0, (0, 1), "0.89", "0.91", "1", "1")
    # a row with nothing open has no sum to keep
    assert refuted({"weights": [["0.00", "0.00"], ["0.40", "0.60"]]}, mask=[[0, 0], [1, 1]]) == ()


@pytest.mark.parametrize(
    ("p", "low", "high"),
    [("1.02", "1.015", "1.025"), ("-0.02", "-0.025", "-0.015"), ("-1/8", "-0.125", "-0.125"), ("2", "1.5", "2.5")],
)
def test_a_weight_lies_between_0_and_1(p, low, high):
    (found,) = (one for one in refuted({"weights": [[p, None]]}))
    assert told(found) == ("weights-in-unit-interval", "weights", 0, (0,), low, high, "0", "1")


@pytest.mark.parametrize("p", ["1.00", "0.00", "-0.00", "1", "0"])
def test_a_weight_that_may_lie_there(p):
    assert refuted({"weights": [[p, None]]}) == ()


# -- weights against scores --------------------------------------------------------------------------------------------------


def test_equal_scores_have_equal_weights():
    found = refuted({"scaled": [["1.5", "1.5", "0.5"]], "weights": [["0.4", "0.5", "0.1"]]})
    # (0.35..0.45)/(0.45..0.55), but the scores may be 0.1 apart: e^-0.1..e^0.1. Their ratio 0.636..1 does not leave that
    assert found == ()
    (found,) = refuted({"scaled": [["1.5", "1.5", "0.5"]], "weights": [["0.38", "0.48", "0.14"]]})
    assert found.identity == "equal-scores"
    assert (found.row, found.columns) == (0, (1, 0))
    assert told(found)[4:] == ("1.23377", "1.29333", "0.90484", "1.10517")
    # given scores are exact: e^0 = 1, and 0.435..0.445 over 0.425..0.435 begins with 1
    assert refuted({"weights": [["0.43", "0.44", "0.13"]]}, {"scores": [["5", "5", "3.8"]]}, scale="1") == ()
    (found,) = refuted({"weights": [["0.42", "0.44", "0.14"]]}, {"scores": [["5", "5", "3.87"]]}, scale="1")
    assert told(found) == ("equal-scores", "weights", 0, (1, 0), "1.02353", "1.07229", "1", "1")


def test_equal_scores_within_a_row_are_found_wherever_they_stand():
    # over 0.755..0.765, e^-2 = 0.1353 lies in that of 0.095..0.105, 0.124..0.139; not in that of 0.115..0.125, 0.150..0.166
    found = refuted({"scores": [["1", "3", "1"]], "weights": [["0.10", "0.76", "0.12"]]}, scale="1")
    assert [(one.identity, one.columns) for one in found] == [
        ("rows-add-to-one", (0, 1, 2)),
        ("equal-scores", (2, 0)),
        ("ratio", (2, 1)),
    ]


def test_a_lower_score_has_a_smaller_weight():
    (found,) = refuted({"scaled": [["2.0", "1.0"]], "weights": [["0.40", "0.60"]]})
    # 0.595..0.605 over 0.395..0.405; e^(0.95..1.05 - 1.95..2.05) = e^-1.1..e^-0.9
    assert told(found) == ("order-kept", "weights", 0, (1, 0), "1.46914", "1.53165", "0.33287", "0.40657")
    # neither of them the largest
    found = refuted({"scaled": [["9.0", "2.0", "1.0"]], "weights": [["0.70", "0.10", "0.20"]]})
    assert ("order-kept", (2, 1)) in [(one.identity, one.columns) for one in found]


def test_a_ratio_of_weights_is_e_to_the_difference_of_the_scores():
    (found,) = refuted({"scores": [["2", "0"]], "weights": [["0.80", "0.20"]]}, scale="1")
    # 0.195..0.205 over 0.795..0.805; integers have no spread: e^-2
    assert told(found) == ("ratio", "weights", 0, (1, 0), "0.24224", "0.25786", "0.13534", "0.13534")
    assert refuted({"scores": [["2", "0"]], "weights": [["0.88", "0.12"]]}, scale="1") == ()
    # under a negative scale the smaller score has the larger weight
    assert refuted({"scores": [["2", "0"]], "weights": [["0.12", "0.88"]]}, scale="-1") == ()
    (found,) = refuted({"scores": [["2", "0"]], "weights": [["0.88", "0.12"]]}, scale="-1")
    assert (found.identity, found.columns) == ("order-kept", (0, 1))


def test_a_ratio_that_follows_from_printed_exponentials_is_left_to_the_verdicts():
    # e^-2 = 0.1353, printed 0.1: 0.1/1.1 = 0.0909, and 0.0905..0.0915 over 0.9085..0.9095 is 0.0995..0.1007
    printed = {"scores": [["2", "0"]], "exps": [["1.0", "0.1"]], "weights": [["0.909", "0.091"]]}
    assert refuted(printed, scale="1") == ()
    found = xa.audit({"inputs": {"scores": [["2", "0"]]}, "attention": {"scale": "1"}, "printed": printed})
    assert found.verdicts["weights"] == [["early-rounding", "early-rounding"]]
    assert found.passes()
    # it follows from neither: 0.25 is not 0.05..0.15 over 0.95..1.05
    (found,) = refuted(printed | {"weights": [["0.800", "0.200"]]}, scale="1")
    assert found.identity == "ratio"
    # equal scores and the order are what they are, whatever stands between
    (found,) = refuted({"scores": [["2", "2"]], "exps": [["1.0", "0.5"]], "weights": [["0.667", "0.333"]]}, scale="1")
    assert found.identity == "equal-scores"
    (found,) = refuted({"scores": [["2", "0"]], "exps": [["0.5", "1.0"]], "weights": [["0.333", "0.667"]]}, scale="1")
    assert found.identity == "order-kept"


def test_a_scale_that_is_not_stated_says_nothing_of_scores_but_all_of_scaled_ones():
    assert refuted({"scores": [["2", "0"]], "weights": [["0.80", "0.20"]]}) == ()
    (found,) = refuted({"scaled": [["2", "0"]], "weights": [["0.80", "0.20"]]})
    assert found.identity == "ratio"


def test_a_weight_of_nothing_says_nothing_from_above():
    # 0.00 may be anything from 0 to 0.005
    assert refuted({"scaled": [["9", "0"]], "weights": [["1.00", "0.00"]]}) == ()
    (found,) = refuted({"scaled": [["9", "0"]], "weights": [["0.98", "0.02"]]})
    assert found.identity == "ratio"


def test_the_largest_score_with_no_weight_is_refuted_too():
    # nothing bounds 1.00/0.00 from above, but 0.00/1.00 is at most 0.005/0.995, where e^9 was due
    (found,) = refuted({"scaled": [["9", "0"]], "weights": [["0.00", "1.00"]]})
    assert told(found)[:6] == ("order-kept", "weights", 0, (0, 1), "0", "0.00503")


# -- outputs -----------------------------------------------------------------------------------------------------------------


def test_an_output_lies_between_the_values():
    (found,) = refuted({"output": [["2.2", "5.0"]]}, {"V": [["1", "5"], ["2", "5"]]})
    assert told(found) == ("hull", "output", 0, (0,), "2.15", "2.25", "1", "2")
    assert refuted({"output": [["2.0", "5.0"], ["1.0", "5.0"]]}, {"V": [["1", "5"], ["2", "5"]]}) == ()
    # printed values have a spread as well
    assert refuted({"V": [["1.0"], ["2.0"]], "output": [["2.1"]]}) == ()
    (found,) = refuted({"V": [["1.0"], ["2.0"]], "output": [["2.2"]]})
    assert told(found) == ("hull", "output", 0, (0,), "2.15", "2.25", "0.95", "2.05")
    # with a value left out there are no bounds
    assert refuted({"V": [["1.0"], [None]], "output": [["2.2"]]}) == ()


def test_an_output_lies_between_the_values_its_query_may_attend_to():
    V = {"V": [["1"], ["2"], ["9"]]}
    (found,) = refuted({"output": [["1.0"], ["2.2"], ["8.0"]]}, V, mask="causal")
    assert told(found) == ("hull", "output", 1, (0,), "2.15", "2.25", "1", "2")


def test_after_an_output_matrix_only_the_heads_are_means_of_values():
    V = {"V": [["1", "5"], ["2", "6"]]}
    heads = [{"output": [["1.5"], ["2.5"]]}, {"output": [["5.0"], ["6.0"]]}]
    found = refuted({"heads": heads, "output": [["99.0"], ["99.0"]]}, V | {"W_O": [["9"], ["9"]]}, heads=2)
    assert [(one.identity, one.head, one.row) for one in found] == [("hull", 0, 1)]


def test_identities_are_held_against_numbers_without_any_input():
    found = refuted(
        {
            "scaled": [["1.00", "0.00"], ["0.00", "0.00"]],
            "weights": [["0.27", "0.73"], ["0.50", "0.60"]],
            "V": [["1.0"], ["2.0"]],
            "output": [["1.7"], ["1.6"]],
        }
    )
    assert [(one.identity, one.row) for one in found] == [
        ("order-kept", 0),
        ("rows-add-to-one", 1),
        ("equal-scores", 1),
    ]


def test_a_refuted_identity_fails_an_audit_whose_numbers_are_not_wrong():
    found = xa.audit({"printed": {"weights": [["0.50", "0.60"]]}})
    assert dict(found.totals) == {"unchecked": 2}
    assert not found.passes()
    assert not found.passes("any")
    # to one decimal each may be half a tenth less: 1.0 is not beyond
    assert xa.audit({"printed": {"weights": [["0.5", "0.6"]]}}).passes("any")
