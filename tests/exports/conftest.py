"""Other people's readers of what is exported."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias
from xml.etree import ElementTree

import pytest

READERS = Path(__file__).parent / "readers"

Responses: TypeAlias = Mapping[str, str | Sequence[str] | None]
"""What is handed in, by the identifier of the response."""
Score: TypeAlias = Callable[[bytes, Responses], dict[str, Any]]


@pytest.fixture(scope="session")
def packages(program: Callable[[str], None]) -> Path:
    """The folder with the readers that are Node packages; skipped, or a failure, where they are not installed."""
    program("node")
    if not (READERS / "node_modules").is_dir():
        reason = "the readers are not installed: npm ci --ignore-scripts in tests/exports/readers"
        if "node" in os.environ.get("EXACTATTN_REQUIRE", "").split(","):
            pytest.fail(reason)
        pytest.skip(reason)
    return READERS


@pytest.fixture(scope="session")
def tao(packages: Path) -> Iterator[Score]:
    """TAO's scoring engine: the variables of a QTI 2.1 item after its response processing."""
    with subprocess.Popen(
        ["node", str(packages / "tao.cjs")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        write, read = process.stdin, process.stdout
        known: dict[bytes, tuple[int, list[Place]]] = {}

        def score(item: bytes, responses: Responses) -> dict[str, Any]:
            data: dict[str, Any] = {}
            if item not in known:
                root = ElementTree.fromstring(item)
                known[item] = (len(known), _places(root))
                data["item"] = _item(root)
            data["number"], places = known[item]
            data["responses"] = _responses(places, responses)
            write.write(json.dumps(data) + "\n")
            write.flush()
            found: dict[str, Any] = json.loads(read.readline())
            assert "error" not in found, found
            return found

        yield score
        write.close()


# -- an item in the JSON that TAO makes of it ------------------------------------------------------------------------------


def _name(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]


def _all(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [one for one in root if _name(one) == name]


def _values(declaration: ElementTree.Element, within: str) -> list[str]:
    return [value.text or "" for one in _all(declaration, within) for value in one]


def _item(root: ElementTree.Element) -> dict[str, Any]:
    (processing,) = _all(root, "responseProcessing")
    return {
        "identifier": root.get("identifier"),
        "responses": {
            one.attrib["identifier"]: {"attributes": one.attrib, "correctResponses": _values(one, "correctResponse")}
            for one in _all(root, "responseDeclaration")
        },
        "outcomes": {
            one.attrib["identifier"]: {
                "attributes": one.attrib,
                "defaultValue": next(iter(_values(one, "defaultValue")), None),
            }
            for one in _all(root, "outcomeDeclaration")
        },
        "responseProcessing": {"responseRules": [_rule(one) for one in processing]},
    }


def _rule(element: ElementTree.Element) -> dict[str, Any]:
    name = _name(element)
    if name != "responseCondition":
        return {"qtiClass": name, "attributes": element.attrib, "expression": _expression(element[0])}
    out: dict[str, Any] = {"qtiClass": name, "responseElseIfs": []}
    for branch in element:
        kind, rules = _name(branch), list(branch)
        made: dict[str, Any] = {"qtiClass": kind}
        if kind != "responseElse":
            made["expression"] = _expression(rules.pop(0))
        made["responseRules"] = [_rule(one) for one in rules]
        if kind == "responseElseIf":
            out["responseElseIfs"].append(made)
        else:
            out[kind] = made
    return out


def _expression(element: ElementTree.Element) -> dict[str, Any]:
    out: dict[str, Any] = {"qtiClass": _name(element), "attributes": element.attrib}
    if len(element):
        out["expressions"] = [_expression(one) for one in element]
    elif _name(element) == "baseValue":
        out["value"] = element.text
    return out


Place: TypeAlias = tuple[str, str, str, str | None]
"""A response: its identifier, base type, cardinality, and the mask of what may be typed for it."""


def _places(root: ElementTree.Element) -> list[Place]:
    masks = {one.get("responseIdentifier"): one.get("patternMask") for one in root.iter() if one.get("patternMask")}
    return [
        (one.attrib["identifier"], one.attrib["baseType"], one.attrib["cardinality"], masks.get(one.get("identifier")))
        for one in _all(root, "responseDeclaration")
    ]


def _responses(places: Sequence[Place], given: Responses) -> dict[str, Any]:
    """As TAO's interactions hand them in: nothing for what the mask refuses, "" for an empty place."""
    out: dict[str, Any] = {}
    for name, base, cardinality, mask in places:
        value = given.get(name)
        if cardinality != "single":
            out[name] = {"list": {base: list(value or ())}}
        elif base == "float":
            assert not isinstance(value, list)
            assert mask is not None
            read = "" if not value else value.strip() if re.fullmatch(mask, value, re.ASCII) else None
            out[name] = {"base": {base: read}}
        else:
            out[name] = {"base": None if value is None else {base: value}}
    return out
