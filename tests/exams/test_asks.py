"""What may be asked in which form of answer: offered where it can be given, refused with its cause where it cannot."""

from __future__ import annotations

from typing import assert_never

import pytest

from exactattn.errors import CaseError, OptionError
from exactattn.exams.choices import OPTIONS
from exactattn.exams.kinds import find, kinds
from exactattn.exams.model import Answer, Asked, Choice, Design, Form, Order, Rubric
from exactattn.exams.select import MOST_FEW, NoVariants, variants
from exactattn.exams.spec import read

KINDS = pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.name)

PARAMETERS = {("K22", "code"): {"code": "sinusoidal"}, ("K23", "winners"): {"rule": "cosine"}}
"""What some asks need."""


def question(**more):
    lines = {"id": '"a"', "kind": '"full-attention"'} | more
    return "[[question]]\n" + "\n".join(f"{name} = {value}" for name, value in lines.items())


def form_of(form: Form | None) -> Answer | None:
    match form:
        case None | Design():
            return None
        case Choice():
            return "choice"
        case Order():
            return "order"
        case Rubric():
            return "text"
        case _ as other:
            assert_never(other)


@KINDS
def test_forms_are_those_of_the_questions(kind):
    for ask in kind.asks:
        asked = Asked("q", kind.id, ask=(ask,), parameters=PARAMETERS.get((kind.id, ask), {}))
        (part, *_) = next(variants(asked, "7")).parts
        assert kind.forms.get(ask) == form_of(part.form), ask
    assert set(kind.forms) <= set(kind.asks)
    assert set(kind.choosing) <= set(kind.default)


@KINDS
def test_every_form_that_is_offered_has_variants(kind):
    for answer in kind.answered:
        found = next(variants(Asked("q", kind.id, answer=answer), "7"))
        if answer in ("choice", "order", "text"):
            assert {form_of(part.form) for part in found.parts} == {answer}
        if answer == "choice":
            assert all(len(part.form.options) >= OPTIONS[0] for part in found.parts)


@pytest.mark.parametrize("kind", [kind for kind in kinds().values() if {"row", "number"} <= set(kind.answers)],
                         ids=lambda kind: kind.name)  # fmt: skip
def test_where_there_are_rows_a_number_is_one_entry(kind):
    for part in next(variants(Asked("q", kind.id, answer="number"), "7")).parts:
        assert len(part.entries) == 1


@pytest.mark.parametrize("kind", ["jacobian", "positions", "other-scoring"])
def test_who_asks_whole_rows_offers_no_single_number(kind):
    with pytest.raises(CaseError, match="answer is the text 'number': row or choice was due"):
        read(question(kind=f'"{kind}"', answer='"number"'))


def test_limits_are_rows():
    with pytest.raises(OptionError, match=r"question 'q': limits are whole rows, .*: answer = \"row\" was due"):
        next(variants(Asked("q", "temperature", ask=("cold",), answer="number"), "7"))
    (part,) = next(variants(Asked("q", "temperature", ask=("cold",), answer="row"), "7")).parts
    assert len(part.entries) == 3


@pytest.mark.parametrize(
    ("kind", "answer", "ask", "said"),
    [
        ("formula", "order", ["roles"], 'answer = "order" is stated, and roles is answered as choice'),
        ("formula", "order", ["roles", "order"], 'answer = "order" is stated, and roles is answered as choice'),
        ("formula", "choice", ["order"], 'answer = "choice" is stated, and order is answered as order'),
        ("proof", "text", ["statement"], 'answer = "text" is stated, and statement is answered as choice'),
        ("find-error", "number", ["line"], 'answer = "number" is stated, and line is answered as choice'),
    ],
)
def test_an_answer_that_what_is_asked_does_not_have_is_refused(kind, answer, ask, said):
    with pytest.raises(CaseError) as error:
        read(question(kind=f'"{kind}"', answer=f'"{answer}"', ask=str(ask)))
    assert str(error.value) == f"question 'a': {said}: another answer, or none, was due"


def test_numbers_may_be_asked_beside_what_is_none():
    (asked,) = read(question(kind='"find-error"', answer='"number"', ask='["line", "output"]')).questions
    assert [part.form is None for part in next(variants(asked, "7")).parts] == [False, True]
    (asked,) = read(question(kind='"formula"', ask='["roles", "order"]')).questions
    assert [form_of(part.form) for part in next(variants(asked, "7")).parts] == ["choice", "order"]


@pytest.mark.parametrize(
    ("kind", "ask"),
    [("K01", "scores"), ("K03", "scores"), ("K08", "variance"), ("K09", "joined"), ("K13", "stored"), ("K25", "Q")],
)
def test_too_few_wrong_methods_for_a_choice_are_said_so_soon(kind, ask):
    with pytest.raises(NoVariants) as error:
        next(variants(Asked("q", kind, ask=(ask,), answer="choice"), "7"))
    said, forms = error.value, [form for form in find(kind).answers if form != "choice"]
    assert said.attempts < 2 * MOST_FEW
    assert f'answer = "choice" needs 3 options or more, and for {ask} too few wrong methods' in str(said)
    assert str(said).endswith(f"or answer in another form: {' or '.join(forms)}")
