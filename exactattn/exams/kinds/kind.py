"""A question kind: what it draws, what it may ask, when a draw is degenerate. One file each; its words are in i18n.

The words of a kind are [exam.kind.<name>]: `name`, `statement` with holes for the question's `facts` (what all kinds have in
common, as rounding and what rows are, is said beside it), and for a kind of questions without a trace `asks.<ask>` and
`solution`. A question without a trace has parts whose entries have no place; its `facts` are its numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from exactattn.errors import OptionError, nearest
from exactattn.exams.draw import Draw
from exactattn.exams.kinds.direct import Direct
from exactattn.exams.model import Answer, Asked
from exactattn.misconceptions import Misconception
from exactattn.trace import Trace

Given = dict[str, Any]
"""Arguments of `attend`."""

LEAST: Mapping[str, int] = MappingProxyType({"m": 2, "d_k": 2, "heads": 2})
"""The least sizes: of one key there is nothing to weigh, √1 scales nothing, and one head is not split."""

MOST_DRAWS = 2_000
"""Draws in one attempt without numbers that fit, after which it is said that none do."""


@dataclass(frozen=True, slots=True)
class Kind:
    """`id` is that of the field's catalogue (K04), `name` its key for words ("full-attention").

    `draw` gives the arguments of `attend` for one attempt, or a question without a trace. `asks` is what it may ask, `default`
    what it does where nothing is chosen, and `choosing` that for answer = "choice" where the default has too few wrong methods
    for one; `forms` says how those asks are answered that are not answered by numbers. `rows` says which rows are asked;
    `degenerate` names what makes a trace useless.
    `size` and `parameters` are the dials with their defaults, `choices` what a parameter may be where it is one of a few names.
    `misconceptions` are the catalogue rows in scope (None: all that
    run), `own` those that only this kind has, and `beside` names what only some of its dials can see; a kind without a trace
    names all mistakes that it makes itself. `facts` are the numbers that the statement has holes for.
    """

    id: str
    name: str
    draw: Callable[[Draw, Asked], Given | Direct]
    asks: tuple[str, ...]
    answers: tuple[Answer, ...] = ("row", "matrix", "number")
    default: tuple[str, ...] = ()
    choosing: tuple[str, ...] = ()
    forms: Mapping[str, Answer] = field(default_factory=dict)
    rows: Callable[[Trace, Asked], Sequence[int]] = field(default=lambda trace, asked: chosen_rows(trace, asked))
    degenerate: Callable[[Trace, Asked], str | None] = field(default=lambda trace, asked: None)
    size: Mapping[str, int] = field(default_factory=dict)
    parameters: Mapping[str, Any] = field(default_factory=dict)
    choices: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    misconceptions: tuple[str, ...] | None = None
    own: Callable[[Asked], tuple[Misconception, ...]] = field(default=lambda asked: ())
    beside: tuple[str, ...] = ()
    facts: Callable[[Trace, Asked], Mapping[str, str]] = field(default=lambda trace, asked: {})

    @property
    def answered(self) -> tuple[Answer, ...]:
        """All forms of answers: numbers may also be chosen among those of wrong methods, where these are enough."""
        numeric = {"number", "row", "matrix"} & set(self.answers)
        return (*self.answers, "choice") if numeric and "choice" not in self.answers else self.answers

    def asked_of(self, asked: Asked) -> tuple[str, ...]:
        """What is asked: what the question says, else the default for its form of answer."""
        return asked.ask or (self.choosing if asked.answer == "choice" and self.choosing else self.default)

    def takes(self, ask: str, answer: Answer) -> bool:
        """Can this be answered so? Numbers in every form of numbers and as a choice, all else in its own form."""
        return self.forms[ask] == answer if ask in self.forms else answer not in ("order", "text")

    def sized(self, asked: Asked, name: str, least: int = 1) -> int:
        """A size as asked for, else the kind's own. By hand keys are 4 wide, which makes √d_k whole.

        Raises OptionError for a size that hides what is asked (see LEAST), or is below `least`.
        """
        if name == "d_k" and asked.numbers == "by-hand":
            return 4
        size = int(asked.size.get(name, self.size[name]))
        least = max(least, LEAST.get(name, 1))
        if size < least:
            raise OptionError(
                "question {id!r}: {name} is {size}, which hides mistakes: {least} or more were due",
                id=asked.id, name=name, size=size, least=least,
            )  # fmt: skip
        return size

    def counted(self, asked: Asked, name: str) -> int:
        """A parameter that is a whole number from 0 up; OptionError for anything else."""
        text = str(self.chosen(asked, name))
        if not (text.isascii() and text.isdigit()):
            raise OptionError(
                "question {id!r}: {name} is {text!r}: a whole number from 0 up was due",
                id=asked.id,
                name=name,
                text=text,
            )
        return int(text)

    def switched(self, asked: Asked, name: str) -> bool:
        """A parameter that is true or false; OptionError for anything else: "no" is a text, which Python takes for true."""
        value = self.chosen(asked, name)
        if not isinstance(value, bool):
            raise OptionError(
                "question {id!r}: {name} is {value!r}: true or false was due", id=asked.id, name=name, value=value
            )
        return value

    def picked(self, asked: Asked, name: str) -> str:
        """A parameter that is one of a few names; OptionError for anything else, with a near one."""
        text, known = str(self.chosen(asked, name)), self.choices[name]
        if text not in known:
            raise OptionError(
                "question {id!r}: {name} {text!r} is not one of {known}{hint}",
                id=asked.id, name=name, text=text, known=", ".join(known), hint=nearest(text, known),
            )  # fmt: skip
        return text

    def chosen(self, asked: Asked, name: str) -> Any:
        """A parameter as asked for, else the kind's own."""
        return asked.parameters.get(name, self.parameters[name])


def chosen_rows(
    trace: Trace, asked: Asked, seeing: Sequence[int] | None = None, best: int | None = None
) -> Sequence[int]:
    """The rows asked: the one row that is chosen, all of those that are `seeing` (all there are) for a matrix, else the best.

    Raises OptionError for a row that is not there, and for one that tells nothing apart.
    """
    every = range(len(trace.problem.tokens))
    good = every if seeing is None else seeing
    if not good:
        raise OptionError("question {id!r}: with these sizes no row tells right from wrong", id=asked.id)
    if asked.row is not None:
        if asked.row - 1 not in good:
            raise OptionError(
                "question {id!r} asks row {row}: with these sizes {rows} can be asked",
                id=asked.id, row=asked.row, rows=", ".join(str(i + 1) for i in good),
            )  # fmt: skip
        return (asked.row - 1,)
    if asked.answer == "matrix":
        return good
    return (good[0] if best is None else best,)


def draws(asked: Asked) -> Iterator[int]:
    """Counts draws within one attempt: OptionError after many, of which none fitted."""
    yield from range(MOST_DRAWS)
    raise OptionError(
        "question {id!r}: no numbers fit these sizes and parameters in {count} draws: other sizes were due",
        id=asked.id, count=MOST_DRAWS,
    )  # fmt: skip


def labels(letter: str, count: int) -> list[str]:
    """Names of tokens: a letter and their number.

    >>> labels("t", 3)
    ['t1', 't2', 't3']
    """
    return [f"{letter}{k}" for k in range(1, count + 1)]
