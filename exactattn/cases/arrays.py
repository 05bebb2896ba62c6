"""Matrices that a case names by path: .csv and .npy files inside the case's folder, and nowhere else."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from stat import S_ISREG
from typing import Any

from exactattn.cases.limits import CaseLimits
from exactattn.cases.reading import decode, read_file, reason
from exactattn.errors import CaseError, FileError

SUFFIXES = (".csv", ".npy")


def is_path(text: str) -> bool:
    """Whether a text given for a matrix names an array file."""
    return text.lower().endswith(SUFFIXES)


def read_array(text: str, place: str, folder: Path | None, limits: CaseLimits) -> Any:
    """What an array file holds: rows of texts from .csv, a NumPy array from .npy.

    The path is relative to the case's folder and stays inside it, links resolved; only regular files are read, and
    nothing in them is ever run (no pickles). Errors: CaseError, FileError, LimitError.
    """
    path = _inside(text, place, folder)
    name = f"{place} ({text})"
    data = read_file(path, name, limits)
    return _csv(decode(data, name), name) if path.suffix.lower() == ".csv" else parse_npy(data, name)


def _inside(text: str, place: str, folder: Path | None) -> Path:
    if not text.isprintable() or "\\" in text:
        raise CaseError(
            "{place}: {text!r} holds a backslash or what came of one (in \"...\" it starts an escape): "
            "write the path with /, as in data/q.csv", place=place, text=text,
        )  # fmt: skip
    if folder is None:
        why = "{place}: a path ({text!r}) needs a case file beside it: give the matrix itself"
        raise CaseError(why, place=place, text=text)
    try:
        root = folder.resolve(strict=True)
        path = (root / text).resolve(strict=True)
        regular = S_ISREG(path.stat().st_mode)
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle
        why = "no such file beside the case" if isinstance(error, FileNotFoundError) else reason(error)
        raise FileError("{place}: cannot read {text!r}: {why}", place=place, text=text, why=why) from None
    if not path.is_relative_to(root):
        why = "{place}: {text!r} leads out of the case's folder: only files inside it are read"
        raise FileError(why, place=place, text=text)
    if not regular:
        raise FileError("{place}: {text!r} is no regular file", place=place, text=text)
    return path


def _csv(text: str, name: str) -> list[list[str]]:
    delimiter = ";" if ";" in text else "\t" if "\t" in text else ","
    try:
        # skipinitialspace lets "1, 2" and '1, "2"' be read as they look
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True, skipinitialspace=True))
    except csv.Error as error:
        raise CaseError("{name}: not CSV ({why})", name=name, why=str(error)) from None
    return [row for row in rows if any(cell.strip() for cell in row)]


def parse_npy(data: bytes, name: str) -> Any:
    """The array that the bytes of a .npy file hold. No pickles, and nothing is allocated that the bytes do not fill."""
    from numpy.lib import format as npy

    file = io.BytesIO(data)
    try:
        version = npy.read_magic(file)
        header = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}.get(version)
        if header is None:
            raise ValueError(f"version {version[0]}.{version[1]} of the format")
        shape, _, dtype = header(file)
        size = dtype.itemsize
        for length in shape:
            size *= length
        # before anything is allocated: the header alone could ask for all memory
        if dtype.hasobject or size != len(data) - file.tell():
            raise ValueError("objects inside" if dtype.hasobject else "its header and its size disagree")
        file.seek(0)
        return npy.read_array(file, allow_pickle=False)
    except (ValueError, EOFError, SyntaxError, TypeError) as error:
        why = str(error).partition("\n")[0]
        raise CaseError("{name}: no NumPy array of numbers ({why})", name=name, why=why) from None
