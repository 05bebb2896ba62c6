"""The numbers that questions are made of: short decimals for a calculator, the log lattice for work by hand.

On the log lattice Q has rows 2(x ln 2, y ln 3, 0, 0) and K has integer rows, d_k = 4: e to a scaled score is 2^(xa)·3^(yb). Right
weights and those of most wrong methods are all fractions. How wide the numbers range follows the difficulty, 1 to 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from exactattn.exams.draw import Draw
from exactattn.exams.model import Asked

SPANS = {1: (2, 0), 2: (3, 0), 3: (2, 1), 4: (3, 1), 5: (2, 2)}
"""By difficulty: the largest decimal, and its places."""

EXPONENTS = {1: (0, 2), 2: (0, 2), 3: (0, 3), 4: (-1, 3), 5: (-2, 3)}
"""By difficulty: the least and the greatest entry of K on the log lattice."""


def decimals(draw: Draw, asked: Asked, rows: int, columns: int, *, more: int = 0) -> list[list[str]]:
    """Decimals either side of 0, `more` units wider than the difficulty has them."""
    most, places = SPANS[asked.difficulty]
    return [[draw.decimal(-most - more, most + more, places) for _ in range(columns)] for _ in range(rows)]


def integers(draw: Draw, rows: int, columns: int, low: int, high: int) -> list[list[str]]:
    """Whole numbers."""
    return [[str(draw.integer(low, high)) for _ in range(columns)] for _ in range(rows)]


def queries(draw: Draw, asked: Asked, n: int, d_k: int) -> list[list[str]]:
    """Q: decimals, or rows of the log lattice (d_k = 4)."""
    if asked.numbers == "calculator":
        return decimals(draw, asked, n, d_k)
    rows = []
    for _ in range(n):
        x, y = draw.integer(0, 2), draw.integer(0, 1)
        rows.append([log(2 * (x if x or y else 1), 2), log(2 * y, 3), "0", "0"])
    return rows


def keys(draw: Draw, asked: Asked, m: int, d_k: int) -> list[list[str]]:
    """K: decimals, or small whole numbers."""
    if asked.numbers == "calculator":
        return decimals(draw, asked, m, d_k)
    return integers(draw, m, d_k, *EXPONENTS[asked.difficulty])


def values(draw: Draw, asked: Asked, m: int, d_v: int) -> list[list[str]]:
    """V: decimals, or multiples of 6 from −24 to 24, which keep the fractions short."""
    if asked.numbers == "calculator":
        return decimals(draw, asked, m, d_v, more=1)
    return [[str(6 * draw.integer(-4, 4)) for _ in range(d_v)] for _ in range(m)]


def scores(draw: Draw, asked: Asked, m: int, *, around: int = 0) -> list[str]:
    """A row of scores: decimals of one place or more, or logarithms of whole numbers, all different; around a number."""
    if asked.numbers == "calculator":
        most, places = SPANS[asked.difficulty]
        return [draw.decimal(around - most, around + most + 1, max(places, 1)) for _ in range(m)]
    row = [log(1, k) for k in draw.shuffled(range(1, 10 * m + 1))[:m]]
    return [f"{around} + {x}" for x in row] if around else row


def weights(draw: Draw, asked: Asked, d_model: int, d_k: int, d_v: int) -> dict[str, list[list[str]]]:
    """W_Q, W_K and W_V: small whole numbers; by hand X·W_Q with a whole X lies on the log lattice."""
    if asked.numbers == "calculator":
        widths = {"W_Q": d_k, "W_K": d_k, "W_V": d_v}
        return {name: integers(draw, d_model, width, -1, 2) for name, width in widths.items()}
    w_q = [[log(2 * draw.integer(0, 1), 2), log(2 * draw.integer(0, 1), 3), "0", "0"] for _ in range(d_model)]
    return {"W_Q": w_q, "W_K": integers(draw, d_model, d_k, -1, 1), "W_V": integers(draw, d_model, d_v, -2, 2)}


def embeddings(draw: Draw, asked: Asked, n: int, d_model: int) -> list[list[str]]:
    """X: decimals; by hand 0, 1 and 2."""
    return decimals(draw, asked, n, d_model) if asked.numbers == "calculator" else integers(draw, n, d_model, 0, 2)


def beside(blocks: Sequence[list[list[str]]]) -> list[list[str]]:
    """Matrices of as many rows side by side.

    >>> beside([[["1"], ["2"]], [["3"], ["4"]]])
    [['1', '3'], ['2', '4']]
    """
    return [list(chain.from_iterable(rows)) for rows in zip(*blocks, strict=True)]


def log(count: int, base: int) -> str:
    """A multiple of a logarithm as text.

    >>> log(2, 3), log(1, 3), log(1, 1)
    ('2*ln(3)', 'ln(3)', '0')
    """
    if count == 0 or base == 1:
        return "0"
    return f"ln({base})" if count == 1 else f"{count}*ln({base})"
