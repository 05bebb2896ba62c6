"""The page that marks: answers typed into Chromium, against the marks of `exams.marking`."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exactattn.exams.answers import Typed, number
from exactattn.exams.exam import Exam, exam
from exactattn.exams.forms import letters
from exactattn.exams.kinds import kinds
from exactattn.exams.marking import mark
from exactattn.exams.model import Choice, Order
from exactattn.exams.spec import read
from exactattn.exports import selfcheck
from exactattn.exports.sheet import Sheet
from exactattn.i18n import languages, messages
from exactattn.writers.templates import source

SPEC = """
title = "Self-check: <b>&amp;</b> {hole} $x$ \\"quoted\\" 西安"
[[question]]
id = "four"
kind = "full-attention"
points = 10
ask = ["scaled", "weights", "output"]
answer = "matrix"
size = { n = 2, m = 3, d_k = 2, d_v = 2 }
credit = { no-scale = "1/4" }
[[question]]
id = "pick"
kind = "softmax-vector"
answer = "choice"
points = 2
"""


@cache
def made() -> Exam:
    return exam(read(SPEC), seed=5)


def written(lang: str = "en", of: Exam | None = None) -> str:
    one = of or made()
    sheet = Sheet(one.spec.title, messages(lang))
    return selfcheck.page(one, one.papers[0], sheet).decode()


@pytest.fixture(scope="module")
def browser(program: Callable[[str], None]) -> Iterator[Any]:
    program("chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        found = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield found
        found.close()


@pytest.fixture
def open_page(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Opens a page offline; at the end nothing was said on the console and nothing was fetched."""
    said: list[str] = []
    pages = []

    def opened(text: str, width: int = 1000) -> Any:
        path = tmp_path / "page.html"
        path.write_text(text, encoding="utf-8")
        page = browser.new_page(viewport={"width": width, "height": 800})
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: request.url.startswith("file:") or said.append(request.url))
        page.goto(path.as_uri())
        pages.append(page)
        return page

    yield opened
    for page in pages:
        page.close()
    assert said == []


def give(page: Any, q: int, answers: list[list[str]]) -> list[str]:
    """Type answers into a question and check it; what is said to each part."""
    for j, row in enumerate(answers):
        box = page.locator(f"#q{q} fieldset").nth(j)
        for e, text in enumerate(row):
            box.locator("input").nth(e).fill(text)
    page.locator(f"#q{q} .mark").click()
    return [page.locator(f"#q{q} .said").nth(j).inner_text() for j in range(len(answers))]


def test_the_key_earns_all(open_page):
    page = open_page(written())
    question = made().papers[0].questions[0]
    said = give(page, 1, [list(keys) for keys in question.key])
    assert all(one.startswith("Right.") for one in said)
    assert page.locator("#total").inner_text() == "10 of 12 points"
    right = made().papers[0].questions[1].parts[0].form
    assert isinstance(right, Choice)
    page.locator("#q2 input").nth(right.right).check()
    page.locator("#q2 .mark").click()
    assert page.locator("#total").inner_text() == "12 of 12 points"


def test_every_wrong_method_is_named_and_earns_its_credit(open_page):
    page = open_page(written())
    question = made().papers[0].questions[0]
    words = messages("en")
    for j, part in enumerate(question.parts):
        for wrong in part.wrongs:
            answers = [list(keys) for keys in question.key]
            answers[j] = list(wrong.texts)
            (found,) = (one for one in mark(question, answers) if one.part is part)
            said = give(page, 1, answers)[j]
            assert said.startswith("A known slip.")
            feedback = words.text(f"misconception.{wrong.names[0]}.feedback")
            # its first words, before any symbol
            assert re.split("√|W_|d_", feedback)[0][:25] in said
            if found.verdict == "misconception":
                assert f"{two(found.awarded)} of {two(found.points)} points" in said


def two(x: Fraction) -> str:
    text = f"{(200 * x.numerator + x.denominator) // (2 * x.denominator):03}"
    return f"{text[:-2]}.{text[-2:]}".rstrip("0").rstrip(".")


def test_just_inside_is_right_and_just_outside_is_not(open_page):
    page = open_page(written())
    question = made().papers[0].questions[0]
    part = question.parts[1]
    entry = part.entries[0]
    for step, right in ((Fraction(0), True), (Fraction(1, 10**9), False)):
        for sign in (1, -1):
            x = entry.key + sign * (entry.tolerance + step)
            answers = [list(keys) for keys in question.key]
            answers[1][0] = f"{x.numerator}/{x.denominator}"
            assert give(page, 1, answers)[1].startswith("Right.") is right


def test_what_cannot_be_read_is_said(open_page):
    page = open_page(written())
    answers = [list(keys) for keys in made().papers[0].questions[0].key]
    answers[0][0], answers[0][1] = "0,5", "ln 2"
    said = give(page, 1, answers)[0]
    assert "“0,5” is no number: a comma is no decimal mark here" in said
    assert "“ln 2” is no number: a decimal or a fraction was due" in said
    assert page.locator("#q1 input").nth(0).get_attribute("aria-invalid") == "true"


