"""Moodle XML, read back by a reader that follows the importer's rules, and marked again as Moodle marks."""

from __future__ import annotations

import io
import json
import re
import subprocess
from dataclasses import replace
from fractions import Fraction
from functools import cache
from html import unescape
from itertools import islice, pairwise, permutations
from pathlib import Path

import pytest
from lxml import etree

from exactattn.document import Math, Para, Token, Word
from exactattn.errors import OptionError
from exactattn.exams.exam import exam
from exactattn.exams.kinds import kinds
from exactattn.exams.model import Asked, Choice, Design, Order, Rubric, key_of
from exactattn.exams.select import NoVariants, variants
from exactattn.exams.spec import bundled
from exactattn.exports import moodle
from exactattn.exports.item import Essay, Numbers, Steps, item, items
from exactattn.exports.sheet import Sheet
from exactattn.i18n import messages

READER = Path(__file__).parent / "readers" / "moodle.php"

LIST = [
    "1", "9/10", "5/6", "4/5", "3/4", "7/10", "2/3", "3/5", "1/2", "2/5", "1/3", "3/10", "1/4", "1/5", "1/6", "1/7", "1/8",
    "1/9", "1/10", "1/20", "0",
]  # fmt: skip
"""The shares that Moodle knows, from its list of grades."""

CREDITS = [Fraction(3, 8), Fraction(0), Fraction(1, 2), Fraction(1, 3), Fraction(19, 20)]
"""What wrong methods earn here, in turn: some of it is not in Moodle's list."""


@cache
def every_question():
    """A question of every kind in every form of answer, and of all else that a kind may ask, with credit for wrong methods."""
    out = []
    for kind in kinds().values():
        wanted = [(answer, ()) for answer in kind.answered]
        wanted += [
            (kind.answers[0], asks) for asks in [(ask,) for ask in kind.asks if ask not in kind.default] + [kind.asks]
        ]
        for answer, asks in dict.fromkeys(wanted):
            id = "-".join((kind.id, answer, *asks))[:40]
            try:
                question = next(variants(Asked(id, kind.id, answer=answer, ask=asks, points=Fraction(5)), "moodle"))
            except (NoVariants, OptionError):
                continue  # a choice of too few numbers, or what other parameters ask
            names = sorted(question.seen_through)
            credit = {name: CREDITS[k % len(CREDITS)] for k, name in enumerate(names)}
            out.append(replace(question, number=1, asked=replace(question.asked, credit=credit)))
    return out


def test_every_kind_is_here_in_every_form():
    asked = {(question.asked.kind, question.asked.answer) for question in every_question()}
    assert {kind for kind, _ in asked} == set(kinds())
    assert {(kind.id, answer) for kind in kinds().values() for answer in kind.answers} == {
        (kind, answer) for kind, answer in asked if answer in kinds()[kind].answers
    }
    forms = {type(part.form) for question in every_question() for part in question.parts}
    assert forms == {type(None), Choice, Order, Rubric, Design}


def written(found, lang="en", **choices):
    """The file, and what was said of it."""
    file, sheet = io.BytesIO(), Sheet("All kinds", messages(lang), **choices)
    moodle.write(found, file, sheet)
    return file.getvalue(), sheet


@pytest.fixture(scope="session")
def read(program, tmp_path_factory):
    """What the reader finds in a file, and the marks of responses (idnumber, field, response)."""
    program("php")
    folder = tmp_path_factory.mktemp("moodle")

    def reading(data, responses=()):
        file = folder / "file.xml"
        file.write_bytes(data)
        asked = [{"idnumber": id, "field": field, "response": response} for id, field, response in responses]
        command = ["php", "-d", "precision=14", str(READER), str(file)]
        done = subprocess.run(command, input=json.dumps(asked), capture_output=True, text=True, encoding="utf-8")
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return json.loads(done.stdout)

    return reading


@cache
def all_items():
    words = messages("en")
    return [item(question, words, "moodle", k) for k, question in enumerate(every_question(), 1)]


@cache
def all_written():
    return written(all_items(), worked="none")


def numeric_fields(found=None):
    """(item, idnumber, number of the field in its question, part of the exam, entry, field) for every number asked."""
    for one in found or all_items():
        groups = moodle.grouped(one)
        for _, parts in groups:
            idnumber = one.id + (f"-{parts[0].id}" if len(groups) > 1 else "")
            k = 0
            for part in parts:
                if not isinstance(part.form, Numbers):
                    k += 1
                    continue
                asked = one.question.parts[int(part.id) - 1]
                for n, field in enumerate(part.form.fields):
                    yield one, idnumber, k, asked, n, field
                    k += 1


