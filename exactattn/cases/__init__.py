"""Case files: a worked example's inputs and settings, from TOML, JSON, arrays beside them, or Python.

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
