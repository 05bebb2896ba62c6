"""Faults, each one mutation of an export of ours that is clean: what is replaced by what, and the one rule that has to see it."""

# ruff: noqa: E501  (a pattern is easier to read in one line)

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Planted:
    """`pattern` (found once or more, the first is taken) becomes `new` in a source; `member` is the file within a package."""

    rule: str
    source: str
    pattern: str
    new: str | Callable[[re.Match[str]], str]
    member: str = ""


NUMERICAL = r'(<question type="numerical">(?:(?!</question>).)*?)'
MULTICHOICE = r'(<question type="multichoice">(?:(?!</question>).)*?)'
KEY = r'(<gte><variable identifier="RESPONSE_1_1"/><baseValue baseType="float">)[\d.]+(</baseValue></gte><lte><variable identifier="RESPONSE_1_1"/><baseValue baseType="float">)[\d.]+(</baseValue></lte>)'
WHOLE = r"<and><not><isNull><mathOperator[^>]*><variable[^>]*/></mathOperator></isNull></not><gte>.*?</gte><lte>.*?</lte></and>"
"""The condition of the key in the item of one number."""
# an `equal` beside what marks: the item's own marking stays as it is
BESIDE = r"(<responseProcessing>)"


def beside(mode, tolerance, key):
    text = f' tolerance="{tolerance}"' if tolerance is not None else ""
    return (
        rf'\1<responseCondition><responseIf><equal toleranceMode="{mode}"{text}><variable identifier="RESPONSE_1_1"/>'
        rf'<baseValue baseType="float">{key}</baseValue></equal><setOutcomeValue identifier="WRONG_1_1">'
        r'<baseValue baseType="integer">1</baseValue></setOutcomeValue></responseIf></responseCondition>'
    )


def half_beside(found: re.Match[str]) -> str:
    """After the key of a numerical question another answer, which takes the upper end of the key's interval and earns half."""
    before, key, between, reach, after = found.groups()
    middle = Decimal(key) + Decimal(reach) * Decimal("1.5")
    return (
        f'{before}{key}{between}{reach}{after}<answer fraction="50"><text>{middle:f}</text>'
        f"<tolerance>{reach}</tolerance></answer>"
    )


def half_within(found: re.Match[str]) -> str:
    """The same in a field of a cloze question."""
    before, key, reach = found.groups()
    return f"{before}{key}:{reach}~%50%{Decimal(key) + Decimal(reach) * Decimal('1.5'):f}:{reach}"


def branch(low, high, score):
    """The rules of one branch: SCORE for an interval."""
    return (
        f'<and><gte><variable identifier="RESPONSE_1_1"/><baseValue baseType="float">{low}</baseValue></gte>'
        f'<lte><variable identifier="RESPONSE_1_1"/><baseValue baseType="float">{high}</baseValue></lte></and>'
        f'<setOutcomeValue identifier="SCORE"><baseValue baseType="float">{score}</baseValue></setOutcomeValue>'
    )


def chain(*branches):
    """A chain of branches before all other rules, which set SCORE in the end."""
    first, *others = (branch(*one) for one in branches)
    rest = "".join(f"<responseElseIf>{one}</responseElseIf>" for one in others)
    return rf"\1<responseCondition><responseIf>{first}</responseIf>{rest}</responseCondition>"


def instead(type, text, rest):
    """The essay becomes a question of a type that we do not export."""
    return (
        r'<question type="essay">(.*?<questiontext[^>]*><text>).*?(</text>.*?)(<graderinfo.*?</graderinfo>)(.*?)</question>',
        rf'<question type="{type}">\g<1>{text}\g<2>\g<4>{rest}</question>',
    )


def answers(*pairs):
    return "".join(f'<answer fraction="{share}"><text>{text}</text></answer>' for share, text in pairs)


def subquestions(*pairs):
    return "".join(
        f"<subquestion><text>{stem}</text><answer><text>{answer}</text></answer></subquestion>"
        for stem, answer in pairs
    )


def choices(tag, *each):
    """Choices of gaps as "text/group"."""
    parts = [one.partition("/") for one in each]
    return "".join(f"<{tag}><text>{text}</text><group>{group or 1}</group></{tag}>" for text, _, group in parts)


PAIRS = (("a", "1"), ("b", "2"), ("c", "3"))

