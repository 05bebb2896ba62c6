"""Formulas in a student's own answers, for systems that compute: what the steps of a trace make of what was typed.

The steps run again in one more arithmetic, whose numbers are formulas. What does not depend on an answer is folded into an
exact constant, so that a row of weights asked and answered leaves of its outputs just Σ w_j·v_j.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NoReturn, TypeAlias, assert_never

from exactattn.arithmetic.scalarwise import Rows, Scalarwise
from exactattn.attention import pipeline
from exactattn.errors import InputError
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.value import Value
from exactattn.trace import Quantity, Trace

Cell: TypeAlias = tuple[int, int]
"""A part and an entry of it, both from 0."""


@dataclass(frozen=True, slots=True)
class Constant:
    """A number that no answer changes."""

    value: Value


@dataclass(frozen=True, slots=True)
class Answer:
    """The number typed for an entry of a part."""

    cell: Cell


@dataclass(frozen=True, slots=True)
class Sum:
    """Two or more terms."""

    terms: tuple[Formula, ...]


@dataclass(frozen=True, slots=True)
class Product:
    """Two factors."""

    left: Formula
    right: Formula


@dataclass(frozen=True, slots=True)
class Quotient:
    """One over another."""

    top: Formula
    bottom: Formula


@dataclass(frozen=True, slots=True)
class Exponential:
    """e to something."""

    power: Formula


@dataclass(frozen=True, slots=True)
class Largest:
    """The largest of some."""

    terms: tuple[Formula, ...]


Formula: TypeAlias = Constant | Answer | Sum | Product | Quotient | Exponential | Largest

ZERO, ONE = Constant(Value.of(0)), Constant(Value.of(1))


@dataclass(frozen=True, slots=True)
class FormulaArithmetic(Scalarwise[Formula]):
    """Matrices of formulas.

    >>> ar = FormulaArithmetic()
    >>> row = ((Answer((0, 0)), Answer((0, 1))),)
    >>> ((mixed,),) = ar.matmul(row, ar.read([["2"], ["0"]]))
    >>> answers(mixed), at(mixed, {(0, 0): Value.of("1/4")}) == "1/2"
    (((0, 0),), True)
    """

    limits: Limits = LIMITS
    name: str = field(init=False, default="formula")

    def number(self, text: str) -> Formula:
        """The constant that a canonical text writes."""
        return Constant(Value.of(text, self.limits))

    def plus(self, a: Formula, b: Formula) -> Formula:
        """a + b, in one flat sum; constants are added up at once."""
        if isinstance(a, Constant) and isinstance(b, Constant):
            return Constant(a.value + b.value)
        if self.is_zero(a):
            return b
        if self.is_zero(b):
            return a
        return Sum((*_terms(a), *_terms(b)))

    def minus(self, a: Formula, b: Formula) -> Formula:
        """a − b."""
        return self.plus(a, self.times(Constant(Value.of(-1)), b))

    def times(self, a: Formula, b: Formula) -> Formula:
        """a × b: nothing where one is 0, the other where one is 1."""
        if isinstance(a, Constant) and isinstance(b, Constant):
            return Constant(a.value * b.value)
        for one, other in ((a, b), (b, a)):
            if isinstance(one, Constant):
                if one.value.is_zero():
                    return ZERO
                if (one.value - 1).is_zero():
                    return other
        return Product(a, b)

    def over(self, a: Formula, b: Formula) -> Formula:
        """a / b."""
        if isinstance(a, Constant) and isinstance(b, Constant):
            return Constant(a.value / b.value)
        return ZERO if self.is_zero(a) else Quotient(a, b)

    def e(self, a: Formula) -> Formula:
        """e to the a."""
        return Constant(a.value.exp()) if isinstance(a, Constant) else Exponential(a)

    def largest(self, entries: Sequence[Formula], row: int) -> Formula:
        """The largest of a row, whichever it is."""
        known = [one.value for one in entries if isinstance(one, Constant)]
        if len(known) == len(entries):
            return Constant(max(known))
        return entries[0] if len(entries) == 1 else Largest(tuple(entries))

    def is_zero(self, a: Formula) -> bool:
        """Is it the constant 0?"""
        return isinstance(a, Constant) and a.value.is_zero()

    def exact(self, a: Rows[Formula]) -> NoReturn:
        """Always an error: a formula has no digits."""
        raise InputError("a formula has no digits of its own")


def _terms(a: Formula) -> tuple[Formula, ...]:
    return a.terms if isinstance(a, Sum) else (a,)


Found: TypeAlias = Mapping[tuple[str, int | None], Rows[Formula]]
"""Matrices of formulas by the quantity's name and head."""


Maximum: TypeAlias = Literal["kept", "left-out"]
"""Whether the largest score of a row is subtracted before the exponential: then no answer is too large for a machine's numbers.

The weights are the same. Left out, the formulas are shorter, where answers are known to be small.
"""


def worked(trace: Trace, instead: Found, maximum: Maximum = "kept") -> Found:
    """Every quantity of the trace as formulas, where some are what was typed."""
    ar = FormulaArithmetic(trace.arithmetic.limits)
    now: dict[int, Quantity] = {}
    out: dict[tuple[str, int | None], Rows[Formula]] = {}
    for step in trace.steps:
        reads = [now[id(read)] for read in step.reads]
        key = step.computed.name, step.head
        if key in instead:
            made = replace(step.computed, matrix=instead[key], arithmetic=ar)
        elif step.function is pipeline.shift and maximum == "left-out":
            made = replace(reads[0], name="shifted")
        else:
            made = step.again(ar, reads)
        now[id(step.made)] = now[id(step.computed)] = made
        out[made.name, made.head] = made.matrix
    return out


def constants(q: Quantity) -> Rows[Formula]:
    """A quantity as it is: a matrix of constants."""
    n, m = q.shape
    return tuple(tuple(Constant(q.value(i, j)) for j in range(m)) for i in range(n))


def at(formula: Formula, answers: Mapping[Cell, Value]) -> Value:
    """What a formula gives for these answers."""
    match formula:
        case Constant(value):
            return value
        case Answer(cell):
            return answers[cell]
        case Sum(terms):
            first, *rest = (at(term, answers) for term in terms)
            return sum(rest, first)
        case Product(left, right):
            return at(left, answers) * at(right, answers)
        case Quotient(top, bottom):
            return at(top, answers) / at(bottom, answers)
        case Exponential(power):
            return at(power, answers).exp()
        case Largest(terms):
            return max(at(term, answers) for term in terms)
        case _:
            assert_never(formula)


def answers(formula: Formula) -> tuple[Cell, ...]:
    """The answers that a formula goes on from, each once, in order."""
    match formula:
        case Constant():
            found: tuple[Cell, ...] = ()
        case Answer(cell):
            found = (cell,)
        case Sum(terms) | Largest(terms):
            found = tuple(cell for term in terms for cell in answers(term))
        case Product(left, right) | Quotient(left, right):
            found = answers(left) + answers(right)
        case Exponential(power):
            found = answers(power)
        case _:
            assert_never(formula)
    return tuple(sorted(set(found)))
