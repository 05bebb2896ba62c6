"""Runs that write an exam: lazily, killed and taken up again, two at once, with several processes."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from exactattn.errors import ExactAttnError, FileError, OptionError
from exactattn.exams.exam import exam
from exactattn.exams.folder import LOCK, WORK, opened
from exactattn.exams.model import Paper
from exactattn.exams.select import NoVariants
from exactattn.exams.spec import read

SPEC = """
title = "T"
seed = "s"
[[question]]
id = "row"
kind = "one-query"
[[question]]
id = "soft"
kind = "softmax-vector"
count = 2
"""
FORMATS = ["json", "csv", "md", "html", "tex"]


def files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# -- papers are drawn when they are looked at ---------------------------------------------------------------------------------


def test_any_paper_is_what_it_is_in_order():
    inorder = list(exam(read(SPEC), variants=5).papers)
    papers = exam(read(SPEC), variants=5).papers
    assert [papers[k] for k in (3, 0, -1)] == [inorder[3], inorder[0], inorder[4]]
    assert papers[1:3] == (inorder[1], inorder[2])
    assert list(papers) == inorder
    assert len(papers) == 5
    with pytest.raises(IndexError):
        papers[5]


def test_no_paper_is_drawn_before_it_is_looked_at():
    papers = exam(read(SPEC), variants=10_000).papers
    assert papers[1].number == 2
    assert [len(kept) for kept in papers.attempts] == [2, 4]


def test_iterating_keeps_no_paper():
    alive = []
    for _ in exam(read(SPEC), variants=6).papers:
        gc.collect()
        alive.append(sum(isinstance(thing, Paper) for thing in gc.get_objects()))
    assert max(alive) - min(alive) <= 1


def test_writing_keeps_no_paper(tmp_path, monkeypatch):
    alive = []

    def count(stage, done, total):
        gc.collect()
        alive.append(sum(isinstance(thing, Paper) for thing in gc.get_objects()))

    exam(read(SPEC), variants=6).write(tmp_path / "out", ["json", "md"], progress=count)
    assert len(alive) >= 12
    assert max(alive) - min(alive) <= 1


def test_a_question_without_enough_variants_says_so_each_time_and_nothing_is_written(tmp_path):
    few = exam(read('[[question]]\nid = "a"\nkind = "one-query"\ntolerance = "absolute:9"\n'), 1, 3)
    for _ in range(2):
        with pytest.raises(NoVariants):
            few.papers[0]
    with pytest.raises(NoVariants):
        few.write(tmp_path / "out", ["md"])
    assert list(tmp_path.iterdir()) == []


# -- one run after another -----------------------------------------------------------------------------------------------------


def command(folder, *more):
    spec = folder / "spec.toml"
    spec.write_text(SPEC, encoding="utf-8")
    args = ["exam", str(spec), "-o", str(folder / "out"), "--variants", "20", "--format", ",".join(FORMATS), *more]
    return [sys.executable, "-m", "exactattn", *args]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What a run leaves that nobody kills."""
    folder = tmp_path_factory.mktemp("whole")
    subprocess.run(command(folder), check=True, capture_output=True)
    return files(folder / "out")


def killed(args, folder, papers):
    """The run, killed as soon as it has written so many students' files (0: the seed)."""
    process = subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    seed, students = folder / "out" / "teacher" / "seed.txt", folder / "out" / "students"
    while time.monotonic() < until and process.poll() is None:
        if seed.exists() and len(list(students.glob("0*"))) >= papers:
            break
        time.sleep(0.002)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    found = [int(pid) for pid in children.read_text().split()] if children.exists() else []
    ended = process.poll()
    process.kill()
    process.wait()
    assert ended is None, "the run was over before it could be killed"
    return found


@pytest.mark.parametrize("papers", [0, 1, 40])
def test_a_killed_run_leaves_whole_files_only_and_is_finished_by_the_same_command(tmp_path, whole, papers):
    killed(command(tmp_path), tmp_path, papers)
    left = files(tmp_path / "out")
    for name, data in left.items():
        assert Path(name).name.startswith(".exactattn-") or data == whole[name], name
    assert not any(name.startswith("students/.") and not name.endswith(".tmp") for name in left)
    subprocess.run(command(tmp_path), check=True, capture_output=True)
    assert files(tmp_path / "out") == whole


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_the_processes_of_a_killed_run_end_too(tmp_path, whole):
    children = killed(command(tmp_path, "--jobs", "2"), tmp_path, 10)
    assert len(children) >= 2
    until = time.monotonic() + 30
    while any(running(pid) for pid in children) and time.monotonic() < until:
        time.sleep(0.05)
    assert not any(running(pid) for pid in children)
    subprocess.run(command(tmp_path), check=True, capture_output=True)
    assert files(tmp_path / "out") == whole


