"""Derivations: formula, substitution, products, result, each line a claim about the value on the left.

A line says "=" when the value of what is printed on it is the value on the left, "≈" otherwise. Sums break every few
terms, by their printed width.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from exactattn.document import Blank, Grid, Mark, Maths, Num, Op, Row, Script, Sym
from exactattn.numbers.surd import as_rational
from exactattn.numbers.value import Value
from exactattn.present import notation
from exactattn.present.figures.layout import maths as width
from exactattn.present.page import ROOM, Page
from exactattn.present.sheet import Doubt, decimal_sum
from exactattn.trace import Quantity


@dataclass(frozen=True, slots=True)
class Line:
    """A relation and the terms of a sum (one term for anything else), at most `most` of them on a line."""

    relation: Op
    terms: tuple[Maths, ...]
    most: int = 4


def derivation(left: Maths, lines: Sequence[Line]) -> Grid:
    """The lines under one another, aligned at their relations.

    A sum breaks before a plus sign, by measure; a single term goes on beside what stands before it where it fits.
    """
    room = ROOM - width(left)
    rows: list[tuple[Maths, Row]] = []
    for line in lines:
        parts = [notation.joined(part) for part in _broken(line.terms, room, line.most)]
        first = Row((line.relation, *parts[0].items))
        if len(rows) > 0 and len(line.terms) == 1 and width(rows[-1][1]) + width(first) <= room:
            rows[-1] = (rows[-1][0], Row((*rows[-1][1].items, *first.items)))
        else:
            rows.append((Op("none") if rows else left, first))
        for part in parts[1:]:
            rows.append((Op("none"), Row((Op("quad"), *notation.signed(part).items))))
    return Grid(tuple(rows), "lines")


def _broken(terms: Sequence[Maths], room: float, most: int) -> list[list[Maths]]:
    """The terms in lines: as many as fit the room, `most` at most, and none alone on the last where one can be moved."""
    lines: list[list[Maths]] = [[]]
    used = 3.0
    for term in terms:
        wide = width(notation.bracketed(term)) + 1.3
        if lines[-1] and (len(lines[-1]) == most or used + wide > room):
            lines.append([])
            used = 3.0
        lines[-1].append(term)
        used += wide
    if len(lines) > 1 and len(lines[-1]) == 1 and len(lines[-2]) > 2:
        lines[-1].insert(0, lines[-2].pop())
    return lines


@dataclass(frozen=True, slots=True)
class Dot:
    """One entry of a product: out[i, j] = Σ_c left[i, c]·right(c) (+ bias[j]).

    `factors` are the positions c that are shown, None for a gap.
    """

    page: Page
    out: Quantity
    i: int
    j: int
    left: Quantity
    right: Quantity
    transposed: bool = False
    bias: Quantity | None = None

    def _at(self, c: int) -> tuple[int, int]:
        return (self.j, c) if self.transposed else (c, self.j)

    @property
    def _count(self) -> int:
        return self.left.shape[1]

    def _shown(self, most: int = 12) -> list[int | None]:
        from exactattn.present.abridge import shown

        return shown(self._count, (), most)

    def _open(self, c: int) -> bool:
        keep = self.left.keep
        return keep is None or keep[self.i][c]

    def _each(self, term: Callable[[int], Maths]) -> list[Maths]:
        terms = [Op("dots") if c is None else term(c) for c in self._shown() if c is None or self._open(c)]
        return terms or [Num("0")]  # a row that a mask closes altogether

    def substitution(self) -> Line:
        """The operands as printed: 0.146 × 0.508 + 0.090 × (−1.301) + …"""
        sheet = self.page.sheet

        def product(c: int) -> Maths:
            a, b = sheet.operand(self.left, self.i, c), sheet.operand(self.right, *self._at(c))
            return Row((notation.bracketed(a), Op("times"), notation.bracketed(b)))

        terms = self._each(product)
        if self.bias is not None:
            terms.append(sheet.number(self.bias, 0, self.j))
        return Line(self._relation_of_operands(), tuple(terms))

    def _relation_of_operands(self) -> Op:
        sheet = self.page.sheet
        if self.page.blank:
            return Op("=")
        count = range(self._count)
        left = all(sheet.stands_for(self.left, self.i, c) for c in count)
        return Op("=" if left and all(sheet.stands_for(self.right, *self._at(c)) for c in count) else "approx")

    def products(self) -> tuple[Line, list[str]] | None:
        """The products of the printed operands one by one, and their texts."""
        sheet = self.page.sheet
        if sheet.letters or sheet.show != "decimal" or self._count > 12:
            return None
        texts, exact = [], True
        for c in range(self._count):
            if not self._open(c):
                continue
            text, same = self._product_text(c)
            texts.append(text)
            exact = exact and same
        if not texts:
            return None
        if self.bias is not None:
            text = sheet.texts(self.bias)[0][self.j]
            if not text.lstrip("-").replace(".", "").isdecimal():
                return None
            texts.append(text)
        if self.page.blank:
            return Line(Op("="), tuple(Blank(max(map(len, texts))) for _ in texts), most=6), texts
        relation = Op("=" if exact else "approx")
        return Line(relation, tuple(map(Num, texts)), most=6), texts

    def _product_text(self, c: int) -> tuple[str, bool]:
        """The product of the printed operands: exactly where it is a short decimal, else a digit more than the result."""
        sheet = self.page.sheet
        value = sheet.printed_value(self.left, self.i, c) * sheet.printed_value(self.right, *self._at(c))
        short = _short(value)
        if short is None:
            return value.decimal(sheet.places_of(self.out) + 1, sheet.ties), False
        return short, sheet.went_on(self.left, self.i, c) and sheet.went_on(self.right, *self._at(c))

    def result(self) -> Line:
        """The entry itself; that of an output is an answer."""
        sheet = self.page.sheet
        number = sheet.number(self.out, self.i, self.j)
        boxed = self.out.name == "output" and not self.page.blank
        return Line(sheet.relation(self.out, (self.i, self.j)), (Mark("answer", number) if boxed else number,))

    def doubts_of_products(self, texts: Sequence[str]) -> list[Doubt]:
        """Where the printed products, added up, round to another last digit than the result."""
        sheet = self.page.sheet
        if self.page.blank:
            return []
        total = Value.of(decimal_sum(list(texts)))
        pencil, printed = total.decimal(sheet.places_of(self.out), sheet.ties), sheet.texts(self.out)[self.i][self.j]
        labels = (self.out.rows[self.i], self.out.columns[self.j] if self.out.shape[1] > 1 else "")
        return [Doubt(self.i, self.j, printed, pencil, labels)] if pencil != printed else []


_MOST_PLACES = 12
"""A product of printed decimals is printed exactly up to so many places."""


def _short(value: Value) -> str | None:
    from exactattn.numbers.matrix import Linear

    matrix = value.matrix
    if not isinstance(matrix, Linear):
        return None
    q = as_rational(matrix.value(0, 0))
    return None if q is None else notation.short_decimal(int(q.p), int(q.q), most=_MOST_PLACES)


def sigma(index: str, top: Maths, body: Sequence[Maths]) -> Line:
    """Σ_{j=1}^{n} body."""
    big = Script(Op("sum"), Row((Sym(index), Op("="), Num("1"))), top)
    return Line(Op("="), (Row((big, *body)),))
