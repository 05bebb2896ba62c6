"""K23: other rules of scoring and normalising: who wins, with what weight, and what comes out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from exactattn.errors import OptionError
from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought, listed
from exactattn.exams.kinds.kind import Kind, draws
from exactattn.exams.kinds.weighing import (
    Ordered,
    added,
    dot,
    least_sum,
    output_slack,
    over_sum,
    printed,
    softmax,
    spread,
    weighed,
    weight_slack,
)
from exactattn.exams.model import Asked
from exactattn.numbers.value import Value

Whole = Sequence[int]
Matrix = Sequence[Whole]


@dataclass(frozen=True, slots=True)
class Given:
    """A query, three keys, and a vector or matrix of the rule's own. The query is `whole`, or made of logarithms."""

    q: Sequence[Value]
    shown: str
    keys: Sequence[Whole]
    own: Matrix = ((),)
    whole: Whole = ()


@dataclass(frozen=True, slots=True)
class Worked:
    """The scores by a rule, the weights, and the weights of wrong methods."""

    scores: Sequence[Value]
    weights: Sequence[Value]
    wrongs: Mapping[str, Sequence[Value]] = field(default_factory=dict)


def draw(source: Draw, asked: Asked) -> Direct:
    """Vectors of width 2, whole values, and the rule that the parameter says. The wrong winner wins by the dot product."""
    rule = KIND.picked(asked, "rule")
    if asked.numbers == "by-hand" and rule not in BY_HAND:
        raise OptionError(
            "question {id!r}: {rule} scores need a calculator; by hand there are {known}",
            id=asked.id, rule=rule, known=", ".join(BY_HAND),
        )  # fmt: skip
    # shares of the dot products themselves have their winner
    compared = "winners" in asked.ask and rule != "sum-normalised"
    tries = draws(asked)
    while True:
        next(tries)
        q, keys = _vectors(source, asked, rule)
        if compared and rule == "linear" and not _disagree(q, keys):
            continue
        given = _given(source, asked, rule, q, keys)
        dots = [dot(given.q, k) for k in given.keys]
        worked = RULES[rule](given)
        if worked is None or not spread(worked.scores, "1/20"):
            continue
        if rule not in SHARES and any(a < LEAST for a in worked.weights):
            continue  # saturated: nearly all on one key
        best, other = _best(worked.scores), _best(dots)
        if not compared or (best != other and spread(dots, "1/20")):
            break
    values = source.shuffled(range(-9, 10))[:3]
    least = least_sum(worked.scores) if rule not in SHARES else Fraction(1)
    winners = Sought(
        "winners",
        {"r": best + 1, "s": other + 1},
        {"one-winner-for-both": (other + 1, other + 1), "winners-swapped": (other + 1, best + 1)},
    )
    return Direct(
        {
            "q": given.shown, "keys": ", ".join(f"({listed(k)})" for k in given.keys), "values": listed(values),
            "own": "; ".join(listed(row) for row in given.own), "scores": printed(worked.scores, asked),
            "dots": printed(dots, asked),
        },
        (
            Sought(
                "weights",
                {f"a{j}": a for j, a in enumerate(worked.weights, 1)},
                worked.wrongs,
                slack=weight_slack(3, least),
            ),
            Sought(
                "output",
                {"o": weighed(worked.weights, values)},
                {name: (weighed(a, values),) for name, a in worked.wrongs.items()},
                slack=output_slack(values, asked, least),
            ),
            *((winners,) if rule != "sum-normalised" else ()),
        ),
        rule,
    )  # fmt: skip


def _disagree(q: Whole, keys: Matrix) -> bool:
    """Has the linear rule another winner than the dot product? It seldom has, so this is looked up in whole numbers."""
    dots = [sum(x * y for x, y in zip(q, k, strict=True)) for k in keys]
    mapped = [d + sum(k) for d, k in zip(dots, keys, strict=True)]  # (q + 1)·(k + 1), less what all keys have in common
    return dots.index(max(dots)) != mapped.index(max(mapped))


def _best(scores: Sequence[Value]) -> int:
    return max(range(len(scores)), key=lambda j: Ordered(scores[j]))


def _vectors(source: Draw, asked: Asked, rule: str) -> tuple[Whole, Matrix]:
    """A query and three keys: entries from 0 up where weights are shares of scores, else on both sides of 0."""
    most = 1 + (asked.difficulty + 1) // 2
    low = 0 if rule == "linear" or (rule == "sum-normalised" and asked.difficulty < 4) else -most
    # wider keys, for which what φ adds to them may decide
    widest = 2 * most if rule == "linear" else most
    q = [source.integer(low, most) for _ in range(2)]
    return q, [[source.integer(low, widest) for _ in range(2)] for _ in range(3)]


def _given(source: Draw, asked: Asked, rule: str, q: Whole, keys: Matrix) -> Given:
    """What the rule works on; by hand the query of a bilinear rule is of logarithms."""
    own: Matrix = ((),)
    if rule == "additive":
        own = ([source.integer(1, 3) * source.choice((-1, 1)) for _ in range(2)],)
    elif rule == "bilinear":
        own = [[source.integer(-1, 2) for _ in range(2)] for _ in range(2)]
        if asked.numbers == "by-hand":
            return Given([Value.of("ln(2)"), Value.of("ln(3)")], "(ln 2, ln 3)", keys, own)
    return Given([Value.of(x) for x in q], f"({listed(q)})", keys, own, q)


