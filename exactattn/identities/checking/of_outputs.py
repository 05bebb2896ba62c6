"""Checks of rows about outputs, scores and masks: the pipeline run twice, on inputs that the row says make no difference."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from exactattn.identities.checking.check import Fact, equal
from exactattn.identities.checking.given import Given, Texts, entries_of, numbers, plus, row_of, times, total
from exactattn.identities.checking.of_weights import ONE, ZERO
from exactattn.numbers.value import Value
from exactattn.trace import Quantity


def _columns(values: Texts) -> list[list[Value]]:
    return [numbers(column) for column in zip(*values, strict=True)]


def _output(given: Given, queries: Texts, keys: Texts, values: Texts, **more: object) -> Quantity:
    return given.attend(Q=queries, K=keys, V=values, **more).output


def token_permutation(given: Given) -> Iterator[Fact]:
    """Keys and values in the other order; queries in the other order."""
    before = _output(given, given.queries, given.keys, given.values)
    keys = _output(given, given.queries, given.keys[::-1], given.values[::-1])
    yield from equal(entries_of(keys), entries_of(before))
    queries = _output(given, given.queries[::-1], given.keys, given.values)
    n = len(given.queries)
    for i in range(n):
        yield from equal(row_of(queries, i), row_of(before, n - 1 - i))


def convex_hull(given: Given) -> Iterator[Fact]:
    """Between the least and the greatest of a column; equal to them only where the column is constant."""
    for o, column in zip(given.output(given.scores, given.values), _columns(given.values), strict=True):
        flat = all(v == column[0] for v in column)
        yield Fact(min(column), "=" if flat else "<", o)
        yield Fact(o, "=" if flat else "<", max(column))


def linear_in_values(given: Given) -> Iterator[Fact]:
    """A constant column; a constant added; values times a matrix."""
    c, w = Value.of(given.constant), len(given.values[0])
    constant = tuple((given.constant,) * w for _ in given.values)
    yield from equal(given.output(given.scores, constant), [c] * w)
    before = given.output(given.scores, given.values)
    moved = given.output(given.scores, tuple(plus(row, given.constant) for row in given.values))
    yield from equal(moved, [o + c for o in before])
    stretched = given.output(given.scores, tuple(times(row, given.factor) for row in given.values))
    yield from equal(stretched, [o * given.factor for o in before])
    summed = given.output(given.scores, tuple(("+".join(f"({x})" for x in row),) for row in given.values))
    yield Fact(summed[0], "=", total(before))


def equal_keys(given: Given) -> Iterator[Fact]:
    """One key; equal scores; a query of zeros."""
    mean = [total(column) / len(column) for column in _columns(given.values)]
    yield from equal(given.output(given.scores[:1], given.values[:1]), numbers(given.values[0]))
    yield from equal(given.output(given.scores[:1] * len(given.values), given.values), mean)
    zeros = tuple("0" for _ in given.keys[0])
    yield from equal(row_of(_output(given, (zeros,), given.keys, given.values)), mean)


def key_shift(given: Given) -> Iterator[Fact]:
    """The first query added to every key."""
    c = given.queries[0]
    moved = tuple(tuple(f"({x})+({y})" for x, y in zip(row, c, strict=True)) for row in given.keys)
    before = given.attend(Q=given.queries, K=given.keys).weights
    yield from equal(entries_of(given.attend(Q=given.queries, K=moved).weights), entries_of(before))


def change_of_basis(given: Given) -> Iterator[Fact]:
    """A = I + c·E_12 on the queries and A⁻ᵀ on the keys; and the rotation by (3/5, 4/5), two steps on for both."""
    d = len(given.keys[0])
    scores = entries_of(given.attend(Q=given.queries, K=given.keys).scores)
    if d > 1:
        queries = tuple((x, f"({y})+({given.factor})*({x})", *more) for x, y, *more in given.queries)
        keys = tuple((f"({x})-({given.factor})*({y})", y, *more) for x, y, *more in given.keys)
        yield from equal(entries_of(given.attend(Q=queries, K=keys).scores), scores)
        places = [[_placed(rows, first) for rows in (given.queries, given.keys)] for first in (0, 2)]
        here, there = (entries_of(given.attend(Q=q, K=k).scores) for q, k in places)
        yield from equal(here, there)


def _placed(rows: Texts, first: int) -> Texts:
    """The first two entries of each row, which are rational, turned by its place, counted from `first`."""
    out = []
    for place, row in enumerate(rows, first):
        x, y = Fraction(row[0]), Fraction(row[1])
        for _ in range(place):
            x, y = (3 * x - 4 * y) / 5, (4 * x + 3 * y) / 5
        out.append((str(x), str(y)))
    return tuple(out)


def duplicated_key(given: Given) -> Iterator[Fact]:
    """The first key twice, with the last key's value, against one with ln 2 more and the mean; the odds under a bias ln c."""
    scores, values = given.scores, given.values
    twice = given.output((scores[0], *scores), (values[-1], *values))
    mean = tuple(f"(({x})+({y}))/2" for x, y in zip(values[0], values[-1], strict=True))
    once = given.output((f"({scores[0]})+ln(2)", *scores[1:]), (mean, *values[1:]))
    yield from equal(twice, once)
    if len(scores) > 1:
        p = given.weights(scores)[0]
        q = given.weights((f"({scores[0]})+ln({given.factor})", *scores[1:]))[0]
        yield Fact(q / (ONE - q), "=", p / (ONE - p) * given.factor)


