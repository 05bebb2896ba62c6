"""The papers of an exam, drawn when they are looked at. What is remembered of a paper is which attempts were kept: whole numbers.

Attempts follow from the seed, the question's id and their number alone (`draw`), so a paper seen before is worked again from
its attempts, and a process of its own can work any paper without drawing those before it.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import overload

from exactattn.exams import tolerance
from exactattn.exams.keys import Refused
from exactattn.exams.kinds import find
from exactattn.exams.model import Asked, Paper, Question
from exactattn.exams.select import NoVariants, tried, variants
from exactattn.exams.spec import Spec

MOST_UNFIT = 100
"""Variants in a row that a stated tolerance does not suit, after which it is said to suit none."""


class Papers(Sequence[Paper]):
    """The papers in order, one for each student. Iterating keeps none of them.

    Errors: NoVariants where a question has not as many variants as the papers up to the one looked at need.
    """

    def __init__(self, spec: Spec, seed: str, students: Sequence[str]) -> None:
        self._spec = spec
        self._seed = seed
        self.students = tuple(students)
        self.attempts = tuple(array("L") for _ in spec.questions)
        """Of each question of the spec: the attempts kept so far, those of the first paper first."""
        self._streams: list[Iterator[Question]] = [fitting(asked, seed) for asked in spec.questions]
        self._fresh: dict[tuple[int, int], Question] = {}
        self._ended: NoVariants | None = None

    def __len__(self) -> int:
        return len(self.students)

    def __iter__(self) -> Iterator[Paper]:
        return map(self._paper, range(len(self)))

    @overload
    def __getitem__(self, index: int) -> Paper: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Paper, ...]: ...
    def __getitem__(self, index: int | slice) -> Paper | tuple[Paper, ...]:
        if isinstance(index, slice):
            return tuple(map(self._paper, range(*index.indices(len(self)))))
        return self._paper(range(len(self))[index])

    def _paper(self, k: int) -> Paper:
        recipe = self.recipe(k)
        return worked(self._spec, self._seed, k + 1, self.students[k], recipe, self._fresh)

    def recipe(self, k: int) -> tuple[tuple[int, ...], ...]:
        """The attempts that make up the paper at position k, question by question; drawn as far as that."""
        if self._ended is not None and any(len(kept) < (k + 1) * one.count for kept, one in self._kept()):
            raise self._ended
        self._fresh.clear()
        for i, (kept, asked) in enumerate(self._kept()):
            while len(kept) < (k + 1) * asked.count:
                try:
                    question = next(self._streams[i])
                except NoVariants as error:
                    self._ended = error
                    raise
                kept.append(question.attempt)
                if len(kept) > k * asked.count:
                    self._fresh[i, question.attempt] = question
        return tuple(tuple(kept[k * asked.count : (k + 1) * asked.count]) for kept, asked in self._kept())

    def remember(self, id: str, attempts: Sequence[int]) -> None:
        """Take over what was drawn elsewhere of the question with this id: its first attempts that are kept."""
        for k, (kept, asked) in enumerate(self._kept()):
            if asked.id == id:
                kept[:] = array("L", attempts)
                self._streams[k] = islice(fitting(asked, self._seed), len(attempts), None)

    def _kept(self) -> Iterator[tuple[array[int], Asked]]:
        return zip(self.attempts, self._spec.questions, strict=True)


class Watched(Sequence[Paper]):
    """Papers, each of which is looked at before it is handed on."""

    def __init__(self, papers: Sequence[Paper], look: Callable[[Paper], None]) -> None:
        self._papers = papers
        self._look = look

    def __len__(self) -> int:
        return len(self._papers)

    def __iter__(self) -> Iterator[Paper]:
        return map(self._looked_at, self._papers)

    @overload
    def __getitem__(self, index: int) -> Paper: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Paper, ...]: ...
    def __getitem__(self, index: int | slice) -> Paper | tuple[Paper, ...]:
        found = self._papers[index]
        return self._looked_at(found) if isinstance(found, Paper) else tuple(map(self._looked_at, found))

    def _looked_at(self, paper: Paper) -> Paper:
        self._look(paper)
        return paper


def worked(
    spec: Spec,
    seed: str,
    number: int,
    student: str,
    recipe: Sequence[Sequence[int]],
    fresh: MutableMapping[tuple[int, int], Question] | None = None,
) -> Paper:
    """The paper that these attempts make up. With count = c it has the next c of a question, numbered from 1.

    Questions in `fresh` (by their place in the spec and their attempt) are taken out of it and not worked again.
    """
    ready: MutableMapping[tuple[int, int], Question] = {} if fresh is None else fresh
    questions = [
        replace(
            ready.pop((i, attempt)) if (i, attempt) in ready else _question(spec.questions[i], seed, attempt), number=j
        )
        for i, attempts in enumerate(recipe)
        for j, attempt in enumerate(attempts, 1)
    ]
    return Paper(number, student, tuple(questions))


def _question(asked: Asked, seed: str, attempt: int) -> Question:
    found = tried(find(asked.kind), asked, seed, attempt)
    fitted = found if isinstance(found, Refused) else tolerance.stated(found)
    if not isinstance(fitted, Question):
        raise ValueError(f"attempt {attempt} at question {asked.id!r} was never kept")
    return fitted


def fitting(asked: Asked, seed: str) -> Iterator[Question]:
    """The kept variants that the spec's own tolerance suits: it accepts every honest answer, and no wrong one."""
    unfit: Counter[tolerance.Unfit] = Counter()
    for question in variants(asked, seed):
        stated = tolerance.stated(question)
        if isinstance(stated, Question):
            unfit.clear()
            yield stated
            continue
        unfit[stated] += 1
        if unfit.total() >= MOST_UNFIT:
            ((why, _),) = unfit.most_common(1)
            raise NoVariants(
                "question {id!r}: the tolerance {stated} {why} in {count} variants one after the other: {due}",
                id=asked.id, stated=asked.tolerance, why=why, count=MOST_UNFIT, due=tolerance.DUE[why],
            )  # fmt: skip
