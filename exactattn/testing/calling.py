"""Finding MODULE:CALLABLE and calling it once: what both the worker process and a suite in one's own process do."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module, metadata
from typing import Any

import numpy as np

from exactattn.errors import InputError, OptionError, nearest
from exactattn.testing.adapters import adapter_of
from exactattn.testing.inputs import Answer, Input, laid_out
from exactattn.testing.signature import Signature, signature_of


def find(target: str, kind: str | None = None) -> tuple[Callable[..., Any], Signature]:
    """The callable of "module:name" (name may be dotted), found from the working directory or sys.path.

    Built-in adapters stand in for functions that do not take arrays as they are (`verify --list` names them).
    Errors: OptionError for a text of another form, InputError where there is no such module or callable, or where
    importing it fails.
    """
    module, colon, path = target.partition(":")
    if not (module and colon and path):
        hint = ""
        if not colon and "." in target:
            head, _, tail = target.rpartition(".")
            hint = f" (did you mean '{head}:{tail}'?)"
        raise OptionError("{target!r} is no MODULE:CALLABLE{hint}", target=target, hint=hint)
    adapter = adapter_of(target)
    if adapter is not None:
        return adapter.load(), adapter.signature
    found = _imported(module)
    for name in path.split("."):
        if not hasattr(found, name):
            text = "{owner} has no {name!r}{hint}"
            owner = getattr(found, "__name__", module)
            raise InputError(text, owner=owner, name=name, hint=nearest(name, _public(found)))
        found = getattr(found, name)
    if not callable(found):
        raise InputError("{target} is a {came}: a callable was due", target=target, came=type(found).__name__)
    return found, signature_of(found, path.rpartition(".")[2], kind)


def _imported(module: str) -> Any:
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name is not None and (module == error.name or module.startswith(f"{error.name}.")):
            text = "there is no module {module!r} in {folder} or on sys.path"
            raise InputError(text, module=module, folder=os.getcwd()) from None
        raise InputError("importing {module} fails: {why}", module=module, why=_told(error)) from None
    except BaseException as error:  # SystemExit too: a script without a guard
        raise InputError("importing {module} fails: {why}", module=module, why=_told(error)) from None


def _public(found: Any) -> list[str]:
    return [name for name in dir(found) if not name.startswith("_")]


def versions(target: str) -> dict[str, str]:
    """The versions of what takes part: Python, NumPy and the distribution the callable comes from."""
    found = {"python": sys.version.partition(" ")[0], "numpy": np.__version__}
    top = target.partition(":")[0].partition(".")[0]
    names = metadata.packages_distributions().get(top, [])
    for name in [*names, *(n for n in ("torch", "jax", "jaxlib", "onnx", "onnxruntime") if n in sys.modules)]:
        found[name] = metadata.version(name)
    return found


def call(called: Callable[..., Any], takes: Signature, given: Input) -> Answer:
    """Call it once with arrays of its own, and see what comes back and whether it changed what it was given.

    An exception, a result that is no array and one of another shape are answers, not errors of ours.
    """
    arrays = {key: laid_out(x, "C" if key == "mask" else given.layout) for key, x in given.arrays.items()}
    before = {key: x.tobytes() for key, x in arrays.items()}
    mask = arrays.pop("mask", None)
    options = given.options(takes)
    if mask is not None and takes.mask is not None:
        options[takes.mask] = mask
    try:
        came = called(*arrays.values(), **options)
    except (Exception, SystemExit) as error:
        return Answer(None, trouble="raised", said=_told(error))
    if mask is not None:
        arrays["mask"] = mask
    changed = tuple(key for key, x in arrays.items() if x.tobytes() != before[key])
    if not isinstance(came, (np.ndarray, np.generic, float)) or isinstance(came, np.str_ | np.bytes_ | np.object_):
        return Answer(None, changed, "type", f"returned a {type(came).__name__}: an array was due")
    result = np.asarray(came)
    if result.dtype.kind != "f" and result.dtype.name != "bfloat16":
        return Answer(None, changed, "dtype", f"returned {result.dtype.name}: floating-point numbers were due")
    shapes = given.shape_due(takes)
    if result.shape not in shapes:
        return Answer(None, changed, "shape", f"returned shape {result.shape}: {shapes[0]} was due")
    return Answer(result.reshape(shapes[0]), changed)


def _told(error: BaseException) -> str:
    """An exception in a line: its kind, what it says, and where in the user's code it came from."""
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename not in (__file__,)]
    frames = [f for f in frames if "importlib" not in f.filename]
    where = f" (line {frames[-1].lineno} of {os.path.basename(frames[-1].filename)})" if frames else ""
    said = " ".join(str(error).split())
    return f"{type(error).__name__}: {said[:300]}{where}" if said else f"{type(error).__name__}{where}"


@contextmanager
def quiet() -> Iterator[None]:
    """Without NumPy's floating-point warnings: that exp overflows is what we want to see in the result."""
    import warnings

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield
