"""A probed question as a page and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from exactattn.document import (
    Block,
    Document,
    Inlines,
    Math,
    Note,
    Num,
    Para,
    Section,
    Strong,
    Table,
    TableCell,
    Text,
    Token,
)
from exactattn.exams.probe import SIGHTS, Method, Probe, Sight
from exactattn.i18n import Messages, messages
from exactattn.present import notation

FORMAT, VERSION = "exactattn-probe", 1


def as_data(found: Probe) -> dict[str, Any]:
    """The probe as plain data; numbers are texts."""
    better, change = found.better, found.change
    return {
        "format": FORMAT,
        "version": VERSION,
        "id": found.case.id,
        "title": found.case.title,
        "passes": found.passes,
        "ask": {
            "quantity": found.ask.quantity,
            "head": None if found.ask.head is None else found.ask.head + 1,
            "entries": [[i + 1, j + 1] for i, j in found.ask.cells],
            "places": found.ask.places,
            "tolerance": found.ask.tolerance or None,
        },
        "keys": list(found.keys),
        "methods": [
            {
                "name": one.method.name,
                "sight": one.sight,
                "equal": one.equal,
                "asked": len(one.texts),
                "why": one.because,
                "answers": list(one.texts),
            }
            for one in found.methods
        ],
        "stated": [
            {"row": one.cell[0] + 1, "column": one.cell[1] + 1, "key": one.text, "true": one.true, "right": one.right}
            for one in found.stated
        ],
        "stated_key_is_of": list(found.copied),
        "tolerance": {"needed": None if found.needed is None else str(found.needed), "enough": found.enough},
        "better": None
        if better is None
        else {
            "quantity": better.quantity,
            "row": better.row + 1,
            "column": None if better.column is None else better.column + 1,
            "blind": better.blind,
            "seen": better.seen,
        },
        "change": None
        if change is None
        else {
            "matrix": change.name,
            "row": change.row + 1,
            "column": change.column + 1,
            "before": change.before,
            "after": change.after,
            "blind": change.blind,
        },
    }


def to_json(found: Probe) -> str:
    """The probe as JSON text."""
    return json.dumps(as_data(found), ensure_ascii=False, indent=1) + "\n"


def report(found: Probe, lang: str = "en") -> Document:
    """The probe as a page: what it comes to, the stated key, then the wrong methods from unseen to seen."""
    words = messages(lang)
    blocks: list[Block] = [_summary(found, words), *_stated(found, words)]
    for number, sight in enumerate((s for s in SIGHTS if found.of(s)), 1):
        blocks.append(_section(found, words, sight, number))
    title = found.case.title or found.case.id
    return Document(
        words.say("probe.title", title=title), _meta(found, words), tuple(blocks), lang,
        (words.say("probe.running"), (Text(found.case.id),)),
    )  # fmt: skip


def _meta(found: Probe, words: Messages) -> Inlines:
    return words.say(
        "probe.meta",
        quantity=words.say(f"solution.name.{found.ask.quantity}"),
        count=str(len(found.ask.cells)),
        places=str(found.ask.places),
    )


def _summary(found: Probe, words: Messages) -> Note:
    counts = {sight: str(len(found.of(sight))) for sight in SIGHTS}
    blocks: list[Block] = [Para(words.say("probe.counts", count=str(len(found.methods)), **counts))]
    if found.better is not None:
        blocks.append(Para(_better(found, words)))
    if found.change is not None:
        one = found.change
        blocks.append(
            Para(
                words.say(
                    "probe.change",
                    name=Math(notation.bold(one.name)), row=str(one.row + 1), column=str(one.column + 1),
                    before=Math(notation.written(one.before)), after=Math(notation.written(one.after)),
                    blind=str(one.blind),
                )
            )
        )  # fmt: skip
    match found.enough, found.needed:
        case True, _:
            blocks.append(Para(words.say("probe.enough")))
        case False, needed if needed is not None:
            blocks.append(Para(words.say("probe.narrow", needed=Math(Num(_decimal(found))))))
        case False, _:
            blocks.append(Para(words.say("probe.hopeless")))
    if found.passes:
        return Note("check", words.say("probe.passes"), tuple(blocks))
    return Note("warning", words.say("probe.fails"), tuple(blocks))


def _decimal(found: Probe) -> str:
    assert found.needed is not None
    places = found.ask.places + 2  # it is rounded up at these
    digits = str(int(found.needed * 10**places)).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}"


def _better(found: Probe, words: Messages) -> Inlines:
    better = found.better
    assert better is not None
    q = found.trace.step(better.quantity, found.ask.head if found.trace.step_or_none(
        better.quantity, found.ask.head) else None).computed  # fmt: skip
    where: Inlines = (
        *words.say(f"solution.name.{better.quantity}"),
        *words.say("probe.row", row=Token(q.rows[better.row])),
    )
    if better.column is not None:
        where += words.say("probe.column", column=Token(q.columns[better.column]))
    return words.say("probe.better", where=(Strong(where),), blind=str(better.blind), seen=str(better.seen))


def _stated(found: Probe, words: Messages) -> list[Block]:
    if not found.stated:
        return []
    bad = [one for one in found.stated if not one.right]
    if not bad:
        return [Note("check", words.say("probe.key_right"), ())]
    q = found.quantity
    head: tuple[TableCell, ...] = (words.say("probe.where"), words.say("probe.stated"), words.say("probe.true"))
    rows: list[tuple[TableCell, ...]] = [
        (
            (Token(q.rows[one.cell[0]]), Text(" → "), Token(q.columns[one.cell[1]])),
            (Math(notation.written(one.text)),),
            (Math(Num(one.true)),) if one.true.strip("-0123456789.") == "" else (Text(one.true),),
        )
        for one in bad
    ]
    blocks: list[Block] = [Table(head, tuple(rows), "lrr")]
    if found.copied:
        names = _joined([words.say(f"misconception.{name}.name") for name in found.copied], words)
        blocks.append(Para(words.say("probe.copied", names=names)))
    return [Note("warning", words.say("probe.key_wrong", count=str(len(bad))), tuple(blocks))]


def _joined(items: Sequence[Inlines], words: Messages) -> Inlines:
    out: Inlines = ()
    for k, item in enumerate(items):
        out += ((Text(words.text("solution.comma")),) if k else ()) + item
    return out


def _section(found: Probe, words: Messages, sight: Sight, number: int) -> Section:
    methods = found.of(sight)
    title, label = words.say(f"probe.sight.{sight}"), (Text(str(number)),)
    if sight == "seen":
        names = _joined([words.say(f"misconception.{one.method.name}.name") for one in methods], words)
        return Section(label, title, (Text(str(len(methods))),), (Para(names),))
    head: tuple[TableCell, ...] = (words.say("probe.method"), words.say("probe.equal"), words.say("probe.because"))
    rows = tuple(_row(words, one) for one in methods)
    return Section(label, title, (Text(str(len(methods))),), (Table(head, rows, "lrl"),))


def _row(words: Messages, one: Method) -> tuple[TableCell, ...]:
    equal = words.say("probe.of", equal=str(one.equal), count=str(len(one.texts)))
    return (
        words.say(f"misconception.{one.method.name}.name"),
        equal,
        words.say(f"probe.why.{one.because or 'chance'}"),
    )
