"""What softmax, its logarithm, log-sum-exp and attention truly are, for exact inputs: enclosed at any precision, and rounded.

A `Row` is a row of exact scores with equal ones counted once, so that 70 000 equal zeros cost what one does. A `Head` is one
head of attention, worked by the pipeline. Both give balls (flint `arb`) at the bits asked for: ask again at more bits where
a question stays open, and turn a ball into two rationals with `numbers.ball.endpoints`. Both also round correctly to any of
the floating formats, by `deciding`, as Python floats that hold the format's number exactly.

A closed key (masked, or a score of −∞) is None: its weight is 0, exactly. Weights so small that no format tells them from 0
(below 2^−47000, scores tens of thousands below the maximum) are only bounded from above: [0, 2^−47000].
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import repeat

from flint import arb, fmpq, fmpq_mat

from exactattn.arithmetic.exact import ExactArithmetic
from exactattn.arithmetic.protocol import Keep
from exactattn.attention.pipeline import closed_rows, divide, exponentiate, mask, maximum, mix, score, shift, total
from exactattn.errors import InputError, ShapeError
from exactattn.numbers.ball import bits_of
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.matrix import Linear, Matrix
from exactattn.numbers.parse import surd
from exactattn.numbers.surd import Surd
from exactattn.numbers.units import ONE
from exactattn.testing.deciding import rounded, sign_of_sum
from exactattn.testing.formats import Format
from exactattn.trace.quantity import Quantity

_GUARD = 32  # an exponent down to −_DEEP costs 15 bits, a sum of fewer than 2^10 like terms 10
_DEEP = 1 << 15
_HALF = arb(fmpq(1, 1 << 47_001))
_NEXT_TO_NOTHING = arb(_HALF, _HALF)  # [0, 2^−47000]: e^−32768 < 2^−47273. A power of two is exact at any precision


@dataclass(frozen=True, slots=True)
class Row:
    """A row of n exact scores: groups of (value, count), largest value first, and how many keys are closed.

    >>> row = Row.of([Fraction(1), None, Fraction(0), Fraction(1)])
    >>> row.groups, row.closed, row.n
    (((Fraction(1, 1), 2), (Fraction(0, 1), 1)), 1, 4)
    """

    groups: tuple[tuple[Fraction, int], ...]
    closed: int = 0
    _held: dict[tuple[str, int], tuple[arb, ...]] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, entries: Iterable[Fraction | None]) -> Row:
        """From the entries in their order (which softmax does not care about)."""
        return cls.grouped(Counter(entries).items())

    @classmethod
    def grouped(cls, groups: Iterable[tuple[Fraction | None, int]]) -> Row:
        """From (value, count) pairs in any order; counts of 1 or more.

        >>> from exactattn.numbers.ball import endpoints
        >>> low, high = endpoints(Row.grouped([(Fraction(0), 70_000)]).weights(64)[0])
        >>> low <= Fraction(1, 70_000) <= high, high - low < Fraction(1, 2**80)
        (True, True)
        """
        counts: dict[Fraction | None, int] = {}
        for value, count in groups:
            if count < 1:
                raise InputError("a group of {count} scores: 1 or more were due", count=count)
            counts[value] = counts.get(value, 0) + count
        closed = counts.pop(None, 0)
        found = sorted(((value, count) for value, count in counts.items() if value is not None), reverse=True)
        return cls(tuple(found), closed)

    # -- what is exact ---------------------------------------------------------------------------------------------------

    @property
    def n(self) -> int:
        """How many keys, the closed ones included."""
        return self.closed + sum(count for _, count in self.groups)

    @property
    def values(self) -> tuple[Fraction, ...]:
        """The different open scores, largest first: what `weights` and `log_weights` go with."""
        return tuple(value for value, _ in self.groups)

    @property
    def maximum(self) -> Fraction:
        """m. Raises InputError for a row with no open key: softmax is not defined there, only conventions are."""
        if not self.groups:
            raise InputError("a row with no open key has no softmax: what is due there is a convention")
        return self.groups[0][0]

    @property
    def largest_size(self) -> Fraction:
        """M = max |x| over the open keys."""
        return max(abs(self.maximum), abs(self.groups[-1][0]))

    # -- enclosures ------------------------------------------------------------------------------------------------------

    def exps(self, bits: int) -> tuple[arb, ...]:
        """e^(x − m) for each of `values`, to a relative 2^−bits (or [0, 2^−47000])."""
        return self._once("exps", bits, lambda: [_exp(x - self.maximum) for x in self.values])

    def sum(self, bits: int) -> arb:
        """z = Σ e^(x − m) over all open keys, between 1 and n."""
        return self._once("sum", bits, lambda: [1 + self._rest(bits)])[0]

    def log_sum(self, bits: int) -> arb:
        """ln z, to a relative 2^−bits even where one key takes nearly all."""
        return self._once("log_sum", bits, lambda: [self._rest(bits).log1p()])[0]

    def weights(self, bits: int) -> tuple[arb, ...]:
        """p for each of `values`: of one key, not of its group. (A ball may reach a hair below 0 or above 1.)

        >>> near, far = Row.of([Fraction(0), Fraction(-(10**38))]).weights(64)
        >>> near.contains(1), near > 1 - 2.0**-50, far < 2.0**-1000
        (True, True, True)
        """
        return self._once("weights", bits, lambda: [e / self.sum(bits) for e in self.exps(bits)])

    def log_weights(self, bits: int) -> tuple[arb, ...]:
        """ln p = x − m − ln z for each of `values`. Two terms that are never positive: nothing cancels."""
        return self._once(
            "log_weights", bits, lambda: [arb(_q(x - self.maximum)) - self.log_sum(bits) for x in self.values]
        )

    def logsumexp(self, bits: int) -> arb:
        """L = m + ln z. The two may nearly cancel: look at the radius."""
        return self._once("logsumexp", bits, lambda: [arb(_q(self.maximum)) + self.log_sum(bits)])[0]

    def spread(self, bits: int) -> arb:
        """S = Σ p·(m − x) over all open keys: how far the others lie below the maximum, on average.

        >>> Row.of([Fraction(2), Fraction(2)]).spread(64)
        0
        """
        return self._once("spread", bits, lambda: [self._spread(bits)])[0]

    def _rest(self, bits: int) -> arb:
        """z − 1."""
        exps = self.exps(bits)
        terms = ((count - (k == 0)) * e for k, (e, (_, count)) in enumerate(zip(exps, self.groups, strict=True)))
        return sum(terms, arb(0))

    def _spread(self, bits: int) -> arb:
        terms = zip(self.weights(bits), self.groups, strict=True)
        return sum((p * arb(_q((self.maximum - x) * count)) for p, (x, count) in terms), arb(0))

    def _once(self, name: str, bits: int, work: Callable[[], Sequence[arb]]) -> tuple[arb, ...]:
        found = self._held.get((name, bits))
        if found is None:
            _ = self.maximum  # or an error: a row with no open key has none of these
            with bits_of(bits + _GUARD):
                self._held[name, bits] = found = tuple(work())
        return found

    # -- correctly rounded -----------------------------------------------------------------------------------------------

    def round_weights(self, form: Format, limits: Limits = LIMITS) -> Mapping[Fraction | None, float]:
        """The correctly rounded weight of each score, by score; None, a closed key, has 0.

        >>> from exactattn.testing.formats import FORMATS
        >>> Row.of([Fraction(0), None, Fraction(-1)]).round_weights(FORMATS["float16"])
        {Fraction(0, 1): 0.73095703125, Fraction(-1, 1): 0.26904296875, None: 0.0}
        """

        def side(k: int, tie: fmpq) -> int:
            one = [fmpq(int(j == k)) for j in range(len(self.groups))]
            terms = [a - tie * count for a, (_, count) in zip(one, self.groups, strict=True)]
            return sign_of_sum(_linear(self.values), terms, limits)

        return self._by_score(self._round(form, self.weights, side, limits)) | {None: 0.0}

    def round_log_weights(self, form: Format, limits: Limits = LIMITS) -> Mapping[Fraction | None, float]:
        """The correctly rounded ln p of each score, by score; None, a closed key, has −∞."""

        def side(k: int, tie: fmpq) -> int:
            # ln p > t where e^(x − t) > Σ e^x
            powers = _linear([*self.values, self.values[k] - Fraction(int(tie.p), int(tie.q))])
            return sign_of_sum(powers, [*(fmpq(-count) for _, count in self.groups), fmpq(1)], limits)

        return self._by_score(self._round(form, self.log_weights, side, limits)) | {None: float("-inf")}

    def round_logsumexp(self, form: Format, limits: Limits = LIMITS) -> float:
        """The correctly rounded log-sum-exp; −∞ for a row with no open key, an empty sum.

        >>> from exactattn.testing.formats import FORMATS
        >>> Row.grouped([(Fraction(0), 70_000)]).round_logsumexp(FORMATS["float32"])
        11.156250953674316
        """
        if not self.groups:
            return float("-inf")

        def side(k: int, tie: fmpq) -> int:
            powers = _linear([*self.values, Fraction(int(tie.p), int(tie.q))])
            return sign_of_sum(powers, [*(fmpq(count) for _, count in self.groups), fmpq(-1)], limits)

        return rounded(form, 1, lambda bits, wanted: [self.logsumexp(bits)] * len(wanted), side, limits)[0]

    def _round(
        self, form: Format, balls: Callable[[int], Sequence[arb]], side: Callable[[int, fmpq], int], limits: Limits
    ) -> list[float]:
        return rounded(form, len(self.groups), lambda bits, wanted: [balls(bits)[k] for k in wanted], side, limits)

    def _by_score(self, numbers: Sequence[float]) -> dict[Fraction | None, float]:
        return dict(zip(self.values, numbers, strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class Head:
    """One head of attention, exact: n queries, m keys, d_v wide, every matrix of the pipeline that a test asks for.

    `scores` are Q·Kᵀ, `scaled` those times the scale, plus the bias where there is one. What `keep` closes is 0 in
    `weights`; a row with no open key is 0 in `weights` and `output` (what is due there is a convention: see `closed_rows`).
    Enclosures: `weights.balls(bits)`, `output.balls(bits)`, flint matrices, and `row(i).balls(bits)` for one row at more bits.
    """

    scores: Linear
    scaled: Linear
    shifted: Linear
    weights: Matrix
    output: Matrix
    values: Linear
    keep: Keep = None

    @property
    def closed_rows(self) -> frozenset[int]:
        """The rows in which every key is closed."""
        return closed_rows(self.keep)

    def round_output(self, form: Format, limits: Limits = LIMITS) -> list[list[float]]:
        """The correctly rounded output, n × d_v."""

        def side(i: int, j: int, tie: fmpq) -> int:
            # (Σ e^s·v) / (Σ e^s) − t has the sign of Σ e^s·(v − t)
            column = _column(self.values, j)
            return self._side(i, [v - tie for v in column], limits)

        return self._round(self.output, form, side, limits)

    def round_weights(self, form: Format, limits: Limits = LIMITS) -> list[list[float]]:
        """The correctly rounded weights, n × m."""
        m = self.weights.shape[1]

        def side(i: int, j: int, tie: fmpq) -> int:
            return self._side(i, [fmpq(int(t == j)) - tie for t in range(m)], limits)

        return self._round(self.weights, form, side, limits)

    def _side(self, i: int, coefficients: Sequence[fmpq], limits: Limits) -> int:
        open_keys: Sequence[bool] | repeat[bool] = repeat(True) if self.keep is None else self.keep[i]
        terms = [c if held else fmpq(0) for c, held in zip(coefficients, open_keys, strict=False)]
        return sign_of_sum(self.shifted.row(i), terms, limits)

    def _round(
        self, x: Matrix, form: Format, side: Callable[[int, int, fmpq], int], limits: Limits
    ) -> list[list[float]]:
        n, m = x.shape

        def enclose(bits: int, wanted: Sequence[int]) -> Sequence[arb]:
            if len(wanted) == n * m:
                return x.balls(bits).entries()
            rows = {i: x.row(i).balls(bits) for i in sorted({k // m for k in wanted})}
            return [rows[k // m][0, k % m] for k in wanted]

        flat = rounded(form, n * m, enclose, lambda k, tie: side(*divmod(k, m), tie), limits)
        return [flat[i * m : (i + 1) * m] for i in range(n)]


def attention_head(
    q: Linear, k: Linear, v: Linear, *, by: Surd | str | None = None, keep: Keep = None, bias: Linear | None = None,
    limits: Limits = LIMITS,
) -> Head:  # fmt: skip
    """softmax(q·kᵀ·scale + bias)·v for exact matrices n × d, m × d, m × d_v, all of at least one row and column.

    `by` is the scale, a number over the units or a text of the grammar, 1/√d when None. `keep` is n × m, True where a
    query may attend to a key; `bias` is an exact n × m, added to the scaled scores (what is −∞ in it belongs in `keep`).
    Raises ShapeError.

    >>> from exactattn.testing.formats import FORMATS
    >>> one = exact([[Fraction(1)]])
    >>> head = attention_head(one, exact([[Fraction(1)], [Fraction(0)]]), exact([[Fraction(4)], [Fraction(0)]]), by="ln(3)")
    >>> head.round_output(FORMATS["float64"]), head.round_weights(FORMATS["float16"])
    ([[3.0]], [[0.75, 0.25]])
    """
    (n, d), m = q.shape, k.shape[0]
    if k.shape[1] != d or v.shape[0] != m:
        raise ShapeError(
            "queries are {q}, keys {k}, values {v}: n × d, m × d and m × d_v were due",
            q=_x(q.shape), k=_x(k.shape), v=_x(v.shape),
        )  # fmt: skip
    given = {"mask": None if keep is None else (len(keep), len(keep[0])), "bias": None if bias is None else bias.shape}
    for name, shape in given.items():
        if shape is not None and shape != (n, m):
            raise ShapeError("the {name} is {came}: {due} was due", name=name, came=_x(shape), due=_x((n, m)))
    ar = ExactArithmetic(limits)
    queries, keys, widths = _labels(n), _labels(m), _labels(d)
    scores = score(ar, Quantity("Q", q, queries, widths, ar), Quantity("K", k, keys, widths, ar), head=0)
    factor = by if isinstance(by, dict) else surd(by or f"1/sqrt({d})", limits)
    scaled = replace(scores, name="scaled", matrix=scores.matrix.scale(factor))
    if bias is not None:
        scaled = replace(scaled, matrix=ar.add(scaled.matrix, bias))
    s = mask(ar, scaled, keep=keep) if keep is not None else scaled
    shifted = shift(ar, s, maximum(ar, s))
    exps = exponentiate(ar, shifted, fully_masked="zero")
    weights = divide(ar, exps, total(ar, exps))
    output = mix(ar, weights, Quantity("V", v, keys, _labels(v.shape[1]), ar))
    return Head(scores.matrix, scaled.matrix, shifted.matrix, weights.matrix, output.matrix, v, keep)


def exact(rows: Sequence[Sequence[Fraction]]) -> Linear:
    """An exact matrix from rows of fractions, for `attention_head`."""
    shape = (len(rows), len(rows[0]) if rows else 0)
    return Linear(shape, {ONE: fmpq_mat(*shape, [_q(x) for row in rows for x in row])})


def _exp(t: Fraction) -> arb:
    """e^t for t ≤ 0, under `bits_of`."""
    if t < -_DEEP:
        # exponents without end would cost precision without end: [0, 2^−47000] says all that a format can hold
        return _NEXT_TO_NOTHING
    return arb(_q(t)).exp()


def _q(x: Fraction) -> fmpq:
    return fmpq(x.numerator, x.denominator)


def _linear(values: Iterable[Fraction]) -> Linear:
    held: list[Surd] = [{ONE: _q(x)} if x else {} for x in values]
    return Linear.of(held, (1, len(held)))


def _column(x: Linear, j: int) -> list[fmpq]:
    held = x.rationals()
    assert held is not None  # what came out of arrays is rational
    return [held[i, j] for i in range(x.shape[0])]


def _labels(count: int) -> tuple[str, ...]:
    return tuple(str(i + 1) for i in range(count))


def _x(shape: tuple[int, int]) -> str:
    return f"{shape[0]} × {shape[1]}"
