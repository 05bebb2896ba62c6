"""Question kinds: keys recomputed in mpmath, wrong methods told apart, words in every language, what is still missing."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest
from mpmath import mp, mpf

from exactattn.errors import OptionError
from exactattn.exams.draw import Draw
from exactattn.exams.kinds import find, kinds
from exactattn.exams.kinds.direct import Direct
from exactattn.exams.kinds.kind import Kind
from exactattn.exams.model import Asked, Question
from exactattn.exams.select import Refused, canonical_form, tried, variants
from exactattn.i18n import languages, messages
from exactattn.misconceptions import CATALOGUE, OF_OTHER_KINDS
from exactattn.numbers.value import Value

mp.dps = 40

DIRECT = [kind for kind in kinds().values() if isinstance(kind.draw(Draw("7", "q", 0), Asked("q", kind.id)), Direct)]
TRACED = [kind for kind in kinds().values() if kind not in DIRECT]
STYLES = ("calculator", "by-hand")
ATTEMPTS = 60


def asked(kind: str, **dials: Any) -> Asked:
    return Asked("q", kind, **dials)


DIALS: dict[str, Asked] = {
    **{f"{kind.id}-{style}": asked(kind.id, numbers=style) for kind in TRACED for style in STYLES},
    "K01-scaled-matrix": asked("K01", answer="matrix", size={"n": 3}),
    "K04-matrix": asked("K04", answer="matrix", size={"n": 2, "m": 3}),
    "K04-scores": asked("K04", ask=("scores", "scaled")),
    "K05-square": asked("K05", size={"d_model": 2, "d_v": 2}),
    "K05-projections": asked("K05", ask=("Q", "K", "V")),
    "K06-padding": asked("K06", size={"n": 4}, parameters={"mask": "padding"}),
    "K06-both": asked("K06", size={"n": 4}, parameters={"mask": "causal-and-padding"}),
    "K06-matrix": asked("K06", size={"n": 4, "d_v": 1}, answer="matrix"),
    "K07-heads": asked("K07", ask=("weights", "concat")),
    "K07-joined": asked("K07", parameters={"output_projection": False}),
    "K18-cold": asked("K18", parameters={"T": "1/3"}),
    "K21-causal": asked("K21", size={"n": 6}, parameters={"causal": True, "radius": 2}),
    "K21-sink": asked("K21", size={"n": 6}, parameters={"causal": True, "sinks": 1}),
    "K21-edge": asked("K21", row=1),
    "K21-causal-edge": asked("K21", size={"n": 6}, row=3, parameters={"causal": True, "radius": 3}),
    "K21-sink-inside": asked("K21", size={"n": 6}, row=2, parameters={"sinks": 1}),
    "K25-first-row": asked("K25", row=1),
    "K25-rectangular": asked("K25", size={"n": 2}),
}
"""What is tried: every kind in both styles of numbers, and the dials."""


@pytest.fixture(scope="module")
def kept() -> Callable[[str], list[Question]]:
    """The kept questions of sixty attempts, worked once."""
    found: dict[str, list[Question]] = {}

    def of(name: str) -> list[Question]:
        if name not in found:
            one = DIALS[name]
            tries = [tried(find(one.kind), one, "7", k) for k in range(ATTEMPTS)]
            found[name] = [question for question in tries if isinstance(question, Question)]
        return found[name]

    return of


# -- keys ------------------------------------------------------------------------------------------------------------------

Rows = list[list[Any]]


def number(text: str) -> Any:
    """A canonical text in mpmath."""
    exact = re.sub(r"\d+(\.\d+)?", lambda digits: f"mpf('{digits[0]}')", text)
    return eval(exact, {"mpf": mpf, "ln": mp.log, "sqrt": mp.sqrt})


def times(a: Rows, b: Rows) -> Rows:
    return [[mp.fsum(x * y for x, y in zip(row, column, strict=True)) for column in zip(*b, strict=True)] for row in a]


def turned(a: Rows) -> Rows:
    return [list(column) for column in zip(*a, strict=True)]


def allowed(question: Question, n: int, m: int) -> list[list[bool]]:
    """The mask, from the words of the question alone."""
    find_ = find(question.asked.kind)
    dials = {**find_.parameters, **question.asked.parameters}
    if question.asked.kind == "K06":
        causal, padding = "causal" in dials["mask"], "padding" in dials["mask"]
        return [[(j <= i or not causal) and (j < m - 1 or not padding) for j in range(m)] for i in range(n)]
    if question.asked.kind == "K21":
        r, sinks, causal = dials["radius"], dials["sinks"], dials["causal"]
        return [[(abs(i - j) <= r or j < sinks) and (j <= i or not causal) for j in range(m)] for i in range(n)]
    return [[True] * m for _ in range(n)]


def softmax(rows: Rows, keep: list[list[bool]]) -> tuple[Rows, Rows]:
    e = [
        [mp.exp(x) if held else mpf(0) for x, held in zip(row, open_, strict=True)]
        for row, open_ in zip(rows, keep, strict=True)
    ]
    return e, [[x / mp.fsum(row) if x else mpf(0) for x in row] for row in e]


def by_columns(rows: Rows, keep: list[list[bool]]) -> Rows:
    return turned(softmax(turned(rows), turned(keep))[1])


def worked(question: Question, slip: str = "") -> dict[tuple[str, int | None], Rows]:
    """Everything a question of attention may ask, worked in mpmath from its numbers; `slip` works a wrong method."""
    assert question.trace is not None
    given = {name: [[number(x) for x in row] for row in rows] for name, rows in question.trace.problem.inputs.items()}
    out: dict[tuple[str, int | None], Rows] = {}
    if "X" in given:
        other = given.get("X_kv", given["X"])
        for name, x in (("Q", given["X"]), ("K", other), ("V", other)):
            given[name] = out[name, None] = times(x, given[f"W_{name}"])
    heads = question.trace.problem.settings.heads
    outputs = []
    for h in range(heads):
        block = {
            name: [row[h * len(row) // heads : (h + 1) * len(row) // heads] for row in given[name]]
            for name in "QKV"
            if name in given
        }
        s = times(block["Q"], turned(block["K"])) if block else given["scores"]
        factor = 1 / mp.sqrt(len(block["K"][0])) if block else 1 / number(question.facts.get("T", "1"))
        slips = {"no-scale": 1, "divided-by-d-k": factor**2}
        scaled = [[x * slips.get(slip, factor) for x in row] for row in s]
        keep = allowed(question, len(s), len(s[0]))
        e, a = softmax(scaled, keep)
        if slip == "not-normalised":
            a = softmax(
                [
                    [x - max(x for x, held in zip(row, open_, strict=True) if held) for x in row]
                    for row, open_ in zip(scaled, keep, strict=True)
                ],
                keep,
            )[0]
        if slip == "softmax-over-columns":
            a = by_columns(scaled, keep)
        out |= {("scores", h): s, ("scaled", h): scaled, ("exps", h): e, ("weights", h): a}
        if "V" in given:
            outputs.append(times(a, block["V"]))
            out["output", h] = outputs[-1]
    if outputs:
        joined = [[x for part in parts for x in part] for parts in zip(*outputs, strict=True)]
        out["concat", None] = joined
        out["output", None] = times(joined, given["W_O"]) if "W_O" in given else joined
    return out


def mp_of(x: Fraction) -> Any:
    return mpf(x.numerator) / x.denominator


@pytest.mark.parametrize("name", DIALS)
def test_some_of_sixty_attempts_are_kept(kept, name):
    questions = kept(name)
    assert len(questions) >= 2
    assert all(part.entries for question in questions for part in question.parts)


@pytest.mark.parametrize("name", DIALS)
def test_no_two_variants_are_the_same(name):
    questions = list(islice(variants(DIALS[name], "7"), 6))
    forms = [canonical_form(question.trace) for question in questions if question.trace is not None]
    assert len(set(forms)) == len(forms) == 6
    assert [question.number for question in questions] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("name", DIALS)
def test_keys_are_those_of_mpmath(kept, name):
    for question in kept(name):
        found = worked(question)
        for part in question.parts:
            for entry in part.entries:
                true = found[part.ask, part.head][entry.place.row][entry.place.column]
                assert abs(true - mp_of(entry.key)) <= mpf("0.5000001") * mpf(10) ** -part.places
                assert entry.accepts(Fraction(mp.nstr(true, part.places + 6)))
                assert entry.tolerance <= Fraction(3, 2) / 10**part.places


@pytest.mark.parametrize("slip", ["no-scale", "divided-by-d-k", "not-normalised", "softmax-over-columns"])
@pytest.mark.parametrize("name", DIALS)
def test_wrong_methods_are_told_apart_at_every_asked_entry(kept, name, slip):
    for question in kept(name):
        if slip not in question.seen_through:
            continue
        found = worked(question, slip)
        named = [part for part in question.parts if any(slip in wrong.names for wrong in part.wrongs)]
        assert named
        for part in named:
            true = [found[part.ask, part.head][e.place.row][e.place.column] for e in part.entries]
            assert all(abs(x - mp_of(e.key)) > mp_of(e.tolerance) for x, e in zip(true, part.entries, strict=True))
            # a method may give something else without the maximum subtracted
            ways = [wrong.intervals for wrong in part.wrongs if slip in wrong.names]
            assert len(ways) <= 2
            assert any(
                all(mp_of(low) <= x <= mp_of(high) for x, (low, high) in zip(true, way, strict=True)) for way in ways
            )


@pytest.mark.parametrize("name", DIALS)
def test_no_interval_of_a_wrong_answer_meets_what_is_accepted(kept, name):
    for question in kept(name):
        for part in question.parts:
            for wrong in part.wrongs:
                for entry, (low, high) in zip(part.entries, wrong.intervals, strict=True):
                    assert high < entry.key - entry.tolerance or low > entry.key + entry.tolerance, wrong.names


def test_what_is_given_without_the_maximum_subtracted_is_told_apart_from_what_lies_between(kept):
    for question in kept("K02-calculator"):
        (part,) = question.parts
        rows = [number(x) for x in question.trace.problem.inputs["scores"][0]]
        due = [[mp.exp(x - max(rows)) for x in rows], [mp.exp(x) for x in rows]]
        ways = [wrong for wrong in part.wrongs if "not-normalised" in wrong.names]
        if len(ways) == 1:
            continue
        for wrong, true in zip(ways, due, strict=True):
            assert wrong.texts == tuple(Value.of(Fraction(mp.nstr(x, 30))).decimal(3) for x in true)
            assert wrong.explains([Fraction(text) for text in wrong.texts])
        between = [(Fraction(a) + Fraction(b)) / 2 for a, b in zip(ways[0].texts, ways[1].texts, strict=True)]
        assert not any(wrong.explains(between) for wrong in ways)


SHAPES_ONLY = {
    "K01": {"key-not-transposed", "scores-transposed", "elementwise-product"},
    "K04": {"key-not-transposed"},
}
"""Misconceptions that run where the sizes let them, and then are told apart."""


@pytest.mark.parametrize("kind", TRACED, ids=lambda kind: kind.name)
def test_every_misconception_in_scope_is_seen_under_some_dials(kept, kind):
    seen = {name for dials, one in DIALS.items() if one.kind == kind.id for q in kept(dials) for name in q.seen_through}
    assert scope(kind) - seen <= SHAPES_ONLY.get(kind.id, set())


CORE = {"no-scale", "divided-by-d-k", "softmax-over-columns"}
"""What goes wrong most, and is looked for wherever Q and K are worked to weights of several queries."""


@pytest.mark.parametrize("id", ["K04", "K05", "K06", "K07", "K21", "K25"])
def test_the_core_slips_are_told_apart_in_every_variant(kept, id):
    for style in STYLES:
        for question in kept(f"{id}-{style}"):
            assert set(question.seen_through) >= CORE


def scope(kind: Kind) -> set[str]:
    return {*(kind.misconceptions or ()), *(row.name for row in kind.own(asked(kind.id)))}


def test_what_only_some_dials_see_is_seen_under_them(kept):
    def seen(name: str) -> set[str]:
        return {one for question in kept(name) for one in question.seen_through}

    assert "zeros-beyond-the-edge" in seen("K21-edge") & seen("K21-causal-edge")
    assert "zeros-beyond-the-edge" not in seen("K21-calculator")
    assert "sink-counted-twice" in seen("K21-sink-inside")
    assert "sink-counted-twice" not in seen("K21-sink")
    assert "previous-decoder-state" in seen("K25-calculator")
    assert "previous-decoder-state" not in seen("K25-first-row")


def mp_row(question: Question, ask: str) -> list[Any]:
    (part,) = (part for part in question.parts if part.ask == ask)
    found = worked(question)["scaled", 0]
    (i,) = part.rows
    keep = allowed(question, len(found), len(found[0]))[i]
    return [mp.exp(x) if held else mpf(0) for x, held in zip(found[i], keep, strict=True)]


def test_zeros_beyond_the_edge_and_a_sink_twice_are_what_they_say(kept):
    """The wrong weights by hand: one more e⁰ in the sum of the first row (radius 1), the sink's exponential doubled."""
    for question in kept("K21-edge"):
        e = mp_row(question, "weights")
        expect(question, "zeros-beyond-the-edge", [x / (mp.fsum(e) + 1) for x in e if x])
    for question in kept("K21-sink-inside"):
        e = mp_row(question, "weights")
        e[0] *= 2
        expect(question, "sink-counted-twice", [x / mp.fsum(e) for x in e if x])