def nearest_share(credit):
    return max(x for x in map(Fraction, LIST) if x <= credit)


def widened(interval, places):
    """An interval with its ends at so many places, outwards: what a file in decimals can say of it."""
    unit = 10**places
    return Fraction((interval[0] * unit).__floor__(), unit), Fraction((interval[1] * unit).__ceil__(), unit)


def due(one, part, n, x):
    """What an answer to an entry earns by the exam, entry by entry, and the wrong methods it comes from."""
    if part.entries[n].accepts(x):
        return Fraction(1), set()
    names = set()
    for wrong in part.wrongs:
        low, high = widened(wrong.intervals[n], part.places + 2)
        names |= set(wrong.names) if low <= x <= high else set()
    credit = one.question.asked.credit
    return nearest_share(min((credit.get(name, Fraction(0)) for name in names), default=Fraction(0))), names


def same(found, share):
    return abs(found - float(share)) < 1e-5


# -- what comes back -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("maths", ["mathml", "tex"])
@pytest.mark.parametrize("lang", ["zh", "en"])
def test_every_kind_in_every_form_is_imported_without_complaint(read, lang, maths):
    words = messages(lang)
    found = [item(question, words, "moodle", k) for k, question in enumerate(every_question(), 1)]
    back = read(written(found, lang, maths=maths, worked="none")[0])
    assert back["errors"] == []
    assert len(back["questions"]) == sum(len(moodle.grouped(one)) for one in found)
    by_id = {one["idnumber"]: one for one in back["questions"]}
    for one in found:
        groups = moodle.grouped(one)
        for kind, parts in groups:
            question = by_id[one.id + (f"-{parts[0].id}" if len(groups) > 1 else "")]
            assert question["type"] == kind
            assert question["category"] == f"$course$/top/{words.text('exam.untitled')}/{one.question.asked.id}"
            assert set(question["tags"]) == set(one.tags)


@pytest.mark.parametrize("spec", bundled())
def test_the_bundled_specs_are_imported_without_complaint(read, spec):
    made = exam(spec, seed=7, variants=1)
    for maths in ("mathml", "tex"):
        data, _ = written(list(islice(items(made), 12)), made.spec.lang, maths=maths)
        back = read(data)
        assert back["errors"] == []
        assert all(one["generalfeedback"] for one in back["questions"])


@pytest.mark.parametrize("spec", bundled())
def test_the_bundled_specs_are_marked_as_planned(read, spec):
    made = exam(spec, seed=11, variants=2)
    found = list(islice(items(made), 12))
    asked, due_shares = [], []
    for one, id, k, part, n, _ in numeric_fields(found):
        entry, unit = part.entries[n], Fraction(1, 10 ** (part.places + 2))
        ends = [entry.key + sign * (entry.tolerance + more) for sign in (-1, 1) for more in (0, unit)]
        for x in (entry.key, *ends, *(Fraction(wrong.texts[n]) for wrong in part.wrongs)):
            asked.append((id, k, decimal(x)))
            due_shares.append(due(one, part, n, x)[0])
    for one in found:
        for part in one.parts:
            if isinstance(part.form, moodle.Choices) and len(one.parts) == 1:
                asked += [(one.id, 0, j) for j in range(len(part.form.alternatives))]
                due_shares += [nearest_share(option.credit) for option in part.form.alternatives]
    back = read(written(found, made.spec.lang, worked="none")[0], asked)
    assert asked
    assert all(same(mark["fraction"], share) for mark, share in zip(back["marks"], due_shares, strict=True))


