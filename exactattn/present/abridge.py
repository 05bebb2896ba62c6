"""What of a long row or matrix is shown: all up to a limit, else the ends and what was asked for, with gaps."""

from __future__ import annotations

from collections.abc import Collection
from itertools import pairwise

MOST = 12
"""Rows and columns that fit a page."""


def shown(count: int, wanted: Collection[int] = (), most: int = MOST) -> list[int | None]:
    """The positions shown of `count`, None for a gap: the first few, the wanted ones, the last.

    >>> shown(5), shown(20, {9}, most=8)
    ([0, 1, 2, 3, 4], [0, 1, 2, None, 9, None, 19])
    """
    if count <= most:
        return list(range(count))
    keep = {count - 1, *sorted(k for k in wanted if k < count)[: most - 4]}
    for k in range(count):
        if len(keep) >= most - 1 - _gaps(keep | {k}):
            break
        keep.add(k)
        if k >= most // 2 - 2:
            break
    out: list[int | None] = []
    for k in sorted(keep):
        if out and out[-1] is not None and k == out[-1] + 2:
            out.append(k - 1)  # a gap of one is no shorter than what it hides
        elif (out and out[-1] is not None and k > out[-1] + 1) or (not out and k > 0):
            out.append(None)
        out.append(k)
    return out


def _gaps(keep: set[int]) -> int:
    ordered = sorted(keep)
    return sum(b > a + 1 for a, b in pairwise(ordered))
