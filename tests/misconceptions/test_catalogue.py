"""The catalogue: its names and words, where its rows make sense, in what arithmetics, alone and in pairs."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import exactattn as xa
from exactattn.attention.pipeline import PIPELINE
from exactattn.cases import bundled
from exactattn.errors import OptionError
from exactattn.i18n import languages
from exactattn.misconceptions import CATALOGUE, SLIPS, changed, find, pairs, replay, singles
from exactattn.trace.problem import QUANTITIES

NAMES = [row.name for row in CATALOGUE]
ROOMS = ("exps", "sums", "weights", "output")

# -- names and words -----------------------------------------------------------------------------------------------------


def test_every_name_is_there_once_and_in_small_letters_with_hyphens() -> None:
    names = [*NAMES, *(slip.name for slip in SLIPS)]
    assert len(set(names)) == len(names)
    assert [name for name in names if not re.fullmatch(r"[a-z]+(-[a-z]+)*", name)] == []


def test_every_row_names_a_quantity_and_they_stand_in_the_order_of_the_work() -> None:
    steps = [QUANTITIES.index(row.step) for row in CATALOGUE]
    assert steps == sorted(steps)
    assert {row.cancels for row in CATALOGUE} <= {None, *QUANTITIES}


@pytest.mark.parametrize("lang", languages())
def test_every_row_has_words_and_each_its_own(lang: str) -> None:
    rows = [*CATALOGUE, *SLIPS]
    labels = [row.label(lang) for row in rows]
    assert sorted(set(labels)) == sorted(labels)
    said = [row.said(lang) for row in rows]
    assert sorted(set(said)) == sorted(said)
    stop = "。" if lang == "zh" else "."
    assert [text for text in said if text.endswith(stop)] == []  # a clause, to be put into a sentence
    assert [row.name for row in rows if not row.feedback(lang).endswith(stop)] == []


def test_a_name_that_is_not_there_is_said_with_a_near_one() -> None:
    due = r"^misconception 'no-scal' is not in the catalogue \(did you mean 'no-scale'\?\)$"
    with pytest.raises(OptionError, match=due):
        find("no-scal")


# -- where they make sense -----------------------------------------------------------------------------------------------

LETTERS = {"scores": [["a", "b"], ["0", "a"]], "V": [["1"], ["b"]], "scale": "1", "symbols": ["a", "b"]}
ONE_KEY = {"Q": [["1", "2"]], "K": [["3", "-1"]], "V": [["5", "-7"]]}
SCORES = {"scores": [["1", "2"], ["-1", "0"]], "scale": "1/2"}
FLAT = {"scores": [["1", "2"]], "V": [["1"], ["2"]], "scale": "1", "mask": [[1, 1]]}
POSITIVE = {"Q": [["1", "2"]], "K": [["3", "1"], ["0", "1"]], "V": [["5"], ["7"]], "shift": "none"}


def sensible(problem: dict[str, Any]) -> set[str]:
    return {row.name for row, _ in singles(xa.attend(**problem))}


def test_one_key_leaves_nothing_to_weigh() -> None:
    assert sensible(ONE_KEY) == {
        "values-as-keys", "keys-and-values-swapped", "signs-dropped-in-products", "no-scale", "divided-by-d-k",
        "multiplied-by-root", "root-of-the-number-of-keys", "scale-after-softmax", "softmax-forgotten", "sigmoid-each",
        "weights-on-keys", "signs-dropped-in-values",
    }  # fmt: skip


def test_scores_that_are_given_are_not_made_wrongly_and_without_values_there_is_no_output() -> None:
    assert sensible(SCORES) == {
        "no-scale", "multiplied-by-root", "scale-after-softmax", "root-of-the-number-of-keys", "causal-mask-unasked",
        "softmax-over-columns", "softmax-over-the-whole-matrix", "column-maximum-subtracted", "column-mean-subtracted",
        "maximum-not-subtracted", "maximum-minus-score", "base-two", "base-ten", "sum-normalised",
        "shifted-not-exponentiated", "maximum-subtracted-in-the-numerator-only", "sums-down-the-columns",
        "maximum-subtracted-in-the-denominator-only", "not-normalised", "softmax-forgotten", "sigmoid-each", "uniform",
        "hard-argmax",
    }  # fmt: skip


def test_a_mask_that_closes_nothing_is_no_mask() -> None:
    assert not sensible(FLAT) & {row.name for row in CATALOGUE if row.step == "masked"}


def test_without_a_maximum_no_row_speaks_of_one() -> None:
    assert [name for name in sensible(POSITIVE) if "maximum" in name or name.startswith(("shifted", "column"))] == []
    # and a softmax of the columns is one thing, not two
    assert {"softmax-over-columns", "sums-down-the-columns"} & sensible(POSITIVE) == {"softmax-over-columns"}


def test_no_minus_sign_no_sign_to_drop() -> None:
    assert [name for name in sensible(POSITIVE) if name.startswith("signs")] == []


def test_what_needs_an_order_makes_no_sense_in_letters_and_in_enclosures() -> None:
    undecided = {"hard-argmax", "signs-dropped-in-scores", "signs-dropped-in-products", "signs-dropped-in-values"}
    assert not sensible(LETTERS) & undecided
    assert (
        not sensible(ONE_KEY | {"K": [["3", "-1"], ["0", "1"]], "V": [["-1"], ["2"]], "arithmetic": "balls:64"})
        & undecided
    )


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("no-scale", UNSCALED := POSITIVE | {"scale": "1"}),
        ("multiplied-by-root", UNSCALED),
        ("scale-after-softmax", UNSCALED),
        ("divided-by-d-k", POSITIVE | {"scale": "1/2"}),
        ("root-of-the-number-of-keys", POSITIVE),  # two keys, two wide
        ("scaled-though-unasked", POSITIVE),
        ("scores-transposed", POSITIVE),  # one query, two keys
        ("key-not-transposed", POSITIVE | {"K": [["3", "1"], ["0", "1"], ["1", "1"]], "V": [["5"], ["7"], ["1"]]}),
        ("values-as-keys", POSITIVE),
        ("weights-on-keys", POSITIVE),
        ("weights-transposed", POSITIVE),
        ("values-times-weights", POSITIVE),
        ("values-off-by-one-row", POSITIVE),  # of two rows this is the reverse
        ("causal-mask-unasked", POSITIVE),
        ("mask-inverted", SCORES | {"mask": "causal"}),  # the last row would see nothing
        ("wrong-triangle", SCORES | {"mask": [[1, 0], [0, 1]]}),
        ("diagonal-masked-too", SCORES | {"mask": [[1, 1], [0, 1]]}),
        ("closed-row-given-weights", SCORES | {"mask": [[0, 0], [1, 1]], "fully_masked": "uniform"}),
        ("sum-normalised", SCORES | {"scores": [["1", "-1"], ["0", "0"]]}),
        ("shifted-not-exponentiated", SCORES | {"scores": [["1", "1"]]}),
    ],
)  # fmt: skip
def test_a_method_that_fits_nothing_or_is_the_right_one_is_none(name: str, problem: dict[str, Any]) -> None:
    assert find(name).work(xa.attend(**problem)) is None


def test_a_row_that_adds_up_to_0_stays_at_0_and_the_others_are_worked() -> None:
    wrong = find("sum-normalised").work(xa.attend(scores=[["1", "-1"], ["1", "3"]], V=[["8"], ["4"]], scale="1/2"))
    assert wrong is not None
    assert [str(wrong.weights[1, j]) for j in range(2)] == ["1/4", "3/4"]
    assert wrong.weights[0, 0] == wrong.output[0, 0] == 0
    assert wrong.output[1, 0] == 5


def test_of_several_largest_scores_the_first_is_taken() -> None:
    wrong = find("hard-argmax").work(xa.attend(scores=[["1", "2", "2"]], V=[["8"], ["4"], ["0"]], scale="1"))
    assert wrong is not None
    assert wrong.output[0, 0] == 4


# -- every case, every arithmetic, pairs ---------------------------------------------------------------------------------


def cases() -> list[Any]:
    return [pytest.param(case, id=str(case)) for case in bundled()]


@pytest.mark.parametrize("case", cases())
@pytest.mark.parametrize("arithmetic", ["exact", "mpmath:24", "balls:96"])
def test_every_row_runs_on_every_bundled_case(case: Any, arithmetic: str) -> None:
    solution = xa.solve(case)
    for trace in (solution.trace, *(other.trace for other in solution.comparisons)):
        if not trace.problem.settings.symbols:
            trace = again(trace, arithmetic)
        if trace.problem.settings.heads > 1:
            assert len(list(singles(trace))) > 25
        for row, wrong in singles(trace):
            assert wrong.steps != trace.steps
            assert {step.function.__name__ for step in wrong.steps} <= {step.__name__ for step in PIPELINE}
            for step in wrong.steps:
                assert trace.arithmetic.shape(step.made.matrix) == step.made.shape, row.name
                if arithmetic != "balls:96" and step.name in ROOMS and not trace.problem.settings.symbols:
                    step.made.decimal(2)


def again(trace: xa.Trace, arithmetic: str) -> xa.Trace:
    from dataclasses import replace

    from exactattn.attention import run

    return run(replace(trace.problem, settings=replace(trace.problem.settings, arithmetic=arithmetic)))


@pytest.mark.parametrize("name", NAMES)
def test_exact_and_sympy_say_the_same_and_rounded_is_within_its_bound(name: str) -> None:
    given = {
        "X": [["1", "-1/2"], ["0", "2"]],
        "W_Q": [["1", "1"], ["-1", "0"]], "W_K": [["0", "1"], ["2", "-1"]], "W_V": [["1", "-1"], ["1/2", "3"]],
        "b_Q": ["1", "0"], "W_O": [["1", "2"], ["0", "-1"]], "mask": "causal",
    }  # fmt: skip
    wrong = {
        arithmetic: find(name).work(xa.attend(**given, arithmetic=arithmetic)) for arithmetic in ("exact", "sympy")
    }
    exact, sympy = wrong["exact"], wrong["sympy"]
    assert (exact is None) == (sympy is None)
    if exact is None or sympy is None:
        return
    rounded = find(name).work(xa.attend(**given, arithmetic="mpmath:60"))
    assert rounded is not None
    bound = rounded.arithmetic.error(rounded.output.matrix)
    for i in range(2):
        for j in range(2):
            assert exact.output[i, j] == sympy.output[i, j]
            if bound[i][j] is not None:
                assert abs(exact.output[i, j] - rounded.arithmetic.dyadic(rounded.output.matrix)[i][j]) <= bound[i][j]


@pytest.mark.parametrize("case", cases())
def test_pairs_begin_at_different_steps_and_neither_undoes_the_other(case: Any) -> None:
    trace = xa.solve(case).trace
    found = {}
    for first, second, wrong in pairs(trace):
        assert QUANTITIES.index(first.step) < QUANTITIES.index(second.step)
        found[first.name, second.name] = wrong
    assert len(found) > 200
    for (first, second), wrong in list(found.items())[::7]:
        once = find(first).work(trace)
        assert once is not None
        assert find(second).work(once) == wrong
        assert wrong not in (trace, once)


def test_a_pair_is_both() -> None:
    trace = xa.attend(scores=[["0", "ln(4)"]], V=[["6"], ["-3"]], scale="1/2")
    found = {(first.name, second.name): wrong for first, second, wrong in pairs(trace)}
    both = found["no-scale", "signs-dropped-in-values"]
    assert [str(both.weights[0, j]) for j in range(2)] == ["1/5", "4/5"]
    assert both.output[0, 0] == Fraction(6, 5) + Fraction(12, 5)
    # the second would put its own division in place of the first's, which scales what it divides
    assert ("scale-after-softmax", "not-normalised") not in found
    assert ("mask-after-softmax", "hard-argmax") not in found


numbers = st.sampled_from(["0", "1", "-1", "0.5", "-2.25", "1/3", "sqrt(2)", "ln(2)", "1-sqrt(3)", "3", "-ln(3)/2"])


def matrices(rows: int, columns: int) -> st.SearchStrategy[list[list[str]]]:
    return st.lists(st.lists(numbers, min_size=columns, max_size=columns), min_size=rows, max_size=rows)


@st.composite
def problems(draw: st.DrawFn) -> dict[str, Any]:
    """Self- or cross-attention, projected or not, one head or two, any mask, with or without W_O."""
    heads = draw(st.integers(1, 2))
    n, m, d = draw(st.integers(1, 3)), draw(st.integers(1, 4)), heads * draw(st.integers(1, 2))
    given: dict[str, Any] = {
        "Q": draw(matrices(n, d)),
        "K": draw(matrices(m, d)),
        "V": draw(matrices(m, d)),
        "heads": heads,
    }
    if draw(st.booleans()):
        width = draw(st.sampled_from([d, 3]))
        given = {f"W_{name}": draw(matrices(width, d)) for name in "QKV"} | {"heads": heads}
        given |= {"X": draw(matrices(n, width)), "X_kv": draw(matrices(m, width)), "b_V": draw(matrices(1, d))}
    if draw(st.booleans()):
        given |= {"W_O": draw(matrices(d, d)), "b_O": draw(matrices(1, d))}
    if draw(st.booleans()):
        given["mask"] = draw(st.lists(st.lists(st.integers(0, 1), min_size=m, max_size=m), min_size=n, max_size=n))
    return given | {
        "fully_masked": draw(st.sampled_from(["zero", "uniform"])),
        "shift": draw(st.sampled_from(["max", "none"])),
    }


@settings(max_examples=15)
@given(problems(), st.randoms(use_true_random=False))
def test_whatever_the_problem_a_method_works_it_or_says_none(problem: dict[str, Any], chance: Any) -> None:
    trace = xa.attend(**problem)
    both = list(pairs(trace))
    wrongs = [wrong for _, wrong in singles(trace)] + [chance.choice(both)[2] for _ in range(5) if both]
    for wrong in wrongs:
        assert wrong != trace
        for step in wrong.steps:
            if step.name in ROOMS:
                step.made.decimal(3)


@pytest.mark.parametrize(
    "name", ["mask-after-softmax", "softmax-forgotten", "hard-argmax", "one-big-head", "first-head-for-all"]
)
def test_a_wrong_trace_is_shown_like_a_right_one(name: str) -> None:
    rows = [["1", "-2"], ["0", "1.5"]]
    wrong = find(name).work(xa.attend(rows, rows[::-1], rows, heads=2, mask="causal"))
    assert wrong is not None
    assert "Softmax" in xa.render(wrong, "text", lang="en")


# -- the replay ----------------------------------------------------------------------------------------------------------


def test_a_replay_of_nothing_is_the_same_trace_and_shares_all_of_it() -> None:
    trace = xa.solve("two-heads").trace
    same = replay(trace, {})
    assert same == trace
    assert all(a is b for a, b in zip(same.steps, trace.steps, strict=True))
    assert changed(trace, same) == ()


def test_what_comes_before_the_wrong_step_is_shared_and_each_head_is_worked_by_itself() -> None:
    trace = xa.solve("two-heads").trace
    wrong = find("no-scale").work(trace)
    assert wrong is not None
    names = ("scaled", "maxima", "shifted", "exps", "sums", "weights", "output")
    assert changed(trace, wrong) == (
        *((name, head) for head in range(2) for name in names),
        ("concat", None),
        ("output", None),
    )
    assert wrong.problem is trace.problem
    assert wrong != trace


def test_a_stepwise_trace_is_replayed_on_the_carry_track() -> None:
    given = {"Q": [["0.4", "1"]], "K": [["1", "0.3"], ["0.5", "1"]], "V": [["1"], ["2"]]}
    stepwise, carried = (xa.attend(**given, track=track) for track in ("stepwise", "carry"))
    for row in CATALOGUE:
        one, other = row.work(stepwise), row.work(carried)
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert one == other
            assert one.output[0, 0] == other.output[0, 0]
            assert one.problem.settings.track == "carry"


def test_a_wrong_trace_can_be_recorded_but_not_taken_for_a_right_one() -> None:
    from exactattn.errors import InputError

    wrong = find("no-scale").work(xa.solve("xian").trace)
    assert wrong is not None
    with pytest.raises(InputError, match=r"^this trace is not what its problem gives: "):
        xa.Trace.from_json(wrong.to_json())
