"""What every part of a report uses: words, the names of rows and columns, numbers as they are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from exactattn.audits.cause import Methods
from exactattn.audits.printed import Number
from exactattn.audits.ranges import Exact, Range
from exactattn.audits.result import Audit
from exactattn.audits.verdicts import Verdict
from exactattn.document import Inline, Inlines, Math, Maths, Num, Op, Para, Row, Sym, Table, TableCell, Text, Token
from exactattn.i18n import Messages
from exactattn.numbers.value import Value
from exactattn.present import notation

OF_KEYS = ("scores", "scaled", "shifted", "exps", "weights")
"""Quantities with a column for each key."""

RIGHT: tuple[Verdict, ...] = ("ok", "unchecked")
"""Verdicts that need no word."""


@dataclass(frozen=True, slots=True)
class Page:
    """An audit that is told in a language."""

    audit: Audit
    words: Messages

    def say(self, key: str, /, **parts: Inline | Inlines | str) -> Inlines:
        """A message of audits."""
        return self.words.say(f"audit.{key}", **parts)

    def para(self, key: str, /, **parts: Inline | Inlines | str) -> Para:
        """A message of audits as a paragraph."""
        return Para(self.say(key, **parts))

    # -- labels ------------------------------------------------------------------------------------------------------

    def tokens(self, kind: str) -> tuple[str, ...]:
        """The tokens of the queries or of the keys; none where nothing names them."""
        case, trace = self.audit.case, self.audit.examined.trace
        if kind == "keys":
            return trace.problem.key_tokens if trace is not None else case.key_tokens or case.tokens or ()
        return trace.problem.tokens if trace is not None else case.tokens or ()

    def row_tokens(self, name: str) -> tuple[str, ...]:
        """What names the rows of a quantity."""
        return self.tokens("keys" if name in ("K", "V") else "queries")

    def column_tokens(self, name: str) -> tuple[str, ...]:
        """What names its columns: keys, or nothing where they are dimensions."""
        return self.tokens("keys") if name in OF_KEYS else ()

    def named(self, tokens: tuple[str, ...], k: int) -> Inlines:
        """A token, with its number where another is the same; the number alone where there is none."""
        if k >= len(tokens):
            return (Text(str(k + 1)),)
        again = tokens.count(tokens[k]) > 1
        return (Token(tokens[k]), Text(f" ({k + 1})")) if again else (Token(tokens[k]),)

    def listed(self, items: Sequence[Inlines], mark: str = "semicolon") -> Inlines:
        """Items with the language's semicolon (or comma) between them."""
        out: Inlines = ()
        for k, item in enumerate(items):
            out += ((Text(self.words.text(f"solution.{mark}")),) if k else ()) + item
        return out

    def stop(self) -> Text:
        """The end of a sentence."""
        return Text(self.words.text("solution.stop"))

    def place(self, name: str, head: int | None, i: int, columns: Sequence[int] = ()) -> Inlines:
        """ "weights, row cat, column sat"."""
        out = self.words.say(f"solution.name.{name}")
        if head is not None:
            out += self.say("head", number=str(head + 1))
        out += self.say("row", row=self.named(self.row_tokens(name), i))
        if columns and name != "sums":
            tokens = self.column_tokens(name)
            out += self.say("column", column=self.listed([self.named(tokens, j) for j in columns[:6]], "comma"))
        return out


# -- numbers -----------------------------------------------------------------------------------------------------------


def as_printed(number: Number) -> Maths:
    """A printed number as it stands."""
    if number.infinite:
        return Row((Op("-"), Sym("∞", "upright")))
    return notation.written(number.text)


def shown(value: Value, number: Number) -> str:
    """A value with two places more than the printed number has, and enough to be told from 0."""
    places = (number.places if number.places is not None else 4) + 2
    text = value.decimal(max(places, 0))
    return text if text.strip("-0.") or value.sign() == 0 else value.significant(3)


def beside(value: Value | None, number: Number) -> Inlines:
    """A value to stand beside a printed number; nothing where there is none."""
    return () if value is None else (Math(Num(shown(value, number))),)


def interval(one: Range) -> Maths:
    """A range in brackets, or its one number."""
    if one.low == one.high:
        return Num(short(one.low))
    return Row((Sym("[", "upright"), Num(short(one.low)), Op(","), Num(short(one.high)), Sym("]", "upright")))


def short(number: Exact) -> str:
    """A short text of a value: exact where it is a short decimal, else five significant digits."""
    value = Value.of(number)
    for places in range(13):
        text = value.decimal(places)
        if value == text:
            return text
    return value.significant(5)


def key(verdict: str) -> str:
    """The key of a verdict's words."""
    return verdict.replace("-", "_")


def together(words: Messages, methods: Methods) -> Inlines:
    """The names of wrong methods that were done together."""
    out: Inlines = ()
    for k, one in enumerate(methods):
        out += ((Text(" + "),) if k else ()) + words.say(f"misconception.{one.name}.name")
    return out


def counted(words: Messages, counts: Mapping[Verdict, int]) -> Table:
    """How many numbers have each verdict, and what that means."""
    rows: list[tuple[TableCell, ...]] = []
    for name, count in counts.items():
        said = words.say(f"audit.verdicts.{key(name)}"), words.say(f"audit.means.{key(name)}")
        rows.append((said[0], (Math(Num(str(count))),), said[1]))
    head: tuple[TableCell, ...] = (words.say("audit.verdict"), words.say("audit.numbers"), words.say("audit.meaning"))
    return Table(head, tuple(rows), "lrl", words.say("audit.totals"))
