"""Papers, keys and solutions as files: what is in them, what is not, and that they come out the same."""

from __future__ import annotations

import json
import re
import subprocess
import unicodedata
from fractions import Fraction

import jsonschema
import pytest

from exactattn.document import Note, PageBreak, Room, plain
from exactattn.errors import FileError, OptionError
from exactattn.exams import paper, printing, record, render
from exactattn.exams.exam import exam
from exactattn.exams.kinds import kinds
from exactattn.exams.spec import load, read
from exactattn.i18n import languages, messages
from exactattn.writers.formats import FORMATS, typeset

TEXTS = ["tex", "html", "md", "csv", "json"]


@pytest.fixture(scope="module")
def midterm():
    return exam("midterm", seed="the seed 4711", roster=["Ada", "=1+1,x", "张伟 & Co_% {x} <b>"])


@pytest.fixture(scope="module")
def folder(midterm, tmp_path_factory):
    out = tmp_path_factory.mktemp("exam") / "out"
    midterm.write(out, TEXTS)
    return out


def files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# -- what is the same --------------------------------------------------------------------------------------------------------


def test_the_same_spec_and_seed_give_the_same_bytes(midterm, folder, tmp_path):
    again = exam("midterm", seed="the seed 4711", roster=["Ada", "=1+1,x", "张伟 & Co_% {x} <b>"])
    again.write(tmp_path / "again", TEXTS)
    assert files(tmp_path / "again") == files(folder)


def test_an_exam_is_there_in_python():
    import exactattn as xa

    paper = xa.exam("quiz", seed=7, variants=3).papers[2]
    assert (paper.number, paper.student) == (3, "")
    assert [len(key) for key in paper.questions[0].key] == [2, 2, 3, 2]  # scores on the diagonal tell nothing


def test_another_question_changes_no_numbers():
    one = '[[question]]\nid = "a"\nkind = "one-query"\n'
    alone = exam(read(one), seed=5).papers[0].questions[0]
    both = exam(read('[[question]]\nid = "b"\nkind = "scores"\n' + one), seed=5).papers[0].questions[1]
    assert alone.trace == both.trace


def test_questions_are_compared_whatever_their_values_are():
    text = '[[question]]\nid = "a"\nkind = "stability"\nask = ["log-weights"]\ncount = 2\n'
    (one,), (again,), (other,) = (exam(read(text), seed=seed).papers for seed in (5, 5, 6))
    assert one == again
    assert one != other
    first, second = one.questions
    assert first.parts[0].entries != second.parts[0].entries


def test_the_command_lines_seed_goes_before_the_specs():
    spec = read('seed = 5\n[[question]]\nid = "a"\nkind = "one-query"\n')
    assert exam(spec).seed == "5"
    assert exam(spec, seed=6).seed == "6"


def test_without_a_seed_one_of_128_bits_is_drawn():
    seeds = {exam("quiz").seed for _ in range(2)}
    assert len(seeds) == 2
    assert all(re.fullmatch("[0-9a-f]{32}", seed) for seed in seeds)


def test_a_question_asked_several_times_has_other_numbers_each_time():
    made = exam(read('[[question]]\nid = "a"\nkind = "one-query"\ncount = 2\npoints = 3\n'), seed=1, variants=2)
    ids = [question.id for one in made.papers for question in one.questions]
    assert ids == ["a-1", "a-2", "a-1", "a-2"]
    assert len({question.attempt for one in made.papers for question in one.questions}) == 4
    assert made.spec.points == 6


def test_papers_are_for_a4_or_letter_sheets(tmp_path):
    text = '[[question]]\nid = "a"\nkind = "one-query"\n'
    exam(read(text), 1).write(tmp_path / "a4", ["tex", "html"])
    exam(read('paper = "letter"\n' + text), 1).write(tmp_path / "spec", ["tex", "html"])
    exam(read(text), 1).write(tmp_path / "said", ["tex", "html"], paper="letter")
    found = {name: files(tmp_path / name) for name in ("a4", "spec", "said")}
    pages = [name for name in found["a4"] if name.endswith((".tex", ".html"))]
    assert len(pages) == 7
    for name in pages:
        size, other = (b"letterpaper", b"a4paper") if name.endswith("tex") else (b"@page{size:letter", b"@page{size:A4")
        assert size in found["spec"][name]
        assert other not in found["spec"][name]
        assert found["said"][name] == found["spec"][name]
        assert found["a4"][name] == found["said"][name].replace(size, other) or name.endswith("html")
    with pytest.raises(OptionError, match="paper 'a5' is not one of a4, letter"):
        exam(read(text), 1).write(tmp_path / "new", ["md"], paper="a5")


