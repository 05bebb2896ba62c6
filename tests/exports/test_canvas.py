"""Canvas packages: checked by qti-package-maker, read by qti2latex, marked as Canvas marks what its importer makes of them."""

from __future__ import annotations

import io
import zipfile
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction
from functools import cache
from html import unescape
from itertools import permutations
from xml.etree import ElementTree

import pytest
import qti2latex
from lxml import etree
from qti_package_maker.common.package_integrity import check_package

from exactattn.errors import InputError, OptionError
from exactattn.exams.exam import exam
from exactattn.exams.kinds import kinds
from exactattn.exams.model import Asked, Choice, Order, Rubric
from exactattn.exams.select import NoVariants, variants
from exactattn.exams.spec import Spec, bundled
from exactattn.exports import canvas
from exactattn.exports.item import Essay, Field, Numbers, of_paper
from exactattn.exports.portable import Portable
from exactattn.exports.sheet import Sheet
from exactattn.i18n import messages

TEX = Portable("tex")


@cache
def every_kind():
    """An exam with a question of every kind in every form of answer that has variants."""
    found = []
    for kind in kinds().values():
        wanted = [(answer, ()) for answer in kind.answered]
        wanted += [
            (kind.answers[0], asks) for asks in [(ask,) for ask in kind.asks if ask not in kind.default] + [kind.asks]
        ]
        for answer, asks in dict.fromkeys(wanted):
            id = "-".join((kind.id, answer, *asks))[:40]
            asked = Asked(id, kind.id, answer=answer, ask=asks, points=Fraction(6))
            try:
                next(variants(asked, "canvas"))
            except (NoVariants, OptionError):
                continue  # a choice of too few numbers, or what other parameters ask
            found.append(asked)
    return exam(Spec(tuple(found), title="All kinds"), seed="canvas")


@cache
def every_paper():
    (paper,) = every_kind().papers
    return paper


def written(made, lang="en", **choices):
    file, sheet = io.BytesIO(), Sheet(made.spec.title, messages(lang), **choices)
    canvas.write(made, file, sheet)
    return file.getvalue(), sheet


@cache
def all_written():
    return written(every_kind(), worked="none")


# -- a reader with the rules of Canvas's importer ------------------------------------------------------------------------------


def local(element):
    return element.tag.rpartition("}")[2]


def inside(element, *names):
    found = [element]
    for name in names:
        found = [child for one in found for child in one.iter() if child is not one and local(child) == name]
    return found


def read(data):
    """The questions of each quiz, in order, as Canvas keeps them."""
    out = []
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        manifest = etree.fromstring(package.read("imsmanifest.xml"))
        for resource in inside(manifest, "resource"):
            if resource.get("type") == "imsqti_xmlv1p2":
                (file,) = inside(resource, "file")
                root = etree.fromstring(package.read(file.get("href")))
                out.append([question(item) for item in inside(root, "item")])
    return out


def question(item):
    fields = {
        inside(one, "fieldlabel")[0].text: inside(one, "fieldentry")[0].text or ""
        for one in inside(item, "qtimetadatafield")
    }
    feedback = {one.get("ident"): inside(one, "mattext")[0].text for one in inside(item, "itemfeedback")}
    out = {
        "ident": item.get("ident"),
        "title": item.get("title"),
        "type": fields["question_type"],
        "points": Fraction(fields["points_possible"]),
        "text": inside(item, "presentation", "mattext")[0].text,
        "neutral": feedback.get("general_fb", ""),
        "incorrect": feedback.get("general_incorrect_fb", ""),
        "answers": [],
        "rules": inside(item, "respcondition"),
        "labels": {
            one.get("ident"): inside(one, "mattext")[0].text
            for one in inside(
                item,
                "response_label",
            )
            if inside(one, "mattext")
        },
        "feedback": feedback,
    }
    linked = {one.get("linkrefid") for one in inside(item, "displayfeedback")}
    assert set(feedback) <= linked | {"general_fb"}, "feedback that nothing shows"
    if out["type"] == "numerical_question":
        for rule in out["rules"]:
            # whatever score a rule sets, the answer that is made of it is right
            for one in inside(rule, "or"):
                exact = Decimal(inside(one, "varequal")[0].text)
                upper = inside(one, "varlte")
                out["answers"].append((exact, Decimal(upper[0].text) - exact if upper else Decimal(0)))
            assert inside(rule, "or") or not inside(
                rule,
                "vargte",
            )
    return out


