"""A question of numbers as a choice: the key among what wrong methods give."""

from __future__ import annotations

from dataclasses import replace

from exactattn.exams.draw import Draw
from exactattn.exams.keys import Refused
from exactattn.exams.model import Choice, Design, Option, Part, Question

OPTIONS = (3, 4)
"""The fewest options and the most: two are a guess, and of five one is rarely taken."""


FEW = "few-options"
"""Why a question is refused that has fewer."""


def offered(question: Question, seed: str) -> Question | Refused:
    """The question with options in place of numbers, all printed differently; Refused where there are too few.

    A part that is no number by its kind stays as it is. Of a design there is one right answer among hasty ones.
    """
    parts: list[Part] = []
    for k, part in enumerate(question.parts):
        if part.form is not None and not isinstance(part.form, Design):
            parts.append(part)
            continue
        made = _options(part, Draw(seed, f"{question.asked.id}\0{k}", question.attempt))
        if isinstance(made, Refused):
            return made
        parts.append(made)
    return replace(question, parts=tuple(parts))


def _options(part: Part, draw: Draw) -> Part | Refused:
    key = Option(tuple(entry.text for entry in part.entries))
    known = {key.texts}
    found: list[Option] = []
    for wrong in draw.shuffled(part.wrongs):
        same = any(wrong.names == option.names for option in found)  # one way of a method is enough
        texts = tuple(wrong.texts)
        if texts not in known and not same and len(found) < OPTIONS[1] - 1:
            known.add(texts)
            found.append(Option(texts, wrong.names))
    options = draw.shuffled([key, *found])
    if len(options) < OPTIONS[0]:
        return Refused(FEW)
    return replace(part, form=Choice(tuple(options), options.index(key)))
