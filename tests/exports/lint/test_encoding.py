"""Files in another encoding than UTF-8: what they are in is told, and what was due."""

from __future__ import annotations

import pytest

from exactattn.exports.lint.encoding import declared, written
from exactattn.exports.lint.report import lines
from exactattn.i18n import languages, messages

from .conftest import rules

ESSAY = (
    '<quiz><question type="essay"><name><text>{0}</text></name><questiontext format="html"><text>{0}</text></questiontext>'
    "</question></quiz>"
)
HAN, ACCENTS = "求注意力的权重，写出每一步。", "Où est la clé de la requête?"


def file(text, name, said="UTF-8", mark=b""):
    head = f'<?xml version="1.0" encoding="{said}"?>\n' if said else ""
    return mark + (head + ESSAY.format(text)).encode(name)


FILES = {
    "gbk": (file(HAN, "gbk"), "GBK", "UTF-8"),
    "gbk, declared": (file(HAN, "gbk", "GBK"), "GBK", "GBK"),
    "gb2312, declared": (file(HAN, "gb2312", "gb2312"), "gb2312", "gb2312"),
    "gb18030": (file(HAN, "gb18030"), "GBK", "UTF-8"),
    "utf-16": (file(HAN, "utf-16", "UTF-16"), "UTF-16", "UTF-16"),
    "utf-16, declared as UTF-8": (file(HAN, "utf-16"), "UTF-16", "UTF-8"),
    "utf-16 without a mark": (file(HAN, "utf-16-le", "UTF-16"), "UTF-16", "UTF-16"),
    "utf-16, big end first, without a mark": (file(HAN, "utf-16-be", "UTF-16"), "UTF-16", "UTF-16"),
    "utf-16 without a declaration": (file(HAN, "utf-16", ""), "UTF-16", "–"),
    "utf-32": (file(HAN, "utf-32", "UTF-32"), "UTF-32", "UTF-32"),
    "latin-1, declared": (file(ACCENTS, "latin-1", "ISO-8859-1"), "ISO-8859-1", "ISO-8859-1"),
    "latin-1": (file(ACCENTS, "latin-1"), "windows-1252", "UTF-8"),
    "declared wrongly": (file(HAN, "utf-8", "GBK"), "UTF-8", "GBK"),
    "an encoding that nobody knows": (file(HAN, "gbk", "x-none"), "GBK", "x-none"),
    "cyrillic": (file("Запишите ответ", "cp1251"), "–", "UTF-8"),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("lang", languages())
def test_the_encoding_is_told(name, lang, linted):
    data, found, said = FILES[name]
    report = linted(data)
    assert rules(report) == ["encoding"]
    told = next(lines([report], messages(lang)))
    assert found in told
    assert said in told
    assert "UTF-8" in told


@pytest.mark.parametrize("text", [HAN, ACCENTS, "plain"])
def test_utf_8_is_utf_8(text, linted):
    for mark in (b"", b"\xef\xbb\xbf"):
        data = file(text, "utf-8", mark=mark)
        assert written(data) == "UTF-8"
        assert declared(data) == "UTF-8"
        assert rules(linted(data)) == []


def test_ascii_may_be_declared_as_anything(linted):
    assert rules(linted(file("plain", "ascii", "ISO-8859-1"))) == []


def test_systems_of_qti_read_utf_16_with_its_mark(linted):
    item = (
        '<?xml version="1.0" encoding="{}"?>\n<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="a" '
        f'title="{HAN}" adaptive="false" timeDependent="false"><itemBody><p>?</p></itemBody></assessmentItem>'
    )
    assert rules(linted(item.format("UTF-16").encode("utf-16"))) == []
    assert rules(linted(item.format("UTF-16").encode("utf-16-le"))) == ["encoding"]
    assert rules(linted(item.format("GBK").encode("gbk"))) == ["encoding"]
    assert rules(linted(item.format("UTF-8").encode("gbk"))) == ["encoding"]
