"""The one file that sets python-flint's precision.

`flint.ctx.prec` is one number for the whole process, all threads included. `bits_of` holds a lock while it is changed and
puts it back, so no precision leaks; it is entered once for a whole matrix, not for each number.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from threading import RLock

from flint import arb, ctx

from exactattn.errors import LimitError, Undecided

_LOCK = RLock()


@contextmanager
def bits_of(bits: int) -> Iterator[None]:
    """Ball arithmetic at this many bits within the block.

    >>> with bits_of(64):
    ...     arb(2).sqrt().rel_accuracy_bits() > 60
    True
    """
    with _LOCK:
        before = ctx.prec
        ctx.prec = bits
        try:
            yield
        finally:
            ctx.prec = before


_FAR = 1_000_000
"""Powers of two beyond 2^±FAR are not written out: they would fill the memory, and balls know exponents without end."""


def precisions(first: int, last: int) -> Iterator[int]:
    """first, 2·first, 4·first, … bits, and last itself at the end.

    >>> list(precisions(64, 200)), list(precisions(256, 200))
    ([64, 128, 200], [])
    """
    bits = first
    while bits < last:
        yield bits
        bits *= 2
    if first <= last:
        yield last


def endpoints(ball: arb) -> tuple[Fraction, Fraction]:
    """Two rationals with a ball between them: its exact ends, or ends a little further out where those go below 2^−1000000.

    Raises Undecided for a ball without bounds, LimitError for one that reaches beyond 2^1000000.

    >>> with bits_of(64):
    ...     endpoints(arb(2).sqrt()) == endpoints(arb(2).sqrt().mid())
    False
    """
    if not ball.is_finite():
        raise Undecided("nothing bounds this value at the precision asked for: ask at more bits")
    middle, slip = _fraction(ball.mid())
    radius, more = _fraction(ball.rad())
    radius += slip + more
    low, high = middle - radius, middle + radius
    return (max(low, Fraction(0)) if ball >= 0 else low), (min(high, Fraction(0)) if ball <= 0 else high)


def _fraction(x: arb) -> tuple[Fraction, Fraction]:
    """An exact arb as a fraction, and how far that is off at most: not at all, or 2^−FAR for a number that is smaller."""
    if x == 0:
        return Fraction(0), Fraction(0)
    mantissa, exponent = (int(part) for part in x.man_exp())
    magnitude = exponent + mantissa.bit_length()
    if magnitude > _FAR:
        raise LimitError("a value beyond 2^{limit} is not written out as a fraction", limit=_FAR)
    if magnitude < -_FAR:
        return Fraction(0), Fraction(1, 1 << _FAR)
    return (Fraction(mantissa << exponent) if exponent >= 0 else Fraction(mantissa, 1 << -exponent)), Fraction(0)
