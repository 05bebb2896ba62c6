"""Every error of the package, one tree.

A message says what came, what was due, and what to do. The values it speaks of stay on the error as fields:

>>> try:
...     raise ShapeError("{name} has {came} rows: {due} were due", name="V", came=5, due=6)
... except ExactAttnError as error:
...     print(error, "|", error.came, error.due)
V has 5 rows: 6 were due | 5 6
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any


class ExactAttnError(Exception):
    """The root of the tree. `exit_code` is what the command line ends with."""

    exit_code = 2

    def __init__(self, template: str, **fields: Any) -> None:
        self.template = template
        self.fields = fields
        self.__dict__.update(fields)
        super().__init__(template.format(**fields))

    def __reduce__(self) -> tuple[Any, ...]:
        # the default would call the class with the formatted text, whose braces are not fields
        return _again, (type(self), self.template, self.fields)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


def _again(kind: type[ExactAttnError], template: str, fields: dict[str, Any]) -> ExactAttnError:
    return kind(template, **fields)


class InputError(ExactAttnError):
    """What was given cannot be worked with."""


class NumberError(InputError):
    """A text or object that is no exact number."""


class ShapeError(InputError):
    """Matrices whose rows or widths do not fit."""


class LabelError(InputError):
    """A token that is not there, or is there more than once."""


class CaseError(InputError):
    """A case file with a name or value that means nothing."""


class LimitError(InputError):
    """An input beyond a stated limit; the message says how to raise it."""


class OptionError(InputError):
    """A setting that is not one of the known ones."""


class FileError(ExactAttnError):
    """A file that cannot be read or written."""


class MissingProgram(ExactAttnError):
    """An outside program (xelatex, a browser) that is not installed."""

    exit_code = 3


class Undecided(ExactAttnError):
    """A comparison or rounding still open at the precision cap. Never a guess: raise the cap or change the input."""


class OutsideNormalForm(ExactAttnError):
    """A value that has no normal form here (an exponential of an exponential)."""


class NoSuchQuantity(ExactAttnError, AttributeError):
    """A quantity that this trace does not have, or has once per head."""


def nearest(name: str, known: Iterable[str]) -> str:
    """' (did you mean ...?)' for a near miss, else ''.

    >>> nearest("scael", ["scale", "mask"])
    " (did you mean 'scale'?)"
    >>> nearest("zzz", ["scale", "mask"])
    ''
    """
    close = get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f" (did you mean {close[0]!r}?)" if close else ""
