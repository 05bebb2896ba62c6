"""Every "=" on a page is true: what is printed on its line is worked out again, by fractions, and compared."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

import exactattn as xa
from exactattn.document import Fence, Frac, Grid, Mark, Maths, Num, Op, Row, Script
from exactattn.i18n import messages
from exactattn.numbers.value import Value
from exactattn.present import products
from exactattn.present.lines import Dot, Line, derivation
from exactattn.present.page import Page
from exactattn.present.sheet import Sheet
from exactattn.present.view import View
from exactattn.trace import Trace

decimals = st.decimals(-3, 3, places=3).map(str)
tenths = st.decimals(-2, 2, places=1).map(str)


def worked_out(node: Maths) -> Fraction:
    """The value of printed numbers with +, −, ×, brackets and fractions."""
    match node:
        case Num(text):
            return Fraction(text)
        case Fence("(", body, ")") | Mark(_, body):
            return worked_out(body)
        case Frac(top, bottom):
            return worked_out(top) / worked_out(bottom)
        case Row(items):
            return sum_of(list(items))
    raise AssertionError(node)


def sum_of(items: list[Maths]) -> Fraction:
    total, sign = Fraction(0), 1
    factors: list[Fraction] = []
    for item in [*items, Op("+")]:
        match item:
            case Op("+" | "-" as name):
                if factors:
                    product = Fraction(sign)
                    for factor in factors:
                        product *= factor
                    total += product
                    factors, sign = [], 1
                sign = -1 if name == "-" else 1
            case Op("times" | "cdot" | "quad" | "none"):
                pass
            case _:
                factors.append(worked_out(item))
    return total


def claims(grid: Grid) -> list[tuple[str, Fraction]]:
    """The relations of a derivation of one entry with the value of what stands after each; formulas left out."""
    flat = [item for _, body in grid.rows for item in (body.items if isinstance(body, Row) else (body,))]
    out: list[tuple[str, list[Maths]]] = []
    for item in flat:
        if isinstance(item, Op) and item.name in ("=", "approx"):
            out.append((item.name, []))
        else:
            out[-1][1].append(item)
    return [(sign, sum_of(items)) for sign, items in out if not any(is_formula(item) for item in items)]


def is_formula(node: Maths) -> bool:
    match node:
        case Script():
            return True
        case Row(items):
            return any(is_formula(item) for item in items)
    return False


def page_of(trace: Trace, **view: object) -> Page:
    chosen = View(lang="en", rows=tuple(range(len(trace.problem.tokens))), places=trace.problem.settings.places, **view)
    return Page(Sheet(trace, chosen.places, chosen.ties), messages("en"), chosen)


@given(st.data(), st.sampled_from(["carry", "stepwise"]), st.integers(1, 3), st.integers(1, 4), st.integers(1, 3))
@settings(max_examples=40)
def test_equals_is_printed_only_where_the_line_has_the_very_value(data, track, n, m, d):
    def matrix(rows, entries):
        return data.draw(st.lists(st.lists(entries, min_size=d, max_size=d), min_size=rows, max_size=rows))

    trace = xa.attend(matrix(n, decimals), matrix(m, decimals), matrix(m, tenths), scale="1/2", track=track)
    page = page_of(trace)
    output = trace.step("output", 0)
    for i in range(n):
        for j in range(d):
            grid, _ = products._mixed(page, output, i, j)
            exact = output.computed.value(i, j)
            found = claims(grid)
            assert len(found) >= 2
            # rounded weights may still come to the very value, as they do of values that are all 0
            rounded = not all(page.sheet.went_on(output.reads[0], i, c) for c in range(m))
            for sign, value in found:
                assert (exact == value) == (sign == "=") or (rounded and sign == "approx")
    scores = trace.step("scores", 0)
    for j in range(m):
        dot = Dot(page, scores.made, 0, j, *scores.reads, transposed=True)
        found = claims(derivation(Num("0"), [dot.substitution(), dot.products()[0], dot.result()]))
        assert [value for sign, value in found[:2]] == [scores.computed.value(0, j).interval(64)[0]] * 2 or all(
            scores.computed.value(0, j) == value for sign, value in found[:2]
        )
        for sign, value in found:
            assert (scores.computed.value(0, j) == value) == (sign == "=")


@given(st.lists(decimals, min_size=1, max_size=12), st.integers(1, 6))
def test_a_broken_sum_is_the_sum(terms, most):
    grid = derivation(Num("0"), [Line(Op("="), tuple(map(Num, terms)), most)])
    assert claims(grid)[0][1] == sum(map(Fraction, terms))
    for _, body in grid.rows:
        assert 1 <= sum(isinstance(item, Num | Fence) for item in body.items) <= most


def test_the_article_s_sum_breaks_after_four_terms_and_says_what_is_carried():
    solution = xa.solve("xian")
    page = page_of(solution.trace)
    grid, doubts = products._mixed(page, solution.trace.step("output", 0), 1, 0)
    (sign, printed), (_, added), (_, result) = claims(grid)
    assert (sign, printed) == ("approx", Fraction("0.263234"))
    assert added == printed
    assert result == Fraction("0.264")
    assert [(doubt.printed, doubt.pencil) for doubt in doubts] == [("0.264", "0.263")]
    assert [len(body.items) for _, body in grid.rows][1] <= 1 + 4 + 3


def test_stepwise_products_are_exact_and_come_from_the_substitution():
    trace = xa.solve("xian", track="stepwise").trace
    page = page_of(trace)
    grid, doubts = products._mixed(page, trace.step("output", 0), 1, 0)
    signs = [sign for sign, _ in claims(grid)]
    (_, substituted), (_, added), (_, result) = claims(grid)
    assert signs == ["=", "=", "approx"]
    assert substituted == added
    assert Value.of(added).decimal(3) == "0.262"
    assert result == Fraction("0.262")
    assert doubts == []
