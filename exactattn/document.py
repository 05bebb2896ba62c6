"""The document tree: what `present` makes and `writers` typeset.

Every string in it is final. Numbers arrive as certified text ("-0.40"; a writer sets the minus sign), sentences come from
`i18n`, and nothing above this file computes. Kinds of node:

    maths     Num Sym Word Op Row Frac Root Script Fence Grid Mark Blank
    inline    Text Token Strong Math
    blocks    Para Code Display Table Figure Side Note Section Room PageBreak
    pictures  Cell Frame Box Arrow Bar Line Label, in one geometry (millimetres, y downwards)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

# -- maths -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Num:
    """A number as text: "-0.40", "3", "1.5e-7" (typeset as 1.5 × 10⁻⁷)."""

    text: str


@dataclass(frozen=True, slots=True)
class Sym:
    """A symbol: one letter ("Q", "d", "Σ"), or an operator name in upright style ("Softmax")."""

    name: str
    style: Literal["italic", "bold", "upright"] = "italic"


@dataclass(frozen=True, slots=True)
class Word:
    """A token or word inside maths: any Unicode text, shown as itself."""

    text: str


@dataclass(frozen=True, slots=True)
class Op:
    """An operator, a key of the writers' one table.

    Relations "=" "approx" "<" "le" "ge" "ne" "in" "implies" "iff" "to"; signs "+" "-" "times" "cdot" "/" "div"; big
    "sum" "max"; "," "dots" "vdots" "ddots"; spaces "quad" "thin" "none" (an empty box).
    """

    name: str


@dataclass(frozen=True, slots=True)
class Row:
    """Side by side."""

    items: tuple[Maths, ...]


@dataclass(frozen=True, slots=True)
class Frac:
    """A fraction."""

    top: Maths
    bottom: Maths


@dataclass(frozen=True, slots=True)
class Root:
    """A square root."""

    body: Maths


@dataclass(frozen=True, slots=True)
class Script:
    """A base with what stands below and above it; limits when the base is a big operator ("sum", "max")."""

    base: Maths
    sub: Maths | None = None
    sup: Maths | None = None


@dataclass(frozen=True, slots=True)
class Fence:
    """Brackets that grow with their body."""

    open: str
    body: Maths
    close: str


@dataclass(frozen=True, slots=True)
class Grid:
    """A rectangle of maths.

    "matrix": in square brackets, right-aligned. "labelled": the same, the first cell of each row a label left of the
    bracket; `head` then holds column labels above (or is empty). "lines": two cells a row, aligned between them (a
    derivation: left side | relation and right side).
    """

    rows: tuple[tuple[Maths, ...], ...]
    kind: Literal["matrix", "labelled", "lines"]
    head: tuple[Maths, ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """A marked part.

    "max": bold and coloured; "answer": boxed; "doubt": underlined (a note stands beside it); "suspect": boxed in
    amber; "wrong": boxed in red;
    "open": pale (masked).
    """

    kind: Literal["max", "answer", "doubt", "suspect", "wrong", "open"]
    body: Maths


@dataclass(frozen=True, slots=True)
class Blank:
    """A place to write a result into, `width` digits wide (worksheets)."""

    width: int


Maths: TypeAlias = Num | Sym | Word | Op | Row | Frac | Root | Script | Fence | Grid | Mark | Blank

# -- inline ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text:
    """Plain text in the document's language."""

    text: str


@dataclass(frozen=True, slots=True)
class Token:
    """A token: any Unicode text, shown as itself or as labelled code-point boxes, never as a command."""

    text: str


@dataclass(frozen=True, slots=True)
class Strong:
    """Emphasised."""

    items: tuple[Inline, ...]


@dataclass(frozen=True, slots=True)
class Math:
    """Maths within a line."""

    body: Maths


Inline: TypeAlias = Text | Token | Strong | Math
Inlines: TypeAlias = tuple[Inline, ...]

# -- blocks ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Para:
    """A paragraph."""

    items: Inlines


@dataclass(frozen=True, slots=True)
class Code(Para):
    """A line of code to copy, under the paragraph that says what it is: a paragraph in letters of one width."""


@dataclass(frozen=True, slots=True)
class Display:
    """Maths on lines of its own."""

    body: Maths


@dataclass(frozen=True, slots=True)
class Wide:
    """A table cell over several columns, set flush right."""

    columns: int
    items: Inlines


TableCell: TypeAlias = Inlines | Wide


