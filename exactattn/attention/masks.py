"""Which keys a query may attend to."""

from __future__ import annotations

from exactattn.arithmetic.protocol import Keep
from exactattn.attention.pipeline import closed_rows
from exactattn.errors import InputError, OptionError, ShapeError
from exactattn.trace.problem import Problem


def keep_of(problem: Problem) -> Keep:
    """The mask of a problem, n × m: True where the query may attend to the key. None when all may."""
    settings, n, m = problem.settings, len(problem.tokens), len(problem.key_tokens)
    match settings.mask:
        case "none":
            return None
        case "causal":
            if n != m and settings.alignment is None:
                raise OptionError(
                    "a causal mask over {n} queries and {m} keys needs alignment: top-left (query i sees keys up to i) "
                    "or bottom-right (the last query sees all)",
                    n=n, m=m,
                )  # fmt: skip
            keep = causal(n, m, m - n if settings.alignment == "bottom-right" else 0)
        case rows:
            if len(rows) != n or any(len(row) != m for row in rows):
                raise ShapeError(
                    "the mask is {came}: {n} queries and {m} keys need {n} × {m}", came=_shape(rows), n=n, m=m
                )
            keep = rows
    closed = sorted(closed_rows(keep))
    if closed and settings.fully_masked == "error":
        raise InputError(
            "query {row} ({token!r}) may attend to no key: choose fully_masked = zero or uniform, or open the mask",
            row=closed[0] + 1, token=problem.tokens[closed[0]],
        )  # fmt: skip
    return keep


def causal(n: int, m: int, offset: int) -> tuple[tuple[bool, ...], ...]:
    """Query i may attend to keys up to i + offset.

    >>> causal(2, 3, 1)
    ((True, True, False), (True, True, True))
    """
    return tuple(tuple(j <= i + offset for j in range(m)) for i in range(n))


def _shape(rows: tuple[tuple[bool, ...], ...]) -> str:
    widths = sorted({len(row) for row in rows})
    return f"{len(rows)} × {'/'.join(map(str, widths))}"
