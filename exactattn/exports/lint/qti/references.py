"""Rules on names: what is declared, what is referred to, and whether the two meet."""

from __future__ import annotations

import re
from collections.abc import Iterator

from exactattn.exports.lint.finding import QTI, Fault, Rule
from exactattn.exports.lint.qti.item import IMPLICIT, Declared, Item, feedbacks
from exactattn.exports.lint.tree import Node

TEMPLATES = ("match_correct", "map_response", "map_response_point")
REFERRING = ("variable", "correct", "default", "mapResponse", "mapResponsePoint", "mapOutcome")
SETTING = ("setOutcomeValue", "lookupOutcomeValue", "setTemplateValue", "setCorrectResponse", "setDefaultValue")
NAMING = frozenset({
    "assessmentSection", "assessmentItemRef", "testPart", "responseDeclaration", "outcomeDeclaration", "templateDeclaration",
    "simpleChoice", "inlineChoice", "hottext", "simpleAssociableChoice", "gapText", "gapImg", "gap", "hotspotChoice",
    "associableHotspot", "modalFeedback", "feedbackBlock", "feedbackInline",
})  # fmt: skip
"""What is called by an identifier. Those of items and tests are free text."""
IDENTIFIER = re.compile(r"[^\W\d][\w.-]*")


def response_undeclared(item: Item) -> Iterator[Fault]:
    """An interaction that gives its answer to no response."""
    for one in item.interactions:
        name = one.get("responseIdentifier")
        if name not in item.responses and one.name not in ("endAttemptInteraction",):
            yield Fault(one.line, one.tag, {"name": name})


def response_unused(item: Item) -> Iterator[Fault]:
    """A response that no interaction fills; where one fills what is not declared, the two are one fault."""
    if next(response_undeclared(item), None) is not None:
        return
    used = {one.get("responseIdentifier") for one in item.root.inside() if "responseIdentifier" in one.attributes}
    for name, declared in item.responses.items():
        if not item.is_test and name not in used and name not in IMPLICIT:
            yield Fault(declared.node.line, declared.node.tag, {"name": name})


def variable_undeclared(item: Item) -> Iterator[Fault]:
    """A rule that reads or sets what is not declared."""
    if item.is_test:
        return
    known = {*item.variables, *IMPLICIT}
    for one in item.root.inside(*REFERRING, *SETTING):
        name = one.get("identifier")
        if name not in known:
            yield Fault(one.line, one.tag, {"name": name})


def feedback_undeclared(item: Item) -> Iterator[Fault]:
    """A feedback that goes by an outcome which is not declared."""
    for one in feedbacks(item):
        name = one.get("outcomeIdentifier")
        if name not in item.outcomes:
            yield Fault(one.line, one.tag, {"name": name})


def feedback_unreachable(item: Item) -> Iterator[Fault]:
    """A feedback whose identifier its outcome never gets."""
    for one in feedbacks(item):
        declared = item.outcomes.get(one.get("outcomeIdentifier"))
        if declared is None or one.get("showHide", "show") != "show":
            continue
        reachable = _reachable(item, declared)
        if reachable is not None and one.get("identifier") not in reachable:
            yield Fault(one.line, one.tag, {"name": one.get("identifier"), "outcome": declared.identifier})


def _reachable(item: Item, outcome: Declared) -> set[str] | None:
    """Every value that the outcome can get; None where rules do not say it plainly."""
    out = set(outcome.values("defaultValue"))
    if item.processing is None:
        return out
    if item.processing.get("template") or next(item.processing.inside("responseProcessingFragment", "include"), None):
        return None
    for one in item.processing.inside("lookupOutcomeValue"):
        if one.get("identifier") == outcome.identifier:
            return None
    for one in item.processing.inside("setOutcomeValue"):
        if one.get("identifier") == outcome.identifier:
            for expression in one.children:
                found = _values(item, expression, outcome.identifier)
                if found is None:
                    return None
                out |= found
    return out


