"""Statements as one writes them on a line, read into the maths tree.

    p_i = e^(s_i)/(sum_j e^(s_j))        scripts and fractions take what follows, or a bracket, which then disappears
    @Q @K^tr                             bold letters; tr is the transpose, inf is infinity
    abs(x)  norm(@J)_2  floor(h/g)  sqrt(d)
    <= >= => <=> -> ~ * //               less or equal, ..., approximately, a dot, a slash on the line

Unknown words are an error: a slip in a statement is found when the catalogue is typeset.
"""

from __future__ import annotations

import re
from functools import lru_cache

from exactattn.document import Fence, Frac, Grid, Inline, Inlines, Math, Maths, Num, Op, Root, Row, Script, Sym, Text
from exactattn.errors import InputError

GREEK = {
    "alpha": "α", "beta": "β", "delta": "δ", "eta": "η", "theta": "θ", "lambda": "λ", "mu": "μ", "pi": "π",
    "sigma": "σ", "tau": "τ", "Delta": "Δ", "partial": "∂",
}  # fmt: skip
NAMED = (
    "softmax", "attention", "tanh", "exp", "ln", "diag", "argmax", "conv", "min", "Var", "KL", "merge", "window", "causal",
    "score", "rank", "mean", "cap", "zero", "nan", "uniform", "error",
)  # fmt: skip
"""Names in upright type."""

SIGNS = {
    "<=>": "iff", "!=": "ne", "<=": "le", ">=": "ge", "=>": "implies", "->": "to", "//": "/", "=": "=", "<": "<",
    "+": "+", "-": "-", "*": "cdot", "~": "approx", ",": ",",
}  # fmt: skip
WORDS = {"sum": "sum", "max": "max", "in": "in", "dots": "dots", "quad": "quad", "thin": "thin", "times": "times"}
CLOSING = {"(": ")", "[": "]", "{": "}"}
AROUND = {"abs": ("|", "|"), "norm": ("‖", "‖"), "floor": ("⌊", "⌋")}

_PIECES = re.compile(
    r"\s*(@?[A-Za-z]+|[0-9]+(?:[.][0-9]+)?|<=>|!=|<=|>=|=>|->|//|[-=<>+*~,/_^()\[\]{}])", re.ASCII
)  # fmt: skip


@lru_cache(2048)
def maths(text: str) -> Maths:
    """The tree of a line.

    >>> maths("p_1/z <= 1")
    Row(items=(Frac(top=Script(base=Sym(name='p', style='italic'), sub=Num(text='1'), sup=None), \
bottom=Sym(name='z', style='italic')), Op(name='le'), Num(text='1')))
    >>> maths("p = sofmax(s)")
    Traceback (most recent call last):
        ...
    exactattn.errors.InputError: 'sofmax' means nothing in p = sofmax(s)
    """
    return _Reader(text).line("")


def lines(*texts: str) -> Maths:
    """A derivation: each line's left side, and its first relation with what follows, under each other.

    >>> lines("a = b", "= c").rows[1][0]
    Row(items=())
    """
    return Grid(tuple(sides(maths(text)) for text in texts), "lines")


LOGICAL = frozenset({"implies", "iff", "to"})
RELATIONS = frozenset({"=", "le", "ge", "ne", "<", "approx", "in"})


def items_of(line: Maths) -> tuple[Maths, ...]:
    """What stands side by side in a line."""
    return line.items if isinstance(line, Row) else (line,)


def sides(line: Maths) -> tuple[Maths, Maths]:
    """What stands before the first relation, and the rest."""
    items = items_of(line)
    found = (k for k, item in enumerate(items) if isinstance(item, Op) and item.name in RELATIONS | LOGICAL)
    at = next(found, len(items))
    return Row(items[:at]), Row(items[at:])


_LETTER = "[bchijkmnpqrstvwxyHJKLOQRTVW]"
_ALONE = re.compile(
    rf"(?<![A-Za-z0-9_'’-])({_LETTER}(?: [=≥≤−+] (?:{_LETTER}|[0-9]+))*)(?![A-Za-z0-9_'’-])"
)  # fmt: skip
_WRITTEN = str.maketrans({"≥": ">=", "≤": "<=", "−": "-", **{letter: f"@{letter}" for letter in "JKQVW"}})


