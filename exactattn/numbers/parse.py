"""One door in: everything a person or program can give as a number becomes canonical text, and text becomes an exact number.

    number  := sum
    sum     := product (("+" | "-") product)*
    product := signed (("*" | "/") signed)*
    signed  := ("-" | "+") signed | power
    power   := atom ("^" signed)?
    atom    := decimal | "sqrt" "(" sum ")" | "ln" "(" sum ")" | "(" sum ")" | symbol

A decimal is exactly what is written: 0.1 is 1/10. A float means the decimal that Python prints for it. Where the bits of a
float are meant, see `from_binary`. There is no way from a text to Python code.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal, TypeAlias
from unicodedata import normalize

from flint import fmpq, fmpz

from exactattn.errors import LimitError, NumberError
from exactattn.numbers import surd as surds
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.surd import Surd

# -- the tree of a written number ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Written:
    """A decimal as it stands: "0.280"."""

    text: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """A declared letter."""

    name: str


@dataclass(frozen=True, slots=True)
class Negated:
    """Minus its body."""

    body: Expression


@dataclass(frozen=True, slots=True)
class Call:
    """sqrt or ln of its body."""

    function: Literal["sqrt", "ln"]
    body: Expression


@dataclass(frozen=True, slots=True)
class Binary:
    """Two operands and what stands between them."""

    operator: Literal["+", "-", "*", "/", "^"]
    left: Expression
    right: Expression


Expression: TypeAlias = Written | Symbol | Negated | Call | Binary

# -- cleaning --------------------------------------------------------------------------------------------------------------

# Full-width forms U+FF01..FF5E are the ASCII characters 0xFEE0 below. NFKC would do this too, but it also turns 5² into 52.
_AS_MEANT: dict[int, int | str | None] = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_AS_MEANT |= {ord(c): "-" for c in "−‐‑‒–﹣"}
_AS_MEANT |= {ord(c): " " for c in "\u00a0\u2007\u2009\u202f\u3000\t\n\r"} | {0xFEFF: None, 0x2061: None}
_AS_MEANT |= {ord("×"): "*", ord("·"): "*", ord("÷"): "/", ord("⁄"): "/", ord("∕"): "/", ord("√"): "sqrt"}
_VULGAR = {c: normalize("NFKC", c).split("⁄") for c in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅐⅑⅒"}

_PLAIN = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z").match
_INFINITE = re.compile(r"[+-]?(inf|infinity|∞|nan)\Z", re.IGNORECASE).match
_SHOWN = 60


def _shown(text: str) -> str:
    return (
        ascii(text)[1:-1].join("''")
        if not text.isprintable()
        else repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
    )


def clean(text: str, decimal: Literal[".", ","] = ".") -> str:
    """The text as meant: ASCII digits and signs, a decimal point, no surrounding space.

    >>> clean("\\u2212１２．５"), clean("1½"), clean("-½"), clean("2⁄3"), clean("0,25", decimal=",")
    ('-12.5', '3/2', '-1/2', '2/3', '0.25')
    """
    out = text.translate(_AS_MEANT).strip()
    if any(c in _VULGAR for c in out):
        out = re.sub(r"([0-9]*)([" + "".join(_VULGAR) + r"])", _mixed, out)
    if decimal == ",":
        if "." in out:
            raise NumberError('{text} is no number: under decimal = "," a point is no decimal mark', text=_shown(text))
        out = out.replace(",", ".")
    elif "," in out:
        raise NumberError('{text} is no number: a comma is a decimal mark only under decimal = ","', text=_shown(text))
    return out


def _mixed(match: re.Match[str]) -> str:
    top, bottom = _VULGAR[match[2]]
    whole = int(match[1] or 0)
    value = f"{whole * int(bottom) + int(top)}/{bottom}"
    alone = match.start() <= 1 and match.end() == len(match.string) and match.string[: match.start()] in ("", "-", "+")
    return value if alone else f"({value})"


def canonical(x: Any, *, decimal: Literal[".", ","] = ".", symbols: Sequence[str] = (), limits: Limits = LIMITS) -> str:
    """The number as text in the grammar above, checked.

    Takes text, int, Fraction, Decimal, a float (the decimal it prints as), NumPy scalars and sympy numbers. Decimals keep
    their written form, trailing zeros included, since a page prints an input as it was given.

    >>> canonical("+0.280"), canonical(0.1), canonical(Fraction(1, 3)), canonical(Decimal("1.50"))
    ('0.280', '0.1', '1/3', '1.50')
    >>> canonical("1,5")
    Traceback (most recent call last):
        ...
    exactattn.errors.NumberError: '1,5' is no number: a comma is a decimal mark only under decimal = ","
    """
    match x:
        case bool():
            raise NumberError("{x} is a boolean, not a number", x=x)
        case str():
            return _canonical_text(x, decimal, tuple(symbols), limits)
        case int():
            return _canonical_text(str(fmpz(x)), ".", (), limits)
        case float():
            return _canonical_text(repr(float(x)), ".", (), limits)
        case Fraction():
            return _canonical_text(
                f"{fmpz(x.numerator)}/{fmpz(x.denominator)}" if x.denominator != 1 else str(fmpz(x.numerator)),
                ".",
                (),
                limits,
            )
        case Decimal():
            return _canonical_text(str(x), ".", (), limits)
        case complex():
            raise NumberError("{x} is complex: attention by hand takes real numbers", x=x)
    if isinstance(x, fmpz | fmpq):
        return _canonical_text(str(x), ".", (), limits)
    if hasattr(x, "dtype") and hasattr(x, "item") and getattr(x, "ndim", 0) == 0:
        # str of a NumPy scalar is the shortest decimal of its own format: float32(0.1) is 0.1, not 0.10000000149
        if x.dtype.kind in "iuf":
            return _canonical_text(str(x), ".", (), limits)
        raise NumberError("{x} of dtype {dtype} is not a real number", x=str(x), dtype=str(x.dtype))
    if hasattr(x, "free_symbols") and hasattr(x, "is_number"):
        from exactattn.numbers.symbolic import written

        return _canonical_text(written(x), ".", tuple(symbols), limits)
    raise NumberError(
        "{text} of type {kind} is no number: text, int, Fraction, Decimal, float or a sympy number was due",
        text=_shown(repr(x)),
        kind=type(x).__name__,
    )


def _canonical_text(text: str, decimal: Literal[".", ","], symbols: tuple[str, ...], limits: Limits) -> str:
    if len(text) > 20 * limits.digits:
        raise LimitError(
            "a number of {length} characters: the limit is {digits} digits (raise it with the limit 'digits')",
            length=len(text),
            digits=limits.digits,
        )
    out = clean(text, decimal)
    if not _PLAIN(out):
        parse(out, symbols, limits)  # raises where the text is no number
        return re.sub(r"\s+", "", out)
    _decimal(out, limits)
    return _tidy(out)


def _tidy(out: str) -> str:
    sign, out = ("-", out[1:]) if out[0] == "-" else ("", out.removeprefix("+"))
    mantissa, mark, exponent = out.lower().partition("e")
    whole, point, part = mantissa.partition(".")
    mantissa = (whole.lstrip("0") or "0") + (point + part if part else "")
    if not mantissa.strip("0."):
        sign = ""  # no negative zero
    return sign + mantissa + (mark + str(int(exponent)) if mark else "")


# -- reading ----------------------------------------------------------------------------------------------------------------


@lru_cache(8192)
def surd(text: str, limits: Limits = LIMITS) -> Surd:
    """The exact number that a canonical text writes. (Cached: do not change the dict.)

    >>> surd("3/4"), surd("sqrt(2)/2") == surd("1/sqrt(2)"), surd("ln(4)") == surd("2*ln(2)")
    ({Unit(radical=(), log=0): 3/4}, True, True)
    """
    if _PLAIN(text):
        return surds.rational(_decimal(text, limits))
    tree = parse(text, (), limits)
    try:
        return _value(tree, limits)
    except NumberError as error:
        raise NumberError("{text} is no number: {why}", text=_shown(text), why=str(error)) from None


@lru_cache(8192)
def rational(text: str, limits: Limits = LIMITS) -> fmpq | None:
    """The number as a rational, None when it is none (the fast way in)."""
    return _decimal(text, limits) if _PLAIN(text) else surds.as_rational(surd(text, limits))


def from_binary(x: float) -> Fraction:
    """The dyadic number that the bits of a float hold, and not the decimal it prints as.

    >>> from_binary(0.1)
    Fraction(3602879701896397, 36028797018963968)
    """
    if x != x or x in (float("inf"), float("-inf")):
        raise NumberError("{x} is no number", x=x)
    return Fraction(*x.as_integer_ratio())


def _decimal(text: str, limits: Limits) -> fmpq:
    """A plain decimal as a rational: mantissa · 10^(exponent − digits after the point)."""
    mantissa, _, power = text.lower().partition("e")
    whole, _, part = mantissa.partition(".")
    exponent = _small_int(power, limits) if power else 0
    if abs(exponent) > limits.exponent:
        raise LimitError(
            "a decimal exponent of {exponent}: the limit is {limit} (raise it with the limit 'exponent')",
            exponent=power,
            limit=limits.exponent,
        )
    if len(whole) + len(part) > limits.digits + 1:
        raise LimitError(
            "a number of {digits} digits: the limit is {limit} (raise it with the limit 'digits')",
            digits=len(whole.lstrip("+-")) + len(part),
            limit=limits.digits,
        )
    digits = (whole + part).lstrip("+")
    n, shift = fmpz(int(digits) if len(digits) < 4000 else digits), exponent - len(part)
    ten = fmpz(10) ** abs(shift)
    return fmpq(n, ten) if shift < 0 else fmpq(n * ten)


def _small_int(text: str, limits: Limits) -> int:
    return int(text) if len(text) <= 10 else limits.exponent + 1


def _value(tree: Expression, limits: Limits) -> Surd:
    match tree:
        case Written(text):
            return surds.rational(_decimal(text, limits))
        case Symbol(name):
            raise NumberError("{name} is a symbol: it has no value", name=name)
        case Negated(body):
            return surds.negate(_value(body, limits))
        case Call("sqrt", body):
            return surds.square_root(_within(_value(body, limits), "sqrt", limits))
        case Call(_, body):
            return surds.logarithm(_within(_value(body, limits), "ln", limits))
        case Binary(operator, left, right):
            a, b = _value(left, limits), _value(right, limits)
            match operator:
                case "+":
                    return surds.add(a, b)
                case "-":
                    return surds.add(a, surds.negate(b))
                case "*":
                    return surds.multiply(a, b)
                case "/":
                    return surds.divide(a, b)
                case "^":
                    return _power(a, b, limits)


def _within(a: Surd, function: str, limits: Limits) -> Surd:
    for c in a.values():
        if abs(c.p) > limits.radicand or c.q > limits.radicand:
            raise LimitError(
                "an argument of {function} beyond {limit}: it is factored (raise it with the limit 'radicand')",
                function=function,
                limit=limits.radicand,
            )
    return a


def _power(a: Surd, b: Surd, limits: Limits) -> Surd:
    exponent = surds.as_rational(b)
    if exponent is None:
        raise NumberError("an exponent must be a rational number")
    if exponent.q == 2:
        return _power(surds.square_root(_within(a, "sqrt", limits)), surds.rational(fmpq(exponent.p)), limits)
    if exponent.q != 1:
        raise NumberError("of roots only square roots are read")
    if abs(exponent.p) > 100:
        raise LimitError(
            "a power of {exponent}: the limit is 100; write 1e{exponent} for powers of ten", exponent=int(exponent.p)
        )
    out = surds.rational(fmpq(1))
    for _ in range(abs(int(exponent.p))):
        out = surds.multiply(out, a)
    return out if exponent >= 0 else surds.divide(surds.rational(fmpq(1)), out)


# -- the grammar --------------------------------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>[^\W\d]\w*)|(?P<sign>\*\*|[-+*/()^]))"
)


class _Reader:
    """Recursive descent over the tokens of one number."""

    def __init__(self, text: str, symbols: tuple[str, ...], limits: Limits) -> None:
        self.text, self.symbols, self.limits = text, symbols, limits
        self.tokens: list[str] = []
        at, end = 0, len(text.rstrip())
        while at < end:
            match = _TOKEN.match(text, at)
            if match is None:
                raise self.error(f"unexpected {_shown(text[at:].strip()[:1])}")
            self.tokens.append(match[match.lastgroup or 0].replace("**", "^"))
            at = match.end()
        self.at, self.depth = 0, 0

    def error(self, why: str) -> NumberError:
        return NumberError("{text} is no number: {why}", text=_shown(self.text), why=why)

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def whole(self) -> Expression:
        tree = self.sum()
        if self.peek():
            raise self.error(f"unexpected {_shown(self.peek())}")
        return tree

    def sum(self) -> Expression:
        tree = self.product()
        while (sign := self.peek()) in ("+", "-"):
            self.take()
            tree = Binary("+" if sign == "+" else "-", tree, self.product())
        return tree

    def product(self) -> Expression:
        tree = self.signed()
        while (sign := self.peek()) in ("*", "/"):
            self.take()
            tree = Binary("*" if sign == "*" else "/", tree, self.signed())
        return tree

    def signed(self) -> Expression:
        self.deeper()
        try:
            if self.peek() == "-":
                self.take()
                return Negated(self.signed())
            if self.peek() == "+":
                self.take()
                return self.signed()
            base = self.atom()
            if self.peek() == "^":
                self.take()
                return Binary("^", base, self.signed())
            return base
        finally:
            self.depth -= 1

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > self.limits.nesting:
            raise LimitError(
                "a number nested more than {limit} deep (raise it with the limit 'nesting')", limit=self.limits.nesting
            )

    def atom(self) -> Expression:
        token = self.take()
        if not token:
            raise self.error("it ends too early" if self.text.strip() else "it is empty")
        if token == "(":
            return self.closed()
        if token[0].isdigit() or token[0] == ".":
            return Written(token)
        if token in self.symbols:
            return Symbol(token)
        if token in ("sqrt", "ln"):
            function: Literal["sqrt", "ln"] = "sqrt" if token == "sqrt" else "ln"
            if self.peek() == "(":
                self.take()
                return Call(function, self.closed())
            if function == "sqrt" and (self.peek()[:1].isdigit() or self.peek() in self.symbols):
                return Call(function, self.atom())  # √2
            raise self.error(f"{token} needs brackets, as in {token}(2)")
        if token == "log":
            raise self.error("write ln(2) for the natural logarithm")
        if token[0].isalpha() or token[0] == "_":
            known = f"; the declared symbols are {', '.join(self.symbols)}" if self.symbols else ""
            raise self.error(f"the name {_shown(token)} means nothing here (sqrt and ln do{known})")
        raise self.error(f"unexpected {_shown(token)}")

    def closed(self) -> Expression:
        tree = self.sum()
        if self.take() != ")":
            raise self.error("a bracket is not closed")
        return tree


@lru_cache(4096)
def parse(text: str, symbols: tuple[str, ...] = (), limits: Limits = LIMITS) -> Expression:
    """The tree of a cleaned text.

    >>> parse("-sqrt(2)/2")
    Binary(operator='/', left=Negated(body=Call(function='sqrt', body=Written(text='2'))), right=Written(text='2'))
    """
    if _INFINITE(text):
        if "nan" in text.lower():
            raise NumberError("{text} is no number", text=_shown(text))
        raise NumberError("{text} is no number: to keep a query from a key, use the mask", text=_shown(text))
    return _Reader(text, symbols, limits).whole()
