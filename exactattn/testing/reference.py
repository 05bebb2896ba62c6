"""Attention's correctly rounded result for arrays: what a kernel's regression tests compare with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

from flint import fmpq, fmpq_mat

from exactattn.errors import InputError, NumberError, OptionError, ShapeError, nearest
from exactattn.numbers import surd as surds
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.matrix import Linear
from exactattn.numbers.parse import canonical, surd
from exactattn.numbers.surd import Surd
from exactattn.numbers.units import ONE
from exactattn.testing.formats import Entry, Format, Special, decode, exactly, floating, format_of
from exactattn.testing.truth import attention_head

if TYPE_CHECKING:
    from exactattn.testing.formats import Array

Alignment: TypeAlias = Literal["top-left", "bottom-right"]
FullyMasked: TypeAlias = Literal["zero", "nan", "uniform", "error"]
Rows: TypeAlias = list[list[Entry]]

_INF, _NAN = float("inf"), float("nan")


def reference(
    q: Any,
    k: Any,
    v: Any,
    mask: Any = None,
    out: str = "binary32",
    scale: Any = None,
    is_causal: bool = False,
    *,
    alignment: Alignment | None = None,
    fully_masked: FullyMasked = "zero",
    limits: Limits = LIMITS,
) -> Array:
    """softmax(q·kᵀ·scale + mask)·v of the exact numbers that the arrays hold, each entry correctly rounded to `out`.

    q is (…, n, d), k (…, m, d), v (…, m, d_v); the result is (…, n, d_v). Leading axes are batches and heads and are the
    same in all three, except that the last of them (the heads) may be fewer in k and v where they divide those of q: query
    head h then uses key-value head h // (heads of q / heads of k). Entries are float16, bfloat16, float32, float64 or
    integers, taken as the numbers their bits are.

    `mask` broadcasts to (…, n, m): boolean (True: keep) or floats that are added to the scaled scores, −∞ closing a key.
    `is_causal` closes the keys after a query; with n ≠ m it needs `alignment`: "top-left" (query i sees keys 0 to i) or
    "bottom-right" (the last query sees all). `scale` multiplies q·kᵀ: by default exactly 1/√d; a float is the number its
    bits are, a text is read as in "1/sqrt(8)". `out` is float16, bfloat16, float32 or float64, or binary16, binary32,
    binary64; ties go to even, too large a result is an infinity, a zero is +0.

    A row in which every key is closed is "zero" by default (as in ONNX), "nan", "uniform" (the mean of all values) or an
    "error". NaN and infinities follow the standard: in a query, an open key or its mask they make a score NaN (the row is
    NaN), +∞ (the row is NaN too: ∞ − ∞) or −∞ (the key is closed); in the value of an open key they are the result of
    their column. What a closed key holds never matters.

    Raises ShapeError, OptionError, NumberError, InputError; MissingProgram for bfloat16 without ml_dtypes; Undecided
    where a rounding is still open at the limit 'bits'.

    >>> import numpy as np
    >>> q, k = np.float32([[1, 0]]), np.float32([[1, 0], [0, 1], [9, 9]])
    >>> v = np.float32([[1, 2], [3, 4], [np.nan, 6]])
    >>> reference(q, k, v, mask=[[True, True, False]], out="float16", scale="ln(3)")
    array([[1.5, 2.5]], dtype=float16)
    """
    import numpy as np

    form = floating(out)
    _one_of("alignment", alignment, (None, *get_args(Alignment)))
    _one_of("fully_masked", fully_masked, get_args(FullyMasked))
    if not isinstance(is_causal, bool | np.bool_):
        raise OptionError("is_causal is {given!r}: True or False was due", given=is_causal)
    arrays = {name: _array(name, x) for name, x in (("q", q), ("k", k), ("v", v))}
    shape = _shape_of({name: x.shape for name, x in arrays.items()})
    if is_causal and shape.n != shape.m and alignment is None:
        raise OptionError(
            "is_causal over {n} queries and {m} keys needs alignment: top-left (query i sees keys up to i) or "
            "bottom-right (the last query sees all)", n=shape.n, m=shape.m,
        )  # fmt: skip
    masks = _masks(mask, shape)
    by = _scale(scale, shape.d, limits)
    offset = shape.m - shape.n if alignment == "bottom-right" else 0
    flat: list[float] = []
    for at in np.ndindex(shape.leading):
        shared = (*at[:-1], at[-1] // shape.group) if at else ()
        head = _Head(_rows(arrays["q"][at]), _rows(arrays["k"][shared]), _rows(arrays["v"][shared]), shape.widths)
        keep, bias = _opened(None if masks is None else masks[at], shape.n, shape.m)
        if is_causal:
            keep = [[held and j <= i + offset for j, held in enumerate(row)] for i, row in enumerate(keep)]
        flat.extend(_work(head, keep, bias, by, form, fully_masked, at, limits))
    return form.encode(flat, (*shape.leading, shape.n, shape.widths[1]))


# -- what is given ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Shape:
    leading: tuple[int, ...]
    group: int
    n: int
    m: int
    widths: tuple[int, int]

    @property
    def d(self) -> int:
        return self.widths[0]


def _array(name: str, x: Any) -> Array:
    held = _as_array(name, x)
    if format_of(held) is None and held.dtype.kind not in "iu":
        raise NumberError(
            "{name} is an array of {dtype}: float16, bfloat16, float32, float64 or integers were due",
            name=name, dtype=str(held.dtype),
        )  # fmt: skip
    if held.ndim < 2:
        raise ShapeError("{name} has shape {came}: (…, rows, width) was due", name=name, came=held.shape)
    return held


def _as_array(name: str, x: Any) -> Array:
    import numpy as np

    if isinstance(x, np.ma.MaskedArray):
        raise NumberError("{name} is a masked array: plain numbers were due, and keys are closed by mask", name=name)
    try:
        return np.asarray(x)
    except ValueError:
        raise ShapeError("{name}: rows of different lengths are no array", name=name) from None
    except TypeError as error:  # a tensor of a format that NumPy does not know, or on a device
        raise NumberError("{name} does not become an array ({why})", name=name, why=str(error)) from None


def _shape_of(shapes: dict[str, tuple[int, ...]]) -> _Shape:
    (*lead_q, n, d), (*lead_k, m, d_k), (*lead_v, m_v, d_v) = shapes["q"], shapes["k"], shapes["v"]
    told = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
    if d_k != d:
        raise ShapeError("{told}: q and k need the same last axis, the width d", told=told)
    if m_v != m:
        raise ShapeError("{told}: each key needs one value", told=told)
    if d == 0:
        raise ShapeError("{told}: a width of 0 has no scores", told=told)
    grouped = bool(lead_q and lead_k) and len(lead_q) == len(lead_k) and lead_k[-1] > 0 and lead_q[-1] % lead_k[-1] == 0
    if lead_k != lead_v or (lead_q != lead_k and not (grouped and lead_q[:-1] == lead_k[:-1])):
        raise ShapeError(
            "{told}: the leading axes must be the same, or the last of them (the heads) in k and v divide that of q",
            told=told,
        )
    return _Shape(tuple(lead_q), lead_q[-1] // lead_k[-1] if grouped else 1, n, m, (d, d_v))


def _masks(mask: Any, shape: _Shape) -> Array | None:
    """The mask, spread over all heads."""
    import numpy as np

    if mask is None:
        return None
    held = _as_array("mask", mask)
    if format_of(held) is None and held.dtype.kind != "b":
        raise NumberError(
            "the mask is an array of {dtype}: booleans (True: keep) or floats (added to the scores) were due",
            dtype=str(held.dtype),
        )
    due = (*shape.leading, shape.n, shape.m)
    try:
        return np.broadcast_to(held, due)
    except ValueError:
        raise ShapeError(
            "the mask has shape {came}: it does not broadcast to {due}", came=held.shape, due=due
        ) from None


def _scale(scale: Any, d: int, limits: Limits) -> Surd:
    if scale is None:
        return surd(f"1/sqrt({d})", limits)
    if getattr(scale, "shape", None) == ():
        scale = scale[()] if hasattr(scale, "__getitem__") else scale
    if getattr(scale, "ndim", 0):
        raise NumberError("scale has shape {shape}: one number was due", shape=scale.shape)
    if isinstance(scale, str):
        return surd(canonical(str(scale), limits=limits), limits)
    number: Entry = None
    if isinstance(scale, int | Fraction) and not isinstance(scale, bool):
        number = Fraction(scale)
    elif isinstance(scale, float) or format_of(scale) is not None:
        number = exactly(float(scale))
    elif getattr(getattr(scale, "dtype", None), "kind", "") in ("i", "u"):
        number = Fraction(int(scale))
    if not isinstance(number, Fraction):
        raise NumberError("scale {scale!r}: a finite number was due, or a text such as '1/sqrt(8)'", scale=scale)
    return surds.rational(fmpq(number.numerator, number.denominator))


def _opened(mask: Array | None, n: int, m: int) -> tuple[list[list[bool]], Rows | None]:
    """What a mask leaves open, n × m, and what it adds (None for nothing)."""
    if mask is None:
        return [[True] * m for _ in range(n)], None
    if mask.dtype.kind == "b":
        return mask.tolist(), None
    bias = _rows(mask)
    return [[x is not None for x in row] for row in bias], bias


def _rows(x: Array) -> Rows:
    flat, (n, m) = decode(x), x.shape
    return [flat[i * m : (i + 1) * m] for i in range(n)]


def _one_of(name: str, came: Any, known: Sequence[str | None]) -> None:
    if came not in known:
        words = [word for word in known if word is not None]
        raise OptionError(
            "{name} {came!r} is not one of {known}{hint}",
            name=name, came=came, known=", ".join(words), hint=nearest(str(came), words),
        )  # fmt: skip


# -- one head --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Head:
    q: Rows
    k: Rows
    v: Rows
    widths: tuple[int, int]


def _work(
    head: _Head, keep: list[list[bool]], bias: Rows | None, by: Surd, form: Format, fully_masked: FullyMasked,
    at: tuple[int, ...], limits: Limits,
) -> Iterator[float]:  # fmt: skip
    """The entries of one head's output, row by row."""
    n, m, (_, d_v) = len(head.q), len(head.k), head.widths
    lost = _infinite_scores(head, keep, bias, by, limits)
    closed = [i for i, row in enumerate(keep) if not any(row) and i not in lost]
    if closed and fully_masked == "error":
        raise InputError(
            "query {i}{of} may attend to no key: choose fully_masked = zero, nan or uniform, or open the mask",
            i=closed[0] + 1, of=f" of head {at}" if at else "",
        )  # fmt: skip
    found: list[list[float]] = [[0.0] * d_v for _ in range(n)]
    if n and m and d_v:
        worked = attention_head(
            _matrix(head.q), _matrix(head.k), _matrix(head.v), by=by, limits=limits,
            keep=None if all(map(all, keep)) else tuple(map(tuple, keep)),
            bias=None if bias is None else _matrix(bias),
        )  # fmt: skip
        found = worked.round_output(form, limits)
    special = _infinities(head.v) if m else [[]] * d_v
    for i, row in enumerate(found):
        if i in lost:
            yield from [_NAN] * d_v
        elif any(keep[i]):
            yield from _with_infinities(row, keep[i], special)
        else:
            yield from _by_convention(head.v, d_v, form, fully_masked)


