"""Rules on the shape of an item: what may stand where, which interaction goes with which response."""

from __future__ import annotations

from collections.abc import Iterator

from exactattn.exports.lint import alike
from exactattn.exports.lint.finding import QTI, QTI2, Fault, Rule
from exactattn.exports.lint.qti.item import Item
from exactattn.exports.lint.tree import Node

MATHML = "http://www.w3.org/1998/Math/MathML"

ORDER = (
    "contextDeclaration", "responseDeclaration", "outcomeDeclaration", "templateDeclaration", "templateProcessing",
    "assessmentStimulusRef", "companionMaterialsInfo", "stylesheet", "itemBody", "catalogInfo", "responseProcessing",
    "modalFeedback", "interactionModule",
)  # fmt: skip
"""The children of an item in the order that the schema wants."""

_COMMON = frozenset({"class", "style", "id", "xref", "other", "href", "type", "show", "actuate"})
_TOKEN = frozenset({"mathvariant", "mathsize", "mathcolor", "mathbackground", "fontsize", "fontweight", "fontstyle", "fontfamily",
                    "color", "background"})  # fmt: skip
MATHML_2: dict[str, frozenset[str]] = {
    "mi": _TOKEN, "mn": _TOKEN, "mtext": _TOKEN,
    "mrow": frozenset(), "msqrt": frozenset(), "mroot": frozenset(), "mphantom": frozenset(),
    "msub": frozenset({"subscriptshift"}), "msup": frozenset({"superscriptshift"}),
    "msubsup": frozenset({"subscriptshift", "superscriptshift"}),
    "mfrac": frozenset({"bevelled", "numalign", "denomalign", "linethickness"}),
    "mtable": frozenset({
        "rowspacing", "columnspacing", "rowlines", "columnlines", "columnwidth", "alignmentscope", "equalrows", "equalcolumns",
        "displaystyle", "side", "minlabelspacing", "rowalign", "columnalign", "groupalign", "align", "width", "frame",
        "framespacing",
    }),
    "mtr": frozenset({"rowalign", "columnalign", "groupalign"}),
    "mtd": frozenset({"columnspan", "rowspan", "rowalign", "columnalign", "groupalign"}),
}  # fmt: skip
"""What MathML 2, which QTI 2 has, lets these elements have."""

TYPES: dict[str, tuple[frozenset[str], frozenset[str]]] = {
    "choiceInteraction": (frozenset({"single", "multiple"}), frozenset({"identifier"})),
    "inlineChoiceInteraction": (frozenset({"single"}), frozenset({"identifier"})),
    "orderInteraction": (frozenset({"ordered"}), frozenset({"identifier"})),
    "matchInteraction": (frozenset({"single", "multiple"}), frozenset({"directedPair"})),
    "associateInteraction": (frozenset({"single", "multiple"}), frozenset({"pair"})),
    "gapMatchInteraction": (frozenset({"single", "multiple"}), frozenset({"directedPair"})),
    "textEntryInteraction": (frozenset({"single", "record"}), frozenset({"string", "integer", "float", ""})),
    "sliderInteraction": (frozenset({"single"}), frozenset({"integer", "float"})),
}
"""The cardinalities and base types that an interaction can answer."""

INLINE = frozenset({"textEntryInteraction", "inlineChoiceInteraction", "endAttemptInteraction", "hottext", "gap", "span", "img",
                    "em", "strong", "b", "i", "sub", "sup", "code", "a", "br", "object", "q", "tt", "small", "big"})  # fmt: skip


def attribute_missing(item: Item) -> Iterator[Fault]:
    """What the root has to have."""
    due = (
        ("identifier", "title")
        if item.kind == "qti3" or item.is_test
        else ("identifier", "title", "adaptive", "timeDependent")
    )
    for name in due if item.root.name in ("assessmentItem", "assessmentTest") else ():
        if name not in item.root.attributes:
            yield Fault(item.root.line, item.root.tag, {"name": name})


