"""Case files: a worked example's inputs and settings, from TOML, JSON, arrays beside them, or Python.

The names a case may have, the same in TOML, JSON and a Python mapping (n queries, m keys, h heads):

    id, title           texts
    tokens              n texts, one for each query row; key_tokens: m texts (by default the tokens, where n = m)
    symbols             letters that entries may hold: ["a", "b"]
    decimal             "," where numbers in quotes and in .csv files have a decimal comma
    binary              true where floats of arrays mean their bits, not the decimals they print as
    [inputs]            Q, K, V; or X (and X_kv) with W_Q, W_K, W_V, b_Q, b_K, b_V; W_O, b_O; or scores (and V).
                        A matrix is a list of rows, or the path of a .csv or .npy file beside the case
    [attention]         scale, mask ("none", "causal", or rows of 0 and 1), alignment, heads, shift, fully_masked
    [show]              rows, places, lang, layout
    [[compare]]         any of [attention]'s names, worked beside the main trace; label: what to call it
    about, source, printed, ask, ...   read by an audit or a probe, not by solving

>>> case = load_case({"tokens": ["I", "am"], "inputs": {"scores": [["0", "ln(2)"], [0, "½"]]}, "attention": {"scale": 1}})
>>> case.inputs["scores"], case.attention.scale
((('0', 'ln(2)'), ('0', '1/2')), '1')
>>> "xian" in bundled()
True
"""

from __future__ import annotations

from exactattn.cases.limits import CASE_LIMITS, CaseLimits
from exactattn.cases.loading import bundled, bundled_text, load_case
from exactattn.cases.model import Case, Choices, Comparison, Mask, Matrix, Show

__all__ = [
    "CASE_LIMITS",
    "Case",
    "CaseLimits",
    "Choices",
    "Comparison",
    "Mask",
    "Matrix",
    "Show",
    "bundled",
    "bundled_text",
    "load_case",
]
