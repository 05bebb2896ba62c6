"""The pipeline over entries that remember what was done with which inputs.

An entry is a term: an input, or an operation and its operands. Sums and products do not keep an order, and sums no
grouping; nothing else is known of the operations. So two entries with the same term are the same function of the same
inputs, whatever the operations do: that is the whole proof. What a mask closes is absent: it is left out of maxima, sums
and means (a product with something absent is absent), so its inputs are not in the term, and are not read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from exactattn.arithmetic.scalarwise import Rows, Scalarwise
from exactattn.errors import InputError
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.matrix import Matrix


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """An operation on terms, made once in its arithmetic: the same term is the same object. `reads` are the inputs in it."""

    kind: str
    operands: tuple[Term, ...]
    reads: frozenset[str]
    index: int


@dataclass(frozen=True, slots=True)
class Terms(Scalarwise[Term]):
    """Matrices of terms."""

    limits: Limits = LIMITS
    name: str = "terms"
    made: dict[tuple[str, tuple[int, ...]], Term] = field(default_factory=dict)

    def term(self, kind: str, *operands: Term) -> Term:
        """The one term of this operation on these operands."""
        key = kind, tuple(term.index for term in operands)
        if key not in self.made:
            reads = frozenset[str]().union(*(term.reads for term in operands))
            self.made[key] = Term(kind, operands, reads, len(self.made))
        return self.made[key]

    @property
    def absent(self) -> Term:
        """What is left out."""
        return self.term("absent")

    def number(self, text: str) -> Term:
        """The number 0 is what stands where nothing is; another number is itself; anything else is an input of this name."""
        if text == "0":
            return self.absent
        if not text[0].isalpha():
            return self.term(f"number {text}")
        key: tuple[str, tuple[int, ...]] = f"input {text}", ()
        if key not in self.made:
            self.made[key] = Term(key[0], (), frozenset({text}), len(self.made))
        return self.made[key]

    def total(self, terms: Sequence[Term]) -> Term:
        """Their sum, without order or grouping."""
        flat: list[Term] = []
        for term in terms:
            flat += term.operands if term.kind == "sum" else () if term is self.absent else (term,)
        if len(flat) < 2:
            return flat[0] if flat else self.absent
        return self.term("sum", *sorted(flat, key=_index))

    def plus(self, a: Term, b: Term) -> Term:
        """a + b."""
        return self.total((a, b))

    def minus(self, a: Term, b: Term) -> Term:
        """a − b."""
        return self.term("minus", a, b)

    def times(self, a: Term, b: Term) -> Term:
        """a × b; absent where one is."""
        if self.absent in (a, b):
            return self.absent
        one = self.number("1")
        if one in (a, b):
            return b if a is one else a
        return self.term("product", *sorted((a, b), key=_index))

    def over(self, a: Term, b: Term) -> Term:
        """a / b; absent where there is nothing to divide."""
        return self.absent if a is self.absent else self.term("quotient", a, b)

    def e(self, a: Term) -> Term:
        """e to the a."""
        return self.term("exponential", a)

    def is_zero(self, a: Term) -> bool:
        """Is nothing there?"""
        return a is self.absent

    def largest(self, entries: Sequence[Term], row: int) -> Term:
        """The largest of these, in any order."""
        distinct = sorted(set(entries), key=_index)
        return distinct[0] if len(distinct) == 1 else self.term("largest", *distinct)

    def exact(self, a: Rows[Term]) -> Matrix:
        """Terms have no digits."""
        raise InputError("terms have no digits")


def _index(term: Term) -> int:
    return term.index


def inputs(ar: Terms, name: str, n: int, m: int) -> Rows[Term]:
    """An n × m matrix of inputs, called name_row_column, from 1."""
    return ar.read(tuple(tuple(f"{name}_{i + 1}_{j + 1}" for j in range(m)) for i in range(n)))