def _values(item: Item, expression: Node, itself: str) -> set[str] | None:
    match expression.name:
        case "baseValue":
            return {expression.text.strip()}
        case "variable" if expression.get("identifier") == itself:
            return set()
        case "variable" if expression.get("identifier") in item.responses:
            chosen = item.choices.get(expression.get("identifier"))
            return set(chosen) if chosen else None
        case "correct" if expression.get("identifier") in item.responses:
            return set(item.responses[expression.get("identifier")].values("correctResponse"))
        case "variable" if expression.get("identifier") in item.outcomes and not _is_set(
            item, expression.get("identifier")
        ):
            return set(item.outcomes[expression.get("identifier")].values("defaultValue"))
        case "null":
            return set()
        case "multiple" | "ordered":
            found = [_values(item, one, itself) for one in expression.children]
            return None if None in found else {value for one in found if one is not None for value in one}
        case _:
            return None


def _is_set(item: Item, name: str) -> bool:
    return item.processing is None or any(one.get("identifier") == name for one in item.processing.inside(*SETTING))


def correct_unknown(item: Item) -> Iterator[Fault]:
    """A right answer that cannot be chosen."""
    for name, declared in item.responses.items():
        offered = item.choices.get(name)
        if not offered or declared.base not in ("identifier", "pair", "directedPair"):
            continue
        for value in declared.values("correctResponse"):
            for part in value.split():
                if part not in offered:
                    yield Fault(declared.node.line, declared.node.tag, {"value": part, "name": name})


def identifier_twice(item: Item) -> Iterator[Fault]:
    """Two variables, or two choices of an interaction, with one name."""
    groups = [[one for one in item.root.children if one.name.endswith("Declaration")]]
    for interaction in item.interactions:
        groups.append([one for one in interaction.inside() if one.name in NAMING and one.name != "feedbackInline"])
    for group in groups:
        known: set[str] = set()
        for one in group:
            name = one.get("identifier")
            if name in known and not one.name.startswith("feedback"):
                yield Fault(one.line, one.tag, {"name": name})
            known.add(name)


def identifier_form(item: Item) -> Iterator[Fault]:
    """A name that is none: it holds a space, begins with a digit, or is empty."""
    for one in item.root.inside(*NAMING):
        if "identifier" in one.attributes:
            name = one.get("identifier")
            if IDENTIFIER.fullmatch(name) is None:
                yield Fault(one.line, one.tag, {"name": name})


def template_unknown(item: Item) -> Iterator[Fault]:
    """A template of response processing that is none of the standard's."""
    if item.processing is not None and "template" in item.processing.attributes:
        address = item.processing.get("template")
        name = re.sub(r"\.xml$", "", address.rstrip("/").rpartition("/")[2])
        if name not in TEMPLATES and not name.startswith("CC2_"):
            yield Fault(item.processing.line, item.processing.tag, {"address": address})


def template_needs(item: Item) -> Iterator[Fault]:
    """The templates read RESPONSE alone."""
    if next(template_unknown(item), None) is not None:
        return
    rules = item.processing
    if rules is not None and rules.get("template") and not rules.children and "RESPONSE" not in item.responses:
        yield Fault(rules.line, rules.tag, {"count": len(item.responses)})


RULES: tuple[Rule[Item], ...] = (
    Rule("response-undeclared", "error", QTI, response_undeclared),
    Rule("response-unused", "warning", QTI, response_unused),
    Rule("variable-undeclared", "error", QTI, variable_undeclared),
    Rule("feedback-undeclared", "error", QTI, feedback_undeclared),
    Rule("feedback-unreachable", "warning", QTI, feedback_unreachable),
    Rule("correct-unknown", "error", QTI, correct_unknown),
    Rule("identifier-twice", "error", QTI, identifier_twice),
    Rule("identifier-form", "error", QTI, identifier_form),
    Rule("template-unknown", "error", QTI, template_unknown),
    Rule("template-needs", "error", QTI, template_needs),
)
