"""Weights and their logarithms: sums, signs, shifts, permutations."""

from __future__ import annotations

from collections.abc import Iterator

from exactattn.identities.checking import of_weights
from exactattn.identities.identity import Identity
from exactattn.identities.proving.calculus import ln, plain
from exactattn.identities.proving.claims import Claim, Equal, Positive, SameLogs
from exactattn.identities.proving.ratio import Letters, Ratio
from exactattn.identities.proving.setting import neighbours, row_letters, scores_of, softmax, total


def _adds_up(n: int) -> Iterator[Claim]:
    letters = row_letters(n)
    yield Equal(total(softmax(letters, scores_of(letters, n))), letters.number(1))


def _squares_add_up(n: int) -> Iterator[Claim]:
    letters = row_letters(n)
    yield Equal(total(p * p for p in softmax(letters, scores_of(letters, n))), letters.number(1))


def _between(n: int) -> Iterator[Claim]:
    letters = row_letters(n)
    for p in softmax(letters, scores_of(letters, n)):
        yield Positive(p)
        yield Positive(letters.number(1) - p)


def _below_one_half(n: int) -> Iterator[Claim]:
    letters = row_letters(n)
    for p in softmax(letters, scores_of(letters, n)):
        yield Positive(letters.number(1) - p - p)


def _shifted(n: int) -> Iterator[Claim]:
    letters = row_letters(n, ["c"], [("c",)])
    scores = scores_of(letters, n)
    moved = softmax(letters, [s + letters("c") for s in scores])
    for p, q in zip(moved, softmax(letters, scores), strict=True):
        yield Equal(p, q)


def _one_shifted(n: int) -> Iterator[Claim]:
    letters = row_letters(n, ["c"], [("c",)])
    first, *others = scores_of(letters, n)
    moved = softmax(letters, [first + letters("c"), *others])
    for p, q in zip(moved, softmax(letters, [first, *others]), strict=True):
        yield Equal(p, q)


def _permuted(n: int) -> Iterator[Claim]:
    letters = row_letters(n)
    scores = scores_of(letters, n)
    weights = softmax(letters, scores)
    for order in neighbours(n):
        for place, p in zip(order, softmax(letters, [scores[k] for k in order]), strict=True):
            yield Equal(p, weights[place])


def _stays(n: int) -> Iterator[Claim]:
    letters = row_letters(n)
    scores = scores_of(letters, n)
    for order in neighbours(n):
        moved = softmax(letters, [scores[k] for k in order])
        for p, q in zip(moved, softmax(letters, scores), strict=True):
            yield Equal(p, q)


def _log_ratios(n: int) -> Iterator[Claim]:
    letters = row_letters(n)
    scores = scores_of(letters, n)
    logs = [ln(p) for p in softmax(letters, scores)]
    for i in range(n):
        for j in range(i):
            yield SameLogs(logs[i] - logs[j], plain(scores[i] - scores[j]))


def _ratios_of_scores(n: int) -> Iterator[Claim]:
    letters = row_letters(n)
    scores = scores_of(letters, n)
    weights = softmax(letters, scores)
    yield Equal(weights[0] / weights[1], scores[0] / scores[1])


def _halves(n: int) -> tuple[Letters, list[Ratio]]:
    """Scores that are twice a letter, so that half a score has an exponential."""
    letters = row_letters(n)
    return letters, [s + s for s in scores_of(letters, n)]


def _tanh(letters: Letters, x: Ratio) -> Ratio:
    up, down = letters.exponential(x), letters.exponential(-x)
    return (up - down) / (up + down)


def _two_keys(n: int) -> Iterator[Claim]:
    letters, scores = _halves(n)
    one, half = letters.number(1), scores_of(letters, n)
    weights = softmax(letters, scores)
    for i in range(n):
        for j in range(i):
            share = weights[i] / (weights[i] + weights[j])  # of two keys alone this is the weight
            yield Equal(share, one / (one + letters.exponential(scores[j] - scores[i])))
            yield Equal(share + share, one + _tanh(letters, half[i] - half[j]))
    first, second = softmax(letters, scores[:2])
    yield Equal(first + second, one)
    yield Equal(first, one / (one + letters.exponential(scores[1] - scores[0])))


def _whole_tangent(n: int) -> Iterator[Claim]:
    letters, scores = _halves(n)
    first, _ = softmax(letters, scores[:2])
    yield Equal(first + first, letters.number(1) + _tanh(letters, scores[0] - scores[1]))


def _logsumexp(letters: Letters, scores: list[Ratio]) -> Ratio:
    """What its logarithm is taken of."""
    return total(letters.exponential(s) for s in scores)


