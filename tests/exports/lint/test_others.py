"""Files as other generators write them, in small: what is wrong with them is found, and nothing else."""

# ruff: noqa: E501  (a file and what is wrong with it stand together)

from __future__ import annotations

import json
import subprocess
import zipfile

import pytest

from exactattn.exports.lint import lint

from .conftest import READERS, rules, zipped

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def quiz(*questions):
    return f"{HEAD}<quiz>{''.join(questions)}</quiz>"


def question(kind, text, rest="", name="a"):
    return (
        f'<question type="{kind}"><name><text>{name}</text></name><questiontext format="html"><text>{text}</text></questiontext>'
        f"{rest}</question>"
    )


def answer(fraction, text, rest=""):
    return f'<answer fraction="{fraction}" format="html"><text>{text}</text><feedback format="html"><text/></feedback>{rest}</answer>'


def item(body, rules, responses="", kind=""):
    """An item of QTI 2.1 in the layout of rqti and R/exams: SCORE and MAXSCORE are declared."""
    return f"""{HEAD}<assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="new" title="Gap" adaptive="false"
  timeDependent="false">
  {responses}
  <outcomeDeclaration identifier="SCORE" cardinality="single" baseType="float"><defaultValue><value>0</value></defaultValue>
  </outcomeDeclaration>
  <outcomeDeclaration identifier="MAXSCORE" cardinality="single" baseType="float"><defaultValue><value>1</value></defaultValue>
  </outcomeDeclaration>
  <itemBody>{body}</itemBody>
  <responseProcessing{kind}>{rules}</responseProcessing>
</assessmentItem>"""


def response(value, base="float", cardinality="single"):
    values = "".join(f"<value>{one}</value>" for one in value.split(","))
    return (
        f'<responseDeclaration identifier="RESPONSE" cardinality="{cardinality}" baseType="{base}"><correctResponse>{values}'
        "</correctResponse></responseDeclaration>"
    )


ENTRY = '<p>x = <textEntryInteraction responseIdentifier="RESPONSE" expectedLength="5"/></p>'


def equal(mode="absolute", tolerance="2 2", points="1"):
    return (
        f'<responseCondition><responseIf><equal toleranceMode="{mode}" tolerance="{tolerance}" includeLowerBound="true" '
        'includeUpperBound="true"><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></equal>'
        f'<setOutcomeValue identifier="SCORE"><baseValue baseType="float">{points}</baseValue></setOutcomeValue></responseIf>'
        "</responseCondition>"
    )


CHOICES = (
    '<choiceInteraction responseIdentifier="RESPONSE" shuffle="true" maxChoices="{}">'
    + "".join(f'<simpleChoice identifier="{c}"><p>{text}</p></simpleChoice>' for c, text in zip("ABC", ("0.5", "0.25", ".50"), strict=True))
    + "</choiceInteraction>"
)  # fmt: skip
TEMPLATE = ' template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct"'

