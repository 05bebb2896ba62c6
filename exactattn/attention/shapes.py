"""Shapes: what is given must fit together, product by product."""

from __future__ import annotations

from collections.abc import Mapping

from exactattn.errors import InputError, OptionError, ShapeError
from exactattn.trace.problem import Texts


def shapes_of(inputs: Mapping[str, Texts], heads: int) -> tuple[int, int, int | None]:
    """n queries, m keys and the score width of one head (None where scores are given); every product and bias must fit."""
    size = {name: (len(texts), len(texts[0])) for name, texts in inputs.items()}
    if "scores" in inputs:
        return _from_scores(size, heads)
    for name in "QKV":
        source = _source(name, size)
        if source is not None:
            size[name] = _fitting(source, f"W_{name}", f"b_{name}", size)
    if "Q" not in size or "K" not in size:
        missing = " and ".join(name for name in "QK" if name not in size)
        raise InputError(
            "{missing} {verb} missing: give Q and K, or X with W_Q and W_K, or scores", missing=missing,
            verb="are" if len(missing) > 1 else "is",
        )  # fmt: skip
    (n, d_q), (m, d_k) = size["Q"], size["K"]
    if d_q != d_k:
        raise ShapeError(
            "keys are {keys} and queries {queries}: both need the same width d_k",
            keys=_x(size["K"]),
            queries=_x(size["Q"]),
        )
    widths = {"d_k": d_k}
    if "V" in size:
        if size["V"][0] != m:
            raise ShapeError(
                "values are {values} and keys {keys}: each key needs one value",
                values=_x(size["V"]),
                keys=_x(size["K"]),
            )
        widths["d_v"] = size["V"][1]
    for what, width in widths.items():
        if width % heads:
            raise ShapeError(
                "{heads} heads do not divide the width {what} = {width}", heads=heads, what=what, width=width
            )
    _output(size)
    _all_used(inputs)
    return n, m, d_k // heads


def _all_used(inputs: Mapping[str, Texts]) -> None:
    if "X_kv" in inputs and not inputs.keys() & {"W_K", "W_V"}:
        raise InputError("X_kv is given and nothing is projected from it: W_K or W_V is due")
    from_x = {"W_Q"} if "X_kv" in inputs else {"W_Q", "W_K", "W_V"}
    if "X" in inputs and not inputs.keys() & from_x:
        raise InputError("X is given and nothing is projected from it: {due} is due", due=" or ".join(sorted(from_x)))


def _from_scores(size: dict[str, tuple[int, int]], heads: int) -> tuple[int, int, int | None]:
    extra = [name for name in size if name not in ("scores", "V", "W_O", "b_O")]
    if extra:
        raise InputError("scores are given, and {extra} too: give one or the other", extra=", ".join(extra))
    if heads != 1:
        raise OptionError("scores are those of one head: {heads} heads need Q and K", heads=heads)
    n, m = size["scores"]
    if "V" in size and size["V"][0] != m:
        raise ShapeError(
            "values are {values} and scores {scores}: each key needs one value", values=_x(size["V"]), scores=_x((n, m))
        )
    _output(size)
    return n, m, None


def _source(name: str, size: Mapping[str, tuple[int, int]]) -> str | None:
    """Where Q, K or V is projected from, None where it is given or absent."""
    weight = f"W_{name}" in size
    if name in size and weight:
        raise InputError("{name} and W_{name} are both given: give one or the other", name=name)
    if not weight:
        if f"b_{name}" in size:
            raise InputError("b_{name} is given without W_{name}", name=name)
        return None
    source = "X_kv" if name != "Q" and "X_kv" in size else "X"
    if source not in size:
        raise InputError("W_{name} is given without {source}", name=name, source=source)
    return source


def _fitting(source: str, weight: str, bias: str, size: Mapping[str, tuple[int, int]]) -> tuple[int, int]:
    """The shape of source·weight + bias."""
    (n, d), (rows, width) = size[source], size[weight]
    if rows != d:
        raise ShapeError(
            "{source} is {left} and {weight} {right}: the width of {source} must be the rows of {weight}",
            source=source, weight=weight, left=_x((n, d)), right=_x((rows, width)),
        )  # fmt: skip
    if bias in size and size[bias][1] != width:
        raise ShapeError(
            "{bias} has {came} entries and {weight} {due} columns",
            bias=bias,
            weight=weight,
            came=size[bias][1],
            due=width,
        )
    return n, width


def _output(size: dict[str, tuple[int, int]]) -> None:
    if "W_O" not in size:
        if "b_O" in size:
            raise InputError("b_O is given without W_O")
        return
    if "V" not in size:
        raise InputError("W_O is given without V")
    rows = size.get("Q", size.get("scores", (0, 0)))[0]
    _fitting("the concatenated output", "W_O", "b_O", size | {"the concatenated output": (rows, size["V"][1])})


def _x(size: tuple[int, int]) -> str:
    return f"{size[0]} × {size[1]}"
