"""Finding MODULE:CALLABLE and calling it once: what both the worker process and a suite in one's own process do."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module, metadata
from typing import Any

import numpy as np

from exactattn.errors import OptionError
from exactattn.testing.adapters import adapter_of
from exactattn.testing.finding import named, parts, told
from exactattn.testing.inputs import Answer, Input, laid_out
from exactattn.testing.signature import Signature, signature_of


def find(target: str, kind: str | None = None) -> tuple[Callable[..., Any], Signature]:
    """The callable of "module:name" (name may be dotted), found from the working directory or sys.path.

    Built-in adapters stand in for functions that do not take arrays as they are (`verify --list` names them).
    Errors: OptionError for a text of another form, InputError where there is no such module or callable, or where
    importing it fails.
    """
    _, path = parts(target)
    adapter = adapter_of(target)
    if adapter is not None:
        known = adapter.signature.kind
        if kind not in (None, known):
            raise OptionError("{target} is of kind {known}, not {kind}", target=target, known=known, kind=kind)
        return adapter.load(), adapter.signature
    found = named(target)
    return found, signature_of(found, path.rpartition(".")[2], kind)


def versions(target: str) -> dict[str, str]:
    """The versions of what takes part: exactattn, Python, NumPy and the distribution the callable comes from."""
    own = import_module("exactattn").__version__  # of the package over all floors, its number alone
    found = {"exactattn": own, "python": sys.version.partition(" ")[0], "numpy": np.__version__}
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
        return Answer(None, trouble="raised", said=told(error))
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
    if not result.dtype.isnative:  # the same numbers; their bytes go over a pipe
        result = result.astype(result.dtype.newbyteorder("="))
    return Answer(result.reshape(shapes[0]), changed)


@contextmanager
def quiet() -> Iterator[None]:
    """Without NumPy's floating-point warnings: that exp overflows is what we want to see in the result."""
    import warnings

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        yield
