"""A verification as a page to attach to a bug report: the verdict and what fails on top, then rows, accuracy, conventions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from exactattn.document import (
    Block,
    Code,
    Document,
    Inline,
    Inlines,
    Math,
    Note,
    Num,
    Para,
    Strong,
    Table,
    TableCell,
    Text,
)
from exactattn.i18n import Messages, messages
from exactattn.identities.catalogue import CATALOGUE, find
from exactattn.testing.conventions import ASKABLE, ROWS, Convention
from exactattn.testing.result import RowResult, Verification
from exactattn.testing.telling import Entries, Told


def report(found: Verification, lang: str = "en") -> Document:
    """The document tree of a verification."""
    words = messages(lang)
    blocks: list[Block] = [_summary(found, words), *_failures(found, words)]
    blocks.append(_rows(found, words))
    if any(row.accuracies for row in found.rows):
        blocks.append(_accuracy(found.rows, words))
    blocks.append(_conventions(found.conventions, words))
    title = words.say("verify.title", target=found.target)
    return Document(
        title, _meta(found, words), tuple(blocks), lang, (words.say("verify.running"), (Text(found.target),))
    )


def _meta(found: Verification, words: Messages) -> Inlines:
    takes = found.takes.as_data()
    kind = f"{found.takes.kind} ({', '.join(value for value in takes.values() if value not in (None, takes['kind']))})"
    out = words.say(
        "verify.meta", kind=kind.replace(" ()", ""), types=", ".join(found.dtypes), examples=str(found.examples),
        seed=str(found.seed),
    )  # fmt: skip
    if found.options:
        options = ", ".join(f"{name} = {value}" for name, value in found.options.items())
        out += words.say("verify.options", options=options)
    return out + words.say("verify.versions", versions=", ".join(f"{n} {v}" for n, v in found.versions.items()))


def _summary(found: Verification, words: Messages) -> Note:
    blocks: list[Block] = []
    if found.stopped:
        blocks.append(Para(words.say("verify.stopped")))
    if found.passes:
        blocks.append(Para(words.say("verify.passes")))
    else:
        blocks.append(Para(words.say("verify.fails", names=_named(found.failing, words))))
    unlike = [row for row in found.rows if row.verdict == "differs"]
    if unlike:
        blocks.append(Para(words.say("verify.unlike", names=_named(unlike, words))))
    kind = "check" if found.passes else "warning"
    return Note("check" if kind == "check" else "warning", words.say("verify.verdict"), tuple(blocks))


def _named(rows: Sequence[RowResult], words: Messages) -> Inlines:
    out: list[Inline] = []
    for name in dict.fromkeys(row.name for row in rows):
        types = ", ".join(row.dtype for row in rows if row.name == name and row.dtype is not None)
        out.append(Text(f"{words.text('solution.comma') if out else ''}{name}{f' ({types})' if types else ''}"))
    return tuple(out)


# -- what fails ------------------------------------------------------------------------------------------------------------


def _failures(found: Verification, words: Messages) -> list[Block]:
    """What fails, a box for each call that shows it: several rows may fail with the same."""
    calls: dict[tuple[str | None, str | None], list[RowResult]] = {}
    for row in found.failing:
        calls.setdefault((row.dtype, row.failure.python if row.failure is not None else None), []).append(row)
    conventions = {ROWS[one.name]: one for one in found.conventions if one.name in ROWS}
    return [_failure(together, conventions, words) for together in calls.values()]


def _failure(rows: Sequence[RowResult], conventions: Mapping[str, Convention], words: Messages) -> Note:
    first = rows[0]
    names = words.text("solution.comma").join(row.name for row in rows)
    title: Inlines = (Text(f"{first.dtype or ''}{words.text('audit.colon') if first.dtype else ''}{names}"),)
    blocks: list[Block] = []
    for row in rows:
        said = (Strong((Text(row.name),)), Text(words.text("audit.colon")), *_title(row.name, words))
        counts = words.say("verify.counts", failures=str(row.failures), checks=str(row.checks))
        if row.name in conventions:
            one = conventions[row.name]
            due = _due(one, words)
            about = words.say("verify.found_due", found=_found(one.found, words), due=due)
        else:
            about = (*counts, *_numbers(row.failure, words))
        blocks.append(Para((*said, Text(words.text("solution.stop")), *about)))
    if first.failure is not None:
        blocks += _call(first.failure, words)
    others = dict.fromkeys(row.failure.other for row in rows if row.failure is not None and row.failure.other)
    for other in others:
        blocks += [Para((Strong(words.say("verify.against")),)), Code((Text(other),))]
    return Note("warning", title, tuple(blocks))


def _title(name: str, words: Messages) -> Inlines:
    """What a row says: an identity of the catalogue, or one of our own."""
    if any(row.name == name for row in CATALOGUE):
        return (Text(find(name).title(words.lang)),)
    return words.say(f"verify.row.{name}")


def _numbers(told: Told | None, words: Messages) -> Inlines:
    """What was got, what was due, how far off and how far allowed."""
    if told is None:
        return ()
    if told.said is not None:
        return (Text(f" {told.said}{words.text('solution.stop')}"),)
    if told.got is None or told.true is None:
        return ()
    place = {"row": str((told.row or 0) + 1), "column": str((told.column or 0) + 1)}
    got, true = _number(told.got), _number(told.true)
    bound = _off(told.bound, told.bound_ulp, words)
    sides = words.say(f"verify.at.{told.relation}", got=got, true=true, **place)
    if told.error is None:
        return (*sides, *words.say("verify.nowhere", bound=bound))
    return (*sides, *words.say("verify.off", error=_off(told.error, told.ulp, words), bound=bound))


def _call(told: Told, words: Messages) -> list[Block]:
    """The input as decimals and bits, and the line of Python that makes the call again."""
    head = words.say("verify.input", name=told.input)
    arrays = [Para((*(head if k == 0 else ()), *_array(one, words))) for k, one in enumerate(told.arrays)]
    return [*arrays, Para((Strong(words.say("verify.again")),)), Code((Text(told.python),))]


def _array(one: Entries, words: Messages) -> Inlines:
    shape = " × ".join(map(str, one.shape)) or "1"
    head = words.say("verify.array", name=one.name, dtype=one.dtype, shape=shape)
    if one.dtype == "bool":
        return (*head, Text("".join("1" if value == "True" else "0" for value in one.decimals)))
    out: list[Inline] = [*head]
    for k, ((value, bits), run) in enumerate(groupby(zip(one.decimals, one.bits, strict=True))):
        count = len(list(run))
        times = f" × {count}" if count > 1 else ""
        out += [Text(", " if k else ""), *_number(value), Text(f" ({bits}){times}")]
    return (*out, *(words.say("verify.more", count=str(one.more)) if one.more else ()))


def _off(error: str | None, ulp: str | None, words: Messages) -> Inlines:
    if error is None:
        return ()
    return _number(error) if ulp is None else words.say("verify.in_ulp", error=_number(error), ulp=_number(ulp))


def _number(text: str) -> Inlines:
    """A number set as one; "nan", infinities and what is no plain number as text."""
    plain = text.replace("e+", "e").replace("inf", "∞").replace("nan", "NaN")
    if not any(c.isdigit() for c in plain) or " " in plain:
        return (Text(plain.replace("-", "−")),)
    return (Math(Num(plain)),)


# -- tables ----------------------------------------------------------------------------------------------------------------


def _rows(found: Verification, words: Messages) -> Table:
    names = list(dict.fromkeys(row.name for row in found.rows))
    types: list[str | None] = list(found.dtypes)
    lines: list[tuple[TableCell, ...]] = []
    for name in names:
        by_type = {row.dtype: row for row in found.rows if row.name == name}
        cells = [by_type.get(dtype, by_type.get(None)) for dtype in types]
        if all(row is None or row.verdict == "unasked" for row in cells):
            continue
        said: list[TableCell] = [(Text(name),)]
        said += [_cell(row, words) for row in cells]
        lines.append(tuple(said))
    head: list[TableCell] = [words.say("verify.identity")]
    head += [(Text(dtype),) for dtype in found.dtypes]
    return Table(tuple(head), tuple(lines), "l" + "l" * len(types), words.say("verify.rows"))


def _cell(row: RowResult | None, words: Messages) -> Inlines:
    if row is None:
        return words.say("verify.cell.unasked")
    counts = {name: str(getattr(row, name)) for name in ("checks", "failures", "compared", "unlike")}
    said = words.say(f"verify.cell.{row.verdict}", **counts)
    return (Strong(said),) if row.verdict == "fails" else said


def _accuracy(rows: Sequence[RowResult], words: Messages) -> Table:
    lines: list[tuple[TableCell, ...]] = []
    for row in rows:
        ulps = row.accuracies
        if ulps is None or row.dtype is None:
            continue
        share = _percent(ulps.right, ulps.entries)
        right = words.say("verify.of", right=str(ulps.right), entries=str(ulps.entries), share=share)
        worst = () if row.worst is None else _worst(row.worst, words)
        none = words.say("verify.no_number")
        most, middle = (none if x is None else _number(x) for x in (ulps.most, ulps.middle))
        lines.append(((Text(row.dtype),), most, middle, right, worst))
    head: list[TableCell] = [words.say(f"verify.{name}") for name in ("dtype", "most", "middle", "right", "worst")]
    return Table(tuple(head), tuple(lines), "lrrll", words.say("verify.accuracy"))


def _percent(part: int, whole: int) -> str:
    """A share in whole percent, never 100 % where one is missing nor 0 % where there is one."""
    percent = (200 * part + whole) // (2 * whole)
    least, most = (1 if part else 0), (100 if part == whole else 99)
    return f"{min(max(percent, least), most)} %"


def _worst(told: Told, words: Messages) -> Inlines:
    off, bound = (_number(x) if x is not None else words.say("verify.no_number") for x in (told.ulp, told.bound_ulp))
    return (Text(f"{told.input}: "), *off, Text(" / "), *bound, Text(" ulp"))


def _conventions(conventions: Sequence[Convention], words: Messages) -> Table:
    lines: list[tuple[TableCell, ...]] = []
    for one in conventions:
        name = words.say(f"verify.convention.{one.name}")
        if one.dtype is not None:
            name += (Text(f" ({one.dtype})"),)
        asked = () if one.asked is None else _found(one.asked, words)
        lines.append((name, _found(one.found, words), asked))
    head: tuple[TableCell, ...] = (words.say("verify.convention_head"), words.say("verify.found_head"),
                                   words.say("verify.asked"))  # fmt: skip
    return Table(head, tuple(lines), "lll", words.say("verify.conventions"))


def _due(one: Convention, words: Messages) -> Inlines:
    """What a convention was to be."""
    if one.name == "scale" or one.asked is not None:
        return _found(one.due, words)
    out: Inlines = ()
    for value in ASKABLE[one.name]:
        out += ((Text(words.text("solution.comma")),) if out else ()) + _found(value, words)
    return out


def _found(value: str, words: Messages) -> Inlines:
    """What was found, in words; a scale is its own name."""
    return (Text(value),) if value[:1] in "1√" else words.say(f"verify.found.{value}")
