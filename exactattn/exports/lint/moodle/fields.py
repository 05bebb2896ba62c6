"""Rules on the fields of a cloze question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from exactattn.exports.lint import alike
from exactattn.exports.lint.cloze import DROP_DOWNS, TYPES, Field, fields, not_taken
from exactattn.exports.lint.finding import MOODLE, Fault, Rule
from exactattn.exports.lint.intervals import Conflict, Reached
from exactattn.exports.lint.lexical import named
from exactattn.exports.lint.moodle.answers import in_the_way
from exactattn.exports.lint.moodle.file import Question
from exactattn.exports.lint.tree import Node

_MATHS = re.compile(r"<math\b|\\\(|\\\[|\$\$|<img\b")


def _body(one: Question) -> tuple[Node, str, tuple[Field, ...]] | None:
    """The text element, its text, and the fields that the importer finds in it."""
    if not one.cloze or one.body is None:
        return None
    text = one.body.own
    return one.body, text, fields(text)


def _line(node: Node, text: str, at: int) -> int:
    return node.line + text.count("\n", 0, at)


def _each(one: Question) -> Iterator[tuple[Field, int, int]]:
    """Each field with its number and its line."""
    found = _body(one)
    if found is not None:
        node, text, each = found
        for k, field in enumerate(each, 1):
            yield field, k, _line(node, text, field.start)


def cloze_none(one: Question) -> Iterator[Fault]:
    """No field at all."""
    found = _body(one)
    if found is not None and not found[2] and next(not_taken(found[1], found[2]), None) is None:
        yield Fault(found[0].line, "<questiontext>")


def cloze_grammar(one: Question) -> Iterator[Fault]:
    """What looks like a field and is shown as text."""
    found = _body(one)
    if found is not None:
        node, text, each = found
        for at, kind in not_taken(text, each):
            known = "yes" if kind in TYPES else "no"
            yield Fault(_line(node, text, at), "{…}", {"text": text[at : at + 40], "type": kind, "known": known})


def cloze_brace(one: Question) -> Iterator[Fault]:
    """A brace within an answer ends the field: what follows is shown as text."""
    for field, k, line in _whole(one):
        if _cut(field):
            yield Fault(line, f"{{{field.type}}}", {"number": k, "text": field.alternatives[-1].raw[:60]})


def cloze_empty(one: Question) -> Iterator[Fault]:
    """An empty answer takes in the mark behind it, and with a closing brace the text up to the next mark."""
    for field, k, line in _each(one):
        swallowed = next((answer.raw for answer in field.alternatives if answer.empty), None)
        if swallowed is not None:
            yield Fault(line, f"{{{field.type}}}", {"number": k, "text": swallowed[:60]})


def _whole(one: Question) -> Iterator[tuple[Field, int, int]]:
    """The fields whose answers are what was meant: none is empty."""
    for field, k, line in _each(one):
        if not any(answer.empty for answer in field.alternatives):
            yield field, k, line


def _cut(field: Field) -> bool:
    """Does the last answer open more braces than it closes? Then the one that ended the field was meant to be its own."""
    raw = field.alternatives[-1].raw
    closed = sum(raw.lower().count(brace) for brace in ("\\}", "&#125;", "&#x7d;", "&rbrace;"))
    return raw.count("{") - raw.count("\\{") > closed


def cloze_number(one: Question) -> Iterator[Fault]:
    """An answer to a number that the importer takes for a text."""
    for field, k, line in _whole(one):
        if field.family == "numerical":
            for answer in field.alternatives:
                if answer.numbers is None and answer.text.strip() != "*" and not answer.strange:
                    yield Fault(line, f"{{{field.type}}}", {"number": k, "text": answer.raw[:60]})


def cloze_character(one: Question) -> Iterator[Fault]:
    """A number with a character that looks like a part of it and is none."""
    for field, k, line in _whole(one):
        for answer in field.alternatives if field.family == "numerical" else ():
            if found := answer.strange:
                yield Fault(line, f"{{{field.type}}} #{k}", {"text": answer.text[:60], "character": named(found)})


def cloze_comma(one: Question) -> Iterator[Fault]:
    """A number with a comma: what it is depends on the language of the site."""
    for field, k, line in _whole(one):
        for answer in field.alternatives if field.family == "numerical" else ():
            if answer.numbers is not None and "," in answer.raw:
                point = answer.raw.replace(",", ".")
                yield Fault(line, f"{{{field.type}}} #{k}", {"text": answer.raw[:60], "point": point[:60]})


def cloze_negative(one: Question) -> Iterator[Fault]:
    """A tolerance below 0."""
    for field, k, line in _whole(one):
        for answer in field.alternatives if field.family == "numerical" else ():
            if answer.numbers is not None and answer.numbers[1] < 0:
                yield Fault(line, f"{{{field.type}}} #{k}", {"text": answer.raw.rpartition(":")[2][:60]})


def cloze_no_key(one: Question) -> Iterator[Fault]:
    """A field in which no answer earns all; of several options, in which none earns anything."""
    for field, k, line in _whole(one):
        if field.family == "numerical" and any(a.numbers is None and a.text.strip() != "*" for a in field.alternatives):
            continue  # there the answers are not what was meant
        if _cut(field):
            continue
        most = max(answer.share for answer in field.alternatives)
        if most <= 0 if field.family == "multiresponse" else most != 1:
            yield Fault(line, f"{{{field.type}}}", {"number": k})


def cloze_few(one: Question) -> Iterator[Fault]:
    """A choice of fewer than two options."""
    for field, k, line in _whole(one):
        if field.family in ("multichoice", "multiresponse") and len(field.alternatives) < 2 and not _cut(field):
            yield Fault(line, f"{{{field.type}}}", {"number": k})


def cloze_maths(one: Question) -> Iterator[Fault]:
    """Formulas or pictures in a list to drop down."""
    for field, k, line in _whole(one):
        if field.type in DROP_DOWNS and any(_MATHS.search(answer.text) for answer in field.alternatives):
            yield Fault(line, f"{{{field.type}}}", {"number": k})


def cloze_weight(one: Question) -> Iterator[Fault]:
    """Fields that all weigh nothing."""
    found = _body(one)
    if found is not None and found[2] and all(field.weight and not field.weight.strip("0") for field in found[2]):
        yield Fault(found[0].line, "<questiontext>")


def cloze_blank(one: Question) -> Iterator[Fault]:
    """An option that shows nothing."""
    for field, k, line in _whole(one):
        if field.family in ("multichoice", "multiresponse"):
            for place, answer in enumerate(field.alternatives, 1):
                if alike.blank(answer.text):
                    yield Fault(line, f"{{{field.type}}} #{k}", {"number": place})


def cloze_alike(one: Question) -> Iterator[Fault]:
    """Two options that look the same."""
    for field, k, line in _whole(one):
        if field.family in ("multichoice", "multiresponse"):
            options = [(answer.text, alike.of_html(answer.text)) for answer in field.alternatives]
            for _, later in alike.pairs(options):
                yield Fault(line, f"{{{field.type}}}", {"number": k, "text": later[:80], "other": line})


def _conflicts(one: Question, wanted: Conflict) -> Iterator[Fault]:
    for field, k, line in _whole(one):
        if field.family == "numerical":
            for fault in in_the_way(_reached(field, line), wanted, f"{{{field.type}}}"):
                yield Fault(fault.line, fault.element, fault.parts | {"number": k})


def _reached(field: Field, line: int) -> list[Reached]:
    out = []
    for answer in field.alternatives:
        found = answer.numbers
        if answer.text.strip() == "*":
            out.append(Reached(None, None, answer.share, answer.said, None, line, "*"))
        elif found is not None:
            middle, reach = found[0], abs(found[1])
            out.append(Reached(middle - reach, middle + reach, answer.share, answer.said, middle, line, answer.raw))
    return out


def cloze_key_refused(one: Question) -> Iterator[Fault]:
    """An answer's own number is taken by an earlier answer that earns less."""
    return _conflicts(one, "key-refused")


