"""Which variants are kept: the k-th of a question is the k-th attempt that is distinct and discriminates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from types import MappingProxyType
from typing import Any

from exactattn.attention import attend
from exactattn.errors import InputError
from exactattn.exams.choices import FEW, OPTIONS, offered
from exactattn.exams.draw import Draw
from exactattn.exams.keys import Keyed, Method, Refused, keyed, sees, wrong_answers
from exactattn.exams.kinds import Kind, find
from exactattn.exams.kinds.direct import Direct
from exactattn.exams.late import Late
from exactattn.exams.model import Asked, Question
from exactattn.exams.plan import Plans, Work, plans_of
from exactattn.misconceptions import CATALOGUE
from exactattn.misconceptions import find as misconception
from exactattn.misconceptions.replay import Place
from exactattn.numbers.matrix import Linear, Matrix
from exactattn.numbers.parse import rational
from exactattn.numbers.value import Value
from exactattn.trace import Quantity, Trace

MOST_ATTEMPTS = 2_000
"""Attempts in a row without a kept variant after which a question is said to have no more."""


MOST_FEW = 200
"""Attempts with too few options, and none with enough, after which a question is said to be no choice."""


class NoVariants(InputError):
    """A question that has no variant, or not as many as were asked for, that tells right from wrong."""


def variants(asked: Asked, seed: str) -> Iterator[Question]:
    """The kept variants in order, without end; NoVariants when too many attempts in a row fail, with what they failed for."""
    kind = find(asked.kind)
    plans = plans_of(asked)
    known: set[bytes] = set()
    refused: Counter[str] = Counter()
    number = attempt = since = 0
    while True:
        found = tried(kind, asked, seed, attempt, refused, plans)
        attempt += 1
        since += 1
        if isinstance(found, Refused):
            refused[found.why] += 1
        elif (form := _form(found)) in known:
            refused["repeat"] += 1
        else:
            known.add(form)
            number += 1
            since = 0
            yield replace(found, number=number)
        if number == 0 and refused[FEW] >= MOST_FEW:
            raise NoVariants(
                'question {id!r} ({kind}): answer = "choice" needs {least} options or more, and for {asks} too few wrong methods '
                "give something else ({few} of {attempts} attempts): ask something else, or answer in another form: {forms}",
                id=asked.id, kind=kind.name, least=OPTIONS[0], asks=" and ".join(kind.asked_of(asked) or kind.asks),
                few=refused[FEW], attempts=attempt, forms=" or ".join(form for form in kind.answers if form != "choice"),
            )  # fmt: skip
        if since >= MOST_ATTEMPTS:
            reasons = ", ".join(f"{why} {count}" for why, count in refused.most_common(4))
            raise NoVariants(
                "question {id!r} ({kind}) has only {number} variants that tell right from wrong in {attempts} attempts "
                "({reasons}): give it more places, other sizes or other entries to ask",
                id=asked.id, kind=kind.name, number=number, attempts=attempt, reasons=reasons,
            )  # fmt: skip


def tried(
    kind: Kind,
    asked: Asked,
    seed: str,
    attempt: int,
    often: Mapping[str, int] = MappingProxyType({}),
    plans: Plans | None = None,
) -> Question | Refused:
    """One attempt: drawn, worked, keyed, and set against every misconception in scope; as a choice where one is asked for.

    What is refused for one of several reasons is refused for the one that came most `often` so far, which is looked at first.
    """
    found = _tried(kind, asked, seed, attempt, often, plans or plans_of(asked))
    return offered(found, seed) if asked.answer == "choice" and isinstance(found, Question) else found


def _tried(
    kind: Kind, asked: Asked, seed: str, attempt: int, often: Mapping[str, int], plans: Plans
) -> Question | Refused:
    given = kind.draw(Draw(seed, asked.id, attempt), asked)
    if isinstance(given, Direct):
        return given.question(asked, asked.ask or given.default or kind.asked_of(asked), attempt)
    trace = attend(**given)
    why = kind.degenerate(trace, asked) or degenerate(trace, kind.rows(trace, asked))
    if why is not None:
        return Refused(why)
    shown = _shown(given, asked, trace)
    if isinstance(shown, Refused):
        return shown
    quantities = [(k, q) for k, name in enumerate(kind.asked_of(asked), 1) for q in _quantities(shown, name)]
    rows = tuple(kind.rows(trace, asked))
    work = Work(plans.plan(trace, [(q.name, q.head) for _, q in quantities]), trace, asked.working, rows)
    keys: list[tuple[int, Keyed]] = []
    for k, q in quantities:
        key = keyed(asked, q, _cells(kind, trace, asked, q), work.ranges)
        if isinstance(key, Refused):
            return key
        keys.append((k, key))
    named = CATALOGUE if kind.misconceptions is None else [misconception(name) for name in kind.misconceptions]
    scope = [*named, *kind.own(asked)]
    found: dict[str, tuple[frozenset[Place], Method]] = {}
    for row in sorted(scope, key=lambda row: -often.get(row.name, 0)):
        wrong = work.wrong(row)
        if wrong is None:
            continue
        touched, method = wrong
        if not all(sees(key, method.ranges) for _, key in keys if key.place in touched):
            return Refused(row.name)
        found[row.name] = wrong
    in_order = [found[row.name] for row in scope if row.name in found]
    parts = []
    for k, key in keys:
        part = key.part(k)
        methods = [method for touched, method in in_order if key.place in touched]
        parts.append(replace(part, wrongs=Late(partial(wrong_answers, part, methods))))
    seen = tuple(sorted(found))
    return Question(asked, 0, attempt, shown, tuple(parts), seen, kind.facts(trace, asked))


def _shown(given: dict[str, Any], asked: Asked, trace: Trace) -> Trace | Refused:
    """The work that the key is taken from: the trace, or the same rounded at each step. Wrong methods are told from both.

    Scores, and what they are made of, must be exact with the places of the work: a student rounds only what follows.
    """
    if asked.track == "carry":
        return trace
    shown = attend(**given, **asked.rounding)
    for step in shown.steps:
        n, m = step.made.shape
        if step.made.name in ("Q", "K", "V", "scores") and not all(
            step.computed.value(i, j) == step.made.value(i, j) for i in range(n) for j in range(m)
        ):
            return Refused("rounded-scores")
    return shown


def _quantities(trace: Trace, name: str) -> list[Quantity]:
    """The asked quantity as the work goes on with it (rounded, where each step is): the final output, or that of each head."""
    step = trace.step_or_none(name, None)
    if step is not None:
        return [step.made]
    return [found.made for head in trace.heads if (found := trace.step_or_none(name, head.index)) is not None]


def _cells(kind: Kind, trace: Trace, asked: Asked, q: Quantity) -> list[tuple[int, int]]:
    """The asked entries: open, and not blind by structure (a masked row with one open key has weight 1 whatever is done)."""
    cells = []
    for i in kind.rows(trace, asked):
        opened = [j for j in range(q.shape[1]) if q.keep is None or q.keep[i][j]]
        if q.name in ("exps", "weights", "output") and _single(trace, q, i):
            continue
        if q.name in ("scores", "scaled", "masked") and q.shape[0] == q.shape[1]:
            opened = [j for j in opened if j != i]  # what is transposed has the same diagonal
        cells += [(i, j) for j in opened]
    return cells[:1] if asked.answer == "number" else cells


def _single(trace: Trace, q: Quantity, i: int) -> bool:
    step = trace.step_or_none("weights", q.head if q.head is not None else 0)
    keep = None if step is None else step.computed.keep
    return keep is not None and i < len(keep) and sum(keep[i]) <= 1


def degenerate(trace: Trace, rows: Sequence[int]) -> str | None:
    """What makes any trace useless: in asked rows two equal weights, a weight that prints 1 or the same query twice; equal rows
    of V."""
    for head in trace.heads:
        a, s = head.weights, head.scaled.exact
        for i in rows:
            opened = [(i, j) for j in range(a.shape[1]) if a.keep is None or a.keep[i][j]]
            if _repeats(s, opened):
                return "equal-weights"  # that takes no exponential
            texts = a.decimals(opened, 3)
            if len(texts) > 1 and "1.000" in texts:
                return "saturated"
            if len(set(texts)) < len(texts):
                return "equal-weights"
    v = trace.problem.inputs.get("V")
    if v is not None and len(set(v)) < len(v):
        return "equal-values"
    q = trace.problem.inputs.get("Q")
    if q is not None and len({q[i] for i in rows}) < len(rows):
        return "equal-queries"
    return None


def _repeats(s: Matrix, cells: Sequence[tuple[int, int]]) -> bool:
    """Are two of these scores equal? Of numbers that are no surds nothing is said."""
    if not isinstance(s, Linear):
        return False
    numbers = [tuple([term[cell] for term in s.terms.values()]) for cell in cells]
    return len(set(numbers)) < len(numbers)


def _form(question: Question) -> bytes:
    """What two variants share that are the same task: without a trace the numbers of the statement, and what is to choose.

    A digest of it: a bank of 10 000 variants remembers 16 bytes of each.
    """
    if question.trace is not None:
        form = canonical_form(question.trace)
    else:
        chosen = tuple(part.form for part in question.parts if not part.entries)
        form = question.case, tuple(sorted(question.facts.items())), chosen
    return blake2b(repr(form).encode(), digest_size=16).digest()


def canonical_form(trace: Trace) -> object:
    """What two variants share that are the same task: K less its column minima, keys with their values in any order, and the
    queries in any order where no mask counts them."""
    inputs = trace.problem.inputs
    if "K" not in inputs or "Q" not in inputs:
        alone = "scores" in inputs and "V" not in inputs  # a row of scores is the same task in any order
        ordered = {name: tuple(tuple(sorted(row)) for row in rows) if alone else rows for name, rows in inputs.items()}
        return tuple(sorted(ordered.items())), trace.problem.settings.scale
    k = inputs["K"]
    shifted = list(zip(*map(_less_minimum, zip(*k, strict=True)), strict=True))
    v = inputs.get("V", ((),) * len(k))
    keys = (
        tuple(sorted(zip(shifted, v, strict=True)))
        if trace.problem.settings.mask == "none"
        else tuple(zip(shifted, v, strict=True))
    )
    queries = inputs["Q"] if trace.problem.settings.mask != "none" else tuple(sorted(inputs["Q"]))
    return keys, queries, trace.problem.settings.scale


def _less_minimum(column: Sequence[str]) -> list[str]:
    """Each number less the least of them, exactly."""
    rationals = [rational(x) for x in column]
    known = [q for q in rationals if q is not None]
    if len(known) == len(column):
        least = min(known)
        return [str(q - least) for q in known]
    values = [Value.of(x) for x in column]
    low = min(values, key=_Ordered)
    return [str(value - low) for value in values]


class _Ordered:
    """An exact number as a key of `min`."""

    def __init__(self, value: object) -> None:
        self.value = value

    def __lt__(self, other: _Ordered) -> bool:
        return bool(self.value < other.value)  # type: ignore[operator]
