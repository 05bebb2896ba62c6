"""Questions without a trace: every answer worked once more from the numbers of the statement, in mpmath or by reading."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any

import pytest
from mpmath import mp, mpf

from exactattn.document import plain
from exactattn.errors import OptionError
from exactattn.exams.draw import Draw
from exactattn.exams.forms import judge
from exactattn.exams.keys import Refused
from exactattn.exams.kinds import find, kinds, words_key
from exactattn.exams.kinds.direct import Direct
from exactattn.exams.kinds.other_scoring import BY_HAND, RULES
from exactattn.exams.kinds.proof import CLAIMS
from exactattn.exams.model import Asked, Choice, Design, Order, Part, Question, Rubric
from exactattn.exams.places import option_shown
from exactattn.exams.render import rendered
from exactattn.exams.select import tried, variants
from exactattn.exams.spec import read
from exactattn.exams.tolerance import stated
from exactattn.i18n import languages, messages
from exactattn.misconceptions import CATALOGUE, OF_OTHER_KINDS

mp.dps = 40
COUNT = 20


def asked(kind: str, **dials: Any) -> Asked:
    return Asked("q", kind, **dials)


RULED = ("weights", "output", "winners")
CASES: dict[str, Asked] = {
    "K08": asked("K08", ask=find("K08").asks),
    "K09": asked("K09", ask=find("K09").asks),
    "K10": asked("K10", ask=find("K10").asks),
    "K10-all-heads": asked("K10", ask=find("K10").asks, parameters={"grouped": False}),
    "K11": asked("K11", ask=find("K11").asks),
    "K12-index": asked("K12", ask=("head",)),
    "K12": asked("K12", ask=find("K12").asks),
    "K12-hard": asked("K12", ask=find("K12").asks, difficulty=5),
    "K12-by-hand": asked("K12", ask=find("K12").asks, numbers="by-hand"),
    "K13": asked("K13", ask=find("K13").asks),
    "K14": asked("K14", ask=find("K14").asks),
    "K14-hard": asked("K14", ask=find("K14").asks, difficulty=5),
    **{
        f"K15-{goal}": asked("K15", parameters={"goal": goal})
        for goal in ("select", "average-two", "average-all", "key")
    },
    "K15-by-hand": asked("K15", numbers="by-hand", difficulty=5),
    "K16": asked("K16", ask=find("K16").asks),
    "K16-by-hand": asked("K16", numbers="by-hand"),
    **{f"K17-{claim}": asked("K17", ask=find("K17").asks, parameters={"claim": claim}) for claim in CLAIMS},
    "K17": asked("K17", difficulty=5),
    "K18-limits": asked("K18", ask=("cold", "hot", "doubled", "shifted")),
    "K18-limits-hard": asked("K18", ask=("cold", "hot", "doubled", "shifted"), difficulty=5, size={"m": 4}),
    "K19": asked("K19", ask=find("K19").asks),
    "K19-hard": asked("K19", ask=find("K19").asks, difficulty=5),
    "K20": asked("K20", ask=find("K20").asks),
    "K20-hard": asked("K20", ask=find("K20").asks, difficulty=5),
    "K20-by-hand": asked("K20", ask=("weights", "merged", "overflow"), numbers="by-hand"),
    "K22": asked("K22"),
    "K22-hard": asked("K22", difficulty=5),
    "K22-sinusoidal": asked("K22", parameters={"code": "sinusoidal"}),
    "K22-sinusoidal-easy": asked("K22", parameters={"code": "sinusoidal"}, difficulty=2),
    **{f"K23-{rule}": asked("K23", ask=RULED, parameters={"rule": rule}) for rule in RULES if rule != "sum-normalised"},
    "K23-sum-normalised": asked("K23", parameters={"rule": "sum-normalised"}, difficulty=4),
    **{f"K23-{rule}-by-hand": asked("K23", numbers="by-hand", parameters={"rule": rule}) for rule in BY_HAND},
    "K24": asked("K24", ask=find("K24").asks),
    "K24-hard": asked("K24", ask=find("K24").asks, difficulty=5),
    "K24-plausible": asked("K24", ask=("possible-weights", "possible-output", "one-key", "no-key")),
}
"""What is tried: every kind without a trace, in every case."""

DIRECT = sorted({one.kind for one in CASES.values()})


@pytest.fixture(scope="module")
def kept() -> Callable[[str], list[Question]]:
    """The first questions of a case, drawn once."""
    found: dict[str, list[Question]] = {}

    def of(name: str) -> list[Question]:
        if name not in found:
            found[name] = list(islice(variants(CASES[name], "7"), COUNT))
        return found[name]

    return of


def test_every_kind_without_a_trace_is_tried():
    without = {id for id, kind in kinds().items() if isinstance(kind.draw(Draw("7", "q", 0), asked(id)), Direct)}
    assert set(DIRECT) == without | {"K18"}  # whose limits have no trace


# -- the numbers of a statement ------------------------------------------------------------------------------------------------


def value(text: str) -> Any:
    """A number as a sentence shows it: "−2 ln 3", "1000 + ln 7", "1/3"."""
    exact = re.sub(r"(\d+ )?ln (\d+(/\d+)?)", lambda m: f"({m[1] or 1}*L({m[2]}))", text.replace("−", "-"))
    exact = re.sub(r"(?<![\w.])\d+(\.\d+)?", lambda digits: f"mpf('{digits[0]}')", exact)
    return eval(exact, {"mpf": mpf, "L": mp.log})


def row(text: str) -> list[Any]:
    return [value(x) for x in text.strip("()").split(", ")]


def rows(text: str) -> list[list[Any]]:
    """ "(1, 2), (0, ln 3)"."""
    return [row(x) for x in re.findall(r"\(([^()]*)\)", text)]


def product(a: list[Any], b: list[Any]) -> Any:
    return mp.fsum(x * y for x, y in zip(a, b, strict=True))


def softmax(scores: list[Any]) -> list[Any]:
    e = [mp.exp(s - max(scores)) for s in scores]
    return [x / mp.fsum(e) for x in e]


def mp_of(x: Fraction) -> Any:
    return mpf(x.numerator) / x.denominator


# -- every answer once more -----------------------------------------------------------------------------------------------------


def sought(question: Question) -> dict[str, list[Any]]:
    """The answers by what is asked, from the facts of the statement alone; of a choice, which option it has to be."""
    facts = question.facts
    f = {name: int(x.replace("−", "-")) for name, x in facts.items() if x.lstrip("−").isdigit()}
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
            return {"token": [token], "total": [token * int(facts["length"][:-1]) * 1024 / 2**20]}
        case "K12":
            return grouped(question)
        case "K13":
            d, n = f["heads"] * f["width"], f["n"]
            return {
                "scores": [f["heads"] * n * n * f["width"] * 2],
                "projections": [4 * n * d * d * 2],
                "stored": [f["heads"] * n * n],
            }
        case "K16":
            c = mp.findroot(lambda c: mp.exp(f["a"] * (c - f["u"]) / mp.sqrt(f["d_k"])) - f["ratio"], f["u"] + mpf(1))
            return {"entry": [c], "factor": [(c - f["u"]) / mp.log(f["ratio"])]}
        case "K18":
            scores, p = row(facts["scores"]), row(facts["weights"])
            return {
                "cold": softmax([s * 10**4 for s in scores]),
                "hot": softmax([s / mpf(10) ** 30 for s in scores]),
                "doubled": softmax([2 * mp.log(x) for x in p]),
            }
        case "K19":
            return derived(question)
        case "K20":
            scores = row(facts["scores"])
            a = softmax(scores)
            return {
                "weights": a,
                "log-weights": [mp.log(x) for x in a],
                "merged": [mp.fsum(mp.exp(s - max(scores)) for s in scores)],
            }
        case "K22" if question.case == "sinusoidal":
            p, d = f["p"], f["d"]
            angles = [mpf(p) / mp.power(10000, mpf(2 * i) / d) for i in range(2)]
            return {"code": [function(x) for x in angles for function in (mp.sin, mp.cos)]}
        case "K22":
            n, scores = f["n"], row(facts["scores"])
            biased = [s - (n - 1 - j) * 2 * mp.log(2) for j, s in enumerate(scores)]
            return weighed(softmax(biased), row(facts["values"]))
        case "K23":
            return ruled(question)
        case "K24" if question.case == "solution":
            return repaired(question)
    return {}


def weighed(a: list[Any], values: list[Any]) -> dict[str, list[Any]]:
    return {"weights": a, "output": [product(a, values)]}


def grouped(question: Question) -> dict[str, list[Any]]:
    """Which block of query heads a head stands in, and attention with what that block shares."""
    facts = question.facts
    h, g, t = (int(facts[name]) for name in ("heads", "groups", "head"))
    own = [k for k in range(g) for _ in range(h // g)][t]
    if question.case == "index":
        return {"head": [own]}
    blocks = dict(one.split(": ") for one in facts["keys"].split("; "))
    columns = dict(one.split(": ") for one in facts["values"].split("; "))
    q, keys = row(facts["q"]), rows(blocks[str(own)])
    assert len(q) == int(facts["d_k"])
    a = softmax([product(q, k) / mp.sqrt(len(q)) for k in keys])
    return {"head": [own], **weighed(a, row(columns[str(own)]))}


def derived(question: Question) -> dict[str, list[Any]]:
    """Derivatives by differences, of weights that move with their scores."""
    p, g = row(question.facts["weights"]), row(question.facts["gradient"])
    i, t = int(question.facts["row"]) - 1, int(question.facts["target"]) - 1

    def weight(k: int, j: int, step: Any) -> Any:
        e = [x * (mp.exp(step) if other == j else 1) for other, x in enumerate(p)]
        return e[k] / mp.fsum(e)

    every = range(len(p))
    return {
        "row": [mp.diff(lambda x, j=j: weight(i, j, x), 0) for j in every],
        "gradient": [mp.fsum(mp.diff(lambda x, k=k: weight(k, i, x), 0) * g[k] for k in every)],
        "cross-entropy": [mp.diff(lambda x, j=j: -mp.log(weight(t, j, x)), 0) for j in every],
    }


def ruled(question: Question) -> dict[str, list[Any]]:
    """Weights by each rule, as its name is understood everywhere."""
    facts = question.facts
    q, keys, values = row(facts["q"]), rows(facts["keys"]), row(facts["values"])
    own = [row(x) for x in facts["own"].split("; ")] if facts["own"] else []
    match question.case:
        case "linear":
            scores = [product([x + 1 for x in q], [y + 1 for y in k]) for k in keys]
        case "additive":
            scores = [product([mp.tanh(x + y) for x, y in zip(q, k, strict=True)], own[0]) for k in keys]
        case "bilinear":
            scores = [mp.fsum(q[i] * own[i][j] * k[j] for i in range(2) for j in range(2)) for k in keys]
        case "cosine":
            scores = [product(q, k) / mp.sqrt(product(q, q) * product(k, k)) for k in keys]
        case "distance":
            scores = [-((q[0] - k[0]) ** 2 + (q[1] - k[1]) ** 2) / 2 for k in keys]
        case "sum-normalised":
            scores = [product(q, k) for k in keys]
        case other:
            raise AssertionError(other)
    shares = question.case in ("linear", "sum-normalised")
    a = [s / mp.fsum(scores) for s in scores] if shares else softmax(scores)
    dots = [product(q, k) for k in keys]
    winners = [scores.index(max(scores)) + 1, dots.index(max(dots)) + 1]
    return {**weighed(a, values), "winners": winners}


def repaired(question: Question) -> dict[str, list[Any]]:
    """The right output, worked from the scores, whose factors ½ are written as one sign."""
    scores, values = row(question.facts["scores"]), row(question.facts["values"])
    return {"output": [product(softmax([s / 2 for s in scores]), values)]}


@pytest.mark.parametrize("name", CASES)
def test_keys_are_those_of_another_way(kept, name):
    for question in kept(name):
        assert question.trace is None
        found = sought(question)
        for part in question.parts:
            if part.form is not None:
                continue
            assert len(part.entries) == len(found[part.ask])
            for entry, true in zip(part.entries, found[part.ask], strict=True):
                within = mpf("0.5001") * mpf(10) ** -part.places if entry.tolerance else mpf("1e-9")
                assert abs(true - mp_of(entry.key)) <= within, (part.ask, question.facts)
                assert entry.tolerance <= Fraction(3, 2) / 10**part.places


@pytest.mark.parametrize("name", CASES)
def test_variants_differ_and_tell_every_mistake_apart(kept, name):
    questions = kept(name)
    shown = {(q.case, tuple(sorted(q.facts.items())), *(p.form for p in q.parts if not p.entries)) for q in questions}
    assert len(shown) == COUNT
    again = list(islice(variants(CASES[name], "7"), COUNT))
    assert [(q.case, q.facts, q.key) for q in again] == [(q.case, q.facts, q.key) for q in questions]
    for part in (part for question in questions for part in question.parts):
        assert part.wrongs or part.form is not None
        for wrong in part.wrongs:
            pairs = list(zip(part.entries, wrong.intervals, strict=True))
            assert any(high < e.key - e.tolerance or low > e.key + e.tolerance for e, (low, high) in pairs), wrong.names


def test_wrong_counts_print_as_counts():
    for question in islice(variants(asked("K11"), "7"), COUNT):
        for wrong in question.parts[0].wrongs:
            assert all("." not in text for text in wrong.texts), wrong


def test_by_hand_the_answers_are_fractions(kept):
    for name in CASES:
        if name.endswith("by-hand") and name[:3] != "K15":
            for question in kept(name):
                for part in question.parts:
                    assert all(re.fullmatch(r"-?\d+(/\d+)?", str(entry.value)) for entry in part.entries), name


def test_no_rounded_key_stands_among_the_facts(kept):
    """A count may be a given number by chance, and so may the entries of a design."""
    for name in CASES:
        for question in kept(name)[:5]:
            keys = {entry.text for part in question.parts for entry in part.entries if entry.tolerance}
            assert not keys & set(question.facts.values()), name


def test_a_count_is_right_or_wrong_and_any_other_number_may_be_rounded():
    (count,) = next(variants(asked("K10"), "7")).parts[0].entries
    assert count.tolerance == 0
    assert not count.accepts(count.key + Fraction(1, 10**6))
    (entry,) = next(variants(asked("K16"), "7")).parts[0].entries
    assert Fraction(5, 10**4) < entry.tolerance <= Fraction(11, 10**4)


@pytest.mark.parametrize("name", ["K20", "K22-sinusoidal", "K23-additive"])
def test_what_is_no_fraction_has_no_exact_key(name):
    one = replace(CASES[name], tolerance="exact")
    assert stated(next(variants(one, "7"))) == "meets a key that is no fraction to be written"


def test_a_careful_student_with_the_working_places_is_right(kept):
    """Scaled scores, exponentials and weights rounded on the way: what the tolerance is made for."""
    for question in kept("K12") + kept("K12-hard"):
        t, facts = question.parts, question.facts
        own = int(sought(question)["head"][0])
        keys = rows(dict(one.split(": ") for one in facts["keys"].split("; "))[str(own)])
        values = row(dict(one.split(": ") for one in facts["values"].split("; "))[str(own)])
        q = row(facts["q"])
        places = question.asked.working

        def rounded(x: Any, places: int = places) -> Any:
            return mp.nint(x * 10**places) / mpf(10) ** places

        scaled = [rounded(product(q, k) / mp.sqrt(len(q))) for k in keys]
        for less in (max(scaled), 0):  # with the maximum subtracted, and without
            e = [rounded(mp.exp(s - less)) for s in scaled]
            a = [rounded(x / mp.fsum(e)) for x in e]
            for part, found in ((t[1], a), (t[2], [product(a, values)])):
                for entry, x in zip(part.entries, found, strict=True):
                    assert entry.accepts(Fraction(mp.nstr(rounded(x, part.places), 12))), question.facts


# -- other forms than numbers --------------------------------------------------------------------------------------------------


def formed(questions: list[Question], form: type) -> list[tuple[Question, Part]]:
    return [(q, part) for q in questions for part in q.parts if isinstance(part.form, form)]


@pytest.mark.parametrize("name", CASES)
def test_options_differ_and_one_is_right_and_no_mistake_leads_to_it(kept, name):
    for question, part in formed(kept(name), Choice):
        options = part.form.options
        assert len({(option.texts, option.key) for option in options}) == len(options) >= 3
        assert not options[part.form.right].names
        for lang in languages():
            assert len({plain(option_shown(question, part, one, messages(lang))) for one in options}) == len(options)


@pytest.mark.parametrize("name", ["K14", "K17-convex-hull", "K20", "K24", "K24-plausible"])
def test_the_right_letter_moves_about(kept, name):
    for ask in {part.ask for _, part in formed(kept(name), Choice)}:
        assert len({p.form.right for _, p in formed(kept(name), Choice) if p.ask == ask}) >= 3


def test_the_right_formula_is_that_of_scaled_dot_product_attention(kept):
    for _, part in formed(kept("K14") + kept("K14-hard"), Choice):
        if part.ask == "formula":
            assert part.form.options[part.form.right].texts == ("softmax(Q·Kᵀ/√d_k)·V",)


def test_one_row_can_be_a_row_of_the_jacobian(kept):
    for question, part in formed(kept("K19") + kept("K19-hard"), Choice):
        i = int(question.facts["row"]) - 1
        true = sought(question)["row"]
        shown = [row(option.texts[0]) for option in part.form.options]
        fit = [all(abs(x - y) < mpf("1e-9") for x, y in zip(one, true, strict=True)) for one in shown]
        assert fit.index(True) == part.form.right
        assert [abs(mp.fsum(one)) < mpf("1e-30") for one in shown].count(True) == 1
        assert all(one[i] > 0 for one in shown)


@pytest.mark.parametrize(
    ("kind", "answer", "asks"),
    [
        ("K08", "choice", ["why"]),
        ("K14", "choice", ["formula"]),
        ("K14", "order", ["order"]),
        ("K17", "text", ["proof"]),
        ("K17", "choice", ["statement"]),
        ("K24", "number", ["line", "output"]),
        ("K24", "choice", ["line"]),
    ],
)
def test_the_form_of_the_answer_says_what_is_asked_where_nothing_else_does(kind, answer, asks):
    question = next(variants(asked(kind, answer=answer), "7"))
    assert [part.ask for part in question.parts] == asks
    assert all((part.form is None) == (part.ask == "output") for part in question.parts)


def test_steps_are_shown_in_disorder_and_ordered_as_they_are_worked(kept):
    due = {
        "K14": ["score", "scale", "mask", "softmax", "mix"],
        "K14-hard": ["project", "score", "scale", "mask", "shift", "exponentiate", "divide", "mix"],
    }
    for name, steps in due.items():
        found = formed(kept(name), Order)
        assert found
        for _, part in found:
            assert [part.form.items[k] for k in part.form.right] == steps
            assert list(part.form.items) != steps
            assert judge(part, [" ".join("ABCDEFGH"[k] for k in part.form.right)]).share == 1


def test_one_row_can_be_weights_and_one_number_an_output(kept):
    for question, part in formed(kept("K24") + kept("K24-plausible"), Choice):
        shown = [option.texts[0] for option in part.form.options if option.texts]
        if part.ask == "possible-weights":
            fit = [abs(sum(row(x)) - 1) < mpf("1e-9") and min(row(x)) >= 0 for x in shown]
            assert fit.index(True) == part.form.right
            assert fit.count(True) == 1
        if part.ask == "possible-output":
            values = row(question.facts["values"])
            fit = [min(values) <= value(x) <= max(values) for x in shown]
            assert fit.index(True) == part.form.right
            assert fit.count(True) == 1


def test_the_wrong_line_is_the_first_that_does_not_follow(kept):
    for question, part in formed(kept("K24") + kept("K24-hard"), Choice):
        if part.ask != "line":
            continue
        facts = {name: x.replace("½ ln 4", "ln 2").replace("½ ln", "ln") for name, x in question.facts.items()}
        scores, values = row(facts["scores"]), row(facts["values"])
        printed = [halved(question.facts["scaled"]), *(row(facts[name]) for name in ("exps", "weights", "output"))]
        scaled = [s / 2 for s in scores]
        exps = [mp.exp(x - max(printed[0])) for x in printed[0]]
        follows = [scaled, exps, [x / mp.fsum(printed[1]) for x in printed[1]], [product(printed[2], values)]]
        wrong = [
            any(abs(x - y) > mpf("1e-20") for x, y in zip(*pair, strict=True))
            for pair in zip(follows, printed, strict=True)
        ]
        assert wrong.count(True) == 1
        assert wrong.index(True) == part.form.right


def halved(text: str) -> list[Any]:
    """Logarithms, of which ½ ln is half."""
    return [value(x.removeprefix("½ ")) / (2 if x.startswith("½") else 1) for x in text.split(", ")]


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("K15")])
def test_the_printed_design_does_what_is_wanted_and_hasty_ones_do_not(kept, name):
    for question in kept(name):
        (part,) = question.parts
        assert isinstance(part.form, Design)
        assert reached(question, [value(entry.text) for entry in part.entries])
        assert judge(part, [entry.text for entry in part.entries]).share == 1
        for wrong in part.wrongs:
            middle = [mp_of((low + high) / 2) for low, high in wrong.intervals]
            assert not reached(question, middle), wrong.names
            found = judge(part, list(wrong.texts))
            assert found.share == 0
            assert set(wrong.names) <= set(found.names)


def reached(question: Question, x: list[Any]) -> bool:
    """Is the goal of the statement met with this vector?"""
    facts = question.facts
    keys = [row(one.strip("()")) if one != "?" else x for one in re.findall(r"\([^()]*\)|\?", facts["keys"])]
    q = x if question.case != "key" else row(facts["q"])
    a = softmax([product(q, k) / mp.sqrt(int(facts["d_k"])) for k in keys])
    if question.case == "key":
        return bool(a[int(facts["a"]) - 1] >= value(facts["least"]))
    error = value(facts["error"])
    if question.case == "average-all":
        return all(abs(one - mpf(1) / len(keys)) <= error for one in a)
    values = rows(facts["values"])
    wanted = values[int(facts["a"]) - 1]
    if question.case == "average-two":
        wanted = [(y + z) / 2 for y, z in zip(wanted, values[int(facts["b"]) - 1], strict=True)]
    assert wanted == row(facts["target"])
    output = [product(a, list(column)) for column in zip(*values, strict=True)]
    return all(abs(y - z) <= error for y, z in zip(output, wanted, strict=True))


def test_another_query_that_does_it_is_right_too(kept):
    for question in kept("K15-select"):
        (part,) = question.parts
        longer = [str(7 * int(entry.text)) for entry in part.entries]
        assert judge(part, longer).share == 1


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("K17")])
def test_the_shares_of_a_rubric_add_to_the_whole(kept, name):
    found = formed(kept(name), Rubric)
    assert found
    for _, part in found:
        assert sum(criterion.share for criterion in part.form.criteria) == 1
        assert len({criterion.key for criterion in part.form.criteria}) == len(part.form.criteria) >= 3


def test_without_a_chosen_claim_the_difficulty_says_which_there_are():
    for level in range(1, 6):
        seen = {q.case for q in islice(variants(asked("K17", difficulty=level), "7"), 60)}
        assert seen == {name for name, claim in CLAIMS.items() if claim.difficulty <= level}


# -- what is refused ------------------------------------------------------------------------------------------------------------


def test_heads_for_which_both_maps_agree_are_refused():
    tries = [tried(find("K12"), CASES["K12-index"], "7", k) for k in range(90)]
    refused = [one.why for one in tries if isinstance(one, Refused)]
    assert "groups-interleaved" in refused
    for one in tries:
        if isinstance(one, Question):
            h, g, t = (int(one.facts[name]) for name in ("heads", "groups", "head"))
            assert t * g // h not in (t % g, t)


def test_a_planted_slip_changes_the_output(kept):
    for question in kept("K24") + kept("K24-hard"):
        (part,) = (part for part in question.parts if part.ask == "output")
        assert value(question.facts["output"]) != mp_of(part.entries[0].key)
        assert abs(sought(question)["output"][0] - value(question.facts["output"])) > mpf("0.001")


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (
            asked("K22", parameters={"code": "rotary"}),
            "question 'q': code 'rotary' is not one of linear-bias, sinusoidal",
        ),
        (
            asked("K22", parameters={"code": "sinusoidal"}, numbers="by-hand"),
            "question 'q': the sinusoidal code needs a calculator",
        ),
        (
            asked("K22", ask=("weights",), parameters={"code": "sinusoidal"}),
            "question 'q' asks 'weights': with these parameters code can be asked",
        ),
        (
            asked("K23", parameters={"rule": "cosin"}),
            "question 'q': rule 'cosin' is not one of linear, additive, bilinear, cosine, distance, sum-normalised "
            "(did you mean 'cosine'?)",
        ),
        (
            asked("K23", parameters={"rule": "cosine"}, numbers="by-hand"),
            "question 'q': cosine scores need a calculator; by hand there are linear, bilinear, sum-normalised",
        ),
        (
            asked("K15", parameters={"goal": "average"}),
            "question 'q': goal 'average' is not one of select, average-two, average-all, key "
            "(did you mean 'average-two'?)",
        ),
        (asked("K15", size={"m": 2}), "question 'q': m is 2, which hides mistakes: 3 or more were due"),
        (asked("K20", size={"m": 2}), "question 'q': m is 2, which hides mistakes: 3 or more were due"),
        (
            asked("K15", size={"m": 12}, difficulty=1),
            "question 'q': no numbers fit these sizes and parameters in 2000 draws: other sizes were due",
        ),
        (
            asked("K23", ask=("winners",), parameters={"rule": "sum-normalised"}),
            "question 'q' asks 'winners': with these parameters weights, output can be asked",
        ),
        (
            asked("K17", parameters={"claim": "convex-hul"}),
            "question 'q': claim 'convex-hul' is not one of any, shift-invariance, constant-values, sigmoid-of-two, "
            "key-shift, convex-hull, permutation, score-variance, causal-prefix, sum-over-heads "
            "(did you mean 'convex-hull'?)",
        ),
        (
            asked("K20", ask=("log-weights",), numbers="by-hand"),
            "question 'q': by hand the logarithms of weights are not asked",
        ),
    ],
)
def test_dials_that_are_none_are_errors(one, said):
    with pytest.raises(OptionError) as caught:
        next(variants(one, "7"))
    assert str(caught.value) == said


# -- words ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("name", CASES)
def test_questions_are_worded_in_every_language(kept, name, lang):
    words = messages(lang)
    for question in kept(name)[:2]:
        ends = ["statement", "solution", *(f"asks.{part.ask}" for part in question.parts)]
        for _, part in formed([question], Choice):
            ends += [f"option.{option.key}" for option in part.form.options if option.key]
        for _, part in formed([question], Order):
            ends += [f"step.{key}" for key in part.form.items]
        for _, part in formed([question], Rubric):
            ends += [f"criterion.{one.key}" for one in part.form.criteria]
        for end in ends:
            said = words.text(words_key(question, end, words), **question.facts)
            assert said.strip(), end
            assert "{" not in said
        shown = rendered(question, lang)
        assert shown.statement
        assert shown.solution


@pytest.mark.parametrize("lang", languages())
def test_every_mistake_has_its_words(kept, lang):
    known = messages(lang).keys()
    for name in CASES:
        for one in {one for question in kept(name) for one in question.seen_through}:
            assert {f"misconception.{one}.{word}" for word in ("name", "said", "feedback")} <= known, one


def test_mistakes_are_of_the_catalogue_or_of_some_kind():
    names = {row.name for row in CATALOGUE} | {name for found in OF_OTHER_KINDS.values() for name in found}
    for id in DIRECT:
        assert set(find(id).misconceptions or ()) <= names


@pytest.mark.parametrize("id", DIRECT)
def test_a_kind_without_a_trace_says_which_mistakes_it_sees(kept, id):
    seen = {one for name, case in CASES.items() if case.kind == id for q in kept(name) for one in q.seen_through}
    assert seen == set(find(id).beside or find(id).misconceptions or ()) | (
        {"uniform", "multiplied-by-root"} if id == "K18" else set()
    )


def test_a_spec_may_give_credit_for_the_mistakes_of_a_kind_alone():
    text = '[[question]]\nid = "a"\nkind = "K10"\npoints = 1\ncredit = {counted-times-heads = "1/4"}\n'
    (one,) = read(f'title = "t"\nlang = "en"\n{text}').questions
    assert one.credit == {"counted-times-heads": Fraction(1, 4)}


@pytest.mark.parametrize("kind", ["K10", "K11"])
def test_key_value_heads_are_several(kind):
    """One of them would be "1 key-value heads"."""
    for question in islice(variants(asked(kind), "7"), 60):
        assert int(question.facts["groups"]) > 1
