"""What "module:name" names in the user's code, and what is told when it fails. For a process of its own."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from typing import Any

from exactattn.errors import InputError, OptionError, nearest


def parts(target: str) -> tuple[str, str]:
    """The module and the (dotted) name in it. Errors: OptionError for a text of another form.

    >>> parts("scipy.special:softmax")
    ('scipy.special', 'softmax')
    >>> parts("scipy.special.softmax")
    Traceback (most recent call last):
        ...
    exactattn.errors.OptionError: 'scipy.special.softmax' is no MODULE:CALLABLE (did you mean 'scipy.special:softmax'?)
    """
    module, colon, path = target.partition(":")
    if not (module and colon and path):
        hint = ""
        if not colon and "." in target:
            head, _, tail = target.rpartition(".")
            hint = f" (did you mean '{head}:{tail}'?)"
        raise OptionError("{target!r} is no MODULE:CALLABLE{hint}", target=target, hint=hint)
    return module, path


def named(target: str) -> Callable[..., Any]:
    """The callable, found from the working directory or sys.path. Errors: InputError where there is none, or importing fails.

    >>> named("math:sqrt")(9)
    3.0
    """
    module, path = parts(target)
    found = _imported(module)
    for name in path.split("."):
        if not hasattr(found, name):
            known = [name for name in dir(found) if not name.startswith("_")]
            owner = getattr(found, "__name__", module)
            raise InputError("{owner} has no {name!r}{hint}", owner=owner, name=name, hint=nearest(name, known))
        found = getattr(found, name)
    if not callable(found):
        raise InputError("{target} is a {came}: a callable was due", target=target, came=type(found).__name__)
    return found  # type: ignore[no-any-return]


def _imported(module: str) -> Any:
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and (module == error.name or module.startswith(f"{error.name}.")):
            text = "there is no module {module!r} in {folder} or on sys.path"
            raise InputError(text, module=module, folder=os.getcwd()) from None
        raise InputError("importing {module} fails: {why}", module=module, why=told(error)) from None
    except BaseException as error:  # SystemExit too: a script without a guard
        raise InputError("importing {module} fails: {why}", module=module, why=told(error)) from None


_OURS = os.path.dirname(__file__)


def told(error: BaseException) -> str:
    """An exception in a line: its kind, what it says, and where in the user's code it came from."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if os.path.dirname(f.filename) != _OURS]
    frames = [f for f in frames if "importlib" not in f.filename]
    where = f" (line {frames[-1].lineno} of {os.path.basename(frames[-1].filename)})" if frames else ""
    said = " ".join(_text_of(error).split())
    return f"{type(error).__name__}: {said[:300]}{where}" if said else f"{type(error).__name__}{where}"


def _text_of(error: BaseException) -> str:
    """What an exception says; its __str__ is the user's code, and may do anything."""
    try:
        return str(error)
    except BaseException as other:
        return f"(what it says is not known: its __str__ raises {type(other).__name__})"
