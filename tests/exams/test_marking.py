"""Marking: the key earns all, wrong methods are named, what follows from a slip is credited, trivial answers are not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactattn.attention import attend
from exactattn.exams.answers import number
from exactattn.exams.exam import exam
from exactattn.exams.follow import follow
from exactattn.exams.keys import Method, part_of, wrong_answers
from exactattn.exams.kinds import Kind, kinds
from exactattn.exams.marking import Mark, mark
from exactattn.exams.model import Asked, Design, Part, Question, Rubric, key_of
from exactattn.exams.range import Walks
from exactattn.exams.select import variants
from exactattn.i18n import languages
from exactattn.misconceptions import find, singles
from exactattn.numbers.value import Value
from exactattn.trace import Quantity, Trace

ASKED = Asked(
    "q1", "full-attention", points=Fraction(10), answer="matrix", ask=("weights", "output"),
    credit={"no-scale": Fraction(1, 4), "softmax-over-columns": Fraction(1, 2)},
)  # fmt: skip


@cache
def kept(numbers: str = "calculator") -> tuple[Question, ...]:
    """A few variants of the four steps."""
    return tuple(islice(variants(replace(ASKED, numbers=numbers), "marking"), 3))


QUERIES = [["0.9", "-1.4"], ["1.7", "0.6"], ["-0.8", "1.1"]]
KEYS = [["1.2", "0.4"], ["-0.7", "1.3"], ["0.5", "-1.6"]]
VALUES = [["2.1", "-0.3"], ["-1.2", "1.9"], ["0.4", "-2.6"]]


def question(*ask: str, follow_through: Fraction = Fraction(1), **more: object) -> Question:
    """A question put together by hand: every row of these quantities."""
    trace = attend(Q=QUERIES, K=KEYS, V=VALUES, **more)
    asked = replace(ASKED, ask=ask, follow_through=follow_through)
    walks = Walks(asked.working)
    ranges = walks.ranges(trace)
    parts = []
    for k, name in enumerate(ask, 1):
        q = trace.step(name).computed
        cells = [(i, j) for i in range(3) for j in range(q.shape[1]) if q.keep is None or q.keep[i][j]]
        part = part_of(asked, k, q, cells, ranges)
        assert isinstance(part, Part)
        parts.append(part)
    wrongs = singles(trace, [find("no-scale"), find("softmax-over-columns")])
    methods = [Method(row, lambda wrong=wrong: wrong, walks.ranges(wrong)) for row, wrong in wrongs]
    keyed = tuple(replace(part, wrongs=wrong_answers(part, methods)) for part in parts)
    return Question(asked, 1, 0, trace, keyed, ())


def texts(part: Part, trace: Trace, places: int | None = None) -> list[str]:
    """What a trace gives for the asked entries of a part."""
    q = trace.step(part.ask, part.head).computed
    printed = q.decimal(part.places if places is None else places)
    return [printed[e.place.row][e.place.column] for e in part.entries if e.place is not None]


def key(q: Question) -> list[list[str]]:
    return [[entry.text for entry in part.entries] for part in q.parts]


def awarded(marks: Sequence[Mark]) -> Fraction:
    return sum((one.awarded for one in marks), Fraction(0))


def worked(trace: Trace, name: str) -> Trace:
    wrong = find(name).work(trace)
    assert wrong is not None
    return wrong


# -- the key ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("numbers", ["calculator", "by-hand"])
def test_the_key_earns_all(numbers: str) -> None:
    for q in kept(numbers):
        marks = mark(q, key(q))
        assert [one.verdict for one in marks] == ["right", "right"]
        assert awarded(marks) == 10
        assert all(one.misconceptions == () and one.detail("en") == one.detail("zh") == "" for one in marks)


def test_points_are_shared_by_entries() -> None:
    weights, output = mark(kept()[0], key(kept()[0]))
    assert (weights.points, output.points) == (6, 4)  # nine entries and six


def test_nothing_handed_in_earns_nothing() -> None:
    q = kept()[0]
    marks = mark(q, [[None] * 9, [""] * 6])
    assert [(one.verdict, one.awarded) for one in marks] == [("missing", 0), ("missing", 0)]


def test_one_wrong_entry_costs_its_share() -> None:
    q = kept()[0]
    answers = key(q)
    answers[1][0] = "99"
    weights, output = mark(q, answers)
    assert (weights.verdict, output.verdict) == ("right", "partly")
    assert awarded((weights, output)) == Fraction(10) * 14 / 15
    assert output.detail("en") == "5 of 6 right"
    assert output.detail("zh") == "6 个中对 5 个"


def test_an_answer_that_is_no_number_is_said() -> None:
    q = kept()[0]
    answers = key(q)
    answers[0][0] = "0,123"
    found = mark(q, answers)[0]
    why = "no number: a comma is no decimal mark here (0.5, 1234 and 1,234.5 are read)"
    assert found.detail("en") == f"8 of 9 right; q1,k1: “0,123” is {why}"


def test_as_many_answers_as_entries_are_due() -> None:
    with pytest.raises(ValueError, match="zip"):
        mark(kept()[0], [[None]])


# -- the accepted interval -------------------------------------------------------------------------------------------------


@settings(max_examples=40)
@given(st.data())
def test_just_inside_is_right_and_just_outside_is_not(data) -> None:
    q = data.draw(st.sampled_from(kept()))
    k = data.draw(st.integers(0, 1))
    j = data.draw(st.integers(0, len(q.parts[k].entries) - 1))
    entry = q.parts[k].entries[j]
    sign = data.draw(st.sampled_from([1, -1]))
    for reach, right in ((entry.tolerance, True), (entry.tolerance + Fraction(1, 10**12), False)):
        answers = key(q)
        answers[k][j] = str(entry.key + sign * reach)
        assert (mark(q, answers)[k].verdict == "right") is right


def _rounded(x: Fraction, places: int) -> Fraction:
    return Fraction(Value.of(x).decimal(places))


def careful(q: Question, k: int, shifted: bool) -> list[list[str]]:
    """A student's work by plain fractions: scaled scores, exponentials and weights rounded to k places, answers to p."""
    trace = q.trace
    assert trace is not None
    scaled = trace.scaled.decimal(k)
    v = [[Fraction(x) for x in row] for row in trace.problem.inputs["V"]]
    weights, output = [], []
    for row in scaled:
        top = max(Fraction(x) for x in row) if shifted else Fraction(0)
        exps = [_exp(Fraction(x) - top, k) for x in row]
        a = [_rounded(e / sum(exps), k) for e in exps]
        weights += [_rounded(x, 3) for x in a]
        output += [_rounded(sum((w * x[c] for w, x in zip(a, v, strict=True)), Fraction(0)), 3) for c in range(2)]
    return [[str(x) for x in weights], [str(x) for x in output]]


