"""What a reader sees of any text."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactattn.writers.clean import HIDDEN, Hidden, flat, pieces, shortened, token_pieces, width

TOKENS = json.loads(Path(__file__).parents[1].joinpath("data", "tokens.json").read_text(encoding="utf-8"))
ANY = st.text(st.characters(codec=None))


@given(ANY)
def test_nothing_that_acts_or_hides_is_left(text: str) -> None:
    for shown in (flat(token_pieces(text)), flat(pieces(text))):
        acting = [c for c in shown if unicodedata.category(c) in HIDDEN and c not in " \u3000\u00a0\u200c\u200d"]
        assert not acting


@given(st.text(st.characters(categories=["L", "N", "S", "P"])))
def test_letters_digits_and_signs_are_left_as_they_are(text: str) -> None:
    assert token_pieces(text) == ((text,) if text else (Hidden(""),))


@given(ANY)
def test_no_character_is_lost(text: str) -> None:
    boxes = sum(isinstance(part, Hidden) for part in token_pieces(text)) if text else 0
    shown = "".join(part for part in token_pieces(text) if isinstance(part, str))
    assert len(shown) - shown.count("\u25cc") + text.count("\u25cc") + boxes == len(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", "‹›"),
        (" ", "␣"),
        ("a  b", "a␣␣b"),
        ("New York", "New York"),
        ("\x1b[31m", "‹U+001B›[31m"),
        ("\u202eabc", "‹U+202E›abc"),
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("a\u200db", "a‹U+200D›b"),
        ("क\u094d\u200dष", "क\u094d\u200dष"),
        ("\u0301", "\u25cc\u0301"),
        ("e\u0301", "e\u0301"),
        ("\ud800", "‹U+D800›"),
        ("\ufffe", "‹U+FFFE›"),
        ("\U000e0041", "‹U+E0041›"),
    ],
)
def test_a_token_is_itself_or_boxes(text: str, shown: str) -> None:
    assert flat(token_pieces(text)) == shown


@pytest.mark.parametrize("text", TOKENS)
def test_a_shortened_token_fits_and_a_short_one_is_whole(text: str) -> None:
    whole = token_pieces(text)
    assert width(flat(shortened(whole, 24))) <= 24
    assert shortened(whole, 400) == whole


def test_a_cut_parts_no_letter_from_its_mark() -> None:
    assert flat(shortened(("e\u0301" * 30,), 10)) == "e\u0301" * 6 + "…" + "e\u0301" * 3
