"""How a QTI item marks: as the exam does.

Of a numeric part the highest counts: its right entries; right entries and those that follow from the student's own wrong
earlier answers; the planned credit of a wrong method that gives every entry.
"""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import assert_never

from exactattn.exams.model import Choice, Design, Order, Question, Rubric
from exactattn.exports import qti_forms as forms
from exactattn.exports import qti_rules as rules
from exactattn.exports.item import Item
from exactattn.exports.markup import element
from exactattn.exports.qti_numbers import numbers
from exactattn.exports.qti_variables import HIDDEN, Marking, response


def marking(question: Question, item: Item) -> Marking:
    """The variables and rules of a question."""
    out = Marking(question, item, _units(question))
    for k, part in enumerate(question.parts):
        match part.form:
            case None:
                numbers(out, k, part)
            case Choice() as form:
                forms.choice(out, k, part, form)
            case Order(right=right):
                forms.order(out, k, part, right)
            case Design() as form:
                forms.design(out, k, part, form)
            case Rubric():
                out.answer(response(k), "string", ())
                out.counter(f"UNITS_{k + 1}")
            case _ as other:
                assert_never(other)
    earned = rules.total(*(rules.variable(f"UNITS_{k + 1}") for k in range(len(question.parts))))
    score = element("divide", earned, rules.number(out.units))
    out.processing.append(rules.set_to("SCORE", score))
    # said once more at each attempt: one player shows a feedback until its outcome is set anew
    hidden = rules.base_value("identifier", HIDDEN)
    out.processing[:0] = [rules.set_to(outcome, hidden) for outcome in dict.fromkeys(one.outcome for one in out.told)]
    return out


def _units(question: Question) -> int:
    """How many units make a point: every amount that can be awarded is a whole number of them."""
    asked = question.asked
    amounts: list[Fraction] = []
    for part in question.parts:
        points = question.points_of(part)
        shares = [question.credit_of(wrong.names) for wrong in part.wrongs]
        match part.form:
            case None:
                each = points / len(part.entries)
                amounts += [each, each * asked.follow_through]
            case Choice(options=options):
                shares += [question.credit_of(one.names) for one in options]
            case Order(right=right):
                amounts.append(points / max(len(right) - 1, 1))
            case Design() | Rubric():
                pass
            case _ as other:
                assert_never(other)
        amounts += [points, *(points * share for share in shares)]
    return lcm(*(amount.denominator for amount in amounts))
