"""Where a line of maths may be broken, and about how wide it is: for writers whose media do not break maths."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, assert_never

from exactattn.document import (
    Blank,
    Fence,
    Frac,
    Grid,
    Mark,
    Maths,
    Num,
    Op,
    Root,
    Row,
    Script,
    Sym,
    Word,
)
from exactattn.writers.clean import width

RELATIONS = frozenset({"=", "approx", "<", "le", "ge", "ne", "in", "implies", "iff", "to"})
SIGNS = frozenset({"+", "-"})
SPACES = frozenset({"quad", "thin", "none"})
LIMITS = frozenset({"sum", "max"})


def opened(node: Maths) -> tuple[Maths, ...]:
    """The items of a line: rows are opened, and so are brackets around a list of low things."""
    match node:
        case Row(items):
            return tuple(part for item in items for part in opened(item))
        case Fence(left, Row(items), right) if Op(",") in items and is_low(node):
            return (Sym(left, "upright"), *opened(Row(items)), Sym(right, "upright"))
        case _:
            return (node,)


def segments(items: tuple[Maths, ...], breaks: Literal["before", "after"]) -> Iterator[slice]:
    """The parts of a line between which it may break: before or after a relation or a sign, and after a comma.

    In a paragraph TeX breaks after a sign, in a display one writes it on the new line.

    >>> line = (Sym("a"), Op("="), Num("1"), Op("+"), Num("2"))
    >>> [(part.start, part.stop) for part in segments(line, "before")]
    [(0, 1), (1, 3), (3, 5)]
    >>> [(part.start, part.stop) for part in segments(line, "after")]
    [(0, 2), (2, 4), (4, 5)]
    """
    start = 0
    for i, item in enumerate(items):
        if not isinstance(item, Op):
            continue
        infix = i > 0 and not _awaits_operand(items[i - 1])
        if breaks == "before" and infix and item.name in RELATIONS | SIGNS:
            cut = i
        elif item.name == "," or (breaks == "after" and infix and item.name in RELATIONS | SIGNS):
            cut = i + 1
        else:
            continue
        if start < cut < len(items):
            yield slice(start, cut)
            start = cut
    yield slice(start, len(items))


def _awaits_operand(item: Maths) -> bool:
    return isinstance(item, Op) and item.name not in ("dots", "none")


def is_low(node: Maths) -> bool:
    """Whether brackets of the line's own height hold it."""
    match node:
        case Row(items):
            return all(map(is_low, items))
        case Fence(_, body, _) | Mark(_, body):
            return is_low(body)
        case Script(base, _, _):
            return is_low(base)
        case Op(name):
            return name not in LIMITS
        case Frac() | Grid() | Root():
            return False
        case Num() | Sym() | Word() | Blank():
            return True
        case _:
            assert_never(node)


def has_grid(node: Maths) -> bool:
    """Whether a matrix stands in it."""
    match node:
        case Grid():
            return True
        case Row(items):
            return any(map(has_grid, items))
        case Frac(top, bottom):
            return has_grid(top) or has_grid(bottom)
        case Fence(_, body, _) | Mark(_, body) | Root(body) | Script(body, _, _):
            return has_grid(body)
        case Num() | Sym() | Word() | Op() | Blank():
            return False
        case _:
            assert_never(node)


def columns(node: Maths) -> int:
    """About how many digits wide a formula is."""
    match node:
        case Num(text) | Word(text):
            return width(text)
        case Sym(name, _):
            return width(name)
        case Op(name):
            return {"none": 0, "thin": 0, "quad": 2, ",": 1, "max": 3}.get(name, 2)
        case Row(items):
            return sum(map(columns, items))
        case Frac(top, bottom):
            return max(columns(top), columns(bottom))
        case Root(body):
            return 1 + columns(body)
        case Script(base, sub, sup):
            return columns(base) + max(columns(part) * 2 // 3 if part is not None else 0 for part in (sub, sup))
        case Fence(_, body, _):
            return 2 + columns(body)
        case Mark(_, body):
            return columns(body)
        case Blank(digits):
            return digits
        case Grid(rows, _, _):
            return max((sum(columns(cell) + 1 for cell in row) for row in rows), default=0)
        case _:
            assert_never(node)
