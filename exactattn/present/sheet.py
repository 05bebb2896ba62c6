"""The printed digits of a trace, each rounded once, and what follows from them with a pencil.

A reader has the page and not the carried values. Two questions are asked of every printed number: is it equal to the value
under it ("=" or "≈"), and does it follow from what is printed before it (or does a note stand beside it)?
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from flint import fmpq, fmpz

from exactattn.arithmetic.exact import ExactArithmetic
from exactattn.document import Blank, Frac, Maths, Num, Op, Row, Script, Sym
from exactattn.errors import OutsideNormalForm
from exactattn.numbers.expsum import UNITY
from exactattn.numbers.rounding import Ties
from exactattn.numbers.surd import rational
from exactattn.numbers.value import Value
from exactattn.present import notation
from exactattn.present.view import Show
from exactattn.trace import Quantity, Step, Trace

_ANY = 10**9
_MOST_TERMS = 4


@dataclass(frozen=True, slots=True)
class Doubt:
    """A printed number that another last digit follows for from the printed operands."""

    row: int
    column: int
    printed: str
    pencil: str
    labels: tuple[str, str] = ("", "")


class Sheet:
    """A trace with its printed digits. Rounds each quantity once and remembers."""

    def __init__(self, trace: Trace, places: Mapping[str, int], ties: Ties = "half-up", show: Show = "decimal") -> None:
        self.trace, self.places, self.ties, self.show = trace, places, ties, show
        self.symbols = trace.problem.settings.symbols
        self._texts: dict[int, list[list[str]]] = {}
        self._steps = {id(step.made): step for step in trace.steps} | {id(step.computed): step for step in trace.steps}
        self._pencil: dict[int, list[list[str]] | None] = {}
        self._maxima: dict[tuple[int, int], frozenset[int]] = {}
        self._given: dict[int, bool] = {}

    # -- digits ------------------------------------------------------------------------------------------------------

    @property
    def _reading(self) -> ExactArithmetic:
        """What is printed is read back, however many digits it has."""
        return ExactArithmetic(replace(self.trace.arithmetic.limits, digits=_ANY))

    @property
    def letters(self) -> bool:
        """Do entries hold letters, so that there are no digits?"""
        return bool(self.symbols) and self.trace.arithmetic.name == "sympy"

    def step(self, q: Quantity) -> Step:
        """The step that made a quantity."""
        return self._steps[id(q)]

    def places_of(self, q: Quantity) -> int:
        """The places that a worked-out quantity is printed to."""
        return self.trace.problem.places(q.name, q.head, self.places)

    def is_given(self, q: Quantity) -> bool:
        """Is it an input, or a head's columns of one?"""
        found = self._given.get(id(q))
        if found is None:
            step = self.step(q)
            while step.function.__name__ == "split":
                step = self.step(step.reads[0])
            found = self._given[id(q)] = step.function.__name__ == "given"
        return found

    def texts(self, q: Quantity) -> list[list[str]]:
        """The printed text of every entry: an input as it was given, all else rounded, certified."""
        found = self._texts.get(id(q))
        if found is None:
            found = self._texts[id(q)] = self._written(q) if self.is_given(q) else self._rounded(q)
        return found

    def brief_texts(self, q: Quantity, most: int) -> list[list[str]]:
        """The texts for a place that has room for so many decimal places alone; longer ones are rounded from the value."""
        texts = self.texts(q)
        long = [[(place := text.partition(".")[2]).isdecimal() and len(place) > most for text in row] for row in texts]
        if not any(map(any, long)):
            return texts
        if not self.is_given(q):
            return self.step(q).computed.decimal(most, self.ties)
        return [
            [q.value(i, j).decimal(most, self.ties) if long[i][j] else text for j, text in enumerate(row)]
            for i, row in enumerate(texts)
        ]

    def _written(self, q: Quantity) -> list[list[str]]:
        step = self.step(q)
        if step.function.__name__ == "given":
            return [list(row) for row in step.settings["texts"]]
        low, high = step.settings["low"], step.settings["high"]
        return [row[low:high] for row in self._written(step.reads[0])]

    def _rounded(self, q: Quantity) -> list[list[str]]:
        return self.step(q).computed.decimal(self.places_of(q), self.ties)

    def equals(self, q: Quantity, i: int, j: int) -> bool:
        """Is the printed text the very value that was computed? Decided, not guessed."""
        if self.letters or self.is_given(q):
            return True
        computed = self.step(q).computed.value(i, j)
        return (computed - Value.of_surd(rational(decimal_value(self.texts(q)[i][j])))).is_zero()

    def went_on(self, q: Quantity, i: int, j: int) -> bool:
        """Is the printed text the very value that the next step read? In the stepwise track always."""
        return self.trace.problem.settings.track == "stepwise" or self.equals(q, i, j)

    def stands_for(self, q: Quantity, i: int, j: int) -> bool:
        """Is what is printed of an operand the very value that the step read?"""
        if self.show == "decimal":
            return self.went_on(q, i, j)
        return self.letters or self._is_shown_exactly(q, i, j)

    def relation(self, q: Quantity, *entries: tuple[int, int]) -> Op:
        """The sign before printed entries: "=" when every one of them is exact, else "≈"."""
        return Op("=" if all(self._is_shown_exactly(q, i, j) for i, j in entries) else "approx")

    def _is_shown_exactly(self, q: Quantity, i: int, j: int) -> bool:
        if (
            self.show != "decimal"
            and not self.letters
            and not self.is_given(q)
            and self.exact_number(q, i, j) is not None
        ):
            return True  # the exact value stands first
        return self.equals(q, i, j)

    def printed_value(self, q: Quantity, i: int, j: int) -> Value:
        """What a reader has of an entry: an input exactly, all else as its printed digits."""
        return q.value(i, j) if self.is_given(q) else Value.of_surd(rational(decimal_value(self.texts(q)[i][j])))

    # -- as maths ----------------------------------------------------------------------------------------------------

    def number(self, q: Quantity, i: int, j: int) -> Maths:
        """An entry as it stands on the page."""
        if self.letters and not self.is_given(q):
            return symbolic(q, i, j)
        text = self.texts(q)[i][j]
        if self.is_given(q):
            return notation.written(text, self.symbols)
        if self.show == "decimal":
            return Num(text)
        exact = self.exact_number(q, i, j)
        if exact is None:
            return Num(text)
        if self.show == "exact":
            return exact
        same = self.equals(q, i, j)
        if same and isinstance(exact, Num):
            return Num(text)
        return Row((exact, Op("=" if same else "approx"), Num(text)))

    def operand(self, q: Quantity, i: int, j: int) -> Maths:
        """An entry within an expression: where both forms are shown, the exact one goes on."""
        if self.show == "both" and not (self.letters or self.is_given(q)):
            return self.exact_number(q, i, j) or self.number(q, i, j)
        return self.number(q, i, j)

    def exact_number(self, q: Quantity, i: int, j: int) -> Maths | None:
        """The exact value, None where it is too long to read; a weight or output over its row's sum is written over Σ_i."""
        try:
            normal = self.step(q).computed.value(i, j).normal()
        except OutsideNormalForm:
            return None
        if len(normal.parts) > 1 or any(len(top) > _MOST_TERMS for top, _ in normal.parts):
            return None
        if len(normal.parts) == 1 and q.name in ("weights", "output"):
            ((top, bottom),) = normal.parts
            if bottom != UNITY:
                return Frac(notation.expsum_maths(top), self.row_sum_symbol(i))
        return notation.quotients_maths(normal)

    def row_sum_symbol(self, i: int) -> Maths:
        """Σ_i, the sum of exponentials of query i."""
        return Script(Sym("Σ", "upright"), notation.label(self.trace.problem.tokens, i))

    def entry_width(self, q: Quantity) -> int:
        """The longest printed text of a quantity, in characters (for line breaks)."""
        if self.letters or self.show != "decimal":
            return 16
        return max(len(text) for row in self.texts(q) for text in row)

    # -- marks -------------------------------------------------------------------------------------------------------

    def maxima(self, q: Quantity, i: int) -> frozenset[int]:
        """Where row i is largest: all places of a tie, decided on exact values; none where letters leave it open."""
        key = (id(q), i)
        if key not in self._maxima:
            self._maxima[key] = frozenset() if self.letters else self._largest(q, i)
        return self._maxima[key]

    def _largest(self, q: Quantity, i: int) -> frozenset[int]:
        # the exponential and the division by a positive sum keep a row's order: exponentials and weights are largest
        # where the scores are. What is computed is asked, and not what is printed of it.
        q = self.step(q).computed
        if q.name in ("exps", "weights", "shifted") and self.trace.problem.settings.track == "carry":
            before = self.trace.step("scaled", q.head).computed
            q = replace(before, keep=q.keep)
        open_places = [j for j in range(q.shape[1]) if q.keep is None or q.keep[i][j]]
        if not open_places or q.shape[1] == 1:
            return frozenset()
        best, ties = q.value(i, open_places[0]), [open_places[0]]
        for j in open_places[1:]:
            value = q.value(i, j)
            order = (value - best).sign()
            if order > 0:
                best, ties = value, [j]
            elif order == 0:
                ties.append(j)
        return frozenset(ties)

    # -- with a pencil -----------------------------------------------------------------------------------------------

    def printed(self, q: Quantity) -> Quantity:
        """The quantity as a reader has it: inputs as given, all else as its printed digits."""
        if q.name == "masked":  # the same numbers as the scaled scores, and printed once
            return replace(self.printed(self.step(q).reads[0]), name=q.name, keep=q.keep)
        ar = self._reading
        return replace(q, matrix=ar.read(tuple(map(tuple, self.texts(q)))), arithmetic=ar)

    def pencil(self, q: Quantity) -> list[list[str]] | None:
        """What follows for a quantity from the printed digits before it; None where a printed divisor is 0."""
        if id(q) not in self._pencil:
            step = self.step(q)
            reads = [self.printed(read) for read in step.reads]
            again: list[list[str]] | None = None
            if not (step.function.__name__ == "divide" and _divides_by_zero(reads)):
                again = step.again(self._reading, reads).decimal(self.places_of(q), self.ties)
            self._pencil[id(q)] = again
        return self._pencil[id(q)]

    def doubts(self, q: Quantity, row: int | None = None) -> list[Doubt]:
        """Where the printed digits of a quantity do not follow from those printed before it."""
        if self.letters or self.is_given(q) or self.show != "decimal":
            return []
        again = self.pencil(q)
        if again is None:
            return []
        rows = range(q.shape[0]) if row is None else (row,)
        texts = self.texts(q)
        open_at = q.keep
        return [
            Doubt(i, j, texts[i][j], again[i][j], (q.rows[i], q.columns[j] if q.shape[1] > 1 else ""))
            for i in rows
            for j in range(q.shape[1])
            if texts[i][j] != again[i][j] and (open_at is None or open_at[i][j])
        ]


