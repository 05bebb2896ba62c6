"""The numbers that an item asks for, each with intervals of its own, no two of which have a number in common.

All ends are decimals: so many units of a power of ten.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from exactattn.exams.model import FINER, Part


class Slip(NamedTuple):
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
        return _usual(5 * (self.most - self.least), self.places + 1)


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


def field_of(part: Part, k: int, shares: Sequence[Fraction]) -> Field:
    """Entry k of a part, from 0, with the intervals of its wrong methods, cut where the accepted one begins; ends are decimals.

    Accepted is never more than the exam accepts, and all that an honest student can get: a derived tolerance has 2 places more
    than the key, and one that is stated is not below it. `shares` are what the part's wrong methods earn.
    """
    entry = part.entries[k]
    count = part.places + FINER
    key, units = entry.units(count)
    low, high = key - units, key + units
    found: list[Span] = []
    for wrong, share in zip(part.wrongs, shares, strict=True):
        least, most = wrong.spans[k]
        if least < low:
            found.append((least, min(most, low - 1), wrong.names, share))
        if most > high:
            found.append((max(least, high + 1), most, wrong.names, share))
    slips = tuple(Slip(names, least, most, count, share) for least, most, names, share in apart(found))
    return Field(entry.label, entry.text, units, count, slips)


Span: TypeAlias = tuple[int, int, tuple[str, ...], Fraction]
"""The least and the most of an interval, in units; the names of the methods, the share of the points."""


def apart(spans: list[Span]) -> list[Span]:
    """The intervals cut where they overlap, so that each number lies in one: all the names there, the least share.

    >>> [(*one[:3], str(one[3])) for one in apart([(1, 5, ("a",), Fraction(1, 2)), (3, 4, ("b",), Fraction(0))])]
    [(1, 2, ('a',), '1/2'), (3, 4, ('b', 'a'), '0'), (5, 5, ('a',), '1/2')]
    """
    ordered = sorted(spans, key=lambda one: one[0])
    if all(before[1] < after[0] for before, after in pairwise(ordered)):
        return ordered
    cuts = sorted({one[0] for one in spans} | {one[1] + 1 for one in spans})
    narrow = sorted(spans, key=lambda one: one[1] - one[0])
    out: list[Span] = []
    for low, end in pairwise(cuts):
        here = [one for one in narrow if one[0] <= low and end - 1 <= one[1]]
        if not here:
            continue
        _, _, names, share = here[0]
        if len(here) > 1:
            names = tuple(dict.fromkeys(name for one in here for name in one[2]))
            share = min(one[3] for one in here)
        if out and out[-1][1:] == (low - 1, names, share):
            low = out.pop()[0]
        out.append((low, end - 1, names, share))
    return out


def digits(units: int, places: int) -> str:
    """So many units of 10^-places as a decimal, without zeros at its end.

    >>> digits(-73, 5), digits(200, 2), digits(125, 3), digits(0, 4)
    ('-0.00073', '2', '0.125', '0')
    """
    text = str(abs(units)).zfill(places + 1)
    whole, part = text[: len(text) - places], text[len(text) - places :].rstrip("0")
    return f"{'-' if units < 0 else ''}{whole}{'.' if part else ''}{part}"


_usual = lru_cache(4096)(digits)  # widths come again and again
