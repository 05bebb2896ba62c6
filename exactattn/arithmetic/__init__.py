"""What the pipeline computes over: exact, sympy, rounded, balls. Each is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from exactattn.arithmetic.exact import ExactArithmetic
from exactattn.arithmetic.protocol import Arithmetic
from exactattn.errors import OptionError, nearest
from exactattn.numbers.limits import LIMITS, Limits

NAMES = ("exact", "sympy", "mpmath:BITS", "balls:BITS")


def arithmetic(name: str, symbols: Sequence[str] = (), limits: Limits = LIMITS) -> Arithmetic:
    """An arithmetic by name: "exact", "sympy", "mpmath:11" (11 significant bits), "balls:128" (enclosures at 128 bits).

    >>> arithmetic("exact").name
    'exact'
    """
    kind, colon, bits = name.partition(":")
    if name == "exact":
        return ExactArithmetic(limits)
    if name == "sympy":
        from exactattn.arithmetic.symbolic import SympyArithmetic

        return SympyArithmetic(tuple(symbols), limits)
    if kind in ("mpmath", "balls") and colon and bits.isascii() and bits.isdecimal() and len(bits) < 8:
        if kind == "mpmath":
            from exactattn.arithmetic.rounded import RoundedArithmetic

            return RoundedArithmetic(int(bits), limits)
        from exactattn.arithmetic.balls import BallArithmetic

        return BallArithmetic(int(bits), limits)
    raise OptionError(
        "arithmetic {name!r} is not one of {known}{hint}", name=name, known=", ".join(NAMES), hint=nearest(name, NAMES)
    )