def cloze_shadowed(one: Question) -> Iterator[Fault]:
    """An answer that no response reaches."""
    return _conflicts(one, "answer-shadowed")


def cloze_overlap(one: Question) -> Iterator[Fault]:
    """Numbers that two answers claim with different credit."""
    return _conflicts(one, "intervals-overlap")


def cloze_share(one: Question) -> Iterator[Fault]:
    """A share of more than the whole, or of less than none of it."""
    for field, k, line in _whole(one):
        for answer in field.alternatives:
            if abs(answer.share) > Fraction(1):
                yield Fault(line, f"{{{field.type}}}", {"number": k, "text": answer.raw[:60]})


RULES: tuple[Rule[Question], ...] = (
    Rule("cloze-none", "error", MOODLE, cloze_none),
    Rule("cloze-grammar", "error", MOODLE, cloze_grammar),
    Rule("cloze-brace", "error", MOODLE, cloze_brace),
    Rule("cloze-empty", "error", MOODLE, cloze_empty),
    Rule("cloze-number", "error", MOODLE, cloze_number),
    Rule("number-character", "error", MOODLE, cloze_character),
    Rule("number-comma", "warning", MOODLE, cloze_comma),
    Rule("tolerance-negative", "warning", MOODLE, cloze_negative),
    Rule("cloze-no-key", "error", MOODLE, cloze_no_key),
    Rule("cloze-few", "error", MOODLE, cloze_few),
    Rule("cloze-maths", "warning", MOODLE, cloze_maths),
    Rule("cloze-weight", "error", MOODLE, cloze_weight),
    Rule("cloze-share", "error", MOODLE, cloze_share),
    Rule("option-blank", "error", MOODLE, cloze_blank),
    Rule("options-alike", "error", MOODLE, cloze_alike),
    Rule("key-refused", "error", MOODLE, cloze_key_refused),
    Rule("answer-shadowed", "error", MOODLE, cloze_shadowed),
    Rule("intervals-overlap", "warning", MOODLE, cloze_overlap),
)