def _exp(x: Fraction, places: int) -> Fraction:
    return Fraction(Value.of(x).exp().decimal(places))


@pytest.mark.parametrize("numbers", ["calculator", "by-hand"])
@pytest.mark.parametrize("shifted", [True, False])
def test_a_careful_student_is_right(numbers: str, shifted: bool) -> None:
    for q in kept(numbers):
        marks = mark(q, careful(q, q.asked.working, shifted))
        assert [one.verdict for one in marks] == ["right", "right"]


@settings(max_examples=25)
@given(st.integers(0, 2), st.booleans(), st.integers(5, 9))
def test_more_working_places_are_right_too(which: int, shifted: bool, k: int) -> None:
    q = kept()[which]
    assert awarded(mark(q, careful(q, k, shifted))) == 10


# -- wrong methods ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("numbers", ["calculator", "by-hand"])
def test_every_wrong_method_is_named_and_earns_its_credit(numbers: str) -> None:
    for q in kept(numbers):
        part = q.parts[0]
        for wrong in part.wrongs:
            for name in wrong.names:
                found = mark(q, [texts(part, worked(q.trace, name)), [None] * 6])[0]
                assert found.verdict == "misconception"
                assert name in found.misconceptions
                assert found.awarded == found.points * min(ASKED.credit.get(n, Fraction(0)) for n in wrong.names)


