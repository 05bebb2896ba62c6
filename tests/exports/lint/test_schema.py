"""Files against a schema of the user's."""

from __future__ import annotations

import pytest

from exactattn.errors import FileError, InputError
from exactattn.exports.lint import schema

from .conftest import rules, sources, zipped

XSD = """<?xml version="1.0" encoding="UTF-8"?>
<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" elementFormDefault="qualified">
  {}
  <xs:element name="quiz"><xs:complexType><xs:sequence>
    <xs:element name="question" maxOccurs="unbounded"><xs:complexType><xs:sequence>
      <xs:element name="name" type="{}"/><xs:any minOccurs="0" maxOccurs="unbounded" processContents="skip"/>
    </xs:sequence><xs:attribute name="type" type="xs:NCName" use="required"/></xs:complexType></xs:element>
  </xs:sequence></xs:complexType></xs:element>
</xs:schema>"""
NAME = '<xs:complexType name="named"><xs:sequence><xs:element name="text" type="xs:string"/></xs:sequence></xs:complexType>'
QUIZ = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<quiz><question type="essay"><name><text>a</text></name>'
    "<questiontext><text>?</text></questiontext></question></quiz>"
)


@pytest.fixture
def folder(tmp_path):
    """A schema of our own that includes another by an address elsewhere, which is looked up in the folder."""
    place = tmp_path / "schemas"
    place.mkdir()
    included = '<xs:include schemaLocation="http://a.example/deep/named.xsd"/>'
    (place / "quiz.xsd").write_text(XSD.format(included, "named"))
    (place / "named.xsd").write_text(f'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">{NAME}</xs:schema>')
    return place


def test_what_the_schema_allows_is_clean(folder, linted):
    assert rules(linted(QUIZ, schemas=str(folder))) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("<name><text>a</text></name>", "<name>a</name>"),
        ('type="essay"', 'type="an essay" kind="x"'),
        ("<name><text>a</text></name>", "<name><text>a</text><text>a</text></name>"),
    ],
)
def test_what_it_does_not_allow_is_a_finding_with_its_line(old, new, folder, linted):
    found = linted(QUIZ.replace(old, new), schemas=str(folder))
    (first, *_) = [one for one in found.findings if one.rule == "schema"]
    assert first.line == 2
    assert first.parts["why"]


def test_without_a_schema_for_its_root_a_file_is_not_checked_against_one(folder, linted):
    found = schema.opened(str(folder))
    assert rules(linted(sources()["qti:number"], schemas=found)) == []
    assert not found.used


def test_a_manifest_is_checked_against_its_own_schema(tmp_path, linted):
    place = tmp_path / "schemas"
    place.mkdir()
    space = "http://www.imsglobal.org/xsd/imscp_v1p1"
    (place / "cp.xsd").write_text(
        f'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" targetNamespace="{space}"><xs:element name="manifest">'
        '<xs:complexType><xs:attribute name="identifier" type="xs:ID" use="required"/></xs:complexType></xs:element></xs:schema>'
    )
    item = sources()["qti:proof"]
    found = linted(
        zipped({"imsmanifest.xml": f'<manifest xmlns="{space}"/>'.encode(), "i.xml": item}), schemas=str(place)
    )
    assert {(one.rule, one.file) for one in found.findings} >= {("schema", "imsmanifest.xml")}


def test_a_folder_that_is_none_and_schemas_that_are_none_are_one_clear_line(tmp_path):
    with pytest.raises(FileError, match=r"a folder with \.xsd files was due"):
        schema.opened(str(tmp_path / "none"))
    with pytest.raises(InputError, match=r"holds no \.xsd file"):
        schema.opened(str(tmp_path))
    (tmp_path / "a.xsd").write_text("<xs:schema")
    with pytest.raises(InputError, match="is no schema"):
        schema.opened(str(tmp_path))


def test_a_schema_that_does_not_hold_together_is_one_clear_line(tmp_path, linted):
    place = tmp_path / "schemas"
    place.mkdir()
    (place / "quiz.xsd").write_text(XSD.format("", "nowhere"))
    with pytest.raises(InputError, match="no schema that can be used"):
        linted(QUIZ, schemas=str(place))
