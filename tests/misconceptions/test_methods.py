"""Every wrong method against an independent working of it: mpmath at 50 digits, the bare formulas, nothing of the catalogue."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import pytest

import exactattn as xa
from exactattn.misconceptions import CATALOGUE, find

M = list[list[Any]]
mp = mpmath.mp.clone()
mp.dps = 50

SQUARE = {
    "Q": [["1", "-2", "0.5"], ["0", "1.5", "-1"], ["2", "1", "1"]],
    "K": [["0.5", "1", "-1"], ["1", "0", "2"], ["-1", "1", "0.5"]],
    "V": [["6", "-1", "2"], ["0", "3", "-2"], ["3", "1", "5"]],
}
CAUSAL = SQUARE | {"mask": "causal"}
PADDED = SQUARE | {"mask": [[1, 1, 0], [1, 0, 1], [0, 1, 1]]}
CLOSED = SQUARE | {"mask": [[1, 1, 0], [0, 0, 0], [0, 1, 1]], "fully_masked": "zero"}
UNSCALED = SQUARE | {"scale": "1"}
PROJECTED = {
    "X": [["1", "0.5"], ["-1", "2"], ["0", "1.5"]],
    "W_Q": [["1", "2"], ["-1", "0.5"]],
    "W_K": [["0", "1"], ["1.5", "-1"]],
    "W_V": [["2", "-1"], ["0.5", "3"]],
    "b_Q": ["0.25", "-1"],
    "b_K": ["1", "0.5"],
    "b_V": ["-0.5", "2"],
    "W_O": [["1", "-2"], ["0.5", "1"]],
    "b_O": ["3", "-1"],
}
NARROWED = {
    "X": [["1", "0", "1"], ["0", "2", "1"], ["1", "1", "-1"]],
    "W_Q": [["0.5", "0"], ["0", "0.5"], ["0.5", "-0.5"]],
    "W_K": [["0", "1"], ["1", "0"], ["-1", "1"]],
    "W_V": [["2", "0"], ["1", "1"], ["-1", "2"]],
}
CROSSED = {name: PROJECTED[name] for name in ("X", "W_Q", "W_K", "W_V")} | {
    "X_kv": [["0.5", "1"], ["2", "-0.5"], ["1", "1"]]
}
HEADS = {
    "Q": [["1", "0.5", "-0.5", "0"], ["0.5", "1.5", "0", "1"], ["-1", "0", "1.5", "0.5"]],
    "K": [["0.5", "1", "0", "-1"], ["1.5", "-0.5", "0.5", "0"], ["0", "1", "-1", "1"]],
    "V": [["1", "0", "2", "-1"], ["0", "2", "1", "0"], ["1", "1", "-2", "3"]],
    "heads": 2,
}
JOINED = HEADS | {
    "W_O": [["1", "0", "0.5", "0"], ["0", "1", "0", "0.5"], ["1", "0", "-0.5", "2"], ["0", "-1", "0", "0.5"]],
    "b_O": ["1", "2", "3", "4"],
}

# -- the bare formulas ---------------------------------------------------------------------------------------------------


def read(rows: Any) -> M:
    table = rows if isinstance(rows[0], list) else [rows]
    return [[mp.mpf(Fraction(x).numerator) / Fraction(x).denominator for x in row] for row in table]


def t(a: M) -> M:
    return [list(column) for column in zip(*a, strict=True)]


def mul(a: M, b: M) -> M:
    return [[mp.fsum(x * y for x, y in zip(row, column, strict=True)) for column in t(b)] for row in a]


def each(f: Callable[..., Any], *tables: M) -> M:
    return [[f(*xs) for xs in zip(*rows, strict=True)] for rows in zip(*tables, strict=True)]


def times(c: Any, a: M) -> M:
    return each(lambda x: c * x, a)


def plus(a: M, b: M) -> M:
    return [[x + y for x, y in zip(row, b[0], strict=True)] for row in a]


def open_of(given: dict[str, Any]) -> M:
    n = 3
    if given.get("mask") == "causal":
        return [[int(j <= i) for j in range(n)] for i in range(n)]
    return given.get("mask") or [[1] * n for _ in range(n)]


def normal(e: M) -> M:
    return [[x / mp.fsum(row) if any(row) else mp.mpf(0) for x in row] for row in e]


def soft(s: M, keep: M | None = None) -> M:
    keep = keep or [[1] * len(s[0]) for _ in s]
    return normal(each(lambda x, k: mp.exp(x) * k, s, keep))


def less_max(s: M, keep: M | None = None) -> M:
    keep = keep or [[1] * len(s[0]) for _ in s]
    tops = [max(x for x, k in zip(row, flags, strict=True) if k) for row, flags in zip(s, keep, strict=True)]
    return [[x - top for x in row] for row, top in zip(s, tops, strict=True)]


ROOT3 = mp.sqrt(3)


def qkv(given: dict[str, Any]) -> tuple[M, M, M]:
    return read(given["Q"]), read(given["K"]), read(given["V"])


def scaled(given: dict[str, Any], by: Any = None) -> M:
    q, k, _ = qkv(given)
    return times(1 / ROOT3 if by is None else by, mul(q, t(k)))


def out(given: dict[str, Any], weights: M) -> dict[str, Any]:
    return {"weights": weights, "output": mul(weights, read(given["V"]))}


def of_scores(given: dict[str, Any], s: M) -> dict[str, Any]:
    return {"scores": s} | out(given, soft(times(1 / ROOT3, s), open_of(given)))


def by(c: Any, given: dict[str, Any] = SQUARE) -> dict[str, Any]:
    return out(given, soft(scaled(given, c), open_of(given)))


# -- projections ---------------------------------------------------------------------------------------------------------


def projected(given: dict[str, Any], **changed: Any) -> dict[str, Any]:
    """Q, K, V, the weights and the output from X; `changed` replaces Q, K, V, C (the concatenation through W_O) or b_O."""
    source = read(given.get("X_kv", given["X"]))
    made = {}
    for name, x in (("Q", read(given["X"])), ("K", source), ("V", source)):
        made[name] = mul(x, read(given[f"W_{name}"]))
        if f"b_{name}" in given:
            made[name] = plus(made[name], read(given[f"b_{name}"]))
    made |= {name: value for name, value in changed.items() if name in made}
    weights = soft(times(1 / mp.sqrt(len(made["Q"][0])), mul(made["Q"], t(made["K"]))))
    output = mul(weights, made["V"])
    if "W_O" in given:
        output = changed.get("C", lambda c: plus(mul(c, read(given["W_O"])), read(given["b_O"])))(output)
    return made | {"weights": weights, "output": output}


def of(x: str, w: str, b: str | None = None, given: dict[str, Any] = PROJECTED) -> M:
    product = mul(read(given[x]), read(given[w]))
    return product if b is None else plus(product, read(given[b]))


def turned(letter: str) -> M:
    return plus(mul(read(PROJECTED["X"]), t(read(PROJECTED[f"W_{letter}"]))), read(PROJECTED[f"b_{letter}"]))


# -- heads ---------------------------------------------------------------------------------------------------------------


def heads(
    given: dict[str, Any],
    columns: tuple[list[int], list[int]] = ([0, 1], [2, 3]),
    root: int = 2,
    join: Callable[[list[M]], M] | None = None,
    reuse: str = "",
    whole: str = "",
) -> dict[str, Any]:
    q, k, v = qkv(given)
    weights, outputs = [], []
    for chosen in columns:
        qh, kh, vh = ([[row[c] for c in chosen] for row in x] for x in (q, k, v))
        if whole:
            qh, kh = q, k
        a = weights[0] if reuse and weights else soft(times(1 / mp.sqrt(root), mul(qh, t(kh))))
        weights.append(a)
        outputs.append(mul(a, vh))
    final = join(outputs) if join else [[x for o in outputs for x in o[i]] for i in range(3)]
    if "W_O" in given:
        final = plus(mul(final, read(given["W_O"])), read(given["b_O"]))
    return {"heads": weights, "output": final}


# -- what each gives -----------------------------------------------------------------------------------------------------

Q, K, V = qkv(SQUARE)
S = scaled(SQUARE)
E = each(mp.exp, S)
SHIFTED = less_max(S)
E_SHIFTED = each(mp.exp, SHIFTED)
OPEN = open_of(CAUSAL)


def masked(weights: M) -> dict[str, Any]:
    return out(CAUSAL, weights)


def down(e: M) -> M:
    return t(normal(t(e)))


def signless(a: M) -> M:
    return each(abs, a)


def with_values(rows: M) -> dict[str, Any]:
    return {"weights": soft(S), "output": mul(soft(S), rows)}


DUE: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "weights-matrix-transposed": (PROJECTED, projected(PROJECTED, Q=turned("Q"), K=turned("K"), V=turned("V"))),
    "bias-forgotten": (PROJECTED, projected(PROJECTED, Q=of("X", "W_Q"), K=of("X", "W_K"), V=of("X", "W_V"))),
    "queries-and-keys-swapped": (
        PROJECTED,
        projected(PROJECTED, Q=of("X", "W_K", "b_K"), K=of("X", "W_Q", "b_Q")),
    ),
    "sources-swapped": (
        CROSSED,
        projected(
            CROSSED,
            Q=of("X_kv", "W_Q", given=CROSSED),
            K=of("X", "W_K", given=CROSSED),
            V=of("X", "W_V", given=CROSSED),
        ),
    ),
    "not-projected": (PROJECTED, projected(PROJECTED, **dict.fromkeys("QKV", read(PROJECTED["X"])))),
    "one-projection-for-all": (
        PROJECTED,
        projected(PROJECTED, K=of("X", "W_Q", "b_Q"), V=of("X", "W_Q", "b_Q")),
    ),
    "values-not-projected": (PROJECTED, projected(PROJECTED, V=read(PROJECTED["X"]))),
    "output-projection-forgotten": (PROJECTED, projected(PROJECTED, C=lambda c: c)),
    "output-projection-transposed": (
        PROJECTED,
        projected(PROJECTED, C=lambda c: plus(mul(c, t(read(PROJECTED["W_O"]))), read(PROJECTED["b_O"]))),
    ),
    "output-bias-forgotten": (PROJECTED, projected(PROJECTED, C=lambda c: mul(c, read(PROJECTED["W_O"])))),
    "key-not-transposed": (SQUARE, of_scores(SQUARE, mul(Q, K))),
    "scores-transposed": (SQUARE, of_scores(SQUARE, mul(K, t(Q)))),
    "elementwise-product": (SQUARE, of_scores(SQUARE, each(lambda x, y: x * y, Q, K))),
    "signs-dropped-in-scores": (SQUARE, of_scores(SQUARE, signless(mul(Q, t(K))))),
    "signs-dropped-in-products": (SQUARE, of_scores(SQUARE, mul(signless(Q), t(signless(K))))),
    "values-as-keys": (SQUARE, of_scores(SQUARE, mul(Q, t(V)))),
    "keys-and-values-swapped": (
        SQUARE,
        {"scores": mul(Q, t(V)), "output": mul(soft(times(1 / ROOT3, mul(Q, t(V)))), K)},
    ),
    "heads-interleaved": (JOINED, heads(JOINED, columns=([0, 2], [1, 3]))),
    "one-big-head": (JOINED, heads(JOINED, root=4, whole="yes")),
    "first-head-for-all": (JOINED, heads(JOINED, reuse="yes")),
    "scale-of-the-whole-width": (JOINED, heads(JOINED, root=4)),
    "heads-added": (HEADS, heads(HEADS, join=lambda outputs: each(lambda *xs: mp.fsum(xs), *outputs))),
    "heads-averaged": (HEADS, heads(HEADS, join=lambda outputs: each(lambda *xs: mp.fsum(xs) / 2, *outputs))),
    "no-scale": (SQUARE, by(mp.mpf(1))),
    "divided-by-d-k": (SQUARE, by(1 / mp.mpf(3))),
    "multiplied-by-root": (SQUARE, by(ROOT3)),
    "root-of-d-model": (
        NARROWED,
        {
            "weights": soft(
                times(1 / ROOT3, mul(of("X", "W_Q", given=NARROWED), t(of("X", "W_K", given=NARROWED))))
            )
        },
    ),
    "root-of-the-number-of-keys": (
        NARROWED,
        {
            "weights": soft(
                times(1 / ROOT3, mul(of("X", "W_Q", given=NARROWED), t(of("X", "W_K", given=NARROWED))))
            )
        },
    ),
    "scaled-though-unasked": (UNSCALED, by(1 / ROOT3, UNSCALED)),
    "scale-after-softmax": (SQUARE, out(SQUARE, times(1 / ROOT3, soft(scaled(SQUARE, 1))))),
    "mask-forgotten": (CAUSAL, masked(soft(S))),
    "mask-after-softmax": (CAUSAL, masked(each(lambda w, k: w * k, soft(S), OPEN))),
    "masked-score-zero": (CAUSAL, masked(soft(each(lambda s, k: s * k, S, OPEN)))),
    "wrong-triangle": (CAUSAL, masked(soft(S, t(OPEN)))),
    "diagonal-masked-too": (CAUSAL, masked(soft(S, [[int(j < i) for j in range(3)] for i in range(3)]))),
    "mask-inverted": (PADDED, out(PADDED, soft(S, each(lambda k: 1 - k, PADDED["mask"])))),
    "causal-mask-unasked": (SQUARE, out(SQUARE, soft(S, OPEN))),
    "closed-row-given-weights": (
        CLOSED,
        out(CLOSED, [x if any(x) else [mp.mpf(1) / 3] * 3 for x in soft(S, CLOSED["mask"])]),
    ),
    "softmax-over-columns": (SQUARE, out(SQUARE, down(E))),
    "softmax-over-the-whole-matrix": (SQUARE, out(SQUARE, times(1 / mp.fsum(x for row in E for x in row), E))),
    "column-maximum-subtracted": (SQUARE, out(SQUARE, soft(t(less_max(t(S)))))),
    "column-mean-subtracted": (
        SQUARE,
        out(SQUARE, soft(t([[x - mp.fsum(column) / 3 for x in column] for column in t(S)]))),
    ),
    "maximum-not-subtracted": (SQUARE, {"exps": E} | out(SQUARE, soft(S))),
    "maximum-minus-score": (SQUARE, {"shifted": times(-1, SHIFTED)} | out(SQUARE, soft(times(-1, S)))),
    "base-two": (SQUARE, out(SQUARE, normal(each(lambda s: mp.mpf(2) ** s, S)))),
    "base-ten": (SQUARE, out(SQUARE, normal(each(lambda s: mp.mpf(10) ** s, S)))),
    "sum-normalised": (SQUARE, out(SQUARE, normal(S))),
    "shifted-not-exponentiated": (SQUARE, out(SQUARE, normal(SHIFTED))),
    "maximum-subtracted-in-the-numerator-only": (
        SQUARE,
        out(SQUARE, [[x / mp.fsum(row) for x in above] for above, row in zip(E_SHIFTED, E, strict=True)]),
    ),
    "maximum-subtracted-in-the-denominator-only": (
        SQUARE,
        out(SQUARE, [[x / mp.fsum(row) for x in above] for above, row in zip(E, E_SHIFTED, strict=True)]),
    ),
    "sums-down-the-columns": (SQUARE, out(SQUARE, down(E_SHIFTED))),
    "not-normalised": (SQUARE, out(SQUARE, E_SHIFTED)),
    "softmax-forgotten": (SQUARE, out(SQUARE, S)),
    "sigmoid-each": (SQUARE, out(SQUARE, each(lambda s: 1 / (1 + mp.exp(-s)), S))),
    "uniform": (CAUSAL, masked(normal(OPEN))),
    "hard-argmax": (SQUARE, out(SQUARE, [[mp.mpf(x == max(row)) for x in row] for row in S])),
    "weights-transposed": (SQUARE, {"weights": soft(S), "output": mul(t(soft(S)), V)}),
    "weights-on-keys": (SQUARE, {"weights": soft(S), "output": mul(soft(S), K)}),
    "values-times-weights": (SQUARE, {"weights": soft(S), "output": mul(V, soft(S))}),
    "values-rows-reversed": (SQUARE, with_values([V[2], V[1], V[0]])),
    "values-off-by-one-row": (SQUARE, with_values([V[1], V[2], V[0]])),
    "values-row-before": (SQUARE, with_values([V[2], V[0], V[1]])),
    "signs-dropped-in-values": (SQUARE, with_values(signless(V))),
}  # fmt: skip


def test_every_method_has_a_working_here() -> None:
    assert sorted(DUE) == sorted(row.name for row in CATALOGUE)


@pytest.mark.parametrize("name", sorted(DUE))
def test_a_method_gives_what_its_bare_formula_gives(name: str) -> None:
    given, due = DUE[name]
    right = xa.attend(**given)
    wrong = find(name).work(right)
    assert wrong is not None
    assert wrong != right
    for quantity, table in due.items():
        if quantity == "heads":
            for head, rows in zip(wrong.heads, table, strict=True):
                alike(head.weights, rows)
        else:
            alike(getattr(wrong, quantity), table)


def alike(quantity: xa.Quantity, due: M) -> None:
    assert quantity.shape == (len(due), len(due[0]))
    for i, row in enumerate(due):
        for j, x in enumerate(row):
            low, high = quantity.value(i, j).interval(200)
            assert abs(mp.mpf(low.numerator) / low.denominator - x) < mp.mpf(10) ** -40, (i, j)
            assert high - low < Fraction(1, 10**45)


@pytest.mark.parametrize("name", sorted(DUE))
def test_a_method_changes_its_step_first_and_its_steps_can_be_run_again(name: str) -> None:
    """What comes before is the very same; and a wrong step is a pure function: in balls it encloses what it gave exactly."""
    from exactattn.arithmetic.balls import BallArithmetic
    from exactattn.misconceptions import changed
    from exactattn.trace.problem import QUANTITIES

    given, _ = DUE[name]
    right, row = xa.attend(**given), find(name)
    wrong = row.work(right)
    assert wrong is not None
    names = [quantity for quantity, _ in changed(right, wrong)]
    if name in ("heads-interleaved", "one-big-head"):  # the block of a head is no quantity of the whole
        names = [quantity for quantity in names if quantity not in "QKV"]
    assert min(map(QUANTITIES.index, names)) == QUANTITIES.index(row.step)
    balls, made = BallArithmetic(128), {}
    for step in wrong.steps:
        again = step.again(balls, [made[id(read)] for read in step.reads])
        made[id(step.made)] = again
        assert again.shape == step.made.shape
        n, m = step.made.shape
        for i in range(n):
            for j in range(m):
                low, high = balls.interval(again.matrix, i, j)
                assert low <= step.made[i, j] <= high
