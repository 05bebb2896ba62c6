"""An exam: a spec with a seed, and the papers that follow from them.

>>> made = exam("quiz", seed=7, variants=2)
>>> made.papers[1].questions[0].parts[0].ask
'scores'
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from exactattn.errors import OptionError
from exactattn.exams import roster as rosters
from exactattn.exams.model import Paper
from exactattn.exams.papers import Papers
from exactattn.exams.roster import MOST_PAPERS
from exactattn.exams.spec import Spec, load
from exactattn.writers.html import Sheet


@dataclass(frozen=True, slots=True)
class Exam:
    """The papers of a spec. `seed` is what every number follows from: who has it has the key."""

    spec: Spec
    seed: str
    papers: Sequence[Paper]
    """One for each student: a sequence that draws a paper when it is looked at."""

    def write(
        self,
        out: str | PathLike[str],
        formats: Sequence[str] = ("pdf",),
        *,
        lang: str | None = None,
        paper: Sheet | None = None,
        jobs: int = 1,
        progress: Callable[[str, int, int], None] | None = None,
    ) -> list[Path]:
        """Write the papers into out/students, and keys, solutions, a report, spec and seed into out/teacher; the files written.

        `paper` is "a4" or "letter", by default the spec's. With `jobs` processes the bytes are the same; a script that asks for
        several needs `if __name__ == "__main__":` round what it does, as Python's multiprocessing does. `progress` is told
        what is done, how much of it, and out of how much. A run that was killed is finished by the same call.
        Errors: OptionError for an unknown format, FileError where it cannot be written, another run is writing, or `out`
        holds another exam or more papers than these; NoVariants, before anything is written; MissingProgram for "pdf" without
        TeX.
        """
        from exactattn.exams.write import write

        return write(self, Path(out), formats, lang or self.spec.lang, paper or self.spec.paper, jobs, progress).files


def exam(
    spec: str | PathLike[str] | Spec,
    seed: int | str | None = None,
    variants: int | None = None,
    roster: str | PathLike[str] | Sequence[str] | None = None,
) -> Exam:
    """The exam of a spec: a bundled name, the path of a TOML file, or a Spec.

    The k-th paper has the k-th kept variant of every question (k of a roster's order). `seed` goes before the spec's; without
    either it is drawn, 128 bits. Papers are drawn when they are looked at, or written. Errors: FileError, CaseError,
    OptionError; NoVariants when a paper is drawn.
    """
    asked = load(spec)
    if seed == "":
        raise OptionError("the seed is empty: a whole number or a text was due")
    chosen = str(seed) if seed is not None else asked.seed or secrets.token_hex(16)
    return Exam(asked, chosen, Papers(asked, chosen, _students(variants, roster)))


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
