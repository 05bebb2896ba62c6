"""Our own exports: lint finds nothing in them."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from exactattn.errors import OptionError
from exactattn.exams.exam import exam
from exactattn.exams.kinds import kinds
from exactattn.exams.model import Asked
from exactattn.exams.select import NoVariants, variants
from exactattn.exams.spec import Spec, bundled
from exactattn.exports.lint.report import lines
from exactattn.i18n import messages

from .conftest import KINDS, exported


@cache
def of_spec(name):
    made = exam(name, seed="lint", variants=1 if name == "bank" else 2)
    return replace(made, papers=tuple(made.papers))  # drawn once for all formats


@cache
def of_every_kind():
    """A question of every kind in every form of answer."""
    asked = []
    for kind in kinds().values():
        for answer in kind.answered:
            one = Asked(f"{kind.id}-{answer}", kind.id, answer=answer)
            try:
                next(variants(one, "lint"))
            except (NoVariants, OptionError):
                continue  # a choice of too few numbers
            asked.append(one)
    assert {one.kind for one in asked} == set(kinds())
    made = exam(Spec(tuple(asked), title="All kinds"), seed="lint")
    return replace(made, papers=tuple(made.papers))


@pytest.mark.parametrize("format", KINDS)
@pytest.mark.parametrize("name", sorted(bundled()))
def test_every_export_of_a_spec_that_comes_with_the_package_is_clean(name, format, linted):
    made = of_spec(name)
    found = linted(exported(made, format, made.spec.lang))
    assert list(lines([found], messages("en")))[:-1] == []


@pytest.mark.parametrize("format", KINDS)
def test_every_kind_is_exported_clean(format, linted):
    found = linted(exported(of_every_kind(), format, maths="tex" if format == "moodle" else "mathml"))
    assert list(lines([found], messages("en")))[:-1] == []
