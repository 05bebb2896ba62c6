"""What a source prints one step earlier, and what follows: the recomputed value r, its range I, the operands it was made of.

The choice is made row by row. An operand is what is printed of a quantity, else the given input; a masked place is known
to be 0 after the exponential. Everything recomputed goes through the steps of the pipeline, on one row at a time. Ranges and
operands are worked out only when asked for: most numbers are right.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial

from flint import fmpq

from exactattn.arithmetic.exact import ExactArithmetic
from exactattn.attention import pipeline
from exactattn.audits.compare import Compared
from exactattn.audits.operands import JoinedHeads, Operands, Setting, Sources, Where
from exactattn.audits.printed import Number, Printed, Row, Rows
from exactattn.audits.ranges import ZERO, Exact, Range, less, less_maximum, linear, share, softmax, total
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.value import Value
from exactattn.trace.quantity import Quantity

_NOTHING = Number("0", 0, False)


@dataclass(frozen=True, slots=True)
class Recomputed:
    """One entry recomputed: which entry of a row it is; when asked, its range and the operands it was made of."""

    row: Compared
    column: int
    spread: Callable[[], Range | None]
    operands: Callable[[], tuple[Where, ...]]


@dataclass(frozen=True, slots=True)
class _Columns:
    """The right side of a product: its columns, those of which every number is there, as a matrix, and their ranges."""

    table: Rows
    whole: tuple[int, ...]
    rows: Quantity
    ranges: dict[int, list[Range]] = field(default_factory=dict)


class Earlier(Sources):
    """Recomputes entries from what is printed one step earlier."""

    def __init__(self, printed: Printed, setting: Setting, limits: Limits = LIMITS) -> None:
        super().__init__(printed, setting, limits)
        self._ar = ExactArithmetic(limits)
        self._rows: dict[tuple[str, int | None, int], dict[int, Recomputed]] = {}
        self._right: dict[tuple[int, int], _Columns | None] = {}

    def entry(self, name: str, head: int | None, i: int, j: int) -> Recomputed | None:
        """The entry recomputed, None where what it needs is not printed."""
        key = (name, head, i)
        if key not in self._rows:
            self._rows[key] = self._row(name, head, i)
        return self._rows[key].get(j)

    # -- one row -------------------------------------------------------------------------------------------------------

    def _row(self, name: str, head: int | None, i: int) -> dict[int, Recomputed]:
        match name:
            case "Q" | "K" | "V":
                return self._projected(name, i)
            case "scores":
                return self._scores(head, i)
            case "scaled":
                return self._from_scores(head, i, "scaled", (("scores", True),))
            case "shifted":
                return self._from_scores(head, i, "shifted", (("scaled", False),))
            case "exps":
                return self._exps(head, i)
            case "sums":
                return self._sums(head, i)
            case "weights":
                return self._weights(head, i)
            case "output":
                return self._output(head, i)
        return {}

    def _quantity(
        self, name: str, rows: Sequence[Sequence[Number | None]], keep: Sequence[bool] | None = None
    ) -> Quantity:
        """Printed numbers as a quantity; a place that is closed or not printed is 0."""
        flat = [ZERO if n is None or n.infinite else n.exact for row in rows for n in row]
        shape = len(rows), len(rows[0])
        labels = tuple(str(k + 1) for k in range(shape[0])), tuple(str(k + 1) for k in range(shape[1]))
        return Quantity(
            name, linear(flat, shape), *labels, self._ar, None, (tuple(keep),) if keep is not None else None
        )

    def _keep(self, row: Row, i: int) -> list[bool]:
        """Open places of a row: not masked, and not printed as −∞."""
        return [self.is_open(i, j) and not (number is not None and number.infinite) for j, number in enumerate(row)]

    def _made(
        self,
        made: Quantity,
        columns: Sequence[int],
        spread: Callable[[int], Range | None],
        operands: Callable[[int], tuple[Where, ...]],
    ) -> dict[int, Recomputed]:
        compared = Compared(made.exact, self.limits)
        return {j: Recomputed(compared, j, partial(spread, j), partial(operands, j)) for j in columns}

    # -- products ------------------------------------------------------------------------------------------------------

    def _scores(self, head: int | None, i: int) -> dict[int, Recomputed]:
        q, k = self.operands("Q", head), self.operands("K", head)
        return self._product(q, i, k, True) if q is not None and k is not None else {}

    def _projected(self, name: str, i: int) -> dict[int, Recomputed]:
        x = self.operands("X_kv", None) if name != "Q" else None
        x = x or self.operands("X", None)
        w, b = self.operands(f"W_{name}", None), self.operands(f"b_{name}", None)
        return self._product(x, i, w, False, b) if x is not None and w is not None else {}

    def _output(self, head: int | None, i: int) -> dict[int, Recomputed]:
        if head is None and (self.setting.heads > 1 or "W_O" in self.setting.inputs):
            return self._final(i)
        a, v = self.operands("weights", head), self.operands("V", head)
        row = self.whole(a, i)
        if a is None or v is None or row is None:
            return {}
        opened = tuple(n if self.is_open(i, j) else _NOTHING for j, n in enumerate(row))
        return self._product(replace(a, rows=(*((),) * i, opened)), i, v, False)

    def _final(self, i: int) -> dict[int, Recomputed]:
        """The output after concatenation: the printed outputs of the heads, times W_O where there is one."""
        outputs = [self.printed.find("output", h) for h in range(len(self.printed.heads))]
        rows = [out[i] for out in outputs if out is not None and i < len(out)]
        if not rows or len(rows) < self.setting.heads:
            return {}
        joined: Row = tuple(number for row in rows for number in row)
        left = JoinedHeads("output", None, (*((),) * i, joined), tuple(map(len, rows)))
        w, b = self.operands("W_O", None), self.operands("b_O", None)
        if w is not None:
            return self._product(left, i, w, False, b)
        if not joined or not {"V", "W_V"} & self.setting.inputs.keys():
            return {}  # whether there is a W_O is known only where the inputs are

        def spread(j: int) -> Range | None:
            number = joined[j]
            return None if number is None else self.range_of(left, number)

        whole = [j for j, number in enumerate(joined) if number is not None and not number.infinite]
        return self._made(self._quantity("output", [joined]), whole, spread, lambda j: left.places([(i, j)]))

    def _product(
        self, left: Operands, i: int, right: Operands, transposed: bool, bias: Operands | None = None
    ) -> dict[int, Recomputed]:
        """Row i of left times right (or its transpose), entry by entry where every operand is there."""
        row = left.rows[i] if i < len(left.rows) else ()
        if not row or not _complete(row):
            return {}
        columns = self._columns(right, transposed, len(row))
        if columns is None:
            return {}
        made = pipeline.score(self._ar, self._quantity("Q", [row]), columns.rows, head=0)
        if bias is not None:
            if len(bias.rows[0]) != len(columns.table):
                return {}
            made = replace(made, matrix=self._ar.add(made.matrix, self._quantity("b", bias.rows).matrix))

        @cache
        def ranges() -> list[Range]:
            return [self.range_of(left, x) for x in row if x is not None]

        def spread(j: int) -> Range:
            if j not in columns.ranges:
                columns.ranges[j] = [self.range_of(right, y) for y in columns.table[j] if y is not None]
            terms = [x.times(y) for x, y in zip(ranges(), columns.ranges[j], strict=True)]
            if bias is not None and (b := bias.rows[0][j]) is not None:
                terms.append(self.range_of(bias, b))
            return total(terms)

        def operands(j: int) -> tuple[Where, ...]:
            read = [(i, c) for c, x in enumerate(row) if x is not _NOTHING]
            return left.places(read) + right.places([(j, c) if transposed else (c, j) for c in range(len(row))])

        return self._made(made, columns.whole, spread, operands)

    def _columns(self, right: Operands, transposed: bool, length: int) -> _Columns | None:
        """The columns of the right side that are whole and of this length, made once for all rows of the left."""
        key = id(right), length  # `operands` keeps what it finds, so an id stays one object's
        if key in self._right:
            return self._right[key]
        table = right.rows if transposed else _flipped(right.rows)
        whole = tuple(j for j, column in enumerate(table) if len(column) == length and _complete(column))
        there = set(whole)
        rows = [table[j] if j in there else (None,) * length for j in range(len(table))]
        made = _Columns(table, whole, self._quantity("K", rows)) if whole else None
        self._right[key] = made
        return made

    # -- from scores to weights ------------------------------------------------------------------------------------------

    def _from_scores(
        self, head: int | None, i: int, target: str, sources: Sequence[tuple[str, bool]]
    ) -> dict[int, Recomputed]:
        """scaled, shifted, exps or weights of row i from the scores or scaled scores of it."""
        chosen = self.chosen(head, i, sources)
        if chosen is None:
            return {}
        source, scale = chosen
        row = source.rows[i]
        keep = self._keep(row, i)
        shifts = self.setting.shift == "max" or target == "shifted"
        reads_all = target in ("shifted", "weights") or (target == "exps" and shifts)
        if reads_all and self.whole(source, i) is None:
            return {}
        if target == "weights" and not any(keep):
            return {}
        by = self.setting.scale if scale and self.setting.scale is not None else "1"
        made = pipeline.scale(self._ar, self._quantity("scaled", [row], keep), by=by, head=0)
        if target != "scaled" and shifts and any(keep):
            made = pipeline.shift(self._ar, made, pipeline.maximum(self._ar, made))
        if target in ("exps", "weights"):
            made = pipeline.exponentiate(self._ar, made, fully_masked="zero")
        if target == "weights":
            made = pipeline.divide(self._ar, made, pipeline.total(self._ar, made))
        opened = [j for j in range(len(row)) if keep[j]]

        @cache
        def scaling() -> tuple[bool, Exact]:
            """Is the scale negative? And its size."""
            factor = Value.of(by, self.limits)
            return (True, -factor) if factor < 0 else (False, factor)

        def before(number: Number) -> Range:
            """The range of an operand, its sign turned where the scale is negative: what is left to multiply by is not."""
            found = self.range_of(source, number)
            return found.times(_MINUS) if scaling()[0] else found

        @cache
        def ranges() -> list[Range]:
            return [before(n) for j in opened if (n := row[j]) is not None]

        def spread(j: int) -> Range | None:
            number = row[j]
            _, factor = scaling()
            at = opened.index(j) if keep[j] else None
            if target == "weights":
                return softmax(ranges(), at, factor) if at is not None else Range(ZERO, ZERO)
            if target == "exps" and at is None:
                return Range(ZERO, ZERO)
            assert number is not None
            found = before(number)
            if target != "scaled" and shifts:
                found = less_maximum(ranges(), at) if at is not None else less(found, ranges())
            found = found.scaled(factor)
            return found.exp() if target == "exps" else found

        def operands(j: int) -> tuple[Where, ...]:
            if not reads_all:
                return source.places([(i, j)])
            read = {k for k in range(len(row)) if self.is_open(i, k) and row[k] is not None}
            return source.places([(i, k) for k in sorted(read | ({j} if target == "shifted" else set()))])

        if target in ("exps", "weights"):
            there = [j for j in range(len(row)) if reads_all or row[j] is not None or not self.is_open(i, j)]
        else:
            there = [j for j, number in enumerate(row) if number is not None and not number.infinite]
        return self._made(made, there, spread, operands)

    def _exps(self, head: int | None, i: int) -> dict[int, Recomputed]:
        shifted = self.chosen(head, i, (("shifted", False),))
        if shifted is None:
            return self._from_scores(head, i, "exps", (("scaled", False), ("scores", True)))
        source, row = shifted[0], shifted[0].rows[i]
        keep = self._keep(row, i)
        made = pipeline.exponentiate(self._ar, self._quantity("shifted", [row], keep), fully_masked="zero")
        there = [j for j, number in enumerate(row) if number is not None or not self.is_open(i, j)]

        def spread(j: int) -> Range:
            number = row[j]
            return Range(ZERO, ZERO) if number is None or not keep[j] else self.range_of(source, number).exp()

        return self._made(made, there, spread, lambda j: source.places([(i, j)]))

    def _sums(self, head: int | None, i: int) -> dict[int, Recomputed]:
        source = self.operands("exps", head)
        row = self.whole(source, i)
        if source is None or row is None:
            return {}
        opened = _where(row, self._keep(row, i))
        made = pipeline.total(self._ar, self._quantity("exps", [opened]))
        cells = [(i, j) for j, number in enumerate(opened) if number is not None]
        return self._made(
            made, [0],
            lambda j: total(self.range_of(source, n) for n in opened if n is not None),
            lambda j: source.places(cells),
        )  # fmt: skip

    def _weights(self, head: int | None, i: int) -> dict[int, Recomputed]:
        exps = self.chosen(head, i, (("exps", False),))
        if exps is None:
            return self._from_scores(head, i, "weights", (("scaled", False), ("scores", True)))
        source, row = exps[0], exps[0].rows[i]
        sums = self.chosen(head, i, (("sums", False),))
        opened = _where(row, self._keep(row, i))
        e = self._quantity("exps", [opened])
        if sums is not None and (z := sums[0].rows[i][0]) is not None and not z.infinite:
            divisor = self.range_of(sums[0], z)
            if divisor.holds_zero():
                return {}
            made = pipeline.divide(self._ar, e, self._quantity("sums", [[z]]))
            there = [j for j, number in enumerate(row) if number is not None or not self.is_open(i, j)]

            def quotient(j: int) -> Range:
                number = opened[j]
                return Range(ZERO, ZERO) if number is None else self.range_of(source, number).over(divisor)

            return self._made(
                made, there, quotient, lambda j: source.places([(i, j)]) + sums[0].places([(i, 0)])
            )  # fmt: skip
        if self.whole(source, i) is None:
            return {}
        at = [j for j, number in enumerate(opened) if number is not None]
        ranges = [self.range_of(source, n) for n in opened if n is not None]
        if not ranges or total(ranges).holds_zero():
            return {}
        made = pipeline.divide(self._ar, e, pipeline.total(self._ar, e))

        def spread(j: int) -> Range | None:
            return share(ranges, at.index(j)) if opened[j] is not None else Range(ZERO, ZERO)

        return self._made(made, range(len(row)), spread, lambda j: source.places([(i, k) for k in at]))


_MINUS = Range(fmpq(-1), fmpq(-1))


def _complete(row: Row) -> bool:
    return not any(number is None or number.infinite for number in row)


def _where(row: Row, keep: Sequence[bool]) -> Row:
    return tuple(number if kept else None for number, kept in zip(row, keep, strict=True))


def _flipped(rows: Rows) -> Rows:
    width = max(map(len, rows), default=0)
    return tuple(tuple(row[j] if j < len(row) else None for row in rows) for j in range(width))
