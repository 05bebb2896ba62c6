"""K12: which key-value head a query head shares, and what comes out of it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct, Sought
from exactattn.exams.kinds.kind import Kind, draws
from exactattn.exams.kinds.numbers import keys, queries, values
from exactattn.exams.kinds.weighing import (
    dot,
    least_sum,
    output_slack,
    printed,
    softmax,
    spread,
    typeset,
    vector,
    weighed,
    weight_slack,
)
from exactattn.exams.model import Asked
from exactattn.numbers.value import Value

Vector = Sequence[str]

NUMERIC = ("weights", "output")


def draw(source: Draw, asked: Asked) -> Direct:
    """h query heads and g key-value heads in neighbouring groups; heads count from 0."""
    if set(asked.ask or KIND.default) & set(NUMERIC):
        return _worked(source, asked)
    h = source.choice(range(4, 16 * asked.difficulty + 17, 2))
    g = source.choice([g for g in range(2, h) if h % g == 0])
    t = source.integer(0, h - 1)
    return Direct({"heads": str(h), "groups": str(g), "head": str(t)}, (_index(t, h, g),), "index")


def _index(t: int, h: int, g: int) -> Sought:
    return Sought("head", {"N": t * g // h}, {"groups-interleaved": (t % g,), "own-key-value-head": (t,)})


def _worked(source: Draw, asked: Asked) -> Direct:
    """One query of head t, and the m keys and values of every key-value head; a few heads, so that all numbers are printed."""
    m, d = KIND.sized(asked, "m"), KIND.sized(asked, "d_k")
    g = 2 if asked.difficulty < 4 else 3
    h = g * source.integer(2, 4)
    # a head for which neighbouring groups, dealt-out groups and its own number say different things
    t = source.choice([t for t in range(g, h) if t * g // h != t % g])
    tries = draws(asked)
    while True:
        next(tries)
        (query,) = queries(source, asked, 1, d)
        blocks = [keys(source, asked, m, d) for _ in range(g)]
        columns = [[row[0] for row in values(source, asked, m, 1)] for _ in range(g)]
        q = [Value.of(x) for x in query]
        numbers = [[[Fraction(x) for x in k] for k in block] for block in blocks]
        v = [[Fraction(x) for x in column] for column in columns]
        own = t * g // h
        scores = [dot(q, k) for k in numbers[own]]
        if spread(scores, "1/10") and len(set(v[own])) == m:
            break
    scale = Value.of(f"1/sqrt({d})")
    scaled = [s * scale for s in scores]
    right, least = softmax(scaled), least_sum(scaled)
    mean = [[sum(x, Fraction(0)) / g for x in zip(*ks, strict=True)] for ks in zip(*numbers, strict=True)]
    mean_v = [sum(x, Fraction(0)) / g for x in zip(*v, strict=True)]
    wrong = {
        "groups-interleaved": (softmax([dot(q, k) * scale for k in numbers[t % g]]), v[t % g]),
        "key-value-heads-averaged": (softmax([dot(q, k) * scale for k in mean]), mean_v),
        "scale-of-all-key-value-heads": (softmax([s * Value.of(f"1/sqrt({g * d})") for s in scores]), v[own]),
        "no-scale": (softmax(scores), v[own]),
    }
    return Direct(
        {
            "heads": str(h), "groups": str(g), "head": str(t), "d_k": str(d), "q": vector(query),
            "keys": "; ".join(f"{j}: {', '.join(map(vector, block))}" for j, block in enumerate(blocks)),
            "values": "; ".join(f"{j}: {', '.join(map(typeset, column))}" for j, column in enumerate(columns)),
            "scaled": printed(scaled, asked),
            "mixed": ", ".join(map(typeset, columns[own])),
        },
        (
            _index(t, h, g),
            Sought(
                "weights",
                {f"a{j}": x for j, x in enumerate(right, 1)},
                {name: a for name, (a, _) in wrong.items()},
                slack=weight_slack(m, least),
            ),
            Sought(
                "output",
                {"o": weighed(right, v[own])},
                {name: (weighed(a, column),) for name, (a, column) in wrong.items()},
                slack=output_slack(v[own], asked, least),
            ),
        ),
        "worked",
    )  # fmt: skip


KIND = Kind(
    id="K12",
    name="grouped-heads",
    draw=draw,
    asks=("head", "weights", "output"),
    default=("head", "output"),
    answers=("number",),
    misconceptions=(
        "groups-interleaved",
        "own-key-value-head",
        "key-value-heads-averaged",
        "scale-of-all-key-value-heads",
        "no-scale",
    ),
    size={"m": 3, "d_k": 2},
)
