"""Scores: what changes none of them, and how large they are."""

from __future__ import annotations

from collections.abc import Iterator

from exactattn.arithmetic.scalarwise import Rows
from exactattn.identities.checking import of_outputs
from exactattn.identities.identity import Identity
from exactattn.identities.proving.algebra import Algebra, attended
from exactattn.identities.proving.circle import rotation, turned
from exactattn.identities.proving.claims import Claim, Equal, EqualOnCircle
from exactattn.identities.proving.moments import mean
from exactattn.identities.proving.ratio import Letters, Ratio
from exactattn.identities.proving.setting import names, total


def _moved(n: int, moved: int) -> Iterator[Claim]:
    """The weights of n keys two wide, a vector added to the first `moved` of them, against the weights before."""
    k = tuple((f"k{j + 1}a", f"k{j + 1}b") for j in range(n))
    products = [
        (x, y) for x, y in (("qa", "ca"), ("qb", "cb"), *(("qa", key[0]) for key in k), *(("qb", key[1]) for key in k))
    ]
    letters = Letters(["qa", "qb", "ca", "cb", *(name for key in k for name in key), "m1"], [*products, ("m1",)])
    ar = Algebra(letters)
    q, keys, c = ar.read((("qa", "qb"),)), ar.read(k), ar.read((("ca", "cb"),))
    shifted = (*ar.add(keys[:moved], c), *keys[moved:])
    before, after = attended(ar, q, keys).weights[0], attended(ar, q, shifted).weights[0]
    for x, y in zip(before, after, strict=True):
        yield Equal(x, y)


def _all_keys_moved(n: int) -> Iterator[Claim]:
    yield from _moved(n, n)


def _first_key_moved(n: int) -> Iterator[Claim]:
    yield from _moved(n, 1)


def _elementary(ar: Algebra, n: int) -> Iterator[tuple[Rows[Ratio], Rows[Ratio]]]:
    """n × n matrices with their inverses, of which every invertible one is a product: I + t·E_ij, and diagonals."""
    zero, one, t = ar.number("0"), ar.number("1"), ar.number("t")

    def matrix(at: dict[tuple[int, int], Ratio]) -> Rows[Ratio]:
        return tuple(tuple(at.get((i, j), one if i == j else zero) for j in range(n)) for i in range(n))

    for i in range(n):
        for j in range(n):
            if i != j:
                yield matrix({(i, j): t}), matrix({(i, j): -t})
    diagonal = [ar.number(d) for d in names("d", n)]
    yield matrix({(i, i): d for i, d in enumerate(diagonal)}), matrix({(i, i): one / d for i, d in enumerate(diagonal)})


def _bases(n: int) -> tuple[Algebra, Rows[Ratio], Rows[Ratio]]:
    ar = Algebra(Letters(["t", *names("d", n), *names("q", n), *names("k", n)]))
    return ar, ar.read((names("q", n),)), ar.read((names("k", n),))


def _turned_scores(n: int, first: int) -> Iterator[Claim]:
    """The score of the query at i + first and the key at j, and the query against the key turned by j − i, for all places."""
    letters = Letters(["c", "s", "x", "y", "u", "w"])
    q, k = (letters("x"), letters("y")), (letters("u"), letters("w"))
    queries = [turned(rotation(letters, i), q) for i in range(n + first)]
    keys = {j: turned(rotation(letters, j), k) for j in range(1 - n, n)}

    def product(left: tuple[Ratio, Ratio], right: tuple[Ratio, Ratio]) -> Ratio:
        return left[0] * right[0] + left[1] * right[1]

    for i in range(n):
        for j in range(n):
            yield EqualOnCircle(product(queries[i + first], keys[j]), product(q, keys[j - i]))


def _same_scores(n: int) -> Iterator[Claim]:
    ar, q, k = _bases(n)
    ((due,),) = ar.matmul(q, ar.transpose(k))
    for a, inverse in _elementary(ar, n):
        ((found,),) = ar.matmul(ar.matmul(q, a), ar.transpose(ar.matmul(k, ar.transpose(inverse))))
        yield Equal(found, due)
    yield from _turned_scores(n, 0)


