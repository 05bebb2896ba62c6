"""The variables that a QTI item marks with, and their names.

    RESPONSE_k_n    what is typed for entry n of part k (RESPONSE_k for a choice, an order, a text)
    RIGHT_k_n       1 where it is right            SOUND_k_i    1 where the i-th row of part k is right, or can be gone on from
    WRONG_k_w       1 where the w-th wrong method of part k gives every entry
    FOLLOWS_k_n     1 where it follows             UNITS_k      what part k earns
    FEEDBACK_f      "shown" where the f-th wrong method is seen, or the option that was chosen
    SCORE, MAXSCORE the points earned, and those there are

What is awarded is counted in whole units, `units` of them to a point, so that nothing is rounded but the score itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from exactattn.exams.model import Question, Wrong
from exactattn.exports.formula import Cell
from exactattn.exports.item import Item
from exactattn.exports.markup import Element, element

SHOWN, HIDDEN = "shown", "hidden"
"""Values of an outcome that shows a feedback, and that shows none."""


def response(k: int, n: int | None = None) -> str:
    """The identifier of an answer: entry n of part k, both from 0."""
    return f"RESPONSE_{k + 1}" if n is None else f"RESPONSE_{k + 1}_{n + 1}"


def option(n: int) -> str:
    """The identifier of the n-th option or step."""
    return f"C{n + 1}"


@dataclass(frozen=True, slots=True)
class Told:
    """A feedback: the outcome and the value of it that show it, and the wrong methods that it is about."""

    outcome: str
    value: str
    names: tuple[str, ...]


@dataclass(slots=True)
class Marking:
    """All that an item declares and does. Filled part by part."""

    question: Question
    item: Item
    units: int
    responses: list[Element] = field(default_factory=list)
    outcomes: list[Element] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    processing: list[Element] = field(default_factory=list)
    wrongs: dict[int, list[tuple[Wrong, str]]] = field(default_factory=dict)
    sound: dict[tuple[Cell, ...], str] = field(default_factory=dict)
    flags: int = 0

    # -- declarations --------------------------------------------------------------------------------------------------------

    def answer(self, identifier: str, base: str, key: Sequence[str], cardinality: str = "single") -> None:
        """Declare a response with its key, none where there is none."""
        values = [element("value", text) for text in key]
        correct = [element("correctResponse", *values)] if values else []
        self.responses.append(
            element("responseDeclaration", *correct, identifier=identifier, cardinality=cardinality, baseType=base)
        )

    def counter(self, identifier: str) -> str:
        """Declare a whole number that begins at 0."""
        zero = element("defaultValue", element("value", "0"))
        self.outcomes.append(
            element("outcomeDeclaration", zero, identifier=identifier, cardinality="single", baseType="integer")
        )
        return identifier

    def tell(self, names: tuple[str, ...]) -> str:
        """The outcome that shows the feedback on these wrong methods, declared once."""
        found = next((one.outcome for one in self.told if one.names == names and one.value == SHOWN), None)
        if found is not None:
            return found
        outcome = self.flag()
        self.told.append(Told(outcome, SHOWN, names))
        return outcome

    def flag(self) -> str:
        """Declare an outcome that names a feedback to be shown: none at first, and said so (one player needs a value)."""
        self.flags += 1
        outcome = f"FEEDBACK_{self.flags}"
        self.outcomes.append(
            element(
                "outcomeDeclaration",
                element("defaultValue", element("value", HIDDEN)),
                identifier=outcome,
                cardinality="single",
                baseType="identifier",
            )
        )
        return outcome

    def whole(self, points: Fraction) -> int:
        """Points in units."""
        count = points * self.units
        if count.denominator != 1:
            raise ValueError(f"{points} points are no whole number of 1/{self.units}")
        return count.numerator
