"""Which section of a worked solution shows what a step makes.

A new step needs a row here, and a function in one of the files of sections (a test lists what is missing).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from exactattn.document import Section
from exactattn.present.products import concatenation, mixing, projection
from exactattn.present.scoring import masking, scaling, scoring
from exactattn.present.softmax import softmax

SECTIONS: Mapping[str, Callable[..., Section] | None] = {
    "given": None,  # inputs stand in the problem
    "project": projection,
    "split": None,  # a head's block is read where it is used
    "score": scoring,
    "scale": scaling,
    "mask": masking,
    "maximum": softmax,
    "shift": softmax,
    "exponentiate": softmax,
    "total": softmax,
    "divide": softmax,
    "mix": mixing,
    "concatenate": concatenation,
}
"""The section that shows what a step makes, by the name of its function."""
