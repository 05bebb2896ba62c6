"""The numbers that `--prove` checks a row on."""

from __future__ import annotations

from exactattn.identities.checking.given import Given


def example() -> Given:
    """Two queries, four keys: a tie among the scores, a root and a logarithm."""
    return Given(
        scores=("1", "sqrt(2)/2", "1", "-ln(3)"),
        others=("0", "2", "1/3", "1"),
        queries=(("1", "2"), ("-1", "1/2")),
        keys=(("1", "0"), ("0", "1"), ("2", "-1"), ("1/2", "3")),
        values=(("1", "3"), ("2", "-1"), ("4", "1/2"), ("0", "2/3")),
        constant="2",
        factor="3",
        temperatures=("1/2", "2"),
    )
