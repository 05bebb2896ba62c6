"""Parts of a QTI item that are no numbers of entries: a choice, an order, numbers of the student's own that are worked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil, floor

from exactattn.attention import attend
from exactattn.exams.model import Choice, Design, Part
from exactattn.exports import qti_rules as rules
from exactattn.exports.formula import Answer, constants, worked
from exactattn.exports.markup import Element, element
from exactattn.exports.qti_numbers import wrong_methods
from exactattn.exports.qti_variables import Marking, Told, option, response

FINEST = Fraction(1, 10**12)
"""Bounds whose decimals do not end are cut off here, inwards."""


def choice(out: Marking, k: int, part: Part, form: Choice) -> None:
    """All or nothing, but for a wrong method's planned credit; the chosen option says what is said."""
    out.answer(response(k), "identifier", (option(form.right),))
    units = out.counter(f"UNITS_{k + 1}")
    points = out.question.points_of(part)
    chosen = rules.variable(response(k))
    branches = []
    for n, one in enumerate(form.options):
        share = Fraction(1) if n == form.right else out.question.credit_of(one.names)
        if share:
            condition = element("match", chosen, rules.base_value("identifier", option(n)))
            branches.append((condition, rules.set_to(units, rules.number(out.whole(points * share)))))
    out.processing.append(rules.first_of(branches))
    told = [(n, one.names) for n, one in enumerate(form.options) if one.names and n != form.right]
    if told:
        flag = out.flag()
        out.told += [Told(flag, option(n), names) for n, names in told]
        out.processing.append(
            rules.when(rules.all_of(*rules.given(response(k))), rules.set_to(flag, rules.variable(response(k))))
        )


def order(out: Marking, k: int, part: Part, right: Sequence[int]) -> None:
    """Each pair of steps that follow one another as they should counts."""
    out.answer(response(k), "identifier", [option(n) for n in right], "ordered")
    units = out.counter(f"UNITS_{k + 1}")
    each = out.whole(out.question.points_of(part) / max(len(right) - 1, 1))
    complete = element("gte", element("containerSize", rules.variable(response(k))), rules.number(len(right)))
    for n, (first, then) in enumerate(pairwise(right), 1):
        pair = out.counter(f"PAIR_{k + 1}_{n}")
        places = [
            element(
                "and",
                _at(k, place, first),
                _at(k, place + 1, then),
            )
            for place in range(1, len(right))
        ]
        out.processing.append(
            rules.when(element("and", complete, rules.any_of(*places)), rules.set_to(pair, rules.number(1)))
        )
    pairs = rules.total(*(rules.variable(f"PAIR_{k + 1}_{n}") for n in range(1, len(right))))
    out.processing.append(rules.set_to(units, rules.times(pairs, each)))


def _at(k: int, place: int, step: int) -> Element:
    found = element("index", rules.variable(response(k)), n=str(place))
    return element("match", found, rules.base_value("identifier", option(step)))


def design(out: Marking, k: int, part: Part, form: Design) -> None:
    """Numbers of the student's own: right where the work done with them keeps within the bounds."""
    names = [response(k, n) for n in range(len(part.entries))]
    for name, entry in zip(names, part.entries, strict=True):
        out.answer(name, "float", (entry.text,))
    units = out.counter(f"UNITS_{k + 1}")
    points = out.question.points_of(part)
    wrong_methods(out, k, part)
    branches = [(rules.all_of(*rules.numeric(*names), *_bounds(k, part, form)), rules.number(out.whole(points)))]
    method = sorted(((out.question.credit_of(wrong.names), flag) for wrong, flag in out.wrongs[k]), key=lambda x: x[0])
    branches += [
        (element("gte", rules.variable(flag), rules.number(1)), rules.number(out.whole(points * share)))
        for share, flag in method
        if share
    ]
    out.processing.append(rules.first_of([(condition, rules.set_to(units, amount)) for condition, amount in branches]))


def _bounds(k: int, part: Part, form: Design) -> Iterator[Element]:
    trace = attend(**form.given)
    varied = trace.step(form.varied).computed
    rows = list(constants(varied))
    rows[form.row] = tuple(Answer((k, n)) for n in range(len(part.entries)))
    found = worked(trace, {(form.varied, varied.head): tuple(rows)})
    for bound in form.bounds:
        at = bound.place
        x = rules.formula(found[at.name, at.head][at.row][at.column], lambda cell: response(*cell))
        low = None if bound.low is None else ceil(bound.low / FINEST) * FINEST
        high = None if bound.high is None else floor(bound.high / FINEST) * FINEST
        yield from rules.within(x, low, high)
