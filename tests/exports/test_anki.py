"""Decks: what Anki itself makes of them, the same bytes, ids that stay."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from exactattn.document import Text
from exactattn.errors import MissingProgram
from exactattn.exams.exam import Exam, exam
from exactattn.exams.kinds import kinds
from exactattn.exams.places import with_symbols
from exactattn.exams.spec import bundled, read
from exactattn.exports import anki
from exactattn.exports.item import items
from exactattn.exports.portable import Portable
from exactattn.exports.sheet import Sheet
from exactattn.i18n import languages, messages

SPEC = '[[question]]\nid = "q"\nkind = "full-attention"\nask = ["weights", "output"]\n'


def deck(of: Exam, lang: str = "en", title: str | None = None) -> bytes:
    out = io.BytesIO()
    sheet = Sheet(title or of.spec.title, messages(lang))
    anki.write(items(of, lang), out, sheet)
    return out.getvalue()


@pytest.fixture
def collection(tmp_path: Path) -> Iterator[Any]:
    """An empty collection of Anki's own."""
    from anki.collection import Collection

    found = Collection(str(tmp_path / "collection.anki2"))
    yield found
    found.close()


def imported(collection: Any, data: bytes, tmp_path: Path) -> None:
    from anki.import_export_pb2 import ImportAnkiPackageOptions, ImportAnkiPackageRequest

    path = tmp_path / "deck.apkg"
    path.write_bytes(data)
    collection.import_anki_package(
        ImportAnkiPackageRequest(package_path=str(path), options=ImportAnkiPackageOptions(merge_notetypes=True))
    )


@pytest.mark.parametrize("spec", bundled())
def test_anki_imports_every_spec_twice_without_a_note_more(collection, tmp_path, spec):
    made = exam(spec, seed=7)
    due = [one.id for one in items(made)]
    imported(collection, deck(made), tmp_path)
    notes = collection.find_notes("")
    assert len(notes) == len(due)
    assert sorted(collection.get_note(note)["Id"] for note in notes) == sorted(due)
    imported(collection, deck(made), tmp_path)
    assert collection.find_notes("") == notes
    assert len(collection.find_cards("")) == len(due)


@pytest.mark.parametrize("lang", languages())
def test_the_key_is_behind_and_not_in_front(collection, tmp_path, lang):
    made = exam(read(SPEC), seed=7, variants=3)
    imported(collection, deck(made, lang), tmp_path)
    by_id = {collection.get_note(note)["Id"]: collection.get_note(note) for note in collection.find_notes("")}
    for one in items(made, lang):
        note = by_id[one.id]
        assert all(text in note["Answer"] for keys in one.question.key for text in keys)
        assert not any(text in note["Question"] for text in one.question.key[1])
        for wrong in one.question.parts[1].wrongs:
            name = with_symbols((Text(one.words.text(f"misconception.{wrong.names[0]}.name")),))
            assert Portable("tex").inlines(name) in note["Answer"]


def test_what_anki_renders_has_both_sides(collection, tmp_path):
    imported(collection, deck(exam(read(SPEC), seed=7)), tmp_path)
    (card,) = (collection.get_card(one) for one in collection.find_cards(""))
    assert "\\(" in card.question()
    assert "<details>" in card.answer()


def test_another_exam_adds_its_own(collection, tmp_path):
    first, second = (exam(read(SPEC), seed=seed, variants=4) for seed in (1, 2))
    imported(collection, deck(first), tmp_path)
    imported(collection, deck(second), tmp_path)
    assert len(collection.find_notes("")) == 8


def test_the_same_exam_has_the_same_bytes():
    made = exam(read(SPEC), seed=7, variants=2)
    assert deck(made) == deck(exam(read(SPEC), seed=7, variants=2))
    with zipfile.ZipFile(io.BytesIO(deck(made))) as found:
        assert found.namelist() == ["collection.anki2", "media"]
        assert {one.date_time for one in found.infolist()} == {(1980, 1, 1, 0, 0, 0)}


@pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.name)
def test_every_kind_is_a_note(kind):
    made = exam(read(f'[[question]]\nid = "q"\nkind = "{kind.name}"\n'), seed=3)
    for lang in languages():
        (one,) = items(made, lang)
        before, (key, work) = anki.front(one, Portable("tex")), anki.back(one, Portable("tex"))
        assert before.count("<p>") > len(one.parts)
        assert all(text in key for texts in one.question.key for text in texts)
        assert work


def test_titles_are_data(collection, tmp_path):
    title = 'b <i>"{{Question}}"</i> 西安'
    imported(collection, deck(exam(read(SPEC), seed=7), title=title), tmp_path)
    assert title in [one.name for one in collection.decks.all_names_and_ids()]


def test_without_genanki_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "genanki", None)
    with pytest.raises(MissingProgram) as caught:
        deck(exam(read(SPEC), seed=7))
    assert str(caught.value) == "an Anki deck needs genanki: pip install 'exactattn[anki]'"
