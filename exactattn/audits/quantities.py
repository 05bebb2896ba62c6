"""The example as printed: each quantity with its doubtful numbers marked, and a line for each of these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from exactattn.audits.examine import Judged
from exactattn.audits.page import RIGHT, Page, as_printed, beside, key
from exactattn.audits.printed import NAMES, Rows
from exactattn.audits.verdicts import VERDICTS
from exactattn.document import (
    Block,
    Display,
    Grid,
    Inlines,
    Mark,
    Math,
    Maths,
    Num,
    Op,
    Row,
    Section,
    Strong,
    Sym,
    Table,
    TableCell,
    Text,
    Word,
)  # fmt: skip
from exactattn.present import abridge, notation
from exactattn.present.figures import layout
from exactattn.present.page import ROOM

MOST = 60
"""Doubtful numbers listed one by one."""

BESIDE = 38.0
"""Matrices that are together no wider than so many ems stand side by side: on a phone, too, the first is seen whole."""


@dataclass(frozen=True, slots=True)
class _Shown:
    """A printed quantity, its numbers that are not right, and how it looks."""

    name: str
    head: int | None
    doubtful: tuple[Judged, ...]
    body: Maths

    @property
    def columns(self) -> float:
        """How wide it is, in ems."""
        return layout.maths(self.body)


def sections(page: Page) -> list[Section]:
    """The quantities in the order of the work, heads before what is made of them. Those that are right need little room:
    neighbours of these share a section, side by side as far as a line goes."""
    runs: list[list[_Shown]] = []
    for shown in _quantities(page):
        last = runs[-1] if runs else None
        if last and not last[-1].doubtful and not shown.doubtful and last[-1].head == shown.head:
            last.append(shown)
        else:
            runs.append([shown])
    return [_section(page, shown, k + 1) for k, shown in enumerate(runs)]


def _quantities(page: Page) -> Iterator[_Shown]:
    printed = page.audit.examined.printed
    heads = range(len(printed.heads))
    order: list[tuple[str, int | None]] = [(name, None) for name in NAMES if not heads or name != "output"]
    order += [(name, h) for h in heads for name in NAMES]
    order += [("output", None)] if heads else []
    for name, head in order:
        rows = printed.shared.get(name) if head is None else printed.heads[head].get(name)
        there = [i for i, row in enumerate(rows or ()) if any(number is not None for number in row)]
        if rows and there:
            judged = (one for one in page.audit.examined.judged if (one.name, one.head) == (name, head))
            doubtful = tuple(one for one in judged if one.verdict not in RIGHT)
            yield _Shown(name, head, doubtful, _matrix(page, name, head, rows, there))


def _section(page: Page, several: Sequence[_Shown], number: int) -> Section:
    head = several[0].head
    title = page.listed([page.words.say(f"solution.name.{shown.name}") for shown in several], "comma")
    title += page.say("head", number=str(head + 1)) if head is not None else ()
    doubtful = several[0].doubtful
    aside = page.say("all_right") if not doubtful else page.say("doubtful", count=str(len(doubtful)))
    blocks: list[Block] = []
    line: list[Maths] = []
    used = 0.0
    for shown in several:
        if line and used + shown.columns > BESIDE:
            blocks.append(Display(notation.row(*line)))
            line, used = [], 0.0
        line += [Op("quad"), shown.body] if line else [shown.body]
        used += shown.columns + 2
    blocks.append(Display(notation.row(*line)))
    if doubtful:
        blocks.append(_list(page, doubtful))
        if len(doubtful) > MOST:
            blocks.append(page.para("more", count=str(len(doubtful) - MOST)))
    return Section((Text(str(number)),), title, aside, tuple(blocks))


def _matrix(page: Page, name: str, head: int | None, rows: Rows, there: Sequence[int]) -> Maths:
    """The matrix as printed, doubtful numbers marked; rows that are not printed are left out."""
    doubtful = [(i, j) for i in there for j in range(len(rows[i])) if _is_doubtful(page, name, head, i, j)]
    width = max(len(rows[i]) for i in there)
    columns = abridge.shown(width, {j for _, j in doubtful})
    lines: list[tuple[Maths, ...]] = []
    labels = page.row_tokens(name)
    for k in abridge.shown(len(there), {there.index(i) for i, _ in doubtful}):
        if k is None:
            lines.append((Op("vdots"), *(Op("ddots") if j is None else Op("vdots") for j in columns)))
            continue
        i = there[k]
        cells = (Op("dots") if j is None else _cell(page, name, head, rows, i, j) for j in columns)
        lines.append((Word(labels[i]) if i < len(labels) else Num(str(i + 1)), *cells))
    keys = page.column_tokens(name)
    heads = [Op("dots") if j is None else Word(keys[j]) for j in columns] if len(keys) == width else []
    named = sum(map(layout.maths, heads)) <= ROOM / 2 and len(heads) <= abridge.MOST
    grid = Grid(tuple(lines), "labelled", tuple(heads) if named else ())
    symbol: Maths = (
        Sym("Σ", "upright") if name == "sums" else Sym("Z", "bold") if name == "shifted" else notation.bold(name)
    )
    return Row((symbol, Op("="), grid))


def _is_doubtful(page: Page, name: str, head: int | None, i: int, j: int) -> bool:
    found = page.audit.examined.at((name, head, i, j))
    return found is not None and found.verdict not in RIGHT


def _cell(page: Page, name: str, head: int | None, rows: Rows, i: int, j: int) -> Maths:
    number = rows[i][j] if j < len(rows[i]) else None
    if number is None:
        return Op("none")
    found = page.audit.examined.at((name, head, i, j))
    body = as_printed(number)
    match found.verdict if found is not None else "unchecked":
        case "ok" | "unchecked":
            return body
        case "wrong":
            return Mark("wrong", body)
        case "hidden-digits":
            return Mark("doubt", body)
    return Mark("suspect", body)


def _list(page: Page, doubtful: Sequence[Judged]) -> Table:
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
        column = page.named(page.column_tokens(one.name), one.column)
        where = page.named(page.row_tokens(one.name), one.row)
        where += () if one.name == "sums" else (Text(" → "), *column)
        true, follows = beside(one.true, one.number), beside(one.follows, one.number)
        said = page.say(f"verdicts.{key(one.verdict)}")
        verdict: Inlines = (Strong(said),) if one.verdict == "wrong" else said
        rows.append((where, (Math(as_printed(one.number)),), true, follows, verdict))
    return Table(head, tuple(rows), "lrrrl")
