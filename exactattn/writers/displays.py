"""Maths on lines of its own, in HTML.

Browsers do not break MathML, so a derivation or a long formula is written as pieces between which the line may break:
on a wide screen it looks as if it were one formula, on a phone it wraps. Matrices stay whole, in a box that scrolls.
"""

from __future__ import annotations

from exactattn.document import Grid, Maths, Row
from exactattn.writers.breaking import columns, has_grid, opened, segments
from exactattn.writers.mathml import in_row, math

BREAK_BEYOND = 24  # columns of a formula that a phone still shows on one line


def display(body: Maths) -> str:
    """Maths on lines of its own.

    >>> from exactattn.document import Num
    >>> display(Num("1"))
    '<div class="eq"><math display="block"><mn>1</mn></math></div>'
    """
    match body:
        case Grid(rows, "lines"):
            return _derivation(rows)
        case _ if has_grid(body) or columns(body) <= BREAK_BEYOND:
            return f'<div class="eq">{math(body, "block")}</div>'
        case _:
            return f'<div class="eq broken">{_pieces(body)}</div>'


def _derivation(rows: tuple[tuple[Maths, ...], ...]) -> str:
    """Left sides flush right against the rest: a grid of the style sheet, two cells to a row."""
    lines = "\n".join(f"<div>{_pieces(row[0])}</div><div>{_pieces(Row(row[1:]))}</div>" for row in rows)
    return f'<div class="derivation">\n{lines}\n</div>'


def _pieces(body: Maths) -> str:
    items = opened(body)
    shown = tuple(in_row(items))
    parts = ("".join(shown[part]) for part in segments(items, "before"))
    return "".join(f'<math displaystyle="true"><mrow>{part}</mrow></math>' for part in parts if part)
