"""Nothing is left out of the catalogue, and every line of it can be typeset."""

from __future__ import annotations

import pytest

from exactattn.i18n import languages, messages
from exactattn.identities import CATALOGUE, find
from exactattn.identities.notation import maths

ROWS = [pytest.param(row, id=row.name) for row in CATALOGUE]


def test_there_are_41_rows_by_number_and_each_has_its_own_name():
    assert [row.number for row in CATALOGUE] == list(range(1, 42))
    assert len({row.name for row in CATALOGUE}) == 41
    assert all(find(row.name) is row for row in CATALOGUE)


@pytest.mark.parametrize("row", ROWS)
def test_every_line_of_maths_is_read(row):
    for text in (*row.statement, *row.derivation, *row.parts):
        assert maths(text)


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("row", ROWS)
def test_every_row_has_its_words_and_every_part_is_used(row, lang):
    words = messages(lang)
    assert words.text(f"identity.{row.name}.title").strip()
    assert row.said("proof", words)
    assert bool(row.said("twin", words)) == ("P" in row.kinds)
    used = {letter for key in ("where", "proof", "twin") for letter in holes(words, f"identity.{row.name}.{key}")}
    assert used == set("abcdefghij"[: len(row.parts)])


FLOAT_COLUMN = {1, 2, 3, 4, 5, 6, 7, 8, 22, 24, 29, 31, 33, 35, 37}


def test_a_bound_in_floating_point_is_said_of_the_rows_that_have_one():
    assert {row.number for row in CATALOGUE if row.float_bound} == FLOAT_COLUMN
    assert find("sums-to-one").float_bound == "within (n+3)u, seen 2.5 eps"


def test_a_row_of_kind_c_has_options_and_no_other_row():
    assert all(("C" in row.kinds) == (len(row.options) > 1) for row in CATALOGUE)


def test_a_row_of_kind_p_a_or_d_has_a_derivation_or_speaks_of_steps():
    for row in CATALOGUE:
        if set(row.kinds) & {"P", "A", "D"}:
            assert row.derivation or row.method == "structural", row.name


def holes(words, key):
    from string import Formatter

    if key not in words.keys():  # noqa: SIM118
        return set()
    return {field for _, field, _, _ in Formatter().parse(words._flat[key]) if field is not None}
