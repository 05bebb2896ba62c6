"""Options that look the same, options that show nothing, and those of which nobody can say so from the text alone."""

from __future__ import annotations

import pytest

from exactattn.exports.lint import alike
from exactattn.exports.lint.limits import LintLimits
from exactattn.exports.lint.tree import read

INDENTED = "for i in x:\n    print(i)\n    print(0)"
OUTDENTED = "for i in x:\n    print(i)\nprint(0)"


def node(markup: str) -> str:
    """What is seen of the same markup as a choice of QTI."""
    return alike.of_node(read(f"<simpleChoice>{markup}</simpleChoice>".encode(), LintLimits()).root)


DIFFERENT = {
    "code": (f"<pre>{INDENTED}</pre>", f"<pre>{OUTDENTED}</pre>"),
    "code in code": (f"<pre><code>{INDENTED}</code></pre>", f"<pre><code>{OUTDENTED}</code></pre>"),
    "code by a style": (f'<p style="white-space: pre">{INDENTED}</p>', f'<p style="white-space: pre">{OUTDENTED}</p>'),
    "within that style": ('<div style="white-space:pre-wrap"><b>a  b</b></div>',
                          '<div style="white-space:pre-wrap"><b>a b</b></div>'),
    "a class may keep white space": ('<div class="code">a  b</div>', '<div class="code">a b</div>'),
    "gaps": ("<pre>a  b</pre>", "<pre>a b</pre>"),
    "lines": ("<pre>a\nb</pre>", "<pre>a b</pre>"),
    "an indentation of spaces that never break": ("if x:<br/>\u00a0\u00a0f()<br/>\u00a0\u00a0g()",
                                                  "if x:<br/>\u00a0\u00a0f()<br/>g()"),
    "a colour": ("x", '<span style="color:red">x</span>'),
    "two colours": ('<span style="color:red">x</span>', '<span style="color:blue">x</span>'),
    "a class": ("x", '<p class="struck">x</p>'),
    "an indentation by a style": ("<p>a</p><p>b</p>", '<p>a</p><p style="margin-left: 2em">b</p>'),
    "an element": ("x", "<u>x</u>"),
    "digits of different weight": ("2<b>00</b>", "2<b>0</b>"),
    "digits in a span": ("1<span>0</span>", "1 0"),
    "pictures": ('<svg width="9"><rect width="9"/></svg>', '<svg width="9"><circle class="r"/></svg>'),
}  # fmt: skip


@pytest.mark.parametrize("pair", DIFFERENT.values(), ids=DIFFERENT)
def test_what_shows_tells_two_options_apart(pair: tuple[str, str]) -> None:
    first, second = map(alike.of_html, pair)
    assert first != second


@pytest.mark.parametrize(
    "name", [name for name in DIFFERENT if name != "pictures"]
)  # a picture in XML is known by its file
def test_what_shows_tells_two_choices_apart(name: str) -> None:
    first, second = map(node, DIFFERENT[name])
    assert first != second


SAME = {
    "numbers": ("<p>0.50</p>", "0.5"),
    "numbers in one colour": ('<p style="color:red">0.50</p>', '<p style="color:red">0.5</p>'),
    "numbers in one element": ("<b>0.50</b>", "<b>.5</b>"),
    "layout alone": ('<p style="text-align: left">x</p>', "<div>x</div>"),
    "white space outside of code": ("<p>a  b\n c</p>", "<p>a b c</p>"),
    "white space after code": ("<pre>a</pre> b  c", "<pre>a</pre> b c"),
    "what a style undoes": (
        '<pre style="white-space: normal">a  b</pre>',
        '<pre style="white-space: normal">a b</pre>',
    ),
    "code": (f"<pre>{INDENTED}</pre>", f"<pre>{INDENTED.replace(chr(10), '   ' + chr(10))}\n</pre>"),
    "ends of lines": ("<pre>a\nb</pre>", "<pre>a\r\nb</pre>"),
    "the line that begins code": ("<pre>a</pre>", "<pre>\na</pre>"),
    "one space that never breaks": ("a\u00a0b", "a b"),
    "such spaces where nothing is indented": ("<p>\u00a0\u00a00.5\u00a0</p>", "<p>0.5</p>"),
}


@pytest.mark.parametrize("pair", SAME.values(), ids=SAME)
def test_what_does_not_show_tells_no_options_apart(pair: tuple[str, str]) -> None:
    for seen in (alike.of_html, node):
        first, second = map(seen, pair)
        assert first == second


def test_a_comment_is_not_seen() -> None:
    assert alike.of_html("x<!-- right -->") == alike.of_html("x")
    assert alike.blank("<!-- <img> nothing")


@pytest.mark.parametrize(
    "markup",
    [
        '<i class="fa fa-check"></i>', '<span style="background:red">\u00a0\u00a0</span>', "<hr/>",
        '<p style="border: 1px solid"><br/></p>', '<span style="text-decoration: underline">\u00a0</span>',
    ],
)  # fmt: skip
def test_what_may_show_something_is_not_called_blank(markup: str) -> None:
    assert not alike.blank(markup)
    assert not alike.blank_node(read(f"<simpleChoice>{markup}</simpleChoice>".encode(), LintLimits()).root)


@pytest.mark.parametrize(
    "markup",
    [
        '<p dir="ltr" style="text-align: left;"><br/></p>', '<span style="background: none; border: 0px">\u00a0</span>',
        '<p style="color: red; font-size: 12px"></p>', '<b id="a" class="">\u200b</b>', "<pre>\n  \n</pre>",
    ],
)  # fmt: skip
def test_styles_of_text_show_nothing_where_there_is_none(markup: str) -> None:
    assert alike.blank(markup)
    assert alike.blank_node(read(f"<simpleChoice>{markup}</simpleChoice>".encode(), LintLimits()).root)


@pytest.mark.parametrize(
    "markup",
    ["<b>" * 20_000 + "</i>" * 20_000, "<!--" * 20_000, "<" + "a" * 80_000, "<p " * 20_000],
    ids=["elements", "comments", "a name", "tags"],
)
def test_markup_that_never_ends_is_read_in_one_go(markup: str) -> None:
    assert alike.of_html(markup) or alike.blank(markup)


CODE = '<answer fraction="{}"><text><![CDATA[<pre>{}</pre>]]></text></answer>'


def test_options_of_code_pass(linted) -> None:
    quiz = (
        '<?xml version="1.0"?><quiz><question type="multichoice"><name><text>m</text></name><questiontext format="html">'
        "<text>Which prints 3 lines?</text></questiontext><single>true</single>{}</question></quiz>"
    )
    report = linted(quiz.format(CODE.format(100, INDENTED) + CODE.format(0, OUTDENTED)))
    assert [one.rule for one in report.findings] == []
    report = linted(quiz.format(CODE.format(100, INDENTED) + CODE.format(0, INDENTED)))
    assert [one.rule for one in report.findings] == ["options-alike"]
