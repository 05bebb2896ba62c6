"""K24: one line of a worked solution is wrong: which, and what comes out right? What can be weights, or an output?"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isqrt

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought, listed, mixed
from exactattn.exams.kinds.kind import Kind
from exactattn.exams.model import Asked, Choice, Option
from exactattn.numbers.value import Value

SLIPS = {
    "no-scale": 1,
    "divided-by-d-k": 1,
    "maximum-minus-score": 2,
    "not-normalised": 3,
    "uniform": 3,
    "values-rows-reversed": 4,
    "values-off-by-one-row": 4,
}
"""The slips that are planted, and the line that each of them spoils; later lines follow from it."""

CLOSE = Fraction(1, 100)
"""Outputs nearer than this are not told apart at the usual places."""

LINES = ("scaled", "exps", "weights", "output")

EDGES = {
    "one-key": {
        "one": (),
        "own-exponential": ("one-key-weight-below-one",),
        "share-of-all": ("one-key-weight-below-one",),
        "own-sigmoid": ("one-key-weight-below-one",),
    },
    "no-key": {
        "none": (),
        "equal-shares": ("closed-row-given-weights",),
        "all-on-itself": ("closed-row-given-weights",),
    },
}
"""What is said of a query that sees one key alone, or none, by what is mistaken in it; the first is right."""


def draw(source: Draw, asked: Asked) -> Direct:
    """Scores 2 ln m with square m, d_k = 4: every line is a fraction, whichever slip is planted."""
    n = 3 if asked.difficulty < 4 else 4
    roots = range(1, n + 1 + (asked.difficulty + 1) // 2)
    slip = source.choice(tuple(SLIPS))
    while True:
        m = [k**2 for k in source.shuffled(roots)[:n]]
        values = [6 * x for x in source.shuffled(range(-4, 5))[:n]]
        _, exps, a, right = _lines(m, values, "")
        scaled, wrong_exps, weights, output = _lines(m, values, slip)
        if output != right:
            break  # else the planted slip changes nothing in the end
    facts = {
        "n": str(n), "scores": _logs(m, "2 ln"), "values": listed(values), "scaled": scaled, "exps": listed(wrong_exps),
        "weights": listed(weights), "output": listed([output]),
        "right_scaled": _logs(m, "ln"), "right_exps": listed(exps), "right_weights": listed(a),
    }  # fmt: skip
    seen = tuple(Option((), (), line) for line in LINES)
    plausible = (
        _plausible_weights(source, n),
        _plausible_output(source, values),
        *(_edge(source, ask) for ask in EDGES),
    )
    if asked.ask and not set(asked.ask) & {"line", "output"}:
        return Direct({"n": str(n), "values": listed(values)}, plausible, "plausible")
    return Direct(
        facts,
        (
            Sought("line", form=Choice(seen, SLIPS[slip] - 1)),
            Sought("output", {"o": right}, _others(m, values, slip), slack=sum(map(abs, values))),
            *plausible,
        ),
        "solution",
        ("line",) if asked.answer == "choice" else ("line", "output"),
    )


def _lines(m: Sequence[int], values: Sequence[int], slip: str) -> tuple[str, list[Fraction], list[Fraction], Fraction]:
    """The scaled scores as text, the exponentials less the maximum, the weights and the output, with a slip or none ("")."""
    scaled, powers = _logs(m, "ln"), list(m)
    if slip == "no-scale":
        scaled, powers = _logs(m, "2 ln"), [x**2 for x in m]
    elif slip == "divided-by-d-k":
        scaled, powers = _logs(m, "½ ln"), [isqrt(x) for x in m]
    top = max(powers)
    exps = [Fraction(top, x) if slip == "maximum-minus-score" else Fraction(x, top) for x in powers]
    weights = [x / sum(exps) for x in exps]
    if slip == "not-normalised":
        weights = exps
    elif slip == "uniform":
        weights = [Fraction(1, len(m))] * len(m)
    rows = list(values)
    if slip == "values-rows-reversed":
        rows = rows[::-1]
    elif slip == "values-off-by-one-row":
        rows = [*rows[1:], rows[0]]
    return scaled, exps, weights, mixed(weights, rows)


def _others(m: Sequence[int], values: Sequence[int], planted: str) -> dict[str, tuple[Fraction]]:
    """The outputs that slips lead to: the one that is planted, and those of the others that are plainly different."""
    *_, right = _lines(m, values, "")
    found = {slip: _lines(m, values, slip)[-1] for slip in SLIPS}
    return {slip: (x,) for slip, x in found.items() if slip == planted or abs(x - right) > CLOSE}


def _logs(m: Sequence[int], lead: str) -> str:
    return ", ".join(f"{lead} {x}" if x > 1 else "0" for x in m)


def _plausible_weights(source: Draw, n: int) -> Sought:
    """Rows of shares in hundredths: one adds up to 1 and has no entry below 0."""
    rows = [_hundredths(source, n) for _ in range(4)]
    short, negative, forgotten = rows[1], rows[2], rows[3]
    k = max(range(n), key=short.__getitem__)
    short[k] -= source.integer(4, 19)  # adds up to less than 1
    low, high = min(range(n), key=negative.__getitem__), max(range(n), key=negative.__getitem__)
    moved = negative[low] + source.integer(2, 15)
    negative[low], negative[high] = negative[low] - moved, negative[high] + moved
    top = max(forgotten)
    kinds: list[tuple[list[Fraction], tuple[str, ...]]] = [
        ([Fraction(x, 100) for x in rows[0]], ()),
        ([Fraction(x, 100) for x in short], ("row-sum-accepted",)),
        ([Fraction(x, 100) for x in negative], ("softmax-forgotten",)),
        ([Fraction(round(Fraction(100 * x, top)), 100) for x in forgotten], ("not-normalised",)),
    ]
    return _choice(source, "possible-weights", [(f"({_decimals(row)})", names) for row, names in kinds])


def _hundredths(source: Draw, n: int) -> list[int]:
    """n different whole numbers from 5 up that add to 100."""
    while True:
        cuts = sorted(source.integer(1, 99) for _ in range(n - 1))
        row = [b - a for a, b in zip([0, *cuts], [*cuts, 100], strict=True)]
        if min(row) >= 5 and len(set(row)) == n:
            return row


def _plausible_output(source: Draw, values: Sequence[int]) -> Sought:
    """One number between the least and the greatest value, and three beyond them."""
    low, high = min(values), max(values)
    inside = Fraction(10 * low + source.integer(2, 10 * (high - low) - 2), 10)
    beyond = [Fraction(10 * high + source.integer(2, 40), 10), Fraction(10 * low - source.integer(2, 40), 10)]
    beyond.append(max(beyond) + source.integer(5, 12))
    wrong = ("output-outside-the-values",)
    return _choice(source, "possible-output", [(_decimals([inside]), ()), *((_decimals([x]), wrong) for x in beyond)])


def _edge(source: Draw, ask: str) -> Sought:
    names = source.shuffled([*EDGES[ask]])
    options = tuple(Option((), EDGES[ask][name], f"{ask}-{name}") for name in names)
    return Sought(ask, form=Choice(options, names.index(next(iter(EDGES[ask])))))


def _choice(source: Draw, ask: str, offered: Sequence[tuple[str, tuple[str, ...]]]) -> Sought:
    order = source.shuffled(range(len(offered)))
    options = tuple(Option((offered[k][0],), offered[k][1]) for k in order)
    return Sought(ask, form=Choice(options, order.index(0)))


def _decimals(numbers: Sequence[Fraction]) -> str:
    """Hundredths as decimals."""
    return ", ".join(Value.of(x).decimal(2).replace("-", "−") for x in numbers)


KIND = Kind(
    id="K24",
    name="find-error",
    draw=draw,
    asks=("line", "output", "possible-weights", "possible-output", "one-key", "no-key"),
    default=("line", "output"),
    answers=("number", "choice"),
    forms={
        "line": "choice",
        "possible-weights": "choice",
        "possible-output": "choice",
        "one-key": "choice",
        "no-key": "choice",
    },
    misconceptions=(
        *SLIPS,
        "row-sum-accepted",
        "softmax-forgotten",
        "output-outside-the-values",
        "one-key-weight-below-one",
        "closed-row-given-weights",
    ),
)
