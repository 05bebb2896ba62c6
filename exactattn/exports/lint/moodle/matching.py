"""Rules on matching questions.

Source: question/type/match/questiontype.php and edit_match_form.php of Moodle 4.5.
"""

from __future__ import annotations

from collections.abc import Iterator

from exactattn.exports.lint import alike
from exactattn.exports.lint.finding import MOODLE, Fault, Rule
from exactattn.exports.lint.moodle.file import Question, text_of
from exactattn.exports.lint.tree import Node

QUESTIONS, ANSWERS = 2, 3
"""So many the form for editing wants at least. An answer without a question is there to mislead."""


def _pairs(one: Question) -> Iterator[tuple[Node, str, str]]:
    """Each pair with its two texts. One without any is passed over, as Moodle does."""
    for node in one.node.all("subquestion") if one.type in ("matching", "match") else ():
        stem, answer = text_of(node, "text"), text_of(node, "answer", "text")
        if stem or answer:
            yield node, stem, answer


def matching_few(one: Question) -> Iterator[Fault]:
    """Fewer pairs than the form wants."""
    if one.type not in ("matching", "match"):
        return
    pairs = list(_pairs(one))
    questions = sum(bool(stem) for _, stem, _ in pairs)
    if questions < QUESTIONS or len(pairs) < ANSWERS:
        parts = {"questions": questions, "answers": len(pairs), "least": QUESTIONS, "most": ANSWERS}
        yield Fault(one.node.line, "<subquestion>", dict(parts))


def matching_answer(one: Question) -> Iterator[Fault]:
    """A question without its answer."""
    for node, stem, answer in _pairs(one):
        if not answer:
            yield Fault(node.line, "<subquestion>", {"text": stem[:80]})


def matching_blank(one: Question) -> Iterator[Fault]:
    """A question or an answer that is there and shows nothing."""
    for k, (node, stem, answer) in enumerate(_pairs(one), 1):
        for text in (stem, answer):
            if text and alike.blank(text):
                yield Fault(node.line, "<subquestion>", {"number": k})


RULES: tuple[Rule[Question], ...] = (
    Rule("matching-few", "warning", MOODLE, matching_few),
    Rule("matching-answer", "error", MOODLE, matching_answer),
    Rule("matching-blank", "error", MOODLE, matching_blank),
)
