"""Numeric parts of a QTI item: entries that are right, wrong methods that are seen, what follows from an earlier slip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from exactattn.exams.model import Part, Wrong
from exactattn.exports import qti_rules as rules
from exactattn.exports.following import Earlier, Followed, followed
from exactattn.exports.formula import Cell
from exactattn.exports.item import Numbers
from exactattn.exports.markup import Element, element
from exactattn.exports.qti_variables import SHOWN, Marking, response
from exactattn.misconceptions import CATALOGUE

FINER = 6
"""Places of the ends of a wrong method's interval beyond those of the key; they are rounded inwards."""

_STEPS = {row.name: row.step for row in CATALOGUE}


def numbers(out: Marking, k: int, part: Part) -> None:
    """Part k: how each entry is judged, and what the part earns."""
    form = out.item.parts[k].form
    if not isinstance(form, Numbers) or [cell.key for cell in form.fields] != [entry.text for entry in part.entries]:
        raise ValueError(f"{part.id}: the places to fill are not the entries asked for")
    for n, (entry, cell) in enumerate(zip(part.entries, form.fields, strict=True)):
        out.answer(response(k, n), "float", (entry.text,))
        right = out.counter(f"RIGHT_{k + 1}_{n + 1}")
        x = rules.variable(response(k, n))
        accepted = rules.all_of(*rules.numeric(response(k, n)), *rules.within(x, cell.low, cell.high))
        out.processing.append(rules.when(accepted, rules.set_to(right, rules.number(1))))
    wrong_methods(out, k, part)
    follows = _following(out, k, part)
    each = out.whole(out.question.points_of(part) / len(part.entries))
    rights = [rules.variable(f"RIGHT_{k + 1}_{n + 1}") for n in range(len(part.entries))]
    earned = [rules.times(rules.total(*rights), each)]
    if follows:
        points = out.question.points_of(part) * out.question.asked.follow_through
        share = out.whole(points / len(part.entries))
        gained = rules.times(rules.total(*map(rules.variable, follows)), share)
        earned.append(element("sum", rules.times(rules.total(*rights), each), gained))
    method = _by_method(out, k, part)
    if method is not None:
        earned.append(rules.variable(method))
    units = out.counter(f"UNITS_{k + 1}")
    out.processing.append(rules.set_to(units, earned[0] if len(earned) == 1 else element("max", *earned)))


def wrong_methods(out: Marking, k: int, part: Part) -> None:
    """Which wrong methods give every entry, and what is said then."""
    found: list[tuple[Wrong, str]] = []
    names = [response(k, n) for n in range(len(part.entries))]
    for w, wrong in enumerate(part.wrongs):
        flag = out.counter(f"WRONG_{k + 1}_{w + 1}")
        inside = [
            end
            for name, (low, high) in zip(names, wrong.intervals, strict=True)
            for end in rules.within(rules.variable(name), low, high)
        ]
        seen = rules.all_of(*rules.numeric(*names), *inside)
        shown = rules.set_to(out.tell(wrong.names), rules.base_value("identifier", SHOWN))
        out.processing.append(rules.when(seen, rules.set_to(flag, rules.number(1)), shown))
        found.append((wrong, flag))
    out.wrongs[k] = found


def _by_method(out: Marking, k: int, part: Part) -> str | None:
    """What a wrong method earns, where its slip is in no other part that is answered wrong: that one has the credit then."""
    branches = []
    for wrong, flag in out.wrongs[k]:
        share = out.question.credit_of(wrong.names)
        if share:
            clean = [
                _not_wrong(j, other)
                for j, other in enumerate(out.question.parts)
                if j != k and other.form is None and other.ask in {_STEPS.get(name) for name in wrong.names}
            ]
            condition = rules.all_of(element("gte", rules.variable(flag), rules.number(1)), *clean)
            amount = rules.number(out.whole(out.question.points_of(part) * share))
            branches.append((share, condition, amount))
    if not branches:
        return None
    method = out.counter(f"METHOD_{k + 1}")
    ordered = sorted(branches, key=lambda branch: branch[0])  # several at once: the smaller credit
    out.processing.append(
        rules.first_of([(condition, rules.set_to(method, amount)) for _, condition, amount in ordered])
    )
    return method


