"""The pipeline, written once: `attend` checks what is given and walks it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from exactattn.attention.check import problem_of
from exactattn.attention.walk import run
from exactattn.numbers.limits import LIMITS, Limits
from exactattn.numbers.rounding import Ties
from exactattn.trace import Trace
from exactattn.trace.problem import Alignment, FullyMasked, Shift, Track

__all__ = ["attend", "run"]


def attend(
    Q: Any = None,
    K: Any = None,
    V: Any = None,
    *,
    X: Any = None,
    X_kv: Any = None,
    W_Q: Any = None,
    W_K: Any = None,
    W_V: Any = None,
    b_Q: Any = None,
    b_K: Any = None,
    b_V: Any = None,
    W_O: Any = None,
    b_O: Any = None,
    scores: Any = None,
    tokens: Sequence[str] | None = None,
    key_tokens: Sequence[str] | None = None,
    scale: Any = None,
    mask: Any = "none",
    alignment: Alignment | None = None,
    heads: int = 1,
    shift: Shift = "max",
    fully_masked: FullyMasked = "error",
    symbols: Sequence[str] = (),
    arithmetic: str = "exact",
    track: Track = "carry",
    places: Mapping[str, int] | None = None,
    ties: Ties = "half-up",
    limits: Limits = LIMITS,
) -> Trace:
    """softmax(Q·Kᵀ·scale)·V worked step by step, every intermediate kept.

    Q is n × d_k, K is m × d_k, V is m × d_v (leave V out to stop at the weights). Instead, X (n × d) with W_Q, W_K, W_V and
    biases; X_kv for keys and values from elsewhere; or scores (n × m) with the scale. Matrices are nested lists of
    text or numbers, NumPy arrays (taken as the decimals they print) or sympy matrices. `scale` multiplies; it is 1/√d_k of
    one head by default. `heads` are contiguous blocks of columns. `track="stepwise"` works on with the printed digits.

    Raises InputError (NumberError, ShapeError, LabelError, OptionError, LimitError) with what came and what was due.

    >>> from fractions import Fraction
    >>> trace = attend([["1", "0"]], [["1", "0"], ["0", "1"]], [["10"], ["20"]], key_tokens=["a", "b"], scale="ln(3)")
    >>> trace.weights["q1", "a"] == Fraction(3, 4), str(trace.output[0, 0])
    (True, '25/2')
    """
    given = {
        "Q": Q, "K": K, "V": V, "X": X, "X_kv": X_kv, "W_Q": W_Q, "W_K": W_K, "W_V": W_V,
        "b_Q": b_Q, "b_K": b_K, "b_V": b_V, "W_O": W_O, "b_O": b_O, "scores": scores,
    }  # fmt: skip
    problem = problem_of(
        given, tokens, key_tokens, limits,
        scale=scale, mask=mask, alignment=alignment, heads=heads, shift=shift, fully_masked=fully_masked,
        symbols=symbols, arithmetic=arithmetic, track=track, places={} if places is None else places, ties=ties,
    )  # fmt: skip
    return run(problem, limits)