# -- the rules -------------------------------------------------------------------------------------------------------------


def _linear(given: Given) -> Worked | None:
    """φ(q)·φ(k) over their sum, φ(x) = x + 1."""
    plain = [dot(given.q, k) for k in given.keys]
    scores = [dot([x + 1 for x in given.q], [y + 1 for y in k]) for k in given.keys]
    if added(plain) == 0:
        return None
    wrongs = {"feature-map-after-the-product": over_sum([x + 1 for x in plain]), "sum-normalised": over_sum(plain)}
    return Worked(scores, over_sum(scores), wrongs)


def _additive(given: Given) -> Worked | None:
    """w·tanh(q + k)."""
    (w,) = given.own
    sums = [[x + y for x, y in zip(given.q, k, strict=True)] for k in given.keys]
    scores = [dot([_tanh(x) for x in row], w) for row in sums]
    wrongs = {"tanh-forgotten": softmax([dot(row, w) for row in sums]), "scaled-though-unasked": _scaled(scores)}
    return Worked(scores, softmax(scores), wrongs)


def _bilinear(given: Given) -> Worked | None:
    """q·W·k."""
    w = given.own
    if w[0][1] == w[1][0]:
        return None  # W is its own transpose
    scores = [dot([dot(given.q, [row[c] for row in w]) for c in range(2)], k) for k in given.keys]
    turned = [dot([dot(given.q, row) for row in w], k) for k in given.keys]
    wrongs = {
        "bilinear-matrix-forgotten": softmax([dot(given.q, k) for k in given.keys]),
        "bilinear-matrix-transposed": softmax(turned),
        "scaled-though-unasked": _scaled(scores),
    }
    return Worked(scores, softmax(scores), wrongs)


def _cosine(given: Given) -> Worked | None:
    """q·k/(|q|·|k|)."""
    squares = [sum(y * y for y in k) for k in given.keys]
    length = sum(x * x for x in given.whole)
    if length == 0 or 0 in squares:
        return None
    products = [dot(given.q, k) for k in given.keys]
    half = [x * Value.of(f"1/sqrt({n})") for x, n in zip(products, squares, strict=True)]
    scores = [x * Value.of(f"1/sqrt({length})") for x in half]
    wrongs = {
        "norms-forgotten": softmax(products),
        "query-norm-forgotten": softmax(half),
        "scaled-though-unasked": _scaled(scores),
    }
    return Worked(scores, softmax(scores), wrongs)


def _distance(given: Given) -> Worked | None:
    """−|q − k|²/2, which is q·k − |k|²/2 less what all keys have in common."""
    gaps = [[x - y for x, y in zip(given.q, k, strict=True)] for k in given.keys]
    scores = [added([g * g for g in row]) / -2 for row in gaps]
    wrongs = {
        "distance-sign": softmax([-s for s in scores]),
        "key-norm-forgotten": softmax([dot(given.q, k) for k in given.keys]),
        "scaled-though-unasked": _scaled(scores),
    }
    return Worked(scores, softmax(scores), wrongs)


def _sum_normalised(given: Given) -> Worked | None:
    """q·k over the sum of these, which is no softmax."""
    scores = [dot(given.q, k) for k in given.keys]
    if added(scores) == 0:
        return None
    thirds = [Value.of("1/3")] * 3
    return Worked(scores, over_sum(scores), {"softmax-though-unasked": softmax(scores), "uniform": thirds})


def _tanh(x: Value) -> Value:
    square = (x + x).exp()
    return (square - 1) / (square + 1)


def _scaled(scores: Sequence[Value]) -> Sequence[Value]:
    """The weights of scores over √2, the root of the width."""
    return softmax([s * Value.of("1/sqrt(2)") for s in scores])


RULES: dict[str, Callable[[Given], Worked | None]] = {
    "linear": _linear,
    "additive": _additive,
    "bilinear": _bilinear,
    "cosine": _cosine,
    "distance": _distance,
    "sum-normalised": _sum_normalised,
}
"""The rules by name; None where the numbers make a rule useless."""

BY_HAND = ("linear", "bilinear", "sum-normalised")
"""The rules whose weights can be fractions."""

SHARES = ("linear", "sum-normalised")
"""The rules whose weights are shares of the scores themselves."""

LEAST = "1/200"
"""A softmax weight below this is too small to be worth asking."""

KIND = Kind(
    id="K23",
    name="other-scoring",
    draw=draw,
    asks=("weights", "output", "winners"),
    default=("weights", "output"),
    answers=("row",),
    parameters={"rule": "linear"},
    choices={"rule": tuple(RULES)},
    misconceptions=(
        "feature-map-after-the-product",
        "sum-normalised",
        "tanh-forgotten",
        "scaled-though-unasked",
        "bilinear-matrix-forgotten",
        "bilinear-matrix-transposed",
        "norms-forgotten",
        "query-norm-forgotten",
        "distance-sign",
        "key-norm-forgotten",
        "softmax-though-unasked",
        "uniform",
        "one-winner-for-both",
        "winners-swapped",
    ),
)