def masking_removes(given: Given) -> Iterator[Fact]:
    """Each key masked, against the row without it and against what is left of the weights."""
    m = len(given.scores)
    before = given.weights(given.scores)
    for r in range(m if m > 1 else 0):
        masked = given.weights(given.scores, mask=[[int(j != r) for j in range(m)]])
        yield Fact(masked[r], "=", ZERO)
        left = [masked[j] for j in range(m) if j != r]
        yield from equal(left, given.weights((*given.scores[:r], *given.scores[r + 1 :])))
        yield from equal(left, [before[j] / (ONE - before[r]) for j in range(m) if j != r])


def masked_key_unread(given: Given) -> Iterator[Fact]:
    """The last key and its value replaced by something else, behind a mask."""
    n, m = len(given.queries), len(given.keys)
    if m == 1:
        return
    mask = [[1] * (m - 1) + [0]] * n
    other = (*given.keys[:-1], plus(given.keys[-1], "1000")), (*given.values[:-1], plus(given.values[-1], "1000"))
    before = _output(given, given.queries, given.keys, given.values, mask=mask)
    yield from equal(entries_of(_output(given, given.queries, *other, mask=mask)), entries_of(before))


def fully_masked(given: Given) -> Iterator[Fact]:
    """What the two conventions that give numbers give."""
    closed = [[0] * len(given.scores)]
    for convention in ("zero", "uniform"):
        trace = given.attend(
            scores=[list(given.scores)], V=given.values, scale="1", mask=closed, fully_masked=convention
        )
        due = [total(column) / len(column) if convention == "uniform" else ZERO for column in _columns(given.values)]
        yield from equal(row_of(trace.output), due)


def causal_prefix(given: Given) -> Iterator[Fact]:
    """The keys as queries too: the first rows do not change when the last token is there."""
    m = len(given.keys)
    whole = _output(given, given.keys, given.keys, given.values, mask="causal")
    if m > 1:
        part = _output(given, given.keys[:-1], given.keys[:-1], given.values[:-1], mask="causal")
        for i in range(m - 1):
            yield from equal(row_of(whole, i), row_of(part, i))


def causal_alignment(given: Given) -> Iterator[Fact]:
    """Under either convention a row is that of the keys it is said to see."""
    n, m = len(given.queries), len(given.keys)
    for alignment, offset in (("top-left", 0), ("bottom-right", m - n)):
        found = given.attend(
            Q=given.queries, K=given.keys, V=given.values, mask="causal", alignment=alignment, fully_masked="zero"
        )
        for i in range(n):
            seen = min(max(i + 1 + offset, 0), m)
            if seen:
                alone = _output(given, given.queries[i : i + 1], given.keys[:seen], given.values[:seen])
                yield from equal(row_of(found.output, i), row_of(alone))
            else:
                yield from equal(row_of(found.output, i), [ZERO] * len(given.values[0]))


def block_merge(given: Given) -> Iterator[Fact]:
    """Two blocks, cut at each place, merged by their maxima, sums and outputs."""
    due = given.output(given.scores, given.values)
    for cut in range(1, len(given.scores)):
        parts = []
        for here in (slice(0, cut), slice(cut, None)):
            trace = given.of_scores(given.scores[here], given.values[here])
            largest = max(numbers(given.scores[here]))
            yield Fact(trace.maxima.value(0, 0), "=", largest)
            parts.append((largest, trace.sums.value(0, 0), row_of(trace.output)))
        m = max(part[0] for part in parts)
        sums = [(a - m).exp() * l for a, l, _ in parts]
        for t, o in enumerate(due):
            merged = total([l * part[2][t] for l, part in zip(sums, parts, strict=True)]) / total(sums)
            yield Fact(merged, "=", o)


def masks_intersect(given: Given) -> Iterator[Fact]:
    """A causal window of two keys as one mask, and as the weights of the causal mask less what the window closes."""
    m = len(given.keys)
    both = [[int(i - 2 < j <= i) for j in range(m)] for i in range(m)]
    at_once = given.attend(Q=given.keys, K=given.keys, mask=both).weights
    causal = given.attend(Q=given.keys, K=given.keys, mask="causal").weights
    for i in range(m):
        p = row_of(causal, i)
        left = total([p[j] for j in range(m) if i - 2 < j])
        yield from equal(row_of(at_once, i), [p[j] / left if i - 2 < j else ZERO for j in range(m)])


def sink(given: Given) -> Iterator[Fact]:
    """One more key of score 0 and value 0."""
    scores = (*given.scores, "0")
    below = ONE + total([s.exp() for s in numbers(given.scores)])
    found = given.weights(scores)
    yield from equal(found[:-1], [s.exp() / below for s in numbers(given.scores)])
    zeros = tuple("0" for _ in given.values[0])
    out = given.output(scores, (*given.values, zeros))
    for o, column in zip(out, _columns(given.values), strict=True):
        yield Fact(o, "=", total([p * v for p, v in zip(found, column, strict=False)]))


def default_scale(given: Given) -> Iterator[Fact]:
    """The scale where none is given is that of the width of queries and keys."""
    d = len(given.keys[0])
    default = _output(given, given.queries, given.keys, given.values)
    said = _output(given, given.queries, given.keys, given.values, scale=f"1/sqrt({d})")
    yield from equal(entries_of(default), entries_of(said))