MOODLE = (
    # bytes
    Planted("declaration-first", "moodle", r"^", "\n"),
    Planted("declaration-missing", "moodle", r"^<\?xml[^>]*\?>\n", ""),
    Planted("encoding", "moodle", r'encoding="UTF-8"', 'encoding="ISO-8859-1"'),
    Planted("cdata-end", "moodle", r"(<generalfeedback[^>]*><text><!\[CDATA\[)", r"\1a[b[1]]>0 "),
    Planted("slash-tag", "moodle", r"</penalty>", "/<penalty>"),
    Planted("not-well-formed", "moodle", r"<hidden>0</hidden>", "<hidden>0"),
    Planted("not-well-formed", "moodle", r"<hidden>0", "<hidden>&nbsp;0"),
    Planted("entities", "moodle", r"\n<quiz>", '\n<!DOCTYPE quiz [<!ENTITY a "b">]>\n<quiz>'),
    Planted("doctype", "moodle", r"\n<quiz>", '\n<!DOCTYPE quiz SYSTEM "quiz.dtd">\n<quiz>'),
    # headers
    Planted("question-type", "moodle", r'(<question type=)"essay"', r'\1"essai"'),
    Planted("question-name", "moodle", r"<name><text>.*?</text>", "<name><text></text>"),
    Planted("text-elements", "moodle", r"<name><text>", "<name><text><b>1</b>"),
    Planted("text-format", "moodle", r'<questiontext format="html">', '<questiontext format="HTML4">'),
    Planted("question-text", "moodle", r'(<question type="essay">.*?<questiontext[^>]*><text>).*?(</text>)', r"\1\2"),
    Planted("grade", "moodle", r"<defaultgrade>1<", "<defaultgrade>1 point<"),
    Planted("penalty", "moodle", r"<penalty>0.3333333<", "<penalty>33.3<"),
    Planted("idnumber-long", "moodle", r"<idnumber>", "<idnumber>" + "x" * 101),
    Planted("idnumber-twice", "moodle",
            r'(<question type="(?:numerical|essay)">.*?</question>)', r"\1\n\1"),
    Planted("category", "moodle", r"\$course\$/top/", "$course$/top/ / "),
    Planted("no-question", "moodle", r"<question type=(?!\"category).*</question>", ""),
    # answers
    Planted("fraction", "moodle", NUMERICAL + r'fraction="50"', r'\1fraction="33.33"'),
    Planted("full-credit", "moodle", NUMERICAL + r'fraction="100"', r'\1fraction="90"'),
    Planted("credit-sum", "moodle", MULTICHOICE + r"<single>true(.*?fraction=)\"0\"", r'\1<single>false\2"50"'),
    Planted("no-answer", "moodle", NUMERICAL + r"<answer.*</answer>(?=\n<unitgrading)", r"\1"),
    Planted("single-value", "moodle", r"<single>true", "<single>yes"),
    Planted("numbering", "moodle", r"<answernumbering>ABCD", "<answernumbering>A."),
    Planted("number-character", "moodle", NUMERICAL + r"<text>([\d.]+)</text>", "\\1<text>\u2212\\2</text>"),
    Planted("number-comma", "moodle", NUMERICAL + r"<text>(\d+)\.", r"\1<text>\2,"),
    Planted("answer-number", "moodle", NUMERICAL + r"<text>\*</text>", r"\1<text>1/3</text>"),
    Planted("tolerance-form", "moodle", r"<tolerance>0.0[^<]*", "<tolerance>1/200"),
    Planted("tolerance-negative", "moodle", r"<tolerance>0.0", "<tolerance>-0.0"),
    Planted("key-refused", "moodle", NUMERICAL + r'(<answer fraction="100".*?</answer>\n)(<answer.*?<text>\*.*?</answer>\n)', r"\1\3\2"),
    Planted("answer-shadowed", "moodle", NUMERICAL + r"(<answer fraction=\"100\".*?<tolerance>)[^<]*", r"\g<1>\g<2>9"),
    Planted("intervals-overlap", "moodle",
            r'(<question type="numerical">.*?<answer fraction="100"[^>]*><text>)(.*?)(</text>.*?<tolerance>)(.*?)(</tolerance></answer>)',
            half_beside),
    Planted("option-blank", "moodle", MULTICHOICE + r'(<answer fraction="0"[^>]*><text>)<.*?(</text><feed)', r"\1\2<![CDATA[<p>&nbsp;<br></p>]]>\3"),
    Planted("options-alike", "moodle", MULTICHOICE + r"(<answer[^>]*>)(<text>.*?</text>)(.*?<answer[^>]*>)<text>.*?</text>", r"\1\2\3\4\3"),
    # types that we do not export
    Planted("answer-markup", "moodle", *instead("shortanswer", "?", answers((100, "<![CDATA[<p>softmax</p>]]>")))),
    Planted("truefalse-words", "moodle", *instead("truefalse", "?", answers((0, "Wahr"), (100, "false")))),
    Planted("truefalse-answers", "moodle", *instead("truefalse", "?", answers((100, "true"), (100, "false")))),
    Planted("matching-few", "moodle", *instead("matching", "?", subquestions(*PAIRS[:2]))),
    Planted("matching-answer", "moodle", *instead("matching", "?", subquestions(*PAIRS, ("d", "")))),
    Planted("matching-blank", "moodle", *instead("matching", "?", subquestions(*PAIRS, ("<![CDATA[<p></p>]]>", "4")))),
    Planted("gap-none", "moodle", *instead("gapselect", "a [1]", choices("selectoption", "a", "b"))),
    Planted("gap-unknown", "moodle", *instead("gapselect", "[[1]] [[3]]", choices("selectoption", "a", "b"))),
    Planted("gap-once", "moodle", *instead("ddwtos", "[[1]] [[2]] [[1]]", choices("dragbox", "a", "b"))),
    Planted("group-unused", "moodle", *instead("ddwtos", "[[1]] [[2]]", choices("dragbox", "a/1", "b/1", "c/1", "d/2"))),
    # fields
    Planted("cloze-none", "moodle", r'(<question type="cloze">.*?<questiontext format="html"><text>).*?(</text></questiontext>)', r"\1Nothing\2"),
    Planted("cloze-grammar", "moodle", r"\{1:NUMERICAL:", "{0.5:NUMERICAL:"),
    Planted("cloze-brace", "moodle", r"(\{1:MULTICHOICE_VS:(?:=|%0%))", r"\1\\(\\frac{1}{2}\\) "),
    Planted("cloze-empty", "moodle", r"(\{1:NUMERICAL:=)[\d.]+:[\d.]+", r"\1"),
    Planted("cloze-number", "moodle", r"(\{1:NUMERICAL:=[\d.]+):[\d.]+", r"\1:1/200"),
    Planted("number-character", "moodle", r"(\{1:NUMERICAL:=)([\d.]+):", "\\1\u2212\\2:"),
    Planted("number-comma", "moodle", r"(\{1:NUMERICAL:=\d+)\.", r"\1,"),
    Planted("tolerance-negative", "moodle", r"(\{1:NUMERICAL:=[\d.]+:)", r"\1-"),
    Planted("cloze-no-key", "moodle", r"\{1:NUMERICAL:=", "{1:NUMERICAL:%50%"),
    Planted("cloze-few", "moodle", r"\{1:MULTICHOICE_VS:.*?\}(?=</div>)", "{1:MULTICHOICE_VS:=one}"),
    Planted("cloze-maths", "moodle", r"\{1:MULTICHOICE_VS:", "{1:MULTICHOICE:"),
    Planted("cloze-weight", "moodle", r'(<question type="cloze">(?:(?!</question>).)*?)\{1:(MULTICHOICE_VS.*?)\{1:MULTICHOICE_VS', r"\1{0:\2{0:MULTICHOICE_VS"),
    Planted("cloze-share", "moodle", r"(\{1:NUMERICAL:=.*?)~%0%", r"\1~%-200%"),
    Planted("option-blank", "moodle", r"(\{1:MULTICHOICE_VS:.*?)%0%[^~#}]*", r"\1%0%&amp;nbsp;"),
    Planted("options-alike", "moodle", r"\{1:MULTICHOICE_VS:(=|%0%)([^~#}]*)", r"{1:MULTICHOICE_VS:%0%\2~\1\2"),
    Planted("key-refused", "moodle", r"(\{1:NUMERICAL:)=([\d.]+:[\d.]+)", r"\1%50%\2~=\2"),
    Planted("answer-shadowed", "moodle", r"(\{1:NUMERICAL:=[^:]*:)[\d.]+", r"\g<1>1000"),
    Planted("intervals-overlap", "moodle", r"(\{1:NUMERICAL:=)([\d.]+):([\d.]+)", half_within),
    # files
    Planted("file-missing", "moodle", r"(<questiontext[^>]*><text><!\[CDATA\[)", r'\1<img src="@@PLUGINFILE@@/a.png" alt="">'),
    Planted("file-unused", "moodle", r"</text></questiontext>",
            r'</text><file name="a.png" path="/" encoding="base64">QUJD</file></questiontext>'),
    Planted("file-twice", "moodle", r"\]\]></text></questiontext>",
            '<img src="@@PLUGINFILE@@/a.png" alt="">]]></text>'
            + '<file name="a.png" path="/" encoding="base64">QUJD</file>' * 2 + "</questiontext>"),
    Planted("file-data", "moodle", r"\]\]></text></questiontext>",
            '<img src="@@PLUGINFILE@@/a.png" alt="">]]></text><file name="a.png" path="/" encoding="base64">C:\\\\a.png</file>'
            "</questiontext>"),
)  # fmt: skip

