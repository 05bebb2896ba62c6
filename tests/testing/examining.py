"""A callable examined in the tests' own process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from exactattn.testing.calling import call, quiet
from exactattn.testing.examine import Asked, Examination
from exactattn.testing.inputs import Answer, Input
from exactattn.testing.result import RowResult
from exactattn.testing.signature import Signature, signature_of


def caller_of(called: Callable[..., Any], takes: Signature) -> Callable[[Input], Answer]:
    def caller(given: Input) -> Answer:
        with quiet():
            return call(called, takes, given)

    return caller


def examined(called: Callable[..., Any], kind: str, **asked: Any) -> list[RowResult]:
    takes = signature_of(called, called.__name__, kind)
    return Examination(caller_of(called, takes), takes, Asked(**asked), f"mutants:{called.__name__}").run()[0]


def failing(rows: list[RowResult]) -> set[str]:
    return {row.name for row in rows if row.verdict == "fails"}