def test_a_wrong_method_is_told_in_words() -> None:
    q = kept()[0]
    found = mark(q, [texts(q.parts[0], worked(q.trace, "no-scale")), [None] * 6])[0]
    assert found.detail("en") == "0 of 9 right; the weights are those of unscaled scores"


def test_the_higher_counts() -> None:
    q = kept()[0]
    part = q.parts[1]
    half = replace(q, asked=replace(q.asked, credit={"no-scale": Fraction(1)}))
    found = mark(half, [key(q)[0], texts(part, worked(q.trace, "no-scale"))])[1]
    assert (found.verdict, found.awarded) == ("misconception", found.points)


@pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.name)
def test_every_kind_is_marked(kind: Kind) -> None:
    q = next(variants(Asked("q", kind.id, points=Fraction(6), answer=kind.answers[0]), "marking"))
    by_hand = sum(q.points_of(part) for part in q.parts if isinstance(part.form, Rubric))
    given = [["by definition"] if isinstance(part.form, Rubric) else key_of(part) for part in q.parts]
    assert awarded(mark(q, given)) == 6 - by_hand
    for k, part in enumerate(q.parts):
        for wrong in part.wrongs if part.form is None or isinstance(part.form, Design) else ():
            answers: list[list[str | None]] = [[None] * other.places_to_fill for other in q.parts]
            answers[k] = list(wrong.texts)
            found = mark(q, answers)[k]
            assert set(wrong.names) <= set(found.misconceptions)
            assert all(found.detail(lang) for lang in languages())


# -- follow-through --------------------------------------------------------------------------------------------------------


def test_one_early_slip_costs_only_itself() -> None:
    q = question("scaled", "weights", "output")
    wrong = worked(q.trace, "no-scale")
    marks = mark(q, [texts(part, wrong, 5 if part.ask == "scaled" else 3) for part in q.parts])
    assert [one.verdict for one in marks] == ["misconception", "follow-through", "follow-through"]
    assert [one.awarded for one in marks] == [marks[0].points / 4, marks[1].points, marks[2].points]


GUARDED = {"uniform", "hard-argmax", "not-normalised"}
"""Wrong methods whose weights one does not go on from: constant, one-hot, not adding to 1."""


def test_entries_that_are_printed_beside_those_asked_do_not_stop_what_follows() -> None:
    # the diagonal of the scores tells nothing of a transposed matrix: it is printed, and one goes on from it
    q = exam("quiz", seed=7).papers[0].questions[0]
    assert [len(part.entries) for part in q.parts[:3]] == [2, 2, 3]
    slipped = [["0.24", "-3.54"], ["0.170", "-2.503"], ["0.180", "0.807", "0.012"], q.key[3]]
    assert [one.verdict for one in mark(q, slipped)] == ["partly", "follow-through", "follow-through", "right"]
    unscaled = [q.key[0], ["-0.24", "-3.54"], ["0.069", "0.928", "0.003"], [None, None]]
    assert [one.verdict for one in mark(q, unscaled)][1:3] == ["misconception", "follow-through"]


@pytest.mark.parametrize("numbers", ["calculator", "by-hand"])
def test_a_method_slip_in_the_weights_keeps_the_method_marks_of_the_output(numbers: str) -> None:
    for q in kept(numbers):
        for name in {name for wrong in q.parts[0].wrongs for name in wrong.names} - GUARDED:
            wrong = worked(q.trace, name)
            weights, output = mark(q, [texts(part, wrong) for part in q.parts])
            if not any(_trivial(texts(q.parts[0], wrong)[i : i + 3]) for i in (0, 3, 6)):
                assert (weights.verdict, output.verdict) == ("misconception", "follow-through"), name
                assert output.awarded == output.points


