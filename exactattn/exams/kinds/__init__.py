"""The question kinds there are: every module in this folder that has a `KIND`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from exactattn.errors import OptionError, nearest
from exactattn.exams.kinds.kind import Given, Kind
from exactattn.exams.model import Question
from exactattn.i18n import Messages

__all__ = ["Given", "Kind", "find", "kinds", "words_key"]


@cache
def kinds() -> dict[str, Kind]:
    """All kinds by id, in order."""
    modules = [import_module(f"{__name__}.{found.name}") for found in iter_modules(__path__)]
    found = [module.KIND for module in modules if hasattr(module, "KIND")]
    return {kind.id: kind for kind in sorted(found, key=lambda kind: kind.id)}


def find(name: str) -> Kind:
    """A kind by id ("K04") or name ("full-attention"); an error suggests a near one."""
    known = kinds()
    for kind in known.values():
        if name in (kind.id, kind.name):
            return kind
    names = [*known, *(kind.name for kind in known.values())]
    raise OptionError(
        "question kind {name!r} is unknown{hint}; see exactattn exam --kinds", name=name, hint=nearest(name, names)
    )


def words_key(question: Question, end: str, words: Messages) -> str:
    """The key of a text of the question's kind: that of its case where the case has one, else that of the kind."""
    kind = f"exam.kind.{find(question.asked.kind).name}"
    own = f"{kind}.{question.case}.{end}"
    return own if question.case and words.has(own) else f"{kind}.{end}"