def test_it_works_by_keyboard_alone(open_page):
    page = open_page(written())
    question = made().papers[0].questions[0]
    page.keyboard.press("Tab")
    while page.evaluate("document.activeElement.tagName") != "INPUT":
        page.keyboard.press("Tab")
    for text in (text for keys in question.key for text in keys):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
        # tables that scroll may be stops of their own
        while page.evaluate("document.activeElement.tagName") not in ("INPUT", "BUTTON"):
            page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.locator("#total").inner_text() == "10 of 12 points"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.locator("#q1 .worked").get_attribute("open") is not None
    page.keyboard.press("Tab")
    while page.evaluate("document.activeElement.type") != "radio":
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.locator("#q2 .said").inner_text()


@pytest.mark.parametrize("lang", languages())
def test_a_phone_need_not_scroll_sideways(open_page, lang):
    page = open_page(written(lang), width=360)
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    page.locator("#q1 .worked > summary").click()
    assert page.evaluate("document.documentElement.scrollWidth") == 360


def test_titles_are_shown_as_they_are(open_page):
    page = open_page(written())
    assert page.locator("h1").inner_text() == made().spec.title
    assert "Self-check: <b>" in page.title()


@pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.name)
def test_every_kind_has_a_page_whose_key_earns_all(open_page, kind):
    one = exam(read(f'[[question]]\nid = "q"\nkind = "{kind.name}"\n'), seed=3)
    (question,) = one.papers[0].questions
    page = open_page(written(of=one))
    numbers = 0
    for j, (part, keys) in enumerate(zip(question.parts, question.key, strict=True)):
        box = page.locator("#q1 fieldset").nth(j)
        match part.form:
            case Choice(right=right):
                box.locator("input").nth(right).check()
            case Order():
                box.locator("input").fill(keys[0])
            case None:
                for e, text in enumerate(keys):
                    box.locator("input").nth(e).fill(text)
            case _:
                assert box.locator("textarea").count() == 1
                continue
        numbers += 1
    page.locator("#q1 .mark").click()
    said = [page.locator("#q1 .said").nth(j).inner_text() for j in range(len(question.parts))]
    assert sum(one.startswith("Right.") for one in said) == numbers


def test_no_sentence_of_the_script_is_missing():
    script = source("html/selfcheck.js")
    for name in selfcheck.SAID:
        assert f'"{name}"' in script, name


TYPED = st.one_of(
    st.from_regex(r"[ ]{0,2}[+\-−–]?[ ]?[0-9]{0,4}([.,][0-9]{0,4})?([eE][+-]?[0-9]{1,2})?[ ]?%?", fullmatch=True),
    st.from_regex(r"[+-]?[0-9]{0,3} ?[/⁄÷] ?[0-9]{0,3}", fullmatch=True),
    st.from_regex(r"[+-]?[0-9]{0,2}[½¾⅓⅛²①]", fullmatch=True),
    st.from_regex(r"[-−+]?[ ]?[0-9]{1,3}([, .，\u202f][0-9]{3}){1,3}([.,][0-9]{0,2})?[ ]?[%½]?", fullmatch=True),
    st.from_regex(
        r"([xNα]|w_\{1,2\}|[A-Z] [0-9]|[0-9]|-x|)[ ]?(=|≈|＝|==)[ ]?[-−]?[0-9]{0,3}[.,]?[0-9]{0,3}(=1)?", fullmatch=True
    ),
    st.text("0123456789０１．，-−+/ %eE.,½=≈x", max_size=8),
    st.text(max_size=70),
)


@settings(max_examples=40)
@given(st.lists(TYPED, min_size=30, max_size=60), st.sampled_from([".", ","]), st.booleans())
def test_the_page_reads_numbers_as_marking_does(browser, texts, decimal, percent):
    script = source("html/selfcheck.js")
    reader = script[script.index("  const MOST = 60;") : script.index("  const sayings")]
    page = shared(browser)
    found = page.evaluate(
        f"([texts, percent, data, LETTERS]) => {{ {reader} return texts.map((text) => {{ const one = number(text, percent);"
        "return one.value ? one.value.map(String) : one.why; }); }",
        [texts, percent, {"decimal": decimal}, ""],
    )
    for text, one in zip(texts, found, strict=True):
        due = number(text, decimal, "weights" if percent else "")
        if isinstance(due, Typed):
            assert not isinstance(one, str), (text, one)
            assert Fraction(int(one[0]), int(one[1])) == due.value, text
        else:
            assert isinstance(one, str), (text, one)


@settings(max_examples=30)
@given(st.lists(st.text("ABCDabcdＡ (),>→.;x1", max_size=9), min_size=30, max_size=50))
def test_the_page_reads_letters_as_marking_does(browser, texts):
    script = source("html/selfcheck.js")
    reader = script[script.index("  const MOST = 60;") : script.index("  const sayings")]
    found = shared(browser).evaluate(
        f"([texts, data, LETTERS]) => {{ {reader} return texts.map((text) => letters(text, 4).value || null); }}",
        [texts, {"decimal": "."}, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"],
    )
    for text, one in zip(texts, found, strict=True):
        due = letters(text, 4)
        assert (tuple(one) if one is not None else None) == (due if isinstance(due, tuple) else None), text


@cache
def shared(browser: Any) -> Any:
    return browser.new_page()


def test_the_record_in_the_page_closes_no_tag():
    text = written()
    body = text.split('<script type="application/json" id="data">')[1].split("</script>")[0]
    assert "<" not in body
    json.loads(body)