def _trivial(row: list[str]) -> bool:
    """Constant, one-hot, or no weights at all."""
    weights = [Fraction(x) for x in row]
    shares = min(weights) >= 0 and abs(sum(weights) - 1) <= Fraction(3, 1000)
    return not shares or len(set(weights)) == 1 or sum(x != 0 for x in weights) == 1


@pytest.mark.parametrize("name", sorted(GUARDED))
def test_no_method_marks_are_earned_with_trivial_weights(name: str) -> None:
    q = kept()[0]
    weights, output = mark(q, [texts(part, worked(q.trace, name)) for part in q.parts])
    assert name in weights.misconceptions
    assert output.awarded == 0


def test_following_earns_its_share_of_the_points() -> None:
    q = question("weights", "output", follow_through=Fraction(1, 2))
    wrong = worked(q.trace, "softmax-over-columns")
    values = texts(q.parts[1], wrong)
    marks = mark(
        q, [["0.2", "0.3", "0.5", *texts(q.parts[0], q.trace)[3:]], [*mixed("0.2", "0.3", "0.5"), *values[2:]]]
    )
    assert marks[0].verdict == "partly"
    assert marks[1].verdict == "follow-through"
    assert marks[1].awarded == marks[1].points * Fraction(2, 6) / 2


def mixed(*weights: str) -> list[str]:
    """The output of a row of weights, at three places."""
    total = [
        sum((Fraction(w) * Fraction(v[c]) for w, v in zip(weights, VALUES, strict=True)), Fraction(0)) for c in (0, 1)
    ]
    return [str(_rounded(x, 3)) for x in total]


def test_a_true_later_answer_is_right() -> None:
    q = question("weights", "output")
    marks = mark(q, [["0.2", "0.3", "0.5", *key(q)[0][3:]], key(q)[1]])
    assert (marks[0].verdict, marks[1].verdict, marks[1].awarded) == ("partly", "right", marks[1].points)


def test_only_rows_with_a_slip_follow() -> None:
    q = question("weights", "output")
    answers = [["0.2", "0.3", "0.5", *key(q)[0][3:]], [*mixed("0.2", "0.3", "0.5"), "9", "9", *key(q)[1][4:]]]
    found = mark(q, answers)[1]
    assert found.awarded == found.points * Fraction(4, 6)
    assert found.detail("en") == "2 of 6 right; 2 that follow from the earlier values"


TRIVIAL = {
    "constant": ["1/3", "1/3", "1/3"],
    "one-hot": ["1", "0", "0"],
    "all zero": ["0", "0", "0"],
    "beyond 1": ["1.2", "-0.4", "0.2"],
    "not adding to 1": ["0.600", "0.500", "0.200"],
}


@pytest.mark.parametrize("row", TRIVIAL.values(), ids=TRIVIAL)
def test_the_guard_stops(row: list[str]) -> None:
    q = question("weights", "output")
    found = mark(q, [[*row, *key(q)[0][3:]], [*mixed(*row), *key(q)[1][2:]]])[1]
    assert (found.verdict, found.awarded) == ("partly", found.points * Fraction(4, 6))
    assert found.detail("en") == "4 of 6 right; the earlier values cannot be gone on from"


def test_the_guard_stops_a_row_with_a_gap() -> None:
    q = question("weights", "output")
    found = mark(q, [["0.5", None, "0.5", *key(q)[0][3:]], [*mixed("0.5", "0", "0.5"), *key(q)[1][2:]]])[1]
    assert found.awarded == found.points * Fraction(4, 6)


def test_the_guard_stops_scores_out_of_all_proportion() -> None:
    q = question("scaled", "weights")
    scaled = ["400", "1", "2", "1", "400", "3", "1", "2", "400"]
    found = mark(q, [scaled, ["1", "0", "0", "0", "1", "0", "0", "0", "1"]])
    assert [(one.verdict, one.awarded) for one in found] == [("wrong", 0), ("wrong", 0)]


