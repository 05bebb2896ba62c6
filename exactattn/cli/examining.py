"""`exactattn exam`: papers with their keys from a spec, and the kinds of questions there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from exactattn.cli.console import put, put_error
from exactattn.cli.progress import progress
from exactattn.errors import OptionError
from exactattn.i18n import messages

if TYPE_CHECKING:
    from exactattn.exams.kinds import Kind


@click.command("exam")
@click.argument("spec", required=False)
@click.option(
    "-o", "--output", "output", metavar="DIR", help="The folder: DIR/students and DIR/teacher are made in it."
)
@click.option(
    "--variants",
    type=int,
    metavar="N",
    help="So many papers, each with numbers of its own.  [default: 1, or as many as DIR holds]",
)
@click.option(
    "--roster",
    metavar="FILE",
    help="A paper for each student of a table: one id or name a line, or a column called id, student, ...",
)
@click.option("--seed", metavar="N", help="What all numbers follow from; by default the spec's, or a random one.")
@click.option("--lang", metavar="zh|en", help="The language of the papers; by default the spec's.")
@click.option("--paper", type=click.Choice(["a4", "letter"]), help="What is printed on; by default the spec's.")
@click.option("--format", "formats", multiple=True, metavar="FORMAT",
              help="pdf, tex, html, md; for the teacher csv, json, and for learning systems moodle, canvas, qti, qti3, anki, "
                   "selfcheck. Commas between several.  [default: pdf]")  # fmt: skip
@click.option("--maths", type=click.Choice(["mathml", "tex"]),
              help="How Moodle and Canvas get formulas.  [default: what each shows best]")  # fmt: skip
@click.option("--worked", type=click.Choice(["full", "none"]), default="full", show_default=True,
              help="Whether the worked solution goes with each question of a learning system.")  # fmt: skip
@click.option(
    "--jobs", type=int, default=1, metavar="N", show_default=True, help="So many processes; the files are the same."
)
@click.option("--kinds", is_flag=True, help="Show the kinds of questions, and stop.")
def exam_command(
    spec: str | None,
    output: str | None,
    variants: int | None,
    roster: str | None,
    seed: str | None,
    lang: str | None,
    paper: Literal["a4", "letter"] | None,
    formats: tuple[str, ...],
    maths: Literal["mathml", "tex"] | None,
    worked: Literal["full", "none"],
    jobs: int,
    kinds: bool,
) -> None:
    """Make the papers of SPEC with keys, tolerances and worked solutions.

    SPEC is a bundled name or the path of a TOML file. Every variant is drawn until it tells right from wrong. Papers go to
    DIR/students; keys, solutions, the seed and the roster to DIR/teacher. With a roster that has grown, or more variants, the
    same command adds papers, and none is taken away; after a run that was stopped, it finishes the rest.

    \b
    exactattn exam quiz -o quiz --variants 30 --seed 7
    exactattn exam midterm.toml -o midterm --roster students.csv --format pdf,html
    exactattn exam quiz -o online --variants 200 --format moodle
    exactattn exam --kinds
    """
    if lang is not None:
        messages(lang)
    if kinds:
        put("\n".join(_kinds(lang or "en")) + "\n")
        return
    if spec is None or output is None:
        raise OptionError("exam needs a spec and -o DIR: exactattn exam quiz -o quiz (or --kinds)")
    from exactattn.exams import exam as made
    from exactattn.exams import roster as rosters
    from exactattn.exams.spec import load
    from exactattn.exams.write import kept
    from exactattn.exports.formats import checked, export

    named = [name.strip() for text in formats or ("pdf",) for name in text.split(",") if name.strip()]
    if not named:
        raise OptionError("--format names none: pdf, moodle or another was due")
    wanted = checked(named)
    out = Path(output)
    asked = load(spec)
    students: Sequence[str] | None = None if roster is None else rosters.read(roster)
    before = kept(out)
    if before is not None:
        # the same exam goes on: its random seed, and the places of those who have a paper
        seed = seed if seed is not None else asked.seed or before.seed
        if students is None and variants is None:
            students, variants = (before.students, None) if before.named else (None, len(before.students))
        elif students is not None and before.named:
            students = rosters.joined(before.students, students)
    with progress(_STAGES) as shown:
        one = made.exam(asked, seed, variants, students)
        found = export(one, out, wanted, lang=lang, paper=paper, maths=maths, worked=worked, jobs=jobs, progress=shown)
    for sentence in found.lost:
        put_error(sentence)
    where = "papers in students, keys and solutions in teacher"
    if not any(path.parent == out / "students" for path in found.files):
        where = "all of them in teacher"
    put(f"{len(found.files)} files in {output}: {where}\n")
    if found.report.least is not None:
        margin, number, id = found.report.least
        put(f"wrong methods stay {margin} units of the last place away or more (question {id}, paper {number})\n")


_STAGES = {
    "draw": "drawing variants",
    "write": "writing papers",
    "typeset": "setting pages",
    "export": "writing questions",
}


def _kinds(lang: str) -> Iterator[str]:
    """What there is to know of each kind, a few lines each."""
    from exactattn.document import plain
    from exactattn.exams.kinds import kinds, words_key
    from exactattn.exams.model import Asked
    from exactattn.exams.places import task
    from exactattn.exams.select import variants

    words = messages(lang)
    for kind in kinds().values():
        names = kind.misconceptions
        told = [words.text("exam.kinds.all")] if names is None else list(names)
        told += [one.name for one in kind.own(Asked(kind.id, kind.id))]
        told += [name for name in kind.beside if name not in told]
        yield f"{kind.id}  {kind.name}: {words.text(f'exam.kind.{kind.name}.name')}"
        example = next(variants(Asked("example", kind.id), "example"))
        yield f"     {words.text(words_key(example, 'statement', words), **example.facts)}"
        yield from (f"     {plain(task(example, k, words))}" for k in range(len(example.parts)))
        rows = {
            "asks": ", ".join(kind.asks),
            "answers": ", ".join(_answers(kind)),
            "sizes": ", ".join(f"{name} = {size}" for name, size in kind.size.items()),
            "parameters": ", ".join(
                f"{name} = {_toml(value)}" + (f" ({', '.join(kind.choices[name])})" if name in kind.choices else "")
                for name, value in kind.parameters.items()
            ),
            "mistakes": ", ".join(told),
        }
        yield from (f"     {words.text(f'exam.kinds.{row}')}: {text}" for row, text in rows.items() if text)


def _answers(kind: Kind) -> Iterator[str]:
    """The forms of answers, each with what is asked in it where that is not what is asked in the first: "choice (scaled)"."""
    from exactattn.exams.model import Asked
    from exactattn.exams.select import variants

    usual = None
    for form in kind.answered:
        parts = next(variants(Asked("example", kind.id, answer=form), "example")).parts
        asks = list(dict.fromkeys(part.ask for part in parts))
        usual = usual or asks
        yield form if asks == usual else f"{form} ({', '.join(asks)})"


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')
