"""Maths and inline nodes in characters, on one line.

Marks are seen without colour: a row's maximum ends in "*", an answer stands in brackets, a doubtful digit ends in "†".
The spans carry their kind as well, for a terminal that has colours.
"""

from __future__ import annotations

from collections.abc import Iterator
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
from exactattn.writers.clean import flat, pieces, shortened, token_pieces
from exactattn.writers.spans import Span, Spans, text_of
from exactattn.writers.svg_text import NUMBER, SIGNS

RAISED = str.maketrans("0123456789-+T", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺ᵀ")
LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
WORD_COLUMNS = 24  # longer words inside a formula are shortened
MARKS = {
    "max": ("", "*"),
    "answer": ("[", "]"),
    "doubt": ("", "†"),
    "suspect": ("", "?"),
    "wrong": ("", "✗"),
    "open": ("", ""),
}


def spans(items: Inlines, most: int | None = None) -> Spans:
    """Inline nodes on one line; tokens of more than `most` columns are shortened.

    >>> text_of(spans((Text("d"), Math(Row((Op("="), Root(Script(Sym("d"), Sym("k")))))))))
    'd= √d_k'
    """
    return tuple(span for item in items for span in _inline(item, most))


def _inline(item: Inline, most: int | None) -> Spans:
    match item:
        case Text(text):
            return (Span(flat(pieces(text))),)
        case Token(text):
            whole = token_pieces(text)
            return (Span(flat(whole if most is None else shortened(whole, most)), "token"),)
        case Strong(items):
            return tuple(Span(span.text, span.kind or "strong") for span in spans(items, most))
        case Math(body):
            return linear(body)
        case _:
            assert_never(item)


def linear(node: Maths) -> Spans:
    """Maths on one line: fractions as a/b, scripts raised where Unicode has them, else after _ and ^."""
    match node:
        case Num(text):
            return (Span(number(text)),)
        case Sym(name, style):
            return (Span(flat(pieces(name)), "strong" if style == "bold" else ""),)
        case Word(text):
            return (Span(flat(shortened(token_pieces(text), WORD_COLUMNS)), "token"),)
        case Op(name):
            return (Span(SIGNS[name]),)
        case Row(items):
            return tuple(span for part in in_row(items) for span in part)
        case Frac(top, bottom):
            return (*_closed(top), Span("/"), *_closed(bottom))
        case Root(body):
            return (Span("√"), *_closed(body))
        case Script(base, sub, sup):
            low = _script("_", LOWERED, sub) if sub is not None else ()
            high = _script("^", RAISED, sup) if sup is not None else ()
            return (*linear(base), *low, *high)
        case Fence(left, body, right):
            return (Span(left), *linear(body), Span(right))
        case Mark(kind, body):
            before, after = MARKS[kind]
            inner = (Span(before), *linear(body), Span(after))
            return tuple(Span(span.text, kind) for span in inner if span.text)
        case Blank(digits):
            return (Span("_" * digits, "blank"),)
        case Grid(rows, _, _):
            out: list[Span] = []
            for i, row in enumerate(rows):
                out.append(Span("; " if i else "["))
                for j, cell in enumerate(row):
                    out += (Span(", " if j else ""), *linear(cell))
            return (*out, Span("]"))
        case _:
            assert_never(node)


def number(text: str) -> str:
    """A number with a true minus sign and its power of ten raised.

    >>> number("-1.5e-7"), number("3")
    ('−1.5×10⁻⁷', '3')
    """
    scientific = NUMBER.fullmatch(text)
    if scientific is None:
        return "−" + text[1:] if text.startswith("-") else text
    minus, mantissa, sign, exponent = scientific.groups()
    power = (sign.replace("+", "") + exponent).translate(RAISED)
    return f"{'−' if minus else ''}{mantissa}×10{power}"


def in_row(items: tuple[Maths, ...]) -> Iterator[Spans]:
    """The items of a row; a sign at the start, or after another operator, keeps no space before it."""
    after_operator = True
    for item in items:
        part = linear(item)
        if after_operator and isinstance(item, Op):
            part = (Span(SIGNS[item.name].lstrip(" ")),) if item.name != "quad" else part
            part = (Span(text_of(part).rstrip(" ")),) if item.name in ("-", "+") else part
        yield part
        after_operator = isinstance(item, Op) and item.name not in ("quad", "thin", "none", "dots")


def _closed(node: Maths) -> Spans:
    """One thing as it is, several in brackets."""
    inside = linear(node)
    return inside if _is_single(node) else (Span("("), *inside, Span(")"))


def _is_single(node: Maths) -> bool:
    match node:
        case Num(text):
            return not text.startswith("-") and "e" not in text
        case Row(items):
            return len(items) == 1 and _is_single(items[0])
        case Script(base, _, sup):
            return _is_single(base) and sup is None
        case Mark(_, body):
            return _is_single(body)
        case Frac():
            return False
        case _:
            return True


def _script(sign: str, table: dict[int, int], node: Maths) -> Spans:
    text = text_of(linear(node)).replace(" = ", "=").replace(", ", ",").strip()
    plain = text.replace("−", "-")
    if plain and all(ord(c) in table for c in plain):
        return (Span(plain.translate(table)),)
    return (Span(sign + text),) if text.isalnum() else (Span(f"{sign}({text})"),)
