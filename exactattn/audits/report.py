"""The audit as a page: the first error and its cause on top, the example as printed, each doubtful number explained."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from exactattn.audits.examine import Judged
from exactattn.audits.printed import NAMES, Number, Rows
from exactattn.audits.ranges import Exact, Range
from exactattn.audits.result import Audit
from exactattn.audits.verdicts import VERDICTS, Verdict
from exactattn.document import (
    Block,
    Display,
    Document,
    Grid,
    Inline,
    Inlines,
    Mark,
    Math,
    Maths,
    Note,
    Num,
    Op,
    Para,
    Row,
    Section,
    Strong,
    Sym,
    Table,
    TableCell,
    Text,
    Token,
    Word,
)  # fmt: skip
from exactattn.i18n import Messages, messages
from exactattn.numbers.value import Value
from exactattn.present import abridge, notation
from exactattn.trace.problem import QUANTITIES

MOST = 60
"""Doubtful numbers listed one by one."""

RIGHT: tuple[Verdict, ...] = ("ok", "unchecked")


@dataclass(frozen=True, slots=True)
class _Report:
    audit: Audit
    words: Messages

    def say(self, key: str, /, **parts: Inline | Inlines | str) -> Inlines:
        return self.words.say(f"audit.{key}", **parts)

    def para(self, key: str, /, **parts: Inline | Inlines | str) -> Para:
        return Para(self.say(key, **parts))

    # -- labels ------------------------------------------------------------------------------------------------------

    def row_label(self, name: str, i: int) -> str:
        """The token of a row, its number where there is none."""
        case, trace = self.audit.case, self.audit.examined.trace
        if name in ("K", "V"):
            tokens = trace.problem.key_tokens if trace is not None else case.key_tokens or case.tokens
        else:
            tokens = trace.problem.tokens if trace is not None else case.tokens
        return tokens[i] if tokens and i < len(tokens) else str(i + 1)

    def column_label(self, name: str, j: int) -> str:
        """The token of a key, or the number of a dimension."""
        case, trace = self.audit.case, self.audit.examined.trace
        if name in ("scores", "scaled", "shifted", "exps", "weights"):
            tokens = trace.problem.key_tokens if trace is not None else case.key_tokens or case.tokens
            return tokens[j] if tokens and j < len(tokens) else str(j + 1)
        return str(j + 1)

    def place(self, name: str, head: int | None, i: int, columns: Sequence[int] = ()) -> Inlines:
        """ "weights, row cat, column sat"."""
        out = self.words.say(f"solution.name.{name}")
        if head is not None:
            out += self.say("head", number=str(head + 1))
        out += self.say("row", row=Token(self.row_label(name, i)))
        if columns and name != "sums":
            labels: list[Inline] = []
            for k, j in enumerate(columns[:6]):
                labels += [Text(self.words.text("solution.comma"))] if k else []
                labels.append(Token(self.column_label(name, j)))
            out += self.say("column", column=tuple(labels))
        return out


def report(audit: Audit, lang: str = "en") -> Document:
    """The document tree of an audit."""
    page = _Report(audit, messages(lang))
    blocks: list[Block] = [_summary(page), *_totals(page)]
    number = 0
    for head in (None, *range(len(audit.examined.printed.heads))):
        for name in NAMES:
            rows = (
                audit.examined.printed.find(name, head) if head is not None else audit.examined.printed.shared.get(name)
            )
            if rows:
                number += 1
                blocks.append(_quantity(page, name, head, rows, number))
    blocks += _beside(page)
    title = audit.case.title or audit.case.id
    return Document(
        page.say("title", title=title), _meta(page), tuple(blocks), lang, (page.say("running"), (Text(audit.case.id),))
    )


def _meta(page: _Report) -> Inlines:
    count = len(page.audit.examined.judged)
    out = page.say("meta", count=str(count))
    if page.audit.case.source:
        out += page.say("source", source=page.audit.case.source)
    return out


# -- on top ------------------------------------------------------------------------------------------------------------


def _summary(page: _Report) -> Note:
    audit = page.audit
    if audit.cause is None:
        kind = "right" if audit.passes() else "beside"
        return Note("check" if audit.passes() else "warning", page.say("verdict"), (page.para(f"summary.{kind}"),))
    first = audit.cause.first
    blocks: list[Block] = [
        Para(
            (
                *page.say("summary.first"),
                Strong(page.place(first.name, first.head, first.row, (first.column,))),
                *_against(page, first),
            )
        )
    ]
    methods = audit.cause.methods
    if methods:
        said = [page.words.say(f"misconception.{one.name}.said") for one in methods[0]]
        blocks.append(Para((*page.say("summary.cause"), *_joined(page, said))))
        if audit.cause.others:
            other = audit.cause.others[0]
            place = page.place(other.name, other.head, other.row, (other.column,))
            blocks.append(Para((*page.say("summary.second"), Strong(place), *_against(page, other))))
        if len(methods) > 1:
            others = [
                _joined(page, [page.words.say(f"misconception.{one.name}.name") for one in rows], " + ")
                for rows in methods[1:6]
            ]
            blocks.append(
                Para((*page.say("summary.also"), *_joined(page, others), Text(page.words.text("solution.stop"))))
            )
    elif audit.cause.slips:
        said = [page.words.say(f"slip.{name}.said") for name in audit.cause.slips]
        blocks.append(Para((*page.say("summary.slip"), *_joined(page, said))))
    else:
        blocks.append(page.para("summary.unknown"))
    return Note("warning", page.say("verdict"), tuple(blocks))


def _joined(page: _Report, items: Sequence[Inlines], mark: str | None = None) -> Inlines:
    out: Inlines = ()
    for k, item in enumerate(items):
        out += ((Text(mark if mark is not None else page.words.text("solution.semicolon")),) if k else ()) + item
    return out


def _against(page: _Report, one: Judged) -> Inlines:
    """Printed this, while the true value is that."""
    parts = page.say("printed", number=Math(_number(one.number)))
    if one.truth is not None:
        parts += page.say(
            "true", number=Math(Num(shown(one.truth.matrix.value(one.truth.row, one.truth.column), one.number)))
        )
    return parts


def shown(value: Value, number: Number) -> str:
    """A value with two places more than the printed number has, and enough to be told from 0."""
    places = (number.places if number.places is not None else 4) + 2
    text = value.decimal(max(places, 0))
    return text if text.strip("-0.") or value.sign() == 0 else value.significant(3)


def _totals(page: _Report) -> list[Block]:
    rows: list[tuple[TableCell, ...]] = []
    for name, count in page.audit.totals.items():
        rows.append((page.say(f"verdicts.{_key(name)}"), page.say(f"means.{_key(name)}"), (Math(Num(str(count))),)))
    head: tuple[TableCell, ...] = (page.say("verdict"), page.say("meaning"), page.say("numbers"))
    return [Table(head, tuple(rows), "llr", page.say("totals"))]


def _key(name: str) -> str:
    return name.replace("-", "_")


# -- one quantity --------------------------------------------------------------------------------------------------------


def _quantity(page: _Report, name: str, head: int | None, rows: Rows, number: int) -> Section:
    found = [one for one in page.audit.examined.judged if one.name == name and one.head == head]
    doubtful = [one for one in found if one.verdict not in RIGHT]
    title = page.words.say(f"solution.name.{name}") + (
        page.say("head", number=str(head + 1)) if head is not None else ()
    )
    aside = page.say("all_right") if not doubtful else page.say("doubtful", count=str(len(doubtful)))
    blocks: list[Block] = [Display(_matrix(page, name, head, rows))]
    if doubtful:
        blocks.append(_list(page, doubtful))
        if len(doubtful) > MOST:
            blocks.append(page.para("more", count=str(len(doubtful) - MOST)))
    return Section((Text(str(number)),), title, aside, tuple(blocks))


def _matrix(page: _Report, name: str, head: int | None, rows: Rows) -> Maths:
    """The matrix as printed, doubtful numbers marked; rows that are not printed are left out."""
    there = [i for i, row in enumerate(rows) if row]
    bad = {i for i in there for j in range(len(rows[i])) if _is_doubtful(page, name, head, i, j)}
    lines: list[tuple[Maths, ...]] = []
    width = max(len(rows[i]) for i in there) if there else 0
    columns = abridge.shown(width, ())
    for k in abridge.shown(len(there), {there.index(i) for i in bad}):
        if k is None:
            lines.append((Op("vdots"), *(Op("vdots") for _ in columns)))
            continue
        i = there[k]
        cells = (Op("dots") if j is None else _cell(page, name, head, rows, i, j) for j in columns)
        lines.append((Word(page.row_label(name, i)), *cells))
    grid = Grid(tuple(lines), "labelled")
    return (
        Row((notation.bold(name), Op("="), grid))
        if name not in ("sums", "shifted")
        else Row((Sym("Σ", "upright") if name == "sums" else Sym("Z", "bold"), Op("="), grid))
    )


def _is_doubtful(page: _Report, name: str, head: int | None, i: int, j: int) -> bool:
    found = page.audit.examined.at((name, head, i, j))
    return found is not None and found.verdict not in RIGHT


def _cell(page: _Report, name: str, head: int | None, rows: Rows, i: int, j: int) -> Maths:
    number = rows[i][j] if j < len(rows[i]) else None
    if number is None:
        return Op("none")
    found = page.audit.examined.at((name, head, i, j))
    body = _number(number)
    match found.verdict if found is not None else "unchecked":
        case "ok" | "unchecked":
            return body
        case "wrong":
            return Mark("wrong", body)
    return Mark("doubt", body)


def _number(number: Number) -> Maths:
    if number.infinite:
        return Row((Op("-"), Sym("∞", "upright")))
    return notation.written(number.text)


def _list(page: _Report, doubtful: Sequence[Judged]) -> Table:
    """Each doubtful number with the true value, the recomputed one and the verdict."""
    order = sorted(doubtful, key=lambda one: (-VERDICTS.index(one.verdict), one.row, one.column))[:MOST]
    order.sort(key=lambda one: (one.row, one.column))
    head: tuple[TableCell, ...] = (
        page.say("where"),
        page.say("as_printed"),
        page.say("true_value"),
        page.say("follows"),
        page.say("verdict"),
    )
    rows: list[tuple[TableCell, ...]] = []
    for one in order:
        column = () if one.name == "sums" else (Text(" → "), Token(page.column_label(one.name, one.column)))
        where: Inlines = (Token(page.row_label(one.name, one.row)), *column)
        true = (
            ()
            if one.truth is None
            else (Math(Num(shown(one.truth.matrix.value(one.truth.row, one.truth.column), one.number))),)
        )
        again = (
            ()
            if one.recomputed is None
            else (Math(Num(shown(one.recomputed.row.value(0, one.recomputed.column), one.number))),)
        )
        said = page.say(f"verdicts.{_key(one.verdict)}")
        rows.append(
            (where, (Math(_number(one.number)),), true, again, (Strong(said),) if one.verdict == "wrong" else said)
        )
    return Table(head, tuple(rows), "lrrrl")


# -- beside the numbers --------------------------------------------------------------------------------------------------


def _beside(page: _Report) -> list[Block]:
    audit = page.audit
    blocks: list[Block] = []
    if audit.refuted:
        items: list[Block] = [page.para("identities.lead")]
        for one in audit.refuted[:20]:
            said = page.say(
                f"identities.{_key(one.identity)}", claimed=Math(_interval(one.claimed)), due=Math(_interval(one.due))
            )
            where = page.place(one.name, one.head, one.row, one.columns)
            items.append(Para((*where, Text(page.words.text("audit.colon")), *said)))
        if len(audit.refuted) > 20:
            items.append(page.para("more", count=str(len(audit.refuted) - 20)))
        blocks.append(Note("warning", page.say("identities.title"), tuple(items)))
    if audit.marks:
        marks: list[Block] = [
            Para(
                page.say(
                    "mark",
                    place=page.place(m.name, None, m.row, (m.column,)),
                    largest=_joined(page, [(Token(page.column_label(m.name, j)),) for j in m.largest]),
                )
            )
            for m in audit.marks
        ]
        blocks.append(Note("warning", page.say("marks"), tuple(marks)))
    if audit.claims:
        claims: list[Block] = [
            Para(
                page.say(
                    "claim",
                    place=page.place(c.name, None, c.row),
                    sum=Math(Num(_text(c.sum))),
                    claimed=Math(Num(_text(c.claimed))),
                )
            )
            for c in audit.claims
        ]
        blocks.append(Note("warning", page.say("claims"), tuple(claims)))
    if audit.digits is not None:
        order = sorted(audit.digits.places.items(), key=lambda item: QUANTITIES.index(item[0]))
        each = [(*page.words.say(f"solution.name.{name}"), Text(f" {count}")) for name, count in order]
        out: list[Block] = [Para((*page.say("digits"), *_joined(page, each), Text(page.words.text("solution.stop"))))]
        blocks.append(Note("check", page.say("digits_title"), tuple(out)))
    return blocks


def _interval(one: Range) -> Maths:
    if one.low == one.high:
        return Num(_text(one.low))
    return Row((Sym("[", "upright"), Num(_text(one.low)), Op(","), Num(_text(one.high)), Sym("]", "upright")))


def _text(number: Exact) -> str:
    """A short text of a value: exact where it is a short decimal, else five significant digits."""
    value = Value.of(number)
    for places in range(13):
        text = value.decimal(places)
        if value == text:
            return text
    return value.significant(5)
