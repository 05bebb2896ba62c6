"""Rules on gaps within a text, [[1]], which are filled from lists to drop down (gapselect) or by dragging (ddwtos).

A gap names its choice by number; the choices of the same group are what it is filled from. Source: questiontypebase.php of
question/type/gapselect in Moodle 4.5.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from exactattn.exports.lint.finding import MOODLE, Fault, Rule
from exactattn.exports.lint.moodle.file import Question, text_of
from exactattn.exports.lint.tree import Node

_GAP = re.compile(r"\[\[(\d{1,9})\]\]", re.ASCII)
CHOICES = {"gapselect": "selectoption", "ddwtos": "dragbox"}


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice: its element, text and group, and whether it may be dragged into more than one gap."""

    node: Node
    text: str
    group: str
    again: bool


def _choices(one: Question) -> dict[int, Choice]:
    """The choices that are not blank, by number: Moodle drops the others."""
    nodes = one.node.all(CHOICES[one.type])
    each = (
        Choice(node, text_of(node, "text"), text_of(node, "group") or "1", node.first("infinite") is not None)
        for node in nodes
    )
    return {k: choice for k, choice in enumerate(each, 1) if choice.text}


def _gaps(one: Question) -> Counter[int]:
    """The numbers in the gaps, and how often each stands there."""
    return Counter(int(found) for found in _GAP.findall(one.body.own if one.body is not None else ""))


def _old(one: Question) -> bool:
    """Are the choices written in the old way, as serialised objects? They are not looked at."""
    return not one.node.all(CHOICES[one.type]) and bool(one.answers)


def gap_none(one: Question) -> Iterator[Fault]:
    """A text without gaps."""
    if one.type in CHOICES and not _gaps(one):
        yield Fault(one.node.line, "<questiontext>")


def gap_unknown(one: Question) -> Iterator[Fault]:
    """A gap whose number is that of no choice."""
    if one.type in CHOICES and not _old(one):
        known = _choices(one)
        for k in sorted(_gaps(one)):
            if k not in known:
                yield Fault(one.node.line, "<questiontext>", {"gap": f"[[{k}]]", "count": len(known)})


def gap_once(one: Question) -> Iterator[Fault]:
    """Two gaps for one choice that may be dragged only once."""
    if one.type == "ddwtos" and not _old(one):
        known = _choices(one)
        for k, times in sorted(_gaps(one).items()):
            if times > 1 and k in known and not known[k].again:
                yield Fault(known[k].node.line, "<dragbox>", {"gap": f"[[{k}]]", "count": times})


def group_unused(one: Question) -> Iterator[Fault]:
    """A group that no gap is filled from. A choice that is in no gap but of a gap's group is there to mislead."""
    if one.type in CHOICES and not _old(one) and _gaps(one):
        known = _choices(one)
        used = {known[k].group for k in _gaps(one) if k in known}
        first = {choice.group: choice for choice in reversed(known.values())}
        for group, choice in sorted(first.items()):
            if used and group not in used:
                yield Fault(choice.node.line, choice.node.tag, {"group": group, "text": choice.text[:80]})


RULES: tuple[Rule[Question], ...] = (
    Rule("gap-none", "error", MOODLE, gap_none),
    Rule("gap-unknown", "error", MOODLE, gap_unknown),
    Rule("gap-once", "error", MOODLE, gap_once),
    Rule("group-unused", "warning", MOODLE, group_unused),
)