def _infinite_scores(
    head: _Head, keep: list[list[bool]], bias: Rows | None, by: Surd, limits: Limits
) -> frozenset[int]:
    """The rows whose softmax is NaN, because an open score is NaN or +∞. Where one is −∞, the key is closed in `keep`."""
    queries = [not all(isinstance(x, Fraction) for x in row) for row in head.q]
    keys = [not all(isinstance(x, Fraction) for x in row) for row in head.k]
    added = [[isinstance(x, Special) for x in row] for row in bias] if bias is not None else None
    if not any(queries) and not any(keys) and not (added and any(map(any, added))):
        return frozenset()
    sign = _sign(by, limits)
    lost = set()
    for i, row in enumerate(keep):
        for j, held in enumerate(row):
            if not held:
                continue
            total = 0.0
            if queries[i] or keys[j]:
                total = sum((_direction(a) * _direction(b) for a, b in zip(head.q[i], head.k[j], strict=True)), 0.0)
                total *= sign
            if added is not None and bias is not None and added[i][j]:
                total += _direction(bias[i][j])
            if total == -_INF:
                row[j] = False
            elif total != total or total == _INF:
                lost.add(i)
    return frozenset(lost)


def _direction(x: Entry) -> float:
    """An entry as far as infinities and NaN go: ±∞, NaN, or its sign (so no product of finite entries overflows)."""
    match x:
        case None:
            return -_INF
        case Special():
            return float(x.value)
    return float((x > 0) - (x < 0))


