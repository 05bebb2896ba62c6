"""The catalogue: every wrong method, in the order of the work; singly and in pairs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from exactattn.errors import OptionError, nearest
from exactattn.misconceptions.heads import HEADS
from exactattn.misconceptions.masking import MASKING
from exactattn.misconceptions.misconception import Misconception
from exactattn.misconceptions.other_kinds import OF_OTHER_KINDS
from exactattn.misconceptions.projections import PROJECTIONS
from exactattn.misconceptions.scaling import SCALING
from exactattn.misconceptions.scores import SCORES
from exactattn.misconceptions.softmax import SOFTMAX
from exactattn.misconceptions.values import VALUES
from exactattn.misconceptions.weighing import WEIGHING
from exactattn.trace import Trace
from exactattn.trace.problem import QUANTITIES

__all__ = ["CATALOGUE", "OF_OTHER_KINDS", "find", "pairs", "singles"]

CATALOGUE: tuple[Misconception, ...] = tuple(
    sorted(
        (*PROJECTIONS, *SCORES, *SCALING, *MASKING, *SOFTMAX, *WEIGHING, *HEADS, *VALUES),
        key=lambda row: QUANTITIES.index(row.step),
    )
)
"""Every misconception there is, by the first quantity it changes. Words for each are due in every language."""

_BY_NAME = {row.name: row for row in CATALOGUE}


def find(name: str) -> Misconception:
    """A misconception by name; an error suggests a near one.

    >>> find("no-scale").step
    'scaled'
    >>> find("no-scales")
    Traceback (most recent call last):
        ...
    exactattn.errors.OptionError: misconception 'no-scales' is not in the catalogue (did you mean 'no-scale'?)
    """
    if name not in _BY_NAME:
        raise OptionError(
            "misconception {name!r} is not in the catalogue{hint}", name=name, hint=nearest(name, _BY_NAME)
        )
    return _BY_NAME[name]


def singles(trace: Trace, among: Sequence[Misconception] = CATALOGUE) -> Iterator[tuple[Misconception, Trace]]:
    """Each misconception that makes sense for the trace, with the trace it gives. Made one at a time."""
    for row in among:
        wrong = row.work(trace)
        if wrong is not None:
            yield row, wrong


def pairs(
    trace: Trace, among: Sequence[Misconception] = CATALOGUE
) -> Iterator[tuple[Misconception, Misconception, Trace]]:
    """Two misconceptions that begin at different steps, one after the other, with the trace that both give.

    The one that begins earlier works first. Pairs of which the second would undo what the first did are left out.
    """
    ordered = sorted(among, key=lambda row: QUANTITIES.index(row.step))
    for k, first in enumerate(ordered):
        once = first.beside(trace, frozenset())
        if once is None:
            continue
        for second in ordered[k + 1 :]:
            if second.step != first.step:
                twice = second.beside(once.trace, once.otherwise)
                if twice is not None:
                    yield first, second, twice.trace
