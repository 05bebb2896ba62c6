"""Outputs: what a mean of values keeps."""

from __future__ import annotations

from collections.abc import Iterator

from exactattn.arithmetic.scalarwise import Rows
from exactattn.identities.checking import of_outputs
from exactattn.identities.identity import Identity
from exactattn.identities.proving.algebra import Algebra, attended, worked
from exactattn.identities.proving.claims import Claim, Equal, NotNegative, Positive
from exactattn.identities.proving.ratio import Letters, Ratio
from exactattn.identities.proving.setting import names, neighbours, output, row_letters, scores_of, softmax, total


def _tokens(n: int) -> tuple[Algebra, Rows[Ratio], Rows[Ratio], Rows[Ratio]]:
    """Two queries and n keys two wide, values one wide."""
    q = (("q1a", "q1b"), ("q2a", "q2b"))
    k = tuple((f"k{j + 1}a", f"k{j + 1}b") for j in range(n))
    products = [(x, y) for row in q for key in k for x, y in zip(row, key, strict=True)]
    scalars = [name for row in (*q, *k) for name in row]
    letters = Letters([*scalars, *names("v", n), "m1", "m2"], [*products, ("m1",), ("m2",)])
    ar = Algebra(letters)
    return ar, ar.read(q), ar.read(k), ar.read(tuple((v,) for v in names("v", n)))


def _tokens_permuted(n: int) -> Iterator[Claim]:
    ar, q, k, v = _tokens(n)
    (first,), (second,) = attended(ar, q, k, v).output
    for order in neighbours(n):
        moved = attended(ar, q, [k[j] for j in order], [v[j] for j in order]).output  # type: ignore[arg-type]
        yield Equal(moved[0][0], first)
        yield Equal(moved[1][0], second)
    turned = attended(ar, (q[1], q[0]), k, v).output
    yield Equal(turned[0][0], second)
    yield Equal(turned[1][0], first)


def _keys_alone_permuted(n: int) -> Iterator[Claim]:
    ar, q, k, v = _tokens(n)
    for order in neighbours(n):
        moved = attended(ar, q, tuple(k[j] for j in order), v).output
        yield Equal(moved[0][0], attended(ar, q, k, v).output[0][0])


def _raised(n: int) -> tuple[Letters, Ratio]:
    """The output less the least value v, the values being v and v + a_2, …, v + a_n with no a negative."""
    more = names("a", n)[1:]
    letters = row_letters(n, ["v", *more], not_negative=more)
    values = [letters("v"), *(letters("v") + letters(a) for a in more)]
    return letters, output(letters, scores_of(letters, n), values) - letters("v")


def _in_the_hull(n: int) -> Iterator[Claim]:
    letters = row_letters(n, names("v", n))
    scores, values = scores_of(letters, n), [letters(v) for v in names("v", n)]
    weights = softmax(letters, scores)
    yield Equal(total(weights), letters.number(1))
    yield Equal(output(letters, scores, values), total(p * v for p, v in zip(weights, values, strict=True)))
    for p in weights:
        yield Positive(p)
    yield NotNegative(_raised(n)[1])


def _strictly_inside(n: int) -> Iterator[Claim]:
    yield Positive(_raised(n)[1])


def _linear(n: int) -> Iterator[Claim]:
    letters = row_letters(n, [*names("v", n), *names("u", n), "a", "b", "c", "w1", "w2", "w3", "w4"])
    ar = Algebra(letters)
    scores = (scores_of(letters, n),)
    v, u = ([letters(name) for name in names(letter, n)] for letter in "vu")
    a, b, c = letters("a"), letters("b"), letters("c")

    def mixed(values: list[Ratio]) -> Ratio:
        return output(letters, scores[0], values)

    yield Equal(mixed([c] * n), c)
    yield Equal(mixed([x + c for x in v]), mixed(v) + c)
    yield Equal(mixed([a * x + b * y for x, y in zip(v, u, strict=True)]), a * mixed(v) + b * mixed(u))
    wide, square = tuple(zip(v, u, strict=True)), ar.read((("w1", "w2"), ("w3", "w4")))
    before = worked(ar, scores, ar.matmul(wide, square)).output[0]
    after = ar.matmul(worked(ar, scores, wide).output, square)[0]
    yield Equal(before[0], after[0])
    yield Equal(before[1], after[1])


