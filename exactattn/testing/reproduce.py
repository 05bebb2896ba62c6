"""A call as a line of Python that makes it again, to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np

from exactattn.testing.adapters import adapter_of
from exactattn.testing.inputs import Array, Input
from exactattn.testing.signature import Signature


def python(given: Input, takes: Signature, target: str) -> str:
    """A line of Python that makes the call once more."""
    names = {"x": None, "q": None, "k": None, "v": None, "mask": takes.mask}
    said = [(f"{names[key]}=" if names[key] else "") + written(x) for key, x in given.arrays.items()]
    said += [f"{key}={value!r}" for key, value in given.options(takes).items()]
    half = any(x.dtype.name == "bfloat16" for x in given.arrays.values())
    head = "import numpy as np" + (", ml_dtypes" if half else "")
    laid = "" if given.layout == "C" else f"  # laid out in memory as {given.layout!r}"
    if adapter_of(target) is not None:
        return f"{head}; from exactattn.testing import find; find({target!r})[0]({', '.join(said)}){laid}"
    module, _, name = target.partition(":")
    return f"{head}, {module}; {module}.{name}({', '.join(said)}){laid}"


def written(x: Array) -> str:
    """An array as Python text, to the bit.

    >>> written(np.array([0.1, -np.inf], np.float32)), written(np.zeros(70000, np.float16))
    ("np.array([0.10000000149011612, -np.inf], dtype='float32')", "np.full((70000,), 0.0, dtype='float16')")
    >>> written(np.array([0] + [-8] * 30, np.int8))
    "np.repeat(np.array([0, -8], dtype='int8'), [1, 30])"
    """
    dtype = f"dtype={x.dtype.name!r}"
    if x.size > 8 and np.full(x.shape, x.flat[0], x.dtype).tobytes() == x.tobytes():  # bytes, for the sign of a zero
        return f"np.full({x.shape}, {_number(x.flat[0])}, {dtype})"
    if x.ndim == 1 and x.size > 16:
        ends = [i for i in range(1, x.size) if x[i].tobytes() != x[i - 1].tobytes()]
        if len(ends) < 8:
            counts = np.diff([0, *ends, x.size]).tolist()
            return f"np.repeat({written(x[[0, *ends]])}, {counts})"
    if x.ndim == 1 and x.size > 64:
        for period in range(2, 17):
            pattern = x[:period]
            if np.resize(pattern, x.shape).tobytes() == x.tobytes():
                return f"np.resize({written(pattern)}, {x.shape})"
    return f"np.array({_nested(x)}, {dtype})" if x.size else f"np.zeros({x.shape}, {dtype})"


def _nested(x: Array) -> str:
    return f"[{', '.join(map(_nested, x))}]" if x.ndim else _number(x[()])


def _number(entry: Any) -> str:
    if isinstance(entry, np.bool_):
        return repr(bool(entry))
    if isinstance(entry, np.integer):
        return repr(int(entry))
    value = float(entry)
    return repr(value) if np.isfinite(value) else f"np.{value}".replace("np.-", "-np.")
