"""Many audits in one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from exactattn.audits.page import counted, together
from exactattn.audits.result import Audit
from exactattn.audits.verdicts import VERDICTS, Verdict
from exactattn.document import (
    Block,
    Document,
    Inlines,
    Math,
    Note,
    Num,
    Para,
    Strong,
    Table,
    TableCell,
    Text,
    Token,
    plain,
)
from exactattn.i18n import Messages, messages

COLUMNS: Mapping[str, tuple[Verdict, ...]] = {
    "verdicts.ok": ("ok",),
    "rounding": ("hidden-digits", "early-rounding", "last-digit", "explainable"),
    "verdicts.inherited": ("inherited",),
    "verdicts.wrong": ("wrong",),
    "verdicts.unchecked": ("unchecked",),
}
"""The columns of the table: what rounding explains stands in one."""


def table(found: Sequence[tuple[str, Audit | str]], lang: str = "en") -> Document:
    """One line for each file: whether it passes, its numbers and the likely cause; then what could not be read."""
    words = messages(lang)
    audits = [one for _, one in found if isinstance(one, Audit)]
    errors = [(file, one) for file, one in found if isinstance(one, str)]
    counts = Counter[Verdict]()
    for one in audits:
        counts.update(one.totals)
    there = {column: kinds for column, kinds in COLUMNS.items() if any(counts[kind] for kind in kinds)}
    head: list[TableCell] = [words.say("audit.file"), words.say("audit.verdict")]
    head += [*(words.say(f"audit.{column}") for column in there), words.say("audit.cause")]
    rows = [(*_line(words, file, one, there), _cause(words, one)) for file, one in found]
    foot: tuple[TableCell, ...] = (words.say("solution.table.total"), (), *_numbers(counts, there), ())
    blocks: list[Block] = [Table(tuple(head), tuple(rows), "ll" + "r" * len(there) + "l", (), (foot,))]
    causes = Counter(plain(_cause(words, one)) for one in audits if _cause(words, one))
    if causes:
        said: list[Block] = [Para((Text(f"{count} × {name}"),)) for name, count in causes.most_common()]
        blocks.append(Note("check", words.say("audit.causes"), tuple(said)))
    if errors:
        unread: list[Block] = [
            Para((Strong((Token(file),)), *words.say("audit.colon"), Text(error))) for file, error in errors
        ]
        blocks.append(Note("warning", words.say("audit.unread"), tuple(unread)))
    blocks.append(counted(words, {name: counts[name] for name in VERDICTS if counts[name]}))
    title = words.say("audit.folder", count=str(len(found)))
    failing = sum(not one.passes() for one in audits)
    meta = words.say("audit.summary.folder", failing=str(failing), unread=str(len(errors)))
    return Document(title, meta, tuple(blocks), lang, (words.say("audit.running"), ()))


def _line(
    words: Messages, file: str, one: Audit | str, there: Mapping[str, tuple[Verdict, ...]]
) -> tuple[TableCell, ...]:
    """A file, whether it passes, and its numbers."""
    if isinstance(one, str):
        return (Token(file),), words.say("audit.unread"), *(() for _ in there)
    passes = words.say("audit.passes") if one.passes() else (Strong(words.say("audit.fails")),)
    return (Token(file),), passes, *_numbers(one.totals, there)


def _numbers(counts: Mapping[Verdict, int], there: Mapping[str, tuple[Verdict, ...]]) -> tuple[TableCell, ...]:
    sums = (sum(counts.get(kind, 0) for kind in kinds) for kinds in there.values())
    return tuple((Math(Num(str(count))),) if count else () for count in sums)


def _cause(words: Messages, one: Audit | str) -> Inlines:
    """The likely cause of the first wrong number; where none is wrong, what else does not hold."""
    if isinstance(one, str):
        return ()
    if one.cause is None:
        found = {"identity": one.refuted, "mark": one.marks, "claim": one.claims}
        failing = [words.text(f"audit.beside.{name}") for name, several in found.items() if several]
        return (Text(words.text("solution.comma").join(failing)),) if failing else ()
    if one.cause.methods:
        return together(words, one.cause.methods[0])
    if one.cause.slips:
        return words.say(f"slip.{one.cause.slips[0]}.name")
    return words.say("audit.no_cause")