def expect(question: Question, name: str, due: list[Any]) -> None:
    (part,) = (part for part in question.parts if part.ask == "weights")
    (wrong,) = (one for one in part.wrongs if name in one.names)
    assert len(wrong.intervals) == len(due)
    for (low, high), x in zip(wrong.intervals, due, strict=True):
        assert mp_of(low) <= x <= mp_of(high)


def test_square_scores_see_what_their_shapes_let_through():
    one = asked("K01", size={"n": 4, "m": 4, "d_k": 4}, answer="row", working=5)
    seen = next(variants(one, "7")).seen_through
    assert SHAPES_ONLY["K01"] <= set(seen)
    one = asked("K04", size={"n": 3, "m": 3, "d_k": 3})
    assert "key-not-transposed" in next(variants(one, "7")).seen_through


# -- draws -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", TRACED, ids=lambda kind: kind.name)
def test_the_same_seed_draws_the_same_questions(kind):
    def numbers(seed: str, id: str = "q") -> list[object]:
        return [q.trace.problem for q in islice(variants(Asked(id, kind.id), seed), 3)]

    assert numbers("7") == numbers("7")
    assert numbers("7") != numbers("8")
    assert numbers("7") != numbers("7", "other")


def test_numbers_grow_with_the_difficulty():
    easy, hard = (next(variants(asked("K03", difficulty=level), "7")).trace for level in (1, 5))
    assert all("." not in x for row in easy.problem.inputs["Q"] for x in row)
    assert any(len(x.partition("/")[2]) > 1 or "." in x for row in hard.problem.inputs["Q"] for x in row)


