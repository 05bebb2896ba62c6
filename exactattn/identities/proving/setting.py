"""Settings that many claims share: a row of n symbolic scores, its weights, its values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from exactattn.arithmetic.protocol import Keep
from exactattn.identities.proving.algebra import Algebra, worked
from exactattn.identities.proving.ratio import Letters, Monomial, Ratio


def names(letter: str, n: int) -> tuple[str, ...]:
    """A letter numbered from 1.

    >>> names("s", 3)
    ('s1', 's2', 's3')
    """
    return tuple(f"{letter}{k + 1}" for k in range(n))


def row_letters(
    n: int,
    more: Sequence[str] = (),
    exponents: Sequence[Monomial] = (),
    known: Mapping[str, str] | None = None,
    positive: Iterable[str] = (),
    not_negative: Iterable[str] = (),
) -> Letters:
    """Letters for a row of n scores s_1, …, s_n and its maximum m_1, their exponentials, and more."""
    scores = (*names("s", n), "m1")
    exponential = (*((score,) for score in scores), *exponents)
    return Letters((*scores, *more), exponential, known, positive, not_negative)


def scores_of(letters: Letters, n: int) -> tuple[Ratio, ...]:
    """The scores s_1, …, s_n."""
    return tuple(map(letters, names("s", n)))


def softmax(letters: Letters, scores: Sequence[Ratio], keep: Keep = None) -> tuple[Ratio, ...]:
    """The weights of a row, by the steps of the pipeline."""
    return worked(Algebra(letters), (tuple(scores),), keep=keep).weights[0]


def output(letters: Letters, scores: Sequence[Ratio], values: Sequence[Ratio], keep: Keep = None) -> Ratio:
    """The output of a row with values one wide, by the steps of the pipeline."""
    return worked(Algebra(letters), (tuple(scores),), tuple((v,) for v in values), keep=keep).output[0][0]


def total(terms: Iterable[Ratio]) -> Ratio:
    """The sum of one or more fractions."""
    return reduce(Ratio.__add__, terms)


def neighbours(n: int) -> Iterable[tuple[int, ...]]:
    """The transpositions of neighbours, as lists of places: every permutation is a product of them.

    >>> list(neighbours(3))
    [(1, 0, 2), (0, 2, 1)]
    """
    for k in range(n - 1):
        yield (*range(k), k + 1, k, *range(k + 2, n))
