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
            return _symbol(str(x.name))
        case sympy.E:
            return Sym("e", "upright")
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


def _symbol(name: str) -> Maths:
    letter, _, below = name.partition("_")
    base = Sym(letter, "italic" if len(letter) == 1 else "upright")
    return Script(base, Num(below) if below.isdecimal() else Sym(below, "upright")) if below else base


def _sum(x: Any) -> Maths:
    out: list[Maths] = []
    # positive terms first: a − m and not −m + a
    for k, term in enumerate(sorted(x.as_ordered_terms(), key=lambda term: bool(term.could_extract_minus_sign()))):
        negative = term.could_extract_minus_sign()
        if k or negative:
            out.append(Op("-" if negative else "+"))
        out.append(sympy_maths(-term if negative else term))
    return Row(tuple(out))


def _product(x: Any) -> Maths:
    """Factors with a negative power below the line, all others above."""
    import sympy

    if x.could_extract_minus_sign():
        return notation.row(Op("-"), sympy_maths(-x))
    above, below = [], []
    for factor in x.as_ordered_factors():
        if isinstance(factor, sympy.Rational):
            above += [sympy.Integer(factor.p)] if factor.p != 1 else []
            below += [sympy.Integer(factor.q)] if factor.q != 1 else []
        elif isinstance(factor, sympy.Pow) and factor.exp.could_extract_minus_sign():
            below.append(1 / factor)
        else:
            above.append(factor)
    top = _factors(above)
    return Frac(top, _factors(below)) if below else top


def _factors(factors: list[Any]) -> Maths:
    if not factors:
        return Num("1")
    if len(factors) == 1:
        return sympy_maths(factors[0])
    return Row(tuple(notation.bracketed(sympy_maths(factor)) for factor in factors))


def _power(x: Any) -> Maths:
    import sympy

    if x.exp == sympy.Rational(1, 2):
        return Root(sympy_maths(x.base))
    if x.exp.could_extract_minus_sign():
        return Frac(Num("1"), sympy_maths(1 / x))
    base = sympy_maths(x.base)
    return Script(notation.bracketed(base), None, sympy_maths(x.exp))