def _inverse_not_transposed(n: int) -> Iterator[Claim]:
    ar, q, k = _bases(n)
    ((due,),) = ar.matmul(q, ar.transpose(k))
    for a, inverse in _elementary(ar, n):
        ((found,),) = ar.matmul(ar.matmul(q, a), ar.transpose(ar.matmul(k, inverse)))
        yield Equal(found, due)


def _one_side_turned(n: int) -> Iterator[Claim]:
    yield from _turned_scores(n, 1)


def _variance(n: int, q: tuple[str, ...], k: tuple[str, ...]) -> tuple[Ratio, Ratio, Letters]:
    """The variance of a score of vectors n wide, and that of a times it, a² = 1/n."""
    entries = frozenset((*q, *k))
    letters = Letters(sorted(entries))
    out = Letters(["mu3", "mu4"])
    score = total(letters(x) * letters(y) for x, y in zip(q, k, strict=True))
    first = mean(score, entries, out)
    found = mean(score * score, entries, out) - first * first
    return found, found / out.number(n), out


def _unit_variance(n: int) -> Iterator[Claim]:
    found, scaled, out = _variance(n, names("q", n), names("k", n))
    yield Equal(found, out.number(n))
    yield Equal(scaled, out.number(1))


def _first_entries_the_same(n: int) -> Iterator[Claim]:
    found, _, out = _variance(n, names("q", n), ("q1", *names("k", n)[1:]))
    yield Equal(found, out.number(n))


SCORES = (
    Identity(
        25,
        "key-shift",
        ("P",),
        ("softmax_j (q * (k_j + c)) = softmax_j (q * k_j)",),
        ("q * (k_j + c) = q * k_j + q * c",),
        ("q * c",),
        method="rational",
        claims=_all_keys_moved,
        twins=(_first_key_moved,),
        check=of_outputs.key_shift,
    ),
    Identity(
        26,
        "change-of-basis",
        ("P",),
        (
            "(@Q @A) (@K @A^(-tr))^tr = @Q @K^tr",
            "(@R_i q) * (@R_j k) = (@R_(i + t) q) * (@R_(j + t) k)",
        ),
        (
            "@Q @A (@K @A^(-tr))^tr = @Q @A @A^(-1) @K^tr = @Q @K^tr",
            "(@R_i q) * (@R_j k) = q^tr @R_i^tr @R_j k = q^tr @R_(j - i) k",
        ),
        ("@A", "@R_t", "t", "c^2 + s^2 = 1", "@R_i^tr @R_j = @R_(j - i)"),
        method="rotation",
        claims=_same_scores,
        twins=(
            _inverse_not_transposed,
            _one_side_turned,
        ),
        check=of_outputs.change_of_basis,
        source="Su et al. 2021, arXiv:2104.09864",
    ),
    Identity(
        40,
        "default-scale",
        ("C",),
        ("score(q, k) = (q * k)/sqrt(d_k)",),
        (),
        ("d_k", "d_v", "1/sqrt(d_k)"),
        check=of_outputs.default_scale,
        options=("score-width", "value-width", "model-width", "none"),
        source="Vaswani et al. 2017, arXiv:1706.03762",
    ),
    Identity(
        41,
        "variance-of-scores",
        ("P",),
        ("Var(q * k) = d_k", "Var((q * k)/sqrt(d_k)) = 1"),
        ("Var(q * k) = sum_t Var(q_t k_t) = sum_t E[q_t^2] E[k_t^2] = d_k",),
        ("E[q_t] = E[k_t] = 0", "E[q_t^2] = E[k_t^2] = 1", "(q * k)^2", "1/d_k"),
        method="moments",
        claims=_unit_variance,
        twins=(_first_entries_the_same,),
        source="Vaswani et al. 2017, arXiv:1706.03762, note 4",
    ),
)
