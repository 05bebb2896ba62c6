"""Which number of a format is nearest: decided from enclosures, and on a tie by the sign of a sum of exponentials.

Rounding is monotone: when both ends of an enclosure round to the same number, so does everything between, and that is the
whole proof. When they round to two neighbours, exactly one tie lies between the ends, and the question left is on which
side of it x lies. For what a softmax makes, x − tie has the sign of some Σ c_j·e^(s_j), and `sign_of_sum` decides that
without enclosing x ever more closely: equal exponents are brought together exactly, what cancels is dropped, and the
largest exponent that is left becomes 0. So a weight next to a tie by e^(−10^38) is decided as fast as any other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flint import arb, fmpq, fmpz

from exactattn.arithmetic.exact import ExactArithmetic
from exactattn.errors import Undecided
from exactattn.numbers import expsum
from exactattn.numbers import surd as surds
from exactattn.numbers.ball import bits_of, precisions
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.matrix import Linear
from exactattn.numbers.surd import Surd
from exactattn.testing.formats import Format

_FAR = 2000
"""Between 0 and 2^−FAR, and beyond 2^FAR, all numbers round alike in every format: their ends are moved there."""
_LEAST, _MOST = fmpq(1, fmpz(1) << _FAR), fmpq(fmpz(1) << _FAR)


def rounded(
    form: Format,
    count: int,
    enclose: Callable[[int, Sequence[int]], Sequence[arb]],
    side: Callable[[int, fmpq], int],
    limits: Limits = LIMITS,
) -> list[float]:
    """Numbers 0 to count − 1, each correctly rounded to the format (ties to even, ±∞ beyond it): exactly, in a float.

    `enclose(bits, wanted)` gives balls around the wanted ones, narrower with more bits; `side(k, tie)` is the sign of
    number k less the tie. A zero is +0. Raises Undecided where the balls stay wide up to the limit 'bits'.

    >>> from exactattn.testing.formats import FORMATS
    >>> def third(bits: int, wanted: Sequence[int]) -> list[arb]:
    ...     with bits_of(bits):
    ...         return [arb(1) / 3 for _ in wanted]
    >>> rounded(FORMATS["float16"], 1, third, lambda k, tie: 1 if fmpq(1, 3) > tie else -1)
    [0.333251953125]
    """
    out: list[float] = [0] * count
    still_open = list(range(count))
    for bits in precisions(form.grid.bits(), limits.bits):
        with bits_of(bits + 32):
            pairs = [ends(ball) for ball in enclose(bits, still_open)]
        known = [k for k, pair in zip(still_open, pairs, strict=True) if pair is not None]
        bounds = [pair for pair in pairs if pair is not None]
        lows = [x.to_float() for x in form.round(low for low, _ in bounds)]
        highs = [x.to_float() for x in form.round(high for _, high in bounds)]
        wide = set(still_open) - set(known)
        for k, low, high in zip(known, lows, highs, strict=True):
            if low != high:
                tie = (_number(low, form) + _number(high, form)) / 2
                nearest = form.round([tie])[0].to_float()
                # a number strictly between two others is nearer to their middle than they are: so these are neighbours,
                # and their middle the one tie between the ends, exactly when the middle rounds to one of them
                if nearest not in (low, high):
                    wide.add(k)
                    continue
                where = side(k, tie)
                low = high if where > 0 else low if where < 0 else nearest
            out[k] = low + 0  # −0 becomes 0
        still_open = sorted(wide)
        if not still_open:
            return out
    raise Undecided(
        "entry {entry}: its rounding to {form} is still open at {bits} bits (raise the limit 'bits')",
        entry=still_open[0] + 1, form=form.name, bits=limits.bits,
    )  # fmt: skip


def ends(ball: arb) -> tuple[fmpq, fmpq] | None:
    """Two rationals with what a ball holds between them, as far as rounding can tell; None for a ball without bounds.

    To be called under `bits_of`, at no fewer bits than the ball was made with.
    """
    if not ball.is_finite():
        return None
    return _end(ball.lower(), up=False), _end(ball.upper(), up=True)


def _end(x: arb, up: bool) -> fmpq:
    if x == 0:
        return fmpq(0)
    mantissa, exponent = x.man_exp()
    size = exponent + mantissa.bit_length()
    if size > _FAR:
        return _MOST if mantissa > 0 else -_MOST
    if size < -_FAR:
        # outward: towards 0 or to ±2^−FAR
        return (_LEAST if up else fmpq(0)) if mantissa > 0 else (fmpq(0) if up else -_LEAST)
    return fmpq(mantissa << int(exponent)) if exponent >= 0 else fmpq(mantissa, fmpz(1) << -int(exponent))


def _number(x: float, form: Format) -> fmpq:
    """A number of the format; an infinity as the first number beyond it, half way to which rounding starts to overflow."""
    if x in (float("inf"), float("-inf")):
        beyond = fmpq(fmpz(1) << (form.grid.emax + 1))
        return beyond if x > 0 else -beyond
    return fmpq(*x.as_integer_ratio())


def sign_of_sum(exponents: Linear, coefficients: Sequence[fmpq], limits: Limits = LIMITS) -> int:
    """The sign of Σ c_j·e^(s_j), the exponents being a 1 × m exact matrix and the c_j rational: −1, 0 or 1.

    0 only when the normal form says so; with algebraic exponents the rest is never 0 (Lindemann–Weierstrass), so refining
    ends. Raises Undecided at the limit 'bits'.

    >>> far = Linear.read([["0", "0", "-1e38"]])
    >>> sign_of_sum(far, [fmpq(1), fmpq(-1), fmpq(-1)]), sign_of_sum(far, [fmpq(1), fmpq(-1), fmpq(0)])
    (-1, 0)
    """
    total: expsum.ExpSum = {}
    for j, c in enumerate(coefficients):
        if c != 0:
            term = expsum.exponential(exponents.value(0, j))
            total = expsum.add(total, {e: surds.multiply(a, surds.rational(c)) for e, a in term.items()})
    if not total:
        return 0
    left = [expsum.exponent_surd(e) for e in total]
    weights = Linear.of(list[Surd](total.values()), (1, len(left)))
    powers = Linear.of(left, (1, len(left)))
    powers = powers.plus(_largest(powers, limits), -1)
    for bits in precisions(64, limits.bits):
        factors, arguments = weights.balls(bits).entries(), powers.balls(bits).entries()
        with bits_of(bits):
            value = sum((a * s.exp() for a, s in zip(factors, arguments, strict=True)), arb(0))
        if value > 0:
            return 1
        if value < 0:
            return -1
    raise Undecided(
        "a sum of exponentials is too near to 0 to tell its sign at {bits} bits (raise the limit 'bits')",
        bits=limits.bits,
    )


def _largest(row: Linear, limits: Limits) -> Linear:
    found = ExactArithmetic(limits).row_max(row, None)
    assert isinstance(found, Linear)
    return found
