"""Between exact numbers and sympy. sympy is imported when a function here is called, not before."""

from __future__ import annotations

from typing import Any

from flint import fmpz

from exactattn.errors import NumberError
from exactattn.numbers.parse import Binary, Call, Expression, Negated, Symbol, Written, rational
from exactattn.numbers.surd import Surd
from exactattn.numbers.units import Unit


def written(x: Any) -> str:
    """A sympy number or polynomial in the grammar of `parse`."""
    import sympy

    match x:
        case sympy.Float():
            # a Float holds binary digits: its shortest decimal at its own precision is what it prints as
            return str(x)
        case sympy.Rational():
            # fmpz, since Python's own str stops at 4 300 digits
            return f"({fmpz(int(x.p))}/{fmpz(int(x.q))})" if x.q != 1 else str(fmpz(int(x.p)))
        case sympy.Symbol():
            return str(x.name)
        case sympy.Add():
            return "(" + "+".join(map(written, x.args)) + ")"
        case sympy.Mul():
            return "*".join(map(_bracketed, x.args))
        case sympy.log():
            return f"ln({written(x.args[0])})"
        case sympy.Pow():
            return f"({written(x.base)})^({written(x.exp)})"
        case _ if x in (sympy.oo, -sympy.oo, sympy.zoo, sympy.nan):
            raise NumberError("{text} is no number: to keep a query from a key, use the mask", text=str(x))
    raise NumberError(
        "{text} is no number that exactattn knows: rationals, square roots and logarithms are", text=str(x)
    )


def _bracketed(x: Any) -> str:
    out = written(x)
    return f"({out})" if out.startswith("-") else out


def to_sympy(tree: Expression) -> Any:
    """A parsed number, symbols included, as a sympy expression; its symbols are real."""
    import sympy

    match tree:
        case Written(text):
            q = rational(text)
            assert q is not None
            return sympy.Rational(int(q.p), int(q.q))
        case Symbol(name):
            return sympy.Symbol(name, real=True)
        case Negated(body):
            return -to_sympy(body)
        case Call("sqrt", body):
            return sympy.sqrt(to_sympy(body))
        case Call(_, body):
            return sympy.log(to_sympy(body))
        case Binary(operator, left, right):
            a, b = to_sympy(left), to_sympy(right)
            match operator:
                case "+":
                    return a + b
                case "-":
                    return a - b
                case "*":
                    return a * b
                case "/":
                    return a / b
                case "^":
                    return a**b


def surd_to_sympy(a: Surd) -> Any:
    """Σ q·u as a sympy expression."""
    import sympy

    return sympy.Add(*(sympy.Rational(int(c.p), int(c.q)) * unit_to_sympy(unit) for unit, c in a.items()))


def unit_to_sympy(unit: Unit) -> Any:
    """A unit as a sympy expression."""
    import sympy

    roots = (sympy.Integer(p) ** sympy.Rational(n, d) for p, n, d in unit.radical)
    return sympy.Mul(*roots, *(sympy.log(p) for p in unit.logs))
