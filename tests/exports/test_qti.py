"""QTI 2.1 packages read back by TAO's scoring engine and marked again: as the exam marks, for every kind and shipped spec."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from io import BytesIO
from itertools import islice
from typing import Any
from xml.etree import ElementTree

import pytest
from qti_package_maker.common.package_integrity import check_package

from exactattn.exams.draw import Draw
from exactattn.exams.exam import exam
from exactattn.exams.kinds import kinds
from exactattn.exams.marking import mark
from exactattn.exams.model import Asked, Choice, Design, Order, Question, Rubric
from exactattn.exams.select import variants
from exactattn.exams.spec import load
from exactattn.exports import qti
from exactattn.exports.following import followed
from exactattn.exports.formula import at
from exactattn.exports.item import item
from exactattn.exports.markup import document
from exactattn.exports.qti_item import assessment_item
from exactattn.exports.qti_variables import SHOWN, option, response
from exactattn.exports.sheet import Sheet
from exactattn.i18n import messages
from exactattn.numbers.value import Value
from exactattn.writers.clean import flat, pieces

Given = list[list[str | None]]
SPECS = ("quiz", "midterm", "by-hand", "bank", "take-home")


ASKING_ALL = ("one-query", "full-attention", "from-embeddings", "multi-head", "cross-attention", "formula", "proof")
"""Kinds that are also asked for all they may be asked for."""


def questions() -> Iterator[tuple[str, Asked]]:
    for kind in kinds().values():
        yield kind.name, Asked("q", kind.id, points=Fraction(7))
        if "choice" in kind.answered:
            yield f"{kind.name}-choice", Asked("q", kind.id, points=Fraction(7), answer="choice")
        if kind.name in ASKING_ALL:
            yield f"{kind.name}-all", Asked("q", kind.id, points=Fraction(7), ask=kind.asks)
    yield "sinusoidal", Asked("q", "K22", points=Fraction(7), parameters={"code": "sinusoidal"})
    for name in SPECS:
        for asked in load(name).questions:
            yield f"{name}-{asked.id}", asked
    dials: dict[str, Any] = {
        "follow_through": Fraction(3, 4),
        "credit": {"no-scale": Fraction(1, 3), "uniform": Fraction(1, 2)},
        "ask": ("scaled", "weights", "output"),
    }
    yield "follow-cross", Asked("f", "K25", Fraction(5), answer="matrix", size={"n": 2, "m": 3}, **dials)
    yield "follow-one", Asked("f", "K03", Fraction(5), answer="row", **dials)


QUESTIONS = dict(questions())


@cache
def drawn(name: str) -> Question:
    return replace(next(islice(variants(QUESTIONS[name], "13"), 1)), number=1)


@cache
def exported(name: str, lang: str = "en") -> bytes:
    question = drawn(name)
    return document(assessment_item(question, item(question, messages(lang), "13", 1), "q-1"))


def having(what: Callable[[Question], Any]) -> list[str]:
    """The names of the questions that have something."""
    return [name for name in QUESTIONS if what(drawn(name))]


def handed(question: Question, given: Given) -> dict[str, Any]:
    """The answers as responses of the item."""
    out: dict[str, Any] = {}
    for k, (part, texts) in enumerate(zip(question.parts, given, strict=True)):
        match part.form:
            case None | Design():
                out |= {response(k, n): text for n, text in enumerate(texts)}
            case Choice():
                out[response(k)] = option(ord(texts[0]) - ord("A")) if texts[0] else None
            case Order():
                out[response(k)] = [option(ord(c) - ord("A")) for c in (texts[0] or "").split()]
            case Rubric():
                out[response(k)] = texts[0]
    return out


def keys(question: Question) -> Given:
    return [list(key) for key in question.key]


def awarded(question: Question, given: Given) -> Fraction:
    return sum((one.awarded for one in mark(question, given)), Fraction(0))


@pytest.fixture
def marks(tao: Callable[..., dict[str, Any]]) -> Callable[[str, Given], dict[str, Any]]:
    """What TAO says of answers, once it is what the exam says."""

    def marks(name: str, given: Given) -> dict[str, Any]:
        question, xml = drawn(name), exported(name)
        found = tao(xml, handed(question, given))
        due = awarded(question, given)
        assert abs(found["SCORE"] - float(due)) < 1e-12, (name, given, found["SCORE"], due, mark(question, given))
        return found

    return marks


def shown(found: dict[str, Any]) -> set[str]:
    return {name for name, value in found.items() if name.startswith("FEEDBACK_") and value != "hidden"}


def numeric(question: Question) -> list[int]:
    return [k for k, part in enumerate(question.parts) if part.form is None]


# -- right answers, and none -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_key_earns_all_and_nothing_earns_nothing(marks, name):
    question = drawn(name)
    by_hand = sum((question.points_of(p) for p in question.parts if isinstance(p.form, Rubric)), Fraction(0))
    found = marks(name, keys(question))
    assert float(found["MAXSCORE"]) == float(question.asked.points)
    assert found["SCORE"] == float(question.asked.points - by_hand)
    assert not feedbacks(exported(name), shown(found), found)
    assert found["SOLUTION"] == SHOWN
    empty: Given = [[None] * len(key) for key in question.key]
    assert marks(name, empty)["SCORE"] == 0


@pytest.mark.parametrize("name", having(numeric))
def test_answers_at_the_ends_of_what_is_accepted(marks, name):
    question = drawn(name)
    for k in numeric(question):
        part = question.parts[k]
        fine = Fraction(1, 10 ** (part.places + 4))
        for sign in (1, -1):
            inside, outside = keys(question), keys(question)
            inside[k] = [decimal(entry.key + sign * entry.tolerance) for entry in part.entries]
            outside[k] = [decimal(entry.key + sign * (entry.tolerance + fine)) for entry in part.entries]
            assert marks(name, inside)["SCORE"] == marks(name, keys(question))["SCORE"]
            assert marks(name, outside)["SCORE"] < marks(name, keys(question))["SCORE"]


@pytest.mark.parametrize("text", ["1/4", "abc", "0,25", "１", "--1", "", " ", "1e400", "9" * 400, "NaN", "Infinity"])
def test_what_is_no_decimal_earns_nothing(tao, text):
    question, xml = drawn("quiz-four-steps"), exported("quiz-four-steps")
    given = keys(question)
    given[0] = [text] * len(given[0])
    right = tao(xml, handed(question, keys(question)))["SCORE"]
    assert tao(xml, handed(question, given))["SCORE"] == pytest.approx(
        right - float(question.points_of(question.parts[0]))
    )


# -- wrong methods ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", having(lambda question: any(p.wrongs for p in question.parts)))
def test_each_wrong_method_has_its_credit_and_its_feedback(marks, name):
    question, xml = drawn(name), exported(name)
    words = messages("en")
    for k, part in enumerate(question.parts):
        if isinstance(part.form, Choice):
            continue
        for wrong in part.wrongs:
            given = keys(question)
            given[k] = list(wrong.texts)
            found = marks(name, given)
            names = {name for one in mark(question, given) for name in one.misconceptions}
            assert set(wrong.names) <= names
            said = feedbacks(xml, shown(found), found)
            assert words.text(f"misconception.{wrong.names[0]}.feedback") in said
            assert len(said) == 1


@pytest.mark.parametrize("name", having(lambda question: any(isinstance(p.form, Choice) for p in question.parts)))
def test_each_option_has_its_credit_and_its_feedback(marks, name):
    question, xml = drawn(name), exported(name)
    for k, part in enumerate(question.parts):
        if isinstance(part.form, Choice):
            for n, one in enumerate(part.form.options):
                given = keys(question)
                given[k] = [chr(ord("A") + n)]
                found = marks(name, given)
                said = feedbacks(xml, shown(found), found)
                expected = [messages("en").text(f"misconception.{one.names[0]}.feedback")] if one.names else []
                assert said == (expected if n != part.form.right else [])


def feedbacks(xml: bytes, outcomes: set[str], found: dict[str, Any]) -> list[str]:
    """The texts of the modal feedbacks that these values show."""
    return [
        "".join(one.itertext())
        for one in named(ElementTree.fromstring(xml), "modalFeedback")
        if one.get("outcomeIdentifier") in outcomes and found[one.attrib["outcomeIdentifier"]] == one.get("identifier")
    ]


@pytest.mark.parametrize("name", having(lambda question: len(numeric(question)) > 1))
def test_a_wrong_method_carried_through_all_parts(marks, name):
    question = drawn(name)
    names = {name for part in question.parts for wrong in part.wrongs for name in wrong.names}
    for one in sorted(names):
        given = keys(question)
        for k, part in enumerate(question.parts):
            for wrong in part.wrongs:
                if one in wrong.names and part.form is None:
                    given[k] = list(wrong.texts)
        marks(name, given)


# -- follow-through --------------------------------------------------------------------------------------------------------


FOLLOWED = having(lambda question: any(any(followed(question, k)) for k in numeric(question)))


def after(question: Question, slips: dict[int, list[str]]) -> Given:
    """The answers of a student who slips in some parts and goes on from that without another fault."""
    given = keys(question)
    for k in range(len(question.parts)):
        if k in slips:
            given[k] = list(slips[k])
            continue
        values = {(j, n): Value.of(x) for j, texts in enumerate(given[:k]) for n, x in enumerate(texts) if is_number(x)}
        for n, one in enumerate(followed(question, k) if question.parts[k].form is None else ()):
            if one is not None:
                given[k][n] = at(one.formula, values).decimal(question.parts[k].places)
    return given


def is_number(text: str | None) -> bool:
    try:
        Fraction(text or "x")
    except ValueError:
        return False
    return True


def slipped(question: Question, k: int, by: str) -> list[str]:
    """A row that is wrong and could be right: its first number moved, the next one moved back."""
    part = question.parts[k]
    out = [entry.text for entry in part.entries]
    step = Fraction(by) if part.ask != "weights" or Fraction(out[0]) + Fraction(by) < 1 else -Fraction(by)
    out[0] = decimal(Fraction(out[0]) + step)
    if len(out) > 1:
        out[1] = decimal(Fraction(out[1]) - step)
    return out


def test_some_questions_have_follow_through():
    assert len(FOLLOWED) >= 8
    asks = {
        question.parts[k].ask
        for question in map(drawn, FOLLOWED)
        for k in numeric(question)
        if any(followed(question, k))
    }
    assert {"weights", "output", "concat"} <= asks


@pytest.mark.parametrize("name", FOLLOWED)
@pytest.mark.parametrize("by", ["0.05", "0.011"])
def test_what_follows_from_an_early_slip_earns_follow_through(marks, name, by):
    question = drawn(name)
    for k in numeric(question)[:-1]:
        given = after(question, {k: slipped(question, k, by)})
        found = mark(question, given)
        marks(name, given)
        if any(one.verdict == "follow-through" for one in found):
            later = next(one for one in found if one.verdict == "follow-through")
            assert later.awarded > 0


@pytest.mark.parametrize("name", FOLLOWED)
def test_what_does_not_follow_earns_nothing_for_it(marks, name):
    question = drawn(name)
    for k in numeric(question)[:-1]:
        given = after(question, {k: slipped(question, k, "0.05")})
        last = numeric(question)[-1]
        given[last] = [decimal(Fraction(x) + Fraction("0.1")) for x in given[last] if x]
        marks(name, given)


@pytest.mark.parametrize("name", FOLLOWED)
def test_answers_about_as_far_off_as_what_follows_reaches(marks, name):
    """Typed to the places asked for, they are marked as the exam marks them, to the last unit."""
    question, source = drawn(name), Draw("reach", name, 0)
    for _ in range(6):
        slip = source.choice(numeric(question)[:-1])
        given = after(question, {slip: slipped(question, slip, source.choice(("0.05", "0.012", "-0.07")))})
        for k in numeric(question):
            places = question.parts[k].places
            moved = [Fraction(x) + Fraction(k != slip and source.integer(-3, 3), 10**places) for x in given[k] if x]
            given[k] = [Value.of(x).decimal(places) for x in moved]
        marks(name, given)


@pytest.mark.parametrize("name", FOLLOWED)
def test_trivial_and_impossible_rows_are_not_gone_on_from(marks, name):
    question = drawn(name)
    for k in numeric(question)[:-1]:
        part = question.parts[k]
        count = len(part.entries)
        rows: Sequence[list[str]] = [
            ["0"] * count,
            ["1", *["0"] * (count - 1)],
            ["0.5"] * count,
            ["1000", *["-1000"] * (count - 1)],
        ]
        for row in rows:
            marks(name, after(question, {k: row}))


def decimal(x: Fraction) -> str:
    """A fraction in decimals that end."""
    places = next(k for k in range(60) if 10**k % x.denominator == 0)
    whole = f"{abs(x.numerator) * 10**places // x.denominator:0{places + 1}d}"
    return ("-" if x < 0 else "") + (f"{whole[:-places]}.{whole[-places:]}" if places else whole)


# -- orders and designs ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", having(lambda question: any(isinstance(p.form, Order) for p in question.parts)))
def test_orders_earn_by_adjacent_pairs(marks, name):
    question = drawn(name)
    for k, part in enumerate(question.parts):
        if isinstance(part.form, Order):
            letters = keys(question)[k][0].split()
            for order in (letters[::-1], [*letters[1:], letters[0]], [*letters[-2:], *letters[:-2]]):
                given = keys(question)
                given[k] = [" ".join(order)]
                marks(name, given)


@pytest.mark.parametrize("name", having(lambda question: any(isinstance(p.form, Design) for p in question.parts)))
@pytest.mark.parametrize("factor", ["0", "2", "0.5", "-1", "1.25", "100000"])
def test_designs_are_worked(marks, name, factor):
    question = drawn(name)
    for k, part in enumerate(question.parts):
        if isinstance(part.form, Design):
            given = keys(question)
            given[k] = [decimal(entry.key * Fraction(factor)) for entry in part.entries]
            marks(name, given)


# -- the package -----------------------------------------------------------------------------------------------------------


def packed(name: str, write: Callable[..., None], lang: str = "en", **dials: Any) -> bytes:
    out = BytesIO()
    made = exam(name, seed=7, variants=2)
    write(made, out, Sheet(made.spec.title, messages(lang), **dials))
    return out.getvalue()


@pytest.mark.parametrize("write", [qti.write, qti.write3])
def test_the_same_exam_gives_the_same_bytes(write):
    assert packed("quiz", write) == packed("quiz", write)


IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")
FLOAT = re.compile(r"-?[0-9]+(\.[0-9]+)?(e-?[0-9]+)?")
SPACE = "{http://www.imsglobal.org/xsd/imsqti_v2p1}"


def named(root: ElementTree.Element, *names: str) -> list[ElementTree.Element]:
    return [one for one in root.iter() if one.tag in {SPACE + name for name in names}]


@pytest.mark.parametrize("name", QUESTIONS)
def test_names_are_declared_once_and_numbers_are_written_as_such(name):
    root = ElementTree.fromstring(exported(name))
    responses = [one.attrib["identifier"] for one in named(root, "responseDeclaration")]
    outcomes = [one.attrib["identifier"] for one in named(root, "outcomeDeclaration")]
    assert len({*responses, *outcomes}) == len(responses) + len(outcomes)
    assert {"SCORE", "MAXSCORE"} <= set(outcomes)
    assert all(IDENTIFIER.fullmatch(one) for one in (*responses, *outcomes))
    assert {one.attrib["identifier"] for one in named(root, "variable")} <= {*responses, *outcomes}
    assert {one.attrib["identifier"] for one in named(root, "setOutcomeValue")} <= set(outcomes)
    asked = [one.attrib["responseIdentifier"] for one in root.iter() if "responseIdentifier" in one.attrib]
    assert sorted(asked) == sorted(responses)
    told = {one.attrib["outcomeIdentifier"] for one in named(root, "modalFeedback")}
    assert told == {one for one in outcomes if one.startswith("FEEDBACK") or one == "SOLUTION"}
    floats = [one.text or "" for one in named(root, "baseValue") if one.get("baseType") == "float"]
    assert all(FLOAT.fullmatch(text) for text in floats)
    assert not named(root, "equal", "equalRounded")


def test_any_title_and_id_is_written_as_itself_and_names_no_path(tmp_path):
    spec = load("quiz")
    titles = ["<b>&\"'</b> ]]>", "=1+1, \u202e西安", "$\\input{x}$\x1b[31m"]
    ids = ["../../etc/passwd", "第一题", "a b;c", "A-b_1"]
    (asked,) = spec.questions
    for title in titles:
        made = exam(replace(spec, title=title, questions=tuple(replace(asked, id=one) for one in ids)), seed=7)
        out = BytesIO()
        qti.write(made, out, Sheet(title, messages("zh")))
        (tmp_path / "exam.zip").write_bytes(out.getvalue())
        assert check_package(str(tmp_path / "exam.zip")) == []
        with zipfile.ZipFile(out) as found:
            assert all(re.fullmatch(r"(items/)?[A-Za-z0-9_\-]+\.xml", name) for name in found.namelist())
            test = ElementTree.fromstring(found.read(qti.TEST))
        assert test.get("title") == flat(pieces(title))
        assert [one.get("title") for one in named(test, "assessmentSection")] == [flat(pieces(one)) for one in ids]
        assert len(named(test, "assessmentItemRef")) == len(ids)


def test_what_is_not_carried_is_said_once_for_each_question():
    spec = load("by-hand")
    proof = Asked("proof", "K17")
    made = exam(replace(spec, decimal=",", questions=(*spec.questions, proof)), seed=7, variants=2)
    sheet = Sheet(spec.title, messages("en"))
    qti.write(made, BytesIO(), sheet)
    words = messages("en")
    assert sheet.lost == (
        words.text("exports.qti.comma", id="softmax, one-query, causal"),
        words.text("exports.qti.follow", id="one-query, causal"),
        words.text("exports.qti.by_hand", id="proof"),
    )


def test_numbers_may_have_a_comma_where_the_exam_has_it():
    question = drawn("quiz-four-steps")
    masks = {}
    for sign in (".", ","):
        root = assessment_item(question, item(question, messages("en"), "13", 1), "q-1", decimal=sign)
        (entry, *_) = named(ElementTree.fromstring(document(root)), "textEntryInteraction")
        masks[sign] = entry.attrib["patternMask"]
    assert not re.fullmatch(masks["."], "0,25")
    assert re.fullmatch(masks[","], "0,25")
    assert re.fullmatch(masks[","], "0.25")


def test_a_test_draws_as_many_variants_as_a_paper_has():
    spec = load("quiz")
    made = exam(replace(spec, questions=tuple(replace(one, count=2) for one in spec.questions)), seed=7, variants=3)
    roots = dict(qti.roots(made, Sheet("", messages("en")), "modal"))
    test = ElementTree.fromstring(document(roots[qti.TEST]))
    assert [one.get("select") for one in named(test, "selection")] == ["2"]
    refs = [one.attrib["href"] for one in named(test, "assessmentItemRef")]
    assert len(set(refs)) == 6
    assert set(refs) == set(roots) - {qti.TEST, qti.MANIFEST}


def test_without_worked_solutions_there_is_nothing_of_them():
    question = drawn("quiz-four-steps")
    root = assessment_item(question, item(question, messages("en"), "13", 1), "q-1", solved="none")
    assert b"SOLUTION" not in document(root)
    assert messages("en").text("exam.key").encode() not in document(root)
