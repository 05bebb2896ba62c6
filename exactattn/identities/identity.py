"""A row of the catalogue: a statement about softmax and attention, with what shows that it is true."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from string import ascii_lowercase
from typing import TYPE_CHECKING, Literal, TypeAlias

from exactattn.document import Inlines, Math, Maths, plain
from exactattn.i18n import Messages, messages
from exactattn.identities.notation import maths

if TYPE_CHECKING:
    from exactattn.identities.checking.check import Fact
    from exactattn.identities.checking.given import Given
    from exactattn.identities.proving.claims import Claim

Kind: TypeAlias = Literal["P", "A", "D", "C"]
"""Proved for symbolic entries; analytic, certified by enclosures; decided by the normal form; a convention."""

Method: TypeAlias = Literal["rational", "positivity", "derivative", "logarithm", "rotation", "moments", "structural"]
"""How a machine proves it (see `proving`)."""

Claims: TypeAlias = Callable[[int], "Iterable[Claim]"]
"""What is to be proved at a given n."""

Check: TypeAlias = "Callable[[Given], Iterable[Fact]]"
"""What is to be decided for given numbers."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A statement, by number and name.

    `statement` and `derivation` are lines of maths in the small notation of `notation`; the prose (title, conditions,
    proof, what the false twins say) is in `i18n` under `identity.<name>`, and `parts` fill the {a}, {b}, … in it.
    A row of kind P has `claims` (what is proved, by `method`) and `twins` (plausible but false: the prover must refuse
    each); a row of kind A or D has a `check`; a row of kind C has `options`, the conventions there are.
    """

    number: int
    name: str
    kinds: tuple[Kind, ...]
    statement: tuple[str, ...]
    derivation: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    method: Method | None = None
    claims: Claims | None = None
    twins: tuple[Claims, ...] = ()
    check: Check | None = None
    options: tuple[str, ...] = ()
    source: str = ""

    def title(self, lang: str = "en") -> str:
        """What it is called: "The weights add up to 1"."""
        return messages(lang).text(f"identity.{self.name}.title")

    def said(self, key: str, words: Messages) -> Inlines:
        """Prose with its maths: "where" it holds, "proof", "twin", "float"; nothing where there are no such words."""
        if f"identity.{self.name}.{key}" not in words.keys():  # noqa: SIM118
            return ()
        parts = {letter: Math(maths(part)) for letter, part in zip(ascii_lowercase, self.parts, strict=False)}
        return words.say(f"identity.{self.name}.{key}", **parts)

    @property
    def float_bound(self) -> str | None:
        """What a good implementation in floating point can promise; None where nothing is."""
        return plain(self.said("float", messages("en"))) or None

    @property
    def lines(self) -> tuple[Maths, ...]:
        """The statement as maths, a tree for each line."""
        return tuple(map(maths, self.statement))
