"""The numbers that questions are made of: one-place decimals for a calculator, the log lattice for work by hand.

On the log lattice Q has rows 2(x ln 2, y ln 3, 0, 0) and K has integer rows, d_k = 4: e to a scaled score is 2^(xa)·3^(yb). Right
weights and those of most wrong methods are all fractions.
"""

from __future__ import annotations

from exactattn.exams.draw import Draw
from exactattn.exams.model import Asked


def matrix(draw: Draw, rows: int, columns: int, *, most: int = 2, places: int = 1) -> list[list[str]]:
    """Decimals from −most to most."""
    return [[draw.decimal(-most, most, places) for _ in range(columns)] for _ in range(rows)]


def integers(draw: Draw, rows: int, columns: int, low: int, high: int) -> list[list[str]]:
    """Whole numbers."""
    return [[str(draw.integer(low, high)) for _ in range(columns)] for _ in range(rows)]


def queries(draw: Draw, asked: Asked, n: int, d_k: int) -> list[list[str]]:
    """Q: decimals, or rows of the log lattice (d_k = 4)."""
    if asked.numbers == "calculator":
        return matrix(draw, n, d_k)
    rows = []
    for _ in range(n):
        x, y = draw.integer(0, 2), draw.integer(0, 1)
        rows.append([_multiple(2 * (x if x or y else 1), 2), _multiple(2 * y, 3), "0", "0"])
    return rows


def keys(draw: Draw, asked: Asked, m: int, d_k: int) -> list[list[str]]:
    """K: decimals, or small whole numbers."""
    return matrix(draw, m, d_k) if asked.numbers == "calculator" else integers(draw, m, d_k, 0, 2)


def values(draw: Draw, asked: Asked, m: int, d_v: int) -> list[list[str]]:
    """V: decimals, or multiples of 6 from −12 to 12, which keep the fractions short."""
    if asked.numbers == "calculator":
        return matrix(draw, m, d_v, most=3)
    return [[str(6 * draw.integer(-2, 2)) for _ in range(d_v)] for _ in range(m)]


def _multiple(count: int, prime: int) -> str:
    return "0" if count == 0 else f"{count}*ln({prime})"
