"""Writing a file so that it is there whole or not at all."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path
from typing import BinaryIO

from exactattn.errors import FileError

BESIDE = ".exactattn-"
"""How the name of a file begins that is not yet whole; it ends in .tmp."""


def write_atomically(path: str | PathLike[str], data: bytes) -> None:
    """Put `data` into the file, new or old: written beside it and renamed, so that a failed run leaves the old one whole.

    An old file keeps its permissions, and a link stays a link: what it points to is replaced. What is no regular file
    (/dev/stdout) is written to as it is. A file without permission to write is left alone, although a rename would get
    past it. Errors: FileError.
    """
    name = os.fspath(path)
    try:
        target = Path(path).resolve()
        mode = _mode(path)
        if mode is not None and not stat.S_ISREG(mode):
            target.write_bytes(data)
        else:
            _write_beside(target, data, mode)
    except (OSError, ValueError, RuntimeError) as error:
        raise FileError("cannot write {name}: {why}", name=name, why=_why(error)) from None


def check_writable(path: str | PathLike[str]) -> int | None:
    """The mode of the file that is there, None where there is none yet; an error where writing would fail.

    Called before a long computation, it finds what would be found after it: a file is made beside and removed, because
    some folders (/proc) take none whatever their permissions say. Errors: FileError.
    """
    mode = _mode(path)
    if mode is None or stat.S_ISREG(mode):
        beside = _name_beside(Path(path).resolve())
        try:
            os.close(_opened_new(beside))
            beside.unlink()
        except OSError as error:
            why = f"the folder {beside.parent.name!r} takes no new file ({_why(error)})"
            raise FileError("cannot write {name}: {why}", name=os.fspath(path), why=why) from None
    return mode


def _mode(path: str | PathLike[str]) -> int | None:
    """The mode of the file that is there, or None; an error where what is known of the path says that writing would fail."""
    name, target = os.fspath(path), Path(path)
    try:
        target = target.resolve()
        mode = target.stat().st_mode if target.exists() else None
        folder = target.parent
        if mode is not None and stat.S_ISDIR(mode):
            why = "it is a folder"
        elif mode is not None and not os.access(target, os.W_OK):
            why = "it is write-protected"
        elif mode is not None and not stat.S_ISREG(mode):
            return mode
        elif not folder.exists():
            why = f"there is no folder {folder.name!r}"
        elif not folder.is_dir():
            why = f"{folder.name!r} is no folder"
        elif not os.access(folder, os.W_OK | os.X_OK):
            why = f"the folder {folder.name!r} is write-protected"
        else:
            return mode
    except (OSError, ValueError, RuntimeError) as error:  # a name too long or with a zero byte, links in a circle
        why = _why(error)
    raise FileError("cannot write {name}: {why}", name=name, why=why)


def make_folder(path: str | PathLike[str]) -> None:
    """Make the folder where there is none yet; the one above it must be there. Errors: FileError."""
    try:
        Path(path).mkdir(exist_ok=True)
    except (OSError, ValueError) as error:
        parent = Path(path).absolute().parent
        why = _why(error)
        if isinstance(error, FileNotFoundError):
            taken = f"the folder {parent.name!r} takes no new folder"  # as /proc does not
            why = taken if parent.is_dir() else f"there is no folder {parent.name!r}"
        elif isinstance(error, FileExistsError):
            why = "it is no folder"
        raise FileError("cannot write {name}: {why}", name=os.fspath(path), why=why) from None


@contextmanager
def opened_atomically(path: str | PathLike[str]) -> Iterator[BinaryIO]:
    """A file to be written piece by piece, which is there under its name only when all is written.

    As `write_atomically`, but for regular files alone. Errors: FileError.
    """
    name = os.fspath(path)
    mode = _mode(path)
    try:
        with _beside(Path(path).resolve(), mode) as file:
            yield file
    except OSError as error:
        raise FileError("cannot write {name}: {why}", name=name, why=_why(error)) from None


def _write_beside(target: Path, data: bytes, mode: int | None) -> None:
    with _beside(target, mode) as file:
        file.write(data)


@contextmanager
def _beside(target: Path, mode: int | None) -> Iterator[BinaryIO]:
    beside = _name_beside(target)
    descriptor = _opened_new(beside)
    try:
        with open(descriptor, "wb") as file:
            yield file
        if mode is not None:
            beside.chmod(stat.S_IMODE(mode))
        beside.replace(target)
    except BaseException:  # an interrupt too leaves nothing behind
        with suppress(OSError):
            beside.unlink()
        raise


def _name_beside(target: Path) -> Path:
    # random and opened as new, so that nobody can have put a link there
    return target.with_name(f"{BESIDE}{os.urandom(8).hex()}.tmp")


def _opened_new(path: Path) -> int:
    """A descriptor of a file that was not there; its permissions 0o666 are cut down by the umask."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)


def _why(error: Exception) -> str:
    if isinstance(error, ValueError):
        return "its name holds a zero byte"  # the only ValueError of a path; Python's words for it differ by version
    return (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)
