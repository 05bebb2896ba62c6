"""The spec: what it may say, and one clear line for what it may not."""

from __future__ import annotations

from fractions import Fraction

import hypothesis
import pytest
from hypothesis import strategies as st

from exactattn.attention import attend
from exactattn.errors import ExactAttnError
from exactattn.exams import render, roster, tolerance
from exactattn.exams.exam import exam
from exactattn.exams.marking import mark
from exactattn.exams.spec import bundled, load, read
from exactattn.i18n import messages
from exactattn.trace.problem import PLACES


def question(**more):
    lines = {"id": '"a"', "kind": '"full-attention"'} | more
    return "[[question]]\n" + "\n".join(f"{name} = {value}" for name, value in lines.items())


def kind(name, parameters):
    return question(kind=f'"{name}"', parameters=f"{{{parameters}}}")


POINTS = 'a number from 0 to 1000000, as in 2, 2.5 or "1/4", was due'
SHARE = "a share of the points, from 0 to 1, was due"


def test_ids_that_only_look_like_those_of_variants_are_left_alone():
    spec = read("\n".join([question(count=2), question(id='"a-3"'), question(id='"a-1"', count=2)]))
    assert [asked.id for asked in spec.questions] == ["a", "a-3", "a-1"]


def test_dials_are_of_the_type_of_their_defaults():
    spec = read(kind("window", "causal = true, radius = 2, sinks = 0") + "\n" + question(id='"b"'))
    assert spec.questions[0].parameters == {"causal": True, "radius": 2, "sinks": 0}
    for given, due in (("2", "2"), ("0.5", "0.5"), ('"1/3"', "1/3")):
        (asked,) = read(kind("temperature", f"T = {given}")).questions
        assert asked.parameters == {"T": due}


