"""Proving a row: its claims at a given n, and its false twins, which must be refused; and checking one on numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from time import perf_counter

from exactattn.errors import OptionError
from exactattn.identities.catalogue import CATALOGUE
from exactattn.identities.checking.check import Fact, failing
from exactattn.identities.checking.example import example
from exactattn.identities.checking.given import Given
from exactattn.identities.identity import Identity
from exactattn.identities.proving.claims import is_proved

LEAST, MOST = 2, 8
"""The n there are proofs for."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What came of proving a row at n: how many claims, those not proved (by number, from 1), twins that were refused."""

    identity: Identity
    n: int
    claims: int
    open: tuple[int, ...]
    twins_refused: tuple[bool, ...]
    seconds: float

    @property
    def holds(self) -> bool:
        """Was every claim proved, and every false twin refused?"""
        return self.claims > 0 and not self.open and all(self.twins_refused)


def prove(identity: Identity, n: int = 4) -> Proof:
    """Prove a row of kind P for symbolic entries at n = 2..8, and have its false twins refused.

    Raises OptionError for another n, or a row that is not proved by machine.

    >>> from exactattn.identities import find
    >>> prove(find("sums-to-one"), 3).holds
    True
    """
    check_n(n)
    if identity.claims is None:
        raise OptionError(
            "{name} is not proved by machine: its kind is {kinds}", name=identity.name, kinds=", ".join(identity.kinds)
        )
    import sympy.polys.rings  # noqa: F401  # what comes of importing it is no part of a proof's time

    start = perf_counter()
    verdicts = [is_proved(claim) for claim in identity.claims(n)]
    seconds = perf_counter() - start
    refused = tuple(not all(map(is_proved, twin(n))) for twin in identity.twins)
    return Proof(identity, n, len(verdicts), tuple(k + 1 for k, ok in enumerate(verdicts) if not ok), refused, seconds)


def proofs(n: int = 4) -> Iterator[Proof]:
    """Every row of kind P, proved one after the other."""
    return (prove(identity, n) for identity in CATALOGUE if "P" in identity.kinds)


@dataclass(frozen=True, slots=True)
class Checked:
    """What came of checking a row on numbers: the facts that do not hold, of so many."""

    identity: Identity
    facts: int
    failing: tuple[Fact, ...]

    @property
    def holds(self) -> bool:
        """Was there a fact, and did every one hold?"""
        return self.facts > 0 and not self.failing


def check(identity: Identity, given: Given | None = None) -> Checked:
    """Decide what a row says of given numbers (of an example, where none are given).

    Raises OptionError for a row without a check, Undecided where a comparison stays open.

    >>> from exactattn.identities import find
    >>> check(find("logsumexp-bounds")).holds
    True
    """
    if identity.check is None:
        raise OptionError("{name} is proved for symbolic entries alone, and has no check", name=identity.name)
    facts = list(identity.check(example() if given is None else given))
    return Checked(identity, len(facts), failing(facts))


def checks() -> Iterator[Checked]:
    """Every row that is not proved by machine, or not in all its lines, checked on the example."""
    return (check(row) for row in CATALOGUE if row.check is not None and set(row.kinds) & {"A", "D", "C"})


def check_n(n: int) -> int:
    """A size there are proofs for."""
    if not LEAST <= n <= MOST:
        raise OptionError("n = {n}: {least} to {most} was due", n=n, least=LEAST, most=MOST)
    return n
