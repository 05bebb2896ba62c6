"""Files that mean harm: one clear line or one finding each, in moments."""

from __future__ import annotations

import io
import json
import re
import struct
import zipfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactattn.cli import main
from exactattn.errors import ExactAttnError, FileError, InputError, LimitError
from exactattn.exports.lint import lint
from exactattn.exports.lint.limits import LINT_LIMITS
from exactattn.exports.lint.report import lines
from exactattn.i18n import messages

from .conftest import SOURCES, rules, sources, zipped

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
QUESTION = '<question type="essay"><name><text>{}</text></name><questiontext><text>?</text></questiontext></question>'


def laughs():
    lines = ['<!ENTITY a0 "ha">'] + [f'<!ENTITY a{k} "{f"&a{k - 1};" * 10}">' for k in range(1, 30)]
    return f"{HEAD}<!DOCTYPE quiz [{''.join(lines)}]><quiz>{QUESTION.format('&a29;')}</quiz>"


@pytest.mark.parametrize(
    "text",
    [
        laughs(),
        f'{HEAD}<!DOCTYPE quiz [<!ENTITY x SYSTEM "file:///etc/passwd">]><quiz>{QUESTION.format("&x;")}</quiz>',
        f'{HEAD}<!DOCTYPE quiz [<!ENTITY % x SYSTEM "http://a.example/x.dtd"> %x;]><quiz>{QUESTION.format("a")}</quiz>',
    ],
    ids=["bomb", "file", "network"],
)
def test_entities_are_one_finding_and_are_never_expanded(text, linted):
    found = linted(text)
    assert rules(found) == ["entities"]


def test_a_document_type_elsewhere_is_not_fetched(linted):
    text = f'{HEAD}<!DOCTYPE quiz SYSTEM "http://127.0.0.1:9/quiz.dtd"><quiz>{QUESTION.format("a")}</quiz>'
    assert rules(linted(text)) == ["doctype"]


def test_elements_are_nested_up_to_a_limit(linted):
    text = f"{HEAD}<quiz>{'<a>' * 100_000}"
    with pytest.raises(LimitError, match="more than 200 deep"):
        linted(text)


@pytest.mark.parametrize("name", ["../a.xml", "/a.xml", "a/../../b.xml", "..\\a.xml", "C:\\a.xml"])
def test_paths_that_lead_out_of_a_package_are_refused(name, linted):
    with pytest.raises(InputError, match="a path within the package was due"):
        linted(zipped({"imsmanifest.xml": b"<manifest/>", name: b"x"}))


def test_links_in_a_package_are_refused(linted):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        info = zipfile.ZipInfo("items/a.xml")
        info.external_attr = 0o120777 << 16
        archive.writestr(info, "/etc/passwd")
    with pytest.raises(InputError, match="a link"):
        linted(file.getvalue())


def bomb(size):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.xml", b"\0" * size)
    return file.getvalue()


def test_a_zip_that_unpacks_to_more_than_it_may_is_not_unpacked(linted):
    limits = replace(LINT_LIMITS, file_bytes=1_000_000)
    with pytest.raises(LimitError, match="unpacks to 5000000 bytes"):
        linted(bomb(5_000_000), limits=limits)
    with pytest.raises(LimitError, match="unpacks to 5000000 bytes"):
        linted(bomb(5_000_000), limits=replace(LINT_LIMITS, package_bytes=1_000_000))


def test_a_zip_that_lies_about_its_size_is_refused(linted):
    data = bytearray(bomb(5_000_000))
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        at = data.find(signature)
        struct.pack_into("<I", data, at + offset, 10)
    with pytest.raises(InputError, match=r"larger than the zip says|no zip that can be read"):
        linted(bytes(data))


def test_a_zip_of_very_many_files_is_refused(linted):
    with pytest.raises(LimitError, match="holds 30 files"):
        linted(zipped({f"{k}.xml": b"" for k in range(30)}), limits=replace(LINT_LIMITS, members=20))


@pytest.mark.parametrize("data", [b"PK\x03\x04", b"PK\x05\x06" + b"\0" * 18, b"PK\x03\x04" + b"x" * 500])
def test_a_broken_zip_is_said_to_be_one(data, linted):
    with pytest.raises(InputError, match=r"no zip that can be read|no file that is known"):
        linted(data)


@pytest.mark.parametrize(
    "data", [b"", b"hello", b"<html><body/></html>", b"\xff\xfe", b"{}", b"\0" * 100, b"<?a?>" * 20_000 + b"!"]
)
def test_a_file_of_another_kind_is_one_clear_line(data, linted):
    with pytest.raises(InputError, match="no file that is known here"):
        linted(data)


def test_no_file_and_a_folder_are_one_clear_line(tmp_path):
    with pytest.raises(FileError, match="cannot read"):
        lint(tmp_path / "none.xml")
    with pytest.raises(FileError, match="is a folder"):
        lint(tmp_path)


