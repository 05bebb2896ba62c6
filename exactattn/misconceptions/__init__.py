"""Wrong methods of attention, as runnable variants of its steps.

One catalogue: audits look in it for the cause of a wrong number, exams for the answers that a key must be told from.
"""

from exactattn.misconceptions.catalogue import CATALOGUE, OF_OTHER_KINDS, find, pairs, singles
from exactattn.misconceptions.misconception import Misconception
from exactattn.misconceptions.replay import changed, replay
from exactattn.misconceptions.slips import SLIPS, slips

__all__ = [
    "CATALOGUE",
    "OF_OTHER_KINDS",
    "SLIPS",
    "Misconception",
    "changed",
    "find",
    "pairs",
    "replay",
    "singles",
    "slips",
]
