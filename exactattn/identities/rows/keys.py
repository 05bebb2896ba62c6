"""Keys brought together and taken apart: duplicates, blocks, batches, sinks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from exactattn.arithmetic.protocol import Keep
from exactattn.identities.checking import of_heads, of_outputs
from exactattn.identities.identity import Identity
from exactattn.identities.proving.algebra import attended
from exactattn.identities.proving.claims import Claim, Equal, ReadsNone, SameTerm
from exactattn.identities.proving.ratio import Letters, Ratio
from exactattn.identities.proving.setting import names, output, row_letters, scores_of, softmax, total
from exactattn.identities.proving.terms import Terms, inputs

# -- duplicates and biases ---------------------------------------------------------------------------------------------


def _joined(n: int, bias: str) -> tuple[Ratio, Ratio]:
    """The outputs of n keys of which the first stands twice, and of n with a bias and a mean in its place."""
    letters = row_letters(n, [*names("v", n), "w", "ln2"], known={"ln2": "2"})
    scores, values = list(scores_of(letters, n)), [letters(v) for v in names("v", n)]
    twice = output(letters, [scores[0], *scores], [letters("w"), *values])
    mean = (values[0] + letters("w")) / letters.number(2)
    first = scores[0] + letters(bias) if bias else scores[0]
    return twice, output(letters, [first, *scores[1:]], [mean, *values[1:]])


def _twice_is_once(n: int) -> Iterator[Claim]:
    yield Equal(*_joined(n, "ln2"))
    letters = row_letters(n, ["c", "lnc"], known={"lnc": "c"})
    scores, one = list(scores_of(letters, n)), letters.number(1)
    p = softmax(letters, scores)[0]
    q = softmax(letters, [scores[0] + letters("lnc"), *scores[1:]])[0]
    yield Equal(q / (one - q), letters("c") * p / (one - p))


def _bias_forgotten(n: int) -> Iterator[Claim]:
    yield Equal(*_joined(n, ""))


# -- blocks ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Block:
    """(m, l, o): the letter of the maximum, the sum and the weighted sum."""

    m: str
    l: Ratio
    o: Ratio


def _rescaled(block: _Block, m: str) -> tuple[Ratio, Ratio]:
    letters = block.l.letters
    factor = letters.exponential(letters(block.m) - letters(m))
    return factor * block.l, factor * block.o


def _merged(a: _Block, b: _Block, rising: Sequence[str]) -> _Block:
    """Two blocks as one, where maxima are in this order."""
    m = max(a.m, b.m, key=rising.index)
    (l, o), (k, p) = _rescaled(a, m), _rescaled(b, m)
    return _Block(m, l + k, o + p)


def _merged_wrongly(a: _Block, b: _Block, rising: Sequence[str]) -> _Block:
    """The same with the second block as it is."""
    m = max(a.m, b.m, key=rising.index)
    l, o = _rescaled(a, m)
    return _Block(m, l + b.l, o + b.o)


def _is(a: _Block, b: _Block) -> Iterator[Claim]:
    letters = a.l.letters
    yield Equal(letters(a.m), letters(b.m))
    yield Equal(a.l, b.l)
    yield Equal(a.o, b.o)


def _keys(n: int) -> tuple[Letters, list[Ratio], list[Ratio]]:
    letters = row_letters(n, [*names("v", n), "m2"], [("m2",)])
    return letters, list(scores_of(letters, n)), [letters(v) for v in names("v", n)]


def _block(scores: Sequence[Ratio], values: Sequence[Ratio], m: str) -> _Block:
    letters = scores[0].letters
    exps = [letters.exponential(s - letters(m)) for s in scores]
    return _Block(m, total(exps), total(e * v for e, v in zip(exps, values, strict=True)))


def _blocks_merge(n: int) -> Iterator[Claim]:
    maxima = names("m", 3)
    letters = Letters([*maxima, *names("l", 3), *names("o", 3)], [(m,) for m in maxima])
    a, b, c = (_Block(m, letters(f"l{m[1]}"), letters(f"o{m[1]}")) for m in maxima)
    for rising in permutations(maxima):
        yield from _is(_merged(a, b, rising), _merged(b, a, rising))
        yield from _is(_merged(_merged(a, b, rising), c, rising), _merged(a, _merged(b, c, rising), rising))
    # e^(−∞) is 0, so an empty block adds 0 · l and 0 · o, and the maximum stays
    zero = letters.number(0)
    for block in (a, b, c):
        l, o = _rescaled(block, block.m)
        yield from _is(_Block(block.m, l + zero, o + zero), block)
    yield from _any_blocks(n)


def _any_blocks(n: int) -> Iterator[Claim]:
    """Two blocks cut anywhere, and one key at a time, give the output."""
    letters, scores, values = _keys(n)
    due = output(letters, scores, values)
    for cut in range(1, n):
        for rising in permutations(("m1", "m2")):
            both = _merged(_block(scores[:cut], values[:cut], "m1"), _block(scores[cut:], values[cut:], "m2"), rising)
            yield Equal(both.o / both.l, due)
    for order in (names("s", n), names("s", n)[::-1]):
        online = _block(scores[:1], values[:1], "s1")
        for j in range(1, n):
            online = _merged(online, _block(scores[j : j + 1], values[j : j + 1], f"s{j + 1}"), order)
        yield Equal(online.o / online.l, due)


def _second_block_as_it_is(n: int) -> Iterator[Claim]:
    letters, scores, values = _keys(n)
    first, second = _block(scores[:1], values[:1], "m1"), _block(scores[1:], values[1:], "m2")
    both = _merged_wrongly(first, second, ("m2", "m1"))
    yield Equal(both.o / both.l, output(letters, scores, values))


# -- batches -----------------------------------------------------------------------------------------------------------


def _batch(n: int, keep: Keep) -> Iterator[Claim]:
    """Two items of n and n − 1 tokens as one sequence, against each alone; and what each step reads."""
    ar, sizes = Terms(), (n, max(n - 1, 1))
    q, k, v = (inputs(ar, name, sum(sizes), 1) for name in "QKV")
    whole = attended(ar, q, k, v, keep=keep)
    start = 0
    for size in sizes:
        here = range(start, start + size)
        alone = attended(ar, q[start : start + size], k[start : start + size], v[start : start + size])
        others = tuple(f"{name}_{j + 1}_" for name in "QKV" for j in range(sum(sizes)) if j not in here)
        closing = [step for step in whole.steps if step.name in ("exps", "sums", "weights", "output")]
        for i in here:
            yield SameTerm(whole.output[i][0], alone.output[i - start][0])
            for step in closing:
                for entry in step.made.matrix[i]:
                    yield ReadsNone(entry, others)
        start += size


def _items_apart(n: int) -> Iterator[Claim]:
    sizes = n, max(n - 1, 1)
    item = [k for k, size in enumerate(sizes) for _ in range(size)]
    yield from _batch(n, tuple(tuple(a == b for b in item) for a in item))


def _items_together(n: int) -> Iterator[Claim]:
    yield from _batch(n, None)


# -- sinks -------------------------------------------------------------------------------------------------------------


def _sink(n: int) -> tuple[Letters, list[Ratio], tuple[Ratio, ...], Ratio]:
    """Exponentials of n scores less the maximum; the weights and the output with one more key of score and value 0."""
    letters = row_letters(n, names("v", n))
    scores, values, zero = scores_of(letters, n), [letters(v) for v in names("v", n)], letters.number(0)
    exps = [letters.exponential(s - letters("m1")) for s in scores]
    with_key = [*scores, zero]
    return letters, exps, softmax(letters, with_key), output(letters, with_key, [*values, zero])


def _with_one_more(
    letters: Letters, exps: list[Ratio], weights: tuple[Ratio, ...], mixed: Ratio, one: Ratio
) -> Iterator[Claim]:
    below = one + total(exps)
    for e, p in zip(exps, weights, strict=False):
        yield Equal(e / below, p)
    values = [letters(v) for v in names("v", len(exps))]
    yield Equal(total(e * v for e, v in zip(exps, values, strict=True)) / below, mixed)


def _sink_is_a_key(n: int) -> Iterator[Claim]:
    letters, exps, weights, mixed = _sink(n)
    yield from _with_one_more(letters, exps, weights, mixed, letters.exponential(-letters("m1")))
    raised = [letters.exponential(s) for s in scores_of(letters, n)]
    yield from _with_one_more(letters, raised, weights, mixed, letters.number(1))


def _one_not_rescaled(n: int) -> Iterator[Claim]:
    letters, exps, weights, mixed = _sink(n)
    yield from _with_one_more(letters, exps, weights, mixed, letters.number(1))


KEYS = (
    Identity(
        27,
        "duplicated-key",
        ("P", "D"),
        (
            "e^s v + e^s w = e^(s + ln 2) (v + w)/2",
            "q_i/(1 - q_i) = c p_i/(1 - p_i)",
        ),
        ("e^s + e^s = 2 e^s = e^(s + ln 2)", "p_i/(1 - p_i) = e^(s_i)/(sum_(j != i) e^(s_j))"),
        ("v", "w", "ln 2", "(v + w)/2", "ln c", "p//(1 - p)", "c"),
        method="rational",
        claims=_twice_is_once,
        twins=(_bias_forgotten,),
        check=of_outputs.duplicated_key,
    ),
    Identity(
        33,
        "block-merge",
        ("P",),
        (
            "(m, l, o) = (max_j s_j, sum_j e^(s_j - m), sum_j e^(s_j - m) v_j)",
            "merge(a, b) = (m, e^(m_a - m) l_a + e^(m_b - m) l_b, e^(m_a - m) o_a + e^(m_b - m) o_b)",
            "o/l = sum_j p_j v_j",
        ),
        ("e^(m_a - m) sum_(j in a) e^(s_j - m_a) = sum_(j in a) e^(s_j - m)",),
        ("m = max(m_a, m_b)", "(- inf, 0, 0)", "m"),
        method="rational",
        claims=_blocks_merge,
        twins=(_second_block_as_it_is,),
        check=of_outputs.block_merge,
        source="Milakov, Gimelshein 2018, arXiv:1805.02867; Dao et al. 2022, arXiv:2205.14135",
    ),
    Identity(
        37,
        "batch-is-items",
        ("P",),
        ("O(@Q_1, @K_1, @V_1, dots, @Q_b, @K_b, @V_b) = (O(@Q_1, @K_1, @V_1), dots, O(@Q_b, @K_b, @V_b))",),
        (),
        ("b",),
        method="structural",
        claims=_items_apart,
        twins=(_items_together,),
        check=of_heads.batch_is_items,
    ),
    Identity(
        38,
        "sink",
        ("P",),
        ("e^(s_i)/(1 + sum_j e^(s_j)) = p_i (s_1, dots, s_n, 0)", "v_(n + 1) = 0"),
        ("sum_j e^(s_j) + e^0 = 1 + sum_j e^(s_j)",),
        ("+ 1", "e^0 = 1", "e^(-m)"),
        method="rational",
        claims=_sink_is_a_key,
        twins=(_one_not_rescaled,),
        check=of_outputs.sink,
        source="Xiao et al. 2023, arXiv:2309.17453",
    ),
)
