"""From what a caller gives to a checked problem: every matrix as canonical text, every shape and setting held to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from exactattn.errors import InputError, LabelError, NumberError, OptionError, ShapeError, nearest
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.parse import canonical
from exactattn.trace.problem import INPUTS, Mask, Problem, Settings, Texts

_CHOICES: Mapping[str, tuple[str, ...]] = {
    "shift": ("max", "none"),
    "fully_masked": ("error", "zero", "uniform"),
    "track": ("carry", "stepwise"),
    "ties": ("half-up", "half-even"),
    "alignment": ("top-left", "bottom-right"),
}


def problem_of(
    given: Mapping[str, Any],
    tokens: Sequence[str] | None,
    key_tokens: Sequence[str] | None,
    limits: Limits,
    **chosen: Any,
) -> Problem:
    """The checked problem, or an error that says what came and what was due."""
    symbols = tuple(chosen.get("symbols") or ())
    inputs = {name: texts_of(name, given[name], symbols, limits) for name in INPUTS if given.get(name) is not None}
    heads = chosen.get("heads", 1)
    n, m, d_k = _shapes(inputs, heads)
    labels = _labels(tokens, key_tokens, n, m)
    for name, known in _CHOICES.items():
        value = chosen.get(name)
        if value not in known and not (name == "alignment" and value is None):
            raise OptionError(
                "{name} {value!r} is not one of {known}{hint}",
                name=name, value=value, known=", ".join(known), hint=nearest(str(value), known),
            )  # fmt: skip
    scale = chosen.pop("scale")
    if scale is None:
        if d_k is None:
            raise InputError('scores are given without Q and K, so the scale must be given too: scale = "1" for none')
        scale = f"1/sqrt({d_k})"
    else:
        scale = _number("scale", scale, symbols, limits)
    mask = _mask(chosen.pop("mask"))
    chosen["symbols"] = symbols
    if symbols and chosen.get("arithmetic") == "exact":
        chosen["arithmetic"] = "sympy"
    return Problem(inputs, *labels, Settings(scale=scale, mask=mask, **chosen))


def texts_of(name: str, x: Any, symbols: tuple[str, ...] = (), limits: Limits = LIMITS) -> Texts:
    """A matrix as canonical texts, from nested lists, a NumPy array (or what becomes one) or a sympy Matrix.

    >>> texts_of("Q", [[1, "−0.50"], [0.1, "½"]])
    (('1', '-0.50'), ('0.1', '1/2'))
    >>> texts_of("Q", [[1, 2], [3]])
    Traceback (most recent call last):
        ...
    exactattn.errors.ShapeError: Q: row 2 has 1 entry, row 1 has 2: every row needs the same
    """
    rows = _rows(name, x)
    if name.startswith("b_") and rows and not isinstance(rows[0], list | tuple):
        rows = [rows]
    if not rows or any(not isinstance(row, list | tuple) for row in rows):
        raise ShapeError("{name} is no matrix: a list of rows was due, each a list of numbers", name=name)
    if not rows[0]:
        raise ShapeError("{name} is empty: at least one row and one column are due", name=name)
    for i, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise ShapeError(
                "{name}: row {row} has {came} {entries}, row 1 has {due}: every row needs the same",
                name=name, row=i + 1, came=len(row), entries="entry" if len(row) == 1 else "entries", due=len(rows[0]),
            )  # fmt: skip
    if name.startswith("b_") and len(rows) != 1:
        raise ShapeError("{name} has {rows} rows: a bias is one row of numbers", name=name, rows=len(rows))
    out = []
    for i, row in enumerate(rows):
        texts = []
        for j, entry in enumerate(row):
            try:
                texts.append(canonical(entry, symbols=symbols, limits=limits))
            except NumberError as error:
                raise NumberError(
                    "{name}, row {row}, column {column}: {why}", name=name, row=i + 1, column=j + 1, why=str(error)
                ) from None
        out.append(tuple(texts))
    return tuple(out)


def _rows(name: str, x: Any) -> Any:
    if isinstance(x, list | tuple):
        return [list(row) if _is_array(row) else row for row in x]
    if _is_array(x):
        if not hasattr(x, "dtype") or type(x).__module__.partition(".")[0] != "numpy":
            import numpy

            x = numpy.asarray(x)
        if x.ndim not in (1, 2):
            raise ShapeError("{name} has {ndim} dimensions: a matrix has 2", name=name, ndim=x.ndim)
        # iterating keeps each entry in the array's own format: float32 prints its own shortest decimal
        return [list(row) for row in x] if x.ndim == 2 else list(x)
    if hasattr(x, "tolist"):  # sympy matrices
        return x.tolist()
    return None


def _is_array(x: Any) -> bool:
    return hasattr(x, "__array__") and not hasattr(x, "free_symbols")


def _number(name: str, x: Any, symbols: tuple[str, ...], limits: Limits) -> str:
    try:
        return canonical(x, symbols=symbols, limits=limits)
    except NumberError as error:
        raise NumberError("{name}: {why}", name=name, why=str(error)) from None


def _shapes(inputs: Mapping[str, Texts], heads: Any) -> tuple[int, int, int | None]:
    """n queries, m keys and the score width of one head; every product and bias must fit."""
    if not isinstance(heads, int) or isinstance(heads, bool) or heads < 1:
        raise OptionError("heads {heads!r}: a whole number from 1 up was due", heads=heads)
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
    return n, m, d_k // heads


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
    if name in size:
        if weight:
            raise InputError("{name} and W_{name} are both given: give one or the other", name=name)
        return None
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


def _labels(
    tokens: Sequence[str] | None, key_tokens: Sequence[str] | None, n: int, m: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """One label for each query and each key."""
    rows = _checked_labels("tokens", tokens, n, "query") if tokens is not None else None
    if key_tokens is not None:
        columns = _checked_labels("key_tokens", key_tokens, m, "key")
    elif rows is not None and n == m:
        columns = rows
    else:
        columns = tuple(f"k{j + 1}" for j in range(m))
    if rows is None:
        rows = columns if n == m and key_tokens is not None else tuple(f"q{i + 1}" for i in range(n))
    return rows, columns


def _checked_labels(name: str, labels: Sequence[str], due: int, what: str) -> tuple[str, ...]:
    if isinstance(labels, str):
        raise LabelError("{name} is one text: a list of texts was due, one per {what}", name=name, what=what)
    out = tuple(labels)
    wrong = [label for label in out if not isinstance(label, str)]
    if wrong:
        raise LabelError("{name} holds {label!r}, which is no text", name=name, label=wrong[0])
    if len(out) != due:
        raise LabelError(
            "{name} has {came}, one per {what} is due: {due}", name=name, came=len(out), what=what, due=due
        )
    return out


def _mask(mask: Any) -> Mask:
    if mask is None:
        return "none"
    if isinstance(mask, str):
        known: tuple[Literal["none", "causal"], ...] = ("none", "causal")
        for name in known:
            if mask == name:
                return name
        raise OptionError(
            "mask {mask!r} is not one of none, causal, or a matrix of 0 and 1{hint}",
            mask=mask,
            hint=nearest(mask, known),
        )
    rows = _rows("mask", mask)
    if not rows or any(not isinstance(row, list | tuple) for row in rows):
        raise OptionError("the mask is no matrix: none, causal, or rows of 0 and 1 (1 = may attend) were due")
    return tuple(tuple(_open(entry, i, j) for j, entry in enumerate(row)) for i, row in enumerate(rows))


def _open(entry: Any, i: int, j: int) -> bool:
    text = str(entry)
    if text in ("1", "True", "1.0"):
        return True
    if text in ("0", "False", "0.0"):
        return False
    raise OptionError(
        "mask, row {row}, column {column}: {entry!r} is neither 0 nor 1 (1 = may attend)",
        row=i + 1,
        column=j + 1,
        entry=text,
    )


def _x(size: tuple[int, int]) -> str:
    return f"{size[0]} × {size[1]}"