def test_the_points_are_those_of_the_exam_where_whole_numbers_say_them(read):
    back = {one["idnumber"]: one for one in read(all_written()[0])["questions"]}
    for one in all_items():
        groups = moodle.grouped(one)
        for kind, parts in groups:
            question = back[one.id + (f"-{parts[0].id}" if len(groups) > 1 else "")]
            points = sum(part.points for part in parts)
            if kind != "cloze":
                assert question["mark"] == pytest.approx(float(points), abs=1e-7)
                continue
            counts = [len(part.form.fields) if isinstance(part.form, Numbers) else 1 for part in parts]
            due = [part.points / count for part, count in zip(parts, counts, strict=True) for _ in range(count)]
            weights = [field["weight"] for field in question["fields"]]
            assert [weight * due[0] for weight in weights] == [share * weights[0] for share in due]
            if question["mark"] != points:
                weigh = f"fields weigh {question['mark']} in all in place of"
                told = [line.partition(":")[0].split(", ") for line in all_written()[1].lost if weigh in line]
                assert any(one.question.asked.id in ids for ids in told)


# -- numbers -------------------------------------------------------------------------------------------------------------------


def test_the_key_earns_all(read):
    asked = list(numeric_fields())
    back = read(all_written()[0], [(id, k, part.entries[n].text) for _, id, k, part, n, _ in asked])
    assert len(asked) > 100
    assert {(mark["fraction"], mark["feedback"]) for mark in back["marks"]} == {(1.0, "")}


def test_a_wrong_method_earns_its_credit_and_is_told_what_went_wrong(read):
    asked = [(one, id, k, part, n, wrong) for one, id, k, part, n, _ in numeric_fields() for wrong in part.wrongs]
    back = read(all_written()[0], [(id, k, wrong.texts[n]) for _, id, k, _, n, wrong in asked])
    assert len(asked) > 500
    told = 0
    for (one, id, _, part, n, wrong), mark in zip(asked, back["marks"], strict=True):
        share, names = due(one, part, n, Fraction(wrong.texts[n]))
        assert same(mark["fraction"], share), (id, part.entries[n].label, wrong)
        if not names:
            continue  # at this entry the method gives the key
        how = moodle.Portable("mathml")
        feedback = {
            text for name in names for text in (one.feedback((name,)), unescape(how.inlines(one.said((name,)))))
        }
        assert unescape(mark["feedback"]) in feedback
        assert set(wrong.names) <= names
        told += len(names) == len(wrong.names)
    assert told > len(asked) / 2  # most say exactly this method


def test_every_end_of_every_interval_is_where_it_should_be(read):
    asked = []
    for one, id, k, part, n, field in numeric_fields():
        entry, unit = part.entries[n], Fraction(1, 10 ** (part.places + 2))
        ends = {entry.key - entry.tolerance, entry.key + entry.tolerance}
        for wrong in part.wrongs:
            ends |= set(widened(wrong.intervals[n], part.places + 2))
        for end in ends:
            for x in (end - unit, end, end + unit):
                asked.append((one, id, k, part, n, field, x))
    back = read(all_written()[0], [(id, k, decimal(x)) for _, id, k, _, _, _, x in asked])
    assert len(asked) > 3000
    for (one, id, _, part, n, field, x), mark in zip(asked, back["marks"], strict=True):
        share, names = due(one, part, n, x)
        assert same(mark["fraction"], share), (id, part.entries[n].label, str(x))
        assert bool(mark["feedback"]) == bool(names)
        credit, named = field.judged(x)
        assert (nearest_share(credit), set(named)) == (share, names)


def decimal(x):
    """A fraction in decimals that end."""
    places = next(k for k in range(40) if (x * 10**k).denominator == 1)
    sign, number = "-" if x < 0 else "", f"{abs(x.numerator) * 10**places // x.denominator:0{places + 1}d}"
    return f"{sign}{number[: len(number) - places]}.{number[len(number) - places :]}" if places else f"{sign}{number}"


def test_just_outside_is_outside(read):
    asked = [
        (id, k, decimal(end + Fraction(sign, 10**11)))
        for one, id, k, part, n, field in numeric_fields()
        if field.units
        for sign, end in ((-1, field.low), (1, field.high))
    ]
    back = read(all_written()[0], asked)
    assert all(mark["fraction"] < 1 for mark in back["marks"])


def test_what_is_no_number_earns_nothing(read):
    _, id, k, *_ = next(iter(numeric_fields()))
    back = read(all_written()[0], [(id, k, text) for text in ("", "1/3", "ln 2", "−0.5", "1.2.3")])
    assert [mark["fraction"] for mark in back["marks"]] == [0.0] * 5


def test_a_decimal_comma_is_read(read):
    found = [(id, k, part.entries[n].text) for _, id, k, part, n, _ in numeric_fields() if "." in part.entries[n].text]
    back = read(all_written()[0], [(id, k, text.replace(".", ",")) for id, k, text in found])
    assert {mark["fraction"] for mark in back["marks"]} == {1.0}


