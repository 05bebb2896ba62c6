"""Inline nodes as runs of text on one line: what an SVG label is made of.

Maths is laid flat: a fraction as a/b, a root as √ with a line over its body, scripts smaller and raised or lowered.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import assert_never

from exactattn.document import (
    Blank,
    Fence,
    Frac,
    Grid,
    Inline,
    Inlines,
    Mark,
    Math,
    Maths,
    Num,
    Op,
    Root,
    Row,
    Script,
    Strong,
    Sym,
    Text,
    Token,
    Word,
)
from exactattn.writers.clean import flat, pieces, token_pieces

SIGNS = {
    "=": " = ",
    "approx": " ≈ ",
    "<": " < ",
    "to": " → ",
    "le": " ≤ ",
    "ge": " ≥ ",
    "ne": " ≠ ",
    "in": " ∈ ",
    "implies": " ⇒ ",
    "iff": " ⇔ ",
    "+": " + ",
    "-": " − ",
    "times": " × ",
    "cdot": " · ",
    "/": "/",
    "div": " ÷ ",
    ",": ", ",
    "sum": "Σ",
    "max": "max ",
    "dots": "…",
    "vdots": "⋮",
    "ddots": "⋱",
    "quad": "  ",
    "thin": "\u2009",
    "none": "",
}
NUMBER = re.compile(r"(-?)([0-9.]+)e([-+]?)([0-9]+)", re.ASCII)
SMALLER = 0.72


@dataclass(frozen=True, slots=True)
class Run:
    """Text of one look: classes, size as a part of the line's, rise over the line's foot in its ems.

    `root` numbers the root sign it stands under (0: none).
    """

    text: str
    kinds: tuple[str, ...] = ()
    size: float = 1.0
    rise: float = 0.0
    root: int = 0

    def also(self, kind: str) -> Run:
        """The run with one more class."""
        return replace(self, kinds=(*self.kinds, kind))


ROOT_SIGN = Run("", root=1)  # begins a root


def runs(items: Inlines) -> list[Run]:
    """The runs of a label, neighbours of one look joined.

    >>> [run.text for run in runs((Text("d = "), Math(Script(Sym("d"), Sym("k")))))]
    ['d = ', 'd', 'k']
    """
    out: list[Run] = []
    roots = 0
    for run in (run for item in items for run in _inline(item)):
        if run == ROOT_SIGN:
            roots += 1
        if not run.text:
            continue
        run = replace(run, root=roots) if run.root else run
        if out and replace(out[-1], text="") == replace(run, text="") and "tok" not in run.kinds:
            out[-1] = replace(run, text=out[-1].text + run.text)
        else:
            out.append(run)
    return out


def _inline(item: Inline) -> Iterator[Run]:
    match item:
        case Text(text):
            yield Run(flat(pieces(text)))
        case Token(text):
            yield Run(flat(token_pieces(text)), ("tok",))
        case Strong(items):
            yield from (run.also("b") for run in runs(items))
        case Math(body):
            yield from _maths(body)
        case _:
            assert_never(item)


def _maths(node: Maths) -> Iterator[Run]:
    match node:
        case Num(text):
            yield from _number(text)
        case Sym(name, style):
            yield Run(flat(pieces(name)), {"italic": ("m", "i"), "bold": ("m", "b"), "upright": ("m",)}[style])
        case Word(text):
            yield Run(flat(token_pieces(text)), ("tok",))
        case Op(name):
            yield Run(SIGNS[name])
        case Row(items):
            yield from _row(items)
        case Frac(top, bottom):
            yield from (*_maths(top), Run("/"), *_maths(bottom))
        case Root(body):
            yield ROOT_SIGN
            yield from (replace(run, root=1) for run in _maths(body) if run != ROOT_SIGN)
        case Script(base, sub, sup):
            yield from _maths(base)
            for part, rise in ((sub, -0.22), (sup, 0.36)):
                if part is not None:
                    yield from (_script(run, rise) for run in _maths(part))
        case Fence(left, body, right):
            yield from (Run(left), *_maths(body), Run(right))
        case Grid(rows, _, _):
            for i, row in enumerate(rows):
                yield Run("; " if i else "[")
                for j, cell in enumerate(row):
                    yield from (Run(", " if j else ""), *_maths(cell))
            yield Run("]")
        case Mark(kind, body):
            name = {"max": "max", "answer": "b", "doubt": "under", "suspect": "under", "wrong": "max", "open": "muted"}[
                kind
            ]
            yield from (run.also(name) for run in _maths(body))
        case Blank(digits):
            yield Run("\u2007" * digits, ("under",))
        case _:
            assert_never(node)


def _row(items: tuple[Maths, ...]) -> Iterator[Run]:
    """Side by side; a sign at the start, or after another operator, keeps no space before it."""
    after_operator = True
    for item in items:
        for run in _maths(item):
            yield replace(run, text=run.text.lstrip(" ")) if after_operator and isinstance(item, Op) else run
        after_operator = isinstance(item, Op) and item.name not in ("quad", "thin", "none", "dots")


def _number(text: str) -> Iterator[Run]:
    scientific = NUMBER.fullmatch(text)
    if scientific is None:
        yield Run("−" + text[1:] if text.startswith("-") else text)
        return
    minus, mantissa, sign, exponent = scientific.groups()
    yield Run(f"{'−' if minus else ''}{mantissa} × 10")
    yield _script(Run(f"{'−' if sign == '-' else ''}{exponent}"), 0.36)


def _script(run: Run, rise: float) -> Run:
    return replace(run, size=run.size * SMALLER, rise=rise + run.rise * SMALLER)
