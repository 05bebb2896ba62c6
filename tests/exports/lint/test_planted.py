"""Faults planted in our own exports: the rule that each is for sees it, and no other does."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from exactattn.exports.lint.report import as_data, lines
from exactattn.exports.lint.rules import RULES
from exactattn.i18n import languages, messages

from .conftest import SOURCES, sources, unzipped, zipped
from .planted import ALL


def mutated(one):
    """The source with its one fault."""
    data = sources()[one.source]
    if one.source.endswith(".zip"):
        files = unzipped(data)
        if one.member == "*":
            return zipped({re.sub(one.pattern, one.new, name): data for name, data in files.items()})
        (name,) = (name for name in files if name.startswith(one.member))
        files[name] = replaced(files[name], one)
        return zipped(files)
    return replaced(data, one)


def replaced(data, one):
    text, count = re.subn(one.pattern, one.new, data.decode(), count=1, flags=re.DOTALL)
    assert count == 1, one
    assert text.encode() != data, one
    return text.encode()


@pytest.mark.parametrize("one", ALL, ids=[f"{k}-{one.rule}-{one.source}" for k, one in enumerate(ALL)])
def test_a_planted_fault_is_seen_by_its_rule_alone(one, linted):
    found = linted(mutated(one))
    told = {lang: list(lines([found], messages(lang))) for lang in languages()}
    assert {finding.rule for finding in found.findings} == {one.rule}, told["en"]
    assert all(len(texts) == len(found.findings) + 3 for texts in told.values())


@pytest.mark.parametrize("name", SOURCES)
def test_what_faults_are_planted_in_is_clean(name, linted):
    found = linted(sources()[name])
    assert list(found.findings) == []


# -- completeness ------------------------------------------------------------------------------------------------------------

KIND_OF = {"moodle": "moodle", "canvas": "canvas", "qti": "qti2", "qti3": "qti3"}


def test_every_rule_has_a_fault_planted_for_it():
    planted = Counter()
    for one in ALL:
        kind = "package" if one.source.endswith(".zip") else KIND_OF[one.source.partition(":")[0]]
        planted[one.rule, kind] += 1
    missing = [
        rule.name
        for rule, count in Counter((rule.name, rule.kinds) for rule in RULES if rule.name != "schema").items()
        for rule in [next(one for one in RULES if (one.name, one.kinds) == rule)]
        if sum(planted[rule.name, kind] for kind in rule.kinds) < count
    ]
    assert missing == []
    assert len(ALL) >= 40


def test_names_that_rules_share_are_of_one_severity():
    severities = {}
    for rule in RULES:
        assert severities.setdefault(rule.name, rule.severity) == rule.severity


@pytest.mark.parametrize("lang", languages())
def test_every_finding_is_told_in_every_language_and_as_data(lang, linted):
    words = messages(lang)
    assert {key.rpartition(".")[2] for key in words.keys() if key.startswith("lint.what.")} == {r.name for r in RULES}  # noqa: SIM118
    for one in ALL[::4]:
        found = linted(mutated(one))
        told = list(lines([found], words))
        assert f"[{one.rule}]" in told[0]
        assert len(told) == len(found.findings) + 3
        (data,) = as_data([found], words)["files"]
        assert data["findings"][0]["rule"] == one.rule
        assert all(data["findings"][0][key] for key in ("what", "why", "mend", "line"))