def test_by_hand_the_weights_are_fractions(kept):
    for kind in TRACED:
        for question in kept(f"{kind.id}-by-hand"):
            for part in question.parts:
                if part.ask in ("weights", "output"):
                    assert all(re.fullmatch(r"-?\d+(/\d+)?", str(entry.value)) for entry in part.entries), kind.id


# -- what is refused -------------------------------------------------------------------------------------------------------


def why(kind: str, given: dict[str, Any], **dials: Any) -> str | None:
    from exactattn.attention import attend

    return find(kind).degenerate(attend(**given), asked(kind, **dials))


I2 = [["1", "0"], ["0", "1"]]
W = [["1", "2"], ["0", "1"]]
X = [["1", "2"], ["2", "0"]]


@pytest.mark.parametrize(
    ("kind", "given", "reason"),
    [
        ("K01", {"Q": X, "K": [["1", "2"], ["2", "5"]]}, "symmetric-keys"),
        ("K01", {"Q": X, "K": [["1", "2"], ["0", "5"]]}, None),
        ("K01", {"Q": W, "K": W}, "queries-equal-keys"),
        ("K02", {"scores": [["1", "2"]], "scale": "1"}, "two-scores"),
        ("K05", {"X": [["1", "2"]] * 2, "W_Q": W, "W_K": X, "W_V": W}, "equal-tokens"),
        ("K05", {"X": X, "W_Q": W, "W_K": W, "W_V": W}, "equal-projections"),
        ("K05", {"X": X, "W_Q": W, "W_K": I2, "W_V": W}, "symmetric-projection"),
        ("K05", {"X": X, "W_Q": W, "W_K": [["0", "1"], ["2", "1"]], "W_V": W}, None),
        ("K07", {"Q": X, "K": W, "V": W, "W_O": I2, "heads": 2}, "symmetric-projection"),
        ("K07", {"Q": X, "K": W, "V": W, "W_O": [["1", "2"], ["0", "0"]], "heads": 2}, "unused-column"),
        ("K07", {"Q": [["1", "1"]] * 2, "K": [["1", "1"], ["2", "2"]], "V": W, "heads": 2}, "equal-heads"),
        ("K25", {"X": X, "X_kv": X, "W_Q": W, "W_K": W, "W_V": W}, "equal-sources"),
        ("K25", {"X": X, "X_kv": [["1", "2"]] * 2, "W_Q": W, "W_K": W, "W_V": W}, "equal-tokens"),
    ],
)
def test_degenerate_draws_are_refused(kind, given, reason):
    assert why(kind, given) == reason


