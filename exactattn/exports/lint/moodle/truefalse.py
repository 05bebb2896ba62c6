"""Rules on questions of true or false, as the importer takes them: by the words of the answers, else by their order.

Source: import_truefalse of question/format/xml/format.php in Moodle 4.5.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from exactattn.exports.lint.finding import MOODLE, Fault, Rule
from exactattn.exports.lint.lexical import number
from exactattn.exports.lint.moodle.file import Question, text_of

WORDS = ("true", "false")


def taken(one: Question) -> list[str]:
    """What each answer is taken for: a word of its own, else the first for true and every other for false."""
    texts = [text_of(answer, "text") for answer in one.answers]
    return [text if text in WORDS else WORDS[min(k, 1)] for k, text in enumerate(texts)]


def truefalse_words(one: Question) -> Iterator[Fault]:
    """An answer in another word."""
    for answer, word in zip(one.answers, taken(one), strict=True) if one.type == "truefalse" else ():
        text = text_of(answer, "text")
        if text != word:
            yield Fault(answer.line, "<answer>", {"text": text, "word": word})


def truefalse_answers(one: Question) -> Iterator[Fault]:
    """Anything but one answer for true and one for false, of which one earns 100 and the other 0."""
    if one.type != "truefalse":
        return
    shares = [number(answer.get("fraction", "0")) for answer in one.answers]
    words = taken(one)
    if sorted(words) != sorted(WORDS) or {*shares} != {Fraction(0), Fraction(100)}:
        found = ", ".join(
            f"{word} {answer.get('fraction', '0')}" for word, answer in zip(words, one.answers, strict=True)
        )
        yield Fault(one.node.line, "<answer>", {"found": found or "–"})


RULES: tuple[Rule[Question], ...] = (
    Rule("truefalse-words", "warning", MOODLE, truefalse_words),
    Rule("truefalse-answers", "error", MOODLE, truefalse_answers),
)
"""The words are a warning: old exports have them in the language of the site, and the order mostly is true, false."""
