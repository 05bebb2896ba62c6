"""The cause of the first wrong number: wrong methods planted here, in mpmath and without the catalogue, are named."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

import exactattn as xa

Matrix = list[list[Any]]
DIGITS = 60

# -- attention, and what can be done wrong in it -----------------------------------------------------------------------------


def times(a: Matrix, b: Matrix) -> Matrix:
    return [[sum(x * y for x, y in zip(row, column, strict=True)) for column in zip(*b, strict=True)] for row in a]


def turned(a: Matrix) -> Matrix:
    return [list(column) for column in zip(*a, strict=True)]


def each(a: Matrix, f: Callable[[Any], Any]) -> Matrix:
    return [[f(x) for x in row] for row in a]


def softmax(s: Matrix, keep: Matrix, shift: str) -> tuple[Matrix, Matrix, Matrix]:
    """Exponentials, their sums, weights."""
    exps = []
    for row, opened in zip(s, keep, strict=True):
        top = max(x for x, is_open in zip(row, opened, strict=True) if is_open) if shift == "max" and any(opened) else 0
        exps.append([mp.exp(x - top) if is_open else mpf(0) for x, is_open in zip(row, opened, strict=True)])
    return divided(exps)


def divided(exps: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    sums = [[sum(row)] for row in exps]
    return exps, sums, [[x / z if z else mpf(0) for x in row] for row, (z,) in zip(exps, sums, strict=True)]


class Work:
    """Attention of one head, step by step; a wrong method overrides a step."""

    def __init__(self, inputs: dict[str, Matrix], scale: Any, mask: str, shift: str) -> None:
        self.inputs = {name: each(rows, mpf) for name, rows in inputs.items()}
        self.n, self.m = len(inputs["Q"]), len(inputs["K"])
        self.d, self.right_scale, self.shift = len(inputs["Q"][0]), scale, shift
        self.keep = [[mask == "none" or j <= i for j in range(self.m)] for i in range(self.n)]

    def steps(self) -> dict[str, Matrix]:
        scores = self.scores(self.inputs["Q"], self.inputs["K"])
        scaled = each(scores, lambda x: x * self.scale())
        exps, sums, weights = self.softmax(scaled)
        output = self.mix(weights, self.inputs["V"])
        return {"scores": scores, "scaled": scaled, "exps": exps, "sums": sums, "weights": weights, "output": output}

    def scores(self, q: Matrix, k: Matrix) -> Matrix:
        return times(q, turned(k))

    def scale(self) -> Any:
        return self.right_scale

    def softmax(self, s: Matrix) -> tuple[Matrix, Matrix, Matrix]:
        return softmax(s, self.keep, self.shift)

    def mix(self, a: Matrix, v: Matrix) -> Matrix:
        return times(a, v)


METHODS: dict[str, tuple[str, Callable[[Work], None]]] = {}
"""Wrong methods by the catalogue's names: the mask they need ("any", "none" or "causal"), and how a `Work` is spoilt."""


def method(name: str, mask: str = "any") -> Callable[[Callable[[Work], None]], None]:
    def add(spoil: Callable[[Work], None]) -> None:
        METHODS[name] = mask, spoil

    return add


def scale_of(name: str, number: Callable[[Work], Any]) -> None:
    def spoil(work: Work) -> None:
        work.scale = lambda: number(work)  # type: ignore[method-assign]

    METHODS[name] = "any", spoil


scale_of("no-scale", lambda work: mpf(1))
scale_of("divided-by-d-k", lambda work: 1 / mpf(work.d))
scale_of("multiplied-by-root", lambda work: mp.sqrt(work.d))


def scores_by(name: str, f: Callable[[Matrix, Matrix], Matrix]) -> None:
    def spoil(work: Work) -> None:
        work.scores = f  # type: ignore[method-assign]

    METHODS[name] = "any", spoil


scores_by("key-not-transposed", times)
scores_by("scores-transposed", lambda q, k: turned(times(q, turned(k))))
scores_by("signs-dropped-in-scores", lambda q, k: each(times(q, turned(k)), abs))
scores_by("signs-dropped-in-products", lambda q, k: times(each(q, abs), turned(each(k, abs))))


def softmax_by(name: str, mask: str, f: Callable[[Work, Matrix], tuple[Matrix, Matrix, Matrix]]) -> None:
    def spoil(work: Work) -> None:
        work.softmax = lambda s: f(work, s)  # type: ignore[method-assign]

    METHODS[name] = mask, spoil


