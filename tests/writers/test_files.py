"""A file is written whole or not at all."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from exactattn.errors import FileError
from exactattn.writers.files import check_writable, make_folder, write_atomically
from exactattn.writers.formats import save


def message(path: Path | str, data: bytes = b"new") -> str:
    with pytest.raises(FileError) as caught:
        write_atomically(path, data)
    return str(caught.value)


def test_a_new_file_holds_the_bytes_and_obeys_the_umask(tmp_path):
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "new.txt", b"a\r\n\x00\xff")
    finally:
        os.umask(before)
    assert (tmp_path / "new.txt").read_bytes() == b"a\r\n\x00\xff"
    assert stat.S_IMODE((tmp_path / "new.txt").stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["new.txt"]


def test_an_old_file_keeps_its_permissions(tmp_path):
    path = tmp_path / "old.txt"
    path.write_bytes(b"a longer text than the new one")
    path.chmod(0o604)
    write_atomically(path, b"new")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"new", 0o604)


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "real.txt").write_bytes(b"old")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_atomically(tmp_path / "link.txt", b"new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_bytes() == b"new"


def test_a_link_to_nothing_makes_what_it_points_to(tmp_path):
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_atomically(tmp_path / "link.txt", b"new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_bytes() == b"new"


@pytest.mark.parametrize("failing", ["chmod", "replace"])
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_leaves_the_old_file_whole_and_nothing_beside(tmp_path, monkeypatch, failing, error):
    path = tmp_path / "old.txt"
    path.write_bytes(b"old")

    def fail(*_args):
        raise error

    monkeypatch.setattr(Path, failing, fail)
    with pytest.raises((FileError, KeyboardInterrupt)) as caught:
        write_atomically(path, b"new")
    if isinstance(error, OSError):
        assert str(caught.value) == f"cannot write {path}: no space left on device"
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["old.txt"]


def test_what_is_no_regular_file_is_written_to_and_not_replaced(tmp_path):
    write_atomically("/dev/null", b"new")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_atomically(tmp_path / "pipe", b"new")
        assert os.read(reader, 10) == b"new"
    finally:
        os.close(reader)


def test_a_write_protected_file_is_left_alone(tmp_path, monkeypatch):
    path = tmp_path / "old.txt"
    path.write_bytes(b"old")
    path.chmod(0o444)
    monkeypatch.setattr(os, "access", lambda p, mode: Path(p) != path)  # the tests may run as root, who may do all
    assert message(path) == f"cannot write {path}: it is write-protected"
    assert path.read_bytes() == b"old"


def test_a_write_protected_folder_says_so(tmp_path, monkeypatch):
    (tmp_path / "out").mkdir()
    monkeypatch.setattr(os, "access", lambda p, mode: Path(p) != tmp_path / "out")
    path = tmp_path / "out" / "x.tex"
    assert message(path) == f"cannot write {path}: the folder 'out' is write-protected"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("none/x.tex", "there is no folder 'none'"),
        ("plain/x.tex", "'plain' is no folder"),
        (".", "it is a folder"),
        ("x" * 300, "file name too long"),
        ("a\0b", "its name holds a zero byte"),
    ],
)
def test_a_path_that_cannot_be_written_says_why(tmp_path, monkeypatch, name, why):
    monkeypatch.chdir(tmp_path)
    Path("plain").write_bytes(b"")
    assert message(name) == f"cannot write {name}: {why}"
    with pytest.raises(FileError):
        check_writable(name)
    assert os.listdir(tmp_path) == ["plain"]


def test_checking_a_path_makes_nothing(tmp_path):
    assert check_writable(tmp_path / "x.tex") is None
    assert os.listdir(tmp_path) == []


def test_a_folder_is_made_where_there_is_none(tmp_path):
    make_folder(tmp_path / "figures")
    make_folder(tmp_path / "figures")
    assert (tmp_path / "figures").is_dir()


def test_a_folder_that_cannot_be_made_says_why(tmp_path):
    (tmp_path / "plain").write_bytes(b"")
    for name, why in (("none/figures", "there is no folder 'none'"), ("plain", "it is no folder")):
        with pytest.raises(FileError) as caught:
            make_folder(tmp_path / name)
        assert str(caught.value) == f"cannot write {tmp_path / name}: {why}"


@pytest.mark.parametrize("suffix", ["tex", "pdf", "html", "md", "txt", "json"])
def test_a_folder_that_takes_no_file_is_found_before_the_work(tmp_path, monkeypatch, suffix):
    def refuses(path, *more):
        assert str(path).startswith(str(tmp_path / ".exactattn-"))
        raise FileNotFoundError(2, "No such file or directory")

    def works():
        raise AssertionError("nothing is worked out for a file that cannot be written")

    monkeypatch.setattr(os, "open", refuses)  # as /proc does, of which os.access says that it can be written to
    with pytest.raises(FileError) as caught:
        save(works, tmp_path / f"x.{suffix}", works)
    why = f"the folder {tmp_path.name!r} takes no new file (no such file or directory)"
    assert str(caught.value) == f"cannot write {tmp_path / f'x.{suffix}'}: {why}"