# -- other forms ---------------------------------------------------------------------------------------------------------------


def test_of_a_choice_the_right_option_earns_all_and_the_others_what_was_planned(read):
    asked, expected = [], []
    for one in all_items():
        groups = moodle.grouped(one)
        for _, parts in groups:
            idnumber = one.id + (f"-{parts[0].id}" if len(groups) > 1 else "")
            k = 0
            for part in parts:
                form = one.question.parts[int(part.id) - 1].form
                if isinstance(form, Choice):
                    for j, option in enumerate(form.options):
                        credit = one.question.asked.credit
                        wrong = min((credit.get(name, Fraction(0)) for name in option.names), default=Fraction(0))
                        asked.append((idnumber, k, j))
                        share = Fraction(1) if j == form.right else nearest_share(wrong)
                        said = moodle.Portable("mathml").inlines(one.said(option.names)) if option.names else ""
                        expected.append((share, unescape(said)))
                k += len(part.form.fields) if isinstance(part.form, Numbers) else 1
    assert len(asked) > 50
    back = read(all_written()[0], asked)
    for mark, (share, said) in zip(back["marks"], expected, strict=True):
        assert same(mark["fraction"], share)
        assert unescape(mark["feedback"]) == said


def test_options_say_what_they_say_in_the_exam(read):
    """In a cloze question too, where entities are decoded once on the way in."""
    back = {one["idnumber"]: one for one in read(all_written()[0])["questions"]}
    how = moodle.Portable("mathml")
    seen = 0
    for one in all_items():
        groups = moodle.grouped(one)
        for _, parts in groups:
            question, k = back[one.id + (f"-{parts[0].id}" if len(groups) > 1 else "")], 0
            for part in parts:
                if isinstance(part.form, moodle.Choices):
                    options = [alternative["answer"] for alternative in question["fields"][k]["alternatives"]]
                    assert list(map(unescape, options)) == [
                        unescape(how.inlines(option.shown)) for option in part.form.alternatives
                    ]
                    seen += 1
                k += len(part.form.fields) if isinstance(part.form, Numbers) else 1
    assert seen > 10


def test_an_order_earns_what_its_pairs_earn_in_the_exam(read):
    asked, expected = [], []
    for one in all_items():
        for part in one.parts:
            if not isinstance(part.form, Steps):
                continue
            groups = moodle.grouped(one)
            id = one.id + (f"-{part.id}" if len(groups) > 1 else "")
            order = one.question.parts[int(part.id) - 1]
            assert isinstance(order.form, Order)
            for given in islice(permutations(range(len(order.form.right))), 0, None, 7):
                asked.append((id, 0, [order.form.right.index(k) for k in given]))
                pairs = set(pairwise(order.form.right))
                kept = sum(pair in pairs for pair in pairwise(given))
                expected.append(Fraction(kept, len(pairs)))
            asked.append((id, 0, list(range(len(order.form.right)))))
            expected.append(Fraction(1))
            assert len(key_of(order)) == 1
    assert asked, "no kind asks for an order"
    back = read(all_written()[0], asked)
    assert all(same(mark["fraction"], share) for mark, share in zip(back["marks"], expected, strict=True))


def test_texts_and_designs_come_with_a_guide_and_are_said_to_be_marked_by_hand(read):
    data, sheet = all_written()
    essays = [one for one in read(data)["questions"] if one["type"] == "essay"]
    by_hand = {one.question.asked.id for one in all_items() if any(isinstance(part.form, Essay) for part in one.parts)}
    assert essays
    assert by_hand
    assert all(len(one["graderinfo"]) > 60 for one in essays)
    (sentence,) = [one for one in sheet.lost if "is marked by hand, along the guide for graders" in one]
    assert set(sentence.partition(":")[0].split(", ")) == by_hand


# -- the file ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("maths", ["mathml", "tex"])
def test_the_file_is_xml_from_its_first_byte_and_its_texts_are_whole_fragments(maths):
    data, _ = written(all_items(), maths=maths)
    assert data.startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n')
    root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=True))
    texts = [text.text for text in root.iter("text") if text.text and "<" in text.text]
    assert len(texts) > 100
    for text in texts:
        etree.fromstring(f"<x>{text.replace('&', '&amp;') if '&' not in text else text}</x>")
    assert not {c for c in data.decode() if ord(c) < 32 and c != "\n"}


