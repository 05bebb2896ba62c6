"""The notation of the page: numbers, symbols and labels as maths."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from unicodedata import east_asian_width

from exactattn.document import Fence, Frac, Maths, Num, Op, Root, Row, Script, Sym, Word
from exactattn.numbers import surd as surds
from exactattn.numbers.expsum import ExpSum, Quotients, exponent_surd
from exactattn.numbers.grammar import Binary, Call, Expression, Negated, Symbol, Written, parse
from exactattn.numbers.parse import surd
from exactattn.numbers.surd import Surd
from exactattn.numbers.units import ONE, Unit

BOLD = {"scores": "S", "scaled": "X", "weights": "A", "concat": "C", "output": "O", "exps": "E"}
"""Matrices as bold capitals; those not listed are their own name."""

SMALL = {
    "scores": "s",
    "scaled": "x",
    "masked": "x",
    "shifted": "z",
    "exps": "e",
    "weights": "a",
    "concat": "c",
    "output": "o",
    "maxima": "m",
}
"""Their entries as small italics."""

_LONGEST = 8


def row(*items: Maths) -> Row:
    """Side by side."""
    return Row(items)


def bold(name: str) -> Maths:
    """The symbol of a matrix: Q, W_Q, X_kv, and S, A, O for what is worked out."""
    letter, _, below = BOLD.get(name, name).partition("_")
    base = Sym(letter, "bold")
    return Script(base, Sym(below, "upright" if len(below) > 1 else "italic")) if below else base


def transposed(name: str) -> Maths:
    """The transpose of a matrix."""
    return Script(Sym(name, "bold"), None, Sym("T", "upright"))


def indexed(letter: str, *below: Maths) -> Maths:
    """A letter with indices: a_{i,j}; without a comma where all are single letters or digits."""
    tight = all(isinstance(b, Sym) or (isinstance(b, Num) and len(b.text) == 1) for b in below)
    items: list[Maths] = []
    for k, b in enumerate(below):
        if k and not tight:
            items.append(Op(","))
        items.append(b)
    return Script(Sym(letter), items[0] if len(items) == 1 else Row(tuple(items)))


def width(text: str) -> int:
    """How many columns a text takes, wide characters counting two."""
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text)


def label(tokens: Sequence[str], i: int) -> Maths:
    """A token as an index: itself when it is short, alone of its kind and visible, else its position from 1."""
    token = tokens[i]
    if token.strip() and width(token) <= _LONGEST and tokens.count(token) == 1:
        return Word(token)
    return Num(str(i + 1))


def vector(items: Sequence[Maths]) -> Maths:
    """[a, b, c] in a line."""
    out: list[Maths] = []
    for k, item in enumerate(items):
        if k:
            out.append(Op(","))
        out.append(item)
    return Fence("[", Row(tuple(out)), "]")


def bracketed(number: Maths) -> Maths:
    """A number as a factor or a later term: in brackets when it is negative or a sum."""
    match number:
        case Num(text) if text.startswith("-"):
            return Fence("(", number, ")")
        case Row(items) if items and (items[0] == Op("-") or any(i in (Op("+"), Op("-")) for i in items[1:])):
            return Fence("(", number, ")")
    return number


def joined(terms: Sequence[Maths]) -> Row:
    """Terms added up: a + b − c, and products with a negative factor as + a × (−b)."""
    out: list[Maths] = []
    for k, term in enumerate(terms):
        out.extend(signed(Row((term,))).items if k else (term,))
    return Row(tuple(out))


def signed(part: Row) -> Row:
    """What follows in a sum, with its sign: + a, or − a for a plain negative number."""
    match part.items:
        case (Num(text), *rest) if text.startswith("-"):
            return Row((Op("-"), Num(text[1:]), *rest))
        case (first, *rest):
            return Row((Op("+"), bracketed(first), *rest))
    return part


# -- numbers as written --------------------------------------------------------------------------------------------------


@lru_cache(4096)  # a question's numbers have few digits: they come again and again
def written(text: str, symbols: tuple[str, ...] = ()) -> Maths:
    """An input as it was given: "0.280", "3/4", "sqrt(2)/2", "2*ln(3)".

    >>> written("-0.280"), written("3/4")
    (Num(text='-0.280'), Frac(top=Num(text='3'), bottom=Num(text='4')))
    """
    return _tree(parse(text, symbols))


def _tree(tree: Expression) -> Maths:
    match tree:
        case Written(text):
            return Num(text)
        case Symbol(name):
            return Sym(name) if len(name) == 1 else Sym(name, "upright")
        case Negated(Written(text)):
            return Num(f"-{text}")
        case Negated(body):
            return row(Op("-"), _factor(body))
        case Call("sqrt", body):
            return Root(_tree(body))
        case Call(_, body):
            inner = _tree(body)
            return row(Sym("ln", "upright"), Op("thin"), inner if isinstance(inner, Num) else Fence("(", inner, ")"))
        case Binary("/", Negated(left), right):
            return row(Op("-"), Frac(_tree(left), _tree(right)))
        case Binary("/", left, right):
            return Frac(_tree(left), _tree(right))
        case Binary("*", left, right):
            if isinstance(left, Written) and isinstance(right, Call | Symbol):
                return row(_factor(left), _factor(right))
            return row(_factor(left), Op("cdot"), _factor(right))
        case Binary("^", left, right):
            return Script(_factor(left), None, _tree(right))
        case Binary(operator, left, right):
            return row(_tree(left), Op(operator), _factor(right))


def _factor(tree: Expression) -> Maths:
    inner = _tree(tree)
    if isinstance(tree, Negated) or (isinstance(tree, Binary) and tree.operator in "+-"):
        return Fence("(", inner, ")")
    return inner


# -- exact values --------------------------------------------------------------------------------------------------------


def surd_maths(a: Surd) -> Maths:
    """Σ q·u: "3/4", "√2/2", "2 ln 3"; a rational that is a short decimal is written as one.

    >>> surd_maths(surd("1/4")), surd_maths(surd("-1/3"))
    (Num(text='0.25'), Row(items=(Op(name='-'), Frac(top=Num(text='1'), bottom=Num(text='3')))))
    """
    if not a:
        return Num("0")
    out: list[Maths] = []
    for k, (unit, c) in enumerate(a.items()):
        negative = c < 0
        if k == 0 and unit == ONE and (text := short_decimal(int(a[ONE].p), int(a[ONE].q))) is not None:
            out.append(Num(text))
            continue
        if negative or k:
            out.append(Op("-" if negative else "+"))
        out.append(_term(unit, int(abs(c.p)), int(c.q)))
    return out[0] if len(out) == 1 else Row(tuple(out))


def _term(unit: Unit, p: int, q: int) -> Maths:
    factors: list[Maths] = []
    if p != 1 or unit == ONE:
        factors.append(Num(str(p)))
    for base, n, d in unit.radical:
        factors.append(
            Root(Num(str(base))) if (n, d) == (1, 2) else Script(Num(str(base)), None, Frac(Num(str(n)), Num(str(d))))
        )
    for prime in unit.logs:
        factors.append(row(Sym("ln", "upright"), Op("thin"), Num(str(prime))))
    top: Maths = factors[0] if len(factors) == 1 else Row(tuple(_spaced(factors)))
    return top if q == 1 else Frac(top, Num(str(q)))


def _spaced(factors: list[Maths]) -> list[Maths]:
    out: list[Maths] = []
    for k, factor in enumerate(factors):
        if k and isinstance(factor, Row | Script):
            out.append(Op("thin"))
        out.append(factor)
    return out


def short_decimal(p: int, q: int, most: int = 12) -> str | None:
    """p/q as a terminating decimal of at most so many places, else None.

    >>> short_decimal(-1, 8), short_decimal(1, 3)
    ('-0.125', None)
    """
    rest, twos, fives = int(q), 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    if rest != 1 or places > most:
        return None
    digits = str(abs(int(p)) * 10**places // int(q)).rjust(places + 1, "0")
    sign = "-" if p < 0 else ""
    return f"{sign}{digits[: len(digits) - places]}.{digits[-places:]}" if places else f"{sign}{digits}"


def expsum_maths(a: ExpSum) -> Maths:
    """Σ c·e^s."""
    out: list[Maths] = []
    for exponent, c in a.items():
        if not exponent and not out:
            out.append(surd_maths(c))  # a constant carries its own sign
            continue
        negative = len(c) == 1 and next(iter(c.values())) < 0
        size = surds.negate(c) if negative else c
        if out or negative:
            out.append(Op("-" if negative else "+"))
        if not exponent:
            out.append(surd_maths(size))
            continue
        if size != surds.rational(_ONE):
            out.append(bracketed(surd_maths(size)))
        out.append(Script(Sym("e", "upright"), None, surd_maths(exponent_surd(exponent))))
    if not out:
        return Num("0")
    return out[0] if len(out) == 1 else Row(tuple(out))


def quotients_maths(q: Quotients) -> Maths:
    """Σ num/den, a constant as itself."""
    out: list[Maths] = []
    for k, (n, d) in enumerate(q.parts):
        if k:
            out.append(Op("+"))
        top = expsum_maths(n)
        out.append(top if d == _UNITY else Frac(top, expsum_maths(d)))
    if not out:
        return Num("0")
    return out[0] if len(out) == 1 else Row(tuple(out))


_ONE = surd("1")[ONE]
_UNITY: ExpSum = {(): {ONE: _ONE}}
