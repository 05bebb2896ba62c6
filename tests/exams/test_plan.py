"""Work on a plan is the work itself: every wrong method of every kind, on many draws."""

from __future__ import annotations

from itertools import islice

import pytest

import exactattn as xa
from exactattn.arithmetic.outline import Outline, OutlineArithmetic, Unseen
from exactattn.attention import attend
from exactattn.exams.draw import Draw
from exactattn.exams.keys import in_scope
from exactattn.exams.kinds import find, kinds
from exactattn.exams.kinds.direct import Direct
from exactattn.exams.model import Asked
from exactattn.exams.plan import MOST, Plan, Plans, Work, make_of
from exactattn.exams.range import Walks
from exactattn.misconceptions import CATALOGUE, Misconception
from exactattn.misconceptions import find as misconception
from exactattn.numbers.matrix import Linear

DRAWS = 12
WANTED = ("scores", "scaled", "exps", "sums", "weights", "output")


def drawn(kind):
    """Traces of a kind; none where its questions have none."""
    for attempt in range(DRAWS):
        given = kind.draw(Draw("plan", "q", attempt), Asked("q", kind.id))
        if isinstance(given, Direct):
            return
        yield attend(**given)


def same(found, due):
    """The very same balls, where something is said."""
    assert len(found) == len(due)
    for one, other in zip(found, due, strict=True):
        assert one.keys() == other.keys()
        for place, matrix in one.items():
            for x, y in zip(matrix.entries(), other[place].entries(), strict=True):
                assert (x.is_nan() and y.is_nan()) or (x.mid(), x.rad()) == (y.mid(), y.rad())


@pytest.mark.parametrize("name", [kind.id for kind in kinds().values()])
def test_every_wrong_method_gives_on_its_plan_what_it_gives(name):
    kind, plans = find(name), Plans()
    asked = Asked("q", name)
    for trace in drawn(kind):
        wanted = [(step.name, step.head) for step in trace.steps if step.name in WANTED]
        work, walks = Work(plans.plan(trace, wanted), trace, 5, None), Walks(5)
        same(work.ranges, walks.ranges(trace, wanted))
        for row in (*CATALOGUE, *kind.own(asked)):
            wrong, found = row.work(trace), work.wrong(row)
            touched = set()
            if wrong is not None:
                untouched = {id(step) for step in trace.steps} & {id(step) for step in wrong.steps}
                places = {id(step): (step.name, step.head) for step in trace.steps}
                kept = {places[one] for one in untouched}
                touched = {place for place in wanted if in_scope(row, place[0]) and place not in kept}
            assert (set() if found is None else set(found[0])) == touched, row.name
            if found is not None:
                same(found[1].ranges, walks.ranges(wrong, touched))
                assert found[1].work() == wrong


@pytest.mark.parametrize("name", [kind.id for kind in kinds().values()])
def test_an_outline_has_the_shapes_of_the_work_and_knows_what_may_be_zero(name):
    """Whatever `exact` arithmetic might refuse to divide by is known for it: all that it holds as surds."""
    kind = find(name)
    for trace in islice(drawn(kind), 3):
        plan = Plan(trace, [("weights", 0)])
        for row in (None, *CATALOGUE, *kind.own(Asked("q", name))):
            try:
                outline = plan.outline if row is None else row.work(plan.outline)
            except Unseen:
                continue
            work = trace if row is None else row.work(trace)
            assert (outline is None) == (work is None)
            for drawn_step, step in zip(outline.steps, work.steps, strict=True) if work is not None else ():
                matrix = drawn_step.made.matrix
                assert (drawn_step.function, drawn_step.name, drawn_step.head) == (step.function, step.name, step.head)
                assert (matrix.n, matrix.m) == drawn_step.made.shape == step.made.shape
                assert drawn_step.made.keep == step.made.keep
                assert matrix.linear or not isinstance(step.made.exact, Linear)


def test_kinds_with_a_trace_are_among_them():
    assert sum(1 for kind in kinds().values() if next(drawn(kind), None) is not None) >= 10


QUERIES, KEYS = [["1", "-0.5"], ["-0.3", "2"]], [["0.2", "1"], ["1.5", "-0.4"], ["-1", "0.6"]]


def test_a_method_that_looks_at_numbers_is_worked_on_the_variant_itself():
    wanted = [("weights", 0)]
    first, second = xa.attend(Q=QUERIES, K=KEYS), xa.attend(Q=QUERIES[::-1], K=KEYS)
    plan = Plan(first, wanted)
    assert isinstance(plan.wrong(misconception("hard-argmax")), Unseen)
    largest = []
    for trace in (first, second):
        found = Work(plan, trace, 5, None).wrong(misconception("hard-argmax"))
        assert found is not None
        largest.append([[x > 0 for x in row] for row in found[1].ranges[0]["weights", 0].tolist()])
    assert largest[0] == largest[1][::-1] != largest[1]


def test_work_made_alike_has_one_plan():
    plans, wanted = Plans(), [("weights", 0)]
    a, b = xa.attend(Q=QUERIES, K=KEYS), xa.attend(Q=KEYS[:2], K=KEYS)
    assert make_of(a) == make_of(b)
    assert plans.plan(a, wanted) is plans.plan(b, wanted)
    others = [
        xa.attend(Q=QUERIES, K=KEYS, scale="1"),
        xa.attend(Q=QUERIES, K=KEYS[:2]),
        xa.attend(Q=QUERIES, K=KEYS, V=KEYS),
        xa.attend(Q=QUERIES, K=KEYS, shift="none"),
        xa.attend(Q=QUERIES, K=KEYS, mask=[[True, True, False], [True, True, True]]),
        xa.attend(Q=QUERIES, K=KEYS, tokens=["a", "b"], key_tokens=["c", "d", "e"]),
    ]
    assert len({make_of(trace) for trace in (a, *others)}) == 1 + len(others)
    assert plans.plan(a, [("scores", 0)]) is not plans.plan(a, wanted)


def test_so_many_plans_are_kept():
    plans, first = Plans(), xa.attend(Q=QUERIES, K=KEYS)
    held = plans.plan(first, [("weights", 0)])
    for k in range(MOST - 1):
        plans.plan(xa.attend(Q=QUERIES, K=KEYS, scale=str(k + 2)), [("weights", 0)])
    assert plans.plan(first, [("weights", 0)]) is held
    plans.plan(xa.attend(Q=QUERIES, K=KEYS, scale="1/3"), [("weights", 0)])
    assert plans.plan(first, [("weights", 0)]) is not held


def test_a_method_that_reads_an_input_is_worked_on_the_variant_itself():
    trace = xa.attend(Q=QUERIES, K=KEYS)
    odd = Misconception("odd", "scores", lambda trace: {} if trace.problem.inputs["Q"][0][0] == "1" else None)
    assert isinstance(Plan(trace, [("weights", 0)]).wrong(odd), Unseen)
    texts = Misconception("texts", "scores", lambda trace: {} if "1" in trace.steps[0].settings["texts"][0] else None)
    assert isinstance(Plan(trace, [("weights", 0)]).wrong(texts), Unseen)


def test_an_outline_has_no_numbers():
    ar = OutlineArithmetic()
    a = ar.read([["1", "2"], ["3", "4"]])
    with pytest.raises(Unseen, match="numbers"):
        ar.exact(a)
    with pytest.raises(Unseen, match="a divisor that may be 0"):
        ar.divide_column(a, ar.columns(a, 0, 1))
    e = ar.exp(a, None)
    assert ar.divide_column(e, ar.row_sum(e)) == Outline(2, 2, linear=False)