@pytest.mark.parametrize(
    "text",
    [
        "{1:MC:" + "a~" * 20_000,
        "{1:NM:" * 20_000,
        "{1:MC:=a#" * 5_000 + "}",
        "{1:NM:" + "1" * 100_000 + "}",
        "{" + " " * 200_000 + ":NM:",
        "{1:MC:=" + "\\}" * 50_000,
    ],
    ids=["open", "many", "feedback", "digits", "space", "escaped"],
)
def test_no_text_of_a_cloze_question_takes_long(text, linted):
    question = QUESTION.format("a").replace("essay", "cloze").replace("<text>?", f"<text>{text}")
    with suppress(LimitError):
        assert linted(f"{HEAD}<quiz>{question}</quiz>").findings


NO_NUMBERS = ("1e999999999", "9" * 5000, "-", "1e", "0x10", "nan", "1e401", "1/3", "1" * 900 + "e-401")


@pytest.mark.parametrize("text", NO_NUMBERS, ids=[text[:12] for text in NO_NUMBERS])
def test_numbers_that_are_none_are_faults_not_crashes(text, linted):
    answer = f'<answer fraction="100"><text>{text}</text><tolerance>{text}</tolerance></answer>'
    question = QUESTION.format("a").replace("essay", "numerical").replace("</question>", f"{answer}</question>")
    assert rules(linted(f"{HEAD}<quiz>{question}</quiz>")) == ["answer-number", "tolerance-form"]


TOKEN = re.compile(r'<[^>]*>|"[^"]*"|\b[\w.]+\b')
PIECES = (
    "<value>", "</and>", '""', "1/2", "-", "{1:NM:", "}", "~", "<text/>", '<index n="99"/>', "<sum/>", 'fraction=""', "&amp;",
    "]]>",
)  # fmt: skip


@settings(max_examples=60)
@given(st.sampled_from([name for name in SOURCES if not name.endswith(".zip")]), st.randoms(use_true_random=False))
def test_files_with_random_damage_are_linted_or_refused(name, random):
    text = sources()[name].decode()
    for _ in range(random.randint(1, 3)):
        places = [found.span() for found in TOKEN.finditer(text)]
        (a, b), (c, d) = random.choice(places), random.choice(places)
        text = text[:a] + random.choice(["", text[c:d], random.choice(PIECES) + text[a:b]]) + text[b:]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "file.xml"
        path.write_text(text)
        with suppress(ExactAttnError):
            assert list(lines([lint(path)], messages("zh")))


def run(*arguments):
    return main(list(arguments), standalone_mode=False)


def test_the_command_says_what_it_found_and_ends_with_its_codes(tmp_path, capsys):
    good, bad, other = tmp_path / "a.xml", tmp_path / "b.xml", tmp_path / "c.xml"
    good.write_text(f"{HEAD}<quiz>{QUESTION.format('a')}</quiz>")
    bad.write_text(
        f"{HEAD}<quiz>{QUESTION.format('')}{QUESTION.format(chr(0x9B) + '[31m').replace('essay', 'x')}</quiz>"
    )
    other.write_text("x")
    assert run("lint", str(good)) == 0
    assert capsys.readouterr().out == "files: 1, nothing is found\n"
    assert run("lint", str(good), str(bad), "--lang", "zh") == 1
    out = capsys.readouterr().out
    assert "错误 [question-name]" in out
    assert out.isprintable() or set(out) - {c for c in out if c.isprintable()} == {"\n"}
    assert run("lint", str(other)) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert run("lint") == 2
    capsys.readouterr()
    assert run("lint", "--rules") == 0
    assert capsys.readouterr().out.startswith(
        "declaration-first: error (moodle, qti2, qti3, canvas, package)\n    why: "
    )
    assert run("lint", str(good), "--limit", "file_bytes=10") == 2
    assert "--limit file_bytes=N" in capsys.readouterr().err
    assert run("lint", str(good), "--limit", "depth=x") == 2
    assert run("lint", str(good), "--schema", str(tmp_path / "none")) == 2


def test_a_file_that_cannot_be_read_hides_no_findings_of_the_others(tmp_path, capsys):
    bad, deep, other, none = (tmp_path / name for name in ("bad.xml", "deep.xml", "other.txt", "none.xml"))
    bad.write_text(f"{HEAD}<quiz>{QUESTION.format('')}</quiz>")
    deep.write_text(f"{HEAD}<quiz>{'<a>' * 1000}")
    other.write_text("x")
    for files in ((other, bad, none, deep), (bad, deep, none, other)):
        assert run("lint", *map(str, files)) == 2
        told = capsys.readouterr()
        assert "[question-name]" in told.out
        assert told.out.endswith("files: 1, errors: 1, warnings: 0\n")
        refused = [str(file) for file in files if file != bad]
        assert [next(name for name in refused if name in line) for line in told.err.splitlines()] == refused
    assert run("lint", "--json", str(none), str(bad)) == 2
    found = json.loads(capsys.readouterr().out)
    assert [file["name"] for file in found["files"]] == [str(bad)]
    assert [file["name"] for file in found["unread"]] == [str(none)]
    assert "cannot read" in found["unread"][0]["why"]


def test_where_no_file_can_be_read_nothing_is_said_to_be_clean(tmp_path, capsys):
    assert run("lint", str(tmp_path / "a.xml"), str(tmp_path / "b.xml")) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 2