def running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_run_that_is_interrupted_leaves_no_half_file(tmp_path, whole):
    process = subprocess.Popen(command(tmp_path), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not (tmp_path / "out" / "teacher" / "seed.txt").exists():
        time.sleep(0.002)
    process.send_signal(signal.SIGINT)
    process.wait(60)
    assert all(data == whole[name] for name, data in files(tmp_path / "out").items())


@pytest.mark.skipif(os.name == "nt", reason="groups of processes are POSIX")
def test_an_interrupt_of_several_processes_is_no_traceback(tmp_path, whole):
    for _ in range(10):  # on a busy machine it may be done before it is interrupted
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        process = subprocess.Popen(
            command(tmp_path, "--jobs", "2"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            # a shell starts what runs in the background deaf to interrupts
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        while not (tmp_path / "out" / "teacher" / "seed.txt").exists():
            time.sleep(0.002)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        if process.returncode != 0:
            break
    assert process.returncode != 0
    assert "Traceback" not in errors
    assert all(data == whole[name] for name, data in files(tmp_path / "out").items())


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_process_that_is_ended_from_outside_is_told(tmp_path):
    process = subprocess.Popen(
        command(tmp_path, "--jobs", "2"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    while not (tmp_path / "out" / "teacher" / "seed.txt").exists():
        time.sleep(0.002)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    workers = [pid for pid in children if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text()]
    assert len(workers) == 2
    os.kill(int(workers[0]), signal.SIGKILL)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (
        2, "exactattn: one of 2 processes was ended from outside: name fewer jobs\n",
    )  # fmt: skip
    assert list((tmp_path / "out" / "teacher").glob(".*")) == []


# -- two runs at once ----------------------------------------------------------------------------------------------------------

HOLD = """
import sys, time
from pathlib import Path
from exactattn.exams.folder import opened
with opened(Path(sys.argv[1])):
    print("open", flush=True)
    time.sleep(600)
"""


def test_the_second_of_two_runs_is_told_and_a_killed_one_keeps_nobody_out(tmp_path):
    out = tmp_path / "out"
    first = subprocess.Popen([sys.executable, "-c", HOLD, str(out)], stdout=subprocess.PIPE, text=True)
    try:
        assert first.stdout.readline() == "open\n"
        done = subprocess.run(command(tmp_path), capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (
            2,
            f"exactattn: another run (process {first.pid}) is writing into {out}: wait until it has ended, or name "
            "another folder\n",
        )
        assert list((out / "students").iterdir()) == []
    finally:
        first.kill()
        first.wait()
        first.stdout.close()
    assert (out / LOCK).exists()
    exam(read(SPEC)).write(out, ["md"])
    assert not (out / LOCK).exists()
    assert not (out / "teacher" / WORK).exists()


def test_a_lock_that_names_a_process_of_today_by_chance_keeps_nobody_out(tmp_path):
    (tmp_path / LOCK).write_text(f"{os.getpid()}\n")
    exam(read(SPEC)).write(tmp_path, ["md"])
    assert not (tmp_path / LOCK).exists()


def test_an_error_within_is_passed_on_and_no_new_folder_stays(tmp_path):
    with pytest.raises(FileNotFoundError), opened(tmp_path / "out"):
        raise FileNotFoundError
    assert list(tmp_path.iterdir()) == []


def test_files_of_others_stay(tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "teacher").mkdir()
    with opened(tmp_path):
        pass
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.txt", "teacher"]


# -- several processes -----------------------------------------------------------------------------------------------------------


def test_several_processes_give_the_same_bytes(tmp_path, whole):
    subprocess.run(command(tmp_path, "--jobs", "3"), check=True, capture_output=True)
    assert files(tmp_path / "out") == whole


def test_an_error_in_another_process_is_the_same_error(tmp_path):
    (tmp_path / "spec.toml").write_text('[[question]]\nid = "a"\nkind = "one-query"\ntolerance = "absolute:9"\n')
    args = ["exam", str(tmp_path / "spec.toml"), "-o", str(tmp_path / "out"), "--format", "md", "--variants", "2"]
    done = [
        subprocess.run(
            [sys.executable, "-m", "exactattn", *args, "--jobs", jobs], capture_output=True, text=True, check=False
        )
        for jobs in ("1", "2")
    ]
    assert {(one.returncode, one.stderr) for one in done} == {
        (
            2,
            "exactattn: question 'a': the tolerance absolute:9 lets a wrong method look right in 100 variants one after "
            'the other: state less, or "derived"\n',
        )
    }
    assert not (tmp_path / "out").exists()


def test_the_number_of_processes_is_checked(tmp_path):
    with pytest.raises(OptionError, match="jobs is 0: 1 to 256 were due"):
        exam(read(SPEC)).write(tmp_path / "out", ["md"], jobs=0)


def test_what_is_no_folder_is_said(tmp_path):
    (tmp_path / "out").write_text("x")
    with pytest.raises(FileError, match=r"cannot write .*out: it is no folder"):
        exam(read(SPEC)).write(tmp_path / "out", ["md"])
    with pytest.raises(ExactAttnError, match="there is no folder 'none'"):
        exam(read(SPEC)).write(tmp_path / "none" / "out", ["md"])
