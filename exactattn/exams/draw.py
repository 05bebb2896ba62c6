"""Draws that are the same on every machine: a stream of integers from the seed, the question and the attempt.

Nothing here touches Python's `random`, whose algorithms are its own business: each draw hashes a counter.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


class Draw:
    """The draws of one attempt at one question.

    >>> [Draw("7", "q1", 0).integer(1, 6) for _ in range(2)], Draw("7", "q1", 1).integer(1, 6)
    ([4, 4], 2)
    """

    def __init__(self, seed: str, question: str, attempt: int) -> None:
        # lengths first, so that no two (seed, question) pairs run together into the same bytes
        key = f"{len(seed)}:{seed}{len(question)}:{question}{attempt}"
        self._hash = blake2b(key=blake2b(key.encode(), digest_size=32).digest(), digest_size=16)
        self._count = 0

    def integer(self, low: int, high: int) -> int:
        """One of low to high, both included, each as likely as the others."""
        size = high - low + 1
        # 128 bits over at most a few thousand values: the bias is below 2^-100
        keyed = self._hash.copy()
        keyed.update(self._count.to_bytes(8, "big"))
        self._count += 1
        return low + int.from_bytes(keyed.digest(), "big") % size

    def choice(self, items: Sequence[T]) -> T:
        """One of the items."""
        return items[self.integer(0, len(items) - 1)]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in a drawn order (Fisher–Yates)."""
        out = list(items)
        for k in range(len(out) - 1, 0, -1):
            j = self.integer(0, k)
            out[k], out[j] = out[j], out[k]
        return out

    def decimal(self, low: int, high: int, places: int) -> str:
        """A decimal from low to high with so many places, as text.

        >>> Draw("1", "a", 0).decimal(-2, 2, 1)
        '-0.7'
        """
        n = self.integer(low * 10**places, high * 10**places)
        if not places:
            return str(n)
        digits = str(abs(n)).rjust(places + 1, "0")
        return f"{'-' if n < 0 else ''}{digits[:-places]}.{digits[-places:]}"
