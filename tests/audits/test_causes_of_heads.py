"""Wrong projections and wrong heads, planted here in mpmath without the catalogue, are named as the cause."""

from __future__ import annotations

import random
from typing import Any

import pytest
from mpmath import mp, mpf

import exactattn as xa

Matrix = list[list[Any]]
DIGITS = 60


def times(a: Matrix, b: Matrix) -> Matrix:
    return [[sum(x * y for x, y in zip(row, column, strict=True)) for column in zip(*b, strict=True)] for row in a]


def turned(a: Matrix) -> Matrix:
    return [list(column) for column in zip(*a, strict=True)]


def plus(a: Matrix, b: Matrix) -> Matrix:
    return [[x + y for x, y in zip(row, b[0], strict=True)] for row in a]


def columns(a: Matrix, taken: list[int]) -> Matrix:
    return [[row[k] for k in taken] for row in a]


def joined(parts: list[Matrix]) -> Matrix:
    return [[x for row in rows for x in row] for rows in zip(*parts, strict=True)]


def softmax(s: Matrix) -> Matrix:
    exps = [[mp.exp(x - max(row)) for x in row] for row in s]
    return [[x / sum(row) for x in row] for row in exps]


def worked(inputs: dict[str, Matrix], wrong: str) -> dict[str, Any]:
    """Two heads of width 2 from X (3 × 4), biases and W_O: what is worked under a wrong method."""
    given = {name: [[mpf(x) for x in row] for row in rows] for name, rows in inputs.items()}
    x, zero = given["X"], [[mpf(0)] * 4]

    def projected(letter: str) -> Matrix:
        other = {
            "queries-and-keys-swapped": {"Q": "K", "K": "Q", "V": "V"},
            "one-projection-for-all": dict.fromkeys("QKV", "Q"),
        }
        source = other.get(wrong, {}).get(letter, letter)
        w, b = given[f"W_{source}"], given[f"b_{source}"]
        if wrong == "not-projected" or (wrong == "values-not-projected" and letter == "V"):
            return x
        return plus(
            times(x, turned(w) if wrong == "weights-matrix-transposed" else w), zero if wrong == "bias-forgotten" else b
        )

    q, k, v = (projected(letter) for letter in "QKV")
    heads: list[dict[str, Matrix]] = []
    for h in range(2):
        block = [h, h + 2] if wrong == "heads-interleaved" else [2 * h, 2 * h + 1]
        wide = [0, 1, 2, 3] if wrong == "one-big-head" else block
        scale = 1 / mp.sqrt(4 if wrong in ("scale-of-the-whole-width", "one-big-head") else 2)
        scores = times(columns(q, wide), turned(columns(k, wide)))
        weights = softmax([[s * scale for s in row] for row in scores])
        if wrong == "first-head-for-all" and h:
            weights = heads[0]["weights"]
        heads.append({"scores": scores, "weights": weights, "output": times(weights, columns(v, block))})
    outputs = [head["output"] for head in heads]
    together = joined(outputs)
    if wrong in ("heads-added", "heads-averaged"):
        part = mpf(1) / 2 if wrong == "heads-averaged" else mpf(1)
        return {
            "heads": heads,
            "output": [[(a + b) * part for a, b in zip(*rows, strict=True)] for rows in zip(*outputs, strict=True)],
        }
    w, b = given.get("W_O"), given.get("b_O", zero)
    if w is None or wrong == "output-projection-forgotten":
        final = together
    else:
        final = plus(
            times(together, turned(w) if wrong == "output-projection-transposed" else w),
            zero if wrong == "output-bias-forgotten" else b,
        )
    return {"Q": q, "K": k, "V": v, "heads": heads, "output": final}


def text(x: Any, places: int = 4) -> str:
    steps = int(mp.floor(abs(x) * mpf(10) ** places + mpf(1) / 2))
    digits = str(steps).rjust(places + 1, "0")
    return ("-" if x < 0 and steps else "") + f"{digits[:-places]}.{digits[-places:]}"


def page(found: Any) -> Any:
    if isinstance(found, dict):
        return {name: page(part) for name, part in found.items()}
    return [page(part) for part in found] if isinstance(found, list) else text(found)


WRONG = [
    "weights-matrix-transposed", "bias-forgotten", "queries-and-keys-swapped", "not-projected", "one-projection-for-all",
    "values-not-projected", "output-projection-forgotten", "output-projection-transposed", "output-bias-forgotten",
    "heads-interleaved", "one-big-head", "first-head-for-all", "scale-of-the-whole-width",
]  # fmt: skip


# With heads of width 2 of four, 1/√4 is 1/2 too; and Q and K exchanged turn the scores round.
THE_SAME = {
    ("scale-of-the-whole-width", "all"): "divided-by-d-k",
    ("scale-of-the-whole-width", "output"): "divided-by-d-k",
    ("queries-and-keys-swapped", "output"): "scores-transposed",
}


@pytest.mark.parametrize("steps", ["all", "output"])
@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_projection_or_head_is_named(wrong, steps):
    chance = random.Random(wrong)

    def matrix(rows: int) -> Matrix:
        return [[f"{chance.randint(-15, 15) / 10:.1f}" for _ in range(4)] for _ in range(rows)]

    inputs = (
        {"X": matrix(3)}
        | {f"W_{letter}": matrix(4) for letter in "QKVO"}
        | {f"b_{letter}": matrix(1) for letter in "QKVO"}
    )
    if wrong == "output-projection-forgotten":
        del inputs["b_O"]
    with mp.workdps(DIGITS):
        printed = page(worked(inputs, wrong))
    if steps == "output":
        printed = {"output": printed["output"]}
    found = xa.audit({"inputs": inputs, "attention": {"heads": 2}, "printed": printed})
    assert "wrong" in found.totals
    assert found.cause is not None
    named = {tuple(row.name for row in rows) for rows in found.cause.methods}
    assert named == {(wrong,)} | ({(THE_SAME[wrong, steps],)} if (wrong, steps) in THE_SAME else set())


@pytest.mark.parametrize("wrong", ["heads-added", "heads-averaged"])
def test_heads_that_are_not_put_side_by_side(wrong):
    # added, two heads of width 2 would be two wide: printed beside what is four wide, they are refused
    chance = random.Random(wrong)
    inputs = {"X": [[f"{chance.randint(-15, 15) / 10:.1f}" for _ in range(4)] for _ in range(3)]}
    inputs |= {f"W_{c}": [[f"{chance.randint(-15, 15) / 10:.1f}" for _ in range(4)] for _ in range(4)] for c in "QKV"}
    inputs |= {f"b_{c}": [["0"] * 4] for c in "QKV"}
    with mp.workdps(DIGITS):
        printed = page(worked(inputs, wrong))
    with pytest.raises(xa.ExactAttnError, match=r"^printed output is 3 × 2: 3 × 4 was due$"):
        xa.audit({"inputs": inputs, "attention": {"heads": 2}, "printed": printed})