def test_a_question_has_what_the_spec_says_and_defaults_for_the_rest():
    text = question(points='"5/2"', ask='["output", "weights"]', places=4, credit='{no-scale = "1/4"}', size="{n = 2}")
    spec = read(f'title = "T"\nlang = "zh"\nseed = 7\n{text}')
    (asked,) = spec.questions
    assert (asked.kind, asked.points, asked.places, asked.working) == ("K04", Fraction(5, 2), 4, 6)
    assert asked.ask == ("weights", "output")  # in the order of the work
    assert asked.credit == {"no-scale": Fraction(1, 4)}
    assert (spec.seed, spec.lang, spec.points) == ("7", "zh", Fraction(5, 2))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("title = 'x'", "the spec asks nothing: a [[question]] with an id and a kind was due"),
        (
            question(kind='"full-atention"'),
            "question kind 'full-atention' is unknown (did you mean 'full-attention'?); see exactattn exam --kinds",
        ),
        (question() + "\n" + question(), "[[question]] 2: the id 'a' is that of question 1 too"),
        (question(point=3), "[[question]] 1 has no 'point' (did you mean 'points'?)"),
        (question(points=-1), f"question 'a', points is the number -1: {POINTS}"),
        (question(points=1_000_001), f"question 'a', points is the number 1000001: {POINTS}"),
        (question(points='"1e400"'), f"question 'a', points is the text '1e400': {POINTS}"),
        (question(points='"1e99999999"'), f"question 'a', points is the text '1e99999999': {POINTS}"),
        (question(points="1e99999999"), f"question 'a', points is the number 1e99999999: {POINTS}"),
        (question(follow_through='"1e99999999"'), f"question 'a', follow_through is the text '1e99999999': {SHARE}"),
        (question(credit='{no-scale = "1e99999999"}'), f"question 'a', credit, no-scale is the text '1e99999999': {SHARE}"),
        (question(tolerance='"absolute:1e99999999"'), "question 'a', tolerance is 'absolute:1e99999999': \"derived\", "),
        (question(tolerance='"relative:1/99999999999999999999"'), "question 'a', tolerance is 'relative:1/9999999"),
        (question(id='"a/../b"'), "[[question]] 1: the id 'a/../b' is none: letters, digits, - and . were due, 40 at most"),
        (question(working=3), "question 'a': working = 3 places are not more than the 3 of the key: 5 were due"),
        (
            question(ask='["weight"]'),
            "question 'a', ask, position 1 is the text 'weight': scores, scaled, weights or output was due "
            "(did you mean 'weights'?)",
        ),
        (question(ask='["output", "output"]'), "question 'a', ask names 'output' twice"),
        (question(size="{dk = 2}"), "question 'a', size has no 'dk' (did you mean 'd_k'?)"),
        (question(size="{n = 99}"), "question 'a', size, n is 99: 16 at most"),
        (
            question(credit='{no-scal = "1/4"}'),
            "question 'a', credit: misconception 'no-scal' is not in the catalogue (did you mean 'no-scale'?)",
        ),
        (question(credit="{no-scale = 2}"), f"question 'a', credit, no-scale is the number 2: {SHARE}"),
        (
            question(tolerance='"2 %"'),
            "question 'a', tolerance is '2 %': \"derived\", \"absolute:0.01\", \"relative:1%\", \"places:3\", "
            '"significant:3" or "exact" was due',
        ),
        (question(difficulty=6), "question 'a', difficulty is the text '6': 1, 2, 3, 4 or 5 was due"),
        (question(parameters="{mask = 1}"), "question 'a', parameters has no 'mask' (it knows none)"),
        (kind("window", 'causal = "no"'), "question 'a', causal is the text 'no': true or false was due"),
        (kind("window", "radius = [1]"), "question 'a', radius is a list: a whole number from 0 was due"),
        (kind("window", "sinks = 17"), "question 'a', sinks is 17: 16 at most"),
        (
            kind("multi-head", 'output_projection = "false"'),
            "question 'a', output_projection is the text 'false': true or false was due",
        ),
        (kind("parameter-count", 'grouped = "no"'), "question 'a', grouped is the text 'no': true or false was due"),
        (
            kind("masked", 'mask = "casual"'),
            "question 'a', mask is the text 'casual': causal, padding or causal-and-padding was due (did you mean 'causal'?)",
        ),
        (kind("temperature", "T = true"), "question 'a', T is a boolean: a number, as in 2 or \"1/2\", was due"),
        (
            question(count=2) + "\n" + question(id='"a-1"'),
            "question 'a-1' and a variant of question 'a' (count = 2) are both called 'a-1': another id for one of them was due",
        ),
        (
            question(id='"a-2"') + "\n" + question(count=2),
            "question 'a-2' and a variant of question 'a' (count = 2) are both called 'a-2': another id for one of them was due",
        ),
        ('decimal = ";"\n' + question(), "decimal is the text ';': . or , was due"),
        (
            question(kind='"formula"', answer='"choice"', tolerance='"exact"'),
            "question 'a': tolerance = \"exact\" is for numbers, and answer = \"choice\" asks for none",
        ),
        (
            'track = "stepwise"\n' + question(numbers='"by-hand"'),
            'question \'a\': numbers = "by-hand" means exact values, and track = "stepwise" rounds them: one of the two was due',
        ),
        (
            'track = "stepwise"\n' + question(tolerance='"exact"'),
            'question \'a\': tolerance = "exact" means exact values, and track = "stepwise" rounds them: one of the two was due',
        ),
        ('track = "step"\n' + question(), "track is the text 'step': carry or stepwise was due"),
        ('answers = "behind"\n' + question(), "answers is the text 'behind': below or sheet was due"),
        ('paper = "a5"\n' + question(), "paper is the text 'a5': a4 or letter was due"),
        ('lang = "de"\n' + question(), "language 'de' is not one of en, zh"),
    ],
)  # fmt: skip
def test_a_bad_spec_is_told_in_one_line(text, message):
    with pytest.raises(ExactAttnError) as error:
        read(text)
    assert str(error.value).startswith(message)


def test_an_unknown_spec_is_told_with_those_there_are():
    with pytest.raises(ExactAttnError, match=r"no bundled spec and no file 'quizz' \(did you mean 'quiz'\?\)"):
        load("quizz")


@pytest.mark.parametrize("name", bundled())
def test_every_bundled_spec_gives_papers(name):
    made = exam(name, seed=1, variants=2)
    first, second = made.papers
    assert [q.asked.id for q in first.questions] == [q.asked.id for q in second.questions]
    assert all((a.trace, a.facts) != (b.trace, b.facts) for a, b in zip(first.questions, second.questions, strict=True))


# -- tolerances ------------------------------------------------------------------------------------------------------------


def one(**more):
    return exam(read(question(**more)), seed=3).papers[0].questions[0]