@dataclass(frozen=True, slots=True)
class Table:
    """A captioned table: `align` has one of l, r, c for each column; `foot` rows stand under a rule."""

    head: tuple[TableCell, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    align: str
    caption: Inlines = ()
    foot: tuple[tuple[TableCell, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Figure:
    """A picture with its caption; `name` is its file name stem when figures are saved one by one."""

    name: str
    picture: Picture
    caption: Inlines
    note: Inlines = ()


@dataclass(frozen=True, slots=True)
class Side:
    """Figures or tables that belong side by side (stacked where it is narrow)."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Note:
    """A box: the problem, a check that holds, a warning about rounding, the answer."""

    kind: Literal["problem", "check", "warning", "answer"]
    title: Inlines
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A step of the work: "第一步", its title, a remark at the far end of the line, its blocks. Opens and closes in HTML."""

    label: Inlines
    title: Inlines
    aside: Inlines
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Room:
    """Empty room to write on, so many lines of text high."""

    lines: int


@dataclass(frozen=True, slots=True)
class PageBreak:
    """What follows starts on a new page (the key of a worksheet)."""


Block: TypeAlias = Para | Code | Display | Table | Figure | Side | Note | Section | Room | PageBreak

# -- pictures: millimetres, y downwards, the full width of a page is 166 --------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cell:
    """A heatmap cell.

    `tint` is a percentage: 0 to 100 (palette "weight"), or −100 to 100 (palette "score"). Text flips to white on dark.
    """

    x: float
    y: float
    width: float
    height: float
    tint: int
    palette: Literal["weight", "score"]
    text: str = ""
    strong: bool = False
    title: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """The red frame of a row's maximum, drawn inside the given rectangle."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Box:
    """A rounded box with centred lines; "step": accent on panel, "io": plain and small, "part": panel with grey edge."""

    x: float
    y: float
    width: float
    height: float
    lines: tuple[BoxLine, ...]
    role: Literal["step", "io", "part"] = "step"


@dataclass(frozen=True, slots=True)
class BoxLine:
    """One line in a box: a heading in accent, the body, or small and muted."""

    items: Inlines
    style: Literal["heading", "body", "muted"] = "body"


@dataclass(frozen=True, slots=True)
class Arrow:
    """A line through the points with a tip at its end."""

    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar of a chart; the four roles have four fills that also differ in grey."""

    x: float
    y: float
    width: float
    height: float
    role: Literal["first", "second", "positive", "negative"]


@dataclass(frozen=True, slots=True)
class Line:
    """A rule: a chart's axis, a grid line, or a table rule."""

    x1: float
    y1: float
    x2: float
    y2: float
    role: Literal["axis", "grid", "rule"] = "axis"


@dataclass(frozen=True, slots=True)
class Label:
    """Text at a point, vertically centred on it."""

    x: float
    y: float
    items: Inlines
    anchor: Literal["start", "middle", "end"] = "middle"
    style: Literal["normal", "strong", "small", "tiny", "muted"] = "normal"


Shape: TypeAlias = Cell | Frame | Box | Arrow | Bar | Line | Label


@dataclass(frozen=True, slots=True)
class Picture:
    """Shapes in a width × height area, in drawing order, and a sentence for those who do not see it."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    describe: str


# -- the whole -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Document:
    """A page: its title, the line under it, its blocks, its language, and what stands at the head of each sheet."""

    title: Inlines
    meta: Inlines
    blocks: tuple[Block, ...]
    lang: str
    running: tuple[Inlines, Inlines] = ((), ())


def plain(items: Inlines) -> str:
    """The text of inline nodes, without markup (titles, file metadata, alternative texts).

    >>> plain((Text("row "), Token("西安"), Math(Row((Sym("d"), Op("="), Num("-4"))))))
    'row 西安d=-4'
    """
    return "".join(_plain(item) for item in items)


def _plain(item: Inline) -> str:
    match item:
        case Text(text) | Token(text):
            return text
        case Strong(items):
            return plain(items)
        case Math(body):
            return _letters(body)


def _letters(node: Maths) -> str:
    match node:
        case Num(text) | Word(text):
            return text
        case Sym(name, _):
            return name
        case Op(name):
            return {
                "quad": " ",
                "thin": "",
                "none": "",
                "approx": "≈",
                "times": "×",
                "cdot": "·",
                "div": "÷",
                "to": "→",
                "le": "≤",
                "ge": "≥",
                "ne": "≠",
                "in": "∈",
                "implies": "⇒",
                "iff": "⇔",
                "sum": "Σ",
                "dots": "…",
            }.get(name, name)
        case Row(items):
            return "".join(map(_letters, items))
        case Frac(top, bottom):
            return f"{_letters(top)}/{_letters(bottom)}"
        case Root(body):
            return f"√{_letters(body)}"
        case Script(base, sub, sup):
            low = f"_{_letters(sub)}" if sub is not None else ""
            return _letters(base) + low + (f"^{_letters(sup)}" if sup is not None else "")
        case Fence(left, body, right):
            return f"{left}{_letters(body)}{right}"
        case Mark(_, body):
            return _letters(body)
        case Grid(rows, _, _):
            return "; ".join(", ".join(map(_letters, row)) for row in rows)
        case Blank(width):
            return "_" * width
