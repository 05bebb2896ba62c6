"""How far a good implementation may be off: bounds on rounding errors that no right implementation was seen to exceed.

With d = m − x, S = Σ p(m − x), M = max |x|, z = Σ e^(x−m), u the unit roundoff, η the least number the implementation
makes, and ε = 4 units for one exponential or logarithm, to first order:

    softmax       u·p·(2d + 2S + 2M + A + 2ε + 3) + (1 + max(1, n·p))η
    log-softmax   u·(2d + 2S + 2M + A + 2ε + 3 + (2ε + 1) ln z + |y|) + η
    log-sum-exp   u·(2S + A + 2ε + 1 + (2ε + 1) ln z + |L|) + η
    attention     Σ p|v|·(e^(2δ)(1 + ρ)(1 + (n + 2)u) − 1) + (n + 1)η(1 + Σ|v|),  δ = (d_k + 3)u·max_j c·Σ|q_t k_jt|

n terms that underflow put the sum z ≥ 1 off by nη at most, and so a weight by p·nη: with n beside p, 70 000 half-precision
zeros whose sum overflows are seen. ρ is the factor of softmax. A is n where sums are accumulated in the format itself; a
half format is taken to accumulate in float32 (A = 2 + n·2⁻²⁴/u). The error of an exponential grows with its argument: a flat
bound in ulp is a false alarm for what lies far below the maximum. `strict`, for code that subtracts the maximum first, has
d + S in place of 2d + 2S + 2M.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias, get_args

from flint import arb, fmpq

from exactattn.testing.formats import Format
from exactattn.testing.signature import Kind
from exactattn.testing.truth import Row

Strictness: TypeAlias = Literal["usual", "strict"]
Accumulation: TypeAlias = Literal["float32", "same"]

STRICTNESS: tuple[Strictness, ...] = get_args(Strictness)
ACCUMULATION: tuple[Accumulation, ...] = get_args(Accumulation)

EPSILON = 4
"""Units of roundoff that one exponential or logarithm may be off by."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """What is asked of results in a format. `flushes`: the implementation makes no subnormal numbers.

    >>> from exactattn.testing.formats import FORMATS
    >>> Accuracy(FORMATS["float32"]).accumulation(70_000), Accuracy(FORMATS["float16"]).accumulation(70_000)
    (Fraction(70000, 1), Fraction(5399, 512))
    """

    form: Format
    strictness: Strictness = "usual"
    accumulate: Accumulation = "float32"
    flushes: bool = False

    @property
    def least(self) -> Fraction:
        """η."""
        return self.form.least_normal if self.flushes else self.form.least_subnormal

    def accumulation(self, n: int) -> Fraction | None:
        """A for a sum of n terms; None where a sum in the format itself need not be right in any digit."""
        if self.form.width > 16:
            return Fraction(n)
        if self.accumulate == "float32":
            return 2 + n * Fraction(1, 1 << 24) / self.form.u
        return Fraction(n) if n * self.form.u < Fraction(1, 4) else None

    # -- softmax and its kin -------------------------------------------------------------------------------------------

    def of_row(self, row: Row, kind: Kind, bits: int) -> list[arb] | None:
        """The bound for each of `row.values` (for log-sum-exp: the one bound); under `bits_of`. None: not judged."""
        extra = self.accumulation(row.n)
        if extra is None:
            return None
        u, least, spread = _arb(self.form.u), _arb(self.least), row.spread(bits)
        fixed = _arb(extra) + 2 * EPSILON + 3
        match kind:
            case "softmax":
                factors = self._factors(row, spread, fixed)
                return [
                    u * p * f + least * (1 + (row.n * p).max(arb(1)))
                    for p, f in zip(row.weights(bits), factors, strict=True)
                ]
            case "log_softmax":
                more = (2 * EPSILON + 1) * row.log_sum(bits)
                factors = self._factors(row, spread, fixed + more)
                return [u * (f + abs(y)) + least for y, f in zip(row.log_weights(bits), factors, strict=True)]
        more = (2 * EPSILON + 1) * row.log_sum(bits) + abs(row.logsumexp(bits))
        return [u * (2 * spread + fixed - 2 + more) + least]

    def _factors(self, row: Row, spread: arb, fixed: arb) -> list[arb]:
        if self.strictness == "strict":
            return [_arb(row.maximum - x) + spread + fixed for x in row.values]
        same = 2 * spread + 2 * _arb(row.largest_size) + fixed
        return [2 * _arb(row.maximum - x) + same for x in row.values]

    # -- attention -----------------------------------------------------------------------------------------------------

    def of_outputs(
        self, weights: Sequence[arb], scaled: Sequence[arb], sizes: arb, values: Sequence[Sequence[arb]], width: int
    ) -> list[arb] | None:
        """The bound for each column of one row of attention, from its open keys alone; under `bits_of`.

        weights and scaled scores of n keys, `sizes` the largest c·Σ|q·k| of them, n × d_v values, and d_k. None where
        the row is ill-conditioned (δ ≥ 1/4), or where A is open.
        """
        n = len(weights)
        extra = self.accumulation(n)
        u = _arb(self.form.u)
        delta = (width + 3) * u * sizes
        if extra is None or not delta < arb(1) / 4:
            return None
        largest = scaled[0]
        size = abs(scaled[0])
        for s in scaled[1:]:
            largest, size = largest.max(s), size.max(abs(s))
        distances = [largest - s for s in scaled]
        spread = sum((p * d for p, d in zip(weights, distances, strict=True)), arb(0))
        fixed = _arb(extra) + 2 * EPSILON + 3
        if self.strictness == "strict":
            factors = [d + spread + fixed for d in distances]
        else:
            factors = [2 * d + 2 * spread + 2 * size + fixed for d in distances]
        grown, sums = (2 * delta).exp(), 1 + (n + 2) * u
        relative = [p * (grown * (1 + u * f) * sums - 1) for p, f in zip(weights, factors, strict=True)]
        under = (n + 1) * _arb(self.least)
        out = []
        for column in zip(*values, strict=True):
            v = [abs(x) for x in column]
            out.append(sum((r * x for r, x in zip(relative, v, strict=True)), arb(0)) + under * (1 + sum(v, arb(0))))
        return out


def _arb(x: Fraction) -> arb:
    return arb(fmpq(x.numerator, x.denominator))
