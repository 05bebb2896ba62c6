"""A row that fails, as a few lines of plain text: for an AssertionError, and for a maintainer to paste."""

from __future__ import annotations

from exactattn.testing.result import RowResult
from exactattn.testing.telling import Entries, Told


def plainly(row: RowResult, name: str) -> str:
    """What fails, with the input, the true value, the value returned, how far off and how far allowed."""
    where = f" in {row.dtype}" if row.dtype else ""
    lines = [f"{row.name} fails for {name}{where} ({row.failures} of {row.checks} checks)"]
    shown = row.failure or row.worst
    return "\n".join([*lines, *(_told(shown) if shown is not None else ())])


_SIDES = {
    "entry": ("got", "true"),
    "sides": ("one side", "the other"),
    "most": ("got", "at most"),
    "least": ("got", "at least"),
    "order": ("larger by", "though at most"),
}


def _told(told: Told) -> list[str]:
    lines = [f"input: {told.input}"]
    lines += [f"  {one.name}: {one.dtype}, shape {one.shape}: {_entries(one)}" for one in told.arrays]
    if told.said:
        lines.append(told.said)
    if told.got is not None:
        place = f"row {told.row}, column {told.column}"
        mine, due = _SIDES[told.relation]
        lines.append(f"at {place}: {mine} {told.got}, {due} {told.true}")
        in_ulp = f" ({told.ulp} ulp)" if told.ulp else ""
        allowed = f" ({told.bound_ulp} ulp)" if told.bound_ulp else ""
        lines.append(f"off by {told.error or 'no number'}{in_ulp}; the bound is {told.bound}{allowed}")
    lines.append(told.python)
    if told.other:
        lines.append(told.other)
    return lines


def _entries(one: Entries) -> str:
    each = ", ".join(f"{d} ({b})" for d, b in zip(one.decimals, one.bits, strict=True))
    return f"[{each}{f', … {one.more} more' if one.more else ''}]"