SHEET = """
answers = "sheet"
[[question]]
id = "pick"
kind = "softmax-vector"
answer = "choice"
count = 5
[[question]]
id = "work"
kind = "full-attention"
[[question]]
id = "prove"
kind = "proof"
"""


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_all_places_for_answers_may_stand_on_a_sheet_at_the_end(lang):
    made = exam(read(SHEET), seed=1)
    below = exam(read(SHEET.replace('answers = "sheet"', "")), seed=1)
    document, usual = (paper.sheets(one.papers[0], one.spec, lang) for one in (made, below))
    *asked, end, sheet = document.blocks
    assert isinstance(end, PageBreak)
    assert "Blank" not in repr(asked)
    whose, *frames = sheet.blocks
    assert repr(frames).count("Blank") == repr(usual.blocks).count("Blank") == 5 + 9 + 6
    # every place stands in a frame that says which questions it is for
    labels = {"en": ["1–5", "6"], "zh": ["第 1–5 题", "第 6 题"]}[lang]
    assert [(type(frame), frame.kind, plain(frame.title)) for frame in frames] == [
        (Note, "answer", label) for label in labels
    ]
    assert plain(whose.items) == {"en": f"Student: {'_' * 24} Version 1", "zh": f"学生：{'_' * 24} 版本 1"}[lang]
    # nothing else is another: a question is what it is below, up to its room
    assert [one.blocks for one in asked] == [
        one.blocks[: len(new.blocks)] for one, new in zip(usual.blocks, asked, strict=True)
    ]
    assert messages(lang).text("exam.answer_sheet") in typeset(document, "markdown")


@pytest.mark.parametrize(("lang", "line"), [("en", "Student: Ada Version 1"), ("zh", "学生：Ada 版本 1")])
def test_the_answer_sheet_names_its_student(lang, line):
    made = exam(read(SHEET), seed=1, roster=["Ada"])
    sheet = paper.sheets(made.papers[0], made.spec, lang).blocks[-1]
    assert plain(sheet.blocks[0].items) == line


def test_the_letters_of_many_questions_stand_in_frames_of_a_few_lines():
    many = 'answers = "sheet"\n[[question]]\nid = "pick"\nkind = "softmax-vector"\nanswer = "choice"\ncount = 21\n'
    made = exam(read(many), seed=1)
    _, first, last = paper.sheets(made.papers[0], made.spec, "en").blocks[-1].blocks
    assert (plain(first.title), len(first.blocks), plain(last.title)) == ("1–20", 5, "21")
    assert plain(last.blocks[0].items) == "Answer: ___"
    assert plain(first.blocks[4].items) == "  ".join(f"{k} Answer: ___" for k in (17, 18, 19, 20))


# -- what a student sees -----------------------------------------------------------------------------------------------------


def test_no_students_file_has_a_key_a_seed_or_another_students_name(midterm, folder):
    students = [path for path in files(folder) if path.startswith("students/")]
    assert len(students) == 9
    for one in midterm.papers:
        own = [path for path in students if path.startswith(f"students/{one.number:03}")]
        keys = [e.text for q in one.questions for part in q.parts for e in part.entries if len(e.text) > 4]
        for path in own:
            text = files(folder)[path].decode()
            assert "4711" not in text
            assert not any(re.search(rf"(?<![\d.]){re.escape(key.removeprefix('-'))}(?!\d)", text) for key in keys)
            others = [other.student for other in midterm.papers if other.number != one.number]
            assert not any(other[:3] in text for other in others)


def test_a_paper_does_not_mark_where_a_row_is_largest():
    question = exam(read('[[question]]\nid = "a"\nkind = "softmax-vector"\n'), seed=1).papers[0].questions[0]
    assert "Mark" not in repr(render.statement(question, messages("en")))


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("kind", sorted(kinds()))
def test_every_kind_and_form_of_answer_is_set_in_every_format(kind, lang):
    forms = kinds()[kind].answers
    text = "".join(f'[[question]]\nid = "{form}"\nkind = "{kind}"\nanswer = "{form}"\n' for form in forms)
    made = exam(read(text), seed=2)
    for make in (paper.sheets, paper.key, paper.solutions):
        document = make(made.papers[0], made.spec, lang)
        for format in FORMATS:
            assert typeset(document, format)
    for question in made.papers[0].questions:
        done = render.rendered(question, lang)
        assert any(isinstance(block, Room) for block in done.statement)
        assert all(f"'{entry.text}'" in repr(done.solution[-2:]) for part in question.parts for entry in part.entries)


