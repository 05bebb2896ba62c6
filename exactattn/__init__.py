"""Attention worked by hand, exactly: softmax(QKᵀ/√d_k)V with every printed digit proven.

>>> import exactattn as xa
>>> trace = xa.attend([["0.405", "-0.238"]], [["-0.507", "1.624"], ["0.023", "0.642"]], [["0.508"], ["1.138"]])
>>> trace.weights.decimal(3), trace.output[0, 0].decimal(20)
([['0.421', '0.579']], '0.87252011178072758218')

What needs more than the number core is imported when it is used.
"""

from __future__ import annotations

from importlib import import_module

__version__ = "0.1.0"

TYPE_CHECKING = False  # of the module typing, which the command line would wait for
if TYPE_CHECKING:
    from typing import Any

    from exactattn.attention import attend
    from exactattn.audits import Audit, audit
    from exactattn.cases import Case, bundled, load_case
    from exactattn.errors import ExactAttnError
    from exactattn.exams.exam import Exam, exam
    from exactattn.exports.formats import export
    from exactattn.numbers.limits import Limits
    from exactattn.numbers.value import Value
    from exactattn.solution import Solution, render, solve
    from exactattn.testing.reference import reference
    from exactattn.trace import Quantity, Step, Trace

_HOMES = {
    "attend": "exactattn.attention",
    "Audit": "exactattn.audits",
    "audit": "exactattn.audits",
    "Case": "exactattn.cases",
    "bundled": "exactattn.cases",
    "load_case": "exactattn.cases",
    "ExactAttnError": "exactattn.errors",
    "Exam": "exactattn.exams.exam",
    "exam": "exactattn.exams.exam",
    "export": "exactattn.exports.formats",
    "Limits": "exactattn.numbers.limits",
    "Value": "exactattn.numbers.value",
    "reference": "exactattn.testing.reference",
    "Solution": "exactattn.solution",
    "render": "exactattn.solution",
    "solve": "exactattn.solution",
    "Quantity": "exactattn.trace",
    "Step": "exactattn.trace",
    "Trace": "exactattn.attention",  # and not exactattn.trace: `Trace.from_json` solves again
}

__all__ = [
    "Audit",
    "Case",
    "ExactAttnError",
    "Exam",
    "Limits",
    "Quantity",
    "Solution",
    "Step",
    "Trace",
    "Value",
    "attend",
    "audit",
    "bundled",
    "exam",
    "export",
    "load_case",
    "reference",
    "render",
    "solve",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'exactattn' has no attribute {name!r}")
    found = getattr(import_module(_HOMES[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
