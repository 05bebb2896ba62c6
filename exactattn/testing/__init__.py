"""Other people's code against the truth: correctly rounded references, verification, pytest suites.

What needs NumPy or Hypothesis is imported when it is used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from exactattn.testing.calling import find
    from exactattn.testing.drawing import attention_inputs, score_rows
    from exactattn.testing.result import Verification
    from exactattn.testing.suites import attention_suite, softmax_suite
    from exactattn.testing.verifying import verify

_HOMES = {
    "Verification": "result",
    "attention_inputs": "drawing",
    "attention_suite": "suites",
    "find": "calling",
    "score_rows": "drawing",
    "softmax_suite": "suites",
    "verify": "verifying",
}

__all__ = [
    "Verification",
    "attention_inputs",
    "attention_suite",
    "find",
    "score_rows",
    "softmax_suite",
    "verify",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'exactattn.testing' has no attribute {name!r}")
    found = getattr(import_module(f"exactattn.testing.{_HOMES[name]}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
