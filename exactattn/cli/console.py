"""Standard output and error as they are found: any encoding, a terminal, a pipe that closes early, a full disk."""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from click.exceptions import Exit

from exactattn.errors import FileError

CLOSED = 141  # what a shell reports for a program that a closed pipe ended

# For a console that cannot show a sign: what stands for it in plain text. A lost minus would be a wrong number.
_SIGNS = {
    "−": "-", "≈": "~", "×": "*", "·": "*", "÷": "/", "√": "sqrt", "Σ": "sum", "∑": "sum", "ᵀ": "^T", "→": "->", "⁻": "^-",
    "…": "...", "⋯": "...", "⋮": ":", "⋱": "...", "∞": "inf", "≤": "<=", "≥": ">=", "≠": "!=",
    "⇒": "=>", "⇔": "<=>", "∈": "in", "∂": "d", "‖": "||",
    "’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " ", "\u2009": " ", "\u202f": " ",
    "│": "|", "┃": "|", "─": "-", "━": "-", "⎡": "[", "⎢": "[", "⎣": "[", "⎤": "]", "⎥": "]", "⎦": "]", "█": "#",
    "═": "=", "†": "+", "✗": "x", "⎛": "(", "⎜": "(", "⎝": "(", "⎞": ")", "⎟": ")", "⎠": ")",
    "⎧": "{", "⎨": "{", "⎩": "{", "⎫": "}", "⎬": "}", "⎭": "}",
    **{c: f"^{k}" for k, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")}, **{c: f"_{k}" for k, c in enumerate("₀₁₂₃₄₅₆₇₈₉")},
    **dict.fromkeys("┌┐└┘├┤┬┴┼", "+"),
}  # fmt: skip


def _substitute(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    out = ""
    for c in error.object[error.start : error.end]:
        stand_in = _SIGNS.get(c, "")
        out += stand_in or c.encode("ascii", "backslashreplace").decode("ascii")
    return out, error.end


codecs.register_error("exactattn-substitute", _substitute)


def prepare() -> None:
    """Let standard output and error take any character: one that the encoding lacks gets a substitute."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="exactattn-substitute")


def put(text: str) -> None:
    """Text to standard output, exactly as it is."""
    with output():
        sys.stdout.write(text)


def put_error(text: str) -> None:
    """One line to standard error, made harmless. Where there is no standard error, there is nobody to tell."""
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(f"exactattn: {harmless(text)}\n")
        sys.stderr.flush()


@contextmanager
def output() -> Iterator[None]:
    """Around everything that writes to standard output: a closed pipe ends quietly, a full disk with a clear line."""
    if sys.stdout is None:
        raise FileError("there is no standard output: name a file with -o")
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        _silence()
        raise Exit(CLOSED) from None
    except OSError as error:
        _silence()
        why = (error.strerror or str(error)).lower()
        raise FileError("cannot write to standard output: {why}", why=why) from None


def _silence() -> None:
    # what is left in the buffer would fail once more when Python ends, and say so
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def harmless(text: str, most: int = 2000) -> str:
    """The text on one line, with everything that a terminal would act on written out.

    >>> harmless("no row 'a\\x1b[31m\\nb'")
    "no row 'a\\\\x1b[31m b'"
    """
    line = " ".join(part for part in re.split(r"[\r\n]+", text) if part)
    out = "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in line)
    return out if len(out) <= most else out[:most] + "…"
