"""An independent worker of attention: mpmath's intervals, the bare formula, and digits read off the intervals' ends."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

import pytest
from mpmath import iv

_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?")


@dataclass
class Worked:
    """softmax(Q·Kᵀ·scale)·V, head by head, in interval arithmetic: every entry as two fractions with the value between them.

    No maximum is subtracted and nothing is shared with the package. Intervals are widened by 2^16 units of their last place,
    in case mpmath's own roundings are not all outward.
    """

    inputs: dict
    heads: int = 1
    scale: str | None = None
    keep: list | None = None
    held: dict = field(default_factory=dict)

    def at(self, bits):
        if bits not in self.held:
            before, iv.prec = iv.prec, bits
            try:
                self.held[bits] = {
                    key: [[_ends(x, bits) for x in row] for row in rows] for key, rows in self._work().items()
                }
            finally:
                iv.prec = before
        return self.held[bits]

    def _work(self):
        given = {name: [[number(text) for text in row] for row in rows] for name, rows in self.inputs.items()}
        for name in "QKV":
            if f"W_{name}" in given:
                x = given.get("X_kv", given["X"]) if name != "Q" else given["X"]
                given[name] = _plus(_times(x, given[f"W_{name}"]), given.get(f"b_{name}"))
        out, done = {}, []
        for h in range(self.heads):
            if "scores" in given:
                s, v = given["scores"], given.get("V")
            else:
                q, k, v = (_block(given.get(name), self.heads, h) for name in "QKV")
                s = _times(q, [list(column) for column in zip(*k, strict=True)])
            width = len(_block(given["Q"], self.heads, h)[0]) if "Q" in given else 1
            by = number(self.scale if self.scale is not None else f"1/sqrt({width})")
            s = [[x * by for x in row] for row in s]
            e = [
                [iv.exp(x) if self.keep is None or self.keep[i][j] else iv.mpf(0) for j, x in enumerate(row)]
                for i, row in enumerate(s)
            ]
            z = [[sum(row, iv.mpf(0))] for row in e]
            a = [[x / total for x in row] for row, (total,) in zip(e, z, strict=True)]
            o = _times(a, v) if v is not None else None
            out |= {("scaled", h): s, ("weights", h): a} | ({("output", h): o} if o is not None else {})
            done.append(o)
        if done[0] is not None:
            final = [[x for rows in parts for x in rows] for parts in zip(*done, strict=True)]
            if "W_O" in given:
                final = _plus(_times(final, given["W_O"]), given.get("b_O"))
            out["output", None] = final
        return out

    def decimal(self, name, places, ties="half-up", head=0, cap=8000):
        """The texts that every number of the interval rounds to; None where the interval stays open up to the cap."""
        bits = 256 + int(places * 3.33)
        while True:
            rows = self.at(bits)[name, head]
            texts = [
                [
                    rounded(low, places, ties) if rounded(low, places, ties) == rounded(high, places, ties) else None
                    for low, high in row
                ]
                for row in rows
            ]
            if bits > cap or all(text is not None for row in texts for text in row):
                return texts
            bits *= 2


def number(text):
    """The interval of a number as it is written in a test."""
    wrapped = _NUMBER.sub(lambda match: f"F('{match[0]}')", text).replace("^", "**")
    return eval(wrapped, {"__builtins__": {}}, {"F": _decimal, "sqrt": iv.sqrt, "ln": iv.log})


def _decimal(text):
    q = Fraction(text)
    return iv.mpf(q.numerator) / iv.mpf(q.denominator)


def _times(a, b):
    return [
        [sum((x * y for x, y in zip(row, column, strict=True)), iv.mpf(0)) for column in zip(*b, strict=True)]
        for row in a
    ]


def _plus(a, b):
    return a if b is None else [[x + y for x, y in zip(row, b[0], strict=True)] for row in a]


def _block(rows, heads, h):
    if rows is None:
        return None
    width = len(rows[0]) // heads
    return [row[h * width : (h + 1) * width] for row in rows]


def _ends(x, bits):
    low, high = (_fraction(end) for end in x._mpi_)
    spare = max(abs(low), abs(high)) / 2 ** (bits - 16)
    return low - spare, high + spare


def _fraction(raw):
    sign, mantissa, exponent, _ = raw
    size = Fraction(int(mantissa)) * Fraction(2) ** exponent
    return -size if sign else size


def rounded(x, places, ties="half-up"):
    """A fraction to decimal places, as text."""
    size = abs(x) * 10**places
    n, rest = divmod(size.numerator, size.denominator)
    twice = 2 * rest
    if twice > size.denominator or (twice == size.denominator and (ties == "half-up" or n % 2)):
        n += 1
    digits = str(n).rjust(places + 1, "0")
    text = f"{digits[:-places]}.{digits[-places:]}" if places else digits
    return f"-{text}" if x < 0 and n else text


@pytest.fixture(scope="session")
def worked():
    """`worked(inputs, scale=..., heads=..., keep=...)`: see Worked."""
    return Worked


@pytest.fixture(scope="session")
def nearest():
    """`nearest(fraction, places, ties)`: a fraction as text."""
    return rounded
