"""A file of correctly rounded outputs from a case's arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from exactattn.numbers.limits import LIMITS, Limits
from exactattn.testing.formats import floating
from exactattn.testing.npz import packed
from exactattn.testing.reference import reference


def golden(case: Mapping[str, Any], out: str = "binary32", limits: Limits = LIMITS, **settings: Any) -> bytes:
    """The bytes of a .npz file: what was worked with, `output` as `reference` gives it, and `format`, the name of its format.

    bfloat16, which a .npz file has no word for, is stored in `output` as its bits, an array of uint16. `settings` are those
    of `reference`; one that is not None goes before what the case says. The file is a case itself.

    >>> import io, numpy as np
    >>> data = golden({"q": np.ones((1, 2)), "k": np.ones((3, 2)), "v": np.ones((3, 1))}, "float16", scale="1/2")
    >>> with np.load(io.BytesIO(data)) as held:
    ...     held["output"], str(held["format"]), str(held["scale"])
    (array([[1.]], dtype=float16), 'float16', '1/2')
    """
    import numpy as np

    form = floating(out)
    chosen = {name: x for name, x in settings.items() if x is not None}
    given = {name: x for name, x in {**case, **chosen}.items() if x is not None}
    made = reference(**given, out=out, limits=limits)
    stored = made.view(np.uint16) if form.name == "bfloat16" else made
    return packed({**given, "output": stored, "format": form.name})
