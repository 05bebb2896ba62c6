"""What a written number may look like, and the tree it becomes.

    number  := sum
    sum     := product (("+" | "-") product)*
    product := signed (("*" | "/") signed)*
    signed  := ("-" | "+") signed | power
    power   := atom ("^" signed)?
    atom    := decimal | "sqrt" "(" sum ")" | "ln" "(" sum ")" | "(" sum ")" | symbol

There is no way from a text to Python code.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

from flint import fmpq, fmpz

from exactattn.errors import LimitError, NumberError
from exactattn.numbers.limits import LIMITS, Limits


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

_INFINITE = re.compile(r"[+-]?\s*(inf|infinity|∞|nan)\Z", re.IGNORECASE).match
_SHOWN = 60


def shown(text: str) -> str:
    """A text in quotes for an error: cut where it is long, escaped where a terminal would not show it."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def too_deep(text: str) -> LimitError:
    """The error where Python's own recursion limit is met."""
    return LimitError("{text} is nested deeper than Python can follow: write it with fewer brackets", text=shown(text))


def decimal_value(text: str, limits: Limits) -> fmpq:
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
    count = len(whole.lstrip("+-")) + len(part)
    if count > limits.digits:
        raise LimitError(
            "a number of {digits} digits: the limit is {limit} (raise it with the limit 'digits')",
            digits=count,
            limit=limits.digits,
        )
    digits = (whole + part).lstrip("+")
    n, shift = fmpz(int(digits) if len(digits) < 4000 else digits), exponent - len(part)
    ten = fmpz(10) ** abs(shift)
    return fmpq(n, ten) if shift < 0 else fmpq(n * ten)


def _small_int(text: str, limits: Limits) -> int:
    digits = text.lstrip("+-").lstrip("0") or "0"
    if len(digits) > 10:
        return limits.exponent + 1
    return -int(digits) if text[0] == "-" else int(digits)


_TOKEN = re.compile(
    r"\s*(?:(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>[^\W\d]\w*)|(?P<sign>\*\*|[-+*/()^]))"
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
                raise self.error(f"unexpected {shown(text[at:].strip()[:1])}")
            self.tokens.append(match[match.lastgroup or 0].replace("**", "^"))
            at = match.end()
        if len(self.tokens) > 2 * limits.operations:
            raise LimitError(
                "a number written with {count} signs and figures: the limit is {limit} operations"
                " (raise it with the limit 'operations')",
                count=len(self.tokens),
                limit=limits.operations,
            )
        self.at, self.depth = 0, 0

    def error(self, why: str) -> NumberError:
        return NumberError("{text} is no number: {why}", text=shown(self.text), why=why)

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        self.at += 1
        return token

    def whole(self) -> Expression:
        tree = self.sum()
        if self.peek():
            raise self.error(f"unexpected {shown(self.peek())}")
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
        if token[0] in "0123456789.":  # str.isdigit would take a superscript
            decimal_value(token, self.limits)  # raises beyond the limits
            return Written(token)
        if token in self.symbols:
            return Symbol(token)
        if token in ("sqrt", "ln"):
            function: Literal["sqrt", "ln"] = "sqrt" if token == "sqrt" else "ln"
            if self.peek() == "(":
                self.take()
                return Call(function, self.closed())
            raise self.error(f"{token} needs brackets, as in {token}(2)")
        if token == "log":
            raise self.error("write ln(2) for the natural logarithm")
        if token[0].isalpha() or token[0] == "_":
            known = f"; the declared symbols are {', '.join(self.symbols)}" if self.symbols else ""
            raise self.error(f"the name {shown(token)} means nothing here (sqrt and ln do{known})")
        raise self.error(f"unexpected {shown(token)}")

    def closed(self) -> Expression:
        tree = self.sum()
        if self.take() != ")":
            raise self.error("a bracket is not closed")
        return tree


def letters(tree: Expression) -> frozenset[str]:
    """The names of the symbols in a tree.

    >>> sorted(letters(parse("a*(b - 2)/a", ("a", "b"))))
    ['a', 'b']
    """
    out, left = set(), [tree]
    while left:
        match left.pop():
            case Written():
                pass
            case Symbol(name):
                out.add(name)
            case Negated(body) | Call(_, body):
                left.append(body)
            case Binary(_, one, other):
                left += [one, other]
    return frozenset(out)


@lru_cache(4096)
def parse(text: str, symbols: tuple[str, ...] = (), limits: Limits = LIMITS) -> Expression:
    """The tree of a cleaned text.

    >>> parse("-sqrt(2)/2")
    Binary(operator='/', left=Negated(body=Call(function='sqrt', body=Written(text='2'))), right=Written(text='2'))
    """
    if _INFINITE(text):
        if "nan" in text.lower():
            raise NumberError("{text} is no number", text=shown(text))
        raise NumberError("{text} is no number: to keep a query from a key, use the mask", text=shown(text))
    try:
        return _Reader(text, symbols, limits).whole()
    except RecursionError:
        raise too_deep(text) from None