def _down(work: Work, s: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    exps, sums, weights = softmax(turned(s), turned(work.keep), work.shift)
    # a sum belongs to a column: as many as keys, in the place of the rows'
    return turned(exps), sums, turned(weights)


def _over_all(work: Work, s: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    top = max(x for row in s for x in row) if work.shift == "max" else 0
    exps = each(s, lambda x: mp.exp(x - top))
    total = sum(map(sum, exps))
    return exps, [[total] for _ in s], each(exps, lambda x: x / total)


def _in_base(base: int) -> Callable[[Work, Matrix], tuple[Matrix, Matrix, Matrix]]:
    return lambda work, s: softmax(each(s, lambda x: x * mp.log(base)), work.keep, work.shift)


def _not_divided(work: Work, s: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    exps, sums, _ = softmax(s, work.keep, work.shift)
    return exps, sums, exps


def _after(work: Work, s: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    exps, sums, weights = softmax(s, [[True] * work.m] * work.n, work.shift)
    kept = [
        [w if held else mpf(0) for w, held in zip(*rows, strict=True)] for rows in zip(weights, work.keep, strict=True)
    ]
    return exps, sums, kept


def _zeros(work: Work, s: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    closed = [[x if held else mpf(0) for x, held in zip(*rows, strict=True)] for rows in zip(s, work.keep, strict=True)]
    return softmax(closed, [[True] * work.m] * work.n, work.shift)


def _numerators_shifted(work: Work, s: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    exps, _, _ = softmax(s, work.keep, "max")
    _, sums, _ = softmax(s, work.keep, "none")
    return exps, sums, [[x / z for x in row] for row, (z,) in zip(exps, sums, strict=True)]


def _columns_shifted(work: Work, s: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    tops = [max(column) for column in zip(*s, strict=True)]
    return divided([[mp.exp(x - top) for x, top in zip(row, tops, strict=True)] for row in s])


def _hard(work: Work, s: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    exps, sums, weights = softmax(s, work.keep, work.shift)
    return exps, sums, [[mpf(x == max(row) and row.index(x) == j) for j, x in enumerate(row)] for row in weights]


def _uniform(work: Work, s: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    exps, sums, _ = softmax(s, work.keep, work.shift)
    return exps, sums, [[mpf(held) / sum(row) for held in row] for row in work.keep]


def _masked_by(keep: Callable[[int, int], bool]) -> Callable[[Work, Matrix], tuple[Matrix, Matrix, Matrix]]:
    return lambda work, s: softmax(s, [[keep(i, j) for j in range(work.m)] for i in range(work.n)], work.shift)


softmax_by("softmax-over-columns", "none", _down)
softmax_by("softmax-over-the-whole-matrix", "none", _over_all)
softmax_by("base-two", "any", _in_base(2))
softmax_by("base-ten", "any", _in_base(10))
softmax_by("not-normalised", "any", _not_divided)
softmax_by("mask-forgotten", "causal", _masked_by(lambda i, j: True))
softmax_by("mask-after-softmax", "causal", _after)
softmax_by("masked-score-zero", "causal", _zeros)
softmax_by("wrong-triangle", "causal", _masked_by(lambda i, j: j >= i))
softmax_by("diagonal-masked-too", "causal", _masked_by(lambda i, j: j < i))
softmax_by("causal-mask-unasked", "none", _masked_by(lambda i, j: j <= i))
softmax_by("maximum-subtracted-in-the-numerator-only", "any", _numerators_shifted)
softmax_by("column-maximum-subtracted", "none", _columns_shifted)
softmax_by("hard-argmax", "any", _hard)
softmax_by("uniform", "any", _uniform)


def mixed_by(name: str, f: Callable[[Matrix, Matrix], Matrix]) -> None:
    def spoil(work: Work) -> None:
        work.mix = f  # type: ignore[method-assign]

    METHODS[name] = "any", spoil


mixed_by("weights-transposed", lambda a, v: times(turned(a), v))
mixed_by("values-times-weights", lambda a, v: times(v, a))
mixed_by("values-rows-reversed", lambda a, v: times(a, v[::-1]))
mixed_by("values-off-by-one-row", lambda a, v: times(a, v[1:] + v[:1]))
mixed_by("values-row-before", lambda a, v: times(a, v[-1:] + v[:-1]))
mixed_by("signs-dropped-in-values", lambda a, v: times(a, each(v, abs)))


@method("weights-on-keys")
def _(work: Work) -> None:
    work.mix = lambda a, v: times(a, work.inputs["K"])  # type: ignore[method-assign]


@method("values-as-keys")
def _(work: Work) -> None:
    work.scores = lambda q, k: times(q, turned(work.inputs["V"]))  # type: ignore[method-assign]


# -- pages -------------------------------------------------------------------------------------------------------------------


def text(x: Any, places: int) -> str:
    """A value to decimal places, half away from 0."""
    steps = int(mp.floor(abs(x) * mpf(10) ** places + mpf(1) / 2))
    digits = str(steps).rjust(places + 1, "0")
    return ("-" if x < 0 and steps else "") + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)


def page(steps: dict[str, Matrix], places: int, names: list[str]) -> dict[str, Any]:
    printed: dict[str, Any] = {name: each(steps[name], lambda x: text(x, places)) for name in names}
    return printed | ({"sums": [row[0] for row in printed["sums"]]} if "sums" in printed else {})


def causes(found: xa.Audit) -> set[tuple[str, ...]]:
    assert found.cause is not None
    return {tuple(row.name for row in rows) for rows in found.cause.methods}


def example(name: str, draw: Callable[[], str], shift: str) -> tuple[dict[str, Any], Work]:
    """A case of three queries and keys, three wide, and the wrong work on it."""
    inputs = {letter: [[draw() for _ in range(3)] for _ in range(3)] for letter in "QKV"}
    mask, spoil = METHODS[name]
    mask = mask if mask != "any" else "none"
    work = Work(inputs, 1 / mp.sqrt(3), mask, shift)
    spoil(work)
    return {"inputs": inputs, "attention": {"mask": mask, "shift": shift}}, work


NAMES = ["scores", "scaled", "exps", "sums", "weights", "output"]
SHIFTED = {"maximum-subtracted-in-the-numerator-only", "column-maximum-subtracted"}


@pytest.mark.parametrize("names", [NAMES, ["weights", "output"], ["output"]], ids=["all", "weights", "output"])
@pytest.mark.parametrize("name", METHODS)
def test_a_wrong_method_is_named_whatever_is_printed_of_it(name, names):
    chance = random.Random(f"{name} {len(names)}")
    with mp.workdps(DIGITS):
        case, work = example(name, lambda: f"{chance.randint(-20, 20) / 10:.1f}", "max")
        printed = page(work.steps(), 4, names)
    found = xa.audit(case | {"printed": printed})
    assert "wrong" in found.totals
    assert (name,) in causes(found)
    # with four decimals nearly all are told apart
    assert len(causes(found)) <= 2


NUMBERS = st.integers(-20, 20).map(lambda k: str(k / 10))


@settings(max_examples=60)
@given(
    st.sampled_from(sorted(METHODS)), st.sampled_from(["max", "none"]), st.integers(0, 5),
    st.lists(st.sampled_from(NAMES), min_size=1, unique=True), st.data(),
)  # fmt: skip
def test_a_wrong_method_is_named_or_one_that_cannot_be_told_from_it(name, shift, places, names, data):
    with mp.workdps(DIGITS):
        case, work = example(name, lambda: data.draw(NUMBERS), "max" if name in SHIFTED else shift)
        printed = page(work.steps(), places, sorted(names, key=NAMES.index))
    found = xa.audit(case | {"printed": printed})
    assume("wrong" in found.totals)
    assert (name,) in causes(found)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("no-scale", "base-two"),
        ("no-scale", "values-rows-reversed"),
        ("key-not-transposed", "softmax-over-columns"),
        ("divided-by-d-k", "weights-transposed"),
        ("signs-dropped-in-scores", "base-ten"),
        ("mask-forgotten", "values-off-by-one-row"),
        ("base-two", "weights-on-keys"),
    ],
)
@pytest.mark.parametrize("names", [NAMES, ["weights", "output"], ["output"]], ids=["all", "weights", "output"])
def test_two_wrong_methods_together_are_named_where_neither_alone_explains(first, second, names):
    chance = random.Random(f"{first} {second}")
    with mp.workdps(DIGITS):
        case, work = example(first, lambda: f"{chance.randint(-20, 20) / 10:.1f}", "max")
        METHODS[second][1](work)
        printed = page(work.steps(), 4, names)
    found = xa.audit(case | {"printed": printed})
    assert "wrong" in found.totals
    assert (first, second) in causes(found)


def test_a_wrong_method_in_one_row_alone_is_named():
    chance = random.Random(5)
    with mp.workdps(DIGITS):
        case, work = example("no-scale", lambda: f"{chance.randint(-20, 20) / 10:.1f}", "max")
        wrong = page(work.steps(), 3, ["weights", "output"])
        right = page(Work(case["inputs"], 1 / mp.sqrt(3), "none", "max").steps(), 3, ["weights", "output"])
    printed = {name: [right[name][0], wrong[name][1], right[name][2]] for name in right}
    assert causes(xa.audit(case | {"printed": printed})) == {("no-scale",)}


def test_a_method_that_does_not_give_the_whole_row_is_no_cause():
    # 0.000 is what the largest score alone would leave; but the others of the row are right
    case = {"inputs": {"scores": [["0", "0.1", "-0.8"]]}, "attention": {"scale": "1"}}
    found = xa.audit(case | {"printed": {"weights": [["0.391", "0.433", "0.000"]]}})
    assert [one.verdict for one in found.examined.judged] == ["ok", "ok", "wrong"]
    assert causes(found) == set()


def test_minus_infinity_in_the_wrong_places_is_a_wrong_mask():
    inputs = {"Q": [["1", "0"], ["0", "1"], ["1", "1"]], "K": [["1", "2"], ["0", "1"], ["2", "1"]]}
    scaled = [["1.0", "-inf", "-inf"], ["2.0", "1.0", "-inf"], ["3.0", "1.0", "3.0"]]
    found = xa.audit({"inputs": inputs, "attention": {"scale": "1"}, "printed": {"scaled": scaled}})
    assert causes(found) == {("causal-mask-unasked",)}
    scaled = [["1.0", "0.0", "2.0"], ["-inf", "1.0", "1.0"], ["-inf", "-inf", "3.0"]]
    found = xa.audit({"inputs": inputs, "attention": {"scale": "1", "mask": "causal"}, "printed": {"scaled": scaled}})
    assert causes(found) == {("wrong-triangle",)}


# -- slips -------------------------------------------------------------------------------------------------------------------

VALUES = {"scores": [["0", "ln(3)"], ["0", "0"]], "V": [["1.32", "-5"], ["7.32", "2"]]}
# weights 1/4, 3/4 / 1/2, 1/2; outputs 5.82, 0.25 / 4.32, -1.50


@pytest.mark.parametrize(
    ("row", "column", "p", "slip"),
    [
        (1, 1, "1.50", "sign-dropped"),
        (0, 0, "5.28", "digits-swapped"),
        (0, 0, "58.2", "decimal-point-moved"),
        (0, 0, "4.32", "neighbouring-row"),
        (0, 0, "0.25", "neighbouring-column"),
    ],
)
def test_a_number_that_no_method_gives_may_be_a_slip(row, column, p, slip):
    output = [["5.82", "0.25"], ["4.32", "-1.50"]]
    output[row][column] = p
    found = xa.audit({"inputs": VALUES, "attention": {"scale": "1"}, "printed": {"output": output}})
    assert found.cause is not None
    assert (found.cause.first.row, found.cause.first.column) == (row, column)
    assert slip in found.cause.slips
    assert found.cause.methods == ()


def test_nothing_wrong_has_no_cause_and_something_unheard_of_has_none_either():
    right = {"output": [["5.82", "0.25"], ["4.32", "-1.50"]]}
    assert xa.audit({"inputs": VALUES, "attention": {"scale": "1"}, "printed": right}).cause is None
    right["output"][0][0] = "9.99"
    found = xa.audit({"inputs": VALUES, "attention": {"scale": "1"}, "printed": right}).cause
    assert found is not None
    assert (found.methods, found.slips) == ((), ())


def test_without_inputs_there_is_no_method_to_try():
    found = xa.audit({"printed": {"exps": [["1.0", "1.0"]], "sums": ["3.0"]}}).cause
    assert found is not None
    assert (found.first.name, found.methods, found.slips) == ("sums", (), ())
