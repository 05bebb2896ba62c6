"""The mistakes that exam questions name: each is in the catalogue or belongs to its kind. Worked examples in fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import exactattn as xa
from exactattn.misconceptions import CATALOGUE, OF_OTHER_KINDS, find

NAMED: dict[str, dict[str, tuple[str, ...]]] = {
    "K01": {
        "K not transposed (QK)": ("key-not-transposed",),
        "KQ^T": ("scores-transposed",),
        "no scale": ("no-scale",),
        "/d_k": ("divided-by-d-k",),
        "sqrt(n) or sqrt(d_model)": ("root-of-the-number-of-keys", "root-of-d-model", "scale-of-the-whole-width"),
        "elementwise product": ("elementwise-product",),
    },
    "K02": {
        "no normalisation": ("not-normalised",),
        "divide by the sum of scores": ("sum-normalised",),
        "sigmoid each": ("sigmoid-each",),
        "base 2": ("base-two",),
        "subtract max, then forget to exponentiate": ("shifted-not-exponentiated",),
    },
    "K03": {
        "no scale": ("no-scale",),
        "/d_k": ("divided-by-d-k",),
        "no normalisation": ("not-normalised",),
        "plain mean": ("uniform",),
        "hard max": ("hard-argmax",),
        "weights on keys": ("weights-on-keys",),
        "sum-normalise": ("sum-normalised",),
    },
    "K04": {
        "axis": ("softmax-over-columns",),
        "A^T V": ("weights-transposed",),
        "no scale / wrong scale": ("no-scale", "divided-by-d-k", "multiplied-by-root"),
        "K not transposed": ("key-not-transposed",),
        "V A": ("values-times-weights",),
    },
    "K05": {
        "W^T used": ("weights-matrix-transposed",),
        "d_k taken as d_model": ("root-of-d-model",),
        "V := X": ("values-not-projected",),
        "W_Q and W_K swapped": ("queries-and-keys-swapped",),
        "one W for all": ("one-projection-for-all",),
    },
    "K06": {
        "no mask": ("mask-forgotten",),
        "mask after softmax": ("mask-after-softmax",),
        "score 0 instead of -inf": ("masked-score-zero",),
        "wrong triangle": ("wrong-triangle",),
        "diagonal masked too": ("diagonal-masked-too",),
    },
    "K07": {
        "scale sqrt(d_model)": ("scale-of-the-whole-width",),
        "one big head": ("one-big-head",),
        "heads added or averaged": ("heads-added", "heads-averaged"),
        "interleaved split": ("heads-interleaved",),
        "W_O forgotten / transposed": ("output-projection-forgotten", "output-projection-transposed"),
        "same weights for all heads": ("first-head-for-all",),
    },
    "K08": {
        "Var = d_k^2": ("variance-taken-as-d-k-squared",),
        "divide by d_k": ("divided-by-d-k-for-variance",),
        '"to make weights sum to 1"': ("scaled-to-add-up-to-one",),
        '"avoids overflow"': ("scaled-against-overflow",),
        "bound taken for typical size": ("bound-taken-for-typical-size",),
    },
    "K09": {
        "S is d_k x d_k": ("scores-d-k-by-d-k",),
        "W_O is h d_k x d_model though values have d_v": ("output-projection-of-key-width",),
        "S is n_q x n_q in cross-attention": ("scores-square-across-sentences",),
    },
    "K10": {
        "times h": ("counted-times-heads",),
        "/h": ("counted-over-heads",),
        "W_O forgotten": ("output-projection-not-counted",),
        "bias mixed": ("biases-mixed-up",),
        "GQA ignored": ("grouped-heads-not-counted",),
    },
    "K11": {
        "query heads used": ("query-heads-cached",),
        "factor 2 forgotten": ("keys-or-values-not-counted",),
        "layers forgotten": ("layers-not-counted",),
        "d_head = d_model/h for every model": ("head-width-from-d-model",),
        "GiB called GB": ("binary-and-decimal-units",),
        "K read as 1000": ("thousand-and-1024",),
    },
    "K12": {
        "interleaved t mod n_kv": ("groups-interleaved",),
        "own KV head": ("own-key-value-head",),
        "averaged KV heads": ("key-value-heads-averaged",),
        "scale by sqrt(n_kv d_head)": ("scale-of-all-key-value-heads",),
    },
    "K13": {
        "n d^2 for scores": ("scores-cost-n-d-squared",),
        "h times dearer": ("heads-times-dearer",),
        "2 for multiply-add dropped": ("multiply-add-counted-once",),
        "memory n^2 d": ("memory-n-squared-d",),
    },
    "K14": {
        "K and V swapped": ("keys-and-values-swapped",),
        "scale after softmax": ("scale-after-softmax",),
        "mask after softmax": ("mask-after-softmax",),
        "attention score called weight": ("score-called-weight",),
    },
    "K15": {
        "no large factor: q=(k_a+k_b)/2": ("no-large-factor",),
        "q = v_a": ("values-as-keys",),
        "q orthogonal to k_a": ("query-orthogonal-to-the-key",),
    },
    "K16": {
        "ratio used as difference": ("ratio-taken-as-difference",),
        "sqrt d_k forgotten": ("root-forgotten-backwards",),
        "multiplied on the wrong side": ("root-on-the-wrong-side",),
        "log base 10 or 2": ("logarithm-of-another-base",),
    },
    "K17": {
        "invariant for equivariant": ("invariant-for-equivariant",),
        "shift along the wrong axis": ("shift-along-the-wrong-axis",),
        "hull claim without sum 1": ("hull-without-sum-one",),
    },
    "K18": {
        "weights doubled": ("weights-doubled",),
        "T multiplies": ("multiplied-by-root",),
        "limit with ties = one-hot": ("tie-sharpened-to-one-hot",),
        "adding a constant changes weights": ("constant-thought-to-matter",),
    },
    "K19": {
        "off-diagonal missing": ("off-diagonal-missing",),
        "sign": ("jacobian-sign",),
        "p(1-p) everywhere": ("slope-everywhere",),
        "1/sqrt d_k forgotten in dQ": ("scale-forgotten-in-the-gradient",),
        "row sums not 0": ("jacobian-rows-not-zero",),
    },
    "K20": {
        "subtract mean of column": ("column-mean-subtracted",),
        "subtract different constants": ("column-maximum-subtracted",),
        "merge without rescaling": ("merged-without-rescaling",),
        "overflow -> NaN or 1": ("overflow-taken-as-result",),
    },
    "K21": {
        "radius read as width": ("radius-read-as-width",),
        "padding with zeros at the edge": ("zeros-beyond-the-edge",),
        "sink counted twice": ("sink-counted-twice",),
    },
    "K22": {
        "bias sign": ("bias-sign",),
        "bias inside the scale": ("bias-inside-the-scale",),
        "rotate one of q,k only": ("one-side-rotated",),
        "layout swapped": ("rotary-layout",),
        "degrees for radians": ("degrees-for-radians",),
    },
    "K23": {
        "tanh forgotten": ("tanh-forgotten",),
        "feature map after the product": ("feature-map-after-the-product",),
        "|q|^2 kept in distance scores": ("query-norm-kept",),
        "sum-normalise with a negative score": ("sum-normalised",),
    },
    "K24": {
        "row not summing to 1 accepted": ("row-sum-accepted",),
        "output outside [min v, max v]": ("output-outside-the-values",),
        "fully masked row given weights": ("closed-row-given-weights",),
        "one key: weight not 1": ("one-key-weight-below-one",),
    },
    "K25": {
        "Q and K sources swapped": ("sources-swapped", "scores-transposed"),
        "causal mask applied": ("causal-mask-unasked",),
        "previous vs current state": ("previous-decoder-state",),
    },
}  # fmt: skip
"""The 25 kinds of question, what they name, and what it is called here."""

BESIDE: dict[str, tuple[str, ...]] = {
    "K15": ("keys-averaged", "opposite-direction"),
    "K17": ("hull-without-signs", "factor-thought-harmless", "permutation-turned-round"),
    "K19": ("cross-entropy-sign", "target-not-subtracted", "gradient-by-the-weights"),
    "K20": ("rescaled-the-wrong-way", "overflow-thought-to-cancel"),
    "K22": ("sine-and-cosine-swapped", "sines-before-cosines", "exponent-without-two"),
    "K23": (
        "bilinear-matrix-forgotten", "bilinear-matrix-transposed", "norms-forgotten", "query-norm-forgotten",
        "distance-sign", "key-norm-forgotten", "softmax-though-unasked", "one-winner-for-both", "winners-swapped",
    ),
}  # fmt: skip
"""Mistakes that our own questions tell from the key beside those."""

OF_AUDITS = {
    "no scaling": "no-scale",
    "scaled by d_k": "divided-by-d-k",
    "by √d_model": "root-of-d-model",
    "softmax down the columns": "softmax-over-columns",
    "K instead of Kᵀ": "key-not-transposed",
    "max subtracted above only": "maximum-subtracted-in-the-numerator-only",
    "max subtracted below only": "maximum-subtracted-in-the-denominator-only",
    "max not subtracted": "maximum-not-subtracted",
    "another number subtracted from each score": "column-maximum-subtracted",
    "no normalisation": "not-normalised",
    "base 2": "base-two",
    "base 10": "base-ten",
    "mask after softmax": "mask-after-softmax",
    "V of the next row": "values-off-by-one-row",
    "V of the row before": "values-row-before",
    "V in reverse": "values-rows-reversed",
    "weights transposed": "weights-transposed",
    "W transposed": "weights-matrix-transposed",
    "heads split the wrong way": "heads-interleaved",
    "sign dropped": "signs-dropped-in-scores",
}  # fmt: skip


def test_every_named_mistake_is_a_method_here_or_of_its_own_kind() -> None:
    assert len(NAMED) == 25
    catalogue = {row.name for row in CATALOGUE}
    for kind, mistakes in NAMED.items():
        known = catalogue | set(OF_OTHER_KINDS.get(kind, ()))
        assert {name for names in mistakes.values() for name in names} <= known, kind


def test_what_is_of_other_kinds_is_named_by_them_and_is_no_method() -> None:
    catalogue = {row.name for row in CATALOGUE}
    for kind, names in OF_OTHER_KINDS.items():
        named = {name for found in NAMED[kind].values() for name in found}
        assert set(names) - named == set(BESIDE.get(kind, ()))
        assert set(names) & catalogue == set()
    every = [name for names in OF_OTHER_KINDS.values() for name in names]
    assert len(set(every)) == len(every)


def test_every_method_an_audit_asks_for_is_there() -> None:
    assert set(OF_AUDITS.values()) <= {row.name for row in CATALOGUE}


# -- worked in fractions -------------------------------------------------------------------------------------------------

ONE_QUERY = {
    "Q": [["2*ln(2)", "0", "0", "0"]],
    "K": [["4", "0", "0", "0"], ["0", "1", "0", "0"], ["2", "0", "1", "0"]],
    "V": [["6"], ["5"], ["1"]],
    "shift": "none",
}
CAUSAL = {
    "scores": [["0", "0", "0"], ["0", "ln(2)", "ln(3)"], ["0", "0", "0"]],
    "V": [["6"], ["0"], ["3"]], "scale": "1", "mask": "causal",
}  # fmt: skip
MATRIX = {
    "Q": [["0", "2*ln(4)", "0", "0"], ["2*ln(4)", "0", "0", "0"], ["0", "0", "2*ln(16)", "0"]],
    "K": [["1", "0", "0", "0"], ["0", "1", "0", "0"], ["0", "0", "1", "0"]],
    "V": [["6"], ["0"], ["3"]],
    "shift": "none",
}
FOUR_HEADS = {
    "Q": [["2", "0", "0", "0"] * 4],
    "K": [["0"] * 16, ["ln(4)", "0", "0", "0"] * 4, ["ln(16)", "0", "0", "0"] * 4],
    "V": [["4"] * 4, ["0"] * 4, ["7"] * 4],
    "heads": 4,
}
SOFTMAX = {"scores": [["0", "ln(2)", "ln(3)"]], "scale": "1", "shift": "none"}


@pytest.mark.parametrize(
    ("given", "quantity", "row", "due"),
    [
        (ONE_QUERY, "output", 0, {
            None: "5", "no-scale": "519/91", "divided-by-d-k": "31/7", "uniform": "4", "hard-argmax": "6",
            "not-normalised": "105",
        }),
        (CAUSAL, "output", 1, {
            None: "2", "mask-forgotten": "5/2", "masked-score-zero": "9/4", "wrong-triangle": "9/5",
            "diagonal-masked-too": "6", "mask-after-softmax": "1",
        }),
        (FOUR_HEADS, "output", 0, {
            None: "116/21", "scale-of-the-whole-width": "32/7", "no-scale": "1796/273", "uniform": "11/3",
        }),
        (MATRIX, "output", 0, {
            None: "3/2", "no-scale": "1/2", "softmax-over-columns": "7/6", "not-normalised": "9", "uniform": "3",
        }),
        (MATRIX, "output", 1, {
            None: "9/2", "no-scale": "11/2", "softmax-over-columns": "25/6", "not-normalised": "27", "uniform": "3",
        }),
        (MATRIX, "output", 2, {
            None: "3", "no-scale": "3", "softmax-over-columns": "11/3", "not-normalised": "54", "uniform": "3",
        }),
        (SOFTMAX, "weights", 0, {None: "1/6", "not-normalised": "1", "sigmoid-each": "1/2"}),
        ({"scores": [["0", "2*ln(2)", "2*ln(2)"]], "scale": "1/2"}, "weights", 0, {
            None: "1/5", "multiplied-by-root": "1/33",
        }),
        ({"Q": [["1", "2", "0", "-1"]], "K": [["3", "1", "2", "1"]] * 9}, "scaled", 0, {
            None: "2", "no-scale": "4", "divided-by-d-k": "1", "root-of-the-number-of-keys": "4/3",
        }),
    ],
)  # fmt: skip
def test_worked_examples_in_fractions(
    given: dict[str, Any], quantity: str, row: int, due: dict[str | None, str]
) -> None:
    right = xa.attend(**given)
    for name, number in due.items():
        trace = right if name is None else find(name).work(right)
        assert trace is not None, name
        made = trace.heads[0].scaled if quantity == "scaled" else getattr(trace, quantity)
        assert made[row, 0] == Fraction(number), name
