"""Test classes for one's own pytest: one test for each identity.

    from exactattn.testing import softmax_suite

    TestMySoftmax = softmax_suite(my_softmax, dtype="float32")

The callable runs in the tests' own process. So a suite cannot stop one that hangs or crashes the interpreter: `exactattn
verify` can. All tests of a class share one run over the same inputs, made when the first of them is called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from exactattn.errors import InputError
from exactattn.testing.bounds import Accumulation, Strictness
from exactattn.testing.calling import call, quiet
from exactattn.testing.examine import EXAMPLES, Asked, Examination, names_of
from exactattn.testing.inputs import Answer, Input
from exactattn.testing.plainly import plainly
from exactattn.testing.result import RowResult, Verdict
from exactattn.testing.signature import Signature, signature_of

CANNOT = (
    "It runs in this process: it cannot stop a callable that hangs or crashes the interpreter (exactattn verify can)."
)


def softmax_suite(
    called: Callable[..., Any],
    dtype: str | Sequence[str] = "float32",
    *,
    kind: str | None = None,
    axis: int | None = None,
    examples: int = EXAMPLES,
    seed: int = 0,
    conventions: Mapping[str, str] | None = None,
    accuracy: Strictness = "usual",
    accumulate: Accumulation = "float32",
    strict: bool = False,
) -> type:
    """A test class for a softmax, log-softmax or log-sum-exp of (x) or (x, axis), in one number type or several.

    The options are those of `verify`. Errors: OptionError, InputError for a callable that is for attention.

    >>> import numpy as np
    >>> def half(x):
    ...     return x / 2
    >>> suite = softmax_suite(half, examples=5, kind="softmax")
    >>> suite().test_sums_to_one()  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
        ...
    AssertionError: sums-to-one fails for half in float32
    """
    takes = signature_of(called, getattr(called, "__name__", "softmax"), kind)
    if takes.kind == "attention":
        raise InputError("{name} takes (q, k, v): attention_suite is for it", name=_name(called))
    asked = Asked(axis, _types(dtype), examples, (), conventions or {}, seed, accuracy, accumulate, strict)
    return _suite(called, takes, asked)


def attention_suite(
    called: Callable[..., Any],
    dtype: str | Sequence[str] = "float32",
    *,
    examples: int = EXAMPLES,
    seed: int = 0,
    conventions: Mapping[str, str] | None = None,
    accuracy: Strictness = "usual",
    accumulate: Accumulation = "float32",
    strict: bool = False,
) -> type:
    """A test class for an attention of (q, k, v) and those of mask, is_causal and scale that it has.

    The options are those of `verify`. Errors: OptionError.

    >>> from exactattn.testing.by_numpy import attention
    >>> suite = attention_suite(attention, examples=5)
    >>> suite().test_causal_prefix(), suite().test_accuracy()
    (None, None)
    """
    takes = signature_of(called, getattr(called, "__name__", "attention"), "attention")
    asked = Asked(None, _types(dtype), examples, (), conventions or {}, seed, accuracy, accumulate, strict)
    return _suite(called, takes, asked)


def _suite(called: Callable[..., Any], takes: Signature, asked: Asked) -> type:
    asked.check(takes.kind)
    name = _name(called)
    target = f"{getattr(called, '__module__', None) or 'here'}:{name}"

    def caller(given: Input) -> Answer:
        with quiet():
            return call(called, takes, given)

    @cache
    def rows() -> list[RowResult]:
        return Examination(caller, takes, asked, target).run()[0]

    def test_of(row: str) -> Callable[[Any], None]:
        def test(self: Any) -> None:
            __tracebackhide__ = True  # pytest shows what failed, not where we say so
            found = [one for one in rows() if one.name == row]
            failing = [plainly(one, name) for one in found if one.verdict == FAILS]
            if failing:
                raise AssertionError("\n\n".join(failing))
            if not found or all(one.verdict == UNASKED for one in found):
                _skip(f"nothing that {name} takes asks for {row}")

        test.__name__ = f"test_{row.replace('-', '_')}"
        test.__doc__ = f"{row} holds for {name}."
        return test

    tests = [test_of(row) for row in names_of(takes.kind)]
    members = {test.__name__: test for test in tests}
    return type(
        f"Test_{name}", (), {"__doc__": f"The identities of {takes.kind}, asked of {name}. {CANNOT}", **members}
    )


FAILS: Verdict = "fails"
UNASKED: Verdict = "unasked"


def _skip(reason: str) -> None:
    from unittest import SkipTest

    raise SkipTest(reason)


def _name(called: Callable[..., Any]) -> str:
    return getattr(called, "__qualname__", None) or type(called).__name__


def _types(dtype: str | Sequence[str]) -> tuple[str, ...]:
    return (dtype,) if isinstance(dtype, str) else tuple(dict.fromkeys(dtype))
