"""The words of QTI's response processing: expressions and rules as elements, in the names of version 2.1.

They say only what players were found to agree on: comparisons of numbers as gte and lte (never `equal` with a tolerance, which
one player reads wrongly), flags as the integers 0 and 1 (a boolean that is read back is text in one of them), and no operator
is given a NULL that is not looked for first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import assert_never

from exactattn.exports.formula import Answer, Cell, Constant, Exponential, Formula, Largest, Product, Quotient, Sum
from exactattn.exports.markup import Element, element
from exactattn.numbers.value import Value

DIGITS = 17
"""Significant digits that tell any two doubles apart."""
MOST_PLACES = 60


def base_value(kind: str, text: str) -> Element:
    """A value written out."""
    return element("baseValue", text, baseType=kind)


def number(x: Fraction | int) -> Element:
    """A number whose decimals end."""
    if isinstance(x, int):
        return base_value("integer", str(x))
    return base_value("float", decimal(x))


def variable(identifier: str) -> Element:
    """The value of a response or an outcome."""
    return element("variable", identifier=identifier)


def all_of(*conditions: Element) -> Element:
    """Every one holds."""
    return conditions[0] if len(conditions) == 1 else element("and", *conditions)


def any_of(*conditions: Element) -> Element:
    """At least one holds."""
    return conditions[0] if len(conditions) == 1 else element("or", *conditions)


def total(*terms: Element) -> Element:
    """Their sum."""
    return terms[0] if len(terms) == 1 else element("sum", *terms)


def times(x: Element, factor: int) -> Element:
    """A whole number of times."""
    return x if factor == 1 else element("product", x, number(factor))


def given(*identifiers: str) -> tuple[Element, ...]:
    """Is each of these answered?"""
    return tuple(element("not", element("isNull", variable(identifier))) for identifier in identifiers)


def numeric(*identifiers: str) -> tuple[Element, ...]:
    """Is each of these a number?

    One player hands in an empty place as a number that is none, which is not NULL and which its comparisons leave out: then
    what is left compares as true. Only its mathOperator makes NULL of it.
    """
    sizes = (element("mathOperator", variable(identifier), name="abs") for identifier in identifiers)
    return tuple(element("not", element("isNull", size)) for size in sizes)


def within(x: Element, low: Fraction | None, high: Fraction | None, *, above: bool = False) -> tuple[Element, ...]:
    """low ≤ x ≤ high, ends of None left open; low < x where `above` is said."""
    below = () if low is None else (element("gt" if above else "gte", x, number(low)),)
    return below if high is None else (*below, element("lte", x, number(high)))


def near(x: Element, formula: Element, reach: Fraction) -> Element:
    """|x − formula| ≤ reach."""
    return element("lte", element("mathOperator", element("subtract", x, formula), name="abs"), number(reach))


def set_to(identifier: str, x: Element) -> Element:
    """Give an outcome its value."""
    return element("setOutcomeValue", x, identifier=identifier)


def when(condition: Element, *rules: Element) -> Element:
    """If the condition holds, these rules."""
    return element("responseCondition", element("responseIf", condition, *rules))


def first_of(branches: Sequence[tuple[Element, Element]]) -> Element:
    """The rule of the first condition that holds."""
    (condition, rule), *others = branches
    return element(
        "responseCondition",
        element("responseIf", condition, rule),
        *(element("responseElseIf", condition, rule) for condition, rule in others),
    )


def formula(x: Formula, name: Callable[[Cell], str]) -> Element:
    """A formula in what was typed; `name` is the identifier of a response."""
    match x:
        case Constant(value):
            return base_value("float", constant_text(value))
        case Answer(cell):
            return variable(name(cell))
        case Sum(terms):
            return element("sum", *(formula(term, name) for term in terms))
        case Product(left, right):
            return element("product", formula(left, name), formula(right, name))
        case Quotient(top, bottom):
            return element("divide", formula(top, name), formula(bottom, name))
        case Exponential(power):
            return element("mathOperator", formula(power, name), name="exp")
        case Largest(terms):
            return element("max", *(formula(term, name) for term in terms))
        case _:
            assert_never(x)


def decimal(x: Fraction) -> str:
    """A fraction in digits, all of them.

    >>> decimal(Fraction(-73, 100000)), decimal(Fraction(2)), decimal(Fraction(1, 8))
    ('-0.00073', '2', '0.125')

    Raises ValueError for one whose decimals do not end.
    """
    places = 0
    while 10**places % x.denominator:
        places += 1
        if places > MOST_PLACES:
            raise ValueError(f"{x} has no decimals that end")
    whole = f"{abs(x.numerator) * 10**places // x.denominator:0{places + 1}d}"
    point = f".{whole[-places:]}" if places else ""
    return f"{'-' if x < 0 else ''}{whole[: len(whole) - places]}{point}"


def constant_text(value: Value) -> str:
    """An exact number to as many digits as a double has.

    >>> constant_text(Value.of("-17/10")), constant_text(Value.of("sqrt(2)/2")), constant_text(Value.of("3e-20"))
    ('-1.7', '0.70710678118654752', '3e-20')
    """
    mantissa, sign, exponent = value.significant(DIGITS).partition("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}{sign}{exponent}"