def test_equal_weights_are_refused_in_every_kind():
    refused = [tried(find("K04"), asked("K04", numbers="by-hand"), "7", k) for k in range(20)]
    assert "equal-weights" in {found.why for found in refused if isinstance(found, Refused)}


def test_the_same_query_is_not_asked_twice(kept):
    for question in kept("K04-matrix"):
        assert len(set(question.trace.problem.inputs["Q"])) == 2
    one = asked("K04", answer="matrix", numbers="by-hand")
    assert "equal-queries" in {getattr(tried(find("K04"), one, "7", k), "why", "") for k in range(ATTEMPTS)}


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (asked("K04", size={"d_k": 1}), "question 'q': d_k is 1, which hides mistakes: 2 or more were due"),
        (asked("K07", size={"heads": 1}), "question 'q': heads is 1, which hides mistakes: 2 or more were due"),
        (asked("K03", size={"m": 1}), "question 'q': m is 1, which hides mistakes: 2 or more were due"),
        (asked("K18", parameters={"T": 1}), "question 'q': T is 1, which changes nothing: another temperature was due"),
        (
            asked("K18", parameters={"T": "2/2"}),
            "question 'q': T is 1, which changes nothing: another temperature was due",
        ),
        (asked("K18", parameters={"T": "0"}), "question 'q': T is 0: a temperature above 0 was due"),
        (asked("K18", parameters={"T": "-1"}), "question 'q': T is -1: a temperature above 0 was due"),
        (asked("K18", parameters={"T": "1/0"}), "question 'q', T: '1/0' is no number: division by zero"),
        (
            asked("K07", parameters={"output_projection": "no"}),
            "question 'q': output_projection is 'no': true or false was due",
        ),
        (asked("K10", parameters={"grouped": "no"}), "question 'q': grouped is 'no': true or false was due"),
        (asked("K21", parameters={"causal": "no"}), "question 'q': causal is 'no': true or false was due"),
        (asked("K21", parameters={"radius": "x"}), "question 'q': radius is 'x': a whole number from 0 up was due"),
        (asked("K06", row=1), "question 'q' asks row 1: with these sizes 2 can be asked"),
        (asked("K06", row=3), "question 'q' asks row 3: with these sizes 2 can be asked"),
        (asked("K04", row=9), "question 'q' asks row 9: with these sizes 1, 2, 3 can be asked"),
        (asked("K06", size={"n": 2}), "question 'q': with these sizes no row tells right from wrong"),
        (
            asked("K21", size={"n": 3}, parameters={"radius": 2}),
            "question 'q': with these sizes no row tells right from wrong",
        ),
        (
            asked("K06", parameters={"mask": "casual"}),
            "question 'q': mask 'casual' is not one of causal, padding, causal-and-padding (did you mean 'causal'?)",
        ),
    ],
)
def test_rows_that_tell_nothing_and_dials_that_are_none_are_errors(one, said):
    with pytest.raises(OptionError) as caught:
        next(variants(one, "7"))
    assert str(caught.value) == said