@pytest.mark.parametrize(
    ("stated", "due"),
    [
        ('"absolute:0.002"', lambda key: Fraction(2, 1000)),
        ('"relative:2%"', lambda key: abs(key) / 50),
        ('"places:2"', lambda key: Fraction(5, 1000)),
        ('"significant:2"', lambda key: Fraction(5, 1000)),
    ],
)
def test_a_stated_tolerance_takes_the_place_of_the_derived_one(stated, due):
    (part,) = one(tolerance=stated, answer='"number"', ask='["weights"]').parts
    assert [entry.tolerance for entry in part.entries] == [due(entry.key) for entry in part.entries]


def test_a_tolerance_that_refuses_honest_answers_is_an_error():
    with pytest.raises(ExactAttnError, match=r"the tolerance absolute:0\.0001 refuses honest answers in 100 variants"):
        one(tolerance='"absolute:0.0001"')


def test_a_tolerance_under_which_wrong_methods_look_right_is_an_error():
    with pytest.raises(ExactAttnError, match="the tolerance absolute:2 lets a wrong method look right in 100 variants"):
        one(tolerance='"absolute:2"', answer='"row"', ask='["weights"]')


def test_significant_digits_are_counted_from_the_first_that_is_not_0():
    half = tolerance.RULES["significant"]
    assert [half(Fraction(text), Fraction(2)) for text in ("12", "1", "0.99", "0.012")] == [
        Fraction(1, 2), Fraction(1, 20), Fraction(1, 200), Fraction(1, 2000),
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["softmax-vector", "one-query", "full-attention", "masked"])
def test_exact_keys_are_the_values_themselves(kind):
    text = question(kind=f'"{kind}"', numbers='"by-hand"', tolerance='"exact"')
    for paper in exam(read(text), 2, 3).papers:
        (asked,) = paper.questions
        entries = [entry for part in asked.parts for entry in part.entries]
        assert all(entry.value == entry.key and entry.tolerance == 0 for entry in entries)
        assert {one.verdict for one in mark(asked, asked.key)} == {"right"}
        rounded = [[str(round(float(entry.key), 4)) for entry in part.entries] for part in asked.parts]
        assert any(one.awarded < one.points for one in mark(asked, rounded)) == any("/" in one.text for one in entries)
        for part in asked.parts:
            for wrong in part.wrongs:
                assert any(
                    not low <= entry.key <= high
                    for entry, (low, high) in zip(part.entries, wrong.intervals, strict=True)
                )


def test_an_exact_key_is_a_decimal_where_one_ends_within_the_places():
    keys = {text for k in range(6) for row in exact(k, kind='"one-query"', numbers='"by-hand"').key for text in row}
    assert {"/" in key for key in keys} == {True, False}
    assert all(Fraction(key) == Fraction(round(Fraction(key) * 1000), 1000) for key in keys if "/" not in key)


def exact(k, **more):
    return exam(read(question(tolerance='"exact"', **more)), k).papers[0].questions[0]


def test_scores_may_be_exact_with_a_calculator_and_weights_may_not():
    assert exact(1, ask='["scores"]').key
    with pytest.raises(
        ExactAttnError, match=r"'a': the tolerance exact meets a key that is no fraction to be written in 100"
    ):
        exact(1, ask='["weights"]')


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("numbers", ["calculator", "by-hand"])
def test_who_must_be_exact_is_told_so(numbers, lang):
    ask = "scores" if numbers == "calculator" else "weights"
    asked = exact(1, ask=f'["{ask}"]', numbers=f'"{numbers}"', kind='"one-query"')
    shown = repr(render.statement(asked, messages(lang)))
    assert {"en": "Give exact values", "zh": "精确值"}[lang] in shown
    assert {"en": "decimal places", "zh": "位小数"}[lang] not in shown