def test_by_hand_numbers_are_worked_as_fractions():
    question = exam("by-hand", seed=1).papers[0].questions[1]
    assert "Frac" in repr(render.solution(question, messages("en")))


# -- what a teacher has --------------------------------------------------------------------------------------------------------


def test_the_record_fits_its_schema(folder):
    data = json.loads(files(folder)["teacher/exam.json"])
    jsonschema.Draft202012Validator.check_schema(record.schema())
    jsonschema.validate(data, record.schema())
    assert [one["student"] for one in data["papers"]] == ["Ada", "=1+1,x", "张伟 & Co_% {x} <b>"]
    assert not re.search(r"\d\.\d+[,\s]*$", re.sub(r'"(?:[^"\\]|\\.)*"', '""', json.dumps(data)))  # no floats


def test_no_cell_of_the_table_is_a_formula(folder):
    text = files(folder)["teacher/exam.csv"].decode()
    assert "'=1+1" in text
    cells = [cell.strip('"') for line in text.splitlines() for cell in line.split(",")]
    assert all(re.fullmatch(r"-[\d.]+", cell) for cell in cells if cell.startswith(("=", "+", "-", "@")))


def test_a_folder_with_another_exam_is_left_alone(folder, tmp_path):
    before = files(folder)
    others = {
        "spec": exam("quiz", seed="the seed 4711"),
        "seed": exam("midterm", seed=2),
        "roster": exam("midterm", seed="the seed 4711", roster=["Bo"]),
    }
    for what, other in others.items():
        with pytest.raises(FileError, match=f"holds an exam of another {what}: name another folder"):
            other.write(folder, ["md"])
    assert files(folder) == before


def test_an_unknown_format_is_told_before_anything_is_written(midterm, tmp_path):
    with pytest.raises(
        OptionError, match=r"format 'htm' is not one of pdf, tex, html, md, csv, json \(did you mean 'html'\?\)"
    ):
        midterm.write(tmp_path / "new", ["htm"])
    assert not (tmp_path / "new").exists()


# -- on paper --------------------------------------------------------------------------------------------------------------------


def test_all_papers_are_set_in_one_run_and_nothing_sticks_out(program, midterm, tmp_path):
    program("tex")
    from exactattn.writers.pdf import problems
    from exactattn.writers.pdf import typeset as run

    # the sheets of one language and the solutions of the other: TeX is slow
    for make, lang, keep in ((paper.sheets, "zh", "questions"), (paper.solutions, "en", "lines")):
        done = run(printing.latex([make(one, midterm.spec, lang) for one in midterm.papers], lang, "t", keep), runs=1)
        assert problems(done.log) == []
        assert len(re.findall(r"attnpaper \d+ begins on sheet", done.log)) == 3


def test_each_student_has_a_pdf_of_his_own_pages(program, tmp_path):
    program("tex")
    exam("quiz", seed=1, variants=2).write(tmp_path / "out", ["pdf"])
    assert sorted(path for path in files(tmp_path / "out") if path.endswith(".pdf")) == [
        "students/001.pdf", "students/002.pdf", "teacher/key.pdf", "teacher/papers.pdf", "teacher/solutions.pdf",
    ]  # fmt: skip
    for name, data in files(tmp_path / "out").items():
        if name.endswith(".pdf"):
            assert data.startswith(b"%PDF")


def pages(program, tex, tmp_path):
    """The texts of the pages, and what the log complains of."""
    program("tex")
    from exactattn.writers.pdf import problems
    from exactattn.writers.pdf import typeset as run

    done = run(tex, runs=1)
    (tmp_path / "p.pdf").write_bytes(done.pdf)
    text = subprocess.run(["pdftotext", "-layout", tmp_path / "p.pdf", "-"], capture_output=True, text=True, check=True)
    return text.stdout.split("\f")[:-1], problems(done.log)


@pytest.mark.parametrize("sheet", ["a4", "letter"])
def test_a_question_stays_on_a_page_where_it_fits_one(program, tmp_path, sheet):
    made = exam("bank", seed=3)
    tex = printing.latex([paper.sheets(made.papers[0], made.spec, "en")], "en", "t", "questions", sheet)
    found, complaints = pages(program, tex, tmp_path)
    assert complaints == []
    for page in found:
        # as many answers as questions, on every page
        assert len(re.findall(r"Answer:", page)) == len(re.findall(r"1 point$", page, re.MULTILINE)) > 0


