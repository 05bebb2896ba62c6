"""Numbers, shares and weights as Moodle takes them: what its importer knows, and what its floats tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import gcd, lcm

from exactattn.errors import InputError
from exactattn.exports.fields import Field, digits
from exactattn.exports.item import Item, Numbers, Part
from exactattn.exports.sheet import Sheet

FRACTIONS = {
    Fraction(1): "100", Fraction(9, 10): "90", Fraction(5, 6): "83.33333", Fraction(4, 5): "80", Fraction(3, 4): "75",
    Fraction(7, 10): "70", Fraction(2, 3): "66.66667", Fraction(3, 5): "60", Fraction(1, 2): "50", Fraction(2, 5): "40",
    Fraction(1, 3): "33.33333", Fraction(3, 10): "30", Fraction(1, 4): "25", Fraction(1, 5): "20",
    Fraction(1, 6): "16.66667", Fraction(1, 7): "14.28571", Fraction(1, 8): "12.5", Fraction(1, 9): "11.11111",
    Fraction(1, 10): "10", Fraction(1, 20): "5", Fraction(0): "0",
}  # fmt: skip
"""Every share of the points that the importer takes, as it has to be written."""

MOST_DIGITS = 13
"""Moodle compares floats and widens every interval by 10^-14 of its number: intervals further apart than that stay apart."""


def intervals(field: Field, item: Item, sheet: Sheet) -> list[tuple[str, str, str, tuple[str, ...]]]:
    """Each interval of a field as middle, reach, share in per cent and wrong methods: the key's first, which has none.

    Errors: InputError for intervals that Moodle would not tell apart.
    """
    _comparable(field, item)
    out: list[tuple[str, str, str, tuple[str, ...]]] = [(field.key, digits(field.units, field.places), "100", ())]
    for slip in field.slips:
        out.append((slip.middle, slip.half, share(slip.credit, item, sheet), slip.names))
    return out


def share(credit: Fraction, item: Item, sheet: Sheet) -> str:
    """A share of the points as Moodle has it, in per cent: the nearest that is not above."""
    if not credit:
        return "0"
    if credit not in FRACTIONS:
        found = max(one for one in FRACTIONS if one <= credit)
        sheet.say("moodle.fractions", item.question.asked.id, credit=str(credit), written=FRACTIONS[found])
        return FRACTIONS[found]
    return FRACTIONS[credit]


def weights(parts: Sequence[Part], item: Item, sheet: Sheet) -> list[int]:
    """The weight of a field of each part of a cloze question, which is a whole number: the points, or in proportion to them."""
    counts = [len(part.form.fields) if isinstance(part.form, Numbers) else 1 for part in parts]
    shares = [part.points / count for part, count in zip(parts, counts, strict=True)]
    points = sum((part.points for part in parts), Fraction(0))
    if all(one.denominator == 1 and one for one in shares):
        return [int(one) for one in shares]
    if not points:
        return [1] * len(shares)
    common = lcm(*(one.denominator for one in shares))
    whole = [int(one * common) for one in shares]
    whole = [one // gcd(*whole) for one in whole]
    total = sum(one * count for one, count in zip(whole, counts, strict=True))
    if total != points:
        sheet.say("moodle.weights", item.question.asked.id, weight=total, points=rounded(points))
    return whole


def rounded(points: Fraction) -> str:
    """Points to the seven places that Moodle keeps."""
    return digits(round(points * 10**7), 7)


def _comparable(field: Field, item: Item) -> None:
    """Raise InputError where Moodle's floats would not tell the intervals of a field apart.

    Intervals are at least one unit of 10^-places apart; each grows by at most 10^-14 of the largest number in it.
    """
    key = int(Fraction(field.key) * 10**field.places)
    # slips are in order
    ends = (key, field.slips[0].least, field.slips[-1].most) if field.slips else (key,)
    largest = max(map(abs, ends)) + field.units
    if largest >= 10**MOST_DIGITS and _closest(field) * 10**MOST_DIGITS <= largest:
        raise InputError(
            "question {id!r}, {label}: numbers of more than {most} digits are told apart here, and Moodle computes with floats: "
            "ask for fewer places",
            id=item.question.asked.id, label=field.label, most=MOST_DIGITS,
        )  # fmt: skip


def _closest(field: Field) -> int:
    """How many units the nearest two intervals of a field are apart."""
    key = int(Fraction(field.key) * 10**field.places)
    ends = sorted([(key - field.units, key + field.units), *((slip.least, slip.most) for slip in field.slips)])
    return min((b[0] - a[1] for a, b in pairwise(ends)), default=10**MOST_DIGITS)
