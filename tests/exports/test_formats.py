"""Exports by name, from Python and from the command line."""

from __future__ import annotations

import zipfile

import pytest
from click.testing import CliRunner

import exactattn as xa
from exactattn.cli import main
from exactattn.errors import FileError, InputError, OptionError
from exactattn.exams import papers as drawn
from exactattn.exams import select
from exactattn.exams import write as papers
from exactattn.exams.exam import exam
from exactattn.exams.select import NoVariants, tried
from exactattn.exams.spec import read
from exactattn.exports.formats import FORMATS, Format, export


def run(*args):
    return CliRunner().invoke(main, [str(arg) for arg in args])


FILES = [name for name, format in FORMATS.items() if isinstance(format, Format)]


def test_no_format_has_two_homes():
    assert not set(FORMATS) & set(papers.FORMATS)
    files = [format.file for format in FORMATS.values() if isinstance(format, Format)]
    assert len(set(files)) == len(files)


@pytest.mark.parametrize("name", FILES)
def test_every_format_is_a_file_of_the_teachers(tmp_path, name):
    out = tmp_path / "out"
    done = xa.export(xa.exam("by-hand", seed=7, variants=2), out, [name])
    assert done.files[-1] == out / "teacher" / FORMATS[name].file
    assert done.files[-1].stat().st_size > 1000
    found = {path.name for path in (out / "teacher").iterdir()}
    assert found - {"report.md"} == {"spec.toml", "seed.txt", "papers.txt", "drawn.txt", FORMATS[name].file}
    assert not list((out / "students").glob("*"))


@pytest.mark.parametrize("name", FILES)
def test_the_same_seed_gives_the_same_bytes_in_every_format(tmp_path, name):
    made = [
        xa.export(xa.exam("by-hand", seed=7, variants=2), tmp_path / str(k), [name], lang="zh").files[-1].read_bytes()
        for k in range(2)
    ]
    assert made[0] == made[1]


def test_papers_and_exports_are_made_in_one_go(tmp_path):
    out = tmp_path / "out"
    done = run(
        "exam", "by-hand", "-o", out, "--variants", 2, "--seed", 7, "--format", "md,moodle", "--format", "canvas"
    )
    assert done.exit_code == 0, done.output
    assert len(list((out / "students").glob("*.md"))) == 2
    assert {"moodle.xml", "canvas.zip", "key.md", "solutions.md"} <= {path.name for path in (out / "teacher").iterdir()}
    assert "Moodle marks every field by itself" in done.stderr
    assert "Canvas marks every number by itself" in done.stderr


def test_an_export_is_of_the_exam_in_the_folder(tmp_path):
    """Without a seed the second run goes on with the first one's; with another it is refused."""
    out = tmp_path / "out"
    assert run("exam", "by-hand", "-o", out, "--format", "moodle").exit_code == 0
    first = (out / "teacher" / "moodle.xml").read_bytes()
    assert run("exam", "by-hand", "-o", out, "--format", "moodle").exit_code == 0
    assert (out / "teacher" / "moodle.xml").read_bytes() == first
    with pytest.raises(FileError, match="holds an exam of another seed"):
        xa.export(xa.exam("by-hand", seed=8), out, ["moodle"])


def test_the_language_the_maths_and_the_solution_can_be_chosen(tmp_path):
    out = tmp_path / "out"
    args = ("exam", "by-hand", "-o", out, "--seed", 7, "--format", "moodle")
    assert run(*args, "--lang", "zh", "--maths", "tex").exit_code == 0
    text = (out / "teacher" / "moodle.xml").read_text(encoding="utf-8")
    assert "不用计算器" in text
    assert r"\(" in text
    assert "<math" not in text
    assert '<generalfeedback format="html"><text><![CDATA[' in text
    assert run(*args, "--worked", "none").exit_code == 0
    text = (out / "teacher" / "moodle.xml").read_text(encoding="utf-8")
    assert "<math" in text
    assert '<generalfeedback format="html"><text></text>' in text
    assert '<generalfeedback format="html"><text><![CDATA[' not in text


def test_a_student_is_named_only_where_papers_are_told_apart(tmp_path):
    out = tmp_path / "out"
    xa.export(xa.exam("by-hand", seed=7, roster=["Ada", "Grace"]), out, ["moodle", "canvas"])
    assert "Ada" not in (out / "teacher" / "moodle.xml").read_text(encoding="utf-8")
    with zipfile.ZipFile(out / "teacher" / "canvas.zip") as package:
        texts = [package.read(name).decode() for name in package.namelist() if name != "imsmanifest.xml"]
    assert not any("Ada" in text and "Grace" in text for text in texts)


def test_it_is_told_how_far_it_is(tmp_path):
    told = []
    made = xa.exam("by-hand", seed=7, variants=3)
    xa.export(made, tmp_path / "out", ["moodle"], progress=lambda *what: told.append(what))
    assert [what for what in told if what[0] == "export"] == [("export", k, 3) for k in range(3)]


