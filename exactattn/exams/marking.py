"""Marking one question, in exact rationals: entries right, a wrong method recognised, what follows from an earlier slip.

A question's points are shared by its asked entries. Of a part, the highest counts: its right entries; right entries and
those that follow from the student's own wrong earlier values, at `follow_through`; the planned credit of a wrong method that
gives every asked entry. A method whose slip is itself an asked part, answered wrong, is credited there and followed after.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, TypeAlias

from exactattn.exams.answers import Decimal, Typed, Unread, number
from exactattn.exams.follow import Judged, follow
from exactattn.exams.forms import Judgement, judge
from exactattn.exams.model import Part, Question
from exactattn.i18n import Messages, messages
from exactattn.misconceptions import CATALOGUE

Verdict: TypeAlias = Literal[
    "right", "partly", "misconception", "follow-through", "wrong", "missing", "not-read", "by-hand"
]
"""`not-read` is given by `grade`, where something was handed in that cannot be put to the part."""
VERDICTS: tuple[Verdict, ...] = (
    "right", "follow-through", "partly", "misconception", "wrong", "missing", "not-read", "by-hand",
)  # fmt: skip

Answers: TypeAlias = Sequence[Sequence[str | None]]
"""What was handed in: for each part, for each place to fill; None where nothing was."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A sentence of `marking.detail` with its parts."""

    key: str
    parts: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """The mark of one part: the points there are and those awarded, the verdict, the wrong methods it comes from."""

    part: Part
    points: Fraction
    awarded: Fraction
    verdict: Verdict
    misconceptions: tuple[str, ...]
    remarks: tuple[Remark, ...]

    def detail(self, lang: str) -> str:
        """What is said of it, in a language."""
        words = messages(lang)
        said = []
        for remark in self.remarks:
            parts = dict(remark.parts)
            if "why" in parts:
                parts["why"] = words.text(f"marking.refused.{parts['why']}")
            if "problem" in parts:
                parts["reason"] = words.text(f"marking.problem.{parts['problem']}", **parts)
            said.append(words.text(f"marking.detail.{remark.key}", **parts))
        said += [_said(words, name) for name in self.misconceptions]
        return words.text("marking.detail.then").join(said)


def _said(words: Messages, name: str) -> str:
    """What a wrong method did, as a clause; the name of a mistake that has no words of its own."""
    key, known = f"misconception.{name}.said", words.keys()
    return words.text(key) if key in known else name


_STEPS = {row.name: row.step for row in CATALOGUE}


def mark(question: Question, answers: Answers, decimal: Decimal = ".") -> tuple[Mark, ...]:
    """The mark of every part. `answers` has a text (or None) for each place to fill of each part, in their order.

    Raises ValueError where the answers are not as many as the places.
    """
    read = [
        [None] * len(part.entries) if part.form is not None
        else [None if text is None else number(text, decimal, part.ask) for text in given]
        for part, given in zip(question.parts, answers, strict=True)
    ]  # fmt: skip
    values = [[one if isinstance(one, Typed) else None for one in given] for given in read]
    right = [
        [one is not None and entry.accepts(one.value) for entry, one in zip(part.entries, given, strict=True)]
        for part, given in zip(question.parts, values, strict=True)
    ]
    names = [_methods(part, given) for part, given in zip(question.parts, values, strict=True)]
    wrong = [
        any(one is not None for one in given) and not all(flags) for given, flags in zip(values, right, strict=True)
    ]
    out = []
    for k, part in enumerate(question.parts):
        points = question.points_of(part)
        if part.form is not None:
            if len(answers[k]) != part.places_to_fill:
                raise ValueError(f"{part.id}: {len(answers[k])} answers came, {part.places_to_fill} were due")
            out.append(_of_form(question, part, points, judge(part, answers[k], decimal)))
            continue
        followed: list[Judged] = ["none"] * len(right[k]) if all(right[k]) else follow(question, k, values)
        if set(names[k]) & {name for j in range(k) if wrong[j] for name in names[j]}:
            # the same wrong method gives the earlier part and this one: the slip was made there, whatever was carried
            followed = ["follows" if how in ("strays", "by-hand") else how for how in followed]
        before = {p.ask for j, p in enumerate(question.parts) if j != k and wrong[j]}
        out.append(_marked(question, part, points, read[k], right[k], followed, names[k], before))
    return tuple(out)


def _of_form(question: Question, part: Part, points: Fraction, found: Judgement) -> Mark:
    """The mark of a choice, an order, a text or a design. A wrong method's planned credit goes before nothing."""
    if not found.given:
        return Mark(part, points, Fraction(0), "missing", (), ())
    if found.share is None:
        return Mark(part, points, Fraction(0), "by-hand", (), (Remark("text"),))
    remarks = tuple(
        Remark("refused", (("entry", label or part.id), ("text", one.text), ("why", one.why)))
        for label, one in found.unread
    )
    credit = question.credit_of(found.names)
    verdict: Verdict = (
        "right" if found.share == 1
        else "misconception" if found.names
        else "partly" if found.share
        else "wrong"
    )  # fmt: skip
    return Mark(part, points, points * max(found.share, credit), verdict, found.names, remarks)


def _methods(part: Part, given: Sequence[Typed | None]) -> tuple[str, ...]:
    """The wrong methods that give every entry: all of them, where it may be one or another."""
    values = [None if one is None else one.value for one in given]
    return tuple(dict.fromkeys(name for one in part.wrongs if one.explains(values) for name in one.names))


def _marked(
    question: Question,
    part: Part,
    points: Fraction,
    read: Sequence[Typed | Unread | None],
    right: Sequence[bool],
    followed: Sequence[Judged],
    names: tuple[str, ...],
    wrong_before: set[str],
) -> Mark:
    count, rights = len(right), sum(right)
    follows = sum(1 for flag, how in zip(right, followed, strict=True) if not flag and how == "follows")
    by_hand = sum(1 for flag, how in zip(right, followed, strict=True) if not flag and how == "by-hand")
    each = points / count if count else points
    by_entries = each * rights
    by_following = by_entries + each * follows * question.asked.follow_through
    by_method = Fraction(0)
    if names and not any(_STEPS.get(name) in wrong_before for name in names):
        by_method = points * question.credit_of(names)
    awarded = max(by_entries, by_following, by_method)
    remarks = [Remark("entries", (("right", str(rights)), ("count", str(count))))] if rights < count else []
    if follows:
        remarks.append(Remark("follows", (("count", str(follows)),)))
    if by_hand:
        remarks.append(Remark("by-hand", (("count", str(by_hand)),)))
    if any(how == "guarded" for how in followed):
        remarks.append(Remark("guarded"))
    for entry, one in zip(part.entries, read, strict=True):
        if isinstance(one, Unread) and one.why != "empty":
            remarks.append(Remark("refused", (("entry", entry.label), ("text", one.text), ("why", one.why))))
    verdict: Verdict
    if rights == count:
        verdict = "right"
    elif all(one is None or (isinstance(one, Unread) and one.why == "empty") for one in read):
        verdict, remarks = "missing", []
    elif follows and by_following >= by_method:
        verdict = "by-hand" if by_hand else "follow-through"
    elif names:
        verdict = "misconception"
    elif by_hand:
        verdict = "by-hand"
    else:
        verdict = "partly" if rights else "wrong"
    return Mark(part, points, awarded, verdict, names, tuple(remarks))