def _not_wrong(j: int, part: Part) -> Element:
    """A part that is all right, or not answered at all."""
    names = [response(j, n) for n in range(len(part.entries))]
    empty = rules.all_of(*(element("not", answered) for answered in rules.numeric(*names)))
    return rules.any_of(_all_right([(j, n) for n in range(len(part.entries))]), empty)


def _all_right(cells: Sequence[Cell]) -> Element:
    rights = rules.total(*(rules.variable(f"RIGHT_{k + 1}_{n + 1}") for k, n in cells))
    return element("gte", rights, rules.number(len(cells)))


# -- follow-through ----------------------------------------------------------------------------------------------------------


def _following(out: Marking, k: int, part: Part) -> list[str]:
    """A flag for each entry that can follow from earlier answers."""
    flags = []
    for n, one in enumerate(followed(out.question, k)):
        if one is None:
            continue
        for row in one.earlier:
            _soundness(out, row)
        flag = out.counter(f"FOLLOWS_{k + 1}_{n + 1}")
        out.processing.append(rules.when(_follows(out, k, n, one), rules.set_to(flag, rules.number(1))))
        flags.append(flag)
    return flags


def _follows(out: Marking, k: int, n: int, one: Followed) -> Element:
    x = rules.variable(response(k, n))
    wrong_before = rules.any_of(*(element("not", _all_right(row.cells)) for row in one.earlier))
    sound = [element("gte", rules.variable(out.sound[row.cells]), rules.number(1)) for row in one.earlier]
    near = rules.near(x, rules.formula(one.formula, lambda cell: response(*cell)), one.within)
    return rules.all_of(
        *rules.numeric(response(k, n)),
        element("lt", rules.variable(f"RIGHT_{k + 1}_{n + 1}"), rules.number(1)),
        wrong_before,
        *sound,
        rules.any_of(near, *_same_method(out, k)),
    )


def _same_method(out: Marking, k: int) -> Iterator[Element]:
    """The same wrong method gives an earlier part and this one: the slip was made there, whatever was carried on."""
    for wrong, flag in out.wrongs[k]:
        before = [
            other_flag
            for j in range(k)
            for other, other_flag in out.wrongs.get(j, ())
            if set(other.names) & set(wrong.names)
        ]
        if before:
            seen = rules.total(*map(rules.variable, before))
            yield element(
                "and",
                element("gte", rules.variable(flag), rules.number(1)),
                element("gte", seen, rules.number(1)),
            )


def _soundness(out: Marking, row: Earlier) -> None:
    """A flag: the row is answered in full, and right or such as one can go on from."""
    if row.cells in out.sound:
        return
    k = row.cells[0][0]
    flag = out.counter(f"SOUND_{k + 1}_{sum(cells[0][0] == k for cells in out.sound) + 1}")
    out.sound[row.cells] = flag
    names = [response(*cell) for cell in row.cells]
    numbers = [rules.variable(name) for name in names]
    guard = [end for x in numbers for end in rules.within(x, row.least, row.most, above=row.open_least)]
    if row.adds_to_one is not None:
        guard.append(rules.near(rules.total(*numbers), rules.number(Fraction(1)), row.adds_to_one))
    if row.not_constant:
        apart = [element(sign, x, y) for x, y in pairwise(numbers) for sign in ("lt", "gt")]
        guard.append(rules.any_of(*apart))
    if row.not_one_hot:
        guard.append(_several(numbers))
    sound = rules.any_of(_all_right(row.cells), rules.all_of(*guard)) if guard else _all_right(row.cells)
    out.processing.append(rules.when(rules.all_of(*rules.numeric(*names), sound), rules.set_to(flag, rules.number(1))))


def _several(numbers: Sequence[Element]) -> Element:
    """Not exactly one of the numbers is other than 0: two are, or none."""
    zero = rules.number(Fraction(0))
    size = element("max", *(element("mathOperator", x, name="abs") for x in numbers))
    pairs = [
        element("and", _other_than(x, zero), _other_than(y, zero))
        for i, x in enumerate(numbers)
        for y in numbers[i + 1 :]
    ]
    return rules.any_of(*pairs, element("lte", size, zero))


def _other_than(x: Element, zero: Element) -> Element:
    return element("gt", element("mathOperator", x, name="abs"), zero)