QTI = (
    Planted("slash-tag", "qti:row", r"</setOutcomeValue>", "/<setOutcomeValue>"),
    Planted("response-undeclared", "qti:proof", r'(<extendedTextInteraction responseIdentifier=)"RESPONSE_1"', r'\1"RESPONSE"'),
    Planted("response-unused", "qti:proof", r"(<responseDeclaration)", r'\1 identifier="OTHER" cardinality="single" baseType="string"/>\1'),
    Planted("variable-undeclared", "qti:row", r'<variable identifier="UNITS_1"/>', '<variable identifier="UNIT_1"/>'),
    Planted("feedback-undeclared", "qti:number", r'<modalFeedback outcomeIdentifier="FEEDBACK_1"', '<modalFeedback outcomeIdentifier="FEEDBACK_9"'),
    Planted("feedback-unreachable", "qti:number", r'(<modalFeedback outcomeIdentifier="FEEDBACK_1" identifier=)"shown"', r'\1"seen"'),
    Planted("feedback-unreachable", "qti:pick", r'(<modalFeedback outcomeIdentifier="FEEDBACK_1" identifier=)"C\d"', r'\1"C9"'),
    Planted("correct-unknown", "qti:pick", r"(<correctResponse><value>)C\d", r"\1C9"),
    Planted("identifier-twice", "qti:pick", r'(<simpleChoice identifier="C1"[^>]*>)', r"\1new</simpleChoice>\1"),
    Planted("identifier-twice", "qti:pick", r'(<outcomeDeclaration identifier="UNITS_1".*?</outcomeDeclaration>)', r"\1\1"),
    Planted("identifier-form", "qti:number", r'identifier="MAXSCORE"', 'identifier="MAX SCORE"'),
    Planted("template-unknown", "qti:proof", r"<responseProcessing>.*</responseProcessing>", '<responseProcessing template="http://a.example/rptemplates/match_all"/>'),
    Planted("template-needs", "qti:proof", r"<responseProcessing>.*</responseProcessing>(<modal.*</modalFeedback>)?",
            '<responseProcessing template="http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct"/>'),
    Planted("number-form", "qti:number", r"(<correctResponse><value>)[^<]*", r"\g<1>3/4"),
    Planted("number-form", "qti3:number", r"(<qti-correct-response><qti-value>)[^<]*", r"\g<1>0,081"),
    Planted("number-character", "qti3:number", r"(<qti-correct-response><qti-value>)", "\\g<1>\u22120"),
    Planted("tolerance-form", "qti:number", BESIDE, beside("absolute", "1/200", "7")),
    Planted("tolerance-missing", "qti:number", BESIDE, beside("absolute", None, "7")),
    Planted("tolerance-ignored", "qti:number", BESIDE, beside("exact", "0.01", "7")),
    Planted("relative-negative", "qti:number", BESIDE, beside("relative", "1", "-7")),
    Planted("relative-zero", "qti:number", BESIDE, beside("relative", "1", "0")),
    Planted("relative-percent", "qti:number", BESIDE, beside("relative", "0.01 0.01", "7")),
    Planted("equal-tolerance", "qti:number", BESIDE, beside("absolute", "0.01", "7")),
    Planted("text-compared", "qti:number", r'(<responseDeclaration identifier="RESPONSE_1_1" cardinality="single" baseType=)"float"', r'\1"string"'),
    Planted("score-undeclared", "qti:number", r'<outcomeDeclaration identifier="SCORE".*?</outcomeDeclaration>(.*)<setOutcomeValue identifier="SCORE">.*?</setOutcomeValue>', r"\1"),
    Planted("score-unset", "qti:number", r'<setOutcomeValue identifier="SCORE">', '<setOutcomeValue identifier="UNITS_1">'),
    Planted("no-key", "qti:number", r"<correctResponse>.*?</correctResponse>", ""),
    Planted("key-earns-less", "qti:number", KEY, r"\g<1>7.1\g<2>7.2\g<3>"),
    Planted("key-earns-less", "qti:number", r"(<correctResponse><value>)[^<]*", r"\g<1>0"),
    Planted("key-earns-less", "qti:pick", r'(<setOutcomeValue identifier="UNITS_1"><baseValue baseType="integer">)1', r"\g<1>0"),
    Planted("key-earns-less", "qti3:number", r'<qti-set-outcome-value identifier="RIGHT_1_1"><qti-base-value base-type="integer">1', '<qti-set-outcome-value identifier="RIGHT_1_1"><qti-base-value base-type="integer">0'),
    Planted("empty-scores", "qti:number", r"(<responseIf>)" + WHOLE + r'(<setOutcomeValue identifier="RIGHT_1_1">)', r'\1<or><isNull><variable identifier="RESPONSE_1_1"/></isNull><lte><variable identifier="RESPONSE_1_1"/><baseValue baseType="float">1</baseValue></lte></or>\2'),
    Planted("mask-refuses", "qti:number", r'patternMask="[^"]*"', 'patternMask="[1-9][0-9]*"'),
    Planted("interval-empty", "qti:number", r'(<gte><variable identifier="RESPONSE_1_1"/><baseValue baseType="float">)[\d.]+(</baseValue></gte><lte><variable identifier="RESPONSE_1_1"/><baseValue baseType="float">)[\d.]+(</baseValue></lte></and><setOutcomeValue identifier="WRONG)', r"\g<1>7.2\g<2>7.1\g<3>"),
    Planted("key-refused", "qti:number", BESIDE, chain(("0", "9", "0.5"), ("7", "8", "1"))),
    Planted("answer-shadowed", "qti:number", BESIDE, chain(("0", "9", "1"), ("7", "8", "0.5"))),
    Planted("intervals-overlap", "qti:number", BESIDE, chain(("7", "8", "1"), ("7.9", "9", "0.5"))),
    Planted("attribute-missing", "qti:number", r' timeDependent="false"', ""),
    Planted("child-order", "qti:number", r"(<itemBody>.*</itemBody>)(<responseProcessing>.*</responseProcessing>)", r"\2\1"),
    Planted("body-inline", "qti:number", r"<itemBody>", "<itemBody>Question: "),
    Planted("inline-choice", "qti:pick", r"<choiceInteraction.*?</choiceInteraction>",
            '<p><inlineChoiceInteraction responseIdentifier="RESPONSE_1" shuffle="false"><inlineChoice identifier="C1">'
            "<sup>1</sup></inlineChoice>" + "".join(f'<inlineChoice identifier="C{k}">{k}</inlineChoice>' for k in (2, 3, 4))
            + "</inlineChoiceInteraction></p>"),
    Planted("mathml-attribute", "qti:number", r"(<math.*?)<mrow>", r'\1<mtable><mtr><mtd columnstyle="x"><mn>1</mn></mtd></mtr></mtable><mrow>'),
    Planted("response-type", "qti:pick", r'maxChoices="1"', 'maxChoices="2"'),
    Planted("option-blank", "qti:pick", r'(<simpleChoice identifier="C1"[^>]*>).*?(</simpleChoice>)', r"\1<p> </p>\2"),
    Planted("options-alike", "qti:pick", r'(<simpleChoice identifier="C1"[^>]*>)(.*?)(</simpleChoice><simpleChoice identifier="C2"[^>]*>)(.*?)(</simpleChoice>)', r"\1\2\3\2\5"),
)  # fmt: skip

