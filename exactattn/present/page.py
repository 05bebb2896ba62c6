"""What every section needs: the sheet of digits, the words, the reader's choices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from exactattn.document import (
    Block,
    Display,
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
    Script,
    Section,
    Sym,
    Text,
    Token,
    Word,
)
from exactattn.i18n import Messages
from exactattn.present import abridge, notation
from exactattn.present.figures.layout import maths as width
from exactattn.present.sheet import BlankSheet, Doubt, Sheet
from exactattn.present.view import View
from exactattn.trace import Quantity, Trace

ROOM = 46.0
"""The width of a line of a page, in ems."""

MARKED = ("scores", "scaled", "masked", "shifted", "exps", "weights", "concat", "output")
"""Where the largest entry of a row means something."""


@dataclass(slots=True)
class Page:
    """The trace being shown, and how. The only state is the running number of the steps."""

    sheet: Sheet
    words: Messages
    view: View
    steps: int = field(default=0)

    @property
    def trace(self) -> Trace:
        """The trace."""
        return self.sheet.trace

    @property
    def blank(self) -> bool:
        """Is this a worksheet?"""
        return isinstance(self.sheet, BlankSheet)

    @property
    def tokens(self) -> tuple[str, ...]:
        """One for each query."""
        return self.trace.problem.tokens

    @property
    def key_tokens(self) -> tuple[str, ...]:
        """One for each key."""
        return self.trace.problem.key_tokens

    # -- words -------------------------------------------------------------------------------------------------------

    def say(self, key: str, /, **parts: Inline | Inlines | str) -> Inlines:
        """A sentence of the solution's language."""
        return self.words.say(f"solution.{key}", **parts)

    def para(self, key: str, /, **parts: Inline | Inlines | str) -> Para:
        """The sentence as a paragraph."""
        return Para(self.say(key, **parts))

    def next_step(self) -> Inlines:
        """ "第一步", "Step 1"."""
        self.steps += 1
        numerals = self.words.text("solution.numerals").split()
        number = numerals[self.steps - 1] if self.steps <= len(numerals) else str(self.steps)
        return self.say("step", number=number)

    def of_head(self, title: Inlines, head: int) -> Inlines:
        """A title, with the head it is about where there are several."""
        if len(self.trace.heads) == 1:
            return title
        return (*title, *self.say("heads.in_title", number=str(head + 1)))

    def letter(self, name: str, head: int) -> Maths:
        """A bold letter, with the head's number where there are several: A₁."""
        base = Sym(name, "bold")
        return base if len(self.trace.heads) == 1 else Script(base, Num(str(head + 1)))

    def quoted(self, token: str) -> Inlines:
        """A token in the language's quotation marks."""
        return self.say("quoted", token=Token(token))

    def listed(self, items: Iterable[Inlines], mark: str = "comma") -> Inlines:
        """Items with the language's comma (or semicolon) between them."""
        out: list[Inline] = []
        for k, item in enumerate(items):
            if k:
                out.append(Text(self.words.text(f"solution.{mark}")))
            out.extend(item)
        return tuple(out)

    # -- maths -------------------------------------------------------------------------------------------------------

    def marked(self, q: Quantity, i: int, j: int) -> Maths:
        """An entry, marked where its row is largest; −∞ where a mask closes it before the exponential."""
        if q.keep is not None and not q.keep[i][j] and q.name in ("masked", "shifted"):
            return Mark("open", Row((Op("-"), Sym("∞", "upright"))))
        number = self.sheet.number(q, i, j)
        if q.keep is not None and not q.keep[i][j]:
            return Mark("open", number)
        if q.name not in MARKED:
            return number
        return Mark("max", number) if j in self.sheet.maxima(q, i) else number

    def vector(self, q: Quantity, i: int) -> Maths:
        """Row i in brackets, abridged when it is long."""
        wanted = self.sheet.maxima(q, i)
        return notation.vector(
            [Op("dots") if j is None else self.marked(q, i, j) for j in abridge.shown(q.shape[1], wanted)]
        )

    def row_relation(self, q: Quantity, i: int) -> Op:
        """ "=" when the whole shown row is exact."""
        return self.sheet.relation(q, *((i, j) for j in range(q.shape[1]) if q.keep is None or q.keep[i][j]))

    def matrix(self, q: Quantity) -> Maths:
        """The matrix with its row labels; abridged around the rows that were asked for when it is large."""
        rows = abridge.shown(q.shape[0], self.view.rows)
        marked = q.name in MARKED and q.shape[1] > abridge.MOST
        wanted = frozenset().union(*(self.sheet.maxima(q, i) for i in self.view.rows if i < q.shape[0] and marked))
        columns = abridge.shown(q.shape[1], wanted)
        lines: list[tuple[Maths, ...]] = []
        for i in rows:
            if i is None:
                lines.append((Op("vdots"), *(Op("ddots") if j is None else Op("vdots") for j in columns)))
            else:
                cells = (Op("dots") if j is None else self.marked(q, i, j) for j in columns)
                lines.append((Word(q.rows[i]), *cells))
        numbered = q.rows == tuple(str(i + 1) for i in range(q.shape[0])) and q.name not in (*MARKED, *"QKVX")
        return Grid(tuple(line[1:] for line in lines), "matrix") if numbered else Grid(tuple(lines), "labelled")

    def matrix_relation(self, q: Quantity) -> Op:
        """ "=" when every entry is exact."""
        if self.blank:
            return Op("=")
        n, m = q.shape
        entries = ((i, j) for i in range(n) for j in range(m))
        return self.sheet.relation(q, *entries) if n * m <= abridge.MOST**2 else Op("approx")

    def row_display(self, symbol: Maths, q: Quantity, i: int, *before: Maths) -> Display:
        """symbol = before ≈ row i in brackets; over several lines where it is wider than the page."""
        relation = self.row_relation(q, i)
        body = notation.row(symbol, *before, relation, self.vector(q, i))
        if width(body) <= ROOM:
            return Display(body)
        shown = [
            Op("dots") if j is None else self.marked(q, i, j)
            for j in abridge.shown(q.shape[1], self.sheet.maxima(q, i))
        ]
        room = ROOM - width(symbol) - 4
        lines: list[list[Maths]] = [[]]
        used = 0.0
        for k, item in enumerate(shown):
            wide = width(item) + 0.6
            if lines[-1] and used + wide > room:
                lines.append([])
                used = 0.0
            lines[-1] += [item] if k == len(shown) - 1 else [item, Op(",")]
            used += wide
        rows: list[tuple[Maths, Maths]] = []
        for k, line in enumerate(lines):
            first = (*before, relation, Sym("[", "upright")) if k == 0 else (Op("quad"),)
            last = (Sym("]", "upright"),) if k == len(lines) - 1 else ()
            rows.append((Op("none") if k else symbol, Row((*first, *line, *last))))
        return Display(Grid(tuple(rows), "lines"))

    def display(self, *items: Maths) -> Display:
        """Maths on a line of its own."""
        return Display(Row(items))

    def abridged(self, q: Quantity) -> list[Block]:
        """The sentence that says so, where a matrix is shown in part."""
        n, m = q.shape
        if n <= abridge.MOST and m <= abridge.MOST:
            return []
        return [self.para("abridged", rows=str(n), columns=str(m))]

    def row_symbol(self, letter: str, i: int) -> Maths:
        """A row of a matrix as a bold small letter with its token."""
        return Script(Sym(letter, "bold"), notation.label(self.tokens, i))

    def section(self, title: Inlines, aside: Inlines, blocks: Sequence[Block]) -> Section:
        """A numbered step."""
        return Section(self.next_step(), title, aside, tuple(blocks))

    # -- notes -------------------------------------------------------------------------------------------------------

    def asked_doubts(self, q: Quantity) -> list[Doubt]:
        """Where printed digits of the asked rows do not follow from those before them."""
        return [doubt for i in self.view.rows for doubt in self.sheet.doubts(q, i)]

    def rounding_note(self, doubts: Sequence[tuple[Inlines, Sequence[Doubt]]]) -> list[Block]:
        """One box for all numbers that do not follow from the digits printed before them."""
        paragraphs: list[Block] = []
        for what, found in doubts:
            if not found:
                continue
            pairs = [self._doubt(doubt) for doubt in found[:_MOST_DOUBTS]]
            text = self.say("doubts", what=what, pairs=self.listed(pairs, "semicolon"))
            if len(found) > _MOST_DOUBTS:
                text += self.say("more_doubts", count=str(len(found) - _MOST_DOUBTS))
            paragraphs.append(Para(text))
        if not paragraphs:
            return []
        return [Note("warning", self.say("rounding"), (self.para("doubts_lead"), *paragraphs))]

    def _doubt(self, doubt: Doubt) -> Inlines:
        row, column = doubt.labels
        names = [name for name in ((row,) if len(self.view.rows) > 1 else ()) + (column,) if name]
        at: Inlines = ()
        for k, name in enumerate(names):
            at += ((Text(" → "),) if k else ()) + (Token(name),)
        said = self.say("doubt", pencil=Math(Num(doubt.pencil)), printed=Math(Num(doubt.printed)))
        return (*at, Text(self.words.text("solution.colon")), *said) if at else said


_MOST_DOUBTS = 12