def child_order(item: Item) -> Iterator[Fault]:
    """Children of the item out of order, or where none of their name may be."""
    if item.is_test:
        return
    reached = 0
    for child in item.root.children:
        if child.name not in ORDER and child.space != item.root.space:
            continue  # an extension
        if child.name not in ORDER:
            yield Fault(child.line, child.tag, {"name": child.written or child.name})
            continue
        place = ORDER.index(child.name)
        if place < reached:
            yield Fault(child.line, child.tag, {"name": child.written or child.name})
        reached = max(reached, place)


def body_inline(item: Item) -> Iterator[Fault]:
    """Text, or what stands within text, directly in the body."""
    for body in item.root.all("itemBody"):
        loose = next((part.strip() for part in body.mixed if isinstance(part, str) and part.strip()), "")
        if loose:
            yield Fault(body.line, body.tag, {"text": loose[:60]})
        for child in body.children:
            if child.name in INLINE:
                yield Fault(child.line, child.tag, {"text": child.tag})


def inline_choice(item: Item) -> Iterator[Fault]:
    """Markup in an inline choice, which holds text alone."""
    for one in item.root.inside("inlineChoice"):
        found = next((child for child in one.children if child.name not in ("printedVariable", "feedbackInline")), None)
        if found is not None:
            yield Fault(one.line, one.tag, {"child": found.tag})


def mathml_attribute(item: Item) -> Iterator[Fault]:
    """An attribute that MathML 2 does not have."""
    for one in item.root.inside(*MATHML_2):
        if one.space == MATHML:
            for name in one.attributes:
                if name not in MATHML_2[one.name] and name not in _COMMON and not name.startswith("xml:"):
                    yield Fault(one.line, one.tag, {"name": name})


def response_type(item: Item) -> Iterator[Fault]:
    """A response that cannot hold what its interaction answers."""
    for one in item.interactions:
        declared, due = item.responses.get(one.get("responseIdentifier")), TYPES.get(one.name)
        if declared is None or due is None:
            continue
        cardinalities, bases = due
        if one.name == "choiceInteraction":
            cardinalities = frozenset({"single"} if one.get("maxChoices", "1") == "1" else {"multiple", "ordered"})
        if declared.cardinality not in cardinalities or declared.base not in bases:
            came = f"{declared.cardinality} {declared.base}"
            wanted = f"{'/'.join(sorted(cardinalities))} {'/'.join(sorted(filter(None, bases)))}"
            yield Fault(one.line, one.tag, {"name": declared.identifier, "came": came, "due": wanted})


def _groups(one: Node) -> list[list[Node]]:
    """The choices of an interaction, those beside one another together."""
    return [
        one.all("simpleChoice", "inlineChoice"),
        one.all("gapText", "simpleAssociableChoice"),
        *(group.all("simpleAssociableChoice") for group in one.all("simpleMatchSet")),
    ]


def option_blank(item: Item) -> Iterator[Fault]:
    """A choice that shows nothing. In a list to drop down that is how none is chosen, if it is not the key."""
    for one in item.interactions:
        declared = item.responses.get(one.get("responseIdentifier"))
        keys = [] if declared is None else declared.values("correctResponse")
        for group in _groups(one):
            for k, choice in enumerate(group, 1):
                none = choice.name == "inlineChoice" and choice.get("identifier") not in keys
                if alike.blank_node(choice) and not none:
                    yield Fault(choice.line, choice.tag, {"number": k})


def options_alike(item: Item) -> Iterator[Fault]:
    """Two choices of an interaction that look the same."""
    for one in item.interactions:
        for group in _groups(one):
            for first, later in alike.pairs([(choice, alike.of_node(choice)) for choice in group]):
                text = " ".join(later.text.split())[:80]
                yield Fault(later.line, later.tag, {"text": text, "other": first.line})


RULES: tuple[Rule[Item], ...] = (
    Rule("attribute-missing", "error", QTI, attribute_missing),
    Rule("child-order", "error", QTI, child_order),
    Rule("body-inline", "error", QTI, body_inline),
    Rule("inline-choice", "error", QTI2, inline_choice),
    Rule("mathml-attribute", "error", QTI2, mathml_attribute),
    Rule("response-type", "error", QTI, response_type),
    Rule("option-blank", "error", QTI, option_blank),
    Rule("options-alike", "error", QTI, options_alike),
)