@pytest.mark.parametrize(
    ("formats", "choices", "message"),
    [
        (["moodel"], {}, r"format 'moodel' is not one of pdf, .*moodle.*\(did you mean 'moodle'\?\)"),
        (["moodle"], {"maths": "latex"}, "maths is 'latex': mathml or tex was due"),
        (["moodle"], {"worked": "short"}, "worked is 'short': full or none was due"),
        (["moodle"], {"lang": "de"}, "language 'de' is not one of"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_written(tmp_path, formats, choices, message):
    with pytest.raises(OptionError, match=message):
        xa.export(xa.exam("by-hand", seed=7), tmp_path / "out", formats, **choices)
    assert list(tmp_path.iterdir()) == []


EXACT_SPEC = '[[question]]\nid = "q"\nkind = "one-query"\nnumbers = "by-hand"\ntolerance = "exact"\n'


@pytest.mark.parametrize("name", ["moodle", "canvas", "qti", "qti3"])
def test_keys_that_are_fractions_are_refused_where_only_decimals_are_read(tmp_path, name):
    made = exam(read(EXACT_SPEC), seed=7)
    with pytest.raises(InputError) as caught:
        export(made, tmp_path, [name])
    key = next(text for keys in made.papers[0].questions[0].key for text in keys if "/" in text)
    assert str(caught.value) == (
        f"question 'q' has the key {key}: {name} reads no fractions; give it another tolerance than 'exact'"
    )
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("name", ["anki", "selfcheck"])
def test_fractions_are_read_where_people_or_our_page_read_them(tmp_path, name):
    assert export(exam(read(EXACT_SPEC), seed=7), tmp_path, [name]).files


def worked_attempts(monkeypatch, tmp_path, formats, **more):
    """The attempts that are worked while an exam is written, and its file for Moodle."""
    found = []

    def counted(kind, asked, seed, attempt, *rest):
        found.append((asked.id, attempt))
        return tried(kind, asked, seed, attempt, *rest)

    for module in (select, drawn):
        monkeypatch.setattr(module, "tried", counted)
    out = tmp_path / "-".join((*formats, *map(str, more.values())))
    xa.export(xa.exam("by-hand", seed=7, variants=5), out, formats, **more)
    return found, (out / "teacher" / "moodle.xml").read_bytes()


def test_papers_that_only_a_learning_system_gets_are_worked_once(monkeypatch, tmp_path):
    once, alone = worked_attempts(monkeypatch, tmp_path, ["moodle"])
    assert len(once) == len(set(once)) > 5
    again, beside = worked_attempts(monkeypatch, tmp_path, ["csv", "moodle"])
    assert len(again) > len(set(again)) == len(once)
    _, apart = worked_attempts(monkeypatch, tmp_path, ["moodle"], jobs=2)
    assert alone == beside == apart


def test_nothing_is_left_where_variants_run_out_while_a_file_is_written(monkeypatch, tmp_path):
    monkeypatch.setattr(select, "MOST_ATTEMPTS", 100)
    spec = '[[question]]\nid = "q"\nkind = "K01"\nsize = {n = 1, m = 2, d_k = 2}\ndifficulty = 1\n'
    with pytest.raises(
        NoVariants, match=r"question 'q' \(scores\) has only [0-9]+ variants that tell right from wrong"
    ):
        export(exam(read(spec), seed=7, variants=900), tmp_path / "out", ["moodle"])
    assert [path for path in (tmp_path / "out").rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("formats", [["moodle"], ["selfcheck"], ["anki", "moodle"]])
def test_the_report_is_of_all_papers_whatever_is_written(tmp_path, jobs, formats):
    out, full = tmp_path / "out", tmp_path / "full"
    done = export(exam("by-hand", seed=7, variants=2), out, formats, jobs=jobs)
    xa.export(xa.exam("by-hand", seed=7, variants=2), full, ["md"])
    assert (out / "teacher" / "report.md").read_bytes() == (full / "teacher" / "report.md").read_bytes()
    assert done.report.least is not None
    assert not (out / "students").exists()
    export(exam("by-hand", seed=7, variants=2), full, formats, jobs=jobs)
    assert (out / "teacher" / "report.md").read_bytes() == (full / "teacher" / "report.md").read_bytes()


@pytest.mark.parametrize("formats", [["moodle"], ["anki", "moodle"], ["csv", "moodle"], ["selfcheck", "qti"]])
@pytest.mark.parametrize("jobs", [1, 2])
def test_keys_that_a_format_cannot_read_leave_nothing_behind(tmp_path, formats, jobs):
    with pytest.raises(InputError, match=f"{formats[-1]} reads no fractions"):
        export(exam(read(EXACT_SPEC), seed=7, variants=2), tmp_path / "out", formats, jobs=jobs)
    assert list(tmp_path.iterdir()) == []


def test_where_a_decimal_comma_is_no_comma_is_said_for_each_question_of_numbers(tmp_path):
    spec = (
        'decimal = ","\n[[question]]\nid = "n"\nkind = "K01"\n[[question]]\nid = "c"\nkind = "K01"\nanswer = "choice"\n'
    )
    done = export(exam(read(spec), seed=7), tmp_path, ["moodle"])
    said = "n: Moodle reads a decimal comma where the language of the site has it; elsewhere 0,5 is read as 5"
    assert [sentence for sentence in done.lost if "comma" in sentence] == [said]
