"""Mistakes that are no wrong method on a trace: in counts, shapes, caches, gradients, positions, proofs and words.

They are listed by the kind of question that they belong to, each of which makes its own wrong answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

OF_OTHER_KINDS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "K08": (
            "variance-taken-as-d-k-squared",
            "divided-by-d-k-for-variance",
            "scaled-to-add-up-to-one",
            "scaled-against-overflow",
            "bound-taken-for-typical-size",
        ),
        "K09": ("scores-d-k-by-d-k", "output-projection-of-key-width", "scores-square-across-sentences"),
        "K10": (
            "counted-times-heads",
            "counted-over-heads",
            "output-projection-not-counted",
            "biases-mixed-up",
            "grouped-heads-not-counted",
        ),
        "K11": (
            "query-heads-cached",
            "keys-or-values-not-counted",
            "layers-not-counted",
            "head-width-from-d-model",
            "binary-and-decimal-units",
            "thousand-and-1024",
        ),
        "K12": ("groups-interleaved", "own-key-value-head", "key-value-heads-averaged", "scale-of-all-key-value-heads"),
        "K13": ("scores-cost-n-d-squared", "heads-times-dearer", "multiply-add-counted-once", "memory-n-squared-d"),
        "K14": ("score-called-weight",),
        "K15": ("no-large-factor", "query-orthogonal-to-the-key", "keys-averaged", "opposite-direction"),
        "K16": ("ratio-taken-as-difference", "root-forgotten-backwards", "root-on-the-wrong-side", "logarithm-of-another-base"),
        "K17": (
            "invariant-for-equivariant",
            "shift-along-the-wrong-axis",
            "hull-without-sum-one",
            "hull-without-signs",
            "factor-thought-harmless",
            "permutation-turned-round",
        ),
        "K18": ("weights-doubled", "tie-sharpened-to-one-hot", "constant-thought-to-matter"),
        "K19": (
            "off-diagonal-missing",
            "jacobian-sign",
            "slope-everywhere",
            "scale-forgotten-in-the-gradient",
            "jacobian-rows-not-zero",
            "cross-entropy-sign",
            "target-not-subtracted",
            "gradient-by-the-weights",
        ),
        "K20": (
            "merged-without-rescaling",
            "rescaled-the-wrong-way",
            "overflow-taken-as-result",
            "overflow-thought-to-cancel",
        ),
        "K21": ("radius-read-as-width", "zeros-beyond-the-edge", "sink-counted-twice"),
        "K22": (
            "bias-sign",
            "bias-inside-the-scale",
            "one-side-rotated",
            "rotary-layout",
            "degrees-for-radians",
            "sine-and-cosine-swapped",
            "sines-before-cosines",
            "exponent-without-two",
        ),
        "K23": (
            "tanh-forgotten",
            "feature-map-after-the-product",
            "query-norm-kept",
            "bilinear-matrix-forgotten",
            "bilinear-matrix-transposed",
            "norms-forgotten",
            "query-norm-forgotten",
            "distance-sign",
            "key-norm-forgotten",
            "softmax-though-unasked",
            "one-winner-for-both",
            "winners-swapped",
        ),
        "K24": ("row-sum-accepted", "output-outside-the-values", "one-key-weight-below-one"),
        "K25": ("previous-decoder-state",),
    }
)  # fmt: skip
"""The names of such mistakes by kind of question."""
