"""A misconception: a wrong method, as a row of facts and the exchanges that work it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from exactattn.errors import InputError
from exactattn.i18n import messages
from exactattn.misconceptions.replay import Exchanges, Place, Replayed, beside, replay
from exactattn.trace import Trace


@dataclass(frozen=True, slots=True)
class Misconception:
    """A wrong method.

    `name` is its id ("no-scale"). `step` is the first quantity it changes (with several heads: of each head). `exchanges`
    says which steps it does otherwise in a trace, or None where it makes no sense there: shapes do not fit, there is
    nothing to forget, or it would be the right method. `cancels` is the first quantity that comes out right again.
    """

    name: str
    step: str
    exchanges: Callable[[Trace], Exchanges | None]
    cancels: str | None = None

    def work(self, trace: Trace) -> Trace | None:
        """The trace worked wrongly, or None where the method makes no sense for it.

        Several work one after the other: `b.work(a.work(trace))`. Raises Undecided where a comparison that the method needs
        (which score is the largest) stays open.
        """
        worked = self.beside(trace, frozenset())
        return None if worked is None else worked.trace

    def beside(self, trace: Trace, fixed: frozenset[Place]) -> Replayed | None:
        """The same, with the places that were worked otherwise; None too where it would undo what is done at a `fixed` place."""
        if trace.problem.settings.track != "carry":
            trace = replay(trace, {})
        try:
            found = self.exchanges(trace)
            worked = None if found is None else beside(trace, found, fixed)
        except InputError:  # a row whose sum is 0 divides nothing; letters and enclosures have no sign and no largest
            return None
        return worked if worked is not None and worked.otherwise else None

    def label(self, lang: str) -> str:
        """What it is called: "no scaling"."""
        return messages(lang).text(f"misconception.{self.name}.name")

    def said(self, lang: str) -> str:
        """What happened, as a clause: "the weights are those of unscaled scores"."""
        return messages(lang).text(f"misconception.{self.name}.said")

    def feedback(self, lang: str) -> str:
        """What a student should do instead, as a sentence."""
        return messages(lang).text(f"misconception.{self.name}.feedback")
