"""Between exact numbers and sympy. sympy is imported when a function here is called, not before."""

from __future__ import annotations

from functools import reduce
from operator import add, mul
from typing import Any

from flint import fmpq, fmpz

from exactattn.errors import InputError, LimitError, NumberError
from exactattn.numbers import surd as surds
from exactattn.numbers.grammar import Binary, Call, Expression, Negated, Symbol, letters, parse, shown
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.matrix import Linear
from exactattn.numbers.parse import evaluate
from exactattn.numbers.surd import Surd
from exactattn.numbers.units import Unit, power
from exactattn.numbers.value import Value


def written(x: Any) -> str:
    """A sympy number or polynomial in the grammar of `parse`, as one would write it.

    >>> import sympy
    >>> written(sympy.sqrt(2) / 2 - 1), written(-3 / sympy.sqrt(5)), written(sympy.log(2) * sympy.Rational(-2, 3))
    ('-1+sqrt(2)/2', '-3*sqrt(5)/5', '-2*ln(2)/3')
    """
    import sympy

    match x:
        case sympy.Float():
            # a Float holds binary digits: its shortest decimal at its own precision is what it prints as
            return str(x)
        case sympy.Rational():
            # fmpz, since Python's own str stops at 4 300 digits
            return f"{fmpz(int(x.p))}/{fmpz(int(x.q))}" if x.q != 1 else str(fmpz(int(x.p)))
        case sympy.Symbol():
            return str(x.name)
        case sympy.Add():
            first, *terms = map(written, x.as_ordered_terms())
            return first + "".join(term if term.startswith("-") else f"+{term}" for term in terms)
        case sympy.log():
            return f"ln({written(x.args[0])})"
        case sympy.Mul() | sympy.Pow():
            return _product(x)
        case _ if x in (sympy.oo, -sympy.oo, sympy.zoo, sympy.nan):
            raise NumberError("{text} is no number: to keep a query from a key, use the mask", text=str(x))
    raise NumberError(
        "{text} is no number that exactattn knows: rationals, square roots and logarithms are", text=str(x)
    )


def _product(x: Any) -> str:
    import sympy

    if x.could_extract_minus_sign():
        return f"-{_bracketed(-x)}"
    top, bottom = sympy.fraction(x)
    if bottom != 1:
        return f"{_bracketed(top)}/{_bracketed(bottom, also='*/')}"
    if isinstance(x, sympy.Mul):
        return "*".join(map(_bracketed, x.as_ordered_factors()))
    if x.exp == sympy.Rational(1, 2):
        return f"sqrt({written(x.base)})"
    return f"{_bracketed(x.base, also='*/^')}^{_bracketed(x.exp, also='*/^')}"


def _bracketed(x: Any, also: str = "") -> str:
    """In brackets where a sum, a sign, or an operator in `also` stands outside brackets."""
    out, depth = written(x), 0
    for c in out:
        depth += (c == "(") - (c == ")")
        if depth == 0 and c in "+-" + also:
            return f"({out})"
    return out


def from_text(text: str, symbols: tuple[str, ...], limits: Limits = LIMITS) -> Any:
    """A canonical text, declared letters included, as a sympy expression; its letters are real.

    What holds no letter is worked out by our own core first, so the limits hold here too.

    >>> from_text("2*a/sqrt(8) - 1/2", ("a",))
    sqrt(2)*a/2 - 1/2
    """
    import sympy

    try:
        out = to_sympy(parse(text, symbols, limits), limits)
    except NumberError as error:
        if error.template.startswith("{text} is no number"):
            raise
        raise NumberError("{text} is no number: {why}", text=shown(text), why=str(error)) from None
    if out.has(sympy.zoo, sympy.nan, sympy.oo):
        raise NumberError("{text} is no number: division by zero", text=shown(text))
    if out.has(sympy.I):
        raise NumberError("{text} is no number: it is not real", text=shown(text))
    return out


def to_sympy(tree: Expression, limits: Limits = LIMITS) -> Any:
    """A parsed number, symbols included, as a sympy expression; its symbols are real."""
    import sympy

    if not letters(tree):
        return surd_to_sympy(evaluate(tree, limits))
    match tree:
        case Symbol(name):
            return sympy.Symbol(name, real=True)
        case Negated(body):
            return -to_sympy(body, limits)
        case Call("sqrt", body):
            return sympy.sqrt(to_sympy(body, limits))
        case Call(_, body):
            return sympy.log(to_sympy(body, limits))
        case Binary("^", base, exponent):
            return to_sympy(base, limits) ** _exponent(exponent, limits)
        case Binary(operator, left, right):
            a, b = to_sympy(left, limits), to_sympy(right, limits)
            match operator:
                case "+":
                    return a + b
                case "-":
                    return a - b
                case "*":
                    return a * b
                case "/":
                    return a / b
    raise AssertionError(tree)  # a Written has no letters


