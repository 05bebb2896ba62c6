"""An exam: a spec with a seed, and the papers that follow from them.

>>> made = exam("quiz", seed=7, variants=2)
>>> made.papers[1].questions[0].parts[0].ask
'scores'
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from os import PathLike
from pathlib import Path

from exactattn.errors import OptionError
from exactattn.exams import roster as rosters
from exactattn.exams import tolerance
from exactattn.exams.model import Asked, Paper, Question
from exactattn.exams.select import NoVariants, variants
from exactattn.exams.spec import Spec, load

MOST_PAPERS = 10_000
MOST_UNFIT = 100
"""Variants in a row that a stated tolerance does not suit, after which it is said to suit none."""


@dataclass(frozen=True, slots=True)
class Exam:
    """The papers of a spec. `seed` is what every number follows from: who has it has the key."""

    spec: Spec
    seed: str
    papers: tuple[Paper, ...]

    def write(
        self, out: str | PathLike[str], formats: Sequence[str] = ("pdf",), *, lang: str | None = None
    ) -> list[Path]:
        """Write the papers into out/students, and keys, solutions, spec and seed into out/teacher; the files written.

        Errors: OptionError for an unknown format, FileError where it cannot be written or `out` holds another exam,
        MissingProgram for "pdf" without TeX.
        """
        from exactattn.exams.write import write

        return write(self, Path(out), formats, lang or self.spec.lang)


def exam(
    spec: str | PathLike[str] | Spec,
    seed: int | str | None = None,
    variants: int | None = None,
    roster: str | PathLike[str] | Sequence[str] | None = None,
) -> Exam:
    """The exam of a spec: a bundled name, the path of a TOML file, or a Spec.

    The k-th paper has the k-th kept variant of every question (k of a roster's order). `seed` goes before the spec's; without
    either it is drawn, 128 bits. Errors: FileError, CaseError, OptionError, NoVariants.
    """
    asked = load(spec)
    chosen = str(seed) if seed is not None else asked.seed or secrets.token_hex(16)
    students = _students(variants, roster)
    columns = [_kept(one, chosen, len(students)) for one in asked.questions]
    papers = (
        Paper(k, student, tuple(question for column in columns for question in column[k - 1]))
        for k, student in enumerate(students, 1)
    )
    return Exam(asked, chosen, tuple(papers))


def _students(count: int | None, roster: str | PathLike[str] | Sequence[str] | None) -> tuple[str, ...]:
    if roster is None:
        number = 1 if count is None else count
        if not 1 <= number <= MOST_PAPERS:
            raise OptionError("variants is {number}: 1 to {most} were due", number=number, most=MOST_PAPERS)
        return ("",) * number
    if count is not None:
        raise OptionError("variants and a roster were given: the roster says how many papers there are")
    students = rosters.read(roster) if isinstance(roster, str | PathLike) else rosters.checked(roster)
    if len(students) > MOST_PAPERS:
        raise OptionError("the roster names {count} students: {most} at most", count=len(students), most=MOST_PAPERS)
    return students


def _kept(asked: Asked, seed: str, papers: int) -> list[tuple[Question, ...]]:
    """The variants of one question by paper: with count = c the k-th paper has the next c, numbered from 1."""
    found = _fitting(asked, seed)
    out = []
    for _ in range(papers):
        own = islice(found, asked.count)
        out.append(tuple(replace(question, number=j) for j, question in enumerate(own, 1)))
    return out


def _fitting(asked: Asked, seed: str) -> Iterator[Question]:
    """The kept variants that the spec's own tolerance suits: it accepts every honest answer, and no wrong one."""
    unfit: Counter[str] = Counter()
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
                "question {id!r}: the tolerance {stated} {why} in {count} variants one after the other: state {other}, or "
                '"derived"',
                id=asked.id, stated=asked.tolerance, why=why, count=MOST_UNFIT,
                other="more" if why == "refuses honest answers" else "less",
            )  # fmt: skip
