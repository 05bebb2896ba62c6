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


def endpoints(ball: arb) -> tuple[Fraction, Fraction]:
    """The exact rational ends of a finite ball, lower and upper."""
    middle, radius = ball.mid().fmpq(), ball.rad().fmpq()
    low, high = middle - radius, middle + radius
    return Fraction(int(low.p), int(low.q)), Fraction(int(high.p), int(high.q))