CANVAS = (
    Planted("question-type", "canvas", r"<fieldentry>numerical_question", "<fieldentry>numeric_question"),
    Planted("question-text", "canvas", r"<presentation><material>.*?</material>", "<presentation>"),
    Planted("grade", "canvas", r"(points_possible</fieldlabel><fieldentry>)1<", r"\1one<"),
    Planted("response-undeclared", "canvas", r'<vargte respident="response1">', '<vargte respident="response2">'),
    Planted("correct-unknown", "canvas", r'(<varequal respident="response1">)1001(</varequal></conditionvar><displayfeedback)', r"\g<1>1009\2"),
    Planted("feedback-undeclared", "canvas", r'linkrefid="general_fb"', 'linkrefid="general"'),
    Planted("feedback-unreachable", "canvas", r'<displayfeedback feedbacktype="Response" linkrefid="100\d_fb"/>', ""),
    Planted("score-unset", "canvas", r'<setvar action="Set" varname="SCORE">100</setvar>', ""),
    Planted("full-credit", "canvas", r'(<conditionvar><varequal respident="response1">\d+</varequal></conditionvar><setvar action="Set" varname="SCORE">)100', r"\g<1>1"),
    Planted("option-blank", "canvas", r'(<response_label ident="1001"><material><mattext[^>]*>).*?(</mattext>)', r"\1&amp;nbsp;\2"),
    Planted("options-alike", "canvas", r'(<response_label ident="1001"><material>)(.*?)(</material></response_label><response_label ident="1002"><material>)(.*?)(</material>)', r"\1\2\3\2\5"),
    Planted("identifier-twice", "canvas", r'(<response_label ident="1001">)', r"\1<material><mattext>new</mattext></material></response_label>\1"),
    Planted("number-form", "canvas", r'(<vargte respident="response1">)[\d.]+', r"\g<1>1/12"),
    Planted("number-character", "canvas", r'(<vargte respident="response1">)([\d.]+)', r"\g<1>0 \2"),
    Planted("key-outside", "canvas", r'(<vargte[^>]*>)([\d.]+)(</vargte><varlte[^>]*>)[\d.]+', r"\1\2\3\2"),
    Planted("interval-empty", "canvas", r'<vargte respident="response1">([\d.]+)</vargte><varlte respident="response1">([\d.]+)', r'<vargte respident="response1">\2</vargte><varlte respident="response1">\1'),
    Planted("canvas-small", "canvas", r'<varequal respident="response1">[\d.]+</varequal><and><vargte respident="response1">[\d.]+</vargte><varlte respident="response1">[\d.]+', '<varequal respident="response1">0.00008</varequal><and><vargte respident="response1">0.00007</vargte><varlte respident="response1">0.00009'),
    Planted("canvas-decimals", "canvas", r'<varequal respident="response1">[\d.]+</varequal><and><vargte respident="response1">[\d.]+</vargte><varlte respident="response1">[\d.]+', '<varequal respident="response1">0.00128</varequal><and><vargte respident="response1">0.00127</vargte><varlte respident="response1">0.00129'),
    Planted("canvas-partial", "canvas", r'(</outcomes>)', r'\1<respcondition><conditionvar><and><vargte respident="response1">0.2</vargte><varlte respident="response1">0.3</varlte></and></conditionvar><setvar action="Set" varname="SCORE">50</setvar></respcondition>'),
    Planted("canvas-blanks", "canvas", r"<fieldentry>numerical_question", "<fieldentry>short_answer_question"),
    Planted("item-twice", "canvas", r"(<item ident=.*?</item>\n)", r"\1\1"),
    Planted("no-question", "canvas", r"<item ident=.*</item>\n", ""),
)  # fmt: skip

