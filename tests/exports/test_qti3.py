"""QTI 3.0 packages: played by qti-components in Chromium, and held against what qti-convert makes of our QTI 2.1."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from qti_convert import convert_manifest_to_qti3, upgrade_qti2_to_qti3
from qti_package_maker.common.package_integrity import check_package

from exactattn.exams.exam import Exam, exam
from exactattn.exams.kinds import kinds
from exactattn.exams.marking import mark
from exactattn.exams.model import Asked, Choice, Design, Order, Question
from exactattn.exams.select import variants
from exactattn.exams.spec import load
from exactattn.exports import qti
from exactattn.exports.item import item
from exactattn.exports.markup import document
from exactattn.exports.qti3 import third
from exactattn.exports.qti_item import assessment_item
from exactattn.exports.qti_variables import option, response
from exactattn.exports.sheet import Sheet
from exactattn.i18n import languages, messages

Given = list[list[str | None]]
KINDS = {kind.name: Asked("q", kind.id, points=Fraction(7)) for kind in kinds().values()}
ALSO = {
    "order": Asked("q", "K14", points=Fraction(3), ask=("order",)),
    "follow": Asked(
        "q", "K25", Fraction(5), answer="matrix", size={"n": 2, "m": 3}, ask=("scaled", "weights", "output"),
        follow_through=Fraction(3, 4), credit={"no-scale": Fraction(1, 3)},
    ),
}  # fmt: skip
ASKED = KINDS | ALSO
SPACE = "{http://www.imsglobal.org/xsd/imsqtiasi_v3p0}"


@cache
def drawn(name: str) -> Question:
    return replace(next(islice(variants(ASKED[name], "3"), 1)), number=1)


def exported(question: Question, lang: str = "en") -> bytes:
    return document(third(assessment_item(question, item(question, messages(lang), "3", 1), "q-1", solved="block")))


def handed(question: Question, given: Given) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for k, (part, texts) in enumerate(zip(question.parts, given, strict=True)):
        if part.form is None or isinstance(part.form, Design):
            out |= {response(k, n): text for n, text in enumerate(texts)}
        elif isinstance(part.form, Choice):
            out[response(k)] = option(ord(texts[0] or "") - ord("A")) if texts[0] else None
        elif isinstance(part.form, Order):
            out[response(k)] = [option(ord(c) - ord("A")) for c in (texts[0] or "").split()]
    return out


def tried(question: Question) -> list[Given]:
    """The key, nothing, a wrong method in each part and one carried through, answers at the ends of what is accepted."""
    keys: Given = [list(key) for key in question.key]
    out: list[Given] = [keys, [[None] * len(key) for key in keys]]
    for k, part in enumerate(question.parts):
        if isinstance(part.form, Choice):
            out += [[*keys[:k], [chr(ord("A") + n)], *keys[k + 1 :]] for n in range(len(part.form.options))]
            continue
        out += [[*keys[:k], list(wrong.texts), *keys[k + 1 :]] for wrong in part.wrongs[:1]]
        if part.form is None and k == len(question.parts) - 1:
            for slip in (Fraction(0), Fraction(1, 10 ** (part.places + 4))):
                ends = [decimal(entry.key + entry.tolerance + slip) for entry in part.entries]
                out.append([*keys[:k], ends, *keys[k + 1 :]])
    first = next((wrong for part in question.parts for wrong in part.wrongs), None)
    if first is not None:
        carried = [
            next((list(wrong.texts) for wrong in part.wrongs if set(wrong.names) & set(first.names)), key)
            if part.form is None
            else key
            for part, key in zip(question.parts, keys, strict=True)
        ]
        out.append(carried)
    return out


def decimal(x: Fraction) -> str:
    """A fraction in decimals that end."""
    places = next(k for k in range(60) if 10**k % x.denominator == 0)
    whole = f"{abs(x.numerator) * 10**places // x.denominator:0{places + 1}d}"
    return ("-" if x < 0 else "") + (f"{whole[:-places]}.{whole[-places:]}" if places else whole)


# -- played --------------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def player(program: Callable[[str], None], packages: Path) -> Iterator[Any]:
    """The page with the player in it. What goes wrong there fails the test that sees it."""
    program("chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        chromium = driver.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--allow-file-access-from-files"]
        )
        page = chromium.new_page()
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.goto((packages / "components.html").as_uri())
        page.wait_for_function("() => customElements.get('item-container') !== undefined")
        yield page
        chromium.close()


@pytest.fixture
def plays(player: Any) -> Iterator[Any]:
    player.errors.clear()
    yield player
    assert player.errors == []


@pytest.mark.parametrize("name", ASKED)
def test_every_kind_is_marked_in_chromium_as_the_exam_marks(plays, name):
    question = drawn(name)
    sets = tried(question)
    found = plays.evaluate(
        "([xml, sets]) => mark(xml, sets)", [exported(question).decode(), [handed(question, one) for one in sets]]
    )
    words = messages("en")
    for given, one in zip(sets, found, strict=True):
        marks = mark(question, given)
        # it shows three decimals
        due = sum((one.awarded for one in marks), Fraction(0))
        assert float(one["values"]["SCORE"]) == pytest.approx(float(due), abs=5e-4), (given, marks)
        said = {words.text(f"misconception.{names[0]}.feedback") for names in seen(question, given)}
        shown = set(one["shown"])
        assert said <= shown
        assert len(shown) == len(said) + 1  # and the worked solution


def seen(question: Question, given: Given) -> set[tuple[str, ...]]:
    """The wrong methods that the answers show, as they are grouped."""
    out: set[tuple[str, ...]] = set()
    for part, texts in zip(question.parts, given, strict=True):
        if isinstance(part.form, Choice):
            chosen = part.form.options[ord(texts[0]) - ord("A")] if texts[0] else None
            if chosen is not None and chosen.names and chosen is not part.form.options[part.form.right]:
                out.add(chosen.names)
            continue
        values = [Fraction(text) if text else None for text in texts] if part.wrongs else []
        out |= {wrong.names for wrong in part.wrongs if wrong.explains(values)}
    return out


def test_a_student_types_and_reads_the_feedback(plays):
    question = drawn("full-attention")
    part = question.parts[-1]
    wrong = part.wrongs[0]
    plays.evaluate("xml => show(xml)", exported(question).decode())
    block = plays.locator("qti-feedback-block")
    assert not block.is_visible() or block.bounding_box()["height"] == 0
    for k, one in enumerate(question.parts):
        texts = wrong.texts if one is part else [entry.text for entry in one.entries]
        for n, text in enumerate(texts):
            plays.locator(f"qti-text-entry-interaction[response-identifier={response(k, n)}] input").press_sequentially(
                text
            )
    plays.evaluate(
        "() => { document.querySelector('item-container').shadowRoot.querySelector('qti-assessment-item').processResponse() }"
    )
    dialog = plays.locator("qti-modal-feedback").filter(
        has_text=messages("en").text(f"misconception.{wrong.names[0]}.feedback")
    )
    assert dialog.locator("dialog").is_visible()
    dialog.get_by_role("button").click()
    assert block.bounding_box()["height"] > 100


def test_the_mask_refuses_what_is_no_decimal(plays):
    plays.evaluate("xml => show(xml)", exported(drawn("softmax-vector")).decode())
    field = plays.locator("qti-text-entry-interaction input").first
    for text, fits in (
        ("0.25", True),
        ("-.5", True),
        ("2.5e-1", True),
        ("1/4", False),
        ("0,25", False),
        ("abc", False),
    ):
        field.fill(text)
        assert field.evaluate("one => one.checkValidity()") is fits, text


# -- the package ---------------------------------------------------------------------------------------------------------------


@cache
def made(name: str) -> Exam:
    """A shipped exam, with one variant of each question to a paper."""
    spec = load(name)
    return exam(replace(spec, questions=tuple(replace(one, count=1) for one in spec.questions)), seed=7, variants=1)


@cache
def package(name: str, version: str, lang: str) -> bytes:
    out = io.BytesIO()
    {"2": qti.write, "3": qti.write3}[version](made(name), out, Sheet(load(name).title, messages(lang)))
    return out.getvalue()


def files(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as found:
        return {name: found.read(name) for name in found.namelist()}


SPECS = ("quiz", "midterm", "by-hand", "bank", "take-home")


@pytest.mark.parametrize("name", SPECS)
def test_packages_are_whole(tmp_path, name):
    path = tmp_path / "exam.zip"
    path.write_bytes(package(name, "2", "zh"))
    assert check_package(str(path)) == []
    assert set(files(package(name, "2", "zh"))) == set(files(package(name, "3", "zh")))


def test_a_package_with_a_missing_file_is_found_out(tmp_path):
    """The checker sees faults, so that its silence says something."""
    path = tmp_path / "exam.zip"
    kept = {name: data for name, data in files(package("quiz", "2", "zh")).items() if not name.startswith("items/")}
    with zipfile.ZipFile(path, "w") as out:
        for name, data in kept.items():
            out.writestr(name, data)
    assert check_package(str(path))


@pytest.mark.parametrize("name", SPECS)
def test_qti_3_is_what_qti_convert_makes_of_our_qti_2_1(name):
    for path, root in qti.roots(made(name), Sheet(load(name).title, messages("en")), "block"):
        ours, second = document(third(root)), document(root)
        theirs = convert_manifest_to_qti3(second) if path == qti.MANIFEST else upgrade_qti2_to_qti3(second)
        assert canonical(ours) == canonical(theirs.encode()), path


def canonical(data: bytes) -> bytes:
    """The tree without instructions to validators: where schemas are to be had."""
    root = etree.fromstring(data)
    root.attrib.pop("{http://www.w3.org/2001/XMLSchema-instance}schemaLocation", None)
    clean = etree.fromstring(etree.tostring(root))
    etree.cleanup_namespaces(clean)
    return etree.tostring(clean, method="c14n")


@pytest.mark.parametrize("name", SPECS)
def test_what_is_said_survives(name):
    for lang in languages():
        words = messages(lang)
        for question in made(name).papers[0].questions:
            text = "".join(etree.fromstring(exported(question, lang)).itertext())
            for token in question.trace.problem.tokens if question.trace is not None else ():
                assert token in text
            assert words.text("exam.key") in text