# -- the stepwise track ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["full-attention", "masked", "from-embeddings", "multi-head"])
def test_stepwise_keys_are_those_of_rounded_work_and_both_tracks_are_accepted(kind):
    text = question(kind=f'"{kind}"', working=4, answer='"matrix"')
    differ = 0
    for paper in exam(read('track = "stepwise"\n' + text), 3, 12).papers:
        (asked,) = paper.questions
        given = {**asked.trace.problem.inputs}
        settings = asked.trace.problem.settings
        more = {"mask": settings.mask, "heads": settings.heads, "scale": settings.scale}
        carried = attend(**given, **more)
        rounded = attend(**given, **more, track="stepwise", places=dict.fromkeys(PLACES, 4))
        for part in asked.parts:
            for entry in part.entries:
                where = entry.place
                step = rounded.step(where.name, where.head)
                of = {"c": carried.step(where.name, where.head).computed, "s": step.made, "once": step.computed}
                typed = {track: q.value(where.row, where.column).decimal(3) for track, q in of.items()}
                assert typed["s"] == entry.text  # from the page, where the step stands rounded
                assert entry.accepts(Fraction(typed["c"]))
                assert entry.accepts(Fraction(typed["once"]))
                differ += typed["s"] != typed["c"]
    assert differ


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_stepwise_exam_says_so_and_is_worked_so(lang):
    asked = exam(read('track = "stepwise"\n' + question()), 3).papers[0].questions[0]
    rendered = render.rendered(asked, lang)
    assert {"en": "Round the result of each step to", "zh": "每一步的结果都舍入到"}[lang] in repr(rendered.statement)
    assert all(f"'{entry.text}'" in repr(rendered.solution[-2:]) for part in asked.parts for entry in part.entries)
    assert {one.verdict for one in mark(asked, asked.key)} == {"right"}


# -- the roster ------------------------------------------------------------------------------------------------------------


def test_a_roster_is_one_student_a_line_with_or_without_a_header():
    assert roster.parse('学号\n张伟\n\n"Bo, B.",x\n') == ("张伟", "Bo, B.")
    assert roster.parse("Ada\nBo\n") == ("Ada", "Bo")


@pytest.mark.parametrize(
    ("text", "students"),
    [
        ("学号;姓名\n20230001;张三\n20230002;李四\n", ("20230001", "20230002")),
        ("学号\t姓名\r\n20230001\t张三\r\n", ("20230001",)),
        ("20230001;张三\n", ("20230001",)),
        ("姓名,学号\n张三,20230001\n", ("20230001",)),
        ("email,id\nada@x.org,17\nbo@x.org,4\n", ("17", "4")),
        ("Full name,ID number,Email address\nAda,17,ada@x.org\n", ("17",)),
        ("class,student_id\nA,17\n\nB,4\n,,\n", ("17", "4")),
        ("\nemail,section\nada@x.org,1\n", ("ada@x.org",)),
        ("ada,student\nbo,student\n", ("ada", "bo")),
        ("student\nstudent\n", ("student",)),
        ("!\nada\n", ("!", "ada")),
        ("ada,group\nbo,team\n", ("ada", "bo")),
        ('"Bo; B.",1\n"Cy",2\n', ("Bo; B.", "Cy")),
        ("student\na;b\n", ("a;b",)),
        ("Student ID\n'=1\n", ("=1",)),
    ],
)
def test_the_column_of_ids_is_found_by_its_name(text, students):
    assert roster.parse(text) == students


def test_a_line_of_a_roster_without_an_id_is_an_error():
    with pytest.raises(ExactAttnError, match="the roster, line 3: it has no id, but something else"):
        roster.parse("email,id\nada@x.org,17\nbo@x.org,\n")
    with pytest.raises(ExactAttnError, match="the roster names nobody"):
        roster.parse("email,id\n")


@hypothesis.given(st.lists(st.text(min_size=1).filter(str.isprintable).filter(str.strip), min_size=1, max_size=5))
def test_a_roster_that_was_written_is_read_back(students):
    tidy = tuple(dict.fromkeys(" ".join(one.split()) for one in students))
    assert roster.parse(roster.written(tidy)) == tidy


def test_a_student_who_stands_twice_is_an_error():
    with pytest.raises(ExactAttnError, match="the roster has 'Ada' twice: ids must differ"):
        roster.parse("Ada\nBo\n Ada \n")


@pytest.mark.parametrize(
    "name", ["=1+1", "+1", "-x", "@SUM(A1)", "'quoted", "'=x", "a,b", 'say "x"', "\\input{x}", "张伟"]
)
def test_a_roster_is_read_back_as_it_was_and_runs_nothing(name):
    written = roster.written(["Ada", name])
    assert roster.parse(written) == ("Ada", name)
    assert not written.splitlines()[2].strip('"').startswith(("=", "+", "-", "@"))


@pytest.mark.parametrize("name", ["../../etc/passwd", "a/b", "C:\\x", "con", "..", "nul\0", "x" * 300, "🙂"])
def test_an_id_is_never_a_path(name):
    stem = roster.file_stem(1, name)
    assert stem.startswith("001")
    assert not set(stem) & set('/\\:.\0*?"<>|')
    assert len(stem) <= 44
