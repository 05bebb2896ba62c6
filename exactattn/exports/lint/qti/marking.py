"""Rules on how an item marks: the processing is run with the right answers, and with none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from exactattn.exports.lint.finding import QTI, Fault, Rule
from exactattn.exports.lint.intervals import Conflict, Reached, conflicts
from exactattn.exports.lint.lexical import number, shown
from exactattn.exports.lint.qti.item import Item
from exactattn.exports.lint.qti.run import OPEN, Unclear, Value, of_declared, outcomes
from exactattn.exports.lint.tree import Node

BY_HAND = frozenset({
    "extendedTextInteraction", "uploadInteraction", "drawingInteraction", "mediaInteraction", "customInteraction",
    "portableCustomInteraction",
})  # fmt: skip
KEYLESS = BY_HAND | {"endAttemptInteraction", "sliderInteraction"}
CLOSE = Fraction(1, 10**6)
"""Points that are this near are the same: they were rounded when they were written."""
MOST_REPEATS, LONGEST_KEY = 12, 16
"""Of a mask that is tried: so many signs of repetition, on a key of so many characters, end in moments whatever the mask."""


def score_undeclared(item: Item) -> Iterator[Fault]:
    """There are rules, and no SCORE for them to set."""
    if not item.is_test and item.processing is not None and "SCORE" not in item.outcomes:
        yield Fault(item.processing.line, item.processing.tag)


def score_unset(item: Item) -> Iterator[Fault]:
    """There are rules, and none sets SCORE."""
    if item.is_test or item.processing is None or "SCORE" not in item.outcomes or item.processing.get("template"):
        return
    if item.outcomes["SCORE"].node.get("externalScored", "none") != "none":
        return
    setting = [one.get("identifier") for one in item.processing.inside("setOutcomeValue", "lookupOutcomeValue")]
    included = next(item.processing.inside("include"), None)
    if "SCORE" not in setting and included is None:
        yield Fault(item.processing.line, item.processing.tag)


def no_key(item: Item) -> Iterator[Fault]:
    """A response that a machine is to mark, without a right answer."""
    computed = {one.get("identifier") for one in item.root.inside("setCorrectResponse")}
    for one in item.interactions if item.processing is not None else ():
        declared = item.responses.get(one.get("responseIdentifier"))
        if (
            declared is None
            or declared.identifier in computed
            or one.name in BY_HAND
            or one.name in ("endAttemptInteraction", "sliderInteraction")
        ):
            continue
        if not declared.values("correctResponse") and not declared.node.all("mapping", "areaMapping"):
            yield Fault(declared.node.line, declared.node.tag, {"name": declared.identifier})


def _keys(item: Item) -> dict[str, Value] | None:
    """The right answers; None where one of them is not given, or cannot be."""
    found: dict[str, Value] = {}
    asking = {one.get("responseIdentifier") for one in item.interactions if one.name == "endAttemptInteraction"}
    for name, declared in item.responses.items():
        if name in asking:
            continue  # whether a hint was asked for has no right answer
        found[name] = of_declared(declared, declared.values("correctResponse"))
        offered = item.choices.get(name)
        unknown = (
            offered and declared.base == "identifier" and not offered.issuperset(declared.values("correctResponse"))
        )
        if found[name] is None or found[name] is OPEN or unknown:
            return None
    return found


def _score(item: Item, given: dict[str, Value]) -> Value:
    if item.root.get("adaptive") == "true":
        return OPEN
    try:
        return outcomes(item, given).get("SCORE", OPEN)
    except Unclear:
        return OPEN


def key_refused(item: Item) -> Iterator[Fault]:
    """The right answers do not earn all there is to earn; where that is not said, they earn nothing."""
    keys = None if item.is_test or item.processing is None or "SCORE" not in item.outcomes else _keys(item)
    if not keys or next(score_unset(item), None) is not None:
        return
    if item.outcomes["SCORE"].node.get("externalScored", "none") != "none":
        return
    score = _score(item, keys)
    declared = item.outcomes.get("MAXSCORE")
    most = None if declared is None else of_declared(declared, declared.values("defaultValue"))
    if not isinstance(score, Fraction):
        return
    if score < most - CLOSE if isinstance(most, Fraction) else score <= 0:
        assert item.processing is not None
        due = shown(most) if isinstance(most, Fraction) else "> 0"
        yield Fault(item.processing.line, item.processing.tag, {"score": shown(score), "most": due})


def empty_scores(item: Item) -> Iterator[Fault]:
    """Who answers nothing earns something."""
    if item.is_test or item.processing is None or not item.interactions:
        return
    score = _score(item, dict.fromkeys(item.responses))
    if isinstance(score, Fraction) and score > 0:
        yield Fault(item.processing.line, item.processing.tag, {"score": shown(score)})


def mask_refuses(item: Item) -> Iterator[Fault]:
    """What may be typed does not include the right answer."""
    for one in item.interactions:
        mask, declared = one.get("patternMask"), item.responses.get(one.get("responseIdentifier"))
        if not mask or declared is None or re.search(r"\)\s*[*+{]|\\[1-9]|\(\?", mask):
            continue
        try:
            pattern = re.compile(mask)
        except re.error:
            continue  # a schema's patterns are not all Python's
        if len(re.findall(r"[*+?}]", mask)) > MOST_REPEATS:
            continue
        for value in declared.values("correctResponse"):
            if declared.base in ("float", "integer") and number(value) is None:
                continue
            if len(value) <= LONGEST_KEY and pattern.fullmatch(value) is None:
                yield Fault(one.line, one.tag, {"value": value, "mask": mask[:60]})


# -- intervals -----------------------------------------------------------------------------------------------------------------


def _bounds(condition: Node) -> dict[str, tuple[Fraction | None, Fraction | None, bool]]:
    """For each variable that the condition compares with constants: low, high, and whether an end is left out."""
    parts, found = [condition], []
    while parts:
        one = parts.pop()
        if one.name == "and":
            parts.extend(one.children)
        else:
            found.append(one)
    out: dict[str, tuple[Fraction | None, Fraction | None, bool]] = {}
    for one in found:
        if one.name in ("gt", "gte", "lt", "lte") and [child.name for child in one.children] == [
            "variable",
            "baseValue",
        ]:
            x, name = number(one.children[1].text), one.children[0].get("identifier")
            if x is None:
                continue
            low, high, strict = out.get(name, (None, None, False))
            strict = strict or one.name in ("gt", "lt")
            if one.name in ("gt", "gte"):
                low = x if low is None else max(low, x)
            else:
                high = x if high is None else min(high, x)
            out[name] = (low, high, strict)
        elif one.name == "equal" and [child.name for child in one.children] == ["variable", "baseValue"]:
            ends = _about(one)
            if ends is not None:
                out[one.children[0].get("identifier")] = (*ends, False)
    return out


def _about(node: Node) -> tuple[Fraction, Fraction] | None:
    """The ends of an `equal`: about the constant, by a tolerance that is absolute or in per cent of it."""
    x, mode = number(node.children[1].text), node.get("toleranceMode", "exact")
    sizes = [number(part) for part in node.get("tolerance").split()] if mode != "exact" else [Fraction(0)]
    below, above = (sizes[0], sizes[-1]) if sizes else (None, None)
    if x is None or below is None or above is None:
        return None
    return (x - below, x + above) if mode != "relative" else (x - x * below / 100, x + x * above / 100)


def interval_empty(item: Item) -> Iterator[Fault]:
    """A condition that no number meets."""
    if item.processing is None:
        return
    inner = {id(child) for node in item.processing.inside("and") for child in node.children if child.name == "and"}
    for node in item.processing.inside("and"):
        if id(node) in inner:
            continue
        for name, (low, high, strict) in _bounds(node).items():
            if low is not None and high is not None and (low > high or (strict and low == high)):
                yield Fault(node.line, node.tag, {"name": name, "low": shown(low), "high": shown(high)})


def _reached(branch: Node) -> tuple[str, Reached] | None:
    """The numbers that a branch is for, where its condition is an interval of one response and nothing else."""
    if branch.name == "responseElse" or not branch.children:
        return None
    condition, rules = branch.children[0], branch.children[1:]
    bounds = _bounds(condition)
    plain = {"and", "gt", "gte", "lt", "lte", "equal", "variable", "baseValue", "not", "isNull"}
    if len(bounds) != 1 or any(one.name not in plain for one in (condition, *condition.inside())):
        return None
    ((name, (low, high, _)),) = bounds.items()
    if low is not None and high is not None and low > high:
        return None
    said = repr([(one.name, one.attributes, one.own.strip()) for rule in rules for one in (rule, *rule.inside())])
    middle = None if low is None or high is None else (low + high) / 2
    text = " … ".join("" if end is None else shown(end) for end in (low, high))
    return name, Reached(low, high, _credit(rules), said, middle, branch.line, text)


def _credit(rules: list[Node]) -> Fraction:
    for rule in rules:
        if rule.name == "setOutcomeValue" and rule.get("identifier") == "SCORE" and len(rule.children) == 1:
            x = number(rule.children[0].text) if rule.children[0].name == "baseValue" else None
            if x is not None:
                return x
    return Fraction(0)


def _chains(item: Item, wanted: Conflict) -> Iterator[Fault]:
    for node in item.processing.inside("responseCondition") if item.processing is not None else ():
        by_name: dict[str, list[Reached]] = {}
        for branch in node.children:
            found = _reached(branch)
            if found is not None:
                by_name.setdefault(found[0], []).append(found[1])
        for answers in by_name.values():
            for what, first, later in conflicts(answers):
                if what == wanted:
                    parts = {"first": first.text, "later": later.text, "credit": shown(first.credit)}
                    yield Fault(later.line, "<responseElseIf>", dict(parts))


def branch_key(item: Item) -> Iterator[Fault]:
    """The middle of a branch's interval is taken by an earlier branch that earns less."""
    return _chains(item, "key-refused")


def branch_shadowed(item: Item) -> Iterator[Fault]:
    """A branch that no response reaches."""
    return _chains(item, "answer-shadowed")


def branch_overlap(item: Item) -> Iterator[Fault]:
    """Numbers that two branches claim with different credit."""
    return _chains(item, "intervals-overlap")


RULES: tuple[Rule[Item], ...] = (
    Rule("score-undeclared", "error", QTI, score_undeclared),
    Rule("score-unset", "error", QTI, score_unset),
    Rule("no-key", "warning", QTI, no_key),
    Rule("key-earns-less", "error", QTI, key_refused),
    Rule("empty-scores", "warning", QTI, empty_scores),
    Rule("mask-refuses", "error", QTI, mask_refuses),
    Rule("interval-empty", "error", QTI, interval_empty),
    Rule("key-refused", "error", QTI, branch_key),
    Rule("answer-shadowed", "error", QTI, branch_shadowed),
    Rule("intervals-overlap", "warning", QTI, branch_overlap),
)