@pytest.mark.parametrize(("lang", "sheet"), [("en", "a4"), ("zh", "letter")])
def test_what_a_page_has_left_is_room_to_write(program, tmp_path, lang, sheet):
    made = exam("by-hand", seed=7)
    tex = printing.latex([paper.sheets(made.papers[0], made.spec, lang)], lang, "t", "questions", sheet)
    found, complaints = pages(program, tex, tmp_path)
    assert (len(found), complaints) == (3, [])
    # the frame of a short answer begins in the last quarter of its page
    label = messages(lang).text("exam.answers")
    assert all(0.75 < place < 0.9 for place in heights(tmp_path, label))


def test_few_lines_of_room_do_not_grow(program, tmp_path):
    text = '[[question]]\nid = "a"\nkind = "softmax-vector"\nanswer = "choice"\n'
    made = exam(read(text), seed=7)
    tex = printing.latex([paper.sheets(made.papers[0], made.spec, "en")], "en", "t", "questions")
    assert len(pages(program, tex, tmp_path)[0]) == 1
    assert heights(tmp_path, "Answer:")[0] < 0.5


def heights(tmp_path, word):
    """How far down each page a word stands that it has once, from 0 to 1."""
    out = subprocess.run(["pdftotext", "-bbox", tmp_path / "p.pdf", "-"], capture_output=True, text=True, check=True)
    found = []
    for page in out.stdout.split("<page ")[1:]:
        height = float(re.search('height="([0-9.]+)"', page)[1])
        (top,) = re.findall(f'yMin="([0-9.]+)"[^>]*>{word}<', page)
        found.append(float(top) / height)
    return found


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_answer_sheet_of_a_bank_has_all_its_letters(program, tmp_path, lang):
    made = exam(read('answers = "sheet"\n' + load("bank").source), seed=3)
    tex = printing.latex([paper.sheets(made.papers[0], made.spec, lang)], lang, "t", "questions")
    found, complaints = pages(program, tex, tmp_path)
    assert complaints == []
    words = messages(lang)
    begins = [k for k, page in enumerate(found) if words.text("exam.answer_sheet") in page]
    (begin,) = begins
    assert len(found) - begin <= 3
    assert len(re.findall(r"Answer:|答[:：]", "".join(found[begin:]))) == 200
    assert not re.search(r"Answer:|答[:：]", "".join(found[:begin]))


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_a_question_that_fits_no_page_goes_on_where_there_is_room_to_write(program, tmp_path, lang):
    made = exam("take-home", seed=3)
    tex = printing.latex([paper.sheets(made.papers[0], made.spec, lang)], lang, "t", "questions")
    found, complaints = pages(program, tex, tmp_path)
    assert complaints == []
    words = messages(lang)
    first, second = found
    answers = words.text("exam.answers")
    assert answers not in first
    assert answers in second
    lead = "(d)" if lang == "en" else "（d）"
    assert lead in unicodedata.normalize("NFKC", first) or lead in first


def test_every_page_says_which_it_is_of_its_own_paper(program, tmp_path):
    made = exam("midterm", seed=3, roster=["Ada", "Bo"])
    tex = printing.latex((paper.sheets(one, made.spec, "en") for one in made.papers), "en", "t", "questions")
    found, _ = pages(program, tex, tmp_path)
    assert [re.search(r"Page \d+ of \d+", page)[0] for page in found] == [f"Page {k} of 4" for k in (1, 2, 3, 4)] * 2
    assert ["Ada" in page for page in found] == [True] * 4 + [False] * 4
    assert ["Version 2" in page for page in found] == [False] * 4 + [True] * 4


@pytest.mark.parametrize("lang", languages())
def test_keys_of_work_by_hand_are_fractions_too(lang):
    made = exam("by-hand", seed=7)
    text = typeset(paper.key(made.papers[0], made.spec, lang), "markdown")
    fractions = [
        str(entry.value).partition("/")
        for question in made.papers[0].questions
        for part in question.parts
        for entry in part.entries
        if "/" in str(entry.value) and entry.value != Fraction(entry.text)
    ]
    assert len(fractions) > 4
    assert all(f"\\frac{{{top.removeprefix('-')}}}{{{bottom}}}" in text for top, _, bottom in fractions)