def typed(text):
    """What Canvas makes of a number that is typed while a quiz is taken."""
    return Decimal(text).quantize(Decimal("0.0001"), ROUND_HALF_UP)


def is_right(found, text):
    assert found["type"] == "numerical_question"
    return any(exact - margin <= typed(text) <= exact + margin for exact, margin in found["answers"])


def decimal(x):
    places = next(k for k in range(40) if (x * 10**k).denominator == 1)
    return str(Decimal(x.numerator * 10**places // x.denominator).scaleb(-places))


def numeric(made, paper):
    """(item, part of the exam, entry's number, field, question as it was read) for each number."""
    ((*found,),) = read(written(replace(made, papers=(paper,)), worked="none")[0])
    rest = iter(found)
    for one in of_paper(made, paper, messages("en")):
        for part in one.parts:
            if isinstance(part.form, Numbers):
                for n, field in enumerate(part.form.fields):
                    yield one, one.question.parts[int(part.id) - 1], n, field, next(rest)
            else:
                next(rest)
    assert next(rest, None) is None


@cache
def all_numbers():
    return list(numeric(every_kind(), every_paper()))


# -- packages ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("maths", ["mathml", "tex"])
def test_a_package_of_every_kind_holds_together(tmp_path, lang, maths):
    file = tmp_path / "canvas.zip"
    file.write_bytes(written(every_kind(), lang, maths=maths)[0])
    assert check_package(str(file)) == []


@pytest.mark.parametrize("spec", bundled())
def test_packages_of_the_bundled_specs_hold_together(tmp_path, spec):
    file = tmp_path / "canvas.zip"
    made = exam(spec, seed=7, variants=1)
    file.write_bytes(written(made, made.spec.lang, worked="none")[0])
    assert check_package(str(file)) == []
    (quiz,) = read(file.read_bytes())
    total = sum(found["points"] for found in quiz)
    assert abs(total - made.spec.points) < Fraction(1, 1000)


def test_every_paper_is_a_quiz_of_its_own(tmp_path):
    made = exam("by-hand", seed=7, roster=["Ada", "张伟"])
    first, second = read(written(made)[0])
    assert [one["type"] for one in first] == [one["type"] for one in second]
    assert not {one["ident"] for one in first} & {one["ident"] for one in second}
    with zipfile.ZipFile(io.BytesIO(written(made)[0])) as package:
        metas = [package.read(name).decode() for name in package.namelist() if name.endswith("assessment_meta.xml")]
        assert [f"· {name}</title>" in meta for name, meta in zip(("Ada", "张伟"), metas, strict=True)] == [True, True]
        assert all("<available>false</available>" in meta for meta in metas)
        assert {one.date_time for one in package.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_the_same_seed_gives_the_same_bytes():
    first, second, other = (written(exam("by-hand", seed=seed, variants=2))[0] for seed in (7, 7, 8))
    assert first == second
    assert first != other


def test_questions_have_points_and_names_of_their_own():
    (quiz,) = read(all_written()[0])
    assert len({one["ident"] for one in quiz}) == len(quiz)
    assert all(one["points"] > 0 for one in quiz)


def test_texts_are_fragments_that_are_whole():
    (quiz,) = read(all_written()[0])
    for one in quiz:
        for text in (one["text"], *one["labels"].values(), *one["feedback"].values()):
            etree.fromstring(f"<x>{text}</x>")


@pytest.mark.parametrize("title", ["a & b <i>", '"q"', "]]>", "四步", "a\x1b[0m"])
def test_a_title_is_only_a_title(title):
    made = exam(Spec((Asked("a", "K02"),), title=title), seed=1)
    with zipfile.ZipFile(io.BytesIO(written(made)[0])) as package:
        quiz, meta = (etree.fromstring(package.read(name)) for name in package.namelist()[:2])
    shown = title.replace("\x1b", "‹U+001B›")
    assert inside(quiz, "assessment")[0].get("title") == shown
    assert inside(meta, "title")[0].text == shown


# -- numbers -------------------------------------------------------------------------------------------------------------------


def test_the_key_is_right_and_all_points_are_there():
    assert len(all_numbers()) > 100
    for _, part, n, _, found in all_numbers():
        assert is_right(found, part.entries[n].text)
        assert len(found["answers"]) == 1


def test_a_wrong_method_is_wrong_and_is_told_what_went_wrong():
    checked = 0
    for one, part, n, _, found in all_numbers():
        entry = part.entries[n]
        for wrong in part.wrongs:
            if entry.accepts(Fraction(wrong.texts[n])):
                assert is_right(found, wrong.texts[n])
                continue
            assert not is_right(found, wrong.texts[n])
            said = unescape(found["incorrect"])
            assert f"{wrong.texts[n]}: {unescape(TEX.inlines(one.said(wrong.names)))}" in said
            checked += 1
    assert checked > 500


def test_what_is_accepted_ends_where_the_exam_says():
    for _, part, n, _, found in all_numbers():
        entry = part.entries[n]
        for sign in (-1, 1):
            end = entry.key + sign * entry.tolerance
            inner = Fraction(int(end * 10**4), 10**4) if sign * end > 0 else Fraction(-int(-end * 10**4), 10**4)
            for x in (inner, inner + Fraction(sign, 10**4), inner - Fraction(sign, 10**4)):
                assert is_right(found, decimal(x)) == entry.accepts(x), (entry.label, entry.text, str(x))


@pytest.mark.parametrize("spec", bundled())
def test_numbers_of_the_bundled_specs_are_marked_as_the_exam_marks_them(spec):
    made = exam(spec, seed=11, variants=1)
    (paper,) = made.papers
    paper = replace(paper, questions=paper.questions[:8])
    for _, part, n, _, found in numeric(made, paper):
        entry = part.entries[n]
        for x in (entry.key, *(Fraction(wrong.texts[n]) for wrong in part.wrongs)):
            assert is_right(found, decimal(x)) == entry.accepts(x)


def test_more_places_than_canvas_keeps_are_asked_for_in_another_unit():
    made = exam(Spec((Asked("small", "K02", places=7, working=9),)), seed=3)
    (paper,) = made.papers
    _, sheet = written(made)
    assert any(
        "small: Canvas rounds what is typed to 4 decimals; 1000 times the number is asked for" in one
        for one in sheet.lost
    )
    for _, part, n, _, found in numeric(made, paper):
        entry = part.entries[n]
        assert "Type 1000 times this number, to 4 decimals." in found["text"]
        assert is_right(found, decimal(entry.key * 1000))
        step = Fraction(1, 10**4)
        for k in range(-30, 31):
            x = entry.key * 1000 + k * step
            assert is_right(found, decimal(x)) == entry.accepts(x / 1000)


def test_a_number_with_more_digits_than_a_float_keeps_is_refused():
    one, _, _, field, _ = all_numbers()[0]
    writer = canvas._Item(one, Sheet("", messages("en")))
    part = next(part for part in one.parts if isinstance(part.form, Numbers))
    huge = Field("x", "1234567890123.456", 100, 5, ())
    with pytest.raises(InputError, match=r"x: 1234567890123\.456 has more digits than Canvas keeps, which are 15"):
        list(writer._numbers(replace(part, form=Numbers(((huge,),), (), ("x",))), Numbers(((huge,),), (), ("x",))))
    assert field.units >= 0


# -- other forms ---------------------------------------------------------------------------------------------------------------


def others(form):
    """(item, part of the exam, question as it was read) for each part of a form."""
    (quiz,) = read(all_written()[0])
    rest = iter(quiz)
    for one in of_paper(every_kind(), every_paper(), messages("en")):
        for part in one.parts:
            asked = one.question.parts[int(part.id) - 1]
            count = len(part.form.fields) if isinstance(part.form, Numbers) else 1
            found = [next(rest) for _ in range(count)]
            if isinstance(asked.form, form):
                yield one, asked, part, found[0]


def test_of_a_choice_one_option_is_right_and_the_others_say_why_not():
    found = list(others(Choice))
    assert len(found) > 10
    for one, asked, _, question in found:
        assert question["type"] == "multiple_choice_question"
        right = [
            inside(rule, "varequal")[0].text
            for rule in question["rules"]
            if inside(rule, "setvar") and inside(rule, "varequal")
        ]
        ids = list(question["labels"])
        assert right == [ids[asked.form.right]]
        for id, option in zip(ids, asked.form.options, strict=True):
            said = unescape(question["feedback"].get(f"{id}_fb", ""))
            assert said == (f"<p>{unescape(TEX.inlines(one.said(option.names)))}</p>" if option.names else "")


def test_of_an_order_every_step_in_its_place_earns_its_share():
    found = list(others(Order))
    assert found, "no kind asks for an order"
    for _, asked, _, question in found:
        assert question["type"] == "matching_question"
        count = len(asked.form.right)
        due = {}
        for rule in question["rules"]:
            if inside(rule, "setvar"):
                (match,) = inside(rule, "varequal")
                due[match.get("respident")] = (match.text, Fraction(inside(rule, "setvar")[0].text))
        letters = list(dict.fromkeys(question["labels"]))
        for given in list(permutations(range(count)))[:: max(1, count)]:
            marks = sum(share for (answer, share), k in zip(due.values(), given, strict=True) if letters[k] == answer)
            places = sum(a == b for a, b in zip(given, asked.form.right, strict=True))
            assert abs(marks - Fraction(100 * places, count)) <= Fraction(count, 100)


def test_texts_are_essays_with_the_guide_in_the_feedback():
    found = [(part, question) for _, _, part, question in others(Rubric)]
    assert found
    for part, question in found:
        assert isinstance(part.form, Essay)
        assert question["type"] == "essay_question"
        assert len(question["neutral"]) > 60


# -- another reader ------------------------------------------------------------------------------------------------------------


def test_qti2latex_reads_the_same_questions_and_keys():
    """It takes points as whole numbers and calls every option right that a rule names, so only numbers are compared with it."""
    with zipfile.ZipFile(io.BytesIO(all_written()[0])) as package:
        root = ElementTree.fromstring(package.read(package.namelist()[0]))
    found = qti2latex.findall_anyns(root, "item")
    (quiz,) = read(all_written()[0])
    assert len(found) == len(quiz)
    for item, ours in zip(found, quiz, strict=True):
        kind = qti2latex.guess_type(qti2latex.get_qti_metadata(item), item)
        assert kind == ours["type"]
        assert qti2latex.get_item_stem(item) == ours["text"].strip()
        if kind == "numerical_question":
            assert {Decimal(text) for text in qti2latex.get_correct_idents(item)} == {ours["answers"][0][0]}
        if kind == "multiple_choice_question":
            assert dict(qti2latex.get_choices(item)) == ours["labels"]


def test_what_canvas_cannot_carry_is_said():
    said = "\n".join(all_written()[1].lost)
    assert "Canvas marks every number by itself; there is no credit for going on from one's own slip" in said
    assert "a question of Canvas has one number, so a row or a matrix becomes as many questions" in said
    assert "is marked by hand; the guide is in the feedback" in said
    comma = exam(Spec((Asked("a", "K02"),), decimal=","), seed=1)
    assert "a: a decimal comma is read where the language of the course has it" in written(comma)[1].lost
    credited = exam(Spec((Asked("a", "K04", credit={"no-scale": Fraction(1, 2)}),)), seed=1)
    assert any(one.startswith("a: Canvas gives a wrong answer nothing") for one in written(credited)[1].lost)
