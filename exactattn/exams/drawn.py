"""A digest of each paper that was handed out, so that nobody is marked against another one.

Papers follow from the spec and the seed, and from how this program draws: a later version may keep other variants.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path

from exactattn.errors import FileError
from exactattn.exams.model import Choice, Form, Order, Paper

DRAWN = "drawn.txt"
"""A line for each paper, among the teacher's files."""


def digest(paper: Paper) -> str:
    """16 hexadecimal digits that follow from what a student is given: the numbers, the options and their order, the key."""
    given = [
        (
            question.asked.id,
            question.case,
            sorted(question.facts.items()),
            () if question.trace is None else sorted(question.trace.problem.inputs.items()),
            [_offered(part.form) for part in question.parts],
            question.key,
        )
        for question in paper.questions
    ]
    return blake2b(repr(given).encode(), digest_size=8).hexdigest()


def _offered(form: Form | None) -> object:
    match form:
        case Choice(options=options):
            return [(option.texts, option.key) for option in options]
        case Order(items=items):
            return items
        case _:
            return ()


def compare(out: Path, number: int, before: Sequence[str], now: str) -> None:
    """Raise FileError where the paper of this number, from 1, is another than the one in the folder."""
    if number <= len(before) and before[number - 1] != now:
        raise FileError(
            "{out} holds papers of another version of exactattn, which this one draws otherwise (paper {number}): go on with "
            "that version, or name another folder",
            out=str(out), number=number,
        )  # fmt: skip
