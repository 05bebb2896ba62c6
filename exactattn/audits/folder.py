"""Many audits in one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from exactattn.audits.result import Audit
from exactattn.audits.verdicts import VERDICTS
from exactattn.document import Block, Document, Inlines, Math, Note, Num, Para, Strong, Table, TableCell, Text, Token
from exactattn.i18n import messages


def table(found: Sequence[tuple[str, Audit | str]], lang: str = "en") -> Document:
    """One line for each file: its verdict counts, its first error; then what could not be read."""
    words = messages(lang)
    names = [name for name in VERDICTS if any(name in one.totals for _, one in found if isinstance(one, Audit))]
    head: list[TableCell] = [words.say("audit.file"), words.say("audit.verdict")]
    head += [words.say(f"audit.verdicts.{name.replace('-', '_')}") for name in names]
    rows: list[tuple[TableCell, ...]] = []
    totals: Counter[str] = Counter()
    for file, one in found:
        if isinstance(one, str):
            rows.append(((Token(file),), words.say("audit.unread"), *(() for _ in names)))
            continue
        totals.update(one.totals)
        passes = words.say("audit.passes") if one.passes() else (Strong(words.say("audit.fails")),)
        counts = ((Math(Num(str(one.totals[name]))),) if name in one.totals else () for name in names)
        rows.append(((Token(file),), passes, *counts))
    foot: list[TableCell] = [words.say("solution.table.total"), ()]
    foot += [(Math(Num(str(totals[name]))),) for name in names]
    caption = words.say("audit.folder", count=str(len(found)))
    blocks: list[Block] = [Table(tuple(head), tuple(rows), "ll" + "r" * len(names), caption, (tuple(foot),))]
    blocks += [_causes(found, lang)]
    errors = [(file, one) for file, one in found if isinstance(one, str)]
    if errors:
        said: tuple[Block, ...] = tuple(
            Para((Strong((Token(file),)), Text(": "), Text(error))) for file, error in errors
        )
        blocks.append(Note("warning", words.say("audit.unread"), said))
    title = words.say("audit.folder", count=str(len(found)))
    failing = sum(isinstance(one, Audit) and not one.passes() for _, one in found)
    meta: Inlines = words.say("audit.summary.folder", failing=str(failing), unread=str(len(errors)))
    return Document(title, meta, tuple(blocks), lang, (words.say("audit.running"), ()))


def _causes(found: Sequence[tuple[str, Audit | str]], lang: str) -> Note:
    """What the likely causes are, and how often."""
    words = messages(lang)
    causes: Counter[str] = Counter()
    for _, one in found:
        if isinstance(one, Audit) and one.cause is not None:
            methods = one.cause.methods
            causes[" + ".join(row.label(lang) for row in methods[0]) if methods else words.text("audit.no_cause")] += 1
    said: tuple[Block, ...] = tuple(Para((Text(f"{count} × {name}"),)) for name, count in causes.most_common())
    return Note("check", words.say("audit.causes"), said or (Para(words.say("audit.summary.right")),))