def _squares_come_out(n: int) -> Iterator[Claim]:
    letters = row_letters(n, names("v", n))
    scores, v = scores_of(letters, n), [letters(name) for name in names("v", n)]
    mixed = output(letters, scores, v)
    yield Equal(output(letters, scores, [x * x for x in v]), mixed * mixed)


def _of_equal_keys(n: int) -> tuple[Letters, Ratio, list[Ratio]]:
    letters = row_letters(1, names("v", n))
    values = [letters(v) for v in names("v", n)]
    return letters, output(letters, [letters("s1")] * n, values), values


def _mean(n: int) -> Iterator[Claim]:
    letters, found, values = _of_equal_keys(n)
    yield Equal(found, total(values) / letters.number(n))
    yield Equal(output(letters, [letters("s1")], values[:1]), values[0])
    yield Equal(output(letters, [letters.number(0)] * n, values), total(values) / letters.number(n))


def _sum(n: int) -> Iterator[Claim]:
    _, found, values = _of_equal_keys(n)
    yield Equal(found, total(values))


OUTPUTS = (
    Identity(
        5,
        "token-permutation",
        ("P",),
        ("O(@Q, @P @K, @P @V) = O(@Q, @K, @V)", "O(@P @Q, @K, @V) = @P O(@Q, @K, @V)"),
        (
            "@Q (@P @K)^tr = @S @P^tr",
            "softmax(@S @P^tr) @P @V = softmax(@S) @P^tr @P @V = softmax(@S) @V",
        ),
        ("@P", "@P^tr @P", "@S = @Q @K^tr"),
        method="rational",
        claims=_tokens_permuted,
        twins=(_keys_alone_permuted,),
        check=of_outputs.token_permutation,
        source="Vaswani et al. 2017, arXiv:1706.03762",
    ),
    Identity(
        22,
        "convex-hull",
        ("P",),
        ("o_i in conv(v_1, dots, v_n)", "min_j v_(j t) <= o_(i t) <= max_j v_(j t)"),
        ("o - min_j v_j = sum_j p_j (v_j - min_k v_k) >= 0",),
        ("o = sum_j p_j v_j", "0 < p_j", "sum_j p_j = 1"),
        method="positivity",
        claims=_in_the_hull,
        twins=(_strictly_inside,),
        check=of_outputs.convex_hull,
    ),
    Identity(
        23,
        "linear-in-values",
        ("P",),
        (
            "O(@V + (1, dots, 1)^tr c^tr) = O(@V) + (1, dots, 1)^tr c^tr",
            "O(a @V + b @U) = a O(@V) + b O(@U)",
            "O(@V @W) = O(@V) @W",
        ),
        ("sum_j p_j (v_j + c) = sum_j p_j v_j + c sum_j p_j = o + c",),
        ("@A", "@A (@V @W) = (@A @V) @W", "@V = (1, dots, 1)^tr c^tr"),
        method="rational",
        claims=_linear,
        twins=(_squares_come_out,),
        check=of_outputs.linear_in_values,
    ),
    Identity(
        24,
        "one-key-or-equal-keys",
        ("P",),
        ("n = 1 => o = v_1", "s_1 = dots = s_n => o = 1/n sum_j v_j"),
        ("sum_j e^s/(n e^s) v_j = 1/n sum_j v_j",),
        ("q = 0", "k_1 = dots = k_n", "1/n"),
        method="rational",
        claims=_mean,
        twins=(_sum,),
        check=of_outputs.equal_keys,
    ),
)
