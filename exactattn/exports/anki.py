r"""An Anki deck: the question in front, its key, what wrong methods give, and the worked solution behind.

Ids are stable: the deck's follows from the exam's title, a note's from its question, so that a deck imported again updates its
notes and adds none. Formulas are TeX between \( and \), which Anki sets by itself. The file is a zip of an SQLite database; both
are written with fixed dates.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import BinaryIO

from exactattn import __version__
from exactattn.document import Block, Note
from exactattn.errors import MissingProgram
from exactattn.exams.model import LETTERS
from exactattn.exports import archive
from exactattn.exports.item import Choices, Item, Part, Steps
from exactattn.exports.portable import Portable
from exactattn.exports.portable import plain as escaped
from exactattn.exports.sheet import Sheet
from exactattn.writers.clean import flat, pieces

NOTE_TYPE = 1_730_112_877
"""The id of the note type: always this, so that Anki knows it again."""

FIELDS = ("Question", "Answer", "Solution", "Id")

STYLE = """
.card {
  font: 18px/1.6 Georgia, "Noto Serif CJK SC", "Songti SC", serif;
  max-width: 46em; margin: 0 auto; padding: 0 .6em; text-align: left;
}
table { border-collapse: collapse; margin: .4em auto; } td, th { padding: .2em .6em; }
details > summary { cursor: pointer; color: #1f4e79; } .nightMode details > summary { color: #8ab8e6; }
mjx-container { overflow-x: auto; overflow-y: hidden; max-width: 100%; }
"""


def write(items: Iterable[Item], file: BinaryIO, sheet: Sheet) -> None:
    """Write a deck of all items. Errors: MissingProgram where genanki is not installed."""
    try:
        import genanki
    except ModuleNotFoundError:
        raise MissingProgram("an Anki deck needs genanki: pip install 'exactattn[anki]'") from None
    title = flat(pieces(sheet.title or sheet.words.text("exam.untitled")))
    worked = escaped(sheet.words.text("exports.anki.solution"))
    behind = f"<hr id=answer>{{{{Answer}}}}<details><summary>{worked}</summary>{{{{Solution}}}}</details>"
    model = genanki.Model(
        NOTE_TYPE,
        "exactattn",
        fields=[{"name": name} for name in FIELDS],
        templates=[{"name": "exactattn", "qfmt": "{{Question}}", "afmt": "{{Question}}" + behind}],
        css=STYLE,
        sort_field_index=FIELDS.index("Id"),
    )
    deck = genanki.Deck(_number(f"deck\0{title}"), title)
    how, seed = Portable("tex"), sha256()
    for item in items:
        seed.update(item.id.encode())
        fields = [front(item, how), *back(item, how), item.id]
        deck.add_note(genanki.Note(model, fields, guid=item.id, tags=[_tag(tag) for tag in item.tags]))
    _package(genanki.Package(deck), file, int.from_bytes(seed.digest()[:4], "big"))


def front(item: Item, how: Portable) -> str:
    """The setting and the tasks."""
    return how.blocks(item.prompt) + "".join(_task(part, how) for part in item.parts)


def _task(part: Part, how: Portable) -> str:
    match part.form:
        case Choices(alternatives=alternatives):
            shown = [one.shown for one in alternatives]
        case Steps(steps=steps):
            shown = list(steps)
        case _:
            shown = []
    lettered = "".join(f"<p>{LETTERS[k]}. {how.inlines(one)}</p>" for k, one in enumerate(shown))
    return f"<p>{how.inlines(part.task)}</p>{lettered}"


def back(item: Item, how: Portable) -> tuple[str, str]:
    """The key with what wrong methods give, and the work."""
    blocks = item.solution()
    keys: list[Block] = [block for block in blocks if isinstance(block, Note) and block.kind in ("answer", "warning")]
    return how.blocks(keys), how.blocks([block for block in blocks if block not in keys])


def _tag(text: str) -> str:
    """Anki parts tags by spaces."""
    return "-".join(text.split()) or "-"


def _number(text: str) -> int:
    """A number of 31 bits that follows from a text."""
    return int.from_bytes(sha256(text.encode()).digest()[:4], "big") >> 1


def _package(package: object, file: BinaryIO, seed: int) -> None:
    """The database and the list of media as a zip. Anki takes the later of two notes: a later release is later."""
    major, minor, patch = (int(x) for x in __version__.split(".")[:3])
    stamp = 1_700_000_000 + 86_400 * (10_000 * major + 100 * minor + patch)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "collection.anki2"
        connection = sqlite3.connect(path)
        # ids of notes and cards: apart from those of other decks, the same for this one
        package.write_to_db(connection.cursor(), float(stamp), count(stamp * 1000 + seed))  # type: ignore[attr-defined]
        connection.commit()
        connection.close()
        data = bytearray(path.read_bytes())
    data[96:100] = (3_040_000).to_bytes(4, "big")  # the version of SQLite that wrote it, for information only
    archive.write(file, _members(bytes(data)))


def _members(database: bytes) -> Iterator[tuple[str, bytes]]:
    yield "collection.anki2", database
    yield "media", b"{}"