def test_the_same_seed_gives_the_same_bytes_and_another_gives_other_ids():
    first, second, other = (written(items(exam("midterm", seed=seed, variants=2)))[0] for seed in (7, 7, 8))
    assert first == second
    ids = [set(etree.fromstring(data).xpath("//idnumber/text()")) for data in (first, other)]
    assert len(ids[0]) == 8
    assert not ids[0] & ids[1]


def test_an_id_is_kept_where_other_questions_come_and_go():
    whole = exam("midterm", seed=7, variants=2)
    less = replace(whole.spec, questions=whole.spec.questions[1:])
    ids = {one.id for one in items(whole)}
    assert {one.id for one in items(exam(less, seed=7, variants=2))} < ids


@pytest.mark.parametrize("maths", ["mathml", "tex"])
@pytest.mark.parametrize(
    "token",
    ["{1:NUMERICAL:=1:0}", "1:NUMERICAL:=1", "$$x$$", r"\(x\)", "]]>", "<b>&amp;", "@@PLUGINFILE@@/x", "~#}", "{#1}"],
)
def test_a_token_is_only_a_token(read, token, maths):
    one = next(one for one in all_items() if moodle.grouped(one)[0][0] == "cloze")
    before = read(written([one], maths=maths)[0])["questions"][0]
    hostile = replace(one, prompt=(Para((Token(token), Math(Word(token)))), *one.prompt))
    back = read(written([hostile], maths=maths)[0])
    assert back["errors"] == []
    (after,) = back["questions"]
    assert after["fields"] == before["fields"]
    shown = after["text"].partition("</p>")[0]
    assert not any(sign in shown for sign in ("{1:", "$$", "]]>", "@@"))
    assert token in unescape(shown.replace("</bdi>", ""))


@pytest.mark.parametrize("title", ["a/b", "/etc/", "<b>x</b>", "]]> & ", "四步", "a\x1b[0m"])
def test_a_title_is_a_category_of_that_name(read, title):
    one = replace(all_items()[0], category=(title, "q"))
    back = read(written([one])[0])
    assert back["errors"] == []
    path = back["questions"][0]["category"]
    names = [name.strip().replace("//", "/") for name in moodle_path(path)]
    shown = title.replace("<", "＜").replace(">", "＞").replace("\x1b", "‹U+001B›").strip()
    assert names == ["$course$", "top", shown, "q"]


def moodle_path(path):
    """A path of categories in its parts: at single slashes only."""
    return re.split(r"(?<!/)/(?!/)", path)


def test_a_long_name_of_an_ordering_question_is_shortened_between_characters(read):
    order = next(one for one in all_items() if any(isinstance(part.form, Steps) for part in one.parts))
    asked = replace(order.question.asked, id="第" * 40)
    one = item(replace(order.question, asked=asked), messages("zh"), "7", 123)
    back = read(written([one], "zh")[0])
    assert back["errors"] == []
    assert all(len(question["name"].encode()) <= 42 for question in back["questions"] if question["type"] == "ordering")


def test_what_moodle_cannot_carry_is_said_once():
    _, sheet = all_written()
    sentences = list(sheet.lost)
    assert len(sentences) == len(set(sentences))
    assert any("no credit for going on from one's own slip" in sentence for sentence in sentences)
    assert any("the credit 3/8 is written as 33.33333 %" in sentence for sentence in sentences)
    assert any("the credit 19/20 is written as 90 %" in sentence for sentence in sentences)


def test_mathjax_reads_every_formula_that_is_written_as_tex(packages):
    """Moodle's filter and Canvas run it."""
    text = written(all_items(), maths="tex")[0].decode()
    found = {unescape(tex) for tex in re.findall(r"\\\((.*?)\\\)|\\\[(.*?)\\\]", text, re.DOTALL) for tex in tex if tex}
    assert len(found) > 1000
    command = ["node", str(packages / "mathjax.cjs")]
    for formulas, due in (([*sorted(found)], []), (["x", r"\frac{1"], [r"\frac{1"])):
        done = subprocess.run(
            command, input=json.dumps(formulas), capture_output=True, text=True, encoding="utf-8", check=True
        )
        assert [tex for tex, _ in json.loads(done.stdout)] == due
