"""Answers of other forms than numbers: letters, letters in order, a text, numbers that are worked."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from itertools import islice, permutations
from typing import Any

import pytest

from exactattn.errors import OptionError
from exactattn.exams.answers import Unread
from exactattn.exams.choices import OPTIONS
from exactattn.exams.forms import judge, letters
from exactattn.exams.grade import grade
from exactattn.exams.kinds import kinds
from exactattn.exams.layout import layout
from exactattn.exams.marking import mark
from exactattn.exams.model import (
    Asked,
    Bound,
    Choice,
    Criterion,
    Design,
    Entry,
    Option,
    Order,
    Paper,
    Part,
    Place,
    Question,
    Rubric,
    Wrong,
    key_of,
)
from exactattn.exams.render import rendered
from exactattn.exams.select import NoVariants, variants
from exactattn.exams.spec import load
from exactattn.i18n import languages
from exactattn.numbers.value import Value

CHOICE = Choice((Option(("0.250",), ("no-scale",)), Option(("0.500",)), Option(("0.750",), ("uniform",))), 1)
ORDER = Order(("mix", "score", "softmax", "scale"), (1, 3, 2, 0))
RUBRIC = Rubric((Criterion("setup", Fraction(1, 3)), Criterion("conclusion", Fraction(2, 3))))
KEYS = [["1", "0"], ["0", "1"]]
DESIGN = Design(
    {"Q": [["8", "0"]], "K": KEYS, "V": [["10"], ["20"]], "scale": "1"}, "Q", 0,
    (Bound(Place("weights", 0, 0, 0), Fraction(99, 100), None),),
)  # fmt: skip
SAMPLE = tuple(Entry(f"q{k + 1}", Value.of(x), x, Fraction(0)) for k, x in enumerate(("8", "0")))


def part(form: Any, entries: tuple[Entry, ...] = (), wrongs: tuple[Wrong, ...] = ()) -> Part:
    return Part("q.1", "weights", entries, 3, 5, wrongs, form=form)


def question(*forms: Any, **dials: Any) -> Question:
    parts = tuple(part(form, SAMPLE if isinstance(form, Design) else ()) for form in forms)
    return Question(Asked("q", "formula", **dials), 1, 0, None, parts, ())


# -- letters ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("B", (1,)), ("b", (1,)), ("(b)", (1,)), (" B. ", (1,)), ("Ｂ", (1,)), ("［c］", (2,)), ("B、A", (1, 0)),
        ("A→C→B", (0, 2, 1)), ("a > c > b", (0, 2, 1)),
    ],
)  # fmt: skip
def test_letters_are_read_as_people_write_them(text, found):
    assert letters(text, 3) == found


@pytest.mark.parametrize(
    ("text", "why"),
    [("", "empty"), ("  ", "empty"), ("D", "no-letter"), ("2", "no-letter"), ("0.500", "no-letter"), ("?", "no-letter"),
     ("A" * 201, "letters-long"), ("...", "no-letter")],
)  # fmt: skip
def test_what_is_no_letter_of_an_option_is_refused(text, why):
    found = letters(text, 3)
    assert isinstance(found, Unread)
    assert found.why == why


# -- a choice --------------------------------------------------------------------------------------------------------------


def test_a_choice_is_all_or_nothing_and_names_what_was_chosen():
    q = question(CHOICE, points=Fraction(4))
    (right,), (wrong,), (both,), (none,) = (mark(q, [[text]]) for text in ("B", "a", "A B", None))
    assert (right.verdict, right.awarded, right.misconceptions) == ("right", 4, ())
    assert (wrong.verdict, wrong.awarded, wrong.misconceptions) == ("misconception", 0, ("no-scale",))
    assert (both.verdict, both.awarded) == ("wrong", 0)
    assert both.detail("en") == "q.1: “A B” is more than one letter: one was due"
    assert (none.verdict, none.awarded) == ("missing", 0)


def test_the_planned_credit_of_a_wrong_method_counts_in_a_choice():
    q = question(CHOICE, points=Fraction(4), credit={"no-scale": Fraction(1, 4)})
    assert [mark(q, [[text]])[0].awarded for text in "ABC"] == [1, 4, 0]


# -- an order --------------------------------------------------------------------------------------------------------------


def test_of_an_order_every_pair_that_follows_as_it_should_counts():
    q = question(ORDER, points=Fraction(3))
    assert key_of(q.parts[0]) == ("B D C A",)
    for order in permutations(range(4)):
        text = "".join("ABCD"[k] for k in order)
        pairs = sum(text.find(pair) >= 0 for pair in ("BD", "DC", "CA"))
        (found,) = mark(q, [[text]])
        assert found.awarded == pairs
        assert found.verdict == ("right" if pairs == 3 else "partly" if pairs else "wrong")


@pytest.mark.parametrize("text", ["B D C", "B D C A A", "B B C A"])
def test_an_order_names_each_letter_once(text):
    (found,) = mark(question(ORDER), [[text]])
    assert found.awarded == 0
    assert found.detail("en").endswith("is not each letter once")


# -- a text ----------------------------------------------------------------------------------------------------------------


def test_a_text_is_left_to_a_person():
    (found,) = mark(question(RUBRIC), [["because of the chain rule"]])
    assert (found.verdict, found.awarded, found.detail("en")) == ("by-hand", 0, "to be read by a person")
    assert mark(question(RUBRIC), [[" "]])[0].verdict == "missing"
    assert key_of(part(RUBRIC)) == ("",)


# -- a design --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (["8", "0"], "right"), (["100", "-3.5"], "right"), (["5", "1/4"], "right"), (["1e60", "0"], "right"),
        # e^4.595 = 98.99 and e^4.596 = 99.09: the bound lies between
        (["4.595", "0"], "wrong"), (["4.596", "0"], "right"), (["0", "8"], "wrong"), (["x", "0"], "wrong"),
        ([None, None], "missing"),
    ],
)  # fmt: skip
def test_a_design_is_worked_and_decided(answer, verdict):
    (found,) = mark(question(DESIGN), [answer])
    assert (found.verdict, found.awarded) == (verdict, int(verdict == "right"))


def test_a_known_wrong_design_is_named():
    wrong = Wrong(("values-as-keys",), ((1, 1), (0, 0)), 0, ("1", "0"))
    found = judge(part(DESIGN, SAMPLE, (wrong,)), ["1", "0"])
    assert (found.share, found.names) == (0, ("values-as-keys",))


def test_as_many_answers_are_due_as_there_are_places():
    with pytest.raises(ValueError, match=r"q\.1: 2 answers came, 1 were due"):
        mark(question(CHOICE), [["A", "B"]])
    with pytest.raises(ValueError, match=r"q\.1 is answered by numbers"):
        judge(part(None), ["1"])


def test_parts_share_the_points_by_their_places():
    q = question(CHOICE, DESIGN, points=Fraction(6))
    assert [q.points_of(one) for one in q.parts] == [2, 4]


# -- choices among numbers ---------------------------------------------------------------------------------------------------


NUMERIC = [kind for kind in kinds().values() if "choice" in kind.answered and "choice" not in kind.answers]


TOO_FEW = {"variance"}
"""Kinds with one wrong method for each thing asked: no choice can be made of it."""


@pytest.mark.parametrize("kind", NUMERIC, ids=lambda kind: kind.name)
def test_options_print_differently_and_one_is_right(kind):
    some = 0
    for ask in kind.asks:
        with suppress(
            NoVariants, OptionError
        ):  # too few wrong methods, or nothing that the usual parameters have: said so
            for q in islice(variants(Asked("q", kind.id, answer="choice", ask=(ask,), points=Fraction(2)), "7"), 3):
                for one in (p for p in q.parts if isinstance(p.form, Choice)):
                    some += 1
                    options = one.form.options
                    assert OPTIONS[0] <= len(options) <= OPTIONS[1]
                    assert len({(option.texts, option.key) for option in options}) == len(options)
                    assert [k for k, option in enumerate(options) if not option.names] == [one.form.right]
                    if one.entries:
                        assert options[one.form.right].texts == tuple(entry.text for entry in one.entries)
                        assert all(
                            not all(e.accepts(Fraction(t)) for e, t in zip(one.entries, option.texts, strict=True))
                            for option in options
                            if option.names
                        )
                assert sum(m.awarded for m in mark(q, q.key)) == 2
                for lang in languages():
                    assert rendered(q, lang).statement
    assert some or kind.name in TOO_FEW


def test_the_right_letter_is_not_always_the_same():
    asked = Asked("q", "softmax-vector", answer="choice")
    letters_ = [q.key[0][0] for q in islice(variants(asked, "7"), 60)]
    assert all(5 <= letters_.count(letter) <= 30 for letter in "ABCD")


def test_the_bank_has_two_hundred_choices():
    spec = load("bank")
    assert sum(asked.count for asked in spec.questions) == 200
    assert {asked.answer for asked in spec.questions} == {"choice"}


def test_letters_are_graded_from_a_table():
    q = next(iter(variants(Asked("q", "softmax-vector", answer="choice"), "7")))
    paper = Paper(1, "Ada", (q,))
    found = grade([paper], f"id,question,answer\nAda,q,({q.key[0][0].lower()})\n")
    assert not found.problems
    assert found.papers[0].awarded == 1
    assert grade([paper], "id,question,row,answer\nAda,q,1,A\n").problems[0].why == "no-entry"


def test_a_layout_puts_entries_where_they_stand():
    q = next(iter(variants(Asked("q", "masked", answer="matrix", size={"n": 4}), "7")))
    found = layout(q, q.parts[0])
    entries = [cell for row in found.cells for cell in row if isinstance(cell, Entry)]
    assert tuple(entries) == q.parts[0].entries
    assert {len(row) for row in found.cells} == {4}
    assert not found.single
