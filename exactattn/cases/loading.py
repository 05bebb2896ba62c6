"""Finding a case: bundled by name, in a file, on standard input, or given in Python."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from importlib import resources
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from exactattn.cases.checking import check
from exactattn.cases.limits import CASE_LIMITS, CaseLimits
from exactattn.cases.model import Case
from exactattn.cases.reading import Format, decode, parse, read_file, read_stream
from exactattn.errors import FileError, nearest

_FORMATS: dict[str, Format] = {".toml": "toml", ".json": "json"}


def bundled() -> list[str]:
    """The names of the cases that come with the package."""
    files = resources.files("exactattn.cases").joinpath("bundled").iterdir()
    return sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml"))


def bundled_text(name: str) -> str:
    """The TOML text of a bundled case, comments included."""
    if name not in bundled():
        known = bundled()
        why = "no bundled case {name!r}{hint}"
        raise FileError(why, name=name, hint=nearest(name, known) or f" (there are {', '.join(known)})")
    return resources.files("exactattn.cases").joinpath("bundled", f"{name}.toml").read_text(encoding="utf-8")


def load_case(case: str | PathLike[str] | Case | Mapping[str, Any], *, limits: CaseLimits = CASE_LIMITS) -> Case:
    """A case, read and checked.

    A text is a bundled name, the path of a TOML or JSON file, or "-" for standard input; a path object is always a path
    (so is "./xian"). A mapping has the names of a case file; its entries may also be Python and sympy numbers, and its
    matrices NumPy arrays or sympy matrices. A `Case` is returned as it is. Errors: FileError, CaseError, ShapeError,
    NumberError, LimitError, OptionError.
    """
    match case:
        case Case():
            return case
        case Mapping():
            # the limit on tokens is for files, which may come from others
            return check(case, name="case", folder=None, limits=replace(limits, tokens=sys.maxsize))
        case "-":
            if sys.stdin is None:
                raise FileError("cannot read standard input: it is closed")
            text = decode(read_stream(sys.stdin.buffer, "standard input", limits), "standard input")
            return check(parse(text, "standard input", None, limits), name="case", folder=Path(), limits=limits)
        case str() if case in bundled():
            return check(parse(bundled_text(case), case, "toml", limits), name=case, folder=None, limits=limits)
        case _:
            return _from_file(Path(case), fspath(case), limits)


def _from_file(path: Path, name: str, limits: CaseLimits) -> Case:
    if not _exists(path):
        plain = path.name == name and path.suffix.lower() not in _FORMATS
        what = "no bundled case and no file" if plain else "no such file:"
        raise FileError("{what} {name!r}{hint}", what=what, name=name, hint=_near(path))
    text = decode(read_file(path, name, limits), name)
    tree = parse(text, name, _FORMATS.get(path.suffix.lower()), limits)
    return check(tree, name=path.stem or "case", folder=path.parent, limits=limits)


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):  # a name too long, or with a zero byte in it
        return False


def _near(path: Path) -> str:
    """A suggestion: a bundled case, or a case file that lies where this one was looked for."""
    if path.stem in bundled() and len(path.parts) == 1:
        return f" (the bundled case is {path.stem!r}, without a suffix)"
    try:
        beside = [file.name for file in path.parent.iterdir() if file.suffix.lower() in _FORMATS]
    except OSError:
        beside = []
    return nearest(path.name, [*bundled(), *beside])