def test_few_typed_places_are_marked_by_hand() -> None:
    q = question("scaled", "weights")
    scaled = ["1", "2", "0", "2", "0", "1", "0", "1", "2"]
    found = mark(q, [scaled, ["0.3", "0.6", "0.1"] * 3])[1]
    assert (found.verdict, found.awarded) == ("by-hand", 0)


def test_whole_numbers_that_are_meant_exactly_follow() -> None:
    q = question("scaled", "weights")
    row = ["0.245", "0.665", "0.090"]  # of 1, 2, 0
    found = mark(q, [["1", "2", "0"] * 3, row * 3])[1]
    assert (found.verdict, found.awarded) == ("follow-through", found.points)


def test_under_a_mask_only_open_entries_are_asked_and_followed() -> None:
    q = question("scaled", "output", mask="causal")
    wrong = worked(q.trace, "no-scale")
    marks = mark(q, [texts(q.parts[0], wrong, 5), texts(q.parts[1], wrong)])
    assert marks[1].awarded == marks[1].points


def test_heads_are_followed_together() -> None:
    trace = attend(Q=[["0.9", "-1.4"]], K=[["1.2", "0.4"], ["-0.7", "1.3"]], V=[["2", "-1"], ["-3", "4"]], heads=2)
    asked = replace(ASKED, ask=("weights", "output"))
    ranges = Walks(5).ranges(trace)
    quantities = [*(head.weights for head in trace.heads), trace.output]
    parts = [part_of(asked, k, q, [(0, 0), (0, 1)], ranges) for k, q in enumerate(quantities, 1)]
    q = Question(asked, 1, 0, trace, tuple(part for part in parts if isinstance(part, Part)), ())
    first, second, output = key(q)
    # head 1 goes wrong: 0.25 · 2 + 0.75 · (−3); head 2 is right
    marks = mark(q, [["0.250", "0.750"], second, ["-1.750", output[1]]])
    assert [one.verdict for one in marks] == ["wrong", "right", "follow-through"]
    assert marks[2].awarded == marks[2].points
    assert first != ["0.250", "0.750"]


@settings(max_examples=25)
@given(st.lists(st.decimals(-3, 3, places=3), min_size=9, max_size=9, unique=True))
def test_weights_worked_from_any_scores_follow(scores) -> None:
    q = question("scaled", "weights")
    assert q.trace is not None
    own: Quantity = attend(scores=[[str(x) for x in scores[3 * i : 3 * i + 3]] for i in range(3)], scale="1").weights
    answers = [[f"{x:.5f}" for x in scores], [x for row in own.decimal(3) for x in row]]
    found = mark(q, answers)[1]
    assert found.awarded == found.points


@settings(max_examples=25)
@given(st.lists(st.decimals(-3, 3, places=5), min_size=9, max_size=9, unique=True), st.booleans())
def test_who_carries_more_than_is_written_down_is_never_wrong(scores, shifted: bool) -> None:
    q = question("scaled", "weights")
    weights = []
    for row in (scores[:3], scores[3:6], scores[6:]):
        top = max(row) if shifted else 0
        exps = [_exp(Fraction(x - top), 5) for x in row]
        weights += [str(_rounded(_rounded(e / sum(exps), 5), 3)) for e in exps]
    scaled = [str(_rounded(Fraction(x), 3)) for x in scores]
    # str of a fraction has no last place: a student types the decimal
    typed = [[number(Value.of(Fraction(x)).decimal(3)) for x in given] for given in (scaled, weights)]
    assert "strays" not in follow(q, 1, typed)


@given(st.lists(st.text(max_size=8), min_size=15, max_size=15))
def test_no_answer_fails(given_texts) -> None:
    found = mark(kept()[0], [given_texts[:9], given_texts[9:]])
    assert all(0 <= one.awarded <= one.points for one in found)
    assert all(one.detail("zh") is not None for one in found)