def _sign(by: Surd, limits: Limits) -> int:
    from exactattn.numbers.value import Value

    return Value(Linear.of([by], (1, 1)), limits).sign()


def _infinities(values: Rows) -> list[list[tuple[int, float]]]:
    """The keys, by column, whose value is NaN or an infinity."""
    return [
        [(key, _direction(x)) for key, x in enumerate(column) if not isinstance(x, Fraction)]
        for column in zip(*values, strict=True)
    ]


def _with_infinities(row: list[float], keep: list[bool], special: list[list[tuple[int, float]]]) -> list[float]:
    """A row of output: a column in which an open key has NaN or an infinity becomes that, for its weight is positive."""
    out = []
    for x, column in zip(row, special, strict=True):
        found = [what for key, what in column if keep[key]]
        out.append(sum(found, 0.0) if found else x)  # ∞ − ∞ is NaN, as it should be
    return out


def _by_convention(values: Rows, d_v: int, form: Format, fully_masked: FullyMasked) -> list[float]:
    if fully_masked == "uniform" and values:
        finite = [[x if isinstance(x, Fraction) else Fraction(0) for x in value] for value in values]
        means = [sum(column, Fraction(0)) / len(values) for column in zip(*finite, strict=True)]
        return _with_infinities([x.to_float() for x in form.round(means)], [True] * len(values), _infinities(values))
    return [_NAN if fully_masked in ("nan", "uniform") else 0.0] * d_v


def _matrix(rows: Rows) -> Linear:
    """The entries as an exact matrix, 0 for what is no number: such a row or key counts no more, or is seen to apart."""
    shape = (len(rows), len(rows[0]))
    flat = [fmpq(x.numerator, x.denominator) if isinstance(x, Fraction) else fmpq(0) for row in rows for x in row]
    assert len(flat) == prod(shape)
    return Linear(shape, {ONE: fmpq_mat(*shape, flat)})
