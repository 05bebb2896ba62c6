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
from exactattn.exams.spec import read
from exactattn.i18n import languages, messages
from exactattn.misconceptions import CATALOGUE, OF_OTHER_KINDS

mp.dps = 40

DIRECT = [kind for kind in kinds().values() if isinstance(kind.draw(Draw("7", "q", 0), Asked("q", kind.id)), Direct)]
TRACED = [kind for kind in kinds().values() if kind not in DIRECT]
STYLES = ("calculator", "by-hand")
ATTEMPTS = 60

MISSING = {"K15": "design a query", "K17": "short proofs"}
"""Kinds that are not there yet. This can only shrink."""


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
        scaled = [[x * (1 if slip == "no-scale" else factor) for x in row] for row in s]
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


@pytest.mark.parametrize("slip", ["no-scale", "not-normalised", "softmax-over-columns"])
@pytest.mark.parametrize("name", DIALS)
def test_wrong_methods_are_told_apart_at_every_asked_entry(kept, name, slip):
    for question in kept(name):
        if slip not in question.seen_through:
            continue
        found = worked(question, slip)
        named = [part for part in question.parts if any(slip in wrong.names for wrong in part.wrongs)]
        assert named
        for part in named:
            (wrong,) = (wrong for wrong in part.wrongs if slip in wrong.names)
            for entry, (low, high) in zip(part.entries, wrong.intervals, strict=True):
                x = found[part.ask, part.head][entry.place.row][entry.place.column]
                assert abs(x - mp_of(entry.key)) > mp_of(entry.tolerance)
                assert mp_of(low) <= x <= mp_of(high)


@pytest.mark.parametrize("name", DIALS)
def test_no_interval_of_a_wrong_answer_meets_what_is_accepted(kept, name):
    for question in kept(name):
        for part in question.parts:
            for wrong in part.wrongs:
                for entry, (low, high) in zip(part.entries, wrong.intervals, strict=True):
                    assert high < entry.key - entry.tolerance or low > entry.key + entry.tolerance, wrong.names


SHAPES_ONLY = {
    "K01": {"key-not-transposed", "scores-transposed", "elementwise-product"},
    "K04": {"key-not-transposed"},
}
"""Misconceptions that run where the sizes let them, and then are told apart."""


@pytest.mark.parametrize("kind", TRACED, ids=lambda kind: kind.name)
def test_every_misconception_in_scope_is_seen_under_some_dials(kept, kind):
    seen = {name for dials, one in DIALS.items() if one.kind == kind.id for q in kept(dials) for name in q.seen_through}
    assert scope(kind) - seen <= SHAPES_ONLY.get(kind.id, set())


def scope(kind: Kind) -> set[str]:
    return {*(kind.misconceptions or ()), *(row.name for row in kind.own(asked(kind.id)))}


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


# -- questions without a trace ---------------------------------------------------------------------------------------------


def numbers(text: str) -> list[Fraction]:
    return [Fraction(x.replace("−", "-")) for x in text.split(", ")]


def powers(text: str) -> list[Fraction]:
    """e to each of these logarithms."""
    return [Fraction(x.removeprefix("ln ")) if x != "0" else Fraction(1) for x in text.split(", ")]