CASES = {
    # Moodle's own documentation and fixtures
    "moodle: a choice": (
        quiz(question("multichoice", "2+2?", "<single>true</single>" + answer(100, 4) + answer(0, 5))), set()),
    "moodle: one of several shares is 33": (
        quiz(question("multichoice", "primes?", "<single>false</single>" + answer(33, 2) + answer("33.33333", 3)
                      + answer("33.33333", 5) + answer(-50, 4))), {"fraction"}),
    "moodle: two right options of 33.33": (
        quiz(question("multichoice", "?", "<single>false</single>" + answer("33.33", 2) + answer("33.33", 3))),
        {"fraction", "credit-sum"}),
    "moodle: no subquestions": (quiz(question("cloze", "Please select the fruits.")), {"cloze-none"}),
    "moodle: a field without choices": (quiz(question("cloze", "Fruits {1:MULTICHOICE}")), {"cloze-grammar"}),
    "moodle: one choice": (quiz(question("cloze", "Fruits {1:MULTICHOICE:=Apple#Correct}")), {"cloze-few"}),
    "moodle: no completely correct answer": (
        quiz(question("cloze", "Fruits {1:MULTICHOICE:Pear#Incorrect~%50%Apple#Correct}")), {"cloze-no-key"}),
    "moodle: a buggy number": (quiz(question("cloze", "Grade? {3:NUMERICAL:=zero}")), {"cloze-number"}),
    "moodle: nested tolerances are meant": (
        quiz(question("numerical", "pi?", answer(100, "3.14", "<tolerance>0.01</tolerance>")
                      + answer(50, "3.14", "<tolerance>0.1</tolerance>") + answer(0, "*"))), set()),
    "moodle: decimal comma": (
        quiz(question("numerical", "?", answer(100, "0,5", "<tolerance>0,01</tolerance>"))), {"number-comma"}),
    "moodle: neighbours share an end": (
        quiz(question("numerical", "?", answer(100, "2", "<tolerance>0.5</tolerance>")
                      + answer(50, "3", "<tolerance>0.5</tolerance>") + answer(0, "1", "<tolerance>0.5</tolerance>"))), set()),
    "moodle: neighbours share an end, the lesser first": (
        quiz(question("numerical", "?", answer(50, "3", "<tolerance>0.5</tolerance>")
                      + answer(100, "2", "<tolerance>0.5</tolerance>"))), set()),
    "moodle: the end of one is the key of another": (
        quiz(question("numerical", "?", answer(50, "3", "<tolerance>0.5</tolerance>")
                      + answer(100, "2.5", "<tolerance>0</tolerance>"))), {"key-refused"}),
    "moodle: no tolerance at all": (quiz(question("numerical", "?", answer(100, "7"))), set()),
    "moodle: units": (
        quiz(question("numerical", "?", "<units><unit><multiplier>1</multiplier><unit_name>m/s</unit_name></unit></units>"
                      + answer(100, "1 200 m/s") + answer(50, "120 km/h"))), {"answer-number"}),
    "moodle: wide tolerance first": (
        quiz(question("numerical", "pi?", answer(50, "3.14", "<tolerance>0.1</tolerance>")
                      + answer(100, "3.14", "<tolerance>0.01</tolerance>"))), {"key-refused"}),
    "moodle: html outside of CDATA": (quiz(question("description", "<p>Read <b>this</b></p>")), {"text-elements"}),
    "moodle: a plug-in's type": (quiz(question("stack", "x?")), {"question-type"}),
    "moodle: a match of one without its answer": (
        quiz(question("matching", "m", "<subquestion><text>a</text></subquestion>")), {"matching-few", "matching-answer"}),
    "moodle: two questions and an answer that misleads": (
        quiz(question("matching", "m", "".join(f"<subquestion><text>{q}</text><answer><text>{a}</text></answer></subquestion>"
                                               for q, a in (("a", "1"), ("b", "2"), ("", "3"), ("", ""))))), set()),
    "moodle: true or false": (
        quiz(question("truefalse", "?", answer(0, "true") + answer(100, "false"))), set()),
    "moodle: false stands first": (quiz(question("truefalse", "?", answer("100.0", "false") + answer(0, "true"))), set()),
    "moodle: true or false in German": (
        quiz(question("truefalse", "?", answer(100, "Wahr") + answer(0, "Falsch"))), {"truefalse-words"}),
    "moodle: false in German stands first": (
        quiz(question("truefalse", "?", answer(0, "Falsch") + answer(100, "true"))), {"truefalse-words", "truefalse-answers"}),
    "moodle: true alone": (quiz(question("truefalse", "?", answer(100, "true"))), {"truefalse-answers"}),
    "moodle: neither is right": (
        quiz(question("truefalse", "?", answer(0, "true") + answer(0, "false"))), {"truefalse-answers"}),
    "moodle: half true": (quiz(question("truefalse", "?", answer(50, "true") + answer(0, "false"))), {"truefalse-answers"}),
    "moodle: gaps, and choices that mislead": (
        quiz(question("gapselect", "[[1]] [[2]] [[1]]", "<selectoption><text>a</text><group>1</group></selectoption>"
                      "<selectoption><text>b</text><group>2</group></selectoption><selectoption><text>c</text><group>1</group>"
                      "</selectoption>")), set()),
    "moodle: a gap for a blank choice": (
        quiz(question("gapselect", "[[1]] [[2]]", "<selectoption><text>a</text></selectoption><selectoption><text> </text>"
                      "</selectoption>")), {"gap-unknown"}),
    "moodle: dragged again and again": (
        quiz(question("ddwtos", "[[1]] [[1]]", "<dragbox><text>a</text><group>1</group><infinite/></dragbox><dragbox>"
                      "<text>b</text><group>1</group></dragbox>")), set()),
    "moodle: gaps in the old way": (quiz(question("ddwtos", "[[1]]", answer(0, "a"))), set()),
    "moodle: a picture is an option": (
        quiz(question("multichoice", "?", answer(100, '&lt;img src="https://a.example/a.png"&gt;') + answer(0, "&lt;b&gt; &lt;/b&gt;"))),
        {"option-blank"}),
    "moodle: an option that is no markup": (
        quiz(question("multichoice", "?", answer(100, "&lt;p&gt;&lt;/p&gt;").replace('"html"', '"plain_text"', 1) + answer(0, "p"))),
        set()),
    "moodle: a share with a comma": (
        quiz(question("multichoice", "?", "<single>false</single>" + answer("66,66667", 2) + answer("33.33333", 3))), {"fraction"}),    # generators of cloze questions
    "cloze: LaTeX in an option": (
        quiz(question("cloze", r"{1:MULTICHOICE_V:=\(\frac{1}{2}\)~\(\frac{1}{3}\)}")), {"cloze-brace"}),
    "cloze: LaTeX that is escaped": (
        quiz(question("cloze", r"{1:MULTICHOICE_V:=\(\frac{1\}{2\}\)~\(\frac{1\}{3\}\)}")), set()),
    "cloze: half a point": (quiz(question("cloze", "{0.5:NUMERICAL:=1:0.1} {1:NUMERICAL:=2:0.1}")), {"cloze-grammar"}),
    "cloze: R/exams' tables of numbers": (
        quiz(question("cloze", "<![CDATA[<table><tr><td>{1:NUMERICAL:=0.731:0.01}</td><td>{1:NUMERICAL:=-1.2e-3:1e-4}</td>"
                      "</tr></table>]]>", "<generalfeedback format=\"html\"><text/></generalfeedback>")), set()),
    "cloze: typographic signs": (
        quiz(question("cloze", "{1:NM:=−0.5:0.1} {1:NM:=1&#xa0;000} {1:NM:=0.5 : 0.1} {1:NM:=1e3:1}")), {"number-character"}),
    "cloze: a decimal comma and a tolerance below 0": (
        quiz(question("cloze", "{1:NM:=0,5:0,1} {1:NM:=0.5:-0.1} {1:NM:%33,3%2~=3}")), {"number-comma", "tolerance-negative"}),
    "cloze: a number is missing": (quiz(question("cloze", "a {1:NM:=} b {1:NM:=2:0.1}")), {"cloze-empty"}),
    "cloze: the last number is missing": (quiz(question("cloze", "a {1:NM:=2:0.1} b {1:NM:=}")), {"cloze-empty"}),
    "cloze: an option is missing": (quiz(question("cloze", "{1:MC:=a~~b}")), {"cloze-empty"}),
    "cloze: feedback without its option": (quiz(question("cloze", "{1:MC:=a~#no~b}")), {"cloze-empty"}),
    "cloze: an option is a mark that is escaped": (quiz(question("cloze", r"{1:MC:=\~~\#~\}}")), set()),
    "moodle: a tag is the answer": (quiz(question("shortanswer", "?", answer(100, "&lt;p&gt;"))), set()),
    # bytes
    "bytes: nbsp": (quiz(question("essay", "a&nbsp;b")), {"not-well-formed"}),
    "bytes: an ampersand": (quiz(question("essay", "R&D")), {"not-well-formed"}),
    "bytes: a blank line first": ("\n" + quiz(question("essay", "a")), {"declaration-first"}),
    "bytes: a byte order mark": ("\ufeff" + quiz(question("essay", "a")), set()),
    "bytes: a control character": (quiz(question("essay", "a\x0bb")), {"not-well-formed"}),
    "bytes: a script in CDATA": (
        quiz(question("essay", "<![CDATA[<script>//<![CDATA[\nx\n//]]></script>]]>")), {"cdata-end"}),
    # QTI of rqti, R/exams, TAO, Blackboard
    "qti: rqti's numeric gap": (
        item(f"The speed is {ENTRY[7:-4]} m/s", equal(), response("300")), {"body-inline", "equal-tolerance"}),
    "qti: R/exams": (item(ENTRY, equal(), response("300")), {"equal-tolerance"}),
    "qti: R/exams' slash": (
        item(ENTRY, '<setOutcomeValue identifier="SCORE"><multiple><baseValue baseType="float">1</baseValue>/<multiple>'
             "</setOutcomeValue>", response("300")), {"slash-tag"}),
    "qti: a negative key, in per cent": (item(ENTRY, equal("relative", "1 1"), response("-0.5")), {"relative-negative", "key-earns-less"}),
    "qti: key 0, in per cent": (item(ENTRY, equal("relative", "1 1"), response("0")), {"relative-zero"}),
    "qti: a fraction as tolerance": (item(ENTRY, equal("absolute", "1/200"), response("0.5")), {"tolerance-form"}),
    "qti: a fraction as key": (item(ENTRY, equal(), response("3/4")), {"number-form", "equal-tolerance"}),
    "qti: the authored tolerance is lost": (item(ENTRY, equal("exact", "0.01"), response("0.5")), {"tolerance-ignored"}),
    "qti: half of the points": (item(ENTRY, equal(points="0.5"), response("3")), {"equal-tolerance", "key-earns-less"}),
    "qti: match_correct": (item(CHOICES.format(1), "", response("A", "identifier"), TEMPLATE), {"options-alike"}),
    "qti: match_correct of several": (
        item(CHOICES.format(0), "", response("A,B", "identifier", "multiple"), TEMPLATE), {"options-alike"}),
    "qti: one answer for several": (
        item(CHOICES.format(0), "", response("A", "identifier"), TEMPLATE), {"options-alike", "response-type"}),
    "qti: a branch without rules": (
        item(ENTRY, '<responseCondition><responseIf><match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/>'
             "</match></responseIf></responseCondition>", response("300")), {"score-unset"}),
    "qti: text that is compared as a number": (
        item(ENTRY, equal(), response("300", "string")), {"text-compared", "equal-tolerance"}),
    "qti: a thousand with a space": (item(ENTRY, equal(), response("1 000")), {"number-character", "equal-tolerance"}),
    "qti: a way to choose none": (
        item('<p><inlineChoiceInteraction responseIdentifier="RESPONSE" shuffle="false"><inlineChoice identifier="N"> </inlineChoice>'
             '<inlineChoice identifier="A">a</inlineChoice></inlineChoiceInteraction></p>', "", response("A", "identifier"), TEMPLATE),
        set()),
    "qti: none is the key": (
        item('<p><inlineChoiceInteraction responseIdentifier="RESPONSE" shuffle="false"><inlineChoice identifier="N"> </inlineChoice>'
             '<inlineChoice identifier="A">a</inlineChoice></inlineChoiceInteraction></p>', "", response("N", "identifier"), TEMPLATE),
        {"option-blank"}),
    "qti: a picture is a choice": (
        item(CHOICES.format(1).replace("<p>0.5</p>", '<img src="https://a.example/a.png" alt=""/>').replace("<p>.50</p>", "<p><b/></p>"),
             "", response("A", "identifier"), TEMPLATE), {"option-blank"}),
    # IMS's own examples, in small: all of this is right
    "qti: a hint may be asked for": (
        item(ENTRY + '<p><endAttemptInteraction responseIdentifier="HINT" title="Hint"/></p>',
             '<setOutcomeValue identifier="SCORE"><sum><variable identifier="MAXSCORE"/></sum></setOutcomeValue>'
             '<responseCondition><responseIf><variable identifier="HINT"/><exitResponse/></responseIf></responseCondition>',
             response("3") + '<responseDeclaration identifier="HINT" cardinality="single" baseType="boolean"/>'),
        {"empty-scores"}),
    "qti: numbers that are drawn": (
        item(ENTRY, equal("absolute", "0"),
             '<responseDeclaration identifier="RESPONSE" cardinality="single" baseType="integer"/>').replace(
             "<itemBody>", '<templateDeclaration identifier="N" cardinality="single" baseType="integer"/><templateProcessing>'
             '<setTemplateValue identifier="N"><randomInteger min="1" max="9"/></setTemplateValue>'
             '<setCorrectResponse identifier="RESPONSE"><variable identifier="N"/></setCorrectResponse></templateProcessing>'
             "<itemBody>"), {"equal-tolerance"}),
    "qti: feedback beside the options": (
        item(CHOICES.format(1).replace("<p>.50</p>", '2 <feedbackInline outcomeIdentifier="F" identifier="C" showHide="show">no'
             "</feedbackInline>"),
             '<setOutcomeValue identifier="F"><variable identifier="RESPONSE"/></setOutcomeValue><responseCondition><responseIf>'
             '<match><variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match><setOutcomeValue identifier="SCORE">'
             '<baseValue baseType="float">1</baseValue></setOutcomeValue></responseIf></responseCondition>',
             response("A", "identifier")
             + '<outcomeDeclaration identifier="F" cardinality="single" baseType="identifier"/>'), set()),
    "qti: an order, half right": (
        item('<orderInteraction responseIdentifier="RESPONSE" shuffle="true"><simpleChoice identifier="A">1</simpleChoice>'
             '<simpleChoice identifier="B">2</simpleChoice></orderInteraction>',
             '<responseCondition><responseIf><match><variable identifier="RESPONSE"/><ordered><baseValue baseType="identifier">B'
             '</baseValue><baseValue baseType="identifier">A</baseValue></ordered></match><setOutcomeValue identifier="SCORE">'
             '<baseValue baseType="float">0.5</baseValue></setOutcomeValue></responseIf><responseElseIf><match>'
             '<variable identifier="RESPONSE"/><correct identifier="RESPONSE"/></match><setOutcomeValue identifier="SCORE">'
             '<baseValue baseType="float">1</baseValue></setOutcomeValue></responseElseIf></responseCondition>',
             response("A,B", "identifier", "ordered")), set()),
    "qti: a match of pairs with a mapping": (
        item('<matchInteraction responseIdentifier="RESPONSE" shuffle="true" maxAssociations="2"><simpleMatchSet>'
             '<simpleAssociableChoice identifier="A" matchMax="1">1</simpleAssociableChoice></simpleMatchSet><simpleMatchSet>'
             '<simpleAssociableChoice identifier="B" matchMax="1">1</simpleAssociableChoice></simpleMatchSet></matchInteraction>',
             "", response("A B", "directedPair", "multiple").replace("</responseDeclaration>",
             '<mapping defaultValue="0"><mapEntry mapKey="A B" mappedValue="1"/></mapping></responseDeclaration>'),
             TEMPLATE.replace("match_correct", "map_response")), set()),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_what_is_wrong_with_a_file_of_others_is_found(name, linted):
    text, due = CASES[name]
    assert set(rules(linted(text))) == due


CANVAS = """<?xml version="1.0"?>
<questestinterop xmlns="http://www.imsglobal.org/xsd/ims_qtiasiv1p2"><assessment ident="a" title="t"><section ident="root_section">
<item ident="i" title="Question"><itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>question_type</fieldlabel>
<fieldentry>numerical_question</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>
<presentation><material><mattext texttype="text/html">?</mattext></material><response_str ident="response1" rcardinality="Single">
<render_fib fibtype="Decimal"><response_label ident="answer1"/></render_fib></response_str></presentation>
<resprocessing><outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>
<respcondition continue="No"><conditionvar><or><varequal respident="response1">{}</varequal><and>
<vargte respident="response1">{}</vargte><varlte respident="response1">{}</varlte></and></or></conditionvar>
<setvar action="Set" varname="SCORE">100</setvar></respcondition></resprocessing></item></section></assessment></questestinterop>"""


@pytest.mark.parametrize(
    ("key", "low", "high", "due"),
    [
        ("1.4142", "1.4141", "1.4143", set()),  # text2qti
        ("-0.5", "-0.505", "-0.495", set()),
        ("-0.5", "-0.495", "-0.505", {"interval-empty"}),  # a share of a negative key
        ("0.00005", "0.00004", "0.00006", {"canvas-small"}),
        ("0.123456", "0.123455", "0.123457", {"canvas-decimals"}),
        ("0.123456", "0.1234", "0.1235", set()),  # rounded as it is typed, it is accepted
        ("0", "0", "0", set()),
        ("0,5", "0.4", "0.6", {"number-form"}),
        ("1 000", "999", "1001", {"number-character"}),
        ("−0.5", "-0.6", "-0.4", {"number-character"}),
        ("0.5", "0.6", "0.7", {"key-outside"}),
    ],
)
def test_numbers_of_canvas_are_marked_as_canvas_marks(key, low, high, due, linted):
    assert set(rules(linted(CANVAS.format(key, low, high)))) == due


def test_a_package_with_its_manifest_in_a_folder_is_told_where_it_is(linted):
    found = linted(zipped({"quiz/imsmanifest.xml": b"<manifest/>", "quiz/a.xml": CANVAS.format(1, 1, 1).encode()}))
    (missing,) = [one for one in found.findings if one.rule == "manifest-missing"]
    assert missing.parts["found"] == "quiz/imsmanifest.xml"


def test_findings_have_the_line_and_the_question(linted):
    text = quiz(
        "\n" + question("essay", "a"), "\n\n" + question("numerical", "b", "\n" + answer("33.4", 1), name="second")
    )
    found = {one.rule: one for one in linted(text).findings}
    fault = found["fraction"]
    assert (fault.line, fault.column, fault.item, fault.element) == (6, 1, "second", "<answer>")


REFUSED = {
    "fraction",
    "full-credit",
    "cloze-none",
    "cloze-grammar",
    "cloze-brace",
    "cloze-few",
    "cloze-no-key",
    "cloze-number",
    "number-character",
}
"""What the reader that goes by the importer's rules complains of as well."""


UNREAD = ("<single>false", 'type="description"', 'type="matching"', 'type="stack"', "{0.5:", 'type="truefalse"', 'type="gapselect"',
          'type="ddwtos"', "<units>")  # fmt: skip
"""What that reader does not look at."""


@pytest.mark.parametrize(
    "name",
    [name for name, (text, due) in CASES.items()
     if name.startswith(("moodle:", "cloze:")) and not any(part in text for part in UNREAD) and due != {"cloze-empty"}],
)  # fmt: skip
def test_questions_are_refused_where_a_reader_with_moodles_rules_refuses_them(name, program, tmp_path):
    program("php")
    text, due = CASES[name]
    file = tmp_path / "file.xml"
    file.write_text(text)
    command = ["php", "-d", "precision=14", str(READERS / "moodle.php"), str(file)]
    done = subprocess.run(command, input="[]", capture_output=True, text=True, check=True)
    errors = [error for error in json.loads(done.stdout)["errors"] if "idnumber" not in error]
    assert bool(errors) == bool(due & REFUSED), errors


def test_a_package_that_holds_none_of_its_items_is_a_package(tmp_path):
    manifest = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" identifier="m">'
        '<organizations/><resources><resource identifier="i" type="imsqti_item_xmlv2p1" href="i.xml">'
        '<file href="i.xml"/></resource></resources></manifest>'
    )
    with zipfile.ZipFile(tmp_path / "package.zip", "w") as made:
        made.writestr("imsmanifest.xml", manifest)
    assert {one.rule for one in lint(tmp_path / "package.zip").findings} == {"href-missing"}
