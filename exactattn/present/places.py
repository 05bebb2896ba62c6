"""How many decimal places each quantity is printed to: as asked, or the least that a pencil can follow."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from exactattn.arithmetic.exact import ExactArithmetic
from exactattn.attention.pipeline import closed_rows
from exactattn.errors import OptionError, nearest
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.rounding import Ties
from exactattn.trace import PLACES, Quantity, Step, Trace

NAMES = ("Q", "K", "V", "scores", "scaled", "maxima", "shifted", "exps", "sums", "weights", "concat", "output")
BOUND = 30
"""`auto` looks no further than this."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked for: places by name, and whether the others are to be found (`auto`)."""

    chosen: Mapping[str, int]
    find: bool = False


def asked(places: str | int | Mapping[str, int] | None, limits: Limits = LIMITS) -> Asked:
    """From "scores=2,exps=4", "3", 3, "auto", "auto,output=4", or a mapping.

    >>> asked("scores=2, exps=4").chosen, asked("auto").find, asked(5).chosen["weights"]
    ({'scores': 2, 'exps': 4}, True, 5)
    """
    if places is None:
        return Asked({})
    if isinstance(places, Mapping):
        items: Sequence[tuple[str, object]] = list(places.items())
        return Asked({_name(name): _count(count, limits) for name, count in items})
    text = str(places).strip()
    if text.isdecimal():
        return Asked(dict.fromkeys((*PLACES, "concat"), _count(text, limits)))
    chosen: dict[str, int] = {}
    find = False
    for item in filter(None, (part.strip() for part in text.split(","))):
        name, sign, count = item.partition("=")
        if item == "auto":
            find = True
        elif not sign:
            raise OptionError("places {item!r}: name=count, a number for all, or auto was due", item=item)
        else:
            chosen[_name(name.strip())] = _count(count.strip(), limits)
    if find and set(chosen) - {"output"}:
        raise OptionError(
            "places auto finds all but those of the output: {names} cannot be given too",
            names=", ".join(set(chosen) - {"output"}),
        )
    return Asked(chosen, find)


def _name(name: str) -> str:
    if name not in NAMES:
        raise OptionError(
            "places of {name!r}: that is not one of {known}{hint}",
            name=name,
            known=", ".join(NAMES),
            hint=nearest(name, NAMES),
        )
    return name


def _count(count: object, limits: Limits) -> int:
    text = str(count)
    if not text.isdecimal() or len(text) > 9 or int(text) > limits.places:
        raise OptionError(
            "{count!r} places: a whole number from 0 to {limit} was due", count=count, limit=limits.places
        )
    return int(text)


# -- auto --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Found:
    """The places found, and the names for which nothing up to the bound would do (they keep their defaults)."""

    places: Mapping[str, int]
    missing: tuple[str, ...] = ()


def auto(trace: Trace, output: int = PLACES["output"], ties: Ties = "half-up") -> Found:
    """The least places with which every printed number follows from those printed before it, over all rows.

    Those of the output are fixed. Going backwards: of the weights, the least for which every output reproduces; of the sums, the
    least for which some places of the exponentials make every weight and every sum reproduce, and the least such places
    of the exponentials; then of the scores less their maximum, of the scaled scores and of the
    scores. What is projected from X is printed exactly.
    """
    return _Search(trace, output, ties).run()


