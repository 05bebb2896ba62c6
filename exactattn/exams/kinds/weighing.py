"""Softmax and weighted sums of exact numbers, for questions without a trace."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from math import ceil

from exactattn.exams.model import Asked
from exactattn.numbers.value import Value


def least_sum(scores: Sequence[Value]) -> Fraction:
    """Below what a student divides by: 1 where the largest score is subtracted, else the sum of e to the scores as they are."""
    low, _ = added([s.exp() for s in scores]).interval(64)
    return min(low, Fraction(1))


def weight_slack(m: int, least: Fraction = Fraction(1)) -> int:
    """By how many half units δ of the last working place a weight of m keys may be off, the sum of exponentials being `least`.

    With e = 1 exact for the largest, every other exponential is off by δ, and by 2δ·e from two rounded scaled scores. For a
    weight a = e/Z this makes δ/Z + 2δ·a + a·((m − 1)·δ + 2δ·Z)/Z, and δ more when it is rounded: m + 3 at most where Z is 1 or
    more.
    """
    return ceil((m + 3) / least)


def output_slack(values: Sequence[int | Fraction], asked: Asked, least: Fraction = Fraction(1)) -> int:
    """By how many half units of the last working place an output may be off.

    Of rounded weights it is the sum of |v|. Rounded exponentials, and the scaled scores in them, move o = Σ e·v/Σ e by |v − o|
    each over the sum, at most the spread of the values; by hand exponentials are exact.
    """
    once = sum((max(v, -v) for v in values), Fraction(0))
    spread = max(values) - min(values)
    return ceil(once if asked.numbers == "by-hand" else once + 2 * len(values) * spread / least)


def exponentials(scores: Sequence[Value]) -> list[Value]:
    """e to each score less the largest.

    >>> [str(x) for x in exponentials([Value.of("1000 + ln(3)"), Value.of("1000")])]
    ['1', '1/3']
    """
    top = max(scores, key=Ordered)
    return [(s - top).exp() for s in scores]


def softmax(scores: Sequence[Value]) -> list[Value]:
    """The weights of a row of scores.

    >>> [str(x) for x in softmax([Value.of("ln(3)"), Value.of(0)])]
    ['3/4', '1/4']
    """
    return over_sum(exponentials(scores))


def over_sum(numbers: Sequence[Value]) -> list[Value]:
    """Each number over the sum of all."""
    total = added(numbers)
    return [x / total for x in numbers]


def weighed(weights: Sequence[Value], values: Sequence[int | Fraction]) -> Value:
    """The values, weighted and added."""
    return added([a * v for a, v in zip(weights, values, strict=True)])


def added(numbers: Sequence[Value]) -> Value:
    """The sum."""
    out = numbers[0]
    for x in numbers[1:]:
        out = out + x
    return out


def dot(a: Sequence[Value], b: Sequence[int | Fraction]) -> Value:
    """The product of two vectors.

    >>> str(dot([Value.of("2*ln(2)"), Value.of(1)], [2, 3]))
    '4*ln(2) + 3'
    """
    return weighed(a, b)


def spread(numbers: Sequence[Value], least: str) -> bool:
    """Are all numbers at least so far apart?"""
    ordered = sorted(numbers, key=Ordered)
    return all(b - a >= least for a, b in pairwise(ordered))


def printed(numbers: Sequence[Value], asked: Asked) -> str:
    """Numbers on the way to an answer, as they are printed: exact by hand and where they are short, else rounded to the
    working places."""
    return ", ".join(typeset(_written(x, asked)) for x in numbers)


def _written(x: Value, asked: Asked) -> str:
    if asked.numbers == "by-hand":
        return str(x)
    text = x.decimal(asked.working)
    short = text.rstrip("0").rstrip(".")
    return short if len(short) < len(text) and x == short else text


def typeset(text: str) -> str:
    """An exact number as a sentence shows it.

    >>> typeset("-2*ln(3)"), typeset("1000 + ln(7)")
    ('−2 ln 3', '1000 + ln 7')
    """
    return text.replace("*ln(", " ln ").replace("ln(", "ln ").replace(")", "").replace("-", "−")


def vector(numbers: Sequence[str]) -> str:
    """A vector of exact numbers as a sentence shows it.

    >>> vector(["2*ln(2)", "-1/2"])
    '(2 ln 2, −1/2)'
    """
    return f"({', '.join(map(typeset, numbers))})"


class Ordered:
    """An exact number as a key of `max` and `sorted`."""

    def __init__(self, value: Value) -> None:
        self.value = value

    def __lt__(self, other: Ordered) -> bool:
        return self.value < other.value

    def __gt__(self, other: Ordered) -> bool:
        return self.value > other.value