class BlankSheet(Sheet):
    """A worksheet: what is given is printed, what is to be worked out is a blank, and nothing gives a result away."""

    def number(self, q: Quantity, i: int, j: int) -> Maths:
        """A blank as wide as the result."""
        if self.is_given(q):
            return super().number(q, i, j)
        return Blank(6 if self.letters else max(4, self.entry_width(q)))

    def operand(self, q: Quantity, i: int, j: int) -> Maths:
        """As the entry stands elsewhere."""
        return self.number(q, i, j)

    def relation(self, q: Quantity, *entries: tuple[int, int]) -> Op:
        """Whether a result is exact would be a hint."""
        return Op("=")

    def maxima(self, q: Quantity, i: int) -> frozenset[int]:
        """So would be where a row is largest."""
        return frozenset()

    def doubts(self, q: Quantity, row: int | None = None) -> list[Doubt]:
        """There is nothing printed to doubt."""
        return []


def symbolic(q: Quantity, i: int, j: int) -> Maths:
    """An entry with letters, by sympy's structure."""
    from exactattn.present.letters import sympy_maths

    return sympy_maths(q.matrix[i][j])


def _divides_by_zero(reads: list[Quantity]) -> bool:
    return any(reads[1].value(i, 0) == 0 for i in range(reads[1].shape[0]))


def decimal_sum(texts: list[str]) -> str:
    """The sum of printed decimals, exactly, with their places.

    >>> decimal_sum(["0.369", "0.093", "0.538"])
    '1.000'
    """
    places = max(len(text.partition(".")[2]) for text in texts)
    total = fmpq(0)
    for text in texts:
        total += decimal_value(text)
    return Value.of_surd(rational(total)).decimal(places)


def decimal_value(text: str) -> fmpq:
    """The value of a printed decimal, however long it is.

    >>> decimal_value("-0.250")
    -1/4
    """
    whole, _, part = text.partition(".")
    return fmpq(fmpz(whole + part), fmpz(10) ** len(part))