class _Search:
    def __init__(self, trace: Trace, output: int, ties: Ties) -> None:
        self.trace, self.ties = trace, ties
        self.places: dict[str, int] = {"output": output}
        self.missing: list[str] = []
        self.exact = ExactArithmetic(trace.arithmetic.limits)
        self._printed: dict[tuple[int, int], Quantity] = {}
        self._texts: dict[tuple[int, int], list[list[str]]] = {}

    def run(self) -> Found:
        for name in "QKV":
            step = self.trace.step_or_none(name, None)
            if step is not None and step.function.__name__ == "project":
                self._least(name, partial(self._is_exact, name))
        if self.trace.step_or_none("concat", None) is not None:
            self._least("concat", lambda: self._follows("output", None))
        heads = range(self.trace.problem.settings.heads)
        if self.trace.step_or_none("output", 0) is not None:
            self._least("weights", lambda: all(self._follows("output", h) for h in heads))
        else:
            self.places["weights"] = PLACES["weights"]
        self._sums_and_exps(heads)
        self._shifted_and_scaled(heads)
        if self.trace.step("scores", 0 if self.trace.step_or_none("scores", 0) else None).function.__name__ == "score":
            self._least("scores", lambda: all(self._follows("scaled", h) for h in heads))
        return Found(self.places, tuple(self.missing))

    def _least(self, name: str, holds: Callable[[], bool]) -> None:
        for count in range(BOUND + 1):
            self.places[name] = count
            if holds():
                return
        self.places[name] = PLACES.get(name, PLACES["output"])
        self.missing.append(name)

    def _sums_and_exps(self, heads: range) -> None:
        for sums in range(BOUND + 1):
            for exps in range(BOUND + 1):
                self.places |= {"sums": sums, "exps": exps}
                if all(self._follows("sums", h) and self._follows("weights", h) for h in heads):
                    return
        self.places |= {"sums": PLACES["sums"], "exps": PLACES["exps"]}
        self.missing += ["exps", "sums"]

    def _shifted_and_scaled(self, heads: range) -> None:
        """Of what the exponentials are taken of, the least; and of the scaled scores, the least from which that follows."""
        if self.trace.step_or_none("shifted", 0) is None:
            self._least("scaled", lambda: all(self._follows("exps", h) for h in heads))
            return
        self._least("shifted", lambda: all(self._follows("exps", h) for h in heads))
        self._least("scaled", lambda: all(self._follows("shifted", h) for h in heads))

    # -- one quantity ------------------------------------------------------------------------------------------------

    def _is_exact(self, name: str) -> bool:
        q = self.trace.step(name).made
        texts = self._text(q)
        return all(q.value(i, j) == texts[i][j] for i in range(q.shape[0]) for j in range(q.shape[1]))

    def _follows(self, name: str, head: int | None) -> bool:
        """Does a quantity, as printed, follow from the printed ones before it?"""
        step = self.trace.step_or_none(name, head)
        if step is None:
            return True
        reads = [self._as_printed(read) for read in step.reads]
        if name == "weights":
            closed = closed_rows(reads[0].keep)
            if any(reads[1].value(i, 0) == 0 for i in range(reads[1].shape[0]) if i not in closed):
                return False
        again = step.again(self.exact, reads)
        return again.decimal(self._places(step.made), self.ties) == self._text(step.made)

    def _places(self, q: Quantity) -> int:
        return self.trace.problem.places(q.name, q.head, self.places)

    def _text(self, q: Quantity) -> list[list[str]]:
        key = (id(q), self._places(q))
        if key not in self._texts:
            self._texts[key] = q.decimal(key[1], self.ties)
        return self._texts[key]

    def _as_printed(self, q: Quantity) -> Quantity:
        step = self.trace.of(q)
        while step.function.__name__ == "split":
            step = self.trace.of(step.reads[0])
        if step.function.__name__ == "given":
            return replace(q, matrix=self.exact.read(_written(self.trace, q)), arithmetic=self.exact)
        key = (id(q), self._places(q))
        if key not in self._printed:
            texts = tuple(map(tuple, self._text(q)))
            self._printed[key] = replace(q, matrix=self.exact.read(texts), arithmetic=self.exact)
        return self._printed[key]


def _written(trace: Trace, q: Quantity) -> tuple[tuple[str, ...], ...]:
    step: Step = trace.of(q)
    if step.function.__name__ == "split":
        low, high = step.settings["low"], step.settings["high"]
        return tuple(row[low:high] for row in _written(trace, step.reads[0]))
    texts: tuple[tuple[str, ...], ...] = step.settings["texts"]
    return texts
