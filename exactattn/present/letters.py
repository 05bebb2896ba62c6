"""Symbolic entries as maths, by the structure that sympy gives them."""

from __future__ import annotations

from typing import Any

from exactattn.document import Frac, Maths, Num, Op, Root, Row, Script, Sym
from exactattn.present import notation


def sympy_maths(x: Any) -> Maths:
    """A sympy expression of sums, products, powers, exponentials, roots and logarithms.

    >>> import sympy
    >>> sympy_maths(sympy.Rational(3, 4)), sympy_maths(sympy.Symbol("a") + 1)
    (Num(text='0.75'), Row(items=(Sym(name='a', style='italic'), Op(name='+'), Num(text='1'))))
    """
    import sympy

    match x:
        case sympy.Rational():
            return _rational(int(x.p), int(x.q))
        case sympy.Symbol():
            return Sym(x.name, "italic" if len(x.name) == 1 else "upright")
        case sympy.Add():
            return _sum(x)
        case sympy.Mul():
            return _product(x)
        case sympy.exp():
            return Script(Sym("e", "upright"), None, sympy_maths(x.args[0]))
        case sympy.log():
            return notation.row(Sym("ln", "upright"), Op("thin"), notation.bracketed(sympy_maths(x.args[0])))
        case sympy.Pow():
            return _power(x)
    return Sym(str(x), "upright")


def _rational(p: int, q: int) -> Maths:
    text = notation.short_decimal(p, q)
    if text is not None:
        return Num(text)
    fraction = Frac(Num(str(abs(p))), Num(str(q)))
    return fraction if p >= 0 else notation.row(Op("-"), fraction)


def _sum(x: Any) -> Maths:
    out: list[Maths] = []
    for k, term in enumerate(x.as_ordered_terms()):
        negative = term.could_extract_minus_sign()
        if k or negative:
            out.append(Op("-" if negative else "+"))
        out.append(sympy_maths(-term if negative else term))
    return Row(tuple(out))


def _product(x: Any) -> Maths:
    if x.could_extract_minus_sign():
        return notation.row(Op("-"), sympy_maths(-x))
    top, bottom = x.as_numer_denom() if not x.is_Rational else (x, 1)
    if bottom != 1:
        return Frac(sympy_maths(top), sympy_maths(bottom))
    out: list[Maths] = []
    for factor in x.as_ordered_factors():
        inner = sympy_maths(factor)
        out.append(notation.bracketed(inner) if factor.is_Add else inner)
    return Row(tuple(out))


def _power(x: Any) -> Maths:
    import sympy

    if x.exp == sympy.Rational(1, 2):
        return Root(sympy_maths(x.base))
    if x.exp.could_extract_minus_sign():
        return Frac(Num("1"), sympy_maths(1 / x))
    base = sympy_maths(x.base)
    return Script(notation.bracketed(base), None, sympy_maths(x.exp))