def sought(question: Question) -> dict[str, list[Any]]:
    """The answers, from the numbers of the statement alone."""
    f = {name: int(x) for name, x in question.facts.items() if x.lstrip("-").isdigit()}
    match question.asked.kind:
        case "K08":
            variance = f["d_k"] * f["a"] ** 2 * f["b"] ** 2
            return {"variance": [variance], "deviation": [mp.sqrt(variance)], "scaled": [variance // f["d_k"]]}
        case "K09":
            joined = f["heads"] * f["d_v"]
            return {"scores": [f["n"], f["m"]], "joined": [f["n"], joined], "projection": [joined, f["d_model"]]}
        case "K10":
            columns = [f["heads"] * f["width"], f["groups"] * f["width"], f["groups"] * f["width"]]
            weights = sum(f["d_model"] * c for c in columns) + columns[0] * f["d_model"]
            return {"weights": [weights], "all": [weights + sum(columns) + f["d_model"]]}
        case "K11":
            token = f["layers"] * 2 * f["groups"] * f["width"] * 2
            return {"token": [token], "total": [token * int(question.facts["length"][:-1]) * 1024 / 2**20]}
        case "K12":
            size = f["heads"] // f["groups"]
            return {"head": [[k for k in range(f["groups"]) for _ in range(size)][f["head"]]]}
        case "K13":
            d, n = f["heads"] * f["width"], f["n"]
            return {
                "scores": [f["heads"] * n * n * f["width"] * 2],
                "projections": [4 * n * d * d * 2],
                "stored": [f["heads"] * n * n],
            }
        case "K14":
            return {"formula": [next(k for k in range(1, 5) if question.facts[f"f{k}"] == "softmax(Q·Kᵀ/√d_k)·V")]}
        case "K16":
            c = mp.findroot(
                lambda c: mp.exp(f["a"] * (c - f["u"]) / mp.sqrt(f["d_k"])) - f["ratio"], f["u"] + mp.mpf(1)
            )
            return {"entry": [c]}
        case "K19":
            p, i = [mp_of(x) for x in numbers(question.facts["weights"])], f["row"] - 1
            g = [mp_of(x) for x in numbers(question.facts["gradient"])]
            row = [mp.diff(lambda t, j=j: softmax_at(p, j, t, i), 0) for j in range(3)]
            return {
                "row": row,
                "gradient": [mp.fsum(mp.diff(lambda t, j=j: softmax_at(p, i, t, j), 0) * g[j] for j in range(3))],
            }
        case "K22":
            e = [x * Fraction(1, 4**k) for x, k in zip(powers(question.facts["scores"]), (2, 1, 0), strict=True)]
            return weighed(e, numbers(question.facts["values"]))
        case "K23":
            q, *k = ([x + 1 for x in numbers(question.facts[name])] for name in ("q", "k1", "k2", "k3"))
            e = [sum(x * y for x, y in zip(q, one, strict=True)) for one in k]
            return weighed(e, numbers(question.facts["values"]))
        case "K24":
            return repaired(question)
    raise AssertionError(f"{question.asked.kind} has no second opinion")


def repaired(question: Question) -> dict[str, list[Any]]:
    """The four lines worked in mpmath; the first that is printed otherwise is the wrong one."""

    def logs(text: str) -> list[Any]:
        parts = [x.partition("ln ") for x in text.split(", ")]
        factors = {"": 1, "2 ": 2, "½ ": mpf("0.5")}
        return [factors[lead] * mp.log(int(x)) if x else mpf(0) for lead, _, x in parts]

    scaled = [x / 2 for x in logs(question.facts["scores"])]
    exps = [mp.exp(x - max(scaled)) for x in scaled]
    weights = [x / mp.fsum(exps) for x in exps]
    values = [mp_of(x) for x in numbers(question.facts["values"])]
    output = mp.fsum(a * v for a, v in zip(weights, values, strict=True))
    printed = [logs(question.facts["scaled"])]
    printed += [[mp_of(x) for x in numbers(question.facts[name])] for name in ("exps", "weights", "output")]
    lines = [scaled, exps, weights, [output]]
    wrong = [
        any(abs(x - y) > mpf("1e-20") for x, y in zip(*pair, strict=True)) for pair in zip(lines, printed, strict=True)
    ]
    return {"line": [wrong.index(True) + 1], "output": [output]}


def softmax_at(p: list[Any], j: int, t: Any, i: int) -> Any:
    """Weight i when score j grows by t."""
    e = [x * (mp.exp(t) if k == j else 1) for k, x in enumerate(p)]
    return e[i] / mp.fsum(e)


def weighed(e: list[Fraction], values: list[Fraction]) -> dict[str, list[Any]]:
    a = [x / sum(e) for x in e]
    return {"weights": [mp_of(x) for x in a], "output": [mp_of(sum(x * v for x, v in zip(a, values, strict=True)))]}


@pytest.mark.parametrize("kind", DIRECT, ids=lambda kind: kind.name)
def test_keys_without_a_trace_are_those_of_another_way(kind):
    for question in islice(variants(asked(kind.id, ask=kind.asks), "7"), 20):
        assert question.trace is None
        found = sought(question)
        for part in question.parts:
            for entry, true in zip(part.entries, found[part.ask], strict=True):
                assert abs(true - mp_of(entry.key)) <= (
                    mpf("0.5001") * mpf(10) ** -part.places if entry.tolerance else mpf("1e-9")
                )
                assert entry.tolerance <= Fraction(3, 2) / 10**part.places


@pytest.mark.parametrize("kind", DIRECT, ids=lambda kind: kind.name)
def test_variants_without_a_trace_differ_and_tell_every_mistake_apart(kind):
    questions = list(islice(variants(asked(kind.id, ask=kind.asks), "7"), 20))
    assert len({tuple(sorted(question.facts.items())) for question in questions}) == 20
    assert questions == list(islice(variants(asked(kind.id, ask=kind.asks), "7"), 20))
    for part in (part for question in questions for part in question.parts):
        assert part.wrongs or part.ask == "line"
        for wrong in part.wrongs:
            pairs = list(zip(part.entries, wrong.intervals, strict=True))
            assert any(high < e.key - e.tolerance or low > e.key + e.tolerance for e, (low, high) in pairs), wrong.names


def test_no_key_stands_among_the_facts():
    for kind in DIRECT:
        given = kind.draw(Draw("7", "q", 3), asked(kind.id))
        assert isinstance(given, Direct)
        if kind.id not in ("K08", "K09", "K12"):  # small numbers, which may be given numbers by chance
            keys = {entry.text for part in given.question(asked(kind.id), kind.asks, 0).parts for entry in part.entries}
            assert not keys & set(given.facts.values())


def test_a_count_is_right_or_wrong_and_any_other_number_may_be_rounded():
    (count,) = next(variants(asked("K10"), "7")).parts[0].entries
    assert count.tolerance == 0
    assert not count.accepts(count.key + Fraction(1, 10**6))
    (entry,) = next(variants(asked("K16"), "7")).parts[0].entries
    assert Fraction(5, 10**4) < entry.tolerance <= Fraction(11, 10**4)


# -- words and what is missing ---------------------------------------------------------------------------------------------


def test_every_kind_has_its_words_in_every_language():
    for lang in languages():
        keys = messages(lang).keys()
        for kind in kinds().values():
            assert {f"exam.kind.{kind.name}.{word}" for word in ("name", "statement")} <= keys
            for name in scope(kind) | seen_without_trace(kind):
                assert {f"misconception.{name}.{word}" for word in ("name", "said", "feedback")} <= keys
            if kind in DIRECT:
                assert {
                    f"exam.kind.{kind.name}.{word}" for word in ("solution", *(f"asks.{ask}" for ask in kind.asks))
                } <= keys


def seen_without_trace(kind: Kind) -> set[str]:
    if kind not in DIRECT:
        return set()
    return {
        name for question in islice(variants(asked(kind.id, ask=kind.asks), "7"), 20) for name in question.seen_through
    }


@pytest.mark.parametrize("lang", languages())
def test_statements_without_a_trace_are_filled_by_the_facts(lang):
    for kind in DIRECT:
        facts = next(variants(asked(kind.id), "7")).facts
        for word in ("statement", "solution", *(f"asks.{ask}" for ask in kind.asks)):
            assert messages(lang).text(f"exam.kind.{kind.name}.{word}", **facts)


@pytest.mark.parametrize("lang", languages())
def test_statements_are_filled_by_the_facts(kept, lang):
    for name, one in DIALS.items():
        for question in kept(name)[:1]:
            assert messages(lang).text(f"exam.kind.{find(one.kind).name}.statement", **question.facts)


def test_names_in_scope_are_of_the_catalogue_or_of_the_kind():
    catalogue = {row.name for row in CATALOGUE}
    others = {name for names in OF_OTHER_KINDS.values() for name in names}
    for kind in kinds().values():
        assert set(kind.misconceptions or ()) <= (catalogue | others if kind in DIRECT else catalogue)
        assert {row.name for row in kind.own(asked(kind.id))} <= set(OF_OTHER_KINDS.get(kind.id, ()))


@pytest.mark.parametrize("kind", DIRECT, ids=lambda kind: kind.name)
def test_a_kind_without_a_trace_says_which_mistakes_it_sees(kind):
    assert seen_without_trace(kind) == set(kind.misconceptions or ())


def test_a_spec_may_give_credit_for_the_mistakes_of_a_kind_alone():
    text = '[[question]]\nid = "a"\nkind = "K10"\npoints = 1\ncredit = {counted-times-heads = "1/4"}\n'
    (one,) = read(f'title = "t"\nlang = "en"\n{text}').questions
    assert one.credit == {"counted-times-heads": Fraction(1, 4)}


def test_the_kinds_that_are_missing_are_these():
    every = {f"K{k:02}" for k in range(1, 26)}
    assert every - set(kinds()) == set(MISSING)
    assert len({kind.name for kind in kinds().values()}) == len(kinds())


def test_a_kind_is_found_by_id_and_by_name_and_a_near_one_is_suggested():
    assert find("K03") is find("one-query")
    with pytest.raises(OptionError, match=r"question kind 'one-quary' is unknown .did you mean 'one-query'"):
        find("one-quary")
