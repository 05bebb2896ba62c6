"""What a row asks of a prover. Each claim is decided by what its method knows; "refused" means not proved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias, assert_never

from exactattn.identities.proving.calculus import Logs
from exactattn.identities.proving.circle import reduced
from exactattn.identities.proving.ratio import Ratio
from exactattn.identities.proving.terms import Term


@dataclass(frozen=True, slots=True)
class Equal:
    """Two fractions of polynomials are the same."""

    left: Ratio
    right: Ratio


@dataclass(frozen=True, slots=True)
class Positive:
    """A fraction is positive: all its coefficients are, and so are its letters."""

    what: Ratio


@dataclass(frozen=True, slots=True)
class NotNegative:
    """A fraction is not negative: no coefficient and no letter is."""

    what: Ratio


@dataclass(frozen=True, slots=True)
class SameLogs:
    """Two sums with logarithms are the same."""

    left: Logs
    right: Logs


@dataclass(frozen=True, slots=True)
class EqualOnCircle:
    """Two polynomials are the same where c² + s² = 1."""

    left: Ratio
    right: Ratio


@dataclass(frozen=True, slots=True)
class SameTerm:
    """Two entries are the same function of the same inputs."""

    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class ReadsNone:
    """An entry reads none of these inputs (by how their names begin)."""

    what: Term
    names: tuple[str, ...]


Claim: TypeAlias = Equal | Positive | NotNegative | SameLogs | EqualOnCircle | SameTerm | ReadsNone


def is_proved(claim: Claim) -> bool:
    """The verdict."""
    match claim:
        case Equal(left, right):
            return left.same(right)
        case Positive(what):
            return what.is_positive()
        case NotNegative(what):
            return what.is_not_negative()
        case SameLogs(left, right):
            return left.same(right)
        case EqualOnCircle(left, right):
            return reduced(left).same(reduced(right))
        case SameTerm(left, right):
            return left is right
        case ReadsNone(what, names):
            return not any(read.startswith(names) for read in what.reads)
        case _:
            assert_never(claim)
