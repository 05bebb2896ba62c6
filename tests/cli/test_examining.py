"""`exactattn exam`: papers into a folder, and the kinds of questions."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from exactattn.cli import main
from exactattn.exams import write as papers
from exactattn.exams.kinds import kinds
from exactattn.exports import formats


def run(*args):
    return CliRunner().invoke(main, [str(arg) for arg in args])


@pytest.fixture
def roster(tmp_path):
    file = tmp_path / "students.csv"
    file.write_text("name\nAda\n张伟\n", encoding="utf-8")
    return file


def test_papers_go_to_students_and_keys_to_teacher(tmp_path):
    out = tmp_path / "out"
    done = run("exam", "quiz", "-o", out, "--variants", 2, "--seed", 7, "--format", "html,md", "--format", "json")
    assert (done.exit_code, done.stderr) == (0, "")
    assert sorted(path.name for path in (out / "students").iterdir()) == ["001.html", "001.md", "002.html", "002.md"]
    assert (out / "teacher" / "seed.txt").read_text() == "7\n"
    assert {"key.html", "solutions.md", "exam.json", "spec.toml"} <= {p.name for p in (out / "teacher").iterdir()}
    assert "四步测验" in (out / "students" / "001.md").read_text(encoding="utf-8")


def test_the_language_of_the_command_line_goes_before_the_specs(tmp_path):
    run("exam", "quiz", "-o", tmp_path / "out", "--seed", 7, "--format", "md", "--lang", "en")
    assert "Attention from Q, K and V" in (tmp_path / "out" / "students" / "001.md").read_text(encoding="utf-8")


def test_new_students_are_added_and_no_paper_changes(tmp_path, roster):
    out = tmp_path / "out"
    assert run("exam", "quiz", "-o", out, "--roster", roster, "--format", "md").exit_code == 0
    before = {path.name: path.read_bytes() for path in (out / "students").iterdir()}
    roster.write_text("Zoe\nAda\n张伟\n", encoding="utf-8")
    assert run("exam", "quiz", "-o", out, "--roster", roster, "--format", "md").exit_code == 0
    after = {path.name: path.read_bytes() for path in (out / "students").iterdir()}
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) == {"003-Zoe.md"}
    assert (out / "teacher" / "roster.csv").read_text(encoding="utf-8") == "student\nAda\n张伟\nZoe\n"


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("fewer", [1, 2])
def test_no_paper_is_taken_away(tmp_path, fewer):
    out = tmp_path / "out"
    args = ("exam", "quiz", "-o", out, "--seed", 7, "--format", "md")
    assert run(*args, "--variants", 3).exit_code == 0
    before = contents(out)
    done = run(*args, "--variants", fewer)
    assert (done.exit_code, done.stderr) == (
        2,
        f"exactattn: {out} holds 3 papers, and variants is {fewer}: name another folder, or ask for 3 or more\n",
    )
    assert contents(out) == before
    assert run(*args).exit_code == 0  # as many as there are
    assert contents(out) == before
    assert run(*args, "--variants", 4).exit_code == 0
    assert (out / "teacher" / "papers.txt").read_text() == "4\n"
    assert contents(out).items() >= {k: v for k, v in before.items() if k.parts[0] == "students"}.items()


def test_numbered_papers_and_those_of_a_roster_do_not_mix(tmp_path, roster):
    args = ("exam", "quiz", "--seed", 7, "--format", "md")
    named, numbered = ("--roster", roster), ("--variants", 2)
    for k, (first, second, what) in enumerate(
        [
            (numbered, named, "numbered papers, and a roster was given"),
            (named, numbered, "the papers of a roster, and none was given"),
        ]
    ):
        out = tmp_path / str(k)
        assert run(*args, "-o", out, *first).exit_code == 0
        before = contents(out)
        done = run(*args, "-o", out, *second)
        assert (done.exit_code, done.stderr) == (2, f"exactattn: {out} holds {what}: name another folder\n")
        assert contents(out) == before
        assert run(*args, "-o", out).exit_code == 0  # the same papers again
        assert contents(out) == before


def test_two_exams_do_not_mix_in_one_folder(tmp_path):
    out = tmp_path / "out"
    run("exam", "quiz", "-o", out, "--seed", 7, "--format", "md")
    done = run("exam", "quiz", "-o", out, "--seed", 8, "--format", "md")
    assert (done.exit_code, done.stderr) == (
        2,
        f"exactattn: {out} holds an exam of another seed: name another folder\n",
    )


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("exam",), "exam needs a spec and -o DIR: exactattn exam quiz -o quiz (or --kinds)"),
        (("exam", "quizz", "-o", "x"), "no bundled spec and no file 'quizz' (did you mean 'quiz'?)"),
        (
            ("exam", "quiz", "-o", "x", "--format", "docx"),
            f"format 'docx' is not one of {', '.join((*papers.FORMATS, *formats.FORMATS))}",
        ),
        (
            ("exam", "quiz", "-o", "x", "--variants", "0", "--format", "md"),
            "variants is 0: 1 to 10000 were due",
        ),
        (("exam", "quiz", "-o", "x", "--seed", ""), "the seed is empty: a whole number or a text was due"),
        (("exam", "quiz", "-o", "x", "--format", ","), "--format names none: pdf, moodle or another was due"),
        (("exam", "--kinds", "--lang", "de"), "language 'de' is not one of en, zh"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(args, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = run(*args)
    assert (done.exit_code, done.stderr) == (2, f"exactattn: {message}\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_kind_is_listed_with_what_it_asks_and_tells_apart(lang):
    done = run("exam", "--kinds", "--lang", lang)
    assert done.exit_code == 0
    for kind in kinds().values():
        assert f"{kind.id}  {kind.name}: " in done.stdout
        assert ", ".join(kind.asks) in done.stdout
    # a choice is listed with what can be asked as one
    for forms in ("row, matrix, number, choice (scaled)", "number, choice (why)", "choice, order (order)"):
        assert f": {forms}\n" in done.stdout


def test_a_spec_with_line_ends_of_windows_finds_its_own_folder(tmp_path):
    out, spec = tmp_path / "out", tmp_path / "quiz.toml"
    spec.write_bytes(b'title = "T"\r\n[[question]]\r\nid = "q"\r\nkind = "K01"\r\n')
    first = run("exam", spec, "-o", out, "--variants", 2, "--seed", 7, "--format", "md")
    again = run("exam", spec, "-o", out, "--variants", 3, "--format", "md")
    third = run("exam", out / "teacher" / "spec.toml", "-o", out, "--format", "md")
    assert [done.exit_code for done in (first, again, third)] == [0, 0, 0], again.stderr
    assert len(list((out / "students").iterdir())) == 3


def test_where_the_files_are_is_said(tmp_path):
    done = run("exam", "quiz", "-o", tmp_path / "a", "--seed", 7, "--format", "moodle")
    assert done.stdout.startswith(f"6 files in {tmp_path / 'a'}: all of them in teacher\n")
    done = run("exam", "quiz", "-o", tmp_path / "b", "--seed", 7, "--format", "md")
    assert f"files in {tmp_path / 'b'}: papers in students, keys and solutions in teacher\n" in done.stdout


def test_a_number_of_papers_beyond_the_limit_is_no_number_of_papers(tmp_path):
    out = tmp_path / "out"
    run("exam", "quiz", "-o", out, "--seed", 7, "--format", "md")
    (out / "teacher" / "papers.txt").write_text("99999\n")
    done = run("exam", "quiz", "-o", out, "--format", "md")
    assert (done.exit_code, done.stderr) == (
        2, f"exactattn: {out}/teacher/papers.txt says '99999': the number of papers was due\n",
    )  # fmt: skip


def test_nobody_is_marked_against_another_paper(tmp_path):
    out, answers = tmp_path / "out", tmp_path / "answers.csv"
    answers.write_text("id,question,answer\n1,four-steps,0 0 0\n", encoding="utf-8")
    assert run("exam", "quiz", "-o", out, "--variants", 3, "--seed", 7, "--format", "md").exit_code == 0
    drawn = out / "teacher" / "drawn.txt"
    first, second, third = drawn.read_text().split()
    assert len({first, second, third}) == 3
    graded = ("grade", out, answers, "-o", tmp_path / "marks.csv")
    assert run(*graded).exit_code in (0, 1)
    drawn.write_text(f"{first}\n{third}\n{third}\n")
    (out / "students" / "002.md").write_text("handed out")
    said = (
        f"exactattn: {out} holds papers of another version of exactattn, which this one draws otherwise (paper 2): go on with "
        "that version, or name another folder\n"
    )
    (tmp_path / "marks.csv").unlink()
    commands = (("md", 1), ("moodle", 1), ("moodle", 2), ("md,moodle", 2))
    again = [
        run("exam", "quiz", "-o", out, "--variants", 4, "--format", name, "--jobs", jobs) for name, jobs in commands
    ]
    for done in (*again, run(*graded)):
        assert (done.exit_code, done.stderr) == (2, said)
    assert (out / "students" / "002.md").read_text() == "handed out"
    assert not (out / "teacher" / "moodle.xml").exists()
    assert not (tmp_path / "marks.csv").exists()
