"""Answers that are tried one after the other, the first that holds the response wins: which of them get in each other's way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Reached:
    """An answer for every number from low to high (None: no end): what it earns, what is said, the number it is for."""

    low: Fraction | None
    high: Fraction | None
    credit: Fraction
    said: str
    middle: Fraction | None
    line: int
    text: str

    def holds(self, x: Fraction) -> bool:
        """Is the number taken by this answer?"""
        return (self.low is None or self.low <= x) and (self.high is None or x <= self.high)

    def covers(self, other: Reached) -> bool:
        """Is every number of the other taken by this one?"""
        below = self.low is None or (other.low is not None and self.low <= other.low)
        return below and (self.high is None or (other.high is not None and other.high <= self.high))

    def meets(self, other: Reached) -> bool:
        """Are there numbers, more than one, that both take?

        Intervals with only an end in common are meant: both ends are taken in, so neighbours that leave no gap cannot
        but share one, and it goes to the answer that comes first.
        """
        ends = [x.high for x in (self, other) if x.high is not None]
        starts = [x.low for x in (self, other) if x.low is not None]
        return not ends or not starts or max(starts) < min(ends)


MOST = 1000

Conflict: TypeAlias = Literal["key-refused", "answer-shadowed", "intervals-overlap"]


def conflicts(answers: Sequence[Reached]) -> Iterator[tuple[Conflict, Reached, Reached]]:
    """What is in the way, as (what, the answer that comes first, the one it takes numbers from).

    A narrow interval within a later wider one is meant: a near miss earns a part. Answers beyond the first `MOST` are not
    compared.
    """
    for k, later in enumerate(answers[:MOST]):
        for first in answers[:k]:
            if first.credit == later.credit and first.said == later.said:
                continue
            if later.middle is not None and first.credit < later.credit and first.holds(later.middle):
                yield "key-refused", first, later
                break
            if first.covers(later):
                yield "answer-shadowed", first, later
                break
            if first.credit != later.credit and first.meets(later) and not later.covers(first):
                yield "intervals-overlap", first, later
                break
