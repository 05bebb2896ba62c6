"""The folder of an exam: what an earlier run left in it, and that two runs do not write into it at once."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from exactattn.errors import FileError
from exactattn.exams import roster
from exactattn.exams.drawn import DRAWN
from exactattn.exams.roster import MOST_PAPERS
from exactattn.writers.files import BESIDE, make_folder

PAPERS = "papers.txt"
"""The number of papers, among the teacher's files, where no roster says it."""
ROSTER = "roster.csv"
LOCK = ".exactattn-lock"
WORK = ".exactattn-work"
"""Where TeX runs, among the teacher's files: its sources hold keys."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What an earlier run left in a folder: the spec's text, the seed, whose the papers are."""

    source: str
    seed: str
    students: tuple[str, ...]
    """One for each paper: the ids of a roster, or "" for all, whose papers have numbers only."""
    drawn: tuple[str, ...] = ()
    """A digest of each paper, as far as the run came."""

    @property
    def named(self) -> bool:
        """Are they the papers of a roster?"""
        return any(self.students)


def kept(out: Path) -> Kept | None:
    """The exam in a folder; None where there is none yet. Errors: FileError where it is not whole.

    How many papers there are is said by teacher/papers.txt or teacher/roster.csv, never by what lies in students: a format
    may have no files there, and files are moved.
    """
    teacher = out / "teacher"
    if not (teacher / "seed.txt").exists():
        return None
    try:
        source = (teacher / "spec.toml").read_bytes().decode()  # with the line ends that it was given with
        seed = (teacher / "seed.txt").read_text(encoding="utf-8").removesuffix("\n")
        count = (teacher / PAPERS).read_text(encoding="utf-8").strip() if (teacher / PAPERS).exists() else None
        drawn = tuple((teacher / DRAWN).read_text(encoding="utf-8").split()) if (teacher / DRAWN).exists() else ()
    except (OSError, UnicodeDecodeError):
        raise FileError(
            "{out} holds an exam whose spec, seed or number of papers cannot be read", out=str(out)
        ) from None
    if count is not None and not (re.fullmatch("[1-9][0-9]{0,4}", count) and int(count) <= MOST_PAPERS):
        raise FileError(
            "{out}/teacher/{file} says {came!r}: the number of papers was due",
            out=str(out), file=PAPERS, came=count[:20],
        )  # fmt: skip
    if count is not None:
        return Kept(source, seed, ("",) * int(count), drawn)
    if not (teacher / ROSTER).exists():
        raise FileError(
            "{out} holds an exam, but nothing says how many papers it has: write their number into {out}/teacher/{file}",
            out=str(out), file=PAPERS,
        )  # fmt: skip
    return Kept(source, seed, roster.read(teacher / ROSTER), drawn)


@contextmanager
def opened(out: Path) -> Iterator[Path]:
    """The folder with its parts for students and for the teacher, ours alone; what a killed run left half done is gone.

    Yields a folder for work that is removed afterwards. Where nothing was written, no new folder stays.
    Errors: FileError where another run is writing into it, or it cannot be made.
    """
    parts = (out, out / "teacher", out / "students")
    made = [part for part in parts if not part.exists()]
    make_folder(out)
    try:
        with _locked(out):
            try:
                for part in parts[1:]:
                    make_folder(part)
                work = out / "teacher" / WORK
                _clean(work, parts[1:])
                work.mkdir()
                yield work
            finally:
                shutil.rmtree(out / "teacher" / WORK, ignore_errors=True)
                # a run that was killed before may have left an empty folder for students
                ours = (out / "teacher" / "seed.txt").exists()
                _leave([part for part in parts[1:] if part in made or ours])
    finally:
        _leave([part for part in made if part == out])


def _leave(made: Sequence[Path]) -> None:
    """Remove the folders that hold nothing."""
    for part in made:
        with suppress(OSError):
            part.rmdir()


def _clean(work: Path, parts: tuple[Path, ...]) -> None:
    if work.is_dir() and not work.is_symlink():
        shutil.rmtree(work)
    for part in parts:
        for left in part.glob(f"{BESIDE}*.tmp"):
            left.unlink()


@contextmanager
def _locked(out: Path) -> Iterator[None]:
    """The lock is the system's, on an open file: it ends with the process, however that ends. The file says who has it."""
    path = out / LOCK
    file = _acquired(path, out)
    try:
        file.truncate(0)
        file.write(f"{os.getpid()}\n".encode())
        file.flush()
        yield
    finally:
        if sys.platform == "win32":  # where a file that is open cannot be removed
            file.close()
        with suppress(OSError):
            path.unlink()
        file.close()


def _acquired(path: Path, out: Path) -> BinaryIO:
    while True:
        try:
            file = open(path, "a+b")  # noqa: SIM115 it stays open as long as the lock is held
        except OSError as error:
            raise FileError("cannot write {name}: {why}", name=str(path), why=(error.strerror or "").lower()) from None
        if not _lock(file):
            file.seek(0)
            who = file.read(20).decode(errors="replace").strip()
            file.close()
            raise FileError(
                "another run{who} is writing into {out}: wait until it has ended, or name another folder",
                out=str(out), who=f" (process {who})" if who.isdigit() else "",
            )  # fmt: skip
        # the run before may have removed the file after it was opened here: then it keeps nobody out
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(file.fileno()), path.stat()):
                return file
        file.close()


if sys.platform == "win32":
    import msvcrt

    def _lock(file: BinaryIO) -> bool:
        file.seek(1 << 30)  # a byte beyond what is read
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(file: BinaryIO) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