def _logsumexp_moves(n: int) -> Iterator[Claim]:
    letters = row_letters(n, ["c"], [("c",)])
    scores = list(scores_of(letters, n))
    moved = ln(_logsumexp(letters, [s + letters("c") for s in scores]))
    before = ln(_logsumexp(letters, scores))
    yield SameLogs(moved, before + plain(letters("c")))
    for p, s in zip(softmax(letters, scores), scores, strict=True):
        yield SameLogs(ln(p), plain(s) - before)


def _logsumexp_stays(n: int) -> Iterator[Claim]:
    letters = row_letters(n, ["c"], [("c",)])
    scores = list(scores_of(letters, n))
    moved = ln(_logsumexp(letters, [s + letters("c") for s in scores]))
    yield SameLogs(moved, ln(_logsumexp(letters, scores)))


WEIGHTS = (
    Identity(
        1,
        "sums-to-one",
        ("P",),
        ("sum_i p_i = 1",),
        ("sum_i p_i = sum_i e^(s_i)/z = z/z = 1",),
        ("z = sum_j e^(s_j)",),
        method="rational",
        claims=_adds_up,
        twins=(_squares_add_up,),
        check=of_weights.sums_to_one,
        source="Bridle 1990",
    ),
    Identity(
        2,
        "positive",
        ("P",),
        ("0 < p_i < 1",),
        ("1 - p_i = (z - e^(s_i))/z",),
        ("n >= 2", "e^(s_i)"),
        method="positivity",
        claims=_between,
        twins=(_below_one_half,),
        check=of_weights.positive,
        source="Bridle 1990",
    ),
    Identity(
        3,
        "shift-invariant",
        ("P",),
        ("softmax(s_1 + c, dots, s_n + c) = softmax(s_1, dots, s_n)",),
        ("e^(s_i + c)/(sum_j e^(s_j + c)) = (e^c e^(s_i))/(e^c sum_j e^(s_j)) = p_i",),
        ("e^c", "c = - max_j s_j"),
        method="rational",
        claims=_shifted,
        twins=(_one_shifted,),
        check=of_weights.shift_invariant,
        source="Blanchard, Higham, Higham 2021, doi:10.1093/imanum/draa038",
    ),
    Identity(
        4,
        "key-permutation",
        ("P",),
        ("p_(pi(i)) (s) = p_i (s_(pi(1)), dots, s_(pi(n)))",),
        ("e^(s_(pi(i)))/(sum_j e^(s_(pi(j)))) = e^(s_(pi(i)))/(sum_j e^(s_j))",),
        ("z",),
        method="rational",
        claims=_permuted,
        twins=(_stays,),
        check=of_weights.key_permutation,
    ),
    Identity(
        9,
        "log-ratio",
        ("P",),
        ("ln p_i - ln p_j = s_i - s_j",),
        ("ln p_i - ln p_j = (s_i - ln z) - (s_j - ln z) = s_i - s_j",),
        ("ln z",),
        method="logarithm",
        claims=_log_ratios,
        twins=(_ratios_of_scores,),
        check=of_weights.log_ratio,
    ),
    Identity(
        10,
        "two-keys-sigmoid",
        ("P",),
        ("p_1 = sigma(s_1 - s_2) = 1/2 (1 + tanh((s_1 - s_2)/2))",),
        (
            "e^(s_1)/(e^(s_1) + e^(s_2)) = 1/(1 + e^(-(s_1 - s_2)))",
            "1 + tanh(x) = 1 + (e^x - e^(-x))/(e^x + e^(-x)) = (2 e^x)/(e^x + e^(-x))",
        ),
        ("n = 2", "e^(s_1)", "x = (s_1 - s_2)/2", "p_i/(p_i + p_j) = sigma(s_i - s_j)"),
        method="rational",
        claims=_two_keys,
        twins=(_whole_tangent,),
        check=of_weights.two_keys,
    ),
    Identity(
        13,
        "logsumexp-shift",
        ("P",),
        ("L(s_1 + c, dots, s_n + c) = L(s_1, dots, s_n) + c", "ln p_i = s_i - L"),
        ("ln (sum_j e^(s_j + c)) = ln (e^c sum_j e^(s_j)) = c + L", "ln (e^(s_i)/z) = s_i - ln z = s_i - L"),
        ("L = ln z",),
        method="logarithm",
        claims=_logsumexp_moves,
        twins=(_logsumexp_stays,),
        check=of_weights.logsumexp_shift,
        source="Blanchard, Higham, Higham 2021, doi:10.1093/imanum/draa038",
    ),
)
