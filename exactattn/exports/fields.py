"""The numbers that an item asks for, each with intervals of its own, no two of which have a number in common.

All ends are decimals: so many units of a power of ten.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from exactattn.exams.model import Part

FINER = 2
"""Places of an interval's ends beyond those of the key: as many as a derived tolerance has."""


@dataclass(frozen=True, slots=True)
class Slip:
    """What wrong methods give for one field: a closed interval, and the share of the points that it earns.

    Its ends are `least` and `most` units, of which there are 10^places to 1. Of several names the first is that of the method
    with the narrowest interval, which says most.
    """

    names: tuple[str, ...]
    least: int
    most: int
    places: int
    credit: Fraction

    @property
    def low(self) -> Fraction:
        """The lower end."""
        return Fraction(self.least, 10**self.places)

    @property
    def high(self) -> Fraction:
        """The upper end."""
        return Fraction(self.most, 10**self.places)

    @property
    def middle(self) -> str:
        """The middle, in digits."""
        return digits(5 * (self.least + self.most), self.places + 1)

    @property
    def half(self) -> str:
        """Half the width, in digits."""
        return digits(5 * (self.most - self.least), self.places + 1)


@dataclass(frozen=True, slots=True)
class Field:
    """One number to be given: |x − key| ≤ tolerance earns all; `slips` are apart from that and from each other.

    The tolerance is so many units of 10^-places.
    """

    label: str
    key: str
    units: int
    places: int
    slips: tuple[Slip, ...]

    @property
    def tolerance(self) -> Fraction:
        """How far from the key an answer may lie."""
        return Fraction(self.units, 10**self.places)

    @property
    def low(self) -> Fraction:
        """The least number that is accepted."""
        return Fraction(self.key) - self.tolerance

    @property
    def high(self) -> Fraction:
        """The greatest number that is accepted."""
        return Fraction(self.key) + self.tolerance

    def judged(self, x: Fraction) -> tuple[Fraction, tuple[str, ...]]:
        """The share of the points that an answer earns, and the wrong methods it comes from."""
        if self.low <= x <= self.high:
            return Fraction(1), ()
        return next(((slip.credit, slip.names) for slip in self.slips if slip.low <= x <= slip.high), (Fraction(0), ()))


def field_of(part: Part, k: int, credit: Callable[[tuple[str, ...]], Fraction]) -> Field:
    """Entry k of a part, from 0, with the intervals of its wrong methods, cut where the accepted one begins; ends are decimals.

    Accepted is never more than the exam accepts, and all that an honest student can get: a derived tolerance has 2 places more
    than the key, and one that is stated is not below it.
    """
    entry = part.entries[k]
    count = part.places + FINER
    one = 10**count
    units = _floor(entry.tolerance, one)
    key = _floor(entry.key, one)  # the key has no more places
    low, high = key - units, key + units
    found: list[Slip] = []
    for wrong in part.wrongs:
        a, b = wrong.intervals[k]
        least, most = _floor(a, one), -_floor(-b, one)
        for left, right in ((least, min(most, low - 1)), (max(least, high + 1), most)):
            if left <= right:
                found.append(Slip(wrong.names, left, right, count, credit(wrong.names)))
    return Field(entry.label, entry.text, units, count, tuple(apart(found)))


def _floor(x: Fraction, one: int) -> int:
    return x.numerator * one // x.denominator


def apart(slips: Sequence[Slip]) -> list[Slip]:
    """The intervals, all in the same units, cut where they overlap, so that each number lies in one: all names, the least credit.

    >>> a, b = Slip(("a",), 1, 5, 0, Fraction(1, 2)), Slip(("b",), 3, 4, 0, Fraction(0))
    >>> [(one.names, one.least, one.most, str(one.credit)) for one in apart([a, b])]
    [(('a',), 1, 2, '1/2'), (('b', 'a'), 3, 4, '0'), (('a',), 5, 5, '1/2')]
    """
    cuts = sorted({one.least for one in slips} | {one.most + 1 for one in slips})
    narrow = sorted(slips, key=lambda one: one.most - one.least)
    out: list[Slip] = []
    for low, end in pairwise(cuts):
        here = [one for one in narrow if one.least <= low and end - 1 <= one.most]
        if not here:
            continue
        names = tuple(dict.fromkeys(name for one in here for name in one.names))
        credit = min(one.credit for one in here) if len(here) > 1 else here[0].credit
        if out and out[-1].names == names and out[-1].most + 1 == low:
            low = out.pop().least
        out.append(Slip(names, low, end - 1, here[0].places, credit))
    return out


def digits(units: int, places: int) -> str:
    """So many units of 10^-places as a decimal, without zeros at its end.

    >>> digits(-73, 5), digits(200, 2), digits(125, 3), digits(0, 4)
    ('-0.00073', '2', '0.125', '0')
    """
    text = f"{abs(units):0{places + 1}d}"
    whole, part = text[: len(text) - places], text[len(text) - places :].rstrip("0")
    return f"{'-' if units < 0 else ''}{whole}{'.' if part else ''}{part}"