PACKAGE = (
    Planted("href-missing", "qti.zip", r'<file href="test.xml"/>', '<file href="Test.xml"/>', "imsmanifest.xml"),
    Planted("dependency-missing", "qti.zip", r'identifierref="q-row', 'identifierref="q-rows', "imsmanifest.xml"),
    Planted("identifier-form", "canvas.zip", r'identifierref="(meta-[^"]*)"(.*<resource identifier=)"meta-', r'identifierref="9 \1"\2"9 meta-', "imsmanifest.xml"),
    Planted("resource-twice", "canvas.zip", r"(<resource identifier=\"quiz.*?</resource>)", r"\1\1", "imsmanifest.xml"),
    Planted("resource-type", "qti3.zip", r"imsqti_test_xmlv3p0", "imsqti_item_xmlv3p0", "imsmanifest.xml"),
    Planted("resource-type", "qti.zip", r"imsqti_item_xmlv2p1", "imsqti_test_xmlv2p1", "imsmanifest.xml"),
    Planted("file-unlisted", "canvas.zip", r'<resource identifier="quiz.*?</resource>\n', "", "imsmanifest.xml"),
    Planted("reference-missing", "qti.zip", r'(<assessmentItemRef [^>]*href="items/q-)', r"\1x-", "test.xml"),
    Planted("reference-missing", "qti3.zip", r"<qti-item-body>", '<qti-item-body><p><img src="a.png" alt="a"/></p>', "items/q-number"),
    Planted("manifest-missing", "qti.zip", r"imsmanifest.xml", "package/imsmanifest.xml", "*"),
)  # fmt: skip

ALL = (*MOODLE, *QTI, *CANVAS, *PACKAGE)
