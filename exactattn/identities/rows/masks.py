"""Masks: what is closed is as if it were not there."""

from __future__ import annotations

from collections.abc import Iterator

from exactattn.arithmetic.protocol import Keep
from exactattn.attention.masks import causal
from exactattn.identities.checking import of_outputs
from exactattn.identities.identity import Identity
from exactattn.identities.proving.algebra import Worked, attended
from exactattn.identities.proving.claims import Claim, Equal, ReadsNone, SameTerm
from exactattn.identities.proving.setting import row_letters, scores_of, softmax
from exactattn.identities.proving.terms import Term, Terms, inputs


def _removed(n: int) -> Iterator[Claim]:
    letters = row_letters(n)
    scores, one = scores_of(letters, n), letters.number(1)
    weights = softmax(letters, scores)
    for r in range(n):
        masked = softmax(letters, scores, keep=(tuple(j != r for j in range(n)),))
        without = list(softmax(letters, [*scores[:r], *scores[r + 1 :]])) if n > 1 else []
        yield Equal(masked[r], letters.number(0))
        for j in range(n):
            if j != r:
                yield Equal(masked[j], weights[j] / (one - weights[r]))
                yield Equal(masked[j], without[j - (j > r)])


def _others_stay(n: int) -> Iterator[Claim]:
    letters = row_letters(n)
    scores = scores_of(letters, n)
    masked = softmax(letters, scores, keep=(tuple(j > 0 for j in range(n)),))
    for p, q in zip(masked[1:], softmax(letters, scores)[1:], strict=True):
        yield Equal(p, q)


# -- what is read ------------------------------------------------------------------------------------------------------


def _sequence(ar: Terms, n: int, keep: Keep, tokens: int | None = None) -> Worked[Term]:
    """Attention over the first tokens of a sequence of n, one wide."""
    first = n if tokens is None else tokens
    q, k, v = (inputs(ar, name, n, 1)[:first] for name in "QKV")
    return attended(ar, q, k, v, keep=None if keep is None else tuple(row[:first] for row in keep[:first]))


def _without(n: int, r: int) -> Keep:
    return ((*(j != r for j in range(n)),),) * n


def _of_key(r: int) -> tuple[str, ...]:
    return f"K_{r + 1}_", f"V_{r + 1}_"


def _not_read(n: int) -> Iterator[Claim]:
    for r in range(n):
        for (o,) in _sequence(Terms(), n, _without(n, r)).output:
            yield ReadsNone(o, _of_key(r))


def _masked_after(n: int) -> Iterator[Claim]:
    ar = Terms()
    open_weights = _sequence(ar, n, None).weights
    for r in range(n):
        for (o,) in ar.matmul(ar.where(open_weights, _without(n, r)), inputs(ar, "V", n, 1)):
            yield ReadsNone(o, _of_key(r))


def _prefixes(n: int, ahead: int) -> Iterator[Claim]:
    """Each row under a mask j ≤ i + ahead, against the same row of the sequence up to it."""
    ar = Terms()
    keep = causal(n, n, ahead)
    whole = _sequence(ar, n, keep)
    for i in range(n):
        yield SameTerm(whole.output[i][0], _sequence(ar, n, keep, i + 1).output[i][0])
        later = tuple(f"{name}_{j + 1}_" for name in "QKV" for j in range(i + 1, n))
        if later:
            yield ReadsNone(whole.output[i][0], later)


def _past_stays(n: int) -> Iterator[Claim]:
    yield from _prefixes(n, 0)


def _one_ahead(n: int) -> Iterator[Claim]:
    yield from _prefixes(n, 1)


# -- masks on masks ----------------------------------------------------------------------------------------------------


def _closed(keep: Keep, by: Keep) -> Keep:
    """What was open and stays so."""
    if keep is None or by is None:
        return by if keep is None else keep
    return tuple(tuple(a and b for a, b in zip(x, y, strict=True)) for x, y in zip(keep, by, strict=True))


def _window(n: int, width: int) -> Keep:
    """The `width` keys up to the query, and as many after it."""
    return tuple(tuple(abs(i - j) < width for j in range(n)) for i in range(n))


def _both_orders(n: int, wider: int) -> Iterator[Claim]:
    """Causal and then windowed, against windowed (by `wider` more) and then causal."""
    ar = Terms()
    for width in range(1, n + 1):
        first = _sequence(ar, n, _closed(_closed(None, causal(n, n, 0)), _window(n, width))).output
        second = _sequence(ar, n, _closed(_closed(None, _window(n, width + wider)), causal(n, n, 0))).output
        band = tuple(tuple(i - width < j <= i for j in range(n)) for i in range(n))
        at_once = _sequence(ar, n, band).output
        for i in range(n):
            yield SameTerm(first[i][0], second[i][0])
            yield SameTerm(first[i][0], at_once[i][0])


def _any_order(n: int) -> Iterator[Claim]:
    yield from _both_orders(n, 0)


def _one_wider(n: int) -> Iterator[Claim]:
    yield from _both_orders(n, 1)


MASKS = (
    Identity(
        28,
        "masking-removes",
        ("P",),
        ("q_i = p_i/(1 - p_r) quad (i != r)", "q_r = 0"),
        ("e^(s_i)/(z - e^(s_r)) = (e^(s_i)//z)/(1 - e^(s_r)//z) = p_i/(1 - p_r)",),
        ("r", "- inf", "e^(- inf) = 0"),
        method="rational",
        claims=_removed,
        twins=(_others_stay,),
        check=of_outputs.masking_removes,
    ),
    Identity(
        29,
        "masked-key-unread",
        ("P",),
        ("(partial o)/(partial k_r) = 0", "(partial o)/(partial v_r) = 0"),
        (),
        ("r", "k_r", "v_r", "0 * v_r"),
        method="structural",
        claims=_not_read,
        twins=(_masked_after,),
        check=of_outputs.masked_key_unread,
    ),
    Identity(
        30,
        "fully-masked",
        ("C",),
        ("s_1 = dots = s_n = - inf => p_i = 0/0",),
        (),
        ("0/0", "1/n"),
        check=of_outputs.fully_masked,
        options=("zero", "nan", "uniform", "error"),
    ),
    Identity(
        31,
        "causal-prefix",
        ("P",),
        ("o_i (x_1, dots, x_n) = o_i (x_1, dots, x_i)",),
        (),
        ("i", "j <= i", "i + 1, dots, n"),
        method="structural",
        claims=_past_stays,
        twins=(_one_ahead,),
        check=of_outputs.causal_prefix,
        source="Vaswani et al. 2017, arXiv:1706.03762, 3.2.3",
    ),
    Identity(
        32,
        "causal-alignment",
        ("C",),
        ("j <= i", "j <= i + m - n"),
        (),
        ("n", "m", "i", "m - n"),
        check=of_outputs.causal_alignment,
        options=("top-left", "bottom-right"),
        source="flash-attention, changes in version 2.1",
    ),
    Identity(
        34,
        "masks-intersect",
        ("P",),
        ("window(causal(@S)) = causal(window(@S))",),
        (),
        ("w", "i - w < j <= i", "j <= i", "abs(i - j) < w"),
        method="structural",
        claims=_any_order,
        twins=(_one_wider,),
        check=of_outputs.masks_intersect,
        source="Beltagy et al. 2020, arXiv:2004.05150",
    ),
)
