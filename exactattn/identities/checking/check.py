"""Facts: two numbers and a relation, decided."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Literal, TypeAlias, assert_never

from exactattn.errors import OutsideNormalForm, Undecided
from exactattn.numbers.value import Value

Relation: TypeAlias = Literal["=", "<", "<="]


@dataclass(frozen=True, slots=True)
class Fact:
    """Two numbers that a row says stand in a relation."""

    left: Value
    relation: Relation
    right: Value

    def holds(self) -> bool:
        """Do they? Equality, also that of a bound that is attained, by the normal form before enclosures.

        Raises Undecided where neither decides; never a guess.
        """
        difference = self.right - self.left
        with suppress(OutsideNormalForm, Undecided):
            if difference.normal().is_zero():
                return self.relation != "<"
        match self.relation:
            case "=":
                return difference.is_zero()
            case "<":
                return difference.sign() > 0
            case "<=":
                return difference.sign() >= 0
            case _:
                assert_never(self.relation)

    def __str__(self) -> str:
        return f"{self.left.significant(12)} {self.relation} {self.right.significant(12)}"


def equal(left: Iterable[Value], right: Iterable[Value]) -> Iterable[Fact]:
    """Entry by entry the same."""
    return (Fact(a, "=", b) for a, b in zip(left, right, strict=True))


def failing(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Those that do not hold."""
    return tuple(fact for fact in facts if not fact.holds())
