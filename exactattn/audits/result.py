"""The audit as its caller has it: verdicts by name, what else was found, and whether it passes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, Literal, TypeAlias

from exactattn.audits.cause import Cause, cause
from exactattn.audits.examine import Examined, examine, reading_of, true_values
from exactattn.audits.identities import Refuted, refuted
from exactattn.audits.marks import FalseClaim, FalseMark, false_claims, false_marks
from exactattn.audits.printed import Rows
from exactattn.audits.verdicts import FAULTS, VERDICTS, Verdict
from exactattn.cases import Case
from exactattn.errors import OptionError, nearest
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.present.places import Found, auto

FailOn: TypeAlias = Literal["wrong", "any"]
FAIL_ON: tuple[FailOn, ...] = ("wrong", "any")
_MOST_ENTRIES = 144
"""Entries of a matrix up to which the fewest digits are looked for."""


@dataclass(frozen=True, slots=True)
class Audit:
    """An audited example. `verdicts[name][row][column]`; several heads are under `verdicts["heads"][h]`."""

    examined: Examined
    refuted: tuple[Refuted, ...]
    marks: tuple[FalseMark, ...]
    claims: tuple[FalseClaim, ...]
    cause: Cause | None
    _digits: list[Found | None] = field(default_factory=list, repr=False, compare=False)

    @property
    def case(self) -> Case:
        """The case that was audited."""
        return self.examined.case

    @property
    def verdicts(self) -> dict[str, Any]:
        """The verdict of each printed number in the shape of `printed`; None for what is not printed. `sums` is flat."""
        printed, written = self.examined.printed, self.case.extra["printed"]
        out: dict[str, Any] = {name: self._table(name, None, rows, written) for name, rows in printed.shared.items()}
        if "heads" in written:
            out["heads"] = [
                {name: self._table(name, h, rows, written["heads"][h]) for name, rows in head.items()}
                for h, head in enumerate(printed.heads)
            ]
        return out

    def _table(self, name: str, head: int | None, rows: Rows, written: Mapping[str, Any]) -> list[Any]:
        """Row by row; a row that is null in the case is None here."""
        table = [[self._verdict(name, head, i, j) for j in range(len(row))] for i, row in enumerate(rows)]
        if name == "sums":
            return [row[0] for row in table]
        return [None if written[name][i] is None else row for i, row in enumerate(table)]

    def _verdict(self, name: str, head: int | None, i: int, j: int) -> Verdict | None:
        found = self.examined.at((name, head, i, j))
        return None if found is None else found.verdict

    @property
    def digits(self) -> Found | None:
        """The fewest decimals with which every printed line would reproduce; None where the inputs do not say, or are many.

        Looked for when asked: that takes longer than all verdicts.
        """
        if not self._digits:
            self._digits.append(_fewest(self.examined))
        return self._digits[0]

    @property
    def totals(self) -> dict[Verdict, int]:
        """How many numbers have each verdict, in the order from right to wrong."""
        counts = Counter(one.verdict for one in self.examined.judged)
        return {name: counts[name] for name in VERDICTS if counts[name]}

    def passes(self, fail_on: FailOn = "wrong") -> bool:
        """Does the example pass?

        "wrong": nothing wrong or inherited, no identity refuted, no false mark or claim. "any": all ok or unchecked.
        """
        if fail_on not in FAIL_ON:
            known = ", ".join(FAIL_ON)
            raise OptionError(
                "fail-on {name!r} is not one of {known}{hint}",
                name=fail_on,
                known=known,
                hint=nearest(fail_on, FAIL_ON),
            )
        bad = set(FAULTS) if fail_on == "wrong" else set(VERDICTS) - {"ok", "unchecked"}
        return not (self.refuted or self.marks or self.claims or bad & set(self.totals))

    def __repr__(self) -> str:
        return f"<Audit {self.case.id}: {', '.join(f'{count} {name}' for name, count in self.totals.items())}>"


def audit(case: str | PathLike[str] | Case | Mapping[str, Any], limits: Limits = LIMITS) -> Audit:
    """Judge every printed number of a case (`[printed]`), and say where it first went wrong and why.

    >>> found = audit("xian")
    >>> found.verdicts["output"][1][0], found.verdicts["exps"][1][4], found.cause
    ('hidden-digits', 'ok', None)
    """
    examined = examine(case, limits)
    printed, setting, trace = examined.printed, examined.setting, examined.trace
    true = {
        name: matrix for name in ("Q", "K", "V", "scores", "scaled", "shifted", "exps", "sums", "weights", "output")
        if (matrix := true_values(trace, name, None, limits)) is not None
    } if trace is None or len(trace.heads) == 1 else {}  # fmt: skip
    return Audit(
        examined,
        tuple(refuted(printed, setting, limits)),
        tuple(false_marks(examined.case, printed, true, setting.keep)),
        tuple(false_claims(examined.case, printed, reading_of(examined.case, limits))),
        cause(examined, limits),
    )


def _fewest(examined: Examined) -> Found | None:
    trace = examined.trace
    if trace is None or trace.problem.settings.symbols:
        return None
    if len(trace.problem.tokens) * len(trace.problem.key_tokens) > _MOST_ENTRIES:
        return None
    output = examined.printed.shared.get("output", ())
    places = [number.places for row in output for number in row if number is not None and number.places is not None]
    return auto(trace, max(0, *places) if places else 3)