# -- words -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", languages())
def test_statements_are_filled_by_the_facts(kept, lang):
    for name, one in DIALS.items():
        for question in kept(name)[:1]:
            assert messages(lang).text(f"exam.kind.{find(one.kind).name}.statement", **question.facts)


def test_names_in_scope_are_of_the_catalogue_or_of_the_kind():
    catalogue = {row.name for row in CATALOGUE}
    for kind in TRACED:
        assert set(kind.misconceptions or ()) <= catalogue
        assert {row.name for row in kind.own(asked(kind.id))} <= set(OF_OTHER_KINDS.get(kind.id, ()))


# -- what there is -------------------------------------------------------------------------------------------------------------

WAITING = {
    "K19": ("dQ, dK, dV", {"scale-forgotten-in-the-gradient"}),
    "K22": ("rotary codes", {"one-side-rotated", "rotary-layout"}),
}
"""What is not asked yet, and the mistakes that only it would see. This can only shrink."""

HARMLESS = {"query-norm-kept"}
"""A mistake that gives what is right: it cancels."""


def test_every_kind_is_there_and_all_its_mistakes_are_told_apart_but_those_that_wait():
    assert set(kinds()) == {f"K{k:02}" for k in range(1, 26)}
    assert len({kind.name for kind in kinds().values()}) == 25
    told = {name for kind in kinds().values() for name in (*scope(kind), *kind.beside)}
    for id, names in OF_OTHER_KINDS.items():
        waiting = WAITING[id][1] if id in WAITING else set()
        assert set(names) - told - HARMLESS == waiting, id


@pytest.mark.parametrize("id", sorted(kinds()))
def test_the_difficulty_changes_what_is_drawn(id):
    def drawn(level: int) -> list[object]:
        return [find(id).draw(Draw("7", "q", k), asked(id, difficulty=level)) for k in range(12)]

    assert drawn(1) != drawn(5)


def test_a_kind_is_found_by_id_and_by_name_and_a_near_one_is_suggested():
    assert find("K03") is find("one-query")
    with pytest.raises(OptionError, match=r"question kind 'one-quary' is unknown .did you mean 'one-query'"):
        find("one-quary")
