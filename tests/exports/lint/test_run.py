"""Response processing carried out exactly: as a player carries it out, and as the standard says of single operators."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest

from exactattn.exports.lint.limits import LINT_LIMITS
from exactattn.exports.lint.qti.item import of_root
from exactattn.exports.lint.qti.run import OPEN, Unclear, of_declared, outcomes
from exactattn.exports.lint.tree import read

from .conftest import sources


def item(data):
    return of_root(read(data, LINT_LIMITS).root, "qti2")


def tries(found):
    """Responses of an item: of each what is right, and other things that may be handed in."""
    each = []
    for declared in found.responses.values():
        key = declared.values("correctResponse")
        if declared.cardinality == "ordered":
            each.append([key, key[::-1], key[1:] + key[:1]])
        elif declared.base == "identifier":
            each.append([key, *([c] for c in sorted(found.choices[declared.identifier])), []])
        else:
            each.append([key, [str(Decimal(key[0]) + Decimal("0.001"))], ["0.25"], ["-7"], []])
    every = [dict(zip(found.responses, chosen, strict=True)) for chosen in product(*each)]
    return every[:: max(1, len(every) // 25)]


@pytest.mark.parametrize("name", ["qti:number", "qti:pick", "qti:choices", "qti:row", "qti:order"])
def test_an_item_is_marked_as_a_player_marks_it(name, tao):
    data = sources()[name]
    found = item(data)
    compared = 0
    for given in tries(found):
        values = {one: of_declared(found.responses[one], texts) for one, texts in given.items()}
        try:
            score = outcomes(found, values)["SCORE"]
        except Unclear:
            continue  # an exponential: what follows from a wrong answer
        handed = {
            one: list(texts) if found.responses[one].cardinality != "single" else texts[0] if texts else None
            for one, texts in given.items()
        }
        read_back = tao(data, handed)
        assert score == pytest.approx(float(read_back["SCORE"])), given
        compared += 1
    assert compared >= 3


def value(expression):
    """The value of an expression, by an outcome that it is given to."""
    text = (
        "<assessmentItem>"
        '<responseDeclaration identifier="S" cardinality="single" baseType="float"/>'
        '<outcomeDeclaration identifier="X" cardinality="single" baseType="float"/>'
        f'<responseProcessing><setOutcomeValue identifier="X">{expression}</setOutcomeValue></responseProcessing>'
        "</assessmentItem>"
    )
    return outcomes(item(text.encode()), {"S": None})["X"]


def n(text):
    return f'<baseValue baseType="float">{text}</baseValue>'


TRUE, FALSE = (f'<baseValue baseType="boolean">{text}</baseValue>' for text in ("true", "false"))
NULL = '<variable identifier="S"/>'
EXP = f'<mathOperator name="exp">{n(1)}</mathOperator>'


@pytest.mark.parametrize(
    ("expression", "due"),
    [
        (f"<sum>{n('0.1')}{n('0.2')}</sum>", Fraction(3, 10)),
        (f"<divide>{n(1)}{n(0)}</divide>", None),
        (f"<sum>{n(1)}{NULL}</sum>", None),
        (f"<and>{FALSE}{NULL}</and>", False),
        (f"<and>{TRUE}{NULL}</and>", None),
        (f"<or>{TRUE}{NULL}</or>", True),
        (f"<and>{FALSE}<gt>{EXP}{n(1)}</gt></and>", False),
        (f"<and>{TRUE}<gt>{EXP}{n(1)}</gt></and>", OPEN),
        (f"<not>{NULL}</not>", None),
        (f"<isNull>{NULL}</isNull>", True),
        (f"<gte>{n('0.3')}{n('0.30')}</gte>", True),
        (f'<equal toleranceMode="absolute" tolerance="0.1">{n("0.3")}{n("0.2")}</equal>', True),
        (f'<equal toleranceMode="absolute" tolerance="1" includeUpperBound="false">{n(2)}<sum>{n(3)}</sum></equal>', False),
        (f'<equal toleranceMode="relative" tolerance="1">{n("-100")}<sum>{n("-100")}</sum></equal>', False),
        (f'<equal toleranceMode="relative" tolerance="1">{n("100")}<sum>{n("101")}</sum></equal>', True),
        (f"<match><multiple>{n(1)}{n(2)}</multiple><multiple>{n(2)}{n(1)}</multiple></match>", True),
        (f"<match><ordered>{n(1)}{n(2)}</ordered><ordered>{n(2)}{n(1)}</ordered></match>", False),
        (f"<match><ordered>{n(1)}{n(2)}</ordered><ordered>{n(1)}{n(2)}</ordered></match>", True),
        (f"<containerSize><multiple>{n(1)}{n(1)}</multiple></containerSize>", 2),
        (f"<max>{n(1)}{n(3)}</max>", 3),
        (f"<round>{n('-2.5')}</round>", -2),
        (f"<truncate>{n('-2.5')}</truncate>", -2),
        (f'<power>{n(2)}{n("0.5")}</power>', OPEN),
    ],
)  # fmt: skip
def test_operators_are_those_of_the_standard(expression, due):
    found = value(expression)
    assert found == due
    assert type(found) is type(due) or isinstance(found, Fraction)
