"""Means of polynomials in independent entries, each with mean 0 and mean square 1; other moments stay letters.

The mean is linear, and the mean of a product of powers of independent entries is the product of their moments.
"""

from __future__ import annotations

from exactattn.identities.proving.ratio import Letters, Ratio


def mean(x: Ratio, entries: frozenset[str], out: Letters) -> Ratio:
    """The mean of a polynomial over the letters `entries`; the k-th moment, from the third on, is the letter `mu<k>` of `out`."""
    total = out.number(0)
    for powers, coefficient in x.above.terms():
        term = out.number(1) * Ratio(out, out.ring.ground_new(coefficient), {})
        for name, k in zip(x.letters.names, powers, strict=True):
            if not k:
                continue
            if name in entries:
                term = term * _moment(k, out)
            else:
                for _ in range(k):
                    term = term * out(name)
        total = total + term
    return total


def _moment(k: int, out: Letters) -> Ratio:
    return out(f"mu{k}") if k > 2 else out.number(1 if k == 2 else 0)
