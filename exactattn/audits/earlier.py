"""What a source prints one step earlier, and what follows: the recomputed value r, its range I, the operands it was made of.

The choice is made row by row. An operand is what is printed of a quantity, else the given input; a masked place is known
to be 0 after the exponential. Everything recomputed goes through the steps of the pipeline, on one row at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from exactattn.arithmetic.exact import ExactArithmetic
from exactattn.attention import pipeline
from exactattn.audits.compare import Compared
from exactattn.audits.operands import JoinedHeads, Operands, Setting, Sources, Where
from exactattn.audits.printed import Number, Printed, Row, Rows
from exactattn.audits.ranges import ZERO, Range, less_maximum, share, softmax, total
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.value import Value
from exactattn.trace.quantity import Quantity


@dataclass(frozen=True, slots=True)
class Recomputed:
    """One entry recomputed: which entry of a row it is, its range when asked for, and the operands it was made of."""

    row: Compared
    column: int
    spread: Callable[[], Range | None]
    operands: tuple[Where, ...]


class Earlier(Sources):
    """Recomputes entries from what is printed one step earlier."""

    def __init__(self, printed: Printed, setting: Setting, limits: Limits = LIMITS) -> None:
        super().__init__(printed, setting, limits)
        self._ar = ExactArithmetic(limits)
        self._rows: dict[tuple[str, int | None, int], dict[int, Recomputed]] = {}

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
                return self._scaled(head, i)
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
        texts = tuple(tuple("0" if n is None or n.infinite else n.text for n in row) for row in rows)
        labels = tuple(str(k + 1) for k in range(len(texts))), tuple(str(k + 1) for k in range(len(texts[0])))
        return Quantity(
            name, self._ar.read(texts), *labels, self._ar, None, (tuple(keep),) if keep is not None else None
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
        return {j: Recomputed(compared, j, _bound(spread, j), operands(j)) for j in columns}

    # -- products ------------------------------------------------------------------------------------------------------

    def _product(
        self, left: Operands, i: int, right: Operands, transposed: bool, bias: Operands | None = None
    ) -> dict[int, Recomputed]:
        """Row i of left times right (or its transpose), entry by entry where every operand is there."""
        row = left.rows[i] if i < len(left.rows) else ()
        if not row or any(n is None or n.infinite for n in row):
            return {}
        table = right.rows if transposed else _flipped(right.rows)
        whole = [
            j
            for j, column in enumerate(table)
            if len(column) == len(row) and not any(n is None or n.infinite for n in column)
        ]
        if not whole:
            return {}
        columns = [table[j] if j in whole else (None,) * len(row) for j in range(len(table))]
        a, k = self._quantity("Q", [row]), self._quantity("K", columns)
        made = pipeline.score(self._ar, a, k, head=0)
        if bias is not None:
            made = replace(made, matrix=self._ar.add(made.matrix, self._quantity("b", bias.rows).matrix))

        def spread(j: int) -> Range:
            terms = [
                self.range_of(left, x).times(self.range_of(right, y))
                for x, y in zip(row, table[j], strict=True)
                if x is not None and y is not None
            ]
            if bias is not None and (b := bias.rows[0][j]) is not None:
                terms.append(self.range_of(bias, b))
            return total(terms)

        def operands(j: int) -> tuple[Where, ...]:
            cells = [(j, c) if transposed else (c, j) for c in range(len(row))]
            return left.places([(i, c) for c in range(len(row))]) + right.places(cells)

        return self._made(made, whole, spread, operands)

    def _projected(self, name: str, i: int) -> dict[int, Recomputed]:
        x = self.operands("X_kv", None) if name != "Q" else None
        x = x or self.operands("X", None)
        w, b = self.operands(f"W_{name}", None), self.operands(f"b_{name}", None)
        return self._product(x, i, w, False, b) if x is not None and w is not None else {}

    def _scores(self, head: int | None, i: int) -> dict[int, Recomputed]:
        q, k = self.operands("Q", head), self.operands("K", head)
        return self._product(q, i, k, True) if q is not None and k is not None else {}

    def _output(self, head: int | None, i: int) -> dict[int, Recomputed]:
        if head is None and (self.setting.heads > 1 or "W_O" in self.setting.inputs):
            return self._final(i)
        a, v = self.operands("weights", head), self.operands("V", head)
        row = self.whole(a, i)
        if a is None or v is None or row is None:
            return {}
        opened = [n if self.is_open(i, j) else Number("0", 0, False) for j, n in enumerate(row)]
        rows = (*((),) * i, tuple(opened))
        return self._product(replace(a, rows=rows), i, v, False)

    def _final(self, i: int) -> dict[int, Recomputed]:
        """The output after concatenation: the printed outputs of the heads, times W_O where there is one."""
        outputs = [self.printed.find("output", h) for h in range(len(self.printed.heads))]
        rows = [out[i] for out in outputs if out is not None and i < len(out)]
        if not rows or len(rows) < self.setting.heads:
            return {}
        joined: Row = tuple(number for row in rows for number in row)
        left = JoinedHeads("output", None, (*((),) * i, joined), True, tuple(map(len, rows)))
        w, b = self.operands("W_O", None), self.operands("b_O", None)
        if w is not None:
            return self._product(left, i, w, False, b)
        whole = [j for j, number in enumerate(joined) if number is not None and not number.infinite]
        made = self._quantity("output", [joined])
        return self._made(
            made, whole, lambda j: self.range_of(left, joined[j]) if joined[j] is not None else None,  # type: ignore[arg-type]
            lambda j: left.places([(i, j)]),
        )  # fmt: skip

    # -- from scores to weights ------------------------------------------------------------------------------------------

    def _scaled(self, head: int | None, i: int) -> dict[int, Recomputed]:
        return self._from_scores(head, i, "scaled", (("scores", True),))

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
        x = self._quantity("scaled", [row], keep)
        if scale:
            assert self.setting.scale is not None
            x = pipeline.scale(self._ar, x, by=self.setting.scale, head=0)
        made = x
        if target != "scaled":
            if shifts and any(keep):
                x = pipeline.shift(self._ar, x, pipeline.maximum(self._ar, x))
            made = x
        if target in ("exps", "weights"):
            made = pipeline.exponentiate(self._ar, x, fully_masked="zero")
        if target == "weights":
            if not any(keep):
                return {}
            made = pipeline.divide(self._ar, made, pipeline.total(self._ar, made))
        open_columns = [j for j in range(len(row)) if keep[j]]
        all_cells = source.places([(i, j) for j in range(len(row)) if self.is_open(i, j) and row[j] is not None])
        by = Value.of(self.setting.scale) if scale and self.setting.scale is not None else None

        def ranges() -> list[Range]:
            found = [self.range_of(source, n) for j in open_columns if (n := row[j]) is not None]
            return found if by is None else [one.scaled(by) for one in found]

        def spread(j: int) -> Range | None:
            if j not in open_columns:
                return Range(ZERO, ZERO) if target in ("exps", "weights") else None
            at = open_columns.index(j)
            match target:
                case "scaled":
                    return ranges()[at]
                case "shifted":
                    return less_maximum(ranges(), at)
                case "exps":
                    return (less_maximum(ranges(), at) if shifts else ranges()[at]).exp()
            return softmax(ranges(), at)

        def operands(j: int) -> tuple[Where, ...]:
            return all_cells if reads_all else source.places([(i, j)])

        columns = list(range(len(row))) if target in ("exps", "weights") else open_columns
        there = [j for j in columns if reads_all or row[j] is not None or not self.is_open(i, j)]
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
        keep = self._keep(row, i)
        made = pipeline.total(
            self._ar, self._quantity("exps", [[n if k else None for n, k in zip(row, keep, strict=True)]])
        )
        cells = [(i, j) for j, k in enumerate(keep) if k]

        def spread(j: int) -> Range:
            return total(self.range_of(source, n) for n, k in zip(row, keep, strict=True) if k and n is not None)

        return self._made(made, [0], spread, lambda j: source.places(cells))

    def _weights(self, head: int | None, i: int) -> dict[int, Recomputed]:
        exps = self.chosen(head, i, (("exps", False),))
        if exps is None:
            return self._from_scores(head, i, "weights", (("scaled", False), ("scores", True)))
        source, row = exps[0], exps[0].rows[i]
        sums = self.chosen(head, i, (("sums", False),))
        keep = self._keep(row, i)
        opened = [n if k else None for n, k in zip(row, keep, strict=True)]
        e = self._quantity("exps", [opened])
        if sums is not None and (z := sums[0].rows[i][0]) is not None and not z.infinite:
            divisor = self.range_of(sums[0], z)
            if divisor.holds_zero():
                return {}
            made = pipeline.divide(self._ar, e, self._quantity("sums", [[z]]))
            there = [j for j, number in enumerate(row) if number is not None or not self.is_open(i, j)]
            return self._made(
                made, there,
                lambda j: self._open_range(source, opened[j]).over(divisor),
                lambda j: source.places([(i, j)]) + sums[0].places([(i, 0)]),
            )  # fmt: skip
        if self.whole(source, i) is None:
            return {}
        ranges = [self.range_of(source, n) for n in opened if n is not None]
        if not ranges or total(ranges).holds_zero():
            return {}
        made = pipeline.divide(self._ar, e, pipeline.total(self._ar, e))
        at = [j for j, number in enumerate(opened) if number is not None]
        cells = source.places([(i, j) for j in at])

        def spread(j: int) -> Range | None:
            return share(ranges, at.index(j)) if j in at else Range(ZERO, ZERO)

        return self._made(made, list(range(len(row))), spread, lambda j: cells)

    def _open_range(self, source: Operands, number: Number | None) -> Range:
        return Range(ZERO, ZERO) if number is None else self.range_of(source, number)


def _bound(spread: Callable[[int], Range | None], j: int) -> Callable[[], Range | None]:
    return lambda: spread(j)


def _flipped(rows: Rows) -> Rows:
    width = max(map(len, rows), default=0)
    return tuple(tuple(row[j] if j < len(row) else None for row in rows) for j in range(width))