def _exponent(tree: Expression, limits: Limits) -> Any:
    import sympy

    q = None if letters(tree) else surds.as_rational(evaluate(tree, limits))
    if q is None:
        raise NumberError("an exponent must be a rational number")
    if q.q not in (1, 2):
        raise NumberError("of roots only square roots are read")
    if abs(q.p) > 100:
        raise LimitError("a power of {exponent}: the limit is 100", exponent=str(q))
    return sympy.Rational(int(q.p), int(q.q))


def surd_to_sympy(a: Surd) -> Any:
    """Σ q·u as a sympy expression."""
    import sympy

    return sympy.Add(*(sympy.Rational(int(c.p), int(c.q)) * unit_to_sympy(unit) for unit, c in a.items()))


def unit_to_sympy(unit: Unit) -> Any:
    """A unit as a sympy expression."""
    import sympy

    roots = (sympy.Integer(p) ** sympy.Rational(n, d) for p, n, d in unit.radical)
    return sympy.Mul(*roots, *(sympy.log(p) for p in unit.logs))


def from_sympy(x: Any, limits: Limits = LIMITS, seen: dict[Any, Value] | None = None) -> Value:
    """The exact value of a sympy expression over +, ×, /, exp, log, whole powers, powers of positive rationals and roots.

    So digits and comparisons of sympy results are certified by our own core. Give the same `seen` for several expressions,
    and what they share is converted once. Raises InputError for letters, NumberError for anything else that is no number.

    >>> import sympy
    >>> from_sympy(1 / (1 + sympy.exp(sympy.log(2) / 2))).decimal(20), str(from_sympy(sympy.exp(2) / 3))
    ('0.41421356237309504880', '1/3*exp(2)')
    """
    return _Conversion(limits, {} if seen is None else seen).value(x)


class _Conversion:
    """Structural recursion over an expression, with the values of its parts held."""

    def __init__(self, limits: Limits, seen: dict[Any, Value]) -> None:
        self.limits, self.seen = limits, seen

    def value(self, x: Any) -> Value:
        held = self.seen.get(x)
        if held is None:
            held = self.seen[x] = self.fresh(x)
        return held

    def surd(self, a: Surd) -> Value:
        return Value(Linear.of([a], (1, 1)), self.limits)

    def fresh(self, x: Any) -> Value:
        import sympy

        match x:
            case sympy.Rational():
                return self.surd(surds.rational(fmpq(int(x.p), int(x.q))))
            case sympy.Add():
                return reduce(add, map(self.value, x.args))
            case sympy.Mul():
                return reduce(mul, map(self.value, x.args))
            case sympy.exp():
                return self.value(x.args[0]).exp()
            case sympy.log():
                return self.log(x.args[0])
            case sympy.Pow():
                return self.power(x)
            case sympy.Symbol():
                raise InputError("{text} is a letter: it has no digits", text=str(x))
        if x == sympy.E:
            return self.surd(surds.rational(fmpq(1))).exp()
        raise NumberError(
            "{text} is no number that exactattn knows: sums, products, roots, exp and log are", text=str(x)
        )

    def power(self, x: Any) -> Value:
        import sympy

        base, exponent = x.base, x.exp
        if isinstance(exponent, sympy.Integer) and abs(exponent) <= _MOST:
            product = reduce(mul, [self.value(base)] * abs(int(exponent)))
            return product if exponent > 0 else 1 / product
        small = isinstance(exponent, sympy.Rational) and abs(exponent) <= _MOST
        if small and isinstance(base, sympy.Rational) and base > 0:
            out = surds.rational(fmpq(1))
            for factor, sign in ((int(base.p), 1), (int(base.q), -1)):
                for p, k in fmpz(factor).factor():
                    q, unit = power(int(p), sign * int(k) * int(exponent.p), int(exponent.q))
                    out = surds.multiply(out, {unit: q})
            return self.surd(out)
        # sympy writes e^(√2·ln 2) as 2^√2, and e^(√2·ln(2)/100 − √2·ln 3) as (2^(1/100)/3)^√2
        return (self.value(exponent) * self.log(base)).exp()

    def log(self, x: Any) -> Value:
        """ln x, for products of powers and exponentials, each of them positive."""
        import sympy

        match x:
            case sympy.Rational() if x > 0:
                return self.surd(surds.logarithm(surds.rational(fmpq(int(x.p), int(x.q)))))
            case sympy.Mul():
                return reduce(add, map(self.log, x.args))
            case sympy.exp():
                return self.value(x.args[0])
            case sympy.Pow():
                return self.value(x.exp) * self.log(x.base)
        if x == sympy.E:
            return self.surd(surds.rational(fmpq(1)))
        raise NumberError(
            "ln({text}) is no number that exactattn knows: a positive rational or a root was due", text=str(x)
        )


_MOST = 1_000
"""A whole power is multiplied out: up to here."""
