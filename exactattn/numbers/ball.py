"""The one file that sets python-flint's precision.

`flint.ctx.prec` is one number for the whole process, all threads included. `bits_of` holds a lock while it is changed and
puts it back, so no precision leaks; it is entered once for a whole matrix, not for each number.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from threading import RLock, get_ident

from flint import arb, ctx, fmpq

from exactattn.errors import LimitError, Undecided

_LOCK = RLock()


class bits_of:
    """Ball arithmetic at this many bits within the block.

    >>> with bits_of(64):
    ...     arb(2).sqrt().rel_accuracy_bits() > 60
    True
    """

    # a class and no generator: it is entered for every small matrix, and a generator takes longer than the work in it
    __slots__ = ("_before", "_bits", "_within")

    def __init__(self, bits: int) -> None:
        self._bits = bits

    def __enter__(self) -> None:
        me = get_ident()
        self._within = _HOLDER[0]
        if self._within == me and ctx.prec == self._bits:
            self._before = None  # the lock is ours and the precision is set: there is nothing to do, nor to undo
            return
        _LOCK.acquire()
        self._within, _HOLDER[0] = _HOLDER[0], me
        self._before = ctx.prec
        try:
            ctx.prec = self._bits
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            ctx.prec = self._before
            _HOLDER[0] = self._within
            _LOCK.release()


_HOLDER = [0]
"""The thread that holds the lock, 0 for none. Only that thread sets it, to itself and back."""


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
    low, high = ends(ball)
    return fraction(low), fraction(high)


def ends(ball: arb) -> tuple[fmpq, fmpq]:
    """The same as `endpoints`, as python-flint's rationals, which are quicker to go on with."""
    if not ball.is_finite():
        raise Undecided("nothing bounds this value at the precision asked for: ask at more bits")
    middle, slip = _rational(ball.mid())
    radius, more = _rational(ball.rad())
    radius += slip + more
    low, high = middle - radius, middle + radius
    return (_ZERO if low < 0 and ball >= 0 else low), (_ZERO if high > 0 and ball <= 0 else high)


def between(ball: arb, unit: int) -> tuple[int, int]:
    """Two whole numbers of 1/unit with a ball between them, no further out than they must be. To be called under `bits_of`.

    >>> with bits_of(64):
    ...     between(arb("0.25"), 10), between(arb(7), 10)
    ((2, 3), (70, 70))
    """
    x = ball * unit  # rounded outwards: at most the next whole number is taken for one that an end falls on
    low, high = x.lower().floor().unique_fmpz(), x.upper().ceil().unique_fmpz()
    if low is not None and high is not None:
        return int(low), int(high)
    below, above = ends(ball)  # too large for the precision in force
    return int((below * unit).floor()), int((above * unit).ceil())


def fraction(q: fmpq) -> Fraction:
    """The same rational as Python's."""
    return Fraction(int(q.p), int(q.q))


_ZERO = fmpq(0)


def _rational(x: arb) -> tuple[fmpq, fmpq]:
    """An exact arb as a rational, and how far that is off at most: not at all, or 2^−FAR for a number that is smaller."""
    if x == 0:
        return _ZERO, _ZERO
    mantissa, exponent = x.man_exp()
    magnitude = exponent + mantissa.bit_length()
    if magnitude > _FAR:
        raise LimitError("a value beyond 2^{limit} is not written out as a fraction", limit=_FAR)
    if magnitude < -_FAR:
        return _ZERO, fmpq(1, 1 << _FAR)
    return x.fmpq(), _ZERO