def lettered(items: Inlines) -> Inlines:
    """Prose with the letters that stand alone in it set as maths: "over all i and j", "the kernel of J", "j ≤ i + 1".

    >>> lettered((Text("head h of V"),))[1:3]
    (Math(body=Sym(name='h', style='italic')), Text(text=' of '))
    """
    out: list[Inline] = []
    for item in _joined(items):
        if not isinstance(item, Text):
            out.append(item)
            continue
        for k, piece in enumerate(_ALONE.split(item.text)):
            if k % 2:
                out.append(Math(maths(piece.translate(_WRITTEN))))
            elif piece:
                out.append(Text(piece))
    return tuple(out)


def _joined(items: Inlines) -> list[Inline]:
    """Neighbouring texts as one."""
    out: list[Inline] = []
    for item in items:
        if isinstance(item, Text) and out and isinstance(before := out[-1], Text):
            out[-1] = Text(before.text + item.text)
        else:
            out.append(item)
    return out


class _Reader:
    """Reads from left to right, one piece ahead."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.pieces: list[str] = []
        at = 0
        while at < len(text.rstrip()):
            found = _PIECES.match(text, at)
            if found is None:
                raise InputError("{rest!r} means nothing in {text}", rest=text[at:].strip()[:10], text=text)
            self.pieces.append(found[1])
            at = found.end()
        self.at = 0

    def peek(self) -> str:
        return self.pieces[self.at] if self.at < len(self.pieces) else ""

    def take(self) -> str:
        piece = self.peek()
        self.at += 1
        return piece

    def line(self, end: str) -> Maths:
        items: list[Maths] = []
        while self.peek() != end:
            if not self.peek():
                raise InputError("{end!r} is missing in {text}", end=end, text=self.text)
            item = self.item()
            if items and _touch(items[-1], item):
                items.append(Op("thin"))
            items.append(item)
        self.take()
        return items[0] if len(items) == 1 else Row(tuple(items))

    def item(self) -> Maths:
        left = self.scripted()
        while self.peek() == "/":
            self.take()
            left = Frac(_bare(left), _bare(self.scripted()))
        return left

    def scripted(self) -> Maths:
        base = self.atom()
        sub: Maths | None = None
        sup: Maths | None = None
        while self.peek() in ("_", "^"):
            if self.take() == "_":
                sub = _bare(self.script())
            else:
                sup = _bare(self.script())
        return base if sub is None and sup is None else Script(base, sub, sup)

    def script(self) -> Maths:
        if self.peek() == "-":
            self.take()
            return Row((Op("-"), self.atom()))
        return self.atom()

    def atom(self) -> Maths:
        piece = self.take()
        if piece in CLOSING:
            return Fence(piece, self.line(CLOSING[piece]), CLOSING[piece])
        if piece in SIGNS:
            return Op(SIGNS[piece])
        if piece in WORDS:
            return Op(WORDS[piece])
        if piece in AROUND:
            left, right = AROUND[piece]
            return Fence(left, _bare(self.atom()), right)
        if piece == "sqrt":
            return Root(_bare(self.atom()))
        if piece[:1].isdigit():
            return Num(piece)
        return self.name(piece)

    def name(self, piece: str) -> Maths:
        if piece.startswith("@") and len(piece) == 2:
            return Sym(piece[1], "bold")
        if piece == "tr":
            return Sym("T", "upright")
        if piece == "inf":
            return Sym("∞", "upright")
        if piece in GREEK:
            return Sym(GREEK[piece])
        if piece in NAMED:
            return Sym(piece, "upright")
        if len(piece) == 1 and piece.isalpha():
            return Sym(piece, "upright" if piece == "e" else "italic")
        raise InputError("{piece!r} means nothing in {text}", piece=piece, text=self.text)


def _touch(left: Maths, right: Maths) -> bool:
    """Whether a little room is due: between factors with scripts, and round names and sums."""
    if isinstance(right, Fence) or _is_sign(left) or _is_sign(right):
        return False
    loose = (Script, Frac, Root)
    return isinstance(left, loose) or isinstance(right, loose) or _is_name(left) or _is_name(right)


def _is_sign(node: Maths) -> bool:
    return isinstance(node, Op) and node.name not in ("sum", "max")


def _is_name(node: Maths) -> bool:
    return isinstance(node, Sym) and len(node.name) > 1


def _bare(node: Maths) -> Maths:
    """What stands in round brackets, without them."""
    return node.body if isinstance(node, Fence) and node.open == "(" else node
