"""The pipeline over symbolic entries: each step is the product's own, the numbers are fractions of polynomials."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

from exactattn.arithmetic.protocol import Keep
from exactattn.arithmetic.scalarwise import Rows, Scalarwise
from exactattn.attention.pipeline import score
from exactattn.attention.walk import attend_scores
from exactattn.errors import InputError
from exactattn.identities.proving.ratio import Letters, Ratio
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.matrix import Matrix
from exactattn.trace.problem import Settings, Shift
from exactattn.trace.quantity import Quantity
from exactattn.trace.steps import Step

E = TypeVar("E")


@dataclass(frozen=True, slots=True)
class Algebra(Scalarwise[Ratio]):
    """Matrices of fractions of polynomials.

    Which score of a row is the largest is open: a letter m_i stands for it, m_1 for the first row, and drops out where
    softmax does not depend on it. (The letters must have it, and its exponential.)
    """

    letters: Letters
    limits: Limits = LIMITS
    name: str = "letters"

    def number(self, text: str) -> Ratio:
        """A rational number or a letter."""
        return self.letters(text) if text in self.letters.names else self.letters.number(Fraction(text))

    def plus(self, a: Ratio, b: Ratio) -> Ratio:
        """a + b."""
        return a + b

    def minus(self, a: Ratio, b: Ratio) -> Ratio:
        """a − b."""
        return a - b

    def times(self, a: Ratio, b: Ratio) -> Ratio:
        """a × b."""
        return a * b

    def over(self, a: Ratio, b: Ratio) -> Ratio:
        """a / b."""
        return a / b

    def e(self, a: Ratio) -> Ratio:
        """e to the a."""
        return self.letters.exponential(a)

    def is_zero(self, a: Ratio) -> bool:
        """Is it 0?"""
        return not a.above

    def largest(self, entries: Sequence[Ratio], row: int) -> Ratio:
        """The letter that stands for it."""
        return self.letters(f"m{row + 1}")

    def exact(self, a: Rows[Ratio]) -> Matrix:
        """Letters have no digits."""
        raise InputError("letters have no digits")


@dataclass(frozen=True, slots=True)
class Worked(Generic[E]):
    """Weights, output (as deep as there are values) and the steps that gave them."""

    weights: Rows[E]
    output: Rows[E]
    steps: tuple[Step, ...]


def worked(
    ar: Scalarwise[E],
    scores: Rows[E],
    values: Rows[E] | None = None,
    *,
    keep: Keep = None,
    scale: str = "1",
    shift: Shift = "max",
) -> Worked[E]:
    """From scores, n × m, to weights and output, by the steps of the pipeline."""
    walk, steps = _walk(ar)
    s = _quantity(ar, "scores", scores)
    return _ended(walk, steps, s, None if values is None else _quantity(ar, "V", values), keep, scale, shift)


def attended(
    ar: Scalarwise[E],
    q: Rows[E],
    k: Rows[E],
    v: Rows[E] | None = None,
    *,
    keep: Keep = None,
    scale: str = "1",
    shift: Shift = "max",
) -> Worked[E]:
    """The same from queries and keys."""
    walk, steps = _walk(ar)
    s = walk(score, _quantity(ar, "Q", q), _quantity(ar, "K", k), head=0)
    return _ended(walk, steps, s, None if v is None else _quantity(ar, "V", v), keep, scale, shift)


def _walk(ar: Any) -> tuple[Callable[..., Quantity], list[Step]]:
    steps: list[Step] = []

    def walk(function: Callable[..., Quantity], *reads: Quantity, **chosen: Any) -> Quantity:
        made = function(ar, *reads, **chosen)
        steps.append(Step(function, reads, chosen, made, made))
        return made

    return walk, steps


def _ended(
    walk: Callable[..., Quantity],
    steps: list[Step],
    scores: Quantity,
    v: Quantity | None,
    keep: Keep,
    scale: str,
    shift: Shift,
) -> Worked[Any]:
    settings = Settings(scale=scale, shift=shift, fully_masked="zero")
    last = attend_scores(walk, scores, v, settings, keep, 0)
    (weights,) = (step.made for step in steps if step.name == "weights")
    return Worked(weights.matrix, last.matrix if v is not None else (), tuple(steps))


def _quantity(ar: Any, name: str, rows: Rows[Any]) -> Quantity:
    down, right = (tuple(str(k + 1) for k in range(size)) for size in ar.shape(rows))
    return Quantity(name, rows, down, right, ar)
