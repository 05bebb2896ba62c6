"""One door in: everything a person or program can give as a number becomes canonical text, and text becomes an exact number.

A decimal is exactly what is written: 0.1 is 1/10. A float means the decimal that Python prints for it. Where the bits of a
float are meant, see `from_binary`. What may be written is in `grammar`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal
from unicodedata import normalize

from flint import fmpq, fmpz

from exactattn.errors import LimitError, NumberError
from exactattn.numbers import surd as surds
from exactattn.numbers.grammar import (
    Binary,
    Call,
    Expression,
    Negated,
    Symbol,
    Written,
    decimal_value,
    letters,
    parse,
    shown,
    too_deep,
)
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.surd import Surd

# -- cleaning --------------------------------------------------------------------------------------------------------------

# Full-width forms U+FF01..FF5E are the ASCII characters 0xFEE0 below. NFKC would do this too, but it also turns 5² into 52.
_AS_MEANT: dict[int, int | str | None] = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_AS_MEANT |= {ord(c): "-" for c in "−‐‑‒–﹣"}
_AS_MEANT |= {ord(c): " " for c in "\u00a0\u2007\u2009\u202f\u3000\t\n\r"} | {0xFEFF: None, 0x2061: None}
_AS_MEANT |= {ord("×"): "*", ord("·"): "*", ord("÷"): "/", ord("⁄"): "/", ord("∕"): "/"}
_VULGAR = {c: normalize("NFKC", c).split("⁄") for c in "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞⅐⅑⅒"}

# [0-9]+(\.[0-9]*)? and not [0-9]+\.?[0-9]*: that one tries every way to split a long run of digits in two
_PLAIN = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\Z").match
# what _tidy leaves as it is: no plus sign, no leading zeros, no negative zero
_CANONICAL = re.compile(r"(?!-[0.]*\Z)-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?\Z").match
_MIXED = re.compile(r"(?<![0-9])([0-9]*)([" + "".join(_VULGAR) + "])")
_ROOT = re.compile(r"√\s*([0-9]+(?:\.[0-9]*)?|\.[0-9]+|[^\W\d]\w*)?")
_SHORT = 60


def clean(text: str, decimal: Literal[".", ","] = ".") -> str:
    """The text as meant: ASCII digits and signs, a decimal point, no surrounding space.

    >>> clean("\\u2212１２．５"), clean("1½"), clean("-½"), clean("2⁄3"), clean("√2"), clean("0,25", decimal=",")
    ('-12.5', '3/2', '-1/2', '2/3', 'sqrt(2)', '0.25')
    """
    out = text.translate(_AS_MEANT).strip()
    if any(c in _VULGAR for c in out):
        out = _MIXED.sub(_mixed, out)
    if "√" in out:
        out = _ROOT.sub(lambda root: f"sqrt({root[1]})" if root[1] else "sqrt", out)
    if decimal == ",":
        if "." in out:
            raise NumberError('{text} is no number: under decimal = "," a point is no decimal mark', text=shown(text))
        out = out.replace(",", ".")
    elif "," in out:
        raise NumberError('{text} is no number: a comma is a decimal mark only under decimal = ","', text=shown(text))
    return out


def _mixed(match: re.Match[str]) -> str:
    top, bottom = _VULGAR[match[2]]
    whole = fmpz(match[1] or "0")  # an int would stop at Python's own limit of 4 300 digits
    value = f"{whole * int(bottom) + int(top)}/{bottom}"
    alone = match.start() <= 1 and match.end() == len(match.string) and match.string[: match.start()] in ("", "-", "+")
    return value if alone else f"({value})"


def canonical(x: Any, *, decimal: Literal[".", ","] = ".", symbols: Sequence[str] = (), limits: Limits = LIMITS) -> str:
    """The number as text in the grammar above, checked.

    Takes text, int, Fraction, Decimal, a float (the decimal it prints as), NumPy scalars and sympy numbers. Decimals keep
    their written form, trailing zeros included, since a page prints an input as it was given. Raises NumberError where the
    text is no number or has no value ("1/0"), LimitError where it is beyond the limits.

    >>> canonical("+0.280"), canonical(0.1), canonical(Fraction(1, 3)), canonical(Decimal("1.50"))
    ('0.280', '0.1', '1/3', '1.50')
    >>> canonical("1,5")
    Traceback (most recent call last):
        ...
    exactattn.errors.NumberError: '1,5' is no number: a comma is a decimal mark only under decimal = ","
    """
    if type(x) is str:  # the usual case, at once
        return _canonical_text(x, decimal, tuple(symbols), limits)
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
        text=shown(repr(x)),
        kind=type(x).__name__,
    )


def _canonical_text(text: str, decimal: Literal[".", ","], symbols: tuple[str, ...], limits: Limits) -> str:
    if decimal == "." and len(text) <= min(_SHORT, limits.digits) and _CANONICAL(text):
        return text  # the usual case, at once
    if len(text) > 20 * limits.digits:
        raise LimitError(
            "a number of {length} characters: the limit is {digits} digits (raise it with the limit 'digits')",
            length=len(text),
            digits=limits.digits,
        )
    out = clean(text, decimal)
    if not _PLAIN(out):
        tree = parse(out, symbols, limits)  # raises where the text is no number
        out = re.sub(r"\s+", "", out)
        if not _PLAIN(out):
            if not letters(tree):
                surd(out, limits)  # raises where it has no value: a division by zero, a root of a negative number
            return out
    decimal_value(out, limits)
    return _tidy(out)


def is_plain(text: str) -> bool:
    """A short decimal that is canonical as it is, under the usual limits.

    >>> is_plain("-0.50"), is_plain("+1"), is_plain("1/2")
    (True, False, False)
    """
    return len(text) <= _SHORT and _CANONICAL(text) is not None


def _tidy(out: str) -> str:
    sign, out = ("-", out[1:]) if out[0] == "-" else ("", out.removeprefix("+"))
    mantissa, mark, exponent = out.lower().partition("e")
    whole, point, part = mantissa.partition(".")
    mantissa = (whole.lstrip("0") or "0") + (point + part if part else "")
    if not mantissa.strip("0."):
        sign = ""  # no negative zero
    return sign + mantissa + (mark + str(int(exponent)) if mark else "")


# -- reading ----------------------------------------------------------------------------------------------------------------


def surd(text: str, limits: Limits = LIMITS) -> Surd:
    """The exact number that a canonical text writes. (Cached: do not change the dict.)

    >>> surd("3/4"), surd("sqrt(2)/2") == surd("1/sqrt(2)"), surd("ln(4)") == surd("2*ln(2)")
    ({Unit(radical=(), logs=()): 3/4}, True, True)
    """
    # limits are many numbers, and to hash them takes longer than to find a text
    return _usual(text) if limits is LIMITS else _surd(text, limits)


@lru_cache(8192)
def _usual(text: str) -> Surd:
    return _surd(text, LIMITS)


@lru_cache(8192)
def _surd(text: str, limits: Limits) -> Surd:
    if _PLAIN(text):
        return surds.rational(decimal_value(text, limits))
    tree = parse(text, (), limits)
    try:
        return evaluate(tree, limits)
    except NumberError as error:
        raise NumberError("{text} is no number: {why}", text=shown(text), why=str(error)) from None
    except RecursionError:
        raise too_deep(text) from None


def rational(text: str, limits: Limits = LIMITS) -> fmpq | None:
    """The number as a rational, None when it is none (the fast way in)."""
    return _short(text) if limits is LIMITS and len(text) <= _SHORT else _rational(text, limits)


@lru_cache(8192)
def _short(text: str) -> fmpq | None:
    return _rational(text, LIMITS)


def _rational(text: str, limits: Limits) -> fmpq | None:
    if len(text) <= min(_SHORT, limits.digits) and _CANONICAL(text):
        whole, _, part = text.partition(".")
        return fmpq(int(whole + part), _TENS[len(part)])
    return decimal_value(text, limits) if _PLAIN(text) else surds.as_rational(surd(text, limits))


_TENS = tuple(10**k for k in range(_SHORT))


def from_binary(x: float) -> Fraction:
    """The dyadic number that the bits of a float hold, and not the decimal it prints as.

    >>> from_binary(0.1)
    Fraction(3602879701896397, 36028797018963968)
    """
    if x != x or x in (float("inf"), float("-inf")):
        raise NumberError("{x} is no number", x=x)
    return Fraction(*x.as_integer_ratio())


def evaluate(tree: Expression, limits: Limits = LIMITS) -> Surd:
    """The exact number that a tree without symbols means.

    Raises NumberError where it means none (a division by zero, the root of a negative number), and LimitError where a step
    of it grows beyond the limits: a short text can ask for a number that fills the memory.
    """
    return _sized(_value(tree, limits), limits)


def _sized(out: Surd, limits: Limits) -> Surd:
    if len(out) > limits.units:
        raise LimitError(
            "a number of {count} different roots and logarithms: the limit is {limit} (raise it with the limit 'units')",
            count=len(out),
            limit=limits.units,
        )
    digits = 10 * (limits.digits + limits.exponent)
    for c in out.values():
        if max(c.p.bit_length(), c.q.bit_length()) > digits * 10 // 3:
            raise LimitError(
                "a number that takes more than {digits} digits (raise it with the limits 'digits' and 'exponent')",
                digits=digits,
            )
    return out


def _value(tree: Expression, limits: Limits) -> Surd:
    match tree:
        case Written(text):
            return surds.rational(decimal_value(text, limits))
        case Symbol(name):
            raise NumberError("{name} is a symbol: it has no value", name=name)
        case Negated(body):
            return surds.negate(evaluate(body, limits))
        case Call("sqrt", body):
            return surds.square_root(_within(evaluate(body, limits), "sqrt", limits))
        case Call(_, body):
            return surds.logarithm(_within(evaluate(body, limits), "ln", limits))
        case Binary(operator, left, right):
            a, b = evaluate(left, limits), evaluate(right, limits)
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
        out = _sized(surds.multiply(out, a), limits)
    return out if exponent >= 0 else surds.divide(surds.rational(fmpq(1)), out)
