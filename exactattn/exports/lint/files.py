"""A file that lint is given: a single XML file, or a package with its files, each limited in size before it is unpacked."""

from __future__ import annotations

import io
import re
import stat
from dataclasses import dataclass
from os import PathLike
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, ZipFile, ZipInfo
from zlib import error as ZlibError

from exactattn.errors import FileError, InputError, LimitError
from exactattn.exports.lint.limits import LintLimits

ZIP = b"PK\x03\x04"
EMPTY_ZIP = b"PK\x05\x06"


@dataclass(frozen=True, slots=True)
class Given:
    """The files by name: of a package those of its zip, else the one file by its own name."""

    name: str
    files: dict[str, bytes]
    packed: bool


def opened(path: str | PathLike[str], limits: LintLimits) -> Given:
    """Read a file. Errors: FileError for one that cannot be read, LimitError for a large one, InputError for a hostile zip."""
    place = Path(path)
    try:
        if place.is_dir():
            raise FileError("{name} is a folder: a file was due", name=str(path))
        size = place.stat().st_size
        if size > limits.file_bytes:
            raise LimitError(
                "{name} has {size} bytes: more than {most} are not read; raise it with the limit 'file_bytes'",
                name=str(path), size=size, most=limits.file_bytes,
            )  # fmt: skip
        data = place.read_bytes()
    except OSError as error:
        raise FileError(
            "cannot read {name}: {why}", name=str(path), why=(error.strerror or str(error)).lower()
        ) from None
    if data.startswith((ZIP, EMPTY_ZIP)):
        return Given(str(path), unpacked(str(path), data, limits), True)
    return Given(str(path), {place.name: data}, False)


def unpacked(name: str, data: bytes, limits: LintLimits) -> dict[str, bytes]:
    """The files of a zip. Nothing is written anywhere, and nothing is unpacked that says it is too large."""
    try:
        with ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            if len(members) > limits.members:
                raise LimitError(
                    "{name} holds {count} files: more than {most} are not read; raise it with the limit 'members'",
                    name=name, count=len(members), most=limits.members,
                )  # fmt: skip
            total = sum(one.file_size for one in members)
            if total > limits.package_bytes:
                raise LimitError(
                    "{name} unpacks to {size} bytes: more than {most} are not read; raise it with the limit 'package_bytes'",
                    name=name, size=total, most=limits.package_bytes,
                )  # fmt: skip
            out: dict[str, bytes] = {}
            for one in members:
                _check(name, one, limits)
                if one.filename in out:
                    raise InputError("{name} holds {member} twice", name=name, member=one.filename)
                if not one.is_dir():
                    out[one.filename] = _member(archive, name, one)
            return out
    except (BadZipFile, NotImplementedError, RuntimeError, ZlibError, EOFError) as error:
        raise InputError("{name} is no zip that can be read: {why}", name=name, why=str(error)) from None


def _check(name: str, one: ZipInfo, limits: LintLimits) -> None:
    """Raise InputError for a path that leads out of the package, LimitError for a large file."""
    path = PurePosixPath(one.filename.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or re.match(r"[A-Za-z]:", one.filename):
        raise InputError("{name} holds {member}: a path within the package was due", name=name, member=one.filename)
    if stat.S_ISLNK(one.external_attr >> 16):
        raise InputError("{name} holds {member}, a link: a file was due", name=name, member=one.filename)
    if one.file_size > limits.file_bytes:
        raise LimitError(
            "{name}: {member} unpacks to {size} bytes: more than {most} are not read; raise it with the limit 'file_bytes'",
            name=name, member=one.filename, size=one.file_size, most=limits.file_bytes,
        )  # fmt: skip


def _member(archive: ZipFile, name: str, one: ZipInfo) -> bytes:
    """One file. What the zip says of its size is a promise: no more than that is unpacked, and more is an error."""
    with archive.open(one) as file:
        data = file.read(one.file_size + 1)
    if len(data) != one.file_size:
        raise InputError("{name}: {member} is larger than the zip says", name=name, member=one.filename)
    return data
